package loss

import (
	"math"

	"github.com/svmkit/course/svmkit"
)

// EpsInsensitive is max(0, |s−y|−ε), the loss of support vector regression.
//
// It is 0 inside a tube of half-width ε around the target (lessons/12-svr.md). The zero value, ε =
// 0, is the absolute error. At the kinks |s−y| = ε the subgradient is 0: the edge belongs to the
// tube.
type EpsInsensitive struct {
	Epsilon float64 // ε ≥ 0, in units of the target
}

// Validate returns a [*svmkit.ParamError] unless ε is finite and ≥ 0. The methods that compute do
// not check it.
func (l EpsInsensitive) Validate() error { return validTube(l.Epsilon) }

// Value returns the loss ℓ(score, y).
func (l EpsInsensitive) Value(score, y float64) float64 {
	return max(0, math.Abs(score-y)-l.Epsilon)
}

// Subgradient returns a slope of the loss at the score; the type names the choice at a kink.
func (l EpsInsensitive) Subgradient(score, y float64) float64 {
	r := score - y
	if math.Abs(r) <= l.Epsilon {
		return 0
	}
	return nanOr(r, math.Copysign(1, r))
}

// Conjugate returns the convex conjugate ℓ*(u, y) in the table of the package comment.
func (l EpsInsensitive) Conjugate(u, y float64) float64 {
	if math.Abs(u) > 1 {
		return math.Inf(1)
	}
	return u*y + l.Epsilon*math.Abs(u)
}

// SquaredEpsInsensitive is max(0, |s−y|−ε)². It has a derivative everywhere, which is 0 on the
// edges of the tube. The zero value has ε = 0 and is the squared error (s−y)².
type SquaredEpsInsensitive struct {
	Epsilon float64 // ε ≥ 0, in units of the target
}

// Validate returns a [*svmkit.ParamError] unless ε is finite and ≥ 0. The methods that compute do
// not check it.
func (l SquaredEpsInsensitive) Validate() error { return validTube(l.Epsilon) }

// Value returns the loss ℓ(score, y).
func (l SquaredEpsInsensitive) Value(score, y float64) float64 {
	out := max(0, math.Abs(score-y)-l.Epsilon)
	return out * out
}

// Subgradient returns a slope of the loss at the score; the type names the choice at a kink.
func (l SquaredEpsInsensitive) Subgradient(score, y float64) float64 {
	r := score - y
	return math.Copysign(2*max(0, math.Abs(r)-l.Epsilon), r)
}

// Conjugate returns the convex conjugate ℓ*(u, y) in the table of the package comment.
func (l SquaredEpsInsensitive) Conjugate(u, y float64) float64 {
	// |u| is factored out so that u = ±∞ gives +Inf and not ∞ − ∞.
	return math.Abs(u) * (math.Copysign(1, u)*y + l.Epsilon + math.Abs(u)/4)
}

func validTube(epsilon float64) error {
	if !(epsilon >= 0) || math.IsInf(epsilon, 1) {
		return &svmkit.ParamError{Name: "Epsilon", Value: epsilon, Need: "must be ≥ 0 and finite"}
	}
	return nil
}
