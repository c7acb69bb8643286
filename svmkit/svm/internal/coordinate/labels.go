package coordinate

import (
	"math"

	"github.com/svmkit/course/svmkit/svm/internal/core"
)

// Nearly all visits of coordinate descent are to sparse rows with a label, and such a visit is short: a
// dozen values, and a step of a few operations. This file is that visit without what the other tasks
// need: α = yβ lies in [0, most], and the range of scores is half-open. In these terms a row wants
//
//	α ← the α in [0, most] that maximises g·(α − αᵢ) − ½q(α − αᵢ)²,   g = 1 − y·f(xᵢ) − curve·αᵢ
//
// and its φᵢ(f) is most·max(0, 1 − yf), or max(0, 1 − yf)²/(2·curve) for a squared loss.
type label struct {
	y     float64 // ±1
	most  float64 // the end of α's box; +Inf for a squared loss
	price float64 // of a unit of loss
	curve float64 // 1/(2·price) for a squared loss, else 0
	q     float64 // ‖x‖² + ρ + curve
	part  float64 // 1/q, or what comes nearest to it
}

// allLabelled reports whether all rows of t are sparse and have a label.
func allLabelled(t *core.Task) bool {
	for i := range t.X {
		if t.X[i].Index == nil || t.Loss[i].Under > 0 && t.Loss[i].Over > 0 {
			return false
		}
	}
	return true
}

// newLabels makes the labels of all rows; q is their curvature.
func newLabels(t *core.Task, q []float64) []label {
	labels := make([]label, t.Len())
	for i := range labels {
		l, loss := &labels[i], &t.Loss[i]
		lo, hi := loss.Box()
		if l.y, l.most, l.curve = 1, hi, loss.DualCurvature(true); lo < 0 {
			l.y, l.most, l.curve = -1, -lo, loss.DualCurvature(false)
		}
		l.q, l.price = q[i]+l.curve, min(l.most, math.MaxFloat64)
		if l.curve > 0 {
			l.price = 1 / (2 * l.curve)
		}
		switch {
		case l.q > 0:
			l.part = min(1/l.q, math.MaxFloat64)
		case !math.IsInf(l.most, 1): // a row without a value: to the end of the box
			l.part = math.MaxFloat64
		}
	}
	return labels
}

// visitLabelled visits the rows of a stretch and marks those that
// are to be set aside by their complement. Meanwhile it asks for the rows of the next run.
func (s *sweep) visitLabelled(f *rows, r stretch, next []int32) (work int) {
	w, b, sum := s.w, s.b, s.sum
	for at, count := r.first, r.count; count > 0; count-- {
		if len(next) > 0 {
			f.ask(int(next[0]))
			next = next[1:]
		}
		i := s.order[at]
		l, x := &f.labels[i], &f.x[i]
		index, value := x.Index, x.Value
		value = value[:len(index)]
		score, odd := b, 0.0
		work += len(index) + 8
		k := 0
		for ; k+1 < len(index); k += 2 {
			score += value[k] * w[index[k]]
			odd += value[k+1] * w[index[k+1]]
		}
		if k < len(index) {
			score += value[k] * w[index[k]]
		}
		alpha := l.y * f.beta[i]
		lack := 1 - l.y*(score+odd)
		g := lack - l.curve*alpha
		to := min(max(alpha+g*l.part, 0), l.most)
		move := to - alpha
		if move == 0 {
			if s.rests(f, int(i), g, alpha == 0 || alpha == l.most) {
				s.order[at] = ^i
			}
			at += r.step
			continue
		}
		at += r.step
		f.calm[i] = 0
		s.updates++
		s.violation = max(s.violation, math.Abs(g))
		s.gap += l.excess(alpha, lack)
		s.dual += move * (g - l.q*move/2)
		a := l.y * move
		f.beta[i] = l.y * to
		for k, j := range index {
			w[j] += a * value[k]
		}
		b += s.rho * a
		sum += a
	}
	s.b, s.sum = b, sum
	return work
}

// excess returns φᵢ(f) − dᵢ(βᵢ) + βᵢf for lack = 1 − yf, up to rounding. It has no branch that depends on the
// score: half of these would be guessed wrong.
func (l *label) excess(alpha, lack float64) float64 {
	outside := max(0, lack)
	loss := l.price * outside
	if l.curve > 0 {
		loss *= outside
	}
	return max(0, loss+alpha*(l.curve*alpha/2-lack))
}

// rests counts a visit without a move, to a row whose α, if it is at a corner, would stay there until its
// score changed by |g|. It reports whether the row is to be set aside.
func (s *sweep) rests(f *rows, i int, g float64, corner bool) bool {
	if !corner {
		return false
	}
	if f.calm[i] < calmEnough {
		f.calm[i]++
	}
	ease := math.Abs(g)
	return !s.keep && (ease > s.ease || ease > 0 && f.calm[i] == calmEnough && !s.keepAll)
}
