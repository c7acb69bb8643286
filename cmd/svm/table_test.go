package main

import (
	"bufio"
	"bytes"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/svmkit/course/svmkit/dataset"
	"github.com/svmkit/course/svmkit/feature"
	"github.com/svmkit/course/svmkit/modelfile"
	"github.com/svmkit/course/svmkit/pipeline"
	"github.com/svmkit/course/svmkit/svm"
	"github.com/svmkit/course/svmkit/text"
	"github.com/svmkit/course/svmkit/tune"
)

const passengers = "../../svmkit/pipeline/testdata/passengers.csv"

var passengerFlags = []string{"-categorical", "class,sex,port", "-median", "age", "-drop", "id", "-label", "survived", "-scale", "standardize"}

// A table goes from training to predictions by one file, which is the library's, bit for bit.
func TestTable(t *testing.T) {
	model := filepath.Join(t.TempDir(), "model")
	report, _ := must(t, "", append([]string{"train", "-probability", "-o", model, passengers}, passengerFlags...)...)
	for _, want := range []string{"rows n            80\n", "columns d         11\n", "−1 is no, +1 is yes", "status            optimal"} {
		if !strings.Contains(report, want) {
			t.Errorf("no %q in\n%s", want, report)
		}
	}
	table, err := dataset.ReadTableFile(t.Context(), passengers, nil)
	if err != nil {
		t.Fatal(err)
	}
	p := pipeline.Pipeline{Label: "survived", Scale: &feature.Scaler{}, Probabilities: &tune.Probabilities{Seed: 1},
		Columns: pipeline.Columns{Categorical: []string{"class", "sex", "port"}, Median: []string{"age"}, Drop: []string{"id"}},
		Model:   svm.Fitter(svm.Problem{C: svm.PerSum(1)}, nil, &svm.Settings{Seed: 1})}
	m, err := p.Fit(t.Context(), table)
	if err != nil {
		t.Fatal(err)
	}
	var want bytes.Buffer
	if err := modelfile.Save(&want, m); err != nil {
		t.Fatal(err)
	}
	if got, err := os.ReadFile(model); err != nil || !bytes.Equal(got, want.Bytes()) {
		t.Errorf("%v: the file is\n%s\nand not\n%s", err, got, want.Bytes())
	}
	predictions, err := m.PredictTable(table)
	if err != nil {
		t.Fatal(err)
	}
	lines, right := strings.Builder{}, 0
	lines.WriteString("labels no yes\n")
	for i, q := range predictions {
		fmt.Fprintf(&lines, "%s %v %v %v\n", q.Name, q.Score, q.Probabilities[0], q.Probabilities[1])
		if q.Name == table.Rows[i][6] {
			right++
		}
	}
	content, err := os.ReadFile(passengers)
	if err != nil {
		t.Fatal(err)
	}
	out, judged := must(t, string(content), "predict", "-scores", "-probability", model, "-")
	if out != lines.String() || !strings.Contains(judged, fmt.Sprintf("(%d of 80 rows)", right)) {
		t.Errorf("%s%s", out, judged)
	}
}

// More rows than are predicted at once give one line each, in order, whatever the order of the columns.
func TestTableOfManyParts(t *testing.T) {
	model := filepath.Join(t.TempDir(), "model")
	must(t, "size,colour,label\n1,red,a\n2,red,a\n3,blue,b\n4,blue,b\n", "train", "-categorical", "colour", "-o", model, "-")
	var in, want strings.Builder
	in.WriteString("colour,size\n")
	for i := range 2*rowsAtOnce + 3 {
		row, class := "red,1", "a"
		if i%3 == 0 {
			row, class = "blue,4", "b"
		}
		in.WriteString(row + "\n")
		want.WriteString(class + "\n")
	}
	if out, judged := must(t, in.String(), "predict", model, "-"); out != want.String() || judged != "" {
		t.Errorf("%d lines and %q", strings.Count(out, "\n"), judged)
	}
	if _, judged := must(t, "label,colour,size\na,red,1\nb,red,1\nc,red,1\n", "predict", model, "-"); judged != "accuracy 33.3333% (1 of 3 rows); the model does not know the class of 1 row: \"c\"\n" {
		t.Errorf("%q", judged)
	}
}

