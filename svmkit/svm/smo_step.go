package svm

import (
	"math"

	"github.com/svmkit/course/svmkit"
)

// step improves one pair of variables, or one if Σβ is free to change. It reports whether β
// has changed.
func (s *smo) step() (moved bool, err error) {
	if s.t.bias == svmkit.FreeBias {
		moved, err = s.stepPair()
	} else {
		moved, err = s.stepOne()
	}
	if moved {
		s.fresh = false
		s.steps++
		s.work += float64(s.active) / 8
		if s.steps%max(s.t.len(), 1000) == 0 {
			s.r.epochs++
		}
	}
	return moved, err
}

// stepPair lets β rise at the position of the largest U, and fall at the one that the
// second-order rule chooses.
func (s *smo) stepPair() (moved bool, err error) {
	if !(s.most > s.least) {
		return false, nil
	}
	p := s.first
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
	i, j := int(s.order[p]), int(s.order[q])
	oldI, oldJ := s.r.beta[i], s.r.beta[j]
	rise, fall := s.t.ray(i, oldI, 1), s.t.ray(j, oldJ, -1)
	slope := s.up[p] - s.score[p] - (s.down[q] - s.score[q])
	s.dual += climb(&rise, &fall, slope, s.diag[p]+s.diag[q]-2*rowP[q])
	di, dj := rise.beta-oldI, fall.beta-oldJ
	if di == 0 && dj == 0 {
		return false, nil
	}
	s.put(i, rise.beta)
	s.put(j, fall.beta)
	addRows(s.score[:s.active], rowP, di, rowQ, dj)
	s.setSlopes(p)
	s.setSlopes(q)
	s.scan()
	return true, nil
}

// partner returns the position of the largest gain (U − L)²/curvature among those with L < U; −1 if the
// squares of all these differences vanish, as where they are 1e-170.
func (s *smo) partner(p int, row []float64) int {
	n := s.active
	score, down, soft, row := s.score[:n], s.down[:n], s.soft[:n], row[:n]
	u := s.up[p] - score[p]
	own := s.diag[p] + s.t.softness(int(s.order[p]), s.r.beta[s.order[p]] >= 0)
	best, bestCurvature, at := 0.0, 1.0, -1
	for k, v := range score {
		slope := u - (down[k] - v)
		if !(slope > 0) {
			continue
		}
		curvature := own + soft[k] - 2*row[k]
		if curvature < tinyCurvature {
			curvature = tinyCurvature
		}
		// slope²/curvature > best/bestCurvature without a division
		if slope*slope*bestCurvature > best*curvature {
			best, bestCurvature, at = slope*slope, curvature, k
		}
	}
	return at
}

// stepOne moves the variable of the largest gain, (violation)²/curvature.
func (s *smo) stepOne() (moved bool, err error) {
	best, p, dir := 0.0, -1, 1.0
	for k, v := range s.score[:s.active] {
		f := v + s.bias
		slope, sign, curvature := s.up[k]-f, 1.0, s.diag[k]
		if d := f - s.down[k]; d > slope {
			slope, sign, curvature = d, -1, s.soft[k]
		}
		if slope > 0 {
			if gain := slope * slope / max(curvature, tinyCurvature); gain > best {
				best, p, dir = gain, k, sign
			}
		}
	}
	if p < 0 {
		return false, nil
	}
	row, err := s.row(p)
	if err != nil || row == nil {
		return false, err
	}
	i := int(s.order[p])
	old := s.r.beta[i]
	slope := s.up[p] - s.score[p] - s.bias
	if dir < 0 {
		slope = s.score[p] + s.bias - s.down[p]
	}
	one, still := s.t.ray(i, old, dir), ray{room: math.Inf(1)}
	s.dual += climb(&one, &still, slope, s.diag[p])
	d := one.beta - old
	if d == 0 {
		return false, nil
	}
	s.put(i, one.beta)
	for k, v := range row {
		s.score[k] += d * v
	}
	if s.t.bias == svmkit.PenalizedBias {
		s.bias += d
	}
	s.setSlopes(p)
	return true, nil
}

// put sets βᵢ and sees whether it has grown beyond all bounds.
func (s *smo) put(i int, beta float64) {
	s.r.beta[i] = beta
	s.r.updates++
	if math.Abs(beta)*s.scale > blownUp && (s.t.squared || s.t.hard()) {
		s.r.stall("β grows without bound: nothing separates the data, or the kernel is not positive semidefinite")
	}
}

// row returns the kernel row of a position over the active ones; nil without an error if the
// context has ended.
func (s *smo) row(p int) ([]float64, error) {
	row, computed, err := s.fetch.row(s.order[p], s.order[:s.active])
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
	s.most, s.least, s.first = most, least, first
}

// setSlopes computes up, down and soft of a position from its β.
func (s *smo) setSlopes(p int) {
	t, i := s.t, int(s.order[p])
	beta := s.r.beta[i]
	lo, hi := t.box(i)
	s.up[p], s.down[p] = math.Inf(-1), math.Inf(1)
	if beta < hi {
		s.up[p] = t.slope(i, beta, beta >= 0)
	}
	if beta > lo {
		s.down[p] = t.slope(i, beta, beta > 0)
	}
	if t.squared {
		s.soft[p] = s.diag[p] + t.softness(i, beta > 0)
	}
}

// slope returns dᵢ′(β), at 0 that of the named side.
func (t *task) slope(i int, beta float64, positive bool) float64 {
	edge := t.high[i]
	if positive {
		edge = t.low[i]
	}
	return edge - beta*t.softness(i, positive)
}

// softness returns −dᵢ″ on a side of zero: 1/(2c) of a squared loss, otherwise 0.
func (t *task) softness(i int, positive bool) float64 {
	switch {
	case !t.squared:
		return 0
	case positive:
		return 1 / (2 * t.under[i])
	}
	return 1 / (2 * t.over[i])
}

// shrink takes the rows out of sight that no pair can use: their β cannot rise with a gain
// (U < min L) nor fall with one (L > max U). With rising precision most of these stay so.
func (s *smo) shrink() {
	lowest, highest := s.least, s.most
	if s.t.bias != svmkit.FreeBias { // 0 lies between U − bias and L − bias of an optimal row
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
		return // moving the cache's rows costs more than it saves
	}
	s.fetch.cache.keep(s.r.ctx, keep)
	arrange(s.order, keep, drop)
	arrange(s.diag, keep, drop)
	for _, v := range [][]float64{s.score, s.up, s.down} {
		arrange(v, keep, drop)
	}
	if s.t.squared {
		arrange(s.soft, keep, drop)
	}
	s.active = len(keep)
	s.scan()
}

// arrange puts the values of the places keep first and those of drop behind them.
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
