// Text tells spam from other messages by tf-idf and a linear SVM whose C is chosen by cross-validation:
//
//	go run ./examples/text
package main

import (
	"context"
	"fmt"
	"log"

	"github.com/svmkit/course/svmkit"
	"github.com/svmkit/course/svmkit/dataset"
	"github.com/svmkit/course/svmkit/pipeline"
	"github.com/svmkit/course/svmkit/samples"
	"github.com/svmkit/course/svmkit/svm"
	"github.com/svmkit/course/svmkit/tune"
)

func main() {
	table := &dataset.Table{Names: []string{"spam", "message"}}
	for _, m := range samples.Messages()[:400] {
		table.Rows = append(table.Rows, []string{fmt.Sprint(m.Spam), m.Text})
	}
	rows := must(pipeline.Pipeline{Label: "spam"}.RowNumbers(table))
	train := tune.FromParams(func(q tune.Params) svmkit.Fitter {
		return pipeline.Pipeline{Label: "spam", Columns: pipeline.Columns{Text: "message"}, Model: svm.Fitter(svm.Problem{C: svm.PerSum(q.C)}, nil, nil)}.Fitter(table)
	})
	inner := tune.Inner{Folds: 3, Grid: tune.Grid{C: []float64{0.1, 1, 10}}}
	r := must(tune.Validation{Folds: must(tune.Folds(rows, 4, 1))}.Nested(context.Background(), rows, train, inner))
	best := must(inner.Fit(context.Background(), rows, train))
	q := must(best.Model.(*pipeline.RowModel).PredictFields(map[string]string{"message": "You have WON a prize! Call now"}))
	fmt.Printf("accuracy %.2f ± %.2f; C = %g; the message is spam: %s\n", r.Mean, r.StdErr, best.C, q.Name)
}

func must[T any](v T, err error) T {
	if err != nil {
		log.Fatal(err)
	}
	return v
}
