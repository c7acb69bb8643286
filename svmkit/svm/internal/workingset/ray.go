package workingset

import (
	"math"

	"github.com/svmkit/course/svmkit/svm/internal/core"
)

// A ray is one variable on its way: from beta, in a direction, through the pieces on which
// the slope of dᵢ is linear.
type ray struct {
	loss     *core.Loss
	beta     float64
	dir      float64 // +1 or −1
	stop     float64 // where this piece ends
	room     float64 // |stop − beta|
	drop     float64 // by how much the slope of the dual drops there; +∞ at the end of the box
	softness float64 // of this piece
}

// newRay returns the ray of βᵢ from beta. A piece ends at zero, where the sides of the loss meet,
// or at the end of the box.
func newRay(l *core.Loss, beta, dir float64) ray {
	r := ray{loss: l, beta: beta, dir: dir}
	lo, hi := l.Box()
	end := hi
	if dir < 0 {
		end = lo
	}
	r.stop, r.drop = end, math.Inf(1)
	r.softness = l.DualCurvature(beta > 0 || beta == 0 && dir > 0)
	if beta*dir < 0 { // zero lies ahead
		r.stop = 0
		if end != 0 {
			r.drop = l.High - l.Low
		}
	}
	r.room = math.Abs(r.stop - beta)
	return r
}

// climb moves two rays by one length, to the maximum of the dual objective along them, and
// returns the gain. slope > 0 is the objective's derivative at the start, curvature what the
// kernel takes off it for a unit of length; what the losses take off is the rays' own.
//
// The derivative falls along the way, linearly on each piece and by a drop at each zero, so
// the maximum is where it first is not positive. Bounds and zeros are hit exactly.
func climb(a, b *ray, slope, curvature float64) (gain float64) {
	for slope > 0 {
		c := max(curvature+a.softness+b.softness, tinyCurvature)
		length := min(slope/c, a.room, b.room)
		if math.IsInf(length, 1) {
			return gain // an infinite slope: nothing sensible can be done
		}
		gain += length * (slope - c*length/2)
		slope -= c * length
		endA, endB := length == a.room, length == b.room
		a.advance(length)
		b.advance(length)
		if !endA && !endB {
			return gain
		}
		if endA {
			slope -= a.drop
			a.next()
		}
		if endB {
			slope -= b.drop
			b.next()
		}
	}
	return gain
}

func (r *ray) advance(length float64) {
	if length == r.room {
		r.beta, r.room = r.stop, 0
		return
	}
	r.beta += r.dir * length
	r.room -= length
}

// next enters the piece behind a zero.
func (r *ray) next() {
	if !math.IsInf(r.drop, 1) {
		*r = newRay(r.loss, 0, r.dir)
	}
}
