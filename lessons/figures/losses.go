package figures

import (
	"fmt"
	"math"
	"slices"
	"strings"

	"github.com/svmkit/course/plots"
	"github.com/svmkit/course/plots/check"
	"github.com/svmkit/course/plots/geom"
	"github.com/svmkit/course/plots/pen"
	"github.com/svmkit/course/plots/prose"
	"github.com/svmkit/course/svmkit"
	"github.com/svmkit/course/svmkit/loss"
	"gonum.org/v1/plot"
	"gonum.org/v1/plot/vg"
)

// NamedLoss is a loss of a margin with its name, plain text, in a legend and a caption.
type NamedLoss struct {
	Name  string
	Loss  loss.Loss // of classification
	Scale float64   // its values are multiplied by Scale; 0 means 1. 1/ln 2 turns nats into bits
}

// at is the loss at the margin m: the score m for the label +1.
func (l NamedLoss) at(m float64) float64 {
	if l.Scale == 0 {
		return l.Loss.Value(m, 1)
	}
	return l.Scale * l.Loss.Value(m, 1)
}

func (l NamedLoss) validate() error {
	if l.Loss == nil {
		return check.Param("Loss", nil, "must be a loss")
	}
	if !(l.Scale >= 0 && l.Scale <= 1e9) {
		return check.Param("Scale", l.Scale, "must be positive, or 0 for 1")
	}
	return nil
}

// onGrid calls visit at margins of the box a thousandth apart, its whole numbers among them.
func onGrid(b geom.Box, visit func(m float64)) {
	for k := math.Round(1000 * b.XMin); k <= 1000*b.XMax; k++ {
		visit(k / 1000)
	}
}

// graph samples a loss over the box, with a vertex at each multiple of 1/100.
func (l NamedLoss) graph(b geom.Box) (ps []geom.Point) {
	for k := math.Round(100 * b.XMin); k <= 100*b.XMax; k++ {
		ps = append(ps, geom.Pt(k/100, l.at(k/100)))
	}
	return ps
}

// branches splits the graph where the loss jumps just right of a vertex, as the zero–one loss does
// at 0.
func (l NamedLoss) branches(b geom.Box) (all [][]geom.Point) {
	var branch []geom.Point
	for _, q := range l.graph(b) {
		branch = append(branch, q)
		if next := l.at(q.X + 1e-9); math.Abs(next-q.Y) > 1e-3 {
			all = append(all, branch)
			branch = []geom.Point{{X: q.X, Y: next}}
		}
	}
	return append(all, branch)
}

const marginLabel = `margin $m = y\,f(x)$`

// lossRoundoff is what rounding may change in the values of a loss near 1.
const lossRoundoff = 1e-9

