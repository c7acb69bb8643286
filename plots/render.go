package plots

import (
	"bytes"
	"encoding/xml"
	"fmt"
	"hash/fnv"
	"image"
	"image/color"
	"image/png"
	"strings"

	"gonum.org/v1/plot/font"
	"gonum.org/v1/plot/vg"
	"gonum.org/v1/plot/vg/draw"
	"gonum.org/v1/plot/vg/vgimg"
	"gonum.org/v1/plot/vg/vgsvg"
)

// pngDPI is twice the 96 pixels an inch of a page at its normal size, so that the picture
// is sharp on dense screens. Show it at half its width in pixels.
const pngDPI = 192

// PNG returns the figure as a PNG image at 192 pixels an inch, in 256 colours, a third
// of the file's size with all of them.
func (f *Figure) PNG() ([]byte, error) { return f.png(pngDPI) }

// Thumbnail returns the figure as PNG does, at 96 pixels an inch: a quarter of the pixels,
// for places that hold many pictures.
func (f *Figure) Thumbnail() ([]byte, error) { return f.png(pngDPI / 2) }

func (f *Figure) png(dpi int) ([]byte, error) {
	img, err := f.image(dpi)
	if err != nil {
		return nil, err
	}
	picture := img.(*image.RGBA)
	palette := commonPalette([]*image.RGBA{picture})
	encoder := png.Encoder{CompressionLevel: png.BestCompression}
	var b bytes.Buffer
	err = encoder.Encode(&b, reduce(picture, palette, map[color.RGBA]uint8{}))
	return b.Bytes(), err
}

// image draws the figure at the given number of pixels an inch.
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

// SVG returns the figure as an SVG document that a screen reader announces as one image: the
// caption is its title, the alternative text its description. Text stays text. It is set in
// Liberation, or in fonts of the same metrics where that is not installed; other fonts are
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

// stretch gives each text its width: what stands beside it, a symbol say, stands where it does in
// any font.
func (m *measured) stretch(svg string) string {
	const open = "<text "
	var b strings.Builder
	for _, width := range m.widths {
		before, after, _ := strings.Cut(svg, open)
		// a space may stand between two texts
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
