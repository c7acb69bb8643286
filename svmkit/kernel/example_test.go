package kernel_test

import (
	"fmt"

	"github.com/svmkit/course/svmkit"
	"github.com/svmkit/course/svmkit/kernel"
	"github.com/svmkit/course/svmkit/samples"
)

func Example() {
	set := samples.Iris()
	k := kernel.RBF{Gamma: kernel.ScaleGamma(set)}
	fmt.Printf("%.3f\n", k.Eval(set.X[0], set.X[1])) // rows of one species
	fmt.Printf("%.3f\n", k.Eval(set.X[0], set.X[149]))
	// Output:
	// 0.982
	// 0.333
}

// The four points of XOR. In the plane no line separates them; after squaring the inner
// product, opposite corners look the same.
func ExampleGram() {
	xor := svmkit.DenseRows([]float64{1, 1, -1, -1, 1, -1, -1, 1}, 2)
	gram := kernel.Gram(kernel.Polynomial{Degree: 2}, xor)
	for i := range xor {
		fmt.Println(gram[i*4 : i*4+4])
	}
	// Output:
	// [4 4 0 0]
	// [4 4 0 0]
	// [0 0 4 4]
	// [0 0 4 4]
}

// A kernel of one's own: how many features two binary rows share.
func ExampleFunc() {
	shared := kernel.Func(func(x, z svmkit.Row) float64 { return x.DotRow(z) })
	fmt.Println(shared.Eval(svmkit.Dense(1, 0, 1, 1), svmkit.Dense(0, 1, 1, 1)))
	// Output: 2
}
