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
	class         func(*scratch) (class int, unsure bool) // from the scores, and whether rounding could decide
	probabilities func(*scratch) []float64                // likewise; nil if a model has none
	scorers       []svmkit.Scorer                         // of the classifier; nil for a class without a model
	models        *svm.PreparedModels                     // of those scorers that are models of package svm
	numbers       []int                                   // which they are
	signs         []float64                               // −1 where the scorer is the negation of its model
	spare         sync.Pool                               // of *scratch
}

// scratch is what the prediction of one row needs.
type scratch struct {
	scores, within         []float64                   // one per scorer, and how far they may be from Score
	someScores, someWithin []float64                   // one per model of package svm
	count                  count                       // of one-vs-one
	near                   func(k int, d float64) bool // by within
}

// Prepare returns a [*Prepared], the classifier ready for predictions one row at a time. The classifier
// must not be changed afterwards.
func (p *PairClassifier) Prepare() svmkit.Predictor {
	none := p.newCount()
	r := prepare(p, p.Classes, slices.Collect(p.scorers), func(s *scratch) (int, bool) {
		clear(s.count.votes)
		copy(s.count.sums, none.sums)
		s.count.size = 0
		for k, m := range p.Models {
			p.add(&s.count, m, s.scores[k])
		}
		return p.winner(s.count), p.unsure(&s.count, s.near)
	})
	r.spare.New = func() any { return newScratch(r, p.newCount()) }
	if havePlatt(p.scorers) {
		r.probabilities = func(s *scratch) []float64 { return p.couple(s.scores) }
	}
	return r
}

// Prepare is [PairClassifier.Prepare].
func (r *RestClassifier) Prepare() svmkit.Predictor {
	p := prepare(r, r.Classes, r.Models, func(s *scratch) (int, bool) {
		best := r.largest(s.scores)
		return best, best >= 0 && r.unsure(s.scores, best, s.near)
	})
	p.spare.New = func() any { return newScratch(p, count{}) }
	if havePlatt(slices.Values(r.Models)) {
		p.probabilities = func(s *scratch) []float64 { return r.shares(s.scores) }
	}
	return p
}

func prepare(c Classifier, classes Classes, scorers []svmkit.Scorer, class func(*scratch) (int, bool)) *Prepared {
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
	s := &scratch{scores: make([]float64, len(p.scorers)), within: make([]float64, len(p.scorers)),
		someScores: make([]float64, len(p.numbers)), someWithin: make([]float64, len(p.numbers)), count: c}
	s.near = func(k int, d float64) bool { return s.within[k] > 0 && d <= s.within[k] }
	return s
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
	p.models.Scores(s.someScores, s.someWithin, x)
	for n, k := range p.numbers {
		s.scores[k], s.within[k] = p.signs[n]*s.someScores[n], s.someWithin[n]
	}
}

// predict returns the prediction of a row whose scores are known.
func (p *Prepared) predict(s *scratch, x svmkit.Row) svmkit.Prediction {
	class, unsure := p.class(s)
	if unsure {
		return p.Classifier.Predict(x)
	}
	return p.classes.prediction(class)
}

// Predict is [PairClassifier.Predict] or [RestClassifier.Predict].
func (p *Prepared) Predict(x svmkit.Row) svmkit.Prediction {
	s := p.spare.Get().(*scratch)
	defer p.spare.Put(s)
	p.score(s, x)
	return p.predict(s, x)
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
	predictions := []svmkit.Prediction{p.predict(s, rows[0])}
	if p.probabilities == nil {
		return predictions, nil
	}
	return predictions, [][]float64{p.probabilities(s)}
}
