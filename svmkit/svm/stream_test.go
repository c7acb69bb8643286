package svm_test

import (
	"context"
	"errors"
	"fmt"
	"math"
	"math/rand/v2"
	"runtime"
	"slices"
	"testing"
	"time"

	"github.com/svmkit/course/svmkit"
	"github.com/svmkit/course/svmkit/kernel"
	"github.com/svmkit/course/svmkit/loss"
	"github.com/svmkit/course/svmkit/svm"
)

// Every loss, bias and kernel, with prices of different sizes, as one working set and by small
// ones: the certificate reaches 1e-8 and, made anew from β, says the same; SMO finds the same
// optimum.
func TestDecompositionCertifies(t *testing.T) {
	const tol = 1e-8
	rng := rand.New(rand.NewPCG(1, 0))
	for _, l := range []loss.Trainable{loss.Hinge{}, loss.SquaredHinge{}, loss.EpsInsensitive{Epsilon: 0.2},
		loss.EpsInsensitive{}, loss.SquaredEpsInsensitive{Epsilon: 0.1}} {
		for _, bias := range []svmkit.Bias{svmkit.FreeBias, svmkit.PenalizedBias, svmkit.NoBias} {
			for _, k := range smoKernels {
				for _, c := range []svm.Cost{{}, {C: 0.05, Positive: 3}, {C: 20, Negative: 0.2}} {
					p := &svm.Problem{Loss: l, Bias: bias, Kernel: k, C: c}
					p.Data = smoData(rng, 20+rng.IntN(150), 3, p.Regression())
					if rng.IntN(2) == 0 {
						p.Data.Weight = make([]float64, p.Data.Len())
						for i := range p.Data.Weight {
							p.Data.Weight[i] = math.Exp(rng.NormFloat64())
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
					if r.Status != svmkit.Optimal || !(again.RelativeGap() <= 2*tol) || again.Box != 0 {
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
	r, err := svm.Fit(context.Background(), &svm.Problem{Data: data, Kernel: kernel.RBF{Gamma: 1}, C: svm.Cost{C: 100}}, svm.Decomposition{}, nil)
	if err != nil {
		fmt.Println(err)
		return
	}
	fmt.Printf("%s: %v, gap at most 1e-3: %v\n", r.Trace, r.Status, r.RelativeGap() <= 1e-3)
	fmt.Printf("centre %+.0f, far ring %+.0f\n", r.Predict(svmkit.Dense(0, 0)).Y, r.Predict(svmkit.Dense(0, 2)).Y)
	// Output:
	// Decomposition: optimal, gap at most 1e-3: true
	// centre -1, far ring +1
}

// withDuplicates returns n rows of d columns of which most occur several times, also with the other
// label, and some are zero.
func withDuplicates(rng *rand.Rand, n, d int, targets bool) *svmkit.Dataset {
	s := smoData(rng, n, d, targets)
	for i := range s.X {
		switch rng.IntN(6) {
		case 0:
		case 1:
			s.X[i] = svmkit.Dense(make([]float64, d)...)
		default:
			s.X[i] = s.X[rng.IntN(i+1)]
			if targets {
				s.Y[i] = math.Round(s.Y[i])
			}
		}
	}
	return s
}

// Rows that occur many times, with equal and with opposite labels, zero rows, one row, rows with
// a large offset, dense and sparse, with weights: the objective is SMO's, and no β leaves its
// own row's box.
func TestDecompositionAgreesWithSMO(t *testing.T) {
	const tol = 1e-9
	rng := rand.New(rand.NewPCG(2, 0))
	sparse := smoData(rng, 300, 30, false)
	for i, x := range sparse.X {
		var s svmkit.Row
		s.Index = []int32{}
		for j, v := range x.Value {
			if v != 0 && rng.IntN(5) == 0 {
				s.Index, s.Value = append(s.Index, int32(j)), append(s.Value, v)
			}
		}
		sparse.X[i] = s
	}
	offset := smoData(rng, 300, 3, false)
	for _, x := range offset.X {
		for j := range x.Value {
			x.Value[j] += 1e4
		}
	}
	far := smoData(rng, 200, 3, false)
	far.X[7].Value[1], far.X[8].Value[1] = 1e5, 1e5+1
	for name, data := range map[string]*svmkit.Dataset{
		"duplicates": withDuplicates(rng, 400, 2, false),
		"targets":    withDuplicates(rng, 400, 2, true),
		"two rows":   smoData(rng, 2, 3, false),
		"one target": smoData(rng, 1, 3, true),
		"sparse":     sparse,
		"offset":     offset,
		"far rows":   far,
	} {
		for _, bias := range []svmkit.Bias{svmkit.FreeBias, svmkit.PenalizedBias, svmkit.NoBias} {
			for _, squared := range []bool{false, true} {
				p := &svm.Problem{Data: data, Bias: bias, Kernel: kernel.RBF{Gamma: 0.4}, C: svm.Cost{C: 3, Positive: 0.5}}
				switch targets := data.Y[0] != math.Round(data.Y[0]); {
				case targets && squared:
					p.Loss = loss.SquaredEpsInsensitive{Epsilon: 0.1}
				case targets:
					p.Loss = loss.EpsInsensitive{Epsilon: 0.1}
				case squared:
					p.Loss = loss.SquaredHinge{}
				}
				p.Data.Weight = nil
				for range data.X {
					p.Data.Weight = append(p.Data.Weight, 0.5+rng.Float64())
				}
				want, err := svm.Fit(t.Context(), p, svm.SMO{}, &svm.Settings{Tol: tol})
				if err != nil {
					t.Fatal(err)
				}
				got, err := svm.Fit(t.Context(), p, svm.Decomposition{WorkingSet: 64}, &svm.Settings{Tol: tol})
				if err != nil || got.Status != svmkit.Optimal || got.Box != 0 {
					t.Errorf("%s, %v, squared %v: %v, %v (%s), gap %g, box %g", name, bias, squared, err, got.Status, got.Reason, got.RelativeGap(), got.Box)
				}
				if math.Abs(got.Dual-want.Dual) > 2*tol*max(1, want.Primal) {
					t.Errorf("%s, %v, squared %v: dual %.12g, SMO's %.12g", name, bias, squared, got.Dual, want.Dual)
				}
			}
		}
	}
}

// Large C on hard data: float32 alone would stop at 1e-5, exact scores lead on to 1e-7.
func TestDecompositionBeyondFloat32(t *testing.T) {
	rng := rand.New(rand.NewPCG(3, 0))
	p := &svm.Problem{Data: smoData(rng, 1200, 4, false), Kernel: kernel.RBF{Gamma: 0.2}, C: svm.Cost{C: 1000}}
	r, err := svm.Fit(t.Context(), p, svm.Decomposition{WorkingSet: 512}, &svm.Settings{Tol: 1e-7})
	if err != nil || r.Status != svmkit.Optimal {
		t.Errorf("%v, %v (%s), gap %g", err, r.Status, r.Reason, r.RelativeGap())
	}
}

// The same bits, on one processor and on many.
func TestDecompositionIsDeterministic(t *testing.T) {
	p := &svm.Problem{Data: smoData(rand.New(rand.NewPCG(5, 0)), 1500, 5, false), Kernel: kernel.RBF{Gamma: 1}}
	var first *svm.Result
	for _, processors := range []int{1, 2, 4} {
		before := runtime.GOMAXPROCS(processors)
		r, err := svm.Fit(t.Context(), p, svm.Decomposition{WorkingSet: 128}, &svm.Settings{Tol: 1e-6})
		runtime.GOMAXPROCS(before)
		if err != nil {
			t.Fatal(err)
		}
		if first == nil {
			first = r
		}
		if !slices.Equal(r.Beta, first.Beta) || r.Bias != first.Bias || r.Certificate != first.Certificate {
			t.Errorf("%d processors: other bits", processors)
		}
	}
}

// Small memory makes a small working set, never more than is allowed; bad settings are errors.
func TestDecompositionSettings(t *testing.T) {
	data := smoData(rand.New(rand.NewPCG(6, 0)), 3000, 5, false)
	p := &svm.Problem{Data: data, Kernel: kernel.RBF{Gamma: 1}, C: svm.Cost{C: 10}}
	allocated := func(bytes int64) uint64 {
		var before, after runtime.MemStats
		runtime.ReadMemStats(&before)
		if _, err := svm.Fit(t.Context(), p, svm.Decomposition{WorkingSet: 3000, MemoryBytes: bytes}, &svm.Settings{MaxIterations: 1}); err != nil {
			t.Fatal(err)
		}
		runtime.ReadMemStats(&after)
		return after.TotalAlloc - before.TotalAlloc
	}
	allocated(1 << 20)
	const others = 8 << 20 // buffers, and what grows with the rows
	if small, large := allocated(1<<20), allocated(36<<20); small > 1<<20+others || large < 32<<20 {
		t.Errorf("%d bytes allocated with 1 MiB, %d with 36", small, large)
	}
	for _, c := range []struct {
		p *svm.Problem
		s svm.Decomposition
	}{
		{p, svm.Decomposition{WorkingSet: -1}}, {p, svm.Decomposition{MemoryBytes: -1}},
		{&svm.Problem{Data: data, Kernel: kernel.Sigmoid{}}, svm.Decomposition{}},
		{&svm.Problem{Data: data, Kernel: kernel.RBF{Gamma: 1}, C: svm.Cost{C: math.Inf(1)}}, svm.Decomposition{}},
		{&svm.Problem{Data: data, Loss: loss.Logistic{}}, svm.Decomposition{}},
	} {
		var param *svmkit.ParamError
		if _, err := svm.Fit(t.Context(), c.p, c.s, nil); !errors.As(err, &param) {
			t.Errorf("%T with %+v: %v", c.p.Kernel, c.s, err)
		}
	}
}

// A kernel without a value is an error that names the rows; a long fit reports on its way, and
// ends at once when it is told to.
func TestDecompositionOnItsWay(t *testing.T) {
	data := smoData(rand.New(rand.NewPCG(7, 0)), 2500, 3, false)
	bad := kernel.Func(func(x, z svmkit.Row) float64 {
		if x.Value[0] > 1 && z.Value[1] < -1 {
			return math.NaN()
		}
		return x.DotRow(z)
	})
	var e *kernel.EvalError
	if _, err := svm.Fit(t.Context(), &svm.Problem{Data: data, Kernel: bad}, svm.Decomposition{}, nil); !errors.As(err, &e) {
		t.Errorf("NaN: %v", err)
	}
	p := &svm.Problem{Data: data, Kernel: kernel.RBF{Gamma: 0.1}, C: svm.Cost{C: 1e3}}
	reports := 0
	r, err := svm.Fit(t.Context(), p, svm.Decomposition{WorkingSet: 128}, &svm.Settings{Tol: 1e-9, Progress: func(svmkit.Progress) bool { reports++; return false }})
	if err != nil || r.Status != svmkit.Stopped || reports != 1 {
		t.Errorf("stopped: %v, %v after %d reports", err, r.Status, reports)
	}
	r, err = svm.Fit(t.Context(), p, svm.Decomposition{WorkingSet: 64}, &svm.Settings{Tol: 1e-12, MaxIterations: 3})
	if err != nil || r.Status != svmkit.IterationLimit || r.Iterations != 3 || r.Updates == 0 {
		t.Errorf("three rounds: %v, %v, %d epochs, %d updates", err, r.Status, r.Iterations, r.Updates)
	}
	ctx, cancel := context.WithTimeout(t.Context(), 30*time.Millisecond)
	defer cancel()
	start := time.Now()
	r, err = svm.Fit(ctx, p, svm.Decomposition{}, &svm.Settings{Tol: 1e-12})
	if !errors.Is(err, context.DeadlineExceeded) || r == nil || r.Status != svmkit.Cancelled || time.Since(start) > time.Minute {
		t.Errorf("cancelled: %v after %v", err, time.Since(start))
	}
}

// Many rows: the guess from a sample is only a start, so the optimum is that of small working sets
// without one.
func TestDecompositionOfManyRows(t *testing.T) {
	rng := rand.New(rand.NewPCG(8, 0))
	for _, p := range []*svm.Problem{
		{Data: smoData(rng, 1500, 3, false), Kernel: kernel.RBF{Gamma: 0.5}},
		{Data: smoData(rng, 1500, 3, false), Kernel: kernel.RBF{Gamma: 0.5}, Loss: loss.SquaredHinge{}, Bias: svmkit.PenalizedBias},
		{Data: smoData(rng, 1500, 3, true), Kernel: kernel.RBF{Gamma: 0.5}, Loss: loss.EpsInsensitive{Epsilon: 0.2}},
		{Data: smoData(rng, 1500, 3, true), Kernel: kernel.RBF{Gamma: 0.5}, Loss: loss.SquaredEpsInsensitive{Epsilon: 0.2}, Bias: svmkit.NoBias},
	} {
		const tol = 1e-8
		many, err := svm.Fit(t.Context(), p, svm.Decomposition{WorkingSet: 96}, &svm.Settings{Tol: tol}) // 15 working sets
		if err != nil {
			t.Fatal(err)
		}
		few, err := svm.Fit(t.Context(), p, svm.Decomposition{WorkingSet: 512}, &svm.Settings{Tol: tol})
		if err != nil {
			t.Fatal(err)
		}
		if many.Status != svmkit.Optimal || few.Status != svmkit.Optimal || math.Abs(many.Dual-few.Dual) > 2*tol*few.Primal {
			t.Errorf("%T: %v with dual %.12g, %v with %.12g", p.Loss, many.Status, many.Dual, few.Status, few.Dual)
		}
	}
}
