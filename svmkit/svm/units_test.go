package svm_test

import (
	"fmt"
	"math"
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/svmkit/course/svmkit"
	"github.com/svmkit/course/svmkit/kernel"
	"github.com/svmkit/course/svmkit/loss"
	"github.com/svmkit/course/svmkit/svm"
)

// The same problem in other units, orders and signs: each relation changes a problem and says what
// must become of the scores. Scores agree up to what the tolerance leaves.

// relation is a problem with its change.
type relation struct {
	loss   loss.Trainable
	bias   svmkit.Bias
	solver svm.Solver
	kernel kernel.Kernel
	x      [][]float64
	y      []float64
	weight []float64
	c      float64
}

func (r relation) String() string {
	return fmt.Sprintf("%T, %v, %T, %T, %d rows", r.loss, r.bias, r.solver, r.kernel, len(r.x))
}

// dense returns a set without labels.
func dense(x [][]float64) *svmkit.Dataset {
	return &svmkit.Dataset{X: svmkit.DenseRows(slices.Concat(x...), len(x[0])), Dim: len(x[0])}
}

func (r relation) fit(t *testing.T, tol float64) *svm.Result {
	t.Helper()
	set := dense(r.x)
	set.Y, set.Weight = r.y, r.weight
	p := &svm.Problem{Data: set, Loss: r.loss, Bias: r.bias, Kernel: r.kernel, C: svm.PerSum(r.c)}
	result, err := svm.Fit(t.Context(), p, r.solver, &svm.Settings{Tol: tol})
	if err != nil {
		t.Fatalf("%v: %v", r, err)
	}
	return result
}

// mapRows returns the rows with f applied to each number.
func mapRows(x [][]float64, f func(float64) float64) [][]float64 {
	out := make([][]float64, len(x))
	for i, row := range x {
		for _, v := range row {
			out[i] = append(out[i], f(v))
		}
	}
	return out
}

func mapNumbers(y []float64, f func(float64) float64) []float64 {
	return mapRows([][]float64{y}, f)[0]
}

// relations calls do for random problems with every loss, bias and solver that go together.
func relations(t *testing.T, sets int, do func(r relation)) {
	rng := rand.New(rand.NewPCG(35, 0))
	for range sets {
		n, d := 20+rng.IntN(40), 1+rng.IntN(4)
		x, sums := make([][]float64, n), make([]float64, n)
		for i := range x {
			for range d {
				x[i] = append(x[i], rng.NormFloat64())
				sums[i] += x[i][len(x[i])-1]
			}
			sums[i] += rng.NormFloat64() / 2
		}
		for _, l := range []loss.Trainable{loss.Hinge{}, loss.SquaredHinge{}, loss.Logistic{}, loss.EpsInsensitive{Epsilon: 0.1}, loss.SquaredEpsInsensitive{Epsilon: 0.1}} {
			y := sums
			switch l.(type) {
			case loss.EpsInsensitive, loss.SquaredEpsInsensitive:
			default:
				y = mapNumbers(sums, func(v float64) float64 { return math.Copysign(1, v) })
			}
			for _, b := range []svmkit.Bias{svmkit.FreeBias, svmkit.PenalizedBias, svmkit.NoBias} {
				for _, s := range []svm.Solver{nil, svm.SMO{}, svm.DualCoordinate{}, svm.SDCA{}, svm.Newton{}, svm.ProximalNewton{}} {
					r := relation{loss: l, bias: b, solver: s, x: x, y: y, c: 1}
					if (&svm.Problem{Loss: l, Bias: b}).Check(s) == nil {
						do(r)
					}
				}
			}
		}
	}
}

// same compares scores of two fits, in units of unit, and their status.
func same(t *testing.T, name string, r relation, a, b *svm.Result, scores func(i int) (want, got float64), tol float64) {
	t.Helper()
	worst := 0.0
	for i := range r.x {
		want, got := scores(i)
		worst = max(worst, math.Abs(want-got))
	}
	if !(worst <= tol) || a.Status != b.Status || a.Status != svmkit.Optimal {
		t.Errorf("%s: %v: scores differ by %.3g; %v (%s), then %v (%s)", name, r, worst, a.Status, a.Reason, b.Status, b.Reason)
	}
}

