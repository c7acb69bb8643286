package main

import (
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"testing"
)

// borders returns the path of a file of testdata/borders: files whose conventions are those of another
// tool. Most of its models were written by svm-train 3.24 or scikit-learn 1.2.1.
func borders(name string) string { return filepath.Join("testdata", "borders", name) }

// Scores and probabilities are in the order of the classes by value, and the first line names them. The
// file m312.lm lists its labels as 3 1 2, b01.lm as 0 1.
func TestClassesAreInOneOrder(t *testing.T) {
	for _, c := range []struct {
		args, first, row string
		numbers          []float64 // of the row, to three digits
	}{
		{"-probability " + borders("m312.lm") + " " + borders("m312.libsvm"), "labels 1 2 3", "3", []float64{0.024, 0.198, 0.777}},
		{"-probability " + borders("b01.lm") + " " + borders("b01.libsvm"), "labels 0 1", "0", []float64{0.961, 0.039}},
	} {
		out, _ := must(t, "", append([]string{"predict"}, strings.Fields(c.args)...)...)
		lines := strings.Split(out, "\n")
		words := strings.Fields(lines[1])
		if lines[0] != c.first || words[0] != c.row || len(words) != 1+len(c.numbers) {
			t.Errorf("%s: %q, %q", c.args, lines[0], lines[1])
			continue
		}
		for k, want := range c.numbers {
			if v, err := strconv.ParseFloat(words[1+k], 64); err != nil || !(v-want <= 0.0006 && want-v <= 0.0006) {
				t.Errorf("%s: column %d of %q is not %v", c.args, 2+k, lines[1], want)
			}
		}
	}
}

// The order of the training rows, which decides the order of the labels in LIBSVM's files, changes neither
// the columns nor the signs of the scores: not in a model of our own, nor in one that was written for LIBSVM
// and read again.
func TestOrderOfRowsDoesNotChangeTheColumns(t *testing.T) {
	dir := t.TempDir()
	own, theirs := filepath.Join(dir, "own"), filepath.Join(dir, "libsvm")
	rows := lines(t, borders("b01.libsvm"))
	test := strings.Join(rows, "")
	for turn := range 2 {
		must(t, strings.Join(rows, ""), "train", "-o", own, "-libsvm", theirs, "-")
		for _, model := range []string{own, theirs, borders("b01.lm")} {
			out, _ := must(t, test, "predict", "-scores", model, "-")
			head, body, _ := strings.Cut(out, "\n")
			if head != "labels 0 1" {
				t.Errorf("turn %d, %s: %q", turn, model, head)
			}
			classes, scores := predicted(t, body)
			for i, class := range classes {
				if (scores[i][0] > 0) != (class == "1") {
					t.Fatalf("turn %d, %s, row %d: class %s of score %v", turn, model, i, class, scores[i][0])
				}
			}
		}
		slices.Reverse(rows)
	}
}

// lines returns the lines of a file, each with its end.
func lines(t *testing.T, name string) []string {
	t.Helper()
	text, err := os.ReadFile(name)
	if err != nil {
		t.Fatal(err)
	}
	return strings.SplitAfter(strings.TrimSuffix(string(text), "\n")+"\n", "\n")[:strings.Count(string(text), "\n")]
}

// -zero-based is of all files of a run that have indices: rows, a model that is read, and a model that is
// written. The accuracies are those of svm-predict.
func TestIndexBaseOfAllFiles(t *testing.T) {
	for _, c := range []struct{ args, says string }{
		{"-zero-based " + borders("zero-based.libsvm.model") + " " + borders("zero-based.te.libsvm"), "accuracy 97.5000% (39 of 40 rows)\n"},
		{"-zero-based " + borders("z01.libsvm.model") + " " + borders("z01.libsvm"), "accuracy 83.7500% (67 of 80 rows)\n"},
	} {
		if _, errs := must(t, "", append([]string{"predict"}, strings.Fields(c.args)...)...); errs != c.says {
			t.Errorf("%s: %q, want %q", c.args, errs, c.says)
		}
	}
	status, _, errs := svmRun(t, "", "predict", borders("z01.libsvm.model"), borders("z01.libsvm"))
	if status != exitError || !strings.Contains(errs, "use -zero-based") || !strings.Contains(errs, "line 9") {
		t.Errorf("without -zero-based: status %d, %q", status, errs)
	}
	model := filepath.Join(t.TempDir(), "model")
	must(t, "", "train", "-zero-based", "-libsvm", model, borders("z01.libsvm"))
	if _, errs := must(t, "", "predict", "-zero-based", model, borders("z01.libsvm")); errs != "accuracy 83.7500% (67 of 80 rows)\n" {
		t.Errorf("a model that was written with indices from 0: %q", errs)
	}
	for flag, first := range map[string]string{"-zero-based": "0:", "-columns=3": "1:"} {
		scaled, _ := must(t, "1 1:2 2:1\n-1 "+first+"4\n", "scale", "-kind", "maxabs", flag, "-")
		if !strings.Contains(scaled, "-1 "+first+"1\n") {
			t.Errorf("scale %s writes other indices than it has read: %q", flag, scaled)
		}
	}
	peer, err := exec.LookPath("svm-predict")
	if err != nil && os.Getenv("CI") == "true" {
		t.Fatal(err)
	} else if err != nil {
		t.Skip(err)
	}
	out, err := exec.Command(peer, borders("z01.libsvm"), model, filepath.Join(t.TempDir(), "out")).CombinedOutput()
	if err != nil || !strings.Contains(string(out), "83.75%") {
		t.Errorf("svm-predict: %s, %v", out, err)
	}
}

