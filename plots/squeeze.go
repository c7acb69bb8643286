package plots

import (
	"fmt"
	"math"

	"github.com/svmkit/course/svmkit"
	"github.com/svmkit/course/svmkit/perceptron"
	"gonum.org/v1/plot"
	"gonum.org/v1/plot/vg/draw"
)

// Squeeze draws why a run must stop: against the number k of mistakes, ⟨w,w*⟩ has to stay
// above a line that grows like k, ‖w‖‖w*‖ below a curve that grows like √k, and the first
// never passes the second. The two bounds cross at k = R²/γ².
//
// The axes are linear if the run uses at least a quarter of its bound, and both logarithmic
// otherwise: the bounds are straight lines of slopes 1 and ½ then. A trace that leaves its
// bounds is drawn too (with linear axes), and the caption names the broken link: one of the
// theorem's hypotheses does not hold. The trace must come from w = 0, with a Reference.
func Squeeze(trace []perceptron.Mistake, n Novikoff) (*Figure, error) {
	return n.squeezeFigure(trace, 0)
}

// SqueezeWithin is Squeeze on the logarithmic axes that suit the given bound, which is at least R²/γ². Figures with
// one bound and one R‖w*‖ have the same axes: where γ is moved, the curves move and the axes stay. Marks outside
// the axes are not drawn.
func SqueezeWithin(trace []perceptron.Mistake, n Novikoff, bound float64) (*Figure, error) {
	if !(bound >= n.Bound() && bound <= maxDrawn) {
		return nil, &svmkit.ParamError{Name: "bound", Value: bound, Need: fmt.Sprintf("must be finite and at least R²/γ² = %s", num(n.Bound()))}
	}
	return n.squeezeFigure(trace, bound)
}

// squeezeFigure draws on axes for the given bound; 0 means those that suit the run.
func (n Novikoff) squeezeFigure(trace []perceptron.Mistake, widest float64) (*Figure, error) {
	if err := n.validate(); err != nil {
		return nil, err
	}
	if err := checkTrace(trace); err != nil {
		return nil, err
	}
	logs := widest > 0 || n.logarithmic(trace)
	p, legend, shown := n.squeeze(trace, logs, widest)
	f := &Figure{Plot: p, Legend: legend, Width: phoneWidth}
	f.Caption, f.Alt = n.squeezeWords(trace, logs, shown)
	return f, nil
}

// squeeze draws the four quantities of the chain and returns how many mistakes are shown.
func (n Novikoff) squeeze(trace []perceptron.Mistake, logs bool, widest float64) (p *plot.Plot, legend []Entry, shown int) {
	p = newPlot("mistakes $k$", `$\langle w, w^\star\rangle$ and its bounds`)
	bound, last := n.Bound(), float64(len(trace))
	from, to := 0.0, 1.12*max(bound, last)
	if logs {
		from, to = 0.8, 1.8*max(bound, widest)
		logarithmic(&p.X)
		logarithmic(&p.Y)
	}
	lower := path{sample(n.Lower, from, to, logs), line(vermillion, 1.8, dashed)}
	upper := path{sample(n.Upper, from, to, logs), line(blue, 1.8, nil)}
	between := area{func(box) []point { return n.between(from, logs) }, paleBlue, draw.LineStyle{}}

	rows := thin(len(trace), maxMistakes)
	align := marked{path: path{nil, line(orange, 1.2, nil)}, mark: mark{triangle, orange, orange, 2.6}}
	norm := marked{path: path{nil, line(green, 1.2, nil)}, mark: mark{disc, green, green, 2.2}}
	for _, i := range rows {
		k := float64(i + 1)
		align.at = append(align.at, point{X: k, Y: trace[i].Align})
		norm.at = append(norm.at, point{X: k, Y: trace[i].NormW * n.NormReference})
	}
	cross := point{X: bound, Y: n.Upper(bound)}
	end := vertical{bound, line(faint, 1, dotted)}
	view := emptyBox().cover(point{X: from, Y: n.Lower(from)}, point{X: to, Y: 1.1 * cross.Y})
	if logs {
		view.ymax = 2.4 * cross.Y
	}
	if widest > 0 {
		view.ymin, view.ymax = n.Upper(1)*from/math.Sqrt(widest), 2.4*n.Upper(widest)
	} else {
		view = view.cover(align.at...).cover(norm.at...)
	}
	foot := point{X: bound, Y: view.ymin + 0.08*(view.ymax-view.ymin)} // under both bounds nothing is drawn
	if logs {
		foot.Y = view.ymin * math.Pow(view.ymax/view.ymin, 0.08)
	}
	show(p, view)
	p.Add(between, end, lower, upper,
		norm.path, align.path, marks{norm.at, norm.mark}, marks{align.at, align.mark},
		marks{[]point{cross}, mark{diamond, ink, ink, 4}},
		labels{items: []label{{at: foot, text: `$k = R^2/\gamma^2 =$` + num(bound), lean: point{X: -1}}}, clear: 3})
	legend = []Entry{
		{`$\sqrt{k}\,R\,\|w^\star\|$, from above`, upper}, {`$\|w\|\,\|w^\star\|$`, norm},
		{`$\langle w, w^\star\rangle$`, align}, {`$k\,\gamma\,\|w^\star\|$, from below`, lower},
		{"between the bounds", between},
	}
	return p, legend, len(rows)
}

