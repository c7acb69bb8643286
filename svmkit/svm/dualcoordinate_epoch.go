package svm

import (
	"math"
	"math/rand/v2"

	"github.com/svmkit/course/svmkit"
	"github.com/svmkit/course/svmkit/internal/simd"
)

// descent is the state of dual coordinate descent on a linear task. Between steps
// w = Σβᵢxᵢ and b = centre + ρΣβᵢ.
type descent struct {
	t    *task
	r    *run
	beta []float64 // r.beta, each in its box
	c    []coordinate
	rng  *rand.Rand

	w      []float64 // Σβᵢxᵢ, length dim
	b      float64   // centre + ρΣβᵢ
	rho    float64   // weight of (Σβᵢ)²/2 in the dual; 0 without bias
	centre float64   // share·b₀, see freebias.go; 0 without bias
	share  float64   // in (0, 1]

	order   []int32 // all rows, the active ones first
	active  int     // how many rows are visited, order[:active]
	spread  bool    // over more memory than a cache holds
	keepAll bool
	calm    []uint8 // for how many visits in a row βᵢ has stood still, up to calmEnough

	visits int // of rows, in all epochs

	// Of the last epoch, from the scores at the moment of each visit:
	wasFull   bool
	gap       float64 // Σ over visits of φᵢ(f) − dᵢ(βᵢ) + βᵢf, which is the duality gap at fixed scores
	violation float64 // largest |pull|
	sum       float64 // Σβᵢ
	imbalance float64 // Σβᵢ − rb

	ease      float64 // rows easier than this are set aside: the violation of the epoch before
	restoreAt float64 // take all rows back when the violation of the active ones is below
	dual      float64 // dual objective, for the scale of the gap only
	trust     float64 // share of the tolerance that the estimated gap must reach, in (0, 1]
}

func newDescent(t *task, r *run, rng *rand.Rand) *descent {
	d := &descent{t: t, r: r, beta: r.beta, rng: rng, w: make([]float64, t.dim), order: make([]int32, t.len()), calm: make([]uint8, t.len()),
		restoreAt: math.Inf(1), trust: 1}
	for i := range d.order {
		d.order[i] = int32(i)
	}
	d.c = newCoordinates(t, func(i int) float64 { return t.x[i].SquaredNorm() })
	d.prepareBias()
	bytes := 0
	for i := range d.c {
		d.c[i].q += d.rho
		bytes += 12*len(t.x[i].Value) + 128
	}
	d.spread = bytes > 1<<18
	d.rebuild()
	d.restore()
	return d
}

// epoch visits each active row once, in random order. It returns false if the context ended.
//
// Invariant: w and b belong to β before each visit, and each visit leaves the dual objective
// at least as high.
func (d *descent) epoch() bool {
	d.wasFull, d.gap, d.violation = d.active == d.t.len(), 0, 0
	d.visits++ // an epoch is never free: so a limit on epochs ends every run
	work, drawn := 0, 0
	for k := 0; k < d.active; k++ {
		drawn = d.draw(k, drawn)
		if work > workBetweenLooks {
			if work = 0; d.r.ended() {
				return false
			}
		}
		i := d.order[k]
		x := &d.t.x[i]
		work += len(x.Value) + 8
		d.visits++
		f := rowDot(x, d.w) + d.b
		pull, ease := d.c[i].pull(d.beta[i], f)
		if pull != 0 {
			d.violation = max(d.violation, math.Abs(pull))
			d.step(int(i), f)
			d.calm[i] = 0
			continue
		}
		if d.calm[i] < calmEnough {
			d.calm[i]++
		}
		if ease > d.ease || ease > 0 && d.calm[i] == calmEnough && !d.keepAll {
			d.active--
			drawn-- // the last row drawn takes the place of row i, and one not drawn yet its place
			d.order[k], d.order[drawn], d.order[d.active] = d.order[drawn], d.order[d.active], i
			k--
		}
	}
	if d.ease = d.violation; d.ease == 0 || d.keepAll {
		d.ease = math.Inf(1)
	}
	if math.IsInf(d.restoreAt, 1) {
		d.restoreAt = d.violation / 10
	}
	return true
}

