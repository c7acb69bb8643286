package svm_test

import (
	"context"
	"math"
	"math/rand/v2"
	"testing"

	"github.com/svmkit/course/svmkit"
	"github.com/svmkit/course/svmkit/svm"
)

func streamed(n, d int) *svmkit.Dataset {
	rng := rand.New(rand.NewPCG(23, 0))
	set := &svmkit.Dataset{Dim: d}
	for range n {
		x := make([]float64, d)
		for j := range x {
			x[j] = rng.NormFloat64()
		}
		set.X, set.Y = append(set.X, svmkit.Dense(x...)), append(set.Y, math.Copysign(1, x[0]+0.5*rng.NormFloat64()))
	}
	return set
}

// The stream makes the steps of Fig. 1, as they are printed, and keeps their weighted mean.
func TestPegasosStreamIsThePrintedAlgorithm(t *testing.T) {
	const lambda, same = 0.2, 1e-11 // other order of the same sums
	set := streamed(50, 4)
	for _, bias := range []svmkit.Bias{svmkit.PenalizedBias, svmkit.NoBias} {
		stream := svm.PegasosStream{Lambda: lambda, Bias: bias}
		w, mean, steps, weights := make([]float64, 5), make([]float64, 5), 0.0, 0.0
		for range 3 {
			if err := stream.Learn(context.Background(), set.All(), nil); err != nil {
				t.Fatal(err)
			}
			for i, x := range set.X {
				z := append(x.ToDense(4), 0)
				if bias == svmkit.PenalizedBias {
					z[4] = 1
				}
				steps++
				score := svmkit.Dense(z...).Dot(w)
				for j := range w {
					w[j] *= 1 - 1/steps
					if set.Y[i]*score < 1 {
						w[j] += set.Y[i] * z[j] / (lambda * steps)
					}
					mean[j] += steps * w[j]
				}
				weights += steps
			}
		}
		for _, last := range []bool{false, true} {
			stream.Last = last
			plane := stream.Plane()
			for j, v := range append(plane.W, plane.B) {
				want := mean[j] / weights
				if last {
					want = w[j]
				}
				if !(math.Abs(v-want) <= same) {
					t.Errorf("bias %v, last %v: entry %d is %g, as printed %g", bias, last, j, v, want)
				}
			}
			if x := set.X[0]; !(math.Abs(stream.Score(x)-plane.Score(x)) <= same) {
				t.Errorf("the stream scores %g, its plane %g", stream.Score(x), plane.Score(x))
			}
		}
	}
}

func TestPegasosStreamAllocatesNothing(t *testing.T) {
	all := streamed(50, 4).All()
	stream := svm.PegasosStream{Lambda: 1}
	long := func(yield func(svmkit.Row, float64) bool) {
		for range 100 {
			for x, y := range all {
				if !yield(x, y) {
					return
				}
			}
		}
	}
	learn := func() {
		if err := stream.Learn(context.Background(), long, nil); err != nil {
			t.Fatal(err)
		}
	}
	learn()
	if n := testing.AllocsPerRun(3, learn); n > 20 { // a few for the closures; 5000 examples
		t.Errorf("%g allocations in 5000 examples", n)
	}
}