// Of a model for -positive and all others, every other label counts, with a pipeline and without.
func TestPositiveOfThreeClasses(t *testing.T) {
	const rows = "size,label\n1,a\n2,a\n5,b\n9,c\n"
	for _, pipe := range []string{"", "-scale minmax "} {
		model := filepath.Join(t.TempDir(), "model")
		must(t, rows, strings.Fields("train -positive c "+pipe+"-class-weight c=1000 -C 100 -o "+model+" -")...)
		out, judged := must(t, rows, "predict", model, "-")
		if out != "not c\nnot c\nnot c\nc\n" || judged != "accuracy 100.0000% (4 of 4 rows)\n" {
			t.Errorf("%q: %q %q", pipe, out, judged)
		}
		if _, judged := must(t, "size,label\n9,a\n9,new\n", "predict", model, "-"); judged != "accuracy 0.0000% (0 of 2 rows)\n" {
			t.Errorf("%q: %q", pipe, judged)
		}
	}
	model := filepath.Join(t.TempDir(), "model")
	must(t, rows, strings.Fields("train -positive c -scale minmax -C 100 -o "+model+" -")...)
	if _, judged := must(t, "size,label\n9,c\n9,\n", "predict", model, "-"); judged != "accuracy 100.0000% (1 of 1 rows); there is no label for 1 row\n" {
		t.Errorf("%q", judged)
	}
}

// Classes that are numbers are found in any spelling, and a column without a name is left out by its number.
func TestTableOfNumbers(t *testing.T) {
	model := filepath.Join(t.TempDir(), "model")
	must(t, ",size,label\n0,1,1\n1,2,1\n2,8,2\n3,9,2\n", "train", "-header", "yes", "-drop", "1", "-scale", "minmax", "-o", model, "-")
	out, judged := must(t, "size,label\n1,1.0\n9,2.0\n2,3\n", "predict", model, "-")
	if out != "1\n2\n1\n" || judged != "accuracy 66.6667% (2 of 3 rows); the model does not know the class of 1 row: \"3\"\n" {
		t.Errorf("%q %q", out, judged)
	}
}

// A table that was trained on without a header is predicted without one.
func TestTableWithoutHeader(t *testing.T) {
	model := filepath.Join(t.TempDir(), "model")
	must(t, "1,red,1\n2,red,1\n8,blue,2\n9,blue,2\n", "train", "-header", "no", "-label", "3", "-categorical", "2", "-o", model, "-")
	if out, _ := must(t, "9,blue,2\n1,red,2\n", "predict", "-header", "no", model, "-"); out != "2\n1\n" {
		t.Errorf("%q", out)
	}
}

// A table with names and no rows has no predictions.
func TestTableOfNoRows(t *testing.T) {
	model := filepath.Join(t.TempDir(), "model")
	must(t, "size,label\n1,a\n2,b\n", "train", "-scale", "minmax", "-o", model, "-")
	if out, errs := must(t, "size\n", "predict", model, "-"); out != "" || errs != "" {
		t.Errorf("%q, %q", out, errs)
	}
}

// A row from a pipe is answered before the next one comes.
func TestTableFromASlowPipe(t *testing.T) {
	model := filepath.Join(t.TempDir(), "model")
	must(t, "size,label\n1,a\n2,b\n", "train", "-scale", "minmax", "-o", model, "-")
	rows, feed := io.Pipe()
	answers, out := io.Pipe()
	done := make(chan int)
	go func() {
		status := run(t.Context(), []string{"predict", model, "-"}, rows, out, io.Discard)
		rows.Close()
		out.Close()
		done <- status
	}()
	const patience = 20 * time.Second
	late := time.AfterFunc(patience, func() { feed.Close() }) // ends the command, and all waiting
	defer late.Stop()
	io.WriteString(feed, "size\n")
	read := bufio.NewReader(answers)
	for row, class := range map[string]string{"0\n": "a\n", "3\n": "b\n"} { // in either order
		io.WriteString(feed, row)
		if got, err := read.ReadString('\n'); got != class || err != nil {
			t.Errorf("%q: %q, %v", row, got, err)
		}
	}
	if !late.Stop() {
		t.Errorf("no answer after %v", patience)
	}
	feed.Close()
	if status := <-done; status != exitOK {
		t.Errorf("status %d", status)
	}
}

