package pipeline_test

import (
	"fmt"
	"math"
	"math/rand/v2"
	"strconv"
	"strings"
	"testing"

	"github.com/svmkit/course/svmkit"
	"github.com/svmkit/course/svmkit/dataset"
	"github.com/svmkit/course/svmkit/feature"
	"github.com/svmkit/course/svmkit/loss"
	"github.com/svmkit/course/svmkit/multiclass"
	"github.com/svmkit/course/svmkit/pipeline"
	"github.com/svmkit/course/svmkit/svm"
)

// The same table in other units, orders and names: the same predictions and the same status.

// line is a row of a table: two numbers, the first of which may be missing, a category, and the label.
type line struct {
	a, b   float64
	kind   string
	label  string
	weight int
}

func tableOf(t *testing.T, lines []line) *dataset.Table {
	t.Helper()
	var s strings.Builder
	s.WriteString("a,b,kind,label,weight\n")
	for _, l := range lines {
		a := strconv.FormatFloat(l.a, 'g', -1, 64)
		if math.IsNaN(l.a) {
			a = ""
		}
		fmt.Fprintf(&s, "%s,%s,%s,%s,%d\n", a, strconv.FormatFloat(l.b, 'g', -1, 64), l.kind, l.label, l.weight)
	}
	table, err := dataset.ReadTable(t.Context(), strings.NewReader(s.String()), &dataset.TableOptions{Header: dataset.HeaderYes})
	if err != nil {
		t.Fatal(err)
	}
	return table
}

// answers fits a pipeline to the lines and returns its predictions for the same lines.
func answers(t *testing.T, lines []line, scale *feature.Scaler, fit svmkit.Fitter) (predictions []pipeline.Prediction, status svmkit.Status) {
	t.Helper()
	table := tableOf(t, lines)
	p := pipeline.Pipeline{Label: "label", Weights: "weight", Scale: scale, Model: fit,
		Columns: pipeline.Columns{Median: []string{"a"}, Indicator: []string{"a"}, Categorical: []string{"kind"}}}
	m, err := p.Fit(t.Context(), table)
	if err != nil {
		t.Fatal(err)
	}
	if predictions, err = m.PredictTable(table); err != nil {
		t.Fatal(err)
	}
	return predictions, m.FitStatus()
}

// changed returns the lines with f applied to a copy of each.
func changed(lines []line, f func(l *line)) []line {
	out := append([]line(nil), lines...)
	for i := range out {
		f(&out[i])
	}
	return out
}

func TestTablesInOtherUnits(t *testing.T) {
	rng := rand.New(rand.NewPCG(35, 3))
	settings := &svm.Settings{Tol: 1e-8}
	problem := svm.Problem{Loss: loss.SquaredHinge{}}
	regression := svm.Problem{Loss: loss.SquaredEpsInsensitive{}}
	for set := range 6 {
		var lines []line
		for range 60 {
			l := line{a: rng.NormFloat64(), b: rng.NormFloat64(), kind: []string{"x", "y", "z"}[rng.IntN(3)], weight: 1}
			v := l.a - l.b + rng.NormFloat64()/2
			if l.kind == "x" {
				v++
			}
			switch {
			case set%3 == 2:
				l.label = strconv.FormatFloat(v, 'g', -1, 64)
			case v < -1 && set%3 == 1:
				l.label = "low"
			case v < 0:
				l.label = "middle"
			default:
				l.label = "top"
			}
			if rng.IntN(8) == 0 {
				l.a = math.NaN()
			}
			lines = append(lines, l)
		}
		fit := []svmkit.Fitter{
			svm.Fitter(problem, nil, settings), multiclass.OneVsRest{Binary: svm.Fitter(problem, nil, settings)}.Fitter(), svm.Fitter(regression, nil, settings),
		}[set%3]
		want, status := answers(t, lines, &feature.Scaler{}, fit)
		if status != svmkit.Optimal {
			t.Fatal(status)
		}
		// check fits the changed lines. Row i has become row(i), the scores of two classes and the targets have
		// been multiplied by unit, and the classes have other names.
		check := func(name string, lines []line, row func(i int) int, unit float64, names map[string]string) {
			t.Helper()
			got, status := answers(t, lines, &feature.Scaler{}, fit)
			worst, classes := 0.0, true
			for i, p := range want {
				q := got[row(i)]
				if !math.IsNaN(p.Score) {
					worst = max(worst, math.Abs(p.Score-q.Score/unit))
				}
				if n, renamed := names[p.Name]; renamed {
					p.Name = n
				}
				classes = classes && p.Name == q.Name && p.OK && q.OK
			}
			if !(worst <= 1e-3) || !classes || status != svmkit.Optimal {
				t.Errorf("set %d, %s: scores differ by %.3g, the same classes: %v, %v", set, name, worst, classes, status)
			}
		}
		stay := func(i int) int { return i }
		check("columns in other units", changed(lines, func(l *line) { l.a, l.b = l.a*1e-6, l.b*1024 }), stay, 1, nil)
		check("shifted columns", changed(lines, func(l *line) { l.a, l.b = l.a+1000, l.b-20 }), stay, 1, nil)
		check("columns with the other sign", changed(lines, func(l *line) { l.a, l.b = -l.a, -l.b }), stay, 1, nil)
		place := rng.Perm(len(lines))
		other := make([]line, len(lines))
		for i, k := range place {
			other[k] = lines[i]
		}
		check("rows in another order", other, func(i int) int { return place[i] }, 1, nil)
		kinds := map[string]string{"x": "q", "y": "p", "z": "o"} // another order of the columns of categories
		check("categories with other names", changed(lines, func(l *line) { l.kind = kinds[l.kind] }), stay, 1, nil)

		heavy := changed(lines, func(l *line) { // without missing fields: a median counts each row once
			if l.weight = 1 + 2*rng.IntN(2); math.IsNaN(l.a) {
				l.a = 0.5
			}
		})
		var copies []line
		first := make([]int, len(heavy))
		for i, l := range heavy {
			first[i] = len(copies)
			for range l.weight {
				copies = append(copies, l)
				copies[len(copies)-1].weight = 1
			}
		}
		want, _ = answers(t, heavy, &feature.Scaler{}, fit)
		check("weights and copies", copies, func(i int) int { return first[i] }, 1, nil)

		want, _ = answers(t, lines, &feature.Scaler{}, fit)
		switch set % 3 {
		case 0:
			names := map[string]string{"middle": "top", "top": "middle"}
			check("labels exchanged", changed(lines, func(l *line) { l.label = names[l.label] }), stay, -1, names)
		case 1:
			names := map[string]string{"low": "3", "middle": "2", "top": "1"}
			check("classes with other names", changed(lines, func(l *line) { l.label = "class" + names[l.label] }), stay, 1,
				map[string]string{"low": "class3", "middle": "class2", "top": "class1"})
		default:
			check("targets in other units", changed(lines, func(l *line) {
				v, _ := strconv.ParseFloat(l.label, 64)
				l.label = strconv.FormatFloat(v*1e6, 'g', -1, 64)
			}), stay, 1e6, nil)
		}
	}
}
