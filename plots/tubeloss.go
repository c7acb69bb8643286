package plots

import (
	"fmt"
	"math"

	"github.com/svmkit/course/svmkit"
	"github.com/svmkit/course/svmkit/loss"
	"gonum.org/v1/plot/vg"
)

// EpsilonLoss draws the ε-insensitive loss over f(x) − y, beside the absolute error and the
// square of least squares. above and below are the weights C₁ and C₂ of scores above and
// below the tube, in (0, 1e9].
func EpsilonLoss(epsilon, above, below float64) (*Figure, error) {
	if err := (loss.EpsInsensitive{Epsilon: epsilon}).Validate(); err != nil {
		return nil, err
	}
	for _, v := range []float64{above, below, epsilon} {
		if !(v >= 0 && v <= 1e9) {
			return nil, &svmkit.ParamError{Name: "epsilon, above, below", Value: v, Need: "must be from 0 to 1e9"}
		}
	}
	if above == 0 || below == 0 {
		return nil, &svmkit.ParamError{Name: "above, below", Value: min(above, below), Need: "must be positive: a side of weight 0 has no tube"}
	}
	tube := func(r float64) float64 {
		weight := above
		if r < 0 {
			weight = below
		}
		return weight * loss.EpsInsensitive{Epsilon: epsilon}.Value(r, 0)
	}
	reach := 2.5 * max(epsilon, 0.4)
	top := 1.05 * max(reach, tube(reach), tube(-reach))
	p := newPlot("$f(x) - y$", "loss")
	show(p, box{-reach, reach, -0.03 * top, top})
	free := area{func(b box) []point {
		return []point{{X: -epsilon, Y: b.ymin}, {X: epsilon, Y: b.ymin}, {X: epsilon, Y: b.ymax}, {X: -epsilon, Y: b.ymax}}
	}, paleBand, line(nil, 0, nil)}
	// Curves with a kink have a vertex there.
	tubeLoss := path{style: line(blue, 2.4, nil)}
	for _, r := range []float64{-reach, -epsilon, epsilon, reach} {
		tubeLoss.at = append(tubeLoss.at, point{X: r, Y: tube(r)})
	}
	absolute := path{[]point{{X: -reach, Y: reach}, {}, {X: reach, Y: reach}}, line(vermillion, 1.6, dashed)}
	square := path{sample(func(r float64) float64 { return r * r }, -reach, reach, false), line(green, 1.6, dotted)}
	p.Add(free, square, absolute, tubeLoss)
	f := &Figure{Plot: p, Height: 3.6 * vg.Inch, Legend: []Entry{{"tube loss", tubeLoss}, {"absolute error", absolute}, {"squared error", square}, {`$|f(x) - y| \leq \epsilon$`, free}}}
	growth := "the loss grows by 1 per unit"
	if above != 1 || below != 1 {
		growth = fmt.Sprintf("the loss grows by %s per unit of a score that is too high and by %s of one that is too low", num(above), num(below))
	}
	f.Caption = fmt.Sprintf("In the tube, up to %s from the target, the loss is 0; outside %s, however far, while the square's slope grows without end.", num(epsilon), growth)
	f.Alt = fmt.Sprintf("Three curves over f(x) − y from %s to %s. The tube loss is 0 from %s to %s, a shaded band, and rises in straight lines to %s on the left and %s on the right. "+
		"The absolute error is a V with its tip at 0 and reaches %s; the square is a parabola through 0 and reaches %s.",
		num(-reach), num(reach), num(-epsilon), num(epsilon), num(tube(-reach)), num(tube(reach)), num(reach), num(math.Pow(reach, 2)))
	return f, nil
}
