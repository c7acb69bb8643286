package figures

import (
	"cmp"
	"fmt"
	"math"

	"github.com/svmkit/course/plots"
	"github.com/svmkit/course/plots/check"
	"github.com/svmkit/course/plots/geom"
	"github.com/svmkit/course/plots/pen"
	"github.com/svmkit/course/plots/prose"
	"github.com/svmkit/course/svmkit"
	"github.com/svmkit/course/svmkit/perceptron"
)

// HingeRun holds the numbers of a run that the hinge mistake bound needs besides its mistakes. The
// reference w* need not separate the classes.
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

// maxSqueezed is how many mistakes of a HingeSqueeze are marked: its curves can lie close to each
// other.
const maxSqueezed = 20

// HingeSqueeze draws the chain of the hinge mistake bound against the number M of mistakes,
//
//	M − H ≤ ⟨w,w*⟩ ≤ ‖w‖‖w*‖ ≤ B√M,   B = ‖w*‖R,
//
// of a run from w = 0 with a Reference w*, which need not separate: H is the sum of its hinge
// losses over the mistakes so far. A trace that breaks a link is drawn too, and the caption names
// the first broken one.
func HingeSqueeze(trace []perceptron.Mistake, h HingeRun) (*plots.Figure, error) {
	if err := cmp.Or(checkTrace(trace), h.validate(len(trace))); err != nil {
		return nil, err
	}
	p := pen.NewPlot("mistakes $M$", `$\langle w, w^\star\rangle$ and its bounds`)
	n := float64(len(trace))
	upper := pen.Join(geom.Sample(h.Upper, 0, n, false), pen.Line(pen.Blue, 1.8, nil))
	lower := pen.Join([]geom.Point{{}}, pen.Line(pen.Vermillion, 1.8, pen.Dashed))
	align := pen.Marked([]geom.Point{{}},
		pen.Line(pen.Orange, 1.2, nil), pen.Solid(pen.Triangle, pen.Orange, 2.6))
	norm := pen.Marked([]geom.Point{{}},
		pen.Line(pen.Green, 1.2, nil), pen.Solid(pen.Disc, pen.Green, 2.2))
	for i, v := range h.Lower() {
		k := float64(i + 1)
		lower.At = append(lower.At, geom.Pt(k, v))
		align.At = append(align.At, geom.Pt(k, trace[i].Align))
		norm.At = append(norm.At, geom.Pt(k, trace[i].NormW*h.NormReference))
	}
	between := pen.Filled(geom.Strip(upper.At, lower.At), pen.PaleBlue)
	view := geom.Empty().Cover(upper.At...).Cover(lower.At...).Cover(align.At...).Cover(norm.At...)
	view.XMin, view.XMax = 0, 1.03*n
	pen.Show(p, view.Pad(0, 0.05*(view.YMax-view.YMin)))
	thinly := func(m pen.MarkedPath) pen.Marks {
		return m.Mark.At(pen.Some(m.At[1:], maxSqueezed)...)
	}
	p.Add(between, lower, upper, norm.Path, align.Path, thinly(norm), thinly(align))
	f := &plots.Figure{Plot: p, Width: pen.PhoneWidth, Legend: pen.Legend{
		{Name: `$B\sqrt{M}$, from above`, Mark: upper}, {Name: `$\|w\|\,\|w^\star\|$`, Mark: norm},
		{Name: `$\langle w, w^\star\rangle$`, Mark: align},
		{Name: `$M - H$, from below`, Mark: lower},
		{Name: "between the bounds", Mark: between}}}
	last := len(trace) - 1
	ends := prose.Say("M − H = %v, ⟨w,w*⟩ = %v, ‖w‖‖w*‖ = %v, B√M = %v", round3(h.Lower()[last]),
		round3(trace[last].Align), round3(trace[last].NormW*h.NormReference), round3(h.Upper(n)))
	if at, link := h.broken(trace); at > 0 {
		f.Caption = prose.Say("The run leaves its bounds at mistake %v: %s.", at, link)
	} else {
		f.Caption = fmt.Sprintf("M − H ≤ ⟨w,w*⟩ ≤ ‖w‖‖w*‖ ≤ B√M at each of %s. After the last %s.",
			prose.Plural(len(trace), "mistake"), ends)
	}
	f.Alt = prose.Say("Line chart over the mistakes M from 0 to %v. From below a dashed line, M "+
		"− H; from above a solid curve, B√M; between them, from top to bottom, ‖w‖‖w*‖ (circles) "+
		"and ⟨w,w*⟩ (triangles). All begin at 0; after the last mistake %s.", len(trace), ends)
	return f, nil
}

func (h HingeRun) validate(mistakes int) error {
	if err := cmp.Or(check.NotNegative("NormReference", h.NormReference),
		check.Positive("Radius", h.Radius)); err != nil {
		return err
	}
	if len(h.Losses) != mistakes {
		return check.Param("Losses", prose.Plural(len(h.Losses), "number"),
			"must be one for each mistake: %s", prose.Count(mistakes))
	}
	for i, v := range h.Losses {
		if err := check.NotNegative(fmt.Sprintf("Losses[%d]", i), v); err != nil {
			return err
		}
	}
	return nil
}

