package qp

import (
	"context"
	"errors"
	"fmt"
	"math/big"

	"gonum.org/v1/gonum/mat"
)

// General is a convex quadratic program with linear inequalities:
//
//	minimise    ½ xᵀQx + pᵀx       Q  n×n, symmetric, positive semidefinite
//	subject to  Gx ≥ h             G  m×n
//
// An equality is two inequalities, and a bound is a row of G. The primal problem of a hard margin
// has this form with x = (w, b), Q = diag(1, …, 1, 0), p = 0, the rows yᵢ(xᵢ, 1) of G, and h = 1.
type General struct {
	Q *mat.SymDense // n×n
	P []float64     // n; nil for 0
	G *mat.Dense    // m×n; nil for no constraints
	H []float64     // m
}

// ExactSolution is a solution of a [General] program without rounding.
type ExactSolution struct {
	X         []*big.Rat // n
	Z         []*big.Rat // m multipliers ≥ 0 of the rows of G
	Objective *big.Rat   // ½ xᵀQx + pᵀx
	Pivots    int
}

// Float64 returns X and Z rounded to the nearest float64.
func (s *ExactSolution) Float64() (x, z []float64) { return floats(s.X), floats(s.Z) }

// Exact solves a small program in fractions, without rounding. It takes the numbers of p as exact.
//
// x is a solution if and only if multipliers z exist with
//
//	Qx + p = Gᵀz,    Gx ≥ h,    z ≥ 0,    zᵢ(Gx − h)ᵢ = 0 for all i,
//
// and Exact returns both; [ExactSolution.Verify] checks them. If there are several solutions, it
// returns one of them.
//
// The method is the complementary pivoting of C. E. Lemke (1965). R. W. Cottle and G. B. Dantzig
// (1968) prove that it ends at a solution if there is one. Ties are broken lexicographically, so it
// cannot cycle. It shares no method with [Solve]. A pivot costs O((n+m)²) products of integers,
// whose length grows with n and with the digits of the data. The number of pivots is usually a few
// times n+m and exponential in the worst case, so ctx can end the search. The method suits about
// ten variables and a few hundred constraints.
//
// Errors are [ErrShape], [ErrNotFinite] and [ErrNotConvex] if p is not a convex program;
// [ErrInfeasible] if no x has Gx ≥ h; [ErrUnbounded] if the objective is unbounded below; ctx.Err()
// if ctx ends; and an error if ctx is nil.
func Exact(ctx context.Context, p *General) (*ExactSolution, error) {
	if ctx == nil {
		return nil, errNilContext
	}
	e, err := p.fractions()
	if err != nil {
		return nil, err
	}
	x, z, pivots, err := e.lemke(ctx)
	if err != nil {
		return nil, err
	}
	// There is no solution. Without objective and costs, lemke tells whether there is a feasible
	// point.
	if x == nil {
		feasible := &exact{n: e.n, q: zeros(e.n, e.n), p: zeros(1, e.n)[0], g: e.g, h: e.h}
		if x, _, _, err = feasible.lemke(ctx); err != nil {
			return nil, err
		}
		if x == nil {
			return nil, ErrInfeasible
		}
		return nil, ErrUnbounded
	}
	s := &ExactSolution{X: x, Z: z, Objective: new(big.Rat), Pivots: pivots}
	for i, g := range e.gradient(x) { // xᵀ(Qx + 2p)/2
		s.Objective.Add(s.Objective, mul(x[i], g.Add(g, e.p[i])))
	}
	s.Objective.Mul(s.Objective, big.NewRat(1, 2))
	return s, nil
}

var errNilContext = errors.New("qp: ctx is nil; use context.Background()")

