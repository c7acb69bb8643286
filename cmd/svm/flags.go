package main

import (
	"bytes"
	"context"
	"errors"
	"flag"
	"fmt"
	"io"
	"math"
	"strconv"
	"strings"

	"github.com/svmkit/course/svmkit"
	"github.com/svmkit/course/svmkit/dataset"
	"github.com/svmkit/course/svmkit/kernel"
	"github.com/svmkit/course/svmkit/loss"
	"github.com/svmkit/course/svmkit/svm"
)

// flagSet returns an empty set of flags.
func flagSet(name string) *flag.FlagSet {
	fs := flag.NewFlagSet(name, flag.ContinueOnError)
	fs.SetOutput(io.Discard) // what is wrong is in the error, and parse prints the help
	return fs
}

// parse reads flags and exactly len(what) other arguments, in any order. It answers -h with
// the help text and the flags.
func (a *app) parse(fs *flag.FlagSet, help string, args []string, what ...string) ([]string, error) {
	var files []string
	for {
		if err := fs.Parse(args); errors.Is(err, flag.ErrHelp) {
			var b bytes.Buffer
			b.WriteString(help + "\nFlags\n")
			fs.SetOutput(&b)
			fs.PrintDefaults()
			if _, failed := a.out.Write(b.Bytes()); failed != nil {
				return nil, failed
			}
			return nil, err
		} else if err != nil {
			return nil, &usageError{fs.Name(), likely(fs, err)}
		}
		if fs.NArg() == 0 {
			break
		}
		files, args = append(files, fs.Arg(0)), fs.Args()[1:]
	}
	if len(files) != len(what) {
		return nil, &usageError{fs.Name(), fmt.Errorf("%d arguments %q, wanted: %s", len(files), files, strings.Join(what, " "))}
	}
	return files, nil
}

// problemFlags say what is to be solved, and how.
type problemFlags struct {
	loss, kernel, bias, solver     string
	multi                          string
	c, cPositive, cNegative        float64
	gamma, coef0, epsilon, tol     float64
	degree, maxIterations, threads int
	seed                           uint64
	cache                          int64
	classFlags                     classFlags
	weights                        weightFlags
	table                          tableFlags
	gammaSet                       bool     // gamma is γ; else it is the default
	gammaScale                     bool     // the default is that of rbf for every kernel
	kernels                        []string // that grid tries; nil: kernel alone
}

func (p *problemFlags) define(fs *flag.FlagSet) {
	fs.Float64Var(&p.c, "C", 1, "weight of the losses' sum in ½‖w‖² + C·Σℓ; inf is the hard margin")
	fs.StringVar(&p.kernel, "kernel", "linear", "linear ⟨x,z⟩, poly (γ⟨x,z⟩ + c₀)^degree, rbf exp(−γ‖x−z‖²), laplacian exp(−γ‖x−z‖₁)\nor sigmoid tanh(γ⟨x,z⟩ + c₀)")
	fs.Var(&gamma{p}, "gamma", "γ of the kernel, a `number` or scale: 1/(d·variance) with d columns, the variance that of all numbers of\nthe training set, zeros included (default scale for rbf and laplacian; 1 for poly and sigmoid)")
	fs.IntVar(&p.degree, "degree", 3, "degree of the polynomial kernel")
	fs.Float64Var(&p.epsilon, "epsilon", 0.1, "half-width of the tube of a regression, in units of the target")
	p.defineRest(fs)
}

// defineRest defines all flags but those that grid searches.
func (p *problemFlags) defineRest(fs *flag.FlagSet) {
	fs.StringVar(&p.loss, "loss", "hinge", "hinge, squared-hinge or logistic for two classes; eps-insensitive or squared-eps-insensitive\nfor a regression; the squares have no factor ½")
	fs.Float64Var(&p.cPositive, "C-positive", 1, "factor of C for the class +1; in a regression, for scores above the tube")
	fs.Float64Var(&p.cNegative, "C-negative", 1, "factor of C for the class −1; in a regression, for scores below the tube")
	fs.StringVar(&p.bias, "bias", "free", "free (the textbook's), penalized (LIBLINEAR's -B 1) or none")
	fs.Float64Var(&p.coef0, "coef0", 0, "c₀ of the kernel")
	fs.Float64Var(&p.tol, "tol", 1e-3, "relative duality gap to reach")
	fs.StringVar(&p.solver, "solver", "auto", solverNames())
	fs.IntVar(&p.maxIterations, "max-iterations", 10_000, "iterations of the solver, mostly passes over the data, after which to give up")
	fs.Uint64Var(&p.seed, "seed", 1, "of all random numbers: same seed, same result")
	fs.Int64Var(&p.cache, "cache", 256, "memory for the kernel rows of one fit, in MiB")
	p.classFlags.define(fs, "of two classes the larger number, or the second name in the alphabet")
	p.weights.define(fs)
	p.defineMulti(fs)
	p.table.define(fs)
}

