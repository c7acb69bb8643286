package main

import (
	"errors"
	"flag"
	"fmt"
	"math"
	"slices"
	"strconv"
	"strings"

	"github.com/svmkit/course/internal/cli"
	"github.com/svmkit/course/svmkit"
	"github.com/svmkit/course/svmkit/dataset"
	"github.com/svmkit/course/svmkit/kernel"
	"github.com/svmkit/course/svmkit/loss"
	"github.com/svmkit/course/svmkit/svm"
)

// problemFlags say which problem is solved, and how.
type problemFlags struct {
	readFlags
	weights weightFlags
	table   tableFlags

	positive                   string
	loss, kernel, bias, solver string
	multi                      string
	c, cPositive, cNegative    float64
	coef0, epsilon, tol        float64
	gamma                      gamma
	degree, maxIterations      int
	threads                    int
	seed                       uint64
	cache                      int64
}

func (p *problemFlags) define(fs *flag.FlagSet) {
	fs.Float64Var(&p.c, "C", 1, "weight of the losses, > 0; inf is a hard margin")
	cli.WordVar(fs, &p.kernel, "kernel", kernels, "linear", "kernel: %s")
	fs.Var(&p.gamma, "gamma", "γ of the kernel, a `number` or scale (default scale or 1)")
	fs.IntVar(&p.degree, "degree", 3, "degree of the polynomial kernel")
	fs.Float64Var(&p.epsilon, "epsilon", 0.1, "half-width of the tube of a regression")
	p.defineRest(fs)
}

// defineRest defines all flags except those over which grid searches.
func (p *problemFlags) defineRest(fs *flag.FlagSet) {
	cli.WordVar(fs, &p.loss, "loss", losses, "hinge", "loss: %s")
	fs.Float64Var(&p.cPositive, "C-positive", 1, "factor of C for class +1, or above the tube")
	fs.Float64Var(&p.cNegative, "C-negative", 1, "factor of C for class −1, or below the tube")
	cli.WordVar(fs, &p.bias, "bias", biases.Names(), "free", "bias b: %s")
	fs.Float64Var(&p.coef0, "coef0", 0, "c₀ of the kernels poly and sigmoid (default 0)")
	cli.WordVar(fs, &p.multi, "multi", strategies, "", "strategy for three or more classes: %s (default ovr)")
	cli.Group(fs, "Model")
	fs.Float64Var(&p.tol, "tol", 1e-3, "relative duality gap to reach")
	cli.WordVar(fs, &p.solver, "solver", solvers.Names(), "auto", "algorithm: %s")
	fs.IntVar(&p.maxIterations, "max-iterations", 10_000, "iterations after which the solver gives up")
	fs.Uint64Var(&p.seed, "seed", 1, "seed of all random numbers")
	fs.Int64Var(&p.cache, "cache", 256, "memory for kernel rows of one fit, in `MiB`")
	fs.IntVar(&p.threads, "threads", 2, "fits at once; the result does not depend on it")
	cli.Group(fs, "Solver")
	fs.StringVar(&p.positive, "positive", "", "`class` +1 (default: larger number, or last name by its bytes)")
	p.weights.define(fs)
	p.readFlags.define(fs)
	p.table.define(fs)
}

// gamma is the value of -gamma.
type gamma struct {
	value      float64
	set, scale bool // a number was given; the word scale was given
}

func (g *gamma) String() string {
	if !g.set {
		return ""
	}
	return cli.Shortest(g.value)
}

func (g *gamma) Set(text string) (err error) {
	if g.set, g.scale = text != "scale", text == "scale"; g.scale {
		return nil
	}
	if g.value, err = strconv.ParseFloat(text, 64); err != nil {
		return errors.New("must be a number, or scale")
	}
	return nil
}

// regression reports whether the labels are targets.
func (p *problemFlags) regression() bool { return strings.Contains(p.loss, "eps-insensitive") }

// labels says how the labels of training rows are read.
func (p *problemFlags) labels() dataset.Labels {
	if p.regression() {
		return dataset.Labels{Task: dataset.Regression}
	}
	return dataset.Labels{Task: dataset.Classification, Positive: p.positive}
}

