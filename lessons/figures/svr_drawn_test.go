package figures

import (
	"math"
	"testing"

	"github.com/svmkit/course/internal/plottest"
	"github.com/svmkit/course/plots/geom"
	"github.com/svmkit/course/plots/pen"
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
	box := geom.Empty().Cover(plottest.OnlyArea(t, r.Areas(0, `$|f(x) - y| \leq \epsilon$`, pen.PaleBand))...)
	if math.Abs(box.XMin+eps) > 1e-9 || math.Abs(box.XMax-eps) > 1e-9 {
		t.Errorf("the tube is %v", box)
	}
	named(t, r.Panels[0], geom.Point{X: -eps}, "−ε", pen.Ink)
	named(t, r.Panels[0], geom.Point{X: eps}, "ε", pen.Ink)
	if at := textAt(t, r.Panels[0], "slopeC1=2"); at.X < eps || at.Y > tube(at.X) {
		t.Errorf("the slope on the right stands at %v", at)
	}
	if at := textAt(t, r.Panels[0], "slope−C2=−0.7"); at.X > -eps || at.Y > tube(at.X)+0.1 {
		t.Errorf("the slope on the left stands at %v", at)
	}
	r.Axes(0, "$f(x) - y$", "loss")
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
		t.Fatalf("the curve has %d corners", len(curve))
	}
	plottest.SamePoints(t, "its bends", curve[1:5], []geom.Point{{X: -eps - kappa*above, Y: -above},
		{X: -eps}, {X: eps}, {X: eps + kappa*below, Y: below}})
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
	box := geom.Empty().Cover(plottest.OnlyArea(t, r.Areas(0, `$|v| \leq \epsilon$`, pen.PaleBand))...)
	if math.Abs(box.XMin+eps) > 1e-9 || math.Abs(box.XMax-eps) > 1e-9 {
		t.Errorf("the band is %v", box)
	}
	r.Axes(0, "$v$", `best $\beta$`)
	named(t, r.Panels[0], geom.Point{X: -eps}, "−ε", pen.Ink)
	named(t, r.Panels[0], geom.Point{X: eps}, "ε", pen.Ink)
	for text, level := range map[string]float64{"C2=0.6": below, "−C1=−0.8": -above} {
		if at := textAt(t, r.Panels[0], text); math.Abs(at.Y-level) > 0.2 ||
			math.Abs(at.Y) < math.Abs(level) {
			t.Errorf("%q stands at %v, want it outside of the height %g", text, at, level)
		}
	}
}