// draw puts the rows of the next few visits into their places in the order and returns how many are there
// now, the one of visit k included. All that belongs to a row lies somewhere in memory: it is asked
// for in time, as it would otherwise cost more than the visit itself.
func (d *descent) draw(k, drawn int) int {
	for ; drawn < min(k+lookAhead, d.active); drawn++ {
		j := drawn + int(d.rng.Uint32N(uint32(d.active-drawn)))
		i := d.order[j]
		d.order[drawn], d.order[j] = i, d.order[drawn]
		if d.spread {
			simd.Prefetch(&d.t.x[i])
			simd.Prefetch(&d.c[i])
			simd.Prefetch(&d.beta[i])
		}
	}
	if next := k + lookAhead/2; d.spread && next < drawn {
		x := &d.t.x[d.order[next]]
		simd.PrefetchRow(x.Index, x.Value)
	}
	return drawn
}

// lookAhead is how many visits ahead a row is asked for, and its numbers at half of that. 4 is as
// good within the noise; without, an epoch over text takes twice the time.
const lookAhead = 6

// calmEnough is after how many visits without a move a row at a corner is set aside, whatever its
// ease. The rule of the papers, ease above the largest violation, alone lets one outlier
// keep all rows in: on one measured set it costs 20 times as many visits. Of 5, 10 and 20 the first was best.
const calmEnough = 5

// workBetweenLooks is the number of values to touch between two looks at the context: well
// under a millisecond.
const workBetweenLooks = 1 << 17

// step moves βᵢ to its optimum, given the score f of row i.
func (d *descent) step(i int, f float64) {
	old := d.beta[i]
	v := d.c[i].optimum(old, f)
	before := d.c[i].dual(old)
	d.gap += max(0, d.c[i].loss(f)-before+old*f)
	if v == old {
		return
	}
	move := v - old
	d.beta[i] = v
	rowAdd(&d.t.x[i], d.w, move)
	d.b += d.rho * move
	d.sum += move
	d.dual += d.c[i].dual(v) - before - move*(f+d.c[i].q*move/2)
	d.r.updates++
}

// restore takes all rows back.
func (d *descent) restore() {
	d.active, d.ease = d.t.len(), math.Inf(1)
}

// rebuild computes w, b and the dual objective from β, so that rounding does not pile up.
func (d *descent) rebuild() {
	clear(d.w)
	d.dual, d.sum = 0, 0
	for i, v := range d.beta {
		if v != 0 {
			rowAdd(&d.t.x[i], d.w, v)
			d.dual += d.t.dual(i, v)
			d.sum += v
		}
	}
	d.b = d.centre + d.rho*d.sum
	for _, v := range d.w {
		d.dual -= v * v / 2
	}
	d.dual -= d.rho * d.sum * d.sum / 2
}

// exhausted reports whether the last epoch's largest violation is of the size of the rounding
// in a score.
func (d *descent) exhausted() bool {
	size := 1 + math.Abs(d.b)
	for _, v := range d.w {
		size += math.Abs(v)
	}
	return d.violation+math.Abs(d.imbalance) <= epsilon*size
}

// rowDot returns ⟨w,x⟩.
func rowDot(x *svmkit.Row, w []float64) float64 {
	if x.Index == nil {
		return simd.Dot(x.Value, w)
	}
	return simd.DotSparse(x.Index, x.Value, w)
}

// rowAdd adds a·x to w.
func rowAdd(x *svmkit.Row, w []float64, a float64) {
	if x.Index == nil {
		simd.Axpy(a, x.Value, w)
	} else {
		simd.AxpySparse(a, x.Index, x.Value, w)
	}
}
