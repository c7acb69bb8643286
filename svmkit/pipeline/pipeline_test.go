package pipeline_test

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"math"
	"math/rand/v2"
	"reflect"
	"slices"
	"strings"
	"sync"
	"testing"

	"github.com/svmkit/course/svmkit"
	"github.com/svmkit/course/svmkit/dataset"
	"github.com/svmkit/course/svmkit/feature"
	"github.com/svmkit/course/svmkit/kernel"
	"github.com/svmkit/course/svmkit/loss"
	"github.com/svmkit/course/svmkit/modelfile"
	"github.com/svmkit/course/svmkit/multiclass"
	"github.com/svmkit/course/svmkit/pipeline"
	"github.com/svmkit/course/svmkit/svm"
	"github.com/svmkit/course/svmkit/text"
	"github.com/svmkit/course/svmkit/tune"
)

var hinge = svm.Fitter(svm.Problem{C: svm.PerSum(1)}, nil, nil)

// passengers returns the table of testdata and a pipeline for it.
func passengers(t *testing.T) (*dataset.Table, pipeline.Pipeline) {
	t.Helper()
	table, err := dataset.ReadTableFile(t.Context(), "testdata/passengers.csv", nil)
	if err != nil {
		t.Fatal(err)
	}
	return table, pipeline.Pipeline{
		Label:   "survived",
		Columns: pipeline.Columns{Categorical: []string{"class", "sex", "port"}, Median: []string{"age"}, Drop: []string{"id"}},
		Scale:   &feature.Scaler{},
		Model:   hinge,
	}
}

// table makes a table of lines with blanks between the fields; - is an empty field.
func table(names string, lines ...string) *dataset.Table {
	t := &dataset.Table{Names: strings.Fields(names)}
	for _, line := range lines {
		row := strings.Fields(line)
		for j, field := range row {
			row[j] = strings.TrimSuffix(field, "-")
		}
		t.Rows = append(t.Rows, row)
	}
	return t
}

func fit(t *testing.T, p pipeline.Pipeline, on *dataset.Table) *pipeline.Model {
	t.Helper()
	m, err := p.Fit(t.Context(), on)
	if err != nil {
		t.Fatal(err)
	}
	return m
}

func saved(t *testing.T, m *pipeline.Model) []byte {
	t.Helper()
	var file bytes.Buffer
	if err := modelfile.Save(&file, m); err != nil {
		t.Fatal(err)
	}
	return file.Bytes()
}

// Columns become the numbers that the package comment says, in the order of the training table.
func TestColumns(t *testing.T) {
	train := table("a b y kind c gone",
		"1   7  no  red   10  x",
		"-   NA yes -     20  -",
		"3   5  no  blue  -   x",
		"8   5  yes red   60  x",
		"2   5  no  ?     -   x")
	p := pipeline.Pipeline{
		Label: "y",
		Columns: pipeline.Columns{Categorical: []string{"kind"}, Median: []string{"a", "b"}, Mean: []string{"c"},
			Indicator: []string{"a", "c"}, Drop: []string{"gone"}},
		Model: hinge,
	}
	m := fit(t, p, train)
	want := []string{"a", "a missing", "b", "kind=", "kind=blue", "kind=red", "c", "c missing"}
	if got := m.Columns().Features; !slices.Equal(got, want) {
		t.Fatalf("columns %q, not %q", got, want)
	}
	rows, err := m.Encode(table("c kind b a", "1 red 2 3", "- green - NaN", "None - 4 5"))
	if err != nil {
		t.Fatal(err)
	}
	for i, want := range [][]float64{
		{3, 0, 2, 0, 0, 1, 1, 0},
		{2.5, 1, 5, 0, 0, 0, 30, 1}, // medians of 1, 2, 3, 8 and of 5, 5, 5, 7; the mean of 10, 20, 60; a new colour
		{5, 0, 4, 1, 0, 0, 30, 1},
	} {
		if got := rows[i].Value; !slices.Equal(got, want) {
			t.Errorf("row %d is %v, not %v", i, got, want)
		}
	}
	if c := m.TableColumns(); c.Label != "y" || !slices.Equal(c.Features, []string{"a", "b", "kind", "c"}) || c.Dim != 4 {
		t.Errorf("columns %+v", c)
	}
	if got := m.ClassNames(); !slices.Equal(got, []string{"no", "yes"}) {
		t.Errorf("classes %q", got)
	}
}

// An indicator stands only where it is asked for, and middle values do not overflow.
func TestExtremeFill(t *testing.T) {
	m := fit(t, pipeline.Pipeline{Label: "y", Columns: pipeline.Columns{Median: []string{"a"}}, Scale: &feature.Scaler{Kind: feature.MaxAbs}, Model: hinge},
		table("a y", "1.6e308 0", "1.7e308 1", "- 1"))
	rows, err := m.Encode(table("a", "-"))
	if err != nil || len(rows[0].Value) != 1 || math.Abs(rows[0].Value[0]-1.65e308) > 1e300 {
		t.Errorf("%v %v", rows, err)
	}
}

