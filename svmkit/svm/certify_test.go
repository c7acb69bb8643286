package svm_test

import (
	"context"
	"errors"
	"fmt"
	"math"
	"math/rand/v2"
	"testing"

	"github.com/svmkit/course/svmkit"
	"github.com/svmkit/course/svmkit/kernel"
	"github.com/svmkit/course/svmkit/loss"
	"github.com/svmkit/course/svmkit/svm"
)

// rounding is for numbers that a few dozen float64 operations make.
const rounding = 1e-12

var inf = math.Inf(1)

func line(y []float64, x ...float64) *svmkit.Dataset {
	return &svmkit.Dataset{X: svmkit.DenseRows(x, 1), Y: y, Dim: 1}
}

// weighted returns set with weights.
func weighted(set *svmkit.Dataset, weight ...float64) *svmkit.Dataset {
	t := *set
	t.Weight = weight
	return &t
}

func overlapping(n int) *svmkit.Dataset {
	rng := rand.New(rand.NewPCG(22, 0))
	s := &svmkit.Dataset{Dim: 2}
	for i := range n {
		y := float64(1 - 2*(i%2))
		s.X = append(s.X, svmkit.Dense(y+1.5*rng.NormFloat64(), 0.5*y+1.5*rng.NormFloat64()))
		s.Y = append(s.Y, y)
	}
	return s
}

// The problems with optima known by hand, certified from their α and fitted from nothing.
func TestKnownProblems(t *testing.T) {
	for _, k := range knownProblems() {
		p := &svm.Problem{Data: k.Data, C: svm.Cost{C: inf}, Bias: svmkit.NoBias}
		if k.FreeBias {
			p.Bias = svmkit.FreeBias
		}
		beta := make([]float64, len(k.Alpha))
		for i, a := range k.Alpha {
			beta[i] = a * k.Data.Y[i]
		}
		proof, err := p.Certify(beta)
		if err != nil {
			t.Fatal(err)
		}
		want := 1 / (2 * k.Gamma * k.Gamma)
		if math.Abs(proof.Primal-want) > rounding*want || math.Abs(proof.Gap) > rounding*want || proof.KKT > rounding*100 {
			t.Errorf("%s: %+v, want ½/γ² = %g", k.Name, proof.Certificate, want)
		}
		r, err := svm.Fit(context.Background(), p, nil, &svm.Settings{Tol: 1e-9})
		if err != nil || r.Status != svmkit.Optimal {
			t.Errorf("%s: %v %v", k.Name, err, r)
			continue
		}
		for j, w := range k.Plane.W {
			// A relative gap of 1e-9 leaves w a distance of √(2·1e-9)‖w‖.
			if math.Abs(r.Weights[j]-w) > 1e-4*math.Sqrt(2*want) {
				t.Errorf("%s: w = %v, want %v", k.Name, r.Weights, k.Plane.W)
				break
			}
		}
		for i, x := range k.Data.X {
			if m := k.Data.Y[i] * r.Score(x); m < 1-rounding {
				t.Errorf("%s: row %d has y·f = %v < 1", k.Name, i, m)
			}
		}
	}
}