// The words of -loss, -bias, -kernel and -solver.
var (
	losses  = []string{"hinge", "squared-hinge", "logistic", "eps-insensitive", "squared-eps-insensitive"}
	biases  = cli.Words[svmkit.Bias]{cli.W("free", svmkit.FreeBias), cli.W("penalized", svmkit.PenalizedBias), cli.W("none", svmkit.NoBias)}
	kernels = kernel.Names()
	solvers = cli.Words[func(cacheBytes int64) svm.Solver]{
		cli.W[func(int64) svm.Solver]("auto", nil),
		cli.W("proximal", func(int64) svm.Solver { return svm.ProximalNewton{} }),
		cli.W("dcd", func(int64) svm.Solver { return svm.DualCoordinate{} }),
		cli.W("newton", func(int64) svm.Solver { return svm.Newton{} }),
		cli.W("smo", func(cache int64) svm.Solver { return svm.SMO{CacheBytes: cache} }),
		cli.W("decomposition", func(cache int64) svm.Solver { return svm.Decomposition{MemoryBytes: cache} }),
		cli.W("pegasos", func(int64) svm.Solver { return svm.Pegasos{} }),
	}
)

const mostCache = 1 << 30 // MiB

// check says, before a long read, what is wrong with the flags alone. tried are the kernels that the
// command will try; none stands for the one of -kernel. Every error is a *cli.UsageError.
func (p *problemFlags) check(fs *flag.FlagSet, _ []string, tried ...string) error {
	if p.multi == crammerSinger && !cli.Given(fs, "bias") {
		p.bias = "penalized"
	}
	problem, err := p.problem(nil)
	if err != nil {
		return inFlag(fs, err)
	}
	for _, check := range []func() error{
		func() error { return p.checkValues(fs) },
		func() error { return p.checkMulti(fs) },
		func() error { return p.checkSolver(fs, problem) },
		func() error { return p.checkEffects(fs, tried) },
		func() error { return p.readFlags.check(fs) },
		func() error { return p.weights.check(fs, p.regression()) },
		func() error { return p.table.check(fs) },
	} {
		if err := check(); err != nil {
			return err
		}
	}
	if p.regression() && p.positive != "" {
		return cli.WrongUse(fs, "-positive names a class, but a regression has none")
	}
	return nil
}

// checkSolver finds out whether the problem can be solved, and whether the solver can.
func (p *problemFlags) checkSolver(fs *flag.FlagSet, problem *svm.Problem) error {
	if err := problem.Check(nil); err != nil {
		return inFlag(fs, err)
	}
	var wrong *svmkit.ParamError
	if err := problem.Check(p.makeSolver()); !errors.As(err, &wrong) {
		return err
	}
	flag, able, other := flagOf[wrong.Name], []string(nil), *p
	for _, other.solver = range solvers.Names() {
		if problem.Check(other.makeSolver()) == nil {
			able = append(able, other.solver)
		}
	}
	hint := "-solver " + cli.Or(able)
	switch {
	case flag == "bias":
		hint = "-bias penalized or none"
	case flag == "C":
		hint = "a finite -C, or " + hint
	case flag == "solver" && p.kernel != "linear":
		flag = "kernel"
	case flag == "solver":
		flag = "loss"
	}
	return cli.WrongUse(fs, "-solver %s does not go with -%s %s: use %s", p.solver, flag, fs.Lookup(flag).Value, hint)
}

// checkValues finds values out of their range.
func (p *problemFlags) checkValues(fs *flag.FlagSet) error {
	finite := func(v float64) bool { return v > 0 && !math.IsInf(v, 1) }
	for _, rule := range []struct {
		flag  string
		right bool
		need  string
	}{
		{"C", p.c > 0, "must be positive"},
		{"C-positive", finite(p.cPositive), "must be positive and finite"},
		{"C-negative", finite(p.cNegative), "must be positive and finite"},
		{"tol", finite(p.tol), "must be positive and finite"},
		{"gamma", !p.gamma.set || p.gamma.value > 0, "must be positive"},
		{"degree", p.degree >= 1, "must be 1 or more"},
		{"max-iterations", p.maxIterations >= 1, "must be 1 or more"},
		{"threads", p.threads >= 1, "must be 1 or more"},
		{"cache", p.cache >= 1 && p.cache <= mostCache, fmt.Sprintf("must be 1 to %d", mostCache)},
	} {
		if !rule.right {
			return cli.WrongUse(fs, "-%s %s: %s", rule.flag, fs.Lookup(rule.flag).Value, rule.need)
		}
	}
	return nil
}