// regression reports whether the labels are targets.
func (p *problemFlags) regression() bool { return strings.Contains(p.loss, "eps-insensitive") }

// task says how to read the labels.
func (p *problemFlags) task() dataset.Task {
	if p.regression() {
		return dataset.Regression
	}
	return dataset.Classification
}

// checkTogether says, before a long read, what is wrong with the flags alone: it fits two rows with them, in a context that
// has ended, for package svm knows best which loss, kernel, bias and solver go together. The number of rows and columns it
// cannot know.
func (p *problemFlags) checkTogether(fs *flag.FlagSet, s svm.Solver) error {
	two := &svmkit.Dataset{Dim: 1, X: svmkit.DenseRows([]float64{1, -1}, 1), Y: []float64{1, -1}}
	q, err := p.problem(fs, two)
	if err != nil {
		return err
	}
	if s == nil {
		s = svm.SMO{} // takes what the chosen one takes
		if _, logistic := q.Loss.(loss.Logistic); logistic {
			s = svm.Newton{}
		}
	}
	ended, cancel := context.WithCancel(context.Background())
	cancel()
	var wrong *svmkit.ParamError
	if _, err = svm.Fit(ended, q, s, p.settings()); !errors.As(err, &wrong) {
		return nil
	}
	name, known := flagOf[wrong.Name]
	if !known {
		return &usageError{fs.Name(), err}
	}
	return &usageError{fs.Name(), fmt.Errorf("-%s %s: %s", name, fs.Lookup(name).Value, wrong.Need)}
}

// flagOf names the flag for each parameter of package svm that flags set.
var flagOf = map[string]string{"C": "C", "Loss": "loss", "Kernel": "kernel", "Bias": "bias", "Solver": "solver", "Gamma": "gamma",
	"Coef0": "coef0", "Degree": "degree", "Epsilon": "epsilon", "Tol": "tol", "MaxIterations": "max-iterations", "CacheBytes": "cache"}

// gamma is the value of -gamma.
type gamma struct{ of *problemFlags }

func (g *gamma) String() string {
	if g.of == nil || !g.of.gammaSet {
		return ""
	}
	return shortest(g.of.gamma)
}

func (g *gamma) Set(text string) error {
	g.of.gammaSet, g.of.gammaScale = text != "scale", text == "scale"
	if g.of.gammaScale {
		return nil
	}
	var err error
	if g.of.gamma, err = strconv.ParseFloat(text, 64); err != nil {
		return errors.New("must be a number, or scale")
	}
	return nil
}

