//go:build !minimal

package plots

import (
	"bytes"
	"image/color"
	"regexp"

	"golang.org/x/image/font/sfnt"
	"golang.org/x/image/math/fixed"
	"gonum.org/v1/plot/font"
	"gonum.org/v1/plot/vg"
	"gonum.org/v1/plot/vg/draw"
	"gonum.org/v1/plot/vg/vgpdf"
)

// PDF returns the figure as a PDF document of one page. Text is drawn as outlines: it looks the
// same everywhere and cannot be searched. Caption and alternative text are not in it. Programs
// built with the tag minimal have no PDF.
func (f *Figure) PDF() ([]byte, error) {
	if err := f.validate(); err != nil {
		return nil, err
	}
	c := outlined{vgpdf.New(f.Size())}
	if err := f.Draw(draw.New(c)); err != nil {
		return nil, err
	}
	var b bytes.Buffer
	_, err := c.WriteTo(&b)
	// equal figures are equal bytes
	return pdfTime.ReplaceAll(b.Bytes(), []byte("$1(D:20000101000000)")), err
}

var pdfTime = regexp.MustCompile(`(/(?:Creation|Mod)Date )\(D:\d{14}\)`)

// outlined is a PDF whose text is paths: vgpdf itself has the characters of Windows-1252 only, and
// no italic face.
type outlined struct{ *vgpdf.Canvas }

// SetColor sets a colour that is not multiplied by its alpha, as vgpdf expects it to be.
func (o outlined) SetColor(c color.Color) {
	if c != nil {
		c = straight(color.NRGBAModel.Convert(c).(color.NRGBA))
	}
	o.Canvas.SetColor(c)
}

type straight color.NRGBA

func (s straight) RGBA() (r, g, b, a uint32) {
	return uint32(s.R) * 257, uint32(s.G) * 257, uint32(s.B) * 257, uint32(s.A) * 257
}

func (o outlined) FillString(f font.Face, at vg.Point, text string) {
	const em = 1024 // units of the outlines
	var buffer sfnt.Buffer
	var path vg.Path
	for k, r := range text {
		end := k + len(string(r))
		// with the kerning before the character
		x := at.X + f.Width(text[:end]) - f.Width(text[k:end])
		point := func(p fixed.Point26_6) vg.Point {
			scale := f.Font.Size / (em * 64)
			return vg.Point{X: x + vg.Length(p.X)*scale, Y: at.Y - vg.Length(p.Y)*scale}
		}
		// 0, the sign for a missing character, where there is none
		glyph, _ := f.Face.GlyphIndex(&buffer, r)
		outline, _ := f.Face.LoadGlyph(&buffer, glyph, fixed.I(em), nil)
		for i, s := range outline {
			switch s.Op {
			case sfnt.SegmentOpMoveTo:
				path.Move(point(s.Args[0]))
			case sfnt.SegmentOpLineTo:
				path.Line(point(s.Args[0]))
			case sfnt.SegmentOpQuadTo:
				path.QuadTo(point(s.Args[0]), point(s.Args[1]))
			case sfnt.SegmentOpCubeTo:
				path.CubeTo(point(s.Args[0]), point(s.Args[1]), point(s.Args[2]))
			}
			if i+1 == len(outline) || outline[i+1].Op == sfnt.SegmentOpMoveTo {
				path.Close()
			}
		}
	}
	o.Fill(path)
}
