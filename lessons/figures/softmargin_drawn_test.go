package figures

import (
	"image/color"
	"math"
	"testing"

	"github.com/svmkit/course/internal/plottest"
	"github.com/svmkit/course/plots/geom"
	"github.com/svmkit/course/plots/pen"
	"github.com/svmkit/course/svmkit"
	"github.com/svmkit/course/svmkit/loss"
	"github.com/svmkit/course/svmkit/svm"
)

// The slack of a point leads to the line f = y of its own class; rings mark 0 < α < C, large marks
// α = C.
func TestSoftStreetDrawn(t *testing.T) {
	set := sixSoft()
	for _, fit := range softFits() {
		softDrawn(t, read(t)(SoftStreet(set, fit)), 0, set, fit)
	}

	// With w = 0 there are no lines and no slacks, but the legend keeps its entries.
	flat := SoftFit{Plane: plane(0, 0, 0.5), Alpha: make([]float64, 6), C: 1}
	r := read(t)(SoftStreet(set, flat))
	r.Classes(0, set, 1.1)
	r.Lines(0, "$f = 0$", pen.Line(pen.Ink, 1.8, nil))
	r.Lines(0, `$f = \pm 1$`, pen.Line(pen.Faint, 1.3, pen.Dashed))
	if len(r.Panels[0].Lines) > 0 {
		t.Errorf("w = 0 has lines: %v", r.Panels[0].Lines)
	}
}

func softDrawn(t *testing.T, r *plottest.Reading, panel int, set *svmkit.Dataset, fit SoftFit) {
	t.Helper()
	r.Classes(panel, set, 1.1)
	streetDrawn(t, r, panel, "$f = 0$", `$f = \pm 1$`, fit.Plane)
	var slacks [][2]geom.Point
	for i, x := range set.X {
		if y := set.Y[i]; 1-y*fit.Plane.Score(x) > 1e-9 {
			// The nearest point with f = y: x + (y − f)·w/‖w‖².
			step := (y - fit.Plane.Score(x)) / (fit.Plane.Norm() * fit.Plane.Norm())
			at := geom.At(x)
			slacks = append(slacks, [2]geom.Point{at,
				{X: at.X + step*fit.Plane.W[0], Y: at.Y + step*fit.Plane.W[1]}})
		}
	}
	samePairs(t, "slacks", segments(r.Lines(panel, `slack, $\xi/\|w\|$ long`,
		pen.Line(pen.Green, 1.8, nil))), slacks)
	plottest.SamePoints(t, "free", r.Rings(panel, `$0 < \alpha < C$`, 6.5,
		pen.Line(pen.Ink, 1.5, nil)),
		plottest.Where(set, func(i int) bool { return fit.Alpha[i] > 0 && fit.Alpha[i] < fit.C }))
	for _, c := range []struct {
		label float64
		name  string
		mark  pen.Mark
	}{{1, `$y = +1$, $\alpha = C$`, positiveSupport},
		{-1, `$y = -1$, $\alpha = C$`, negativeSupport}} {
		plottest.SamePoints(t, "at the bound", r.Marks(panel, c.name, c.mark),
			plottest.Where(set, func(i int) bool {
				return fit.Alpha[i] == fit.C &&
					set.Y[i] == c.label
			}))
	}
}

// Panel k is the street of fit k, under its C.
func TestCStripDrawn(t *testing.T) {
	set, fits := sixSoft(), softFits()
	r := read(t)(CStrip(set, fits))
	for k, fit := range fits {
		softDrawn(t, r, k, set, fit)
		if want := "$C = " + scoreText(fit.C) + "$"; r.Panels[k].Title != want {
			t.Errorf("panel %d is named %q, want %q", k, r.Panels[k].Title, want)
		}
	}
}

// Each different row has its curve over C, with marks where its slope changes; what is above α = C
// is shaded.
func TestAlphaPathDrawn(t *testing.T) {
	c, alpha := softPath()
	r := read(t)(AlphaPath(c, alpha))
	for k, curve := range []struct {
		name  string
		row   int
		bends []int
	}{{`$\alpha_{1}$`, 0, []int{1, 2, 3}}, {`$\alpha_{2}$`, 1, []int{1, 2}},
		{`$\alpha_{3}$`, 2, []int{1, 2, 3}}, {`$\alpha_{4}$`, 3, []int{3}},
		{`$\alpha_{5}$, $\alpha_{6}$`, 4, nil}} {
		var want, knots []geom.Point
		for m := range c {
			want = append(want, geom.Point{X: c[m], Y: alpha[m][curve.row]})
		}
		for m := 1; m < len(c)-1; m++ {
			slope := func(i int) float64 { return (want[i+1].Y - want[i].Y) / (want[i+1].X - want[i].X) }
			if math.Abs(slope(m)-slope(m-1)) > 1e-9 {
				knots = append(knots, want[m])
			}
		}
		plottest.SamePath(t, curve.name, only(t, curve.name,
			r.Lines(0, curve.name, pen.Styles[k].Line)), want)
		plottest.SamePoints(t, curve.name+"'s bends", r.Marks(0, curve.name, pen.Styles[k].Mark),
			knots)
	}
	plottest.OnGraph(t, "α = C", only(t, "α = C",
		r.Lines(0, `$\alpha = C$`, pen.Line(pen.Faint, 1.3, pen.Dashed))),
		func(c float64) float64 { return c })
	for _, p := range plottest.OnlyArea(t, r.Areas(0, `$\alpha > C$: not allowed`, pen.PaleRed)) {
		if p.Y < p.X-1e-9 {
			t.Errorf("the shaded triangle reaches %v, where α < C", p)
		}
	}
	r.Axes(0, "cost $C$ of a unit of slack", `$\alpha$`)
}

