package qp_test

import (
	"context"
	"errors"
	"fmt"
	"math"
	"math/big"
	"math/rand/v2"
	"strings"
	"testing"

	"gonum.org/v1/gonum/mat"

	"github.com/svmkit/course/svmkit/qp"
)

func exactly(t *testing.T, p *qp.General) *qp.ExactSolution {
	t.Helper()
	s, err := qp.Exact(context.Background(), p)
	if err != nil {
		t.Fatal(err)
	}
	if err := s.Verify(p); err != nil {
		t.Fatal(err)
	}
	return s
}

func rationals(v []*big.Rat) (words []string) {
	for _, r := range v {
		words = append(words, r.RatString())
	}
	return words
}

// street is the primal problem of the widest street with x = (w, b).
func street(x [][]float64, y []float64) *qp.General {
	d := len(x[0])
	p := &qp.General{Q: mat.NewSymDense(d+1, nil), G: mat.NewDense(len(x), d+1, nil)}
	for j := range d {
		p.Q.SetSym(j, j, 1)
	}
	for i := range x {
		for j, v := range x[i] {
			p.G.Set(i, j, y[i]*v)
		}
		p.G.Set(i, d, y[i])
		p.H = append(p.H, 1)
	}
	return p
}

func TestExactOnPaper(t *testing.T) {
	third := qp.General{Q: sym(3), P: []float64{-1}}
	for _, c := range []struct {
		name string
		p    *qp.General
		x, z string
	}{
		{"x = 1/3, which float64 does not hold", &third, "[1/3]", "[]"},
		{"three points", street([][]float64{{1, 2}, {3, 0}, {5, 6}}, []float64{-1, 1, 1}), "[3/4 -1/4 -5/4]", "[5/16 1/4 1/16]"},
		{"two points on a line", street([][]float64{{-1}, {1}}, []float64{-1, 1}), "[1 0]", "[1/2 1/2]"},
		{"a program without curvature", &qp.General{Q: sym(0, 0, 0, 0), P: []float64{1, 2},
			G: mat.NewDense(3, 2, []float64{1, 1, 1, 0, 0, 1}), H: []float64{1, 0, 0}}, "[1 0]", "[1 0 1]"},
		{"an equality, as two inequalities", &qp.General{Q: sym(1, 0, 0, 1),
			G: mat.NewDense(2, 2, []float64{1, 2, -1, -2}), H: []float64{5, -5}}, "[1 2]", "[1 0]"},
	} {
		s := exactly(t, c.p)
		if got := fmt.Sprint(rationals(s.X)); got != c.x {
			t.Errorf("%s: x = %s, want %s", c.name, got, c.x)
		}
		if got := fmt.Sprint(rationals(s.Z)); got != c.z {
			t.Errorf("%s: z = %s, want %s", c.name, got, c.z)
		}
	}
	if s := exactly(t, street([][]float64{{1, 2}, {3, 0}, {5, 6}}, []float64{-1, 1, 1})); s.Objective.RatString() != "5/16" {
		t.Errorf("objective %s, want 5/16", s.Objective.RatString())
	}
}

// Random programs of small whole numbers, many with ties, a singular Q or equal rows: each answer
// has its proof.
func TestExactOnRandomPrograms(t *testing.T) {
	rng := rand.New(rand.NewPCG(3, 0))
	count := map[error]int{}
	for range 1000 {
		n, m := 1+rng.IntN(4), rng.IntN(8)
		f := mat.NewDense(n, 1+rng.IntN(n), nil)
		f.Apply(func(_, _ int, _ float64) float64 { return float64(rng.IntN(5) - 2) }, f)
		p := &qp.General{Q: mat.NewSymDense(n, nil)}
		p.Q.SymOuterK(1, f)
		for range n {
			p.P = append(p.P, float64(rng.IntN(5)-2))
		}
		if m > 0 {
			p.G = mat.NewDense(m, n, nil)
			p.G.Apply(func(_, _ int, _ float64) float64 { return float64(rng.IntN(5) - 2) }, p.G)
		}
		for range m {
			p.H = append(p.H, float64(rng.IntN(5)-2))
		}
		count[check(t, p)]++
	}
	for _, err := range []error{nil, qp.ErrInfeasible, qp.ErrUnbounded} {
		if count[err] < 50 {
			t.Errorf("only %d of 1000 programs end with %v", count[err], err)
		}
	}
}

