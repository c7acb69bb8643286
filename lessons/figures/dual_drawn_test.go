package figures

import (
	"fmt"
	"image/color"
	"math"
	"slices"
	"strings"
	"testing"

	"github.com/svmkit/course/internal/plottest"
	"github.com/svmkit/course/plots/geom"
	"github.com/svmkit/course/plots/pen"
)

// The bar of row i is from 0 to αᵢyᵢ, with the mark and the colour of its class.
func TestAlphaBarsDrawn(t *testing.T) {
	set, alpha := sixOnTheEdge(), []float64{0, 0.5, 0.25, 0, 0.7, 0.05}
	r := read(t)(AlphaBars(set, alpha))
	for _, c := range []struct {
		label float64
		mark  pen.Mark
	}{{1, pen.Positive}, {-1, pen.Negative}} {
		var tips []geom.Point
		var bars [][2]geom.Point
		for i, a := range alpha {
			if a > 0 && set.Y[i] == c.label {
				tip := geom.Point{X: float64(i + 1), Y: a * set.Y[i]}
				tips, bars = append(tips, tip), append(bars, [2]geom.Point{{X: tip.X}, tip})
			}
		}
		plottest.SamePoints(t, "tips", r.Marks(0, pen.ClassName(set, c.label), c.mark), tips)
		samePairs(t, "bars", segments(r.Lines(0, "", pen.Line(c.mark.Edge, 2.4, nil))), bars)
	}
	plottest.OnGraph(t, "zero", only(t, "zero", r.Lines(0, "", pen.Line(pen.Faint, 1, nil))),
		func(float64) float64 { return 0 })
	r.Axes(0, "row", `$\alpha_i y_i$`)
}

// γ over the place of the plane is the lesser of the two distances, blue to the first point of +1
// and red to the first of −1; the diamond is the plane above.
func TestBiasMarginDrawn(t *testing.T) {
	set, h := fiveInARow(), plane(2, 0, -0.5) // the plane x₁ = ¼
	r := read(t)(BiasMargin(set, h))
	planeAxes(t, r, 0)
	r.Axes(1, `place of the plane, $-b$`, `half-margin $\gamma$`)
	const place, plus, minus = 0.25, 2.0, -1.0
	r.Classes(0, set, 1.2)
	gamma := math.Min(plus-place, place-minus)
	streetDrawn(t, r, 0, "plane", `at the distance $\gamma$`, plane(1/gamma, 0, -place/gamma))
	toPlus, toMinus := func(x float64) float64 { return plus - x },
		func(x float64) float64 { return x - minus }
	plottest.OnGraph(t, "to +1", only(t, "to +1",
		r.Lines(1, "to the first of +1", pen.Line(pen.Blue, 1.2, pen.Dotted))), toPlus)
	plottest.OnGraph(t, "to −1", only(t, "to −1",
		r.Lines(1, "to the first of −1", pen.Line(pen.Vermillion, 1.2, pen.Dashed))), toMinus)
	roof := only(t, "γ", r.Lines(1, `$\gamma$`, pen.Line(pen.Green, 2.2, nil)))
	plottest.OnGraph(t, "γ", roof, func(x float64) float64 {
		return math.Min(toPlus(x),
			toMinus(x))
	})
	plottest.SamePoints(t, "the top", roof[1:2], []geom.Point{{X: 0.5, Y: 1.5}})
	plottest.SamePoints(t, "this plane", r.Marks(1, "this plane",
		pen.Mark{Shape: pen.Diamond, Fill: pen.Ink, Edge: pen.Ink, Radius: 4.5}),
		[]geom.Point{{X: place, Y: gamma}})
	zero := only(t, "zero", r.Lines(1, "", pen.Line(pen.Faint, 1, nil)))
	plottest.OnGraph(t, "zero", zero, func(float64) float64 { return 0 })

	r = read(t)(BiasMargin(set, plane(1, 0, -3))) // does not separate
	border := only(t, "the plane", r.Lines(0, "plane", pen.Line(pen.Ink, 1.8, nil)))
	plottest.OnLevel(t, "the plane", border, plane(1, 0, -3), 0)
	if len(r.Panels[0].Lines) != 1 {
		t.Errorf("a street where the plane does not separate: %v", r.Panels[0].Lines)
	}
}

