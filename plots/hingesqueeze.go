package plots

import (
	"fmt"
	"math"

	"github.com/svmkit/course/svmkit"
	"github.com/svmkit/course/svmkit/perceptron"
	"gonum.org/v1/plot/vg/draw"
)

// HingeRun is what the hinge mistake bound knows of a run besides its mistakes: nothing has to separate.
type HingeRun struct {
	Losses        []float64 // max(0, 1 − y⟨w*,x⟩) at each mistake, ≥ 0
	NormReference float64   // ‖w*‖ ≥ 0
	Radius        float64   // R, the largest ‖x‖, > 0
}

// Lower returns M − H after each mistake: H is the sum of the losses so far.
func (h HingeRun) Lower() []float64 {
	lower, sum := make([]float64, len(h.Losses)), 0.0
	for i, v := range h.Losses {
		sum += v
		lower[i] = float64(i+1) - sum
	}
	return lower
}

// Upper returns B√k with B = ‖w*‖R, which ⟨w,w*⟩ has not passed after k mistakes.
func (h HingeRun) Upper(k float64) float64 { return h.NormReference * h.Radius * math.Sqrt(k) }

// maxSqueezed is how many mistakes of a HingeSqueeze are marked: its curves can lie close to each other.
const maxSqueezed = 20

// HingeSqueeze draws the chain of the hinge mistake bound against the number M of mistakes,
//
//	M − H ≤ ⟨w,w*⟩ ≤ ‖w‖‖w*‖ ≤ B√M,   B = ‖w*‖R,
//
// of a run from w = 0 with a Reference w*, which need not separate: H is the sum of its hinge losses over
// the mistakes so far. A trace that breaks a link is drawn too, and the caption names the first broken one.
func HingeSqueeze(trace []perceptron.Mistake, h HingeRun) (*Figure, error) {
	if err := checkTrace(trace); err != nil {
		return nil, err
	}
	if err := h.validate(len(trace)); err != nil {
		return nil, err
	}
	p := newPlot("mistakes $M$", `$\langle w, w^\star\rangle$ and its bounds`)
	n := float64(len(trace))
	upper := path{sample(h.Upper, 0, n, false), line(blue, 1.8, nil)}
	lower := path{[]point{{}}, line(vermillion, 1.8, dashed)}
	align := marked{path{[]point{{}}, line(orange, 1.2, nil)}, mark{triangle, orange, orange, 2.6}}
	norm := marked{path{[]point{{}}, line(green, 1.2, nil)}, mark{disc, green, green, 2.2}}
	for i, v := range h.Lower() {
		k := float64(i + 1)
		lower.at = append(lower.at, point{X: k, Y: v})
		align.at = append(align.at, point{X: k, Y: trace[i].Align})
		norm.at = append(norm.at, point{X: k, Y: trace[i].NormW * h.NormReference})
	}
	between := area{func(box) []point {
		polygon := append([]point(nil), upper.at...)
		for i := len(lower.at) - 1; i >= 0; i-- {
			polygon = append(polygon, lower.at[i])
		}
		return polygon
	}, paleBlue, draw.LineStyle{}}
	view := emptyBox().cover(upper.at...).cover(lower.at...).cover(align.at...).cover(norm.at...)
	view = box{0, 1.03 * n, view.ymin, view.ymax}
	pad := 0.05 * (view.ymax - view.ymin)
	view.ymin, view.ymax = view.ymin-pad, view.ymax+pad
	show(p, view)
	rows := thin(len(trace), maxSqueezed)
	thinly := func(m marked) marks {
		var dots marks
		dots.mark = m.mark
		for _, i := range rows {
			dots.at = append(dots.at, m.at[i+1])
		}
		return dots
	}
	p.Add(between, lower, upper, norm.path, align.path, thinly(norm), thinly(align))
	f := &Figure{Plot: p, Width: phoneWidth, Legend: []Entry{
		{`$B\sqrt{M}$, from above`, upper}, {`$\|w\|\,\|w^\star\|$`, norm},
		{`$\langle w, w^\star\rangle$`, align}, {`$M - H$, from below`, lower}, {"between the bounds", between}}}
	last := len(trace) - 1
	ends := fmt.Sprintf("M − H = %s, ⟨w,w*⟩ = %s, ‖w‖‖w*‖ = %s, B√M = %s", num(round3(h.Lower()[last])), num(round3(trace[last].Align)),
		num(round3(trace[last].NormW*h.NormReference)), num(round3(h.Upper(n))))
	if at, link := h.broken(trace); at > 0 {
		f.Caption = fmt.Sprintf("The run leaves its bounds at mistake %s: %s.", count(at), link)
	} else {
		f.Caption = fmt.Sprintf("M − H ≤ ⟨w,w*⟩ ≤ ‖w‖‖w*‖ ≤ B√M at each of %s. After the last %s.", plural(len(trace), "mistake"), ends)
	}
	f.Alt = fmt.Sprintf("Line chart over the mistakes M from 0 to %s. From below a dashed line, M − H; from above a solid curve, B√M; between them, from top to bottom, ‖w‖‖w*‖ (circles) and ⟨w,w*⟩ (triangles). All begin at 0; after the last mistake %s.",
		count(len(trace)), ends)
	return f, nil
}

func (h HingeRun) validate(mistakes int) error {
	if !(h.NormReference >= 0 && h.NormReference <= maxDrawn) {
		return &svmkit.ParamError{Name: "NormReference", Value: h.NormReference, Need: "must be finite and at least 0"}
	}
	if !(h.Radius > 0 && h.Radius <= maxDrawn) {
		return &svmkit.ParamError{Name: "Radius", Value: h.Radius, Need: "must be positive and finite"}
	}
	if len(h.Losses) != mistakes {
		return &svmkit.ParamError{Name: "Losses", Value: plural(len(h.Losses), "number"), Need: "must be one for each mistake: " + count(mistakes)}
	}
	for i, v := range h.Losses {
		if !(v >= 0 && v <= maxDrawn) {
			return &svmkit.ParamError{Name: fmt.Sprintf("Losses[%d]", i), Value: v, Need: "must be finite and at least 0"}
		}
	}
	return nil
}

// broken returns the first mistake, counted from 1, at which a link of the chain fails, and which; 0 if all hold.
func (h HingeRun) broken(trace []perceptron.Mistake) (k int, link string) {
	for i, lower := range h.Lower() {
		k, cauchy := float64(i+1), trace[i].NormW*h.NormReference
		slack := roundoff * (k + cauchy)
		switch {
		case trace[i].Align < lower-slack:
			return i + 1, "⟨w,w*⟩ is below M − H: the losses are not those of w*"
		case trace[i].Align > cauchy+slack:
			return i + 1, "⟨w,w*⟩ is above ‖w‖‖w*‖: the norm of w* is wrong"
		case cauchy > h.Upper(k)+slack:
			return i + 1, "‖w‖ is above R√M: some example lies outside the radius R, or was no mistake"
		}
	}
	return 0, ""
}
