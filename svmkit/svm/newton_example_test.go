package svm_test

import (
	"context"
	"fmt"

	"github.com/svmkit/course/svmkit"
	"github.com/svmkit/course/svmkit/loss"
	"github.com/svmkit/course/svmkit/svm"
)

// Least squares with a ridge is the squared ε-insensitive loss with ε = 0. Newton's method
// needs one step for it.
func ExampleNewton() {
	set, _ := svmkit.NewDataset([][]float64{{0}, {2}}, []float64{0, 4})
	p := &svm.Problem{Data: set, Loss: loss.SquaredEpsInsensitive{}}
	r, err := svm.Fit(context.Background(), p, svm.Newton{}, &svm.Settings{Tol: 1e-9})
	if err != nil {
		fmt.Println(err)
		return
	}
	fmt.Printf("%s: %v after %d step\n", r.Trace, r.Status, r.Updates)
	fmt.Printf("f(x) = %.4f x + %.4f\n", r.Weights[0], r.Model.Bias)
	// Output:
	// Newton (Cholesky): optimal after 1 step
	// f(x) = 1.6000 x + 0.4000
}