// What is in doubt is refused, with the place and the next step.
func TestRefusedAtTraining(t *testing.T) {
	good := table("a b y", "1 u 0", "2 v 1")
	numbers := table("a b y", "1 2 0", "2 3 1")
	for _, c := range []struct {
		name  string
		table *dataset.Table
		columns,
		text string
		change func(*pipeline.Pipeline)
		is     error
	}{
		{name: "text", table: good, text: `row 0, column "b": not a number: "u"; list the column under Categorical or Drop`, is: dataset.ErrNotNumber},
		{name: "missing", table: table("a y", "1 0", "NA 1"), text: `row 1, column "a": missing value: "NA"; list the column under Median, Mean, Categorical or Drop`, is: dataset.ErrMissing},
		{name: "infinite", table: table("a y", "1 0", "inf 1"), text: `row 1, column "a"`, is: svmkit.ErrNotFinite},
		{name: "text to fill", table: good, change: func(p *pipeline.Pipeline) { p.Columns.Median = []string{"b"} }, text: `row 0, column "b": not a number: "u"`, is: dataset.ErrNotNumber},
		{name: "all missing", table: table("a b y", "1 - 0", "2 ? 1"), change: func(p *pipeline.Pipeline) { p.Columns.Mean = []string{"b"} }, text: `column "b": no number in the training rows`, is: dataset.ErrMissing},
		{name: "sum overflows", table: table("a y", "1.7e308 0", "1.6e308 1"), change: func(p *pipeline.Pipeline) { p.Columns.Mean = []string{"a"} }, text: `column "a": the sum`, is: svmkit.ErrNotFinite},
		{name: "not UTF-8", table: table("a b y", "1 caf\xe9 0", "2 v 1"), change: func(p *pipeline.Pipeline) { p.Columns.Categorical = []string{"b"} }, text: `row 0, column "b": not UTF-8`, is: dataset.ErrFormat},
		{name: "text not UTF-8", table: table("b y", "v 0", "caf\xe9 1"), change: func(p *pipeline.Pipeline) { p.Columns.Text = "b" }, text: `row 1, column "b": not UTF-8`, is: dataset.ErrFormat},
		{name: "name not UTF-8", table: table("a caf\xe9 y", "1 1 0", "2 1 1"), text: `not UTF-8`, is: dataset.ErrFormat},
		{name: "no such column", table: good, change: func(p *pipeline.Pipeline) { p.Columns.Drop = []string{"bb"} }, text: `Drop = "bb": must be one of the table's columns, "a", "b", "y"`},
		{name: "label listed", table: good, change: func(p *pipeline.Pipeline) { p.Columns.Drop = []string{"y"} }, text: "is the label's column"},
		{name: "listed twice", table: good, change: func(p *pipeline.Pipeline) {
			p.Columns = pipeline.Columns{Categorical: []string{"b"}, Drop: []string{"b"}}
		}, text: `Drop = "b": must not be in two lists; take it out of Categorical or Drop`},
		{name: "indicator alone", table: numbers, change: func(p *pipeline.Pipeline) { p.Columns.Indicator = []string{"b"} }, text: `Indicator = "b": must be a column whose missing fields are filled in; list it under Median or Mean, too`},
		{name: "text and more", table: good, change: func(p *pipeline.Pipeline) { p.Columns.Text = "b" }, text: `column "a": the column of Text takes the place of all others; list the column under Drop`},
		{name: "nothing left", table: good, change: func(p *pipeline.Pipeline) { p.Columns.Drop = []string{"a", "b"} }, is: svmkit.ErrNoColumns},
		{name: "no label", table: numbers, change: func(p *pipeline.Pipeline) { p.Label = "z" }, text: `"z": must be one of the table's columns`},
		{name: "missing label", table: table("a y", "1 0", "2 -"), text: `row 1, column "y": missing label; fill it in, or leave out the row`, is: dataset.ErrMissing},
		{name: "one class", table: table("a y", "1 u", "2 u"), is: svmkit.ErrOneClass},
		{name: "no model", table: numbers, change: func(p *pipeline.Pipeline) { p.Model = nil }, text: "Model"},
		{name: "a model of nothing", table: numbers, change: func(p *pipeline.Pipeline) {
			p.Model = func(context.Context, *svmkit.Dataset) (svmkit.Model, error) { return nil, nil }
		}, text: "must return a model or an error"},
		{name: "one-class model of three", table: table("a y", "1 u", "2 v", "3 w"), change: func(p *pipeline.Pipeline) { p.Model = outliers }, text: "Model = OneClass: must predict classes"},
		{name: "one-class model of two", table: good, change: func(p *pipeline.Pipeline) { p.Model, p.Columns.Drop = outliers, []string{"b"} }, text: "Model = OneClass: must predict classes"},
		{name: "no rows", table: table("a y"), is: svmkit.ErrEmpty},
		{name: "ragged", table: table("a y", "1 0", "1"), is: svmkit.ErrRagged},
		{name: "two names", table: table("a a y", "1 1 0"), text: "must be different"},
		{name: "nil", is: svmkit.ErrNoColumns},
		{name: "probabilities of targets", table: table("a y", "1 0.5", "2 1", "3 2", "4 5", "5 6"), change: func(p *pipeline.Pipeline) {
			p.Model, p.Probabilities = svm.Fitter(svm.Problem{C: svm.PerSum(1), Loss: loss.EpsInsensitive{Epsilon: 0.1}}, nil, nil), &tune.Probabilities{}
		}, text: "Probabilities"},
	} {
		p := pipeline.Pipeline{Label: "y", Model: hinge}
		if c.change != nil {
			c.change(&p)
		}
		m, err := p.Fit(t.Context(), c.table)
		if err == nil || m != nil || !strings.Contains(err.Error(), c.text) || c.is != nil && !errors.Is(err, c.is) {
			t.Errorf("%s: %v, not %q and %v", c.name, err, c.text, c.is)
		}
	}
}

