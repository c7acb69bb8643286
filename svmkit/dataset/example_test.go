package dataset_test

import (
	"fmt"
	"slices"

	"github.com/svmkit/course/svmkit/dataset"
	"github.com/svmkit/course/svmkit/feature"
	"github.com/svmkit/course/svmkit/samples"
)

func ExampleSeparable() {
	set, plane, err := samples.Separable{N: 100, Dim: 5, Margin: 0.25, Radius: 2}.Generate(1)
	if err != nil {
		fmt.Println(err)
		return
	}
	gamma, _ := plane.SetMargin(set)
	fmt.Printf("n = %d, R = %.3f, γ = %.3f, R²/γ² = %.1f\n",
		set.Len(), set.Radius(), gamma, set.Radius()*set.Radius()/(gamma*gamma))
	// Output: n = 100, R = 2.000, γ = 0.250, R²/γ² = 64.0
}

func ExampleScaler() {
	set, _ := samples.Overlapping{N: 100, Separation: 3}.Generate(1)
	train, test, err := dataset.Split(set, 0.2, 1)
	if err != nil {
		fmt.Println(err)
		return
	}
	scaling, err := feature.Scaler{Kind: feature.MinMax, Low: -1, High: 1}.Fit(train)
	if err != nil {
		fmt.Println(err)
		return
	}
	train, _ = scaling.Apply(train) // both by what the training rows said
	test, _ = scaling.Apply(test)
	fmt.Println(train.Len(), test.Len())
	// Output: 80 20
}

func ExamplePolynomial() {
	xor := samples.XOR()
	xor.Features = []string{"x₁", "x₂"}
	lifted, err := feature.Polynomial(xor, 2)
	if err != nil {
		fmt.Println(err)
		return
	}
	fmt.Println(lifted.Features)
	for i, x := range lifted.X {
		fmt.Printf("y = %+.0f, √2·x₁x₂ = %+.2f\n", xor.Y[i], x.Value[4])
	}
	// Output:
	// [1 x₁ x₂ x₁² x₁·x₂ x₂²]
	// y = +1, √2·x₁x₂ = +1.41
	// y = -1, √2·x₁x₂ = -1.41
	// y = +1, √2·x₁x₂ = +1.41
	// y = -1, √2·x₁x₂ = -1.41
}

func ExampleFolds() {
	set, _ := samples.Moons{N: 9}.Generate(1) // five rows are +1, four are −1
	folds, err := dataset.Folds(set, 3, 1)
	if err != nil {
		fmt.Println(err)
		return
	}
	for _, f := range folds {
		_, test := f.Of(set)
		slices.Sort(test.Y)
		fmt.Println(len(f.Train), "train,", len(f.Test), "test with labels", test.Y)
	}
	// Output:
	// 6 train, 3 test with labels [-1 -1 1]
	// 6 train, 3 test with labels [-1 1 1]
	// 6 train, 3 test with labels [-1 1 1]
}
