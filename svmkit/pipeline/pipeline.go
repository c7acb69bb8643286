package pipeline

import (
	"context"
	"errors"
	"fmt"
	"math"
	"slices"
	"strconv"

	"github.com/svmkit/course/svmkit"
	"github.com/svmkit/course/svmkit/dataset"
	"github.com/svmkit/course/svmkit/feature"
	"github.com/svmkit/course/svmkit/internal/known"
	"github.com/svmkit/course/svmkit/svm"
	"github.com/svmkit/course/svmkit/tune"
)

// Pipeline describes how to make a model of a table. [Pipeline.Fit] makes it.
type Pipeline struct {
	Label string // name of the column with the classes or targets
	// Labels selects the meaning of its fields; by default all of them decide.
	Labels dataset.Labels
	// Weights is the column of the row weights, numbers ≥ 0; "": every row counts once. A table to
	// predict may lack it.
	Weights string
	Columns Columns         // how the other columns become numbers
	Scale   *feature.Scaler // scaling of all the numbers; nil: none

	// Model fits the rows of numbers, for example [svm.Fitter], multiclass.OneVsOne{…}.Fitter(), or
	// your own. A one-class model predicts no class of the table, so [svm.OneClass] needs Labels
	// that are targets (Task: Regression), which it ignores. Its predictions are +1 for rows like
	// the training rows and −1 for outliers.
	Model svmkit.Fitter

	// Probabilities fits probabilities to scores of rows that the model has not seen; nil: the
	// model has no probabilities. All steps are fitted again to the training rows of each fold.
	// [tune.Probabilities.Fitter] must accept the Model.
	Probabilities *tune.Probabilities
}

// Fit fits all steps to the rows of t.
//
// Errors are a [*dataset.FieldError] for a field that cannot be used, a [*ColumnErrors] for such
// fields in several columns, a [*svmkit.ParamError] or [*svmkit.DataError] for the settings and the
// data, and the errors of the scaler and the Model. When ctx ends, Fit returns the error of ctx.
func (p Pipeline) Fit(ctx context.Context, t *dataset.Table) (*Model, error) {
	set, err := p.RowNumbers(t)
	if err != nil {
		return nil, err
	}
	m, err := p.Fitter(t)(ctx, set)
	if err != nil {
		return nil, err
	}
	return m.(*RowModel).Model, nil
}

// Check returns the error that Fit would return for the columns of t, before a long fit.
func (p Pipeline) Check(t *dataset.Table) error {
	if err := t.Validate(); err != nil {
		return err
	}
	list, err := p.Columns.lists(t, p.Label, p.Weights)
	if err != nil {
		return err
	}
	return p.Columns.fitColumns(&Encoder{label: p.Label}, t, list)
}

// RowNumbers returns the set of n rows for package tune whose row i has one column, which holds i.
//
// It has the label and the weight of row i of t, and its classes are the classes of all rows.
// [Pipeline.Fitter] takes the set and its subsets.
func (p Pipeline) RowNumbers(t *dataset.Table) (*svmkit.Dataset, error) {
	y, classes, err := t.Labels(p.Label, p.Labels)
	if err != nil {
		return nil, err
	}
	numbers := make([]float64, len(y))
	for i := range numbers {
		numbers[i] = float64(i)
	}
	weights, err := p.weights(t)
	if err != nil {
		return nil, err
	}
	return &svmkit.Dataset{X: svmkit.DenseRows(numbers, 1), Y: y, Weight: weights, Dim: 1, Classes: classes, Label: p.Label}, nil
}

// weights returns the weights of the rows of t; nil if t has no column of weights.
func (p Pipeline) weights(t *dataset.Table) ([]float64, error) {
	if p.Weights == "" {
		return nil, nil
	}
	j := t.Column(p.Weights)
	if j < 0 || p.Weights == p.Label {
		return nil, &svmkit.ParamError{Name: "Weights", Value: strconv.Quote(p.Weights), Need: "must be a column of the table other than the label's; they are " + known.Names(t.Names)}
	}
	weights := make([]float64, len(t.Rows))
	for i, row := range t.Rows {
		w, err := dataset.Number(row[j])
		switch {
		case err == dataset.ErrMissing:
			err = ErrNoWeight
		case err == nil && w < 0:
			err = svmkit.ErrWeight
		}
		if err != nil {
			return nil, t.FieldError(i, j, err)
		}
		weights[i] = w
	}
	return weights, nil
}

