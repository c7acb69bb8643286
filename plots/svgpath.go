package plots

import (
	"math"
	"strconv"
	"strings"

	"gonum.org/v1/plot/vg"
)

// The paths of an SVG are written here: vgsvg needs several times as long for the same bytes, which
// is a third of the time of a figure with many marks.

func (m *measured) Fill(p vg.Path) { m.Canvas.Fill(m.indexed(p)) }

func (m *measured) Stroke(p vg.Path) { m.Canvas.Stroke(m.indexed(p)) }

// indexed keeps the data of a path, and returns a path for vgsvg that holds their index: a move to
// (k, 0). What svgPath does not write is left to vgsvg.
func (m *measured) indexed(p vg.Path) vg.Path {
	data, ok := svgPath(p)
	if !ok {
		return p
	}
	m.data = append(m.data, data)
	k := len(m.data) - 1
	at := vg.Point{X: vg.Length(k / 1000), Y: vg.Length(k % 1000)} // vgsvg writes five digits
	return vg.Path{{Type: vg.MoveComp, Pos: at}}
}

// paths puts the data that were kept in the place of their indices.
func (m *measured) paths(svg string) string {
	const open = `<path d="`
	var b strings.Builder
	for {
		before, after, found := strings.Cut(svg, open)
		b.WriteString(before)
		if !found {
			return b.String()
		}
		data, rest, _ := strings.Cut(after, `"`)
		high, low, _ := strings.Cut(strings.TrimPrefix(data, "M"), ",")
		if h, err := strconv.Atoi(high); err == nil {
			if l, err := strconv.Atoi(low); err == nil {
				data = m.data[1000*h+l]
			}
		}
		b.WriteString(open + data + `"`)
		svg = rest
	}
}

// svgPath returns the data of a path of lines and full circles as vgsvg writes them; ok is false
// for any other.
func svgPath(p vg.Path) (data string, ok bool) {
	b := make([]byte, 0, 16*len(p))
	number := func(v float64) { b = strconv.AppendFloat(b, v, 'g', 5, 64) }
	to := func(word string, x, y float64) {
		b = append(b, word...)
		number(x)
		b = append(b, ',')
		number(y)
	}
	var x, y float64 // where the last component ended
	for _, c := range p {
		switch {
		case c.Type == vg.MoveComp:
			x, y = c.Pos.X.Points(), c.Pos.Y.Points()
			to("M", x, y)
		case c.Type == vg.LineComp:
			x, y = c.Pos.X.Points(), c.Pos.Y.Points()
			to("L", x, y)
		case c.Type == vg.CloseComp:
			b = append(b, 'Z')
		case c.Type == vg.ArcComp && c.Start == 0 && c.Angle == 2*math.Pi:
			r := c.Radius.Points()
			// an arc of SVG ends elsewhere than it begins
			for _, turn := range []float64{0, math.Pi, 2 * math.Pi} {
				sin, cos := math.Sincos(turn)
				fromX, fromY := x, y
				x, y = c.Pos.X.Points()+r*cos, c.Pos.Y.Points()+r*sin
				switch {
				case turn > 0:
					to("A", r, r)
					to(" 0 1 1 ", x, y)
				case x != fromX || y != fromY:
					to("L", x, y)
				}
			}
		default:
			return "", false
		}
	}
	return string(b), true
}
