package plots

import (
	"fmt"
	"math"
	"time"

	"github.com/svmkit/course/svmkit"
	"gonum.org/v1/plot"
	"gonum.org/v1/plot/vg"
)

// PlaneStep is one mistake of a run on a 2-D set: the plane before and after its update,
// and the row that caused it. Before may have w = 0, as the first one of a perceptron has:
// there is no plane yet.
type PlaneStep struct {
	Before, After svmkit.Hyperplane
	Index         int
}

// PlaneStrip draws a run as a strip of small panels, one for each mistake: the plane before
// its update dashed, after it solid, the mistaken point ringed, and w after the update as an
// arrow; all arrows have one scale, that of the points if the planes go through the origin and the
// arrows fit, so w is seen to grow. Of more than 12 mistakes, 12 are shown, evenly spaced.
func PlaneStrip(set *svmkit.Dataset, steps []PlaneStep) (*Figure, error) {
	r, err := newPlanarRun(set, steps)
	if err != nil {
		return nil, err
	}
	show := thin(len(steps), maxPanels)
	columns := min(2, len(show))
	f := &Figure{EqualUnits: true, Width: phoneWidth}
	for i, k := range show {
		if i%columns == 0 {
			f.Panels = append(f.Panels, nil)
		}
		last := len(f.Panels) - 1
		p, legend := r.panel(k, 0.75)
		f.Panels[last] = append(f.Panels[last], bare(p))
		if i == len(show)-1 {
			f.Legend = legend
		}
	}
	side := (phoneWidth - 20) / vg.Length(columns)
	f.Height = vg.Length(len(f.Panels))*side + 0.9*vg.Inch
	f.Caption, f.Alt = r.words(len(show))
	return f, nil
}

// RunAnimation draws the same run as an animation: one frame for each mistake. Of more than 60
// mistakes, 60 are shown, evenly spaced.
func RunAnimation(set *svmkit.Dataset, steps []PlaneStep) (*Animation, error) {
	r, err := newPlanarRun(set, steps)
	if err != nil {
		return nil, err
	}
	show := thin(len(steps), maxFrames)
	a := &Animation{Delay: 700 * time.Millisecond}
	for _, k := range show {
		p, legend := r.panel(k, 1)
		f := &Figure{Plot: p, Legend: legend, EqualUnits: true, Width: phoneWidth, Height: phoneWidth}
		f.Caption = fmt.Sprintf("Mistake %s of %s.", count(k+1), count(len(steps)))
		f.Alt = fmt.Sprintf("The plane before and after mistake %s, on row %d.", count(k+1), steps[k].Index)
		a.Frames = append(a.Frames, f)
	}
	a.Caption, a.Alt = r.words(len(show))
	a.Alt = "Animation, one frame a mistake. " + a.Alt
	return a, nil
}

// StreetAndRun draws where a run of a perceptron without bias ended: a 2-D set, the band of half-width γ around the plane star, both
// through the origin, and the last plane, after the given number of mistakes. The panel is the disc of the set's radius R, so figures of
// one R have the same axes.
func StreetAndRun(set *svmkit.Dataset, star, last svmkit.Hyperplane, made int) (*Figure, error) {
	if err := planar(set); err != nil {
		return nil, err
	}
	for _, h := range []svmkit.Hyperplane{star, last} {
		if err := checkPlane(h, 2, false); err != nil {
			return nil, err
		}
	}
	gamma, _ := star.SetMargin(set)
	n := Novikoff{Gamma: gamma, NormReference: star.Norm(), Radius: set.Radius()}
	if err := n.validate(); err != nil {
		return nil, err
	}
	p := planarPlot(set)
	r := 1.04 * n.Radius
	show(p, box{-r, r, -r, r})
	street := area{func(b box) []point { return band(star, gamma, b) }, paleBand, line(nil, 0, nil)}
	middle, end := planeLine{star, line(faint, 1.4, dashed)}, planeLine{last, line(ink, 2, nil)}
	p.Add(street, path{arcAround(n.Radius), line(faint, 0.8, dotted)}, middle, end)
	rows := thin(set.Len(), maxRows)
	f := &Figure{Plot: p, EqualUnits: true, Width: phoneWidth, Height: phoneWidth}
	f.Legend = append(scatter(p, set, rows, 1), Entry{`nearer than $\gamma$ to the dashed line`, street}, Entry{"where the perceptron stopped", end})
	wrong := mistakes(set, last)
	verdict := "and stops at a line that separates"
	if wrong > 0 {
		verdict = "and its line has " + plural(wrong, "point") + " on the wrong side"
	}
	f.Caption = fmt.Sprintf("Half-margin γ = %s: the perceptron makes %s %s.", num(gamma), plural(made, "mistake"), verdict)
	f.Caption += thinned(len(rows), set.Len(), "points")
	f.Alt = fmt.Sprintf("%s in the disc of radius %s. A dashed line through the origin lies in the middle of an empty band of half-width %s that parts the classes. A solid line, where the perceptron stopped after %s, is at %s degrees to it.",
		upperFirst(pointWords(set)), num(n.Radius), num(gamma), plural(made, "mistake"), num(round1(degrees(math.Acos(min(1, max(-1, svmkit.Dense(last.W...).Dot(star.W)/last.Norm()/star.Norm())))))))
	return f, nil
}

