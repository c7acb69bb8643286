package multiclass

import (
	"math"
	"slices"
	"sync"

	"github.com/svmkit/course/svmkit"
	"github.com/svmkit/course/svmkit/svm"
)

// Prepared is a [PairClassifier] or a [RestClassifier] made ready to predict one row at a time, as a server does: support
// vectors that several models have are treated once ([svm.PrepareModels]), and Predict allocates nothing. It is
// safe for concurrent use if the models inside are. What it says is what the classifier says, up to rounding of the scores.
// Its PredictAll is that of the classifier, which uses all processors.
type Prepared struct {
	Classifier    // the one that was prepared
	classes       Classes
	class         func(*scratch) int       // from the scores
	probabilities func(*scratch) []float64 // likewise; nil if a model has none
	scorers       []svmkit.Scorer          // of the classifier; nil for a class without a model
	models        *svm.PreparedModels      // of those scorers that are models of package svm
	numbers       []int                    // which they are
	signs         []float64                // −1 where the scorer is the negation of its model
	spare         sync.Pool                // of *scratch
}

// scratch is what the prediction of one row needs.
type scratch struct {
	scores []float64 // one a scorer
	some   []float64 // one a model of package svm
	count  count     // of one-vs-one
}

// Prepare returns a [*Prepared], the classifier ready for predictions one row at a time. The classifier
// must not be changed afterwards.
func (p *PairClassifier) Prepare() svmkit.Predictor {
	none := p.newCount()
	r := prepare(p, p.Classes, slices.Collect(p.scorers), func(s *scratch) int {
		clear(s.count.votes)
		copy(s.count.sums, none.sums)
		for k, m := range p.Models {
			p.add(s.count, m, s.scores[k])
		}
		return p.winner(s.count)
	})
	r.spare.New = func() any { return newScratch(r, p.newCount()) }
	if havePlatt(p.scorers) {
		r.probabilities = func(s *scratch) []float64 { return p.couple(s.scores) }
	}
	return r
}

// Prepare is [PairClassifier.Prepare].
func (r *RestClassifier) Prepare() svmkit.Predictor {
	p := prepare(r, r.Classes, r.Models, func(s *scratch) int { return largest(s.scores) })
	p.spare.New = func() any { return newScratch(p, count{}) }
	if havePlatt(slices.Values(r.Models)) {
		p.probabilities = func(s *scratch) []float64 { return r.shares(s.scores) }
	}
	return p
}

func prepare(c Classifier, classes Classes, scorers []svmkit.Scorer, class func(*scratch) int) *Prepared {
	p := &Prepared{Classifier: c, classes: classes, class: class, scorers: scorers}
	var models []*svm.Model
	for k, s := range scorers {
		sign := 1.0
		if n, ok := s.(negated); ok {
			s, sign = n.Scorer, -1
		}
		if m := svm.ModelOf(s); m != nil {
			models, p.numbers, p.signs = append(models, m), append(p.numbers, k), append(p.signs, sign)
		}
	}
	p.models = svm.PrepareModels(models)
	return p
}

func newScratch(p *Prepared, c count) *scratch {
	return &scratch{make([]float64, len(p.scorers)), make([]float64, len(p.numbers)), c}
}

// score sets the scores of a row.
func (p *Prepared) score(s *scratch, x svmkit.Row) {
	if len(p.numbers) < len(p.scorers) {
		for k, m := range p.scorers {
			if s.scores[k] = math.Inf(-1); m != nil && svm.ModelOf(m) == nil {
				s.scores[k] = m.Score(x)
			}
		}
	}
	p.models.Scores(s.some, x)
	for n, k := range p.numbers {
		s.scores[k] = p.signs[n] * s.some[n]
	}
}

// Predict is [PairClassifier.Predict] or [RestClassifier.Predict].
func (p *Prepared) Predict(x svmkit.Row) svmkit.Prediction {
	s := p.spare.Get().(*scratch)
	defer p.spare.Put(s)
	p.score(s, x)
	return p.classes.prediction(p.class(s))
}

// Probabilities is [PairClassifier.Probabilities] or [RestClassifier.Probabilities].
func (p *Prepared) Probabilities(x svmkit.Row) []float64 {
	if p.probabilities == nil {
		return nil
	}
	s := p.spare.Get().(*scratch)
	defer p.spare.Put(s)
	p.score(s, x)
	return p.probabilities(s)
}

// PredictWithProbabilities predicts a single row as Predict and Probabilities do, at the cost of one
// of them, and several by the classifier.
func (p *Prepared) PredictWithProbabilities(rows []svmkit.Row) ([]svmkit.Prediction, [][]float64) {
	if len(rows) != 1 {
		return svmkit.PredictWithProbabilities(p.Classifier, rows)
	}
	s := p.spare.Get().(*scratch)
	defer p.spare.Put(s)
	p.score(s, rows[0])
	predictions := []svmkit.Prediction{p.classes.prediction(p.class(s))}
	if p.probabilities == nil {
		return predictions, nil
	}
	return predictions, [][]float64{p.probabilities(s)}
}
