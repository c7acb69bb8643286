// Table trains a model on a CSV table with categories and missing numbers, saves it, and serves one row from the file:
//
//	go run ./examples/table svmkit/pipeline/testdata/passengers.csv
package main

import (
	"context"
	"fmt"
	"log"
	"os"
	"path/filepath"

	"github.com/svmkit/course/svmkit/dataset"
	"github.com/svmkit/course/svmkit/feature"
	"github.com/svmkit/course/svmkit/modelfile"
	"github.com/svmkit/course/svmkit/pipeline"
	"github.com/svmkit/course/svmkit/svm"
	"github.com/svmkit/course/svmkit/tune"
)

func main() {
	ctx := context.Background()
	table := must(dataset.ReadTableFile(ctx, os.Args[1], nil))
	m := must(pipeline.Pipeline{
		Label:   "survived",
		Columns: pipeline.Columns{Categorical: []string{"class", "sex", "port"}, Median: []string{"age"}, Drop: []string{"id"}},
		Scale:   &feature.Scaler{}, Model: svm.Fitter(svm.Problem{C: svm.PerSum(1)}, nil, nil), Probabilities: &tune.Probabilities{},
	}.Fit(ctx, table))
	file := filepath.Join(os.TempDir(), "passengers.model")
	must(file, modelfile.SaveFile(file, m))
	served := must(modelfile.LoadFile(file)).(*pipeline.Model) // what another program does
	q := must(served.PredictFields(map[string]string{"class": "1", "sex": "female", "age": "", "fare": "60", "port": "Cherbourg"}))
	fmt.Printf("survived: %s, P(yes) = %.2f\n", q.Name, q.Probabilities[1])
}

func must[T any](v T, err error) T {
	if err != nil {
		log.Fatal(err)
	}
	return v
}
