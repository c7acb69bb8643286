package pipeline

import (
	"encoding/json"
	"maps"
	"math"
	"slices"
	"sync"

	"github.com/svmkit/course/svmkit"
	"github.com/svmkit/course/svmkit/dataset"
)

// Model is a fitted [Pipeline], which turns fields into predictions.
//
// It is a [svmkit.Model] of the rows of numbers that [Model.Encode] returns; [Model.Columns] names
// these numbers. Use PredictTable and PredictFields to predict rows of tables; TableColumns names
// their columns. It is safe for concurrent use if the model inside is.
type Model struct {
	// Model is the model of the rows of numbers, as the Fitter returned it, with the Scale around
	// it. A *[svm.Result] has the certificate; a model from a file has none. [svmkit.Unwrap]
	// returns it.
	svmkit.Model
	encoder *Encoder
	one     func() svmkit.Predictor // the Model, prepared for one row at a time
}

var (
	_ svmkit.Model                = (*Model)(nil)
	_ svmkit.Wrapper              = (*Model)(nil)
	_ svmkit.ProbabilityPredictor = (*Model)(nil)
	_ svmkit.Model                = (*RowModel)(nil)
	_ svmkit.Wrapper              = (*RowModel)(nil)
	_ svmkit.ProbabilityPredictor = (*RowModel)(nil)
)

// NewModel returns the model that encodes rows of tables with e and predicts them with m. It is for
// readers of files; [Pipeline.Fit] fits a model.
func NewModel(e *Encoder, m svmkit.Model) *Model {
	return &Model{Model: m, encoder: e, one: sync.OnceValue(func() svmkit.Predictor {
		if p, ok := m.(svmkit.Preparer); ok {
			return p.Prepare()
		}
		return m
	})}
}

// Encoder returns the encoder that turns rows of tables into rows of numbers; nil for the zero
// Model.
func (m *Model) Encoder() *Encoder { return m.encoder }

// Unwrap returns Model.
func (m *Model) Unwrap() svmkit.Model { return m.Model }

// Transform returns rows unchanged, because Model takes the same numbers.
func (m *Model) Transform(rows []svmkit.Row) ([]svmkit.Row, error) { return rows, nil }

// Predict returns the prediction for a row of numbers, by the prepared Model.
func (m *Model) Predict(x svmkit.Row) svmkit.Prediction { return m.one().Predict(x) }

// PredictWithProbabilities returns the results of PredictAll and ProbabilitiesAll. It predicts a
// single row with the prepared Model.
func (m *Model) PredictWithProbabilities(rows []svmkit.Row) ([]svmkit.Prediction, [][]float64) {
	if one, ok := m.one().(svmkit.Model); ok && len(rows) == 1 {
		return svmkit.PredictWithProbabilities(one, rows)
	}
	return svmkit.PredictWithProbabilities(m.Model, rows)
}

// TableColumns returns the columns that a table must have, with the name of the label's column.
func (m *Model) TableColumns() svmkit.Columns {
	if m.encoder == nil {
		return svmkit.Columns{}
	}
	return m.encoder.TableColumns()
}

// Encode returns the rows of a table as rows of numbers, before scaling. See [Encoder.Encode].
func (m *Model) Encode(t *dataset.Table) ([]svmkit.Row, error) { return m.encoder.Encode(t) }

// PredictTable returns the prediction for each row of t, with the errors of [Encoder.Encode]. A row
// whose scaled numbers overflow has no prediction.
func (m *Model) PredictTable(t *dataset.Table) ([]Prediction, error) {
	rows, err := m.Encode(t)
	if err != nil {
		return nil, err
	}
	all, probabilities := m.PredictWithProbabilities(rows)
	predictions := make([]Prediction, len(all))
	for i, p := range all {
		predictions[i].Prediction = p
		if probabilities != nil {
			predictions[i].Probabilities = probabilities[i]
		}
	}
	return predictions, nil
}

// PredictFields returns the prediction for one row, given as a map from column names to fields.
//
// It has the errors of PredictTable. Numbers agree with the results of PredictTable up to rounding.
func (m *Model) PredictFields(fields map[string]string) (Prediction, error) {
	names := slices.Sorted(maps.Keys(fields))
	row := make([]string, len(names))
	for j, name := range names {
		row[j] = fields[name]
	}
	all, err := m.PredictTable(&dataset.Table{Names: names, Rows: [][]string{row}})
	if err != nil {
		return Prediction{}, err
	}
	return all[0], nil
}

