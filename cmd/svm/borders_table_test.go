package main

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// border is a file of testdata/borders: an input of another program's user.
func border(name string) string { return filepath.Join("testdata", "borders", name) }

// A column of categories that another program has written as 1.0, 2.0 is the same column.
func TestCategoriesAreComparedAsNumbers(t *testing.T) {
	model := filepath.Join(t.TempDir(), "model")
	must(t, "", "train", "-categorical", "zone", "-o", model, border("category.tr.csv"))
	first := ""
	for _, name := range []string{"category.te.csv", "category-as-ints.te.csv"} {
		out, errs := must(t, "", "predict", model, border(name))
		if first == "" {
			first = out
		}
		if out != first || errs != "svm: "+border(name)+`: 3 fields hold a category that no training row has, in "zone", as "" in line 2; `+
			"-refuse-unseen refuses such rows\naccuracy 98.3333% (59 of 60 rows)\n" {
			t.Errorf("%s: %s%s", name, out, errs)
		}
		status, out, errs := svmRun(t, "", "predict", "-refuse-unseen", model, border(name))
		if status != exitError || out != "" || errs != "svm: "+border(name)+`, line 2, column "zone": a category that no training row has: ""`+"\n" {
			t.Errorf("-refuse-unseen: status %d, %s%s", status, out, errs)
		}
	}
}

// Categories that look alike are named once at training, whatever the command.
func TestCategoriesThatLookAlike(t *testing.T) {
	var rows strings.Builder
	rows.WriteString("zone,flag,label\n")
	for k := range 20 {
		fmt.Fprintf(&rows, "%s,%s,%s\n", []string{"1", "2", "1.00", "3"}[k%4], []string{"True", "no", "true"}[k%3], []string{"a", "b"}[k/2%2])
	}
	const says = `svm: standard input: column "zone": "1", "1.00" are one category, as all categories of the column are numbers; ` +
		`column "flag": "True", "true" are 2 categories, and differ by case, blanks or the spelling of a number only` + "\n"
	for _, args := range []string{"train", "cv -folds 2", "grid -folds 2 -C 1", "train -probability"} {
		if _, errs := must(t, rows.String(), append(strings.Fields(args), "-categorical", "zone,flag", "-")...); errs != says {
			t.Errorf("%s: %q", args, errs)
		}
	}
	// 40 of them are no more than a line.
	rows.Reset()
	rows.WriteString("zone,label\n")
	for k := range 40 {
		fmt.Fprintf(&rows, "%d,a\n%d.0,b\n", k, k)
	}
	if _, errs := must(t, rows.String(), "train", "-categorical", "zone", "-"); strings.Count(errs, "\n") != 1 || !strings.HasSuffix(errs, "; and 35 more like these\n") {
		t.Errorf("%q", errs)
	}
}

// Groups are categories, too: the rows of patient 1 and of patient 1.0 are in one fold.
func TestGroupsAreComparedAsNumbers(t *testing.T) {
	rows := func(other string) string {
		var b strings.Builder
		b.WriteString("x,patient,y\n")
		for k := range 40 {
			patient := fmt.Sprint(k / 4)
			if k%2 == 0 {
				patient += other
			}
			fmt.Fprintf(&b, "%d,%s,c%d\n", k*k%7, patient, k%2)
		}
		return b.String()
	}
	args := []string{"grid", "-group", "patient", "-C", "0.1,1", "-"}
	want, _ := must(t, rows(""), args...)
	if got, _ := must(t, rows(".0"), args...); got != want {
		t.Errorf("%s, want %s", got, want)
	}
	if _, _, errs := svmRun(t, rows(""), "grid", "-group", "patient", "-folds", "11", "-"); !strings.Contains(errs, "the number of groups") {
		t.Errorf("%s", errs)
	}
}

