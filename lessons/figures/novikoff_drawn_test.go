package figures

import (
	"fmt"
	"image/color"
	"math"
	"strings"
	"testing"

	"github.com/svmkit/course/internal/plottest"
	"github.com/svmkit/course/plots"
	"github.com/svmkit/course/plots/geom"
	"github.com/svmkit/course/plots/pen"
	"github.com/svmkit/course/svmkit"
	"github.com/svmkit/course/svmkit/perceptron"
	"gonum.org/v1/plot/vg/draw"
)

// At mistake k the dashed line is at kγ‖w*‖ and the solid curve at √k·R‖w*‖; between them are the
// triangles ⟨w,w*⟩ and the circles ‖w‖‖w*‖; the bounds meet at R²/γ².
func TestSqueezeDrawn(t *testing.T) {
	trace, n, err := traced(cloud(8, 300), ones(8))
	if err != nil {
		t.Fatal(err)
	}
	squeezeDrawn(t, read(t)(Squeeze(trace, n)), 0, trace, n)
}

// The axes depend on the given bound alone, as long as R‖w*‖ is the same.
func TestSqueezeWithinDrawn(t *testing.T) {
	trace, n, err := traced(cloud(8, 300), ones(8))
	if err != nil {
		t.Fatal(err)
	}
	r := read(t)(SqueezeWithin(trace, n, 2000))
	squeezeDrawn(t, r, 0, trace, n)
	narrow := n
	narrow.Gamma /= 2
	other := read(t)(SqueezeWithin(trace, narrow, 2000))
	squeezeDrawn(t, other, 0, trace, narrow)
	a, b := r.Panels[0].View, other.Panels[0].View
	rectangle(t, "the view", a.Corners(), b)
	if a.XMax < 2000 {
		t.Errorf("the view ends at %g mistakes", a.XMax)
	}
}

func squeezeDrawn(t *testing.T, r *plottest.Reading, panel int, trace []perceptron.Mistake,
	n Novikoff) {
	t.Helper()
	lower := func(k float64) float64 { return k * n.Gamma * n.NormReference }
	upper := func(k float64) float64 { return math.Sqrt(k) * n.Radius * n.NormReference }
	bound := n.Radius * n.Radius / n.Gamma / n.Gamma
	plottest.OnGraph(t, "the bound from below",
		inside(r.Panels[panel], only(t, "lower",
			r.Lines(panel, `$k\,\gamma\,\|w^\star\|$, from below`,
				pen.Line(pen.Vermillion, 1.8, pen.Dashed)))), lower)
	plottest.OnGraph(t, "the bound from above",
		inside(r.Panels[panel], only(t, "upper",
			r.Lines(panel, `$\sqrt{k}\,R\,\|w^\star\|$, from above`,
				pen.Line(pen.Blue, 1.8, nil)))), upper)
	var align, norm []geom.Point
	for i, m := range trace {
		align = append(align, geom.Point{X: float64(i + 1), Y: m.Align})
		norm = append(norm, geom.Point{X: float64(i + 1), Y: m.NormW * n.NormReference})
	}
	for _, c := range []struct {
		name  string
		style draw.LineStyle
		want  []geom.Point
	}{{`$\langle w, w^\star\rangle$`, pen.Line(pen.Orange, 1.2, nil), align},
		{`$\|w\|\,\|w^\star\|$`, pen.Line(pen.Green, 1.2, nil), norm}} {
		var at []geom.Point
		for _, l := range r.Lines(panel, c.name, c.style) {
			at = append(at, l.At...)
		}
		subset(t, c.name, inside(r.Panels[panel], at), c.want)
	}
	view := r.Panels[panel].View
	plottest.SamePoints(t, "⟨w,w*⟩", r.Marks(panel, `$\langle w, w^\star\rangle$`,
		pen.Mark{Shape: pen.Triangle, Fill: pen.Orange, Edge: pen.Orange, Radius: 2.6}),
		within(view, align))
	plottest.SamePoints(t, "‖w‖‖w*‖", r.Marks(panel, `$\|w\|\,\|w^\star\|$`,
		pen.Mark{Shape: pen.Disc, Fill: pen.Green, Edge: pen.Green, Radius: 2.2}),
		within(view, norm))
	plottest.SamePoints(t, "where the bounds meet",
		r.Marks(panel, "", pen.Mark{Shape: pen.Diamond, Fill: pen.Ink, Edge: pen.Ink, Radius: 4}),
		[]geom.Point{{X: bound, Y: upper(bound)}})
	for _, p := range only(t, "end", r.Lines(panel, "", pen.Line(pen.Faint, 1, pen.Dotted))) {
		if math.Abs(p.X-bound) > 1e-6*bound {
			t.Errorf("the end is at %g, want %g", p.X, bound)
		}
	}
	for _, s := range r.Panels[panel].Texts {
		var v float64
		if n, _ := fmt.Sscanf(strings.ReplaceAll(s.String, ",", ""), "k=R2/γ2=%g", &v); n != 1 ||
			math.Abs(v-bound) > 1e-3*bound || s.At.X > bound {
			t.Errorf("at %v is written %q, want the bound %g left of its line", s.At, s.String, bound)
		}
	}
	r.Axes(panel, map[bool]string{true: "log:"}[r.Panels[panel].X.Logarithmic]+"mistakes $k$",
		map[bool]string{true: "log:"}[r.Panels[panel].X.Logarithmic]+
			`$\langle w, w^\star\rangle$ and its bounds`)
	for _, p := range plottest.OnlyArea(t, r.Areas(panel, "between the bounds", pen.PaleBlue)) {
		if slack := 1e-6 * upper(p.X); p.Y < lower(p.X)-slack || p.Y > upper(p.X)+slack {
			t.Errorf("the shaded region reaches (%g, %g), outside of [%g, %g]", p.X, p.Y,
				lower(p.X), upper(p.X))
		}
	}
}

