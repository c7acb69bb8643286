package svm_test

import (
	"context"
	"errors"
	"testing"

	"github.com/svmkit/course/svmkit"
	"github.com/svmkit/course/svmkit/loss"
	"github.com/svmkit/course/svmkit/svm"
)

// What Fitter's function returns is what Fit returns for that set.
func TestFitterIsFit(t *testing.T) {
	p, o := svm.Problem{Loss: loss.SquaredHinge{}, C: svm.PerSum(0.3)}, &svm.Settings{Tol: 1e-8}
	fit := svm.Fitter(p, svm.DualCoordinate{}, o)
	for _, n := range []int{10, 30} {
		set := overlapping(n)
		got, err := fit(t.Context(), set)
		if err != nil {
			t.Fatal(err)
		}
		p.Data = set
		want, err := svm.Fit(t.Context(), &p, svm.DualCoordinate{}, o)
		if err != nil {
			t.Fatal(err)
		}
		if r := got.(*svm.Result); r.Primal != want.Primal || r.Model.Bias != want.Model.Bias {
			t.Errorf("n = %d: primal %g, b = %g; Fit has %g, %g", n, r.Primal, r.Model.Bias, want.Primal, want.Model.Bias)
		}
	}
}

// After an error the fitter returns nil itself, and no interface that holds a nil pointer.
func TestFitterReturnsNoTypedNil(t *testing.T) {
	ended, end := context.WithCancel(t.Context())
	end()
	var param *svmkit.ParamError
	for name, c := range map[string]struct {
		ctx context.Context
		p   svm.Problem
		set *svmkit.Dataset
		is  func(error) bool
	}{
		"cancelled": {ended, svm.Problem{}, overlapping(10), func(err error) bool { return errors.Is(err, context.Canceled) }},
		"bad C":     {t.Context(), svm.Problem{C: svm.PerSum(-1)}, overlapping(10), func(err error) bool { return errors.As(err, &param) && param.Name == "C" }},
		"no set":    {t.Context(), svm.Problem{}, nil, func(err error) bool { return err != nil }},
	} {
		if m, err := svm.Fitter(c.p, nil, nil)(c.ctx, c.set); m != nil || !c.is(err) {
			t.Errorf("%s: %T, %v", name, m, err)
		}
	}
}
