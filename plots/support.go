package plots

import (
	"fmt"
	"math"

	"github.com/svmkit/course/svmkit"
	"gonum.org/v1/plot"
	"gonum.org/v1/plot/vg"
)

// The marks of support vectors: those of their classes, larger and with a dark edge.
var (
	positiveSupport = mark{disc, blue, ink, 4.6}
	negativeSupport = mark{square, vermillion, ink, 4.2}
)

// narrowStreet is the width of a street, as a part of the longer side of the picture, below which
// a second panel shows it from close up.
const narrowStreet = 0.08

// rim is what the second panel shows around the support vectors, in widths of the street.
const rim = 2.2

// SupportVectors draws a 2-D set with the lines f = ±1 of the plane h. Support vectors, α > 0, have
// larger marks with a dark edge; points on these lines with α = 0 a dotted ring. Where the street is narrow
// a second panel shows the support vectors from close up.
//
// alpha holds one number ≥ 0 a row. It is an error if the set is not planar or w = 0.
func SupportVectors(set *svmkit.Dataset, h svmkit.Hyperplane, alpha []float64) (*Figure, error) {
	if err := planar(set); err != nil {
		return nil, err
	}
	if err := checkPlane(h, 2, false); err != nil {
		return nil, err
	}
	if err := oneEachRow("alpha", alpha, set); err != nil {
		return nil, err
	}
	onLine := rings{style: line(faint, 1.8, dotted)}
	plus, minus := marks{mark: positiveSupport}, marks{mark: negativeSupport}
	var keep, support []int
	off, around := 0, emptyBox()
	for i, x := range set.X {
		onEdge := math.Abs(set.Y[i]*h.Score(x)-1) <= isOne
		switch a := alpha[i]; {
		case !(a >= 0 && a <= maxDrawn):
			return nil, &svmkit.DataError{Row: i, Col: svmkit.NoPlace, Value: a, Err: errAlpha}
		case a > 0:
			support, around = append(support, i), around.cover(at(x))
			if !onEdge {
				off++
			}
		case onEdge:
			onLine.at, keep = append(onLine.at, at(x)), append(keep, i)
		}
	}
	plus.at, minus.at = points(set, support, 1), points(set, support, -1)
	rows := thin(set.Len(), maxRows, append(keep, support...)...)
	if len(rows) > 150 { // as scatter does
		plus.mark.radius, minus.mark.radius = 0.65*plus.mark.radius, 0.65*minus.mark.radius
	}
	f := &Figure{EqualUnits: true, Width: phoneWidth, Height: 4.4 * vg.Inch}
	panel := func(view box) (p *plot.Plot, legend []Entry) {
		p = planarPlot(set)
		show(p, view)
		border, edge := addStreet(p, h)
		legend = append(scatter(p, set, rows, 1), Entry{"plane", border}, Entry{`$f = \pm 1$`, edge})
		for _, s := range []struct {
			name string
			marks
		}{{`$y = +1$, $\alpha > 0$`, plus}, {`$y = -1$, $\alpha > 0$`, minus}} {
			if len(s.at) > 0 {
				p.Add(s.marks)
				legend = append(legend, Entry{s.name, s.marks})
			}
		}
		if len(onLine.at) > 0 {
			p.Add(onLine)
			legend = append(legend, Entry{`$y f = 1$, $\alpha = 0$`, onLine})
		}
		return p, legend
	}
	whole := extent(set).grow(0.12)
	street := 2 / h.Norm()
	f.Plot, f.Legend = panel(whole)
	closeUp := ""
	if side := max(whole.xmax-whole.xmin, whole.ymax-whole.ymin); len(support) > 0 && street < narrowStreet*side {
		near := box{around.xmin - rim*street, around.xmax + rim*street, around.ymin - rim*street, around.ymax + rim*street}
		p, _ := panel(near)
		f.Panels, f.Plot, f.Height = [][]*plot.Plot{{f.Plot}, {p}}, nil, 7.4*vg.Inch
		closeUp = " A second panel shows the support vectors from close up."
	}
	n := len(support)
	f.Caption = fmt.Sprintf("Of %s, %s α > 0 (large marks with a dark edge)", plural(set.Len(), "point"), haveHas(n))
	switch {
	case off > 0:
		f.Caption += fmt.Sprintf(", of which %s off the lines f = ±1.", isAreNumber(off))
	case len(onLine.at) > 0:
		f.Caption += fmt.Sprintf("; %s on the lines f = ±1 with α = 0 (dotted rings): a point on the margin need not be a support vector.", isAreNumber(len(onLine.at)))
	default:
		f.Caption += ", all on the lines f = ±1: the street stands on these alone."
	}
	f.Caption += thinned(len(rows), set.Len(), "points")
	f.Alt = fmt.Sprintf("Scatter plot of %s over %s, with the plane %s and dashed lines where f is −1 and 1, %s apart.", pointWords(set), axisWords(set), equation(h), num(street))
	for k, i := range support {
		if k == 8 {
			f.Alt += fmt.Sprintf(" And %s more large marks.", count(n-k))
			break
		}
		q := at(set.X[i])
		f.Alt += fmt.Sprintf(" A large mark with a dark edge at (%s, %s), class %s.", num(q.X), num(q.Y), signed(set.Y[i]))
	}
	if len(onLine.at) > 0 {
		f.Alt += fmt.Sprintf(" %s on a dashed line have a dotted ring.", upperFirst(plural(len(onLine.at), "other point")))
	}
	f.Alt += closeUp
	return f, nil
}
