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
	"github.com/svmkit/course/svmkit/svm"
)

var errNoModel = errors.New("training returned neither a model nor an error")

// ErrStopped is the error of a fit of several models if the progress function returned false.
var ErrStopped = errors.New("multiclass: stopped by Progress before all models were fitted")

// ModelError reports which of several models could not be fitted.
type ModelError struct {
	// Class and Against are the names of its two classes; Against is "the rest" in [OneVsRest].
	Class, Against string
	Err            error // error of its fit
}

// Error returns the message.
func (e *ModelError) Error() string {
	return "multiclass: class " + e.Class + " against " + e.Against + ": " + e.Err.Error()
}

// Unwrap returns the error of the fit.
func (e *ModelError) Unwrap() error { return e.Err }

// fits holds the settings for fitting several models for two classes: the fields of OneVsOne and
// OneVsRest.
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

// asFitter returns fit as a [svmkit.Fitter]. After an error the model is nil, rather than a nil
// pointer.
func asFitter[M svmkit.Model](fit func(context.Context, *svmkit.Dataset) (M, error)) svmkit.Fitter {
	return func(ctx context.Context, train *svmkit.Dataset) (svmkit.Model, error) {
		model, err := fit(ctx, train)
		if err != nil {
			return nil, err
		}
		return model, nil
	}
}

// ensemble holds the parts of a classifier made of several models that predictions need.
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

// predictAll returns the predictions of rows and, if they are wanted and there are any, their
// probabilities. If rounding could decide the class of a row, that row is predicted again on its own.
func (e ensemble) predictAll(rows []svmkit.Row, probabilities bool) (all []svmkit.Prediction, of [][]float64) {
	scores, near := scoresOfAll(e.models, rows)
	decide := e.decider()
	all = make([]svmkit.Prediction, len(rows))
	for i, x := range rows {
		class, unsure := decide(scores[i], near(i))
		if all[i] = e.classes.prediction(class); unsure {
			all[i] = e.Predict(x)
		}
	}
	if probabilities && havePlatt(e.models) {
		of = make([][]float64, len(rows))
		for i := range rows {
			of[i] = e.probabilities(scores[i])
		}
	}
	return all, of
}

// worstStatus returns the first status of a fit that ended above its tolerance, else the status of
// the first model that has one.
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

// Prepared is a [PairClassifier] or a [RestClassifier] prepared to predict one row at a time.
//
// It evaluates a support vector that several models share once ([svm.PrepareModels]), and Predict
// allocates no memory. Its predictions are the predictions of the classifier, up to rounding of the
// scores. PredictAll calls the classifier, which uses all processors. It is safe for concurrent use
// if the models inside are.
type Prepared struct {
	Classifier // the one that was prepared
	ensemble   ensemble
	models     *svm.PreparedModels // of the models that are of package svm
	numbers    []int               // their numbers
	signs      []float64           // −1 where the scorer is the negation of its model
	platt      bool                // all models have probabilities
	spare      sync.Pool           // of *scratch
}

// scratch holds the memory for the prediction of one row.
type scratch struct {
	decide                 decider
	scores, within         []float64                   // one per scorer, and their possible distance from Score
	someScores, someWithin []float64                   // one per model of package svm
	near                   func(k int, d float64) bool // by within
}

// Prepare returns a [*Prepared], which predicts one row at a time faster. Do not change the
// classifier afterwards.
func (p *PairClassifier) Prepare() svmkit.Predictor { return prepare(p.ensemble()) }

// Prepare returns a [*Prepared], as [PairClassifier.Prepare] does.
func (r *RestClassifier) Prepare() svmkit.Predictor { return prepare(r.ensemble()) }

func prepare(e ensemble) *Prepared {
	p := &Prepared{Classifier: e.Classifier, ensemble: e, platt: havePlatt(e.models)}
	var models []*svm.Model
	for k, s := range e.models {
		sign := 1.0
		if n, ok := s.(negated); ok {
			s, sign = n.Scorer, -1
		}
		if m := svm.ModelOf(s); m != nil {
			models, p.numbers, p.signs = append(models, m), append(p.numbers, k), append(p.signs, sign)
		}
	}
	p.models = svm.PrepareModels(models)
	p.spare.New = func() any {
		s := &scratch{decide: e.decider(), scores: make([]float64, len(e.models)), within: make([]float64, len(e.models)),
			someScores: make([]float64, len(p.numbers)), someWithin: make([]float64, len(p.numbers))}
		s.near = func(k int, d float64) bool { return s.within[k] > 0 && d <= s.within[k] }
		return s
	}
	return p
}

// scored returns a scratch with the scores of a row; the caller puts it back.
func (p *Prepared) scored(x svmkit.Row) *scratch {
	s := p.spare.Get().(*scratch)
	if len(p.numbers) < len(s.scores) {
		for k, m := range p.ensemble.models {
			if s.scores[k] = math.Inf(-1); m != nil && svm.ModelOf(m) == nil {
				s.scores[k] = m.Score(x)
			}
		}
	}
	p.models.Scores(s.someScores, s.someWithin, x)
	for n, k := range p.numbers {
		s.scores[k], s.within[k] = p.signs[n]*s.someScores[n], s.someWithin[n]
	}
	return s
}

// predict returns the prediction of a row whose scores are known.
func (p *Prepared) predict(s *scratch, x svmkit.Row) svmkit.Prediction {
	class, unsure := s.decide(s.scores, s.near)
	if unsure {
		return p.Classifier.Predict(x)
	}
	return p.ensemble.classes.prediction(class)
}

// Predict returns the prediction of the classifier for x, up to rounding of the scores.
func (p *Prepared) Predict(x svmkit.Row) svmkit.Prediction {
	s := p.scored(x)
	defer p.spare.Put(s)
	return p.predict(s, x)
}

// Probabilities returns the probabilities of the classifier for x, up to rounding of the scores.
func (p *Prepared) Probabilities(x svmkit.Row) []float64 {
	if !p.platt {
		return nil
	}
	s := p.scored(x)
	defer p.spare.Put(s)
	return p.ensemble.probabilities(s.scores)
}

// PredictWithProbabilities predicts a single row at the cost of Predict, and several rows with the
// classifier.
func (p *Prepared) PredictWithProbabilities(rows []svmkit.Row) ([]svmkit.Prediction, [][]float64) {
	if len(rows) != 1 {
		return svmkit.PredictWithProbabilities(p.Classifier, rows)
	}
	s := p.scored(rows[0])
	defer p.spare.Put(s)
	predictions := []svmkit.Prediction{p.predict(s, rows[0])}
	if !p.platt {
		return predictions, nil
	}
	return predictions, [][]float64{p.ensemble.probabilities(s.scores)}
}
