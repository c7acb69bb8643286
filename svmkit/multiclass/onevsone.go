package multiclass

import (
	"context"
	"math"
	"slices"

	"github.com/svmkit/course/svmkit"
)

// OneVsOne fits one model a pair of classes, on their rows only (Knerr, Personnaz and
// Dreyfus 1990). For a < b the model of (a, b) gives a positive score to class b.
//
// Every model votes for one class, or for none if its score is exactly zero. The class with
// the most votes wins. Of classes with equally many votes the one with the largest sum of
// scores wins, over its K−1 models and with their signs turned towards it; of equal sums,
// the lower class number wins. [PairClassifier].FirstWins is another rule. The vote takes no random
// numbers and does not depend on the order of the rows.
type OneVsOne struct {
	// Binary fits the models for two classes, each of which must be a [svmkit.Scorer]. It must be
	// safe for concurrent use unless Threads is 1.
	Binary  svmkit.Fitter
	Threads int // models fitted at once, which changes no result; 0 means GOMAXPROCS
	// Progress is told how many of all models are fitted, after each and every [svmkit.ProgressEvery], one call at a
	// time, with no certificate. False stops: then Fit returns [ErrStopped]. May be nil.
	Progress func(svmkit.Progress) bool
}

// PairModel tells class Negative (score < 0) from class Positive (score > 0).
type PairModel struct {
	Negative, Positive int // class numbers, Negative < Positive
	svmkit.Scorer
}

// PairClassifier is what OneVsOne.Fit returns.
type PairClassifier struct {
	Classes
	Models []PairModel // by Negative, then by Positive; no pair with an absent class
	// FirstWins counts votes as svm-predict does: a score of exactly zero votes for the class of the
	// pair that is later in Order, and of classes with equally many votes the first in Order wins. A
	// model that was read from a file of LIBSVM has it; [OneVsOne.Fit] leaves it false.
	FirstWins bool
}

// Fit fits the models, with the errors of [OneVsRest.Fit]; the failing pair that comes first
// gives the error.
func (m OneVsOne) Fit(ctx context.Context, set *svmkit.Dataset) (*PairClassifier, error) {
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
	p := &PairClassifier{Classes: classes}
	rows := make([][]int, classes.Count)
	for i, k := range class {
		rows[k] = append(rows[k], i)
	}
	for a := range classes.Count {
		for b := a + 1; b < classes.Count; b++ {
			if present[a] && present[b] {
				p.Models = append(p.Models, PairModel{Negative: a, Positive: b})
			}
		}
	}
	err = fitAll(ctx, len(p.Models), threads, m.Progress, func(ctx context.Context, i int) error {
		pair := &p.Models[i]
		model, err := fitted(ctx, m.Binary, pairSet(set, classes, class, *pair))
		if err != nil {
			return &ModelError{Class: classes.Name(pair.Negative), Against: classes.Name(pair.Positive), Err: err}
		}
		pair.Scorer = model
		return nil
	})
	if err != nil {
		return nil, err
	}
	return p, nil
}

// Fitter returns Fit as a [svmkit.Fitter].
func (m OneVsOne) Fitter() svmkit.Fitter {
	return func(ctx context.Context, train *svmkit.Dataset) (svmkit.Model, error) {
		c, err := m.Fit(ctx, train)
		if err != nil {
			return nil, err // not c, a nil pointer that is no nil Model
		}
		return c, nil
	}
}

// pairSet returns the rows of two classes, in the order of the data. For two classes that
// is set.
func pairSet(set *svmkit.Dataset, classes Classes, class []int, p PairModel) *svmkit.Dataset {
	if classes.Signed {
		return set
	}
	var rows []int
	for i, c := range class {
		if c == p.Negative || c == p.Positive {
			rows = append(rows, i)
		}
	}
	t := set.Subset(rows)
	t.Classes = []string{classes.Name(p.Negative), classes.Name(p.Positive)}
	for k, i := range rows {
		t.Y[k] = -1
		if class[i] == p.Positive {
			t.Y[k] = 1
		}
	}
	return t
}

