// Package figures draws the figures that belong to one lesson of the course, a file for each
// lesson:
//
//	hyperplane.go   lesson 1    street.go       lesson 6    sdca.go         lesson 11
//	perceptron.go   lesson 2    dual.go         lesson 7    svr.go          lesson 12
//	novikoff.go     lesson 3    softmargin.go   lesson 8    generalise.go   lesson 13
//	inseparable.go  lesson 4    kernels.go      lesson 10   properly.go     lesson 14
//	losses.go       lesson 5
//
// The file novikoff_runs.go has the runs of the perceptron that lesson 3 draws and checks.
//
// A figure is one line in a cell:
//
//	lab.Show(lab.Must(figures.SignedMargins(set, plane)))
//
// Each constructor takes what it shows and returns a [plots.Figure] with its caption and its
// alternative text, or a typed error of package svmkit. Figures that several lessons or a user's
// own results need are in package plots; what all figures are drawn with is in plots/pen.
//
// To add a figure, write its constructor in the file of its lesson, an example in examples_test.go,
// and a test that reads the drawing back (see internal/plottest). Then run
//
//	go test ./lessons/figures -run Golden -regen
//
// and look at the new picture in testdata.
package figures

import (
	"image/color"
	"math"

	"github.com/svmkit/course/plots/geom"
	"github.com/svmkit/course/plots/pen"
	"gonum.org/v1/plot"
	"gonum.org/v1/plot/vg"
	"gonum.org/v1/plot/vg/draw"
)

// circle returns the circle of radius r around the origin.
func circle(r float64) []geom.Point {
	const sides = 120
	ps := make([]geom.Point, sides+1)
	for i := range ps {
		sin, cos := math.Sincos(2 * math.Pi * float64(i) / sides)
		ps[i] = geom.Pt(r*cos, r*sin)
	}
	return ps
}

// errorBars draws a bar of length err up and down at each place, with caps; none where err is 0.
type errorBars struct {
	At    []geom.Point
	Err   []float64
	Style draw.LineStyle
}

func (e errorBars) Plot(c draw.Canvas, p *plot.Plot) {
	const cap = 3.5 // points
	for k, at := range e.At {
		if !(e.Err[k] > 0) {
			continue
		}
		lo, hi := pen.CanvasPoint(&c, p, geom.Pt(at.X, at.Y-e.Err[k])),
			pen.CanvasPoint(&c, p, geom.Pt(at.X, at.Y+e.Err[k]))
		c.StrokeLine2(e.Style, lo.X, lo.Y, hi.X, hi.Y)
		c.StrokeLine2(e.Style, lo.X-cap, lo.Y, lo.X+cap, lo.Y)
		c.StrokeLine2(e.Style, hi.X-cap, hi.Y, hi.X+cap, hi.Y)
	}
}

// box fills the rectangle from lo to hi, and strokes its sides.
func box(c *draw.Canvas, lo, hi vg.Point, fill color.Color, edge draw.LineStyle) {
	corners := append(pen.Corners(lo, hi), lo)
	c.FillPolygon(fill, corners)
	c.StrokeLines(edge, corners)
}

// dashNames describe the dashes of the lines of [pen.Styles].
var dashNames = [...]string{"solid", "dashed", "dotted", "dashes and dots", "long dashes",
	"black dashes"}

func round1(v float64) float64 { return math.Round(10*v) / 10 }

func round2(v float64) float64 { return math.Round(100*v) / 100 }

func round3(v float64) float64 {
	if v >= 0.0995 {
		return math.Round(1000*v) / 1000
	}
	return v
}
