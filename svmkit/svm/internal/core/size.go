package core

import (
	"math"

	"github.com/svmkit/course/svmkit"
)

// floorShare is Certificate.Floor as a share of the objective of the best constant model.
// oneClassShare is the same share of ½(νn)²·max K(xᵢ,xᵢ) for a one-class problem, whose objective is
// 0 at w = 0. No ½‖w‖² of a feasible α exceeds it. If the origin is in the hull of the data, the
// optimum is 0, and rounding leaves a gap of some 1e-17 of it.
const floorShare, oneClassShare = 1e-12, 1e-8

// Size returns the size of an objective that a gap is relative to: see
// [svmkit.Certificate.RelativeGap].
func (t *Task) Size(objective float64) float64 { return max(math.Abs(objective), t.Floor()) }

// Floor returns the Floor of the task's certificates. It is 0 for a hard margin, whose optimum is
// not close to 0, and for a hard tube.
func (t *Task) Floor() float64 {
	if t.floor == nil {
		floor := 0.0
		if t.Sum > 0 {
			floor = oneClassShare / 2 * t.Sum * t.largestDiagonal() * t.Sum
		} else if !t.Hard {
			floor = floorShare * t.constantLoss()
		}
		t.floor = &floor
	}
	return *t.floor
}

// constantIsOptimal reports whether the best constant model has no loss, so that w = 0 is optimal.
func (t *Task) constantIsOptimal() bool { return t.Sum == 0 && t.constantLoss() == 0 }

// constantLoss returns the objective at w = 0 and the best b, which is 0 unless it is free.
func (t *Task) constantLoss() float64 {
	scores := t.Memory.Zeros(t.Len())
	defer t.Memory.put(scores)
	t.addBias(new(Proof), scores, 0)
	return t.SumRows(func(from, to int) (sum float64) {
		for i := from; i < to; i++ {
			sum += t.Loss[i].Value(scores[i])
		}
		return sum
	})
}

// largestDiagonal returns the largest K(xᵢ,xᵢ), or 0 if the kernel fails.
func (t *Task) largestDiagonal() (most float64) {
	if t.Linear() {
		for i := range t.X {
			most = max(most, t.X[i].SquaredNorm())
		}
		return most
	}
	diagonal, err := t.KernelRows().Evaluator().Diagonal()
	if err != nil {
		return 0
	}
	for _, v := range diagonal {
		most = max(most, v)
	}
	return most
}

// ScoreUnit returns the unit of scores, for tolerances of solvers: 1 in classification, νn·max K(xᵢ,xᵢ) for a one-class problem, and in regression the largest distance
// of two edges of tubes, or with a fixed bias of an edge from 0. It is 0 if all scores can be 0.
func (t *Task) ScoreUnit() float64 {
	switch {
	case t.Sum > 0:
		return t.Sum * t.largestDiagonal()
	case !t.TwoSided:
		return 1
	}
	low, high := math.Inf(1), math.Inf(-1)
	for i := range t.Loss {
		low, high = min(low, t.Loss[i].Low), max(high, t.Loss[i].High)
	}
	if t.Bias == svmkit.FreeBias {
		return high - low
	}
	return max(math.Abs(low), math.Abs(high))
}
