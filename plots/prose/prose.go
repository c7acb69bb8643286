package prose

import (
	"fmt"
	"math"
	"strconv"
	"strings"

	"github.com/svmkit/course/plots/geom"
	"github.com/svmkit/course/svmkit"
	"github.com/svmkit/course/svmkit/tune"
)

// Roughly rounds to three significant digits, for the few places where four are too wide.
func Roughly(v float64) float64 { return Significant(v, 3) }

// Significant rounds to a number of significant digits.
func Significant(v float64, digits int) float64 {
	if v == 0 {
		return 0
	}
	unit := math.Pow(10, math.Floor(math.Log10(math.Abs(v)))-float64(digits-1))
	if unit == 0 {
		return 0
	}
	return math.Round(v/unit) * unit
}

// Percent writes a share as a percentage; only 0 is 0 %, only 1 is 100 %.
func Percent(share float64) string {
	v := math.Round(100 * share)
	switch {
	case share > 0 && v == 0:
		return "under 1 %"
	case share < 1 && v == 100:
		return "over 99 %"
	}
	return Num(v) + " %"
}

// Tidy rounds to six decimal places what a solver leaves of a round number.
func Tidy(v float64) float64 { return math.Round(v*1e6) / 1e6 }

// Power writes v as m·10ᵉ in math.
func Power(v float64) string {
	m, e, _ := strings.Cut(strconv.FormatFloat(v, 'e', 3, 64), "e")
	m = strings.TrimRight(strings.TrimRight(m, "0"), ".")
	exponent, _ := strconv.Atoi(e)
	if m == "1" {
		return fmt.Sprintf("10^{%d}", exponent)
	}
	return fmt.Sprintf(`%s\cdot 10^{%d}`, m, exponent)
}

// Num writes a number for captions: four significant digits, a true minus sign, thousands
// set apart by commas.
func Num(v float64) string {
	if v == math.Trunc(v) && math.Abs(v) < 1e7 {
		return Count(int(v))
	}
	if a := math.Abs(v); a >= 1e3 && a < 1e7 {
		return Count(int(math.Round(v)))
	}
	return Minus(strconv.FormatFloat(v, 'g', 4, 64))
}

// Count writes a whole number with commas between thousands.
func Count(n int) string {
	s := strconv.Itoa(n)
	digits := strings.TrimPrefix(s, "-")
	sign := s[:len(s)-len(digits)]
	for i := len(digits) - 3; i > 0; i -= 3 {
		digits = digits[:i] + "," + digits[i:]
	}
	return Minus(sign + digits)
}

func Minus(s string) string { return strings.ReplaceAll(s, "-", "−") }

// Plural writes a count with its noun.
func Plural(n int, noun string) string { return Count(n) + " " + noun + Either(n == 1, "", "s") }

// UpperFirst begins a sentence with s.
func UpperFirst(s string) string {
	if s == "" || s[0] < 'a' || s[0] > 'z' {
		return s
	}
	return string(s[0]-'a'+'A') + s[1:]
}

// List joins names by commas.
func List(names []string) string { return strings.Join(names, ", ") }

func Signed(y float64) string { return Minus(fmt.Sprintf("%+g", y)) }

// Say is fmt.Sprintf whose verb %v writes a float64 by [Num], an int by [Count], a point as (x, y),
// and several of these or strings with commas between them.
func Say(format string, args ...any) string {
	for i, arg := range args { // in place: go vet knows a wrapper of Sprintf by its args
		switch v := arg.(type) {
		case float64:
			args[i] = number(v)
		case int:
			args[i] = count(v)
		case geom.Point:
			args[i] = "(" + Num(v.X) + ", " + Num(v.Y) + ")"
		case [2]float64:
			args[i] = "(" + Num(v[0]) + ", " + Num(v[1]) + ")"
		case []int:
			args[i] = several(v)
		case []string:
			args[i] = several(v)
		}
	}
	return fmt.Sprintf(format, args...)
}

// If is [Say] if the condition holds, else "".
func If(condition bool, format string, args ...any) string {
	if condition {
		return Say(format, args...)
	}
	return ""
}

// Either returns yes if the condition holds, else no.
func Either(condition bool, yes, no string) string {
	if condition {
		return yes
	}
	return no
}

