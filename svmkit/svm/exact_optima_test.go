package svm_test

import (
	"fmt"
	"maps"
	"math"
	"math/big"
	"math/rand/v2"
	"os"
	"slices"
	"strings"
	"testing"

	"github.com/svmkit/course/internal/exactgap"
	"github.com/svmkit/course/svmkit"
	"github.com/svmkit/course/svmkit/kernel"
	"github.com/svmkit/course/svmkit/loss"
	"github.com/svmkit/course/svmkit/svm"
)

// Small hostile problems with hard margins, hard tubes, squared losses and one class, against their
// optima in exact arithmetic. The optimum is found by trying which β are 0, free, or at a bound: a
// vertex of the optimal β has an invertible system of equations, so that one of the choices satisfies
// all optimality conditions, unless the problem has no solution.

func rat(v float64) *big.Rat        { return new(big.Rat).SetFloat64(v) }
func ratAdd(a, b *big.Rat) *big.Rat { return new(big.Rat).Add(a, b) }
func ratSub(a, b *big.Rat) *big.Rat { return new(big.Rat).Sub(a, b) }
func ratMul(a, b *big.Rat) *big.Rat { return new(big.Rat).Mul(a, b) }
func ratDiv(a, b *big.Rat) *big.Rat { return new(big.Rat).Quo(a, b) }

// exactDual is the dual problem of package svm in fractions.
type exactDual struct {
	k           [][]*big.Rat // kernel values
	low, high   []*big.Rat   // edges; nil: none
	under, over []*big.Rat   // costs; nil: infinite
	squared     bool
	bias        svmkit.Bias
	sum         *big.Rat // of β, with a free bias
	near        *big.Rat // relative error of the kernel values; 0 if they are exact
}

// choices of a row: β = 0, β > 0 free, β < 0 free, β at its upper and at its lower bound
const (
	zero = iota
	up
	down
	atUpper
	atLower
)

func (q *exactDual) choices(i int) []int {
	list := []int{zero}
	for k, edge := range []*big.Rat{q.low[i], q.high[i]} {
		cost := [2][]*big.Rat{q.under, q.over}[k][i]
		if edge == nil || cost != nil && cost.Sign() == 0 {
			continue
		}
		if list = append(list, up+k); !q.squared && cost != nil {
			list = append(list, atUpper+k)
		}
	}
	return list
}

// gram returns the entry of the matrix of the dual problem.
func (q *exactDual) gram(i, j int) *big.Rat {
	if q.bias == svmkit.PenalizedBias {
		return ratAdd(q.k[i][j], rat(1))
	}
	return q.k[i][j]
}

// solve returns β for a choice for each row, if it satisfies all optimality conditions.
func (q *exactDual) solve(choice []int) (beta []*big.Rat, ok bool) {
	n := len(choice)
	beta = make([]*big.Rat, n)
	var free []int
	for i, c := range choice {
		beta[i] = new(big.Rat)
		switch c {
		case up, down:
			free = append(free, i)
		case atUpper:
			beta[i] = q.under[i]
		case atLower:
			beta[i] = new(big.Rat).Neg(q.over[i])
		}
	}
	m, hasBias := len(free), q.bias == svmkit.FreeBias
	size := m
	if hasBias {
		size++
	}
	a := make([][]*big.Rat, size)
	for r := range a {
		a[r] = make([]*big.Rat, size+1)
		for c := range a[r] {
			a[r][c] = new(big.Rat)
		}
	}
	rest := new(big.Rat).Set(q.sum)
	for _, v := range beta {
		rest.Sub(rest, v)
	}
	for r, i := range free {
		edge, cost := q.low[i], q.under[i]
		if choice[i] == down {
			edge, cost = q.high[i], q.over[i]
		}
		right := new(big.Rat).Set(edge)
		for j, v := range beta {
			if v.Sign() != 0 {
				right.Sub(right, ratMul(q.gram(i, j), v))
			}
		}
		for c, j := range free {
			a[r][c].Set(q.gram(i, j))
		}
		if q.squared && cost != nil {
			a[r][r].Add(a[r][r], ratDiv(rat(0.5), cost))
		}
		a[r][size] = right
		if hasBias {
			a[r][m], a[m][r] = rat(1), rat(1)
		}
	}
	var b *big.Rat
	if hasBias {
		a[m][size] = rest
		if m == 0 {
			if rest.Sign() != 0 {
				return nil, false
			}
			a = nil // any bias
		}
	}
	x, regular := solveExactly(a)
	if !regular {
		return nil, false
	}
	for r, i := range free {
		beta[i] = x[r]
		s := x[r].Sign()
		if s == 0 || s > 0 != (choice[i] == up) {
			return nil, false
		}
		if cost := q.under[i]; !q.squared && s > 0 && cost != nil && x[r].Cmp(cost) > 0 {
			return nil, false
		}
		if cost := q.over[i]; !q.squared && s < 0 && cost != nil && new(big.Rat).Neg(x[r]).Cmp(cost) > 0 {
			return nil, false
		}
	}
	switch {
	case hasBias && m > 0:
		b = x[m]
	case !hasBias:
		b = new(big.Rat)
	}
	return beta, q.conditions(choice, beta, b)
}

