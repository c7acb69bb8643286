package feature_test

import (
	"bytes"
	"fmt"
	"log"

	"github.com/svmkit/course/svmkit"
	"github.com/svmkit/course/svmkit/feature"
	"github.com/svmkit/course/svmkit/samples"
	"github.com/svmkit/course/svmkit/tune"
)

func Example() {
	train, test, err := tune.Split(samples.Banknotes(), 0.25, 1)
	if err != nil {
		log.Fatal(err)
	}
	scaling, err := feature.Scaler{Kind: feature.Standardize}.Fit(train)
	if err != nil {
		log.Fatal(err)
	}
	test, err = scaling.Apply(test) // by the means and deviations of the training rows
	fmt.Println(train.Len(), test.Len(), err)
	// Output: 1029 343 <nil>
}

// A scaling is fitted to the training rows, kept in a file, and used where the model is used. Columns are found by their names.
func ExampleSave() {
	train := &svmkit.Dataset{X: []svmkit.Row{svmkit.Dense(0, 10), svmkit.Dense(4, 30)}, Y: []float64{-1, 1}, Dim: 2,
		Features: []string{"length", "mass"}}
	scaling, err := feature.Scaler{Kind: feature.MinMax}.Fit(train)
	if err != nil {
		fmt.Println(err)
		return
	}
	var file bytes.Buffer // or what os.Create returns
	if err := feature.Save(&file, scaling); err != nil {
		fmt.Println(err)
		return
	}
	fmt.Print(file.String())

	loaded, err := feature.Load(&file)
	if err != nil {
		fmt.Println(err)
		return
	}
	swapped := &svmkit.Dataset{X: []svmkit.Row{svmkit.Dense(20, 1)}, Y: []float64{0}, Dim: 2, Features: []string{"mass", "length"}}
	scaled, err := loaded.Apply(swapped)
	fmt.Println(scaled.Features, scaled.X[0].Value, err)
	// Output:
	// {"kind":"minmax","dim":2,"low":0,"shift":[0,10],"scale":[4,20],"features":["length","mass"]}
	// [length mass] [0.25 0.5] <nil>
}

func ExampleScaler() {
	set, _ := samples.Overlapping{N: 100, Separation: 3}.Generate(1)
	train, test, err := tune.Split(set, 0.2, 1)
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
