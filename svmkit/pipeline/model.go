package pipeline

import (
	"encoding/json"
	"maps"
	"math"
	"slices"
	"sync"

	"github.com/svmkit/course/svmkit"
	"github.com/svmkit/course/svmkit/dataset"
	"github.com/svmkit/course/svmkit/multiclass"
	"github.com/svmkit/course/svmkit/svm"
)

// Model is a fitted [Pipeline]: from fields to predictions. It is safe for concurrent use if the model inside is.
type Model struct {
	encoding  *encoding
	predictor svmkit.Predictor // of rows of numbers, before scaling
	classes   []string
	one       func() svmkit.Predictor // the predictor, prepared for one row at a time
}

func newModel(e *encoding, predictor svmkit.Predictor, classes []string) *Model {
	return &Model{encoding: e, predictor: predictor, classes: classes, one: sync.OnceValue(func() svmkit.Predictor {
		scaling, inner := unscaled(predictor)
		if m := svm.ModelOf(inner); m != nil {
			return scaled(scaling, m.Prepare())
		}
		if m, ok := inner.(interface{ Prepare() *multiclass.Prepared }); ok {
			return scaled(scaling, m.Prepare())
		}
		return predictor
	})}
}

// Prediction is what a [Model] says of one row; [json.Marshal] takes it.
type Prediction struct {
	Class string  // the name of the class; "" for a target, a score of exactly zero and NaN
	Value float64 // as svmkit.Predictor gives it: the label ±1 of two classes, the number of the class, or the target

	Score       float64 // f(x), NaN if the model is no [svmkit.Scorer], as for more than two classes
	Probability float64 // P(the second of two classes), in [0, 1]; NaN without probabilities, or for more classes

	// Probabilities are those of all classes, in the order of [Model.Classes] and with the sum 1; nil without. For more
	// than two they are those of [multiclass.PairClassifier.Probabilities] or [multiclass.RestClassifier.Probabilities].
	Probabilities []float64
}

// MarshalJSON returns an object with the names of the fields; a number that is NaN or infinite, as JSON has none, is null.
func (p Prediction) MarshalJSON() ([]byte, error) {
	object := struct {
		Class                     string
		Value, Score, Probability *float64
		Probabilities             []*float64
	}{p.Class, finite(p.Value), finite(p.Score), finite(p.Probability), nil}
	for _, v := range p.Probabilities {
		object.Probabilities = append(object.Probabilities, finite(v))
	}
	return json.Marshal(object)
}

// finite returns v, or nil if it is no finite number.
func finite(v float64) *float64 {
	if v-v != 0 {
		return nil
	}
	return &v
}

// Predict returns the prediction for one row, whose fields stand under the names of their columns. The label and
// columns that were dropped are ignored; any other name too many or too few is a [*svmkit.ColumnsError], and
// a field that cannot be used a [*dataset.FieldError]. Numbers are equal to those of PredictAll up to rounding: for
// many rows sums are taken in another order.
func (m *Model) Predict(fields map[string]string) (Prediction, error) {
	names := slices.Sorted(maps.Keys(fields))
	row := make([]string, len(names))
	for j, name := range names {
		row[j] = fields[name]
	}
	all, err := m.PredictAll(&dataset.Table{Names: names, Rows: [][]string{row}})
	if err != nil {
		return Prediction{}, err
	}
	return all[0], nil
}

// PredictAll returns the prediction for every row of t, with the errors of Predict and those of
// [dataset.Table.Validate]. Its columns are found by their names, in any order. Predictions are NaN where the scaled
// numbers of a row overflow.
func (m *Model) PredictAll(t *dataset.Table) ([]Prediction, error) {
	rows, err := m.encoding.rows(t)
	if err != nil {
		return nil, err
	}
	_, inner := unscaled(m.predictor)
	two := svm.ModelOf(inner)
	predictor := m.predictor
	if len(rows) == 1 {
		predictor = m.one()
	}
	var labels, scores []float64
	var probabilities [][]float64
	if one, ok := predictor.(svmkit.Scorer); ok && len(rows) == 1 && two != nil {
		scores = []float64{one.Score(rows[0])}
		if labels = scores; !two.Regression {
			labels = []float64{svmkit.Sign(scores[0])}
		}
	} else {
		labels, scores = svmkit.PredictAll(predictor, rows)
	}
	if two == nil {
		probabilities = svmkit.ProbabilitiesAll(predictor, rows)
	}
	predictions := make([]Prediction, len(labels))
	for i, y := range labels {
		p := Prediction{Class: m.class(y), Value: y, Score: math.NaN(), Probability: math.NaN()}
		if scores != nil {
			p.Score = scores[i]
		}
		switch {
		case two != nil && two.Platt != nil:
			p.Probabilities = two.Platt.Probabilities(p.Score)
		case probabilities != nil:
			p.Probabilities = probabilities[i]
		}
		if len(p.Probabilities) == 2 {
			p.Probability = p.Probabilities[1]
		}
		predictions[i] = p
	}
	return predictions, nil
}

