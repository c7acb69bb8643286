package multiclass_test

import (
	"context"
	"fmt"

	"github.com/svmkit/course/svmkit"
	"github.com/svmkit/course/svmkit/kernel"
	"github.com/svmkit/course/svmkit/multiclass"
	"github.com/svmkit/course/svmkit/samples"
	"github.com/svmkit/course/svmkit/svm"
)

// nearestMean stands for any model for two classes.
func ExampleOneVsOne() {
	iris := samples.Iris()
	c, err := multiclass.OneVsOne{Fitter: nearestMean}.Fit(context.Background(), iris)
	if err != nil {
		fmt.Println(err)
		return
	}
	for _, i := range []int{0, 60, 120} {
		_, name := c.Class(iris.X[i])
		fmt.Println(name, c.Votes(iris.X[i]))
	}
	// Output:
	// setosa [2 1 0]
	// versicolor [1 2 0]
	// virginica [0 1 2]
}

func ExampleOneVsRest() {
	iris := samples.Iris()
	c, err := multiclass.OneVsRest{Fitter: nearestMean}.Fit(context.Background(), iris)
	if err != nil {
		fmt.Println(err)
		return
	}
	class, name := c.Class(iris.X[0])
	fmt.Println(class, name, len(c.Scores(iris.X[0])))
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
		if s.Predict(x) != y {
			mistakes++
		}
	}
	fmt.Printf("%v: objective %.2f, mistakes %d\n", s.Status, s.Primal, mistakes)
	// Output: optimal: objective 20.02, mistakes 3
}

// A server predicts one row at a time.
func ExamplePairClassifier_Prepare() {
	iris := samples.Iris()
	c, err := multiclass.OneVsOne{Fitter: svm.Fitter(svm.Problem{Kernel: kernel.RBF{Gamma: 0.5}}, nil, nil)}.Fit(context.Background(), iris)
	if err != nil {
		fmt.Println(err)
		return
	}
	_, name := c.Prepare().Class(iris.X[0])
	fmt.Println(name)
	// Output: setosa
}