// Above, the lines are level sets of the dual, the diamond is its maximiser and the ring this α;
// below, the plane is w = Σ αᵢyᵢxᵢ, and the dotted line joins the lone point to the mean of the
// pair.
func TestDualTripleDrawn(t *testing.T) {
	set, alpha := lonePoint(), []float64{0.3, 0.2, 0.1}
	r := read(t)(DualTriple(set, alpha))
	dual := func(p geom.Point) float64 { // with α₁ = α₂ + α₃
		x, y := p.X*3-p.Y*1, p.X*1+p.Y*5
		return 2*(p.X+p.Y) - (x*x+y*y)/2
	}
	levels := r.Lines(0, "level lines of the dual, with values", pen.Line(pen.Green, 1, nil))
	if len(levels) == 0 {
		t.Error("no level lines")
	}
	for _, l := range levels {
		for _, p := range l.At {
			if math.Abs(dual(p)-dual(l.At[len(l.At)/2])) > 2e-3 {
				t.Fatalf("a level line passes %v with the value %g, and %g elsewhere", p, dual(p),
					dual(l.At[len(l.At)/2]))
			}
		}
	}
	best := geom.Point{X: 0.1875, Y: 0.0625}
	plottest.SamePoints(t, "optimum", r.Marks(0, "optimum",
		pen.Mark{Shape: pen.Diamond, Fill: pen.Ink, Edge: pen.Ink, Radius: 4.5}),
		[]geom.Point{best})
	plottest.SamePoints(t, "this α", r.Rings(0, r.Legend[3].Name, 7, pen.Line(pen.Purple, 2, nil)),
		[]geom.Point{{X: alpha[1], Y: alpha[2]}})
	for _, a := range r.Areas(0, `$\alpha < 0$: not allowed`, pen.PaleRed) {
		for _, p := range a {
			if p.X > 1e-9 && p.Y > 1e-9 {
				t.Errorf("feasible α are shaded: %v", p)
			}
		}
	}
	r.Classes(1, set, 1.2)
	w := []float64{-0.3*1 + 0.2*4, 0.2*1 + 0.1*5}
	h := plane(w[0], w[1], 0)
	lone, f2, f3 := h.Score(set.X[0]), h.Score(set.X[1]), h.Score(set.X[2])
	h.B = -(lone + math.Min(f2, f3)) / 2
	streetDrawn(t, r, 1, "plane", `$f = \pm 1$`, h)
	mean := geom.Point{X: (0.2*4 + 0.1*0) / 0.3, Y: (0.2*1 + 0.1*5) / 0.3}
	plottest.SamePath(t, "hull points", only(t, "hull points",
		r.Lines(1, `hull points of the weights $\alpha$`, pen.Line(pen.Ink, 1.4, pen.Dotted))),
		[]geom.Point{{X: 1}, mean})
	plottest.SamePoints(t, "the mean", r.Rings(1, "", 4, pen.Line(pen.Ink, 1.4, nil)),
		[]geom.Point{mean})
	for i, x := range set.X {
		named(t, r.Panels[1], geom.At(x), fmt.Sprintf("α%d=%g", i+1, alpha[i]), pen.Ink)
	}
	for _, s := range r.Panels[0].Texts {
		var v float64
		fmt.Sscan(strings.ReplaceAll(s.String, "−", "-"), &v)
		if at := (geom.Point{X: best.X, Y: s.At.Y}); math.Abs(dual(at)-v) > 2e-3 {
			t.Errorf("%q stands at the height of %g", s.String, dual(at))
		}
	}
	r.Axes(0, `$\alpha_2$`, `$\alpha_3$`)
	planeAxes(t, r, 1)
}

