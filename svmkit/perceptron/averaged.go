package perceptron

import (
	"context"
	"iter"

	"github.com/svmkit/course/svmkit"
)

// Averaged is a perceptron that predicts with the mean of its planes, which are the (w, b) after
// each example it has seen, whether its score was right or wrong. A plane that has survived for
// long counts more, and one bad last example cannot spoil the result (Collins, EMNLP 2002;
// lessons/02-perceptron.md).
//
// The mean is lazy. After T examples, an update ηyx made at example number s (from 0) is part of
// the last T − s planes, so the mean is
//
//	w̄ = w − u/T,   u = Σ s·ηyx over the mistakes,
//
// and an example costs as much as without averaging: nothing if it is right, and O(stored values of
// x) if it is wrong.
//
// The zero value is ready to use. Set Last.Bias, Last.Rate and Last.Reference as for a
// [Perceptron]; mistakes are those of Last.
type Averaged struct {
	Last Perceptron // the perceptron that learns; its own Score uses the last plane

	u      []float64 // Σ s·ηyx; empty or as long as Last.W
	uB     float64   // the same sum for the bias
	rounds int       // T, examples seen in all runs
}

// Score returns ⟨w̄,x⟩ + b̄. The lengths must match as for [Perceptron.Score].
func (a *Averaged) Score(x svmkit.Row) float64 {
	score := a.Last.Score(x)
	if a.rounds > 0 {
		score -= (dot(a.u, x) + a.uB) / float64(a.rounds)
	}
	return score
}

// Plane returns a copy of the mean plane (w̄, b̄).
func (a *Averaged) Plane() svmkit.Hyperplane {
	mean := a.Last.Plane()
	if a.rounds > 0 {
		for j, v := range a.u {
			mean.W[j] -= v / float64(a.rounds)
		}
		mean.B -= a.uB / float64(a.rounds)
	}
	return mean
}

// Update learns from one example, as [Perceptron.Update] does.
func (a *Averaged) Update(x svmkit.Row, y float64) (mistake bool) {
	mistake = a.Last.Update(x, y)
	a.follow(x, y, mistake)
	return mistake
}

// Learn learns from a stream, as [Perceptron.Learn] does.
func (a *Averaged) Learn(ctx context.Context, examples iter.Seq2[svmkit.Row, float64],
	each func(Mistake) bool) error {
	return stream(ctx, examples, each, func() (learner, error) { return a.begin(0) })
}

// Fit learns from a data set, as [Perceptron.Fit] does. The mean is taken over all passes.
func (a *Averaged) Fit(ctx context.Context, s *svmkit.Dataset, stop Stop) (*Trace, error) {
	return fit(ctx, s, stop, func() (learner, error) { return a.begin(s.Dim) })
}

func (a *Averaged) begin(dim int) (*run, error) {
	r, err := a.Last.begin(dim)
	if err == nil {
		r.follow = a.follow
	}
	return r, err
}

// follow updates u = Σ s·ηyx for an example, whose number is s = a.rounds.
func (a *Averaged) follow(x svmkit.Row, y float64, mistake bool) {
	if mistake {
		a.u = grow(a.u, len(a.Last.W))
		weight := float64(a.rounds) * a.Last.rate() * y
		x.AddTo(a.u, weight)
		if a.Last.penalized() {
			a.uB += weight
		}
	}
	a.rounds++
}
