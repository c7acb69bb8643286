package main

import (
	"bytes"
	"context"
	"fmt"
	"io"
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
	"github.com/svmkit/course/svmkit/kernel"
	"github.com/svmkit/course/svmkit/multiclass"
	"github.com/svmkit/course/svmkit/samples"
	"github.com/svmkit/course/svmkit/svm"
	"github.com/svmkit/course/svmkit/tune"
)

// written is a set as the text of a file.
func written(t *testing.T, set *svmkit.Dataset, write func(io.Writer, *svmkit.Dataset) error) string {
	t.Helper()
	var b bytes.Buffer
	if err := write(&b, set); err != nil {
		t.Fatal(err)
	}
	return b.String()
}

// fisher is Iris with its names, as CSV.
func fisher(t *testing.T) string { return written(t, samples.Iris(), dataset.WriteCSV) }

// What train saves and predict loads is what package multiclass fits, class for class and
// score for score.
func TestMultiPredictsTheSameAfterSaving(t *testing.T) {
	iris := samples.Iris()
	fitter := func(k kernel.Kernel) svmkit.Fitter {
		return func(ctx context.Context, train *svmkit.Dataset) (svmkit.Model, error) {
			return svm.Fit(ctx, &svm.Problem{Data: train, C: svm.PerSum(2), Kernel: k}, nil, &svm.Settings{Seed: 1})
		}
	}
	fit := func(c multiclass.Classifier, err error) multiclass.Classifier {
		if err != nil {
			t.Fatal(err)
		}
		return c
	}
	ovr := fit(multiclass.OneVsRest{Binary: fitter(nil)}.Fit(t.Context(), iris))
	for _, c := range []struct {
		flags string
		want  multiclass.Classifier
	}{
		{"", ovr},
		{"-multi ovr", ovr},
		{"-multi ovr -threads 3", ovr},
		{"-multi ovo", fit(multiclass.OneVsOne{Binary: fitter(nil)}.Fit(t.Context(), iris))},
		{"-multi ovo -kernel rbf -gamma 0.25", fit(multiclass.OneVsOne{Binary: fitter(kernel.RBF{Gamma: 0.25})}.Fit(t.Context(), iris))},
		{"-kernel rbf -gamma 0.25", fit(multiclass.OneVsRest{Binary: fitter(kernel.RBF{Gamma: 0.25})}.Fit(t.Context(), iris))},
		{"-multi cs", fit(multiclass.CrammerSinger{Data: iris, C: 2, Bias: svmkit.PenalizedBias}.Fit(t.Context(), &multiclass.Settings{Seed: 1}))},
		{"-multi cs -bias none", fit(multiclass.CrammerSinger{Data: iris, C: 2}.Fit(t.Context(), &multiclass.Settings{Seed: 1}))},
	} {
		model := filepath.Join(t.TempDir(), "model")
		text := fisher(t)
		must(t, text, append(strings.Fields("train -C 2 -o "+model+" "+c.flags), "-")...)
		out, errs := must(t, text, "predict", "-scores", model, "-")
		lines := strings.Split(strings.TrimSpace(out), "\n")[1:] // the first names the classes
		if len(lines) != iris.Len() {
			t.Fatalf("%q: %d lines", c.flags, len(lines))
		}
		right := 0
		for i, line := range lines {
			p := c.want.Predict(iris.X[i])
			name := p.Name
			if p.Y == iris.Y[i] {
				right++
			}
			words := strings.Fields(line)
			if words[0] != name || !closeTo(t, words[1:], c.want.ClassScores(iris.X[i])) {
				t.Fatalf("%q, row %d: %q, want %s %v", c.flags, i, line, name, c.want.ClassScores(iris.X[i]))
			}
		}
		if want := fmt.Sprintf("(%d of 150 rows)\n", right); !strings.HasSuffix(errs, want) {
			t.Errorf("%q: %q, want %q", c.flags, errs, want)
		}
	}
}

// closeTo compares scores. A kernel's are summed in another order for many rows at once.
func closeTo(t *testing.T, words []string, want []float64) bool {
	t.Helper()
	const rounding = 1e-12
	return slices.EqualFunc(words, want, func(word string, v float64) bool {
		got, err := strconv.ParseFloat(word, 64)
		return err == nil && math.Abs(got-v) <= rounding*max(1, math.Abs(v))
	})
}