// Verify checks, without rounding, that X is feasible and that X and Z meet the optimality
// conditions of [Exact]. It does not check Objective. It returns nil, or an error that names the
// first condition that fails.
func (s *ExactSolution) Verify(p *General) error {
	e, err := p.fractions()
	if err != nil {
		return err
	}
	if len(s.X) != e.n || len(s.Z) != len(e.h) {
		return fmt.Errorf("%w: X has %d numbers and Z %d, for %d variables and %d constraints",
			ErrShape, len(s.X), len(s.Z), e.n, len(e.h))
	}
	rest := e.gradient(s.X) // Qx + p − Gᵀz
	for i, row := range e.g {
		slack := new(big.Rat).Sub(dot(row, s.X), e.h[i])
		switch {
		case slack.Sign() < 0:
			return fmt.Errorf("qp: constraint %d is violated by %s", i,
				slack.Neg(slack).RatString())
		case s.Z[i].Sign() < 0:
			return fmt.Errorf("qp: multiplier %d is negative: %s", i, s.Z[i].RatString())
		case slack.Sign() > 0 && s.Z[i].Sign() > 0:
			return fmt.Errorf("qp: constraint %d has the slack %s and the multiplier %s", i,
				slack.RatString(), s.Z[i].RatString())
		}
		for j := range rest {
			rest[j].Sub(rest[j], mul(row[j], s.Z[i]))
		}
	}
	for j, r := range rest {
		if r.Sign() != 0 {
			return fmt.Errorf("qp: Qx + p − Gᵀz has %s at variable %d", r.RatString(), j)
		}
	}
	return nil
}

// exact is a General program in fractions.
type exact struct {
	n    int
	q, g [][]*big.Rat
	p, h []*big.Rat
}

// fractions validates p and converts it.
func (p *General) fractions() (*exact, error) {
	if p == nil || p.Q == nil || p.Q.IsEmpty() {
		return nil, fmt.Errorf("%w: Q is empty", ErrShape)
	}
	n, m, columns := p.Q.SymmetricDim(), 0, 0
	if p.G != nil {
		m, columns = p.G.Dims()
	}
	switch {
	case p.P != nil && len(p.P) != n:
		return nil, fmt.Errorf("%w: P has %d numbers, Q is %d×%d", ErrShape, len(p.P), n, n)
	case m > 0 && columns != n:
		return nil, fmt.Errorf("%w: G has %d columns, Q is %d×%d", ErrShape, columns, n, n)
	case len(p.H) != m:
		return nil, fmt.Errorf("%w: H has %d numbers, G has %d rows", ErrShape, len(p.H), m)
	}
	var wrong error
	fraction := func(name string, i, j int, v float64) *big.Rat {
		r := new(big.Rat).SetFloat64(v)
		if r == nil {
			if j >= 0 {
				name += fmt.Sprintf("(%d,%d)", i, j)
			} else {
				name += fmt.Sprintf("[%d]", i)
			}
			wrong, r = fmt.Errorf("%w: %s = %v", ErrNotFinite, name, v), new(big.Rat)
		}
		return r
	}
	e := &exact{n: n, q: zeros(n, n), g: zeros(m, n), p: zeros(1, n)[0], h: zeros(1, m)[0]}
	for i := range n {
		for j := range n {
			e.q[i][j] = fraction("Q", i, j, p.Q.At(i, j))
		}
		if p.P != nil {
			e.p[i] = fraction("P", i, -1, p.P[i])
		}
	}
	for i := range m {
		for j := range n {
			e.g[i][j] = fraction("G", i, j, p.G.At(i, j))
		}
		e.h[i] = fraction("H", i, -1, p.H[i])
	}
	if wrong != nil {
		return nil, wrong
	}
	return e, e.convex()
}

