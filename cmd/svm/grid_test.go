package main

import (
	"bytes"
	"context"
	"fmt"
	"math"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/svmkit/course/internal/cli"
	"github.com/svmkit/course/svmkit"
	"github.com/svmkit/course/svmkit/dataset"
	"github.com/svmkit/course/svmkit/feature"
	"github.com/svmkit/course/svmkit/kernel"
	"github.com/svmkit/course/svmkit/pipeline"
	"github.com/svmkit/course/svmkit/svm"
	"github.com/svmkit/course/svmkit/tune"
)

// gridRows takes the points out of a report: what stands before the value, the value, and the marks.
func gridRows(t *testing.T, report string) (points []string, values []float64, marks []string) {
	t.Helper()
	lines := strings.Split(report, "\n")
	for _, line := range lines[1:] {
		before, after, ok := strings.Cut(line, " ± ")
		if !ok {
			break
		}
		at := strings.LastIndex(before, " ")
		v, err := strconv.ParseFloat(before[at+1:], 64)
		if err != nil {
			t.Fatalf("%q: %v", line, err)
		}
		_, mark, _ := strings.Cut(after, "  ")
		points, values, marks = append(points, strings.Join(strings.Fields(before[:at]), " ")), append(values, v), append(marks, mark)
	}
	return points, values, marks
}

// line returns the rest of the line that starts so.
func line(t *testing.T, report, start string) string {
	t.Helper()
	for _, l := range strings.Split(report, "\n") {
		if rest, ok := strings.CutPrefix(l, start); ok {
			return strings.TrimSpace(rest)
		}
	}
	t.Fatalf("no line %q in\n%s", start, report)
	return ""
}

// sameValues compares means as they are printed, with six digits.
func sameValues(got []float64, want []tune.Point) bool {
	return slices.EqualFunc(got, want, func(v float64, p tune.Point) bool { return math.Abs(v-p.Mean) <= 1e-5*math.Abs(p.Mean) })
}

// The command finds what the library finds, and the commands that it prints train these points.
func TestGrid(t *testing.T) {
	text := two(t, 90)
	data := file(t, "two rows", text)
	args := []string{"grid", "-kernel", "linear,rbf", "-gamma", "0.05,2", "-C", "0.01:10:2", "-folds", "4", "-seed", "3", "-metric", "auc", "-tol", "1e-6", data}
	out, errs := must(t, "", args...)
	other, _ := must(t, "", append([]string{"grid", "-threads", "3"}, args[1:]...)...)
	if errs != "" || out != other {
		t.Errorf("%s%s\nwith 3 threads\n%s", errs, out, other)
	}
	set, err := dataset.ReadFile(t.Context(), data, nil)
	if err != nil {
		t.Fatal(err)
	}
	folds, err := tune.Folds(set, 4, 3)
	if err != nil {
		t.Fatal(err)
	}
	train := tune.FromParams(func(p tune.Params) svmkit.Fitter {
		k, _ := kernel.Named(p.Kernel, p.Gamma, p.Degree, 0)
		return svm.Fitter(svm.Problem{C: svm.PerSum(p.C), Kernel: k}, nil, &svm.Settings{Tol: 1e-6, Seed: 3})
	})
	want := &tune.Selection{}
	for _, c := range []float64{0.01, 10} {
		s, err := tune.Validation{Folds: folds, Metric: tune.AUC}.Search(t.Context(), set, train, tune.Grid{C: []float64{c}, Gamma: []float64{0.05, 2}, Kernel: []string{"linear", "rbf"}})
		if err != nil {
			t.Fatal(err)
		}
		s.Points = append(want.Points, s.Points...)
		want = s
	}
	points, values, marks := gridRows(t, out)
	if !slices.Equal(points, []string{"linear 0.01 –", "rbf 0.01 0.05", "rbf 0.01 2", "linear 10 –", "rbf 10 0.05", "rbf 10 2"}) || !sameValues(values, want.Points) {
		t.Errorf("%s\nthe library: %+v", out, want.Points)
	}
	best, _ := want.Best()
	simple, _ := want.OneStandardError()
	if best.Params == simple.Params {
		t.Fatal("the example has one choice only")
	}
	for start, p := range map[string]tune.Point{"train it:": best, "simplest:": simple} {
		at := slices.IndexFunc(want.Points, func(q tune.Point) bool { return q.Params == p.Params })
		mark := map[string]string{"train it:": "best", "simplest:": "simplest within"}[start]
		if !strings.HasPrefix(marks[at], mark) || strings.Count(out, "  "+mark) != 1 {
			t.Errorf("%s is not marked as %s in\n%s", p.Params, mark, out)
		}
		says := fmt.Sprintf("svm train -seed 3 -tol 1e-06 -C %g", p.C)
		if p.Kernel == "rbf" {
			says += fmt.Sprintf(" -kernel rbf -gamma %g", p.Gamma)
		}
		if got := line(t, out, start); got != says+" -o model '"+data+"'" {
			t.Errorf("%s\nwant %s", got, says)
		}
		if report, _ := must(t, text, append(strings.Fields(says)[1:], "-")...); !strings.Contains(report, "optimal") {
			t.Errorf("%s: %s", says, report)
		}
	}
}

