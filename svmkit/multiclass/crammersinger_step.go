package multiclass

import (
	"math"
	"math/rand/v2"
	"slices"
)

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

// negligible is a change of α, relative to Cᵢ, that is lost in the rounding of a sum over
// rows, so that it can go on for ever without changing the objective.
const negligible = 1e-15

// atBound is how near to Cᵢ, relatively, αᵢ_yᵢ counts as Cᵢ: rescaling in repair leaves a few
// roundings.
const atBound = 1e-12

// violation returns maxₖ gₖ − min{gₖ : αₖ below its bound}, 0 exactly at the optimum of the row:
// α could be moved from the class of the maximum to that of the minimum. Gradient must
// have been called for row i.
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
// With Bₖ = gₖ − Aαₖ the answer is aₖ = min(uₖ, (β − Bₖ)/A) for the one β at which they add up to
// 0. Put Dₖ = Bₖ + A·uₖ; then that sum is zero for Σₖ max(0, Dₖ − β) = A·C. The left side falls in β
// and is linear between the Dₖ; so add the D in falling order until β = (Σ D − A·C)/r, from the
// r largest, is not below the next one.
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