// Means are marked with bars of one standard error, test and training in their own colours.
func TestAccuracyOverCDrawn(t *testing.T) {
	c := []float64{0.1, 1, 10}
	test, train := [][]float64{{0.9, 0.92}, {0.96, 0.94}, {0.9, 0.94}},
		[][]float64{{0.93, 0.95}, {0.96, 0.98}, {1, 0.99}}
	r := read(t)(AccuracyOverC(c, test, train, []float64{0.9, 0.91}))
	for k, s := range []struct {
		name string
		all  [][]float64
	}{{"test", test}, {"training", train}} {
		var means []geom.Point
		var bars [][2]geom.Point
		for i, v := range s.all {
			// of two: s/√2 is half of their distance
			mean, half := (v[0]+v[1])/2, math.Abs(v[0]-v[1])/2
			means = append(means, geom.Point{X: c[i], Y: mean})
			bars = append(bars, [2]geom.Point{{X: c[i], Y: mean - half}, {X: c[i], Y: mean + half}})
		}
		look := pen.PlaneStyles[k]
		plottest.SamePath(t, s.name, only(t, s.name, r.Lines(0, s.name, look.Line)), means)
		plottest.SamePoints(t, s.name, r.Marks(0, s.name, look.Mark), means)
		samePairs(t, s.name+"'s bars", upright(segments(r.Lines(0, "",
			pen.Line(look.Line.Color, 1.1, nil)))), bars)
	}
	plottest.OnGraph(t, "the hard margin", only(t, "hard",
		r.Lines(0, "hard margin, test", pen.Line(pen.Ink, 1.5, pen.Dotted))),
		func(float64) float64 { return 0.905 })
	r.Axes(0, "log:cost $C$ of a unit of slack", "accuracy")
}

// upright keeps vertical segments: bars without their caps.
func upright(all [][2]geom.Point) (kept [][2]geom.Point) {
	for _, p := range all {
		if math.Abs(p[0].X-p[1].X) < 1e-9*(1+math.Abs(p[0].X)) {
			kept = append(kept, p)
		}
	}
	return kept
}

// A row stands at (y·f, α) with the mark of its α, crossed out off the broken line: α = C left of
// 1, 0 right of it.
func TestKKTDrawn(t *testing.T) {
	set, h := sixSoft(), plane(1, 0, 0)
	alpha := []float64{0.5, 0.5, 1, 1, 0, 0.25} // the last but for a C of 1 should be 0: y·f = 2
	beta := make([]float64, 6)
	for i, a := range alpha {
		beta[i] = a * set.Y[i]
	}
	r := read(t)(KKT(&svm.Problem{Data: set}, h, beta))
	at := func(keep func(i int) bool) (ps []geom.Point) {
		for i, a := range alpha {
			if keep(i) {
				ps = append(ps, geom.Point{X: set.Y[i] * h.Score(set.X[i]), Y: a})
			}
		}
		return ps
	}
	free := color.RGBA{0xf7, 0xdd, 0x9d, 0xff}
	plottest.SamePoints(t, "α = 0", r.Marks(0, `$\alpha = 0$`,
		pen.Mark{Shape: pen.Disc, Fill: color.White, Edge: pen.Ink, Radius: 3}),
		at(func(i int) bool { return alpha[i] == 0 }))
	plottest.SamePoints(t, "free", r.Marks(0, "free",
		pen.Mark{Shape: pen.Diamond, Fill: free, Edge: pen.Ink, Radius: 3.6}),
		at(func(i int) bool { return alpha[i] > 0 && alpha[i] < 1 }))
	plottest.SamePoints(t, "at the bound", r.Marks(0, "at the bound",
		pen.Mark{Shape: pen.Square, Fill: color.White, Edge: pen.Ink, Radius: 2.4}),
		at(func(i int) bool { return alpha[i] == 1 }))
	plottest.SamePoints(t, "crossed out", r.Marks(0, "off the line",
		pen.Mark{Shape: pen.Saltire, Edge: pen.Vermillion, Radius: 5.4}),
		at(func(i int) bool { return i == 5 }))
	ideal := only(t, "the conditions", r.Lines(0, "KKT conditions", pen.Line(pen.Faint, 2.4, nil)))
	view := r.Panels[0].View
	plottest.SamePath(t, "the conditions", ideal,
		[]geom.Point{{X: view.XMin, Y: 1}, {X: 1, Y: 1}, {X: 1}, {X: view.XMax}})

	tube := &svm.Problem{Data: mustSet([][]float64{{0}, {1}, {2}}, []float64{0, 1.5, 2}),
		Loss: loss.EpsInsensitive{Epsilon: 0.25}, C: svm.PerSum(2)}
	r = read(t)(KKT(tube, svmkit.Hyperplane{W: []float64{1}}, []float64{0, 2, 0}))
	view = r.Panels[0].View
	plottest.SamePath(t, "the conditions of a tube",
		only(t, "conditions", r.Lines(0, "KKT conditions", pen.Line(pen.Faint, 2.4, nil))),
		[]geom.Point{{X: view.XMin, Y: -2}, {X: -0.25, Y: -2}, {X: -0.25}, {X: 0.25},
			{X: 0.25, Y: 2}, {X: view.XMax, Y: 2}})
	plottest.SamePoints(t, "the row outside of the tube",
		r.Marks(0, "at the bound", pen.Mark{Shape: pen.Square, Fill: color.White, Edge: pen.Ink,
			Radius: 2.4}), []geom.Point{{X: 0.5, Y: 2}})
}