// conditions reports whether the scores of β, plus b or, if that is nil, some b, are optimal for β.
func (q *exactDual) conditions(choice []int, beta []*big.Rat, b *big.Rat) bool {
	var least, most *big.Rat // bounds of b
	slop := new(big.Rat)
	for _, list := range [][]*big.Rat{beta, q.low, q.high} {
		for _, v := range list {
			if v != nil {
				slop.Add(slop, ratMul(q.near, new(big.Rat).Abs(v)))
			}
		}
	}
	bound := func(at **big.Rat, v *big.Rat, sign int) {
		if *at == nil || v.Cmp(*at) == sign {
			*at = v
		}
	}
	for i, c := range choice {
		s := new(big.Rat)
		for j, v := range beta {
			if v.Sign() != 0 {
				s.Add(s, ratMul(q.gram(i, j), v))
			}
		}
		sides := q.choices(i)
		hasLow, hasHigh := slices.Contains(sides, up), slices.Contains(sides, down)
		if c == zero && hasLow || c == atLower {
			edge := q.low[i]
			if c == atLower {
				edge = q.high[i]
			}
			bound(&least, ratSub(ratSub(edge, s), slop), 1)
		}
		if c == zero && hasHigh || c == atUpper {
			edge := q.high[i]
			if c == atUpper {
				edge = q.low[i]
			}
			bound(&most, ratAdd(ratSub(edge, s), slop), -1)
		}
	}
	if b != nil {
		return (least == nil || b.Cmp(least) >= 0) && (most == nil || b.Cmp(most) <= 0)
	}
	return least == nil || most == nil || least.Cmp(most) <= 0
}

// solveExactly solves the equations whose right side is the last column, by Bareiss's elimination in
// whole numbers, which shortens no fractions.
func solveExactly(equations [][]*big.Rat) (x []*big.Rat, regular bool) {
	n := len(equations)
	a := make([][]*big.Int, n)
	for r, row := range equations {
		common := big.NewInt(1)
		for _, v := range row {
			part := new(big.Int).GCD(nil, nil, common, v.Denom())
			common.Mul(common, part.Quo(v.Denom(), part))
		}
		for _, v := range row {
			whole := new(big.Int).Quo(common, v.Denom())
			a[r] = append(a[r], whole.Mul(whole, v.Num()))
		}
	}
	before := big.NewInt(1)
	for c := range n {
		pivot := c
		for pivot < n && a[pivot][c].Sign() == 0 {
			pivot++
		}
		if pivot == n {
			return nil, false
		}
		a[c], a[pivot] = a[pivot], a[c]
		for r := c + 1; r < n; r++ {
			for k := c + 1; k <= n; k++ {
				v := new(big.Int).Mul(a[c][c], a[r][k])
				v.Sub(v, new(big.Int).Mul(a[r][c], a[c][k]))
				a[r][k] = v.Quo(v, before)
			}
		}
		before = a[c][c]
	}
	x = make([]*big.Rat, n)
	for r := n - 1; r >= 0; r-- {
		v := new(big.Rat).SetInt(a[r][n])
		for k := r + 1; k < n; k++ {
			v = ratSub(v, ratMul(new(big.Rat).SetInt(a[r][k]), x[k]))
		}
		x[r] = ratDiv(v, new(big.Rat).SetInt(a[r][r]))
	}
	return x, true
}

