package pen

import (
	"strings"
	"testing"

	"github.com/svmkit/course/plots/prose"
	"gonum.org/v1/plot/vg"
	"pgregory.net/rapid"
)

func set(s string) *layout { return Math{}.layout(s, TextStyle(10).Font) }

func texts(l *layout) string {
	var parts []string
	for _, g := range l.glyphs {
		parts = append(parts, g.text)
	}
	return strings.Join(parts, "|")
}

func TestMathLabels(t *testing.T) {
	for source, want := range map[string]string{
		"plain text":                   "plain text",
		"$x_1$ and $w$":                "x|1| and |w",
		`$R\sqrt{k}$`:                  "R|k",
		`$\gamma \le 2$`:               "γ|≤|2",
		"$-3$":                         "−|3",
		`\$5 and $5`:                   "$5 and $5",
		`$a\$b$`:                       "a|$|b",
		`$\arccos$`:                    "arccos",
		prose.Literal("a$b$c"):         "a$b$c",
		"bell\a":                       "bell",
		`$x_{ij}^2$`:                   "x|i|j|2",
		"$}$" + "$\\sqrt$" + "${x$":    "x",
		`$\langle w, w^\star \rangle$`: "w|,|w",
	} {
		if got := texts(set(source)); got != want {
			t.Errorf("%q is set as %q, want %q", source, got, want)
		}
	}
	// Variables are italic, digits and functions upright, plain text sans-serif.
	l := set(`a $x = 2$`)
	if f := l.glyphs[0].face.Font; f.Variant != "Sans" {
		t.Errorf("plain text is set in %v", f)
	}
	if x, two := l.glyphs[1].face.Font, l.glyphs[3].face.Font; x.Style == two.Style ||
		x.Variant != "Serif" || two.Variant != "Serif" {
		t.Errorf("x is set in %v, 2 in %v", x, two)
	}
}

func TestScriptsAndRoots(t *testing.T) {
	l := set("$x_1^2$")
	base, sub, super := l.glyphs[0], l.glyphs[1], l.glyphs[2]
	if sub.at.Y >= 0 || super.at.Y <= 0 || sub.at.X != super.at.X {
		t.Errorf("x_1^2: base at %v, subscript at %v, superscript at %v", base.at, sub.at, super.at)
	}
	if sub.face.Font.Size >= base.face.Font.Size {
		t.Error("a subscript is not smaller than its base")
	}
	root := set(`$\sqrt{kn}$`)
	bar := root.strokes[0].path
	end, last := bar[len(bar)-1], root.glyphs[1]
	if width := last.face.Width("n"); end.X < last.at.X+width {
		t.Errorf("the root's bar ends at %v, its argument at %v", end.X, last.at.X+width)
	}
	if w := set(`$\|w\|$`); len(w.strokes) != 4 {
		t.Errorf("two double bars have %d strokes", len(w.strokes))
	}
}

// Whatever a user names a column, it must not stop the program, and longer text must not
// be narrower than its plain part.
func TestAnyTextCanBeSet(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		s := rapid.StringOf(rapid.SampledFrom([]rune(`a$\{}^_ x1-+⟨‖⋆√,|\sqrt\gamma`+"\n\x00é漢"))).Draw(t, "s")
		w, h, d := Math{}.Box(s, TextStyle(10).Font)
		if !(w >= 0 && w < vg.Length(60*len(s)+1)) || h <= 0 || d < 0 {
			t.Fatalf("%q measures %v by %v and %v", s, w, h, d)
		}
		if plain := set(prose.Literal(s)); !strings.ContainsAny(s, "\\\n\x00") &&
			texts(plain) != s && s != "" {
			t.Fatalf("literal %q is set as %q", s, texts(plain))
		}
	})
}
