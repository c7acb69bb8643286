package loss

import "math"

// Perceptron is max(0, −m), m = y·s: the depth of a score on the wrong side, or 0.
//
// At the kink m = 0 the subgradient is −y, so that a subgradient step of size 1, w − g·x, *is* the
// perceptron's update w + y·x on a mistake y·f(x) ≤ 0. With 0 at the kink a run from w = 0 would
// stay there. Unlike the hinge, this loss is not a bound of the zero–one loss: at y·s = −0.5 it is
// 0.5 < 1.
type Perceptron struct{}

// Value returns the loss ℓ(score, y).
func (Perceptron) Value(score, y float64) float64 { return max(0, -y*score) }

// Subgradient returns a slope of the loss at the score; the type names the choice at a kink.
func (Perceptron) Subgradient(score, y float64) float64 {
	if y*score > 0 {
		return 0
	}
	return nanOr(score, -y)
}

// Conjugate returns the convex conjugate ℓ*(u, y) in the table of the package comment.
func (Perceptron) Conjugate(u, y float64) float64 {
	if v := u * y; v < -1 || v > 0 {
		return math.Inf(1)
	}
	return nanOr(u*y, 0)
}

// Hinge is max(0, 1−m) = relu(1−m), m = y·s, which is the slack ξ of the soft margin.
//
// It is the least convex function with slope −1 at 0 that bounds the zero–one loss
// (lessons/05-losses.md). At the kink m = 1 the subgradient is 0; any value between −y and 0 is a
// subgradient.
type Hinge struct{}

// Value returns the loss ℓ(score, y).
func (Hinge) Value(score, y float64) float64 { return max(0, 1-y*score) }

// Subgradient returns a slope of the loss at the score; the type names the choice at a kink.
func (Hinge) Subgradient(score, y float64) float64 {
	if y*score >= 1 {
		return 0
	}
	return nanOr(score, -y)
}

// Conjugate returns the convex conjugate ℓ*(u, y) in the table of the package comment.
func (Hinge) Conjugate(u, y float64) float64 {
	v := u * y
	if v < -1 || v > 0 {
		return math.Inf(1)
	}
	return v
}

// SquaredHinge is max(0, 1−m)², m = y·s. It has a derivative everywhere, which is 0 at m = 1.
type SquaredHinge struct{}

// Value returns the loss ℓ(score, y).
func (SquaredHinge) Value(score, y float64) float64 {
	slack := max(0, 1-y*score)
	return slack * slack
}

// Subgradient returns a slope of the loss at the score; the type names the choice at a kink.
func (SquaredHinge) Subgradient(score, y float64) float64 {
	if y*score >= 1 {
		return 0
	}
	return -2 * y * (1 - y*score)
}

// Conjugate returns the convex conjugate ℓ*(u, y) in the table of the package comment.
func (SquaredHinge) Conjugate(u, y float64) float64 {
	v := u * y
	if v > 0 {
		return math.Inf(1)
	}
	return v * (1 + v/4) // this form is +Inf, not NaN, at v = −∞
}

// nanOr returns value, or NaN if arg is NaN, which a comparison alone would hide.
func nanOr(arg, value float64) float64 {
	if math.IsNaN(arg) {
		return arg
	}
	return value
}
