package perceptron

import (
	"context"
	"iter"

	"github.com/svmkit/course/svmkit"
	"github.com/svmkit/course/svmkit/internal/online"
)

// Voted is a perceptron that predicts by a majority vote of its planes.
//
// Each plane has one vote per example that it survived. Voted keeps a copy of every plane: k
// mistakes in d columns need k·d numbers, and Score takes O(k·stored values of x). The zero value
// is ready to use. Set Last.Bias, Last.Rate and Last.Reference as for a [Perceptron]; mistakes are
// the mistakes of Last.
//
// Source: Freund and Schapire, "Large margin classification using the perceptron algorithm",
// Machine Learning 37, 1999, figure 1; lessons/02-perceptron.md.
type Voted struct {
	Last   Perceptron // the perceptron that learns; its own Score uses the last plane
	Voters []Voter    // in order of time
}

// Voter is one plane with its votes: the number of examples after which it was the current plane.
// The first of them is the example whose mistake made it.
type Voter struct {
	svmkit.Hyperplane
	Count int
}

// Score returns Σ c·sign(⟨w,x⟩ + b) over the voters: votes for +1 minus votes for −1.
//
// A voter with score 0 abstains. The lengths must match as for [Perceptron.Score].
func (v *Voted) Score(x svmkit.Row) float64 {
	votes := 0
	for i, voter := range v.Voters {
		row := x
		// Sparse rows may have added columns after this voter.
		if i < len(v.Voters)-1 {
			row = online.FirstColumns(x, len(voter.W))
		}
		switch score := dot(voter.W, row) + voter.B; {
		case score > 0:
			votes += voter.Count
		case score < 0:
			votes -= voter.Count
		}
	}
	return float64(votes)
}

// Predict returns the class of x by the sign of its score.
func (v *Voted) Predict(x svmkit.Row) svmkit.Prediction {
	return svmkit.SignPrediction(v.Score(x), nil)
}

// Update learns from one example, as [Perceptron.Update] does. Every mistake allocates a copy of
// the plane.
func (v *Voted) Update(x svmkit.Row, y float64) (mistake bool) {
	mistake = v.Last.Update(x, y)
	v.follow(x, y, mistake)
	return mistake
}

// Learn learns from a stream, as [Perceptron.Learn] does.
func (v *Voted) Learn(ctx context.Context, examples iter.Seq2[svmkit.Row, float64], each func(Mistake) bool) error {
	return stream(ctx, examples, each, v.start)
}

// Fit learns from a data set, as [Perceptron.Fit] does. The planes of all passes vote.
func (v *Voted) Fit(ctx context.Context, s *svmkit.Dataset, stop Stop) (*Trace, error) {
	return fit(ctx, s, stop, v.start)
}

// start is a [starter].
func (v *Voted) start(dim, _ int) (learner, error) { return v.Last.begin(dim, v.follow) }

// follow gives the current plane one vote; after a mistake it is a new plane. The first voter of a
// perceptron that starts from a plane of its own may be this plane.
func (v *Voted) follow(_ svmkit.Row, _ float64, mistake bool) {
	if mistake || len(v.Voters) == 0 {
		v.Voters = append(v.Voters, Voter{Hyperplane: v.Last.Plane()})
	}
	v.Voters[len(v.Voters)-1].Count++
}