// logarithmic reports whether the run obeys its bounds and uses less than a quarter of R²/γ².
func (n Novikoff) logarithmic(trace []perceptron.Mistake) bool {
	k, _ := n.broken(trace)
	return k == 0 && float64(len(trace)) < n.Bound()/4
}

// between returns the region between the bounds, from k = from to where they meet.
func (n Novikoff) between(from float64, logs bool) []point {
	below := sample(n.Lower, from, n.Bound(), logs)
	above := sample(n.Upper, from, n.Bound(), logs)
	for i := len(above) - 1; i >= 0; i-- {
		below = append(below, above[i])
	}
	return below
}

// sample returns 160 points of the graph of f, evenly spaced on a linear or a log axis.
func sample(f func(float64) float64, from, to float64, logs bool) []point {
	const steps = 160
	ps := make([]point, steps+1)
	for i := range ps {
		t := float64(i) / steps
		x := from + t*(to-from)
		if logs {
			x = from * math.Pow(to/from, t)
		}
		ps[i] = point{X: x, Y: f(x)}
	}
	return ps
}

func (n Novikoff) squeezeWords(trace []perceptron.Mistake, logs bool, shown int) (caption, alt string) {
	k, bound := len(trace), n.Bound()
	last := trace[k-1]
	at, link := n.broken(trace)
	if at > 0 {
		caption = fmt.Sprintf("The run leaves its bounds at mistake %s: %s.", count(at), link)
	} else {
		caption = fmt.Sprintf("The line k·γ‖w*‖ meets the curve √k·R‖w*‖ at k = R²/γ² = %s. The run stays between them and stops after %s.",
			num(bound), plural(k, "mistake"))
	}
	caption += thinned(shown, k, "mistakes")
	axes := "linear"
	if logs {
		axes = "logarithmic"
	}
	alt = fmt.Sprintf("Line chart on %s axes, mistakes k up to %s. A dashed line k·γ‖w*‖ rises from below, a solid curve √k·R‖w*‖ lies above; they cross at k = %s, at the height %s, marked by a diamond. "+
		"Between them ⟨w,w*⟩ (triangles) and ‖w‖‖w*‖ (circles) are measured at %s; the last values are %s and %s, within bounds of %s and %s.",
		axes, num(math.Ceil(max(bound, float64(k)))), num(bound), num(n.Upper(bound)), plural(k, "mistake"),
		num(last.Align), num(last.NormW*n.NormReference), num(n.Lower(float64(k))), num(n.Upper(float64(k))))
	if at > 0 {
		alt += fmt.Sprintf(" At mistake %s %s.", count(at), link)
	}
	return caption, alt
}
