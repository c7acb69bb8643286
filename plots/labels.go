package plots

import (
	"image/color"
	"math"

	"gonum.org/v1/plot"
	"gonum.org/v1/plot/vg"
	"gonum.org/v1/plot/vg/draw"
)

// label is a text near a place.
type label struct {
	at     point
	text   string
	colour color.Color // nil: ink
}

// labels sets texts near their places so that they cover neither each other nor the places
// in avoid, as far as there is room. Labels are placed in order, each at the first free one
// of sixteen spots around its place, or at the least bad one: none is left out.
type labels struct {
	items []label
	avoid []point   // places of marks
	clear vg.Length // the radius to keep free around them
}

func (l labels) Plot(c draw.Canvas, p *plot.Plot) {
	var taken []vg.Rectangle
	for _, at := range l.avoid {
		q := canvasPoint(&c, p, at)
		taken = append(taken, vg.Rectangle{
			Min: vg.Point{X: q.X - l.clear, Y: q.Y - l.clear}, Max: vg.Point{X: q.X + l.clear, Y: q.Y + l.clear}})
	}
	sty := textStyle(noteSize)
	sty.XAlign, sty.YAlign = draw.XCenter, draw.YCenter
	for _, item := range l.items {
		size := vg.Point{X: sty.Width(item.text) + 3, Y: sty.Font.Size + 2}
		at := canvasPoint(&c, p, item.at)
		best, least := vg.Rectangle{}, math.Inf(1)
		for _, spot := range spots(at, size, l.clear) {
			if cost := overlap(spot, taken) + 4*outside(spot, c.Rectangle); cost < least {
				best, least = spot, cost
			}
		}
		taken = append(taken, best)
		// A pale ground keeps the text legible where it must cross a line.
		c.FillPolygon(color.NRGBA{0xff, 0xff, 0xff, 0xc8}, []vg.Point{best.Min, {X: best.Max.X, Y: best.Min.Y}, best.Max, {X: best.Min.X, Y: best.Max.Y}})
		sty.Color = ink
		if item.colour != nil {
			sty.Color = item.colour
		}
		c.FillText(sty, vg.Point{X: (best.Min.X + best.Max.X) / 2, Y: (best.Min.Y+best.Max.Y)/2 + sty.FontExtents().Descent/2}, item.text)
	}
}

// spots returns rectangles of the given size around a place, the better ones first.
func spots(at, size vg.Point, clear vg.Length) []vg.Rectangle {
	var all []vg.Rectangle
	for _, gap := range []vg.Length{clear + 1, clear + 9} {
		for _, d := range [][2]vg.Length{{1, 0}, {0, 1}, {-1, 0}, {0, -1}, {0.8, 0.8}, {-0.8, 0.8}, {-0.8, -0.8}, {0.8, -0.8}} {
			centre := vg.Point{X: at.X + d[0]*(gap+size.X/2), Y: at.Y + d[1]*(gap+size.Y/2)}
			all = append(all, vg.Rectangle{
				Min: vg.Point{X: centre.X - size.X/2, Y: centre.Y - size.Y/2},
				Max: vg.Point{X: centre.X + size.X/2, Y: centre.Y + size.Y/2}})
		}
	}
	return all
}

// overlap returns the area that r shares with the taken rectangles.
func overlap(r vg.Rectangle, taken []vg.Rectangle) float64 {
	sum := 0.0
	for _, t := range taken {
		w := min(r.Max.X, t.Max.X) - max(r.Min.X, t.Min.X)
		h := min(r.Max.Y, t.Max.Y) - max(r.Min.Y, t.Min.Y)
		if w > 0 && h > 0 {
			sum += float64(w * h)
		}
	}
	return sum
}

// outside returns the area of r that is not in the frame.
func outside(r, frame vg.Rectangle) float64 {
	size := r.Size()
	return float64(size.X*size.Y) - overlap(r, []vg.Rectangle{frame})
}

// note is a text in the upper left corner of a panel.
type note struct{ text string }

func (n note) Plot(c draw.Canvas, _ *plot.Plot) {
	sty := textStyle(noteSize)
	sty.Color = faint
	sty.YAlign = draw.YTop
	c.FillText(sty, vg.Point{X: c.Min.X + 5, Y: c.Max.Y - 4}, n.text)
}
