package plots

import (
	"slices"

	"github.com/svmkit/course/svmkit"
	"github.com/svmkit/course/svmkit/perceptron"
)

// Planes rebuilds the planes of a run from its trace: w after k mistakes is the sum of y·x
// over them, and with bias b is the sum of y. That holds for runs from w = 0 with step size
// 1; other step sizes give the same planes, with w and b scaled.
func Planes(set *svmkit.Dataset, trace []perceptron.Mistake, bias bool) ([]PlaneStep, error) {
	if err := set.Validate(); err != nil {
		return nil, err
	}
	h := svmkit.Hyperplane{W: make([]float64, set.Dim)}
	steps := make([]PlaneStep, len(trace))
	for k, m := range trace {
		if m.Index < 0 || m.Index >= set.Len() {
			return nil, &svmkit.ParamError{Name: "Index", Value: m.Index, Need: "must be a row of the set"}
		}
		before := h
		h.W = slices.Clone(h.W)
		y := set.Y[m.Index]
		set.X[m.Index].AddTo(h.W, y)
		if bias {
			h.B += y
		}
		steps[k] = PlaneStep{Before: before, After: h, Index: m.Index}
	}
	return steps, nil
}
