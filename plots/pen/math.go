package pen

import (
	"image/color"
	"math"
	"strings"
	"unicode"

	xfont "golang.org/x/image/font"
	"gonum.org/v1/plot"
	"gonum.org/v1/plot/font"
	"gonum.org/v1/plot/text"
	"gonum.org/v1/plot/vg"
	"gonum.org/v1/plot/vg/draw"
)

// Math sets labels: plain text in a sans-serif face, and mathematics between dollar signs.
//
// The mathematics is in a subset of LaTeX:
//
//	$x_1$  $w^\star$  $R\sqrt{k}$  $\|w\|$  $\langle w, w^\star\rangle$  $k \le R^2/\gamma^2$
//
// Letters are italic; \arccos, \max, \min, \log are upright; subscripts, superscripts and roots
// take one character, one command or a group in braces. An unknown command is shown by its name. A
// dollar sign without a partner, and \$, is a dollar sign.
//
// gonum/plot's text.Latex (go-latex v0.2.0) panics on subscripts, superscripts, "/" and \langle.
// The Liberation fonts that gonum/plot carries (SIL Open Font License) lack ⟨ ⟩ and ⋆, so brackets,
// bars and roots are drawn as strokes. Liberation has the metrics of Arial and Times, so an SVG
// keeps its layout if they replace it.
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

// Box returns the size of one line. It has the height and depth of the face, so that labels with
// and without superscripts have one baseline.
func (m Math) Box(s string, f font.Font) (width, height, depth vg.Length) {
	e := m.Extents(f)
	return m.layout(s, f).x, e.Ascent, e.Descent
}

// Draw sets s at pt. Alignment and rotation are as in gonum/plot's plain text.
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

// closing returns the place of the next unescaped dollar sign, or −1.
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

// setter sets one line from left to right.
type setter struct {
	layout
	fonts *font.Cache
	sans  font.Font
	size  vg.Length // of the current level of sub- and superscripts
	rise  vg.Length // of the current baseline
	src   []rune
	pos   int

	operand bool // the last piece may be the left operand of a binary sign
}

// Proportions in units of the type size, chosen by eye at 11 pt.
const (
	scriptSize  = 0.70
	superRise   = 0.36
	subRise     = -0.18
	thinSpace   = 0.14
	relSpace    = 0.24
	strokeWidth = 0.055
)

var commands = map[string]string{"alpha": "α",
	"beta": "β", "gamma": "γ", "delta": "δ", "epsilon": "ε", "theta": "θ", "lambda": "λ",
	"mu": "μ", "nu": "ν", "xi": "ξ", "rho": "ρ", "sigma": "σ", "eta": "η", "le": "≤", "leq": "≤",
	"ge": "≥", "geq": "≥", "ne": "≠", "pm": "±", "cdot": "·", "times": "×", "|": "‖", "Vert": "‖",
	"star": "⋆", "infty": "∞", "to": "→", "sum": "∑", "dots": "…", "ldots": "…", "approx": "≈",
	"circ": "°", "{": "{", "}": "}", "langle": "⟨", "rangle": "⟩", ",": "\u2009", " ": "\u2009"}

func (l *setter) put(s string, f font.Font) {
	if s == "" {
		return
	}
	f.Size = l.size
	face := l.fonts.Lookup(f, l.size)
	l.glyphs = append(l.glyphs, glyphs{face, vg.Point{X: l.x, Y: l.rise}, s})
	l.x += face.Width(s)
}

func (l *setter) stroke(points ...vg.Point) {
	for i := range points {
		points[i] = vg.Point{X: l.x + points[i].X*l.size, Y: l.rise + points[i].Y*l.size}
	}
	l.strokes = append(l.strokes, stroke{strokeWidth * l.size, points})
}

// formula sets src from pos, up to an unmatched closing brace.
func (l *setter) formula() {
	for l.pos < len(l.src) && l.src[l.pos] != '}' {
		l.atom()
		l.scripts()
	}
}

// scripts sets a subscript and a superscript, in any order, one over the other.
func (l *setter) scripts() {
	from, end := l.x, l.x
	for l.pos < len(l.src) && (l.src[l.pos] == '_' || l.src[l.pos] == '^') {
		rise := vg.Length(superRise)
		if l.src[l.pos] == '_' {
			rise = subRise
		}
		l.pos++
		size, base := l.size, l.rise
		l.x, l.size, l.rise = from, size*scriptSize, base+rise*size
		l.atom()
		end = max(end, l.x)
		l.size, l.rise = size, base
	}
	l.x = end
}