// The order of the columns, those that were dropped and the label change no prediction; what else differs is named.
func TestColumnsAreFoundByName(t *testing.T) {
	all, p := passengers(t)
	m := fit(t, p, all)
	want, err := m.PredictTable(all)
	if err != nil {
		t.Fatal(err)
	}
	order := []int{5, 3, 1, 2, 4}
	moved := &dataset.Table{}
	for _, j := range order {
		moved.Names = append(moved.Names, all.Names[j])
	}
	for _, row := range all.Rows {
		var fields []string
		for _, j := range order {
			fields = append(fields, row[j])
		}
		moved.Rows = append(moved.Rows, fields)
	}
	got, err := m.PredictTable(moved)
	if err != nil {
		t.Fatal(err)
	}
	classes := map[string]int{}
	for i := range want {
		if got[i].Class != want[i].Class || got[i].Score != want[i].Score || got[i].Y != want[i].Y {
			t.Fatalf("row %d: %+v, in another order %+v", i, want[i], got[i])
		}
		classes[want[i].Name]++
		if y := map[string]float64{"no": -1, "yes": 1}[want[i].Name]; y != want[i].Y || y*want[i].Score <= 0 || want[i].Probabilities != nil {
			t.Fatalf("row %d: %+v", i, want[i])
		}
		fields := map[string]string{}
		for j, name := range all.Names {
			fields[name] = all.Rows[i][j]
		}
		if one, err := m.PredictFields(fields); err != nil || one.Class != want[i].Class || math.Abs(one.Score-want[i].Score) > 1e-12 {
			t.Fatalf("row %d alone: %+v %v", i, one, err)
		}
	}
	if s := m.FitStatus(); s != svmkit.Optimal {
		t.Errorf("status %v", s)
	}
	if len(classes) != 2 {
		t.Errorf("the predictions are all of one class: %v", classes)
	}
	moved.Names = []string{"harbour", "age", "class", "sex", "fare"}
	_, err = m.PredictTable(moved)
	var wrong *svmkit.ColumnsError
	if !errors.As(err, &wrong) || !slices.Equal(wrong.Missing, []string{"port"}) || !slices.Equal(wrong.New, []string{"harbour"}) {
		t.Errorf("%v", err)
	}
	if _, err := m.PredictFields(nil); !errors.As(err, &wrong) || len(wrong.Missing) != 5 {
		t.Errorf("no fields: %v", err)
	}
	if _, err := m.PredictTable(nil); !errors.Is(err, svmkit.ErrNoColumns) {
		t.Errorf("no table: %v", err)
	}
	if _, err := m.PredictTable(&dataset.Table{Names: all.Names, Rows: [][]string{{"1"}}}); !errors.Is(err, svmkit.ErrRagged) {
		t.Errorf("a short row: %v", err)
	}
	if none, err := m.PredictTable(&dataset.Table{Names: all.Names}); err != nil || len(none) != 0 {
		t.Errorf("of no rows: %v %v", none, err)
	}
}

// A field of a row to predict that cannot be used is named; nothing is guessed for it.
func TestRefusedAtPrediction(t *testing.T) {
	p := pipeline.Pipeline{Label: "y", Columns: pipeline.Columns{Categorical: []string{"k"}, Median: []string{"m"}, RefuseUnseen: true}, Model: hinge}
	m := fit(t, p, table("a m k y", "1 2 u 0", "2 - v 1"))
	for line, want := range map[string]struct {
		text string
		is   error
	}{
		"x 1 u":    {`row 1, column "a": not a number: "x"`, dataset.ErrNotNumber},
		"- 1 u":    {`row 1, column "a": missing value; fill it in, or train with the column under Median or Mean`, dataset.ErrMissing},
		"1 x u":    {`row 1, column "m": not a number: "x"`, dataset.ErrNotNumber},
		"1 1 w":    {`row 1, column "k": a category that no training row has: "w"`, pipeline.ErrUnseen},
		"1 1 -":    {`row 1, column "k"`, pipeline.ErrUnseen},
		"1 1 \xfc": {`row 1, column "k": not UTF-8: "\xfc"; convert the file`, dataset.ErrFormat},
	} {
		_, err := m.PredictTable(table("a m k", "1 - u", line))
		var field *dataset.FieldError
		if !errors.As(err, &field) || field.Row != 1 || !errors.Is(err, want.is) || !strings.Contains(err.Error(), want.text) {
			t.Errorf("%s: %v", line, err)
		}
	}
	p.Columns = pipeline.Columns{Text: "k"}
	if _, err := fit(t, p, table("k y", "über 0", "unter 1")).PredictTable(table("k", "\xfcber")); !errors.Is(err, dataset.ErrFormat) {
		t.Errorf("a text that is not UTF-8: %v", err)
	}
	if _, err := (&pipeline.Model{}).PredictTable(table("a", "1")); err == nil {
		t.Error("a model that was not fitted predicts")
	}
	if m := (&pipeline.Model{}); m.TableColumns().Dim != 0 || m.Encoder() != nil {
		t.Error("a model that was not fitted has columns")
	}
}

