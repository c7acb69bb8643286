package main

import (
	"cmp"
	"context"
	"errors"
	"flag"
	"fmt"
	"io"
	"math"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"text/tabwriter"

	"github.com/svmkit/course/plots"
	"github.com/svmkit/course/svmkit"
	"github.com/svmkit/course/svmkit/dataset"
	"github.com/svmkit/course/svmkit/kernel"
	"github.com/svmkit/course/svmkit/tune"
)

const gridHelp = `svm grid [flags] FILE

Search: cross-validates every point of a grid over C, the kernel and its parameters, on the same folds, and prints the
metric of each: its mean over the folds ± the mean's standard error. It marks the best point, and the simplest that is no
worse by more than the best one's standard error: the kernel that is named first, the smallest C, γ and degree, the largest ε.
The last lines are the commands that train these models on all rows.

The best value is too good, as the same rows have chosen it: judge the model on rows that FILE does not have.

Lists are values with commas between them, 0.1,1,10, or lo:hi:n, n values from lo to hi, each the same multiple of the one
before: 0.01:100:5 is 0.01,0.1,1,10,100.

With -categorical, -median, -mean, -text or -scale all steps of the pipeline are fitted to the training rows of each
fold.

Ctrl-C ends the search and prints the points that are complete; a second one ends the program.
`

// gridFlags say what is searched, and how it is measured.
type gridFlags struct {
	problemFlags
	kernelList, metric, group string
	heatmap                   string
	costs, gammas, epsilons   numbers
	degrees                   wholes
	folds                     int
	time                      bool
}

func (f *gridFlags) define(fs *flag.FlagSet) {
	f.costs = numbers{0.01, 0.1, 1, 10, 100}
	f.problemFlags.defineRest(fs)
	fs.Var(&f.costs, "C", "`list` of weights of the losses' sum in ½‖w‖² + C·Σℓ, in increasing order or not")
	fs.StringVar(&f.kernelList, "kernel", "linear", "`list` of kernels, the simplest first: linear ⟨x,z⟩, poly (γ⟨x,z⟩ + c₀)^degree, rbf exp(−γ‖x−z‖²),\nlaplacian exp(−γ‖x−z‖₁) or sigmoid tanh(γ⟨x,z⟩ + c₀)")
	fs.Var(&f.gammas, "gamma", "`list` of γ, for the kernels that have one (default as for train, of the training rows of each fold)")
	fs.Var(&f.degrees, "degree", "`list` of degrees of the polynomial kernel, as in 2,3 (default 3)")
	fs.Var(&f.epsilons, "epsilon", "`list` of half-widths of the tube of a regression, in units of the target (default 0.1)")
	fs.StringVar(&f.metric, "metric", "", "what to measure on the test rows: "+metricNames(false)+"; of a regression "+metricNames(true)+"\n(default accuracy, of a regression mse). f1 is that of the class +1, or the mean over more than two; auc and\naverage-precision are for two classes; log-loss is that of the probabilities of train -probability")
	fs.IntVar(&f.folds, "folds", 5, "number of folds, 2 or more; with -time 1 or more")
	fs.StringVar(&f.group, "group", "", "the `column` of a CSV table whose equal fields are a group, as the rows of one patient: a group is never on both\nsides of a fold, and the column is no part of the model")
	defineOutput(fs, &f.heatmap, "heatmap", "`file`, .png or .svg, for a map of the metric over C and γ, of one kernel and 2 to 8 values of each")
	fs.BoolVar(&f.time, "time", false, "the rows are in the order of time: a fold is trained on the rows before its test rows, all of them")
	fs.IntVar(&f.threads, "threads", 2, "fits at once; the result does not depend on it")
}

// numbers is the value of a flag that is a list of positive numbers.
type numbers []float64

func (n *numbers) String() string {
	var b []string
	for _, v := range *n {
		b = append(b, shortest(v))
	}
	return strings.Join(b, ",")
}