// allPorts is passengers without an empty port.
func allPorts(t *testing.T) string {
	content, err := os.ReadFile(passengers)
	if err != nil {
		t.Fatal(err)
	}
	return file(t, "ports.csv", strings.NewReplacer(",,yes", ",Dover,yes", ",,no", ",Dover,no").Replace(string(content)))
}

// A pipeline is fitted in each fold, groups stay together and their column is no part of the model, nor of the one that is trained.
func TestGridOfATableWithGroups(t *testing.T) {
	flags := []string{"-categorical", "class,sex", "-median", "age", "-drop", "id", "-label", "survived", "-scale", "standardize"}
	ports := allPorts(t)
	out, _ := must(t, "", append(append([]string{"grid", "-group", "port", "-folds", "3", "-C", "0.1,10"}, flags...), ports)...)
	table, err := dataset.ReadTableFile(t.Context(), ports, nil)
	if err != nil {
		t.Fatal(err)
	}
	p := pipeline.Pipeline{Label: "survived", Scale: &feature.Scaler{},
		Columns: pipeline.Columns{Categorical: []string{"class", "sex"}, Median: []string{"age"}, Drop: []string{"id", "port"}}}
	set, err := p.RowNumbers(table)
	if err != nil {
		t.Fatal(err)
	}
	var groups []string
	for _, row := range table.Rows {
		groups = append(groups, row[table.Column("port")])
	}
	folds, err := tune.GroupFolds(groups, 3)
	if err != nil {
		t.Fatal(err)
	}
	want, err := tune.Validation{Folds: folds}.Search(t.Context(), set, tune.FromParams(func(q tune.Params) svmkit.Fitter {
		whole := p
		whole.Model = svm.Fitter(svm.Problem{C: svm.PerSum(q.C)}, nil, &svm.Settings{Seed: 1})
		return whole.Fitter(table)
	}), tune.Grid{C: []float64{0.1, 10}})
	if err != nil {
		t.Fatal(err)
	}
	if _, values, _ := gridRows(t, out); !sameValues(values, want.Points) {
		t.Errorf("%s\nthe library: %+v", out, want.Points)
	}
	next := strings.Fields(line(t, out, "train it:"))
	if !strings.Contains(line(t, out, "train it:"), "-drop id,port") {
		t.Errorf("%s", next)
	}
	next[slices.Index(next, "model")] = "-" // the model to the standard output
	if model, _ := must(t, "", next[1:]...); strings.Contains(model, "Cherbourg") || !strings.Contains(model, "sex") {
		t.Errorf("%s", model)
	}
}

