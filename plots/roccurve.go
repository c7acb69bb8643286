package plots

import (
	"fmt"

	"github.com/svmkit/course/svmkit"
	"github.com/svmkit/course/svmkit/tune"
	"gonum.org/v1/plot/vg"
)

// NamedScores is what a model said of every row of a set, with its name in a legend, which
// may hold math.
type NamedScores struct {
	Name   string
	Scores []float64 // f(xᵢ), one a row
}

// ROCCurves draws, for up to six models, which part of the positive rows is found against
// which part of the negative rows is called positive by mistake, for every threshold on the
// score. A mark shows the threshold zero, the model's own decision. The area under a curve
// (AUC) is the chance that a random positive row scores higher than a random negative
// one, ties counted half; the diagonal, ½, is guessing.
//
// Errors are those of [tune.ROC]: both labels must occur, and scores must be finite.
func ROCCurves(truth *svmkit.Dataset, models []NamedScores) (*Figure, error) {
	if err := checkStyles("models", len(models), "model"); err != nil {
		return nil, err
	}
	p := newPlot("false positive rate", "true positive rate")
	show(p, box{-0.02, 1.02, -0.02, 1.02})
	guess := path{[]point{{}, {X: 1, Y: 1}}, line(faint, 1.1, dotted)}
	p.Add(guess)
	f := &Figure{Plot: p, EqualUnits: true, Width: 5 * vg.Inch, Height: 4.8 * vg.Inch}
	left := ""
	for i, m := range models {
		corners, err := tune.ROC(truth, m.Scores)
		if err != nil {
			return nil, fmt.Errorf("model %q: %w", m.Name, err)
		}
		auc, err := tune.AUC.Measure(truth, tune.Predictions{Score: m.Scores, Classes: truth.Classes})
		if err != nil {
			return nil, fmt.Errorf("model %q: %w", m.Name, err)
		}
		var curve []point
		rows := thin(len(corners), maxCurve)
		for _, k := range rows {
			curve = append(curve, point{X: corners[k].FalsePositiveRate, Y: corners[k].TruePositiveRate})
		}
		called, rowsOf := calledPositive(truth, m.Scores)
		own := point{X: called[0] / rowsOf[0], Y: called[1] / rowsOf[1]}
		f.addModel(i, m.Name+", AUC "+num(roughly(auc)), curve, own)
		name := plainMath.Replace(m.Name)
		if i == 0 {
			f.Caption = fmt.Sprintf("%s puts a positive row above a negative one in %s of all pairs", name, percent(auc))
		} else {
			f.Caption += fmt.Sprintf(", %s in %s", name, percent(auc))
		}
		f.Alt += fmt.Sprintf(" %s: area %s; at the threshold 0 it finds %s of the positive rows and calls %s of the negative ones positive.",
			name, num(auc), percent(own.Y), percent(own.X))
		left += thinned(len(rows), len(corners), "points of "+name)
	}
	f.Caption += " (ties counted half); guessing would in 50 %. The mark is the model's own threshold, 0." + left
	f.Alt = fmt.Sprintf("Receiver operating characteristic of %s over %s: false positive rate from 0 to 1 (horizontal), true positive rate from 0 to 1 (vertical), with the diagonal of guessing.",
		plural(len(models), "model"), bothClasses(truth)) + f.Alt
	f.Legend = append(f.Legend, Entry{"guessing", guess})
	return f, nil
}

// addModel draws the curve of model i over all thresholds, with a mark at its own decision.
func (f *Figure) addModel(i int, name string, curve []point, own point) {
	drawn := marked{path{curve, styles[i].line}, styles[i].mark}
	decision := marks{[]point{own}, styles[i].mark}
	decision.mark.radius *= 1.5
	f.Plot.Add(drawn.path, decision)
	f.Legend = append(f.Legend, Entry{name, drawn})
}

// calledPositive counts the rows whose score is positive, and all rows: those of the negative class, then those of the
// positive one.
func calledPositive(truth *svmkit.Dataset, scores []float64) (called, rows [2]float64) {
	for i, y := range truth.Y {
		k := 0
		if y > 0 {
			k = 1
		}
		rows[k]++
		if scores[i] > 0 {
			called[k]++
		}
	}
	return called, rows
}

// bothClasses says how many rows of each label truth has.
func bothClasses(truth *svmkit.Dataset) string {
	_, rows := calledPositive(truth, truth.Y)
	return fmt.Sprintf("%.0f positive and %.0f negative rows", rows[1], rows[0])
}