// convex returns nil if Q is positive semidefinite. It uses Gaussian elimination on the diagonal,
// in fractions. A negative diagonal entry is a direction of negative curvature, and so is a zero
// with another entry in its row.
func (e *exact) convex() error {
	q := zeros(e.n, e.n)
	for i := range q {
		for j := range q {
			q[i][j].Set(e.q[i][j])
		}
	}
	for k := range q {
		if q[k][k].Sign() < 0 {
			return fmt.Errorf("%w: xᵀQx < 0 for an x that ends at variable %d", ErrNotConvex, k)
		}
		for i := k + 1; i < e.n; i++ {
			if q[k][k].Sign() == 0 {
				if q[k][i].Sign() != 0 {
					return fmt.Errorf("%w: xᵀQx < 0 for an x that ends at variable %d",
						ErrNotConvex, i)
				}
				continue
			}
			factor := new(big.Rat).Quo(q[i][k], q[k][k])
			for j := k; j < e.n; j++ {
				q[i][j].Sub(q[i][j], mul(factor, q[k][j]))
			}
		}
	}
	return nil
}

// gradient returns Qx + p.
func (e *exact) gradient(x []*big.Rat) []*big.Rat {
	g := make([]*big.Rat, e.n)
	for i := range g {
		g[i] = dot(e.q[i], x)
		g[i].Add(g[i], e.p[i])
	}
	return g
}

// lemke returns x and the multipliers z, or nil if there is no solution.
//
// A free x is u − τ·1 with u ≥ 0 and a number τ ≥ 0, x = Tv with v = (u, τ) ≥ 0. The optimality
// conditions of v ≥ 0 are a linear complementarity problem in y = (v, z),
//
//	s = My + q,  s ≥ 0,  y ≥ 0,  sᵢyᵢ = 0,    M = (TᵀQT  −TᵀGᵀ; GT  0),  q = (Tᵀp, −h).
//
// An artificial variable is added to every row of s and enters first. After that the complement of
// the variable that has left enters, until the artificial variable leaves.
func (e *exact) lemke(ctx context.Context) (x, z []*big.Rat, pivots int, err error) {
	t := e.tableau()
	row := t.lowest()
	if t.rows[row][t.rhs()].Sign() < 0 {
		enter := t.artificial()
		for {
			if err := ctx.Err(); err != nil {
				return nil, nil, pivots, err
			}
			leave := t.basis[row]
			t.pivot(row, enter)
			pivots++
			if leave == t.artificial() {
				break
			}
			enter = (leave + t.n) % (2 * t.n)
			if row = t.leaving(enter); row < 0 {
				return nil, nil, pivots, nil // a ray: the problem has no solution
			}
		}
	}
	y := zeros(1, t.n)[0]
	for i, v := range t.basis {
		if v >= t.n {
			y[v-t.n].SetFrac(t.rows[i][t.rhs()], t.scale)
		}
	}
	x = y[:e.n:e.n]
	for _, v := range x {
		v.Sub(v, y[e.n])
	}
	return x, y[e.n+1:], pivots, nil
}

// tableau holds the system s − My − 1·artificial = q for the current basis as rows/scale, where
// scale is the determinant of the basis, so that all entries are integers (J. Edmonds, 1967). Its
// columns are n of s, n of y, the artificial variable, and the right-hand side.
type tableau struct {
	n     int
	rows  [][]*big.Int
	scale *big.Int // > 0
	basis []int    // the variable of each row
}

func (t *tableau) artificial() int { return 2 * t.n }
func (t *tableau) rhs() int        { return 2*t.n + 1 }

