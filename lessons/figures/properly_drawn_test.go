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

// The tube loss is 0 up to ±ε and rises with the slopes C₁ and C₂; beside it are |r| and r².
func TestEpsilonLossDrawn(t *testing.T) {
	const eps, above, below = 0.5, 2, 0.7
	r := read(t)(EpsilonLoss(eps, above, below))
	tube := func(r float64) float64 {
		if r > 0 {
			return above * math.Max(0, r-eps)
		}
		return below * math.Max(0, -r-eps)
	}
	curve := only(t, "tube", r.Lines(0, "tube loss", pen.Line(pen.Blue, 2.4, nil)))
	plottest.OnGraph(t, "the tube loss", curve, tube)
	plottest.SamePoints(t, "its bends", curve[1:3], []geom.Point{{X: -eps}, {X: eps}})
	plottest.OnGraph(t, "|r|", inside(r.Panels[0],
		only(t, "|r|", r.Lines(0, "absolute error", pen.Line(pen.Vermillion, 1.6, pen.Dashed)))),
		math.Abs)
	plottest.OnGraph(t, "r²", inside(r.Panels[0],
		only(t, "r²", r.Lines(0, "squared error", pen.Line(pen.Green, 1.6, pen.Dotted)))),
		func(r float64) float64 { return r * r })
	plottest.SamePoints(t, "±ε", r.Marks(0, "",
		pen.Mark{Shape: pen.Disc, Fill: pen.Blue, Edge: pen.Blue, Radius: 3}),
		[]geom.Point{{X: -eps}, {X: eps}})
	box := geom.Empty().Cover(r.Areas(0, `$|f(x) - y| \leq \epsilon$`, pen.PaleBand)[0]...)
	if math.Abs(box.XMin+eps) > 1e-9 || math.Abs(box.XMax-eps) > 1e-9 {
		t.Errorf("the tube is %v", box)
	}
	for _, text := range []string{"slopeC1=2", "slope−C2=−0.7"} {
		if !writtenWithoutSpaces(r.Panels[0], text) {
			t.Errorf("no text %q in %v", text, r.Panels[0].Texts)
		}
	}
}

func writtenWithoutSpaces(p plottest.Panel, text string) bool {
	for _, s := range p.Texts {
		plain := ""
		for _, c := range s.String {
			if c != ' ' {
				plain += string(c)
			}
		}
		if plain == text {
			return true
		}
	}
	return false
}

// The best β is v − ±ε over κ, cut at −C₁ and C₂; the dotted line is v/κ.
func TestSoftThresholdDrawn(t *testing.T) {
	const eps, kappa, above, below = 0.5, 1.25, 0.8, 0.6
	r := read(t)(SoftThreshold(eps, kappa, above, below))
	step := func(v float64) float64 {
		b := math.Copysign(math.Max(0, math.Abs(v)-eps), v) / kappa
		return math.Min(below, math.Max(-above, b))
	}
	curve := only(t, "β", r.Lines(0, `best $\beta$`, pen.Line(pen.Blue, 2.4, nil)))
	plottest.OnGraph(t, "the best β", curve, step)
	if len(curve) != 6 {
		t.Errorf("the curve has %d corners", len(curve))
	}
	plottest.OnGraph(t, "v/κ", only(t, "v/κ", r.Lines(0, "$v$/κ",
		pen.Line(pen.Faint, 1.4, pen.Dotted))), func(v float64) float64 { return v / kappa })
	ends := r.Lines(0, "ends of the box", pen.Line(pen.Vermillion, 1.4, pen.Dashed))
	if len(ends) != 2 {
		t.Fatalf("%d ends", len(ends))
	}
	plottest.OnGraph(t, "−C₁", ends[0].At, func(float64) float64 { return -above })
	plottest.OnGraph(t, "C₂", ends[1].At, func(float64) float64 { return below })
	blue := pen.Mark{Shape: pen.Disc, Fill: pen.Blue, Edge: pen.Blue, Radius: 3}
	plottest.SamePoints(t, "±ε", r.Marks(0, "", blue), []geom.Point{{X: -eps}, {X: eps}})
	box := geom.Empty().Cover(r.Areas(0, `$|v| \leq \epsilon$`, pen.PaleBand)[0]...)
	if math.Abs(box.XMin+eps) > 1e-9 || math.Abs(box.XMax-eps) > 1e-9 {
		t.Errorf("the band is %v", box)
	}
}

// Where a line separates it is drawn; where none does, the hulls of both classes are shaded, and a
// common point is ringed.
func TestLabellingsDrawn(t *testing.T) {
	all := cornersOfSquare()
	r := read(t)(Labellings(all, 2))
	for k, l := range all {
		for _, c := range []struct {
			label float64
			mark  pen.Mark
		}{{1, pen.Positive}, {-1, pen.Negative}} {
			c.mark.Radius *= 1.3
			plottest.SamePoints(t, "points", r.Marks(k, "", c.mark),
				plottest.Where(l.Set, func(i int) bool { return l.Set.Y[i] == c.label }))
		}
		lines, rings := r.Lines(k, "separating line", pen.Line(pen.Ink, 1.8, nil)),
			r.Rings(k, "point of both hulls", 7, pen.Line(pen.Ink, 1.8, nil))
		if l.Plane.W != nil {
			plottest.OnLevel(t, "the line", only(t, "line", lines), l.Plane, 0)
			plottest.SamePoints(t, "no ring", rings, nil)
			continue
		}
		plottest.SamePoints(t, "the common point", rings, []geom.Point{{}})
		plottest.SamePath(t, "hull of +1", only(t, "+1",
			r.Lines(k, "", pen.Line(pen.Blue, 1.6, nil))),
			[]geom.Point{{X: -1, Y: -1}, {X: 1, Y: 1}})
		plottest.SamePath(t, "hull of −1", only(t, "−1",
			r.Lines(k, "", pen.Line(pen.Vermillion, 1.6, pen.Dashed))),
			[]geom.Point{{X: -1, Y: 1}, {X: 1, Y: -1}})
		if len(lines) > 0 {
			t.Error("a line where none separates")
		}
	}
	named := all[1]
	named.Names = []string{"A", "B", "C", "D"}
	r = read(t)(Labellings([]Labelling{named}, 2))
	for i, name := range named.Names {
		written(t, r.Panels[0], geom.At(named.Set.X[i]), 0.5, name)
	}
}

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
	box := geom.Empty().Cover(r.Areas(0, "within one standard error", pen.PaleBand)[0]...)
	if math.Abs(box.YMin-0.1) > 1e-9 || math.Abs(box.YMax-0.13) > 1e-9 {
		t.Errorf("the band of one standard error is %v", box)
	}
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
}
