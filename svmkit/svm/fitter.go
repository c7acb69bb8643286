package svm

import (
	"context"

	"github.com/svmkit/course/svmkit"
)

// Fitter returns a fitter that solves p for every set it is given, for packages that train many
// models.
//
// p.Data is ignored. s and o may be nil, as for [Fit]. The fitter returns a [*Result], even if the
// fit ended above the tolerance; check its Status. If Fit returns an error, the fitter returns it
// without a model.
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