// inside drops the ends of a line that the frame has cut.
func inside(p plottest.Panel, at []geom.Point) []geom.Point {
	var kept []geom.Point
	rim := 1e-9 * (p.View.YMax - p.View.YMin)
	for _, q := range at {
		if q.Y > p.View.YMin+rim && q.Y < p.View.YMax-rim {
			kept = append(kept, q)
		}
	}
	return kept
}

func within(b geom.Box, at []geom.Point) (kept []geom.Point) {
	for _, q := range at {
		if b.Contains(q) {
			kept = append(kept, q)
		}
	}
	return kept
}

// The arrows are w, yx at its tip and their sum; the circle has the radius √(‖w‖² + ‖x‖²); the
// orange piece of the axis of w* leads from the foot of w to that of w + yx.
func TestNovikoffStepDrawn(t *testing.T) {
	star := []float64{1, 1.6}
	updates := []VectorUpdate{{[]float64{2, 0}, svmkit.Dense(0, 1.6), 1},
		{[]float64{2, -0.4}, svmkit.Dense(0.9, -1.5), -1}}
	r := read(t)(NovikoffStep(updates, star))
	foot := func(p geom.Point) geom.Point {
		s := (p.X*star[0] + p.Y*star[1]) / (star[0]*star[0] + star[1]*star[1])
		return geom.Point{X: s * star[0], Y: s * star[1]}
	}
	for k, u := range updates {
		w, a := geom.Point{X: u.W[0], Y: u.W[1]},
			geom.Point{X: u.W[0] + u.Y*u.X.At(0), Y: u.W[1] + u.Y*u.X.At(1)}
		arrowsDrawn(t, r, k, "$w$", "$w + yx$", w, a)
		cos := u.Y * u.X.Dot(u.W) / math.Hypot(w.X, w.Y) / u.X.Norm()
		for _, c := range []struct {
			at     geom.Point
			text   string
			colour color.Color
		}{{w, "w", pen.Faint}, {a, "w+yx", pen.Green}, {geom.Middle(w, a), "yx", pen.Purple}} {
			named(t, r.Panels[k], c.at, c.text, c.colour)
		}
		titled(t, r.Panels[k], fmt.Sprintf("angle between $w$ and $yx$: %g°",
			math.Round(1800/math.Pi*math.Acos(cos))/10))
		originDrawn(t, r, k)
		axis := only(t, "w*", r.Arrows(k, "", pen.Line(pen.Ink, 1.4, nil)))
		plottest.SamePoints(t, "w* begins", axis[:1], []geom.Point{{}})
		pointsAlong(t, axis, star)
		named(t, r.Panels[k], axis[1], "w", pen.Ink)
		for _, arc := range r.Lines(k, `$\sqrt{\|w\|^2 + \|x\|^2}$`,
			pen.Line(pen.Faint, 1.2, pen.Dashed)) {
			for _, p := range within(r.Panels[k].View.Grow(-0.01), arc.At) {
				if d := math.Hypot(p.X,
					p.Y); math.Abs(d*d-(w.X*w.X+w.Y*w.Y+u.X.SquaredNorm())) > 1e-3 {
					t.Errorf("panel %d: the circle is at %v, %g from the origin", k, p, d)
				}
			}
		}
		step := only(t, "step", r.Lines(k, `$y\langle x, w^\star\rangle / \|w^\star\|$`,
			pen.Line(pen.Orange, 3.4, nil)))
		plottest.SamePath(t, "the step of the feet", step, []geom.Point{foot(w), foot(a)})
		samePairs(t, "drops", segments(r.Lines(k, "", pen.Line(pen.Faint, 1, pen.Dotted))),
			[][2]geom.Point{{w, foot(w)}, {a, foot(a)}})
		moved := math.Hypot(foot(a).X, foot(a).Y) - math.Hypot(foot(w).X, foot(w).Y)
		named(t, r.Panels[k], geom.Middle(foot(w), foot(a)), fmt.Sprintf("%.2f", moved), pen.Orange)
	}
}

