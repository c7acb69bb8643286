package figures

import (
	"fmt"
	"image/color"
	"math"
	"testing"

	"github.com/svmkit/course/internal/plottest"
	"github.com/svmkit/course/plots/geom"
	"github.com/svmkit/course/plots/pen"
	"github.com/svmkit/course/svmkit"
	"github.com/svmkit/course/svmkit/loss"
)

// M − H ≤ ⟨w,w*⟩ ≤ ‖w‖‖w*‖ ≤ B√M, each in its own line.
func TestHingeSqueezeDrawn(t *testing.T) {
	trace, h := noisyTrace()
	r := read(t)(HingeSqueeze(trace, h))
	plottest.OnGraph(t, "B√M", only(t, "upper",
		r.Lines(0, `$B\sqrt{M}$, from above`, pen.Line(pen.Blue, 1.8, nil))),
		func(m float64) float64 { return 3 * math.Sqrt(m) })
	lower, align, norm := []geom.Point{{}}, []geom.Point{{}}, []geom.Point{{}}
	sum := 0.0
	for i, m := range trace {
		k := float64(i + 1)
		sum += h.Losses[i]
		lower = append(lower, geom.Point{X: k, Y: k - sum})
		align = append(align, geom.Point{X: k, Y: m.Align})
		norm = append(norm, geom.Point{X: k, Y: 3 * m.NormW})
	}
	plottest.SamePath(t, "M − H", only(t, "lower",
		r.Lines(0, `$M - H$, from below`, pen.Line(pen.Vermillion, 1.8, pen.Dashed))), lower)
	plottest.SamePath(t, "⟨w,w*⟩", only(t, "align",
		r.Lines(0, `$\langle w, w^\star\rangle$`, pen.Line(pen.Orange, 1.2, nil))), align)
	plottest.SamePath(t, "‖w‖‖w*‖", only(t, "norm",
		r.Lines(0, `$\|w\|\,\|w^\star\|$`, pen.Line(pen.Green, 1.2, nil))), norm)
	subset(t, "triangles", r.Marks(0, `$\langle w, w^\star\rangle$`,
		pen.Mark{Shape: pen.Triangle, Fill: pen.Orange, Edge: pen.Orange, Radius: 2.6}), align)
	subset(t, "circles", r.Marks(0, `$\|w\|\,\|w^\star\|$`,
		pen.Mark{Shape: pen.Disc, Fill: pen.Green, Edge: pen.Green, Radius: 2.2}), norm)
	subset(t, "between", r.Areas(0, "between the bounds", pen.PaleBlue)[0][161:], lower)
}

// subset checks that there are marks, each at one of the places.
func subset(t *testing.T, what string, marks, places []geom.Point) {
	t.Helper()
	if len(marks) == 0 {
		t.Errorf("%s: none", what)
	}
	for _, m := range marks {
		found := false
		for _, p := range places {
			found = found || geom.Distance(m, p) < 1e-6*(1+math.Hypot(p.X, p.Y))
		}
		if !found {
			t.Errorf("%s: one at %v", what, m)
			return
		}
	}
}

