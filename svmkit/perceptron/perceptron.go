package perceptron

import (
	"cmp"
	"math"
	"slices"

	"github.com/svmkit/course/svmkit"
	"github.com/svmkit/course/svmkit/internal/kernelmath"
	"github.com/svmkit/course/svmkit/internal/online"
)

// Perceptron is a plane that learns from its mistakes. The zero value is ready to use: it has w =
// 0, no bias and step size 1.
//
// Set W and B before learning to start from another plane. Do not change them while Learn or Fit
// runs.
type Perceptron struct {
	W []float64 // normal; grows to the dimension of the data; nil means zero
	B float64   // b; added to every score, learned only with PenalizedBias
	// Bias is NoBias (the default) or PenalizedBias, which learns B as the weight of a feature that
	// is always 1.
	Bias svmkit.Bias
	// Rate is the step size η > 0; default 1. From w = 0 it changes no mistake, up to rounding.
	Rate float64

	// Reference is the w* (and b*) of the proof. If it is set, every Mistake has an Align. Fit
	// requires one weight for each column; in a stream, missing columns count as zero.
	Reference *svmkit.Hyperplane
}

// Score returns f(x) = ⟨w,x⟩ + b.
//
// Columns of a sparse row that w does not have yet count as zero weight. Score panics if a dense
// row does not have len(W) columns, unless W is empty.
func (p *Perceptron) Score(x svmkit.Row) float64 { return dot(p.W, x) + p.B }

// Predict returns the class of x by the sign of its score.
func (p *Perceptron) Predict(x svmkit.Row) svmkit.Prediction {
	return svmkit.SignPrediction(p.Score(x), nil)
}

// Update scores x, learns from its label y, −1 or +1, and reports whether the score was a mistake.
//
// Only a mistake, y·f(x) ≤ 0, changes w and b. Update allocates no memory once W has the dimension
// of the data. Like Score it panics on a dense row of another length. Unlike Learn and Fit it does
// not check the fields, that y is ±1, or that the numbers are finite.
func (p *Perceptron) Update(x svmkit.Row, y float64) (mistake bool) {
	mistake = isMistake(p.Score(x), y)
	if mistake {
		p.W = grow(p.W, kernelmath.Columns(x))
		p.step(x, y)
	}
	return mistake
}

// Plane returns a copy of the current plane (w, b).
func (p *Perceptron) Plane() svmkit.Hyperplane {
	return svmkit.Hyperplane{W: slices.Clone(p.W), B: p.B}
}

// isMistake reports whether y·f(x) ≤ 0. Zero is included, because it is the sign of neither label,
// and w = 0 scores every row zero.
func isMistake(score, y float64) bool { return y*score <= 0 }

// step moves the plane towards y: w += η·y·x. W must have all columns of x.
func (p *Perceptron) step(x svmkit.Row, y float64) {
	eta := p.rate()
	x.AddTo(p.W, eta*y)
	if p.penalized() {
		p.B += eta * y
	}
}

// penalized reports whether B is learned.
func (p *Perceptron) penalized() bool { return p.Bias == svmkit.PenalizedBias }

func (p *Perceptron) rate() float64 { return cmp.Or(p.Rate, 1) }

// validate checks the fields that a caller may have set. dim is the number of columns of a data
// set, or 0 for a stream.
func (p *Perceptron) validate(dim int) error {
	if err := validateBias(p.Bias); err != nil {
		return err
	}
	switch ref := p.Reference; {
	case !(p.Rate >= 0) || math.IsInf(p.Rate, 1): // negated, so that NaN fails as well
		return &svmkit.ParamError{Name: "Rate", Value: p.Rate, Need: "must be positive and finite (0 means 1)"}
	case dim > 0 && len(p.W) != 0 && len(p.W) != dim:
		return &svmkit.ParamError{Name: "W", Value: len(p.W),
			Need: "must be empty or have one weight for each column"}
	case !allFinite(p.W, p.B):
		return &svmkit.ParamError{Name: "W, B", Value: p.Plane(), Need: "must be finite"}
	case ref == nil:
	case dim > 0 && len(ref.W) != dim:
		return &svmkit.ParamError{Name: "Reference", Value: len(ref.W), Need: "must have one weight for each column"}
	case !allFinite(ref.W, ref.B):
		return &svmkit.ParamError{Name: "Reference", Value: *ref, Need: "must be finite"}
	}
	return nil
}

func validateBias(b svmkit.Bias) error {
	switch b.Or(svmkit.NoBias) {
	case svmkit.NoBias, svmkit.PenalizedBias:
		return nil
	case svmkit.FreeBias:
		return &svmkit.ParamError{Name: "Bias", Value: b,
			Need: "must be NoBias or PenalizedBias: R and w* of the mistake bound include the " +
				"bias; use PenalizedBias"}
	}
	return &svmkit.ParamError{Name: "Bias", Value: int(b),
		Need: "must be NoBias (0 means this) or PenalizedBias"}
}

// dot returns ⟨w,x⟩ for a w that may not have all columns of a sparse x yet.
func dot(w []float64, x svmkit.Row) float64 {
	if len(w) == 0 {
		return 0
	}
	if x.Index != nil {
		x = online.FirstColumns(x, len(w))
	}
	return x.Dot(w)
}

// grow returns w with zeros appended until it has d columns.
func grow(w []float64, d int) []float64 { return append(w, make([]float64, max(0, d-len(w)))...) }

func allFinite(v []float64, b float64) bool {
	return isFinite(b) && !slices.ContainsFunc(v, func(x float64) bool { return !isFinite(x) })
}

func isFinite(v float64) bool { return math.Abs(v) <= math.MaxFloat64 }