func TestExactRefuses(t *testing.T) {
	nan := math.NaN()
	row := mat.NewDense(1, 1, []float64{1})
	for _, c := range []struct {
		name string
		p    *qp.General
		want error
	}{
		{"nil", nil, qp.ErrShape},
		{"no Q", &qp.General{}, qp.ErrShape},
		{"long P", &qp.General{Q: sym(1), P: []float64{1, 2}}, qp.ErrShape},
		{"G of two columns", &qp.General{Q: sym(1), G: mat.NewDense(1, 2, nil), H: []float64{1}}, qp.ErrShape},
		{"no H", &qp.General{Q: sym(1), G: row}, qp.ErrShape},
		{"H without G", &qp.General{Q: sym(1), H: []float64{1}}, qp.ErrShape},
		{"NaN in Q", &qp.General{Q: sym(nan)}, qp.ErrNotFinite},
		{"infinite P", &qp.General{Q: sym(1), P: []float64{inf}}, qp.ErrNotFinite},
		{"NaN in G", &qp.General{Q: sym(1), G: mat.NewDense(1, 1, []float64{nan}), H: []float64{1}}, qp.ErrNotFinite},
		{"infinite H", &qp.General{Q: sym(1), G: row, H: []float64{-inf}}, qp.ErrNotFinite},
		{"saddle", &qp.General{Q: sym(1, 2, 2, 1)}, qp.ErrNotConvex},
		{"zero on the diagonal, not beside it", &qp.General{Q: sym(0, 1, 1, 5)}, qp.ErrNotConvex},
		{"an eigenvalue of −1e-300", &qp.General{Q: sym(1, 0, 0, -1e-300)}, qp.ErrNotConvex},
		{"a line downhill", &qp.General{Q: sym(0), P: []float64{1}}, qp.ErrUnbounded},
		{"x ≥ 1 and x ≤ 0", &qp.General{Q: sym(1), G: mat.NewDense(2, 1, []float64{1, -1}), H: []float64{1, 0}}, qp.ErrInfeasible},
		{"0·x ≥ 1", &qp.General{Q: sym(1), G: mat.NewDense(1, 1, nil), H: []float64{1}}, qp.ErrInfeasible},
		{"a point with both labels", street([][]float64{{2, 3}, {2, 3}}, []float64{1, -1}), qp.ErrInfeasible},
	} {
		if s, err := qp.Exact(context.Background(), c.p); !errors.Is(err, c.want) || s != nil {
			t.Errorf("%s: %v (%+v), want %v", c.name, err, s, c.want)
		}
	}
	p := street([][]float64{{-1}, {1}}, []float64{-1, 1})
	var none context.Context
	if _, err := qp.Exact(none, p); err == nil {
		t.Error("a nil context is accepted")
	}
	ctx, cancel := context.WithCancel(context.Background())
	cancel()
	if s, err := qp.Exact(ctx, p); !errors.Is(err, context.Canceled) || s != nil {
		t.Errorf("cancelled: %v, %v", s, err)
	}
}

// Each line of the optimality conditions can fail.
func TestVerifyRefuses(t *testing.T) {
	p := street([][]float64{{1, 2}, {3, 0}, {5, 6}, {9, 0}}, []float64{-1, 1, 1, 1})
	rat := func(numerator int64) *big.Rat { return big.NewRat(numerator, 16) }
	for _, c := range []struct {
		x, z []*big.Rat
		says string
	}{
		{[]*big.Rat{rat(12), rat(-4), rat(-20)}, []*big.Rat{rat(5), rat(4), rat(1), rat(0)}, "<nil>"},
		{[]*big.Rat{rat(12), rat(-4)}, []*big.Rat{rat(5), rat(4), rat(1), rat(0)}, "X has 2 numbers"},
		{[]*big.Rat{rat(12), rat(-4), rat(-19)}, []*big.Rat{rat(5), rat(4), rat(1), rat(0)}, "constraint 0 is violated by 1/16"},
		{[]*big.Rat{rat(12), rat(-4), rat(-20)}, []*big.Rat{rat(5), rat(4), rat(1), rat(-1)}, "multiplier 3 is negative"},
		{[]*big.Rat{rat(12), rat(-4), rat(-20)}, []*big.Rat{rat(5), rat(4), rat(1), rat(1)}, "constraint 3 has the slack"},
		{[]*big.Rat{rat(12), rat(-4), rat(-20)}, []*big.Rat{rat(5), rat(3), rat(2), rat(0)}, "at variable 0"},
	} {
		if err := (&qp.ExactSolution{X: c.x, Z: c.z}).Verify(p); !strings.Contains(fmt.Sprint(err), c.says) {
			t.Errorf("%v, want %s", err, c.says)
		}
	}
}

