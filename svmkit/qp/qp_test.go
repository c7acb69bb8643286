package qp_test

import (
	"errors"
	"fmt"
	"log"
	"math"
	"math/rand/v2"
	"testing"

	"github.com/svmkit/course/internal/leaktest"
	"github.com/svmkit/course/svmkit/qp"
	"gonum.org/v1/gonum/mat"
)

func TestMain(m *testing.M) { leaktest.Main(m) }

var inf = math.Inf(1)

// tolerance is relative to the numbers of the problem: the package promises 1e-9 and reaches
// far better on these.
const tolerance = 1e-10

// random returns a problem with n variables and a Q of the given rank. Kinds of bounds are
// mixed: none, one side, both, and l = u. A point drawn inside of them makes r feasible; if no
// bound is missing, the problem has a solution.
func random(rng *rand.Rand, n, rank int, bounded bool) *qp.Problem {
	f := mat.NewDense(n, rank, nil)
	for i := range n {
		for j := range rank {
			f.Set(i, j, rng.NormFloat64())
		}
	}
	p := &qp.Problem{Q: mat.NewSymDense(n, nil)}
	p.Q.SymOuterK(1, f)
	for range n {
		l, u := -rng.ExpFloat64(), rng.ExpFloat64()
		switch rng.IntN(6) {
		case 0:
			u = l
		case 1:
			if !bounded {
				l = -inf
			}
		case 2:
			if !bounded {
				l, u = -inf, inf
			}
		}
		a, x := rng.NormFloat64(), 0.0
		if l == u {
			x = l
		}
		if rng.IntN(4) == 0 {
			a = 0
		}
		p.P = append(p.P, rng.NormFloat64())
		p.A, p.Lower, p.Upper = append(p.A, a), append(p.Lower, l), append(p.Upper, u)
		p.R += a * x
	}
	if rng.IntN(3) == 0 {
		p.A = nil
	}
	return p
}

// checkKKT verifies a solution by the conditions of the package comment, without the
// package's own Residual.
func checkKKT(p *qp.Problem, s *qp.Solution) error {
	n := len(p.P)
	scale := 1.0
	for i := range n {
		scale = max(scale, math.Abs(s.X[i]), math.Abs(p.P[i]))
	}
	eps := tolerance * scale * scale
	sum := -p.R
	for i := range n {
		g := p.P[i]
		for j := range n {
			g += p.Q.At(i, j) * s.X[j]
		}
		if p.A != nil {
			g -= s.Y * p.A[i]
			sum += p.A[i] * s.X[i]
		}
		switch {
		case math.Abs(g-s.Lower[i]+s.Upper[i]) > eps:
			return fmt.Errorf("variable %d: gradient %g is not %g − %g", i, g, s.Lower[i], s.Upper[i])
		case s.X[i] < p.Lower[i] || s.X[i] > p.Upper[i]:
			return fmt.Errorf("variable %d: %g outside of [%g, %g]", i, s.X[i], p.Lower[i], p.Upper[i])
		case s.Lower[i] < 0 || s.Upper[i] < 0:
			return fmt.Errorf("variable %d: negative multiplier", i)
		case s.Lower[i] > eps && (s.X[i]-p.Lower[i])*s.Lower[i] > eps, s.Upper[i] > eps && (p.Upper[i]-s.X[i])*s.Upper[i] > eps:
			return fmt.Errorf("variable %d: slack and multiplier are both positive", i)
		}
	}
	if p.A != nil && math.Abs(sum) > eps {
		return fmt.Errorf("aᵀx − r = %g", sum)
	}
	return nil
}

func TestRandomProblemsSatisfyKKT(t *testing.T) {
	rng := rand.New(rand.NewPCG(1, 0))
	for k := range 300 {
		n := 1 + rng.IntN(25)
		rank, bounded := n, k%2 == 0
		if bounded {
			rank = 1 + rng.IntN(n) // singular: only bounds make a solution certain
		}
		p := random(rng, n, rank, bounded)
		s, err := qp.Solve(p)
		if err != nil {
			t.Fatalf("problem %d, n = %d, rank %d: %v", k, n, rank, err)
		}
		if err := checkKKT(p, s); err != nil {
			t.Errorf("problem %d, n = %d, rank %d, %d steps: %v", k, n, rank, s.Steps, err)
		}
		if s.Residual > tolerance*10 {
			t.Errorf("problem %d: residual %g", k, s.Residual)
		}
	}
}

