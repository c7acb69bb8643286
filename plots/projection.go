package plots

import (
	"fmt"

	"github.com/svmkit/course/svmkit"
	"gonum.org/v1/plot/vg"
)

// Projection draws why the perpendicular is the shortest way from x to the line h: the foot
// x_p with its right angle, and another point z of the line at the end of a hypotenuse. All
// lengths are written at their segments.
//
// It is an error if w = 0 or if x lies on the line: there is nothing to walk then.
func Projection(h svmkit.Hyperplane, x svmkit.Row) (*Figure, error) {
	if err := checkPlane(h, 2, false); err != nil {
		return nil, err
	}
	if err := planarPoint(0, x); err != nil {
		return nil, err
	}
	if side(h, x) == 0 {
		return nil, &svmkit.ParamError{Name: "x", Value: x.Value, Need: "must not lie on the plane"}
	}
	t := newTriangle(h, x)
	view := emptyBox().cover(t.x, t.foot, t.z, t.otherWay()).grow(0.17)
	p := newPlot("$x_1$", "$x_2$")
	show(p, view)

	border := planeLine{h, line(ink, 1.8, nil)}
	short := segments{[]point{t.x}, []point{t.foot}, line(purple, 2.4, nil)}
	far := segments{[]point{t.x}, []point{t.z}, line(faint, 1.6, dashed)}
	length, name := normalLength(h, view)
	w := normalAt(h, t.otherWay(), length)
	p.Add(border, far, short, cornerAt(t.foot, t.x, view), w,
		marks{[]point{t.x}, mark{disc, ink, ink, 3.4}}, marks{[]point{t.foot, t.z}, onPlane})

	up := point{X: t.x.X - t.foot.X, Y: t.x.Y - t.foot.Y} // from the plane to x
	down := point{X: -up.X, Y: -up.Y}
	along := point{X: t.z.X - t.foot.X, Y: t.z.Y - t.foot.Y}
	back := point{X: -along.X, Y: -along.Y}
	p.Add(labels{clear: 7, lines: []svmkit.Hyperplane{h}, avoid: []point{t.x, t.foot, t.z, {X: t.foot.X + 0.1*up.X, Y: t.foot.Y + 0.1*up.Y}}, items: []label{
		{at: t.x, text: "$x$", lean: up},
		{at: t.foot, text: "$x_p$", lean: down},
		{at: t.z, text: "$z$", lean: down},
		{at: w.to, text: name, colour: green, lean: back},
		{at: middle(t.x, t.foot), text: "$d = " + num(distance(t.x, t.foot)) + "$", lean: back},
		{at: middle(t.x, t.z), text: `$\|x - z\| = ` + num(distance(t.x, t.z)) + "$", colour: faint, lean: along},
		{at: middle(t.foot, t.z), text: `$\|x_p - z\| = ` + num(distance(t.foot, t.z)) + "$", lean: down},
	}})

	legend := []Entry{{"plane $f = 0$", border}, {"perpendicular", short}, {"way to another point", far}}
	f := &Figure{Plot: p, Legend: legend, EqualUnits: true, Width: phoneWidth, Height: 4 * vg.Inch}
	f.Caption, f.Alt = t.words(h, plain(name))
	return f, nil
}

// rightTriangle has its right angle at the foot of x, and a third corner z on the plane.
type rightTriangle struct{ x, foot, z point }

// newTriangle lays z on the plane, three quarters of x's distance from its foot.
func newTriangle(h svmkit.Hyperplane, x svmkit.Row) rightTriangle {
	t := rightTriangle{x: at(x), foot: foot(h, at(x))}
	reach := 0.75 * distance(t.x, t.foot) / h.Norm()
	t.z = point{X: t.foot.X + reach*h.W[1], Y: t.foot.Y - reach*h.W[0]}
	return t
}

// otherWay returns the point of the plane opposite to z, where w is drawn.
func (t rightTriangle) otherWay() point {
	return point{X: t.foot.X - 0.7*(t.z.X-t.foot.X), Y: t.foot.Y - 0.7*(t.z.Y-t.foot.Y)}
}

func (t rightTriangle) words(h svmkit.Hyperplane, normal string) (caption, alt string) {
	d, hyp := distance(t.x, t.foot), distance(t.x, t.z)
	caption = fmt.Sprintf("The foot x_p is the nearest point of the plane: the way to any other, such as z, is the hypotenuse of a right triangle (%s against %s).",
		num(hyp), num(d))
	alt = fmt.Sprintf("The line %s and a point x = (%s, %s). A perpendicular of length %s leads from x to its foot x_p = (%s, %s) on the line, with a right angle there. "+
		"A dashed segment of length %s leads to another point z = (%s, %s) of the line, %s from the foot. The arrow %s stands on the line, parallel to the perpendicular.",
		equation(h), num(t.x.X), num(t.x.Y), num(d), num(t.foot.X), num(t.foot.Y), num(hyp), num(t.z.X), num(t.z.Y), num(distance(t.foot, t.z)), normal)
	return caption, alt
}

func middle(a, b point) point { return point{X: (a.X + b.X) / 2, Y: (a.Y + b.Y) / 2} }
