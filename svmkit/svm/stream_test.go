package svm_test

import (
	"context"
	"fmt"
	"math"
	"math/rand/v2"
	"testing"

	"github.com/svmkit/course/svmkit"
	"github.com/svmkit/course/svmkit/kernel"
	"github.com/svmkit/course/svmkit/loss"
	"github.com/svmkit/course/svmkit/svm"
)

// Every loss, bias and kernel, with prices of different sizes, as one working set and by small ones:
// the certificate reaches 1e-8 and, made anew from β, says the same; SMO finds the same optimum.
func TestDecompositionCertifies(t *testing.T) {
	const tol = 1e-8
	rng := rand.New(rand.NewPCG(1, 0))
	for _, l := range []loss.Convex{loss.Hinge{}, loss.SquaredHinge{}, loss.EpsInsensitive{Epsilon: 0.2},
		loss.EpsInsensitive{}, loss.SquaredEpsInsensitive{Epsilon: 0.1}} {
		for _, bias := range []svm.Bias{svm.FreeBias, svm.PenalizedBias, svm.NoBias} {
			for _, k := range smoKernels {
				for _, c := range []svm.Cost{{}, {C: 0.05, Positive: 3}, {C: 20, Negative: 0.2}} {
					p := &svm.Problem{Loss: l, Bias: bias, Kernel: k, C: c}
					p.Data = smoData(rng, 20+rng.IntN(150), 3, p.Regression())
					if rng.IntN(2) == 0 {
						p.C.Weight = make([]float64, p.Data.Len())
						for i := range p.C.Weight {
							p.C.Weight[i] = math.Exp(rng.NormFloat64())
						}
					}
					name := fmt.Sprintf("%T, %v, %T, %+v", l, bias, k, c.C)
					o := svm.Decomposition{WorkingSet: 64 * (1 + rng.IntN(3))}
					r, err := svm.Fit(t.Context(), p, o, &svm.Settings{Tol: tol})
					if err != nil {
						t.Fatal(name, err)
					}
					again, err := p.Certify(r.Beta)
					if err != nil {
						t.Fatal(name, err)
					}
					if r.Status != svm.Optimal || !(again.RelativeGap() <= 2*tol) || again.Box != 0 {
						t.Errorf("%s: %v (%s), gap %.1e, again %.1e, box %g, %d updates", name, r.Status, r.Reason,
							r.RelativeGap(), again.RelativeGap(), again.Box, r.Updates)
					}
				}
			}
		}
	}
}

func ExampleDecomposition() {
	data := &svmkit.Dataset{Dim: 2}
	for i := range 400 { // two rings
		a, radius := float64(i), float64(1+i%2)
		data.X = append(data.X, svmkit.Dense(radius*math.Cos(a), radius*math.Sin(a)))
		data.Y = append(data.Y, 2*radius-3)
	}
	r, err := svm.Fit(context.Background(), &svm.Problem{Data: data, Kernel: kernel.RBF{}, C: svm.Cost{C: 100}}, svm.Decomposition{}, nil)
	if err != nil {
		fmt.Println(err)
		return
	}
	fmt.Printf("%s: %v, gap at most 1e-3: %v\n", r.Solver, r.Status, r.RelativeGap() <= 1e-3)
	fmt.Printf("centre %+.0f, far ring %+.0f\n", r.Predict(svmkit.Dense(0, 0)), r.Predict(svmkit.Dense(0, 2)))
	// Output:
	// Decomposition: optimal, gap at most 1e-3: true
	// centre -1, far ring +1
}