// Regressions, several classes and texts go the same way.
func TestTableOfOtherKinds(t *testing.T) {
	model := filepath.Join(t.TempDir(), "model")
	var weights, kinds strings.Builder
	weights.WriteString("length,colour,weight\n")
	kinds.WriteString("length,colour,kind\n")
	for i := range 30 {
		fmt.Fprintf(&weights, "%d,%s,%g\n", i, []string{"red", "blue"}[i%2], 2*float64(i)+float64(i%2)+0.5)
		fmt.Fprintf(&kinds, "%d,%s,%s\n", i%3*10+i/10, []string{"red", "blue"}[i%2], []string{"cat", "dog", "owl"}[i%3])
	}
	must(t, weights.String(), "train", "-loss", "eps-insensitive", "-C", "100", "-epsilon", "0.01", "-scale", "standardize", "-categorical", "colour", "-o", model, "-")
	out, judged := must(t, weights.String(), "predict", model, "-")
	var mse float64
	if _, err := fmt.Sscanf(judged, "mean squared error %g over 30 rows", &mse); err != nil || strings.Count(out, "\n") != 30 || !(mse <= 0.01*0.01*2) {
		t.Errorf("%s%s", out, judged)
	}
	for _, multi := range []string{"ovo", "ovr", "cs"} {
		report, _ := must(t, kinds.String(), "train", "-multi", multi, "-C", "10", "-scale", "standardize", "-categorical", "colour", "-o", model, "-")
		_, judged = must(t, kinds.String(), "predict", model, "-")
		cv, _ := must(t, kinds.String(), "cv", "-folds", "3", "-multi", multi, "-C", "10", "-scale", "standardize", "-categorical", "colour", "-")
		if !strings.Contains(cv, "fold 3  accuracy 100") {
			t.Errorf("%s: %s", multi, cv)
		}
		if !strings.Contains(report, "3: cat, dog, owl") || !strings.Contains(judged, "of 30 rows)") {
			t.Errorf("%s: %s%s", multi, report, judged)
		}
	}
	const messages = "kind,message\nham,see you at home\nspam,win cash now\nham,call me at home\nspam,win a prize\n"
	must(t, messages, "train", "-text", "message", "-label", "kind", "-header", "yes", "-o", model, "-")
	if out, _ := must(t, "message\nwin\nhome\n", "predict", model, "-"); out != "spam\nham\n" {
		t.Errorf("%q", out)
	}
}

// In a cross-validation every step is fitted to the training rows: a category of one fold alone is unseen there.
func TestTableCV(t *testing.T) {
	out, _ := must(t, "", append([]string{"cv", "-folds", "4", passengers}, passengerFlags...)...)
	if strings.Count(out, "fold ") != 4 || !strings.Contains(out, "mean    accuracy 7") {
		t.Errorf("%s", out)
	}
	content, err := os.ReadFile(passengers)
	if err != nil {
		t.Fatal(err)
	}
	rare := strings.Replace(string(content), "Cherbourg", "Dover", 1)
	status, _, errs := svmRun(t, rare, append([]string{"cv", "-refuse-unseen", "-"}, passengerFlags...)...)
	if status != exitError || !strings.Contains(errs, `column "port": a category that no training row has: "Dover"`) {
		t.Errorf("status %d: %s", status, errs)
	}
}

