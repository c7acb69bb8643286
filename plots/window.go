package plots

import (
	"fmt"

	"github.com/svmkit/course/plots/check"
	"gonum.org/v1/plot"
	"gonum.org/v1/plot/vg/draw"
	"gonum.org/v1/plot/vg/vgsvg"
)

// Window says where in the drawing of a figure a plot shows which part of the plane. The sides are
// in points, from the left and the upper side of the drawing; at Left stands the abscissa XMin, at
// Top the ordinate YMax.
type Window struct {
	Left, Right, Top, Bottom float64
	XMin, XMax, YMin, YMax   float64
}

// Window returns the window of the figure's only plot, or of the first of its panels, so that a
// place in the picture can be taken for a point of the plane. It is a [*svmkit.ParamError] if one
// of the axes is not linear.
func (f *Figure) Window() (w Window, err error) {
	if err := f.validate(); err != nil {
		return w, err
	}
	defer func() {
		if r := recover(); r != nil {
			err = fmt.Errorf("plots: cannot draw the figure %q: %v", f.Caption, r)
		}
	}()
	width, height := f.Size()
	found := false
	f.panels(draw.New(vgsvg.New(width, height)), func(p *plot.Plot, c draw.Canvas) {
		if found {
			return
		}
		found = true
		for _, a := range []plot.Axis{p.X, p.Y} {
			if _, linear := a.Scale.(plot.LinearScale); !linear {
				err = check.Param("Scale", fmt.Sprintf("%T", a.Scale),
					"must be linear for a place in the picture to be a point of the plane")
				return
			}
		}
		q := f.ranged(p, c)
		data := q.DataCanvas(c)
		w = Window{Left: data.Min.X.Points(), Right: data.Max.X.Points(),
			Top: (height - data.Max.Y).Points(), Bottom: (height - data.Min.Y).Points(),
			XMin: q.X.Min, XMax: q.X.Max, YMin: q.Y.Min, YMax: q.Y.Max}
	})
	return w, err
}
