package tune

import (
	"cmp"
	"context"
	"fmt"
	"math"
	"slices"
	"strings"

	"github.com/svmkit/course/svmkit"
	"github.com/svmkit/course/svmkit/kernel"
)

// Params are the numbers that are searched for, and the kernel; what is not searched for is zero.
type Params struct {
	C       float64 // weight of the loss
	Gamma   float64 // γ of the kernel; 0 where it has none
	Epsilon float64 // half-width of the tube of a regression
	Degree  int     // of a polynomial kernel; 0 where there is none
	Kernel  string  // linear, poly, rbf, laplacian or sigmoid, as kernel.Named takes them
}

// String gives the parameters that are not zero, as in "C = 1, γ = 0.1".
func (p Params) String() string {
	var b strings.Builder
	if p.Kernel != "" {
		fmt.Fprintf(&b, "%s kernel, ", p.Kernel)
	}
	fmt.Fprintf(&b, "C = %g", p.C)
	if p.Gamma != 0 {
		fmt.Fprintf(&b, ", γ = %g", p.Gamma)
	}
	if p.Degree != 0 {
		fmt.Fprintf(&b, ", degree %d", p.Degree)
	}
	if p.Epsilon != 0 {
		fmt.Fprintf(&b, ", ε = %g", p.Epsilon)
	}
	return b.String()
}

// ParamFitter trains a model for given parameters. See [svmkit.Fitter] for what it must hold.
//
// previous is the model of the same rows and all parameters but C at the C before, to start from. It
// is nil at the first C. A ParamFitter may ignore it, as those of [FromParams] do. One that uses it
// must reach its tolerance from any start.
//
// With this library's solvers such a start is worth measuring, not more. Of 16 paths over 20 values of
// C from 0.001 to 10, six took less time with it, down to a quarter (spambase, linear, with a
// penalized bias), and ten took more, up to 1.5 times, on the sets of package samples. With kernels it
// was 0.9 to 1.2 times. BenchmarkWarmStarts shows how to measure it.
type ParamFitter func(ctx context.Context, train *svmkit.Dataset, p Params, previous svmkit.Model) (svmkit.Model, error)

// FromParams returns the ParamFitter that trains by the fitter of each point of a grid, without warm
// starts. With package svm:
//
//	tune.FromParams(func(p tune.Params) svmkit.Fitter {
//		return svm.Fitter(svm.Problem{C: svm.PerSum(p.C), Kernel: kernel.RBF{Gamma: p.Gamma}}, nil, nil)
//	})
//
// Over several kernels, kernel.Named makes them of p. What the fitter refuses is a [*FoldError], which
// names the point.
func FromParams(fitter func(Params) svmkit.Fitter) ParamFitter {
	if fitter == nil {
		return nil
	}
	return func(ctx context.Context, train *svmkit.Dataset, p Params, _ svmkit.Model) (svmkit.Model, error) {
		fit := fitter(p)
		if fit == nil {
			return nil, notNil("fitter's result")
		}
		return fit(ctx, train)
	}
}

func notNil(name string) error {
	return &svmkit.ParamError{Name: name, Value: nil, Need: "must not be nil"}
}

// At returns the fitter at fixed parameters and without a start.
func (f ParamFitter) At(p Params) svmkit.Fitter {
	return func(ctx context.Context, train *svmkit.Dataset) (svmkit.Model, error) {
		if f == nil {
			return nil, notNil("train")
		}
		return f(ctx, train, p, nil)
	}
}

// Grid is the set of all points with parameters from these lists.
//
// γ and the degree are for the kernels that have them, see [kernel.Kinds]. So a linear kernel is one
// point for each C and ε, however many γ there are.
type Grid struct {
	C       []float64 // > 0, at least one; in the order in which each model may start from the one before
	Gamma   []float64 // > 0; nil where γ is not searched for
	Epsilon []float64 // > 0; nil where ε is not searched for
	Degree  []int     // ≥ 1; nil where the degree is not searched for. It needs poly in Kernel, or no Kernel
	Kernel  []string  // names of [Params], each once, the simplest first; nil where the kernel is not searched for
}

// paths returns the points with C left out.
func (g Grid) paths() []Params {
	var paths []Params
	kernels := g.Kernel
	if kernels == nil {
		kernels = []string{""}
	}
	for _, k := range kernels {
		kind, named := kernel.KindNamed(k)
		gammas, degrees := []float64{0}, []int{0}
		if g.Gamma != nil && (kind.Has("gamma") || !named) {
			gammas = g.Gamma
		}
		if g.Degree != nil && (kind.Has("degree") || !named) {
			degrees = g.Degree
		}
		epsilons := g.Epsilon
		if epsilons == nil {
			epsilons = []float64{0}
		}
		for _, gamma := range gammas {
			for _, degree := range degrees {
				for _, epsilon := range epsilons {
					paths = append(paths, Params{Gamma: gamma, Epsilon: epsilon, Degree: degree, Kernel: k})
				}
			}
		}
	}
	return paths
}

// Point is a point of the grid with its values.
type Point struct {
	Params
	CVResult
}

// Selection holds what a search has found.
type Selection struct {
	Points []Point // in the order of the grid: for each kernel, γ, degree and ε all C
	higher bool
}