// LossZoo draws up to six losses over the margin m = y·f(x) from −2 to 2.5, with the zero–one
// loss behind them: 1 up to m = 0, which counts as a mistake, and 0 beyond. The caption says which
// of them lie on or above it at every margin shown, and where the others lie lowest below it.
func LossZoo(losses []NamedLoss) (*plots.Figure, error) {
	if err := check.Count("losses", len(losses), 1, len(pen.Styles), "loss"); err != nil {
		return nil, err
	}
	view := geom.Rect(-2, 2.5, -0.2, 4.2)
	p := pen.NewPlot(marginLabel, "loss")
	pen.Show(p, view)
	mistake := pen.Column(view.XMin, 0, pen.PaleBand)
	step := pen.Path{Style: pen.Line(pen.Ink, 3, nil)}
	wrong, right := step, step
	wrong.At, right.At = []geom.Point{{X: view.XMin, Y: 1}, {Y: 1}},
		[]geom.Point{{}, {X: view.XMax}}
	p.Add(mistake, wrong, right)
	f := &plots.Figure{Plot: p, Width: pen.PhoneWidth, Height: 4 * vg.Inch,
		Legend: pen.Legend{{Name: "zero–one", Mark: step}}}
	var above []string
	var below string
	for i, l := range losses {
		if err := l.validate(); err != nil {
			return nil, err
		}
		curve := pen.Styles[i].Curve(l.graph(view))
		dots := pen.Marks{Mark: curve.Mark}
		for k := range 10 {
			m := view.XMin + 0.35 + 0.45*float64(k)
			dots.At = append(dots.At, geom.Pt(m, l.at(m)))
		}
		p.Add(curve.Path, dots)
		f.Legend.Add(l.Name, curve)
		gap, lowest := 0.0, 0.0
		onGrid(view, func(m float64) {
			if d := l.at(m) - (loss.ZeroOne{}).Value(m, 1); !(d >= gap-lossRoundoff) {
				gap, lowest = d, m
			}
		})
		if gap == 0 {
			above = append(above, l.Name)
			continue
		}
		below += prose.Say(" The %s loss lies below it in places, most at m = %v, where it is %v.",
			l.Name, lowest, l.at(lowest))
	}
	// The two ends of the jump: the value at m = 0 is 1.
	p.Add(pen.Solid(pen.Disc, pen.Ink, 3.6).At(geom.Point{Y: 1}),
		pen.Mark{Shape: pen.Disc, Fill: pen.PaleBand, Edge: pen.Ink, Radius: 3.6}.At(geom.Point{}))
	f.Legend.Add("mistakes", mistake)
	f.Caption = prose.Either(len(above) > 0,
		fmt.Sprintf("On or above the zero–one loss at every margin shown: %s.%s", prose.List(above),
			below), "No loss lies above the zero–one loss at every margin shown."+below)
	f.Alt = prose.Say("Curves over the margin m from %v to %v, the mistakes m ≤ 0 shaded. The "+
		"zero–one loss is a step: 1 up to m = 0, the end included, then 0.", view.XMin, view.XMax)
	for i, l := range losses {
		f.Alt += prose.Say(" %s (%s): %v at m = −2, %v at −1, %v at 0, %v at 1, %v at 2.",
			prose.UpperFirst(l.Name), dashNames[i], l.at(-2), l.at(-1), l.at(0), l.at(1), l.at(2))
	}
	return f, nil
}