// tol is the tolerance of most relations. SDCA draws too long for a smaller one.
func (r relation) tol() float64 {
	if _, slow := r.solver.(svm.SDCA); slow {
		return 1e-5
	}
	return unitsTol
}

const (
	unitsTol  = 1e-8
	unitsMost = 0.02 // of scores: an objective within 1e-8 leaves scores within its root
)

// Columns in other units, with the cost that goes with them, change no bit of a score if the factor
// is a power of two.
func TestColumnsInOtherUnits(t *testing.T) {
	relations(t, 4, func(r relation) {
		if r.bias == svmkit.PenalizedBias {
			return // its penalty would have to change too
		}
		a := r.fit(t, r.tol())
		for _, s := range []float64{0x1p-20, 0x1p-10, 0x1p10, 0x1p20, 0x1p-100} {
			q := r
			q.x, q.c = mapRows(r.x, func(v float64) float64 { return v * s }), r.c/s/s
			b := q.fit(t, r.tol())
			same(t, fmt.Sprintf("columns times %g", s), r, a, b, func(i int) (float64, float64) {
				return a.Score(svmkit.Dense(r.x[i]...)), b.Score(svmkit.Dense(q.x[i]...))
			}, 0)
			if a.Iterations != b.Iterations || a.Updates != b.Updates {
				t.Errorf("columns times %g: %v: %d iterations and %d updates, then %d and %d", s, r, a.Iterations, a.Updates, b.Iterations, b.Updates)
			}
		}
	})
}

// The same holds for kernels whose values have a unit, and for a polynomial whose γ goes with the
// columns. Beyond the range of float32, Decomposition stalls and SMO continues.
func TestKernelsInOtherUnits(t *testing.T) {
	relations(t, 2, func(r relation) {
		if _, logistic := r.loss.(loss.Logistic); logistic || r.bias == svmkit.PenalizedBias || r.solver != nil {
			return
		}
		for _, degree := range []int{1, 2} {
			for _, solver := range []svm.Solver{nil, svm.SMO{}, svm.Decomposition{}, svm.SDCA{}} {
				r.solver, r.kernel = solver, kernel.Polynomial{Degree: degree}
				if (&svm.Problem{Loss: r.loss, Bias: r.bias, Kernel: r.kernel}).Check(solver) != nil {
					continue
				}
				a := r.fit(t, 1e-5)
				for _, s := range []float64{0x1p-40, 0x1p-10, 0x1p10, 0x1p40} {
					q, tol := r, 0.0
					if _, single := solver.(svm.Decomposition); single && math.Abs(math.Log2(s))*2*float64(degree) > 126 {
						tol = unitsMost // SMO continues
					}
					q.x, q.c = mapRows(r.x, func(v float64) float64 { return v * s }), r.c*math.Pow(s, float64(-2*degree))
					b := q.fit(t, 1e-5)
					same(t, fmt.Sprintf("degree %d, columns times %g", degree, s), r, a, b, func(i int) (float64, float64) {
						return a.Score(svmkit.Dense(r.x[i]...)), b.Score(svmkit.Dense(q.x[i]...))
					}, tol)
				}
			}
		}
	})
}

func TestTargetsInOtherUnits(t *testing.T) {
	relations(t, 4, func(r relation) {
		for _, s := range []float64{1e-6, 1.0 / 1024, 1000, 1e6} {
			q := r
			switch r.loss.(type) {
			case loss.EpsInsensitive:
				q.loss, q.c = loss.EpsInsensitive{Epsilon: 0.1 * s}, r.c*s
			case loss.SquaredEpsInsensitive:
				q.loss = loss.SquaredEpsInsensitive{Epsilon: 0.1 * s}
			default:
				return
			}
			q.y = mapNumbers(r.y, func(v float64) float64 { return v * s })
			a, b := r.fit(t, r.tol()), q.fit(t, r.tol())
			same(t, fmt.Sprintf("targets times %g", s), r, a, b, func(i int) (float64, float64) {
				x := svmkit.Dense(r.x[i]...)
				return a.Score(x), b.Score(x) / s
			}, unitsMost)
		}
	})
}

