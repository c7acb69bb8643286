package multiclass

import (
	"cmp"
	"errors"
	"math"
	"math/rand/v2"
	"slices"

	"github.com/svmkit/course/svmkit"
)

// iterate is the state of a Crammer–Singer fit. Invariant between steps, up to the rounding
// that certify removes: w holds wₖ = Σᵢ αᵢₖxᵢ, and α is feasible.
type iterate struct {
	classes  Classes
	features int            // d without the constant feature
	named    svmkit.Columns // their names
	biased   bool           // there is a constant feature
	x        []svmkit.Row   // n rows, with the constant feature 1 as their last column
	y        []int          // their classes, 0 … k−1
	square   []float64      // ‖xᵢ‖²
	k        int            // K, the number of classes
	c        []float64      // Cᵢ ≥ 0

	alpha []float64 // n×K, row by row
	// d×K: the K weights of a feature are adjacent, because every step needs all of them
	w []float64

	g       []float64 // K: gradient at one row
	next    []float64 // K: its new α
	sorted  []float64 // K: scratch of the small problem
	active  []int32   // the rows with Cᵢ > 0; the current round visits the first ones
	visits  int       // rows visited; as many as are active make a pass
	updates int       // rows changed

	interrupted func() bool // whether to end early
}

func (p CrammerSinger) prepare() (*iterate, error) {
	if err := p.validate(); err != nil {
		return nil, err
	}
	set := p.Data
	classes, class, _, err := readClasses(set)
	if err != nil {
		return nil, err
	}
	s := &iterate{classes: classes, features: set.Dim, named: svmkit.Columns{Features: set.Features, Label: set.Label}, biased: p.Bias == svmkit.PenalizedBias, y: class, k: classes.Count, c: make([]float64, set.Len())}
	if s.biased {
		set = set.Augment(1)
	}
	s.x = set.X
	s.alpha, s.w = make([]float64, set.Len()*s.k), make([]float64, set.Dim*s.k)
	s.g, s.next, s.sorted = make([]float64, s.k), make([]float64, s.k), make([]float64, s.k)
	s.square = make([]float64, set.Len())
	for i, x := range s.x {
		if set.RowWeight(i) == 0 {
			continue
		}
		s.square[i], s.c[i] = x.SquaredNorm(), cmp.Or(p.C, 1)*set.RowWeight(i)
		if s.c[i] == 0 || math.IsInf(s.c[i], 1) {
			return nil, &svmkit.DataError{Row: i, Col: svmkit.NoPlace, Value: s.c[i], Err: errCost}
		}
		s.active = append(s.active, int32(i))
		if s.square[i] == 0 { // changes no w and its loss is 1: its best α does not depend on w
			other := (s.y[i] + 1) % s.k
			s.row(i)[s.y[i]], s.row(i)[other] = s.c[i], -s.c[i]
		}
	}
	return s, nil
}

var errCost = errors.New("the cost of a row, C times its weight, must be positive and finite")

// row returns αᵢ, K numbers.
func (s *iterate) row(i int) []float64 { return s.alpha[i*s.k : (i+1)*s.k] }

func (s *iterate) passes() int { return (s.visits + len(s.active) - 1) / len(s.active) }

// certify makes α feasible, rebuilds w from it, and returns the model with its certificate.
func (s *iterate) certify() *Solution {
	clear(s.w)
	out := &Solution{Alpha: make([][]float64, len(s.x))}
	for i, x := range s.x {
		s.repair(i)
		s.addTo(x, s.row(i))
		out.Alpha[i] = slices.Clone(s.row(i))
		out.Dual += s.row(i)[s.y[i]]
	}
	for _, c := range s.c {
		out.Floor += constantShare * c
	}
	square := svmkit.Dense(s.w...).SquaredNorm()
	out.Dual -= square / 2
	out.Primal = square / 2
	for i, x := range s.x {
		if s.c[i] == 0 {
			continue
		}
		s.gradient(i, x)
		out.Primal += s.c[i] * (slices.Max(s.g) - s.g[s.y[i]])
		out.KKT = max(out.KKT, s.violation(i))
	}
	out.Gap = out.Primal - out.Dual
	out.Linear = s.linear()
	return out
}

// constantShare is Certificate.Floor as a share of the objective at w = 0, where each row has the
// loss 1.
const constantShare = 1e-12

// repair makes αᵢ feasible: see [CrammerSinger.Certify].
func (s *iterate) repair(i int) {
	alpha, y := s.row(i), s.y[i]
	sum := 0.0
	for k, v := range alpha {
		if k != y {
			alpha[k] = min(v, 0)
			sum -= alpha[k]
		}
	}
	if sum > s.c[i] {
		for k := range alpha {
			alpha[k] *= s.c[i] / sum
		}
		sum = s.c[i]
	}
	alpha[y] = sum
}

// linear copies w into K planes; the weight of the constant feature 1 is the bias.
func (s *iterate) linear() Linear {
	l := Linear{Classes: s.classes, Trained: s.named, W: make([][]float64, s.k), B: make([]float64, s.k)}
	for k := range l.W {
		l.W[k] = make([]float64, s.features)
		for j := range l.W[k] {
			l.W[k][j] = s.w[j*s.k+k]
		}
		if s.biased {
			l.B[k] = s.w[s.features*s.k+k]
		}
	}
	return l
}

// addTo adds aₖ·x to every wₖ.
func (s *iterate) addTo(x svmkit.Row, a []float64) {
	for j, v := range x.Value {
		if x.Index != nil {
			j = int(x.Index[j])
		}
		w := s.w[j*s.k : (j+1)*s.k]
		for k, u := range a {
			w[k] += v * u
		}
	}
}

