package multiclass

import (
	"context"
	"errors"
	"fmt"
	"math"
	"slices"

	"github.com/svmkit/course/svmkit"
	"github.com/svmkit/course/svmkit/internal/parallel"
)

var errNoModel = errors.New("training returned neither a model nor an error")

// ErrStopped is the error of a fit of several models whose progress function has returned false:
// some models are missing, so there is no classifier.
var ErrStopped = errors.New("multiclass: stopped by Progress before all models were fitted")

// ModelError says which of several models could not be fitted.
type ModelError struct {
	Class, Against string // the names of its two classes; Against is "the rest" in [OneVsRest]
	Err            error  // of its fit
}

func (e *ModelError) Error() string {
	return "multiclass: class " + e.Class + " against " + e.Against + ": " + e.Err.Error()
}

// Unwrap returns the error of the fit.
func (e *ModelError) Unwrap() error { return e.Err }

// fits is how several models for two classes are fitted: the fields of OneVsOne and of OneVsRest.
type fits struct {
	Binary   svmkit.Fitter
	Threads  int
	Progress func(svmkit.Progress) bool
}

// run fits a model for each of the pairs.
func (f fits) run(ctx context.Context, set *svmkit.Dataset, pairs func(c Classes, present []bool) []PairModel) (Classes, []PairModel, error) {
	switch {
	case ctx == nil:
		return Classes{}, nil, &svmkit.ParamError{Name: "ctx", Value: nil, Need: "must not be nil"}
	case f.Binary == nil:
		return Classes{}, nil, &svmkit.ParamError{Name: "Binary", Value: nil, Need: "must not be nil"}
	}
	threads, err := parallel.Threads(f.Threads)
	if err != nil {
		return Classes{}, nil, err
	}
	classes, class, present, err := readClasses(set)
	if err != nil {
		return Classes{}, nil, err
	}
	models := pairs(classes, present)
	err = parallel.Report(ctx, f.Progress, len(models), func(ctx context.Context, done func() error) error {
		return parallel.For(ctx, len(models), threads, func(i int) (err error) {
			m := &models[i]
			if m.Scorer, err = f.one(ctx, m.rows(set, classes, class)); err == nil {
				return done()
			}
			if m.Negative == allOthers {
				return &ModelError{Class: classes.Name(m.Positive), Against: "the rest", Err: err}
			}
			return &ModelError{Class: classes.Name(m.Negative), Against: classes.Name(m.Positive), Err: err}
		})
	})
	if err == nil && slices.ContainsFunc(models, func(m PairModel) bool { return m.Scorer == nil }) {
		err = ErrStopped
	}
	return classes, models, err
}

// one returns the fitter's model, which must have scores; its panic is an error.
func (f fits) one(ctx context.Context, train *svmkit.Dataset) (svmkit.Scorer, error) {
	var model svmkit.Model
	err := parallel.Call("Binary", func() (err error) {
		model, err = f.Binary(ctx, train)
		return err
	})
	if err == nil && model == nil {
		err = errNoModel
	}
	if err != nil {
		return nil, err
	}
	scorer, ok := model.(svmkit.Scorer)
	if !ok {
		return nil, &svmkit.ParamError{Name: "Binary", Value: fmt.Sprintf("%T", model), Need: "must return models that are Scorers: classes are told apart by scores"}
	}
	return scorer, nil
}

// allOthers is the Negative of a model of one class against the rest.
const allOthers = -1

// rows returns the rows of the classes of m with labels ±1, in the order of the data. For two classes that is set.
func (m PairModel) rows(set *svmkit.Dataset, classes Classes, class []int) *svmkit.Dataset {
	if classes.Signed {
		return set
	}
	negative, positive := classes.Name(m.Negative), classes.Name(m.Positive)
	if m.Negative == allOthers {
		negative = svmkit.RestName(positive)
	}
	t := *set
	t.Y, t.Classes = make([]float64, len(class)), []string{negative, positive}
	var rows []int
	for i, c := range class {
		switch {
		case c == m.Positive:
			t.Y[i] = 1
		case c == m.Negative || m.Negative == allOthers:
			t.Y[i] = -1
		default:
			continue
		}
		rows = append(rows, i)
	}
	if len(rows) < len(class) {
		return t.Subset(rows)
	}
	return &t
}