// Numbers without other flags of a table have groups, too; rows in the order of time are trained on before they are tested.
func TestGridOfDependentRows(t *testing.T) {
	var b strings.Builder
	b.WriteString("x,patient,y\n")
	for k := range 40 { // y changes its sign against x after 20 rows, so that no past predicts it
		y := k % 2
		if k >= 20 {
			y = 1 - y
		}
		fmt.Fprintf(&b, "%d,%d,c%d\n", k%2, k/4, y)
	}
	out, _ := must(t, b.String(), "grid", "-group", "patient", "-C", "1", "-")
	if got := line(t, out, "train it:"); got != "svm train -drop patient -C 1 -o model -" {
		t.Errorf("%s", got)
	}
	out, _ = must(t, b.String(), "grid", "-time", "-folds", "1", "-drop", "patient", "-C", "1", "-")
	if !strings.Contains(out, "\nlinear  1  0  best") {
		t.Errorf("the past does not predict these rows, but\n%s", out)
	}
}

func TestGridOfARegression(t *testing.T) {
	var b strings.Builder
	for k := range 30 { // y = 2x + 1 exactly
		fmt.Fprintf(&b, "%d,%d\n", k, 2*k+1)
	}
	out, _ := must(t, b.String(), "grid", "-header", "no", "-loss", "eps-insensitive", "-epsilon", "0.01,5", "-C", "10", "-metric", "mae", "-")
	points, values, marks := gridRows(t, out)
	if !slices.Equal(points, []string{"linear 10 0.01", "linear 10 5"}) || !(values[0] < 0.1 && values[1] > 1) || !strings.HasPrefix(marks[0], "best") {
		t.Errorf("%s", out)
	}
	if next := line(t, out, "train it:"); next != "svm train -header no -loss eps-insensitive -C 10 -epsilon 0.01 -o model -" {
		t.Errorf("%s", next)
	}
}

// The log loss is that of the library's probabilities, of rows and of a pipeline, and the model to train has some.
func TestGridLogLoss(t *testing.T) {
	data := file(t, "data", two(t, 90))
	set, err := dataset.ReadFile(t.Context(), data, nil)
	if err != nil {
		t.Fatal(err)
	}
	folds, err := tune.Folds(set, 4, 3)
	if err != nil {
		t.Fatal(err)
	}
	fit := tune.Probabilities{Seed: 3}.Fitter(svm.Fitter(svm.Problem{C: svm.PerSum(1)}, nil, &svm.Settings{Tol: 1e-6, Seed: 3}))
	want, err := tune.Validation{Folds: folds, Metric: tune.LogLoss}.CrossValidate(t.Context(), set, fit)
	if err != nil {
		t.Fatal(err)
	}
	out, _ := must(t, "", "grid", "-metric", "log-loss", "-C", "1", "-folds", "4", "-seed", "3", "-tol", "1e-6", data)
	const printed = 1e-5 // of six digits
	if _, values, _ := gridRows(t, out); len(values) != 1 || !(math.Abs(values[0]-want.Mean) <= printed*want.Mean) || !strings.Contains(line(t, out, "train it:"), " -probability ") {
		t.Errorf("want a log loss of %g in\n%s", want.Mean, out)
	}
	out, _ = must(t, "", append([]string{"grid", "-metric", "log-loss", "-C", "1"}, append(passengerFlags, passengers)...)...)
	if _, values, _ := gridRows(t, out); len(values) != 1 || !(values[0] > 0 && values[0] < math.Ln2) {
		t.Errorf("a pipeline guesses: %s", out)
	}
}

