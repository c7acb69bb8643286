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
	"slices"
	"strconv"
	"strings"
	"text/tabwriter"

	"github.com/svmkit/course/internal/cli"
	"github.com/svmkit/course/plots"
	"github.com/svmkit/course/svmkit"
	"github.com/svmkit/course/svmkit/pipeline"
	"github.com/svmkit/course/svmkit/tune"
)

// gridFlags say which grid is searched, and how its points are measured.
type gridFlags struct {
	problemFlags
	kernels                 cli.List[string]
	metric, group, heatmap  string
	costs, gammas, epsilons cli.List[float64]
	degrees                 cli.List[int]
	folds                   int
	time                    bool
}

func (f *gridFlags) define(fs *flag.FlagSet) {
	f.costs, f.gammas, f.epsilons, f.degrees = numbers(0.01, 0.1, 1, 10, 100), numbers(), numbers(), degrees()
	f.kernels = cli.List[string]{Values: kernels[:1], Words: kernels, Parse: func(name string) (string, error) {
		if !slices.Contains(kernels, name) {
			return "", errors.New("must be of " + cli.Or(kernels) + ", each once, with commas between them")
		}
		return name, nil
	}}
	f.problemFlags.defineRest(fs)
	fs.Var(&f.costs, "C", "`list` of weights of the losses: 0.1,1,10 or 0.1:10:3")
	fs.Var(&f.kernels, "kernel", "`list` of %s, simplest first")
	fs.Var(&f.gammas, "gamma", "`list` of γ: 0.01,0.1 or 0.01:1:3 (default as for train)")
	fs.Var(&f.degrees, "degree", "`list` of degrees: 2,3 (default 3)")
	fs.Var(&f.epsilons, "epsilon", "`list` of half-widths of the tube: 0.1,0.5 (default 0.1)")
	cli.WordVar(fs, &f.metric, "metric", append(classMetrics.Names(), targetMetrics.Names()...), "", "measure: %s")
	fs.IntVar(&f.folds, "folds", 5, "number of folds, 2 or more; 1 or more with -time")
	fs.StringVar(&f.group, "group", "", "`column` whose equal fields stay in one fold")
	fs.BoolVar(&f.time, "time", false, "rows are in order of time; train on earlier rows only")
	cli.Group(fs, "Search")
	cli.OutputVar(fs, &f.heatmap, "heatmap", "where a map over C and γ goes, .png or .svg")
	cli.Group(fs, "Output")
}

// numbers returns a list of positive numbers, such as 0.1,1,10 or 0.01:100:5.
func numbers(values ...float64) cli.List[float64] {
	return cli.List[float64]{Values: values, Parse: func(text string) (float64, error) {
		v, err := strconv.ParseFloat(text, 64)
		if err != nil {
			return 0, errList
		} else if !(v > 0) || math.IsInf(v, 1) {
			return 0, errors.New("must be positive and finite numbers, each once")
		}
		return v, nil
	}, Expand: func(text string) ([]float64, error) {
		part := strings.Split(text, ":")
		lo, err1 := strconv.ParseFloat(part[0], 64)
		hi, err2 := strconv.ParseFloat(part[1], 64)
		n, err3 := strconv.Atoi(part[2])
		if errors.Join(err1, err2, err3) != nil {
			return nil, errList
		}
		values, err := tune.LogSpace(lo, hi, n)
		if wrong := (*svmkit.ParamError)(nil); errors.As(err, &wrong) {
			err = fmt.Errorf("%s of lo:hi:n %s", wrong.Name, wrong.Need)
		}
		return values, err
	}}
}

var errList = errors.New("must be numbers with commas between them, or lo:hi:n")

// degrees returns a list of positive integers.
func degrees() cli.List[int] {
	return cli.List[int]{Parse: func(text string) (int, error) {
		v, err := strconv.Atoi(text)
		if err != nil || v < 1 {
			return 0, errors.New("must be whole numbers of 1 or more with commas between them, each once")
		}
		return v, nil
	}}
}

// The words of -metric, the first of each kind the default.
var (
	classMetrics = cli.Words[tune.Metric]{cli.W("accuracy", tune.Accuracy), cli.W("error", tune.Error),
		cli.W("balanced-accuracy", tune.BalancedAccuracy), cli.W("f1", tune.F1), cli.W("auc", tune.AUC),
		cli.W("average-precision", tune.AveragePrecision), cli.W(logLoss, tune.LogLoss)}
	targetMetrics = cli.Words[tune.Metric]{cli.W("mse", tune.MSE), cli.W("mae", tune.MAE), cli.W("r2", tune.R2)}
)