// Search cross-validates every point of the grid. The values of C at the same other parameters are run
// through in order within a fold, each model handed to the next as its start. All else runs in parallel.
//
// Errors are those of [Validation.CrossValidate]; the [*FoldError] names the parameters, too.
// When ctx ends, all values that are finished are returned together with ctx's error.
func (v Validation) Search(ctx context.Context, set *svmkit.Dataset, train ParamFitter, grid Grid) (*Selection, error) {
	if err := grid.validate(); err != nil {
		return nil, err
	}
	if train == nil {
		return nil, notNil("train")
	}
	var points []Point
	for _, p := range grid.paths() {
		for _, p.C = range grid.C {
			points = append(points, Point{Params: p})
		}
	}
	points, err := v.evaluate(ctx, set, points, grid.C, func(ctx context.Context, _ int, set *svmkit.Dataset, p Params, previous svmkit.Model) (svmkit.Model, error) {
		return train(ctx, set, p, previous)
	})
	if points == nil {
		return nil, err
	}
	return &Selection{Points: points, higher: v.metric().Higher}, err
}

// Best returns the point with the best mean value; of equally good ones the simplest: that of the kernel that stands first
// in the grid, then with the smallest C, then γ, then degree, then with the largest ε, whose model has the fewest support
// vectors. Only points with all folds finished take part; ok is false if there is none.
func (s *Selection) Best() (best Point, ok bool) {
	for _, p := range s.Points {
		if p.complete() && (!ok || s.better(p.Mean, best.Mean) || p.Mean == best.Mean && s.simpler(p.Params, best.Params)) {
			best, ok = p, true
		}
	}
	return best, ok
}

// OneStandardError returns the simplest point, in the order of Best, whose mean is no worse than that of the best by more
// than the best one's standard error (Breiman, Friedman, Olshen and Stone 1984, section 3.4.3). ok is as in Best.
func (s *Selection) OneStandardError() (simplest Point, ok bool) {
	best, ok := s.Best()
	if !ok {
		return best, false
	}
	limit, simplest := best.Mean, best
	if !math.IsNaN(best.StdErr) { // a single fold has none
		if s.higher {
			limit -= best.StdErr
		} else {
			limit += best.StdErr
		}
	}
	for _, p := range s.Points {
		if p.complete() && !s.better(limit, p.Mean) && s.simpler(p.Params, simplest.Params) {
			simplest = p
		}
	}
	return simplest, true
}

func (s *Selection) better(a, b float64) bool {
	if s.higher {
		return a > b
	}
	return a < b
}

// simpler reports whether p comes before q: a smaller C means a smaller ‖w‖, but only with one kernel.
func (s *Selection) simpler(p, q Params) bool {
	if p.Kernel != q.Kernel {
		first := slices.IndexFunc(s.Points, func(r Point) bool { return r.Kernel == p.Kernel || r.Kernel == q.Kernel })
		return s.Points[first].Kernel == p.Kernel
	}
	return cmp.Or(cmp.Compare(p.C, q.C), cmp.Compare(p.Gamma, q.Gamma), cmp.Compare(p.Degree, q.Degree), cmp.Compare(q.Epsilon, p.Epsilon)) < 0
}

func (g Grid) validate() error {
	wrong := func(name string, value any, need string) error {
		return &svmkit.ParamError{Name: "Grid." + name, Value: value, Need: need}
	}
	if len(g.C) == 0 {
		return wrong("C", g.C, "must not be empty")
	}
	for _, list := range []struct {
		name   string
		values []float64
	}{{"C", g.C}, {"Gamma", g.Gamma}, {"Epsilon", g.Epsilon}} {
		if list.values != nil && len(list.values) == 0 {
			return wrong(list.name, list.values, "must be nil or not empty")
		}
		for _, v := range list.values {
			if !(v > 0) || math.IsInf(v, 1) {
				return wrong(list.name, v, "must be positive and finite")
			}
		}
	}
	if g.Degree != nil && len(g.Degree) == 0 {
		return wrong("Degree", g.Degree, "must be nil or not empty")
	}
	for _, d := range g.Degree {
		if d < 1 {
			return wrong("Degree", d, "must be 1 or more")
		}
	}
	return g.validateKernels(wrong)
}

// validateKernels finds kernels without a name that is known, and lists without a kernel that has their parameter.
func (g Grid) validateKernels(wrong func(name string, value any, need string) error) error {
	if g.Kernel == nil {
		return nil
	}
	if len(g.Kernel) == 0 {
		return wrong("Kernel", g.Kernel, "must be nil or not empty")
	}
	gamma, degree := false, false
	for i, k := range g.Kernel {
		kind, known := kernel.KindNamed(k)
		if !known || slices.Contains(g.Kernel[:i], k) {
			return wrong("Kernel", k, "must be of "+strings.Join(kernel.Names(), ", ")+", each once")
		}
		gamma, degree = gamma || kind.Has("gamma"), degree || kind.Has("degree")
	}
	if g.Gamma != nil && !gamma {
		return wrong("Gamma", g.Gamma, "has no effect: no kernel of the grid has a γ")
	}
	if g.Degree != nil && !degree {
		return wrong("Degree", g.Degree, "has no effect: the grid has no kernel poly")
	}
	return nil
}
