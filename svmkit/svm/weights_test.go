package svm

import (
	"context"
	"errors"
	"math"
	"math/rand/v2"
	"reflect"
	"slices"
	"testing"

	"github.com/svmkit/course/svmkit"
	"github.com/svmkit/course/svmkit/kernel"
)

// among returns p with weights 1, 2 and 3, and the same with rubbish of weight 0 among its rows,
// beginning with the first; rows are the numbers of the rows of p there.
func among(rng *rand.Rand, p *Problem) (weighted, mixed *Problem, rows []int) {
	with := func(data *svmkit.Dataset) *Problem {
		q := *p
		q.Data = data
		return &q
	}
	a, b := *p.Data, svmkit.Dataset{Dim: p.Data.Dim}
	a.Weight = nil
	add := func(x svmkit.Row, y, w float64) {
		b.X, b.Y, b.Weight = append(b.X, x), append(b.Y, y), append(b.Weight, w)
	}
	for i, x := range a.X {
		for i%3 == 0 && len(rows) == i { // with the label of one class and far on the side of the other
			far := make([]float64, a.Dim)
			x.AddTo(far, -1e6*a.Y[i])
			add(svmkit.Dense(far...), a.Y[i], 0)
			break
		}
		w := float64(1 + rng.IntN(3))
		a.Weight, rows = append(a.Weight, w), append(rows, len(b.X))
		add(x, a.Y[i], w)
	}
	return with(&a), with(&b), rows
}

// To every solver, with every loss, bias and kernel, a row of weight 0 is not there, to the last
// bit, and one of weight k is that row k times.
func TestWeightsCountRows(t *testing.T) {
	rng := rand.New(rand.NewPCG(6, 0))
	for _, c := range cells() {
		if c.impossible() || c.cost == "weights" {
			continue
		}
		p, mixed, rows := among(rng, c.problem(rng))
		repeated := *p
		var again []int
		for i, w := range p.Data.Weight {
			again = append(again, slices.Repeat([]int{i}, int(w))...)
		}
		repeated.Data = p.Data.Subset(again)
		repeated.Data.Weight = nil
		for _, s := range solvers {
			if !accepts(s, p) {
				continue
			}
			tol := toleranceOf(s)
			var fits [3]*Result
			for k, q := range []*Problem{p, mixed, &repeated} {
				r, err := Fit(context.Background(), q, s, &Settings{Tol: tol, Seed: 1, MaxIterations: 200_000})
				if err != nil || r.Status != svmkit.Optimal {
					t.Fatalf("%v, %s: %v, %v", c, nameOf(s), err, r)
				}
				fits[k] = r
			}
			absent, zero, twice := fits[0], fits[1], fits[2]
			if scale := max(1, absent.Primal); !(math.Abs(absent.Primal-twice.Primal) <= tol*scale) {
				t.Errorf("%v, %s: objective %.12g with weights, %.12g with repeated rows", c, nameOf(s), absent.Primal, twice.Primal)
			}
			if zero.Certificate != absent.Certificate || zero.Model.Bias != absent.Model.Bias || !slices.Equal(zero.Weights, absent.Weights) {
				t.Errorf("%v, %s: rows of weight 0 change bits: %+v, %+v", c, nameOf(s), zero.Certificate, absent.Certificate)
			}
			beta := make([]float64, mixed.Data.Len())
			for k, i := range rows {
				beta[i] = absent.Beta[k]
			}
			if !slices.Equal(zero.Beta, beta) {
				t.Errorf("%v, %s: β = %g, want %g", c, nameOf(s), zero.Beta, beta)
			}
			for k, i := range zero.Rows {
				if beta[i] == 0 || !reflect.DeepEqual(zero.SV[k], mixed.Data.X[i]) || rows[absent.Rows[k]] != i {
					t.Errorf("%v, %s: support vector %d is not row %d", c, nameOf(s), k, i)
				}
			}
		}
	}
}

// A certificate of β for all rows is that for the rows of a positive weight; what stands at the
// others is moved to 0.
func TestCertificateOfWeights(t *testing.T) {
	rng := rand.New(rand.NewPCG(7, 0))
	for _, k := range []kernel.Kernel{nil, kernel.RBF{Gamma: 1}} {
		c := cell{loss: cellLosses[0], bias: svmkit.FreeBias, kernel: k}
		p, mixed, rows := among(rng, c.problem(rng))
		beta, all := make([]float64, len(rows)), make([]float64, mixed.Data.Len())
		for k, i := range rows {
			beta[k] = p.Data.Y[k] * rng.Float64()
			all[i] = beta[k]
		}
		want, err := p.Certify(beta)
		if err != nil {
			t.Fatal(err)
		}
		const off = 7
		all[0] = off // of weight 0
		got, err := mixed.Certify(all)
		if err != nil {
			t.Fatal(err)
		}
		if got.Certificate != want.Certificate || got.Box != off || got.Beta[0] != 0 || got.Equality != want.Equality {
			t.Errorf("%T: %+v, want %+v and a move by %d", k, got, want, off)
		}
		if a, b := mixed.Model(got), p.Model(want); !slices.Equal(a.Coef, b.Coef) || a.Bias != b.Bias || a.Rows[0] != rows[b.Rows[0]] {
			t.Errorf("%T: the models differ: %+v, %+v", k, a, b)
		}
		if objective := objective(p, mixed.Model(got)); math.Abs(objective-want.Primal) > oracleTol*want.Primal {
			t.Errorf("%T: objective %g by its definition, %g by the certificate", k, objective, want.Primal)
		}
	}
}

