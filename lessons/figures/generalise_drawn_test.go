package figures

import (
	"testing"

	"github.com/svmkit/course/internal/plottest"
	"github.com/svmkit/course/plots/geom"
	"github.com/svmkit/course/plots/pen"
)

// Where a line separates it is drawn; where none does, the hulls of both classes are shaded, and a
// common point is ringed.
func TestLabellingsDrawn(t *testing.T) {
	all := cornersOfSquare()
	r := read(t)(Labellings(all, 2))
	for k, l := range all {
		r.ClassMarks(k, l.Set, 1.3)
		lines, rings := r.Lines(k, "separating line", pen.Line(pen.Ink, 1.8, nil)),
			r.Rings(k, "point of both hulls", 7, pen.Line(pen.Ink, 1.8, nil))
		if l.Plane.W != nil {
			plottest.OnLevel(t, "the line", only(t, "line", lines), l.Plane, 0)
			plottest.SamePoints(t, "no ring", rings, nil)
			continue
		}
		plottest.SamePoints(t, "the common point", rings, []geom.Point{{}})
		plottest.SamePath(t, "hull of +1", only(t, "+1",
			r.Lines(k, "", pen.Line(pen.Blue, 1.6, nil))),
			[]geom.Point{{X: -1, Y: -1}, {X: 1, Y: 1}})
		plottest.SamePath(t, "hull of −1", only(t, "−1",
			r.Lines(k, "", pen.Line(pen.Vermillion, 1.6, pen.Dashed))),
			[]geom.Point{{X: -1, Y: 1}, {X: 1, Y: -1}})
		if len(lines) > 0 {
			t.Error("a line where none separates")
		}
	}
	named := all[1]
	named.Names = []string{"A", "B", "C", "D"}
	r = read(t)(Labellings([]Labelling{named}, 2))
	for i, name := range named.Names {
		written(t, r.Panels[0], geom.At(named.Set.X[i]), 0.5, name)
	}
}
