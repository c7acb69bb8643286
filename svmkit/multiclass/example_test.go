package multiclass_test

import (
	"context"
	"fmt"

	"github.com/svmkit/course/svmkit/multiclass"
	"github.com/svmkit/course/svmkit/samples"
)

// nearestMean stands for any machine with two classes.
func ExampleOneVsOne() {
	iris := samples.Iris()
	c, err := multiclass.OneVsOne{Fitter: nearestMean}.Fit(context.Background(), iris)
	if err != nil {
		fmt.Println(err)
		return
	}
	for _, i := range []int{0, 60, 120} {
		_, name := c.Predict(iris.X[i])
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
	class, name := c.Predict(iris.X[0])
	fmt.Println(class, name, len(c.Scores(iris.X[0])))
	// Output: 0 setosa 3
}

func ExampleCrammerSinger() {
	iris := samples.Iris()
	s, err := multiclass.CrammerSinger{C: 1, Constant: 1, Tol: 1e-6}.Fit(context.Background(), iris)
	if err != nil {
		fmt.Println(err)
		return
	}
	mistakes := 0
	for x, y := range iris.All() {
		if k, _ := s.Predict(x); float64(k) != y {
			mistakes++
		}
	}
	fmt.Printf("optimum %.2f, proved to one part in a million: %t, mistakes %d\n", s.Primal, s.RelativeGap() <= 1e-6, mistakes)
	// Output: optimum 20.02, proved to one part in a million: true, mistakes 3
}
