// Package svm decides and solves the maximum-margin problems of the course.
//
// So far it holds the question that comes before all others, [Separate]: is there a plane
// with every row on its right side? The answer comes with its proof, a plane and its margin
// or a point that lies in the hulls of both classes, and the proof can be checked without
// rounding by [Separation.Verify].
package svm

// Bias says how the constant b of f(x) = ⟨w,x⟩ + b enters a problem.
type Bias int

const (
	FreeBias      Bias = iota // b is free and costs nothing: the textbook's problem
	PenalizedBias             // b is the weight of a constant feature 1, and ‖w‖² includes it
	NoBias                    // b = 0: planes through the origin
)

func (b Bias) String() string {
	switch b {
	case FreeBias:
		return "free bias"
	case PenalizedBias:
		return "penalized bias"
	case NoBias:
		return "no bias"
	}
	return "unknown bias"
}
