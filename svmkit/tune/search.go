package tune

import (
	"cmp"
	"context"
	"fmt"
	"math"
	"slices"
	"strconv"
	"strings"

	"gonum.org/v1/gonum/floats"

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
// previous is the model of the same rows and all parameters but C at the C before, to start from; nil
// at the first C. A ParamFitter may ignore it, as those of [FromParams] do. One that uses it must
// reach its tolerance from any start. Measure before you use it: of 16 paths over 20 values of C from
// 0.001 to 10 on the sets of package samples, six took less time, down to a quarter (spambase, linear,
// with a penalized bias), and ten took more, up to 1.5 times. BenchmarkWarmStarts shows how.
type ParamFitter func(ctx context.Context, train *svmkit.Dataset, p Params, previous svmkit.Model) (svmkit.Model, error)

// FromParams returns the ParamFitter that trains by the fitter of each point of a grid, without warm
// starts:
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
// γ and the degree are for the kernels that have them, see [kernel.Kinds]: a linear kernel is one
// point for each C and ε.
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
	for _, k := range orZero(g.Kernel, true) {
		kind, named := kernel.KindNamed(k)
		for _, gamma := range orZero(g.Gamma, kind.Has("gamma") || !named) {
			for _, degree := range orZero(g.Degree, kind.Has("degree") || !named) {
				for _, epsilon := range orZero(g.Epsilon, true) {
					paths = append(paths, Params{Gamma: gamma, Epsilon: epsilon, Degree: degree, Kernel: k})
				}
			}
		}
	}
	return paths
}

// orZero returns the values of a parameter that a kernel has, or the zero value alone.
func orZero[T any](values []T, has bool) []T {
	if values == nil || !has {
		return make([]T, 1)
	}
	return values
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

// Best returns the point with the best mean value; of equally good ones the simplest.
//
// It is that of the kernel that stands first in the grid, then with the smallest C, then γ, then degree, then with the
// largest ε. Only points with all folds finished take part; ok is false if there is none.
func (s *Selection) Best() (best Point, ok bool) {
	for _, p := range s.Points {
		if p.complete() && (!ok || s.better(p.Mean, best.Mean) || p.Mean == best.Mean && s.simpler(p.Params, best.Params)) {
			best, ok = p, true
		}
	}
	return best, ok
}

// OneStandardError returns the simplest point, in the order of Best, whose mean is within one standard error of the best.
//
// See Breiman, Friedman, Olshen and Stone 1984, section 3.4.3. ok is as in Best.
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
	if g.Kernel != nil && len(g.Kernel) == 0 {
		return wrong("Kernel", g.Kernel, "must be nil or not empty")
	}
	gamma, degree := g.Kernel == nil, g.Kernel == nil // whether a kernel has it
	for i, k := range g.Kernel {
		kind, known := kernel.KindNamed(k)
		if !known || slices.Contains(g.Kernel[:i], k) {
			return wrong("Kernel", k, "must be of "+strings.Join(kernel.Names(), ", ")+", each once")
		}
		gamma, degree = gamma || kind.Has("gamma"), degree || kind.Has("degree")
	}
	switch {
	case g.Gamma != nil && !gamma:
		return wrong("Gamma", g.Gamma, "has no effect: no kernel of the grid has a γ")
	case g.Degree != nil && !degree:
		return wrong("Degree", g.Degree, "has no effect: the grid has no kernel poly")
	}
	return nil
}

// Inner says how parameters are chosen from training rows alone.
//
// Its folds are drawn by [Folds], also within [GroupFolds] and [TimeFolds], where the choice may be a worse one.
type Inner struct {
	Folds            int    // number of inner folds, ≥ 2; 0 means 5
	Seed             uint64 // of their shuffling
	Grid             Grid
	OneStandardError bool   // choose by [Selection.OneStandardError], and not [Selection.Best]
	Metric           Metric // zero: Accuracy; Nested takes that of the Validation
}

