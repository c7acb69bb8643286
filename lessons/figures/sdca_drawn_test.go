package figures

import (
	"fmt"
	"image/color"
	"math"
	"testing"

	"github.com/svmkit/course/internal/plottest"
	"github.com/svmkit/course/plots/geom"
	"github.com/svmkit/course/plots/pen"
)

// The path goes through its points in their order, from the ringed start; the ellipses are level
// sets; the diamond is the best point of the box; the dashed line is where ⟨Equality,α⟩ = 0.
func TestStaircaseDrawn(t *testing.T) {
	q := BoxQuadratic{Q: [2][2]float64{{1, 0.5}, {0.5, 2}}, P: [2]float64{1, 0.5},
		Upper: [2]float64{0.7, 0.9}, Equality: [2]float64{1, -2}}
	walk := climb(q, 5)
	r := read(t)(Staircase(q, walk))
	var at []geom.Point
	for _, a := range walk {
		at = append(at, geom.Point{X: a[0], Y: a[1]})
	}
	plottest.SamePath(t, "the path", only(t, "path",
		r.Lines(0, "path", pen.Line(pen.Vermillion, 1.6, nil))), at)
	plottest.SamePoints(t, "its points", r.Marks(0, "path",
		pen.Mark{Shape: pen.Disc, Fill: pen.Vermillion, Edge: pen.Vermillion, Radius: 2.4}), at)
	plottest.SamePoints(t, "its start", r.Rings(0, "", 5.5, pen.Line(pen.Vermillion, 1.2, nil)),
		at[:1])
	// With α₁ at its bound 0.7 the value rises until α₂ = (0.5 − 0.5·0.7)/2.
	plottest.SamePoints(t, "the best point", r.Marks(0, "best point of the box",
		pen.Mark{Shape: pen.Diamond, Fill: pen.Ink, Edge: pen.Ink, Radius: 4}),
		[]geom.Point{{X: 0.7, Y: 0.075}})
	levels := r.Lines(0, "level sets", pen.Line(pen.Blue, 1, nil))
	if len(levels) < 5 {
		t.Errorf("%d level sets", len(levels))
	}
	for _, l := range levels {
		for _, p := range within(r.Panels[0].View.Grow(-0.01), l.At) {
			first := within(r.Panels[0].View.Grow(-0.01), l.At)[0]
			if d := q.Value([2]float64{p.X, p.Y}) - q.Value([2]float64{first.X,
				first.Y}); math.Abs(d) > 1e-6 {
				t.Fatalf("a level set passes %v, off by %g", p, d)
			}
		}
	}
	rectangle(t, "the box", plottest.OnlyArea(t, r.Areas(0, "the box", pen.PaleBand)), geom.Box{XMax: 0.7, YMax: 0.9})
	rim := only(t, "the box's edge", r.Lines(0, "the box", pen.Line(pen.Faint, 1, nil)))
	rectangle(t, "the box's edge", rim, geom.Box{XMax: 0.7, YMax: 0.9})
	plottest.OnLevel(t, "Σαy = 0", only(t, "equality",
		r.Lines(0, `$\sum_i \alpha_i y_i = 0$`, pen.Line(pen.Green, 1.8, pen.Dashed))),
		plane(1, -2, 0), 0)
	r.Axes(0, `$\alpha_1$`, `$\alpha_2$`)
}