// optimum returns the best objective, or nil if there is none. The guess is a β in float64.
func (q *exactDual) optimum(guess []float64) *big.Rat {
	n := len(q.k)
	choice := make([]int, n)
	for i, v := range guess {
		switch {
		case v > 0 && q.under[i] != nil && !q.squared && rat(v).Cmp(q.under[i]) >= 0:
			choice[i] = atUpper
		case v > 0:
			choice[i] = up
		case v < 0:
			choice[i] = down
		}
	}
	if beta, ok := q.solve(choice); ok {
		return q.value(beta)
	}
	var try func(i int) *big.Rat
	try = func(i int) *big.Rat {
		if i == n {
			if beta, ok := q.solve(choice); ok {
				return q.value(beta)
			}
			return nil
		}
		for _, c := range q.choices(i) {
			choice[i] = c
			if v := try(i + 1); v != nil {
				return v
			}
		}
		return nil
	}
	return try(0)
}

// value returns the dual objective.
func (q *exactDual) value(beta []*big.Rat) *big.Rat {
	total := new(big.Rat)
	for i, v := range beta {
		if v.Sign() == 0 {
			continue
		}
		for j, u := range beta {
			total.Sub(total, ratMul(rat(0.5), ratMul(ratMul(v, u), q.gram(i, j))))
		}
		edge, cost := q.low[i], q.under[i]
		if v.Sign() < 0 {
			edge, cost = q.high[i], q.over[i]
		}
		total.Add(total, ratMul(v, edge))
		if q.squared && cost != nil {
			total.Sub(total, ratDiv(ratMul(v, v), ratMul(rat(4), cost)))
		}
	}
	return total
}

// hostile is a problem of the fuzz. Its one-class form has the cost 1 and the hinge here.
type hostile struct {
	kind string
	*svm.Problem
	nu    float64
	exact *exactDual
	beta  []float64 // a guess for the optimum
	best  *big.Rat  // nil: no plane satisfies the constraints
	known bool      // best has been computed
}

func (h *hostile) hard() bool { return math.IsInf(h.C.C, 1) }

func (h *hostile) String() string {
	var s strings.Builder
	fmt.Fprintf(&s, "%s, %#v, kernel %#v, bias %v, C %g, ν %g:", h.kind, h.Loss, h.Kernel, h.Bias, h.C.C, h.nu)
	for i, x := range h.Data.X {
		fmt.Fprintf(&s, " %v→%v (weight %g)", x.Value, h.Data.Y[i], h.Data.RowWeight(i))
	}
	return s.String()
}

func (h *hostile) fit(t *testing.T, s svm.Solver, o *svm.Settings) (*svm.Result, error) {
	if h.nu > 0 {
		return svm.OneClass{Data: h.Data, Kernel: h.Kernel, Nu: h.nu}.Fit(t.Context(), o)
	}
	return svm.Fit(t.Context(), h.Problem, s, o)
}

// optimum returns the exact optimum, or nil.
func (h *hostile) optimum() *big.Rat {
	if !h.known {
		h.best, h.known = h.exact.optimum(h.beta), true
	}
	return h.best
}

var powers = []int{0, 0, 0, 0, 1, 3, 6, 10, 30, 100, 150, 160, 200, 290, 300}

