package decimal

import (
	"math"
	"strconv"
	"testing"

	"github.com/svmkit/course/internal/leaktest"
	"pgregory.net/rapid"
)

func TestMain(m *testing.M) { leaktest.Main(m) }

// Any decimal text: digits around a point, many of them or few, any exponent.
func drawDecimal(t *rapid.T) string {
	return rapid.StringMatching(`[+-]?([0-9]{1,25}(\.[0-9]{0,25})?|\.[0-9]{1,25})([eE][+-]?[0-9]{1,3})?`).Draw(t, "decimal")
}

func TestParseNumberIsExact(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		text := drawDecimal(t)
		if rapid.Bool().Draw(t, "shortest") { // what programs write
			text = strconv.FormatFloat(math.Float64frombits(rapid.Uint64Range(0, 0x7fef_ffff_ffff_ffff).Draw(t, "bits")), 'g', -1, 64)
		}
		if rapid.Bool().Draw(t, "typical") { // most of these take the fast path, up to its edges
			text = strconv.FormatUint(rapid.Uint64Range(0, 1<<54).Draw(t, "m"), 10) + "e" + strconv.Itoa(rapid.IntRange(-24, 24).Draw(t, "e"))
		}
		want, _ := strconv.ParseFloat(text, 64)
		if got, ok := Parse([]byte(text)); !ok || math.Float64bits(got) != math.Float64bits(want) {
			t.Fatalf("Parse(%q) = %v, %v, want %v", text, got, ok, want)
		}
	})
}

// Just beyond 2⁵³ an odd integer is no float64, so that the fast path would round twice.
func TestParseNumberAtTheEdgeOfTheFastPath(t *testing.T) {
	for m := uint64(1<<53 - 50); m < 1<<53+50; m++ {
		for e := -25; e <= 25; e++ {
			text := strconv.FormatUint(m, 10) + "e" + strconv.Itoa(e)
			want, _ := strconv.ParseFloat(text, 64)
			if got, ok := Parse([]byte(text)); !ok || got != want {
				t.Fatalf("Parse(%q) = %v, %v, want %v", text, got, ok, want)
			}
		}
	}
}

func TestParseNumberSyntax(t *testing.T) {
	for text, want := range map[string]float64{"1": 1, "+1": 1, "-1": -1, "1.": 1, ".5": 0.5, "-0": math.Copysign(0, -1),
		"1e3": 1000, "1E+3": 1000, "5e-1": 0.5, "007": 7, "1.e2": 100, "1e99999999999999999999": math.Inf(1),
		"-1e400": math.Inf(-1), "1e-400": 0, "0e99999999999999999999": 0, "18446744073709551617": 18446744073709551617,
		"9007199254740993": 9007199254740992, "0.00000000000000000000000000001": 1e-29} {
		if got, ok := Parse([]byte(text)); !ok || math.Float64bits(got) != math.Float64bits(want) {
			t.Errorf("Parse(%q) = %v, %v, want %v", text, got, ok, want)
		}
	}
	for _, text := range []string{"", "+", "-", ".", "e5", "1e", "1e+", "+-1", "1_000", "0x1p3", "inf", "NaN", "1,5", "1 ", " 1", "1f", "1e5.0", "1..2", "--1"} {
		if got, ok := Parse([]byte(text)); ok {
			t.Errorf("Parse(%q) = %v, want a refusal", text, got)
		}
	}
}
