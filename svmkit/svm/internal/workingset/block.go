package workingset

import (
	"github.com/svmkit/course/svmkit"
	"github.com/svmkit/course/svmkit/internal/gauss"
	"github.com/svmkit/course/svmkit/internal/simd"
	"github.com/svmkit/course/svmkit/svm/internal/core"
)

// workingBlock is the problem in the β of a working set, with all other β fixed. It takes the steps
// of [SMO] on a square of kernel values that is computed in advance. The positions of its variables
// are the slots of the block. Its scores include a penalized bias.
type workingBlock struct {
	gauss.Block // rows of the task and their kernel values
	variables
	entered []int   // the round in which the slot got its row
	steps   int     // since it was last set to zero
	gain    float64 // of the dual objective, since it was last set to zero
}

func newWorkingBlock(t *core.Task, r *core.Run, q int, beta []float64) *workingBlock {
	b := gauss.NewBlock(q)
	return &workingBlock{Block: b, variables: newVariables(t, r, b.Set, beta),
		entered: make([]int, q)}
}

// stepsAtOnce is the number of steps between two checks whether the run is over, about a
// millisecond.
const stepsAtOnce = 512

// optimise takes steps until no pair violates the optimality conditions by more than tol, or until
// it has taken the given number of steps.
func (b *workingBlock) optimise(tol float64, most int) {
	for s := range b.Set {
		b.setSlopes(s)
	}
	step := b.single
	if b.t.Bias == svmkit.FreeBias {
		step = b.pairs()
	}
	for k := 0; k < most && step(tol); k++ {
		b.steps++
		if b.steps%stepsAtOnce == 0 && b.r.Ended() {
			return
		}
	}
}

// pairs returns the step for a fixed Σβ: β rises at the slot of the largest U and falls at the slot
// of the largest gain. The pass that moves the scores also finds the next U. The comment at
// smo.movePair explains why it does not share this code.
func (b *workingBlock) pairs() (step func(tol float64) bool) {
	high, p, low := simd.MovePair(b.score, b.Line(0), b.Line(0), [2]float64{}, b.up, b.down)
	return func(tol float64) bool {
		if !(high-low > tol) {
			return false
		}
		q := simd.BestPartner(b.score, b.down, b.QD, b.Line(p), b.up[p]-b.score[p],
			b.risingCurvature(p), b.leastCurvature)
		if q < 0 {
			return false
		}
		changes, gain := b.stepPair(p, q, float64(b.Line(p)[q]))
		b.gain += gain
		if changes == [2]float64{} {
			return false
		}
		high, p, low = simd.MovePair(b.score, b.Line(p), b.Line(q), changes, b.up, b.down)
		return true
	}
}

// single is the step if Σβ may change: it moves the β of the largest gain.
func (b *workingBlock) single(tol float64) bool {
	p, dir := b.largestGain(len(b.Set), 0, tol)
	if p < 0 {
		return false
	}
	change, gain := b.stepOne(p, dir, 0)
	b.gain += gain
	if change == 0 {
		return false
	}
	plus := 0.0
	if b.t.Bias == svmkit.PenalizedBias {
		plus = 1
	}
	for k, v := range b.Line(p) {
		b.score[k] += change * (float64(v) + plus)
	}
	return true
}
