package plots

import (
	"fmt"

	"github.com/svmkit/course/svmkit"
	"gonum.org/v1/plot/vg"
)

// AugmentedLift shows that a bias is the weight of one more feature, which is always 1. The set and
// the plane h have one dimension: h is a threshold on a line. The line is lifted to height 1, and the
// threshold is where it meets the line through the origin whose normal is (w, b).
func AugmentedLift(set *svmkit.Dataset, h svmkit.Hyperplane) (*Figure, error) {
	if err := set.Validate(); err != nil {
		return nil, err
	}
	if set.Dim != 1 {
		return nil, &svmkit.ParamError{Name: "set.Dim", Value: set.Dim, Need: "must be 1: the lifted set has one dimension more, and a figure has two"}
	}
	if err := drawable(set); err != nil {
		return nil, err
	}
	if err := checkPlane(h, 1, false); err != nil {
		return nil, err
	}
	lifted := set.Augment(1)
	through := svmkit.Hyperplane{W: []float64{h.W[0], h.B}}
	threshold := point{X: -h.B / h.W[0], Y: 1}
	view := extent(lifted).cover(point{}, point{Y: 1.5})
	if view.grow(1).contains(threshold) { // a plane far from the points is left outside
		view = view.cover(threshold)
	}
	view = view.grow(0.12)

	name := "$x$"
	if set.Features != nil {
		name = literal(set.Features[0])
	}
	p := newPlot(name, "the new feature")
	show(p, view)
	height := planeLine{svmkit.Hyperplane{W: []float64{0, 1}, B: -1}, line(faint, 1.2, dotted)}
	plane := planeLine{through, line(ink, 1.8, nil)}
	length := 0.3 * min(view.xmax-view.xmin, view.ymax-view.ymin) / through.Norm()
	normal := arrow{point{}, point{X: length * h.W[0], Y: length * h.B}, line(green, 2, nil)}
	at := ring{threshold, 7, line(ink, 1.4, nil)}
	p.Add(height, plane)
	rows := thin(set.Len(), maxRows)
	legend := scatter(p, lifted, rows, 1)
	p.Add(marks{[]point{{}}, mark{upright, ink, ink, 3.5}}, normal, at)

	f := &Figure{Plot: p, EqualUnits: true, Width: phoneWidth, Height: 3.6 * vg.Inch}
	f.Legend = append(legend, Entry{"height 1", height}, Entry{"$wx + b \\cdot 1 = 0$", plane},
		Entry{"direction of $(w, b)$", normal}, Entry{"threshold", at})
	wrong := mistakes(set, h)
	f.Caption = fmt.Sprintf("The threshold %s is where the number line, lifted to height 1, meets the black line through the origin: the bias %s is the second entry of its normal, and %s on the wrong side.",
		num(threshold.X), num(h.B), isAre(wrong)) + thinned(len(rows), set.Len(), "points")
	f.Alt = fmt.Sprintf("%s at height 1 over %s from %s to %s. A line through the origin with normal (%s, %s) crosses height 1 at the ringed threshold %s; %s on the wrong side of it.",
		upperFirst(pointWords(set)), plain(name), num(extent(lifted).xmin), num(extent(lifted).xmax), num(h.W[0]), num(h.B), num(threshold.X), isAre(wrong))
	return f, nil
}
