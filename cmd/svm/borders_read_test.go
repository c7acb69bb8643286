package main

import (
	"fmt"
	"io"
	"math/rand/v2"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/svmkit/course/internal/cli"
)

func borderFile(name string) string { return filepath.Join("testdata", "borders", name) }

func borderText(t *testing.T, name string) string {
	t.Helper()
	text, err := os.ReadFile(borderFile(name))
	if err != nil {
		t.Fatal(err)
	}
	return string(text)
}

// svm-train -t 0 reads the blanks after the colons of LIBSVM's data set protein: 6 rows, rho 0.171.
func TestBlankAfterColon(t *testing.T) {
	for _, flags := range []string{"", "-skip-missing"} {
		out, errs := must(t, "", append(strings.Fields("train -tol 1e-6 -libsvm - "+flags), borderFile("blank-after-colon.libsvm"))...)
		if !strings.Contains(out+errs, "rows n            6") || !strings.Contains(out, "\nlabel 1 0\n") || !strings.Contains(out, "\nrho -0.1709") || strings.Contains(errs, "left out") {
			t.Errorf("%s: %s%s", flags, out, errs)
		}
	}
}

// Compressed files are the files, for every command that reads data.
func TestCompressedFiles(t *testing.T) {
	const plain = "1 1:1 2:2\n-1 1:-1 2:-2\n1 1:2 2:1\n-1 1:-2 2:-1\n"
	data := file(t, "plain", plain)
	model := filepath.Join(t.TempDir(), "model")
	must(t, "", "train", "-o", model, data)
	for _, packed := range []string{"tr.bz2", "tr.xz"} {
		for _, args := range [][]string{{"train", "-o", "-"}, {"predict", model}, {"cv", "-folds", "2"}, {"scale"}, {"stream", "-json"}} {
			want, _ := must(t, "", append(args, data)...)
			for _, stdin := range []string{"", borderText(t, packed)} {
				name := borderFile(packed)
				if stdin != "" {
					name = "-"
				}
				got, _ := must(t, stdin, append(args, name)...)
				if cut := func(s string) string { return strings.Split(strings.Split(s, "seconds")[0], "Seconds")[0] }; cut(got) != cut(want) {
					t.Errorf("svm %s %s:\n%s\nwant\n%s", strings.Join(args, " "), name, got, want)
				}
			}
		}
		whole := borderText(t, packed)
		for n := 10; n < len(whole); n++ {
			if status, out, errs := svmRun(t, whole[:n], "train", "-"); status != exitError || out != "" {
				t.Fatalf("%d of %d bytes of %s: status %d, %s%s", n, len(whole), packed, status, out, errs)
			}
		}
	}
	for _, args := range []string{"train", "cv", "grid -C 1", "scale", "stream", "predict " + model, "train -scale minmax"} {
		status, out, errs := svmRun(t, "", append(strings.Fields(args), borderFile("trp.zip"))...)
		if status != exitError || out != "" || !strings.Contains(errs, "trp.zip: a zip archive, not CSV or LIBSVM text; unpack it first: unzip FILE") {
			t.Errorf("svm %s: status %d, %s%s", args, status, out, errs)
		}
	}
}