// Some texts average b = yᵢ − ⟨w,xᵢ⟩ over all rows with α > 0. Only the free ones, 0 < α < C,
// lie on the margin: with the printed b the objective is larger than it need be, by far more
// than the certified gap.
func TestBiasComesFromFreeSupportVectors(t *testing.T) {
	p := &svm.Problem{Data: overlapping(60), C: svm.PerSum(1)}
	r, err := svm.Fit(context.Background(), p, nil, &svm.Settings{Tol: 1e-9})
	if err != nil || r.Status != svmkit.Optimal {
		t.Fatal(err, r)
	}
	var all, free float64
	for k, x := range r.SV {
		b := p.Data.Y[r.Rows[k]] - (r.Score(x) - r.Bias)
		all += b / float64(len(r.SV))
		if !r.Bound[k] {
			free += b / float64(r.FreeSV())
		}
	}
	if r.FreeSV() == 0 || r.FreeSV() == len(r.SV) {
		t.Fatalf("%d of %d support vectors are free: no case for this test", r.FreeSV(), len(r.SV))
	}
	// A gap g allows the score of a free vector to be off by about √g.
	if math.Abs(free-r.Bias) > 1e-3 {
		t.Errorf("free vectors give b = %g, the fit %g", free, r.Bias)
	}
	objective := func(b float64) float64 {
		plane := svmkit.Hyperplane{W: r.Weights, B: b}
		return r.Norm()*r.Norm()/2 + loss.Sum(loss.Hinge{}, plane, p.Data)
	}
	if math.Abs(objective(r.Bias)-r.Primal) > rounding*r.Primal*100 {
		t.Errorf("objective %v, certified %v", objective(r.Bias), r.Primal)
	}
	if excess := objective(all) - r.Primal; excess < 1e-3 || excess < 1000*r.Gap {
		t.Errorf("b over all support vectors, %g against %g, costs %g more: the erratum does not show", all, r.Bias, excess)
	}
}

// Without a free support vector b is an interval, and its middle is taken: rows ±1 on a
// line, C = ¼. w = C·2 = ½, and every b in [−½, ½] costs the same.
func TestBiasInterval(t *testing.T) {
	p := &svm.Problem{Data: line([]float64{-1, 1}, -1, 1), C: svm.PerSum(0.25)}
	proof, err := p.Certify([]float64{-0.25, 0.25})
	if err != nil {
		t.Fatal(err)
	}
	m := p.Model(proof)
	if proof.BiasMin != -0.5 || proof.BiasMax != 0.5 || m.Bias != 0 || m.Weights[0] != 0.5 || m.FreeSV() != 0 {
		t.Errorf("b in [%g, %g], model %+v", proof.BiasMin, proof.BiasMax, m)
	}
	if proof.Gap != 0 || proof.KKT != 0 || proof.Primal != 0.375 {
		t.Errorf("%+v, want the optimum ⅛ + ¼·2·½", proof.Certificate)
	}
}

// KKT, case by case: α = 0 ⇒ yf ≥ 1, 0 < α < C ⇒ yf = 1, α = C ⇒ yf ≤ 1.
func TestKKT(t *testing.T) {
	rng := rand.New(rand.NewPCG(3, 0))
	for range 200 {
		p := &svm.Problem{Data: overlapping(10), C: svm.PerSum(0.5), Bias: svmkit.Bias(1 + rng.IntN(3))}
		beta := make([]float64, 10)
		for i, y := range p.Data.Y {
			beta[i] = y * []float64{0, 0.25, 0.5}[rng.IntN(3)]
		}
		proof, err := p.Certify(beta)
		if err != nil {
			t.Fatal(err)
		}
		m := p.Model(proof)
		worst := 0.0
		for i, y := range p.Data.Y {
			slack := y*m.Score(p.Data.X[i]) - 1
			switch a := y * proof.Beta[i]; {
			case a == 0:
				worst = max(worst, -slack)
			case a == 0.5:
				worst = max(worst, slack)
			default:
				worst = max(worst, math.Abs(slack))
			}
		}
		if math.Abs(worst-proof.KKT) > rounding*10 {
			t.Errorf("KKT = %g, by the three cases %g", proof.KKT, worst)
		}
	}
}

