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

// The lines of the package comment.
func Example() {
	ctx := context.Background()
	set := &svmkit.Dataset{X: svmkit.DenseRows([]float64{1, 2, 6, 7}, 1), Y: []float64{-1, -1, 1, 1}, Dim: 1,
		Classes: []string{"ham", "spam"}}
	folder, err := os.MkdirTemp("", "modelfile")
	check(err)
	defer os.RemoveAll(folder)
	name := filepath.Join(folder, "spam.model")

	r, err := svm.Fit(ctx, &svm.Problem{Data: set}, nil, nil)
	check(err)
	err = modelfile.SaveFile(name, &r.Model)
	check(err)
	m, err := modelfile.LoadFile(name)
	check(err)
	for _, x := range set.X {
		fmt.Println(m.Predict(x).Name)
	}
	// Output:
	// ham
	// ham
	// spam
	// spam
}

func check(err error) {
	if err != nil {
		log.Fatal(err)
	}
}
