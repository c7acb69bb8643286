package pen

import (
	"image/color"
	"math"
	"strings"
	"unicode"

	"gonum.org/v1/plot"
	"gonum.org/v1/plot/font"
	"gonum.org/v1/plot/text"
	"gonum.org/v1/plot/vg"
	"gonum.org/v1/plot/vg/draw"
)

// Math sets labels: plain text in a sans-serif face, and text between dollar signs as
// mathematics, in a subset of LaTeX:
//
//	$x_1$  $w^\star$  $R\sqrt{k}$  $\|w\|$  $\langle w, w^\star\rangle$  $k\gamma \le R^2/\gamma^2$
//
// Letters are italic; \arccos, \max, \min, \log are upright; subscripts, superscripts
// and roots take one character, one command or a group in braces. An unknown command
// is shown by its name. A dollar sign without a partner, and \$, is a dollar sign.
//
// gonum/plot's text.Latex (go-latex v0.2.0) panics on subscripts, superscripts, "/" and \langle.
// The Liberation fonts that gonum/plot carries (SIL Open Font License) lack ⟨ ⟩ and ⋆, so brackets,
// bars and roots are drawn as strokes. Liberation's metrics equal those of Arial and Times: an SVG
// keeps its layout where they replace it.
type Math struct{}

var _ text.Handler = Math{}

// Cache returns gonum/plot's cache of fonts.
func (Math) Cache() *font.Cache { return plot.DefaultTextHandler.Cache() }

// Extents returns the extents of the plain-text face.
func (m Math) Extents(f font.Font) font.Extents {
	face := m.Cache().Lookup(f, f.Size)
	return face.Extents()
}

// Lines splits text at line ends.
func (Math) Lines(s string) []string { return strings.Split(strings.TrimRight(s, "\n"), "\n") }

// Box returns the size of one line. Its height and depth are those of the face, so that
// labels with and without superscripts stand on one line.
func (m Math) Box(s string, f font.Font) (width, height, depth vg.Length) {
	e := m.Extents(f)
	return m.layout(s, f).x, e.Ascent, e.Descent
}

// Draw sets s at pt. Alignment and rotation are those of gonum/plot's plain text.
func (m Math) Draw(c vg.Canvas, s string, sty text.Style, pt vg.Point) {
	s = strings.TrimRight(s, "\n")
	if s == "" {
		return
	}
	sin, cos := math.Sincos(sty.Rotation)
	if sty.Rotation != 0 {
		c.Push()
		defer c.Pop()
		c.Rotate(sty.Rotation)
		pt.X, pt.Y = pt.Y*vg.Length(sin)+pt.X*vg.Length(cos),
			pt.Y*vg.Length(cos)-pt.X*vg.Length(sin)
	}
	lines := m.Lines(s)
	pt.Y += sty.Height(s)*vg.Length(sty.YAlign) - m.Extents(sty.Font).Ascent
	for i, line := range lines {
		l := m.layout(line, sty.Font)
		from := pt.Add(vg.Point{X: vg.Length(sty.XAlign) * l.x,
			Y: vg.Length(len(lines)-i) * sty.Font.Size})
		l.draw(c, from, sty.Color)
	}
}

// layout is one line taken apart: glyphs of one face each, and strokes.
type layout struct {
	x       vg.Length // where the next piece begins; in the end, the width
	glyphs  []glyphs
	strokes []stroke
}

type glyphs struct {
	face font.Face
	at   vg.Point
	text string
}

type stroke struct {
	width vg.Length
	path  []vg.Point
}

func (l *layout) draw(c vg.Canvas, from vg.Point, clr color.Color) {
	c.SetColor(clr)
	for _, g := range l.glyphs {
		c.FillString(g.face, from.Add(g.at), g.text)
	}
	for _, s := range l.strokes {
		c.SetLineWidth(s.width)
		c.SetLineDash(nil, 0)
		var p vg.Path
		p.Move(from.Add(s.path[0]))
		for _, q := range s.path[1:] {
			p.Line(from.Add(q))
		}
		c.Stroke(p)
	}
}

// layout takes a line of text with math apart.
func (m Math) layout(s string, f font.Font) *layout {
	f.Typeface, f.Variant = "Liberation", "Sans"
	l := &setter{fonts: m.Cache(), sans: f, size: f.Size}
	rest := []rune(s)
	var plain []rune
	flush := func() {
		l.put(string(plain), l.sans)
		plain = plain[:0]
	}
	for i := 0; i < len(rest); i++ {
		r := rest[i]
		if r == '\\' && i+1 < len(rest) && rest[i+1] == '$' {
			plain = append(plain, '$')
			i++
			continue
		}
		if r == '$' {
			if n := closing(rest[i+1:]); n >= 0 {
				flush()
				l.src, l.pos, l.operand = rest[i+1:i+1+n], 0, false
				l.formula()
				i += n + 1
				continue
			}
		}
		if !unicode.IsControl(r) {
			plain = append(plain, r)
		}
	}
	flush()
	return &l.layout
}

// closing returns where the next unescaped dollar sign stands, or −1.
func closing(s []rune) int {
	for i, r := range s {
		if r == '$' && (i == 0 || s[i-1] != '\\') {
			return i
		}
	}
	return -1
}

// TextStyle returns the theme's style for text of the given size in points.
func TextStyle(points float64) draw.TextStyle {
	return draw.TextStyle{Color: Ink, Font: font.Font{Typeface: "Liberation",
		Variant: "Sans", Size: vg.Points(points)}, Handler: Math{}}
}
