package main

import (
	"context"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"math"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"github.com/svmkit/course/internal/cli"
	"github.com/svmkit/course/svmkit"
	"github.com/svmkit/course/svmkit/dataset"
	"github.com/svmkit/course/svmkit/kernel"
	"github.com/svmkit/course/svmkit/modelfile"
	"github.com/svmkit/course/svmkit/multiclass"
	"github.com/svmkit/course/svmkit/pipeline"
	"github.com/svmkit/course/svmkit/svm"
	"github.com/svmkit/course/svmkit/tune"
)

// goWords are names of options, types and values in Go, which say nothing to a user of the command.
var goWords = regexp.MustCompile(`\b(nil|options?|package|Settings|svm\.|svmkit\.|loss\.|kernel\.|dataset\.|[A-Z][a-z]+[A-Z]\w*|[a-z]+[A-Z]\w*|` +
	`Header|Drop|Classes|Task|Labels?|Median|Mean|Categorical|Indicator|Dim|Features|Kernel|Loss|Solver|Bias|Gamma)\b`)

// inGo reports whether a message has a Go name outside of quotation marks and names of files.
func inGo(message string) bool {
	message = regexp.MustCompile(`"[^"]*"|\S*/\S*|GiB|MiB|NaN|svmkit's own format|LIBSVM\S*|LIBLINEAR\S*`).ReplaceAllString(message, "")
	return goWords.MatchString(message)
}

