package tune_test

import (
	"context"
	"fmt"
	"log"

	"github.com/svmkit/course/svmkit"
	"github.com/svmkit/course/svmkit/feature"
	"github.com/svmkit/course/svmkit/multiclass"
	"github.com/svmkit/course/svmkit/samples"
	"github.com/svmkit/course/svmkit/svm"
	"github.com/svmkit/course/svmkit/tune"
)

// Probabilities of three species, from one-vs-one on scaled rows.
func ExampleProbabilities() {
	train, test, err := tune.Split(samples.Iris(), 0.3, 1)
	if err != nil {
		log.Fatal(err)
	}
	pairs := multiclass.OneVsOne{Binary: svm.Fitter(svm.Problem{C: svm.PerSum(1)}, nil, nil)}
	m, err := tune.Probabilities{}.Fitter(tune.Scaled(feature.Scaler{}, pairs.Fitter()))(context.Background(), train)
	if err != nil {
		log.Fatal(err)
	}
	for _, i := range []int{0, 15, 30} {
		p := m.(*tune.ScaledModel).ProbabilitiesAll([]svmkit.Row{test.X[i]})[0]
		fmt.Printf("%s: %.2f\n", test.Classes[int(test.Y[i])], p)
	}
	// Output:
	// setosa: [0.97 0.02 0.01]
	// versicolor: [0.01 0.97 0.02]
	// virginica: [0.01 0.00 0.99]
}
