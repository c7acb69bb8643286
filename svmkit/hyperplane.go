package svmkit

import (
	"cmp"
	"fmt"
	"math"
)

// Hyperplane is the plane H = {z : ⟨W,z⟩ + B = 0}.
//
// Counted from the origin in the direction of W, it lies at −B/‖W‖: a positive bias moves it
// *against* its normal.
type Hyperplane struct {
	W []float64 // normal, length d
	B float64   // bias
}

// NewHyperplane returns the plane (w, b), which shares w. The error is [ErrNoNormal] if w is zero,
// and [ErrNotFinite] if a number is not finite.
func NewHyperplane(w []float64, b float64) (Hyperplane, error) {
	h := Hyperplane{W: w, B: b}
	if len(w) == 0 {
		return h, noPlace(ErrNoColumns)
	}
	for j, v := range w {
		if !finite(v) {
			return h, &DataError{Row: 0, Col: j, Value: v, Err: ErrNotFinite}
		}
	}
	if !finite(b) {
		return h, &ParamError{Name: "b", Value: b, Need: "must be finite"}
	}
	if h.Norm() == 0 {
		return h, noPlace(ErrNoNormal)
	}
	return h, nil
}

// Score returns f(x) = ⟨w,x⟩ + b. It scales with (w, b): a score is a distance in units of 1/‖w‖.
func (h Hyperplane) Score(x Row) float64 { return x.Dot(h.W) + h.B }

// Predict returns the label of the side on which x lies, by the sign of its score.
func (h Hyperplane) Predict(x Row) Prediction { return SignPrediction(h.Score(x), nil) }

// Norm returns ‖w‖.
func (h Hyperplane) Norm() float64 { return Dense(h.W...).Norm() }

// SignedDistance returns f(x)/‖w‖, which is positive on the side that w points to. It is NaN if w =
// 0.
func (h Hyperplane) SignedDistance(x Row) float64 { return h.perNorm(h.Score(x)) }

// Distance returns the distance |f(x)|/‖w‖ from x to the plane. It is NaN if w = 0.
func (h Hyperplane) Distance(x Row) float64 { return math.Abs(h.SignedDistance(x)) }

// Project returns the foot of x: the point of the plane nearest to x, x − (f(x)/‖w‖²)·w. It is NaN
// if w = 0.
func (h Hyperplane) Project(x Row) []float64 {
	p := x.ToDense(len(h.W))
	Dense(h.W...).AddTo(p, h.perNorm(-h.SignedDistance(x))) // ‖w‖² might overflow
	return p
}

// Scale returns (λw, λb). The plane stays the same; λ < 0 exchanges its two sides.
func (h Hyperplane) Scale(lambda float64) Hyperplane {
	w := make([]float64, len(h.W))
	for j, v := range h.W {
		w[j] = lambda * v
	}
	return Hyperplane{W: w, B: lambda * h.B}
}

// Margin returns the geometric margin y·f(x)/‖w‖ of one example: its distance from the plane,
// negative on the wrong side.
func (h Hyperplane) Margin(x Row, y float64) float64 { return y * h.SignedDistance(x) }

// SetMargin returns γ, the smallest geometric margin over the rows of s, and the number of that
// row.
//
// γ > 0 if and only if the plane separates s. The plane must have s.Dim columns, and the labels
// must be ±1. γ is NaN if w = 0. SetMargin panics if s has no rows.
func (h Hyperplane) SetMargin(s *Dataset) (gamma float64, row int) {
	functional, row := h.smallestFunctional(s)
	return h.perNorm(functional), row
}

// Canonical returns the plane rescaled so that the smallest functional margin y·f(x) over s is 1.
//
// The half-margin is then 1/‖w‖. The plane must separate s, otherwise the error is a [*DataError]
// that names the row on the wrong side. If w = 0, the error is [ErrNoNormal].
func (h Hyperplane) Canonical(s *Dataset) (Hyperplane, error) {
	if s == nil || len(s.X) == 0 {
		return h, noPlace(ErrEmpty)
	}
	if h.Norm() == 0 {
		return h, noPlace(ErrNoNormal)
	}
	functional, row := h.smallestFunctional(s)
	if !(functional > 0) {
		return h, &DataError{Row: row, Col: NoPlace, Value: functional,
			Err: fmt.Errorf("no canonical form: %w", ErrNotSeparated)}
	}
	return h.Scale(1 / functional), nil
}

// perNorm returns v/‖w‖, a score turned into a length, and NaN if w = 0.
func (h Hyperplane) perNorm(v float64) float64 {
	norm := h.Norm()
	if norm == 0 {
		return math.NaN()
	}
	return v / norm
}

func (h Hyperplane) smallestFunctional(s *Dataset) (least float64, row int) {
	least = math.Inf(1)
	for i, x := range s.X {
		if m := s.Y[i] * h.Score(x); m < least || math.IsNaN(m) {
			least, row = m, i
		}
	}
	if len(s.X) == 0 {
		panic("svmkit: the margin of an empty set")
	}
	return least, row
}

// Bias selects how the constant b of f(x) = ⟨w,x⟩ + b enters a problem.
//
// The zero value means the usual bias of each algorithm: free for svm.Problem, and none for a
// perceptron, svm.PegasosStream and multiclass.CrammerSinger.
type Bias int

const (
	FreeBias      Bias = iota + 1 // b is free and costs nothing: the textbook's soft margin
	PenalizedBias                 // b is the weight of a constant feature 1, so ‖w‖² includes b²
	NoBias                        // b = 0: planes through the origin
)

// String returns the bias in words, such as "free bias".
func (b Bias) String() string {
	names := [...]string{"default bias", "free bias", "penalized bias", "no bias"}
	if b < 0 || int(b) >= len(names) {
		return "unknown bias"
	}
	return names[b]
}

// Or returns b, or the given default if b is zero.
func (b Bias) Or(usual Bias) Bias { return cmp.Or(b, usual) }