func several[T any](vs []T) string {
	all := make([]string, len(vs))
	for i, v := range vs {
		all[i] = Say("%v", v)
	}
	return List(all)
}

// First describes the first things, at most limit of them; more counts the others.
func First[T any](limit int, things []T, more string, describe func(T) string) (words string) {
	for k, thing := range things {
		if k == limit {
			return words + Say(more, len(things)-k)
		}
		words += describe(thing)
	}
	return words
}

// Cells describes a grid of costs C by values of γ for an alternative text: what its cells hold,
// and the text of each.
func Cells(costs, gammas []float64, held string, cell func(i, j int) string) string {
	words := Say("Grid of %d costs C (horizontal) by %d values of γ (vertical), from %v to %v, with %s. "+
		"From the least γ to the largest,", len(costs), len(gammas), Roughly(gammas[0]),
		Roughly(gammas[len(gammas)-1]), held)
	for i, c := range costs {
		row := make([]string, len(gammas))
		for j := range gammas {
			row[j] = cell(i, j)
		}
		words += Say(" C = %v: %s.", c, List(row))
	}
	return words
}

type number float64

func (n number) String() string { return Num(float64(n)) }

type count int

func (n count) String() string { return Count(int(n)) }

func Have(n int) string { return Count(n) + Either(n == 1, " has", " have") }

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

// Be writes a count with its noun and a form of be.
func Be(n int, noun string) string { return Plural(n, noun) + Either(n == 1, " is", " are") }

// PointsAre is [Be] for points, of which there may be none.
func PointsAre(n int) string { return Either(n == 0, "no point is", Be(n, "point")) }

// Are is [Be] where the noun has been named.
func Are(n int) string { return Count(n) + Either(n == 1, " is", " are") }

// Literal protects the dollar signs of a name that a user gave.
func Literal(s string) string { return strings.ReplaceAll(s, "$", `\$`) }

// Plain turns the math of a label into words for captions.
func Plain(label string) string { return plainMath.Replace(label) }

var plainMath = strings.NewReplacer("$", "", `\gamma`, "γ", `\|`, "‖", `\star`, "*", `\sqrt`, "√",
	`\,`, " ", "{", "", "}", "", "^2", "²", "^", "")

// Axes returns an alternative text's words for the axes.
func Axes(set *svmkit.Dataset) string { return AxesIn(set, "equal") }

// AxesIn is [Axes] for units that are equal or different.
func AxesIn(set *svmkit.Dataset, units string) string {
	b := geom.Extent(set)
	return Say("%s from %v to %v (horizontal) and %s from %v to %v (vertical), in %s units",
		Feature(set, 0), b.XMin, b.XMax, Feature(set, 1), b.YMin, b.YMax, units)
}

// Feature returns the name of a column.
func Feature(set *svmkit.Dataset, j int) string {
	if set.Features != nil {
		return set.Features[j]
	}
	return fmt.Sprintf("x%d", j+1)
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

// Thinned returns a sentence with the number of things shown, or "" if all are. It begins with a
// space, for the end of a caption.
func Thinned(shown, n int, things string) string {
	if shown >= n {
		return ""
	}
	return Say(" Of %v %s, %v are drawn, evenly spaced, first and last included.", n, things, shown)
}

// Params writes the parameters of a point.
func Params(p tune.Params) string {
	text := "C = " + Num(Roughly(p.C))
	if p.Gamma != 0 {
		text += ", γ = " + Num(Roughly(p.Gamma))
	}
	return text
}

// Found describes the result of a search with cross-validation: the best point, and the choice of
// the one-standard-error rule.
func Found(best, simplest tune.Point, score string, folds int) string {
	measured := func(p tune.Point) string {
		if math.IsNaN(p.StdErr) {
			return Num(Roughly(p.Mean))
		}
		return Num(Roughly(p.Mean)) + " ± " + Num(Significant(p.StdErr, 2))
	}
	text := fmt.Sprintf("The best mean %s over %s, %s, is that of %s", score, Plural(folds, "fold"),
		measured(best), Params(best.Params))
	switch {
	case math.IsNaN(best.StdErr):
		return text + "; one fold alone has no standard error."
	case best.Params == simplest.Params:
		return text + "; no simpler point is within one standard error of it."
	}
	return text + fmt.Sprintf("; within one standard error of it, the simplest is %s, with %s.",
		Params(simplest.Params), measured(simplest))
}