// A hard margin's model is scaled up until it violates nothing, in feature space too; so its
// objective is an upper bound from any β whose plane separates.
func TestHardMarginIsScaled(t *testing.T) {
	xor := &svmkit.Dataset{X: svmkit.DenseRows([]float64{1, 1, -1, -1, 1, -1, -1, 1}, 2), Y: []float64{1, 1, -1, -1}, Dim: 2}
	p := &svm.Problem{Data: xor, Kernel: kernel.Polynomial{Degree: 2, Coef0: 1}, C: svm.Cost{C: inf}}
	proof, err := p.Certify([]float64{0.01, 0.012, -0.009, -0.013})
	if err != nil {
		t.Fatal(err)
	}
	m := p.Model(proof)
	least := inf
	for i, x := range xor.X {
		least = min(least, xor.Y[i]*m.Score(x))
	}
	if math.Abs(least-1) > rounding {
		t.Errorf("smallest functional margin %v, want 1", least)
	}
	if want := m.Norm() * m.Norm() / 2; math.Abs(proof.Primal-want) > rounding*want || proof.Gap < 0.01 {
		t.Errorf("%+v, want Primal ½‖w‖² = %g", proof.Certificate, want)
	}
	// By symmetry α = 1/8 for each, and ‖w‖² = Σα.
	best, err := p.Certify([]float64{.125, .125, -.125, -.125})
	if err != nil || math.Abs(best.Primal-0.25) > rounding || math.Abs(best.Gap) > rounding {
		t.Errorf("%v %+v, want ½·½", err, best.Certificate)
	}
	wrong, err := p.Certify([]float64{0, 0.1, -0.1, 0})
	if err != nil || !math.IsInf(wrong.Gap, 1) || !math.IsInf(wrong.Primal, 1) {
		t.Errorf("%v %+v: a plane that does not separate has an infinite objective", err, wrong.Certificate)
	}
}

// A hard tube: the largest slope through three points within ±ε is known; one that leaves the
// tube, or no slope at all, is not certified.
func TestHardTube(t *testing.T) {
	p := &svm.Problem{Data: line([]float64{-1, 0, 1}, -1, 0, 1), Loss: loss.EpsInsensitive{Epsilon: 0.25}, C: svm.Cost{C: inf}}
	// The flattest line in the tube passes (−1, −¾) and (1, ¾): w = ¾.
	proof, err := p.Certify([]float64{-0.375, 0, 0.375})
	if err != nil || math.Abs(proof.Primal-0.28125) > rounding || math.Abs(proof.Gap) > rounding {
		t.Errorf("%v %+v, want ½·¾²", err, proof.Certificate)
	}
	for _, beta := range [][]float64{{0, 0, 0}, {-0.3, 0, 0.3}, {-1e-9, 0, 1e-9}} {
		if proof, err = p.Certify(beta); err != nil || !math.IsInf(proof.Gap, 1) {
			t.Errorf("β = %v: %v %+v, want an infinite gap", beta, err, proof.Certificate)
		}
	}
}

func TestInfeasibleBetaIsRepairedAndReported(t *testing.T) {
	p := &svm.Problem{Data: line([]float64{-1, 1, 1}, -1, 1, 2), C: svm.PerSum(1)}
	proof, err := p.Certify([]float64{0.5, 3, 0.25}) // row 0 has the wrong sign, row 1 is above C
	if err != nil || proof.Box != 2 || proof.Equality != 1.25 {
		t.Fatalf("%v %+v", err, proof)
	}
	for i, v := range proof.Beta {
		if v != 0 {
			t.Errorf("β[%d] = %g: with α₀ = 0, only 0 has Σβ = 0", i, v)
		}
	}
}

func TestCertifyErrors(t *testing.T) {
	p := &svm.Problem{Data: line([]float64{-1, 1}, -1, 1)}
	var data *svmkit.DataError
	if _, err := p.Certify([]float64{1}); !errors.Is(err, svmkit.ErrMismatch) {
		t.Errorf("short β: %v", err)
	}
	for _, v := range []float64{math.NaN(), inf} {
		if _, err := p.Certify([]float64{0, v}); !errors.As(err, &data) || data.Row != 1 {
			t.Errorf("β = %g: %v", v, err)
		}
	}
	if _, err := (&svm.Problem{}).Certify(nil); !errors.Is(err, svmkit.ErrEmpty) {
		t.Errorf("no data: %v", err)
	}
}

