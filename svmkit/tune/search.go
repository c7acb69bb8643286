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

// Params holds the kernel and the numbers to search for. A parameter that is not searched for is
// zero.
type Params struct {
	C       float64 // weight of the loss
	Gamma   float64 // γ of the kernel; 0 if it has none
	Epsilon float64 // half-width of the tube of a regression
	Degree  int     // of a polynomial kernel; 0 if there is none
	// Kernel is linear, poly, rbf, laplacian or sigmoid, as kernel.Named takes them.
	Kernel string
}

// String returns the parameters that are not zero, as in "C = 1, γ = 0.1".
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

// ParamFitter trains a model for given parameters. Follow the rules of [svmkit.Fitter].
//
// previous is the model of the same rows for the previous C and otherwise equal parameters, or nil
// at the first C. A ParamFitter may use it as a warm start, or ignore it, as [FromParams] does. If
// it uses previous, it must reach its tolerance from any start. Measure first: warm starts slowed
// ten of the 16 paths that we measured, by up to 1.5 times, and made six faster, up to four times;
// see BenchmarkWarmStarts.
type ParamFitter func(ctx context.Context, train *svmkit.Dataset, p Params, previous svmkit.Model) (svmkit.Model, error)

// FromParams returns a ParamFitter that trains with the fitter of each point of a grid, without
// warm starts:
//
//	tune.FromParams(func(p tune.Params) svmkit.Fitter {
//		rbf := kernel.RBF{Gamma: p.Gamma}
//		return svm.Fitter(svm.Problem{C: svm.PerSum(p.C), Kernel: rbf}, nil, nil)
//	})
//
// To search several kernels, make them from p with kernel.Named. An error of the fitter becomes a
// [*FoldError], which names the point.
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

// At returns the fitter for fixed parameters, without a warm start.
func (f ParamFitter) At(p Params) svmkit.Fitter {
	return func(ctx context.Context, train *svmkit.Dataset) (svmkit.Model, error) {
		if f == nil {
			return nil, notNil("train")
		}
		return f(ctx, train, p, nil)
	}
}

// Grid lists the values of each parameter to search. Its points are all combinations.
//
// γ and the degree apply to the kernels that have them, see [kernel.Kinds]: a linear kernel is one
// point for each C and ε. A nil list means that the parameter is not searched.
type Grid struct {
	// C is > 0, with at least one value, in the order in which each model may start from the
	// previous one.
	C       []float64
	Gamma   []float64 // > 0
	Epsilon []float64 // > 0
	Degree  []int     // ≥ 1; needs poly in Kernel, or no Kernel
	Kernel  []string  // names of [Params], each once, the simplest first
}

// paths returns the points without C.
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

// Point is a point of the grid with its results.
type Point struct {
	Params
	CVResult
}

// Selection holds the results of a search.
type Selection struct {
	Points []Point // in the order of the grid: for each kernel, γ, degree and ε all C
	higher bool
}

// Search cross-validates every point of the grid.
//
// Within a fold, the values of C for otherwise equal parameters are tried in order, and each model
// is passed to the next as its start. Everything else runs in parallel.
//
// Errors are the errors of [Validation.CrossValidate]; the [*FoldError] names the parameters, too.
// When ctx ends, Search returns all finished values together with the error of ctx.
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

// Best returns the point with the best mean value, and the simplest of several equal ones.
//
// The simplest point has the first kernel in the grid, then the smallest C, γ and degree, then the
// largest ε. Only points with all folds finished are considered; ok is false if there is none.
func (s *Selection) Best() (best Point, ok bool) {
	for _, p := range s.Points {
		if p.complete() && (!ok || s.better(p.Mean, best.Mean) || p.Mean == best.Mean && s.simpler(p.Params, best.Params)) {
			best, ok = p, true
		}
	}
	return best, ok
}

// OneStandardError returns the simplest point whose mean is within one standard error of the best.
//
// Simplest and ok are as in [Selection.Best]. Source: Breiman, Friedman, Olshen and Stone 1984,
// section 3.4.3.
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

// simpler reports whether p comes before q: a smaller C means a smaller ‖w‖, but only with one
// kernel.
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

// Inner selects how to choose parameters from training rows only.
//
// Its folds are drawn by [Folds], also within [GroupFolds] and [TimeFolds], where the choice may be
// worse.
type Inner struct {
	Folds int    // number of inner folds, ≥ 2; default 5
	Seed  uint64 // seed of their shuffling
	Grid  Grid
	// OneStandardError chooses by [Selection.OneStandardError] instead of [Selection.Best].
	OneStandardError bool
	// Metric has the default Accuracy. Nested uses the Metric of the Validation.
	Metric Metric
}

// TunedModel is a model with the parameters that were chosen for it.
type TunedModel struct {
	Model svmkit.Model
	Params
	Selection *Selection // results of the whole search
}

// Fit chooses parameters by cross-validation within set, and trains on all of its rows with the
// chosen ones.
func (n Inner) Fit(ctx context.Context, set *svmkit.Dataset, train ParamFitter) (*TunedModel, error) {
	folds, err := Folds(set, cmp.Or(n.Folds, 5), n.Seed)
	if err != nil {
		return nil, err
	}
	// One thread: the outer folds run in parallel.
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

// NestedResult holds the values of a procedure that chooses its own parameters, on rows without a
// part in the choice.
type NestedResult struct {
	CVResult
	Chosen []Params // in each outer fold; zero if it was not finished
}

// Nested cross-validates [Inner.Fit] on the Train rows of each fold of v, and measures on the Test
// rows. It has the errors of [Validation.CrossValidate].
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

// mostLogSpace is far more than any search needs, so that a wrong n does not use up the memory.
const mostLogSpace = 1_000_000

// LogSpace returns n values from lo to hi, each a fixed multiple of the previous one.
//
// Values are rounded to 14 digits, so LogSpace(0.01, 100, 5) is exactly 0.01, 0.1, 1, 10, 100.
// Ranges: 0 < lo < hi, 2 ≤ n ≤ 1,000,000.
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
