package plots

import (
	"fmt"
	"slices"
	"strings"

	"github.com/svmkit/course/svmkit"
	"gonum.org/v1/plot/vg"
)

// BiasShift draws the lines ⟨w,x⟩ + b = 0 of one normal w and up to six biases: they are
// parallel, and the one of b lies at the signed distance −b/‖w‖ from the origin along w.
//
// It is an error if w = 0 or if there is no bias.
func BiasShift(w []float64, biases []float64) (*Figure, error) {
	if err := checkStyles("biases", len(biases), "line"); err != nil {
		return nil, err
	}
	origin := point{}
	view := emptyBox().cover(origin)
	var feet []point
	for _, b := range biases {
		h := svmkit.Hyperplane{W: w, B: b}
		if err := checkPlane(h, 2, false); err != nil {
			return nil, err
		}
		feet = append(feet, foot(h, origin))
		view = view.cover(foot(h, origin))
	}
	view = view.grow(0.3)
	p := newPlot("$x_1$", "$x_2$")
	show(p, view)

	length, arrowName := normalLength(svmkit.Hyperplane{W: w}, view)
	normal := normalAt(svmkit.Hyperplane{W: w}, origin, length)
	tip := normal.to
	l := labels{clear: 7, avoid: append([]point{origin}, feet...),
		items: []label{{at: tip, text: arrowName, colour: green, lean: tip}, {at: origin, text: "0", lean: point{X: w[1], Y: -w[0]}}}}
	var legend []Entry
	for i, b := range biases {
		plane := planeLine{svmkit.Hyperplane{W: w, B: b}, planeStyles[i].line}
		p.Add(plane, marks{feet[i : i+1], planeStyles[i].mark})
		name := "$b = " + num(b) + "$"
		legend = append(legend, Entry{name, marked{path{style: planeStyles[i].line}, planeStyles[i].mark}})
		if from, to, ok := visible(plane.h, view); ok { // away from the feet, where w is
			end := point{X: from.X + 0.12*(to.X-from.X), Y: from.Y + 0.12*(to.Y-from.Y)}
			l.items = append(l.items, label{at: end, text: name, lean: tip})
		}
	}
	p.Add(normal, marks{[]point{origin}, mark{upright, ink, ink, 4}}, l)
	f := &Figure{Plot: p, Legend: legend, EqualUnits: true, Width: phoneWidth, Height: 4 * vg.Inch}
	f.Caption, f.Alt = shiftWords(w, biases, feet)
	return f, nil
}

func shiftWords(w, biases []float64, feet []point) (caption, alt string) {
	norm := svmkit.Dense(w...).Norm()
	low, high := slices.Min(biases), slices.Max(biases)
	caption = fmt.Sprintf("The plane of bias b lies at −b/‖w‖ from the origin along w: b = %s puts it at %s.", num(high), num(-high/norm))
	if low < high {
		caption = fmt.Sprintf("A larger bias moves the plane against w: from b = %s to b = %s by %s, which is the difference over ‖w‖ = %s.",
			num(low), num(high), num((high-low)/norm), num(norm))
	}
	places := make([]string, len(biases))
	for i, b := range biases {
		places[i] = fmt.Sprintf("b = %s passes through (%s, %s), %s from the origin along w", num(b), num(feet[i].X), num(feet[i].Y), num(-b/norm))
	}
	alt = fmt.Sprintf("%s with the normal w = (%s, %s), in equal units; an arrow from the origin has its direction. The line of %s.",
		upperFirst(plural(len(biases), "parallel line")), num(w[0]), num(w[1]), strings.Join(places, "; that of "))
	return caption, alt
}