// All columns that cannot become numbers are named at once, in flags that then work as they are pasted.
func TestFlagsForAllColumns(t *testing.T) {
	var rows strings.Builder
	rows.WriteString("size,house style,street,income,debt,none,label\n")
	for k := range 12 {
		income := fmt.Sprint(k)
		if k%5 == 1 {
			income = ""
		}
		fmt.Fprintf(&rows, "%d,%s,%s,%s,%s,?,%s\n", k, []string{"old", "new"}[k%2], []string{"NA", "paved", "RL"}[k%3], income, income, []string{"a", "b"}[k/3%2])
	}
	data := file(t, "rows.csv", rows.String())
	const places = `: not a number in the columns "house style", "street", as "old" in line 2; missing value in the columns "income", "debt", as "" in line 3; ` +
		`no number in the training rows in column "none"; use `
	for _, c := range []struct{ given, flags string }{
		{"-scale standardize", "-categorical 'house style,street' -median income,debt -drop none"},
		{"", "-categorical 'house style,street' -median income,debt -drop none"},
	} {
		for _, command := range []string{"train", "cv -folds 2", "grid -C 1 -folds 2"} {
			status, _, errs := svmRun(t, "", append(strings.Fields(command+" "+c.given), data)...)
			if want := "svm: " + data + places + c.flags + ", or leave columns out by -drop\n"; status != exitError || errs != want {
				t.Errorf("%s: status %d, %s, want %s", command, status, errs, want)
			}
			must(t, "", append(strings.Fields(command+" "+c.given), "-categorical", "house style,street", "-median", "income,debt", "-drop", "none", data)...)
		}
	}
	// What is given already stays in the lists.
	for _, c := range []struct{ given, says string }{
		{"-categorical street -mean income", `; use -categorical 'street,house style' -median debt -drop none, or`},
		{"-median street,income,debt -drop none", `use -categorical 'house style,street' -median income,debt, or`},
		{"-mean street -median income,debt -drop none", `use -categorical 'house style,street' and no -mean, or`},
		{"-text street", `the column of Text takes the place of all others in the columns "size", "house style", "income", "debt", "none"; use -drop 'size,house style,income,debt,none'` + "\n"},
	} {
		if status, _, errs := svmRun(t, "", append(strings.Fields("train "+c.given), data)...); status != exitError || !strings.Contains(errs, c.says) {
			t.Errorf("%s: status %d, %s, want %s", c.given, status, errs, c.says)
		}
	}
	if _, _, errs := svmRun(t, "\"a,b\",c,y\nu,1,a\nv,2,b\n", "train", "-scale", "minmax", "-"); !strings.Contains(errs, `rename "a,b", as a list of a flag has commas between names`) {
		t.Errorf("%s", errs)
	}
	gaps := file(t, "gaps.csv", "x,w,y\n,1,a\n,,b\n2,1,a\n3,2,b\n")
	if _, _, errs := svmRun(t, "", "train", gaps); errs != "svm: "+gaps+`: missing value in the columns "x", "w", as "" in line 2; use -median x,w, or leave columns out by -drop, or rows by -skip-missing`+"\n" {
		t.Errorf("%s", errs)
	}
	// At prediction no flag helps, and all columns are named.
	model := filepath.Join(t.TempDir(), "model")
	must(t, "", "train", "-categorical", "house style,street", "-median", "income", "-drop", "none", "-label", "label", "-o", model, file(t, "few.csv", strings.ReplaceAll(rows.String(), ",,,", ",,0,")))
	if _, _, errs := svmRun(t, "size,house style,street,income,debt\n,old,RL,1,2\n1,old,RL,1,\n", "predict", model, "-"); errs !=
		`svm: standard input: missing value in the columns "size", "debt", as "" in line 2; fill it in, or train with the column in -median or -mean`+"\n" {
		t.Errorf("%s", errs)
	}
}

