package plots

import (
	"fmt"
	"image/color"
	"math"

	"github.com/svmkit/course/svmkit"
	"gonum.org/v1/plot"
	"gonum.org/v1/plot/vg"
)

// CoordinateStep is a concave parabola over an interval: how an objective changes with one
// coordinate α, from its value From:
//
//	gain(α) = Slope·(α − From) − ½·Curvature·(α − From)²,    0 ≤ α ≤ Upper
//
// In the dual of a support vector machine Slope is 1 − y·f(x) and Curvature κ(x,x).
type CoordinateStep struct {
	From      float64 // the current α, in [0, Upper]
	Slope     float64
	Curvature float64 // > 0
	Upper     float64 // > 0
}

// Gain returns what the objective gains if the coordinate moves to a.
func (s CoordinateStep) Gain(a float64) float64 {
	d := a - s.From
	return s.Slope*d - s.Curvature*d*d/2
}

// Vertex returns where the whole parabola is highest, in the interval or not.
func (s CoordinateStep) Vertex() float64 { return s.From + s.Slope/s.Curvature }

// Optimum returns where the parabola is highest in [0, Upper]: the vertex, clipped. A parabola
// only rises on the way to its vertex, so the end of the interval on this way is best if the
// vertex lies beyond.
func (s CoordinateStep) Optimum() float64 { return min(s.Upper, max(0, s.Vertex())) }

func (s CoordinateStep) validate() error {
	for _, v := range []float64{s.From, s.Slope, s.Curvature, s.Upper} {
		if math.IsNaN(v) || math.Abs(v) > 1e9 {
			return &svmkit.ParamError{Name: "CoordinateStep", Value: v, Need: "must hold numbers of at most 1e9"}
		}
	}
	switch {
	case !(s.Curvature >= 1e-9):
		return &svmkit.ParamError{Name: "Curvature", Value: s.Curvature, Need: "must be positive, at least 1e-9"}
	case !(s.Upper >= 1e-9):
		return &svmkit.ParamError{Name: "Upper", Value: s.Upper, Need: "must be positive, at least 1e-9"}
	case !(s.From >= 0 && s.From <= s.Upper):
		return &svmkit.ParamError{Name: "From", Value: s.From, Need: "must lie in [0, Upper]"}
	}
	return nil
}

// Parabolas draws up to three steps of coordinate ascent below each other, over one axis of α: the objective
// along the coordinate, the current α, the vertex, and the best point of the interval.
func Parabolas(steps []CoordinateStep) (*Figure, error) {
	if len(steps) == 0 || len(steps) > 3 {
		return nil, &svmkit.ParamError{Name: "steps", Value: len(steps), Need: "must be 1 to 3: there is one panel for each"}
	}
	f := &Figure{Width: phoneWidth, Height: vg.Length(0.7+1.7*float64(len(steps))) * vg.Inch}
	inside, axis := 0, emptyBox()
	for _, s := range steps {
		if err := s.validate(); err != nil {
			return nil, err
		}
		axis = axis.cover(point{}, point{X: s.Upper}, point{X: s.Vertex()})
	}
	axis = axis.grow(0.08)
	for k, s := range steps {
		p := newPlot("", "gain")
		vertex, best := s.Vertex(), s.Optimum()
		view := emptyBox().cover(point{X: 0, Y: s.Gain(0)}, point{X: s.Upper, Y: s.Gain(s.Upper)}, point{X: vertex, Y: s.Gain(vertex)}, point{X: s.From})
		view = view.grow(0.12)
		view.xmin, view.xmax = axis.xmin, axis.xmax
		view.ymax += 0.08 * (view.ymax - view.ymin)
		show(p, view)
		interval := area{func(b box) []point {
			return []point{{Y: b.ymin}, {X: s.Upper, Y: b.ymin}, {X: s.Upper, Y: b.ymax}, {Y: b.ymax}}
		}, paleBand, line(faint, 1, nil)}
		curve := path{sample(s.Gain, view.xmin, view.xmax, false), line(blue, 1.6, nil)}
		from := marks{[]point{{X: s.From}}, mark{disc, vermillion, vermillion, 3.4}}
		peak := marks{[]point{{X: vertex, Y: s.Gain(vertex)}}, mark{triangle, color.White, ink, 4}}
		to := marks{[]point{{X: best, Y: s.Gain(best)}}, mark{diamond, ink, ink, 4}}
		p.Add(interval, curve, from, to, peak)
		if k == 0 {
			f.Legend = []Entry{{"gain of the dual objective", curve}, {"allowed", interval}, {"now", from}, {"vertex", peak}, {"best allowed", to}}
		}
		where := "the vertex is allowed"
		switch {
		case vertex > s.Upper:
			where = "clipped to the upper end"
		case vertex < 0:
			where = "clipped to 0"
		default:
			inside++
		}
		p.Title.Text = where
		if k == len(steps)-1 {
			p.X.Label.Text = `$\alpha$`
		}
		f.Panels = append(f.Panels, []*plot.Plot{p})
		if f.Alt == "" {
			f.Alt = fmt.Sprintf("%s below each other with a concave parabola each, the gain of the objective over one coordinate α. ", upperFirst(plural(len(steps), "panel")))
		}
		f.Alt += fmt.Sprintf("Panel %d: α stands at %s in the interval from 0 to %s; the vertex is at %s, the best allowed point at %s with a gain of %s. ",
			k+1, num(s.From), num(s.Upper), num(vertex), num(best), num(s.Gain(best)))
	}
	f.Caption = fmt.Sprintf("The best allowed point is the vertex where the vertex is allowed (%s of %s), and otherwise the end of the interval next to it.",
		count(inside), plural(len(steps), "panel"))
	return f, nil
}
