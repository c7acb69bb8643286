package workingset

import (
	"math"

	"github.com/svmkit/course/svmkit"
	"github.com/svmkit/course/svmkit/svm/internal/core"
)

// step improves one pair of variables, or one variable if Σβ may change. It reports whether β has
// changed.
func (s *smo) step() (moved bool, err error) {
	if s.t.Bias == svmkit.FreeBias {
		moved, err = s.movePair()
	} else {
		moved, err = s.moveOne()
	}
	if moved {
		s.fresh = false
		s.steps++
		// A step reads several numbers per row, but computes no kernel value.
		s.work += float64(s.active) / 8
		if s.r.Begun = 1; s.steps%max(s.t.Len(), 1000) == 0 {
			s.r.Iterations, s.r.Begun = s.r.Iterations+1, 0
		}
	}
	return moved, err
}

// movePair lets β rise at the position of the largest U and fall at the position that the
// second-order rule chooses. Its passes read float64 rows of the active positions. [workingBlock]
// has similar passes over a float32 square in assembly; without the assembly, the kernel rows of
// the benchmark take 1.97 (C = 1) and 2.12 (C = 10) times as long on magic.
// Benchmark: go run -C tools ./bench -rows kernel magic
func (s *smo) movePair() (moved bool, err error) {
	if !(s.maxU > s.minL) {
		return false, nil
	}
	p := s.argMaxU
	rowP, err := s.row(p)
	if err != nil || rowP == nil {
		return false, err
	}
	q := s.partner(p, rowP)
	if q < 0 {
		return false, nil
	}
	rowQ, err := s.row(q)
	if err != nil || rowQ == nil {
		return false, err
	}
	changes, gain := s.stepPair(p, q, rowP[q])
	s.dual += gain
	if changes == [2]float64{} {
		return false, nil
	}
	addRows(s.score[:s.active], rowP, changes[0], rowQ, changes[1])
	s.scan()
	s.stopIfUnbounded(p, q)
	return true, nil
}

// partner returns the position of the largest gain (U − L)²/curvature among those with L < U. It
// returns −1 if the squares of all these differences underflow.
func (s *smo) partner(p int, row []float64) int {
	n := s.active
	score, down, soft, row := s.score[:n], s.down[:n], s.QD[:n], row[:n]
	u := s.up[p] - score[p]
	own := s.risingCurvature(p)
	best, bestCurvature, at := 0.0, 1.0, -1
	for k, v := range score {
		slope := u - (down[k] - v)
		if !(slope > 0) {
			continue
		}
		curvature := own + soft[k] - 2*row[k]
		if curvature < s.leastCurvature {
			curvature = s.leastCurvature
		}
		// This compares slope²/curvature with best/bestCurvature without a division.
		if slope*slope*bestCurvature > best*curvature {
			best, bestCurvature, at = slope*slope, curvature, k
		}
	}
	return at
}

// moveOne moves the variable with the largest gain.
func (s *smo) moveOne() (moved bool, err error) {
	p, dir := s.largestGain(s.active, s.bias, 0)
	if p < 0 {
		return false, nil
	}
	row, err := s.row(p)
	if err != nil || row == nil {
		return false, err
	}
	change, gain := s.stepOne(p, dir, s.bias)
	s.dual += gain
	if change == 0 {
		return false, nil
	}
	for k, v := range row {
		s.score[k] += change * v
	}
	if s.t.Bias == svmkit.PenalizedBias {
		s.bias += change
	}
	s.stopIfUnbounded(p)
	return true, nil
}

// stopIfUnbounded ends the run if β at one of the positions has grown beyond [unbounded].
func (s *smo) stopIfUnbounded(positions ...int) {
	if s.t.Kind != core.Squared && !s.t.Hard {
		return
	}
	for _, p := range positions {
		if math.Abs(s.at(p))*s.scale > unbounded*s.unit {
			s.r.Stall("β grows without bound: nothing separates the data, or the kernel is not " +
				"positive semidefinite")
		}
	}
}

// row returns the kernel row of a position over the active positions. If the context has ended, it
// returns nil without an error.
func (s *smo) row(p int) ([]float64, error) {
	row, computed, err := s.fetch.row(s.rows[p], s.rows[:s.active])
	s.work += float64(computed)
	return row, err
}

// addRows adds di·a + dj·b to the scores.
func addRows(score, a []float64, di float64, b []float64, dj float64) {
	a, b = a[:len(score)], b[:len(score)]
	for k, v := range score {
		score[k] = v + (di*a[k] + dj*b[k])
	}
}