// A fit goes on from a β for all rows, and Best tells one.
func TestStartWithWeights(t *testing.T) {
	rng := rand.New(rand.NewPCG(8, 0))
	_, mixed, _ := among(rng, cell{loss: cellLosses[0], kernel: kernel.RBF{Gamma: 1}}.problem(rng))
	var best *Proof
	r, err := Fit(t.Context(), mixed, SMO{}, &Settings{Tol: exactTol, Best: func(p *Proof) { best = p }})
	if err != nil || best == nil || !slices.Equal(best.Beta, r.Beta) {
		t.Fatalf("%v: best %+v, fit %+v", err, best, r)
	}
	again, err := Fit(t.Context(), mixed, SMO{}, &Settings{Tol: exactTol, Start: r.Beta})
	if err != nil || again.Updates != 0 || again.Status != svmkit.Optimal {
		t.Errorf("from the solution: %v, %+v", err, again)
	}
}

// The rows of a one-class problem count by their weights, too.
func TestOneClassWeights(t *testing.T) {
	rng := rand.New(rand.NewPCG(9, 0))
	for _, k := range []kernel.Kernel{nil, kernel.RBF{Gamma: 0.5}} {
		p, mixed, _ := among(rng, cell{loss: cellLosses[2], kernel: k}.problem(rng))
		var again []int
		for i, w := range p.Data.Weight {
			again = append(again, slices.Repeat([]int{i}, int(w))...)
		}
		repeated := p.Data.Subset(again)
		repeated.Weight = nil
		var fits [3]*Result
		for i, data := range []*svmkit.Dataset{p.Data, mixed.Data, repeated} {
			r, err := OneClass{Data: data, Kernel: k, Nu: 0.3}.Fit(t.Context(), &Settings{Tol: exactTol})
			if err != nil || r.Status != svmkit.Optimal {
				t.Fatalf("%T: %v, %+v", k, err, r)
			}
			fits[i] = r
		}
		if fits[0].Certificate != fits[1].Certificate || fits[0].Model.Bias != fits[1].Model.Bias {
			t.Errorf("%T: rows of weight 0 change bits: %+v, %+v", k, fits[0].Certificate, fits[1].Certificate)
		}
		if a, b := fits[0].Primal, fits[2].Primal; !(math.Abs(a-b) <= exactTol*max(1, math.Abs(b))) {
			t.Errorf("%T: objective %.12g with weights, %.12g with repeated rows", k, a, b)
		}
	}
	huge := &svmkit.Dataset{X: svmkit.DenseRows([]float64{1, 2}, 1), Weight: []float64{1.5e308, 1.5e308}, Dim: 1}
	var data *svmkit.DataError
	if _, err := (OneClass{Data: huge, Nu: 0.5}).Fit(t.Context(), nil); !errors.As(err, &data) || data.Row != 1 {
		t.Errorf("a sum of weights that overflows: %v", err)
	}
}

// Whoever follows Pegasos is told rows of the data.
func TestPegasosStepsWithWeights(t *testing.T) {
	data := &svmkit.Dataset{X: svmkit.DenseRows([]float64{5, 0, 9, 1}, 1), Y: []float64{1, -1, -1, 1}, Weight: []float64{0, 1, 0, 2}, Dim: 1}
	seen := map[int]bool{}
	s := &Pegasos{Each: func(step PegasosStep) {
		for _, row := range slices.Concat(step.Rows, step.Violated) {
			seen[row] = true
		}
	}}
	if _, err := Fit(t.Context(), &Problem{Data: data, Bias: svmkit.NoBias}, s, &Settings{MaxIterations: 5}); err != nil || !reflect.DeepEqual(seen, map[int]bool{1: true, 3: true}) {
		t.Errorf("%v: rows %v", err, seen)
	}
}

// Rows are named by their numbers in the data, not by those among the rows of a positive weight.
func TestErrorsOfWeightsNameRows(t *testing.T) {
	data := &svmkit.Dataset{X: svmkit.DenseRows([]float64{5, 0, 9, 1, 0.5}, 1), Y: []float64{1, -1, -1, -1, 1}, Weight: []float64{0, 1, 0, 2, 1}, Dim: 1}
	p := &Problem{Data: data, C: PerSum(math.Inf(1))}
	var hard *InseparableError
	if _, err := Fit(t.Context(), p, nil, nil); !errors.As(err, &hard) {
		t.Fatalf("%v, want an *InseparableError", err)
	}
	var rows []int
	for _, w := range hard.Proof.Common {
		rows = append(rows, w.Row)
	}
	slices.Sort(rows)
	if err := hard.Proof.Verify(data); err != nil || !slices.Equal(rows, []int{1, 3, 4}) {
		t.Errorf("rows %v, %v", rows, err)
	}
	data.Weight[4] = 0
	data.Y[3] = 1
	if r, err := Fit(t.Context(), p, nil, nil); err != nil || math.Abs(r.Weights[0]-2) > oracleTol {
		t.Errorf("separable but for rows of weight 0: %v, %+v", err, r)
	}
	nan := kernel.Func(func(x, z svmkit.Row) float64 {
		if x.Value[0] == 1 || z.Value[0] == 1 {
			return math.NaN()
		}
		return 1
	})
	q := &Problem{Data: data, Kernel: nan}
	for name, fail := range map[string]func() error{
		"Fit":     func() error { _, err := Fit(t.Context(), q, SMO{}, nil); return err },
		"Certify": func() error { _, err := q.Certify([]float64{0, -1, 0, 1, 0}); return err },
	} {
		var e *kernel.EvalError
		if err := fail(); !errors.As(err, &e) || e.I != 3 && e.J != 3 {
			t.Errorf("%s: %v, want row 3", name, err)
		}
	}
}
