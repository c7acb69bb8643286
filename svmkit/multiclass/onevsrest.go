package multiclass

import (
	"context"
	"errors"
	"fmt"
	"math"
	"slices"
	"sync"

	"github.com/svmkit/course/svmkit"
	"github.com/svmkit/course/svmkit/internal/parallel"
)

// OneVsRest fits one model a class: +1 for its rows, −1 for all others (Vapnik 1995).
// The class whose model gives the largest score wins. Each model is fitted by itself, so
// their scores share a scale only as far as the Fitter sees to that.
type OneVsRest struct {
	// Binary fits the models for two classes, each of which must be a [svmkit.Scorer]. It must be
	// safe for concurrent use unless Threads is 1.
	Binary  svmkit.Fitter
	Threads int // models fitted at once, which changes no result; 0 means GOMAXPROCS
	// Progress is told how many of all models are fitted, after each and every [svmkit.ProgressEvery], one call at a
	// time, with no certificate. False stops: then Fit returns [ErrStopped]. May be nil.
	Progress func(svmkit.Progress) bool
}

// RestClassifier is what OneVsRest.Fit returns.
type RestClassifier struct {
	Classes
	Models []svmkit.Scorer // one a class; nil for a class without rows
}

// Fit fits the models. Two classes need only one model, the binary one: it is class 1's,
// and class 0 gets its negated score.
//
// Errors: a [*svmkit.DataError], a [*svmkit.ParamError], also if a model is no [svmkit.Scorer], or
// the Fitter's own for the lowest class number where it failed. When ctx ends, Fit returns no
// classifier, as some classes would lack their model, and ctx's error.
func (m OneVsRest) Fit(ctx context.Context, set *svmkit.Dataset) (*RestClassifier, error) {
	if ctx == nil {
		return nil, &svmkit.ParamError{Name: "ctx", Value: nil, Need: "must not be nil"}
	}
	threads, err := fitterAndThreads(m.Binary, m.Threads)
	if err != nil {
		return nil, err
	}
	classes, class, present, err := readClasses(set)
	if err != nil {
		return nil, err
	}
	r := &RestClassifier{Classes: classes, Models: make([]svmkit.Scorer, classes.Count)}
	var todo []int
	for k := range r.Models {
		if present[k] && !(classes.Count == 2 && k == 0) {
			todo = append(todo, k)
		}
	}
	err = fitAll(ctx, len(todo), threads, m.Progress, func(ctx context.Context, i int) error {
		k := todo[i]
		model, err := fitted(ctx, m.Binary, rest(set, classes, class, k))
		if err != nil {
			return &ModelError{Class: classes.Name(k), Against: "the rest", Err: err}
		}
		r.Models[k] = model
		return nil
	})
	if err != nil {
		return nil, err
	}
	if classes.Count == 2 {
		r.Models[0] = negated{r.Models[1]}
	}
	return r, nil
}

// Fitter returns Fit as a [svmkit.Fitter].
func (m OneVsRest) Fitter() svmkit.Fitter {
	return func(ctx context.Context, train *svmkit.Dataset) (svmkit.Model, error) {
		c, err := m.Fit(ctx, train)
		if err != nil {
			return nil, err // not c, a nil pointer that is no nil Model
		}
		return c, nil
	}
}

// rest returns the binary set of class k against all others. For two classes that is set.
func rest(set *svmkit.Dataset, classes Classes, class []int, k int) *svmkit.Dataset {
	if classes.Signed {
		return set
	}
	t := &svmkit.Dataset{X: set.X, Y: make([]float64, len(set.Y)), Weight: set.Weight, Dim: set.Dim, Features: set.Features, Label: set.Label,
		Classes: []string{svmkit.RestName(classes.Name(k)), classes.Name(k)}}
	for i, c := range class {
		t.Y[i] = -1
		if c == k {
			t.Y[i] = 1
		}
	}
	return t
}

// FitStatus returns the status of the first model whose fit ended above its tolerance, or else that of all; Unfinished
// if the models do not say.
func (r *RestClassifier) FitStatus() svmkit.Status { return worstStatus(slices.Values(r.Models)) }

// ClassScores returns the score of the model of each class, −Inf for a class without one.
func (r *RestClassifier) ClassScores(x svmkit.Row) []float64 {
	scores := make([]float64, len(r.Models))
	for k, model := range r.Models {
		if model == nil {
			scores[k] = math.Inf(-1)
			continue
		}
		scores[k] = model.Score(x)
	}
	return scores
}

// ClassScoresAll returns [RestClassifier.ClassScores] of each row, up to rounding.
func (r *RestClassifier) ClassScoresAll(rows []svmkit.Row) [][]float64 {
	scores, _ := r.classScoresNear(rows)
	return scores
}

