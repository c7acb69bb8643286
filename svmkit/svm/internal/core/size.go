package core

import (
	"math"

	"github.com/svmkit/course/svmkit"
)

// floorShare is Certificate.Floor as a share of constantLoss, and oneClassShare as a share of
// ½(νn)²·max K(xᵢ,xᵢ), which no ½‖w‖² of a feasible α exceeds. The objective of a one-class problem
// is 0 at w = 0. If the origin is in the hull of the data, that is the optimum, up to some 1e-17.
const floorShare, oneClassShare = 1e-12, 1e-8

// Size returns what the gap of an objective is relative to.
func (t *Task) Size(objective float64) float64 { return max(math.Abs(objective), t.Floor()) }

// Floor returns Certificate.Floor. It is 0 for a hard margin, whose optimum is not close to 0.
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

// constantIsOptimal reports whether a constant model has no loss, so that w = 0 is optimal.
func (t *Task) constantIsOptimal() bool {
	low, high := 0.0, 0.0
	if t.Bias == svmkit.FreeBias {
		low, high = math.Inf(-1), math.Inf(1)
	}
	for i := 0; i < len(t.Loss) && low <= high; i++ {
		low = max(low, t.Loss[i].Low)
		high = min(high, t.Loss[i].High)
	}
	return low <= high && t.Kind != Logistic && t.Sum == 0
}

// constantLoss returns the objective at w = 0 and, for targets and a free bias, the best b.
func (t *Task) constantLoss() float64 {
	constant := new(Proof)
	if t.TwoSided && t.Bias == svmkit.FreeBias {
		scores := t.Memory.Zeros(t.Len())
		t.addBias(constant, scores, 0)
		t.Memory.put(scores)
	}
	return t.SumRows(func(from, to int) (sum float64) {
		for i := from; i < to; i++ {
			sum += t.Loss[i].Value(constant.Bias)
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

// ScoreUnit returns the unit of scores, for tolerances: 1 in classification, νn·max K(xᵢ,xᵢ) for a
// one-class problem, and in regression the largest distance of two edges of tubes, or of an edge
// from 0 if the bias is not free.
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
