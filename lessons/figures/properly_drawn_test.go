package figures

import (
	"fmt"
	"image/color"
	"math"
	"testing"

	"github.com/svmkit/course/internal/plottest"
	"github.com/svmkit/course/plots/geom"
	"github.com/svmkit/course/plots/pen"
	"github.com/svmkit/course/svmkit/tune"
)

// Marks are at the mean over the folds, with bars of one standard error; the best is ringed, and
// the dashed line is the choice of the one-standard-error rule.
func TestCVCurveDrawn(t *testing.T) {
	s := &tune.Selection{}
	for k, mean := range []float64{0.3, 0.12, 0.1, 0.15} {
		s.Points = append(s.Points, tune.Point{Params: tune.Params{C: math.Pow(10, float64(k-2))},
			CVResult: tune.CVResult{Scores: []float64{mean - 0.03, mean + 0.03}, Mean: mean,
				StdErr: 0.03}})
	}
	r := read(t)(CVCurve(s, "error"))
	var means []geom.Point
	var bars [][2]geom.Point
	for _, p := range s.Points {
		means = append(means, geom.Point{X: p.C, Y: p.Mean})
		bars = append(bars, [2]geom.Point{{X: p.C, Y: p.Mean - p.StdErr},
			{X: p.C, Y: p.Mean + p.StdErr}})
	}
	look := pen.Styles[0]
	plottest.SamePath(t, "means", only(t, "means",
		r.Lines(0, "mean and standard error", look.Line)), means)
	plottest.SamePoints(t, "means", r.Marks(0, "mean and standard error", look.Mark), means)
	samePairs(t, "bars", upright(segments(r.Lines(0, "", pen.Line(look.Line.Color, 1.1, nil)))),
		bars)
	plottest.SamePoints(t, "the best", r.Rings(0, "best", 6.5, pen.Line(pen.Ink, 1.5, nil)),
		[]geom.Point{{X: 1, Y: 0.1}})
	for _, p := range only(t, "choice", r.Lines(0, "one-standard-error choice",
		pen.Line(pen.Ink, 1.3, pen.Dashed))) {
		if math.Abs(p.X-0.1) > 1e-9 {
			t.Errorf("the choice is at %v, want C = 0.1", p)
		}
	}
	box := geom.Empty().Cover(plottest.OnlyArea(t, r.Areas(0, "within one standard error", pen.PaleBand))...)
	if math.Abs(box.YMin-0.1) > 1e-9 || math.Abs(box.YMax-0.13) > 1e-9 {
		t.Errorf("the band of one standard error is %v", box)
	}
	r.Axes(0, "log:$C$", "error")
}

// The cell in the row of a true class and the column of a predicted one has the count, the share of
// the class below it, and the shade of that share.
func TestConfusionMatrixDrawn(t *testing.T) {
	c := &tune.Confusion{Names: []string{"a", "b", "c"},
		Count: [][]int{{8, 2, 0}, {1, 3, 0}, {0, 4, 6}}, None: []int{0, 0, 0}}
	r := read(t)(ConfusionMatrix(c))
	shade := pen.Shade{Lo: 0, Hi: 1, Stops: pen.Sequential}
	total := []int{10, 4, 10}
	cellsDrawn(t, r.Panels[0], 3, 3, func(row, column int) color.Color {
		return shade.Colour(float64(c.Count[row][column]) / float64(total[row]))
	})
	for row := range c.Count {
		for column, n := range c.Count[row] {
			middle := geom.Point{X: float64(column) + 0.5, Y: 2.5 - float64(row)}
			written(t, r.Panels[0], middle, 0.45, fmt.Sprint(n))
			written(t, r.Panels[0], middle, 0.6, fmt.Sprintf("%d %%", 100*n/total[row]))
		}
	}
	r.Axes(0, "predicted class", "true class")
	ticked(t, r.Panels[0].X, 0.5, "a", "b", "c")
	ticked(t, r.Panels[0].Y, 0.5, "c", "b", "a")

	// Rows without a prediction have the last column.
	c.None = []int{0, 6, 0}
	r = read(t)(ConfusionMatrix(c))
	ticked(t, r.Panels[0].X, 0.5, "a", "b", "c", "none")
	written(t, r.Panels[0], geom.Point{X: 3.5, Y: 1.5}, 0.45, "6")
	written(t, r.Panels[0], geom.Point{X: 3.5, Y: 1.5}, 0.6, "60 %")
}

// A bin's mark is at its mean probability and its part of positive rows, with a bar of √(q(1 −
// q)/n).
func TestReliabilityDrawn(t *testing.T) {
	set, models := answered(), []NamedProbabilities{{"first",
		[]float64{0.1, 0.2, 0.6, 0.7, 0.1, 0.6, 0.9, 0.8}}}
	r := read(t)(Reliability(set, models, 2))
	var at []geom.Point
	var bars [][2]geom.Point
	for _, lower := range []bool{true, false} {
		n, sum, positive := 0.0, 0.0, 0.0
		for i, q := range models[0].Probability {
			if (q < 0.5) == lower {
				n, sum, positive = n+1, sum+q, positive+(1+set.Y[i])/2
			}
		}
		p := geom.Point{X: sum / n, Y: positive / n}
		half := math.Sqrt(p.Y * (1 - p.Y) / n)
		at, bars = append(at, p), append(bars,
			[2]geom.Point{{X: p.X, Y: p.Y - half}, {X: p.X, Y: p.Y + half}})
	}
	look := pen.PlaneStyles[0]
	plottest.SamePath(t, "bins", only(t, "bins", r.Lines(0, "first", look.Line)), at)
	plottest.SamePoints(t, "bins, drawn twice", r.Marks(0, "first", look.Mark), append(at, at...))
	samePairs(t, "bars", upright(segments(r.Lines(0, "", pen.Line(look.Line.Color, 1.1, nil)))),
		bars)
	plottest.OnGraph(t, "the diagonal", only(t, "diagonal",
		r.Lines(0, "calibrated", pen.Line(pen.Faint, 1.1, pen.Dotted))),
		func(x float64) float64 { return x })
	r.Axes(0, "probability that the model gives", "part that is positive")
}
