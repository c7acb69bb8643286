package multiclass

import (
	"context"

	"github.com/svmkit/course/svmkit"
)

// OneVsRest fits one model per class: +1 for its rows, −1 for all others (Vapnik 1995).
//
// The class whose model gives the largest score wins. The models are fitted independently, so their
// scores are comparable only if the Fitter makes them so.
type OneVsRest struct {
	Binary   svmkit.Fitter              // as in [OneVsOne]
	Threads  int                        // as in [OneVsOne]
	Progress func(svmkit.Progress) bool // as in [OneVsOne]
}

// RestClassifier is a classifier that [OneVsRest.Fit] has trained.
type RestClassifier struct {
	Classes
	Models []svmkit.Scorer // one per class; nil for a class without rows
}

// Fit fits the models. Two classes need one model only: it belongs to class 1, and class 0 gets its
// negated score.
//
// The error is a [*svmkit.DataError]; a [*svmkit.ParamError], also if a model is not a
// [svmkit.Scorer]; or a [*ModelError] for the lowest class number whose fit failed. When ctx ends,
// Fit returns its error and no classifier, because some classes would lack their model.
func (m OneVsRest) Fit(ctx context.Context, set *svmkit.Dataset) (*RestClassifier, error) {
	classes, models, err := fits(m).run(ctx, set, func(c Classes, present []bool) (models []PairModel) {
		for k := range c.Count {
			if present[k] && !(c.Count == 2 && k == 0) {
				models = append(models, PairModel{Negative: allOthers, Positive: k})
			}
		}
		return models
	})
	if err != nil {
		return nil, err
	}
	r := &RestClassifier{Classes: classes, Models: make([]svmkit.Scorer, classes.Count)}
	for _, m := range models {
		r.Models[m.Positive] = m.Scorer
	}
	if classes.Count == 2 {
		r.Models[0] = negated{r.Models[1]}
	}
	return r, nil
}

// Fitter returns Fit as a [svmkit.Fitter].
func (m OneVsRest) Fitter() svmkit.Fitter { return asFitter(m.Fit) }

// FitStatus returns the status of the first model whose fit ended above its tolerance.
//
// If there is none, it returns the first status that a model has, or Unfinished.
func (r *RestClassifier) FitStatus() svmkit.Status { return worstStatus(r.Models) }

// Columns returns the columns of the first model that is a [svmkit.Model], or the zero value.
func (r *RestClassifier) Columns() svmkit.Columns { return firstColumns(r.Models) }

// ClassScores returns the score of each class by its model, −Inf for a class without a model.
func (r *RestClassifier) ClassScores(x svmkit.Row) []float64 { return scoresOf(r.Models, x) }

// ClassScoresAll returns [RestClassifier.ClassScores] of each row, up to rounding.
func (r *RestClassifier) ClassScoresAll(rows []svmkit.Row) [][]float64 {
	scores, _ := scoresOfAll(r.Models, rows)
	return scores
}

// Predict returns the class with the largest score. If several are equal, the first in Order wins.
// If a score is NaN, there is no prediction.
func (r *RestClassifier) Predict(x svmkit.Row) svmkit.Prediction {
	return r.prediction(r.largest(r.ClassScores(x)))
}

// PredictAll returns [RestClassifier.Predict] of each row, at the cost of one call of
// [svmkit.ScoreAll] per model.
func (r *RestClassifier) PredictAll(rows []svmkit.Row) []svmkit.Prediction {
	all, _ := r.ensemble().predictAll(rows, false)
	return all
}

func (r *RestClassifier) ensemble() ensemble {
	return ensemble{r, r.Classes, r.Models, func() decider { return r.decide }, r.shares}
}

// decide is a [decider].
func (r *RestClassifier) decide(scores []float64, near func(k int, d float64) bool) (class int, unsure bool) {
	best := r.largest(scores)
	if best < 0 {
		return best, false
	}
	for k, s := range scores {
		if d := (scores[best] - s) / 2; k != best && (near(k, d) || near(best, d)) {
			return best, true
		}
	}
	return best, false
}

// negated is the model of class 0 if only the model of class 1 is stored.
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