func TestGridRefuses(t *testing.T) {
	data, many := file(t, "two", two(t, 40)), file(t, "many", "1,a\n2,b\n3,c\n1,a\n2,b\n3,c\n")
	for _, c := range []struct {
		args   []string
		status int
		says   string
	}{
		{[]string{data, "-C", "1:2"}, exitUsage, "numbers with commas between them, or lo:hi:n"},
		{[]string{data, "-C", "2:1:3"}, exitUsage, "lo, hi of lo:hi:n must be finite, 0 < lo < hi"},
		{[]string{data, "-C", "1:2:1"}, exitUsage, "n of lo:hi:n must lie in"},
		{[]string{data, "-C", "1,inf"}, exitUsage, "positive and finite numbers, each once"},
		{[]string{data, "-C", "1,1"}, exitUsage, "each once"},
		{[]string{data, "-degree", "2,0.5"}, exitUsage, "whole numbers of 1 or more"},
		{[]string{data, "-kernel", "linear,gauss"}, exitUsage, "-kernel linear,gauss: must be of linear, poly"},
		{[]string{data, "-kernel", "rbf,rbf"}, exitUsage, "each once"},
		{[]string{data, "-gamma", "1"}, exitUsage, "-gamma has no effect"},
		{[]string{data, "-kernel", "linear,rbf", "-degree", "2"}, exitUsage, "-degree has no effect without -kernel poly"},
		{[]string{data, "-epsilon", "1"}, exitUsage, "-epsilon has no effect"},
		{[]string{data, "-metric", "mse"}, exitUsage, "-metric mse: must be accuracy, error, "},
		{[]string{data, "-metric", "r2", "-loss", "logistic"}, exitUsage, "-metric r2: must be accuracy, error, "},
		{[]string{many, "-metric", "auc", "-folds", "2"}, exitUsage, "-metric auc is for two classes, and there are 3"},
		{[]string{many, "-metric", "log-loss", "-folds", "2", "-multi", "cs"}, exitUsage, "use -multi ovo or ovr"},
		{[]string{data, "-metric", "log-loss", "-loss", "eps-insensitive"}, exitUsage, "-metric log-loss: must be mse"},
		{[]string{data, "-folds", "1"}, exitUsage, "-folds 1: must be 2 or more"},
		{[]string{data, "-folds", "41"}, exitUsage, "-folds 41: must be at most the number of rows, 40"},
		{[]string{data, "-time", "-folds", "40"}, exitUsage, "-folds 40: must lie in 1 … the number of rows − 1, 39"},
		{[]string{data, "-time", "-group", "a"}, exitUsage, "-group and -time"},
		{[]string{file(t, "gap.csv", "a,who,label\n1,u,x\n2,v,y\n3,,x\n4,w,y\n"), "-group", "who"}, exitError, `gap.csv, line 4, column "who": the group is missing`},
		{[]string{passengers, "-group", "survived", "-label", "survived"}, exitUsage, "-group survived: is the label's column"},
		{[]string{file(t, "sorted.csv", "a,label\n1,x\n2,x\n3,x\n4,y\n5,y\n6,y\n"), "-time", "-folds", "2"}, exitError, "only one class in its training rows; take fewer -folds, or bring the rows into the order of time"},
		{[]string{passengers, "-group", "harbour", "-label", "survived"}, exitUsage, "harbour"},
		{[]string{allPorts(t), "-group", "port", "-folds", "9", "-label", "survived", "-drop", "id,class,sex,age"}, exitUsage, "-folds 9 with -group port: must lie in 2 … the number of groups"},
		{[]string{data, "-heatmap", "map.pdf", "-kernel", "rbf", "-gamma", "1,2"}, exitUsage, "-heatmap map.pdf: must end in .png or .svg"},
		{[]string{data, "-heatmap", "map.png", "-kernel", "rbf", "-gamma", "1"}, exitUsage, "-heatmap needs 2 to 8 values"},
		{[]string{data, "-heatmap", "map.png", "-kernel", "linear,rbf", "-gamma", "1,2"}, exitUsage, "-heatmap needs 2 to 8 values"},
		{[]string{data, "-heatmap", "no folder/map.png", "-kernel", "rbf", "-gamma", "1,2"}, exitError, "no folder"},
		{[]string{data, "-kernel", "linear,rbf", "-solver", "dcd"}, exitUsage, "-solver dcd does not go with -kernel linear,rbf: use -solver auto, smo or decomposition"},
		{[]string{data, "-kernel", "linear,rbf", "-multi", "cs"}, exitUsage, "-multi cs: goes with -kernel linear only"},
		{[]string{file(t, "sorted", "1,a\n2,a\n3,a\n4,b\n"), "-header", "no", "-time", "-folds", "2", "-C", "3"}, exitError, "in fold 1 of 2, with linear kernel, C = 3: only one class"},
	} {
		status, out, errs := svmRun(t, "", append([]string{"grid"}, c.args...)...)
		if status != c.status || out != "" || !strings.Contains(errs, c.says) || strings.Count(errs, "\n") != 1 {
			t.Errorf("%v: status %d, %q %q, want %d and %q", c.args, status, out, errs, c.status, c.says)
		}
	}
	status, out, errs := svmRun(t, "", "grid", "-max-iterations", "1", "-tol", "1e-9", "-solver", "dcd", "-C", "1", data)
	if status != exitTolerance || !strings.Contains(out, "train it:") || !strings.Contains(errs, "the tolerance was not met by 5 of 5 fits") {
		t.Errorf("status %d\n%s%s", status, out, errs)
	}
}

