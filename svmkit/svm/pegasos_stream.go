package svm

import (
	"context"
	"fmt"
	"iter"
	"math"

	"github.com/svmkit/course/svmkit"
	"github.com/svmkit/course/svmkit/internal/kernelmath"
	"github.com/svmkit/course/svmkit/internal/online"
	"github.com/svmkit/course/svmkit/svm/internal/pegasos"
)

// PegasosStream is [Pegasos] for examples that arrive one at a time and are not kept.
//
// It holds a few vectors of length d, however many examples arrive. Each example is one step on
//
//	(λ/2)‖w‖² + the mean of max(0, 1 − yf(x)) over all examples, past and future.
//
// There is no certificate, because it would need the data. If the same n rows arrive again and
// again, λ = 1/(Cn) corresponds to the soft margin with cost C.
//
// Set Lambda; the other fields may stay zero. Do not change exported fields once learning has
// begun. A PegasosStream is not safe for concurrent use.
type PegasosStream struct {
	Lambda float64 // regulariser λ > 0, with a finite 1/λ; required
	// Bias is NoBias (the default) or PenalizedBias, which learns b as the weight of a feature that
	// is always 1.
	Bias svmkit.Bias
	// Last makes Score use the last iterate instead of the mean of the iterates, in which step t
	// has weight t.
	Last bool

	point  pegasos.Point
	since  []float64 // Σ R_before·added, see pegasos.Point; as long as point.V
	sinceB float64   // the same sum for the bias
}

// Violation describes a step of [PegasosStream] whose example had y·f(x) < 1 before it. Only these
// examples add to w; all others shrink it.
type Violation struct {
	// t, from 1: the number of the example over all calls of Learn
	Step  int
	Label float64 // y
	Score float64 // f(x) of the last iterate before the step
}

// Learn makes one step for each example and keeps none of them.
//
// After every violation it calls each, unless each is nil. If each returns false, Learn stops
// between two examples and returns nil, and the next call of Learn continues from there. A row may
// be reused after its turn.
//
// Sparse rows may have new columns at any time, up to 2²⁷. All dense rows must have the same
// length.
//
// Learn returns nil after the last example, and ctx.Err() if ctx ends first. A bad field or a nil
// ctx or examples is a [*svmkit.ParamError]. An unusable example (a label other than ±1, a number
// that is not finite, a row of another length) changes nothing and ends Learn with a
// [*svmkit.DataError], whose Row counts the examples of this call from 0.
func (p *PegasosStream) Learn(ctx context.Context, examples iter.Seq2[svmkit.Row, float64],
	each func(Violation) bool) error {
	return online.Each(ctx, examples, p.begin, p.width,
		func(x svmkit.Row, y float64, row int) (goOn bool, err error) {
			score := p.lastScore(x)
			if !pegasosFinite(score) || !pegasosFinite(x.SquaredNorm()) {
				return false, &svmkit.DataError{Row: row, Col: svmkit.NoPlace, Value: score,
					Err: errPegasosTooLarge}
			}
			return !p.step(x, y, score) || each == nil ||
				each(Violation{Step: p.point.T, Label: y, Score: score}), nil
		})
}

var errPegasosTooLarge = fmt.Errorf("the score or ‖x‖² would overflow: %w", svmkit.ErrNotFinite)

// Steps returns t, the number of examples learned so far.
func (p *PegasosStream) Steps() int { return p.point.T }

// Predict returns the class of x by the sign of its score.
func (p *PegasosStream) Predict(x svmkit.Row) svmkit.Prediction {
	return svmkit.SignPrediction(p.Score(x), nil)
}

// Plane returns a copy of the plane (w, b) that Score uses: the mean, or the last iterate with
// Last. Before the first step it is zero.
func (p *PegasosStream) Plane() svmkit.Hyperplane {
	h := svmkit.Hyperplane{W: make([]float64, len(p.point.V)), B: p.point.Model(p.point.B, p.sinceB,
		p.Last)}
	for j, v := range p.point.V {
		h.W[j] = p.point.Model(v, p.since[j], p.Last)
	}
	return h
}

// Score returns f(x).
//
// Columns of a sparse row that no example has had yet get weight zero. Score panics if a dense row
// does not have as many columns as the examples.
func (p *PegasosStream) Score(x svmkit.Row) float64 {
	if len(p.point.V) == 0 {
		return 0
	}
	if x.Index != nil {
		x = online.FirstColumns(x, len(p.point.V))
	}
	return p.point.Model(x.Dot(p.point.V)+p.point.B, x.Dot(p.since)+p.sinceB, p.Last)
}

func (p *PegasosStream) penalized() bool { return p.Bias == svmkit.PenalizedBias }

func (p *PegasosStream) begin() error {
	// the first step is 1/λ
	if !(p.Lambda > 0) || math.IsInf(p.Lambda, 1) || math.IsInf(1/p.Lambda, 1) {
		return &svmkit.ParamError{Name: "Lambda", Value: p.Lambda,
			Need: "must be positive and finite, and so must 1/Lambda"}
	}
	switch p.Bias {
	case 0, svmkit.NoBias, svmkit.PenalizedBias:
	default:
		return &svmkit.ParamError{Name: "Bias", Value: int(p.Bias),
			Need: "must be PenalizedBias or NoBias: the step 1/(λt) needs the regulariser λ on " +
				"every unknown"}
	}
	if p.point.T == 0 && p.point.Rho == 0 {
		p.point = pegasos.NewPoint(p.Lambda, 0, p.penalized())
	}
	return nil
}

// width returns the number of columns that x must fit into.
func (p *PegasosStream) width(x svmkit.Row) int {
	switch d := len(p.point.V); {
	case x.Index != nil:
		return max(d, svmkit.MaxColumns)
	case d > 0:
		return d
	}
	return len(x.Value)
}

// lastScore returns f(x) at the last iterate.
func (p *PegasosStream) lastScore(x svmkit.Row) float64 {
	if p.point.T == 0 {
		return 0
	}
	if x.Index != nil {
		x = online.FirstColumns(x, len(p.point.V))
	}
	return p.point.Score(x)
}

// step is Fig. 1 of the paper for one example with a known score. It reports whether the example
// violated the margin.
func (p *PegasosStream) step(x svmkit.Row, y, score float64) (violates bool) {
	if need := kernelmath.Columns(x); need > len(p.point.V) {
		p.point.V = append(p.point.V, make([]float64, need-len(p.point.V))...)
		p.since = append(p.since, make([]float64, need-len(p.since))...)
	}
	if violates = y*score < 1; violates {
		a := p.point.Sum * p.point.Add(x, y)
		x.AddTo(p.since, a)
		if p.penalized() {
			p.sinceB += a
		}
	}
	p.point.Finish()
	return violates
}

func pegasosFinite(v float64) bool { return !math.IsNaN(v) && !math.IsInf(v, 0) }
