// Classes tells three species of iris apart by one-vs-one with an RBF kernel, on rows that were not trained on.
//
//	go run ./examples/classes
package main

import (
	"context"
	"fmt"
	"log"

	"github.com/svmkit/course/svmkit/feature"
	"github.com/svmkit/course/svmkit/kernel"
	"github.com/svmkit/course/svmkit/multiclass"
	"github.com/svmkit/course/svmkit/samples"
	"github.com/svmkit/course/svmkit/svm"
	"github.com/svmkit/course/svmkit/tune"
)

func main() {
	train, test, err := tune.Split(samples.Iris(), 0.3, 1)
	if err != nil {
		log.Fatal(err)
	}
	pairs := multiclass.OneVsOne{Binary: svm.Fitter(svm.Problem{C: svm.PerSum(10), Kernel: kernel.RBF{Gamma: 0.25}}, nil, nil)}
	m, err := tune.Scaled(feature.Scaler{}, pairs.Fitter())(context.Background(), train)
	if err != nil {
		log.Fatal(err)
	}
	c, err := tune.Confuse(test, tune.Predict(m, test.X))
	if err != nil {
		log.Fatal(err)
	}
	fmt.Printf("accuracy %.3f on %d rows\n", c.Accuracy(), c.Total())
	for k, name := range c.Names {
		fmt.Println(name, c.Count[k])
	}
}