func (n *numbers) Set(text string) error {
	*n = nil
	if part := strings.Split(text, ":"); len(part) == 3 {
		lo, err1 := strconv.ParseFloat(part[0], 64)
		hi, err2 := strconv.ParseFloat(part[1], 64)
		count, err3 := strconv.Atoi(part[2])
		if errors.Join(err1, err2, err3) != nil {
			return errList
		}
		values, err := tune.LogSpace(lo, hi, count)
		*n = values
		if wrong := (*svmkit.ParamError)(nil); errors.As(err, &wrong) {
			return fmt.Errorf("%s of lo:hi:n %s", wrong.Name, wrong.Need)
		}
		return err
	}
	for _, part := range strings.Split(text, ",") {
		v, err := strconv.ParseFloat(part, 64)
		if err != nil {
			return errList
		}
		if !(v > 0) || math.IsInf(v, 1) || slices.Contains(*n, v) {
			return errors.New("must be positive and finite numbers, each once")
		}
		*n = append(*n, v)
	}
	return nil
}

var errList = errors.New("must be numbers with commas between them, or lo:hi:n")

// wholes is the value of a flag that is a list of positive whole numbers.
type wholes []int

func (w *wholes) String() string {
	return strings.Trim(strings.ReplaceAll(fmt.Sprint([]int(*w)), " ", ","), "[]")
}

func (w *wholes) Set(text string) error {
	*w = nil
	for _, part := range strings.Split(text, ",") {
		v, err := strconv.Atoi(part)
		if err != nil || v < 1 || slices.Contains(*w, v) {
			return errors.New("must be whole numbers of 1 or more with commas between them, each once")
		}
		*w = append(*w, v)
	}
	return nil
}

// metricOf is a value of -metric.
type metricOf struct {
	name       string
	metric     tune.Metric
	regression bool
	binary     bool // for two classes only
	chances    bool // of probabilities: the models are those of train -probability
}

// metrics are those of -metric, the first of each kind the default.
var metrics = []metricOf{
	{name: "accuracy", metric: tune.Accuracy}, {name: "error", metric: tune.Error}, {name: "balanced-accuracy", metric: tune.BalancedAccuracy}, {name: "f1", metric: tune.F1},
	{name: "auc", metric: tune.AUC, binary: true}, {name: "average-precision", metric: tune.AveragePrecision, binary: true},
	{name: "log-loss", metric: tune.LogLoss, chances: true},
	{name: "mse", metric: tune.MSE, regression: true}, {name: "mae", metric: tune.MAE, regression: true}, {name: "r2", metric: tune.R2, regression: true},
}

func metricNames(regression bool) string {
	var names []string
	for _, m := range metrics {
		if m.regression == regression {
			names = append(names, m.name)
		}
	}
	return strings.Join(names, ", ")
}

// chances reports whether the metric is one of probabilities.
func (f *gridFlags) chances() bool {
	return slices.ContainsFunc(metrics, func(m metricOf) bool { return m.name == f.metric && m.chances })
}

// measure returns the metric, whose classes are so many.
func (f *gridFlags) measure(classes int) (tune.Metric, error) {
	for _, m := range metrics {
		if m.regression == f.regression() && (f.metric == "" || f.metric == m.name) {
			if m.binary && classes > 2 {
				return tune.Metric{}, &usageError{"grid", fmt.Errorf("-metric %s is for two classes, and there are %d", m.name, classes)}
			}
			return m.metric, nil
		}
	}
	return tune.Metric{}, &usageError{"grid", fmt.Errorf("-metric %s: must be one of %s", f.metric, metricNames(f.regression()))}
}