// -libsvm and -liblinear write models of several classes that predict what the model of -o does. (Package modelfile
// compares them with svm-predict and liblinear-predict.)
func TestMultiWritesFilesOfPeers(t *testing.T) {
	iris := samples.Iris()
	iris.Classes = []string{"-7", "2", "10"}
	text := written(t, iris, dataset.WriteLIBSVM)
	for flags, format := range map[string]string{"-multi ovo -kernel rbf": "-libsvm", "-multi ovo": "-libsvm", "-multi ovr": "-liblinear",
		"-multi ovr -loss logistic": "-liblinear", "-multi cs": "-liblinear"} {
		folder := t.TempDir()
		own, theirs := filepath.Join(folder, "own"), filepath.Join(folder, "theirs")
		must(t, text, append(strings.Fields("train "+flags+" -o "+own+" "+format+" "+theirs), "-")...)
		a, _ := must(t, text, "predict", own, "-")
		b, _ := must(t, text, "predict", theirs, "-")
		if a != b || strings.Count(a, "\n") != iris.Len() {
			t.Errorf("%s: %q, by the file of %s %q", flags, a, format, b)
		}
	}
}

// Numbers as classes, in a LIBSVM file: 3 wines of which one class has another number.
func TestMultiOfNumberedClasses(t *testing.T) {
	wine := samples.Wine()
	wine.Classes = []string{"-7", "2", "10"}
	text, model := written(t, wine, dataset.WriteLIBSVM), filepath.Join(t.TempDir(), "model")
	must(t, text, "train", "-multi", "ovo", "-kernel", "rbf", "-o", model, "-")
	out, errs := must(t, text, "predict", model, "-")
	right := 0
	for i, name := range strings.Fields(out) {
		if name == wine.Classes[int(wine.Y[i])] {
			right++
		}
	}
	if right < 100 || errs != fmt.Sprintf("accuracy %.4f%% (%d of 178 rows)\n", 100*float64(right)/178, right) {
		t.Errorf("%d right, but %q", right, errs)
	}
	// A number that is no class of the model counts as an error.
	_, errs = must(t, "2 1:1\n3 1:1\n", "predict", model, "-")
	if !strings.HasSuffix(errs, "of 2 rows); the model does not know the class of 1 row: \"3\"\n") {
		t.Errorf("%q", errs)
	}
}

// Two classes: Crammer–Singer at C is the model with a penalized bias at 2C, and the
// difference of its scores is that model's score.
func TestCrammerSingerOfTwoClasses(t *testing.T) {
	const near = 1e-3 // scores are within about the root of the objective's tolerance, 1e-9, of the best ones
	text, folder := two(t, 80), t.TempDir()
	joint, binary := filepath.Join(folder, "joint"), filepath.Join(folder, "binary")
	must(t, text, "train", "-multi", "cs", "-C", "0.5", "-tol", "1e-9", "-o", joint, "-")
	must(t, text, "train", "-bias", "penalized", "-C", "1", "-tol", "1e-9", "-o", binary, "-")
	got, gotErrs := must(t, text, "predict", "-scores", joint, "-")
	want, wantErrs := must(t, text, "predict", "-scores", binary, "-")
	if gotErrs != wantErrs {
		t.Errorf("%q, %q", gotErrs, wantErrs)
	}
	lines := strings.Split(want, "\n")[1:]
	for i, line := range strings.Split(strings.TrimSpace(got), "\n")[1:] {
		var class, name string
		var minus, plus, f float64
		if _, err := fmt.Sscan(line, &class, &minus, &plus); err != nil {
			t.Fatalf("%q: %v", line, err)
		}
		if _, err := fmt.Sscan(lines[i], &name, &f); err != nil || class != name || math.Abs(plus-minus-f) > near {
			t.Fatalf("row %d: %q, the model for two says %q", i, line, lines[i])
		}
	}
	ovr, _ := must(t, text, "train", "-multi", "ovr", "-o", "-", "-")
	plain, _ := must(t, text, "train", "-o", "-", "-")
	if ovr != plain || !strings.HasPrefix(ovr, "svmkit model 1\n") {
		t.Error("one-vs-rest of two classes is not the model for two")
	}
}

// A place that cannot be written to is found before the fits.
func TestUnwritableMultiOutput(t *testing.T) {
	data := file(t, "iris", fisher(t))
	fits := 0
	a := &app{ctx: t.Context(), out: io.Discard, err: io.Discard, progress: &cli.Progress{Hook: func(string) { fits++ }}}
	args := []string{"train", "-threads", "1", data, "-o"}
	if status := a.exit(a.command(append(args, filepath.Join(data, "model")))); status != exitError || fits > 0 {
		t.Errorf("status %d after %d reports of a fit", status, fits)
	}
	if a.command(append(args, filepath.Join(t.TempDir(), "model"))); fits == 0 {
		t.Error("the fits make no reports: this test proves nothing")
	}
}