// SubgradientFan draws a loss over the margin from −2 to 3 with one to seven lines through its
// point at the margin m, of the given slopes. Lines that stay on or below the graph everywhere in
// the picture are solid, and where there are several, what lies between them is shaded; the others
// are dashed. The slopes of the solid ones are subgradients.
func SubgradientFan(l NamedLoss, m float64, slopes []float64) (*plots.Figure, error) {
	if err := l.validate(); err != nil {
		return nil, err
	}
	view := geom.Rect(-2, 3, -1.6, 3.4)
	if !(view.XMin < m && m < view.XMax) {
		return nil, check.Param("m", m, "must be between −2 and 3")
	}
	const most = 7
	if err := check.Count("slopes", len(slopes), 1, most, "slope"); err != nil {
		return nil, err
	}
	here := geom.Pt(m, l.at(m))
	along := func(g, x float64) float64 { return here.Y + g*(x-m) }
	p := pen.NewPlot(marginLabel, "loss")
	pen.Show(p, view)
	support := pen.Path{Style: pen.Line(pen.Green, 1.4, nil)}
	cut := pen.Path{Style: pen.Line(pen.Vermillion, 1.4, pen.Dashed)}
	var lines []pen.Path
	var under, over, where []string
	least, greatest := math.Inf(1), math.Inf(-1)
	branches := l.branches(view)
	names := pen.Labels{Clear: 3}
	for _, branch := range branches {
		for k := 0; k < len(branch); k += 5 {
			names.Avoid = append(names.Avoid, branch[k])
		}
	}
	for _, g := range slopes {
		if err := check.Within("slopes", g, -1e6, 1e6); err != nil {
			return nil, err
		}
		worst, at := 0.0, 0.0
		onGrid(view, func(x float64) {
			if d := along(g, x) - l.at(x); d > worst+lossRoundoff {
				worst, at = d, x
			}
		})
		ends := []geom.Point{{X: view.XMin, Y: along(g, view.XMin)},
			{X: view.XMax, Y: along(g, view.XMax)}}
		colour, lean := pen.Green, geom.Pt(0.6, -1)
		if worst == 0 {
			least, greatest = min(least, g), max(greatest, g)
			under = append(under, prose.Num(g))
			lines = append(lines, pen.Join(ends, support.Style))
		} else {
			colour, lean = pen.Vermillion, geom.Pt(1, 0.2)
			over = append(over, prose.Num(g))
			where = append(where, prose.Say("by %v at m = %v", prose.Roughly(worst), at))
			lines = append(lines, pen.Join(ends, cut.Style))
		}
		names.Items = append(names.Items, pen.Label{At: leaves(view, here, g),
			Text: "$g = " + prose.Num(g) + "$", Colour: colour, Lean: lean})
	}
	f := &plots.Figure{Plot: p, Width: pen.PhoneWidth, Height: 4 * vg.Inch}
	curve := pen.Path{Style: pen.Line(pen.Blue, 2.6, nil)}
	f.Legend = pen.Legend{{Name: l.Name, Mark: curve}}
	if len(under) > 1 {
		fan := func(x float64) pen.Area {
			return pen.Filled([]geom.Point{here,
				{X: x, Y: along(least, x)}, {X: x, Y: along(greatest, x)}}, pen.Pale(pen.Green))
		}
		p.Add(fan(view.XMin), fan(view.XMax))
	}
	if len(under) > 0 {
		f.Legend.Add("on or below the graph", support)
	}
	if len(over) > 0 {
		f.Legend.Add("above it somewhere", cut)
	}
	for _, one := range lines {
		p.Add(one)
	}
	for k, branch := range branches {
		curve.At = branch
		p.Add(curve)
		if k > 0 { // the value at the jump is that of the branch on the left
			left := branches[k-1]
			p.Add(pen.Solid(pen.Disc, pen.Blue, 3.6).At(left[len(left)-1:]...),
				pen.Hollow(pen.Disc, pen.Blue, 3.6).At(branch[:1]...))
		}
	}
	p.Add(pen.Solid(pen.Disc, pen.Ink, 4).At(here), names)
	place := prose.Say("%v", here)
	var said []string
	if len(under) > 0 {
		noun, verb := "The slope "+under[0]+" is a subgradient", "its line through "+place+" stays"
		if len(under) > 1 {
			noun, verb = "The slopes "+prose.List(under)+" are subgradients",
				"their lines through "+place+" stay"
		}
		said = append(said, prose.Say("%s of the %s loss at m = %v: %s on or below the graph.",
			noun, l.Name, m, verb))
	}
	for i, g := range over {
		said = append(said, fmt.Sprintf("The slope %s is none: its line through %s is above the "+
			"graph, %s.", g, place, where[i]))
	}
	f.Caption = strings.Join(said, " ")
	f.Alt = prose.Say("The %s loss over margins from "+
		"−2 to 3, %v at −2 and %v at 3, and %s through its point %s, a disc.", l.Name,
		prose.Roughly(l.at(-2)), prose.Roughly(l.at(3)), prose.Plural(len(slopes), "line"), place)
	for k := 1; k < len(branches); k++ {
		from, to := branches[k-1][len(branches[k-1])-1], branches[k][0]
		f.Alt += prose.Say(" It jumps at %v, from %v, a filled disc, to %v, an open one.",
			from.X, from.Y, to.Y)
	}
	f.Alt += prose.If(len(under) > 0, " Solid, on or below the graph: slope %s.", prose.List(under))
	f.Alt += prose.If(len(over) > 0, " Dashed, above it somewhere: slope %s.", prose.List(over))
	return f, nil
}

// leaves returns where the line of slope g through p leaves the box on the left, drawn in a little.
func leaves(b geom.Box, p geom.Point, g float64) geom.Point {
	x := b.XMin
	if g > 0 {
		x = max(x, p.X+(b.YMin-p.Y)/g)
	} else if g < 0 {
		x = max(x, p.X+(b.YMax-p.Y)/g)
	}
	x = p.X + 0.97*(x-p.X)
	return geom.Pt(x, p.Y+g*(x-p.X))
}

