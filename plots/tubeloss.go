package plots

import (
	"fmt"
	"math"

	"github.com/svmkit/course/svmkit"
	"github.com/svmkit/course/svmkit/loss"
	"gonum.org/v1/plot/vg"
)

// EpsilonLoss draws the ε-insensitive loss over f(x) − y, beside the absolute error and the
// square of least squares, with ±ε and both slopes marked. above and below are the weights C₁ and C₂
// of scores above and below the tube, in (0, 1e9].
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
	show(p, box{-reach, reach, -0.12 * top, top})
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
	side := func(r float64) point { return point{X: r, Y: 0.2 * tube(r)} } // a slope is written below its line
	words := labels{clear: 3, items: []label{
		{at: point{X: -epsilon}, text: `$-\epsilon$`, lean: point{Y: -1}}, {at: point{X: epsilon}, text: `$\epsilon$`, lean: point{Y: -1}},
		{at: side(reach), text: "slope $C_1 = " + num(above) + "$", colour: blue, lean: point{X: -1}},
		{at: side(-reach), text: "slope $-C_2 = " + num(-below) + "$", colour: blue, lean: point{X: 1}},
	}}
	edges := marks{[]point{{X: -epsilon}, {X: epsilon}}, mark{disc, blue, blue, 3}}
	p.Add(free, square, absolute, tubeLoss, edges, words)
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

// SoftThreshold draws the step of dual coordinate ascent for the ε-insensitive loss: the best β of
// a row over v = y − f(x) + κβ, what the row's target is beyond the sum of all other rows,
//
//	β = S(v)/κ, clipped to [−C₁, C₂], with S(v) = sign(v)·max(0, |v| − ε).
//
// kappa = κ(x,x) is positive, and so are the weights above = C₁ and below = C₂ of a score above
// and below the tube; all numbers are at most 1e9. ±ε and both ends of the box are marked.
func SoftThreshold(epsilon, kappa, above, below float64) (*Figure, error) {
	for name, v := range map[string]float64{"epsilon": epsilon, "kappa": kappa, "above": above, "below": below} {
		if !(v >= 0 && v <= 1e9) || v == 0 && name != "epsilon" {
			return nil, &svmkit.ParamError{Name: name, Value: v, Need: "must be positive and at most 1e9; epsilon may be 0"}
		}
	}
	lowest, highest := -epsilon-kappa*above, epsilon+kappa*below // v from where the box cuts
	margin := 0.25 * (highest - lowest)
	view := box{lowest - margin, highest + margin, -1.3 * above, 1.3 * below}
	p := newPlot("$v$", `best $\beta$`)
	show(p, view)
	free := area{func(b box) []point {
		return []point{{X: -epsilon, Y: b.ymin}, {X: epsilon, Y: b.ymin}, {X: epsilon, Y: b.ymax}, {X: -epsilon, Y: b.ymax}}
	}, paleBand, line(nil, 0, nil)}
	ends := segments{[]point{{X: view.xmin, Y: -above}, {X: view.xmin, Y: below}}, []point{{X: view.xmax, Y: -above}, {X: view.xmax, Y: below}}, line(vermillion, 1.4, dashed)}
	plain := path{[]point{{X: view.xmin, Y: view.xmin / kappa}, {X: view.xmax, Y: view.xmax / kappa}}, line(faint, 1.4, dotted)}
	step := path{[]point{{X: view.xmin, Y: -above}, {X: lowest, Y: -above}, {X: -epsilon}, {X: epsilon}, {X: highest, Y: below}, {X: view.xmax, Y: below}}, line(blue, 2.4, nil)}
	words := labels{clear: 3, items: []label{
		{at: point{X: -epsilon}, text: `$-\epsilon$`, lean: point{X: -0.4, Y: 1}}, {at: point{X: epsilon}, text: `$\epsilon$`, lean: point{X: 0.4, Y: -1}},
		{at: point{X: view.xmax - margin/2, Y: below}, text: "$C_2 = " + num(below) + "$", colour: vermillion, lean: point{Y: 1}},
		{at: point{X: view.xmin + margin/2, Y: -above}, text: "$-C_1 = " + num(-above) + "$", colour: vermillion, lean: point{Y: -1}},
	}}
	p.Add(free, ends, plain, step, marks{[]point{{X: -epsilon}, {X: epsilon}}, mark{disc, blue, blue, 3}}, words)
	f := &Figure{Plot: p, Height: 3.6 * vg.Inch, Legend: []Entry{{`best $\beta$`, step}, {"$v$/κ", plain}, {`$|v| \leq \epsilon$`, free}, {"ends of the box", ends}}}
	f.Caption = fmt.Sprintf("From v = %s to %s the best β is 0; beyond it rises with slope 1/κ = %s, up to the ends of the box, −C₁ = %s and C₂ = %s.",
		num(-epsilon), num(epsilon), num(1/kappa), num(-above), num(below))
	f.Alt = fmt.Sprintf("One curve over v from %s to %s that never falls: flat at %s up to v = %s, rising to 0 at %s, flat at 0 up to %s, a shaded band, rising to %s at %s, and flat from there on. "+
		"A dotted line through 0, the answer without ε and box, has the same slope.",
		num(view.xmin), num(view.xmax), num(-above), num(lowest), num(-epsilon), num(epsilon), num(below), num(highest))
	return f, nil
}