// The dual of a linear SVM with many more rows than columns: a rank of 3 in 200.
func TestLargeSingular(t *testing.T) {
	rng := rand.New(rand.NewPCG(2, 0))
	p := random(rng, 200, 3, true)
	for i := range p.P {
		p.P[i], p.Lower[i], p.Upper[i] = -1, 0, 1
		p.A = append(p.A[:i], float64(1-2*(i%2)))
	}
	p.R = 0
	s, err := qp.Solve(p)
	if err != nil {
		t.Fatal(err)
	}
	if err := checkKKT(p, s); err != nil {
		t.Error(err)
	}
}

// enumerate tries every choice of "at l, at u, inside" and returns the best objective among
// the stationary points, for n ≤ 4: another way to the optimum that knows nothing of multipliers.
func enumerate(p *qp.Problem) float64 {
	n := len(p.P)
	best := inf
	for code := range int(math.Pow(3, float64(n))) {
		x, inside := make([]float64, n), []int{}
		for i, c := 0, code; i < n; i, c = i+1, c/3 {
			switch c % 3 {
			case 0:
				x[i] = p.Lower[i]
			case 1:
				x[i] = p.Upper[i]
			default:
				inside = append(inside, i)
			}
		}
		if v, ok := stationary(p, x, inside); ok {
			best = min(best, v)
		}
	}
	return best
}

func stationary(p *qp.Problem, x []float64, inside []int) (value float64, ok bool) {
	m := len(inside)
	k, rhs := mat.NewDense(m+1, m+1, nil), mat.NewVecDense(m+1, nil)
	k.Set(m, m, 1)
	if p.A != nil {
		rhs.SetVec(m, p.R)
	}
	for i := range x {
		if math.IsInf(x[i], 0) {
			return 0, false
		}
		if p.A != nil {
			rhs.SetVec(m, rhs.AtVec(m)-p.A[i]*x[i])
		}
	}
	for g, i := range inside {
		rhs.SetVec(g, -p.P[i])
		for j := range x {
			rhs.SetVec(g, rhs.AtVec(g)-p.Q.At(i, j)*x[j])
		}
		for h, j := range inside {
			k.Set(g, h, p.Q.At(i, j))
		}
		if p.A != nil && p.A[i] != 0 { // else the equality is up to the bounds
			k.Set(m, m, 0)
			k.Set(g, m, p.A[i])
			k.Set(m, g, p.A[i])
		}
	}
	var d mat.VecDense
	if m > 0 && d.SolveVec(k, rhs) != nil {
		return 0, false
	}
	sum := -p.R
	for g, i := range inside {
		x[i] = d.AtVec(g)
	}
	for i, v := range x {
		if v < p.Lower[i]-1e-12 || v > p.Upper[i]+1e-12 {
			return 0, false
		}
		if p.A != nil {
			sum += p.A[i] * v
		}
		value += p.P[i] * v
		for j := range x {
			value += v * p.Q.At(i, j) * x[j] / 2
		}
	}
	return value, p.A == nil || math.Abs(sum) < 1e-9
}

func TestAgreesWithEnumeration(t *testing.T) {
	rng := rand.New(rand.NewPCG(3, 0))
	for k := range 200 {
		n := 1 + rng.IntN(4)
		p := random(rng, n, n, k%2 == 0)
		s, err := qp.Solve(p)
		if err != nil {
			t.Fatalf("problem %d: %v", k, err)
		}
		if want := enumerate(p); math.Abs(s.Objective-want) > 1e-8*max(1, math.Abs(want)) {
			t.Errorf("problem %d: objective %g, enumeration finds %g", k, s.Objective, want)
		}
	}
}

func sym(v ...float64) *mat.SymDense { return mat.NewSymDense(int(math.Sqrt(float64(len(v)))), v) }