// Targets of a regression are refused, by every command and with every option of a pipeline.
func TestTargetsAreRefusedEverywhere(t *testing.T) {
	var rows strings.Builder
	rows.WriteString("a,b,c,d,price\n")
	for k := range 60 {
		fmt.Fprintf(&rows, "%d,%s,%d,some words,%g\n", k, []string{"x", "y"}[k%2], k%7, 4.5+float64(k*k)/1000)
	}
	data := file(t, "houses.csv", rows.String())
	says := "svm: " + data + ": 60 different numbers (4.5, 4.501, 4.504, 4.509, 4.516, 4.525, 4.536, 4.549, 4.564, 4.581, …) as labels: " +
		"for targets of a regression use -loss eps-insensitive; if they are classes, use -multi ovr\n"
	options := []string{"", "-drop b,d", "-categorical b -drop d", "-categorical b -refuse-unseen -drop d", "-categorical b,d", "-median a -drop b,d", "-mean a -categorical b -drop d",
		"-median a -indicator a -categorical b -drop d", "-scale standardize -drop b,d", "-scale minmax -categorical b,d", "-text d -drop a,b,c", "-text d -text-grams 1:2 -drop a,b,c", "-scale maxabs",
		"-drop b,d -weight-column c", "-categorical b -weight-column c", "-drop b,d -class-weight balanced", "-drop b,d -class-weight 1=2", "-scale maxabs -class-weight 1=2"}
	for _, scale := range []string{"standardize", "center", "unit-variance", "minmax", "maxabs", "unit-norm"} {
		options = append(options, "-categorical b,d -scale "+scale)
	}
	for _, option := range options {
		commands := []string{"train", "train -probability", "train -kernel rbf -solver smo", "cv", "grid -C 1", "grid -C 1 -metric log-loss"}
		if !strings.Contains(option, "weight-column c") && !strings.Contains(option, "drop a,b,c") {
			commands = append(commands, "grid -C 1 -group c", "grid -C 1 -time")
		}
		for _, command := range commands {
			if option == "" || option == "-scale maxabs" {
				if strings.Contains(command, "-group") {
					continue
				}
			}
			status, out, errs := svmRun(t, "", append(strings.Fields(command+" "+option), data)...)
			want := says
			if option == "" { // the text comes first
				want = "svm: " + data + `: not a number in the columns "b", "d", as "x" in line 2; use -categorical b,d, or leave columns out by -drop` + "\n"
			}
			if status != exitError || out != "" || errs != want {
				t.Errorf("svm %s %s: status %d, %s%s, want %s", command, option, status, out, errs, want)
			}
		}
	}
	for _, learner := range []string{"pegasos", "perceptron"} {
		if status, out, errs := svmRun(t, "", "stream", "-learner", learner, "-drop", "b,d", data); status != exitError || out != "" || !strings.Contains(errs, "label is neither +1 nor -1 nor 0") {
			t.Errorf("svm stream: status %d, %s%s", status, out, errs)
		}
	}
	// As LIBSVM data, too; and who says that they are classes gets classes, with one warning.
	var sparse strings.Builder
	for k := range 60 {
		fmt.Fprintf(&sparse, "%g 1:%d\n", 4.5+float64(k*k)/1000, k)
	}
	for _, command := range []string{"train", "cv", "grid -C 1"} {
		if status, _, errs := svmRun(t, sparse.String(), append(strings.Fields(command), "-")...); status != exitError || !strings.Contains(errs, "60 different numbers") {
			t.Errorf("svm %s: status %d, %s", command, status, errs)
		}
	}
	if _, _, errs := svmRun(t, sparse.String(), "cv", "-multi", "ovr", "-tol", "0.5", "-folds", "2", "-"); strings.Count(errs, "fewer rows") != 5 || !strings.Contains(errs, "; and 55 more like these\n") {
		t.Errorf("%s", errs)
	}
}

// What svm cv says of a class with few rows, svm grid says, too.
func TestFewRowsAreNamedAlike(t *testing.T) {
	says := "svm: " + border("class-of-three.csv") + `: class "c" has fewer rows (3) than folds (5)` + "\n"
	for _, command := range []string{"cv", "grid -C 1", "cv -scale minmax", "grid -scale minmax -C 1,2"} {
		if _, errs := must(t, "", append(strings.Fields(command), border("class-of-three.csv"))...); errs != says {
			t.Errorf("svm %s: %q, want %q", command, errs, says)
		}
	}
}

// A model file of an older version compares categories as text, and predict counts what it does not know.
func TestOlderModelCountsUnseen(t *testing.T) {
	model := filepath.Join(t.TempDir(), "model")
	must(t, "", "train", "-categorical", "zone", "-o", model, border("category.tr.csv"))
	text, err := os.ReadFile(model)
	if err != nil {
		t.Fatal(err)
	}
	older := file(t, "older", strings.Replace(string(text), `,"numbers":true`, "", 1))
	if _, errs := must(t, "", "predict", older, border("category.te.csv")); !strings.Contains(errs, `60 fields hold a category that no training row has, in "zone", as "" in line 2;`) {
		t.Errorf("%s", errs)
	}
}