func TestShiftedColumns(t *testing.T) {
	relations(t, 3, func(r relation) {
		if r.bias != svmkit.FreeBias {
			return
		}
		a := r.fit(t, 1e-6)
		for _, s := range []float64{1, 1000} {
			q := r
			q.x = mapRows(r.x, func(v float64) float64 { return v + s })
			if _, slow := r.solver.(svm.DualCoordinate); slow && s > 1 {
				continue // it takes a number of passes in proportion to the square of the shift
			}
			b := q.fit(t, 1e-6)
			same(t, fmt.Sprintf("columns plus %g", s), r, a, b, func(i int) (float64, float64) {
				return a.Score(svmkit.Dense(r.x[i]...)), b.Score(svmkit.Dense(q.x[i]...))
			}, unitsMost)
		}
	})
}

func TestOtherOrdersAndSigns(t *testing.T) {
	rng := rand.New(rand.NewPCG(36, 0))
	relations(t, 4, func(r relation) {
		a := r.fit(t, r.tol())
		order := rng.Perm(len(r.x))
		q := r
		q.x, q.y = make([][]float64, len(order)), make([]float64, len(order))
		for i, k := range order {
			q.x[i], q.y[i] = r.x[k], r.y[k]
		}
		b := q.fit(t, r.tol())
		at := func(m *svm.Result, i int) float64 { return m.Score(svmkit.Dense(r.x[i]...)) }
		same(t, "rows in another order", r, a, b, func(i int) (float64, float64) { return at(a, i), at(b, i) }, unitsMost)

		q = r
		q.y = mapNumbers(r.y, func(v float64) float64 { return -v })
		c := q.fit(t, r.tol())
		same(t, "labels exchanged, targets negated", r, a, c, func(i int) (float64, float64) { return at(a, i), -at(c, i) }, unitsMost)

		if _, slow := r.solver.(svm.SDCA); slow {
			return // it draws three times as often among copies
		}
		q = r
		q.x, q.y = slices.Concat(r.x, r.x, r.x), slices.Concat(r.y, r.y, r.y)
		copies := q.fit(t, r.tol())
		q = r
		q.weight = slices.Repeat([]float64{3}, len(r.x))
		weights := q.fit(t, r.tol())
		same(t, "weights and copies", r, copies, weights, func(i int) (float64, float64) { return at(copies, i), at(weights, i) }, unitsMost)
	})
}

// The suggested γ goes with the unit of the columns, so that kernel values change no bit.
func TestSuggestedGammaInOtherUnits(t *testing.T) {
	relations(t, 2, func(r relation) {
		if _, hinge := r.loss.(loss.Hinge); !hinge || r.solver != nil {
			return
		}
		for name, suggested := range map[string]func(x [][]float64) kernel.Kernel{
			"RBF":       func(x [][]float64) kernel.Kernel { return kernel.RBF{Gamma: kernel.ScaleGamma(dense(x))} },
			"Laplacian": func(x [][]float64) kernel.Kernel { return kernel.Laplacian{Gamma: kernel.ScaleLaplacian(dense(x))} },
		} {
			r.kernel = suggested(r.x)
			a := r.fit(t, 1e-6)
			for _, s := range []float64{0x1p-20, 0x1p-1, 0x1p20} {
				q := r
				q.x = mapRows(r.x, func(v float64) float64 { return v * s })
				q.kernel = suggested(q.x)
				b := q.fit(t, 1e-6)
				same(t, fmt.Sprintf("%s, columns times %g", name, s), r, a, b, func(i int) (float64, float64) {
					return a.Score(svmkit.Dense(r.x[i]...)), b.Score(svmkit.Dense(q.x[i]...))
				}, 0)
			}
		}
	})
}