// -qid passes over query ids in every command, and the numbers are those of the file without them.
func TestQID(t *testing.T) {
	text := borderText(t, "qid.libsvm")
	plain := strings.NewReplacer(" qid:1", "", " qid:2", "").Replace(text)
	model := filepath.Join(t.TempDir(), "model")
	must(t, plain, "train", "-o", model, "-")
	for _, args := range []string{"train -o -", "cv -folds 2", "grid -folds 2 -C 1:2:2", "predict -scores " + model, "scale"} {
		cut := func(text string) string { return strings.Split(strings.Split(text, "econds")[0], "train it")[0] }
		want, _ := must(t, plain, append(strings.Fields(args), "-")...)
		if got, _ := must(t, text, append(strings.Fields(args), "-qid", "-")...); cut(got) != cut(want) {
			t.Errorf("svm %s: %s, want %s", args, got, want)
		}
		if status, _, errs := svmRun(t, text, append(strings.Fields(args), "-")...); status != exitError || !strings.Contains(errs, "use -qid") {
			t.Errorf("svm %s: status %d, %s", args, status, errs)
		}
	}
	if status, _, errs := svmRun(t, "1,2,x\n2,1,y\n", "train", "-qid", "-"); status != exitError || !strings.Contains(errs, "-qid is for LIBSVM files") {
		t.Errorf("status %d, %s", status, errs)
	}
	if status, _, errs := svmRun(t, "a,b\n1,x\n2,y\n", "train", "-qid", "-scale", "minmax", "-"); status != exitUsage || !strings.Contains(errs, "-qid has no effect") {
		t.Errorf("status %d, %s", status, errs)
	}
}

// A test file without labels, or with some that are missing, is predicted: as many lines as rows, and the same classes as
// with labels.
func TestPredictWithoutLabels(t *testing.T) {
	dir := t.TempDir()
	model := func(name, text string, args ...string) string {
		path := filepath.Join(dir, name)
		must(t, text, append(append([]string{"train", "-o", path}, args...), "-")...)
		return path
	}
	const train = "1 1:1 2:2\n-1 1:-1 2:-2\n1 1:2 2:1\n-1 1:-2 2:-1\n"
	numbers := model("numbers", train)
	named := model("named", borderText(t, "newclass.tr.libsvm"))
	targets := model("targets", train, "-loss", "eps-insensitive")
	for _, m := range []string{numbers, targets} {
		want, _ := must(t, "1 1:1 2:2\n1 1:-1 2:-2\n", "predict", m, "-")
		if got, errs := must(t, "", "predict", "-unlabelled", m, borderFile("no-label.libsvm")); got != want || errs != "" {
			t.Errorf("%s: %s%s, want %s", m, got, errs, want)
		}
		for _, flags := range []string{"", "-skip-missing"} {
			if got, errs := must(t, "? 1:1 2:2\n? 1:-1 2:-2\n", append(strings.Fields("predict "+flags), m, "-")...); got != want {
				t.Errorf("%s: %s%s, want %s", m, got, errs, want)
			}
		}
	}
	if got, _ := must(t, "1:1\n\n1:-1\n? 1:-1\n", "predict", "-unlabelled", named, "-"); strings.Count(got, "\n") != 4 {
		t.Errorf("%q", got)
	}
	csv := model("csv", "a,b,kind\n1,2,x\n-1,-2,y\n2,1,x\n-2,-1,y\n")
	want, _ := must(t, "a,b,kind\n1,2,x\n-1,-2,y\n", "predict", csv, "-")
	for _, flags := range []string{"", "-skip-missing"} {
		if got, errs := must(t, "a,b,kind\n1,2,?\n-1,-2,\n", append(strings.Fields("predict "+flags), csv, "-")...); got != want {
			t.Errorf("%s: %s%s, want %s", flags, got, errs, want)
		}
	}
	status, _, errs := svmRun(t, "", "predict", numbers, borderFile("no-label.libsvm"))
	if status != exitError || !strings.Contains(errs, "use predict -unlabelled") {
		t.Errorf("status %d, %s", status, errs)
	}
}

