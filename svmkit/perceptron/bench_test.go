package perceptron_test

import (
	"context"
	"fmt"
	"math/rand/v2"
	"testing"

	"github.com/svmkit/course/svmkit"
	"github.com/svmkit/course/svmkit/perceptron"
)

// benchSet draws n rows with about density·d stored values and labels that are noise, so that
// about half of the examples are mistakes.
func benchSet(n, d int, density float64) *svmkit.Dataset {
	rng := rand.New(rand.NewPCG(1, 0))
	s := &svmkit.Dataset{Dim: d}
	for range n {
		var x svmkit.Row
		if density == 1 {
			x = svmkit.Dense(randomPlane(rng, d, false).W...)
		} else {
			for j := rng.IntN(int(2 / density)); j < d; j += 1 + rng.IntN(int(2/density)) {
				x.Index, x.Value = append(x.Index, int32(j)), append(x.Value, rng.NormFloat64())
			}
		}
		s.X, s.Y = append(s.X, x), append(s.Y, float64(2*rng.IntN(2)-1))
	}
	return s
}

// BenchmarkUpdate reports ns/update: for an example with its share of mistakes, as the bare
// step and with the numbers of the proof.
func BenchmarkUpdate(b *testing.B) {
	for _, c := range []struct {
		n, d    int
		density float64
	}{{1000, 4, 1}, {1000, 100, 1}, {1000, 10000, 0.005}} {
		s := benchSet(c.n, c.d, c.density)
		name := fmt.Sprintf("n=%d/d=%d/density=%g", c.n, c.d, c.density)
		b.Run(name+"/update", func(b *testing.B) {
			b.ReportAllocs()
			p := perceptron.Perceptron{Bias: svmkit.PenalizedBias, W: make([]float64, c.d)}
			i, k, updates := 0, 0, 0
			for b.Loop() {
				if p.Update(s.X[i], s.Y[k]) {
					updates++
				}
				if i++; i == c.n {
					i = 0
				}
				if k++; k == c.n-1 { // a row meets another label each time: nothing to learn
					k = 0
				}
			}
			b.ReportMetric(float64(b.Elapsed().Nanoseconds())/float64(max(1, updates)), "ns/update")
		})
		b.Run(name+"/fit", func(b *testing.B) {
			b.ReportAllocs()
			updates := 0
			for b.Loop() {
				p := perceptron.Perceptron{Bias: svmkit.PenalizedBias}
				trace, err := p.Fit(context.Background(), s, perceptron.Stop{Epochs: 5})
				if err != nil {
					b.Fatal(err)
				}
				updates += len(trace.Mistakes)
			}
			b.ReportMetric(float64(b.Elapsed().Nanoseconds())/float64(max(1, updates)), "ns/update")
		})
	}
}
