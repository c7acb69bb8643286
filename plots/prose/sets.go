package prose

import (
	"strings"

	"github.com/svmkit/course/plots/geom"
	"github.com/svmkit/course/svmkit"
)

func Have(n int) string {
	if n == 1 {
		return "1 has"
	}
	return Count(n) + " have"
}

// Equation writes the plane as a·x1 + b·x2 + c = 0.
func Equation(h svmkit.Hyperplane) string {
	term := func(v float64) string {
		if v < 0 {
			return " − " + Num(-v)
		}
		return " + " + Num(v)
	}
	return Say("%v·x1%s·x2%s = 0", h.W[0], term(h.W[1]), term(h.B))
}

func PointsAre(n int) string {
	switch n {
	case 0:
		return "no point is"
	case 1:
		return "1 point is"
	}
	return Count(n) + " points are"
}

// Are is isAre where the points have been named.
func Are(n int) string {
	if n == 1 {
		return "1 is"
	}
	return Count(n) + " are"
}

// Literal protects the dollar signs of a name that a user gave.
func Literal(s string) string { return strings.ReplaceAll(s, "$", `\$`) }

// Plain turns the math of a label into words for captions.
func Plain(label string) string { return plainMath.Replace(label) }

var plainMath = strings.NewReplacer("$", "", `\gamma`, "γ", `\|`, "‖", `\star`, "*", `\sqrt`, "√",
	`\,`, " ", "{", "", "}", "", "^2", "²", "^", "")

// Axes returns an alternative text's words for the axes.
func Axes(set *svmkit.Dataset) string {
	x, y := "x1", "x2"
	if set.Features != nil {
		x, y = set.Features[0], set.Features[1]
	}
	b := geom.Extent(set)
	return Say("%s from %v to %v (horizontal) and %s from %v to %v (vertical), in equal "+
		"units", x, b.XMin, b.XMax, y, b.YMin, b.YMax)
}

// Points returns an alternative text's words for the points.
func Points(set *svmkit.Dataset) string {
	plus := 0
	for _, y := range set.Y {
		if y > 0 {
			plus++
		}
	}
	return Say("%s of class +1 (filled circles) and %v of class −1 (open squares)",
		Plural(plus, "point"), len(set.Y)-plus)
}

// Thinned says how many are shown; nothing if all are. It begins with a space, to be
// added to a caption.
func Thinned(shown, n int, things string) string {
	if shown >= n {
		return ""
	}
	return Say(" Of %v %s, %v are drawn, evenly spaced, first and last included.", n, things, shown)
}
