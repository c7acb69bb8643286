package plots

import (
	"bytes"
	"math"
	"testing"

	"github.com/svmkit/course/plots/pen"
	"gonum.org/v1/plot/vg"
	"gonum.org/v1/plot/vg/vgsvg"
)

// What svgPath writes are the bytes of vgsvg, in an SVG of more than a thousand paths, and vgsvg
// writes the others.
func TestSVGPathsAreThoseOfVgsvg(t *testing.T) {
	at := func(x, y vg.Length) vg.Point { return vg.Point{X: x, Y: y} }
	paint := func(c vg.Canvas) {
		for k := range 1200 {
			x := vg.Length(math.Pow(-1.7, float64(k%40)-20))
			var p vg.Path
			for _, shape := range []pen.Shape{pen.Disc, pen.Square, pen.Triangle, pen.Diamond,
				pen.Saltire, pen.Upright} {
				p = pen.Mark{Shape: shape, Radius: 2.9}.Outline(p, at(x, -x/3))
			}
			p.Arc(at(x, x), 2, 0, 2*math.Pi) // begins elsewhere than the last ended
			p.Line(at(0, 1e6))
			c.Fill(p)
			c.SetLineWidth(vg.Length(k % 2)) // a line without width is not drawn
			c.Stroke(p)
		}
		var curve, bow vg.Path
		curve.Move(at(1, 2))
		curve.QuadTo(at(3, 4), at(5, 6))
		bow.Move(at(1, 2))
		bow.Arc(at(7, 8), 9, 0.5, 1)
		c.Fill(curve)
		c.Fill(bow)
		c.Fill(nil)
	}
	want, got := vgsvg.New(100, 100), &measured{Canvas: vgsvg.New(100, 100)}
	paint(want)
	paint(got)
	var a, b bytes.Buffer
	if _, err := want.WriteTo(&a); err != nil {
		t.Fatal(err)
	}
	if _, err := got.WriteTo(&b); err != nil {
		t.Fatal(err)
	}
	if s := got.paths(b.String()); s != a.String() {
		t.Error("the SVG is not that of vgsvg")
	}
}
