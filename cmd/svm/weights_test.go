package main

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// survey is a table of two columns, a class and how often each of its 60 rows counts, in a column or not.
func survey(column bool) (table, weights string) {
	var t, w strings.Builder
	t.WriteString("a,b,kind")
	if column {
		t.WriteString(",people")
	}
	for k := range 60 {
		a, b, kind := float64(k*37%60), float64(k*13%60), "fair"
		if a+b > 50+float64(k*29%50) {
			kind = "fraud"
		}
		fmt.Fprintf(&t, "\n%g,%g,%s", a/10, b/10, kind)
		if column {
			fmt.Fprintf(&t, ",%d", k%4)
		}
		fmt.Fprintf(&w, "%d\n", k%4)
	}
	return t.String() + "\n", w.String()
}

// Weights come from a column or from a file, to the same model; it is another than without, and one that predicts
// rows without weights. Rows repeated by hand reach the same objective.
func TestWeightsOfRows(t *testing.T) {
	plain, weights := survey(false)
	with, _ := survey(true)
	table, list, column := file(t, "plain.csv", plain), file(t, "weights", weights), file(t, "with.csv", with)
	repeated := strings.Split(strings.TrimSpace(plain), "\n")[:1]
	for k, line := range strings.Split(strings.TrimSpace(plain), "\n")[1:] {
		for range k % 4 {
			repeated = append(repeated, line)
		}
	}
	model := func(args ...string) string {
		t.Helper()
		name := filepath.Join(t.TempDir(), "model")
		must(t, "", append([]string{"train", "-tol", "1e-9", "-o", name}, args...)...)
		text, err := os.ReadFile(name)
		if err != nil {
			t.Fatal(err)
		}
		return string(text)
	}
	for _, kernel := range []string{"linear", "rbf"} {
		byFile := model("-kernel", kernel, "-weights", list, table)
		if byColumn := model("-kernel", kernel, "-weight-column", "people", "-label", "kind", column); byColumn != byFile {
			t.Errorf("%s: the column gives\n%s\nthe file\n%s", kernel, byColumn, byFile)
		}
		if model("-kernel", kernel, table) == byFile {
			t.Errorf("%s: weights change nothing", kernel)
		}
	}
	primal := func(out string) (p float64) {
		_, rest, _ := strings.Cut(out, "primal")
		if _, err := fmt.Sscan(rest, &p); err != nil {
			t.Fatalf("%v in %s", err, out)
		}
		return p
	}
	a, _ := must(t, "", "train", "-tol", "1e-9", "-weights", list, table)
	b, _ := must(t, "", "train", "-tol", "1e-9", file(t, "repeated.csv", strings.Join(repeated, "\n")+"\n"))
	if got, want := primal(a), primal(b); !(got > want*(1-1e-6) && got < want*(1+1e-6)) {
		t.Errorf("objective %g with weights, %g with repeated rows", got, want)
	}
	name := filepath.Join(t.TempDir(), "model")
	must(t, weights, "train", "-weights", "-", "-o", name, table)
	must(t, "", "predict", name, table)
	must(t, "", "predict", "-drop", "people", "-label", "kind", name, column)
}

// Weights of classes move the decision; in a cross-validation they come from the training rows of each fold.
func TestWeightsOfClasses(t *testing.T) {
	plain, weights := survey(false)
	table, list := file(t, "plain.csv", plain), file(t, "weights", weights)
	iris := file(t, "iris.csv", fisher(t))
	frauds := func(args ...string) int {
		t.Helper()
		name := filepath.Join(t.TempDir(), "model")
		must(t, "", append([]string{"train", "-C", "0.01", "-o", name}, args...)...)
		out, _ := must(t, "", "predict", name, table)
		return strings.Count(out, "fraud")
	}
	none, ten, even := frauds(table), frauds("-class-weight", "fraud=10", table), frauds("-class-weight", "balanced", table)
	if !(ten > even && even > none) {
		t.Errorf("%d frauds without weights, %d balanced, %d with weight 10", none, even, ten)
	}
	if both := frauds("-class-weight", "balanced", "-weights", list, table); both == 0 {
		t.Error("no frauds with weights of rows and classes")
	}
	same, _ := must(t, "", "cv", table)
	for _, args := range []string{"-class-weight balanced", "-class-weight fair=1,fraud=20", "-weights " + list} {
		if out, _ := must(t, "", append(append([]string{"cv"}, strings.Fields(args)...), table)...); out == same || !strings.Contains(out, "mean") {
			t.Errorf("cv %s: %s, without: %s", args, out, same)
		}
	}
	for _, how := range []string{"ovr", "ovo", "cs"} {
		must(t, "", "cv", "-tol", "0.01", "-multi", how, "-class-weight", "balanced", iris)
		must(t, "", "train", "-tol", "0.01", "-multi", how, "-class-weight", "versicolor=2", iris)
	}
}