// anyPower returns a power of ten from 1e-300 to 1e300, often a small one.
func anyPower(rng *rand.Rand, share float64) float64 {
	if rng.Float64() >= share {
		return 1
	}
	return math.Pow(10, float64(powers[rng.IntN(len(powers))]*(1-2*rng.IntN(2))))
}

// finite returns the number closest to v.
func finite(v float64) float64 { return max(-math.MaxFloat64, min(math.MaxFloat64, v)) }

// randomHostile returns the next problem.
func randomHostile(rng *rand.Rand) *hostile {
	kinds := []string{"hard margin", "hard margin", "hard margin", "hard tube", "hard tube", "squared hinge", "squared tube", "one class", "hinge", "tube"}
	h := &hostile{kind: kinds[rng.IntN(len(kinds))], Problem: &svm.Problem{C: svm.Cost{C: math.Inf(1)}}}
	tube := strings.Contains(h.kind, "tube")
	n, d := 1+rng.IntN(5), 1+rng.IntN(3)
	if tube {
		n = min(n, 4)
	} else {
		n = max(n, 2)
	}
	overall, far := anyPower(rng, 0.3), 0.0
	if rng.IntN(4) == 0 {
		far = math.Pow(10, float64(1+rng.IntN(15)))
	}
	kernelOf := rng.IntN(12)
	if kernelOf == 0 { // so that 1 − K keeps digits, here and in the exact values
		overall, far = math.Pow(10, float64(-rng.IntN(16))), 0
	}
	columns := make([]float64, d)
	for j := range columns {
		if columns[j] = overall; kernelOf > 0 {
			columns[j] = min(columns[j]*anyPower(rng, 0.1), 1e300)
		}
	}
	ordinary, each := rng.IntN(2) == 0, rng.IntN(10) == 0 && kernelOf > 0
	number := func() float64 {
		v := float64(rng.IntN(9) - 4)
		if ordinary {
			v = rng.NormFloat64()
		}
		if each {
			v *= anyPower(rng, 0.5)
		}
		return v
	}
	values, targets := make([]float64, n*d), anyPower(rng, 0.3)
	set := &svmkit.Dataset{Dim: d, Y: make([]float64, n)}
	for i := range n {
		row := values[i*d : (i+1)*d]
		for j := range row {
			row[j] = finite((number() + far) * columns[j])
		}
		if i > 0 && rng.IntN(6) == 0 {
			k := rng.IntN(i)
			copy(row, values[k*d:(k+1)*d])
		}
		if tube {
			set.Y[i] = finite(number() * targets)
		} else {
			set.Y[i] = math.Copysign(1, row[0]-far*columns[0]+rng.NormFloat64()*0.1*columns[0])
		}
	}
	if set.X = svmkit.DenseRows(values, d); slices.Max(set.Y) == slices.Min(set.Y) && !tube {
		set.Y[rng.IntN(n)] *= -1
	}
	if rng.IntN(3) == 0 {
		set.Weight = make([]float64, n)
		for i := range set.Weight {
			set.Weight[i] = []float64{1, 1, 2, 0.5, 5e-324, 1e-310, 1e17, 0, 1e-300}[rng.IntN(9)]
		}
	}
	h.Data = set
	switch kernelOf {
	case 0:
		h.Kernel = kernel.RBF{Gamma: math.Pow(10, float64(rng.IntN(3)-1))}
	case 1, 2:
		h.Kernel = kernel.Polynomial{Degree: 1 + rng.IntN(3), Gamma: max(1e-10, min(1e10, anyPower(rng, 0.1))), Coef0: float64(rng.IntN(2))}
	}
	h.Bias = []svmkit.Bias{svmkit.FreeBias, svmkit.PenalizedBias, svmkit.NoBias}[rng.IntN(3)]
	eps := []float64{0, 0.1, 1}[rng.IntN(3)] * targets
	switch h.kind {
	case "hard margin":
		h.Loss = []loss.Trainable{loss.Hinge{}, loss.SquaredHinge{}}[rng.IntN(2)]
	case "hard tube":
		h.Loss = []loss.Trainable{loss.EpsInsensitive{Epsilon: eps}, loss.SquaredEpsInsensitive{Epsilon: eps}}[rng.IntN(2)]
	case "squared hinge":
		h.Loss, h.C.C = loss.SquaredHinge{}, anyPower(rng, 0.5)
	case "hinge":
		h.Loss, h.C.C = loss.Hinge{}, anyPower(rng, 0.5)
	case "tube":
		h.Loss, h.C.C = loss.EpsInsensitive{Epsilon: eps}, anyPower(rng, 0.5)
	case "squared tube":
		h.Loss, h.C.C = loss.SquaredEpsInsensitive{Epsilon: eps}, anyPower(rng, 0.5)
	case "one class":
		h.Loss, h.C.C, h.Bias, h.nu = loss.Hinge{}, 1, svmkit.FreeBias, []float64{0.1, 0.3, 0.5, 1}[rng.IntN(4)]
	}
	h.exact = h.exactly()
	return h
}

