package svm

import (
	"math"

	"github.com/svmkit/course/svmkit"
	"github.com/svmkit/course/svmkit/internal/gauss"
	"github.com/svmkit/course/svmkit/internal/simd"
)

// workingBlock is the problem in the β of a working set, all others fixed: steps as of [SMO], on
// a square of kernel values that is all there. By slot:
type workingBlock struct {
	gauss.Block           // rows of the task and their kernel values
	t           *task     // merged
	r           *run      // asked now and then whether it is over
	entered     []int     // round in which the slot got its row
	beta, score []float64 // scores with the bias, unless that is free
	up, down    []float64 // dᵢ′(βᵢ+) or −∞, dᵢ′(βᵢ−) or +∞
	diag, soft  []float64 // Kᵢᵢ, plus 1 with a penalized bias; plus 1/(2c) of the side β falls to
	steps       int       // since it was last set to zero
	gain        float64   // of the dual objective, since it was last set to zero
}

func newWorkingBlock(t *task, r *run, q int) *workingBlock {
	b := &workingBlock{Block: gauss.NewBlock(q), t: t, r: r, entered: make([]int, q)}
	for _, v := range []*[]float64{&b.beta, &b.score, &b.up, &b.down, &b.diag, &b.soft} {
		*v = make([]float64, q)
	}
	return b
}

// slopes returns dᵢ′(β+), or −∞ at the upper end of the box, and dᵢ′(β−), or +∞ at the lower end.
func (t *task) slopes(i int, beta float64) (up, down float64) {
	lo, hi := t.box(i)
	up, down = math.Inf(-1), math.Inf(1)
	if beta < hi {
		up = t.slope(i, beta, beta >= 0)
	}
	if beta > lo {
		down = t.slope(i, beta, beta > 0)
	}
	return up, down
}

func (b *workingBlock) setSlopes(s int) {
	i := int(b.Set[s])
	b.up[s], b.down[s] = b.t.slopes(i, b.beta[s])
	b.soft[s] = b.diag[s] + b.t.softness(i, b.beta[s] > 0)
}

// stepsAtOnce is the number of steps between two questions whether the run is over: about a
// millisecond.
const stepsAtOnce = 512

// optimise takes steps until no pair violates the optimality conditions by more than tol, or most
// of them were taken.
func (b *workingBlock) optimise(tol float64, most int) {
	for s := range b.Set {
		b.setSlopes(s)
	}
	step := b.single
	if b.t.bias == svmkit.FreeBias {
		step = b.pairs()
	}
	for k := 0; k < most && step(tol); k++ {
		b.steps++
		if b.steps%stepsAtOnce == 0 && b.r.ended() {
			return
		}
	}
}

// pairs returns the step for Σβ fixed: β rises at the slot of the largest U and falls at that of the
// largest gain. The pass that moves the scores finds the next U.
func (b *workingBlock) pairs() (step func(tol float64) bool) {
	high, p, low := simd.MovePair(b.score, b.Line(0), b.Line(0), [2]float64{}, b.up, b.down)
	return func(tol float64) bool {
		if !(high-low > tol) {
			return false
		}
		i, u := int(b.Set[p]), b.up[p]-b.score[p]
		s := simd.BestPartner(b.score, b.down, b.soft, b.Line(p), u, b.diag[p]+b.t.softness(i, b.beta[p] >= 0))
		if s < 0 {
			return false
		}
		rise, fall := b.t.ray(i, b.beta[p], 1), b.t.ray(int(b.Set[s]), b.beta[s], -1)
		b.gain += climb(&rise, &fall, u-(b.down[s]-b.score[s]), b.diag[p]+b.diag[s]-2*float64(b.Line(p)[s]))
		change := [2]float64{rise.beta - b.beta[p], fall.beta - b.beta[s]}
		if change == [2]float64{} {
			return false
		}
		b.put(p, rise.beta)
		b.put(s, fall.beta)
		high, p, low = simd.MovePair(b.score, b.Line(p), b.Line(s), change, b.up, b.down)
		return true
	}
}

// single is the step where Σβ is free: the β of the largest gain moves.
func (b *workingBlock) single(tol float64) bool {
	best, p, dir := 0.0, -1, 1.0
	for s, f := range b.score {
		slope, sign, curvature := b.up[s]-f, 1.0, b.diag[s]
		if d := f - b.down[s]; d > slope {
			slope, sign, curvature = d, -1, b.soft[s]
		}
		if slope > tol {
			if gain := slope * slope / max(curvature, tinyCurvature); gain > best {
				best, p, dir = gain, s, sign
			}
		}
	}
	if p < 0 {
		return false
	}
	slope := b.up[p] - b.score[p]
	if dir < 0 {
		slope = b.score[p] - b.down[p]
	}
	one, still := b.t.ray(int(b.Set[p]), b.beta[p], dir), ray{room: math.Inf(1)}
	b.gain += climb(&one, &still, slope, b.diag[p])
	change := one.beta - b.beta[p]
	if change == 0 {
		return false
	}
	b.put(p, one.beta)
	plus := 0.0
	if b.t.bias == svmkit.PenalizedBias {
		plus = 1
	}
	for s, v := range b.Line(p) {
		b.score[s] += change * (float64(v) + plus)
	}
	return true
}

func (b *workingBlock) put(s int, beta float64) {
	b.beta[s] = beta
	b.r.updates++
	b.setSlopes(s)
}
