package multiclass

import (
	"context"
	"fmt"
	"math"

	"github.com/svmkit/course/svmkit"
)

// CrammerSinger is the multiclass problem with one slack a row (Crammer and Singer 2001):
//
//	minimise   P(w) = ½ Σₖ‖wₖ‖² + Σᵢ Cᵢ maxₖ (eᵢₖ + ⟨wₖ − w_yᵢ, xᵢ⟩),   eᵢₖ = 1 for k ≠ yᵢ, else 0
//	maximise   D(α) = −½ Σₖ‖wₖ‖² + Σᵢ αᵢ_yᵢ,   wₖ = Σᵢ αᵢₖ xᵢ
//	           over Σₖ αᵢₖ = 0,  αᵢₖ ≤ Cᵢ for k = yᵢ,  αᵢₖ ≤ 0 for k ≠ yᵢ
//
// with Cᵢ = C times the weight of row i. A row has a loss when the score of another class comes within 1 of that of its own. The term of
// k = yᵢ is 0, so the loss is never negative. For two classes this is the binary hinge problem at 2C,
// and P is half of its objective.
type CrammerSinger struct {
	Data *svmkit.Dataset // labels as the package's documentation says
	C    float64         // > 0; 0 means 1
	// Bias is NoBias if zero. PenalizedBias adds the constant feature 1, bₖ being its weight; for
	// another constant see [svmkit.Dataset.Augment]. FreeBias is refused: it couples the rows by
	// Σᵢ αᵢₖ = 0, and the solver changes one row's α at a time.
	Bias svmkit.Bias
}

// Certify rebuilds the model and both objectives from the data and α alone, whoever
// computed it: n rows of K numbers. α is first made feasible: a positive αᵢₖ of a class k ≠ yᵢ
// becomes 0, row sums beyond Cᵢ are scaled down to it, and αᵢ_yᵢ is set so that the row adds up
// to 0. KKT is the largest maxₖ gᵢₖ − min{gᵢₖ : αᵢₖ below its bound} with gᵢₖ = ⟨wₖ,xᵢ⟩ + eᵢₖ.
//
// As nothing was fitted, Status, Iterations and Updates are zero.
func (p CrammerSinger) Certify(alpha [][]float64) (*Solution, error) {
	s, err := p.prepare()
	if err != nil {
		return nil, err
	}
	if len(alpha) != p.Data.Len() {
		return nil, &svmkit.DataError{Row: svmkit.NoPlace, Col: svmkit.NoPlace,
			Err: fmt.Errorf("%w: α has %d rows, the data %d", svmkit.ErrMismatch, len(alpha), p.Data.Len())}
	}
	for i, row := range alpha {
		if len(row) != s.k {
			return nil, &svmkit.DataError{Row: i, Col: svmkit.NoPlace, Value: float64(len(row)),
				Err: fmt.Errorf("%w: a row of α must have one number for each of %d classes", svmkit.ErrMismatch, s.k)}
		}
		for k, v := range row {
			if math.IsNaN(v) || math.IsInf(v, 0) {
				return nil, &svmkit.DataError{Row: i, Col: k, Value: v, Err: svmkit.ErrNotFinite}
			}
		}
		copy(s.row(i), row)
	}
	return s.certify(), nil
}

// Fitter returns the [svmkit.Fitter] that solves p for other data; p.Data is not used. A fit that
// ends above the tolerance is no error.
func (p CrammerSinger) Fitter(settings *Settings) svmkit.Fitter {
	return func(ctx context.Context, train *svmkit.Dataset) (svmkit.Model, error) {
		p := p
		p.Data = train
		solution, err := p.Fit(ctx, settings)
		if err != nil {
			return nil, err // and no model: see svmkit.Fitter
		}
		return solution, nil
	}
}

func (p CrammerSinger) validate() error {
	if !(p.C >= 0) || math.IsInf(p.C, 1) {
		return &svmkit.ParamError{Name: "C", Value: p.C, Need: "must be positive and finite (0 means 1)"}
	}
	switch p.Bias.Or(svmkit.NoBias) {
	case svmkit.NoBias, svmkit.PenalizedBias:
		return nil
	case svmkit.FreeBias:
		return &svmkit.ParamError{Name: "Bias", Value: p.Bias, Need: "must be NoBias or PenalizedBias: a free bias couples the rows, and the solver changes one at a time"}
	}
	return &svmkit.ParamError{Name: "Bias", Value: int(p.Bias), Need: "must be NoBias or PenalizedBias (0 means NoBias)"}
}