// exactly returns the problem in fractions.
func (h *hostile) exactly() *exactDual {
	n := h.Data.Len()
	eps, squared := exactgap.Shape(h.Loss)
	q := &exactDual{low: make([]*big.Rat, n), high: make([]*big.Rat, n), under: make([]*big.Rat, n), over: make([]*big.Rat, n),
		squared: squared, bias: h.Bias, sum: new(big.Rat), near: new(big.Rat)}
	if _, rbf := h.Kernel.(kernel.RBF); rbf {
		q.near.SetFrac(big.NewInt(1), new(big.Int).Lsh(big.NewInt(1), 2500))
	}
	cost := func(v float64) *big.Rat {
		if math.IsInf(v, 1) {
			return nil
		}
		return rat(v)
	}
	for i, x := range h.Data.X {
		q.k = append(q.k, make([]*big.Rat, n))
		for j, z := range h.Data.X[:i+1] {
			q.k[i][j] = exactKernel(h.Kernel, x, z)
			q.k[j][i] = q.k[i][j]
		}
		over, under := exactgap.Weights(h.Problem, i)
		y := h.Data.Y[i]
		switch {
		case h.nu > 0:
			q.low[i], q.under[i] = new(big.Rat), rat(h.Data.RowWeight(i))
			q.sum.Add(q.sum, q.under[i])
			q.over[i] = new(big.Rat)
		case h.Regression():
			q.low[i], q.high[i] = rat(y-eps), rat(y+eps) // as the loss has them
			q.under[i], q.over[i] = cost(under), cost(over)
		case y > 0:
			q.low[i], q.under[i], q.over[i] = rat(1), cost(over), new(big.Rat)
		default:
			q.high[i], q.over[i], q.under[i] = rat(-1), cost(under), new(big.Rat)
		}
	}
	if h.nu > 0 {
		q.sum.Mul(q.sum, rat(h.nu))
	}
	return q
}

// exactKernel returns a kernel value, an RBF in 2,500 bits.
func exactKernel(k kernel.Kernel, x, z svmkit.Row) *big.Rat {
	dot, apart := new(big.Rat), new(big.Rat)
	for j, v := range x.Value {
		d := ratSub(rat(v), rat(z.Value[j]))
		dot.Add(dot, ratMul(rat(v), rat(z.Value[j])))
		apart.Add(apart, ratMul(d, d))
	}
	switch k := k.(type) {
	case kernel.Polynomial:
		base, power := ratAdd(ratMul(rat(k.Gamma), dot), rat(k.Coef0)), rat(1)
		for range k.Degree {
			power.Mul(power, base)
		}
		return power
	case kernel.RBF:
		return expMinus(ratMul(rat(k.Gamma), apart))
	}
	return dot
}

