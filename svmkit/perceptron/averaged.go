package perceptron

import (
	"context"
	"iter"

	"github.com/svmkit/course/svmkit"
)

// Averaged is a perceptron that predicts with the mean of its planes: of the (w, b) that it
// had after each example it has seen, right or wrong. A plane that survived long counts
// more, and one bad last example cannot ruin the result (note B; Collins, EMNLP 2002).
//
// The mean is lazy. After T examples, an update ηyx made at example number s (from 0) is
// part of the last T − s planes, so the mean is
//
//	w̄ = w − u/T,   u = Σ s·ηyx over the mistakes,
//
// and an example costs as much as without averaging: nothing if it is right, O(stored
// values of x) if it is wrong.
//
// The zero value is ready to use. Set Last.Bias, Last.Rate and Last.Reference as for a
// [Perceptron]; mistakes are those of Last.
type Averaged struct {
	Last Perceptron // the perceptron that learns; its own Score uses the last plane

	u      []float64 // Σ s·ηyx; empty or as long as Last.W
	uB     float64   // the same for the bias
	rounds int       // T, examples seen in all runs
}

// Score returns ⟨w̄,x⟩ + b̄. Lengths as for [Perceptron.Score].
func (a *Averaged) Score(x svmkit.Row) float64 {
	score := a.Last.Score(x)
	if a.rounds > 0 {
		score -= (dot(a.u, x) + a.uB) / float64(a.rounds)
	}
	return score
}

// Plane returns the mean plane (w̄, b̄) as a copy.
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

// Learn is [Perceptron.Learn].
func (a *Averaged) Learn(ctx context.Context, examples iter.Seq2[svmkit.Row, float64], each func(Mistake) bool) error {
	return stream(ctx, examples, each, func() (learner, error) { return a.begin(0) })
}

// Fit is [Perceptron.Fit]. The mean is taken over all passes.
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

// follow keeps u = Σ s·ηyx: the example it is told of has the number s = a.rounds.
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
