package modelfile_test

import (
	"context"
	"fmt"
	"log"
	"os"
	"path/filepath"

	"github.com/svmkit/course/svmkit"
	"github.com/svmkit/course/svmkit/modelfile"
	"github.com/svmkit/course/svmkit/svm"
)

func Example() {
	set := &svmkit.Dataset{X: svmkit.DenseRows([]float64{1, 2, 6, 7}, 1), Y: []float64{-1, -1, 1, 1}, Dim: 1,
		Classes: []string{"ham", "spam"}}
	model, err := svm.Fit(context.Background(), &svm.Problem{Data: set}, nil, nil)
	check(err)
	folder, err := os.MkdirTemp("", "modelfile")
	check(err)
	defer os.RemoveAll(folder)
	name, row := filepath.Join(folder, "spam.model"), svmkit.Dense(6.5)

	if err := modelfile.SaveFile(name, model); err != nil {
		log.Fatal(err)
	}
	loaded, err := modelfile.LoadFile(name) // also files of LIBSVM, LIBLINEAR and scikit-learn
	if err != nil {
		log.Fatal(err)
	}
	fmt.Println(loaded.Predict(row).Name)
	// Output: spam
}

func check(err error) {
	if err != nil {
		log.Fatal(err)
	}
}