// The sigmoid of platt-falls.csv falls: training says so, and -by-probability predicts the other class.
func TestFallingSigmoid(t *testing.T) {
	model := filepath.Join(t.TempDir(), "model")
	if _, errs := must(t, "", "train", "-kernel", "rbf", "-probability", "-o", model, borders("platt-falls.csv")); !strings.Contains(errs, "the probability falls as the score rises") {
		t.Errorf("training says %q", errs)
	}
	out, _ := must(t, "", "predict", "-scores", "-probability", model, borders("platt-falls.csv"))
	byChance, _ := must(t, "", "predict", "-by-probability", model, borders("platt-falls.csv"))
	against := 0
	for i, line := range strings.Split(strings.TrimSpace(out), "\n")[1:] {
		words := strings.Fields(line)
		score, _ := strconv.ParseFloat(words[1], 64)
		p, _ := strconv.ParseFloat(words[3], 64)
		if (score > 0) != (words[0] == "1") {
			t.Errorf("row %d: class %s of score %v", i, words[0], score)
		}
		chance := strings.Fields(byChance)[i]
		if (p > 0.5) != (chance == "1") {
			t.Errorf("row %d: -by-probability says %s of P(1) = %v", i, chance, p)
		}
		if chance != words[0] {
			against++
		}
	}
	if against != 12 {
		t.Errorf("%d of 12 rows have a class against their probability", against)
	}
	if _, errs := must(t, fisher(t), "train", "-probability", "-"); strings.Contains(errs, "falls") {
		t.Errorf("good scores: %q", errs)
	}
	status, _, errs := svmRun(t, "1 1:1\n", "predict", "-by-probability", file(t, "model", byHand), "-")
	if status != exitError || !strings.Contains(errs, "train it with -probability") {
		t.Errorf("without probabilities: status %d, %q", status, errs)
	}
}

// A class that training did not have is an error of the prediction, is named, and stops nothing, for names and
// numbers, with a pipeline and without.
func TestUnknownClassesOfATest(t *testing.T) {
	model := filepath.Join(t.TempDir(), "model")
	const says = "accuracy 50.0000% (1 of 2 rows); the model does not know the class of 1 row: "
	for _, c := range []struct{ train, test, flags, name string }{
		{"newclass.tr.csv", "newclass.te.csv", "", `"z"`},
		{"newclass.tr.libsvm", "newclass.te.libsvm", "", `"bird"`},
		{"newclass.tr.csv", "newclass.te.csv", "-scale maxabs", `"z"`},
	} {
		must(t, "", append(append([]string{"train", "-o", model}, strings.Fields(c.flags)...), borders(c.train))...)
		if out, errs := must(t, "", "predict", model, borders(c.test)); errs != says+c.name+"\n" || strings.Count(out, "\n") != 2 {
			t.Errorf("%s %s: %q, %q", c.test, c.flags, out, errs)
		}
	}
}

// A model of scikit-learn for columns without names takes a LIBSVM file, and a labelled table.
func TestModelOfScikitLearnOnOtherFiles(t *testing.T) {
	model := borders("sklearn-b01.json")
	for _, args := range []string{borders("b01.libsvm"), "-label label " + borders("b01-labelled.csv")} {
		if _, errs := must(t, "", append([]string{"predict", model}, strings.Fields(args)...)...); errs != "accuracy 86.2500% (69 of 80 rows)\n" {
			t.Errorf("%s: %q", args, errs)
		}
	}
	for args, says := range map[string]string{
		borders("b01-labelled.csv"):                     "-label names the column of the true labels",
		"-label x0 " + borders("b01-labelled.csv"):      `missing "x0"`,
		"-label nothing " + borders("b01-labelled.csv"): `must be one of the table's columns`,
		"-zero-based " + borders("b01-labelled.csv"):    "-zero-based is for LIBSVM files",
	} {
		if status, out, errs := svmRun(t, "", append([]string{"predict", model}, strings.Fields(args)...)...); status == exitOK || out != "" || !strings.Contains(errs, says) {
			t.Errorf("%s: status %d, %q, %q", args, status, out, errs)
		}
	}
	pipeline := filepath.Join(t.TempDir(), "model")
	must(t, "", "train", "-scale", "maxabs", "-o", pipeline, borders("newclass.tr.csv"))
	if status, _, errs := svmRun(t, "", "predict", pipeline, borders("newclass.te.libsvm")); status != exitError || !strings.Contains(errs, "a LIBSVM file, and the model finds its columns by their names (a, b)") {
		t.Errorf("another pipeline: status %d, %q", status, errs)
	}
}

