package svm

import (
	"context"

	"github.com/svmkit/course/svmkit"
)

// Fitter returns the fitter that solves p for every set that it is given, for package multiclass,
// cross-validation and other code that trains many models. p.Data is not used. s and o may be nil, as for [Fit]. What the fitter returns is a [*Result], also where
// the fit has ended above the tolerance, which its Status says; or nil and the error of Fit.
func Fitter(p Problem, s Solver, o *Settings) svmkit.Fitter {
	return func(ctx context.Context, train *svmkit.Dataset) (svmkit.Model, error) {
		p := p
		p.Data = train
		r, err := Fit(ctx, &p, s, o)
		if err != nil {
			return nil, err // and no model: an interface that holds a nil *Result is not nil
		}
		return r, nil
	}
}