// What is fitted depends on the rows with the given numbers and on nothing else of the table: others may hold anything.
func TestOtherRowsHaveNoInfluence(t *testing.T) {
	all, p := passengers(t)
	p.Probabilities = &tune.Probabilities{}
	set, err := p.RowNumbers(all)
	if err != nil {
		t.Fatal(err)
	}
	folds, err := tune.Folds(set, 4, 3)
	if err != nil {
		t.Fatal(err)
	}
	bits := func(on *dataset.Table, rows []int) []byte {
		t.Helper()
		set, err := p.RowNumbers(on)
		if err != nil {
			t.Fatal(err)
		}
		m, err := p.Fitter(on)(t.Context(), set.Subset(rows))
		if err != nil {
			t.Fatal(err)
		}
		return saved(t, m.(*pipeline.RowModel).Model)
	}
	spoil := func(rows []int, field string) *dataset.Table {
		spoilt := &dataset.Table{Names: all.Names, Rows: slices.Clone(all.Rows)}
		for _, i := range rows {
			row := slices.Repeat([]string{field}, len(all.Names))
			row[all.Column("survived")] = "yes" // still a class
			spoilt.Rows[i] = row
		}
		return spoilt
	}
	for f, fold := range folds {
		want := bits(all, fold.Train)
		for _, field := range []string{"rubbish", "", "1e300", "1"} {
			if !bytes.Equal(bits(spoil(fold.Test, field), fold.Train), want) {
				t.Errorf("fold %d: test rows of %q change the model", f, field)
			}
		}
		if bytes.Equal(bits(spoil(fold.Train[:5], "1"), fold.Train), want) {
			t.Errorf("fold %d: training rows do not change the model", f)
		}
		if m := fit(t, p, all.Subset(fold.Train)); !bytes.Equal(saved(t, m), want) {
			t.Errorf("fold %d: the rows alone give another model", f)
		}
	}
}

// No step is fitted to a row of weight 0; scaling and model count the others by their weights.
func TestWeightsOfRows(t *testing.T) {
	all, p := passengers(t)
	set, err := p.RowNumbers(all)
	if err != nil {
		t.Fatal(err)
	}
	bits := func(on *svmkit.Dataset) []byte {
		t.Helper()
		m, err := p.Fitter(all)(t.Context(), on)
		if err != nil {
			t.Fatal(err)
		}
		return saved(t, m.(*pipeline.RowModel).Model)
	}
	var half []int
	weighted := *set
	for i := range set.X {
		weighted.Weight = append(weighted.Weight, float64(i%2))
		if i%2 == 1 {
			half = append(half, i)
		}
	}
	want := bits(set.Subset(half))
	if !bytes.Equal(bits(&weighted), want) {
		t.Error("rows of weight 0 change the model")
	}
	weighted.Weight[half[0]] = 3
	if bytes.Equal(bits(&weighted), want) {
		t.Error("a weight of 3 does not change the model")
	}
	clear(weighted.Weight)
	if _, err := p.Fitter(all)(t.Context(), &weighted); !errors.Is(err, svmkit.ErrNoWeight) {
		t.Errorf("all weights 0: %v", err)
	}
}

// Package tune measures a pipeline by classes and by scores, and a row that cannot be used is no prediction.
func TestUnderTune(t *testing.T) {
	all, p := passengers(t)
	set, err := p.RowNumbers(all)
	if err != nil {
		t.Fatal(err)
	}
	folds, err := tune.Folds(set, 4, 3)
	if err != nil {
		t.Fatal(err)
	}
	const chance = 0.6
	for _, metric := range []tune.Metric{tune.Accuracy, tune.AUC} {
		r, err := tune.Validation{Folds: folds, Metric: metric}.CrossValidate(t.Context(), set, p.Fitter(all))
		if err != nil || !(r.Mean > chance) || r.Status[0] != svmkit.Optimal {
			t.Fatalf("%s: %+v %v", metric.Name, r, err)
		}
	}
	calibrated := p
	calibrated.Probabilities = &tune.Probabilities{}
	r, err := tune.Validation{Folds: folds, Metric: tune.LogLoss}.CrossValidate(t.Context(), set, calibrated.Fitter(all))
	if guessing := math.Log(2); err != nil || !(r.Mean < guessing) {
		t.Errorf("log loss: %+v %v", r, err)
	}
	model, err := calibrated.Fitter(all)(t.Context(), set.Subset(folds[0].Train))
	if err != nil {
		t.Fatal(err)
	}
	some := set.Subset(folds[0].Test).X
	before := model.ProbabilitiesAll(some)
	all.Rows[folds[0].Test[2]] = slices.Repeat([]string{"rubbish"}, len(all.Names))
	for i, p := range model.ProbabilitiesAll(some) {
		if i == 2 && !(len(p) == 2 && math.IsNaN(p[0]) && math.IsNaN(p[1])) || i != 2 && !slices.Equal(p, before[i]) {
			t.Errorf("row %d of those of which the third cannot be used has the probabilities %v, before %v", i, p, before[i])
		}
	}
	_, err = tune.Validation{Folds: folds[:1]}.CrossValidate(t.Context(), set, p.Fitter(all))
	if field := (*dataset.FieldError)(nil); !errors.As(err, &field) || field.Row != folds[0].Test[2] && field.Line == 0 {
		t.Errorf("a row that cannot be used: %v", err)
	}
	for name, bad := range map[string]*svmkit.Dataset{
		"beyond":  {X: []svmkit.Row{svmkit.Dense(0), svmkit.Dense(float64(len(all.Rows)))}, Y: []float64{1, -1}, Dim: 1},
		"half":    {X: []svmkit.Row{svmkit.Dense(0), svmkit.Dense(0.5)}, Y: []float64{1, -1}, Dim: 1},
		"two":     {X: []svmkit.Row{svmkit.Dense(0, 1), svmkit.Dense(1, 0)}, Y: []float64{1, -1}, Dim: 2},
		"nothing": {},
	} {
		if m, err := p.Fitter(all)(t.Context(), bad); err == nil || m != nil {
			t.Errorf("%s: a model of rows that are no numbers of the table: %v", name, err)
		}
	}
	if m, err := p.Fitter(nil)(t.Context(), set); err == nil || m != nil {
		t.Errorf("a model of no table: %v", err)
	}
}