// Each cause for which the command has advice of its own is provoked once, and its whole message is compared.
func TestAdvice(t *testing.T) {
	t.Chdir(t.TempDir())
	for name, text := range map[string]string{
		"two": "x,kind\n1,a\n2,b\n3,a\n4,b\n", "table": "x,c,kind\n1,u,a\n,v,b\n3,u,a\n4,v,b\n", "filled": "x,c,kind\n1,u,a\n2,v,b\n3,u,a\n4,v,b\n",
		"huge": "x,kind\n1e308,a\n1e308,b\n,a\n3,b\n", "gap": "w,x,kind\n1,1,a\n,2,b\n", "hard": "x,kind\n1,a\n1,b\n2,a\n2,b\n", "harder": "x,kind\n" + strings.Repeat("1,a\n1,b\n", 4), "three": "x,kind\n1,a\n1,b\n2,c\n1,a\n1,c\n",
		"zero": "svm_type c_svc\nkernel_type linear\nnr_class 2\ntotal_sv 1\nrho 0\nlabel 1 2\nnr_sv 1 0\nSV\n1 0:1 \n",
	} {
		if err := os.WriteFile(name, []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	must(t, "", "train", "-header", "yes", "-o", "model", "two")
	must(t, "", "train", "-categorical", "c", "-o", "pipeline", "filled")
	used := map[error]bool{}
	for _, c := range []struct {
		cause             error
		args, stdin, says string
	}{
		{dataset.ErrHeader, "train -median x -", "x,y\n,a\n,b\n",
			"standard input: cannot tell whether the first line is a header; use -header yes or -header no"},
		{dataset.ErrText, "scale -", "x,y\n1,0\nq,1\n",
			"standard input, line 3, column \"x\": not a number: \"q\"; use -drop x, or train with -categorical x"},
		{dataset.ErrText, "scale -", "x,z,a b,y\n1,2,u,0\nq,2,3,1\n",
			"standard input, line 2, column \"a b\": not a number: \"u\"; use -drop 'x,a b', or train with -categorical 'x,a b'"},
		{dataset.ErrText, "scale -", "x,\"z,1\",y\n1,u,0\nq,2,1\n",
			"standard input, line 2, column \"z,1\": not a number: \"u\"; the same in \"x\"; correct it, or leave the column out by -drop"},
		{dataset.ErrText, "train -", "x,y\n1,0\nq,1\n",
			"standard input, line 3, column \"x\": not a number: \"q\"; use -categorical x, or leave it out by -drop"},
		{dataset.ErrText, "train -", "x,z,a b,y\n1,2,u,0\nq,2,3,1\n",
			"standard input: not a number in the columns \"x\", \"a b\", as \"q\" in line 3; use -categorical 'x,a b', or leave columns out by -drop"},
		{dataset.ErrText, "train -", "x,\"z,1\",y\n1,u,0\nq,2,1\n",
			"standard input: not a number in the columns \"x\", \"z,1\", as \"q\" in line 3; " +
				"rename \"z,1\", as a list of a flag has commas between names; use -categorical x, or leave columns out by -drop"},
		{dataset.ErrText, "train -weight-column w -", "x,w,y\n1,1,0\n2,u,1\n", "standard input, line 3, column \"w\": not a number: \"u\""},
		{pipeline.ErrNoWeight, "train -weight-column w -", "x,w,y\n1,1,0\n2,,1\n", "standard input, line 3, column \"w\": missing weight; fill it in, or leave out the row"},
		{pipeline.ErrNoNumber, "train -", "x,z,y\n1,,0\n,,1\n3,?,1\n", "standard input: missing value in column \"x\", as \"\" in line 3; " +
			"no number in the training rows in column \"z\"; use -median x -drop z, or leave columns out by -drop"},
		{dataset.ErrText, "stream -", "x,y\n1,0\nq,1\n", "standard input, line 3, column \"x\": not a number: \"q\"; correct it, or leave the column out by -drop"},
		{dataset.ErrLineWithoutLabel, "train -", "1 1:1\n2:1\n", "standard input, line 2, byte 1: the line starts without a label: \"2:1\"; " +
			"put one in front of the first pair, or use predict -unlabelled; if it starts with label:weight of XGBoost, move the weights into a file for -weights"},
		{dataset.ErrLabelWeight, "train -", "1:0.5 1:1\n0:2 1:1\n", "standard input, line 1, byte 1: label:weight of XGBoost is not read: \"1:0.5\"; move the weights into a file for -weights"},
		{dataset.ErrLabelled, "predict -unlabelled model -", "1:1\n1 1:1\n", "standard input, line 2, byte 1: the line starts with a label: \"1\"; leave out -unlabelled"},
		{dataset.ErrNoLabel, "train -scale minmax -", "x,y\n1,a\n2,\n", "standard input, line 3, column \"y\": missing label; fill it in, or leave out the row"},
		{dataset.ErrSpelling, "train -", "x,y\n1,1\n2,1.0\n3,2\n",
			"standard input: labels that are equal as numbers and spelled in two ways: \"1\" and \"1.0\"; spell them alike"},
		{dataset.ErrLabelMixed, "stream -", "1 1:1\n-1 1:1\n0 1:1\n", "standard input, line 3, byte 1: labels -1 and 0 in one stream: \"0\"; -positive names the class +1"},
		{dataset.ErrOnlyClass, "train -", "x,y\n1,7\n2,7\n", "standard input: only one class, \"7\"; training needs two or more; for targets of a regression use -loss eps-insensitive"},
		{dataset.ErrOnlyName, "train -", "x,y\n1,a\n2,a\n", "standard input: only one class, \"a\"; training needs two or more"},
		{dataset.ErrNoDefaultLabel, "predict model -", "x,y\n1,2\n", "standard input, line 1: there is no column \"kind\", the label's at training; name it by -label; predict -unlabelled takes rows without labels"},
		{dataset.ErrDropped, "train -label y -drop y -", "x,y\n1,a\n2,b\n", "standard input, line 1, byte 3: the label's column is left out: \"y\"; take it out of -drop"},
		{dataset.ErrSameName, "train -scale minmax -", "x,x,y\n1,1,a\n2,2,b\n",
			"standard input, line 1: columns 1 and 2 are both \"x\"; rename them, or leave some out by -drop 2"},
		{dataset.ErrNoName, "train -scale minmax -", "x,,y\n1,1,a\n2,2,b\n",
			"standard input, line 1, column \"2\": a column without a name; name it, or leave out all without one by -drop 2"},
		{dataset.ErrSameName, "train -", "x,z,x,z,x,y\n1,1,1,1,1,a\n2,2,2,2,2,b\n",
			"standard input, line 1: columns 1 and 3 are both \"x\", columns 2 and 4 are both \"z\", columns 1 and 5 are both \"x\"; rename them, or leave some out by -drop 3,4,5"},
		{dataset.ErrSeparator, "train -", "x|y\n1|a\n2|b\n", "standard input, line 1, byte 1: no columns beside the label: \"x|y\"; commas, semicolons or tabs separate columns"},
		{dataset.ErrLIBSVM, "train -scale minmax -", "1 1:1\n-1 1:2\n", "standard input: a LIBSVM file, and a table is needed; " +
			"leave out -scale, -text, -median, -mean and -categorical, and take svm scale; a model that was trained with them takes CSV only"},
		{dataset.ErrZeroBased, "train -", "# Column indices are zero-based\n1 1:1\n-1 1:2\n",
			"standard input, line 1: the file says that its column indices start at 0; use -zero-based for the training file and for the test file"},
		{dataset.ErrOneBased, "train -zero-based -", "# Column indices are one-based\n1 1:1\n-1 1:2\n",
			"standard input, line 1: the file says that its column indices start at 1; leave out -zero-based"},
		{dataset.ErrIndexZero, "train -", "1 0:1\n-1 1:1\n",
			"standard input, line 1, byte 3: column index out of range, as indices start at 1: \"0:1\"; if those of this file start at 0, use -zero-based for the training file and for the test file"},
		{dataset.ErrQueryID, "train -", "1 qid:1 1:1\n", "standard input, line 1, byte 3: qid marks ranking data: \"qid:1\"; use -qid to pass it over"},
		{dataset.ErrLabel, "stream -", "2 1:1\n", "standard input, line 1, byte 1: label is neither +1 nor -1 nor 0: \"2\"; -positive names the class +1; for targets of a regression take svm train"},
		{pipeline.ErrText, "train -median x table", "", "table, line 2, column \"c\": not a number: \"u\"; use -categorical c, or leave it out by -drop"},
		{pipeline.ErrNoNumber, "train -header yes -median x -", "x,y\n,a\n,b\n", "standard input: column \"x\": no number in the training rows; use -drop x and no -median"},
		{pipeline.ErrNoWeight, "train -weight-column w -scale minmax gap", "", "gap, line 3, column \"w\": missing weight; fill it in, or leave out the row"},
		{pipeline.ErrUnfilled, "predict pipeline -", "x,c\n,u\n",
			"standard input, line 2, column \"x\": missing value; fill it in, or train with the column in -median or -mean"},
		{pipeline.ErrMissing, "train -categorical c table", "",
			"table, line 3, column \"x\": missing value; use -median x, or leave it out by -drop"},
		{pipeline.ErrBeyondSum, "train -mean x huge", "", "huge: column \"x\": the sum for the mean is beyond 1.8e308; use -median x and no -mean"},
		{dataset.ErrMissing, "scale -", "x,y\n1,0\n,1\n", "standard input, line 3, column \"x\": missing value; fill it in, use -skip-missing, or train with -median x"},
		{dataset.ErrMissing, "scale -", "x,z,y\n1,?,0\n,1,1\n", "standard input, line 2, column \"z\": missing value: \"?\"; fill it in, use -skip-missing, or train with -median x,z"},
		{dataset.ErrMissing, "train -", "x,y\n1,0\n,1\n", "standard input, line 3, column \"x\": missing value; use -median x, or leave it out by -drop, or rows by -skip-missing"},
		{dataset.ErrMissing, "train -", "x,z,y\n1,?,0\n2,2,1\n,1,1\n", "standard input: missing value in the columns \"x\", \"z\", as \"\" in line 4; use -median x,z, or leave columns out by -drop, or rows by -skip-missing"},
		{dataset.ErrMissing, "train -", "1 1:1\n-1 1: 2:1\n", "standard input, line 2, column \"1\": missing value; fill it in, or use -skip-missing"},
		{svm.ErrInseparable, "train -C Inf hard", "", "no plane separates the data, so no hard margin exists: take a finite -C, or a kernel"},
		{svm.ErrInseparable, "train -C Inf three", "", "class a against the rest: no plane separates the data, so no hard margin exists: take a finite -C, or a kernel"},
		{svm.ErrInseparable, "train -multi ovo -C Inf three", "", "class a against b: no plane separates the data, so no hard margin exists: take a finite -C, or a kernel"},
		{svm.ErrInseparable, "cv -folds 2 -C Inf harder", "", "without fold 1: no plane separates the data, so no hard margin exists: take a finite -C, or a kernel"},
		{modelfile.ErrNotModel, "predict two two", "", `two, line 1: not a model file of svmkit, LIBSVM, LIBLINEAR or save_for_go.py: "x,kind"; svm predict takes MODEL first, then FILE`},
		{io.ErrUnexpectedEOF, "train -", "\x1f\x8b\b\x00\x00\x00\x00\x00", "standard input, line 1, byte 1: unexpected EOF; the compressed file is cut off or damaged"},
		{modelfile.ErrIndexZero, "predict zero -", "1 1:1\n", `zero, line 9, column 3: an index 0 in a model whose indices start at 1: "0:1"; if it was trained on a file whose indices start at 0, use -zero-based`},
	} {
		used[c.cause] = true
		status, out, errs := svmRun(t, c.stdin, strings.Fields(c.args)...)
		if status != exitError || out != "" || errs != "svm: "+c.says+"\n" {
			t.Errorf("svm %s: status %d, %s\n%swant\nsvm: %s", c.args, status, out, errs, c.says)
		}
		if inGo(errs) {
			t.Errorf("svm %s speaks Go: %s", c.args, errs)
		}
	}
	for _, a := range advice {
		if !used[a.cause] {
			t.Errorf("no line provokes %v", a.cause)
		}
	}
}

// Every form of an error of the library, in the words of the command.
func TestWords(t *testing.T) {
	row := func(err error) error { return &svmkit.DataError{Row: 4, Col: 2, Value: -1, Err: err} }
	for _, c := range []struct {
		err  error
		want string
	}{
		{errors.New("svmkit: as it is"), "as it is"},
		{errors.New("multiclass: as it is"), "as it is"},
		{row(svmkit.ErrNotFinite), "row 5: not a finite number (value -1)"},
		{row(dataset.ErrLabel), "row 5: label is neither +1 nor -1 nor 0 (value -1); -positive names the class +1; for targets of a regression take svm train"},
		{&svmkit.DataError{Row: svmkit.NoPlace, Col: svmkit.NoPlace, Err: svmkit.ErrEmpty}, "no rows"},
		{&dataset.ParseError{Name: "f", Line: 2, Text: "x", Err: dataset.ErrNotNumber}, `f, line 2: not a number: "x"`},
		{&dataset.ParseError{Line: 1, Column: 1, Err: &fs.PathError{Op: "read", Path: "d", Err: errors.New("is a directory")}}, "d: is a directory"},
		{dataset.ErrQueryID, "qid marks ranking data: use -qid to pass it over"},
		{&svmkit.ParamError{Name: "Kernel", Value: "kernel.RBF", Need: "must be linear for LIBLINEAR"}, "-kernel must be linear for LIBLINEAR"},
		{&svmkit.ParamError{Name: "class", Value: `"x"`, Need: "must be one of two"}, `class "x" must be one of two`},
		{&svmkit.ParamError{Name: "Classes", Value: []string{"x"}, Need: "must be integers"}, "the classes must be integers"},
		{&kernel.EvalError{I: 0, J: 1, Value: math.Inf(1)}, "the kernel of two rows is +Inf: scale the columns"},
		{&multiclass.ModelError{Class: "a", Against: "the rest", Err: row(svmkit.ErrNotFinite)}, "class a against the rest: row 5: not a finite number (value -1)"},
		{&multiclass.ModelError{Class: "a", Against: "b", Err: &svm.InseparableError{}},
			"class a against b: no plane separates the data, so no hard margin exists: take a finite -C, or a kernel"},
		{errors.Join(errors.New("svm: one"), row(svmkit.ErrWeight)), "one\nrow 5: a row's weight must be finite and not negative (value -1)"},
	} {
		if got := words(c.err); got != c.want {
			t.Errorf("%#v:\n%s, want\n%s", c.err, got, c.want)
		}
	}
	fold := &tune.FoldError{Fold: 1, Err: row(svmkit.ErrNotFinite)}
	if got := inFold(fmt.Errorf("tune: %w", fold), func(e *tune.FoldError) string { return fmt.Sprint("fold ", e.Fold+1) }).Error(); got != "fold 2, row 5: not a finite number (value -1)" {
		t.Error(got)
	}
}

// Where an error names its file, the file is named once.
func TestInFile(t *testing.T) {
	path := &fs.PathError{Op: "open", Path: "f", Err: fs.ErrNotExist}
	for _, c := range []struct {
		err  error
		want string
	}{
		{errors.New("bad"), "f: bad"}, {errors.New("f: bad"), "f: bad"}, {path, "f: file does not exist"}, {fmt.Errorf("in a zip: %w", path), "in a zip: " + path.Error()},
		{&cli.Located{Where: "f", What: "bad", Err: context.Canceled}, "f: bad"},
	} {
		if got := inFile("f", c.err); got.Error() != c.want || !errors.Is(got, c.err) {
			t.Errorf("%v: %q, want %q", c.err, got, c.want)
		}
	}
	if inFile("f", nil) != nil || within("here", nil) != nil {
		t.Error("an error out of none")
	}
}

// Wrong flags and wrong data of many kinds: no message has a name of Go.
func TestMessagesSpeakOfFlags(t *testing.T) {
	t.Chdir(t.TempDir())
	for name, text := range map[string]string{
		"odd.csv": "a,b,c,kind\n" + strings.Repeat("1,2,3,yes\n2,1,4,no\n0,5,2,no way\n", 5), "two.csv": "a,b,kind\n" + strings.Repeat("1,2,x\n2,1,y\n", 6),
		"lone.csv": "a,kind\n1,x\n2,x\n3,y\n", "few.csv": "a,kind\n1,x\n2,x\n3,y\n4,y\n", "huge.csv": "a,kind\n1e200,x\n-1e200,y\n", "plain": "1 1:1\n-1 2:1\n", "notes": "{}\n",
		"wide": "1 6001:1\n-1 6002:1\n", "bad": "1 1:1\n-1 1:x\n",
	} {
		if err := os.WriteFile(name, []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	solvers := "-loss logistic -kernel rbf/-loss logistic -solver smo/-loss logistic -solver dcd/-loss logistic -solver proximal/-loss logistic -solver decomposition/" +
		"-loss logistic -C Inf/-loss squared-hinge -C Inf/-kernel rbf -solver newton/-kernel rbf -solver dcd/-kernel rbf -solver pegasos/-kernel rbf -solver proximal/" +
		"-solver newton/-solver pegasos/-solver pegasos -bias none -loss squared-hinge/-solver pegasos -bias none -C Inf/-solver decomposition -C Inf/" +
		"-kernel sigmoid -solver decomposition/-solver proximal -C Inf/-kernel poly -coef0 -1/-kernel sigmoid -coef0 Inf/-kernel rbf -gamma Inf/-epsilon -1 -loss eps-insensitive/" +
		"-loss foo/-kernel foo/-bias foo/-solver foo/-C 0/-degree 0/-multi foo/-multi cs -loss logistic/-multi cs -bias free/-class-weight foo/-class-weight q=1/"
	tables := "-median a -mean a/-median a -drop a/-text a/-text a -drop a/-indicator b -median a/-mean q/-categorical kind/-label q/-label q -scale minmax/-text a -drop b -text-min-docs 2 -text-max-docs 1/" +
		"-text a -drop b -text-grams 1:99/-text a -drop b -text-max-terms -1/-weight-column q/-weight-column q -scale minmax/-weight-column kind -scale minmax/-scale minmax -libsvm x/" +
		"-scale minmax -header no/-drop q/-drop q -scale minmax/-drop 9"
	outputs := "train -libsvm x odd.csv/train -liblinear x odd.csv/train -liblinear x -multi cs odd.csv/train -libsvm x -multi ovo odd.csv/train -libsvm x -kernel laplacian two.csv/" +
		"train -liblinear x -kernel rbf two.csv/train -probability lone.csv/train -probability few.csv/grid -C 1 -folds 2 -metric log-loss few.csv/train -weight-column a plain/" +
		"train -solver proximal -loss squared-hinge wide/cv -folds 2 -solver proximal -loss squared-hinge wide/grid -C 1 -folds 2 -solver proximal -loss squared-hinge wide/" +
		"train -kernel rbf huge.csv/train -kernel poly -gamma 1 -degree 9 huge.csv/train huge.csv/scale -kind standardize huge.csv/scale -kind center plain/scale -load notes plain/scale -load plain plain/predict notes plain/" +
		"stream -checkpoint notes plain/train -checkpoint notes plain/stream odd.csv/stream -learner x plain/train ./train bad/cv -folds 99 two.csv/grid -folds 99 two.csv/" +
		"grid -group q -C 1 two.csv/grid -group kind -C 1 two.csv/grid -group a -categorical a -C 1 two.csv/grid -time -folds 99 two.csv/grid -C 1:x:3 two.csv/grid -C 3:1:3 two.csv/grid -C 1:3:1 two.csv"
	lines := strings.Split(outputs, "/")
	for _, flags := range strings.Split(solvers+tables, "/") {
		for _, command := range []string{"train", "cv -folds 2", "grid -folds 2"} {
			lines = append(lines, command+" "+flags+" two.csv")
		}
	}
	for _, line := range lines {
		status, _, errs := svmRun(t, "", strings.Fields(line)...)
		if status == exitOK || inGo(errs) || !strings.HasPrefix(errs, "svm: ") {
			t.Errorf("svm %s: status %d, %s", line, status, errs)
		}
	}
	if _, err := os.Stat(filepath.Join(".", "x")); err == nil {
		t.Error("a file was written")
	}
}