// HasProbabilities reports whether predictions have probabilities.
func (m *Model) HasProbabilities() bool {
	_, inner := unscaled(m.predictor)
	return svmkit.ProbabilitiesAll(inner, nil) != nil
}

// class returns the name of the class with a label, "" if there is none.
func (m *Model) class(y float64) string {
	for k, name := range m.classes {
		if y == float64(k) && len(m.classes) > 2 || y == float64(2*k-1) && len(m.classes) == 2 {
			return name
		}
	}
	return ""
}

// Columns says which columns a table must have, and the name of the label's.
func (m *Model) Columns() svmkit.Columns {
	if m.encoding == nil {
		return svmkit.Columns{}
	}
	names := m.encoding.names()
	return svmkit.Columns{Dim: len(names), Features: names, Label: m.encoding.Label}
}

// Classes returns the names of the classes, nil for a regression: Value is −1 for the first of two and +1 for the
// second, and the place in this list where there are more.
func (m *Model) Classes() []string { return slices.Clone(m.classes) }

// Features returns the names of the numbers that a row becomes, see the package comment.
func (m *Model) Features() []string {
	if m.encoding == nil {
		return nil
	}
	return slices.Collect(m.encoding.features())
}

// Rows returns the rows of a table as numbers, not scaled, one a name of Features; with the errors of PredictAll.
func (m *Model) Rows(t *dataset.Table) ([]svmkit.Row, error) { return m.encoding.rows(t) }

// Predictor returns the model of what Rows returns, as the Fitter has given it; *[tune.ScaledScorer] or
// *[tune.ScaledModel] with a Scale, around the Fitter's. A *[svm.Result] has the certificate; a model from [Load] has none.
func (m *Model) Predictor() svmkit.Predictor { return m.predictor }

// RowModel predicts rows of a table by their numbers: what [Pipeline.Fitter] fits for package tune.
type RowModel struct {
	Model *Model // of any table
	table *dataset.Table
}

// Predict returns the prediction for the row of the table with the number that x holds; NaN if there is none, or if a
// field of the row cannot be used.
func (r *RowModel) Predict(x svmkit.Row) float64 {
	labels, _ := r.PredictAll([]svmkit.Row{x})
	return labels[0]
}

// PredictAll is [svmkit.PredictAll] of the rows with these numbers.
func (r *RowModel) PredictAll(rows []svmkit.Row) (labels, scores []float64) {
	encoded, err := r.encoded(rows)
	if err == nil {
		return svmkit.PredictAll(r.Model.predictor, encoded)
	}
	_, scorer := r.Model.predictor.(svmkit.Scorer)
	if len(rows) == 1 { // the one that cannot be used
		if scorer {
			scores = []float64{math.NaN()}
		}
		return []float64{math.NaN()}, scores
	}
	for _, x := range rows {
		y, f := r.PredictAll([]svmkit.Row{x})
		labels, scores = append(labels, y...), append(scores, f...)
	}
	return labels, scores
}

// encoded returns the rows of the table with these numbers as the model's numbers, or why one cannot be used.
func (r *RowModel) encoded(rows []svmkit.Row) ([]svmkit.Row, error) {
	numbers := make([]int, len(rows))
	for i, x := range rows {
		var ok bool
		if numbers[i], ok = rowNumber(r.table, x); !ok {
			return nil, svmkit.ErrMismatch
		}
	}
	return r.Model.encoding.rows(r.table.Subset(numbers))
}

// ProbabilitiesAll is [svmkit.ProbabilitiesAll] of the rows with these numbers. Those of a row that cannot be used are NaN.
func (r *RowModel) ProbabilitiesAll(rows []svmkit.Row) [][]float64 {
	encoded, err := r.encoded(rows)
	if err != nil {
		encoded = nil
		for _, x := range rows {
			one, err := r.encoded([]svmkit.Row{x})
			if err != nil { // a row of NaN has scores that are NaN
				one = []svmkit.Row{svmkit.Dense(slices.Repeat([]float64{math.NaN()}, len(r.Model.Features()))...)}
			}
			encoded = append(encoded, one...)
		}
	}
	return svmkit.ProbabilitiesAll(r.Model.predictor, encoded)
}

// ClassNames returns the names of the classes.
func (r *RowModel) ClassNames() []string { return r.Model.classes }

// FitStatus is that of the Model.
func (r *RowModel) FitStatus() svmkit.Status { return r.Model.FitStatus() }

// FitStatus returns why the fit of the model ended, [svmkit.Unfinished] if it does not say, as after [Load].
func (m *Model) FitStatus() svmkit.Status {
	_, inner := unscaled(m.predictor)
	if fit, ok := inner.(interface{ FitStatus() svmkit.Status }); ok {
		return fit.FitStatus()
	}
	return svmkit.Unfinished
}
