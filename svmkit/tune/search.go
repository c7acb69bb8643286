package tune

import (
	"context"
	"fmt"
	"math"
	"slices"

	"github.com/svmkit/course/svmkit"
	"github.com/svmkit/course/svmkit/internal/parallel"
)

// Params are the two numbers that are searched for.
type Params struct {
	C     float64 // weight of the loss
	Gamma float64 // width parameter of the kernel; 0 where there is none
}

func (p Params) String() string {
	if p.Gamma == 0 {
		return fmt.Sprintf("C = %g", p.C)
	}
	return fmt.Sprintf("C = %g, γ = %g", p.C, p.Gamma)
}

// Trainer trains a model for given parameters. previous is the model of the same rows and
// γ at the C before, to start from; it is nil at the first C. A trainer may ignore it, and is often faster so: a start
// from there seldom saves this library's solvers time. One that uses it must reach its tolerance from any start. See
// [svmkit.Fitter] for what else holds.
type Trainer func(ctx context.Context, train *svmkit.Dataset, p Params, previous svmkit.Predictor) (svmkit.Predictor, error)

// FromParams returns the trainer that trains by the fitter of each point of a grid, without warm starts. With package svm:
//
//	tune.FromParams(func(p tune.Params) svmkit.Fitter {
//		return svm.Fitter(svm.Problem{C: svm.PerSum(p.C), Kernel: kernel.RBF{Gamma: p.Gamma}}, nil, nil)
//	})
func FromParams(fitter func(Params) svmkit.Fitter) Trainer {
	if fitter == nil {
		return nil
	}
	return func(ctx context.Context, train *svmkit.Dataset, p Params, _ svmkit.Predictor) (svmkit.Predictor, error) {
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

// At returns the trainer at fixed parameters and without a start.
func (t Trainer) At(p Params) svmkit.Fitter {
	return func(ctx context.Context, train *svmkit.Dataset) (svmkit.Predictor, error) {
		if t == nil {
			return nil, notNil("train")
		}
		return t(ctx, train, p, nil)
	}
}

// Grid is the set of points (C, γ) with C and γ from two lists.
type Grid struct {
	C     []float64 // > 0, at least one; in the order of the warm starts: rising is cheapest
	Gamma []float64 // > 0; nil where there is no γ
}

// Point is a point of the grid with its values.
type Point struct {
	Params
	CVResult
}

// Selection holds what a search has found.
type Selection struct {
	Points []Point // for each γ all C, in the order of the grid
	higher bool
}

// Search cross-validates every point of the grid. Within a fold and a γ the values of C are run
// through in order, each model handed to the next as its start; folds and γ in parallel. With C alone
// it is the tuneC of note A, 4.2.5, with its slip repaired (there one variable for the error is
// overwritten in the loop, so that its arg min has nothing to choose from): here every error is kept.
//
// Errors are those of [Validation.CrossValidate]; the [*FoldError] names the parameters, too.
// When ctx ends, all values that are finished are returned together with ctx's error.
func (v Validation) Search(ctx context.Context, set *svmkit.Dataset, train Trainer, grid Grid) (*Selection, error) {
	if ctx == nil {
		return nil, notNil("ctx")
	}
	if err := grid.validate(); err != nil {
		return nil, err
	}
	if train == nil {
		return nil, notNil("train")
	}
	threads, err := v.prepare(set)
	if err != nil {
		return nil, err
	}
	s := &Selection{higher: v.metric().Higher}
	gammas := grid.Gamma
	if gammas == nil {
		gammas = []float64{0}
	}
	for _, gamma := range gammas {
		for _, c := range grid.C {
			s.Points = append(s.Points, Point{Params{C: c, Gamma: gamma}, *newCVResult(len(v.Folds))})
		}
	}
	err = v.runAll(ctx, len(gammas)*len(v.Folds), len(s.Points)*len(v.Folds), threads, func(ctx context.Context, i int, report func() error) error {
		g, f := i/len(v.Folds), i%len(v.Folds)
		trainRows, testRows := v.Folds[f].Of(set)
		var model svmkit.Predictor
		path := s.Points[g*len(grid.C) : (g+1)*len(grid.C)]
		for k := range path {
			if err := ctx.Err(); err != nil {
				return err
			}
			err := parallel.Call("training or its model", func() (err error) {
				if model, err = train(ctx, trainRows, path[k].Params, model); err == nil {
					path[k].Scores[f], err = v.measure(ctx, model, testRows)
					path[k].Status[f] = statusOf(model)
				}
				return err
			})
			if err != nil {
				p := path[k].Params
				return &FoldError{Fold: f, Params: &p, Err: err}
			}
			if err := report(); err != nil {
				return err
			}
		}
		return nil
	})
	if err != nil && ctx.Err() == nil {
		return nil, err
	}
	for k := range s.Points {
		s.Points[k].summarise()
	}
	return s, err
}

// Best returns the point with the best mean value; of equally good ones that with the smallest C,
// then with the smallest γ. Only points with all folds finished take part; ok is false if
// there is none.
func (s *Selection) Best() (best Point, ok bool) {
	for _, p := range s.Points {
		if p.complete() && (!ok || s.better(p.Mean, best.Mean) || p.Mean == best.Mean && p.simpler(best.Params)) {
			best, ok = p, true
		}
	}
	return best, ok
}

// OneStandardError returns the simplest point, the one with the smallest C and then the smallest
// γ, whose mean is no worse than that of the best by more than the best one's standard error
// (Breiman, Friedman, Olshen and Stone 1984, section 3.4.3). ok is as in Best.
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
		if p.complete() && !s.better(limit, p.Mean) && p.simpler(simplest.Params) {
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

// simpler reports whether p comes before q: a smaller C means a smaller ‖w‖.
func (p Params) simpler(q Params) bool { return p.C < q.C || p.C == q.C && p.Gamma < q.Gamma }

func (g Grid) validate() error {
	if len(g.C) == 0 {
		return &svmkit.ParamError{Name: "Grid.C", Value: g.C, Need: "must not be empty"}
	}
	if g.Gamma != nil && len(g.Gamma) == 0 {
		return &svmkit.ParamError{Name: "Grid.Gamma", Value: g.Gamma, Need: "must be nil or not empty"}
	}
	for i, v := range slices.Concat(g.C, g.Gamma) {
		if !(v > 0) || math.IsInf(v, 1) {
			name := "Grid.C"
			if i >= len(g.C) {
				name = "Grid.Gamma"
			}
			return &svmkit.ParamError{Name: name, Value: v, Need: "must be positive and finite"}
		}
	}
	return nil
}