// SurrogateRun holds the results of training with one loss, for each share of flipped labels.
type SurrogateRun struct {
	// of the loss, with its unit if that is not plain: "logistic loss (bits)"; plain text
	Name  string
	Loss  []float64 // the mean loss over the training rows, ≥ 0
	Error []float64 // the share of wrong training rows, in [0, 1]
	True  []float64 // the same by the labels before the flips; nil: not drawn
}

// SurrogateGap draws, for up to three losses, the mean loss that was minimised and the error rate
// of the same plane against the share of labels that were flipped before training, in [0, 1] and
// rising; also its error rate by the labels before the flips, if that is known. Of a single loss
// what lies between the two is shaded. Runs have one number a share. The numbers are in the
// alternative text.
func SurrogateGap(flipped []float64, runs []SurrogateRun) (*plots.Figure, error) {
	const most = 3
	if err := check.Count("runs", len(runs), 1, most, "run"); err != nil {
		return nil, err
	}
	p := pen.NewPlot("share of labels flipped", "mean loss, and error rate")
	view := geom.Empty().Cover(geom.Point{}, geom.Pt(0, 0.1))
	f := &plots.Figure{Plot: p, Width: pen.PhoneWidth, Height: 4.2 * vg.Inch}
	below := 0
	var dots []plot.Plotter
	for i, r := range runs {
		name, _, _ := strings.Cut(r.Name, " (") // errors have no unit
		up, err := r.curve(r.Loss, flipped, math.Inf(1))
		if err != nil {
			return nil, err
		}
		down, err := r.curve(r.Error, flipped, 1)
		if err != nil {
			return nil, err
		}
		view = view.Cover(up...).Cover(down...)
		style := pen.Styles[i].Line
		style.Dashes = nil
		loss, wrong := pen.Marked(up, style, pen.Styles[i].Mark),
			pen.Marked(down, pen.Line(style.Color, 1.6, pen.Dotted), pen.Styles[i].Mark)
		if len(runs) == 1 {
			p.Add(pen.Filled(geom.Strip(up, down), pen.Pale(style.Color)))
		}
		p.Add(wrong.Path, loss.Path)
		dots = append(dots, wrong.Mark.At(down...), loss.Mark.At(up...))
		f.Legend.Add("mean "+r.Name, loss)
		f.Legend.Add(name+": error", wrong)
		for k := range up {
			if up[k].Y < down[k].Y {
				below++
			}
		}
		f.Alt += fmt.Sprintf(" Training by the %s: mean loss %s; error rate, dotted, %s.", r.Name,
			rounded(r.Loss), rounded(r.Error))
		if r.True == nil {
			continue
		}
		known, err := r.curve(r.True, flipped, 1)
		if err != nil {
			return nil, err
		}
		view = view.Cover(known...)
		truth := pen.Marked(known, pen.Line(style.Color, 1.6, pen.Dashed), pen.Styles[i].Mark)
		p.Add(truth.Path)
		dots = append(dots, truth.Mark.At(known...))
		f.Legend.Add(name+": error, true labels", truth)
		f.Alt += fmt.Sprintf(" By the true labels, dashed: %s.", rounded(r.True))
	}
	slices.Reverse(dots) // at one place a square shows beneath a disc, and no disc beneath a square
	p.Add(dots...)
	n := len(flipped)
	f.Caption = prose.Say("Mean loss and error of planes trained on labels of which a share "+
		"from %v to %v is flipped. ", flipped[0], flipped[n-1])
	f.Alt = prose.Say("Line chart over %s of flipped labels, from %v to %v.",
		prose.Plural(n, "share"), flipped[0], flipped[n-1]) + f.Alt
	if below == 0 {
		f.Caption += "Every mean loss is above the error rate of its plane."
	} else {
		f.Caption += prose.Say("Below the error rate of its plane: %v of %v mean losses.",
			below, n*len(runs))
	}
	pen.Show(p, view.Padded(false, false))
	return f, nil
}