func (a *app) grid(args []string) error {
	var f gridFlags
	fs := flagSet("grid")
	f.define(fs)
	files, err := a.parse(fs, gridHelp, args, "FILE")
	if err != nil {
		return err
	}
	if err := a.checkFiles(fs, append(files, f.weights.file), "heatmap"); err != nil {
		return err
	}
	if err := f.check(fs); err != nil {
		return err
	}
	t, err := a.readTask(fs, &f.problemFlags, files[0])
	if err != nil {
		return err
	}
	metric, err := f.measure(len(t.Data.Classes))
	if err != nil {
		return err
	}
	if f.chances() && t.strategy == crammerSinger {
		return &usageError{"grid", fmt.Errorf("-metric %s: %w", f.metric, errNoPairs)}
	}
	folds, err := f.cut(t)
	if err != nil {
		return err
	}
	s, points, err := a.search(fs, &f, t, tune.Validation{Folds: folds, Metric: metric, Threads: f.threads})
	interrupted := errors.Is(err, context.Canceled)
	var fold *tune.FoldError
	if errors.As(err, &fold) && !interrupted {
		err = fmt.Errorf("in fold %d of %d, with %s: %s", fold.Fold+1, len(folds), fold.Params, inOurWords(fold.Err))
		if f.time && errors.Is(fold.Err, svmkit.ErrOneClass) {
			err = fmt.Errorf("%w in its training rows: are the rows of the file in the order of time? Fewer -folds have more training rows", err)
		}
	}
	if err != nil && !interrupted {
		return err
	}
	complete := slices.DeleteFunc(slices.Clone(s.Points), func(p tune.Point) bool { return slices.ContainsFunc(p.Scores, math.IsNaN) })
	var b strings.Builder
	limited := f.report(&b, s, complete, metric.Name)
	if best, ok := s.Best(); ok && !interrupted {
		fmt.Fprintf(&b, "train it:  %s\n", f.next(fs, best.Params, files[0]))
		if simple, _ := s.OneStandardError(); simple.Params != best.Params {
			fmt.Fprintf(&b, "simplest:  %s\n", f.next(fs, simple.Params, files[0]))
		}
	}
	if _, err := fmt.Fprint(a.out, b.String()); err != nil {
		return fmt.Errorf("the report cannot be written: %w", err)
	}
	if f.heatmap != "" && !interrupted {
		if err := a.writeMap(f.heatmap, s, metric.Name); err != nil {
			return err
		}
	}
	switch {
	case interrupted:
		return fmt.Errorf("%w: %d of %d points are complete", errInterrupted, len(complete), points)
	case limited > 0:
		return fmt.Errorf("%w by %d of %d fits; the numbers are those of the models that were reached", errTolerance, limited, len(complete)*len(folds))
	}
	return nil
}

// check says, before a long read, what is wrong with the flags alone, and sets the flags to the first point.
func (f *gridFlags) check(fs *flag.FlagSet) error {
	wrong := func(format string, args ...any) error { return &usageError{fs.Name(), fmt.Errorf(format, args...)} }
	least := 2
	if f.time {
		least = 1
	}
	switch {
	case f.folds < least:
		return wrong("-folds %d: must be %d or more", f.folds, least)
	case f.time && f.group != "":
		return wrong("-group and -time: folds keep either groups or the order of time")
	}
	f.kernels = strings.Split(f.kernelList, ",")
	for i, k := range f.kernels {
		if _, err := kernel.Named(k, 1, 1, 0); err != nil || slices.Contains(f.kernels[:i], k) {
			return wrong("-kernel %s: must be of linear, poly, rbf, laplacian and sigmoid, each once, with commas between them", f.kernelList)
		}
	}
	if f.group != "" {
		f.table.always = true
		f.classFlags.drop = strings.TrimPrefix(f.classFlags.drop+","+f.group, ",")
	}
	if _, err := f.measure(2); err != nil {
		return err
	}
	few := func(n int) bool { return n >= 2 && n <= 8 }
	if form := strings.ToLower(filepath.Ext(f.heatmap)); f.heatmap != "" && form != ".png" && form != ".svg" {
		return wrong("-heatmap %s: must end in .png or .svg", f.heatmap)
	} else if f.heatmap != "" && (!few(len(f.costs)) || !few(len(f.gammas)) || len(f.kernels) > 1 || len(f.degrees) > 1 || len(f.epsilons) > 1) {
		return wrong("-heatmap needs 2 to 8 values of each of -C and -gamma, and one of all others")
	}
	for _, q := range f.firsts() {
		p := f.at(q)
		s, err := p.makeSolver(fs)
		if err == nil {
			err = p.checkMulti(fs)
		}
		if err == nil {
			err = p.checkTogether(fs, s)
		}
		if err != nil {
			return err
		}
	}
	f.problemFlags = f.at(f.firsts()[0])
	return nil
}