// atom sets one character, one command with its argument, or one group in braces.
func (l *setter) atom() {
	if l.pos >= len(l.src) {
		return
	}
	r := l.src[l.pos]
	l.pos++
	switch {
	case r == '{':
		l.formula()
		l.pos++ // the closing brace, or past the end
	case r == '\\':
		l.command()
	case unicode.IsSpace(r), r == '}':
	default:
		l.symbol(r)
	}
}

func (l *setter) command() {
	from := l.pos
	for l.pos < len(l.src) && unicode.IsLetter(l.src[l.pos]) {
		l.pos++
	}
	if l.pos == from && l.pos < len(l.src) {
		l.pos++
	}
	name := string(l.src[from:l.pos])
	if name == "sqrt" {
		l.root()
	} else if s, ok := commands[name]; ok {
		l.symbol([]rune(s)[0])
	} else {
		l.put(name, l.roman())
	}
}

// root draws √ with a bar over its argument.
func (l *setter) root() {
	const width, top = 0.50, 0.86
	l.stroke(vg.Point{X: 0.05, Y: 0.30}, vg.Point{X: 0.15, Y: 0.36}, vg.Point{X: 0.29, Y: -0.12},
		vg.Point{X: width, Y: top})
	bar := len(l.strokes) - 1
	l.x += (width + 0.02) * l.size
	l.atom()
	l.x += 0.04 * l.size
	l.strokes[bar].path = append(l.strokes[bar].path, vg.Point{X: l.x, Y: l.rise + top*l.size})
	l.x += 0.04 * l.size
}

func (l *setter) symbol(r rune) {
	space := func(em vg.Length) { l.x += em * l.size }
	defer func() { l.operand = !strings.ContainsRune("=<>≤≥≠≈→-−+±·×,(", r) }()
	switch r {
	case '⟨':
		l.stroke(vg.Point{X: 0.31, Y: 0.76}, vg.Point{X: 0.10, Y: 0.25},
			vg.Point{X: 0.31, Y: -0.26})
		space(0.36)
	case '⟩':
		l.stroke(vg.Point{X: 0.05, Y: 0.76}, vg.Point{X: 0.26, Y: 0.25},
			vg.Point{X: 0.05, Y: -0.26})
		space(0.36)
	case '‖': // the font's own bars print as one
		l.stroke(vg.Point{X: 0.12, Y: 0.76}, vg.Point{X: 0.12, Y: -0.22})
		l.stroke(vg.Point{X: 0.28, Y: 0.76}, vg.Point{X: 0.28, Y: -0.22})
		space(0.40)
	case '⋆', '*':
		l.star()
	case '=', '<', '>', '≤', '≥', '≠', '≈', '→':
		space(relSpace)
		l.put(string(r), l.roman())
		space(relSpace)
	case '-', '−', '+', '±', '·', '×':
		if r == '-' {
			r = '−'
		}
		if l.operand {
			space(thinSpace)
			defer space(thinSpace)
		}
		l.put(string(r), l.roman())
	case ',':
		l.put(",", l.roman())
		space(thinSpace)
	case '\u2009':
		space(thinSpace)
	default:
		if unicode.IsLetter(r) {
			l.put(string(r), l.italic())
		} else if !unicode.IsControl(r) {
			l.put(string(r), l.roman())
		}
	}
}

// star draws ⋆ as three strokes: five-pointed stars fill in at the size of a superscript.
func (l *setter) star() {
	const radius = 0.26
	for _, turn := range []float64{0, 1, 2} {
		sin, cos := math.Sincos(math.Pi/2 + turn*math.Pi/3)
		d := vg.Point{X: vg.Length(cos) * radius, Y: vg.Length(sin) * radius}
		l.stroke(vg.Point{X: 0.32 + d.X, Y: 0.30 + d.Y}, vg.Point{X: 0.32 - d.X, Y: 0.30 - d.Y})
	}
	l.x += 0.62 * l.size
}

func (l *setter) roman() font.Font {
	f := l.sans
	f.Variant = "Serif"
	return f
}

func (l *setter) italic() font.Font {
	f := l.roman()
	f.Style = xfont.StyleItalic
	return f
}
