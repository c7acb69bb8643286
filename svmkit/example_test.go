package svmkit_test

import (
	"context"
	"errors"
	"fmt"
	"log"

	"github.com/svmkit/course/svmkit"
	"github.com/svmkit/course/svmkit/samples"
	"github.com/svmkit/course/svmkit/svm"
)

func Example() {
	notes := samples.Banknotes() // 1372 banknotes of two classes, 4 columns
	model, err := svm.Fit(context.Background(), &svm.Problem{Data: notes}, nil, nil)
	if err != nil {
		log.Fatal(err)
	}
	fmt.Println(model.Predict(notes.X[0]).Name, model.Status)
	// Output: class 0 optimal
}

// The plane 3x₁ + 4x₂ = 5 and the point (5, 5).
func ExampleHyperplane() {
	h, err := svmkit.NewHyperplane([]float64{3, 4}, -5)
	if err != nil {
		fmt.Println(err)
		return
	}
	x := svmkit.Dense(5, 5)
	twice := h.Scale(2)
	fmt.Printf("score %g, after doubling %g\n", h.Score(x), twice.Score(x))
	fmt.Printf("distance %g, after doubling %g\n", h.Distance(x), twice.Distance(x))
	fmt.Printf("foot (%.1f, %.1f)\n", h.Project(x)[0], h.Project(x)[1])
	// Output:
	// score 30, after doubling 60
	// distance 6, after doubling 6
	// foot (1.4, 0.2)
}

func ExampleHyperplane_Canonical() {
	set, err := svmkit.NewDataset([][]float64{{4, 0}, {6, 1}, {-2, 3}}, []float64{1, 1, -1})
	if err != nil {
		fmt.Println(err)
		return
	}
	c, err := svmkit.Hyperplane{W: []float64{10, 0}}.Canonical(set)
	gamma, row := c.SetMargin(set)
	fmt.Println(c.W, c.B, err)
	fmt.Printf("half-margin 1/‖w‖ = %g, at row %d\n", gamma, row)

	_, err = svmkit.Hyperplane{W: []float64{0, 1}}.Canonical(set)
	fmt.Println(err)
	fmt.Println(errors.Is(err, svmkit.ErrNotSeparated))
	// Output:
	// [0.5 0] 0 <nil>
	// half-margin 1/‖w‖ = 2, at row 2
	// svmkit: no canonical form: the plane has a row on its wrong side in row 2 (value -3)
	// true
}

func ExampleDataset_Validate() {
	set := &svmkit.Dataset{
		X:   []svmkit.Row{{Index: []int32{0, 7}, Value: []float64{1, 2}}, {Index: []int32{5, 2}, Value: []float64{3, 4}}},
		Y:   []float64{1, -1},
		Dim: 8,
	}
	fmt.Println(set.Validate())
	// Output: svmkit: column indices must rise strictly from 0 and stay below Dim in row 1, column 2 (value 4)
}

// A plane with a bias is a plane through the origin of a space with one more dimension.
func ExampleDataset_Augment() {
	set, err := svmkit.NewDataset([][]float64{{99}, {101}}, []float64{-1, 1})
	if err != nil {
		fmt.Println(err)
		return
	}
	withBias := svmkit.Hyperplane{W: []float64{1}, B: -100}
	through0 := svmkit.Hyperplane{W: []float64{1, -100}}
	up := set.Augment(1)
	for i := range set.X {
		fmt.Println(withBias.Score(set.X[i]), through0.Score(up.X[i]))
	}
	// Output:
	// -1 -1
	// 1 1
}
