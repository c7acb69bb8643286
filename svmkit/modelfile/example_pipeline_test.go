package modelfile_test

import (
	"bytes"
	"context"
	"fmt"
	"log"
	"strings"

	"github.com/svmkit/course/svmkit"
	"github.com/svmkit/course/svmkit/dataset"
	"github.com/svmkit/course/svmkit/feature"
	"github.com/svmkit/course/svmkit/modelfile"
	"github.com/svmkit/course/svmkit/pipeline"
	"github.com/svmkit/course/svmkit/svm"
)

// The file is text; the model begins at its fourth line.
func ExampleSave_pipeline() {
	table := &dataset.Table{Names: []string{"size", "colour", "label"}, Rows: [][]string{{"1", "red", "a"}, {"", "blue", "b"}}}
	m, err := pipeline.Pipeline{
		Label:   "label",
		Columns: pipeline.Columns{Categorical: []string{"colour"}, Mean: []string{"size"}, Indicator: []string{"size"}},
		Scale:   &feature.Scaler{Kind: feature.MaxAbs},
		Model:   svm.Fitter(svm.Problem{C: svm.PerSum(1)}, nil, nil),
	}.Fit(context.Background(), table)
	if err != nil {
		log.Fatal(err)
	}
	var file bytes.Buffer
	if err := modelfile.Save(&file, m); err != nil {
		log.Fatal(err)
	}
	fmt.Print(strings.Join(strings.SplitAfter(file.String(), "\n")[:4], ""))
	// Output:
	// svmkit pipeline 1
	// {"label":"label","columns":[{"name":"size","kind":"number","fill":1,"indicator":true},{"name":"colour","kind":"category","categories":["blue","red"]}]}
	// {"kind":"maxabs","dim":4,"low":0,"scale":[1,1,1,1],"features":["size","size missing","colour=blue","colour=red"],"label":"label"}
	// svmkit model 1
}

// A support vector classifier that scikit-learn trained, behind a StandardScaler, and save_for_go wrote.
func ExampleLoad_scikitLearn() {
	loaded, err := modelfile.LoadFile("testdata/scikit-learn/svc-two-scaled.json")
	if err != nil {
		log.Fatal(err)
	}
	m := loaded.(*pipeline.Model)
	answer, err := m.PredictFields(map[string]string{"x0": "1.6", "x1": "-1.1", "x2": "0.95"})
	if err != nil {
		log.Fatal(err)
	}
	numbers := m.Predict(svmkit.Dense(1.6, -1.1, 0.95))
	fmt.Printf("%s, score %.4f, %.4f\n", answer.Name, answer.Score, numbers.Score)
	// Output:
	// spam, score 1.0669, 1.0669
}
