package multiclass

import (
	"math"
	"sync"

	"github.com/svmkit/course/svmkit"
	"github.com/svmkit/course/svmkit/svm"
)

// Prepared is a [PairClassifier] or a [RestClassifier] made ready to predict one row at a time, as a server does: support
// vectors that several models have are treated once ([svm.PrepareModels]), and Class and Predict allocate nothing. It is
// safe for concurrent use if the models inside are. What it says is what the classifier says, up to rounding of the scores.
// Many rows at once are for ClassAll or PredictAll of the classifier, which use all processors.
type Prepared struct {
	Classes
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

// Prepare returns the classifier ready for predictions one row at a time. It must not be changed afterwards.
func (p *PairClassifier) Prepare() *Prepared {
	scorers := make([]svmkit.Scorer, len(p.Models))
	for k, m := range p.Models {
		scorers[k] = m.Scorer
	}
	none := p.newCount()
	r := prepare(p.Classes, scorers, func(s *scratch) int {
		clear(s.count.votes)
		copy(s.count.sums, none.sums)
		for k, m := range p.Models {
			p.add(s.count, m, s.scores[k])
		}
		return p.winner(s.count)
	})
	r.spare.New = func() any { return newScratch(r, p.newCount()) }
	if havePlatt(scorers) {
		r.probabilities = func(s *scratch) []float64 { return p.couple(s.scores) }
	}
	return r
}

// Prepare is [PairClassifier.Prepare].
func (r *RestClassifier) Prepare() *Prepared {
	p := prepare(r.Classes, r.Models, func(s *scratch) int { return largest(s.scores) })
	p.spare.New = func() any { return newScratch(p, count{}) }
	if havePlatt(r.Models) {
		p.probabilities = func(s *scratch) []float64 { return r.shares(s.scores) }
	}
	return p
}

func prepare(classes Classes, scorers []svmkit.Scorer, class func(*scratch) int) *Prepared {
	p := &Prepared{Classes: classes, class: class, scorers: scorers}
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

// Class is [PairClassifier.Class] or [RestClassifier.Class].
func (p *Prepared) Class(x svmkit.Row) (number int, name string) {
	number = p.number(x)
	return number, p.Name(number)
}

// Predict returns the label of [Prepared.Class].
func (p *Prepared) Predict(x svmkit.Row) float64 { return p.Label(p.number(x)) }

func (p *Prepared) number(x svmkit.Row) int {
	s := p.spare.Get().(*scratch)
	defer p.spare.Put(s)
	p.score(s, x)
	return p.class(s)
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

// ProbabilitiesAll returns [Prepared.Probabilities] of every row, one at a time; nil if some model has none.
func (p *Prepared) ProbabilitiesAll(rows []svmkit.Row) [][]float64 {
	if p.probabilities == nil {
		return nil
	}
	all := make([][]float64, len(rows))
	for i, x := range rows {
		all[i] = p.Probabilities(x)
	}
	return all
}
