package svm_test

import (
	"errors"
	"math"
	"runtime"
	"strings"
	"testing"

	"github.com/svmkit/course/svmkit"
	"github.com/svmkit/course/svmkit/kernel"
	"github.com/svmkit/course/svmkit/separate"
	"github.com/svmkit/course/svmkit/svm"
)

// brokenIndex is two rows, of which one names the last column there can be.
func brokenIndex(dim int) *svmkit.Dataset {
	return &svmkit.Dataset{Dim: dim, Y: []float64{-1, 1},
		X: []svmkit.Row{{Index: []int32{0}, Value: []float64{1}}, {Index: []int32{int32(dim - 1)}, Value: []float64{1}}}}
}

// With one index that is 2³¹ − 2 a plane would take 16 GiB: it is refused before a byte of it, by
// whatever way.
func TestAbsurdDimIsRefused(t *testing.T) {
	set := brokenIndex(math.MaxInt32)
	for name, fit := range map[string]func() error{
		"nil kernel": func() error { _, err := svm.Fit(t.Context(), &svm.Problem{Data: set}, nil, nil); return err },
		"linear kernel": func() error {
			_, err := svm.Fit(t.Context(), &svm.Problem{Data: set, Kernel: kernel.Linear{}}, nil, nil)
			return err
		},
		"separate.Decide": func() error { _, err := separate.Decide(t.Context(), set, svmkit.FreeBias); return err },
	} {
		var before, after runtime.MemStats
		runtime.ReadMemStats(&before)
		err := fit()
		runtime.ReadMemStats(&after)
		var bad *svmkit.ParamError
		if !errors.As(err, &bad) || bad.Name != "Data.Dim" || !strings.Contains(bad.Need, "2 stored numbers") {
			t.Errorf("%s: %v", name, err)
		}
		if got := after.TotalAlloc - before.TotalAlloc; got > 1<<20 {
			t.Errorf("%s: %d bytes for an error", name, got)
		}
	}
}

// Kernels that need no w have no limit: with x₁ and x₂ orthogonal and of length 1 the problem is
// that of two columns.
func TestAbsurdDimIsNoMatterForKernels(t *testing.T) {
	for _, k := range []kernel.Kernel{kernel.RBF{Gamma: 1}, kernel.Polynomial{Degree: 2, Gamma: 1, Coef0: 1}} {
		wide, err := svm.Fit(t.Context(), &svm.Problem{Data: brokenIndex(math.MaxInt32), Kernel: k}, nil, nil)
		if err != nil {
			t.Errorf("%T: %v", k, err)
			continue
		}
		narrow, err := svm.Fit(t.Context(), &svm.Problem{Data: brokenIndex(2), Kernel: k}, nil, nil)
		const rounding = 1e-14 // kernel values may be computed in other ways
		if err != nil || wide.Status != svmkit.Optimal || math.Abs(wide.Primal-narrow.Primal) > rounding*narrow.Primal {
			t.Errorf("%T: objective %g, of two columns %g; %v, %v", k, wide.Primal, narrow.Primal, wide.Status, err)
		}
	}
}

// A number stored for every 64 columns is reason enough for a long w, and so is a w that is not
// long.
func TestManyNumbersMayHaveManyColumns(t *testing.T) {
	p := &svm.Problem{Data: brokenIndex(1 << 27)}
	if err := p.Validate(); err != nil {
		t.Errorf("2²⁷ columns: %v", err)
	}
	p.Data = brokenIndex(1<<27 + 64)
	if err := p.Validate(); err == nil {
		t.Error("2²⁷ + 64 columns: no error")
	}
	index := make([]int32, 1<<21+1)
	for k := range index {
		index[k] = int32(k)
	}
	p.Data.X[0] = svmkit.Row{Index: index, Value: make([]float64, len(index))}
	if err := p.Validate(); err != nil {
		t.Errorf("2²⁷ + 64 columns of %d numbers: %v", p.Data.NNZ(), err)
	}
}
