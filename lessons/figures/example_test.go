package figures

import (
	"fmt"
	"math"

	"github.com/svmkit/course/svmkit"
	"github.com/svmkit/course/svmkit/kernel"
	"github.com/svmkit/course/svmkit/perceptron"
	"github.com/svmkit/course/svmkit/svm"
	"github.com/svmkit/course/svmkit/tune"
)

// Two points at distance 1 from the plane x₁ = 0.
func ExampleSignedMargins() {
	set, _ := svmkit.NewDataset([][]float64{{1, 0}, {-1, 2}}, []float64{1, -1})
	caption(SignedMargins(set, svmkit.Hyperplane{W: []float64{3, 0}}))
	// Output: Every point is on its own side, and none is nearer to the plane than γ = 1, the distance of the 2 ringed points.
}

// On n basis vectors the bound is met: here the trace of n = 4, where R = 1 and γ = 1/2.
func ExampleSqueeze() {
	var trace []perceptron.Mistake
	for k := 1.0; k <= 4; k++ { // w is a sum of k basis vectors, w* the sum of all
		trace = append(trace, perceptron.Mistake{NormX: 1, NormW: math.Sqrt(k), Align: k})
	}
	caption(Squeeze(trace, Novikoff{Gamma: 0.5, NormReference: 2, Radius: 1}))
	// A margin that no such set has:
	caption(Squeeze(trace, Novikoff{Gamma: 0.6, NormReference: 2, Radius: 1}))
	// Output:
	// The line k·γ‖w*‖ meets the curve √k·R‖w*‖ at k = R²/γ² = 4. The run stays between them and stops after 4 mistakes.
	// The run leaves its bounds at mistake 1: ⟨w,w*⟩ is below k·γ‖w*‖: some example has a margin smaller than γ.
}

func ExampleMistakesAgainstBound() {
	caption(MistakesAgainstBound([]BoundRun{{Mistakes: 3, Bound: 12}, {Mistakes: 20, Bound: 20}, {Mistakes: 5, Bound: 500}}))
	// Output: None of 3 runs makes more mistakes than R²/γ²: the largest ratio of the two is 1, the median 0.25. In 1 of them the mistakes are fewer than a quarter of the bound.
}

// Two points at distance 1 from the plane x₁ = 0, and one farther away: α = ½, ½, 0.
func ExampleKKT() {
	set := mustSet([][]float64{{1, 0}, {-1, 0}, {3, 1}}, []float64{1, -1, 1})
	problem := &svm.Problem{Data: set, C: svm.PerSum(1)}
	model := svmkit.Hyperplane{W: []float64{1, 0}}
	caption(KKT(problem, model, []float64{0.5, -0.5, 0})) // β = αy
	caption(KKT(problem, model, []float64{0.5, -0.75, 0.25}))
	// Output:
	// All of 3 rows lie on the broken line of the optimality conditions: 1 has α = 0 (y·f ≥ 1), 2 are free (y·f = 1), 0 at the bound (y·f ≤ 1). The farthest is off by 0.
	// Of 3 rows, 1 is off the broken line of the optimality conditions by more than 0.01 (crosses), the worst by 2: this is no solution. 0 have α = 0, 3 are free, 0 at the bound.
}

func ExampleGramMatrix() {
	caption(GramMatrix(xor(), kernel.Linear{}))
	caption(GramMatrix(xor(), kernel.Polynomial{Degree: 2}))
	// Output:
	// Two different rows of one class have a kernel value of −2 on average, two of different classes 0: the kernel does not see the classes.
	// Two different rows of one class have a kernel value of 4 on average, two of different classes 0: on average, the kernel sees the classes.
}

func ExampleAugmentedLift() {
	caption(AugmentedLift(onALine(), svmkit.Hyperplane{W: []float64{2}, B: -1}))
	// Output: The threshold 0.5 is where the number line, lifted to height 1, meets the black line through the origin: the bias −1 is the second entry of its normal, and no point is on the wrong side.
}

func ExampleUpdateVectors() {
	caption(UpdateVectors(bothLabels()))
	// Output: An update puts the arrow yx to the tip of w: the score of the point with y = +1 goes from −1 to 1.5, by 2.5, so it is now classified correctly; the score of the point with y = −1 goes from 1.5 to 1, by 0.5, so it is still misclassified.
}

func ExampleConfusionMatrix() {
	set := &svmkit.Dataset{Dim: 1, Classes: []string{"ham", "spam"}, Y: []float64{-1, -1, -1, 1, 1}, X: svmkit.DenseRows(make([]float64, 5), 1)}
	confusion, err := tune.Confuse(set, tune.Predictions{Label: []float64{-1, -1, 1, 1, 0}, Classes: set.Classes})
	if err != nil {
		fmt.Println(err)
		return
	}
	caption(ConfusionMatrix(confusion))
	// Output: 60 % of 5 rows are predicted right. The most frequent mistake: ham taken for spam, 1 time. 1 has no prediction. Percentages are of the true class.
}

func ExampleCVCurve() {
	selection := &tune.Selection{} // as tune.Validation.Search returns it for an error to be made small
	for k, mean := range []float64{0.3, 0.12, 0.1, 0.15} {
		selection.Points = append(selection.Points, tune.Point{
			Params:   tune.Params{C: math.Pow(10, float64(k-2))},
			CVResult: tune.CVResult{Scores: []float64{mean - 0.03, mean + 0.03}, Mean: mean, StdErr: 0.03},
		})
	}
	caption(CVCurve(selection, "error"))
	// Output: The best mean error over 2 folds, 0.1 ± 0.03, is that of C = 1; within one standard error of it, the simplest is C = 0.1, with 0.12 ± 0.03.
}
