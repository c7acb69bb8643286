package figures

import (
	"math"
	"testing"

	"github.com/svmkit/course/internal/plottest"
	"github.com/svmkit/course/plots/geom"
	"github.com/svmkit/course/plots/pen"
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
	for _, p := range plottest.OnlyArea(t, r.Areas(0, "between the bounds", pen.PaleBlue)) {
		if math.Abs(p.Y-3*math.Sqrt(p.X)) > 1e-6 {
			subset(t, "the lower edge of the region", []geom.Point{p}, lower)
		}
	}
	r.Axes(0, "mistakes $M$", `$\langle w, w^\star\rangle$ and its bounds`)
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
	if n := len(r.Sample("yours to drag").Marks); n != 1 {
		t.Errorf("the legend shows %d marks for the point to drag", n)
	}
	plottest.OnLevel(t, "w*", only(t, "w*", r.Lines(0, "line of the right labels",
		pen.Line(pen.Faint, 1.4, pen.Dashed))), star, 0)
	plottest.OnLevel(t, "the last line", only(t, "last",
		r.Lines(0, "last line of the run", pen.Line(pen.Ink, 2, nil))), last, 0)
	for _, p := range only(t, "circle", r.Lines(0, "", pen.Line(pen.Faint, 0.8, pen.Dotted))) {
		if math.Abs(math.Hypot(p.X, p.Y)-set.Radius()) > 1e-6 {
			t.Errorf("the circle is at %v", p)
		}
	}
	planeAxes(t, r, 0)
}
