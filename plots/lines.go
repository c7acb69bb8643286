package plots

import (
	"errors"
	"fmt"
	"image/color"
	"math"
	"slices"

	"github.com/svmkit/course/svmkit"
	"gonum.org/v1/plot"
	"gonum.org/v1/plot/vg/draw"
)

// Series is one curve: Y over X. Low and High, if given, bound a shaded band around it, for
// example the least and the most of many runs. All have one length; X must not fall.
type Series struct {
	Name      string // may hold math, see [Math]
	X, Y      []float64
	Low, High []float64
	NoMarks   bool      // draw the line alone
	Curve     []float64 // over the same X: the line goes through these, and Y are marks alone
}

// Axes names the axes of a plot and chooses their scales.
type Axes struct {
	X, Y       string // labels with units; may hold math
	LogX, LogY bool
	NoClasses  bool // curves in other colours than those of the two classes
}

// maxCurve is how many points of a curve are drawn, maxCurveMarks how many of them marked.
const (
	maxCurve      = 1000
	maxCurveMarks = 40
)

// Lines draws up to six curves, told apart by colour, dash and marker. A logarithmic axis
// needs positive numbers. Of longer curves 1,000 points are drawn and 40 marked.
func Lines(series []Series, axes Axes, caption, alt string) (*Figure, error) {
	if err := describe(caption, alt); err != nil {
		return nil, err
	}
	if err := checkStyles("series", len(series), "curve"); err != nil {
		return nil, err
	}
	p := newPlot(axes.X, axes.Y)
	view := emptyBox()
	f := &Figure{Plot: p, Caption: caption, Alt: alt}
	var curves []plot.Plotter
	looks := styles
	if axes.NoClasses {
		looks = planeStyles
	}
	for i, s := range series {
		if err := s.Validate(axes); err != nil {
			return nil, err
		}
		rows := thin(len(s.X), maxCurve)
		curve := marked{path{pick(s.X, s.Y, rows), looks[i].line}, looks[i].mark}
		view = view.cover(curve.at...)
		if s.Low != nil {
			low, high := pick(s.X, s.Low, rows), pick(s.X, s.High, rows)
			view = view.cover(low...).cover(high...)
			slices.Reverse(high)
			p.Add(area{func(box) []point { return append(slices.Clone(low), high...) }, pale(looks[i].line.Color), draw.LineStyle{}})
		}
		through := curve.path
		if s.Curve != nil {
			through.at = pick(s.X, s.Curve, rows)
			view = view.cover(through.at...)
		}
		entry := Entry{s.Name, curve}
		curves = append(curves, through)
		if s.NoMarks {
			entry.Mark = curve.path
		} else {
			var dots marks
			dots.mark = curve.mark
			for _, k := range thin(len(curve.at), maxCurveMarks) {
				dots.at = append(dots.at, curve.at[k])
			}
			curves = append(curves, dots)
		}
		f.Legend = append(f.Legend, entry)
		if len(rows) < len(s.X) {
			f.Caption += thinned(len(rows), len(s.X), "points of "+s.Name)
		}
	}
	p.Add(curves...) // over all bands
	show(p, view.padded(axes.LogX, axes.LogY))
	if axes.LogX {
		logarithmic(&p.X)
	}
	if axes.LogY {
		logarithmic(&p.Y)
	}
	return f, nil
}

// Validate returns an error if the series cannot be drawn on the axes: if it is empty, its slices differ in
// length, a number is not finite, X falls, a band is crossed, or a logarithmic axis has a number ≤ 0.
func (s Series) Validate(axes Axes) error {
	if len(s.X) == 0 {
		return &svmkit.DataError{Row: svmkit.NoPlace, Col: svmkit.NoPlace, Err: fmt.Errorf("series %q: %w", s.Name, svmkit.ErrEmpty)}
	}
	if len(s.Y) != len(s.X) || len(s.Low) != len(s.High) || (s.Low != nil && len(s.Low) != len(s.X)) || (s.Curve != nil && len(s.Curve) != len(s.X)) {
		return &svmkit.DataError{Row: svmkit.NoPlace, Col: svmkit.NoPlace, Err: fmt.Errorf("series %q: %w", s.Name, svmkit.ErrMismatch)}
	}
	for col, vs := range [][]float64{s.X, s.Y, s.Low, s.High, s.Curve} {
		for i, v := range vs {
			var err error
			switch {
			case math.IsNaN(v) || math.IsInf(v, 0):
				err = svmkit.ErrNotFinite
			case math.Abs(v) > maxDrawn:
				err = errTooLarge
			case v <= 0 && (axes.LogX && col == 0 || axes.LogY && col > 0):
				err = errNotPositive
			case col == 0 && i > 0 && v < vs[i-1]:
				err = errFalls
			case col == 3 && v < s.Low[i]:
				err = errCrossed
			}
			if err != nil {
				return &svmkit.DataError{Row: i, Col: col, Value: v, Err: fmt.Errorf("series %q: %w", s.Name, err)}
			}
		}
	}
	return nil
}

var (
	errNotPositive = errors.New("a logarithmic axis needs positive numbers")
	errFalls       = errors.New("the X of a series must not fall")
	errCrossed     = errors.New("the upper end of a band is below its lower end")
)

func pick(x, y []float64, rows []int) []point {
	ps := make([]point, len(rows))
	for k, i := range rows {
		ps[k] = point{X: x[i], Y: y[i]}
	}
	return ps
}

// pale mixes a colour with white, for a background.
func pale(c color.Color) color.Color {
	r, g, b, _ := c.RGBA()
	mix := func(v uint32) uint8 { return uint8(255 - (255-v>>8)*22/100) }
	return color.RGBA{mix(r), mix(g), mix(b), 0xff}
}