// expMinus returns exp(−a) to 2,500 bits, for a ≥ 0.
func expMinus(a *big.Rat) *big.Rat {
	const digits, halvings, terms = 2700, 40, 110
	if a.Cmp(rat(2000)) > 0 {
		return new(big.Rat)
	}
	number := func() *big.Float { return new(big.Float).SetPrec(digits) }
	x := number().SetRat(a)
	x.SetMantExp(x, -halvings)
	sum, term := number().SetInt64(1), number().SetInt64(1)
	for k := int64(1); k < terms; k++ {
		term.Mul(term, x)
		term.Quo(term, number().SetInt64(-k))
		sum.Add(sum, term)
	}
	for range halvings {
		sum.Mul(sum, sum)
	}
	value, _ := sum.Rat(nil)
	return value
}

// judge compares a result with the exact optimum. It returns what is false, and whether rounding, as
// documented, leaves so much room that nothing is proved.
func (h *hostile) judge(r *svm.Result, tol float64) (wrong string, loose bool) {
	n, q := h.Data.Len(), h.exact
	roundoff := math.Ldexp(1, -53)
	if r.Status == svmkit.Optimal && !(r.RelativeGap() <= tol) {
		return fmt.Sprintf("optimal with a relative gap of %g", r.RelativeGap()), false
	}
	if math.IsInf(r.Primal, 1) && math.IsInf(r.Dual, -1) {
		return "", true
	}
	infinite := func(v float64) bool { return math.IsInf(v, 0) || math.IsNaN(v) }
	if infinite(r.Model.Bias) || slices.ContainsFunc(r.Weights, infinite) || slices.ContainsFunc(r.Coef, infinite) {
		if !math.IsInf(r.Primal, 1) {
			return "the model has overflowed, and the primal objective is finite", false
		}
		return "", true
	}
	// The model, and its objective.
	coef := make([]*big.Rat, n)
	for i := range coef {
		coef[i] = new(big.Rat)
	}
	coefs := 0.0
	for k, i := range r.Rows {
		coef[i] = rat(r.Coef[k])
		coefs += math.Abs(r.Coef[k])
	}
	bias, square, scores := rat(r.Model.Bias), new(big.Rat), make([]*big.Rat, n)
	slacks, most := make([]float64, n), 0.0
	for i, x := range h.Data.X {
		scores[i] = new(big.Rat).Set(bias)
		v, _ := q.k[i][i].Float64()
		most = max(most, v)
		if kernel.IsLinear(h.Kernel) {
			for j, v := range x.Value {
				if j < len(r.Weights) {
					scores[i].Add(scores[i], ratMul(rat(v), rat(r.Weights[j])))
				}
			}
			continue
		}
		for j, v := range coef {
			scores[i].Add(scores[i], ratMul(v, q.k[i][j]))
			square.Add(square, ratMul(ratMul(v, coef[i]), q.k[i][j]))
		}
	}
	if kernel.IsLinear(h.Kernel) {
		for _, v := range r.Weights {
			square.Add(square, ratMul(rat(v), rat(v)))
		}
	}
	if h.Bias == svmkit.PenalizedBias {
		square.Add(square, ratMul(bias, bias))
	}
	// The rounding of scores that svm.Problem.Certify states.
	norm, terms := svmkit.Dense(r.Weights...).Norm(), float64(h.Data.Dim+64)
	if !kernel.IsLinear(h.Kernel) {
		terms += float64(n)
	}
	allow := 0.0
	for i, x := range h.Data.X {
		size := math.Abs(r.Model.Bias)
		if kernel.IsLinear(h.Kernel) {
			size += norm * x.Norm()
		} else {
			size += coefs * most
		}
		if h.Regression() {
			eps, _ := exactgap.Shape(h.Loss)
			size += math.Abs(h.Data.Y[i]) + eps
		}
		slacks[i] = roundoff * terms * size
		allow += math.Abs(r.Beta[i]) * (slacks[i] + 4*roundoff)
	}
	if !h.hard() {
		allow = exactgap.Rounding(h.Problem, r)
	}
	if h.nu > 0 { // νn is rounded, and the optimum changes by ρ ≤ νn·max K for each unit
		sum, _ := q.sum.Float64()
		allow += float64(n+2) * roundoff * sum * sum * most
	}
	allow += 8 * roundoff * (math.Abs(r.Primal) + math.Abs(r.Gap))
	if math.IsNaN(allow) || math.IsInf(allow, 1) {
		return "", true
	}
	if h.hard() && kernel.IsLinear(h.Kernel) { // what rounding of w adds to the dual objective
		for j := range h.Data.Dim {
			e := 0.0
			for i, x := range h.Data.X {
				e += float64(n) * roundoff * math.Abs(r.Beta[i]*x.Value[j])
			}
			allow += e * e / 2
		}
	}
	if math.IsNaN(allow) || math.IsInf(allow, 1) {
		return "", true
	}
	room, dualRoom := rat(allow), rat(allow)
	if h.hard() && !h.Regression() { // all rounding of more than 1e-9 must be in the bracket
		allow = 0
		room, dualRoom = new(big.Rat), rat(2.5e-9*math.Abs(r.Dual))
		if !math.IsInf(r.Primal, 1) {
			room = rat(2.5e-9 * r.Primal)
		}
	}
	// The objective of the model, and its constraints.
	primal := ratMul(rat(0.5), square)
	if h.nu > 0 {
		primal.Add(primal, ratMul(q.sum, bias))
	}
	const share = 1.1e-9 // of a margin may be missing
	moved := false       // some score is outside its hard tube, by its rounding
	for i, s := range scores {
		for side, edge := range []*big.Rat{q.low[i], q.high[i]} {
			cost := [2][]*big.Rat{q.under, q.over}[side][i]
			if edge == nil || cost != nil && cost.Sign() == 0 {
				continue
			}
			out := ratSub(edge, s)
			if side == 1 {
				out.Neg(out)
			}
			switch {
			case out.Sign() <= 0:
			case cost == nil && !h.Regression():
				if out.Cmp(rat(share)) > 0 && !math.IsInf(r.Primal, 1) {
					return fmt.Sprintf("row %d has a margin that is %s too small, and the primal objective is %g", i, out.FloatString(12), r.Primal), false
				}
			case cost == nil:
				moved = true
				if far, _ := ratDiv(out, rat(max(slacks[i], math.SmallestNonzeroFloat64))).Float64(); far > 2 && !math.IsInf(r.Primal, 1) {
					return fmt.Sprintf("row %d is %g times its rounding outside of its tube, and the primal objective is %g", i, far, r.Primal), false
				}
			case h.exact.squared:
				primal.Add(primal, ratMul(cost, ratMul(out, out)))
			default:
				primal.Add(primal, ratMul(cost, out))
			}
		}
	}
	if !math.IsInf(r.Primal, 1) {
		if given := ratAdd(rat(r.Primal), room); primal.Cmp(given) > 0 {
			p, _ := primal.Float64()
			return fmt.Sprintf("the primal objective is %g, not %g", p, r.Primal), false
		}
	}
	best := h.optimum()
	if best == nil {
		return "", moved
	}
	p, _ := best.Float64()
	if !math.IsInf(r.Dual, -1) && ratSub(rat(r.Dual), dualRoom).Cmp(best) > 0 {
		return fmt.Sprintf("the dual objective is %g, the optimum is %g", r.Dual, p), false
	}
	if !math.IsInf(r.Primal, 1) && !moved {
		least := ratMul(rat(1-2*share), best)
		if !h.hard() || best.Sign() < 0 {
			least = best
		}
		if ratAdd(rat(r.Primal), room).Cmp(least) < 0 {
			return fmt.Sprintf("the primal objective is %g, the optimum is %g", r.Primal, p), false
		}
	}
	return "", moved && h.hard() && !(allow <= 0.01*math.Abs(p)) || !(allow <= 0.01*max(math.Abs(p), r.Floor))
}