// After mistake k the triangle is at the angle of w and w*, under the ceiling arccos(√k·γ/R).
func TestAngleToReferenceDrawn(t *testing.T) {
	trace, n, err := traced(cloud(8, 300), ones(8))
	if err != nil {
		t.Fatal(err)
	}
	r := read(t)(AngleToReference(trace, n))
	plottest.OnGraph(t, "the ceiling", only(t, "ceiling",
		r.Lines(0, `ceiling $\arccos(\sqrt{k}\,\gamma / R)$`, pen.Line(pen.Blue, 1.8, nil))),
		func(k float64) float64 {
			return math.Acos(math.Sqrt(k)*n.Gamma/n.Radius) * 180 / math.Pi
		})
	var want []geom.Point
	for i, m := range trace {
		want = append(want, geom.Point{X: float64(i + 1),
			Y: math.Acos(m.Align/m.NormW/n.NormReference) * 180 / math.Pi})
	}
	plottest.SamePoints(t, "angles", r.Marks(0, "measured angle",
		pen.Mark{Shape: pen.Triangle, Fill: pen.Orange, Edge: pen.Orange, Radius: 2.8}), want)
	plottest.SamePath(t, "the run", only(t, "run",
		r.Lines(0, "measured angle", pen.Line(pen.Orange, 1.2, nil))), want)
	r.Axes(0, "mistakes $k$", `angle to $w^\star$ in degrees`)
}

// A mark is at the bound of its run and its mistakes; the run nearest to the diagonal is ringed,
// runs above it are crossed out, and what is above it is shaded.
func TestMistakesAgainstBoundDrawn(t *testing.T) {
	runs := []BoundRun{{3, 12, "a"}, {7, 10, "b"}, {5, 500, "a"}, {30, 20, "b"}}
	r := read(t)(MistakesAgainstBound(runs))
	at := func(rows ...int) (ps []geom.Point) {
		for _, i := range rows {
			ps = append(ps, geom.Point{X: runs[i].Bound, Y: float64(runs[i].Mistakes)})
		}
		return ps
	}
	for g, name := range []string{"a", "b"} {
		m := pen.Styles[g].Mark
		m.Radius *= 0.8
		plottest.SamePoints(t, name, r.Marks(0, name, m), at(g, g+2))
	}
	plottest.SamePoints(t, "ring", r.Rings(0, "1.5 times the bound", 6.5,
		pen.Line(pen.Ink, 1.4, nil)), at(3))
	plottest.SamePoints(t, "crossed out", r.Marks(0, "such a run",
		pen.Mark{Shape: pen.Saltire, Edge: pen.Vermillion, Radius: 4}), at(3))
	plottest.OnGraph(t, "the diagonal", only(t, "diagonal",
		r.Lines(0, "mistakes = bound", pen.Line(pen.Ink, 1.8, nil))),
		func(x float64) float64 { return x })
	for _, p := range plottest.OnlyArea(t, r.Areas(0, "beyond the bound", pen.PaleRed)) {
		if p.Y < p.X*(1-1e-9) {
			t.Errorf("the shaded region reaches %v, below the diagonal", p)
		}
	}
	r.Axes(0, `log:bound $R^2/\gamma^2$`, "log:mistakes")
}

