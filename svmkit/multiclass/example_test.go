package multiclass_test

import (
	"context"
	"fmt"
	"log"

	"github.com/svmkit/course/svmkit"
	"github.com/svmkit/course/svmkit/kernel"
	"github.com/svmkit/course/svmkit/multiclass"
	"github.com/svmkit/course/svmkit/samples"
	"github.com/svmkit/course/svmkit/svm"
)

func Example() {
	pairs := multiclass.OneVsOne{Binary: svm.Fitter(svm.Problem{}, nil, nil)}
	model, err := pairs.Fit(context.Background(), samples.Iris())
	if err != nil {
		log.Fatal(err)
	}
	fmt.Println(model.Predict(svmkit.Dense(5.1, 3.5, 1.4, 0.2)).Name)
	// Output: setosa
}

// nearestMean stands for any model for two classes.
func ExampleOneVsOne() {
	iris := samples.Iris()
	c, err := multiclass.OneVsOne{Binary: nearestMean}.Fit(context.Background(), iris)
	if err != nil {
		fmt.Println(err)
		return
	}
	for _, i := range []int{0, 60, 120} {
		fmt.Println(c.Predict(iris.X[i]).Name, c.Votes(iris.X[i]))
	}
	// Output:
	// setosa [2 1 0]
	// versicolor [1 2 0]
	// virginica [0 1 2]
}

func ExampleOneVsRest() {
	iris := samples.Iris()
	c, err := multiclass.OneVsRest{Binary: nearestMean}.Fit(context.Background(), iris)
	if err != nil {
		fmt.Println(err)
		return
	}
	p := c.Predict(iris.X[0])
	fmt.Println(p.Class, p.Name, len(c.ClassScores(iris.X[0])))
	// Output: 0 setosa 3
}

func ExampleCrammerSinger() {
	iris := samples.Iris()
	s, err := multiclass.CrammerSinger{Data: iris, Bias: svmkit.PenalizedBias}.Fit(context.Background(), &multiclass.Settings{Tol: 1e-6})
	if err != nil {
		fmt.Println(err)
		return
	}
	mistakes := 0
	for x, y := range iris.All() {
		if s.Predict(x).Y != y {
			mistakes++
		}
	}
	fmt.Printf("%v: objective %.2f, mistakes %d\n", s.Status, s.Primal, mistakes)
	// Output: optimal: objective 20.02, mistakes 3
}

// A server predicts one row at a time.
func ExamplePairClassifier_Prepare() {
	iris := samples.Iris()
	c, err := multiclass.OneVsOne{Binary: svm.Fitter(svm.Problem{Kernel: kernel.RBF{Gamma: 0.5}}, nil, nil)}.Fit(context.Background(), iris)
	if err != nil {
		fmt.Println(err)
		return
	}
	fmt.Println(c.Prepare().Predict(iris.X[0]).Name)
	// Output: setosa
}
