package plots

import (
	"cmp"
	"errors"
	"fmt"
	"math"

	"github.com/svmkit/course/plots/check"
	"github.com/svmkit/course/plots/geom"
	"github.com/svmkit/course/plots/pen"
	"github.com/svmkit/course/plots/prose"
	"github.com/svmkit/course/svmkit"
	"gonum.org/v1/plot"
)

// Series is one curve, Y over X. All slices have one length, and X must not fall.
//
// Low and High bound a shaded band around the curve, for example the least and the most of many
// runs.
type Series struct {
	Name      string // may hold math, see [pen.Math]
	X, Y      []float64
	Low, High []float64
	NoMarks   bool      // draw the line alone
	Curve     []float64 // over the same X: the line goes through these, and Y are marks alone
}

// Axes names the axes of a plot and chooses their scales.
type Axes struct {
	X, Y       string // labels with units; may hold math
	LogX, LogY bool
	NoClasses  bool // whether curves avoid the colours of the two classes
}

// Lines draws up to six curves that differ in colour, dash and marker. A logarithmic axis needs
// positive numbers. Of longer curves 1,000 points are drawn and 40 marked.
func Lines(series []Series, axes Axes, caption, alt string) (*Figure, error) {
	if err := cmp.Or(describe(caption, alt),
		check.Count("series", len(series), 1, len(pen.Styles), "curve")); err != nil {
		return nil, err
	}
	p := pen.NewPlot(axes.X, axes.Y)
	view := geom.Empty()
	f := &Figure{Plot: p, Caption: caption, Alt: alt}
	var curves []plot.Plotter
	looks := pen.Styles
	if axes.NoClasses {
		looks = pen.PlaneStyles
	}
	for i, s := range series {
		if err := s.Validate(axes); err != nil {
			return nil, err
		}
		rows := pen.Thin(len(s.X), pen.MaxCurve)
		curve := looks[i].Curve(geom.Zip(s.X, s.Y, rows))
		view = view.Cover(curve.At...)
		if s.Low != nil {
			low, high := geom.Zip(s.X, s.Low, rows), geom.Zip(s.X, s.High, rows)
			view = view.Cover(low...).Cover(high...)
			p.Add(pen.Filled(geom.Strip(low, high), pen.Pale(looks[i].Line.Color)))
		}
		through := curve.Path
		if s.Curve != nil {
			through.At = geom.Zip(s.X, s.Curve, rows)
			view = view.Cover(through.At...)
		}
		curves = append(curves, through)
		if s.NoMarks {
			f.Legend.Add(s.Name, curve.Path)
		} else {
			curves = append(curves, curve.Dots(pen.MaxCurveMarks))
			f.Legend.Add(s.Name, curve)
		}
		f.Caption += prose.Thinned(len(rows), len(s.X), "points of "+s.Name)
	}
	p.Add(curves...) // over all bands
	pen.Show(p, view.Padded(axes.LogX, axes.LogY))
	if axes.LogX {
		pen.Logarithmic(&p.X)
	}
	if axes.LogY {
		pen.Logarithmic(&p.Y)
	}
	return f, nil
}

// Validate returns an error if the series cannot be drawn on the axes.
//
// This is so if it is empty, its slices differ in length, a number is not finite, X falls, a band
// is crossed, or a logarithmic axis has a number ≤ 0.
func (s Series) Validate(axes Axes) error {
	if len(s.X) == 0 {
		return check.All(fmt.Errorf("series %q: %w", s.Name, svmkit.ErrEmpty))
	}
	if len(s.Y) != len(s.X) || len(s.Low) != len(s.High) ||
		(s.Low != nil && len(s.Low) != len(s.X)) || (s.Curve != nil && len(s.Curve) != len(s.X)) {
		return check.All(fmt.Errorf("series %q: %w", s.Name, svmkit.ErrMismatch))
	}
	for col, vs := range [][]float64{s.X, s.Y, s.Low, s.High, s.Curve} {
		for i, v := range vs {
			var err error
			switch {
			case math.IsNaN(v) || math.IsInf(v, 0):
				err = svmkit.ErrNotFinite
			case math.Abs(v) > check.Max:
				err = check.ErrTooLarge
			case v <= 0 && (axes.LogX && col == 0 || axes.LogY && col > 0):
				err = errNotPositive
			case col == 0 && i > 0 && v < vs[i-1]:
				err = check.ErrFalls
			case col == 3 && v < s.Low[i]:
				err = errCrossed
			}
			if err != nil {
				return check.Data(i, col, v, fmt.Errorf("series %q: %w", s.Name, err))
			}
		}
	}
	return nil
}

var errNotPositive = errors.New("a logarithmic axis needs positive numbers")

var errCrossed = errors.New("the upper end of a band is below its lower end")