// Two variables at most, solved by hand.
func TestKnown(t *testing.T) {
	for _, c := range []struct {
		name string
		p    qp.Problem
		x    []float64
		y    float64
	}{
		{"no constraint: x = −Q⁻¹p", qp.Problem{Q: sym(2, 0, 0, 4), P: []float64{-2, 4}}, []float64{1, -1}, 0},
		{"equality: nearest point of x₁+x₂ = 1 to 0", qp.Problem{Q: sym(1, 0, 0, 1), P: []float64{0, 0}, A: []float64{1, 1}, R: 1}, []float64{.5, .5}, .5},
		{"upper bound", qp.Problem{Q: sym(1), P: []float64{-5}, Lower: []float64{0}, Upper: []float64{2}}, []float64{2}, 0},
		{"only a corner is feasible", qp.Problem{Q: sym(1, 0, 0, 1), P: []float64{3, -1}, A: []float64{1, 1}, R: 4,
			Lower: []float64{0, 0}, Upper: []float64{2, 2}}, []float64{2, 2}, 5},
		{"only the lower corner is feasible", qp.Problem{Q: sym(1, 0, 0, 1), P: []float64{3, -1}, A: []float64{1, 1}, R: 0,
			Lower: []float64{0, 0}, Upper: []float64{2, 2}}, []float64{0, 0}, -1},
		{"all fixed", qp.Problem{Q: sym(1), P: []float64{1}, Lower: []float64{3}, Upper: []float64{3}}, []float64{3}, 0},
		{"linear program", qp.Problem{Q: sym(0, 0, 0, 0), P: []float64{1, 2}, A: []float64{1, 1}, R: 1,
			Lower: []float64{0, 0}, Upper: []float64{inf, inf}}, []float64{1, 0}, 1},
		// Hard margin of the points ±1 on a line: D(α) = 2α − ½(2α)², α = ½, and y = −b = 0.
		{"two points on a line", qp.Problem{Q: sym(1, 1, 1, 1), P: []float64{-1, -1}, A: []float64{1, -1},
			Lower: []float64{0, 0}, Upper: []float64{inf, inf}}, []float64{.5, .5}, 0},
	} {
		s, err := qp.Solve(&c.p)
		if err != nil {
			t.Errorf("%s: %v", c.name, err)
			continue
		}
		for i, want := range c.x {
			if math.Abs(s.X[i]-want) > tolerance {
				t.Errorf("%s: x = %v, want %v", c.name, s.X, c.x)
				break
			}
		}
		if math.Abs(s.Y-c.y) > tolerance {
			t.Errorf("%s: y = %v, want %v", c.name, s.Y, c.y)
		}
		if s.Residual > tolerance {
			t.Errorf("%s: residual %g", c.name, s.Residual)
		}
	}
}

// A solution on a bound with multiplier zero, and bounds that are never active: what makes
// active-set methods cycle.
func TestDegenerate(t *testing.T) {
	n := 40
	p := &qp.Problem{Q: mat.NewSymDense(n, nil), P: make([]float64, n), A: make([]float64, n),
		Lower: make([]float64, n), Upper: make([]float64, n)}
	for i := range n {
		p.A[i], p.Upper[i] = float64(1-2*(i%2)), 1
		for j := range n {
			p.Q.SetSym(i, j, 1) // all rows the same: the solutions are a polytope
		}
	}
	s, err := qp.Solve(p) // x = 0 is a solution, with every multiplier 0
	if err != nil {
		t.Fatal(err)
	}
	if s.Objective > tolerance || s.Residual > tolerance*10 {
		t.Errorf("objective %g, residual %g, want 0", s.Objective, s.Residual)
	}
}

