package perceptron_test

import (
	"context"
	"errors"
	"fmt"
	"log"

	"github.com/svmkit/course/svmkit"
	"github.com/svmkit/course/svmkit/kernel"
	"github.com/svmkit/course/svmkit/perceptron"
	"github.com/svmkit/course/svmkit/samples"
)

func Example() {
	p := &perceptron.Perceptron{Bias: svmkit.PenalizedBias}
	trace, err := p.Fit(context.Background(), samples.ThreePoints(), perceptron.Stop{})
	if err != nil {
		log.Fatal(err)
	}
	fmt.Println(trace.Status, len(trace.Mistakes), p.Predict(svmkit.Dense(1, 1)).Y)
	// Output: converged 3 1
}

// One example at a time, by hand.
func ExamplePerceptron_Update() {
	var p perceptron.Perceptron
	fmt.Println(p.Update(svmkit.Dense(1, 1), 1), p.W)    // score 0 is a mistake
	fmt.Println(p.Update(svmkit.Dense(-5, -1), -1), p.W) // score −6, right
	fmt.Println(p.Update(svmkit.Dense(-1, 5), -1), p.W)  // score 4, wrong
	// Output:
	// true [1 1]
	// false [1 1]
	// true [2 -4]
}

// Three points, in passes until all are right.
func ExamplePerceptron_Fit() {
	s, err := svmkit.NewDataset([][]float64{{1, 1}, {-5, -1}, {-1, 5}}, []float64{1, -1, -1})
	if err != nil {
		fmt.Println(err)
		return
	}
	var p perceptron.Perceptron
	trace, err := p.Fit(context.Background(), s, perceptron.Stop{})
	if err != nil {
		fmt.Println(err)
		return
	}
	fmt.Println(trace.Status, "with w =", p.W)
	for k, m := range trace.Mistakes {
		fmt.Printf("mistake %d: row %d, y·f = %g, ‖w‖² = %.0f\n", k+1, m.Index, m.Label*m.Score, m.NormW*m.NormW)
	}
	// Output:
	// converged with w = [4 -2]
	// mistake 1: row 0, y·f = 0, ‖w‖² = 2
	// mistake 2: row 2, y·f = -4, ‖w‖² = 20
	// mistake 3: row 0, y·f = -2, ‖w‖² = 18
	// mistake 4: row 0, y·f = 0, ‖w‖² = 20
}

// A stream is learned as it comes; the error tells whether all of it could be used.
func ExamplePerceptron_Learn() {
	stream := func(yield func(svmkit.Row, float64) bool) {
		_ = yield(svmkit.Dense(2, 1), 1) &&
			yield(svmkit.Dense(1, 2), -1) &&
			yield(svmkit.Dense(3, 1), 7)
	}
	p := perceptron.Perceptron{Reference: &svmkit.Hyperplane{W: []float64{1, -1}}}
	err := p.Learn(context.Background(), stream, func(m perceptron.Mistake) bool {
		fmt.Printf("round %d: ⟨w,w*⟩ = %g\n", m.Round, m.Align)
		return true
	})
	var bad *svmkit.DataError
	if errors.As(err, &bad) {
		fmt.Printf("example %d has the label %g\n", bad.Row, bad.Value)
	}
	// Output:
	// round 0: ⟨w,w*⟩ = 1
	// round 1: ⟨w,w*⟩ = 2
	// example 2 has the label 7
}

// A last example with a wrong label turns the last plane over; the mean of all planes hardly moves.
func ExampleAveraged() {
	var a perceptron.Averaged
	for range 9 {
		a.Update(svmkit.Dense(1, 0), 1)
	}
	a.Update(svmkit.Dense(3, 0), -1)
	fmt.Printf("last %.2f, mean %.2f\n", a.Last.W, a.Plane().W)
	// Output: last [-2.00 0.00], mean [0.70 0.00]
}

// The same run, with one vote for each example that a plane survived.
func ExampleVoted() {
	var v perceptron.Voted
	for range 9 {
		v.Update(svmkit.Dense(1, 0), 1)
	}
	v.Update(svmkit.Dense(3, 0), -1)
	for _, voter := range v.Voters {
		fmt.Println(voter.W, voter.Count)
	}
	fmt.Println(v.Score(svmkit.Dense(1, 0)))
	// Output:
	// [1 0] 9
	// [-2 0] 1
	// 8
}

// XOR, which no plane separates, is separated in the feature space of degree 2.
func ExampleKernelized() {
	s, err := svmkit.NewDataset([][]float64{{1, 1}, {-1, -1}, {1, -1}, {-1, 1}}, []float64{1, 1, -1, -1})
	if err != nil {
		fmt.Println(err)
		return
	}
	k := perceptron.Kernelized{Kernel: kernel.Polynomial{Degree: 2}}
	trace, err := k.Fit(context.Background(), s, perceptron.Stop{})
	if err != nil {
		fmt.Println(err)
		return
	}
	fmt.Println(trace.Status, "after", len(trace.Mistakes), "mistakes")
	for _, sup := range k.Supports {
		fmt.Println(sup.X.Value, sup.Y, sup.Alpha)
	}
	// Output:
	// converged after 2 mistakes
	// [1 1] 1 1
	// [1 -1] -1 1
}
