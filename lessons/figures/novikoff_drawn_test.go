package figures

import (
	"fmt"
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

// In all parts the arrows are w, yx at its tip and their sum, and w* has the scale of the axes. Step 1
// shades what is at least kγ ahead, and draws the way of the foot; step 2 shades the disc √k·R, and
// draws the circle √(‖w‖² + ‖x‖²); the last part shades what both have in common.
func TestProofStepDrawn(t *testing.T) {
	run, star := twoPointRun(), []float64{1, 0}
	var view geom.Box
	for k := 1; k <= 11; k++ {
		for _, part := range []ProofPart{ProofAlong, ProofLength, ProofBoth} {
			r := read(t)(ProofStep(run, star, twoPoints, k, part))
			if k == 1 && part == ProofAlong {
				view = r.Panels[0].View
			}
			rectangle(t, "the view", r.Panels[0].View.Corners(), view)
			axis := only(t, "w*", r.Arrows(0, "", pen.Line(pen.Ink, 2, nil)))
			plottest.SamePath(t, "w*", axis, []geom.Point{{}, {X: star[0], Y: star[1]}})
			originDrawn(t, r, 0)
			r.Axes(0, "$w_1$", "$w_2$")
			if k <= len(run) {
				updateDrawn(t, r, run[k-1], part)
			} else if len(r.Panels[0].Arrows) != 1 {
				t.Errorf("k = %d: %d arrows beyond the end of the run", k, len(r.Panels[0].Arrows))
			}
			regionDrawn(t, r, float64(k), part)
		}
	}
}

func updateDrawn(t *testing.T, r *plottest.Reading, u Update, part ProofPart) {
	t.Helper()
	w, a := geom.Point{X: u.Before[0], Y: u.Before[1]}, geom.Point{X: u.After[0], Y: u.After[1]}
	if w != (geom.Point{}) {
		plottest.SamePath(t, "w", only(t, "w", r.Arrows(0, "$w$ before", pen.Line(pen.Faint, 1.6, nil))),
			[]geom.Point{{}, w})
		named(t, r.Panels[0], w, "w", pen.Faint)
	}
	yx := only(t, "yx", r.Arrows(0, "$yx$", pen.Line(pen.Purple, 1.8, nil)))
	plottest.SamePath(t, "yx", yx, []geom.Point{w, a})
	plottest.SamePoints(t, "the tip of w", yx[:1], []geom.Point{w})
	sum := only(t, "w + yx", r.Arrows(0, "$w$ after", pen.Line(pen.Green, 2.2, nil)))
	plottest.SamePath(t, "w + yx", sum, []geom.Point{{}, a})
	named(t, r.Panels[0], a, "w+yx", pen.Green)
	named(t, r.Panels[0], geom.Middle(w, a), "yx", pen.Purple)
	switch part {
	case ProofAlong:
		plottest.SamePath(t, "the gain", only(t, "gain", r.Lines(0, `gain along $w^\star$`,
			pen.Line(pen.Orange, 3.4, nil))), []geom.Point{{X: w.X}, {X: a.X}})
		samePairs(t, "drops", segments(r.Lines(0, "", pen.Line(pen.Faint, 1, pen.Dotted))),
			[][2]geom.Point{{w, {X: w.X}}, {a, {X: a.X}}})
		named(t, r.Panels[0], geom.Point{X: (w.X + a.X) / 2}, fmt.Sprintf("%g", a.X-w.X), pen.Orange)
	case ProofLength:
		onCircle(t, r, `radius $\sqrt{\|w\|^2 + \|x\|^2}$`, pen.Line(pen.Purple, 1.2, pen.Dashed),
			math.Sqrt(w.X*w.X+w.Y*w.Y+u.X[0]*u.X[0]+u.X[1]*u.X[1]))
	}
}

// onCircle checks that all lines of a style are on a circle around the origin, where they are seen.
func onCircle(t *testing.T, r *plottest.Reading, name string, style draw.LineStyle, radius float64) {
	t.Helper()
	lines := r.Lines(0, name, style)
	seen := 0
	for _, l := range lines {
		for _, p := range within(r.Panels[0].View.Grow(-0.01), l.At) {
			seen++
			if d := math.Hypot(p.X, p.Y); math.Abs(d-radius) > 1e-3*radius {
				t.Errorf("%s: a point at %v, %g from the origin, want %g", name, p, d, radius)
				return
			}
		}
	}
	if seen == 0 && radius < r.Panels[0].View.XMax {
		t.Errorf("%s: no circle is seen", name)
	}
}

func regionDrawn(t *testing.T, r *plottest.Reading, k float64, part ProofPart) {
	t.Helper()
	reached, radius := k*twoPoints.Gamma, math.Sqrt(k)*twoPoints.Radius
	if part != ProofLength && reached < r.Panels[0].View.XMax {
		for _, p := range only(t, "the line", r.Lines(0, `$k\,\gamma$ along $w^\star$`,
			pen.Line(pen.Vermillion, 1.8, pen.Dashed))) {
			if math.Abs(p.X-reached) > 1e-6*reached {
				t.Errorf("k = %g: the line is at %g", k, p.X)
			}
		}
	}
	if part != ProofAlong {
		onCircle(t, r, `radius $\sqrt{k}\,R$`, pen.Line(pen.Blue, 1.8, nil), radius)
	}
	name := []string{"where step 1 puts $w$", "where step 2 keeps $w$", "the places left for $w$"}[part]
	areas := r.Areas(0, name, pen.PaleBlue)
	if part == ProofBoth && k >= twoPoints.Bound() {
		if len(areas) > 0 {
			t.Errorf("k = %g: an area is left", k)
		}
		touch := r.Marks(0, "", pen.Mark{Shape: pen.Diamond, Fill: pen.Ink, Edge: pen.Ink, Radius: 4})
		want := []geom.Point{{X: reached}}
		if k > twoPoints.Bound() {
			want = nil
		}
		plottest.SamePoints(t, "where the line touches the circle", touch, want)
		return
	}
	box := r.Panels[0].View
	if part == ProofAlong && reached > box.XMax {
		return // beyond the frame
	}
	least, most := math.Inf(1), 0.0
	for _, p := range plottest.OnlyArea(t, areas) {
		least, most = min(least, p.X), max(most, math.Hypot(p.X, p.Y))
	}
	if part != ProofLength && math.Abs(least-reached) > 1e-6*reached {
		t.Errorf("k = %g, part %d: the area begins at %g", k, part, least)
	}
	if part != ProofAlong && most > radius*(1+1e-6) ||
		part == ProofAlong && most < math.Hypot(box.XMax, box.YMax)*0.99 {
		t.Errorf("k = %g, part %d: the area reaches %g", k, part, most)
	}
}

// The circle has the radius R, the band is γ to each side of the line, w* is to scale, and the nearest
// rows are ringed, with γ at each of them.
func TestWitnessDrawn(t *testing.T) {
	set := mustSet([][]float64{{0.5, 0.3}, {0.2, 0.7}, {-0.8, 0.1}, {-0.2, -0.4}, {0.9, -0.3}},
		[]float64{1, 1, -1, -1, 1})
	star := plane(0.6, 0.2, 0)
	r := read(t)(Witness(set, star))
	gamma, _ := star.SetMargin(set)
	r.Classes(0, set, 1)
	between(t, "the band", r.Areas(0, `nearer than $\gamma$ to the line`, pen.PaleBand),
		star.Scale(1/star.Norm()), -gamma, gamma)
	plottest.OnLevel(t, "the line", only(t, "line",
		r.Lines(0, `line of $w^\star$`, pen.Line(pen.Ink, 1.8, nil))), star, 0)
	onCircle(t, r, "", pen.Line(pen.Purple, 1, pen.Dashed), set.Radius())
	plottest.SamePath(t, "R", only(t, "R", r.Arrows(0, "longest row", pen.Line(pen.Purple, 1.6, nil))),
		[]geom.Point{{}, {X: 0.9, Y: -0.3}})
	plottest.SamePath(t, "w*", only(t, "w*", r.Arrows(0, "", pen.Line(pen.Green, 2, nil))),
		[]geom.Point{{}, {X: 0.6, Y: 0.2}})
	nearest := plottest.Rows(set, 3)
	if m := star.Margin(set.X[3], -1); math.Abs(m-gamma) > rounding {
		t.Fatalf("row 3 has the margin %g, the set %g", m, gamma)
	}
	plottest.SamePoints(t, "ringed", r.Rings(0, "", 7, pen.Line(pen.Ink, 1.4, nil)), nearest)
	named(t, r.Panels[0], nearest[0], "γ= "+fmt.Sprintf("%.3g", gamma), pen.Ink)
	named(t, r.Panels[0], geom.Point{X: 0.45, Y: -0.15}, "R= "+fmt.Sprintf("%.4g", set.Radius()), pen.Purple)
	var drops [][2]geom.Point
	for _, x := range plottest.Rows(set) {
		drops = append(drops, [2]geom.Point{x, geom.Foot(star, x)})
	}
	samePairs(t, "drops", segments(r.Lines(0, "", pen.Line(pen.Faint, 0.9, pen.Dotted))), drops)
	planeAxes(t, r, 0)
}

// A row is at its length and its margin; the longest and the nearest one are ringed, and a cross is at
// the length of the one and the margin of the other.
func TestLengthsAndMarginsDrawn(t *testing.T) {
	set := mustSet([][]float64{{3, 4}, {0.5, 1}, {-2, 0}, {-0.3, -9}}, []float64{1, 1, -1, -1})
	r := read(t)(LengthsAndMargins(set, plane(2, 0, 0)))
	at := []geom.Point{{X: 5, Y: 3}, {X: math.Hypot(0.5, 1), Y: 0.5}, {X: 2, Y: 2},
		{X: math.Hypot(0.3, 9), Y: 0.3}}
	places := &svmkit.Dataset{Dim: 2, Y: set.Y}
	for _, p := range at {
		places.X = append(places.X, geom.Row(p))
	}
	r.Classes(0, places, 0.7)
	plottest.SamePoints(t, "longest", r.Rings(0, "longest: $R =$ 9", 7, pen.Line(pen.Purple, 1.6, nil)), at[3:])
	plottest.SamePoints(t, "nearest", r.Rings(0, `nearest: $\gamma =$ 0.3`, 7, pen.Line(pen.Ink, 1.6, nil)), at[3:])
	other := mustSet([][]float64{{3, 4}, {0.5, 1}, {-2, 0}}, []float64{1, 1, -1})
	r = read(t)(LengthsAndMargins(other, plane(2, 0, 0)))
	plottest.SamePoints(t, "longest", r.Rings(0, "longest: $R =$ 5", 7, pen.Line(pen.Purple, 1.6, nil)), at[:1])
	plottest.SamePoints(t, "nearest", r.Rings(0, `nearest: $\gamma =$ 0.5`, 7, pen.Line(pen.Ink, 1.6, nil)), at[1:2])
	plottest.SamePoints(t, "the worst row", r.Marks(0, "the bound's worst row",
		pen.Mark{Shape: pen.Saltire, Edge: pen.Vermillion, Radius: 4}), []geom.Point{{X: 5, Y: 0.5}})
	equal := mustSet([][]float64{{3, 4}, {0.5, 1}, {-0.5, 0.2}, {-2, 0}, {-0.5, -0.9}}, []float64{1, 1, -1, -1, -1})
	f, err := LengthsAndMargins(equal, plane(2, 0, 0))
	r = read(t)(f, err)
	plottest.SamePoints(t, "the shortest of three nearest", r.Rings(0, `nearest: $\gamma =$ 0.5`, 7, pen.Line(pen.Ink, 1.6, nil)),
		[]geom.Point{{X: math.Hypot(0.5, 0.2), Y: 0.5}})
	if want := "the shortest of the 3 rows that decide γ is 0.54 long"; !strings.Contains(f.Caption, want) {
		t.Errorf("the caption is %q, want %q in it", f.Caption, want)
	}
	r.Axes(0, `length $\|x\|$`, `log:margin $y\langle w^\star, x\rangle / \|w^\star\|$`)
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
	// the ratios are 1/4, 7/10, 1/100 and 3/2, the lower middle one is 1/4
	plottest.OnGraph(t, "the quarter", only(t, "quarter",
		r.Lines(0, "a quarter of the bound", pen.Line(pen.Blue, 1.6, pen.Dashed))),
		func(x float64) float64 { return x / 4 })
	plottest.OnGraph(t, "the median", only(t, "median",
		r.Lines(0, "median: 0.25 of the bound", pen.Line(pen.Green, 1.8, nil))),
		func(x float64) float64 { return x / 4 })
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