func TestMultiReport(t *testing.T) {
	for flags, models := range map[string]int{"": 3, "-multi ovo": 3, "-multi cs": 1, "-kernel rbf": 3} {
		out, errs := must(t, fisher(t), append(strings.Fields("train -json "+flags), "-")...)
		r := readReport(t, out)
		worst, vectors := 0.0, 0
		for _, k := range r.Models {
			gap := float64(k.Primal - k.Dual)
			if relative := gap / float64(k.Primal); math.Abs(relative-float64(k.RelativeGap)) > 1e-9 || !k.Met || k.Status != "optimal" || k.Name == "" {
				t.Errorf("%q: %+v", flags, k)
			}
			worst, vectors = max(worst, float64(k.RelativeGap)), vectors+k.SupportVectors
		}
		if len(r.Models) != models || float64(r.WorstGap) != worst || worst > 1e-3 || r.SupportVectors != vectors || vectors < 3 || r.Missed != 0 ||
			r.Rows != 150 || r.Columns != 4 || r.NNZ != 600 || len(r.Classes) != 3 || r.TrainSeconds <= 0 || r.ReadSeconds <= 0 || errs != "" {
			t.Errorf("%q: %+v, %q", flags, r, errs)
		}
	}
	out, _ := must(t, fisher(t), "train", "-")
	for _, part := range []string{"3: setosa, versicolor, virginica\n", "one-vs-rest (the default", "models            3\n", "worst gap ", " against the rest (asked for 0.001)\n", "support vectors ", " training, "} {
		if !strings.Contains(out, part) {
			t.Errorf("%q is missing in\n%s", part, out)
		}
	}
	if out, _ := must(t, fisher(t), "train", "-multi", "ovr", "-"); strings.Contains(out, "default") {
		t.Error(out)
	}
}

// A missed tolerance is worse than any gap that meets it; NaN and +Inf are gaps, too.
func TestWorstModel(t *testing.T) {
	fit := func(gap float64, met bool) modelFit {
		return modelFit{Name: fmt.Sprint(gap), RelativeGap: cli.Number(gap), Met: met}
	}
	for _, c := range []struct {
		fits   []modelFit
		worst  string
		missed int
	}{
		{[]modelFit{fit(0.1, true), fit(0.3, true), fit(0.2, true)}, "0.3", 0},
		{[]modelFit{fit(0.3, true), fit(0.1, false), fit(0.2, true)}, "0.1", 1},
		{[]modelFit{fit(0.4, false), fit(math.Inf(1), false), fit(0.5, false)}, "+Inf", 3},
		{[]modelFit{fit(math.Inf(1), false), fit(math.NaN(), false), fit(1, false)}, "NaN", 3},
	} {
		if many := newFits(oneVsRest, c.fits); many.Worst != c.worst || many.Missed != c.missed {
			t.Errorf("%v: %s, %d missed", c.fits, many.Worst, many.Missed)
		}
	}
}