// Probabilities are those of scores of unseen rows: not those of the training rows, and within [0, 1], rising with the score.
func TestProbabilities(t *testing.T) {
	all, p := passengers(t)
	p.Probabilities, p.Columns.RefuseUnseen = &tune.Probabilities{}, true
	all.Rows[0][all.Column("port")] = "Dover" // in one fold alone
	m := fit(t, p, all)
	predictions, err := m.PredictTable(all)
	if err != nil {
		t.Fatal(err)
	}
	var scores []float64
	for _, q := range predictions {
		scores = append(scores, q.Score)
	}
	labels, _, err := all.Labels(p.Label, p.Labels)
	if err != nil {
		t.Fatal(err)
	}
	slices.SortFunc(predictions, func(a, b pipeline.Prediction) int { return int(math.Copysign(1, a.Score-b.Score)) })
	for i, q := range predictions {
		if !(0 < q.Probabilities[1] && q.Probabilities[1] < 1) || i > 0 && q.Probabilities[1] < predictions[i-1].Probabilities[1] {
			t.Fatalf("row %d in the order of the scores: %+v after %+v", i, q, predictions[max(0, i-1)])
		}
	}
	seen, err := svm.FitPlatt(scores, labels)
	if err != nil {
		t.Fatal(err)
	}
	last := predictions[len(predictions)-1]
	const least = 0.01 // by which scores of training rows make the surest row surer
	if over := seen.Probability(last.Score) - last.Probabilities[1]; !(over > least) {
		t.Errorf("P = %g, by the scores of the training rows %g", last.Probabilities[1], last.Probabilities[1]+over)
	}
}

// iris-like rows of three classes and of targets, for models of every kind.
func three() *dataset.Table {
	t := table("length kind species weight")
	for i := range 30 {
		k := i % 3
		t.Rows = append(t.Rows, []string{fmt.Sprint(float64(k) + 0.1*float64(i%7)), []string{"a", "b", ""}[i%5%3],
			[]string{"setosa", "versicolor", "virginica"}[k], fmt.Sprint(2*float64(k) + 0.25*float64(i%4) + 0.125)})
	}
	return t
}

// models are pipelines for three() of every kind of model that a file can hold.
func models() map[string]pipeline.Pipeline {
	categories := pipeline.Columns{Categorical: []string{"kind"}, Drop: []string{"weight"}}
	rbf := svm.Fitter(svm.Problem{C: svm.PerSum(1), Kernel: kernel.RBF{Gamma: 0.5}}, nil, nil)
	one := dataset.Labels{Positive: "virginica"}
	return map[string]pipeline.Pipeline{
		"linear":         {Label: "species", Labels: one, Columns: categories, Model: hinge},
		"kernel":         {Label: "species", Labels: one, Columns: categories, Scale: &feature.Scaler{Kind: feature.MinMax}, Model: rbf},
		"probabilities":  {Label: "species", Labels: one, Columns: categories, Scale: &feature.Scaler{}, Model: rbf, Probabilities: &tune.Probabilities{}},
		"one-vs-one":     {Label: "species", Columns: categories, Scale: &feature.Scaler{}, Model: multiclass.OneVsOne{Binary: rbf}.Fitter()},
		"one-vs-rest":    {Label: "species", Columns: categories, Model: multiclass.OneVsRest{Binary: hinge}.Fitter()},
		"Crammer–Singer": {Label: "species", Columns: categories, Scale: &feature.Scaler{}, Model: multiclass.CrammerSinger{C: 1}.Fitter(nil)},
		"regression": {Label: "weight", Columns: pipeline.Columns{Categorical: []string{"kind", "species"}}, Scale: &feature.Scaler{},
			Model: svm.Fitter(svm.Problem{C: svm.PerSum(1), Loss: loss.EpsInsensitive{Epsilon: 0.1}}, nil, nil)},
		"text": {Label: "weight", Columns: pipeline.Columns{Text: "species", Drop: []string{"kind", "length"}, TextOptions: text.Options{Sublinear: true}},
			Model: svm.Fitter(svm.Problem{C: svm.PerSum(1), Loss: loss.EpsInsensitive{Epsilon: 0.1}}, nil, nil)},
	}
}

