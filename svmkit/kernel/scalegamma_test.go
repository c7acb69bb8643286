package kernel_test

import (
	"fmt"
	"math"
	"math/rand/v2"
	"testing"

	"github.com/svmkit/course/svmkit"
	"github.com/svmkit/course/svmkit/kernel"
)

func TestScaleGammaByHand(t *testing.T) {
	set := func(d int, flat ...float64) *svmkit.Dataset {
		rows := svmkit.DenseRows(flat, d)
		return &svmkit.Dataset{X: rows, Y: make([]float64, len(rows)), Dim: d}
	}
	for _, c := range []struct {
		set  *svmkit.Dataset
		want float64
	}{
		{set(1, 0, 2), 1},                // variance 1
		{set(2, 0, 2, 4, 6), 0.1},        // mean 3, variance (9+1+1+9)/4 = 5, d = 2
		{set(1, 1e8, 1e8+1, 1e8+2), 1.5}, // variance 2/3, far from 0
		{set(3, 7, 7, 7), 1},             // variance 0
		{&svmkit.Dataset{Dim: 4}, 1},
		{nil, 1},
		// Entries 3, 0, 0, 0, 0, −3: mean 0, variance 3, d = 3.
		{&svmkit.Dataset{X: []svmkit.Row{{Index: []int32{0}, Value: []float64{3}}, {Index: []int32{2}, Value: []float64{-3}}}, Dim: 3}, 1.0 / 9},
	} {
		if got := kernel.ScaleGamma(c.set); math.Abs(got-c.want) > rounding*c.want {
			t.Errorf("%+v: γ = %.17g, want %.17g", c.set, got, c.want)
		}
		// 1/(d·√v) is the root of 1/(d·v) over the root of d.
		want := 1.0
		if c.want != 1 || c.set != nil && c.set.Dim == 1 {
			want = math.Sqrt(c.want / float64(c.set.Dim))
		}
		if got := kernel.ScaleLaplacian(c.set); math.Abs(got-want) > rounding*want {
			t.Errorf("%+v: γ of a Laplacian = %.17g, want %.17g", c.set, got, want)
		}
	}
}

func TestScaleGammaOfSparseRowsIsThatOfDenseOnes(t *testing.T) {
	rng := rand.New(rand.NewPCG(6, 0))
	for _, shift := range []float64{0, 1, 1000} {
		dense := &svmkit.Dataset{X: randomRows(rng, 40, 7, false), Y: make([]float64, 40), Dim: 7}
		thin := &svmkit.Dataset{Y: dense.Y, Dim: 7}
		for _, x := range dense.X {
			for j := range x.Value {
				if x.Value[j] != 0 {
					x.Value[j] += shift
				}
			}
			thin.X = append(thin.X, sparse(x.Value))
		}
		a, b := kernel.ScaleGamma(dense), kernel.ScaleGamma(thin)
		if math.Abs(a-b) > rounding*a {
			t.Errorf("shift %g: dense %.17g, sparse %.17g", shift, a, b)
		}
	}
}

// The usual start for a Gaussian kernel, from which tune.Search goes on.
func ExampleScaleGamma() {
	set, err := svmkit.NewDataset([][]float64{{0, 2}, {4, 6}}, []float64{-1, 1})
	if err != nil {
		fmt.Println(err)
		return
	}
	fmt.Println(kernel.RBF{Gamma: kernel.ScaleGamma(set)})
	fmt.Println(kernel.Validate(kernel.RBF{}))
	// Output:
	// {0.1}
	// svmkit: Gamma = 0: must be set, to a positive number such as kernel.ScaleGamma(set) for the training set
}
