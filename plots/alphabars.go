package plots

import (
	"fmt"
	"math"

	"github.com/svmkit/course/svmkit"
	"gonum.org/v1/plot/vg"
)

// AlphaBars draws one bar a row: αᵢ upwards for the class +1, downwards for −1, so it shows
// αᵢyᵢ, and Σ αᵢyᵢ = 0 means that both sides are equally long together. A bar with its mark is a
// support vector, αᵢ > 0; rows without a bar have no part in w.
//
// alpha holds one number ≥ 0 a row.
func AlphaBars(set *svmkit.Dataset, alpha []float64) (*Figure, error) {
	if err := set.ValidateBinary(); err != nil {
		return nil, err
	}
	if err := oneEachRow("alpha", alpha, set); err != nil {
		return nil, err
	}
	var support []int
	up, down := 0.0, 0.0
	bars := map[float64]*segments{1: {style: line(blue, 2.4, nil)}, -1: {style: line(vermillion, 2.4, nil)}}
	ends := map[float64]*marks{1: {mark: positive}, -1: {mark: negative}}
	view := box{0.5, float64(set.Len()) + 0.5, 0, 0}
	for i, a := range alpha {
		if !(a >= 0 && a <= maxDrawn) {
			return nil, &svmkit.DataError{Row: i, Col: svmkit.NoPlace, Value: a, Err: errAlpha}
		}
		if a == 0 {
			continue
		}
		support = append(support, i)
		y := set.Y[i]
		up, down = up+a*(1+y)/2, down+a*(1-y)/2
		tip := point{X: float64(i + 1), Y: a * y}
		view = view.cover(tip)
		bars[y].from, bars[y].to = append(bars[y].from, point{X: tip.X}), append(bars[y].to, tip)
		ends[y].at = append(ends[y].at, tip)
	}
	if d := view.ymax - view.ymin; d > 0 {
		view.ymin, view.ymax = view.ymin-0.15*d, view.ymax+0.15*d
	} else {
		view.ymin, view.ymax = -1, 1
	}
	p := newPlot("row", `$\alpha_i y_i$`)
	show(p, view)
	zero := path{[]point{{X: view.xmin}, {X: view.xmax}}, line(faint, 1, nil)}
	p.Add(zero, bars[-1], bars[1], ends[-1], ends[1])
	f := &Figure{Plot: p, Width: phoneWidth, Height: 3.2 * vg.Inch, Legend: []Entry{{className(set, 1), ends[1]}, {className(set, -1), ends[-1]}}}
	f.Caption = fmt.Sprintf("%s of %s carry the plane: %s above zero, %s below.",
		upperFirst(count(len(support))), plural(set.Len(), "point"), num(up), num(down))
	if math.Abs(up-down) <= isOne*max(up, down) {
		f.Caption = fmt.Sprintf("%s of %s carry the plane, and the two classes pull equally hard: the bars add up to %s on either side.",
			count(len(support)), plural(set.Len(), "point"), num(up))
	}
	f.Alt = fmt.Sprintf("Bar chart of αy over %s. ", plural(set.Len(), "row"))
	for k, i := range support {
		if k == 12 {
			f.Alt += fmt.Sprintf("and %s more; ", count(len(support)-k))
			break
		}
		f.Alt += fmt.Sprintf("row %d: %s; ", i+1, num(alpha[i]*set.Y[i]))
	}
	f.Alt += fmt.Sprintf("all others are zero. Positive bars sum to %s, negative ones to %s.", num(up), num(-down))
	return f, nil
}

var errAlpha = fmt.Errorf("a dual variable must be at least 0 and finite")