// The wrong labels are ringed, a cross is behind the point to drag, the dashed line made the right
// labels, and the solid one is where the run ended.
func TestNoisyRunDrawn(t *testing.T) {
	set := square40()
	set.Y[0], set.Y[3] = -set.Y[0], -set.Y[3]
	star, last := plane(2, 1, 0), plane(2, 1.9, 0)
	r := read(t)(NoisyRun(set, []int{0, 3}, 5, star, last, 9, 31.6))
	r.Classes(0, set, 1)
	plottest.SamePoints(t, "wrong labels", r.Rings(0, "label is wrong", 6,
		pen.Line(pen.Ink, 1.4, nil)), plottest.Rows(set, 0, 3))
	plottest.SamePoints(t, "the cross", r.Marks(0, "",
		pen.Mark{Shape: pen.Upright, Edge: pen.Ink, Radius: 6.5}), plottest.Rows(set, 5))
	plottest.OnLevel(t, "w*", only(t, "w*", r.Lines(0, "line of the right labels",
		pen.Line(pen.Faint, 1.4, pen.Dashed))), star, 0)
	plottest.OnLevel(t, "the last line", only(t, "last",
		r.Lines(0, "last line of the run", pen.Line(pen.Ink, 2, nil))), last, 0)
	for _, p := range only(t, "circle", r.Lines(0, "", pen.Line(pen.Faint, 0.8, pen.Dotted))) {
		if math.Abs(math.Hypot(p.X, p.Y)-set.Radius()) > 1e-6 {
			t.Errorf("the circle is at %v", p)
		}
	}
}

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
	rectangle(t, "mistakes", r.Areas(0, "mistakes", pen.PaleBand)[0],
		geom.Box{XMin: -2, XMax: 0, YMin: -0.2, YMax: 4.2})
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
		if text := "g=" + scoreText(g); !r.Panels[0].Written(text, colour) {
			t.Errorf("no text %q of the line's colour in %v", text, r.Panels[0].Texts)
		}
	}
	if k[0] != len(green) || k[1] != len(red) {
		t.Errorf("%d solid and %d dashed lines for %d slopes", len(green), len(red), len(slopes))
	}
	plottest.OnGraph(t, "the loss", only(t, "loss",
		r.Lines(0, "hinge", pen.Line(pen.Blue, 2.6, nil))),
		func(m float64) float64 { return max(0, 1-m) })
	plottest.SamePoints(t, "the point", r.Marks(0, "",
		pen.Mark{Shape: pen.Disc, Fill: pen.Ink, Edge: pen.Ink, Radius: 4}), []geom.Point{{X: 1}})
	for _, fan := range r.Areas(0, "", pen.Pale(pen.Green)) {
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
	plottest.SamePoints(t, "the gap", single.Areas(0, "", pen.Pale(pen.Blue))[0],
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
}

// Above, the street has the half-width 1/‖w‖, and rings mark the points that hold it; below, row i
// is the line y⟨w,x⟩ = 1, the region where all constraints hold is shaded, and its point of least
// norm lies on the circle.
func TestWeightSpaceDrawn(t *testing.T) {
	set, err := svmkit.NewDataset(twoHold())
	if err != nil {
		t.Fatal(err)
	}
	r := read(t)(WeightSpace(set, 3, 2))
	r.Classes(0, set, 1.2)
	w, held := plane(1, 0, 0), []int{0, 2} // (1, 2)·w = 1 and −(−1, 1)·w = 1
	streetDrawn(t, r, 0, "its middle", "widest street", w)
	plottest.SamePoints(t, "rings", r.Rings(0, "", 6.5, pen.Line(pen.Ink, 1.4, nil)),
		plottest.Rows(set, held...))
	row := func(i int) svmkit.Hyperplane {
		return plane(set.Y[i]*set.X[i].At(0), set.Y[i]*set.X[i].At(1), -1)
	}
	cross := pen.Mark{Shape: pen.Upright, Edge: pen.Faint, Radius: 3.5}
	for k := range 2 {
		plottest.SamePoints(t, "the origin", r.Marks(k, "", cross), []geom.Point{{}})
	}
	drawn := map[int]int{}
	for _, c := range []struct {
		label, width float64
	}{{1, 2.6}, {1, 1.2}, {-1, 2.6}, {-1, 1.2}} {
		style := pen.Line(pen.Blue, c.width, nil)
		if c.label < 0 {
			style = pen.Line(pen.Vermillion, c.width, pen.Dashed)
		}
		for _, l := range r.Lines(1, "", style) {
			for i := range set.X {
				on := math.Abs(row(i).Score(geom.Row(l.At[0]))) < 1e-6 &&
					math.Abs(row(i).Score(geom.Row(l.At[1]))) < 1e-6
				if on && set.Y[i] == c.label && (c.width > 2) == (i == 0 || i == 2) {
					drawn[i]++
				}
			}
		}
	}
	for i := range set.X {
		if drawn[i] != 1 {
			t.Errorf("the constraint of row %d is drawn %d times in its style", i, drawn[i])
		}
		if !r.Panels[0].Written(fmt.Sprint(i+1), pen.Ink) {
			t.Errorf("row %d has no number", i)
		}
	}
	region := r.Areas(1, "street (above), all constraints hold (below)", pen.PaleBand)[0]
	for _, p := range region {
		for i := range set.X {
			if row(i).Score(geom.Row(p)) < -1e-6 {
				t.Errorf("the region reaches %v, where row %d is violated", p, i)
			}
		}
	}
	plottest.SamePoints(t, "the shortest w", r.Marks(1, "shortest $w$",
		pen.Mark{Shape: pen.Diamond, Fill: pen.Ink, Edge: pen.Ink, Radius: 4}),
		[]geom.Point{{X: 1}})
	for _, p := range only(t, "circle", r.Lines(1, `circle through $w$`,
		pen.Line(pen.Green, 1.8, pen.Dotted))) {
		if math.Abs(math.Hypot(p.X, p.Y)-1) > 1e-6 {
			t.Errorf("the circle is at %v", p)
		}
	}
}