// classScoresNear returns ClassScoresAll, and [svmkit.RoundingScorer]'s function for each class.
func (r *RestClassifier) classScoresNear(rows []svmkit.Row) (scores [][]float64, near []func(int, float64) bool) {
	scores, near = make([][]float64, len(rows)), make([]func(int, float64) bool, len(r.Models))
	for i := range scores {
		scores[i] = make([]float64, len(r.Models))
	}
	for k, model := range r.Models {
		if model == nil {
			for i := range scores {
				scores[i][k] = math.Inf(-1)
			}
			continue
		}
		one, rounded := svmkit.ScoreAllNear(model, rows)
		for i, s := range one {
			scores[i][k] = s
		}
		near[k] = rounded
	}
	return scores, near
}

// unsure reports whether rounding could decide which class has the largest score. near reports whether
// the score of a class may have been rounded by d or more.
func (r *RestClassifier) unsure(scores []float64, best int, near func(k int, d float64) bool) bool {
	for k, s := range scores {
		if d := (scores[best] - s) / 2; k != best && (near(k, d) || near(best, d)) {
			return true
		}
	}
	return false
}

// Predict returns the class with the largest score; of equal ones, the first in Order. There
// is none if a score is NaN.
func (r *RestClassifier) Predict(x svmkit.Row) svmkit.Prediction {
	return r.prediction(r.largest(r.ClassScores(x)))
}

// PredictAll returns [RestClassifier.Predict] of each row, at the cost of one call of
// [svmkit.ScoreAll] per model.
func (r *RestClassifier) PredictAll(rows []svmkit.Row) []svmkit.Prediction {
	all, _ := r.predictAll(rows)
	return all
}

// predictAll returns the predictions and the scores that they come from. Where rounding could decide,
// the row is predicted again by itself.
func (r *RestClassifier) predictAll(rows []svmkit.Row) ([]svmkit.Prediction, [][]float64) {
	all, of := make([]svmkit.Prediction, len(rows)), r.predictions()
	scores, near := r.classScoresNear(rows)
	for i, row := range scores {
		best := r.largest(row)
		if best >= 0 && r.unsure(row, best, func(k int, d float64) bool { return near[k] != nil && near[k](i, d) }) {
			best = r.largest(r.ClassScores(rows[i]))
		}
		if best < 0 {
			best = r.Count
		}
		all[i] = of[best]
	}
	return all, scores
}

// Columns returns the columns of the first model that is a [svmkit.Model]; the zero value if none is.
func (r *RestClassifier) Columns() svmkit.Columns { return firstColumns(slices.Values(r.Models)) }

// negated is the model of class 0 where that of class 1 is known.
type negated struct{ svmkit.Scorer }

func (n negated) Score(x svmkit.Row) float64 { return -n.Scorer.Score(x) }

func (n negated) ScoreAll(rows []svmkit.Row) []float64 {
	scores, _ := n.ScoreAllNear(rows)
	return scores
}

func (n negated) ScoreAllNear(rows []svmkit.Row) (scores []float64, near func(row int, d float64) bool) {
	scores, near = svmkit.ScoreAllNear(n.Scorer, rows)
	for i, s := range scores {
		scores[i] = -s
	}
	return scores, near
}

var errNoModel = errors.New("training returned neither a model nor an error")

// ErrStopped is the error of a fit of several models whose progress function has returned false: some models are
// missing, so there is no classifier.
var ErrStopped = errors.New("multiclass: stopped by Progress before all models were fitted")

// fitAll calls fit for 0 … n−1, on several threads, and tells progress.
func fitAll(ctx context.Context, n, threads int, progress func(svmkit.Progress) bool, fit func(ctx context.Context, i int) error) error {
	fitted := 0
	err := parallel.Report(ctx, progress, n, func(ctx context.Context, done func() error) error {
		var mutex sync.Mutex
		return parallel.For(ctx, n, threads, func(i int) error {
			if err := fit(ctx, i); err != nil {
				return err
			}
			mutex.Lock()
			fitted++
			mutex.Unlock()
			return done()
		})
	})
	if err == nil && fitted < n {
		return ErrStopped
	}
	return err
}

// fitted returns the fitter's model, which must have scores; its panic is an error.
func fitted(ctx context.Context, fit svmkit.Fitter, train *svmkit.Dataset) (svmkit.Scorer, error) {
	var model svmkit.Model
	err := parallel.Call("Binary", func() (err error) {
		model, err = fit(ctx, train)
		return err
	})
	if err != nil {
		return nil, err
	}
	if model == nil {
		return nil, errNoModel
	}
	scorer, ok := model.(svmkit.Scorer)
	if !ok {
		return nil, &svmkit.ParamError{Name: "Binary", Value: fmt.Sprintf("%T", model), Need: "must return models that are Scorers: classes are told apart by scores"}
	}
	return scorer, nil
}

func fitterAndThreads(f svmkit.Fitter, threads int) (int, error) {
	if f == nil {
		return 0, &svmkit.ParamError{Name: "Binary", Value: nil, Need: "must not be nil"}
	}
	return parallel.Threads(threads)
}
