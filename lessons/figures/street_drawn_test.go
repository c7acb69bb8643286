package figures

import (
	"fmt"
	"math"
	"testing"

	"github.com/svmkit/course/internal/plottest"
	"github.com/svmkit/course/plots/geom"
	"github.com/svmkit/course/plots/pen"
	"github.com/svmkit/course/svmkit"
)

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
		name := fmt.Sprint(i + 1)
		named(t, r.Panels[0], geom.At(set.X[i]), name, pen.Ink)
		var distances []float64
		at := geom.Row(textAt(t, r.Panels[1], name))
		for k := range set.X {
			distances = append(distances, row(k).Distance(at))
		}
		nearest(t, "the number "+name, i, distances)
	}
	region := plottest.OnlyArea(t, r.Areas(1, "street (above), all constraints hold (below)", pen.PaleBand))
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
	planeAxes(t, r, 0)
	r.Axes(1, "$w_1$", "$w_2$")
}
