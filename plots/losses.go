package plots

import (
	"fmt"
	"image/color"
	"math"
	"slices"
	"strings"

	"github.com/svmkit/course/svmkit"
	"github.com/svmkit/course/svmkit/loss"
	"gonum.org/v1/plot"
	"gonum.org/v1/plot/vg"
	"gonum.org/v1/plot/vg/draw"
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
		return &svmkit.ParamError{Name: "Loss", Value: nil, Need: "must be a loss"}
	}
	if !(l.Scale >= 0 && l.Scale <= 1e9) {
		return &svmkit.ParamError{Name: "Scale", Value: l.Scale, Need: "must be positive, or 0 for 1"}
	}
	return nil
}

// onGrid calls visit at margins of the box a thousandth apart, its whole numbers among them.
func onGrid(b box, visit func(m float64)) {
	for k := math.Round(1000 * b.xmin); k <= 1000*b.xmax; k++ {
		visit(k / 1000)
	}
}

// graph samples a loss over the box, with a vertex at each multiple of 1/100.
func (l NamedLoss) graph(b box) (ps []point) {
	for k := math.Round(100 * b.xmin); k <= 100*b.xmax; k++ {
		ps = append(ps, point{X: k / 100, Y: l.at(k / 100)})
	}
	return ps
}