// Prediction is the prediction of a [Model] for one row of a table. [json.Marshal] accepts it.
//
// The class follows from the scores, so the most probable class can be another one; see
// [svmkit.PredictByProbability].
type Prediction struct {
	svmkit.Prediction
	// Probabilities has one number per class, in the order of ClassNames and with the sum 1; nil
	// without probabilities.
	Probabilities []float64
}

// MarshalJSON returns an object with the names of the fields. A number that is NaN or infinite
// becomes null, because JSON cannot hold it.
func (p Prediction) MarshalJSON() ([]byte, error) {
	object := struct {
		OK            bool
		Class         int
		Name          string
		Y, Score      *float64
		Probabilities []*float64
	}{p.OK, p.Class, p.Name, finite(p.Y), finite(p.Score), nil}
	for _, v := range p.Probabilities {
		object.Probabilities = append(object.Probabilities, finite(v))
	}
	return json.Marshal(object)
}

// finite returns v, or nil if it is not finite.
func finite(v float64) *float64 {
	if v-v != 0 {
		return nil
	}
	return &v
}

// RowModel predicts rows of a table by their numbers. [Pipeline.Fitter] fits it for package tune.
type RowModel struct {
	*Model // of any table
	table  *dataset.Table
}

// Columns returns the single column of row numbers.
func (r *RowModel) Columns() svmkit.Columns {
	return svmkit.Columns{Dim: 1, Label: r.Model.TableColumns().Label}
}

// Unwrap returns the model of the rows of numbers.
func (r *RowModel) Unwrap() svmkit.Model { return r.Model.Model }

// Transform returns the rows of the table with these numbers as rows of numbers. Categories that no
// training row has become zeros even with RefuseUnseen, because a category may be in one fold only.
func (r *RowModel) Transform(rows []svmkit.Row) ([]svmkit.Row, error) { return r.encoded(rows, false) }

// encoded returns the rows of the table with these numbers as the model's numbers, or the reason
// why one cannot be used.
func (r *RowModel) encoded(rows []svmkit.Row, refuseUnseen bool) ([]svmkit.Row, error) {
	numbers := make([]int, len(rows))
	for i, x := range rows {
		var ok bool
		if numbers[i], ok = rowNumber(r.table, x); !ok {
			return nil, svmkit.ErrMismatch
		}
	}
	return r.encoder.encode(r.table.Subset(numbers), refuseUnseen)
}

// usable returns the rows of the table with these numbers as the model's numbers, and the rows that
// cannot be used: these become rows of NaN.
func (r *RowModel) usable(rows []svmkit.Row) (encoded []svmkit.Row, failed []int) {
	encoded, err := r.encoded(rows, r.encoder.refuseUnseen)
	if err == nil {
		return encoded, nil
	}
	encoded = make([]svmkit.Row, len(rows))
	for i, x := range rows {
		if one, err := r.encoded([]svmkit.Row{x}, r.encoder.refuseUnseen); err == nil {
			encoded[i] = one[0]
			continue
		}
		encoded[i] = svmkit.Dense(slices.Repeat([]float64{math.NaN()}, r.encoder.dim())...)
		failed = append(failed, i)
	}
	return encoded, failed
}

// CheckRows returns the [*dataset.FieldError] of the first row that cannot be used; nil if all can.
func (r *RowModel) CheckRows(rows []svmkit.Row) error {
	_, err := r.encoded(rows, r.encoder.refuseUnseen)
	return err
}

// Predict returns the prediction for the row of the table whose number x holds. There is no
// prediction if no row has this number, or if a field of the row cannot be used.
func (r *RowModel) Predict(x svmkit.Row) svmkit.Prediction {
	return r.PredictAll([]svmkit.Row{x})[0]
}

// PredictAll returns the predictions for the rows with these numbers.
func (r *RowModel) PredictAll(rows []svmkit.Row) []svmkit.Prediction {
	encoded, failed := r.usable(rows)
	all := r.Model.PredictAll(encoded)
	for _, i := range failed {
		all[i] = svmkit.NoPrediction()
	}
	return all
}

// ProbabilitiesAll returns the probabilities for the rows with these numbers.
func (r *RowModel) ProbabilitiesAll(rows []svmkit.Row) [][]float64 {
	// a row of NaN gets probabilities that are NaN
	encoded, _ := r.usable(rows)
	return r.Model.ProbabilitiesAll(encoded)
}

// PredictWithProbabilities returns the results of PredictAll and ProbabilitiesAll.
func (r *RowModel) PredictWithProbabilities(rows []svmkit.Row) ([]svmkit.Prediction, [][]float64) {
	encoded, failed := r.usable(rows)
	all, probabilities := r.Model.PredictWithProbabilities(encoded)
	for _, i := range failed {
		all[i] = svmkit.NoPrediction()
	}
	return all, probabilities
}
