package loss_test

import (
	"fmt"

	"github.com/svmkit/course/svmkit"
	"github.com/svmkit/course/svmkit/loss"
)

func Example_values() {
	score, y := 0.5, 1.0
	fmt.Println(loss.Hinge{}.Value(score, y))       // max(0, 1 − y·score)
	fmt.Println(loss.Hinge{}.Subgradient(score, y)) // the slope
	fmt.Println(loss.ZeroOne{}.Value(score, y))     // whether it is a mistake
	// Output:
	// 0.5
	// -1
	// 0
}

// One point of class +1 while its score rises from −2 to 2.
func Example() {
	fmt.Println("score  0/1  perceptron  hinge  logistic")
	for s := -2.0; s <= 2; s++ {
		fmt.Printf("%5g  %3g  %10g  %5g  %8.3f\n", s, loss.ZeroOne{}.Value(s, 1),
			loss.Perceptron{}.Value(s, 1), loss.Hinge{}.Value(s, 1), loss.Logistic{}.Value(s, 1))
	}
	// Output:
	// score  0/1  perceptron  hinge  logistic
	//    -2    1           2      3     2.127
	//    -1    1           1      2     1.313
	//     0    1           0      1     0.693
	//     1    0           0      0     0.313
	//     2    0           0      0     0.127
}

// The error rate and the mean slack of one plane.
func ExampleRisk() {
	set, err := svmkit.NewDataset([][]float64{{1, 1}, {-5, -1}, {-1, 5}}, []float64{1, -1, -1})
	if err != nil {
		fmt.Println(err)
		return
	}
	plane := svmkit.Hyperplane{W: []float64{1, 1}}
	fmt.Println("error rate", loss.Risk(loss.ZeroOne{}, plane, set))
	fmt.Println("mean hinge", loss.Risk(loss.Hinge{}, plane, set))
	// Output:
	// error rate 0.3333333333333333
	// mean hinge 1.6666666666666667
}

// Fenchel–Young is an equality exactly when u is a subgradient.
func ExampleConvex() {
	var l loss.Hinge
	const s, y = -0.5, 1.0
	for _, u := range []float64{-1, -0.5, 0} {
		fmt.Printf("u = %4g: ℓ(s) + ℓ*(u) − s·u = %g\n", u, l.Value(s, y)+l.Conjugate(u, y)-s*u)
	}
	fmt.Println("subgradient:", l.Subgradient(s, y))
	// Output:
	// u =   -1: ℓ(s) + ℓ*(u) − s·u = 0
	// u = -0.5: ℓ(s) + ℓ*(u) − s·u = 0.75
	// u =    0: ℓ(s) + ℓ*(u) − s·u = 1.5
	// subgradient: -1
}