// scorers yields the models.
func (p *PairClassifier) scorers(yield func(svmkit.Scorer) bool) {
	for _, m := range p.Models {
		if !yield(m.Scorer) {
			return
		}
	}
}

// FitStatus is [RestClassifier.FitStatus].
func (p *PairClassifier) FitStatus() svmkit.Status { return worstStatus(p.scorers) }

// Columns is as [RestClassifier.Columns].
func (p *PairClassifier) Columns() svmkit.Columns { return firstColumns(p.scorers) }

// ClassScores returns the sum of scores of each class, the tie-breaker of the vote: Σ f over the
// models for which it is the positive class, minus Σ f over those for which it is the negative one.
// They are −f and f for two classes, and −Inf for a class without rows.
func (p *PairClassifier) ClassScores(x svmkit.Row) []float64 { return p.count(x).sums }

// Votes returns how many models vote for each class.
func (p *PairClassifier) Votes(x svmkit.Row) []int { return p.count(x).votes }

// Predict returns the class that wins the vote; none if a score is NaN.
func (p *PairClassifier) Predict(x svmkit.Row) svmkit.Prediction {
	return p.prediction(p.winner(p.count(x)))
}

// ClassScoresAll returns [PairClassifier.ClassScores] of each row, up to rounding.
func (p *PairClassifier) ClassScoresAll(rows []svmkit.Row) [][]float64 {
	scores := make([][]float64, len(rows))
	for i, c := range p.countAll(rows) {
		scores[i] = c.sums
	}
	return scores
}

// PredictAll returns [PairClassifier.Predict] of each row, at the cost of one call of
// [svmkit.ScoreAll] per model.
func (p *PairClassifier) PredictAll(rows []svmkit.Row) []svmkit.Prediction {
	all, of := make([]svmkit.Prediction, len(rows)), p.predictions()
	for i, c := range p.countAll(rows) {
		class := p.winner(c)
		if class < 0 {
			class = p.Count
		}
		all[i] = of[class]
	}
	return all
}

// countAll counts the votes about each row. Where rounding could decide between sums of scores, the row
// is counted again by itself.
func (p *PairClassifier) countAll(rows []svmkit.Row) []count {
	counts := make([]count, len(rows))
	for i := range counts {
		counts[i] = p.newCount()
	}
	near := make([]func(int, float64) bool, len(p.Models))
	for k, m := range p.Models {
		scores, rounded := svmkit.ScoreAllNear(m.Scorer, rows)
		for i, f := range scores {
			p.add(&counts[i], m, f)
		}
		near[k] = rounded
	}
	for i := range counts {
		if p.unsure(&counts[i], func(k int, d float64) bool { return near[k] != nil && near[k](i, d) }) {
			counts[i] = p.count(rows[i])
		}
	}
	return counts
}

// unsure reports whether rounding could decide the vote: it cannot change a vote, whose scores have the
// signs of Score, but sums of scores decide between classes with equally many votes. near reports
// whether the score of a model may have been rounded by d or more.
//
// Two sums are over 2(K−1) scores of K models in all. If each of these is rounded by less than a 4K-th
// of their difference, and so are the additions, their order is that of the sums of Score.
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
	votes []int
	sums  []float64 // the tie-breaker; −Inf for a class without a model
	size  float64   // Σ|f| over all models
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

// countOf counts the votes of the models by their scores.
func (p *PairClassifier) countOf(scores []float64) count {
	c := p.newCount()
	for k, m := range p.Models {
		p.add(&c, m, scores[k])
	}
	return c
}

func (p *PairClassifier) newCount() count {
	c := count{votes: make([]int, p.Count), sums: make([]float64, p.Count)}
	for k, has := range p.present() {
		if !has {
			c.sums[k] = math.Inf(-1)
		}
	}
	return c
}

// present reports for each class whether some model knows it.
func (p *PairClassifier) present() []bool {
	present := make([]bool, p.Count)
	for _, m := range p.Models {
		present[m.Negative], present[m.Positive] = true, true
	}
	return present
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