// tableau returns the first tableau, in which s is basic. Each row is multiplied by a number that
// makes it integers, and its s is in this unit.
func (e *exact) tableau() *tableau {
	d, m := e.n, len(e.h)
	n := d + 1 + m
	system := zeros(n, n+1) // (M q), at first without T; number d is τ
	for i := range d {
		for j, v := range e.q[i] {
			system[i][j].Set(v)
		}
		system[i][n].Set(e.p[i])
	}
	for k, row := range e.g {
		for j, v := range row {
			system[d+1+k][j].Set(v)
			system[j][d+1+k].Neg(v)
		}
		system[d+1+k][n].Neg(e.h[k])
	}
	for _, row := range system { // times T
		for _, v := range row[:d] {
			row[d].Sub(row[d], v)
		}
	}
	for _, row := range system[:d] { // Tᵀ times
		for j, v := range row {
			system[d][j].Sub(system[d][j], v)
		}
	}
	t := &tableau{n: n, scale: big.NewInt(1), rows: make([][]*big.Int, n), basis: make([]int, n)}
	for i, values := range system {
		t.basis[i] = i
		// unit is a common denominator; the denominators of float64 are powers of two.
		unit := big.NewInt(1)
		for _, v := range values {
			if v.Denom().Cmp(unit) > 0 {
				unit = v.Denom()
			}
		}
		row := make([]*big.Int, 2*n+2)
		integer := func(v *big.Rat) *big.Int { return mul(v, new(big.Rat).SetInt(unit)).Num() }
		for j, v := range values[:n] {
			row[j], row[n+j] = new(big.Int), integer(v)
			row[n+j].Neg(row[n+j])
		}
		row[i].SetInt64(1)
		row[t.artificial()], row[t.rhs()] = big.NewInt(-1), integer(values[n])
		t.rows[i] = row
	}
	return t
}

// lowest returns the row with the least right-hand side, and the last one of equal rows.
func (t *tableau) lowest() int {
	row := 0
	for i := range t.rows {
		if t.rows[i][t.rhs()].Cmp(t.rows[row][t.rhs()]) <= 0 {
			row = i
		}
	}
	return row
}

// leaving returns the row that limits the growth of the variable of the column, or −1 if none does.
// Among several rows it returns the row of the artificial variable, and otherwise the
// lexicographically least row.
func (t *tableau) leaving(column int) int {
	best := -1
	for i, row := range t.rows {
		if row[column].Sign() <= 0 {
			continue
		}
		if best < 0 {
			best = i
			continue
		}
		old := t.rows[best]
		order := t.compare(row, old, t.rhs(), column)
		if order == 0 {
			switch t.artificial() {
			case t.basis[best]:
				continue
			case t.basis[i]:
				order = -1
			}
		}
		for k := 0; k < t.n && order == 0; k++ {
			order = t.compare(row, old, k, column)
		}
		if order < 0 {
			best = i
		}
	}
	return best
}

// compare orders a[k]/a[column] and b[k]/b[column], with positive denominators.
func (t *tableau) compare(a, b []*big.Int, k, column int) int {
	var left, right big.Int
	return left.Mul(a[k], b[column]).Cmp(right.Mul(b[k], a[column]))
}

// pivot brings the variable of the column into the basis at the given row.
func (t *tableau) pivot(row, column int) {
	p := t.rows[row][column]
	// entries are relative to the scale, which must stay positive
	if t.basis[row] = column; p.Sign() < 0 {
		for _, r := range t.rows {
			for _, v := range r {
				v.Neg(v)
			}
		}
		t.scale.Neg(t.scale)
	}
	pivot := new(big.Int).Set(p)
	var product big.Int
	for i, r := range t.rows {
		if i == row {
			continue
		}
		factor := new(big.Int).Set(r[column])
		for j, v := range r {
			v.Mul(v, pivot)
			if factor.Sign() != 0 && t.rows[row][j].Sign() != 0 {
				v.Sub(v, product.Mul(factor, t.rows[row][j]))
			}
			v.Quo(v, t.scale) // exact
		}
	}
	t.scale = pivot
}

func zeros(rows, columns int) [][]*big.Rat {
	z := make([][]*big.Rat, rows)
	for i := range z {
		z[i] = make([]*big.Rat, columns)
		for j := range z[i] {
			z[i][j] = new(big.Rat)
		}
	}
	return z
}

func mul(a, b *big.Rat) *big.Rat { return new(big.Rat).Mul(a, b) }

func dot(a, b []*big.Rat) *big.Rat {
	sum := new(big.Rat)
	for i := range a {
		sum.Add(sum, mul(a[i], b[i]))
	}
	return sum
}

func floats(v []*big.Rat) []float64 {
	f := make([]float64, len(v))
	for i := range v {
		f[i], _ = v[i].Float64()
	}
	return f
}
