package plots

import (
	"gonum.org/v1/plot"
	"gonum.org/v1/plot/vg/draw"
)

// spy is a plotter that notes how long a data unit is on the canvas.
type spy struct{ x, y float64 }

func (s *spy) Plot(c draw.Canvas, p *plot.Plot) {
	a, b := canvasPoint(&c, p, point{}), canvasPoint(&c, p, point{X: 1, Y: 1})
	s.x, s.y = float64(b.X-a.X), float64(b.Y-a.Y)
}