func TestTableRefuses(t *testing.T) {
	model := filepath.Join(t.TempDir(), "model")
	must(t, "", append([]string{"train", "-o", model, passengers}, passengerFlags...)...)
	many := filepath.Join(t.TempDir(), "many")
	must(t, "a,b\n1,x\n2,y\n3,z\n", "train", "-scale", "standardize", "-o", many, "-")
	if out, _ := must(t, "a\n1\n3\n", "predict", "-unlabelled", "-scores", many, "-"); !strings.HasPrefix(out, "labels x y z\nx ") || len(strings.Fields(out)) != 4+2*4 {
		t.Errorf("scores of a pipeline of three classes: %q", out)
	}
	const table = "a,b,label\n1,u,x\n2,v,y\n"
	for _, c := range []struct {
		stdin  string
		args   string
		status int
		text   string
	}{
		{table, "train -scale minmax -", exitError, `line 2, column "b": not a number: "u"; use -categorical b, or leave it out by -drop`},
		{"1,u,1\n2,v,2\n", "train -header no -scale maxabs -", exitError, `line 1, column "2": not a number`},
		{table, "train -scale minimax -categorical b -", exitUsage, "-scale minimax: must be standardize, "},
		{table, "train -categorical c -", exitUsage, `-categorical "c": must be one of the table's columns, "a", "b", "label"`},
		{table, "cv -folds 2 -categorical c -", exitUsage, `-categorical "c": must be one of the table's columns`},
		{table, "train -categorical b -label c -", exitUsage, `-label "c": must be one of the table's columns`},
		{table, "train -categorical b -indicator a -", exitUsage, `-indicator "a": must be a column whose missing fields are filled in; name it in -median or -mean, too`},
		{table, "train -categorical b -skip-missing -", exitUsage, "-skip-missing has no effect on a pipeline"},
		{table, "train -categorical b -libsvm m -", exitUsage, "-libsvm: a pipeline is saved"},
		{table, "train -categorical b -liblinear m -", exitUsage, "-liblinear: a pipeline is saved"},
		{table, "train -categorical b -checkpoint m -", exitUsage, "-checkpoint does not go with a pipeline"},
		{table, "train -indicator b -", exitUsage, "-indicator has no effect without -median or -mean"},
		{table, "train -median a -refuse-unseen -", exitUsage, "-refuse-unseen has no effect without -categorical"},
		{"a,b,label\n0,0,x\n1,5e-324,y\n", "train -scale minmax -", exitError, `svm: standard input: column "b" cannot be scaled: of shift 0, scale 5e-324 and 1/scale +Inf one is not`},
		{"a,b,label\n0,0,x\n1,5e-324,y\n", "scale -kind minmax -", exitError, `svm: standard input: column "b" cannot be scaled`},
		{"age,a,age,label\n0,0,1,x\n1,5,2,y\n", "train -scale minmax -", exitError, `svm: standard input, line 1: columns 1 and 3 are both "age"; rename them, or leave some out by -drop 3`},
		{"", "train -scale minmax -", exitError, "no rows"},
		{table, "train -categorical b -text-grams 1:2 -", exitUsage, "-text-grams has no effect without -text"},
		{table, "train -text b -text-unit syllables -", exitUsage, "-text-unit syllables: must be words, characters or"},
		{table, "train -text b -text-grams 2:1 -", exitUsage, "-text-grams 2:1: must be two numbers like 1:2"},
		{table, "train -text b -drop a -text-grams 1:99 -", exitUsage, "-text-grams 1:99: must be 0 to 32"},
		{table, "train -text b -drop a -text-min-docs -1 -", exitUsage, "-text-min-docs -1: must not be negative"},
		{"sex,class\nmale,1\n", "predict " + model + " -", exitError, `svm: standard input: other columns than those of the training rows; missing "age", "fare", "port"`},
		{"sex,class\n", "predict " + model + " -", exitError, `missing "age", "fare", "port"`},
		{"1 1:0.5 2:1\n", "predict " + model + " -", exitError, "a LIBSVM file, and the model finds its columns by their names (class, sex, age, fare, port)"},
		{"sex,class,age,fare,port\nmale,1,x,3,Dover\n", "predict " + model + " -", exitError, `svm: standard input, line 2, column "age": not a number: "x"`},
		{"male,1,40,3,Dover\n", "predict -header no " + model + " -", exitUsage, "-header no: a pipeline finds the columns by the names in the first line"},
		{"sex,class,age,fare,port\nmale,1,,,Dover\n", "predict " + model + " -", exitError, `column "fare": missing value; fill it in, or train with the column in -median or -mean`},
		{"", "predict -probability " + model + " -", exitError, "has no probabilities"},
		{"sex,class,age,fare,port\nmale,1,4,3,Dover\n", "predict -label sex " + model + " -", exitError, `missing "sex"`},
		{"", "predict -more-columns " + model + " -", exitUsage, "-more-columns has no effect with a pipeline"},
	} {
		status, out, errs := svmRun(t, c.stdin, strings.Fields(c.args)...)
		if status != c.status || !strings.Contains(errs, c.text) || out != "" {
			t.Errorf("svm %s: status %d, %q, %q; want %d and %q", c.args, status, out, errs, c.status, c.text)
		}
	}
	cut := filepath.Join(t.TempDir(), "cut")
	content, err := os.ReadFile(model)
	if err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(cut, content[:len(content)/2], 0o600); err != nil {
		t.Fatal(err)
	}
	if status, _, errs := svmRun(t, "", "predict", cut, "-"); status != exitError || !strings.Contains(errs, cut) || !strings.Contains(errs, "ends too early") {
		t.Errorf("status %d: %s", status, errs)
	}
}