// broken returns the first mistake, counted from 1, at which a link of the chain fails, and which;
// 0 if all hold.
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
			return i + 1,
				"‖w‖ is above R√M: some example lies outside the radius R, or was no mistake"
		}
	}
	return 0, ""
}

// NoisyRun draws a set with some wrong labels, and the last line of a perceptron's run on it.
//
// The rows in flipped have wrong labels and are ringed. A cross marks the row dragged, which a
// reader can move; -1 means none. The right labels are those of the line star. The run has made
// mistakes and ends at the line last, which is left out if its w is 0; the hinge mistake bound of
// star is limit. The view is a disc about the origin, so it stays when labels change.
func NoisyRun(set *svmkit.Dataset, flipped []int, dragged int, star, last svmkit.Hyperplane,
	made int, limit float64) (*plots.Figure, error) {
	if err := cmp.Or(check.Planar(set), check.Plane(star, 2),
		check.MaybePlane(last, 2)); err != nil {
		return nil, err
	}
	if made < 0 || !(limit >= 0 && limit <= check.Max) {
		return nil, check.Param("made, limit", fmt.Sprint(made, ", ", limit),
			"must be at least 0 and finite")
	}
	if err := check.Rows("flipped", flipped, set); err != nil {
		return nil, err
	}
	if dragged < -1 || dragged >= set.Len() {
		return nil, check.Param("dragged", dragged,
			"must be a row of the set, 0 … %d, or -1 for none", set.Len()-1)
	}
	p := pen.PlanarPlot(set)
	radius := set.Radius()
	pen.Show(p, geom.Square(1.04*radius))
	middle := pen.Plane(star, pen.Line(pen.Faint, 1.4, pen.Dashed))
	solid := pen.Plane(last, pen.Line(pen.Ink, 2, nil))
	p.Add(pen.Join(circle(radius), pen.Line(pen.Faint, 0.8, pen.Dotted)), middle)
	if !geom.IsZero(last) {
		p.Add(solid)
	}
	f := &plots.Figure{Plot: p, EqualUnits: true, Width: pen.PhoneWidth,
		Height: 1.06 * pen.PhoneWidth}
	kept, cross := flipped, pen.Marks{Mark: pen.Solid(pen.Upright, pen.Ink, 6.5)}
	if dragged >= 0 {
		kept, cross.At = append([]int{dragged}, flipped...), []geom.Point{geom.At(set.X[dragged])}
		p.Add(cross)
	}
	rows := pen.Thin(set.Len(), pen.MaxRows, kept...)
	f.Legend = pen.Scatter(p, set, rows, 1)
	around := pen.Ring{Radius: 6, Style: pen.Line(pen.Ink, 1.4, nil)}
	for _, i := range flipped {
		around.At = geom.At(set.X[i])
		p.Add(around)
	}
	if len(flipped) > 0 {
		f.Legend.Add("label is wrong", around)
	}
	if dragged >= 0 {
		cross.Mark.Radius = 5 // as high as the legend's other marks
		f.Legend.Add("yours to drag", cross)
	}
	f.Legend.Add("line of the right labels", middle)
	f.Legend.Add("last line of the run", solid)
	apart := 0
	for _, x := range set.X {
		if star.Score(x)*last.Score(x) < 0 {
			apart++
		}
	}
	end := prose.Either(geom.IsZero(last), "Its last w is 0, which is no line.",
		fmt.Sprintf("Its last line has %s on another side than the dashed one.",
			prose.Plural(apart, "point")))
	verdict := prose.Either(float64(made) > limit*(1+roundoff),
		"that is more than the bound, "+prose.Num(limit),
		"the bound allows every order at most "+prose.Num(math.Floor(limit*(1+roundoff))))
	f.Caption = prose.Say("%v of %s wrong. The run makes %s; %s. %s",
		len(flipped), prose.Be(set.Len(), "label"), prose.Plural(made, "mistake"), verdict, end)
	f.Caption += prose.Thinned(len(rows), set.Len(), "points")
	f.Alt = prose.Say("%s in the disc of radius %v about "+
		"the origin; rings around %s. A dashed line through the origin made the right labels.",
		prose.UpperFirst(prose.Points(set)), radius, prose.Plural(len(flipped), "point"))
	f.Alt += prose.If(dragged >= 0, " A cross is behind the point that can be dragged.")
	if !geom.IsZero(last) {
		cos := svmkit.Dense(star.W...).Dot(last.W) / star.Norm() / last.Norm()
		f.Alt += prose.Say(" A solid line, the last of a run with %s, is at %v degrees to it.",
			prose.Plural(made, "mistake"), round1(degrees(math.Acos(min(1, max(-1, cos))))))
	}
	return f, nil
}
