package plots

import (
	"fmt"
	"image/color"
	"io"
	"math"
	"path/filepath"
	"slices"
	"strings"

	"github.com/svmkit/course/internal/atomicfile"
	"github.com/svmkit/course/plots/check"
	"github.com/svmkit/course/plots/pen"
	"github.com/svmkit/course/plots/prose"
	"gonum.org/v1/plot"
	"gonum.org/v1/plot/vg"
	"gonum.org/v1/plot/vg/draw"
	"gonum.org/v1/plot/vg/vgsvg"
)

// Figure is a drawing with its caption and alternative text. Exactly one of Plot and Panels is set.
//
// Rendering refuses a figure without caption or alternative text. It does not change the figure, so
// it may be repeated and gives the same bytes each time.
type Figure struct {
	Plot    *plot.Plot
	Panels  [][]*plot.Plot // rows of small plots of equal size; nil entries stay empty
	Legend  pen.Legend     // drawn above the plot, where it hides no data
	Caption string         // the claim, in plain text
	Alt     string         // description of the picture, for readers who do not see it

	Width, Height vg.Length // size of the drawing; default 5.6 by 3.8 inches

	// EqualUnits widens one axis of each plot so that one unit of x is as long as one unit of y.
	// Otherwise right angles and distances look wrong.
	EqualUnits bool
}

// Entry explains one kind of mark in a legend.
type Entry = pen.Entry

// maxSide bounds a drawing's sides: 40 inches are 7,680 pixels.
const maxSide = 40 * vg.Inch

// New returns a figure of your own plot, with a caption and an alternative text. If either is
// empty, the error is a [*svmkit.ParamError].
func New(p *plot.Plot, caption, alt string) (*Figure, error) {
	f := &Figure{Plot: p, Caption: caption, Alt: alt}
	if err := f.validate(); err != nil {
		return nil, err
	}
	return f, nil
}

// Size returns the size of the drawing, in points of 1/72 inch.
func (f *Figure) Size() (width, height vg.Length) {
	width, height = f.Width, f.Height
	if width == 0 {
		width = defaultWidth
	}
	if height == 0 {
		height = defaultHeight
	}
	return width, height
}

// Save writes the figure to a file as PNG, SVG or PDF, depending on the extension of its name.
// After an error the file is unchanged.
func (f *Figure) Save(path string) error {
	var b []byte
	var err error
	pdf, hasPDF := any(f).(interface{ PDF() ([]byte, error) }) // not with the tag minimal
	switch ext := strings.ToLower(filepath.Ext(path)); {
	case ext == ".png":
		b, err = f.PNG()
	case ext == ".svg":
		b, err = f.SVG()
	case ext == ".pdf" && hasPDF:
		b, err = pdf.PDF()
	default:
		return check.Param("path", path, "must end in .png, .svg or .pdf")
	}
	if err != nil {
		return err
	}
	return atomicfile.Write(path, func(w io.Writer) error {
		_, err := w.Write(b)
		return err
	})
}

func (f *Figure) validate() error {
	if err := describe(f.Caption, f.Alt); err != nil {
		return err
	}
	if (f.Plot == nil) == (len(f.Panels) == 0) {
		return check.Param("Figure", "plot and panels",
			"exactly one of Plot and Panels must be set")
	}
	for _, side := range []vg.Length{f.Width, f.Height} {
		if !(side >= 0 && side <= maxSide) {
			return check.Param("Width, Height", float64(side), "must be at most 40 inches, or 0")
		}
	}
	return nil
}

// describe rejects an empty caption or alternative text.
func describe(caption, alt string) error {
	if strings.TrimSpace(caption) == "" {
		return check.Param("caption", `""`, "must state the claim of the figure")
	}
	if strings.TrimSpace(alt) == "" {
		return check.Param("alt", `""`,
			"must say what is to be seen, for readers who do not see it")
	}
	return nil
}

// Draw paints the figure on a canvas of gonum/plot. If gonum/plot panics, for example for an
// impossible axis, Draw returns an error.
func (f *Figure) Draw(c draw.Canvas) (err error) {
	defer func() {
		if r := recover(); r != nil {
			err = fmt.Errorf("plots: cannot draw the figure %q: %v", f.Caption, r)
		}
	}()
	c.SetColor(color.White) // without it the text of an SVG would vanish on a dark page
	c.Fill(c.Rectangle.Path())
	f.panels(c, f.drawPlot)
	return nil
}

// panels draws the legend, and calls visit for each plot with its part of c.
func (f *Figure) panels(c draw.Canvas, visit func(*plot.Plot, draw.Canvas)) {
	c = draw.Crop(c, 7, -9, 6, -6)
	c = drawLegend(c, f.Legend)
	if f.Plot != nil {
		visit(f.Plot, c)
		return
	}
	columns := 0
	for _, r := range f.Panels {
		columns = max(columns, len(r))
	}
	tiles := draw.Tiles{Rows: len(f.Panels), Cols: columns, PadX: 10, PadY: 8}
	for i, r := range f.Panels {
		for k, p := range r {
			if p != nil {
				visit(p, tiles.At(c, k, i))
			}
		}
	}
}

