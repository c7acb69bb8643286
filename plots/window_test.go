package plots

import (
	"errors"
	"image/color"
	"math"
	"testing"

	"github.com/svmkit/course/plots/geom"
	"github.com/svmkit/course/plots/pen"
	"github.com/svmkit/course/svmkit"
	"gonum.org/v1/plot"
)

// A dot is drawn where the window says that its place is: in a single plot, with equal units, below
// a legend, in a panel.
func TestWindow(t *testing.T) {
	dot, at := color.RGBA{250, 0, 250, 255}, geom.Point{X: 1.3, Y: -0.4}
	drawn := func() *plot.Plot {
		p := pen.NewPlot("$x$", "a long label")
		pen.Show(p, geom.Box{XMin: -1, XMax: 2, YMin: -1, YMax: 3})
		p.Add(pen.Marks{At: []geom.Point{at}, Mark: pen.Mark{Shape: pen.Disc, Fill: dot, Edge: dot,
			Radius: 4}})
		return p
	}
	empty := pen.NewPlot("", "")
	pen.Show(empty, geom.Box{XMin: 0, XMax: 1, YMin: 0, YMax: 1})
	for name, f := range map[string]*Figure{
		"a plot":      {Plot: drawn()},
		"equal units": {Plot: drawn(), EqualUnits: true},
		"a legend": {Plot: drawn(), Legend: []pen.Entry{{Name: "a dot"}},
			Width: pen.PhoneWidth},
		"the first of three": {Panels: [][]*plot.Plot{{nil, drawn()}, {empty, empty}},
			EqualUnits: true},
	} {
		f.Caption, f.Alt = "A dot.", "A dot."
		w, err := f.Window()
		if err != nil {
			t.Fatalf("%s: %v", name, err)
		}
		img, err := f.image(pngDPI)
		if err != nil {
			t.Fatal(err)
		}
		var x, y, n float64
		for i := range img.Bounds().Dx() {
			for j := range img.Bounds().Dy() {
				if r, g, b, _ := img.At(i, j).RGBA(); r>>8 > 240 && g>>8 < 20 && b>>8 > 240 {
					x, y, n = x+float64(i)+0.5, y+float64(j)+0.5, n+1
				}
			}
		}
		const points, pixel = 72. / pngDPI, 1.
		wantX := w.Left + (at.X-w.XMin)/(w.XMax-w.XMin)*(w.Right-w.Left)
		wantY := w.Bottom - (at.Y-w.YMin)/(w.YMax-w.YMin)*(w.Bottom-w.Top)
		if n < 50 || !(math.Abs(x/n*points-wantX) < pixel*points) ||
			!(math.Abs(y/n*points-wantY) < pixel*points) {
			t.Errorf("%s: drawn at (%.1f, %.1f) points, the window says (%.1f, %.1f)", name,
				x/n*points, y/n*points, wantX, wantY)
		}
		if ratio := (w.XMax - w.XMin) / (w.Right - w.Left) / ((w.YMax - w.YMin) / (w.Bottom - w.Top)); f.EqualUnits && !(math.Abs(ratio-1) < 1e-2) {
			t.Errorf("%s: a unit of y is %g of one of x", name, ratio)
		}
	}
}

func TestWindowErrors(t *testing.T) {
	logs := pen.NewPlot("", "")
	pen.Show(logs, geom.Box{XMin: 1, XMax: 2, YMin: 1, YMax: 2})
	pen.Logarithmic(&logs.Y)
	var param *svmkit.ParamError
	if w, err := (&Figure{Plot: logs, Caption: "c", Alt: "a"}).Window(); !errors.As(err, &param) ||
		w != (Window{}) {
		t.Errorf("a logarithmic axis: %v, %v", w, err)
	}
	if _, err := (&Figure{Plot: plot.New()}).Window(); !errors.As(err, &param) {
		t.Errorf("no caption: %v", err)
	}
	none := pen.NewPlot("", "")
	none.X.Min = math.NaN()
	if _, err := (&Figure{Plot: none, Caption: "c", Alt: "a"}).Window(); err == nil {
		t.Error("an axis without a range has a window")
	}
}