// The primal is red, dashed and above, the dual blue and below, and their difference is the gap.
func TestPrimalDualDrawn(t *testing.T) {
	history := closingHistory()
	r := read(t)(PrimalDual(history))
	var primal, dual, gap []geom.Point
	for _, h := range history {
		x := float64(h.Updates)
		dual = append(dual, geom.Point{X: x, Y: h.Dual})
		if !math.IsInf(h.Primal, 1) {
			primal, gap = append(primal, geom.Point{X: x, Y: h.Primal}),
				append(gap, geom.Point{X: x, Y: h.Primal - h.Dual})
		}
	}
	plottest.SamePath(t, "primal", only(t, "primal",
		r.Lines(0, "primal, best so far", pen.Line(pen.Vermillion, 1.7, pen.Dashed))), primal)
	plottest.SamePath(t, "dual", only(t, "dual", r.Lines(0, "dual", pen.Line(pen.Blue, 1.7, nil))),
		dual)
	plottest.SamePath(t, "gap", only(t, "gap",
		r.Lines(1, "gap", pen.Line(pen.Green, 1.6, pen.Dotted))), gap)
	plottest.SamePoints(t, "squares", r.Marks(0, "primal, best so far",
		pen.Mark{Shape: pen.Square, Fill: color.White, Edge: pen.Vermillion, Radius: 2.6}), primal)
	plottest.SamePoints(t, "circles", r.Marks(0, "dual",
		pen.Mark{Shape: pen.Disc, Fill: pen.Blue, Edge: pen.Blue, Radius: 2.6}), dual)
	plottest.SamePoints(t, "triangles", r.Marks(1, "gap",
		pen.Mark{Shape: pen.Triangle, Fill: pen.Green, Edge: pen.Green, Radius: 3}), gap)
	plottest.SamePoints(t, "the optimum is in here",
		plottest.OnlyArea(t, r.Areas(0, "the optimum is in here", pen.PaleBand)), append(primal, dual[1:]...))
	r.Axes(0, "updates", "objective")
	r.Axes(1, "updates", "log:gap")
}

// Solid blue level lines are above the value of the saddle, dashed red ones below; the green valley
// is where L is least for each α.
func TestSaddlePointDrawn(t *testing.T) {
	s := Saddle{L: func(w, a float64) float64 { return w*w - a*(w-1) }, WMin: -1, WMax: 3,
		AlphaMax: 2.5, W: 1, Alpha: 2, Levels: []float64{-0.5, 0.5, 2, 3, 5}}
	r := read(t)(SaddlePoint(s))
	value := s.L(1, 2)
	for _, c := range []struct {
		name  string
		lines []plottest.Line
		sign  float64
	}{{"higher", r.Lines(0, "$L$ higher", pen.Line(pen.Blue, 1.1, nil)), 1},
		{"lower", r.Lines(0, "$L$ lower", pen.Line(pen.Vermillion, 1.1, pen.Dashed)), -1},
		{"level", r.Lines(0, "as high as the saddle", pen.Line(pen.Faint, 1.2, pen.Dotted)), 0}} {
		if len(c.lines) == 0 {
			t.Errorf("%s: no lines", c.name)
		}
		for _, l := range c.lines {
			for _, p := range l.At {
				if d := s.L(p.X, p.Y) - value; c.sign != 0 && !(d*c.sign > 0.1) || c.sign == 0 &&
					math.Abs(d) > 1e-2 {
					t.Fatalf("a line %s than the saddle passes %v, where L − L* = %g", c.name, p, d)
				}
			}
		}
	}
	// w² − α(w − 1) is least at w = α/2.
	plottest.OnGraph(t, "the valley", only(t, "valley",
		r.Lines(0, `$\min_w L$ for each $\alpha$`, pen.Line(pen.Green, 2, nil))),
		func(w float64) float64 { return 2 * w })
	plottest.SamePoints(t, "saddle", r.Marks(0, "saddle",
		pen.Mark{Shape: pen.Diamond, Fill: pen.Ink, Edge: pen.Ink, Radius: 4.5}),
		[]geom.Point{{X: 1, Y: 2}})
	values := 0
	for _, text := range r.Panels[0].Texts {
		var v float64
		if n, _ := fmt.Sscan(strings.ReplaceAll(text.String, "−", "-"), &v); n != 1 {
			continue
		}
		values++
		own, distances := slices.Index(s.Levels, v), []float64{}
		for _, level := range s.Levels {
			distances = append(distances, math.Abs(level-s.L(text.At.X, text.At.Y)))
		}
		nearest(t, "the value "+text.String, own, distances)
		colour := color.Color(pen.Blue)
		if v < value {
			colour = pen.Vermillion
		}
		if text.Colour != color.NRGBAModel.Convert(colour) {
			t.Errorf("the value %g has not the colour of its line", v)
		}
	}
	if values < len(s.Levels) {
		t.Errorf("%d values of %d levels", values, len(s.Levels))
	}
	named(t, r.Panels[0], geom.Point{X: 1, Y: 2}, fmt.Sprintf("L=%g", value), pen.Ink)
	r.Axes(0, "weight $w$", `dual variable $\alpha$`)
}