// branches splits the graph where the loss jumps just right of a vertex, as the zero–one loss does at 0.
func (l NamedLoss) branches(b box) (all [][]point) {
	var branch []point
	for _, q := range l.graph(b) {
		branch = append(branch, q)
		if next := l.at(q.X + 1e-9); math.Abs(next-q.Y) > 1e-3 {
			all = append(all, branch)
			branch = []point{{X: q.X, Y: next}}
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
func LossZoo(losses []NamedLoss) (*Figure, error) {
	if err := checkStyles("losses", len(losses), "loss"); err != nil {
		return nil, err
	}
	view := box{-2, 2.5, -0.2, 4.2}
	p := newPlot(marginLabel, "loss")
	show(p, view)
	mistake := area{func(b box) []point {
		return []point{{X: b.xmin, Y: b.ymin}, {Y: b.ymin}, {Y: b.ymax}, {X: b.xmin, Y: b.ymax}}
	}, paleBand, draw.LineStyle{}}
	step := path{style: line(ink, 3, nil)}
	wrong, right := step, step
	wrong.at, right.at = []point{{X: view.xmin, Y: 1}, {Y: 1}}, []point{{}, {X: view.xmax}}
	p.Add(mistake, wrong, right)
	f := &Figure{Plot: p, Width: phoneWidth, Height: 4 * vg.Inch, Legend: []Entry{{"zero–one", step}}}
	var above []string
	var below string
	for i, l := range losses {
		if err := l.validate(); err != nil {
			return nil, err
		}
		curve := marked{path{l.graph(view), styles[i].line}, styles[i].mark}
		dots := marks{mark: curve.mark}
		for k := range 10 {
			m := view.xmin + 0.35 + 0.45*float64(k)
			dots.at = append(dots.at, point{X: m, Y: l.at(m)})
		}
		p.Add(curve.path, dots)
		f.Legend = append(f.Legend, Entry{l.Name, curve})
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
		below += fmt.Sprintf(" The %s loss lies below it in places, most at m = %s, where it is %s.", l.Name, num(lowest), num(l.at(lowest)))
	}
	// The two ends of the jump: the value at m = 0 is 1.
	p.Add(marks{[]point{{Y: 1}}, mark{disc, ink, ink, 3.6}}, marks{[]point{{}}, mark{disc, paleBand, ink, 3.6}})
	f.Legend = append(f.Legend, Entry{"mistakes", mistake})
	f.Caption = "No loss lies above the zero–one loss at every margin shown." + below
	if len(above) > 0 {
		f.Caption = fmt.Sprintf("On or above the zero–one loss at every margin shown: %s.%s", list(above), below)
	}
	f.Alt = fmt.Sprintf("Curves over the margin m from %s to %s, the mistakes m ≤ 0 shaded. The zero–one loss is a step: 1 up to m = 0, the end included, then 0.", num(view.xmin), num(view.xmax))
	for i, l := range losses {
		f.Alt += fmt.Sprintf(" %s (%s): %s at m = −2, %s at −1, %s at 0, %s at 1, %s at 2.", upperFirst(l.Name), dashNames[i], num(l.at(-2)), num(l.at(-1)), num(l.at(0)), num(l.at(1)), num(l.at(2)))
	}
	return f, nil
}

// SubgradientFan draws a loss over the margin from −2 to 3 with one to seven lines through its point
// at the margin m, of the given slopes. Lines that stay on or below the graph everywhere in the
// picture are solid, and where there are several, what lies between them is shaded; the others are
// dashed. The slopes of the solid ones are subgradients.
func SubgradientFan(l NamedLoss, m float64, slopes []float64) (*Figure, error) {
	if err := l.validate(); err != nil {
		return nil, err
	}
	view := box{-2, 3, -1.6, 3.4}
	if !(view.xmin < m && m < view.xmax) {
		return nil, &svmkit.ParamError{Name: "m", Value: m, Need: "must be between −2 and 3"}
	}
	const most = 7
	if len(slopes) == 0 || len(slopes) > most {
		return nil, &svmkit.ParamError{Name: "slopes", Value: plural(len(slopes), "slope"), Need: fmt.Sprintf("must be 1 to %d", most)}
	}
	here := point{X: m, Y: l.at(m)}
	along := func(g, x float64) float64 { return here.Y + g*(x-m) }
	p := newPlot(marginLabel, "loss")
	show(p, view)
	support := path{style: line(green, 1.4, nil)}
	cut := path{style: line(vermillion, 1.4, dashed)}
	var lines []path
	var under, over, where []string
	least, greatest := math.Inf(1), math.Inf(-1)
	branches := l.branches(view)
	names := labels{clear: 3}
	for _, branch := range branches {
		for k := 0; k < len(branch); k += 5 {
			names.avoid = append(names.avoid, branch[k])
		}
	}
	for _, g := range slopes {
		if !(math.Abs(g) <= 1e6) {
			return nil, &svmkit.ParamError{Name: "slopes", Value: g, Need: "must be finite, at most 1e6"}
		}
		worst, at := 0.0, 0.0
		onGrid(view, func(x float64) {
			if d := along(g, x) - l.at(x); d > worst+lossRoundoff {
				worst, at = d, x
			}
		})
		ends := []point{{X: view.xmin, Y: along(g, view.xmin)}, {X: view.xmax, Y: along(g, view.xmax)}}
		colour, lean := green, point{X: 0.6, Y: -1}
		if worst == 0 {
			least, greatest = min(least, g), max(greatest, g)
			under = append(under, num(g))
			lines = append(lines, path{ends, support.style})
		} else {
			colour, lean = vermillion, point{X: 1, Y: 0.2}
			over = append(over, num(g))
			where = append(where, fmt.Sprintf("by %s at m = %s", num(roughly(worst)), num(at)))
			lines = append(lines, path{ends, cut.style})
		}
		names.items = append(names.items, label{at: leaves(view, here, g), text: "$g = " + num(g) + "$", colour: colour, lean: lean})
	}
	f := &Figure{Plot: p, Width: phoneWidth, Height: 4 * vg.Inch}
	curve := path{style: line(blue, 2.6, nil)}
	f.Legend = []Entry{{l.Name, curve}}
	if len(under) > 1 {
		fan := func(x float64) area {
			return area{func(box) []point {
				return []point{here, {X: x, Y: along(least, x)}, {X: x, Y: along(greatest, x)}}
			}, pale(green), draw.LineStyle{}}
		}
		p.Add(fan(view.xmin), fan(view.xmax))
	}
	if len(under) > 0 {
		f.Legend = append(f.Legend, Entry{"on or below the graph", support})
	}
	if len(over) > 0 {
		f.Legend = append(f.Legend, Entry{"above it somewhere", cut})
	}
	for _, one := range lines {
		p.Add(one)
	}
	for k, branch := range branches {
		curve.at = branch
		p.Add(curve)
		if k > 0 { // the value at the jump is that of the branch on the left
			left := branches[k-1]
			p.Add(marks{left[len(left)-1:], mark{disc, blue, blue, 3.6}}, marks{branch[:1], mark{disc, color.White, blue, 3.6}})
		}
	}
	p.Add(marks{[]point{here}, mark{disc, ink, ink, 4}}, names)
	place := fmt.Sprintf("(%s, %s)", num(here.X), num(here.Y))
	var said []string
	if len(under) > 0 {
		noun, verb := "The slope "+under[0]+" is a subgradient", "its line through "+place+" stays"
		if len(under) > 1 {
			noun, verb = "The slopes "+list(under)+" are subgradients", "their lines through "+place+" stay"
		}
		said = append(said, fmt.Sprintf("%s of the %s loss at m = %s: %s on or below the graph.", noun, l.Name, num(m), verb))
	}
	for i, g := range over {
		said = append(said, fmt.Sprintf("The slope %s is none: its line through %s is above the graph, %s.", g, place, where[i]))
	}
	f.Caption = strings.Join(said, " ")
	f.Alt = fmt.Sprintf("The %s loss over margins from −2 to 3, %s at −2 and %s at 3, and %s through its point %s, a disc.",
		l.Name, num(roughly(l.at(-2))), num(roughly(l.at(3))), plural(len(slopes), "line"), place)
	for k := 1; k < len(branches); k++ {
		from, to := branches[k-1][len(branches[k-1])-1], branches[k][0]
		f.Alt += fmt.Sprintf(" It jumps at %s, from %s, a filled disc, to %s, an open one.", num(from.X), num(from.Y), num(to.Y))
	}
	if len(under) > 0 {
		f.Alt += fmt.Sprintf(" Solid, on or below the graph: slope %s.", list(under))
	}
	if len(over) > 0 {
		f.Alt += fmt.Sprintf(" Dashed, above it somewhere: slope %s.", list(over))
	}
	return f, nil
}

// leaves returns where the line of slope g through p leaves the box on the left, drawn in a little.
func leaves(b box, p point, g float64) point {
	x := b.xmin
	if g > 0 {
		x = max(x, p.X+(b.ymin-p.Y)/g)
	} else if g < 0 {
		x = max(x, p.X+(b.ymax-p.Y)/g)
	}
	x = p.X + 0.97*(x-p.X)
	return point{X: x, Y: p.Y + g*(x-p.X)}
}

// SurrogateRun is what training with one loss gave at each share of flipped labels.
type SurrogateRun struct {
	Name  string    // of the loss, with its unit if that is not plain: "logistic loss (bits)"; plain text
	Loss  []float64 // the mean loss over the training rows, ≥ 0
	Error []float64 // the share of wrong training rows, in [0, 1]
	True  []float64 // the same by the labels before the flips; nil: not drawn
}

// SurrogateGap draws, for up to three losses, the mean loss that was minimised and the error rate
// of the same plane against the share of labels that were flipped before training, in [0, 1] and
// rising; also its error rate by the labels before the flips, if that is known. Of a single loss what lies between
// the two is shaded. Runs have one number a share. The numbers are in the alternative text.
func SurrogateGap(flipped []float64, runs []SurrogateRun) (*Figure, error) {
	const most = 3
	if len(runs) == 0 || len(runs) > most {
		return nil, &svmkit.ParamError{Name: "runs", Value: plural(len(runs), "run"), Need: fmt.Sprintf("must be 1 to %d: each has two curves", most)}
	}
	p := newPlot("share of labels flipped", "mean loss, and error rate")
	view := emptyBox().cover(point{}, point{X: 0, Y: 0.1})
	f := &Figure{Plot: p, Width: phoneWidth, Height: 4.2 * vg.Inch}
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
		view = view.cover(up...).cover(down...)
		style := styles[i].line
		style.Dashes = nil
		loss, wrong := marked{path{up, style}, styles[i].mark}, marked{path{down, line(style.Color, 1.6, dotted)}, styles[i].mark}
		if len(runs) == 1 {
			ground := slices.Clone(down)
			slices.Reverse(ground)
			p.Add(area{func(box) []point { return append(slices.Clone(up), ground...) }, pale(style.Color), draw.LineStyle{}})
		}
		p.Add(wrong.path, loss.path)
		dots = append(dots, marks{down, wrong.mark}, marks{up, loss.mark})
		f.Legend = append(f.Legend, Entry{"mean " + r.Name, loss}, Entry{name + ": error", wrong})
		for k := range up {
			if up[k].Y < down[k].Y {
				below++
			}
		}
		f.Alt += fmt.Sprintf(" Training by the %s: mean loss %s; error rate, dotted, %s.", r.Name, rounded(r.Loss), rounded(r.Error))
		if r.True == nil {
			continue
		}
		known, err := r.curve(r.True, flipped, 1)
		if err != nil {
			return nil, err
		}
		view = view.cover(known...)
		truth := marked{path{known, line(style.Color, 1.6, dashed)}, styles[i].mark}
		p.Add(truth.path)
		dots = append(dots, marks{known, truth.mark})
		f.Legend = append(f.Legend, Entry{name + ": error, true labels", truth})
		f.Alt += fmt.Sprintf(" By the true labels, dashed: %s.", rounded(r.True))
	}
	slices.Reverse(dots) // at one place a square shows beneath a disc, and no disc beneath a square
	p.Add(dots...)
	n := len(flipped)
	f.Caption = fmt.Sprintf("Mean loss and error of planes trained on labels of which a share from %s to %s is flipped. ", num(flipped[0]), num(flipped[n-1]))
	f.Alt = fmt.Sprintf("Line chart over %s of flipped labels, from %s to %s.", plural(n, "share"), num(flipped[0]), num(flipped[n-1])) + f.Alt
	if below == 0 {
		f.Caption += "Every mean loss is above the error rate of its plane."
	} else {
		f.Caption += fmt.Sprintf("Below the error rate of its plane: %s of %s mean losses.", count(below), count(n*len(runs)))
	}
	show(p, view.padded(false, false))
	return f, nil
}

// curve checks values of a run and returns them over the shares.
func (r SurrogateRun) curve(values, shares []float64, most float64) ([]point, error) {
	if err := (Series{Name: r.Name, X: shares, Y: values}).Validate(Axes{}); err != nil {
		return nil, err
	}
	for i, v := range values {
		if !(v >= 0 && v <= most && shares[i] >= 0 && shares[i] <= 1) {
			return nil, &svmkit.ParamError{Name: r.Name, Value: []float64{shares[i], v}, Need: "must be a share and a rate of [0, 1], or a loss ≥ 0"}
		}
	}
	return pick(shares, values, thin(len(shares), len(shares))), nil
}

// rounded writes numbers with three digits, for an alternative text.
func rounded(vs []float64) string {
	var all []string
	for _, v := range vs {
		all = append(all, num(roughly(v)))
	}
	return list(all)
}
