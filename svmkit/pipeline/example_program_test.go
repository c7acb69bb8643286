package pipeline_test

import (
	"bytes"
	"context"
	"fmt"
	"log"

	"github.com/svmkit/course/svmkit/dataset"
	"github.com/svmkit/course/svmkit/feature"
	"github.com/svmkit/course/svmkit/modelfile"
	"github.com/svmkit/course/svmkit/pipeline"
	"github.com/svmkit/course/svmkit/svm"
	"github.com/svmkit/course/svmkit/tune"
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
		Probabilities: &tune.Probabilities{},
	}.Fit(ctx, table)
	check(err)
	var file bytes.Buffer
	check(modelfile.Save(&file, m))

	loaded, err := modelfile.Load(&file) // in another program
	check(err)
	served := loaded.(*pipeline.Model)
	for _, sex := range []string{"female", "male"} {
		p, err := served.PredictFields(map[string]string{"class": "2", "sex": sex, "age": "", "fare": "18.5", "port": "Southampton"})
		check(err)
		fmt.Printf("%s: %s with P(%s) = %.2f\n", sex, p.Name, served.ClassNames()[1], p.Probabilities[1])
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
