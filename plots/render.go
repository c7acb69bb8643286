package plots

import (
	"bytes"
	"encoding/xml"
	"fmt"
	"hash/fnv"
	"image"
	"image/png"
	"math"
	"strconv"
	"strings"

	"gonum.org/v1/plot/font"
	"gonum.org/v1/plot/vg"
	"gonum.org/v1/plot/vg/draw"
	"gonum.org/v1/plot/vg/vgimg"
	"gonum.org/v1/plot/vg/vgsvg"
)

// pngDPI is twice the 96 pixels per inch of a page at its normal size, so that the picture is sharp
// on dense screens. Show it at half its width in pixels.
const pngDPI = 192

// PNG returns the figure as a PNG image at 192 pixels per inch.
//
// It has 256 colours, which makes the file a third as large as with all colours.
func (f *Figure) PNG() ([]byte, error) { return f.png(pngDPI) }

// Thumbnail returns the figure as PNG does, at 96 pixels per inch.
//
// This is a quarter of the pixels, for places with many pictures.
func (f *Figure) Thumbnail() ([]byte, error) { return f.png(pngDPI / 2) }

func (f *Figure) png(dpi int) ([]byte, error) {
	img, err := f.image(dpi)
	if err != nil {
		return nil, err
	}
	picture := img.(*image.RGBA)
	encoder := png.Encoder{CompressionLevel: png.BestCompression}
	var b bytes.Buffer
	err = encoder.Encode(&b, reduce(picture, commonPalette(picture)))
	return b.Bytes(), err
}

// image draws the figure at the given number of pixels per inch.
func (f *Figure) image(dpi int) (image.Image, error) {
	if err := f.validate(); err != nil {
		return nil, err
	}
	w, h := f.Size()
	c := vgimg.NewWith(vgimg.UseWH(w, h), vgimg.UseDPI(dpi))
	if err := f.Draw(draw.New(c)); err != nil {
		return nil, err
	}
	return c.Image(), nil
}

// SVG returns the figure as an SVG document, which a screen reader announces as one image.
//
// The caption is its title, and the alternative text its description. Text stays text. It is set in
// Liberation, or in fonts of the same metrics if Liberation is not installed; other fonts are
// stretched to its width.
func (f *Figure) SVG() ([]byte, error) {
	if err := f.validate(); err != nil {
		return nil, err
	}
	w, h := f.Size()
	c := &measured{Canvas: vgsvg.New(w, h)}
	if err := f.Draw(draw.New(c)); err != nil {
		return nil, err
	}
	var b bytes.Buffer
	if _, err := c.WriteTo(&b); err != nil {
		return nil, err
	}
	return f.accessible(c.stretch(c.paths(b.String()))), nil
}

// measured is an SVG that remembers how wide each of its texts is in the figure's own fonts, and
// the data of its paths.
type measured struct {
	*vgsvg.Canvas
	widths []vg.Length
	data   []string
}

func (m *measured) FillString(f font.Face, at vg.Point, text string) {
	m.widths = append(m.widths, f.Width(text))
	m.Canvas.FillString(f, at, text)
}

// stretch gives each text its width, so that its neighbours, such as a symbol, are in the same
// place in any font.
func (m *measured) stretch(svg string) string {
	const open = "<text "
	var b strings.Builder
	for _, width := range m.widths {
		before, after, _ := strings.Cut(svg, open)
		// two texts may have a space between them
		b.WriteString(before + open + `xml:space="preserve" `)
		if width > 1 {
			fmt.Fprintf(&b, `textLength="%.5g" lengthAdjust="spacingAndGlyphs" `, width.Points())
		}
		svg = after
	}
	return b.String() + svg
}

// accessible writes the figure's words into the document that vgsvg made.
func (f *Figure) accessible(svg string) []byte {
	open := strings.Index(svg, "<svg ")
	end := open + strings.Index(svg[open:], ">")
	// The ids must differ between the figures of a page, and be the same on each run.
	sum := fnv.New64a()
	sum.Write([]byte(svg))
	id := fmt.Sprintf("fig-%x", sum.Sum64())

	var b bytes.Buffer
	b.WriteString(svg[:open])
	fmt.Fprintf(&b, `<svg role="img" aria-labelledby="%s-t" aria-describedby="%s-d" `, id, id)
	b.WriteString(svg[open+len("<svg ") : end+1])
	fmt.Fprintf(&b, "\n<title id=\"%s-t\">", id)
	xml.EscapeText(&b, []byte(f.Caption)) // a bytes.Buffer does not fail
	fmt.Fprintf(&b, "</title>\n<desc id=\"%s-d\">", id)
	xml.EscapeText(&b, []byte(f.Alt))
	b.WriteString("</desc>\n")
	b.WriteString(metricTwins.Replace(svg[end+1:]))
	return b.Bytes()
}

// metricTwins names fonts whose glyphs are as wide as Liberation's. The text of a figure
// cannot hold these strings: vgsvg writes them inside style attributes only.
var metricTwins = strings.NewReplacer("font-family:Liberation Sans;",
	"font-family:'Liberation Sans',Arial,Helvetica,sans-serif;", "font-family:Liberation Serif;",
	"font-family:'Liberation Serif','Times New Roman',Times,serif;")

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
