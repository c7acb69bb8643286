package multiclass

import (
	"context"
	"math"
	"slices"

	"github.com/svmkit/course/svmkit"
)

// OneVsOne fits one model per pair of classes, on the rows of these classes only (Knerr, Personnaz
// and Dreyfus 1990).
//
// Every model votes for one class, or for none if its score is exactly zero. The class with the
// most votes wins. If several have the most votes, the class with the largest sum of scores wins,
// where each score is signed towards the class. If these are equal, the lower class number wins.
// [PairClassifier].FirstWins is another rule.
type OneVsOne struct {
	// Binary fits the models for two classes, each of which must be a [svmkit.Scorer]. It must be
	// safe for concurrent use unless Threads is 1.
	Binary svmkit.Fitter
	// Threads is the number of models fitted at once, which changes no result; default GOMAXPROCS.
	Threads int
	// Progress receives the number of fitted models, after each model and every
	// [svmkit.ProgressEvery], one call at a time, without a certificate. If it returns false, Fit
	// returns [ErrStopped]. It may be nil.
	Progress func(svmkit.Progress) bool
}

// PairModel distinguishes class Negative (score < 0) from class Positive (score > 0).
type PairModel struct {
	Negative, Positive int // class numbers, Negative < Positive
	svmkit.Scorer
}

// PairClassifier is a classifier that [OneVsOne.Fit] has trained.
type PairClassifier struct {
	Classes
	// Models is sorted by Negative, then by Positive. Pairs with an absent class are missing.
	Models []PairModel
	// FirstWins counts votes as svm-predict does: a score of exactly zero votes for the class of
	// the pair that is later in Order, and the first in Order wins among classes with equally many
	// votes. Models that were read from a file of LIBSVM set it; [OneVsOne.Fit] leaves it false.
	FirstWins bool
}

// Fit fits the models, with the errors of [OneVsRest.Fit]. If several pairs fail, it returns the
// error of the first pair.
func (m OneVsOne) Fit(ctx context.Context, set *svmkit.Dataset) (*PairClassifier, error) {
	classes, models, err := fits(m).run(ctx, set, func(c Classes, present []bool) (models []PairModel) {
		for a := range c.Count {
			for b := a + 1; b < c.Count; b++ {
				if present[a] && present[b] {
					models = append(models, PairModel{Negative: a, Positive: b})
				}
			}
		}
		return models
	})
	if err != nil {
		return nil, err
	}
	return &PairClassifier{Classes: classes, Models: models}, nil
}

// Fitter returns Fit as a [svmkit.Fitter].
func (m OneVsOne) Fitter() svmkit.Fitter { return asFitter(m.Fit) }

// scorers returns the models.
func (p *PairClassifier) scorers() []svmkit.Scorer {
	all := make([]svmkit.Scorer, len(p.Models))
	for k, m := range p.Models {
		all[k] = m.Scorer
	}
	return all
}

// FitStatus returns the status of the models, as [RestClassifier.FitStatus] does.
func (p *PairClassifier) FitStatus() svmkit.Status { return worstStatus(p.scorers()) }

// Columns returns the columns of the models, as [RestClassifier.Columns] does.
func (p *PairClassifier) Columns() svmkit.Columns { return firstColumns(p.scorers()) }

// ClassScores returns the sum of scores of each class, which breaks ties of the vote.
//
// It is Σ f over the models for which the class is positive, minus Σ f over the models for which it
// is negative: −f and f for two classes, and −Inf for a class without rows.
func (p *PairClassifier) ClassScores(x svmkit.Row) []float64 { return p.count(x).sums }

// Votes returns the number of models that vote for each class.
func (p *PairClassifier) Votes(x svmkit.Row) []int { return p.count(x).votes }

// Predict returns the class that wins the vote; no prediction if a score is NaN.
func (p *PairClassifier) Predict(x svmkit.Row) svmkit.Prediction {
	return p.prediction(p.winner(p.count(x)))
}