// Fitter returns the fitter of [Pipeline.RowNumbers] and its subsets.
//
// It fits all steps to the rows of t with these numbers and to the labels of the set. Nothing else
// in t has an influence. The set may have weights: rows of weight 0 are skipped, scaling and Model
// use the weights of the others, and Columns counts each of them once. Each of its models is a
// [*RowModel].
func (p Pipeline) Fitter(t *dataset.Table) svmkit.Fitter {
	fit := p.fitter(t)
	if p.Probabilities == nil {
		return fit
	}
	fit = p.Probabilities.Fitter(fit)
	return func(ctx context.Context, train *svmkit.Dataset) (svmkit.Model, error) {
		m, err := fit(ctx, train)
		if e := (*tune.OnlyRowError)(nil); errors.As(err, &e) {
			k, _ := rowNumber(t, train.X[e.Row])
			return nil, t.FieldError(k, t.Column(p.Label), &tune.OnlyRowError{Class: e.Class, Row: k})
		}
		return m, err
	}
}

// fitter is Fitter without probabilities.
func (p Pipeline) fitter(t *dataset.Table) svmkit.Fitter {
	return func(ctx context.Context, train *svmkit.Dataset) (svmkit.Model, error) {
		if err := t.Validate(); err != nil {
			return nil, err
		}
		if err := train.Validate(); err != nil {
			return nil, err
		}
		var numbers []int
		for i, x := range train.X {
			k, ok := rowNumber(t, x)
			if !ok {
				return nil, &svmkit.DataError{Row: i, Col: 0, Value: x.At(0), Err: fmt.Errorf("not the number of a row of the table: %w", svmkit.ErrMismatch)}
			}
			if train.RowWeight(i) > 0 {
				numbers = append(numbers, k)
			}
		}
		if numbers == nil {
			return nil, &svmkit.DataError{Row: svmkit.NoPlace, Col: svmkit.NoPlace, Err: svmkit.ErrNoWeight}
		}
		counted, _ := train.WithoutZeroWeights()
		m, err := p.fit(ctx, t.Subset(numbers), counted)
		if err != nil {
			return nil, err
		}
		return &RowModel{Model: m, table: t}, nil
	}
}

// rowNumber returns the number of a row of t that x holds.
func rowNumber(t *dataset.Table, x svmkit.Row) (int, bool) {
	if x.Index != nil || len(x.Value) != 1 || !(0 <= x.Value[0] && x.Value[0] < float64(len(t.Rows))) {
		return 0, false
	}
	return int(x.Value[0]), x.Value[0] == math.Trunc(x.Value[0])
}

// fit fits all steps to the rows of t, with the labels of train.
func (p Pipeline) fit(ctx context.Context, t *dataset.Table, train *svmkit.Dataset) (*Model, error) {
	if p.Model == nil {
		return nil, &svmkit.ParamError{Name: "Model", Value: nil, Need: "must not be nil"}
	}
	e, err := p.Columns.fit(t, p.Label, p.Weights)
	if err != nil {
		return nil, err
	}
	set := *train
	set.Dim, set.Features = e.dim(), slices.Collect(e.features())
	if set.X, err = e.Encode(t); err != nil {
		return nil, err
	}
	fitter := p.Model
	if p.Scale != nil {
		fitter = tune.Scaled(*p.Scale, p.Model)
	}
	m, err := fitter(ctx, &set)
	if err != nil {
		return nil, err
	}
	if m == nil {
		return nil, &svmkit.ParamError{Name: "Model", Value: nil, Need: "must return a model or an error"}
	}
	if m := svm.ModelOf(svmkit.Unwrap(m)); m != nil && m.OneClass && set.Classes != nil {
		return nil, &svmkit.ParamError{Name: "Model", Value: "OneClass",
			Need: "must predict classes", Hint: "a one-class model takes a Label with Task: Regression"}
	}
	return NewModel(e, m), nil
}