// A byte order mark in front of a model is skipped.
func TestByteOrderMarkOfAModel(t *testing.T) {
	if _, errs := must(t, "", "predict", "-zero-based", borders("bom.libsvm.model"), borders("z01.libsvm")); !strings.HasPrefix(errs, "accuracy ") {
		t.Error(errs)
	}
}

// A fit by the automatic choice reaches its tolerance on a set on which proximal Newton stalls, and every file that it
// writes holds the same model. That also holds after a stalled fit.
func TestStalledFit(t *testing.T) {
	data := borders("stalls.libsvm")
	for _, solver := range []string{"auto", "proximal"} {
		dir := t.TempDir()
		own, theirs := filepath.Join(dir, "own"), filepath.Join(dir, "libsvm")
		status, _, errs := svmRun(t, "", "train", "-solver", solver, "-o", own, "-libsvm", theirs, data)
		if status != exitOK && !(status == exitTolerance && solver == "proximal") {
			t.Errorf("-solver %s: status %d: %s", solver, status, errs)
		}
		want, judged := must(t, "", "predict", own, data)
		again, judgedAgain := must(t, "", "predict", theirs, data)
		if again != want || judgedAgain != judged {
			t.Errorf("-solver %s: our file %s and LIBSVM's %s", solver, judged, judgedAgain)
		}
	}
}

// -more-columns leaves out the columns that training did not have, for every kernel, and for a model of scikit-learn,
// whose rows are scaled: the predictions are those of the file without these columns.
func TestMoreColumns(t *testing.T) {
	rows := lines(t, borders("b01.libsvm"))
	test := strings.Join(rows, "")
	more := strings.ReplaceAll(test, "\n", " 7:9 9:1e3\n")
	models := []string{borders("sklearn-b01.json")}
	for _, k := range []string{"linear", "rbf", "laplacian", "poly"} {
		model := filepath.Join(t.TempDir(), k)
		must(t, test, "train", "-kernel", k, "-o", model, "-")
		models = append(models, model)
	}
	for _, model := range models {
		want, judged := must(t, test, "predict", "-scores", model, "-")
		if got, again := must(t, more, "predict", "-scores", "-more-columns", model, "-"); got != want || again != judged {
			t.Errorf("%s: %s, without these columns %s", model, again, judged)
		}
		if status, _, errs := svmRun(t, more, "predict", model, "-"); status != exitError || !strings.Contains(errs, "-more-columns leaves such columns out") {
			t.Errorf("%s: status %d, %s", model, status, errs)
		}
	}
}

// A LIBSVM file for a model of scikit-learn may have labels that the model does not know, and rows without one.
func TestModelOfScikitLearnOnUnknownLabels(t *testing.T) {
	text := "7 1:1\n? 1:2\n" + strings.Join(lines(t, borders("b01.libsvm")), "")
	want := "accuracy 85.1852% (69 of 81 rows); there is no label for 1 row; the model does not know the class of 1 row: \"7\"\n"
	if out, errs := must(t, text, "predict", borders("sklearn-b01.json"), "-"); errs != want || strings.Count(out, "\n") != 82 {
		t.Errorf("%d lines, %q, want %q", strings.Count(out, "\n"), errs, want)
	}
}

// A target that cannot be read is named and does not enter the error. Labels of which most rows have their own are
// refused as classes, also if they are no plain numbers.
func TestTargetsThatAreNoNumbers(t *testing.T) {
	model := filepath.Join(t.TempDir(), "model")
	must(t, "1 1:1\n2 1:2\n3 1:3\n", "train", "-loss", "eps-insensitive", "-C", "100", "-epsilon", "0.001", "-o", model, "-")
	for text, says := range map[string]string{
		"1 1:1\n$2 1:2\n": "over 1 row; the target is not a number for 1 row: \"$2\"\n",
		"x 1:1\ny 1:2\n":  "the target is not a number for 2 rows: \"x\", \"y\"\n",
		"? 1:1\n2 1:2\n":  "over 1 row; there is no label for 1 row\n",
	} {
		if _, errs := must(t, text, "predict", model, "-"); !strings.HasSuffix(errs, says) {
			t.Errorf("%q: %q, want %q", text, errs, says)
		}
	}
	var prices strings.Builder
	for i := range 40 {
		fmt.Fprintf(&prices, "%d,\"$1,%d.50\"\n", i, 100+i)
	}
	for _, flags := range []string{"train", "train -scale minmax", "cv", "grid -C 1"} {
		args := append(strings.Fields(flags), "-header", "no", "-")
		if status, _, errs := svmRun(t, prices.String(), args...); status != exitError || !strings.Contains(errs, "40 different labels") {
			t.Errorf("%s: status %d, %s", flags, status, errs)
		}
	}
	must(t, prices.String(), "train", "-header", "no", "-multi", "ovr", "-")
}