// Each panel has the bound as a flat line, and its series.
func TestGrowthDrawn(t *testing.T) {
	rows := []float64{10, 100, 1000}
	panels := []GrowthPanel{{"rows $n$", []plots.Series{{Name: "mean", X: rows,
		Y: []float64{4, 7, 9}, Low: []float64{2, 3, 4}, High: []float64{5, 9, 10}}}},
		{"columns $d$", []plots.Series{{Name: "mean", X: rows, Y: []float64{5, 5, 8}}}}}
	r := read(t)(Growth(panels, 40))
	for k, p := range panels {
		r.Axes(k, "log:"+p.X, "mistakes")
		for _, q := range only(t, "bound", r.Lines(k, `bound $R^2/\gamma^2$`, pen.Styles[0].Line)) {
			if math.Abs(q.Y-40) > 1e-9 {
				t.Errorf("panel %d: the bound is at %v", k, q)
			}
		}
		want := points(rows, p.Series[0].Y)
		plottest.SamePoints(t, "mistakes", r.Marks(k, "mean", pen.Styles[1].Mark), want)
		plottest.SamePath(t, "mistakes", only(t, "mistakes",
			r.Lines(k, "mean", pen.Styles[1].Line)), want)
	}
	band := plottest.OnlyArea(t, r.Areas(0, "", pen.Pale(pen.Vermillion)))
	plottest.SamePoints(t, "band", band, append(points(rows, []float64{2, 3, 4}),
		points(rows, []float64{5, 9, 10})...))
}

// Above, the mistakes on n basis vectors lie on the line of the bound; below is the squeeze of one
// run.
func TestTightCaseDrawn(t *testing.T) {
	trace, n, err := traced(basisVectors(5), ones(5))
	if err != nil {
		t.Fatal(err)
	}
	runs := []TightRun{{1, 1, 1}, {2, 2, 2.5}, {3, 2, 3}}
	r := read(t)(TightCase(runs, trace, n))
	plottest.SamePoints(t, "mistakes", r.Marks(0, "mistakes made",
		pen.Mark{Shape: pen.Triangle, Fill: pen.Orange, Edge: pen.Orange, Radius: 3}),
		[]geom.Point{{X: 1, Y: 1}, {X: 2, Y: 2}, {X: 3, Y: 2}})
	plottest.SamePath(t, "the bound", only(t, "bound",
		r.Lines(0, `$R^2/\gamma^2$`, pen.Line(pen.Ink, 1.8, nil))),
		[]geom.Point{{X: 1, Y: 1}, {X: 2, Y: 2.5}, {X: 3, Y: 3}})
	squeezeDrawn(t, r, 1, trace, n)
	r.Axes(0, "basis vectors $n$", "mistakes")
}

// The street is γ to each side of the dashed line w*, the solid line is where the run ended, and
// the circle has the radius R.
func TestStreetAndRunDrawn(t *testing.T) {
	set, star, last := square40(), plane(2, 1, 0), plane(2, 1.2, 0)
	r := read(t)(StreetAndRun(set, star, last, 7))
	gamma, _ := star.SetMargin(set)
	r.Classes(0, set, 1)
	between(t, "the street", r.Areas(0, `nearer than $\gamma$ to the dashed line`, pen.PaleBand),
		star.Scale(1/star.Norm()), -gamma, gamma)
	plottest.OnLevel(t, "w*", only(t, "w*", r.Lines(0, "", pen.Line(pen.Faint, 1.4, pen.Dashed))),
		star, 0)
	plottest.OnLevel(t, "the last line", only(t, "last",
		r.Lines(0, "where the perceptron stopped", pen.Line(pen.Ink, 2, nil))), last, 0)
	for _, p := range only(t, "circle", r.Lines(0, "", pen.Line(pen.Faint, 0.8, pen.Dotted))) {
		if math.Abs(math.Hypot(p.X, p.Y)-set.Radius()) > 1e-6 {
			t.Errorf("the circle is at %v, want the radius %g", p, set.Radius())
		}
	}
	planeAxes(t, r, 0)
}