// points returns the grid.
func (f *gridFlags) points() tune.Grid {
	return tune.Grid{C: f.costs, Gamma: f.gammas, Epsilon: f.epsilons, Degree: f.degrees, Kernel: f.kernels}
}

// firsts returns one point for each kernel.
func (f *gridFlags) firsts() (points []tune.Params) {
	for _, k := range f.kernels {
		q := tune.Params{C: f.costs[0], Kernel: k}
		if f.gammas != nil && k != "linear" {
			q.Gamma = f.gammas[0]
		}
		points = append(points, q)
	}
	return points
}

// at returns the flags of train at a point.
func (f *gridFlags) at(q tune.Params) problemFlags {
	p := f.problemFlags
	p.kernel, p.c, p.gamma, p.gammaSet = q.Kernel, q.C, cmp.Or(q.Gamma, 1), f.gammas != nil // the 1 is used where there is no γ
	p.epsilon, p.degree = cmp.Or(q.Epsilon, 0.1), cmp.Or(q.Degree, 3)
	return p
}

// cut makes the folds.
func (f *gridFlags) cut(t *task) (folds []tune.Fold, err error) {
	switch {
	case f.time:
		order := make([]float64, t.Data.Len())
		for i := range order {
			order[i] = float64(i)
		}
		folds, err = tune.TimeFolds(order, f.folds)
	case f.group != "":
		column := t.table.Column(f.group)
		if column < 0 {
			return nil, &usageError{"grid", fmt.Errorf("-group %s: the columns are %s", f.group, list(t.table.Names, 20))}
		}
		if f.group == t.pipeline.Label {
			return nil, &usageError{"grid", fmt.Errorf("-group %s: is the label's column", f.group)}
		}
		var groups []string
		for i, row := range t.table.Rows {
			if _, err := dataset.Number(row[column]); err == dataset.ErrMissing {
				return nil, t.table.FieldError(i, column, errNoGroup)
			}
			groups = append(groups, row[column])
		}
		folds, err = tune.GroupFolds(groups, f.folds)
	default:
		folds, err = tune.Folds(t.Data, f.folds, f.seed)
	}
	var wrong *svmkit.ParamError
	if errors.As(err, &wrong) {
		of := ""
		if f.group != "" {
			of = " with -group " + f.group
		}
		return nil, &usageError{"grid", fmt.Errorf("-folds %d%s: %s", f.folds, of, wrong.Need)}
	}
	return folds, err
}

var errNoGroup = errors.New("the group is missing: name it, a row alone being a group of its own, or leave out the row")

// search measures the grid, all points of one C before those of the next, so that what is interrupted has complete
// points. It returns how many points the grid has.
func (a *app) search(fs *flag.FlagSet, f *gridFlags, t *task, v tune.Validation) (all *tune.Selection, points int, err error) {
	all = &tune.Selection{}
	train := tune.FromParams(func(q tune.Params) svmkit.Fitter {
		p, at := f.at(q), *t
		at.solver, _ = p.makeSolver(fs) // check has made it, too
		fitter := at.fitter(fs, &p, 1, &progress{}, new(tableFit))
		switch {
		case t.pipeline == nil && f.chances():
			return tune.Probabilities{}.Fitter(fitter)
		case t.pipeline == nil:
			return fitter
		}
		whole := *t.pipeline
		if whole.Model = fitter; f.chances() {
			whole.Probabilities = &tune.Probabilities{}
		}
		return whole.Fitter(t.table)
	})
	for k, c := range f.costs {
		grid := f.points()
		grid.C = []float64{c}
		v.Progress = func(q svmkit.Progress) bool {
			a.progress.count("fits", k*q.Total+q.Iteration, len(f.costs)*q.Total)
			return true
		}
		s, err := v.Search(a.ctx, t.Data, train, grid)
		if s != nil {
			points = len(s.Points) * len(f.costs)
			s.Points = append(all.Points, s.Points...)
			all = s
		}
		if err != nil {
			return all, points, err
		}
	}
	return all, points, nil
}