func TestMultiExitStatus(t *testing.T) {
	data, model := file(t, "iris", fisher(t)), filepath.Join(t.TempDir(), "model")
	must(t, "", "train", "-o", model, data)
	missing := filepath.Join(t.TempDir(), "missing")
	var counts strings.Builder
	for k := range dataset.AutoClasses + 1 {
		fmt.Fprintf(&counts, "%d 1:%d\n", k, k)
	}
	regression := []string{"-loss", "eps-insensitive", "-multi", "ovr"}
	counted := strings.NewReplacer("setosa", "1", "versicolor", "2", "virginica", "3").Replace(fisher(t))
	for _, c := range []struct {
		stdin  string
		args   []string
		status int
		says   string
	}{
		{"", []string{"train", "-multi", "dag", data}, exitUsage, "-multi dag: must be ovr, ovo or cs"},
		{"", append([]string{"train", data}, regression...), exitUsage, "a regression has none"},
		{"", []string{"train", "-multi", "ovr", "-positive", "setosa", data}, exitUsage, "-positive"},
		{"", []string{"train", "-multi", "ovo", "-C-positive", "2", data}, exitUsage, "-C-positive"},
		{"", []string{"train", "-multi", "cs", "-C-negative", "2", data}, exitUsage, "-C-negative"},
		{"", []string{"train", "-multi", "cs", "-loss", "squared-hinge", data}, exitUsage, "-multi cs: goes with -loss hinge only"},
		{"", []string{"train", "-multi", "cs", "-kernel", "rbf", data}, exitUsage, "linear only"},
		{"", []string{"train", "-multi", "cs", "-bias", "free", data}, exitUsage, "-multi cs: does not go with -bias free: use -bias penalized or none"},
		{"", []string{"train", "-multi", "cs", "-solver", "dcd", data}, exitUsage, "-multi cs: has its own solver: leave out -solver"},
		{"", []string{"train", "-multi", "cs", "-C", "inf", data}, exitUsage, "-multi cs: needs a finite -C"},
		{"", []string{"train", "-threads", "0", data}, exitUsage, "-threads 0"},
		{counted, []string{"train", "-libsvm", missing, "-"}, exitUsage, "-multi ovo"},
		{counted, []string{"train", "-liblinear", missing, "-multi", "ovo", "-"}, exitUsage, "-multi ovr or cs"},
		{"", []string{"train", "-libsvm", missing, data}, exitError, "-libsvm: the classes must be integers"},
		{"", []string{"train", "-liblinear", missing, "-multi", "ovo", data}, exitError, "-liblinear: the classes must be integers"},
		{"", []string{"train", "-libsvm", missing, "-multi", "ovo", data}, exitError, "-libsvm: the classes must be integers, the only labels that LIBSVM and LIBLINEAR have; \"setosa\" is none"},
		{"", []string{"train", "-liblinear", missing, data}, exitError, "must be integers"},
		{"", []string{"train", "-liblinear", missing, "-multi", "cs", data}, exitError, "must be integers"},
		{"", []string{"train", "-probability", "-multi", "cs", data}, exitUsage, "-multi ovo or ovr"},
		{"", []string{"train", "-o", filepath.Join(missing, "m"), data}, exitError, missing},
		{"", []string{"train", "-C", "inf", data}, exitError, "class versicolor against the rest: "},
		{"", []string{"train", "-kernel", "rbf", "-loss", "logistic", data}, exitUsage, "-loss logistic: "},
		{"", []string{"train", "-tol", "1e-14", "-max-iterations", "1", data}, exitTolerance, "was not met by 3 of 3 models, worst by "},
		{"", []string{"train", "-tol", "1e-14", "-max-iterations", "1", "-multi", "cs", data}, exitTolerance, "by 1 of 1 models, worst by all classes: "},
		{"", []string{"train", "-kernel", "sigmoid", "-coef0", "-1", data}, exitTolerance, "relative gap +Inf"},
		{"", []string{"cv", "-tol", "1e-14", "-max-iterations", "1", data}, exitTolerance, "in some fold"},
		{"", []string{"cv", "-threads", "0", data}, exitUsage, "-threads 0"},
		{counts.String(), []string{"train", "-"}, exitError, "standard input: 33 different numbers (0, 1, "},
		{"1 1:1\n2 1:2\n2.5 1:1\n", []string{"train", "-"}, exitError, "3 different numbers (1, 2, 2.5) as labels"},
		{"", []string{"predict", "-probability", model, data}, exitError, "no probabilities"},
		{"1,2,setosa\n2,1,virginica\n", []string{"predict", model, "-"}, exitError, "2 columns, but the training rows had 4"},
		{"", []string{"predict", file(t, "cut", "svmkit multi 1\nstrategy ovr\n"), data}, exitError, "line 3: the model file ends too early"},
	} {
		status, out, errs := svmRun(t, c.stdin, c.args...)
		if status != c.status || !strings.Contains(errs, c.says) || !strings.HasPrefix(errs, "svm: ") || strings.Count(errs, "\n") != 1 {
			t.Errorf("svm %s: status %d, want %d, message %q, want one line with %q", strings.Join(c.args, " "), status, c.status, errs, c.says)
		}
		if status == exitUsage && out != "" {
			t.Errorf("svm %s wrote %q", strings.Join(c.args, " "), out)
		}
	}
	if exists(missing) {
		t.Error("a file was left behind")
	}
	must(t, counts.String(), "train", "-multi", "ovr", "-") // whoever says so gets 33 classes
}