// curve checks values of a run and returns them over the shares.
func (r SurrogateRun) curve(values, shares []float64, most float64) ([]geom.Point, error) {
	if err := (plots.Series{Name: r.Name, X: shares,
		Y: values}).Validate(plots.Axes{}); err != nil {
		return nil, err
	}
	for i, v := range values {
		if !(v >= 0 && v <= most && shares[i] >= 0 && shares[i] <= 1) {
			return nil, check.Param(r.Name, []float64{shares[i], v},
				"must be a share and a rate of [0, 1], or a loss ≥ 0")
		}
	}
	return geom.Zip(shares, values, pen.Thin(len(shares), len(shares))), nil
}

// rounded writes numbers with three digits, for an alternative text.
func rounded(vs []float64) string {
	var all []string
	for _, v := range vs {
		all = append(all, prose.Num(prose.Roughly(v)))
	}
	return prose.List(all)
}

// TurnedLine draws a 2-D set with the decision boundaries of the first and the last weights of a
// run, through the origin.
//
// The first line is dashed and the last solid, each with an arrow to its positive side. Rings mark
// the points that the last weights misclassify, y⟨w,x⟩ ≤ 0. Weights (0, 0) have no line and
// misclassify every point.
func TurnedLine(set *svmkit.Dataset, first, last [2]float64) (*plots.Figure, error) {
	if err := check.Planar(set); err != nil {
		return nil, err
	}
	p := pen.PlanarPlot(set)
	view := geom.Extent(set).Cover(geom.Point{}).Grow(0.10)
	pen.Show(p, view)
	f := &plots.Figure{Plot: p, EqualUnits: true, Width: pen.PhoneWidth, Height: 4.4 * vg.Inch}
	from, to := svmkit.Hyperplane{W: first[:]}, svmkit.Hyperplane{W: last[:]}
	var entries pen.Legend
	lines := ""
	for i, h := range []svmkit.Hyperplane{to, from} {
		name := []string{"last line", "first line"}[i]
		if err := check.MaybePlane(h, 2); err != nil {
			return nil, err
		}
		if geom.IsZero(h) {
			lines += fmt.Sprintf(" There is no %s: the weights are (0, 0).", name)
			continue
		}
		style := pen.PlaneStyles[i].Line
		a, b, _ := geom.Visible(h, view) // it meets the view in the origin
		const along = 0.85               // beyond most points
		normal := normalAt(h, geom.Pt(a.X+along*(b.X-a.X), a.Y+along*(b.Y-a.Y)), view.Side()/9)
		normal.Style.Color = style.Color
		p.Add(pen.Plane(h, style), normal)
		entries.Add(name, pen.Plane(h, style))
		lines += fmt.Sprintf(" %s (%s): %s.", prose.UpperFirst(name), dashNames[i],
			prose.Equation(h))
	}
	if len(entries) > 0 {
		entries.Add("its + side", pen.Arrow{Style: pen.Line(pen.Ink, 2, nil)})
	}
	rows := pen.Thin(set.Len(), pen.MaxRows)
	f.Legend = append(pen.Scatter(p, set, rows, 1), entries...)
	wrong, places := pen.Rings{Style: pen.Line(pen.Ink, 1, nil)}, ""
	for _, i := range rows {
		if q := geom.At(set.X[i]); set.Y[i]*to.Score(set.X[i]) <= 0 {
			wrong.At = append(wrong.At, q)
			places += prose.Say(" %v", q)
		}
	}
	f.Caption = prose.Say("The first line is wrong about %v of %s, the last about %v.",
		geom.Mistakes(set, from), prose.Plural(set.Len(), "point"), geom.Mistakes(set, to))
	f.Alt = fmt.Sprintf("Scatter plot of %s over %s, with the lines of the first and the last "+
		"weights; an arrow on each points to its positive side.%s", prose.Points(set),
		prose.Axes(set), lines)
	if places != "" {
		p.Add(wrong)
		f.Legend.Add("mistakes of the last", wrong)
		f.Alt += " Ringed, as the last line is wrong about them:" + places + "."
	}
	f.Caption += prose.Thinned(len(rows), set.Len(), "points")
	return f, nil
}