// checkMulti finds flags that do not go with -multi.
func (p *problemFlags) checkMulti(fs *flag.FlagSet) error {
	if p.multi == "" {
		return nil
	}
	joint := p.multi == crammerSinger
	for _, rule := range []struct {
		broken bool
		says   string
	}{
		{p.regression(), "is for classes, but a regression has none"},
		{p.positive != "", "does not go with -positive, which makes two classes"},
		{p.multi != oneVsRest && (p.cPositive != 1 || p.cNegative != 1), "has no classes +1 and −1, so -C-positive and -C-negative have no effect"},
		{joint && p.loss != "hinge", "goes with -loss hinge only"},
		{joint && p.kernel != "linear", "goes with -kernel linear only"},
		{joint && p.bias == "free", "does not go with -bias free: use -bias penalized or none"},
		{joint && p.solver != "auto", "has its own solver: leave out -solver"},
		{joint && math.IsInf(p.c, 1), "needs a finite -C"},
	} {
		if rule.broken {
			return cli.WrongUse(fs, "-multi %s: %s", p.multi, rule.says)
		}
	}
	return nil
}

// checkEffects refuses flags that no kernel, loss or solver of the command uses.
func (p *problemFlags) checkEffects(fs *flag.FlagSet, tried []string) error {
	if tried == nil {
		tried = []string{p.kernel}
	}
	none := func(parameter string) bool { return len(having(parameter, tried)) == 0 }
	without := func(parameter string) string {
		return "without -kernel " + strings.Join(having(parameter, kernels), " or ")
	}
	cached := p.solver == "smo" || p.solver == "decomposition" || p.solver == "auto" && slices.ContainsFunc(tried, bySMO)
	return cli.CheckIdle(fs,
		cli.NoEffect("gamma", none("gamma"), "with -kernel linear, the default: is -kernel rbf missing?"),
		cli.NoEffect("degree", none("degree"), without("degree")),
		cli.NoEffect("coef0", none("coef0"), without("coef0")),
		cli.NoEffect("epsilon", !p.regression(), "without a -loss with a tube: eps-insensitive or squared-eps-insensitive"),
		cli.NoEffect("cache", !cached, "here: -solver smo and decomposition keep kernel rows, and -solver auto for all "+
			"kernels but linear and rbf"))
}

// having returns the names of the kernels that have a parameter.
func having(parameter string, names []string) []string {
	return slices.DeleteFunc(slices.Clone(names), func(name string) bool {
		kind, known := kernel.KindNamed(name)
		return !known || !kind.Has(parameter)
	})
}

// bySMO reports whether SMO solves every problem with a kernel, unless -solver names another. The
// solver for rbf depends on the number of rows.
func bySMO(kernel string) bool { return kernel != "linear" && kernel != "rbf" }

// problem returns the problem of the flags for a set of numbers, or for one that is not read yet, nil.
func (p *problemFlags) problem(set *svmkit.Dataset) (*svm.Problem, error) {
	kind, _ := kernel.KindNamed(p.kernel)
	gamma := p.gamma.value
	if !p.gamma.set {
		scale, formula := kernel.ScaleGamma, "1/(d·variance)"
		if kind.Measure == kernel.ManhattanDistance {
			scale, formula = kernel.ScaleLaplacian, "1/(d·√variance)"
		}
		if gamma = 1; set != nil && (p.gamma.scale || kind.Measure != kernel.InnerProduct) {
			gamma = scale(set)
		}
		if !(gamma > 0) {
			return nil, cli.WrongUse(cli.FlagSet(""), "without -gamma, γ is %s, which is %v for these numbers: scale the columns, "+
				"or use -gamma", formula, gamma)
		}
	}
	k, err := kernel.Named(p.kernel, gamma, p.degree, p.coef0)
	if err != nil {
		return nil, err
	}
	l, err := loss.Named(p.loss, p.epsilon)
	return &svm.Problem{Data: set, Kernel: k, Loss: l, Bias: biases.Meaning(p.bias),
		C: svm.Cost{C: p.c, Positive: p.cPositive, Negative: p.cNegative}}, err
}

// makeSolver returns the solver of -solver; nil lets package svm choose one.
func (p *problemFlags) makeSolver() svm.Solver {
	if make := solvers.Meaning(p.solver); make != nil {
		return make(p.cache << 20)
	}
	if bySMO(p.kernel) {
		return svm.SMO{CacheBytes: p.cache << 20}
	}
	return nil
}
