package multiclass

import (
	"math"
	"sync"

	"github.com/svmkit/course/svmkit"
	"github.com/svmkit/course/svmkit/svm"
)

// Prepared is a [PairClassifier] or a [RestClassifier] made ready to predict one row at a time, as a server does.
//
// Support vectors that several models have are treated once ([svm.PrepareModels]), and Predict
// allocates nothing. It is safe for concurrent use if the models inside are. What it says is what
// the classifier says, up to rounding of the scores. Its PredictAll is that of the classifier,
// which uses all processors.
type Prepared struct {
	Classifier // the one that was prepared
	ensemble   ensemble
	models     *svm.PreparedModels // of those of its models that are of package svm
	numbers    []int               // which they are
	signs      []float64           // −1 where the scorer is the negation of its model
	platt      bool                // all models have probabilities
	spare      sync.Pool           // of *scratch
}

// scratch is what the prediction of one row needs.
type scratch struct {
	decide                 decider
	scores, within         []float64                   // one per scorer, and how far they may be from Score
	someScores, someWithin []float64                   // one per model of package svm
	near                   func(k int, d float64) bool // by within
}

// Prepare returns a [*Prepared], the classifier ready for predictions one row at a time. The classifier
// must not be changed afterwards.
func (p *PairClassifier) Prepare() svmkit.Predictor { return prepare(p.ensemble()) }

// Prepare is [PairClassifier.Prepare].
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

// Predict is [PairClassifier.Predict] or [RestClassifier.Predict].
func (p *Prepared) Predict(x svmkit.Row) svmkit.Prediction {
	s := p.scored(x)
	defer p.spare.Put(s)
	return p.predict(s, x)
}

// Probabilities is [PairClassifier.Probabilities] or [RestClassifier.Probabilities].
func (p *Prepared) Probabilities(x svmkit.Row) []float64 {
	if !p.platt {
		return nil
	}
	s := p.scored(x)
	defer p.spare.Put(s)
	return p.ensemble.probabilities(s.scores)
}

// PredictWithProbabilities predicts a single row as Predict and Probabilities do, at the cost of one
// of them, and several by the classifier.
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