// A class of a single row leaves the pipeline without probabilities, and is named with the row's line.
func TestTableWithoutItsProbabilities(t *testing.T) {
	for _, c := range []struct{ table, flags, says string }{
		{"a,b\n1,x\n2,y\n3,z\n", "", `svm: standard input: -probability needs two or more rows of each class, and class "x" has only line 2; add rows of it, or leave it out`},
		{"a,w,b\n1,0,x\n1,1,x\n2,1,y\n3,1,y\n", "-weight-column w", `class "x" has only line 3`},
	} {
		model := filepath.Join(t.TempDir(), "model")
		args := append([]string{"train", "-scale", "minmax", "-probability", "-o", model, "-"}, strings.Fields(c.flags)...)
		if status, _, errs := svmRun(t, c.table, args...); status != exitError || !strings.Contains(errs, c.says) || !exists(model) {
			t.Errorf("status %d, %q, want %q", status, errs, c.says)
		}
	}
}

// The flags of -text are the options of package text.
func TestTextFlags(t *testing.T) {
	const messages = "kind,message\nham,see you soon\nspam,win a prize soon\nham,see me at home\nspam,win cash now now\n"
	model := filepath.Join(t.TempDir(), "model")
	must(t, messages, strings.Fields("train -text message -label kind -header yes -text-unit characters-in-words -text-grams 2:3 -text-min-docs 2 -text-max-docs 2 -text-sublinear -o "+model+" -")...)
	table, err := dataset.ReadTable(t.Context(), strings.NewReader(messages), &dataset.TableOptions{Header: dataset.HeaderYes})
	if err != nil {
		t.Fatal(err)
	}
	p := pipeline.Pipeline{Label: "kind", Model: svm.Fitter(svm.Problem{C: svm.PerSum(1)}, nil, &svm.Settings{Seed: 1}),
		Columns: pipeline.Columns{Text: "message", TextOptions: text.Options{Unit: text.CharactersInWords, MinGram: 2, MaxGram: 3, MinDocs: 2, MaxDocs: 2, Sublinear: true}}}
	m, err := p.Fit(t.Context(), table)
	if err != nil {
		t.Fatal(err)
	}
	var want bytes.Buffer
	if err := modelfile.Save(&want, m); err != nil {
		t.Fatal(err)
	}
	if got, err := os.ReadFile(model); err != nil || !bytes.Equal(got, want.Bytes()) {
		t.Errorf("%v: the file is\n%s\nand not\n%s", err, got, want.Bytes())
	}
}

// A column named label that is left out is not the label's: the last column that is left is, as without a pipeline.
func TestTableDropsAColumnNamedLabel(t *testing.T) {
	const rows = "a,label,kind\n1,9,x\n2,8,x\n3,4,y\n4,7,y\n"
	for _, args := range []string{"train -drop label -", "train -drop label -scale standardize -", "train -header yes -drop label -scale standardize -"} {
		status, out, errs := svmRun(t, rows, strings.Fields(args)...)
		if status != exitOK || !strings.Contains(out, "columns d         1\n") || !strings.Contains(out, "−1 is x, +1 is y") {
			t.Errorf("svm %s: status %d, %q\n%s", args, status, errs, out)
		}
	}
}