// A pipeline takes weights of rows from a file, and of classes.
func TestWeightsOfPipelines(t *testing.T) {
	model := func(args ...string) string {
		t.Helper()
		name := filepath.Join(t.TempDir(), "model")
		must(t, "", append(append([]string{"train", "-o", name}, args...), append(passengerFlags, passengers)...)...)
		text, err := os.ReadFile(name)
		if err != nil {
			t.Fatal(err)
		}
		return string(text)
	}
	ones, some := file(t, "ones", strings.Repeat("1\n", 80)), file(t, "some", strings.Repeat("0\n2\n1\n1\n", 20))
	plain := model()
	if model("-weights", ones) != plain || model("-class-weight", "yes=1") != plain {
		t.Error("weights of 1 change the model")
	}
	if model("-weights", some) == plain || model("-class-weight", "balanced") == plain {
		t.Error("weights do not change the model")
	}
	folds := append(passengerFlags, passengers)
	same, _ := must(t, "", append([]string{"cv"}, folds...)...)
	if out, _ := must(t, "", append([]string{"cv", "-class-weight", "yes=20"}, folds...)...); out == same {
		t.Error("cv does not see weights of classes")
	}
	if out, _ := must(t, "", append([]string{"cv", "-weights", some}, folds...)...); out == same {
		t.Error("cv does not see weights of rows")
	}
	fare := model("-weight-column", "fare")
	if fare == plain || !strings.Contains(fare, `"drop":["id","fare"]`) {
		t.Error("-weight-column does not change the model")
	}
	if out, _ := must(t, "", append([]string{"cv", "-weight-column", "fare"}, folds...)...); out == same {
		t.Error("cv does not see a column of weights")
	}
	must(t, "", "predict", file(t, "fare", fare), passengers)
	for column, says := range map[string]string{"sex": `line 2, column "sex": not a number`, "toll": "-weight-column \"toll\": must be a column"} {
		if status, _, errs := svmRun(t, "", append([]string{"train", "-weight-column", column}, folds...)...); status != exitUsage && status != exitError || !strings.Contains(errs, says) {
			t.Errorf("-weight-column %s: status %d, %q", column, status, errs)
		}
	}
}