// scan finds max U and min L among the active positions.
func (s *smo) scan() {
	n := s.active
	score, up, down := s.score[:n], s.up[:n], s.down[:n]
	most, least, first := math.Inf(-1), math.Inf(1), 0
	for k, v := range score {
		if u := up[k] - v; u > most {
			most, first = u, k
		}
		if l := down[k] - v; l < least {
			least = l
		}
	}
	s.maxU, s.minL, s.argMaxU = most, least, first
}

// shrink makes the rows inactive that no pair can use, because their β can neither rise with a gain
// (U < min L) nor fall with one (L > max U).
func (s *smo) shrink() {
	lowest, highest := s.minL, s.maxU
	// For an optimal row, 0 lies between U − bias and L − bias.
	if s.t.Bias != svmkit.FreeBias {
		v := s.violation()
		lowest, highest = s.bias-v, s.bias+v
	}
	keep, drop := make([]int32, 0, s.active), []int32(nil)
	for k := range s.active {
		if s.up[k]-s.score[k] < lowest && s.down[k]-s.score[k] > highest {
			drop = append(drop, int32(k))
		} else {
			keep = append(keep, int32(k))
		}
	}
	if len(drop)*20 < s.active || len(keep) < 2 {
		return // moving the cached rows would cost more than it saves
	}
	s.fetch.cache.keep(s.r.Ctx, keep)
	arrange(s.rows, keep, drop)
	for _, v := range [][]float64{s.diagQ, s.QD, s.score, s.up, s.down} {
		arrange(v, keep, drop)
	}
	s.active = len(keep)
	s.scan()
}

// arrange puts the values at the places keep first, followed by those at drop.
func arrange[T any](v []T, keep, drop []int32) {
	aside := make([]T, len(drop))
	for k, p := range drop {
		aside[k] = v[p]
	}
	for k, p := range keep { // p ≥ k: nothing is overwritten before it has moved
		v[k] = v[p]
	}
	copy(v[len(keep):], aside)
}

// smo is one run. The first active positions of its variables take part, the others are shrunk. All
// slices but diagQ are valid at active positions only. Scores are without the bias.
type smo struct {
	noShrinking bool // keep all rows active
	variables
	fetch kernelFetcher

	active int // 1 … n
	// bias is Σβ if it is penalized, and the middle of max U and min L if it is free.
	bias    float64
	argMaxU int     // position of max U (free bias)
	maxU    float64 // max U
	minL    float64 // min L
	// dual is the dual objective: of the last refresh, plus the gains of the steps since then.
	dual        float64
	high        float64 // highest value of dual so far
	gap         float64 // of the active rows when enough last computed it
	highAt      int     // steps taken when high was reached
	converged   float64 // largest dual objective at which no active row could move
	withoutGain int     // how often in a row it did not rise
	scale       float64 // largest |Kᵢᵢ|
	unit        float64 // of the scores
	target      float64 // of the measure in enough, relative to Tol
	fresh       bool    // no step since the scores were computed from the data
	steps       int     // taken in all
	// work counts the kernel values that were computed or read since the start, and certified those
	// until the last certificate.
	work, certified float64
}

// unbounded is the size of βK, in units of the scores, from which on a dual without a bound on β counts as unbounded. βK is
// about (radius/margin)² at the solution of a separable problem. At a ratio of a million the margin
// is lost in the rounding of scores.
const unbounded = 1e12

// refresh makes all rows active and computes their scores from the data, for a β that is feasible
// to the last bit.
func (s *smo) refresh() error {
	t := s.t
	beta := make([]float64, t.Len())
	t.Repair(beta, s.r.Beta)
	copy(s.r.Beta, beta)
	scores := t.ScoresWithoutBias(s.r.Ctx, &core.Proof{Beta: beta})
	if scores == nil {
		return s.fetch.rows.Err // nil if the context has ended
	}
	if s.fetch.cache.width < t.Len() {
		s.fetch.cache.setWidth(s.r.Ctx, t.Len())
	}
	s.active, s.fresh, s.dual = t.Len(), true, 0
	if s.bias = 0; t.Bias == svmkit.PenalizedBias {
		s.bias = core.SumOf(beta)
	}
	for k, i := range s.rows {
		s.score[k] = scores[i]
		s.dual += t.Loss[int(i)].Dual(beta[i]) - beta[i]*(scores[i]+s.bias)/2
		s.setSlopes(k)
	}
	s.scan()
	return nil
}

func (s *smo) violation() float64 {
	if s.t.Bias == svmkit.FreeBias {
		return s.maxU - s.minL
	}
	n := s.active
	return violation(s.score[:n], s.up[:n], s.down[:n], s.bias)
}