// A model that missed its tolerance is saved; so is one that cannot be printed.
func TestMultiSavesFirst(t *testing.T) {
	data, model := file(t, "iris", fisher(t)), filepath.Join(t.TempDir(), "model")
	if status, _, _ := svmRun(t, "", "train", "-tol", "1e-14", "-max-iterations", "1", "-o", model, data); status != exitTolerance {
		t.Fatal(status)
	}
	must(t, "", "predict", model, data)
	os.Remove(model)
	var e bytes.Buffer
	if status := run(t.Context(), []string{"train", "-o", model, data}, nil, broken{}, &e); status != exitError || !exists(model) {
		t.Errorf("status %d, %q", status, e.String())
	}
	if status := run(t.Context(), []string{"predict", model, data}, nil, broken{}, &e); status != exitError {
		t.Errorf("predictions to a closed pipe: status %d", status)
	}
	out, errs := must(t, "", "train", "-o", "-", data)
	if saved, err := os.ReadFile(model); err != nil || out != string(saved) || !strings.HasPrefix(errs, "rows n ") {
		t.Errorf("-o - prints %q, %q", out, errs)
	}
}

// Interrupted, one-vs-rest and one-vs-one lack models and save nothing; Crammer–Singer has a
// model at every moment.
func TestInterruptOfManyModels(t *testing.T) {
	data, model := file(t, "iris", fisher(t)), filepath.Join(t.TempDir(), "model")
	for strategy, says := range map[string]string{
		oneVsRest:     "nothing is saved, as a classifier of 3 classes needs all its models",
		oneVsOne:      "nothing is saved, as a classifier of 3 classes needs all its models",
		crammerSinger: "the best model so far is saved as " + model,
	} {
		ctx, cancel := context.WithCancel(t.Context())
		defer cancel()
		var o, e bytes.Buffer
		a := &app{ctx: ctx, out: &o, err: &e, progress: &cli.Progress{Hook: func(string) { cancel() }}}
		status := a.exit(a.command([]string{"train", "-C", "1000", "-tol", "1e-15", "-multi", strategy, "-o", model, data}))
		if status != exitInterrupted || e.String() != "svm: interrupted: "+says+"\n" {
			t.Errorf("%s: status %d, %q", strategy, status, e.String())
		}
		if saved := strategy == crammerSinger; exists(model) != saved || saved != (o.Len() > 0) {
			t.Errorf("%s: report %q, model: %v", strategy, o.String(), exists(model))
		} else if saved {
			must(t, "", "predict", model, data)
			os.Remove(model)
		}
	}
}

// Each fold's number is that of package multiclass, fitted to the other folds.
func TestCVOfThreeClasses(t *testing.T) {
	iris := samples.Iris()
	folds, err := tune.Folds(iris, 3, 1)
	if err != nil {
		t.Fatal(err)
	}
	want := ""
	for k, fold := range folds {
		train, test := fold.Of(iris)
		c, err := multiclass.OneVsOne{Binary: func(ctx context.Context, train *svmkit.Dataset) (svmkit.Model, error) {
			return svm.Fit(ctx, &svm.Problem{Data: train, C: svm.PerSum(1)}, nil, &svm.Settings{Seed: 1})
		}}.Fit(t.Context(), train)
		if err != nil {
			t.Fatal(err)
		}
		right := 0
		for i, x := range test.X {
			if c.Predict(x).Y == test.Y[i] {
				right++
			}
		}
		if right < 40 { // of 50; guessing gives 17
			t.Errorf("fold %d: %d right", k+1, right)
		}
		want += fmt.Sprintf("fold %d  accuracy %.4f%% (%d of 50)\n", k+1, 2*float64(right), right)
	}
	for _, threads := range []string{"1", "3"} {
		out, _ := must(t, fisher(t), "cv", "-folds", "3", "-multi", "ovo", "-threads", threads, "-")
		if !strings.HasPrefix(out, "3 classes, one-vs-one\n"+want+"mean    accuracy ") {
			t.Errorf("%s threads:\n%s, want\n%s", threads, out, want)
		}
	}
	out, _ := must(t, fisher(t), "cv", "-")
	if !strings.HasPrefix(out, "3 classes, one-vs-rest\n") {
		t.Error(out)
	}
	must(t, fisher(t), "cv", "-multi", "cs", "-")
}

// A class with one row is missing in the training rows of one fold: it has no model there,
// and its row is taken for another class.
func TestCVWithARareClass(t *testing.T) {
	text := fisher(t) + "9,9,9,9,rose\n"
	for _, strategy := range []string{oneVsRest, oneVsOne, crammerSinger} {
		out, _ := must(t, text, "cv", "-folds", "3", "-multi", strategy, "-")
		if !strings.Contains(out, "of 51)\n") || !strings.HasPrefix(out, "4 classes") {
			t.Errorf("%s:\n%s", strategy, out)
		}
	}
}