const logLoss = "log-loss" // needs the probabilities of train -probability

// measure returns the metric, for so many classes.
func (f *gridFlags) measure(fs *flag.FlagSet, classes int) (tune.Metric, error) {
	words := classMetrics
	if f.regression() {
		words = targetMetrics
	}
	name := cmp.Or(f.metric, words[0].Name)
	if classes > 2 && (name == "auc" || name == "average-precision") {
		return tune.Metric{}, cli.WrongUse(fs, "-metric %s is for two classes, and there are %d", name, classes)
	}
	return words.Meaning(name), cli.CheckWord(fs, "metric", name, words.Names())
}

func (a *app) grid(args []string) error {
	var f gridFlags
	fs := cli.FlagSet("grid")
	files, err := a.begin(fs, &f, args, "FILE")
	if err != nil {
		return err
	}
	t, err := a.readTask(fs, &f.problemFlags, files[0])
	if err != nil {
		return err
	}
	metric, err := f.measure(fs, len(t.set.Classes))
	if err != nil {
		return err
	}
	if f.metric == logLoss && t.strategy == crammerSinger {
		return cli.WrongUse(fs, "-metric %s: -probability %s", f.metric, noPairs)
	}
	folds, err := f.cut(fs, t)
	if err != nil {
		return err
	}
	if !f.time {
		a.warnOfFewRows(t, f.folds)
	}
	s, points, err := a.search(&f, t, tune.Validation{Folds: folds, Metric: metric, Threads: f.threads})
	interrupted := errors.Is(err, context.Canceled)
	if err != nil && !interrupted {
		return t.explain(fs, f.atPoint(err, len(folds)))
	}
	complete := slices.DeleteFunc(slices.Clone(s.Points), func(p tune.Point) bool {
		return slices.ContainsFunc(p.Scores, math.IsNaN)
	})
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
	switch {
	case interrupted:
		return fmt.Errorf("%w: %d of %d points are complete", errInterrupted, len(complete), points)
	case f.heatmap != "":
		err = a.writeMap(f.heatmap, s, metric.Name)
	}
	if err == nil && limited > 0 {
		err = fmt.Errorf("%w by %d of %d fits; the numbers are those of the models that were reached", errTolerance, limited,
			len(complete)*len(folds))
	}
	return err
}

// atPoint says in which fold and at which point of the grid a fit failed.
func (f *gridFlags) atPoint(err error, folds int) error {
	err = inFold(err, func(e *tune.FoldError) string {
		return fmt.Sprintf("in fold %d of %d, with %s", e.Fold+1, folds, e.Params)
	})
	if f.time && errors.Is(err, svmkit.ErrOneClass) {
		err = fmt.Errorf("%w in its training rows; take fewer -folds, or bring the rows into the order of time", err)
	}
	return err
}

// check says, before a long read, what is wrong with the flags alone, and sets f.problemFlags to the
// first point of the grid.
func (f *gridFlags) check(fs *flag.FlagSet, files []string) error {
	least := 2
	if f.time {
		least = 1
	}
	switch {
	case f.folds < least:
		return cli.WrongUse(fs, "-folds %d: must be %d or more", f.folds, least)
	case f.time && f.group != "":
		return cli.WrongUse(fs, "-group and -time: folds keep either groups or the order of time")
	}
	if f.group != "" {
		f.table.group = f.group
		used := []string{f.table.categorical, f.table.median, f.table.mean, f.table.text, f.weights.column}
		if slices.Contains(strings.Split(strings.Join(used, ","), ","), f.group) {
			return cli.WrongUse(fs, "-group %s: another flag names this column, too, but groups are no feature", f.group)
		}
		if !slices.Contains(list(f.drop), f.group) {
			f.drop = strings.TrimPrefix(f.drop+","+f.group, ",")
		}
	}
	if _, err := f.measure(fs, 2); err != nil {
		return err
	}
	few := func(n int) bool { return n >= 2 && n <= 8 }
	if form := strings.ToLower(filepath.Ext(f.heatmap)); f.heatmap != "" && form != ".png" && form != ".svg" {
		return cli.WrongUse(fs, "-heatmap %s: must end in .png or .svg", f.heatmap)
	}
	if f.heatmap != "" && (!few(len(f.costs.Values)) || !few(len(f.gammas.Values)) || len(f.kernels.Values) > 1 ||
		len(f.degrees.Values) > 1 || len(f.epsilons.Values) > 1) {
		return cli.WrongUse(fs, "-heatmap needs 2 to 8 values of each of -C and -gamma, and one of all others")
	}
	flags := f.problemFlags
	for _, k := range slices.Backward(f.kernels.Values) { // the flags are then those of the first
		q := tune.Params{C: f.costs.Values[0], Kernel: k}
		if f.gammas.Values != nil && len(having("gamma", []string{k})) > 0 {
			q.Gamma = f.gammas.Values[0]
		}
		f.problemFlags = flags
		f.problemFlags = f.at(q)
		if err := f.problemFlags.check(fs, files, f.kernels.Values...); err != nil {
			return err
		}
	}
	return nil
}