func TestWrongWeights(t *testing.T) {
	plain, weights := survey(false)
	with, _ := survey(true)
	table, column := file(t, "plain.csv", plain), file(t, "with.csv", with)
	list := file(t, "list", weights)
	three := file(t, "three.csv", "a,kind\n1,x\n2,y\n3,z\n4,x\n5,y\n6,z\n")
	for _, c := range []struct {
		args   string
		status int
		says   string
	}{
		{"-weights " + file(t, "short", "1\n2\n") + " " + table, exitError, "has 2 weights, and"},
		{"-weights " + file(t, "word", "1\nmany\n") + " " + table, exitError, `line 2: not a weight: "many"; a weight is a finite number, 0 or more`},
		{"-weights " + file(t, "gap", "1\n\n3\n") + " " + table, exitError, `line 2: not a weight; a weight is a finite number, 0 or more`},
		{"-weights " + file(t, "negative", "-1\n") + " " + table, exitError, `line 1: not a weight: "-1"; a weight is a finite number, 0 or more`},
		{"-weights " + file(t, "long", strings.Repeat("1\n", 59)+strings.Repeat("1", 70_000)+"\n") + " " + table, exitError, "line 60: "},
		{"-weights " + file(t, "nan", "NaN\n") + " " + table, exitError, `line 1: not a weight: "NaN"; a weight is a finite number, 0 or more`},
		{"-weights " + file(t, "zeros", strings.Repeat("0\n", 60)) + " " + table, exitError, "every row has weight 0"},
		{"-weights nowhere " + table, exitError, "nowhere"},
		{"-weights - -", exitUsage, "two files are -, but the standard input can be read only once"},
		{"-weights x -weight-column people " + table, exitUsage, "a row has one weight"},
		{"-weight-column people " + table, exitError, `plain.csv: -weight-column: the column of weights "people" must be one of "a", "b"`},
		{"-weight-column a -label kind -header yes " + file(t, "below", "a,b,kind\n1,2,x\n-1,2,y\n"), exitError, "must be finite and not negative"},
		{"-class-weight balanced -loss eps-insensitive " + table, exitUsage, "a regression has none"},
		{"-class-weight fraud " + table, exitUsage, `"fraud" is neither`},
		{"-class-weight fraud=1,fraud=2 " + table, exitUsage, `"fraud" stands twice`},
		{"-class-weight fraud=-1 " + table, exitUsage, `the weight of "fraud" must be`},
		{"-class-weight fraud=inf " + table, exitUsage, `the weight of "fraud" must be`},
		{"-class-weight Fraud=2 " + table, exitError, `-class-weight: class "Fraud" must be one of "fair", "fraud"`},
		{"-class-weight fraud=0 " + table, exitError, "only one class"},
		{"-label kind -class-weight y=0 " + three, exitError, `class "y": all its rows have weight 0`},
		{"-label kind -scale minmax -class-weight x=0 " + three, exitError, `class "x": all its rows have weight 0`},
		{"-label kind -weights " + file(t, "without", "1\n1\n0\n1\n1\n0\n") + " " + three, exitError, `class "z": all its rows have weight 0`},
		{"-o " + list + " -weights " + list + " " + table, exitUsage, "would overwrite"},
	} {
		for _, command := range []string{"train", "cv"} {
			if command == "cv" && strings.HasPrefix(c.args, "-o") {
				continue
			}
			status, out, errs := svmRun(t, "", append([]string{command}, strings.Fields(c.args)...)...)
			if status != c.status || !strings.Contains(errs, c.says) || out != "" && command == "train" {
				t.Errorf("svm %s %s: status %d, %q, want %d, %q\n%s", command, c.args, status, errs, c.status, c.says, out)
			}
		}
	}
	model := filepath.Join(t.TempDir(), "model")
	must(t, "", "train", "-weight-column", "people", "-label", "kind", "-o", model, column)
	if status, _, errs := svmRun(t, "", "predict", model, column); status != exitError || !strings.Contains(errs, `not known "people"`) {
		t.Errorf("predict: status %d, %q", status, errs)
	}
}

// A class may have an equals sign in its name: the weight stands behind the last.
func TestWeightOfAClassNamedByAnEquation(t *testing.T) {
	const rows = "a,kind\n1,x=1\n2,x=1\n1.5,y\n4,y\n"
	once, _ := must(t, rows, "train", "-")
	weighted, _ := must(t, rows, "train", "-class-weight", "x=1=3", "-")
	if a, b := cutSeconds(once), cutSeconds(weighted); a == b {
		t.Errorf("the weight changes nothing: %s", a)
	}
}

// cutSeconds returns a report without its last line, which no two runs have alike.
func cutSeconds(report string) string {
	before, _, _ := strings.Cut(report, "seconds")
	return before
}

// In a cross-validation the models of several classes, too, are fitted with the weights of their training rows.
func TestCVOfSeveralClassesIsWeighted(t *testing.T) {
	iris := file(t, "iris.csv", fisher(t))
	for _, how := range []string{"ovr", "ovo", "cs"} {
		args := []string{"cv", "-tol", "0.01", "-C", "0.001", "-multi", how, iris}
		without, _ := must(t, "", args...)
		if with, _ := must(t, "", append([]string{"cv", "-class-weight", "versicolor=1000"}, args[1:]...)...); with == without {
			t.Errorf("%s: the weight changes nothing: %s", how, with)
		}
	}
}