// Every line of a one-column file gives a line of output, an empty document too.
func TestEmptyDocuments(t *testing.T) {
	model := filepath.Join(t.TempDir(), "model")
	must(t, "description,kind\nshared library,lib\na program,prog\nlibrary of functions,lib\nprogram to run,prog\n",
		"train", "-header", "yes", "-text", "description", "-o", model, "-")
	rng := rand.New(rand.NewPCG(34, 6))
	documents := []string{"shared library", "a program", "", "", "x", `"quoted, library"`, " "}
	for range 50 {
		var text strings.Builder
		var want strings.Builder
		text.WriteString("description\n")
		for range 1 + rng.IntN(6) {
			d := documents[rng.IntN(len(documents))]
			text.WriteString(d + "\n")
			one := d
			if strings.TrimSpace(d) == "" {
				one = `""`
			}
			out, _ := must(t, "description\n"+one+"\n", "predict", model, "-")
			want.WriteString(out)
		}
		if got, errs := must(t, text.String(), "predict", model, "-"); got != want.String() {
			t.Fatalf("%q: %q%s, want %q", text.String(), got, errs, want.String())
		}
	}
	numbers := filepath.Join(t.TempDir(), "numbers")
	must(t, "x,kind\n1,a\n-1,b\n2,a\n-2,b\n", "train", "-o", numbers, "-")
	status, out, errs := svmRun(t, "x\n1\n\n-1\n", "predict", "-unlabelled", numbers, "-")
	if status != exitError || out != "" || !strings.Contains(errs, `line 3, column "x": missing value`) {
		t.Errorf("status %d, %s%s", status, out, errs)
	}
}

// Two columns of one name are refused by every command, with flags that work when they are pasted.
func TestSameNameTwice(t *testing.T) {
	name := borderFile("same-name-twice.csv")
	for _, args := range []string{"train", "cv -folds 2", "grid -folds 2 -C 1", "scale", "stream -positive x", "train -scale minmax"} {
		status, out, errs := svmRun(t, "", append(strings.Fields(args), name)...)
		if status != exitError || out != "" || !strings.Contains(errs, `columns 1 and 2 are both "a"; rename them, or leave some out by -drop 2`) {
			t.Errorf("svm %s: status %d, %s%s", args, status, out, errs)
		}
		if status, _, errs := svmRun(t, "", append(strings.Fields(args+" -drop 2"), name)...); status != exitOK && !strings.Contains(errs, "only one class") {
			t.Errorf("svm %s -drop 2: status %d, %s", args, status, errs)
		}
	}
}

// The flags that a message about all columns gives end the complaint.
func TestColumnsToPaste(t *testing.T) {
	var head, row1, row2 []string
	for k := range 40 {
		head, row1, row2 = append(head, fmt.Sprintf("c %d", k)), append(row1, "u"), append(row2, "v")
	}
	text := strings.Join(head, ",") + ",x,kind\n"
	for range 4 {
		text += strings.Join(row1, ",") + ",1,a\n" + strings.Join(row2, ",") + ",2,b\n"
	}
	list := strings.Join(head, ",")
	for flag, command := range map[string]string{"-drop": "scale", "-categorical": "train"} {
		_, _, errs := svmRun(t, text, command, "-header", "yes", "-")
		if !strings.Contains(errs, flag+" '"+list+"'") {
			t.Errorf("no %s in %s", flag, errs)
		}
		must(t, text, "train", "-header", "yes", flag, list, "-")
	}
}

// A weight that cannot be used is named by the line of the file, whatever stands before it.
func TestBadWeightNamesTheLine(t *testing.T) {
	for text, line := range map[string]int{"w,x,label\n-2,1,a\n1,2,b\n": 2, "\n\nw,x,label\n1,1,a\n\n\n-2,2,b\n": 7, "w,x,label\n1,\"1\",a\n,1,b\n-2,1,a\n1,3,b\n": 4} {
		name := file(t, "w.csv", text)
		status, _, errs := svmRun(t, "", "train", "-skip-missing", "-weight-column", "w", name)
		if want := fmt.Sprintf("line %d, column \"w\": a row's weight must be finite and not negative: \"-2\"\n", line); status != exitError || !strings.HasSuffix(errs, want) {
			t.Errorf("%q: status %d, %s, want %s", text, status, errs, want)
		}
	}
	if _, _, errs := svmRun(t, "w,x,label\n1,1,a\n-2,2,b\n", "train", "-weight-column", "w", "-"); !strings.Contains(errs, `standard input, row 2, column "w"`) {
		t.Error(errs)
	}
}

