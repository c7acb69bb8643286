package pen

import (
	"cmp"
	"image/color"
	"math"
	"slices"

	"github.com/svmkit/course/plots/geom"
	"github.com/svmkit/course/svmkit"
	"gonum.org/v1/plot"
	"gonum.org/v1/plot/vg"
	"gonum.org/v1/plot/vg/draw"
)

// Label is a text near a place.
type Label struct {
	At     geom.Point
	Text   string
	Colour color.Color // nil: ink
	Lean   geom.Point  // the direction tried first; zero: to the right
}

// Labels sets texts near their places so that they cover neither each other nor the places
// in avoid, as far as possible. Labels are placed in order, each at the first free one
// of sixteen spots around its place, or at the least bad one: none is left out.
type Labels struct {
	Items []Label
	Avoid []geom.Point        // places of marks
	Lines []svmkit.Hyperplane // lines not to be covered
	Clear vg.Length           // the radius to keep free around the places
}

func (l Labels) Plot(c draw.Canvas, p *plot.Plot) {
	var taken []vg.Rectangle
	for _, at := range l.Avoid {
		q := CanvasPoint(&c, p, at)
		taken = append(taken, vg.Rectangle{Min: vg.Point{X: q.X - l.Clear, Y: q.Y - l.Clear},
			Max: vg.Point{X: q.X + l.Clear, Y: q.Y + l.Clear}})
	}
	for _, h := range l.Lines {
		if a, b, ok := geom.Visible(h, Shown(p)); ok {
			taken = append(taken, beads(CanvasPoint(&c, p, a), CanvasPoint(&c, p, b))...)
		}
	}
	for _, item := range l.Items {
		size := LabelExtent(item.Text)
		at := CanvasPoint(&c, p, item.At)
		best, least := vg.Rectangle{}, math.Inf(1)
		for _, spot := range spots(at, size, l.Clear, item.Lean) {
			if cost := overlap(spot, taken) + 4*outside(spot, c.Rectangle); cost < least {
				best, least = spot, cost
			}
		}
		taken = append(taken, best)
		item.write(&c, best)
	}
}

// LabelExtent returns the size of a label's ground.
func LabelExtent(text string) vg.Point {
	sty := TextStyle(NoteSize)
	return vg.Point{X: sty.Width(text) + 3, Y: sty.Font.Size + 2}
}

// WriteOver writes a pale text over a place.
func WriteOver(c *draw.Canvas, at vg.Point, text string) {
	size := LabelExtent(text)
	half := vg.Point{X: size.X / 2, Y: size.Y / 2}
	Label{Text: text, Colour: Faint}.write(c, vg.Rectangle{Min: at.Sub(half), Max: at.Add(half)})
}

// write writes a label into its rectangle. A pale ground keeps the text legible where it must cross
// a line.
func (item Label) write(c *draw.Canvas, r vg.Rectangle) {
	c.FillPolygon(color.NRGBA{0xff, 0xff, 0xff, 0xc8}, Corners(r.Min, r.Max))
	sty := TextStyle(NoteSize)
	sty.XAlign, sty.YAlign = draw.XCenter, draw.YCenter
	if item.Colour != nil {
		sty.Color = item.Colour
	}
	c.FillText(sty, vg.Point{X: (r.Min.X + r.Max.X) / 2,
		Y: (r.Min.Y+r.Max.Y)/2 + sty.FontExtents().Descent/2}, item.Text)
}

// beads covers the line from a to b by small squares, one every 8 points.
func beads(a, b vg.Point) []vg.Rectangle {
	n := int(math.Hypot(float64(b.X-a.X), float64(b.Y-a.Y)) / 8)
	var all []vg.Rectangle
	for i := range n + 1 {
		t := vg.Length(float64(i) / float64(max(n, 1)))
		q := vg.Point{X: a.X + t*(b.X-a.X), Y: a.Y + t*(b.Y-a.Y)}
		all = append(all, vg.Rectangle{Min: vg.Point{X: q.X - 3, Y: q.Y - 3},
			Max: vg.Point{X: q.X + 3, Y: q.Y + 3}})
	}
	return all
}

// spots returns rectangles of the given size around a place: the nearer ones first, and
// among those the ones in the direction of lean.
func spots(at, size vg.Point, clear vg.Length, lean geom.Point) []vg.Rectangle {
	directions := []geom.Point{{X: 1, Y: 0}, {X: 0, Y: 1}, {X: -1, Y: 0}, {X: 0, Y: -1},
		{X: 0.8, Y: 0.8}, {X: -0.8, Y: 0.8}, {X: -0.8, Y: -0.8}, {X: 0.8, Y: -0.8}}
	along := func(d geom.Point) float64 { return (d.X*lean.X + d.Y*lean.Y) / math.Hypot(d.X, d.Y) }
	slices.SortStableFunc(directions, func(a, b geom.Point) int {
		return cmp.Compare(along(b), along(a))
	})
	var all []vg.Rectangle
	for _, gap := range []vg.Length{clear + 1, clear + 9} {
		for _, d := range directions {
			centre := vg.Point{X: at.X + vg.Length(d.X)*(gap+size.X/2),
				Y: at.Y + vg.Length(d.Y)*(gap+size.Y/2)}
			all = append(all, vg.Rectangle{Min: vg.Point{X: centre.X - size.X/2, Y: centre.Y -
				size.Y/2}, Max: vg.Point{X: centre.X + size.X/2, Y: centre.Y + size.Y/2}})
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