// TunedModel is a model with the parameters that were chosen for it.
type TunedModel struct {
	Model svmkit.Model
	Params
	Selection *Selection // all that was tried
}

// Fit cuts its training rows into folds, searches the grid on them, and trains on all of them at
// the chosen parameters.
func (n Inner) Fit(ctx context.Context, set *svmkit.Dataset, train ParamFitter) (*TunedModel, error) {
	folds, err := Folds(set, cmp.Or(n.Folds, 5), n.Seed)
	if err != nil {
		return nil, err
	}
	// One thread: the outer folds are what runs in parallel.
	v := Validation{Folds: folds, Metric: n.Metric, Threads: 1}
	found, err := v.Search(ctx, set, train, n.Grid)
	if err != nil {
		return nil, err
	}
	choice, _ := found.Best() // without an error all points are finished
	if n.OneStandardError {
		choice, _ = found.OneStandardError()
	}
	model, err := trained(train(ctx, set, choice.Params, nil))
	if err != nil {
		return nil, err
	}
	return &TunedModel{Model: model, Params: choice.Params, Selection: found}, nil
}

// Fitter returns Fit as a [svmkit.Fitter] of the models of train. Cross-validating it is nested
// cross-validation.
func (n Inner) Fitter(train ParamFitter) svmkit.Fitter {
	return func(ctx context.Context, set *svmkit.Dataset) (svmkit.Model, error) {
		tuned, err := n.Fit(ctx, set, train)
		if err != nil {
			return nil, err
		}
		return tuned.Model, nil
	}
}

// NestedResult is what a procedure that chooses its own parameters reaches on rows that had no
// part in the choice.
type NestedResult struct {
	CVResult
	Chosen []Params // in each outer fold; zero where it was not finished
}

// Nested cross-validates [Inner.Fit] on the Train rows of each fold of v, and measures on the Test
// rows. Errors as for [Validation.CrossValidate].
func (v Validation) Nested(ctx context.Context, set *svmkit.Dataset, train ParamFitter, inner Inner) (*NestedResult, error) {
	if train == nil {
		return nil, notNil("train")
	}
	if err := inner.Grid.validate(); err != nil {
		return nil, err
	}
	inner.Metric = v.Metric
	r := &NestedResult{Chosen: make([]Params, len(v.Folds))}
	outer, err := v.evaluate(ctx, set, make([]Point, 1), nil, func(ctx context.Context, fold int, set *svmkit.Dataset, _ Params, _ svmkit.Model) (svmkit.Model, error) {
		tuned, err := inner.Fit(ctx, set, train)
		if err != nil {
			return nil, err
		}
		r.Chosen[fold] = tuned.Params
		return tuned.Model, nil
	})
	if outer == nil {
		return nil, err
	}
	r.CVResult = outer[0].CVResult
	return r, err
}

// mostLogSpace is far beyond what is ever searched; a wrong n must not ask for all the memory there is.
const mostLogSpace = 1_000_000

// LogSpace returns n values from lo to hi, each a fixed multiple of the one before.
//
// Values are rounded to 14 digits: LogSpace(0.01, 100, 5) is 0.01, 0.1, 1, 10, 100, and not
// 0.10000000000000005. 0 < lo < hi, 2 ≤ n ≤ 1,000,000.
func LogSpace(lo, hi float64, n int) ([]float64, error) {
	if n < 2 || n > mostLogSpace {
		return nil, wrong("n", n, "must lie in 2 … 1,000,000")
	}
	if !(lo > 0 && lo < hi) || math.IsInf(hi, 1) {
		return nil, wrong("lo, hi", [2]float64{lo, hi}, "must be finite, 0 < lo < hi")
	}
	values := floats.LogSpan(make([]float64, n), lo, hi)
	for k, v := range values {
		values[k], _ = strconv.ParseFloat(strconv.FormatFloat(v, 'g', 14, 64), 64) // no error: it was just written
	}
	values[0], values[n-1] = lo, hi
	return values, nil
}
