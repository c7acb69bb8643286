package svm_test

import (
	"context"
	"fmt"

	"github.com/svmkit/course/svmkit/samples"
	"github.com/svmkit/course/svmkit/svm"
)

// A gap of 1e-9 on unscaled columns takes two dozen steps.
func ExampleProximalNewton() {
	notes := samples.Banknotes()
	r, err := svm.Fit(context.Background(), &svm.Problem{Data: notes}, svm.ProximalNewton{}, &svm.Settings{Tol: 1e-9})
	if err != nil {
		fmt.Println(err)
		return
	}
	fmt.Printf("%s: %v, in fewer than 50 steps: %v\n", r.Trace, r.Status, r.Updates < 50)
	fmt.Printf("objective %.4f\n", r.Primal)
	// Output:
	// proximal Newton: optimal, in fewer than 50 steps: true
	// objective 33.0987
}
