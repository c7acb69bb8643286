package kernelrows_test

import (
	"math"
	"runtime"
	"testing"

	"github.com/svmkit/course/svmkit"
	"github.com/svmkit/course/svmkit/internal/kernelrows"
)

// A row of one number in the last of 2³¹ columns is short, and so must be what it takes.
func TestRowsOfManyColumnsNeedNoMemoryForThem(t *testing.T) {
	rows := []svmkit.Row{
		{Index: []int32{0, math.MaxInt32 - 1}, Value: []float64{1, 2}},
		{Index: []int32{5, math.MaxInt32 - 1}, Value: []float64{-1, 0.5}},
		{Index: []int32{}},
	}
	for _, name := range []string{"linear", "quadratic", "rbf", "laplacian", "sigmoid"} {
		var before, after runtime.MemStats
		runtime.ReadMemStats(&before)
		e := kernelrows.New(all[name], rows, math.MaxInt32).Evaluator()
		for i := range rows {
			for j, got := range fill(t, e, i, []int32{0, 1, 2}) {
				if want := all[name].Eval(rows[i], rows[j]); got != want {
					t.Errorf("%s of rows %d and %d: %g, want %g", name, i, j, got, want)
				}
			}
		}
		runtime.ReadMemStats(&after)
		const enough = 1 << 20 // for six numbers and the test's own
		if grown := after.TotalAlloc - before.TotalAlloc; grown > enough {
			t.Errorf("%s: %d bytes were allocated", name, grown)
		}
	}
}
