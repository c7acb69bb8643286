package pen

import (
	"github.com/svmkit/course/plots/geom"
	"gonum.org/v1/plot"
	"gonum.org/v1/plot/vg/draw"
)

// LevelLines draws the lines on which f has each of some values. f is sampled over what the
// panel shows when it is drawn: only then is it known how far the panel reaches.
//
// gonum/plot's Contour is not used: it walks through maps, so the same lines come out in
// another order each time, and a figure's bytes must not change.
type LevelLines struct {
	F      func(x, y float64) float64
	Values []float64
	Style  draw.LineStyle
	First  bool // in the first quadrant alone
}

func (l LevelLines) Plot(c draw.Canvas, p *plot.Plot) {
	s := geom.Grid{F: l.F, Over: Shown(p)}
	if l.First {
		s.Over.XMin, s.Over.YMin = max(0, s.Over.XMin), max(0, s.Over.YMin)
	}
	z := s.Values()
	for _, v := range l.Values {
		for _, line := range s.LevelOf(z, v) {
			Path{line, l.Style}.Plot(c, p)
		}
	}
}

func (l LevelLines) Thumbnail(c *draw.Canvas) { StrokeAcross(c, l.Style) }

// MaxLevels is how many level lines with their values fit beside each other.
const MaxLevels = 12