// A loaded pipeline predicts the same bits, and is written to the same bytes; a file that is cut off is refused.
func TestSaveAndLoad(t *testing.T) {
	for name, p := range models() {
		m := fit(t, p, three())
		file := saved(t, m)
		loaded, err := load(bytes.NewReader(file))
		if err != nil {
			t.Fatalf("%s: %v\n%s", name, err, file)
		}
		if again := saved(t, loaded); !bytes.Equal(again, file) {
			t.Errorf("%s: written\n%s\nand again\n%s", name, file, again)
		}
		before, err1 := m.PredictTable(three())
		after, err2 := loaded.PredictTable(three())
		right, values := 0, map[float64]bool{}
		for i, row := range three().Rows {
			a, b := before[i], after[i]
			if a.Name != b.Name || bitsOf(a) != bitsOf(b) {
				t.Fatalf("%s, row %d: %+v, loaded %+v", name, i, a, b)
			}
			values[a.Y] = true
			fields := map[string]string{"length": row[0], "kind": row[1], "species": row[2]}
			for name := range fields {
				if !slices.Contains(loaded.TableColumns().Features, name) && name != loaded.TableColumns().Label {
					delete(fields, name)
				}
			}
			const rounding = 1e-12
			if one, err := loaded.PredictFields(fields); err != nil || one.Name != a.Name || !(math.Abs(one.Y-a.Y) <= rounding) || math.Abs(one.Score-a.Score) > rounding {
				t.Fatalf("%s, row %d alone: %+v, not %+v, %v", name, i, one, a, err)
			}
			if a.Name == row[2] || a.Name == "not virginica" && row[2] != "virginica" || a.Name == "" && math.Abs(a.Y-float64(2*(i%3))) < 1 {
				right++
			}
		}
		if err1 != nil || err2 != nil || right < 20 || len(values) < 2 {
			t.Errorf("%s: %d rows right, values %v, %v %v", name, right, values, err1, err2)
		}
		if !slices.Equal(loaded.ClassNames(), m.ClassNames()) || !slices.Equal(loaded.Columns().Features, m.Columns().Features) {
			t.Errorf("%s: classes %q and %q", name, m.ClassNames(), loaded.ClassNames())
		}
		for cut := 0; cut < len(file)-1; cut += 1 + len(file)/300 {
			if m, err := load(bytes.NewReader(file[:cut])); err == nil || m != nil {
				t.Fatalf("%s: the first %d of %d bytes are a pipeline", name, cut, len(file))
			}
		}
	}
}

// bitsOf returns the bits of the numbers: NaN equals NaN.
func bitsOf(p pipeline.Prediction) string {
	bits := []uint64{math.Float64bits(p.Y), math.Float64bits(p.Score)}
	for _, v := range p.Probabilities {
		bits = append(bits, math.Float64bits(v))
	}
	return fmt.Sprint(bits)
}

// constant is a model of a user's own.
type constant svmkit.Prediction

func (c constant) Predict(svmkit.Row) svmkit.Prediction { return svmkit.Prediction(c) }

// outliers fits a one-class model.
func outliers(ctx context.Context, train *svmkit.Dataset) (svmkit.Model, error) {
	return svm.OneClass{Data: train, Nu: 0.5}.Fit(ctx, nil)
}

// A one-class model of a table with targets tells rows like the training rows from outliers, also after its file.
func TestOneClass(t *testing.T) {
	p := pipeline.Pipeline{Label: "y", Labels: dataset.Labels{Task: dataset.Regression}, Model: outliers}
	m := fit(t, p, table("a y", "1 0", "2 0", "3 0", "2 0"))
	loaded, err := load(bytes.NewReader(saved(t, m)))
	if err != nil {
		t.Fatal(err)
	}
	for _, m := range []*pipeline.Model{m, loaded} {
		for field, want := range map[string]float64{"3": 1, "-5": -1} {
			if q, err := m.PredictFields(map[string]string{"a": field}); err != nil || q.Y != want || q.Name != "" || m.ClassNames() != nil {
				t.Errorf("%s: %+v, %v", field, q, err)
			}
		}
	}
}

// A model of a user's own is fitted and predicts, and is not saved.
func TestModelOfYourOwn(t *testing.T) {
	p := pipeline.Pipeline{Label: "y", Scale: &feature.Scaler{}, Model: func(_ context.Context, train *svmkit.Dataset) (svmkit.Model, error) {
		return svmkit.AsModel(constant(svmkit.ClassPrediction(0, 2, nil)), train), nil
	}}
	m := fit(t, p, table("a y", "1 no", "2 yes"))
	if q, err := m.PredictFields(map[string]string{"a": "5"}); err != nil || q.Name != "no" || !math.IsNaN(q.Score) {
		t.Errorf("%+v %v", q, err)
	}
	for _, label := range []float64{-1, 3, 1e9} {
		wrong := p
		wrong.Model = func(_ context.Context, train *svmkit.Dataset) (svmkit.Model, error) {
			return svmkit.AsModel(constant{OK: true, Class: int(label), Y: label}, train), nil
		}
		if q, err := fit(t, wrong, table("a y", "1 u", "2 v", "3 w")).PredictFields(map[string]string{"a": "5"}); err != nil || q.Name != "" || q.Y != label {
			t.Errorf("a label of no class: %+v %v", q, err)
		}
	}
	var param *svmkit.ParamError
	var file bytes.Buffer
	if err := modelfile.Save(&file, m); !errors.As(err, &param) || file.Len() > 0 {
		t.Errorf("%v, %d bytes", err, file.Len())
	}
	for _, err := range []error{modelfile.Save(nil, m), modelfile.Save(io.Discard, nil), modelfile.Save(io.Discard, &pipeline.Model{})} {
		if !errors.As(err, &param) {
			t.Errorf("%v", err)
		}
	}
	if _, err := load(nil); !errors.As(err, &param) {
		t.Errorf("%v", err)
	}
}

