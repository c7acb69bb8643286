package pipeline

import (
	"context"
	"fmt"
	"math"
	"slices"
	"strconv"

	"github.com/svmkit/course/internal/calibrate"
	"github.com/svmkit/course/svmkit"
	"github.com/svmkit/course/svmkit/dataset"
	"github.com/svmkit/course/svmkit/feature"
	"github.com/svmkit/course/svmkit/svm"
	"github.com/svmkit/course/svmkit/tune"
)

// Pipeline says how a model is made of a table.
type Pipeline struct {
	Label   string          // the column of the classes or targets
	Labels  dataset.Labels  // what its fields are; the zero value decides by all of them
	Weights string          // the column of the weights of the rows, numbers of 0 or more; "": every row counts once. A table to predict need not have it
	Columns Columns         // how the other columns become numbers
	Scale   *feature.Scaler // of all the numbers; nil: they are not scaled

	// Model fits the rows of numbers: [svm.Fitter], multiclass.OneVsOne{…}.Trainer(), … A one-class model predicts no class
	// of the table: with [svm.OneClass] Labels must be targets (Task: Regression), which it ignores, and a
	// [Prediction]'s Value is +1 for rows like those of the training and −1 for outliers.
	Model svmkit.Fitter

	// Probabilities fits [svm.Platt] to scores of rows that the model has not seen: all steps are fitted anew to the
	// training rows of 5 folds, drawn with seed 0. It needs a model of package svm for two classes, or one-vs-one or
	// one-vs-rest of such models, and at least two rows of each class.
	Probabilities bool
}

// Fit fits all steps to the rows of t. Errors: a [*dataset.FieldError] for a field that cannot be used,
// a [*svmkit.ParamError] or [*svmkit.DataError] for the settings and the data, and those of the scaler and the Model.
// When ctx ends, it is ctx's error.
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

// RowNumbers returns the set of n rows for package tune whose row i has one column, which holds i, and the label and
// the weight of row i of t; its classes are those of all rows. [Pipeline.Fitter] takes it and its subsets.
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

// weights returns the weights of the rows of t, nil without a column of them.
func (p Pipeline) weights(t *dataset.Table) ([]float64, error) {
	if p.Weights == "" {
		return nil, nil
	}
	j := t.Column(p.Weights)
	if j < 0 || p.Weights == p.Label {
		return nil, &svmkit.ParamError{Name: "Weights", Value: strconv.Quote(p.Weights), Need: fmt.Sprintf("must be a column of the table other than the label's; they are %q", t.Names)}
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

// Fitter returns the fitter of [Pipeline.RowNumbers] and its subsets: it fits all steps to the rows of t with these
// numbers and to the set's labels, and nothing else of t has an influence. The set may have weights: rows of weight 0 are
// left out, scaling and Model count the others by their weights, and Columns each once. Its models are of type *[RowModel].
func (p Pipeline) Fitter(t *dataset.Table) svmkit.Fitter {
	return func(ctx context.Context, train *svmkit.Dataset) (svmkit.Predictor, error) {
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

// fit fits all steps to the rows of t, whose labels are those of train.
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
	if set.X, err = e.rows(t); err != nil {
		return nil, err
	}
	fitter := p.Model
	if p.Scale != nil {
		fitter = tune.Scaled(*p.Scale, p.Model)
	}
	predictor, err := fitter(ctx, &set)
	if err != nil {
		return nil, err
	}
	if predictor == nil {
		return nil, &svmkit.ParamError{Name: "Model", Value: nil, Need: "must return a model or an error"}
	}
	_, inner := unscaled(predictor)
	if m := svm.ModelOf(inner); m != nil && m.OneClass && set.Classes != nil {
		return nil, &svmkit.ParamError{Name: "Model", Value: "OneClass",
			Need: "must predict classes", Hint: "a one-class model takes a Label with Task: Regression"}
	}
	if p.Probabilities {
		if err := p.fitProbabilities(ctx, t, train, predictor); err != nil {
			return nil, err
		}
	}
	return newModel(e, predictor, set.Classes), nil
}

// fitProbabilities sets the probabilities of the model.
func (p Pipeline) fitProbabilities(ctx context.Context, t *dataset.Table, train *svmkit.Dataset, predictor svmkit.Predictor) error {
	_, inner := unscaled(predictor)
	place := calibrate.Row(nil, 0)
	if t.Lines != nil {
		place = func(i int) string { return "line " + strconv.Itoa(t.Lines[i]) }
	}
	if err := calibrate.Check(train, inner, place); err != nil {
		return err
	}
	folds, err := tune.Folds(train, calibrate.Folds, 0)
	if err != nil {
		return err
	}
	p.Probabilities = false
	p.Columns.RefuseUnseen = false // a category may be in one fold alone
	scored := make([]calibrate.Fold, len(folds))
	for k, fold := range folds {
		m, err := p.fit(ctx, t.Subset(fold.Train), train.Subset(fold.Train))
		if err != nil {
			return fmt.Errorf("pipeline: probabilities: %w", err)
		}
		rows, err := m.encoding.rows(t.Subset(fold.Test))
		if err != nil {
			return fmt.Errorf("pipeline: probabilities: %w", err)
		}
		scaling, part := unscaled(m.predictor)
		if scored[k], err = calibrate.NewFold(part, scaling, fold.Test, rows); err != nil {
			return fmt.Errorf("pipeline: probabilities: %w", err)
		}
	}
	return calibrate.Fit(train, inner, scored)
}

// unscaled takes a model of [tune.Scaled] apart; of another one the scaling is nil.
func unscaled(p svmkit.Predictor) (*feature.Scaling, svmkit.Predictor) {
	switch m := p.(type) {
	case *tune.ScaledModel:
		return m.Scaling, m.Model
	case *tune.ScaledScorer:
		return m.Scaling, m.Model
	}
	return nil, p
}

// scaled is the inverse of unscaled.
func scaled(s *feature.Scaling, p svmkit.Predictor) svmkit.Predictor {
	if s == nil {
		return p
	}
	m := tune.ScaledModel{Scaling: s, Model: p}
	if _, ok := p.(svmkit.Scorer); ok {
		return &tune.ScaledScorer{ScaledModel: m}
	}
	return &m
}