// gradient sets g to the gradient of −D in αᵢ: gₖ = ⟨wₖ,xᵢ⟩ + eᵢₖ.
func (s *iterate) gradient(i int, x svmkit.Row) {
	for k := range s.g {
		s.g[k] = 1
	}
	s.g[s.y[i]] = 0
	for j, v := range x.Value {
		if x.Index != nil {
			j = int(x.Index[j])
		}
		w := s.w[j*s.k : (j+1)*s.k]
		for k, u := range w {
			s.g[k] += v * u
		}
	}
}

// innerSweeps bounds the sweeps over the active rows between two over all.
const innerSweeps = 100

// innerTol times the largest violation of the sweep over all rows is the violation at which
// sweeping the active rows ends.
const innerTol = 0.01

// round sweeps once over all rows in random order, then over the active set, the rows whose α that
// sweep changed, until their violation is small or `until` passes are reached: most rows of a large
// set keep their α (Keerthi et al., section 3). The solver ends only after a sweep over all rows that
// changes nothing. It returns how many rows the full sweep changed.
func (s *iterate) round(rng *rand.Rand, until float64) (moved int) {
	moved, worst := s.sweep(s.active, rng)
	for range innerSweeps {
		if moved == 0 || float64(s.passes()) >= until || s.interrupted() {
			break
		}
		if _, violation := s.sweep(s.active[:moved], rng); violation < innerTol*worst {
			break
		}
	}
	return moved
}

// sweep makes a step at each of the rows, in random order, and puts those that changed in front.
// It returns their number and the largest violation met. A cancelled sweep ends early.
func (s *iterate) sweep(rows []int32, rng *rand.Rand) (moved int, worst float64) {
	rng.Shuffle(len(rows), func(a, b int) { rows[a], rows[b] = rows[b], rows[a] })
	for at, i := range rows {
		if at%1024 == 0 && s.interrupted() {
			return max(moved, 1), worst // not 0: not all rows were visited
		}
		s.visits++
		violation, changed := s.step(int(i))
		worst = max(worst, violation)
		if changed {
			rows[moved], rows[at] = rows[at], rows[moved]
			moved++
		}
	}
	return moved, worst
}

// step solves the problem of row i for fixed other rows and keeps w in step with α.
func (s *iterate) step(i int) (violation float64, changed bool) {
	if s.square[i] == 0 {
		return 0, false
	}
	x, alpha := s.x[i], s.row(i)
	s.gradient(i, x)
	violation = s.violation(i)
	if violation == 0 {
		return 0, false
	}
	s.solveRow(alpha, s.y[i], s.square[i], s.c[i])
	size := 0.0
	for k, v := range s.next {
		alpha[k], s.next[k] = v, v-alpha[k] // next is now the change
		size = max(size, math.Abs(s.next[k]))
	}
	if size <= negligible*s.c[i] {
		return 0, false
	}
	s.addTo(x, s.next)
	s.updates++
	return violation, true
}

// negligible is a change of α, relative to Cᵢ, that is lost in the rounding of a sum over rows, so
// that it could continue for ever without changing the objective.
const negligible = 1e-15

// atBound is how near to Cᵢ, relatively, αᵢ_yᵢ counts as Cᵢ: rescaling in repair leaves a few
// roundings.
const atBound = 1e-12

// violation returns maxₖ gₖ − min{gₖ : αₖ below its bound}, which is 0 exactly at the optimum of
// the row: α could be moved from the class of the maximum to the class of the minimum. Call
// gradient for row i first.
func (s *iterate) violation(i int) float64 {
	most, least := math.Inf(-1), math.Inf(1)
	for k, a := range s.row(i) {
		most = max(most, s.g[k])
		bound := a >= 0
		if k == s.y[i] {
			bound = a >= s.c[i]*(1-atBound)
		}
		if !bound {
			least = min(least, s.g[k])
		}
	}
	if math.IsInf(least, 1) {
		return 0
	}
	return max(0, most-least)
}

// solveRow sets next to the exact minimiser of
//
//	½A‖a − α‖² + ⟨g, a − α⟩   over Σₖ aₖ = 0, aₖ ≤ uₖ,   A = ‖xᵢ‖², u_y = C = Cᵢ, else uₖ = 0.
//
// With Bₖ = gₖ − Aαₖ the answer is aₖ = min(uₖ, (β − Bₖ)/A) for the one β at which they
// add up to 0. Put Dₖ = Bₖ + A·uₖ; then that sum is zero for Σₖ max(0, Dₖ − β) = A·C. The
// left side falls in β and is linear between the Dₖ; so add the D in falling order until β = (Σ D −
// A·C)/r, from the r largest, is not below the next one.
func (s *iterate) solveRow(alpha []float64, y int, square, c float64) {
	for k, g := range s.g {
		s.sorted[k] = g - square*alpha[k]
	}
	copy(s.next, s.sorted) // B
	s.sorted[y] += square * c
	top := s.sorted[y]
	slices.Sort(s.sorted) // rising: read from the end
	sum, beta := -square*c, 0.0
	for r := 1; r <= s.k; r++ {
		sum += s.sorted[s.k-r]
		beta = sum / float64(r)
		if r == s.k || beta >= s.sorted[s.k-r-1] {
			break
		}
	}
	rest := 0.0
	for k, b := range s.next {
		if k != y {
			s.next[k] = min(0, (beta-b)/square)
			rest -= s.next[k]
		}
	}
	s.next[y] = min(rest, c) // as the sum of the others, and not a difference of large numbers
	if beta >= top {
		s.next[y] = c
	}
}