// Rows with α > 0 have large marks with a dark edge, rows on the lines f = ±1 with α = 0 a dotted
// ring.
func TestSupportVectorsDrawn(t *testing.T) {
	set, h, alpha := sixOnTheEdge(), plane(1, 0, 0), []float64{0, 0.5, 0, 0.2, 0.3, 0}
	r := read(t)(SupportVectors(set, h, alpha))
	r.Classes(0, set, 1)
	streetDrawn(t, r, 0, "plane", `$f = \pm 1$`, h)
	plottest.SamePoints(t, "α > 0, +1", r.Marks(0, `$y = +1$, $\alpha > 0$`, positiveSupport),
		plottest.Rows(set, 3, 4))
	plottest.SamePoints(t, "α > 0, −1", r.Marks(0, `$y = -1$, $\alpha > 0$`, negativeSupport),
		plottest.Rows(set, 1))
	plottest.SamePoints(t, "α = 0", r.Rings(0, `$y f = 1$, $\alpha = 0$`, 6.5,
		pen.Line(pen.Faint, 1.8, pen.Dotted)), plottest.Rows(set, 0, 2, 5))
	if len(r.Panels) != 1 {
		t.Errorf("%d panels of a wide street", len(r.Panels))
	}

	// With points far away a second panel shows the support vectors from close up.
	far := mustSet([][]float64{{-1, 0}, {1, 0}, {1, 1}, {40, 3}, {-40, 2}}, []float64{-1, 1, 1, 1, -1})
	r = read(t)(SupportVectors(far, h, []float64{0.5, 0.25, 0.25, 0, 0}))
	if len(r.Panels) != 2 {
		t.Fatalf("%d panels of a narrow street, want two", len(r.Panels))
	}
	for k := range r.Panels {
		streetDrawn(t, r, k, "plane", `$f = \pm 1$`, h)
		plottest.SamePoints(t, "α > 0, +1", r.Marks(k, "", positiveSupport), plottest.Rows(far, 1, 2))
		plottest.SamePoints(t, "α > 0, −1", r.Marks(k, "", negativeSupport), plottest.Rows(far, 0))
	}
	if w := r.Panels[1].View; w.XMax-w.XMin > 20 {
		t.Errorf("the second panel shows %v", w)
	}
	for mark, want := range map[pen.Mark]pen.Mark{
		positiveSupport: {Shape: pen.Disc, Fill: pen.Blue, Edge: pen.Ink, Radius: 4.6},
		negativeSupport: {Shape: pen.Square, Fill: pen.Vermillion, Edge: pen.Ink, Radius: 4.2}} {
		if mark != want {
			t.Errorf("support vectors are marked by %v, want %v", mark, want)
		}
	}
	planeAxes(t, r, 0)
}