// A message about a name that there is not lists the names there are, ten at most, and none has a name of Go.
func TestMessagesListTheNames(t *testing.T) {
	const few = `"a", "b", "kind"`
	var wide strings.Builder
	for j := range 12 {
		fmt.Fprintf(&wide, "c%d,", j)
	}
	fmt.Fprintf(&wide, "kind\n%s%s%s", strings.Repeat("1,", 12)+"x\n", strings.Repeat("2,", 12)+"y\n", strings.Repeat("1,", 12)+"z\n")
	many := `"c0", "c1", "c2", "c3", "c4", "c5", "c6", "c7", "c8", "c9" and 3 more`
	two, twelve := file(t, "two.csv", "a,b,kind\n1,2,x\n2,1,y\n1,3,x\n2,2,z\n"), file(t, "wide.csv", wide.String())
	for _, c := range []struct{ args, data, says string }{
		{"train -label foo", two, `no such column: "foo"; the first line holds ` + few},
		{"train -drop foo", twelve, many}, {"train -label foo", twelve, many},
		{"train -label foo -scale minmax", twelve, many}, {"train -drop foo -scale minmax", twelve, many},
		{"train -categorical foo", twelve, many}, {"train -median foo", twelve, many}, {"cv -mean foo", twelve, many}, {"train -text foo", twelve, many},
		{"train -median a -indicator foo", two, `-indicator "foo": must be one of the table's columns, ` + few},
		{"train -weight-column foo -scale minmax", twelve, many}, {"train -weight-column foo", two, `must be one of "a", "b"`},
		{"grid -group foo", two, `-group foo: the columns are "a", "b", "kind"`},
		{"train -positive eggs", two, `no such class: "eggs"; the classes are "x", "y", "z"`}, {"train -positive eggs -scale minmax", two, `no such class: "eggs"; the classes are "x", "y", "z"`},
		{"train -class-weight eggs=2", two, `class "eggs" must be one of "x", "y", "z"`},
		{"train -scale foo", two, "-scale foo: must be standardize, center, unit-variance, minmax, maxabs or unit-norm"},
		{"train -solver newton -kernel rbf", two, "-solver newton does not go with -kernel rbf"}, {"train -solver pegasos", two, "-solver pegasos does not go with -bias free: use -bias penalized or none"},
		{"train -C x", two, "-C x: must be a number (svm train -h"}, {"train -degree 1.5 -kernel poly", two, "-degree 1.5: must be a whole number (svm"}, {"train -seed -1", two, "-seed -1: must be a whole number of 0 or more"},
		{"train -gamma x -kernel rbf", two, "-gamma x: must be a number, or scale (svm"}, {"grid -C x", two, "-C x: must be numbers with commas between them, or lo:hi:n (svm"},
		{"train -checkpoint c -every 5", two, "-every 5: must be a time, as in 10s or 5m (svm"},
		{"predict", two, "missing argument: FILE; wanted are MODEL FILE (svm predict -h"},
	} {
		status, out, errs := svmRun(t, "", append(strings.Fields(c.args), c.data)...)
		if status == exitOK || out != "" || !strings.Contains(errs, c.says) || inGo(errs) {
			t.Errorf("svm %s: status %d, %s%s, want %s", c.args, status, out, errs, c.says)
		}
	}
}

// A missing category, in each spelling, is one category of its own. If no training row has it, predict counts it as a
// category that training has not seen, or refuses it. Training says nothing, because no field is guessed.
func TestEmptyCategory(t *testing.T) {
	model := filepath.Join(t.TempDir(), "model")
	const rows = "colour,size\n,1\nNA,1\n?,1\n\"\",1\nnull,1\nred,1\n"
	predict := func(train string, flags ...string) (status int, scores []string, errs string) {
		if _, errs := must(t, train, "train", "-categorical", "colour", "-o", model, "-"); errs != "" {
			t.Errorf("train says %s", errs)
		}
		status, out, errs := svmRun(t, rows, append(append([]string{"predict", "-unlabelled", "-scores"}, flags...), model, "-")...)
		return status, strings.Split(strings.TrimSpace(out), "\n"), errs
	}
	const seen = "colour,size,label\nred,1,a\n,1,b\nblue,3,a\nNA,4,b\n?,1,b\nblue,1,a\n"
	status, scores, errs := predict(seen, "-refuse-unseen")
	if status != exitOK || errs != "" || len(scores) != 7 {
		t.Fatalf("status %d, %q, %s", status, scores, errs)
	}
	for _, s := range scores[2:6] {
		if s != scores[1] || s == scores[6] || !strings.HasPrefix(s, "b ") {
			t.Errorf("scores %q", scores)
		}
	}
	full := strings.NewReplacer("\n,", "\ngreen,", "NA", "green", "?", "green").Replace(seen)
	status, scores, errs = predict(full)
	if want := `5 fields hold a category that no training row has, in "colour", as "" in line 2; -refuse-unseen refuses such rows`; status != exitOK || !strings.Contains(errs, want) || scores[1] != scores[5] {
		t.Errorf("status %d, %q, %s, want %s", status, scores, errs, want)
	}
	if status, _, errs = predict(full, "-refuse-unseen"); status != exitError || !strings.Contains(errs, `line 2, column "colour": a category that no training row has: ""`) {
		t.Errorf("status %d, %s", status, errs)
	}
}