// linear is the program of finding an x with all rows·x ≥ h. Its rows are copied.
func linear(n int, rows [][]float64, h []float64) *qp.General {
	p := &qp.General{Q: mat.NewSymDense(n, nil), H: h}
	if len(rows) > 0 {
		p.G = mat.NewDense(len(rows), n, nil)
	}
	for i, row := range rows {
		p.G.SetRow(i, row)
	}
	return p
}

func negated(v []float64) []float64 {
	minus := make([]float64, len(v))
	for j := range v {
		minus[j] = -v[j]
	}
	return minus
}

// noPoint looks for the proof that no x has Gx ≥ h (Farkas): a z ≥ 0 with Gᵀz = 0 and hᵀz ≥ 1.
func noPoint(p *qp.General) *qp.General {
	n, m := p.Q.SymmetricDim(), len(p.H)
	var rows [][]float64
	h := make([]float64, 2*n+m, 2*n+m+1)
	for j := range n {
		column := mat.Col(nil, j, p.G)
		rows = append(rows, column, negated(column))
	}
	for i := range m {
		unit := make([]float64, m)
		unit[i] = 1
		rows = append(rows, unit)
	}
	return linear(m, append(rows, p.H), append(h, 1))
}

// ray looks for the proof that the objective falls without end from any feasible point: a d with Qd
// = 0, Gd ≥ 0 and pᵀd ≤ −1.
func ray(p *qp.General) *qp.General {
	n := p.Q.SymmetricDim()
	var rows [][]float64
	for i := range p.H {
		rows = append(rows, mat.Row(nil, i, p.G))
	}
	for j := range n {
		row := mat.Row(nil, j, p.Q)
		rows = append(rows, row, negated(row))
	}
	return linear(n, append(rows, negated(p.P)), append(make([]float64, len(rows)), 1))
}

// check holds each of the three answers to a proof of its own, which Verify checks.
func check(t *testing.T, p *qp.General) error {
	s, err := qp.Exact(context.Background(), p)
	switch {
	case err == nil:
		if err := s.Verify(p); err != nil {
			t.Errorf("%+v: %v", p, err)
		}
	case errors.Is(err, qp.ErrInfeasible):
		exactly(t, noPoint(p))
	case errors.Is(err, qp.ErrUnbounded):
		exactly(t, ray(p))
		feasible := *p
		feasible.Q, feasible.P = mat.NewSymDense(p.Q.SymmetricDim(), nil), nil
		exactly(t, &feasible)
	default:
		t.Errorf("%+v: %v", p, err)
	}
	return err
}

// Sets of two classes with many points on the margin: the ties that make pivoting cycle.
func TestExactWithTies(t *testing.T) {
	var x [][]float64
	var y []float64
	for i := range 12 {
		for _, side := range []float64{-1, 1} {
			x, y = append(x, []float64{side, float64(i - 6)}), append(y, side)
		}
	}
	s := exactly(t, street(x, y))
	if got := fmt.Sprint(rationals(s.X)); got != "[1 0 0]" {
		t.Errorf("(w, b) = %s, want [1 0 0]", got)
	}
}

func ExampleExact() {
	// The widest street between the points −1 and 2 of a line: ½w² such that −(−w + b) ≥ 1 and 2w +
	// b ≥ 1.
	p := &qp.General{
		Q: mat.NewSymDense(2, []float64{1, 0, 0, 0}), // b has no cost
		G: mat.NewDense(2, 2, []float64{1, -1, 2, 1}),
		H: []float64{1, 1},
	}
	s, err := qp.Exact(context.Background(), p)
	if err != nil {
		fmt.Println(err)
		return
	}
	fmt.Println("w, b =", s.X[0].RatString(), s.X[1].RatString(), "and ½w² =", s.Objective.RatString())
	fmt.Println("checked:", s.Verify(p) == nil)
	// Output:
	// w, b = 2/3 -1/3 and ½w² = 2/9
	// checked: true
}
