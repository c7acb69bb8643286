// Package perceptron is Rosenblatt's perceptron: a plane that moves only when it is wrong.
//
// # The algorithm
//
// Start with w = 0. For each example (x, y), y = −1 or +1:
//
//	receive x, score it:   f(x) = ⟨w,x⟩            (+ b)
//	receive y:             y·f(x) ≤ 0 is a mistake
//	after a mistake:       w ← w + η·y·x           (b ← b + η·y with a bias)
//
// A score of 0 has no sign and is a mistake for both labels. The notes A, B, D print the
// strict test y·f(x) < 0; with w = 0 it never starts.
//
// # What the proof needs
//
// If some w* with ‖w*‖ = 1 has y⟨w*,x⟩ ≥ γ > 0 on every example and ‖x‖ ≤ R, then after
// the k-th mistake kγ ≤ ⟨w,w*⟩ ≤ ‖w‖ ≤ √k·R, so k ≤ R²/γ² (Block and Novikoff; note A 1.5,
// note B, note C). [Perceptron.Learn] and [Perceptron.Fit] report one [Mistake] for each
// update, with the numbers of this chain, so that a caller can replay the proof.
// (These are for η = 1; w scales with η, and the mistakes stay the same.)
//
// With [svmkit.PenalizedBias] the perceptron is the one without a bias, run on rows with one more
// feature that is always 1. Then the bound needs R² + 1 for R², and ‖w*‖² + b*² for ‖w*‖².
//
// # Variants
//
//	Perceptron  the last plane                               note A 1.4, note C, note D 4
//	Averaged    the mean of all planes, one for each round    note B; Collins 2002
//	Voted       a majority vote of all planes                 note B; Freund and Schapire 1999
//	Kernelized  the plane in a kernel's feature space         note D; Freund and Schapire 1999
//
// All four learn in the same three ways: Update takes one example, Learn a stream, Fit a
// data set in passes. Each is a [svmkit.Predictor] and a [svmkit.Scorer], whose methods may be called
// concurrently as long as nothing learns at the same time.
package perceptron