func TestErrors(t *testing.T) {
	one := []float64{1, 1}
	nan := math.NaN()
	for _, c := range []struct {
		name string
		p    qp.Problem
		want error
	}{
		{"no Q", qp.Problem{}, qp.ErrShape},
		{"short P", qp.Problem{Q: sym(1, 0, 0, 1), P: []float64{1}}, qp.ErrShape},
		{"long A", qp.Problem{Q: sym(1), P: []float64{1}, A: one}, qp.ErrShape},
		{"NaN in Q", qp.Problem{Q: sym(nan), P: []float64{1}}, qp.ErrNotFinite},
		{"infinite P", qp.Problem{Q: sym(1), P: []float64{inf}}, qp.ErrNotFinite},
		{"NaN in A", qp.Problem{Q: sym(1), P: []float64{1}, A: []float64{nan}}, qp.ErrNotFinite},
		{"infinite R", qp.Problem{Q: sym(1), P: []float64{1}, A: []float64{1}, R: inf}, qp.ErrNotFinite},
		{"lower bound +Inf", qp.Problem{Q: sym(1), P: []float64{1}, Lower: []float64{inf}}, qp.ErrNotFinite},
		{"upper bound −Inf", qp.Problem{Q: sym(1), P: []float64{1}, Upper: []float64{-inf}}, qp.ErrNotFinite},
		{"saddle", qp.Problem{Q: sym(1, 2, 2, 1), P: one}, qp.ErrNotConvex},
		{"l > u", qp.Problem{Q: sym(1), P: []float64{1}, Lower: []float64{1}, Upper: []float64{0}}, qp.ErrInfeasible},
		{"aᵀx too large", qp.Problem{Q: sym(1, 0, 0, 1), P: one, A: one, R: 3, Lower: []float64{0, 0}, Upper: one}, qp.ErrInfeasible},
		{"aᵀx too small", qp.Problem{Q: sym(1, 0, 0, 1), P: one, A: []float64{1, -1}, R: -1.5, Lower: []float64{0, 0}, Upper: one}, qp.ErrInfeasible},
		{"0 = 1", qp.Problem{Q: sym(1), P: []float64{1}, A: []float64{0}, R: 1}, qp.ErrInfeasible},
		{"a line downhill", qp.Problem{Q: sym(0), P: []float64{1}}, qp.ErrUnbounded},
		{"a valley downhill", qp.Problem{Q: sym(1, 1, 1, 1), P: []float64{1, -1}}, qp.ErrUnbounded},
		// Hard margin of two equal points with different labels: α grows without end.
		{"not separable", qp.Problem{Q: sym(1, -1, -1, 1), P: []float64{-1, -1}, A: []float64{1, -1},
			Lower: []float64{0, 0}}, qp.ErrUnbounded},
	} {
		if s, err := qp.Solve(&c.p); !errors.Is(err, c.want) {
			t.Errorf("%s: %v (%+v), want %v", c.name, err, s, c.want)
		}
	}
}

// A valley that the bounds or the equality close is no ray.
func TestClosedValleys(t *testing.T) {
	for _, p := range []qp.Problem{
		{Q: sym(1, 1, 1, 1), P: []float64{1, -1}, Lower: []float64{0, -inf}, Upper: []float64{inf, 7}},
		{Q: sym(0, 0, 0, 0), P: []float64{1, 1}, A: []float64{1, 1}, R: 3},
	} {
		s, err := qp.Solve(&p)
		if err != nil || s.Residual > tolerance*10 {
			t.Errorf("%v, %+v", err, s)
		}
	}
}

func Example() {
	// The nearest point of the triangle x₁+x₂+x₃ = 1, x ≥ 0 to (1, 1, −3).
	q := mat.NewSymDense(3, []float64{1, 0, 0, 0, 1, 0, 0, 0, 1})
	p, a, zeros := []float64{-1, -1, 3}, []float64{1, 1, 1}, []float64{0, 0, 0}
	s, err := qp.Solve(&qp.Problem{Q: q, P: p, A: a, R: 1, Lower: zeros})
	if err != nil {
		log.Fatal(err)
	}
	fmt.Printf("%.4f %.4f\n", s.X, s.Y)
	// Output: [0.5000 0.5000 0.0000] -0.5000
}

func ExampleSolve() {
	// The nearest point of the triangle x₁+x₂+x₃ = 1, x ≥ 0 to (1, 1, −3): ½‖x‖² − ⟨c,x⟩.
	s, err := qp.Solve(&qp.Problem{
		Q:     mat.NewSymDense(3, []float64{1, 0, 0, 0, 1, 0, 0, 0, 1}),
		P:     []float64{-1, -1, 3},
		A:     []float64{1, 1, 1},
		R:     1,
		Lower: []float64{0, 0, 0},
	})
	if err != nil {
		fmt.Println(err)
		return
	}
	fmt.Printf("x = %.4f, y = %.4f, bound's multipliers %.4f\n", s.X, s.Y, s.Lower)
	// Output: x = [0.5000 0.5000 0.0000], y = -0.5000, bound's multipliers [0.0000 0.0000 3.5000]
}