// TestReliabilityExactOptima judges a fixed sample of fits, or ten samples of 10,000 optimal results.
func TestReliabilityExactOptima(t *testing.T) {
	parts, each := 1, 2000
	if os.Getenv("SVMKIT_RELIABILITY") == "full" {
		parts, each = 10, 10_000
	}
	total := 0
	for part := range parts {
		t.Run(fmt.Sprint(part), func(t *testing.T) { total += judgeFits(t, uint64(part), each) })
	}
	t.Attr("cases", fmt.Sprint(total))
}

// judgeFits fits random problems until the given number of results are optimal, which it returns.
func judgeFits(t *testing.T, seed uint64, optimal int) (total int) {
	rng := rand.New(rand.NewPCG(35, seed))
	counts, problems, failures := map[string]int{}, 0, 0
	for total < optimal && failures < 20 {
		h := randomHostile(rng)
		problems++
		var start []float64
		if rng.IntN(4) == 0 {
			start = make([]float64, h.Data.Len())
			size := anyPower(rng, 0.5)
			for i := range start {
				start[i] = rng.NormFloat64() * size
			}
		}
		tol := []float64{1e-3, 1e-6, 1e-9}[rng.IntN(3)]
		check := func(name string, r *svm.Result) {
			wrong, loose := h.judge(r, tol)
			status := r.Status.String()
			if name == "certificate" {
				status = name
			}
			if loose {
				status += ", with rounding of more than 1 %"
			} else if name != "certificate" && r.Status == svmkit.Optimal {
				total++
			}
			counts[h.kind+": "+status]++
			if wrong != "" {
				failures++
				t.Errorf("problem %d, %s, tolerance %g, start %v: %s; %v, [%g, %g], gap %g, β %v; %v", problems, name, tol, start, wrong, r.Status, r.Dual, r.Primal, r.Gap, r.Beta, h)
			}
		}
		solvers := []svm.Solver{nil, svm.SMO{}, svm.DualCoordinate{}, svm.SDCA{}, svm.Decomposition{}, svm.Newton{}, svm.ProximalNewton{}}
		if h.nu > 0 {
			solvers = []svm.Solver{svm.SMO{}}
		}
		for _, s := range solvers {
			if h.nu == 0 && h.Check(s) != nil {
				continue
			}
			r, err := h.fit(t, s, &svm.Settings{Tol: tol, MaxIterations: 100, Start: start})
			if err != nil {
				counts[h.kind+": refused"]++
				if strings.Contains(err.Error(), "no plane separates") {
					counts[h.kind+": no plane separates"]++
					if best := h.optimum(); best != nil {
						failures++
						t.Errorf("problem %d, %T: %v, but some plane has the objective %s: %v", problems, s, err, best.FloatString(20), h)
					}
				}
				continue
			}
			h.beta = r.Beta
			check(fmt.Sprintf("%T", s), r)
		}
		if h.nu > 0 || h.beta == nil {
			continue
		}
		// Any other β: the start, one close to the last fit's, and that with a move between two rows.
		near, moved := slices.Clone(h.beta), slices.Clone(h.beta)
		off, most := anyPower(rng, 0.5)*1e-8, 0.0
		for i, v := range near {
			near[i] = finite(v + off*v*rng.NormFloat64())
			most = max(most, math.Abs(v))
		}
		i, k := rng.IntN(len(near)), rng.IntN(len(near))
		most *= math.Pow(10, float64(rng.IntN(12)))
		moved[i] = finite(moved[i] + most)
		moved[k] = finite(moved[k] - most)
		for _, beta := range [][]float64{start, near, moved} {
			if beta == nil {
				continue
			}
			if proof, err := h.Certify(beta); err == nil {
				check("certificate", &svm.Result{Model: *h.Model(proof), Proof: *proof})
			}
		}
	}
	t.Logf("%d problems, %d results that are optimal", problems, total)
	for _, name := range slices.Sorted(maps.Keys(counts)) {
		t.Logf("%7d %s", counts[name], name)
	}
	return total
}
