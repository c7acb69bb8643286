package kernel_test

import (
	"fmt"

	"github.com/svmkit/course/svmkit"
	"github.com/svmkit/course/svmkit/kernel"
)

// Words are no vectors. Their matrix of common letters is all a learner needs: row i stands
// for word i.
func ExamplePrecomputed() {
	words := []string{"margin", "martin", "hull"}
	common := kernel.Precomputed{N: len(words)}
	for _, a := range words {
		for _, b := range words {
			n := 0.0
			for c := 'a'; c <= 'z'; c++ {
				for _, x := range a {
					for _, z := range b {
						if x == c && z == c {
							n++
						}
					}
				}
			}
			common.Gram = append(common.Gram, n)
		}
	}
	fmt.Println(kernel.Validate(common))
	rows := kernel.Numbers(len(words))
	fmt.Println(common.Eval(rows[0], rows[1]), common.Eval(rows[0], rows[2]))
	// Output:
	// <nil>
	// 5 0
}

// The square of the inner product is an inner product of squares and products.
func ExamplePolynomial_FeatureMap() {
	k := kernel.Polynomial{Degree: 2}
	fmt.Printf("%.3f\n", k.FeatureMap(svmkit.Dense(1, 1), 2))
	fmt.Printf("%.3f\n", k.FeatureMap(svmkit.Dense(1, -1), 2))
	fmt.Println(k.Eval(svmkit.Dense(1, 1), svmkit.Dense(1, -1)))
	// Output:
	// [1.000 1.414 1.000]
	// [1.000 -1.414 1.000]
	// 0
}

func ExampleNamed() {
	k, err := kernel.Named("poly", 1, 2, 1)
	if err != nil {
		fmt.Println(err)
		return
	}
	fmt.Println(k.Eval(svmkit.Dense(1, 2), svmkit.Dense(3, 1))) // (3 + 2 + 1)²
	// Output: 36
}