// Without -label the label's column is the last but for that of the weights.
func TestTableWithWeightsInTheLastColumn(t *testing.T) {
	out, _ := must(t, "a,kind,people\n1,x,1\n2,x,2\n3,y,1\n4,y,3\n", "train", "-weight-column", "people", "-scale", "standardize", "-")
	if !strings.Contains(out, "columns d         1\n") || !strings.Contains(out, "−1 is x, +1 is y") {
		t.Error(out)
	}
}

// The label's column by its number is that of the file, whatever columns are left out.
func TestTableCountsDroppedColumns(t *testing.T) {
	const rows = "a,b,c,y\n1,5,7,no\n2,6,8,no\n3,4,9,yes\n4,7,1,yes\n"
	if out, _ := must(t, rows, "train", "-scale", "maxabs", "-drop", "3", "-label", "4", "-"); !strings.Contains(out, "columns d         2\n") || !strings.Contains(out, "−1 is no, +1 is yes") {
		t.Error(out)
	}
}

// A fit of a pipeline that ends before the tolerance says so by its status, with one model and with several.
func TestTableMissesTheTolerance(t *testing.T) {
	two, _ := survey(false)
	for _, rows := range []string{two, fisher(t)} {
		status, out, errs := svmRun(t, rows, "train", "-scale", "standardize", "-max-iterations", "1", "-tol", "1e-12", "-")
		if status != exitTolerance || !strings.Contains(errs, errTolerance.Error()) || !strings.Contains(out, "solver") {
			t.Errorf("status %d, %q\n%s", status, errs, out)
		}
	}
}

// The report of several classes is about the columns that the model has and the fits to all rows, with probabilities or not.
func TestTableReportsTheFitsToAllRows(t *testing.T) {
	var kinds strings.Builder
	kinds.WriteString("length,colour,kind\n")
	for i := range 30 {
		fmt.Fprintf(&kinds, "%d,%s,%s\n", i%3*10+i/10, []string{"red", "blue"}[i%2], []string{"cat", "dog", "owl"}[i%3])
	}
	report := func(args ...string) string {
		t.Helper()
		out, _ := must(t, kinds.String(), append(append([]string{"train", "-multi", "ovo", "-categorical", "colour"}, args...), "-")...)
		return cutSeconds(out)
	}
	without := report()
	if with := report("-probability"); with != without || !strings.Contains(with, "columns d         3\n") {
		t.Errorf("%s\nwithout probabilities:\n%s", with, without)
	}
}

// The mean squared error is over the rows whose target is known, in whatever order they come.
func TestTableJudgesKnownTargets(t *testing.T) {
	model := filepath.Join(t.TempDir(), "model")
	must(t, "size,cost\n0,0\n1,0\n2,0\n", "train", "-header", "yes", "-loss", "eps-insensitive", "-epsilon", "0.001", "-scale", "center", "-o", model, "-")
	if _, judged := must(t, "size,cost\n1,\n1,2\n1,?\n2,4\n", "predict", model, "-"); judged != "mean squared error 10 over 2 rows; there is no label for 2 rows\n" {
		t.Errorf("%q", judged)
	}
}

// Integers too large for a float64 are names, which are compared digit by digit.
func TestTableOfLongNumbers(t *testing.T) {
	model := filepath.Join(t.TempDir(), "model")
	const rows = "size,id\n1,12345678901234567891\n2,12345678901234567891\n8,12345678901234567892\n9,12345678901234567892\n"
	must(t, rows, "train", "-header", "yes", "-scale", "minmax", "-o", model, "-")
	if _, judged := must(t, rows, "predict", model, "-"); judged != "accuracy 100.0000% (4 of 4 rows)\n" {
		t.Errorf("%q", judged)
	}
}