// The map is drawn in the format of its name, with the numbers of the report.
func TestGridDrawsAMap(t *testing.T) {
	data, folder := file(t, "two", two(t, 40)), t.TempDir()
	for name, start := range map[string]string{"map.png": "\x89PNG", "map.svg": "<?xml"} {
		name = filepath.Join(folder, name)
		out, _ := must(t, "", "grid", "-kernel", "rbf", "-gamma", "0.1,1", "-C", "1,10", "-heatmap", name, data)
		picture, err := os.ReadFile(name)
		if err != nil || !bytes.HasPrefix(picture, []byte(start)) || strings.Contains(out, "heatmap") {
			t.Errorf("%s: %.40q, %v\n%s", name, picture, err, out)
		}
		if _, values, _ := gridRows(t, out); strings.HasSuffix(name, ".svg") && !bytes.Contains(picture, []byte(fmt.Sprintf("C = 10: %.4g, %.4g.", values[2], values[3]))) {
			t.Errorf("the map does not say what the report says:\n%s", out)
		}
	}
}

// Of one fold there is no standard error, and nothing within it.
func TestGridOfOneFold(t *testing.T) {
	out, _ := must(t, "a,label\n1,x\n4,y\n2,x\n5,y\n", "grid", "-time", "-folds", "1", "-C", "1,10", "-")
	if !strings.Contains(out, "  best\n") || strings.Contains(out, "standard error") {
		t.Errorf("%s", out)
	}
}

// An interrupt prints the points that are complete, and only these.
func TestGridInterrupted(t *testing.T) {
	ctx, cancel := context.WithCancel(t.Context())
	defer cancel()
	var out, errs bytes.Buffer
	fits := 0
	a := &app{ctx: ctx, stdin: strings.NewReader(two(t, 60)), stdout: &out, out: &out, err: &errs, progress: &cli.Progress{}}
	a.progress.Hook = func(text string) {
		if strings.HasSuffix(text, " fits") { // and not one of them
			fits++
		}
		if fits == 3*5+2 { // three points of five folds, and two folds
			cancel()
		}
	}
	status := a.exit(a.command([]string{"grid", "-threads", "1", "-C", "1,2,3,4,5", "-"}))
	points, _, _ := gridRows(t, out.String())
	if status != exitInterrupted || len(points) != 3 || strings.Contains(out.String(), "train it") || errs.String() != "svm: interrupted: 3 of 5 points are complete\n" {
		t.Errorf("status %d\n%s%s", status, out.String(), errs.String())
	}
}