// at returns the flags of train at a point.
func (f *gridFlags) at(q tune.Params) problemFlags {
	p := f.problemFlags
	p.kernel, p.c, p.gamma = q.Kernel, q.C, gamma{value: cmp.Or(q.Gamma, 1), set: f.gammas.Values != nil} // 1 if the kernel has no γ
	p.epsilon, p.degree = cmp.Or(q.Epsilon, 0.1), cmp.Or(q.Degree, 3)
	return p
}

// cut makes the folds.
func (f *gridFlags) cut(fs *flag.FlagSet, t *task) (folds []tune.Fold, err error) {
	of := ""
	switch {
	case f.time:
		order := make([]float64, t.set.Len())
		for i := range order {
			order[i] = float64(i)
		}
		folds, err = tune.TimeFolds(order, f.folds)
	case f.group != "":
		of = " with -group " + f.group
		column := t.table.Column(f.group)
		groups := pipeline.Categories(t.table, column)
		if i := slices.Index(groups, ""); i >= 0 {
			return nil, t.table.FieldError(i, column, errNoGroup)
		}
		folds, err = tune.GroupFolds(groups, f.folds)
	default:
		folds, err = tune.Folds(t.set, f.folds, f.seed)
	}
	if wrong := (*svmkit.ParamError)(nil); errors.As(err, &wrong) {
		return nil, cli.WrongUse(fs, "-folds %d%s: %s", f.folds, of, wrong.Need)
	}
	return folds, err
}

var errNoGroup = errors.New("the group is missing: name it, a row alone being a group of its own, or leave out the row")

// search measures the grid, all points of one C before the points of the next, so that an interrupted
// search has complete points. It returns how many points the grid has.
func (a *app) search(f *gridFlags, t *task, v tune.Validation) (all *tune.Selection, points int, err error) {
	all = &tune.Selection{}
	train := tune.FromParams(func(q tune.Params) svmkit.Fitter {
		p := f.at(q)
		fit := t.fitter(&p, 1, a.each())
		if f.metric == logLoss {
			fit = tune.Probabilities{Seed: f.seed, Threads: 1}.Fitter(fit)
		}
		return fit
	})
	for k, c := range f.costs.Values {
		v.Progress = a.count("fits", k, len(f.costs.Values))
		s, err := v.Search(a.ctx, t.set, train, tune.Grid{C: []float64{c}, Gamma: f.gammas.Values, Epsilon: f.epsilons.Values,
			Degree: f.degrees.Values, Kernel: f.kernels.Values})
		if s != nil {
			points = len(s.Points) * len(f.costs.Values)
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
		{"C", true, func(p tune.Params) string { return cli.Shortest(p.C) }},
		{"γ", f.gammas.Values != nil, func(p tune.Params) string { return orNone(p.Gamma) }},
		{"degree", f.degrees.Values != nil, func(p tune.Params) string { return orNone(float64(p.Degree)) }},
		{"ε", f.epsilons.Values != nil, func(p tune.Params) string { return orNone(p.Epsilon) }},
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
	return cli.Await(a.ctx, func() error { return figure.Save(name) }) // a pipe may have no reader
}

func orNone(v float64) string {
	if v == 0 {
		return "–"
	}
	return cli.Shortest(v)
}

// next returns the command that trains the model of a point on all rows.
func (f *gridFlags) next(fs *flag.FlagSet, q tune.Params, file string) string {
	args := []string{"svm", "train"}
	add := func(name string, given bool, value string) {
		if given {
			args = append(args, "-"+name, cli.Quoted(value))
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
	if f.metric == logLoss {
		args = append(args, "-probability")
	}
	add("drop", f.drop != "", f.drop)
	add("C", true, cli.Shortest(q.C))
	add("kernel", q.Kernel != "linear", q.Kernel)
	add("gamma", q.Gamma != 0, cli.Shortest(q.Gamma))
	add("degree", q.Degree != 0, strconv.Itoa(q.Degree))
	add("epsilon", q.Epsilon != 0, cli.Shortest(q.Epsilon))
	return strings.Join(append(args, "-o", "model", cli.Quoted(file)), " ")
}
