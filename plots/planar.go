package plots

import (
	"fmt"
	"math"

	"github.com/svmkit/course/svmkit"
	"gonum.org/v1/plot"
	"gonum.org/v1/plot/vg"
)

// maxDrawn is the largest coordinate that is drawn: squares and products of larger ones
// could overflow on the way to the canvas.
const maxDrawn = 1e100

// planar checks that a set can be drawn: valid, two columns, labels ±1.
func planar(set *svmkit.Dataset) error {
	if err := set.Validate(); err != nil {
		return err
	}
	if set.Dim != 2 {
		return &svmkit.ParamError{Name: "set.Dim", Value: set.Dim, Need: "must be 2: a figure shows two features; choose them with Columns"}
	}
	return drawable(set)
}

// drawable checks labels and sizes of a set that Validate has passed.
func drawable(set *svmkit.Dataset) error {
	for i, x := range set.X {
		if y := set.Y[i]; y != -1 && y != 1 {
			return &svmkit.DataError{Row: i, Col: svmkit.NoPlace, Value: y, Err: svmkit.ErrLabel}
		}
		if err := drawableRow(i, x); err != nil {
			return err
		}
	}
	return nil
}

// oneEachRow checks that values holds one number a row of set.
func oneEachRow(name string, values []float64, set *svmkit.Dataset) error {
	if len(values) != set.Len() {
		return &svmkit.ParamError{Name: name, Value: plural(len(values), "number"), Need: "must be one a row: " + plural(set.Len(), "row")}
	}
	return nil
}

// drawableRow checks the size of the numbers of row i.
func drawableRow(i int, x svmkit.Row) error {
	for k, v := range x.Value {
		if math.Abs(v) > maxDrawn {
			col := k
			if x.Index != nil {
				col = int(x.Index[k])
			}
			return &svmkit.DataError{Row: i, Col: col, Value: v, Err: errTooLarge}
		}
	}
	return nil
}

var errTooLarge = fmt.Errorf("larger than %g: too large to draw", maxDrawn)

// checkPlane checks that h has d columns and finite numbers. w = 0 is refused unless
// it is a plane that need not exist yet.
func checkPlane(h svmkit.Hyperplane, d int, mayBeZero bool) error {
	if len(h.W) != d {
		return &svmkit.ParamError{Name: "len(W)", Value: len(h.W), Need: fmt.Sprintf("must be %d, the columns of the set", d)}
	}
	_, err := svmkit.NewHyperplane(h.W, h.B)
	if err != nil && !(mayBeZero && isZero(h)) {
		return err
	}
	for j, v := range h.W {
		if math.Abs(v) > maxDrawn {
			return &svmkit.DataError{Row: 0, Col: j, Value: v, Err: errTooLarge}
		}
	}
	if math.Abs(h.B) > maxDrawn {
		return &svmkit.ParamError{Name: "b", Value: h.B, Need: "must be small enough to draw"}
	}
	return nil
}

// isZero reports whether w = 0, the normal of no plane.
func isZero(h svmkit.Hyperplane) bool {
	for _, v := range h.W {
		if v != 0 {
			return false
		}
	}
	return !math.IsNaN(h.B) && !math.IsInf(h.B, 0)
}

// points returns the rows with the given label among those numbered.
func points(set *svmkit.Dataset, rows []int, label float64) []point {
	var ps []point
	for _, i := range rows {
		if set.Y[i] == label {
			ps = append(ps, at(set.X[i]))
		}
	}
	return ps
}

// extent returns the box of all rows.
func extent(set *svmkit.Dataset) box {
	b := emptyBox()
	for _, x := range set.X {
		b = b.cover(at(x))
	}
	return b
}

// mistakes counts the rows with y·f(x) ≤ 0.
func mistakes(set *svmkit.Dataset, h svmkit.Hyperplane) (n int) {
	for i, x := range set.X {
		if set.Y[i]*h.Score(x) <= 0 {
			n++
		}
	}
	return n
}

// addStreet adds the plane h to p, with the lines f = ±1 and the street between them.
func addStreet(p *plot.Plot, h svmkit.Hyperplane) (border, edge planeLine) {
	half := 1 / h.Norm()
	street := area{func(b box) []point { return band(h, half, b) }, paleBand, line(nil, 0, nil)}
	border, edge = planeLine{h, line(ink, 1.8, nil)}, planeLine{shifted(h, half), line(faint, 1.3, dashed)}
	p.Add(street, edge, planeLine{shifted(h, -half), edge.style}, border)
	return border, edge
}

// planarPlot returns an empty plot with the features' names on its axes.
func planarPlot(set *svmkit.Dataset) *plot.Plot {
	x, y := "$x_1$", "$x_2$"
	if set.Features != nil {
		x, y = literal(set.Features[0]), literal(set.Features[1])
	}
	return newPlot(x, y)
}

// scatter adds both classes to p, with marks of the given size, and returns their legend.
func scatter(p *plot.Plot, set *svmkit.Dataset, rows []int, size vg.Length) []Entry {
	plus := marks{points(set, rows, 1), positive}
	minus := marks{points(set, rows, -1), negative}
	if len(rows) > 150 { // many points: smaller marks
		size *= 0.65
	}
	plus.mark.radius *= size
	minus.mark.radius *= size
	p.Add(minus, plus)
	var legend []Entry
	for _, e := range []Entry{{className(set, 1), plus}, {className(set, -1), minus}} {
		if len(e.Mark.(marks).at) > 0 {
			legend = append(legend, e)
		}
	}
	return legend
}

// className returns how a legend names the class of a label.
func className(set *svmkit.Dataset, label float64) string {
	sign := "$y = +1$"
	if label < 0 {
		sign = "$y = -1$"
	}
	if len(set.Classes) != 2 {
		return sign
	}
	return literal(set.Classes[(int(label)+1)/2]) + ", " + sign
}

// axisWords returns an alternative text's words for the axes.
func axisWords(set *svmkit.Dataset) string {
	x, y := "x1", "x2"
	if set.Features != nil {
		x, y = set.Features[0], set.Features[1]
	}
	b := extent(set)
	return fmt.Sprintf("%s from %s to %s (horizontal) and %s from %s to %s (vertical), in equal units",
		x, num(b.xmin), num(b.xmax), y, num(b.ymin), num(b.ymax))
}

// pointWords returns an alternative text's words for the points.
func pointWords(set *svmkit.Dataset) string {
	plus := 0
	for _, y := range set.Y {
		if y > 0 {
			plus++
		}
	}
	return fmt.Sprintf("%s of class +1 (filled circles) and %s of class −1 (open squares)",
		plural(plus, "point"), count(len(set.Y)-plus))
}
