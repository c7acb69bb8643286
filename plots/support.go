package plots

import (
	"fmt"
	"math"

	"github.com/svmkit/course/svmkit"
	"gonum.org/v1/plot"
	"gonum.org/v1/plot/vg"
	"gonum.org/v1/plot/vg/draw"
)

const ringRadius = 6.5

func (r ringed) Plot(c draw.Canvas, p *plot.Plot) {
	for _, at := range r.at {
		if q := canvasPoint(&c, p, at); c.Contains(q) {
			ring{at, ringRadius, r.style}.draw(&c, q)
		}
	}
}

func (r ringed) Thumbnail(c *draw.Canvas) { ring{radius: 5, style: r.style}.draw(c, c.Center()) }

// SupportVectors draws a 2-D set with the lines f = ±1 of the plane h. Support vectors, α > 0, have
// a solid ring; points on these lines with α = 0 a dotted one.
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
	support, onLine := ringed{style: line(ink, 1.8, nil)}, ringed{style: line(faint, 1.8, dotted)}
	var keep []int
	off := 0
	for i, x := range set.X {
		onEdge := math.Abs(set.Y[i]*h.Score(x)-1) <= isOne
		switch a := alpha[i]; {
		case !(a >= 0 && a <= maxDrawn):
			return nil, &svmkit.DataError{Row: i, Col: svmkit.NoPlace, Value: a, Err: errAlpha}
		case a > 0:
			support.at, keep = append(support.at, at(x)), append(keep, i)
			if !onEdge {
				off++
			}
		case onEdge:
			onLine.at, keep = append(onLine.at, at(x)), append(keep, i)
		}
	}
	p := planarPlot(set)
	show(p, extent(set).grow(0.12))
	border, edge := addStreet(p, h)
	rows := thin(set.Len(), maxRows, keep...)
	f := &Figure{Plot: p, EqualUnits: true, Height: 4.4 * vg.Inch}
	f.Legend = append(scatter(p, set, rows, 1), Entry{"plane", border}, Entry{`$f = \pm 1$`, edge}, Entry{`$\alpha > 0$`, support})
	p.Add(support)
	if len(onLine.at) > 0 {
		p.Add(onLine)
		f.Legend = append(f.Legend, Entry{`on the edge, $\alpha = 0$`, onLine})
	}
	n := len(support.at)
	f.Caption = fmt.Sprintf("Of %s, %s α > 0 (solid rings)", plural(set.Len(), "point"), haveHas(n))
	switch {
	case off > 0:
		f.Caption += fmt.Sprintf(", of which %s off the lines f = ±1.", isAreNumber(off))
	case len(onLine.at) > 0:
		f.Caption += fmt.Sprintf("; %s on the lines f = ±1 with α = 0 (dotted rings): to lie on the edge is not to be a support vector.", isAreNumber(len(onLine.at)))
	default:
		f.Caption += ", all on the lines f = ±1: the street stands on these alone."
	}
	f.Caption += thinned(len(rows), set.Len(), "points")
	f.Alt = fmt.Sprintf("Scatter plot of %s over %s, with the plane %s and dashed lines where f is −1 and 1, %s apart.", pointWords(set), axisWords(set), equation(h), num(2/h.Norm()))
	for k, q := range support.at {
		if k == 8 {
			f.Alt += fmt.Sprintf(" And %s more rings.", count(n-k))
			break
		}
		f.Alt += fmt.Sprintf(" A solid ring at (%s, %s).", num(q.X), num(q.Y))
	}
	if len(onLine.at) > 0 {
		f.Alt += fmt.Sprintf(" %s on a dashed line have a dotted ring.", upperFirst(plural(len(onLine.at), "other point")))
	}
	return f, nil
}
