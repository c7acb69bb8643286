package pipeline_test

import (
	"bytes"
	"context"
	"fmt"
	"log"

	"github.com/svmkit/course/svmkit/dataset"
	"github.com/svmkit/course/svmkit/feature"
	"github.com/svmkit/course/svmkit/pipeline"
	"github.com/svmkit/course/svmkit/svm"
)

// A table with text, missing ages and a label of text becomes one file, and the file becomes predictions.
func Example() {
	ctx := context.Background()
	table, err := dataset.ReadTableFile(ctx, "testdata/passengers.csv", nil)
	check(err)
	m, err := pipeline.Pipeline{
		Label:         "survived",
		Columns:       pipeline.Columns{Categorical: []string{"class", "sex", "port"}, Median: []string{"age"}, Drop: []string{"id"}},
		Scale:         &feature.Scaler{},
		Model:         svm.Fitter(svm.Problem{C: svm.PerSum(1)}, nil, nil),
		Probabilities: true,
	}.Fit(ctx, table)
	check(err)
	var file bytes.Buffer
	check(pipeline.Save(&file, m))

	served, err := pipeline.Load(&file) // in another program
	check(err)
	for _, sex := range []string{"female", "male"} {
		p, err := served.Predict(map[string]string{"class": "2", "sex": sex, "age": "", "fare": "18.5", "port": "Southampton"})
		check(err)
		fmt.Printf("%s: %s with P(%s) = %.2f\n", sex, p.Class, served.Classes()[1], p.Probability)
	}
	// Output:
	// female: yes with P(yes) = 0.68
	// male: no with P(yes) = 0.29
}

func check(err error) {
	if err != nil {
		log.Fatal(err)
	}
}
