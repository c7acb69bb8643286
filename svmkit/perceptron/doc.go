// Package perceptron trains Rosenblatt's perceptron, a plane that moves only after a mistake:
//
//	p := &perceptron.Perceptron{Bias: svmkit.PenalizedBias}
//	trace, err := p.Fit(context.Background(), samples.ThreePoints(), perceptron.Stop{})
//	if err != nil {
//		log.Fatal(err)
//	}
//	fmt.Println(trace.Status, len(trace.Mistakes), p.Predict(svmkit.Dense(1, 1)).Y)
//
// # The algorithm
//
// Start with w = 0. For each example (x, y), y = −1 or +1:
//
//	receive x, score it:   f(x) = ⟨w,x⟩            (+ b)
//	receive y:             y·f(x) ≤ 0 is a mistake
//	after a mistake:       w ← w + η·y·x           (b ← b + η·y with a bias)
//
// A score of 0 has no sign and is a mistake for both labels. With the strict test y·f(x) < 0, which
// some texts print, the algorithm would never leave w = 0.
//
// # What the proof needs
//
// If some w* with ‖w*‖ = 1 has y⟨w*,x⟩ ≥ γ > 0 on every example and ‖x‖ ≤ R, then after the k-th
// mistake kγ ≤ ⟨w,w*⟩ ≤ ‖w‖ ≤ √k·R for η = 1, so k ≤ R²/γ² (Block and Novikoff;
// lessons/03-novikoff.md). A [Mistake] holds the numbers of this chain. With [svmkit.PenalizedBias]
// the bound needs R² + 1 instead of R², and ‖w*‖² + b*² instead of ‖w*‖².
//
// # Variants
//
//	Perceptron  the last plane
//	Averaged    the mean of all planes, one per round      Collins 2002
//	Voted       a majority vote of all planes              Freund and Schapire 1999
//	Kernelized  the plane in a kernel's feature space      Freund and Schapire 1999
//
// Update takes one example, Learn a stream, and Fit a data set in passes. Each variant is a
// [svmkit.Predictor] and a [svmkit.Scorer]. These methods are safe for concurrent use as long as
// nothing learns at the same time.
package perceptron
