package pipeline_test

import (
	"context"
	"fmt"
	"log"
	"strings"

	"github.com/svmkit/course/svmkit"
	"github.com/svmkit/course/svmkit/dataset"
	"github.com/svmkit/course/svmkit/feature"
	"github.com/svmkit/course/svmkit/pipeline"
	"github.com/svmkit/course/svmkit/svm"
	"github.com/svmkit/course/svmkit/tune"
)

// The lines of the package comment.
func ExamplePipeline() {
	ctx := context.Background()
	table, err := dataset.ReadTableFile(ctx, "testdata/passengers.csv", nil)
	if err != nil {
		log.Fatal(err)
	}
	p := pipeline.Pipeline{Label: "survived", Model: svm.Fitter(svm.Problem{}, nil, nil)}
	p.Columns = pipeline.Columns{Drop: []string{"id"}, Median: []string{"age"},
		Categorical: []string{"class", "sex", "port"}}
	model, err := p.Fit(ctx, table)
	if err != nil {
		log.Fatal(err)
	}
	answers, err := model.PredictTable(table)
	check(err)
	fmt.Println(answers[0].Name, answers[1].Name)
	// Output: no yes
}

// Every step is fitted to the training rows of each fold alone.
func ExamplePipeline_Fitter() {
	ctx := context.Background()
	table, err := dataset.ReadTableFile(ctx, "testdata/passengers.csv", nil)
	if err != nil {
		log.Fatal(err)
	}
	p := pipeline.Pipeline{
		Label:   "survived",
		Columns: pipeline.Columns{Categorical: []string{"class", "sex", "port"}, Median: []string{"age"}, Drop: []string{"id"}},
		Scale:   &feature.Scaler{},
	}
	set, err := p.RowNumbers(table)
	if err != nil {
		log.Fatal(err)
	}
	folds, err := tune.Folds(set, 4, 1)
	if err != nil {
		log.Fatal(err)
	}
	train := tune.FromParams(func(q tune.Params) svmkit.Fitter {
		p := p // a copy, as points of the grid are fitted at once
		p.Model = svm.Fitter(svm.Problem{C: svm.PerSum(q.C)}, nil, nil)
		return p.Fitter(table)
	})
	selection, err := tune.Validation{Folds: folds}.Search(ctx, set, train, tune.Grid{C: []float64{0.01, 1, 100}})
	if err != nil {
		log.Fatal(err)
	}
	for _, point := range selection.Points {
		fmt.Printf("C = %-5g %.2f of the rows\n", point.C, point.Mean)
	}
	// Output:
	// C = 0.01  0.69 of the rows
	// C = 1     0.76 of the rows
	// C = 100   0.73 of the rows
}

// A document is one field of a table.
func ExampleColumns_text() {
	const messages = `kind,message
ham,"on my way, see you soon"
spam,win a free prize now
ham,call me when you are home
spam,free entry: win cash now
`
	table, err := dataset.ReadTable(context.Background(), strings.NewReader(messages), &dataset.TableOptions{Header: dataset.HeaderYes})
	if err != nil {
		log.Fatal(err)
	}
	m, err := pipeline.Pipeline{
		Label:   "kind",
		Columns: pipeline.Columns{Text: "message"},
		Model:   svm.Fitter(svm.Problem{C: svm.PerSum(1)}, nil, nil),
	}.Fit(context.Background(), table)
	if err != nil {
		log.Fatal(err)
	}
	p, err := m.PredictFields(map[string]string{"message": "a free prize for you"})
	fmt.Println(p.Name, err)
	// Output: spam <nil>
}

// A field that cannot be used is named with its place and what to do.
func ExampleModel_PredictFields_errors() {
	table := &dataset.Table{Names: []string{"size", "colour", "label"}, Rows: [][]string{{"1", "red", "a"}, {"2", "blue", "b"}}}
	p := pipeline.Pipeline{Label: "label", Model: svm.Fitter(svm.Problem{C: svm.PerSum(1)}, nil, nil)}
	_, err := p.Fit(context.Background(), table)
	fmt.Println(err)
	p.Columns.Categorical = []string{"colour"}
	m, err := p.Fit(context.Background(), table)
	if err != nil {
		log.Fatal(err)
	}
	_, err = m.PredictFields(map[string]string{"size": "1,5", "colour": "red"})
	fmt.Println(err)
	_, err = m.PredictFields(map[string]string{"size": "1.5", "color": "red"})
	fmt.Println(err)
	// Output:
	// svmkit: row 0, column "colour": not a number: "red"; list the column under Categorical or Drop
	// svmkit: row 0, column "size": not a number: "1,5"; write 1.5 for 1,5 and 1000 for 1,000
	// svmkit: other columns than those of the training rows; missing "colour"; not known "color"
}
