package figures

import (
	"fmt"
	"image/color"
	"slices"
	"testing"

	"github.com/svmkit/course/internal/plottest"
	"github.com/svmkit/course/plots/geom"
	"github.com/svmkit/course/plots/pen"
	"github.com/svmkit/course/svmkit"
	"github.com/svmkit/course/svmkit/loss"
)

// Each curve is its loss over the margin; the zero–one loss is 1 up to m = 0, the end included, and
// 0 beyond; the mistakes are shaded.
func TestLossZooDrawn(t *testing.T) {
	losses := zoo()
	r := read(t)(LossZoo(losses))
	for i, l := range losses {
		value := func(m float64) float64 {
			scale := l.Scale
			if scale == 0 {
				scale = 1
			}
			return scale * l.Loss.Value(m, 1)
		}
		plottest.OnGraph(t, l.Name, inside(r.Panels[0],
			only(t, l.Name, r.Lines(0, l.Name, pen.Styles[i].Line))), value)
		plottest.OnGraph(t, l.Name+"'s marks", r.Marks(0, l.Name, pen.Styles[i].Mark), value)
	}
	samePairs(t, "zero–one", segments(r.Lines(0, "zero–one", pen.Line(pen.Ink, 3, nil))),
		[][2]geom.Point{{{X: -2, Y: 1}, {Y: 1}}, {{}, {X: 2.5}}})
	plottest.SamePoints(t, "the value at 0", r.Marks(0, "",
		pen.Mark{Shape: pen.Disc, Fill: pen.Ink, Edge: pen.Ink, Radius: 3.6}), []geom.Point{{Y: 1}})
	plottest.SamePoints(t, "the open end", r.Marks(0, "",
		pen.Mark{Shape: pen.Disc, Fill: pen.PaleBand, Edge: pen.Ink, Radius: 3.6}),
		[]geom.Point{{}})
	rectangle(t, "mistakes", plottest.OnlyArea(t, r.Areas(0, "mistakes", pen.PaleBand)),
		geom.Box{XMin: -2, XMax: 0, YMin: -0.2, YMax: 4.2})
	r.Axes(0, marginLabel, "loss")
}

// Lines through the point of the graph at m are solid green if their slope is a subgradient, dashed
// red if not; what lies between the green ones is shaded.
func TestSubgradientFanDrawn(t *testing.T) {
	slopes := []float64{-1.5, -1, -0.5, 0, 0.5}
	r := read(t)(SubgradientFan(NamedLoss{Name: "hinge", Loss: loss.Hinge{}}, 1, slopes))
	green, red := r.Lines(0, "on or below the graph", pen.Line(pen.Green, 1.4, nil)),
		r.Lines(0, "above it somewhere", pen.Line(pen.Vermillion, 1.4, pen.Dashed))
	k := [2]int{}
	for _, g := range slopes {
		// The subgradients of the hinge loss at its kink are [−1, 0].
		kind, lines, colour := 0, green, pen.Green
		if g < -1 || g > 0 {
			kind, lines, colour = 1, red, pen.Vermillion
		}
		if k[kind] >= len(lines) {
			t.Fatalf("slope %g has no line", g)
		}
		plottest.OnGraph(t, fmt.Sprintf("slope %g", g), lines[k[kind]].At,
			func(m float64) float64 { return g * (m - 1) })
		k[kind]++
		text := "g=" + scoreText(g)
		if !r.Panels[0].Written(text, colour) {
			t.Errorf("no text %q of the line's colour in %v", text, r.Panels[0].Texts)
		}
		var distances []float64
		at := textAt(t, r.Panels[0], text)
		for _, g := range slopes {
			distances = append(distances, plane(-g, 1, g).Distance(geom.Row(at)))
		}
		nearest(t, text, slices.Index(slopes, g), distances)
	}
	if k[0] != len(green) || k[1] != len(red) {
		t.Errorf("%d solid and %d dashed lines for %d slopes", len(green), len(red), len(slopes))
	}
	plottest.OnGraph(t, "the loss", only(t, "loss",
		r.Lines(0, "hinge", pen.Line(pen.Blue, 2.6, nil))),
		func(m float64) float64 { return max(0, 1-m) })
	plottest.SamePoints(t, "the point", r.Marks(0, "",
		pen.Mark{Shape: pen.Disc, Fill: pen.Ink, Edge: pen.Ink, Radius: 4}), []geom.Point{{X: 1}})
	r.Axes(0, marginLabel, "loss")
	fans := r.Areas(0, "", pen.Pale(pen.Green))
	if len(fans) != 2 {
		t.Errorf("%d shaded triangles, want two", len(fans))
	}
	for _, fan := range fans {
		for _, p := range fan {
			if lo, hi := min(0, 1-p.X), max(0, 1-p.X); p.Y < lo-1e-6 || p.Y > hi+1e-6 {
				t.Errorf("the fan reaches %v", p)
			}
		}
	}

	// At a jump the value is that of the filled disc, and the open one is the limit from the right.
	r = read(t)(SubgradientFan(NamedLoss{Name: "zero–one", Loss: loss.ZeroOne{}}, -1, []float64{0}))
	filled := pen.Mark{Shape: pen.Disc, Fill: pen.Blue, Edge: pen.Blue, Radius: 3.6}
	open := pen.Mark{Shape: pen.Disc, Fill: color.White, Edge: pen.Blue, Radius: 3.6}
	plottest.SamePoints(t, "the value at 0", r.Marks(0, "", filled), []geom.Point{{Y: 1}})
	plottest.SamePoints(t, "the limit", r.Marks(0, "", open), []geom.Point{{X: 0}})
}