// asFitter returns fit as a [svmkit.Fitter]: after an error the model is nil, and no nil pointer.
func asFitter[M svmkit.Model](fit func(context.Context, *svmkit.Dataset) (M, error)) svmkit.Fitter {
	return func(ctx context.Context, train *svmkit.Dataset) (svmkit.Model, error) {
		model, err := fit(ctx, train)
		if err != nil {
			return nil, err
		}
		return model, nil
	}
}

// ensemble is what predictions need of a classifier made of several models.
type ensemble struct {
	Classifier
	classes       Classes
	models        []svmkit.Scorer                  // nil for a class without a model
	decider       func() decider                   // makes one for one goroutine
	probabilities func(scores []float64) []float64 // of the classes, if all models have a Platt
}

// decider returns the class that follows from the scores of the models, and whether rounding could
// decide. near reports whether the score of a model may have been rounded by d or more.
type decider func(scores []float64, near func(model int, d float64) bool) (class int, unsure bool)

// scoresOf returns the score of each model, −Inf for a class without one.
func scoresOf(models []svmkit.Scorer, x svmkit.Row) []float64 {
	scores := make([]float64, len(models))
	for k, model := range models {
		if scores[k] = math.Inf(-1); model != nil {
			scores[k] = model.Score(x)
		}
	}
	return scores
}

// scoresOfAll returns scoresOf each row, up to rounding, and how the scores of a row may be rounded.
func scoresOfAll(models []svmkit.Scorer, rows []svmkit.Row) (scores [][]float64, near func(row int) func(model int, d float64) bool) {
	scores, rounded := make([][]float64, len(rows)), make([]func(int, float64) bool, len(models))
	for i := range scores {
		scores[i] = slices.Repeat([]float64{math.Inf(-1)}, len(models))
	}
	for k, model := range models {
		if model == nil {
			continue
		}
		var one []float64
		one, rounded[k] = svmkit.ScoreAllNear(model, rows)
		for i, s := range one {
			scores[i][k] = s
		}
	}
	return scores, func(i int) func(int, float64) bool {
		return func(k int, d float64) bool { return rounded[k] != nil && rounded[k](i, d) }
	}
}

// predictAll returns the predictions and the probabilities of rows, each if it is asked for. Where
// rounding could decide the class, the row is predicted again by itself.
func (e ensemble) predictAll(rows []svmkit.Row, classes, probabilities bool) (all []svmkit.Prediction, of [][]float64) {
	probabilities = probabilities && havePlatt(e.models)
	if !classes && !probabilities {
		return nil, nil
	}
	scores, near := scoresOfAll(e.models, rows)
	if classes {
		all = make([]svmkit.Prediction, len(rows))
		decide := e.decider()
		for i, x := range rows {
			class, unsure := decide(scores[i], near(i))
			if all[i] = e.classes.prediction(class); unsure {
				all[i] = e.Predict(x)
			}
		}
	}
	if probabilities {
		of = make([][]float64, len(rows))
		for i := range rows {
			of[i] = e.probabilities(scores[i])
		}
	}
	return all, of
}

// worstStatus returns the first status of a fit that ended above its tolerance, else the status of the
// first model that has one.
func worstStatus(models []svmkit.Scorer) (worst svmkit.Status) {
	for _, m := range models {
		if m, ok := m.(svmkit.Model); ok && !worst.Limited() {
			if s := m.FitStatus(); s.Limited() || worst == svmkit.Unfinished {
				worst = s
			}
		}
	}
	return worst
}

// firstColumns returns the columns of the first model that knows them.
func firstColumns(models []svmkit.Scorer) svmkit.Columns {
	for _, m := range models {
		if m, ok := m.(svmkit.Model); ok {
			return m.Columns()
		}
	}
	return svmkit.Columns{}
}
