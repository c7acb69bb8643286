package feature_test

import (
	"bytes"
	"fmt"

	"github.com/svmkit/course/svmkit"
	"github.com/svmkit/course/svmkit/feature"
)

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