// Mean losses are solid, error rates dotted, errors by the true labels dashed; a loss has one
// colour.
func TestSurrogateGapDrawn(t *testing.T) {
	flipped, runs := []float64{0, 0.2, 0.4}, flips()
	r := read(t)(SurrogateGap(flipped, runs))
	r.Axes(0, "share of labels flipped", "mean loss, and error rate")
	for i, c := range []struct {
		mean, wrong, truth string
	}{{"mean hinge loss", "hinge loss: error", "hinge loss: error, true labels"},
		{"mean logistic loss (bits)", "logistic loss: error", ""}} {
		colour := pen.Styles[i].Line.Color
		plottest.SamePath(t, c.mean, only(t, c.mean,
			r.Lines(0, c.mean, pen.Line(colour, 1.6, nil))), points(flipped, runs[i].Loss))
		plottest.SamePath(t, c.wrong, only(t, c.wrong,
			r.Lines(0, c.wrong, pen.Line(colour, 1.6, pen.Dotted))), points(flipped, runs[i].Error))
		marked := append(points(flipped, runs[i].Loss), points(flipped, runs[i].Error)...)
		if c.truth != "" {
			plottest.SamePath(t, c.truth, only(t, c.truth,
				r.Lines(0, c.truth, pen.Line(colour, 1.6, pen.Dashed))),
				points(flipped, runs[i].True))
			marked = append(marked, points(flipped, runs[i].True)...)
		}
		plottest.SamePoints(t, "marks", r.Marks(0, c.mean, pen.Styles[i].Mark), marked)
	}
	single := read(t)(SurrogateGap(flipped, runs[:1]))
	plottest.SamePoints(t, "the gap", plottest.OnlyArea(t, single.Areas(0, "", pen.Pale(pen.Blue))),
		append(points(flipped, runs[0].Loss), points(flipped, runs[0].Error)...))
}

// The first line is dashed and the last solid, each with an arrow to its positive side; ringed are
// the points with y⟨w,x⟩ ≤ 0 of the last w.
func TestTurnedLineDrawn(t *testing.T) {
	set, first, last := square40(), [2]float64{1, -0.5}, [2]float64{1, 1.5}
	r := read(t)(TurnedLine(set, first, last))
	r.Classes(0, set, 1)
	for k, c := range []struct {
		name string
		w    [2]float64
	}{{"last line", last}, {"first line", first}} {
		style := pen.PlaneStyles[k].Line
		h := svmkit.Hyperplane{W: c.w[:]}
		plottest.OnLevel(t, c.name, only(t, c.name, r.Lines(0, c.name, style)), h, 0)
		style.Width, style.Dashes = 2, nil
		arrow := only(t, c.name+"'s arrow", r.Arrows(0, "", style))
		plottest.OnLevel(t, "its foot", arrow[:1], h, 0)
		pointsAlong(t, arrow, c.w[:])
	}
	r.Arrows(0, "its + side", pen.Line(pen.Ink, 2, nil))
	plottest.SamePoints(t, "mistakes", r.Rings(0, "mistakes of the last", 6.5,
		pen.Line(pen.Ink, 1, nil)),
		plottest.Where(set, func(i int) bool { return set.Y[i]*set.X[i].Dot(last[:]) <= 0 }))
	planeAxes(t, r, 0)
}