// An affine change of all columns changes no RBF kernel value if γ changes with it.
func TestAffineImageUnderRBF(t *testing.T) {
	relations(t, 4, func(r relation) {
		if _, logistic := r.loss.(loss.Logistic); logistic {
			return
		}
		r.kernel = kernel.RBF{Gamma: 0.5}
		for _, s := range []svm.Solver{nil, svm.SMO{}, svm.Decomposition{}} {
			r.solver = s
			q := r
			q.x, q.kernel = mapRows(r.x, func(v float64) float64 { return 1024*v + 5000 }), kernel.RBF{Gamma: 0.5 / 1024 / 1024}
			a, b := r.fit(t, 1e-6), q.fit(t, 1e-6)
			same(t, "1024·x + 5000", r, a, b, func(i int) (float64, float64) {
				return a.Score(svmkit.Dense(r.x[i]...)), b.Score(svmkit.Dense(q.x[i]...))
			}, unitsMost)
		}
	})
}

// One-class problems have no cost: columns in other units leave the signs and the status alone.
func TestOneClassInOtherUnits(t *testing.T) {
	rng := rand.New(rand.NewPCG(37, 0))
	for set := range 40 {
		n, d, shift := 20+rng.IntN(40), 1+rng.IntN(4), 2*float64(set%3) // around the origin, too
		x := make([]float64, n*d)
		for i := range x {
			x[i] = rng.NormFloat64() + shift
		}
		fit := func(s float64) *svm.Result {
			scaled := mapNumbers(x, func(v float64) float64 { return v * s })
			r, err := svm.OneClass{Data: &svmkit.Dataset{X: svmkit.DenseRows(scaled, d), Dim: d}, Nu: 0.3}.Fit(t.Context(), nil)
			if err != nil {
				t.Fatal(err)
			}
			return r
		}
		a := fit(1)
		for _, s := range []float64{0x1p-20, 0x1p10, 0x1p20} {
			b := fit(s)
			if a.Status != svmkit.Optimal || b.Status != a.Status || b.Iterations != a.Iterations {
				t.Fatalf("set %d, times %g: %v (%s), then %v (%s)", set, s, a.Status, a.Reason, b.Status, b.Reason)
			}
			for i := range n {
				v := svmkit.Dense(x[i*d : (i+1)*d]...)
				scaled := svmkit.Dense(mapNumbers(v.Value, func(v float64) float64 { return v * s })...)
				if got, want := b.Score(scaled), a.Score(v)*s*s; got != want {
					t.Fatalf("set %d, times %g: row %d has the score %g, want %g", set, s, i, got, want)
				}
			}
		}
	}
}

// A problem in euros has an objective of 6e-9, which counts no less than one of 6e9.
func TestSmallObjective(t *testing.T) {
	rng := rand.New(rand.NewPCG(38, 0))
	set := &svmkit.Dataset{Dim: 2}
	for i := range 200 {
		y := float64(1 - 2*(i%2))
		income := 40_000 + y*15_000 + 4000*rng.Float64()
		set.X, set.Y = append(set.X, svmkit.Dense(income, income/2+4000*rng.Float64())), append(set.Y, y)
	}
	fit := func(s svm.Solver, tol float64) *svm.Result {
		r, err := svm.Fit(t.Context(), &svm.Problem{Data: set}, s, &svm.Settings{Tol: tol})
		if err != nil || r.Status != svmkit.Optimal {
			t.Fatalf("%v, %v: %v", err, r.Status, r.Reason)
		}
		return r
	}
	best := fit(svm.SMO{}, 1e-9)
	if best.Primal > 1e-7 {
		t.Fatalf("the objective is %g, not small", best.Primal)
	}
	for _, s := range []svm.Solver{nil, svm.SMO{}, svm.DualCoordinate{}, svm.ProximalNewton{}} {
		if r := fit(s, 0); !(r.Primal <= 1.001*best.Primal && r.Dual >= 0.999*best.Primal) {
			t.Errorf("%T: between %g and %g, the optimum is %g", s, r.Dual, r.Primal, best.Primal)
		}
	}
}