// A kernel that is not positive semidefinite has no dual bound, whether it says so or is
// caught with ‖w‖² < 0; so nothing is optimal.
func TestIndefiniteKernels(t *testing.T) {
	set := overlapping(30)
	liar := kernel.Func(func(x, z svmkit.Row) float64 { return -x.DotRow(z) })
	for _, k := range []kernel.Kernel{kernel.Sigmoid{Gamma: 0.5, Coef0: -1}, liar} {
		p := &svm.Problem{Data: set, Kernel: k}
		beta := make([]float64, 30)
		for i, y := range set.Y {
			beta[i] = y / 2
		}
		proof, err := p.Certify(beta)
		if err != nil || !math.IsInf(proof.Gap, 1) {
			t.Errorf("%T: %v, gap %g", k, err, proof.Gap)
		}
		r, err := svm.Fit(context.Background(), p, nil, &svm.Settings{Tol: 1e-4, MaxIterations: 200})
		if err != nil || r.Status == svmkit.Optimal {
			t.Errorf("%T: %v %v", k, err, r.Status)
		}
	}
	p := &svm.Problem{Data: set, Kernel: kernel.Sigmoid{Gamma: 0.1}}
	r, err := svm.Fit(context.Background(), p, nil, &svm.Settings{Tol: 1e-4})
	if err != nil || r.Status != svmkit.Stationary || r.KKT > 1e-4 {
		t.Errorf("%v %v (%s), KKT %g", err, r.Status, r.Reason, r.KKT)
	}
}

// Rounding leaves room for tolerances of 1e-9: 50,000 rows far from 0, C = 1000, and an
// optimum known by hand. The rows 99 and 101 alone have the plane x = 100 with w = 1 and
// α = ½. Two rows at one place between them, one of each label, both have α = C; their pulls
// cancel, and they pay 2C. What is left of the gap is rounding.
func TestGapIsNotSwampedByRounding(t *testing.T) {
	const n, c = 50_000, 1000
	rng := rand.New(rand.NewPCG(5, 0))
	x, y, beta := make([]float64, n), make([]float64, n), make([]float64, n)
	order := rng.Perm(n)
	for k := 0; k < n; k += 2 {
		place := 99 + 2*rng.Float64()
		for half, i := range order[k : k+2] {
			y[i] = float64(1 - 2*half)
			x[i], beta[i] = place, c*y[i]
			if k == 0 {
				x[i], beta[i] = 100+y[i], y[i]/2
			}
		}
	}
	proof, err := (&svm.Problem{Data: line(y, x...), C: svm.PerSum(c)}).Certify(beta)
	if err != nil {
		t.Fatal(err)
	}
	const want = 0.5 + c*(n-2)
	if math.Abs(proof.Primal-want) > 1e-10*want || !(proof.RelativeGap() <= 1e-10) || proof.Gap < 0 {
		t.Errorf("%+v, want %v and no gap: relative gap %g", proof.Certificate, want, proof.RelativeGap())
	}
	t.Logf("relative gap %g", proof.RelativeGap())
}

func ExampleProblem_Certify() {
	// Two points, ±1 on a line, with C = 1. Is α = 0.4 for both a good solution?
	data := &svmkit.Dataset{X: svmkit.DenseRows([]float64{-1, 1}, 1), Y: []float64{-1, 1}, Dim: 1}
	p := &svm.Problem{Data: data, C: svm.PerSum(1)}
	proof, err := p.Certify([]float64{-0.4, 0.4})
	if err != nil {
		fmt.Println(err)
		return
	}
	fmt.Printf("w = %.1f, objective %.2f; no model is below %.2f\n", p.Model(proof).Weights, proof.Primal, proof.Dual)
	// Output: w = [0.8], objective 0.72; no model is below 0.48
}