// report writes the points that are complete, a line each, and returns how many fits are above the tolerance.
func (f *gridFlags) report(w io.Writer, s *tune.Selection, complete []tune.Point, metric string) (limited int) {
	best, _ := s.Best()
	simple, _ := s.OneStandardError()
	t := tabwriter.NewWriter(w, 0, 0, 2, ' ', 0)
	columns := []struct {
		name  string
		shown bool
		value func(p tune.Params) string
	}{
		{"kernel", true, func(p tune.Params) string { return p.Kernel }},
		{"C", true, func(p tune.Params) string { return shortest(p.C) }},
		{"γ", f.gammas != nil, func(p tune.Params) string { return orNone(p.Gamma) }},
		{"degree", f.degrees != nil, func(p tune.Params) string { return orNone(float64(p.Degree)) }},
		{"ε", f.epsilons != nil, func(p tune.Params) string { return orNone(p.Epsilon) }},
	}
	for _, c := range columns {
		if c.shown {
			fmt.Fprintf(t, "%s\t", c.name)
		}
	}
	fmt.Fprintln(t, metric)
	for _, p := range complete {
		for _, c := range columns {
			if c.shown {
				fmt.Fprintf(t, "%s\t", c.value(p.Params))
			}
		}
		fmt.Fprintf(t, "%.6g", p.Mean)
		if !math.IsNaN(p.StdErr) { // a single fold has none
			fmt.Fprintf(t, " ± %.2g", p.StdErr)
		}
		if p.Params == best.Params {
			fmt.Fprint(t, "  best")
		}
		if p.Params == simple.Params && !math.IsNaN(best.StdErr) {
			fmt.Fprint(t, "  simplest within one standard error of the best")
		}
		fmt.Fprintln(t)
		limited += p.Limited()
	}
	t.Flush() // a strings.Builder takes all
	return limited
}

// writeMap draws the points and writes the figure by the name's end.
func (a *app) writeMap(name string, s *tune.Selection, metric string) error {
	figure, err := plots.CVMap(s, metric)
	if err != nil {
		return err
	}
	form := figure.PNG
	if strings.EqualFold(filepath.Ext(name), ".svg") {
		form = figure.SVG
	}
	picture, err := form()
	if err != nil {
		return err
	}
	return a.writeOutput(name, func(w io.Writer) error {
		_, err := w.Write(picture)
		return err
	})
}

func orNone(v float64) string {
	if v == 0 {
		return "–"
	}
	return shortest(v)
}

// shortest is the shortest decimal number that is read back as v.
func shortest(v float64) string { return strconv.FormatFloat(v, 'g', -1, 64) }

// next returns the command that trains the model of a point on all rows.
func (f *gridFlags) next(fs *flag.FlagSet, q tune.Params, file string) string {
	args := []string{"svm", "train"}
	add := func(name string, given bool, value string) {
		if given {
			args = append(args, "-"+name, quoted(value))
		}
	}
	fs.Visit(func(given *flag.Flag) {
		switch given.Name {
		case "C", "kernel", "gamma", "degree", "epsilon", "metric", "folds", "group", "time", "threads", "drop", "heatmap":
		default:
			if b, ok := given.Value.(interface{ IsBoolFlag() bool }); ok && b.IsBoolFlag() {
				args = append(args, "-"+given.Name+"="+given.Value.String())
			} else {
				add(given.Name, true, given.Value.String())
			}
		}
	})
	if f.chances() {
		args = append(args, "-probability")
	}
	add("drop", f.classFlags.drop != "", f.classFlags.drop)
	add("C", true, shortest(q.C))
	add("kernel", q.Kernel != "linear", q.Kernel)
	add("gamma", q.Gamma != 0, shortest(q.Gamma))
	add("degree", q.Degree != 0, strconv.Itoa(q.Degree))
	add("epsilon", q.Epsilon != 0, shortest(q.Epsilon))
	return strings.Join(append(args, "-o", "model", quoted(file)), " ")
}

var plain = regexp.MustCompile(`^[\w./,:=+@%-]+$`)

// quoted returns one argument for a shell.
func quoted(text string) string {
	if plain.MatchString(text) {
		return text
	}
	return "'" + strings.ReplaceAll(text, "'", `'\''`) + "'"
}
