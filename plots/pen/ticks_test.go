package pen

import (
	"math"
	"testing"

	"github.com/svmkit/course/plots/prose"
	"gonum.org/v1/plot"
	"pgregory.net/rapid"
)

// Any range must get a few ticks inside it, quickly.
func TestTicksAreFewAndInside(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		size := rapid.SampledFrom([]float64{1e-300, 1e-12, 1e-3, 1, 7, 1e6, 1e99}).Draw(t, "size")
		lo := size * rapid.Float64Range(-1, 1).Draw(t, "lo")
		hi := lo + size*rapid.SampledFrom([]float64{1e-15, 1e-3, 0.5, 2}).Draw(t, "span")
		if !(hi > lo) {
			t.Skip()
		}
		for name, marks := range map[string][]plot.Tick{"linear": ticks{}.Ticks(lo, hi),
			"log": logTicks{}.Ticks(math.Abs(lo)+1e-300, math.Abs(lo)+1e-300+hi-lo)} {
			if len(marks) > 90 || name == "linear" && (len(marks) < 2 || len(marks) > 12) {
				t.Errorf("%s: %d ticks on [%g, %g]", name, len(marks), lo, hi)
			}
		}
		for _, m := range (ticks{}).Ticks(lo, hi) {
			if m.Value < lo-1e-6*(hi-lo) || m.Value > hi+1e-6*(hi-lo) {
				t.Errorf("tick at %g outside [%g, %g]", m.Value, lo, hi)
			}
		}
	})
	if m := (logTicks{}).Ticks(-1, 10); m != nil {
		t.Errorf("log ticks on a range with zero: %v", m)
	}
}

func TestNumbersInWords(t *testing.T) {
	for v, want := range map[float64]string{0: "0", -1.5: "−1.5", 12345: "12,345",
		1234567: "1,234,567", 0.30004: "0.3", -1000: "−1,000", 1234.56: "1,235", 999: "999"} {
		if got := prose.Num(v); got != want {
			t.Errorf("num(%g) = %q, want %q", v, got, want)
		}
	}
}

func TestThinKeepsTheEndsAndWhatMatters(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		n, limit := rapid.IntRange(1, 5000).Draw(t, "n"), rapid.IntRange(2, 300).Draw(t, "limit")
		keep := rapid.IntRange(0, n-1).Draw(t, "keep")
		rows := Thin(n, limit, keep)
		seen := map[int]bool{}
		for k, i := range rows {
			if i < 0 || i >= n || k > 0 && i <= rows[k-1] {
				t.Fatalf("thin(%d, %d, %d) = %v", n, limit, keep, rows)
			}
			seen[i] = true
		}
		if !seen[0] || !seen[n-1] || !seen[keep] {
			t.Fatalf("first, last or kept row missing in %v", rows)
		}
		if len(rows) > limit+1 || n <= limit && len(rows) != n {
			t.Fatalf("%d of %d rows at a limit of %d", len(rows), n, limit)
		}
	})
}