// The curve is the gain; the disc is now, the triangle the vertex, the diamond the best point that
// is allowed, and the interval is shaded.
func TestParabolasDrawn(t *testing.T) {
	steps := []CoordinateStep{{0.2, 1, 2, 1}, {0.2, 3, 2, 1}, {0.6, -2, 2, 1}}
	r := read(t)(Parabolas(steps))
	for k, s := range steps {
		gain := func(a float64) float64 { return s.Slope*(a-s.From) - s.Curvature*(a-s.From)*(a-s.From)/2 }
		curve := only(t, "gain", r.Lines(k, "gain of the dual objective",
			pen.Line(pen.Blue, 1.6, nil)))
		plottest.OnGraph(t, "the gain", inside(r.Panels[k], curve), gain)
		vertex := s.From + s.Slope/s.Curvature
		best := math.Min(s.Upper, math.Max(0, vertex))
		titled(t, r.Panels[k], []string{"the vertex is allowed", "clipped to the upper end",
			"clipped to 0"}[k])
		for _, m := range []struct {
			name string
			mark pen.Mark
			at   float64
		}{{"now", pen.Mark{Shape: pen.Disc, Fill: pen.Vermillion, Edge: pen.Vermillion,
			Radius: 3.4}, s.From},
			{"vertex", pen.Mark{Shape: pen.Triangle, Fill: color.White, Edge: pen.Ink, Radius: 4},
				vertex},
			{"best allowed", pen.Mark{Shape: pen.Diamond, Fill: pen.Ink, Edge: pen.Ink, Radius: 4},
				best}} {
			plottest.SamePoints(t, m.name, r.Marks(k, m.name, m.mark),
				[]geom.Point{{X: m.at, Y: gain(m.at)}})
		}
		edge := geom.Empty()
		for _, l := range r.Lines(k, "allowed", pen.Line(pen.Faint, 1, nil)) {
			edge = edge.Cover(l.At...)
		}
		if math.Abs(edge.XMin) > 1e-9 || math.Abs(edge.XMax-s.Upper) > 1e-9 {
			t.Errorf("panel %d: the interval's edge is %v", k, edge)
		}
		box := geom.Empty().Cover(plottest.OnlyArea(t, r.Areas(k, "allowed", pen.PaleBand))...)
		if math.Abs(box.XMin) > 1e-9 || math.Abs(box.XMax-s.Upper) > 1e-9 {
			t.Errorf("panel %d: the interval is %v", k, box)
		}
	}
}

// One white bar counts the weights at zero, five orange ones those between, one blue bar those at
// the bound.
func TestWeightHistogramDrawn(t *testing.T) {
	alpha := []float64{0, 0, 0, 0.1, 0.5, 0.55, 1.3, 1.9, 2, 2}
	r := read(t)(WeightHistogram(alpha, 2))
	if n := len(r.Lines(0, "free", pen.Line(pen.Ink, 0.8, nil))); n != 6 {
		t.Errorf("%d bars have edges, want 6", n)
	}
	counted := map[int]float64{}
	for _, c := range []struct {
		name string
		fill color.Color
		bars []int
	}{{"at zero", color.White, []int{0}}, {"free", pen.Orange, []int{1, 2, 3, 4, 5}},
		{"at the bound", pen.Blue, []int{6}}} {
		for _, a := range r.Areas(0, c.name, c.fill) {
			b := geom.Empty().Cover(a...)
			k := int(math.Round((b.XMin + b.XMax) / 2))
			if k < c.bars[0] || k > c.bars[len(c.bars)-1] || math.Abs(b.XMax-b.XMin-0.8) > 1e-6 {
				t.Errorf("%s: a bar at %v", c.name, b)
			}
			counted[k] = b.YMax - b.YMin
			written(t, r.Panels[0], geom.Point{X: float64(k), Y: b.YMax}, 0.4, fmt.Sprintf("%.0f", counted[k]))
		}
	}
	for k, want := range map[int]float64{0: 3, 1: 1, 2: 2, 3: 0, 4: 1, 5: 1, 6: 2} {
		if math.Abs(counted[k]-want) > 1e-9 {
			t.Errorf("bar %d is %g high, want %g", k, counted[k], want)
		}
	}
	r.Axes(0, `dual weight $\alpha$, in units of its bound`, "rows")
	ticked(t, r.Panels[0].X, 0, "0", "< .2", "< .4", "< .6", "< .8", "< 1", "1")
}

// A strip for each row, sorted by its last state: white at zero, orange between, blue at the bound.
func TestWeightHistoryDrawn(t *testing.T) {
	history := [][]float64{{0, 1, 2, 1}, {0, 2, 1, 1}, {0, 2, 1, 0}}
	r := read(t)(WeightHistory([]int{1, 2, 5}, history, 2))
	fills := map[float64]color.Color{0: color.White, 1: pen.Orange, 2: pen.Blue}
	for y, row := range []int{0, 3, 2, 1} { // the last states 0, 0, 1, 2 from below
		for k := range history {
			middle := geom.Point{X: float64(k), Y: float64(y) + 0.4}
			want := color.NRGBAModel.Convert(fills[history[k][row]])
			var got color.NRGBA
			for _, a := range r.Panels[0].Areas { // the last one covers
				if geom.Empty().Cover(a.At...).Contains(middle) {
					got = a.Fill
				}
			}
			if got != want {
				t.Errorf("row %d at moment %d is %v, want %v", row, k, got, want)
			}
		}
	}
	for k, name := range []string{"at zero", "free", "at the bound"} {
		r.Areas(0, name, fills[float64(k)])
	}
	r.Axes(0, "after passes", "rows, sorted by their last state")
	ticked(t, r.Panels[0].X, 0, "1", "2", "5")
}