// A row that is written to a pipe is predicted at once, although the file might still turn out to be compressed.
func TestOpenDoesNotWait(t *testing.T) {
	in, out := io.Pipe()
	a := &app{ctx: t.Context(), stdin: in}
	text := make(chan []byte)
	go func() {
		r, err := cli.OpenData(a.ctx, "-", a.stdin)
		if err != nil {
			t.Error(err)
		}
		all, _ := io.ReadAll(r)
		text <- all
	}()
	go func() {
		out.Write([]byte("\xfd7"))
		out.Write([]byte("x"))
		out.Close()
	}()
	if got := <-text; string(got) != "\xfd7x" {
		t.Errorf("%q", got)
	}
}

// scikit-learn's comment that a file is zero-based is compared with -zero-based by every command, and so is an index 0. The
// advice works: with the flag the numbers are those of the file that starts at 1.
func TestZeroBasedComment(t *testing.T) {
	const head = "# Generated by dump_svmlight_file from scikit-learn 1.2.1\n# Column indices are zero-based\n#\n# mine\n"
	zero := borderText(t, "z01.libsvm")
	fromOne := strings.NewReplacer(" 0:", " 1:", " 1:", " 2:")
	one := fromOne.Replace(zero)
	model := filepath.Join(t.TempDir(), "model")
	must(t, one, "train", "-o", model, "-")
	for _, args := range []string{"train -o -", "cv -folds 2", "predict -scores " + model, "scale", "stream -positive 1", "grid -folds 2 -C 1"} {
		cut := func(text string) string { return strings.Split(strings.Split(text, "econds")[0], "train it")[0] }
		want, _ := must(t, one, append(strings.Fields(args), "-")...)
		for text, says := range map[string]string{head + zero: "the file says that its column indices start at 0; use -zero-based", zero: "use -zero-based"} {
			if status, out, errs := svmRun(t, text, append(strings.Fields(args), "-")...); status != exitError || !strings.Contains(errs, says) || out != "" && !strings.HasPrefix(args, "stream") {
				t.Errorf("svm %s: status %d, %s%s", args, status, out, errs)
			}
			got, _ := must(t, text, append(strings.Fields(args), "-zero-based", "-")...)
			if args == "scale" { // which writes indices as it has read them
				got = fromOne.Replace(got)
			}
			if cut(got) != cut(want) {
				t.Errorf("svm %s -zero-based: %s, want %s", args, got, want)
			}
		}
		text := strings.Replace(head, "zero", "one", 1) + one
		if status, _, errs := svmRun(t, text, append(strings.Fields(args), "-zero-based", "-")...); status != exitError || !strings.Contains(errs, "leave out -zero-based") {
			t.Errorf("svm %s: status %d, %s", args, status, errs)
		}
	}
}

// A LIBSVM file with a flag of a pipeline is called a LIBSVM file, and the way on works.
func TestLIBSVMFileForAPipeline(t *testing.T) {
	text := strings.ReplaceAll(borderText(t, "blank-after-colon.libsvm"), ": ", ":")
	for _, args := range []string{"train", "cv -folds 2", "grid -folds 2 -C 1"} {
		for _, flags := range []string{"-scale standardize", "-median x", "-categorical x", "-text x"} {
			status, out, errs := svmRun(t, text, append(strings.Fields(args+" "+flags), "-")...)
			if status != exitError || out != "" || !strings.Contains(errs, "a LIBSVM file, and a table is needed; leave out -scale") {
				t.Errorf("svm %s %s: status %d, %s%s", args, flags, status, out, errs)
			}
		}
		scaled, _ := must(t, text, "scale", "-")
		must(t, scaled, append(strings.Fields(args), "-")...)
	}
}
