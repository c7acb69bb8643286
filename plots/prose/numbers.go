package prose

import (
	"fmt"
	"math"
	"strconv"
	"strings"

	"github.com/svmkit/course/plots/geom"
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
func Plural(n int, noun string) string {
	if n == 1 {
		return "1 " + noun
	}
	return Count(n) + " " + noun + "s"
}

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

// Say is fmt.Sprintf whose verb %v writes a float64 by [Num], an int by [Count], and a point as
// (x, y).
func Say(format string, args ...any) string {
	for i, arg := range args { // in place: go vet knows a wrapper of Sprintf by its args
		switch v := arg.(type) {
		case float64:
			args[i] = number(v)
		case int:
			args[i] = count(v)
		case geom.Point:
			args[i] = "(" + Num(v.X) + ", " + Num(v.Y) + ")"
		}
	}
	return fmt.Sprintf(format, args...)
}

type number float64

func (n number) String() string { return Num(float64(n)) }

type count int

func (n count) String() string { return Count(int(n)) }
