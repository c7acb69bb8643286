package plots

import (
	"fmt"

	"github.com/svmkit/course/svmkit"
	"github.com/svmkit/course/svmkit/tune"
	"gonum.org/v1/plot/vg"
)

// PrecisionRecallCurves draws, for up to six models, which part of the rows that are called
// positive is positive, the precision, against which part of the positive rows is found, the
// recall, for every threshold on the score. The curves are steps, so that the area under one is
// the average precision (see [tune.AveragePrecision]). A mark shows the threshold zero, the model's
// own decision; its precision is drawn as 1 where no row is called positive. The dotted line is the
// part of the rows that is positive: the precision of rows called positive at random.
//
// Errors are those of [tune.PrecisionRecall]: both labels must occur, and scores must be finite.
func PrecisionRecallCurves(truth *svmkit.Dataset, models []NamedScores) (*Figure, error) {
	if err := checkStyles("models", len(models), "model"); err != nil {
		return nil, err
	}
	p := newPlot("recall", "precision")
	show(p, box{-0.02, 1.02, -0.02, 1.02})
	f := &Figure{Plot: p, EqualUnits: true, Width: 5 * vg.Inch, Height: 4.8 * vg.Inch}
	left, share := "", 0.0
	for i, m := range models {
		points, err := tune.PrecisionRecall(truth, m.Scores)
		if err != nil {
			return nil, fmt.Errorf("model %q: %w", m.Name, err)
		}
		average, err := tune.AveragePrecision.Measure(truth, tune.Predictions{Score: m.Scores, Classes: truth.Classes})
		if err != nil {
			return nil, fmt.Errorf("model %q: %w", m.Name, err)
		}
		share = points[len(points)-1].Precision // all rows are called positive
		var curve []point
		rows := thin(len(points)-1, maxCurve)
		recall := 0.0
		for _, k := range rows {
			next := points[k+1]
			curve = append(curve, point{X: recall, Y: next.Precision}, point{X: next.Recall, Y: next.Precision})
			recall = next.Recall
		}
		own := ownPrecision(truth, m.Scores)
		f.addModel(i, m.Name+", average precision "+num(roughly(average)), curve, own)
		name := plainMath.Replace(m.Name)
		if i == 0 {
			f.Caption = fmt.Sprintf("The average precision of %s is %s", name, percent(average))
		} else {
			f.Caption += fmt.Sprintf(", of %s %s", name, percent(average))
		}
		f.Alt += fmt.Sprintf(" %s: average precision %s; at the threshold 0 it finds %s of the positive rows, and %s of the rows that it calls positive are.",
			name, num(average), percent(own.X), percent(own.Y))
		left += thinned(len(rows), len(points)-1, "steps of "+name)
	}
	guess := path{[]point{{Y: share}, {X: 1, Y: share}}, line(faint, 1.1, dotted)}
	p.Add(guess)
	f.Caption += fmt.Sprintf("; guessing has about %s, the part of the rows that is positive. The mark is the model's own threshold, 0.", percent(share)) + left
	f.Alt = fmt.Sprintf("Precision and recall of %s over %s: recall from 0 to 1 (horizontal), precision from 0 to 1 (vertical), with a dotted line at %s, the precision of guessing.",
		plural(len(models), "model"), bothClasses(truth), percent(share)) + f.Alt
	f.Legend = append(f.Legend, Entry{"guessing", guess})
	return f, nil
}

// ownPrecision returns recall and precision of the decision by the sign of the score.
func ownPrecision(truth *svmkit.Dataset, scores []float64) point {
	called, rows := calledPositive(truth, scores)
	own := point{X: called[1] / rows[1], Y: 1}
	if called[0]+called[1] > 0 {
		own.Y = called[1] / (called[0] + called[1])
	}
	return own
}