// problem makes the problem for set. Every error is a *usageError.
func (p *problemFlags) problem(fs *flag.FlagSet, set *svmkit.Dataset) (*svm.Problem, error) {
	wrong := func(flag, value, need string) error {
		return &usageError{fs.Name(), fmt.Errorf("-%s %s: %s", flag, value, need)}
	}
	q := &svm.Problem{Data: set, C: svm.Cost{C: p.c, Positive: p.cPositive, Negative: p.cNegative}}
	for _, v := range []struct {
		flag  string
		value float64
		inf   bool
	}{{"C", p.c, true}, {"C-positive", p.cPositive, false}, {"C-negative", p.cNegative, false}, {"tol", p.tol, false}} {
		if !(v.value > 0) {
			return nil, wrong(v.flag, fmt.Sprint(v.value), "must be positive")
		}
		if math.IsInf(v.value, 1) && !v.inf {
			return nil, wrong(v.flag, fmt.Sprint(v.value), "must be finite")
		}
	}
	switch p.loss {
	case "hinge":
		q.Loss = loss.Hinge{}
	case "squared-hinge":
		q.Loss = loss.SquaredHinge{}
	case "logistic":
		q.Loss = loss.Logistic{}
	case "eps-insensitive":
		q.Loss = loss.EpsInsensitive{Epsilon: p.epsilon}
	case "squared-eps-insensitive":
		q.Loss = loss.SquaredEpsInsensitive{Epsilon: p.epsilon}
	default:
		return nil, wrong("loss", p.loss, "must be hinge, squared-hinge, logistic, eps-insensitive or squared-eps-insensitive")
	}
	switch p.bias {
	case "free":
		q.Bias = svmkit.FreeBias
	case "penalized":
		q.Bias = svmkit.PenalizedBias
	case "none":
		q.Bias = svmkit.NoBias
	default:
		return nil, wrong("bias", p.bias, "must be free, penalized or none")
	}
	gamma := p.gamma
	if !p.gammaSet {
		gamma = p.defaultGamma(set)
	}
	if !(gamma > 0) && !p.gammaSet {
		return nil, &usageError{fs.Name(), fmt.Errorf("without -gamma, γ is 1/(d·variance), which is %v for these numbers: scale the columns, or say -gamma", gamma)}
	}
	if !(gamma > 0) {
		return nil, wrong("gamma", fmt.Sprint(gamma), "must be positive")
	}
	if p.degree < 1 {
		return nil, wrong("degree", fmt.Sprint(p.degree), "must be 1 or more")
	}
	if p.maxIterations < 1 {
		return nil, wrong("max-iterations", fmt.Sprint(p.maxIterations), "must be 1 or more")
	}
	var err error
	if q.Kernel, err = kernel.Named(p.kernel, gamma, p.degree, p.coef0); err != nil {
		return nil, wrong("kernel", p.kernel, "must be linear, poly, rbf, laplacian or sigmoid")
	}
	return q, nil
}

// defaultGamma is γ without -gamma: the library's for a kernel with a default, scikit-learn's for one
// without.
func (p *problemFlags) defaultGamma(set *svmkit.Dataset) float64 {
	if p.gammaScale || p.kernel == "rbf" || p.kernel == "laplacian" {
		return kernel.ScaleGamma(set)
	}
	return 1
}

func (p *problemFlags) settings() *svm.Settings {
	return &svm.Settings{Tol: p.tol, MaxIterations: p.maxIterations, Seed: p.seed}
}

// solvers are the names of -solver, in the order of the help.
var solvers = []struct {
	name, help string
	make       func(p *problemFlags) svm.Solver
}{
	{"auto", "chosen for the problem", func(p *problemFlags) svm.Solver {
		if p.kernel != "linear" && p.kernel != "rbf" { // the RBF's solver depends on the number of rows
			return svm.SMO{CacheBytes: p.cache << 20}
		}
		return nil
	}},
	{"proximal", "proximal Newton, linear, few columns", func(*problemFlags) svm.Solver { return svm.ProximalNewton{} }},
	{"dcd", "dual coordinate descent, linear", func(*problemFlags) svm.Solver { return svm.DualCoordinate{} }},
	{"newton", "Newton's method on the primal, linear, squared losses and logistic", func(*problemFlags) svm.Solver { return svm.Newton{} }},
	{"smo", "pairs of rows, any kernel", func(p *problemFlags) svm.Solver { return svm.SMO{CacheBytes: p.cache << 20} }},
	{"decomposition", "large working sets, any positive semidefinite kernel, best for rbf", func(p *problemFlags) svm.Solver {
		return svm.Decomposition{MemoryBytes: p.cache << 20}
	}},
	{"pegasos", "stochastic subgradients, linear hinge, bias penalized or none", func(*problemFlags) svm.Solver { return svm.Pegasos{} }},
}

func solverNames() string {
	var b strings.Builder
	for k, s := range solvers {
		if k > 0 {
			b.WriteString("\n")
		}
		b.WriteString(s.name + ": " + s.help)
	}
	return b.String()
}

const mostCache = 1 << 30 // MiB

func (p *problemFlags) makeSolver(fs *flag.FlagSet) (svm.Solver, error) {
	if p.cache < 1 || p.cache > mostCache {
		return nil, &usageError{fs.Name(), fmt.Errorf("-cache %d: must be 1 to %d", p.cache, mostCache)}
	}
	var names []string
	for _, s := range solvers {
		if s.name == p.solver {
			return s.make(p), nil
		}
		names = append(names, s.name)
	}
	return nil, &usageError{fs.Name(), fmt.Errorf("-solver %s: must be one of %s", p.solver, strings.Join(names, ", "))}
}