// ClassScoresAll returns [PairClassifier.ClassScores] of each row, up to rounding.
func (p *PairClassifier) ClassScoresAll(rows []svmkit.Row) [][]float64 {
	sums, c := make([][]float64, len(rows)), p.newCount()
	scores, near := scoresOfAll(p.scorers(), rows)
	for i, x := range rows {
		if p.vote(&c, scores[i]); p.unsure(&c, near(i)) {
			sums[i] = p.ClassScores(x)
		} else {
			sums[i] = slices.Clone(c.sums)
		}
	}
	return sums
}

// PredictAll returns [PairClassifier.Predict] of each row, at the cost of one call of
// [svmkit.ScoreAll] per model.
func (p *PairClassifier) PredictAll(rows []svmkit.Row) []svmkit.Prediction {
	all, _ := p.ensemble().predictAll(rows, false)
	return all
}

func (p *PairClassifier) ensemble() ensemble {
	return ensemble{p, p.Classes, p.scorers(), func() decider {
		c := p.newCount()
		return func(scores []float64, near func(k int, d float64) bool) (class int, unsure bool) {
			p.vote(&c, scores)
			return p.winner(c), p.unsure(&c, near)
		}
	}, p.couple}
}

// unsure reports whether rounding could decide the vote. It cannot change a vote, because scores
// have the signs of Score, but sums of scores decide between classes with equally many votes.
//
// Two sums are over 2(K−1) scores of K models in all. If each of these scores and each addition is
// rounded by less than a 4K-th of their difference, the order of the sums equals the order of the
// sums of Score.
func (p *PairClassifier) unsure(c *count, near func(k int, d float64) bool) bool {
	if p.FirstWins {
		return false
	}
	most := slices.Max(c.votes)
	first, second, tied := math.Inf(-1), math.Inf(-1), 0
	for k, v := range c.votes {
		if v != most {
			continue
		}
		tied++
		if c.sums[k] > first {
			first, second = c.sums[k], first
		} else {
			second = max(second, c.sums[k])
		}
	}
	if tied < 2 {
		return false
	}
	const unit = 0x1p-53
	d := (first - second) / float64(4*p.Count)
	if d <= 2*unit*c.size {
		return true
	}
	for k := range p.Models {
		if near(k, d) {
			return true
		}
	}
	return false
}

// count is the result of the vote about a row.
type count struct {
	votes  []int
	sums   []float64 // the tie-breaker
	absent []float64 // the sums before the first model: 0, and −Inf for a class without a model
	size   float64   // Σ|f| over all models
}

// winner returns the class that wins, −1 if a score is NaN.
func (p *PairClassifier) winner(c count) int {
	if p.largest(c.sums) < 0 {
		return -1
	}
	class := p.nth(0)
	for i := range c.votes {
		k := p.nth(i)
		if c.votes[k] > c.votes[class] || !p.FirstWins && c.votes[k] == c.votes[class] && c.sums[k] > c.sums[class] {
			class = k
		}
	}
	return class
}

func (p *PairClassifier) count(x svmkit.Row) count {
	c := p.newCount()
	for _, m := range p.Models {
		p.add(&c, m, m.Score(x))
	}
	return c
}

// vote counts the votes of the models by their scores.
func (p *PairClassifier) vote(c *count, scores []float64) {
	clear(c.votes)
	copy(c.sums, c.absent)
	c.size = 0
	for k, m := range p.Models {
		p.add(c, m, scores[k])
	}
}

func (p *PairClassifier) newCount() count {
	c := count{votes: make([]int, p.Count), absent: slices.Repeat([]float64{math.Inf(-1)}, p.Count)}
	for _, m := range p.Models {
		c.absent[m.Negative], c.absent[m.Positive] = 0, 0
	}
	c.sums = slices.Clone(c.absent)
	return c
}

// add counts the score of a model.
func (p *PairClassifier) add(c *count, m PairModel, f float64) {
	c.size += math.Abs(f)
	c.sums[m.Negative] -= f
	c.sums[m.Positive] += f
	switch {
	case f < 0:
		c.votes[m.Negative]++
	case f > 0:
		c.votes[m.Positive]++
	case f == 0 && p.FirstWins:
		later := m.Positive
		if p.Order != nil && slices.Index(p.Order, m.Negative) > slices.Index(p.Order, m.Positive) {
			later = m.Negative
		}
		c.votes[later]++
	}
}
