package figures

import (
	"cmp"
	"math"

	"github.com/svmkit/course/plots"
	"github.com/svmkit/course/plots/check"
	"github.com/svmkit/course/plots/geom"
	"github.com/svmkit/course/plots/pen"
	"github.com/svmkit/course/plots/prose"
	"github.com/svmkit/course/svmkit/loss"
	"gonum.org/v1/plot/vg"
)

// EpsilonLoss draws the ε-insensitive loss over f(x) − y, with the absolute and the squared error
// for comparison, and marks ±ε and both slopes. above and below are the weights C₁ and C₂ of
// scores above and below the tube, in (0, 1e9].
func EpsilonLoss(epsilon, above, below float64) (*plots.Figure, error) {
	// A side of weight 0 has no tube.
	if err := cmp.Or((loss.EpsInsensitive{Epsilon: epsilon}).Validate(), check.Within("epsilon",
		epsilon, 0, 1e9), positive("above", above), positive("below", below)); err != nil {
		return nil, err
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
	p := pen.NewPlot("$f(x) - y$", "loss")
	pen.Show(p, geom.Rect(-reach, reach, -0.12*top, top))
	free := pen.Column(-epsilon, epsilon, pen.PaleBand)
	// Curves with a kink have a vertex there.
	tubeLoss := pen.Path{Style: pen.Line(pen.Blue, 2.4, nil)}
	for _, r := range []float64{-reach, -epsilon, epsilon, reach} {
		tubeLoss.At = append(tubeLoss.At, geom.Pt(r, tube(r)))
	}
	absolute := pen.Join([]geom.Point{{X: -reach, Y: reach}, {}, {X: reach, Y: reach}},
		pen.Line(pen.Vermillion, 1.6, pen.Dashed))
	square := pen.Join(geom.Sample(func(r float64) float64 { return r * r }, -reach, reach,
		false), pen.Line(pen.Green, 1.6, pen.Dotted))
	// a slope is written below its line
	side := func(r float64) geom.Point { return geom.Pt(r, 0.2*tube(r)) }
	words := pen.Labels{Clear: 3, Items: []pen.Label{
		{At: geom.Point{X: -epsilon}, Text: `$-\epsilon$`, Lean: geom.Point{Y: -1}},
		{At: geom.Point{X: epsilon}, Text: `$\epsilon$`, Lean: geom.Point{Y: -1}},
		{At: side(reach), Text: "slope $C_1 = " + prose.Num(above) + "$", Colour: pen.Blue,
			Lean: geom.Point{X: -1}},
		{At: side(-reach), Text: "slope $-C_2 = " + prose.Num(-below) + "$", Colour: pen.Blue,
			Lean: geom.Point{X: 1}},
	}}
	edges := pen.Solid(pen.Disc, pen.Blue, 3).At(geom.Point{X: -epsilon}, geom.Point{X: epsilon})
	p.Add(free, square, absolute, tubeLoss, edges, words)
	f := &plots.Figure{Plot: p, Height: 3.6 * vg.Inch, Legend: pen.Legend{{Name: "tube loss",
		Mark: tubeLoss}, {Name: "absolute error", Mark: absolute},
		{Name: "squared error", Mark: square}, {Name: `$|f(x) - y| \leq \epsilon$`, Mark: free}}}
	growth := "the loss grows by 1 per unit"
	if above != 1 || below != 1 {
		growth = prose.Say("the loss grows by %v per unit of a score that is too high and by "+
			"%v of one that is too low", above, below)
	}
	f.Caption = prose.Say("In the tube, up to %v from the target, the loss is 0; outside %s, "+
		"however far, while the square's slope grows without end.", epsilon, growth)
	f.Alt = prose.Say("Three curves over f(x) − y from "+
		"%v to %v. The tube loss is 0 from %v to %v, a shaded band, and "+
		"rises in straight lines to %v on the left and %v on the right. The absolute error is "+
		"a V with its tip at 0 and reaches %v; the square is a parabola through 0 and reaches %v.",
		-reach, reach, -epsilon, epsilon, tube(-reach), tube(reach), reach, math.Pow(reach, 2))
	return f, nil
}

// positive checks that a number is above 0 and can be drawn.
func positive(name string, v float64) error {
	return check.Within(name, v, math.SmallestNonzeroFloat64, 1e9)
}

// SoftThreshold draws the step of dual coordinate ascent for the ε-insensitive loss: the best β of
// a row over v = y − f(x) + κβ, what the row's target is beyond the sum of all other rows,
//
//	β = S(v)/κ, clipped to [−C₁, C₂], with S(v) = sign(v)·max(0, |v| − ε).
//
// kappa = κ(x,x) is positive, and so are the weights above = C₁ and below = C₂ of a score above
// and below the tube; all numbers are at most 1e9. ±ε and both ends of the box are marked.
func SoftThreshold(epsilon, kappa, above, below float64) (*plots.Figure, error) {
	if err := cmp.Or(check.Within("epsilon", epsilon, 0, 1e9), positive("kappa", kappa),
		positive("above", above), positive("below", below)); err != nil {
		return nil, err
	}
	lowest, highest := -epsilon-kappa*above, epsilon+kappa*below // v from where the box cuts
	margin := 0.25 * (highest - lowest)
	view := geom.Rect(lowest-margin, highest+margin, -1.3*above, 1.3*below)
	p := pen.NewPlot("$v$", `best $\beta$`)
	pen.Show(p, view)
	free := pen.Column(-epsilon, epsilon, pen.PaleBand)
	ends := pen.Segments{From: []geom.Point{{X: view.XMin, Y: -above}, {X: view.XMin, Y: below}},
		To:    []geom.Point{{X: view.XMax, Y: -above}, {X: view.XMax, Y: below}},
		Style: pen.Line(pen.Vermillion, 1.4, pen.Dashed)}
	plain := pen.Join([]geom.Point{{X: view.XMin, Y: view.XMin / kappa},
		{X: view.XMax, Y: view.XMax / kappa}}, pen.Line(pen.Faint, 1.4, pen.Dotted))
	step := pen.Join([]geom.Point{{X: view.XMin, Y: -above}, {X: lowest, Y: -above},
		{X: -epsilon}, {X: epsilon}, {X: highest, Y: below}, {X: view.XMax, Y: below}},
		pen.Line(pen.Blue, 2.4, nil))
	words := pen.Labels{Clear: 3, Items: []pen.Label{
		{At: geom.Point{X: -epsilon}, Text: `$-\epsilon$`, Lean: geom.Pt(-0.4, 1)},
		{At: geom.Point{X: epsilon}, Text: `$\epsilon$`, Lean: geom.Pt(0.4, -1)},
		{At: geom.Pt(view.XMax-margin/2, below),
			Text: "$C_2 = " + prose.Num(below) + "$", Colour: pen.Vermillion,
			Lean: geom.Point{Y: 1}},
		{At: geom.Pt(view.XMin+margin/2, -above),
			Text: "$-C_1 = " + prose.Num(-above) + "$", Colour: pen.Vermillion,
			Lean: geom.Point{Y: -1}},
	}}
	p.Add(free, ends, plain, step,
		pen.Solid(pen.Disc, pen.Blue, 3).At(geom.Point{X: -epsilon}, geom.Point{X: epsilon}), words)
	f := &plots.Figure{Plot: p, Height: 3.6 * vg.Inch,
		Legend: pen.Legend{{Name: `best $\beta$`, Mark: step}, {Name: "$v$/κ", Mark: plain},
			{Name: `$|v| \leq \epsilon$`, Mark: free}, {Name: "ends of the box", Mark: ends}}}
	f.Caption = prose.Say("From v = %v to %v the best β is "+
		"0; beyond it rises with slope 1/κ = %v, up to the ends of the box, −C₁ = %v and C₂ = %v.",
		-epsilon, epsilon, 1/kappa, -above, below)
	f.Alt = prose.Say("One curve over v from %v to %v that never falls: flat at %v up to v = "+
		"%v, rising to 0 at %v, flat at 0 up to %v, a shaded band, rising to %v at %v, and flat "+
		"from there on. A dotted line through 0, the answer without ε and box, has the same slope.",
		view.XMin, view.XMax, -above, lowest, -epsilon, epsilon, below, highest)
	return f, nil
}