// planarRun is a run with what all of its panels share.
type planarRun struct {
	set    *svmkit.Dataset
	steps  []PlaneStep
	view   box
	rows   []int   // drawn
	scale  float64 // length of an arrow for ‖w‖ = 1, in data units
	origin bool    // all planes go through the origin
}

func newPlanarRun(set *svmkit.Dataset, steps []PlaneStep) (*planarRun, error) {
	if err := planar(set); err != nil {
		return nil, err
	}
	if len(steps) == 0 {
		return nil, &svmkit.ParamError{Name: "steps", Value: "none", Need: "must hold at least one mistake"}
	}
	r := &planarRun{set: set, steps: steps, origin: true}
	longest := 0.0
	var mistaken []int
	for _, s := range steps {
		if s.Index < 0 || s.Index >= set.Len() {
			return nil, &svmkit.ParamError{Name: "Index", Value: s.Index, Need: fmt.Sprintf("must be a row of the set, 0 … %d", set.Len()-1)}
		}
		for _, h := range []svmkit.Hyperplane{s.Before, s.After} {
			if err := checkPlane(h, 2, true); err != nil {
				return nil, err
			}
			r.origin = r.origin && h.B == 0
		}
		longest = max(longest, s.After.Norm())
		mistaken = append(mistaken, s.Index)
	}
	r.rows = thin(set.Len(), maxRows, mistaken...)
	r.view = extent(set)
	if r.origin {
		r.view = r.view.cover(point{})
	}
	if longest > 0 {
		side := max(r.view.xmax-r.view.xmin, r.view.ymax-r.view.ymin)
		r.scale = 0.42 * side / longest
		switch {
		case r.origin && longest <= 2*side: // the arrows fit: points and arrows have one scale
			r.scale = 1
		case r.scale == 0:
			r.scale = 1 / longest
		}
	}
	for _, s := range steps {
		if a, ok := r.arrow(s.After); ok && r.origin {
			r.view = r.view.cover(a.to)
		}
	}
	r.view = r.view.grow(0.10)
	return r, nil
}

// arrow returns w as an arrow from the plane: from the origin if all planes meet there,
// else from the middle of what is to be seen of the plane.
func (r *planarRun) arrow(h svmkit.Hyperplane) (arrow, bool) {
	if isZero(h) {
		return arrow{}, false
	}
	from := point{}
	if !r.origin {
		a, b, ok := visible(h, r.view)
		if !ok {
			return arrow{}, false
		}
		from = point{X: (a.X + b.X) / 2, Y: (a.Y + b.Y) / 2}
	}
	to := point{X: from.X + r.scale*h.W[0], Y: from.Y + r.scale*h.W[1]}
	return arrow{from, to, line(green, 2, nil)}, true
}

// panel draws step k, with marks of the given size.
func (r *planarRun) panel(k int, size vg.Length) (*plot.Plot, []Entry) {
	s := r.steps[k]
	p := planarPlot(r.set)
	show(p, r.view)
	p.Title.Text = fmt.Sprintf("mistake %s", count(k+1))
	// Every panel lists all kinds of marks, also those it happens not to show.
	before, after := planeLine{s.Before, line(faint, 1.5, dashed)}, planeLine{s.After, line(ink, 2, nil)}
	ringed := ring{at(r.set.X[s.Index]), 6.5, line(ink, 1.5, nil)}
	legend := scatter(p, r.set, r.rows, size)
	p.Add(before, after, ringed)
	if r.origin {
		p.Add(marks{[]point{{}}, mark{upright, ink, ink, 3.5}})
	}
	w, ok := r.arrow(s.After)
	if ok {
		p.Add(w)
	}
	w.style = line(green, 2, nil)
	switch {
	case isZero(s.After):
		p.Title.Text += ": to $w = 0$"
	case isZero(s.Before):
		p.Title.Text += ": from $w = 0$"
	}
	return p, append(legend, Entry{"before", before}, Entry{"after", after}, Entry{"mistake", ringed}, Entry{"$w$ after", w})
}

// words describes the run.
func (r *planarRun) words(shown int) (caption, alt string) {
	n := len(r.steps)
	last := r.steps[n-1].After
	caption = fmt.Sprintf("Each mistake adds its ringed point, with its sign, to w: %s", plural(n, "mistake"))
	wrong := mistakes(r.set, last)
	if wrong == 0 {
		caption += ", and the last plane separates the classes."
	} else {
		caption += fmt.Sprintf("; after the last one %s of %s points are still on the wrong side.", count(wrong), count(r.set.Len()))
	}
	scale := " All arrows w have one scale."
	if r.scale == 1 && r.origin {
		scale = " Arrows and points have one scale."
	}
	caption += scale + thinned(shown, n, "mistakes") + thinned(len(r.rows), r.set.Len(), "points")

	alt = fmt.Sprintf("Panels with %s over %s; in each a dashed line, the plane before a mistake, a solid line, the plane after it, a ring on the mistaken point, and an arrow for w.",
		pointWords(r.set), axisWords(r.set))
	if isZero(r.steps[0].Before) {
		alt += " Before the first mistake w is zero and there is no plane."
	}
	if !isZero(last) {
		angle := math.Atan2(last.W[1], last.W[0]) * 180 / math.Pi
		alt += fmt.Sprintf(" After the last mistake the plane is %s, its normal at %s degrees from the first axis, and %s on the wrong side.", equation(last), num(math.Round(angle)), isAre(wrong))
	}
	return caption, alt
}
