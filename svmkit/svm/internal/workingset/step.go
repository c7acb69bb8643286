package workingset

import (
	"math"

	"github.com/svmkit/course/svmkit/svm/internal/core"
)

// variables are the dual variables that steps move: the rows that SMO has not shrunk, or the
// working set of Decomposition. Each variable has a position. All slices are by position except
// beta, which is by row of the task.
type variables struct {
	t        *core.Task
	r        *core.Run
	rows     []int32   // a row for each position
	beta     []float64 // by row
	score    []float64 // Σⱼ βⱼKᵢⱼ
	up, down []float64 // dᵢ′(βᵢ+) or −∞, dᵢ′(βᵢ−) or +∞
	// diagQ is Kᵢᵢ, plus 1 with a penalized bias, and QD is diagQ plus 1/(2c) of the side to which
	// β would fall.
	diagQ, QD []float64
	// leastCurvature replaces a curvature Kᵢᵢ + Kⱼⱼ − 2Kᵢⱼ that is not above it, because φ maps two rows to
	// one point or the kernel is indefinite. The step then goes to the end of a box, or far.
	leastCurvature float64
}

// flatShare is leastCurvature as a share of the largest |Kᵢᵢ|.
const flatShare = 1e-12

// newVariables returns variables at n positions, with all numbers zero.
func newVariables(t *core.Task, r *core.Run, rows []int32, beta []float64) variables {
	v := variables{t: t, r: r, rows: rows, beta: beta}
	for _, s := range []*[]float64{&v.score, &v.up, &v.down, &v.diagQ, &v.QD} {
		*s = make([]float64, len(rows))
	}
	return v
}

// setSlopes computes up, down and QD of a position from its β.
func (v *variables) setSlopes(p int) {
	l, beta := v.loss(p), v.at(p)
	v.up[p], v.down[p] = l.DualSlopes(beta)
	v.QD[p] = v.diagQ[p] + l.DualCurvature(beta > 0)
}

func (v *variables) loss(p int) *core.Loss { return &v.t.Loss[v.rows[p]] }

func (v *variables) at(p int) float64 { return v.beta[v.rows[p]] }

// risingCurvature is diagQ plus 1/(2c) of the side to which β would rise.
func (v *variables) risingCurvature(p int) float64 {
	return v.diagQ[p] + v.loss(p).DualCurvature(v.at(p) >= 0)
}

// stepPair lets β rise at position p and fall at position q, by the amount that is best, where kpq
// is their kernel value. It returns the changes and the gain of the dual objective. It leaves the
// scores as they are.
func (v *variables) stepPair(p, q int, kpq float64) (changes [2]float64, gain float64) {
	rise, fall := newRay(v.loss(p), v.at(p), 1), newRay(v.loss(q), v.at(q), -1)
	slope := v.up[p] - v.score[p] - (v.down[q] - v.score[q])
	gain = climb(&rise, &fall, slope, v.diagQ[p]+v.diagQ[q]-2*kpq, v.leastCurvature)
	changes = [2]float64{rise.beta - v.at(p), fall.beta - v.at(q)}
	if changes != [2]float64{} {
		v.put(p, rise.beta)
		v.put(q, fall.beta)
	}
	return changes, gain
}

// largestGain returns the position below n with the largest gain of a single variable,
// slope²/curvature, and the direction of this variable. It considers slopes above tol only, and
// returns −1 if there are none.
func (v *variables) largestGain(n int, bias, tol float64) (p int, dir float64) {
	best := 0.0
	p, dir = -1, 1
	score, up, down, diag, soft := v.score[:n], v.up[:n], v.down[:n], v.diagQ[:n], v.QD[:n]
	for k, s := range score {
		f := s + bias
		slope, sign, curvature := up[k]-f, 1.0, diag[k]
		if d := f - down[k]; d > slope {
			slope, sign, curvature = d, -1, soft[k]
		}
		if slope > tol {
			if gain := slope * slope / max(curvature, v.leastCurvature); gain > best {
				best, p, dir = gain, k, sign
			}
		}
	}
	return p, dir
}

// stepOne moves β at position p in a direction, by the amount that is best. It returns the change
// and the gain of the dual objective. It leaves the scores as they are.
func (v *variables) stepOne(p int, dir, bias float64) (change, gain float64) {
	slope := v.up[p] - v.score[p] - bias
	if dir < 0 {
		slope = v.score[p] + bias - v.down[p]
	}
	one, fixed := newRay(v.loss(p), v.at(p), dir), ray{distance: math.Inf(1)}
	gain = climb(&one, &fixed, slope, v.diagQ[p], v.leastCurvature)
	if change = one.beta - v.at(p); change != 0 {
		v.put(p, one.beta)
	}
	return change, gain
}

func (v *variables) put(p int, beta float64) {
	v.beta[v.rows[p]] = beta
	v.r.Updates++
	v.setSlopes(p)
}

// ray is one variable on its way: from beta, in a direction, through the pieces on which the slope
// of dᵢ is linear.
type ray struct {
	loss     *core.Loss
	beta     float64
	dir      float64 // +1 or −1
	stop     float64 // where this piece ends
	distance float64 // |stop − beta|
	// drop is how much the slope of the dual drops at stop; +∞ at the end of the box.
	drop      float64
	curvature float64 // −dᵢ″ on this piece
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
	r.curvature = l.DualCurvature(beta > 0 || beta == 0 && dir > 0)
	if beta*dir < 0 { // zero lies ahead
		r.stop = 0
		if end != 0 {
			r.drop = l.High - l.Low
		}
	}
	r.distance = math.Abs(r.stop - beta)
	return r
}

// climb moves two rays by the same length, to the maximum of the dual objective along them, and
// returns the gain. slope > 0 is the derivative of the objective at the start, and curvature is the
// kernel's part of minus its second derivative. The rays know the part of the losses. A curvature
// below flat counts as flat.
//
// The derivative falls along the way, linearly on each piece and by a drop at each zero, so the
// maximum is where the derivative is first not positive. Bounds and zeros are hit exactly.
func climb(a, b *ray, slope, curvature, flat float64) (gain float64) {
	for slope > 0 {
		c := max(curvature+a.curvature+b.curvature, flat)
		length := min(slope/c, a.distance, b.distance)
		if math.IsInf(length, 1) {
			return gain // an infinite slope
		}
		gain += length * (slope - c*length/2)
		slope -= c * length
		endA, endB := length == a.distance, length == b.distance
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
	if length == r.distance {
		r.beta, r.distance = r.stop, 0
		return
	}
	r.beta += r.dir * length
	r.distance -= length
}

// next enters the piece after a zero.
func (r *ray) next() {
	if !math.IsInf(r.drop, 1) {
		*r = newRay(r.loss, 0, r.dir)
	}
}

// violation returns the largest violation of the optimality conditions for a bias that is not free.
func violation(score, up, down []float64, bias float64) (most float64) {
	for k, v := range score {
		f := v + bias
		most = max(most, up[k]-f, f-down[k])
	}
	return most
}

// countSupport returns how many β are not zero.
func countSupport(beta []float64) (n int) {
	for _, v := range beta {
		if v != 0 {
			n++
		}
	}
	return n
}