// One row at a time, as a server predicts. Without the prepared model the kernel takes 2.3 times as long.
func BenchmarkPredict(b *testing.B) {
	const rows, columns = 2000, 20
	r := rand.New(rand.NewPCG(1, 1))
	t := &dataset.Table{Names: []string{"y"}}
	for j := range columns {
		t.Names = append(t.Names, fmt.Sprint("x", j))
	}
	for range rows {
		row := []string{fmt.Sprint(r.IntN(2))}
		for range columns {
			row = append(row, fmt.Sprint(r.NormFloat64()))
		}
		t.Rows = append(t.Rows, row)
	}
	for name, k := range map[string]kernel.Kernel{"linear": nil, "RBF": kernel.RBF{Gamma: 0.05}} {
		m, err := pipeline.Pipeline{Label: "y", Scale: &feature.Scaler{}, Model: svm.Fitter(svm.Problem{C: svm.PerSum(1), Kernel: k}, nil, nil)}.Fit(b.Context(), t)
		if err != nil {
			b.Fatal(err)
		}
		fields := map[string]string{}
		for j, name := range t.Names {
			fields[name] = t.Rows[0][j]
		}
		b.Run(name, func(b *testing.B) {
			for b.Loop() {
				if _, err := m.PredictFields(fields); err != nil {
					b.Fatal(err)
				}
			}
		})
	}
}

// A loaded model answers many goroutines at once; the race detector watches the first call.
func TestManyAtOnce(t *testing.T) {
	loaded, err := load(bytes.NewReader(saved(t, fit(t, models()["probabilities"], three()))))
	if err != nil {
		t.Fatal(err)
	}
	var wait sync.WaitGroup
	var answers [8]pipeline.Prediction
	for k := range answers {
		wait.Go(func() { answers[k], _ = loaded.PredictFields(map[string]string{"length": "2.5", "kind": "a"}) })
	}
	wait.Wait()
	for _, q := range answers {
		if q.Name != "virginica" || !reflect.DeepEqual(q, answers[0]) {
			t.Errorf("%+v and %+v", answers[0], q)
		}
	}
}

// Probabilities of three classes: of all steps fitted out of folds, the same from a table, a row and a file.
func TestProbabilitiesOfManyClasses(t *testing.T) {
	for _, kind := range []string{"one-vs-one", "one-vs-rest"} {
		p := models()[kind]
		p.Probabilities = &tune.Probabilities{}
		m := fit(t, p, three())
		loaded, err := load(bytes.NewReader(saved(t, m)))
		if err != nil {
			t.Fatal(err)
		}
		all, err1 := m.PredictTable(three())
		again, err2 := loaded.PredictTable(three())
		if err1 != nil || err2 != nil || !svmkit.HasProbabilities(m) || !svmkit.HasProbabilities(loaded) {
			t.Fatal(err1, err2)
		}
		right := 0
		for i, row := range three().Rows {
			if !slices.Equal(all[i].Probabilities, again[i].Probabilities) || len(all[i].Probabilities) != 3 {
				t.Fatalf("%s, row %d: %+v, loaded %+v", kind, i, all[i], again[i])
			}
			one, err := m.PredictFields(map[string]string{"length": row[0], "kind": row[1]})
			if err != nil {
				t.Fatal(err)
			}
			const rounding = 1e-9
			sum := 0.0
			for k, v := range all[i].Probabilities {
				if sum += v; !(math.Abs(one.Probabilities[k]-v) <= rounding) {
					t.Fatalf("%s, row %d alone: %v, not %v", kind, i, one.Probabilities, all[i].Probabilities)
				}
			}
			if !(math.Abs(sum-1) <= rounding) {
				t.Fatalf("%s, row %d: the sum is %g", kind, i, sum)
			}
			if all[i].Probabilities[slices.Index(m.ClassNames(), row[2])] > 0.5 {
				right++
			}
		}
		if least := 20; right < least {
			t.Errorf("%s: %d rows of 30 have more than ½ on their class", kind, right)
		}
	}
	pairs := models()["one-vs-one"] // of two classes
	pairs.Labels, pairs.Probabilities = dataset.Labels{Positive: "virginica"}, &tune.Probabilities{}
	two, err := fit(t, pairs, three()).PredictTable(three())
	for i, q := range two {
		if len(q.Probabilities) != 2 || q.Probabilities[1] != q.Probabilities[1] || err != nil {
			t.Fatalf("row %d of two classes: %+v, %v", i, q, err)
		}
	}
	if m := fit(t, models()["one-vs-one"], three()); svmkit.HasProbabilities(m) {
		t.Error("probabilities that were not asked for")
	}
	p := models()["Crammer–Singer"]
	p.Probabilities = &tune.Probabilities{}
	var wrong *svmkit.ParamError
	if _, err := p.Fit(t.Context(), three()); !errors.As(err, &wrong) || wrong.Name != "Probabilities" {
		t.Error(err)
	}
}

