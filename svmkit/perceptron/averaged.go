package perceptron

import (
	"context"
	"encoding/binary"
	"errors"
	"fmt"
	"iter"
	"math"

	"github.com/svmkit/course/svmkit"
)

// Averaged is a perceptron that predicts with the mean of its planes.
//
// The mean is taken over the (w, b) after each example, with or without a mistake. After T
// examples, an update ηyx made at example number s (from 0) is part of the last T − s planes, so
// the mean is
//
//	w̄ = w − u/T,   u = Σ s·ηyx over the mistakes,
//
// and an example costs as much as without averaging. The zero value is ready to use. Set Last.Bias,
// Last.Rate and Last.Reference as for a [Perceptron]; mistakes are the mistakes of Last.
//
// Source: Collins, EMNLP 2002; lessons/02-perceptron.md.
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

// Predict returns the class of x by the sign of its score.
func (a *Averaged) Predict(x svmkit.Row) svmkit.Prediction {
	return svmkit.SignPrediction(a.Score(x), nil)
}

// Update learns from one example, as [Perceptron.Update] does.
func (a *Averaged) Update(x svmkit.Row, y float64) (mistake bool) {
	mistake = a.Last.Update(x, y)
	a.follow(x, y, mistake)
	return mistake
}

// Learn learns from a stream, as [Perceptron.Learn] does.
func (a *Averaged) Learn(ctx context.Context, examples iter.Seq2[svmkit.Row, float64], each func(Mistake) bool) error {
	return stream(ctx, examples, each, a.start)
}

// Fit learns from a data set, as [Perceptron.Fit] does. The mean is taken over all passes.
func (a *Averaged) Fit(ctx context.Context, s *svmkit.Dataset, stop Stop) (*Trace, error) {
	return fit(ctx, s, stop, a.start)
}

// start is a [starter].
func (a *Averaged) start(dim, _ int) (learner, error) { return a.Last.begin(dim, a.follow) }

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

// ErrState is the cause of an error of [Averaged.UnmarshalBinary].
var ErrState = errors.New("not the saved state of a perceptron")

// averagedState is the state of an [Averaged] without w and u, of Columns numbers each, which
// follow it.
type averagedState struct {
	Magic           [8]byte
	Bias            bool
	Rate, B, UB     float64
	Rounds, Columns int64
}

// The last byte of averagedMagic is the version.
var averagedMagic = [8]byte{'a', 'v', 'e', 'r', 'a', 'g', 'e', 1}

// MarshalBinary returns the whole state except Last.Reference, in 16 bytes per column and 49 more.
//
// Learning that continues from this state gives bit-identical planes to learning that never
// stopped. MarshalBinary never fails.
func (a *Averaged) MarshalBinary() ([]byte, error) {
	u := grow(a.u, len(a.Last.W))
	s := averagedState{Magic: averagedMagic, Bias: a.Last.penalized(), Rate: a.Last.Rate,
		B: a.Last.B, UB: a.uB,
		Rounds: int64(a.rounds), Columns: int64(len(u))}
	state, err := binary.Append(make([]byte, 0, binary.Size(s)+16*len(u)), binary.LittleEndian, s)
	if err == nil {
		state, err = binary.Append(state, binary.LittleEndian, a.Last.W)
	}
	if err == nil {
		state, err = binary.Append(state, binary.LittleEndian, u)
	}
	return state, err
}

// UnmarshalBinary sets a to a state of [Averaged.MarshalBinary], without a Reference. If it returns
// an error, which wraps [ErrState], a is unchanged.
func (a *Averaged) UnmarshalBinary(state []byte) error {
	var s averagedState
	n, err := binary.Decode(state, binary.LittleEndian, &s)
	switch {
	case err != nil || s.Magic != averagedMagic:
		return ErrState
	case s.Columns < 0 || s.Columns > math.MaxInt32 ||
		int64(len(state)-n) != 16*s.Columns: // before anything is allocated
		return fmt.Errorf("%w: %d bytes for %d columns", ErrState, len(state), s.Columns)
	}
	b := Averaged{Last: Perceptron{W: make([]float64, s.Columns), B: s.B, Rate: s.Rate},
		u: make([]float64, s.Columns), uB: s.UB, rounds: int(s.Rounds)}
	if s.Bias {
		b.Last.Bias = svmkit.PenalizedBias
	}
	binary.Decode(state[n:], binary.LittleEndian, b.Last.W)
	binary.Decode(state[n+8*len(b.u):], binary.LittleEndian, b.u)
	if err := b.Last.validate(0); err != nil || !allFinite(b.u, b.uB) || b.rounds < 0 {
		return fmt.Errorf("%w: a number that none has", ErrState)
	}
	*a = b
	return nil
}