// drawPlot draws one plot. The labels of logarithmic axes are set here: gonum/plot places
// them at (Min + Max)/2, which is not the middle of a logarithmic axis, and leaves a broad empty
// margin.
func (f *Figure) drawPlot(p *plot.Plot, c draw.Canvas) {
	q := f.ranged(p, c)
	x, y := q.X.Label, q.Y.Label
	_, xLinear := q.X.Scale.(plot.LinearScale)
	_, yLinear := q.Y.Scale.(plot.LinearScale)
	outer := c
	if !xLinear && x.Text != "" {
		c.Min.Y += x.TextStyle.Height(x.Text) + x.Padding
		q.X.Label.Text = ""
	}
	if !yLinear && y.Text != "" {
		c.Min.X += y.TextStyle.Height(y.Text) + y.Padding
		q.Y.Label.Text = ""
	}
	q.Draw(c)
	data := q.DataCanvas(c)
	if q.X.Label.Text != x.Text {
		x.TextStyle.YAlign = draw.YBottom
		outer.FillText(x.TextStyle, vg.Point{X: data.Center().X,
			Y: outer.Min.Y + x.TextStyle.FontExtents().Descent}, x.Text)
	}
	if q.Y.Label.Text != y.Text {
		y.TextStyle.Rotation, y.TextStyle.YAlign = math.Pi/2, draw.YTop
		outer.FillText(y.TextStyle, vg.Point{X: outer.Min.X, Y: data.Center().Y}, y.Text)
	}
}

// ranged returns p with the ranges that it has when it is drawn on c.
func (f *Figure) ranged(p *plot.Plot, c draw.Canvas) plot.Plot {
	q := *p // drawing changes the ranges
	for _, a := range []*plot.Axis{&q.X, &q.Y} {
		if math.IsNaN(a.Min) || math.IsNaN(a.Max) {
			panic("an axis has no range")
		}
	}
	if f.EqualUnits {
		want := pen.Shown(&q)
		// The space of the tick labels depends on the range, and the range on that space: the
		// second turn uses the labels of the first.
		for range 2 {
			data := q.DataCanvas(c)
			size := data.Size()
			pen.Show(&q, want.EqualUnits(size.X.Points(), size.Y.Points()))
		}
	}
	return q
}

const (
	legendRow   = 15 // points
	legendMark  = 26 // width of a line's sample; points need less
	legendPoint = 10
	legendSpace = 18
)

// drawLegend sets the entries in rows along the top of c and returns the rest of c.
func drawLegend(c draw.Canvas, entries pen.Legend) draw.Canvas {
	if len(entries) == 0 {
		return c
	}
	sty := pen.TextStyle(pen.NoteSize)
	sty.YAlign = draw.YCenter
	x, y := c.Min.X, c.Max.Y-legendRow/2
	for i, e := range entries {
		mark := vg.Length(legendMark)
		switch e.Mark.(type) {
		case pen.Marks, pen.Ring:
			mark = legendPoint
		}
		width := mark + 5 + sty.Width(e.Name)
		if i > 0 && x+width > c.Max.X {
			x, y = c.Min.X, y-legendRow
		}
		if e.Mark != nil {
			thumb := draw.Canvas{Canvas: c.Canvas, Rectangle: vg.Rectangle{
				Min: vg.Point{X: x, Y: y - 5}, Max: vg.Point{X: x + mark, Y: y + 5}}}
			e.Mark.Thumbnail(&thumb)
		}
		c.FillText(sty, vg.Point{X: x + mark + 5, Y: y + sty.FontExtents().Descent/2}, e.Name)
		x += width + legendSpace
	}
	return draw.Canvas{Canvas: c.Canvas, Rectangle: vg.Rectangle{
		Min: c.Min, Max: vg.Point{X: c.Max.X, Y: y - legendRow/2 - 4}}}
}

const defaultWidth = 5.6 * vg.Inch

const defaultHeight = 3.8 * vg.Inch

// Window describes which part of the plane a plot shows, and where it is in the drawing.
//
// The sides are in points, from the left and the upper side of the drawing. Left is the place of
// the abscissa XMin, and Top the place of the ordinate YMax.
type Window struct {
	Left, Right, Top, Bottom float64
	XMin, XMax, YMin, YMax   float64
}

// Window returns the window of the figure's only plot, or of its first panel.
//
// It converts a place in the picture to a point of the plane. If one of the axes is not linear, the
// error is a [*svmkit.ParamError].
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

// Stack puts two or more figures of one plot each below each other, as one figure.
//
// It is as wide as the first, with panels of one height. Legends, captions and alternative texts
// follow in order, and a name that several legends have is listed once. All figures must agree on
// EqualUnits.
func Stack(figures ...*Figure) (*Figure, error) {
	if len(figures) < 2 {
		return nil, check.Param("figures", prose.Plural(len(figures), "figure"),
			"must be two or more")
	}
	all := &Figure{}
	for i, f := range figures {
		if f == nil || f.Plot == nil {
			return nil, check.Param("figures", i, "must have one plot each, not panels")
		}
		if f.EqualUnits != figures[0].EqualUnits {
			return nil, check.Param("EqualUnits", f.EqualUnits, "must be the same in all figures")
		}
		if err := f.validate(); err != nil {
			return nil, err
		}
		width, height := f.Size()
		if i == 0 {
			all.Width, all.EqualUnits = width, f.EqualUnits
			all.Caption, all.Alt = f.Caption, f.Alt
		} else {
			all.Caption, all.Alt = all.Caption+" "+f.Caption, all.Alt+" Below it: "+f.Alt
		}
		all.Height += height
		all.Panels = append(all.Panels, []*plot.Plot{f.Plot})
		for _, e := range f.Legend {
			if !slices.ContainsFunc(all.Legend, func(o Entry) bool { return o.Name == e.Name }) {
				all.Legend = append(all.Legend, e)
			}
		}
	}
	if err := all.validate(); err != nil { // too high
		return nil, err
	}
	return all, nil
}