// A column of weights is what weights of the rows are, and no column of the model: tables to predict have it or not.
func TestColumnOfWeights(t *testing.T) {
	all := three()
	all.Names = append(all.Names, "people")
	var weights []float64
	for i := range all.Rows {
		weights = append(weights, float64(i%3))
		all.Rows[i] = append(all.Rows[i], fmt.Sprint(weights[i]))
	}
	p := models()["kernel"]
	q := p
	q.Columns.Drop = append(slices.Clone(p.Columns.Drop), "people")
	set, err := q.RowNumbers(all)
	if err != nil {
		t.Fatal(err)
	}
	set.Weight = weights
	want, err := q.Fitter(all)(t.Context(), set)
	if err != nil {
		t.Fatal(err)
	}
	p.Weights = "people"
	m := fit(t, p, all)
	if got := saved(t, m); !bytes.Equal(got, saved(t, want.(*pipeline.RowModel).Model)) || bytes.Equal(got, saved(t, fit(t, q, all))) {
		t.Errorf("another model than by the weights of the rows, or the same as without:\n%s", got)
	}
	for _, on := range []*dataset.Table{all, three()} {
		if _, err := m.PredictTable(on); err != nil {
			t.Error(err)
		}
	}
	for column, wrong := range map[string]string{"species": "must be a column of the table other than the label's", "crowd": "must be a column", "length": "take it out of Median or Weights"} {
		p.Weights, p.Columns.Median = column, []string{"length"}
		_, err := p.Fit(t.Context(), all)
		if param := (*svmkit.ParamError)(nil); !errors.As(err, &param) || param.Name != "Weights" || !strings.Contains(param.Need+param.Hint, wrong) {
			t.Errorf("%s: %v", column, err)
		}
	}
	p.Weights, p.Columns.Median, all.Rows[3][4] = "people", nil, "-1"
	if _, err := p.Fit(t.Context(), all); !errors.Is(err, svmkit.ErrWeight) || !strings.Contains(err.Error(), `row 3, column "people"`) {
		t.Error(err)
	}
	all.Rows[3][4] = "NA"
	if _, err := p.Fit(t.Context(), all); !errors.Is(err, dataset.ErrMissing) || !strings.Contains(err.Error(), `row 3, column "people": missing weight: "NA"; fill it in, or leave out the row`) {
		t.Error(err)
	}
}

// What a model leaves out is its own: a list of the caller that has room for more is not written to.
func TestColumnOfWeightsLeavesTheCallersList(t *testing.T) {
	table := &dataset.Table{Names: []string{"x", "id", "w", "kind"}, Rows: [][]string{{"1", "7", "1", "a"}, {"2", "8", "2", "b"}}}
	list := []string{"id", "mine"}
	p := pipeline.Pipeline{Label: "kind", Weights: "w", Columns: pipeline.Columns{Drop: list[:1]}, Model: svm.Fitter(svm.Problem{}, nil, nil)}
	if _, err := p.Fit(t.Context(), table); err != nil || !slices.Equal(list, []string{"id", "mine"}) {
		t.Errorf("%q, %v", list, err)
	}
}

// A prediction is JSON, whatever of it is NaN.
func TestPredictionAsJSON(t *testing.T) {
	nan := math.NaN()
	for _, c := range []struct {
		p    pipeline.Prediction
		want string
	}{
		{pipeline.Prediction{svmkit.Prediction{OK: true, Class: 2, Name: "b", Y: 2, Score: nan}, []float64{0.25, 0, 0.75}}, `{"OK":true,"Class":2,"Name":"b","Y":2,"Score":null,"Probabilities":[0.25,0,0.75]}`},
		{pipeline.Prediction{svmkit.SignPrediction(-1.5, []string{"a", "b"}), []float64{0.875, 0.125}}, `{"OK":true,"Class":0,"Name":"a","Y":-1,"Score":-1.5,"Probabilities":[0.875,0.125]}`},
		{pipeline.Prediction{Prediction: svmkit.Prediction{Class: -1, Y: nan, Score: math.Inf(1)}}, `{"OK":false,"Class":-1,"Name":"","Y":null,"Score":null,"Probabilities":null}`},
	} {
		if got, err := json.Marshal(&c.p); err != nil || string(got) != c.want {
			t.Errorf("%s, %v, want %s", got, err, c.want)
		}
	}
	q, err := fit(t, models()["one-vs-one"], three()).PredictFields(map[string]string{"length": "1", "kind": "a"})
	var back pipeline.Prediction
	if text, failed := json.Marshal([]pipeline.Prediction{q}); err != nil || failed != nil || json.Unmarshal(bytes.Trim(text, "[]"), &back) != nil || back.Name != q.Name || back.Y != q.Y {
		t.Errorf("%+v, %s, %v, %v", q, text, err, failed)
	}
}
