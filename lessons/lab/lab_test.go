package lab

import (
	"errors"
	"fmt"
	"math"
	"math/rand/v2"
	"strings"
	"testing"

	"github.com/svmkit/course/internal/leaktest"
)

func TestMain(m *testing.M) { leaktest.Main(m) }

// watch runs a cell's words and returns what they printed and whether the cell ended.
func watch(t *testing.T, cell func()) (printed string, ended bool) {
	t.Helper()
	var b strings.Builder
	oldOut, oldExit := out, exit
	out, exit = &b, func() { ended = true }
	defer func() { out, exit = oldOut, oldExit }()
	cell()
	return b.String(), ended
}

func TestClaims(t *testing.T) {
	odd := func(i int, v int) error { return True(fmt.Sprint(v, " is odd"), v%2 == 1) }
	for _, c := range []struct {
		name string
		cell func()
		want string // beginning of the printed line
		ends bool
	}{
		{"a check that holds", func() { Check("1 < 2", 1 < 2, "%d and %d", 1, 2) }, "✓ 1 < 2 — 1 and 2\n", false},
		{"a check that falls", func() { Check("2 < 1", 2 < 1, "%d and %d", 2, 1) }, "✗ 2 < 1 — 2 and 1\n", true},
		{"a comparison that holds", func() { Holds("1 = 1", Near("one", 1, 1, 0)) }, "✓ 1 = 1\n", false},
		{"a comparison that fails", func() { Holds("1 = 2", Near("one", 1, 2, 0)) }, "✗ 1 = 2 — one: got 1, want 2", true},
		{"for all", func() { ForAll("squares", 10, func(*rand.Rand) error { return nil }) }, "✓ squares\n", false},
		{"for all but one", func() {
			n := 0
			ForAll("squares", 10, func(*rand.Rand) error { n++; return True("n", n < 4) })
		}, "✗ squares — random case 3: n: not so\n", true},
		{"for all of nothing", func() { ForAll("squares", 0, nil) }, "✗ squares — there was nothing to check\n", true},
		{"each", func() { Each("odd", []int{1, 3}, odd) }, "✓ odd\n", false},
		{"each but one", func() { Each("odd", []int{1, 4}, odd) }, "✗ odd — item 2 of 2: 4 is odd: not so\n", true},
		{"each of nothing", func() { Each("odd", nil, odd) }, "✗ odd — there was nothing to check\n", true},
		{"a claim of two lines is one line", func() { Check("a\nb", true, "c\nd") }, "✓ a b — c d\n", false},
		{"must", func() { Must(1, errors.New("no file")) }, "✗ this cell can do its work — no file\n", true},
		{"a figure without words", func() { Show(nil) }, "✗ every figure has a caption", true},
		{"an explorable without anything", func() { Explore(Explorable{}) }, "✗ an explorable can be shown — an explorable has a figure", true},
		{"a stub", func() { Exercise("9.1", func(int) error { return errors.New("too small") }, 1) }, "✎ Exercise 9.1: not yet — too small\n", false},
		{"a stub that panics", func() { Exercise("9.1", func(int) error { panic("index out of range") }, 1) }, "✎ Exercise 9.1: not yet — your function panicked: index", false},
		{"a solution", func() { Exercise("9.1", func(int) error { return nil }, 1) }, "✓ Exercise 9.1: solved\n", false},
	} {
		printed, ended := watch(t, c.cell)
		if !strings.HasPrefix(printed, c.want) || ended != c.ends || strings.Count(printed, "\n") != 1 {
			t.Errorf("%s: printed %q, ended %v; want %q…, %v", c.name, printed, ended, c.want, c.ends)
		}
	}
}

// The same cases come in every run, and each case has its own numbers.
func TestForAllIsSeeded(t *testing.T) {
	draw := func() (numbers []float64) {
		watch(t, func() {
			ForAll("", 5, func(r *rand.Rand) error { numbers = append(numbers, r.Float64()); return nil })
		})
		return numbers
	}
	first, second := draw(), draw()
	seen := map[float64]bool{}
	for i, v := range first {
		if second[i] != v || seen[v] {
			t.Fatalf("case %d: %v, then %v", i, first, second)
		}
		seen[v] = true
	}
}

func TestComparisons(t *testing.T) {
	nan, inf := math.NaN(), math.Inf(1)
	of := func(v ...float64) []float64 { return v }
	for _, c := range []struct {
		name string
		err  error
		want string // in the message; "" for no error
	}{
		{"near", Near("x", 1, 1.05, 0.1), ""},
		{"not near", Near("x", 1, 1.2, 0.1), "x: got 1, want 1.2"},
		{"NaN is near nothing", Near("x", nan, 1, inf), "got NaN"},
		{"nothing is near NaN", Near("x", 1, nan, 10), "want NaN"},
		{"no tolerance is NaN", Near("x", 1, 1.1, nan), "tolerance NaN"},
		{"an infinity is near itself", Near("x", inf, inf, 0), ""},
		{"and not near its opposite", Near("x", -inf, inf, inf), "got -Inf"},
		{"nor near a number", Near("x", inf, 1, inf), "got +Inf"},
		{"near by a relative tolerance", NearBy("x", -1001, -1000, 0.01), ""},
		{"not near by a relative tolerance", NearBy("x", 1.02, 1, 0.01), "got 1.02"},
		{"NaN is near nothing, relatively", NearBy("x", 1, nan, 0.01), "want NaN"},
		{"an infinity, relatively", NearBy("x", 1, inf, 0.01), "want +Inf"},
		{"at most", AtMost("x", 1, 1, 0), ""},
		{"more", AtMost("x", 1.1, 1, 0), "want at most 1 "},
		{"more, within the tolerance", AtMost("x", 1.1, 1, 0.2), ""},
		{"less by 0.1", AtMost("x", 0.8, 1, -0.1), ""},
		{"not less by 0.1", AtMost("x", 1, 1, -0.1), "want at most 1 "},
		{"not more by 0.1", AtLeast("x", 1, 1, -0.1), "want at least 1 "},
		{"NaN is at most nothing", AtMost("x", nan, 1, 10), "got NaN"},
		{"nothing is at most NaN", AtMost("x", 1, nan, 10), "at most NaN"},
		{"an infinite bound says nothing", AtMost("x", 1, inf, 0), "at most +Inf"},
		{"-Inf is at most no number", AtMost("x", -inf, 1, 0), "got -Inf"},
		{"at least", AtLeast("x", 1, 1.1, 0.2), ""},
		{"less", AtLeast("x", 1, 1.1, 0), "want at least 1.1 "},
		{"NaN is at least nothing", AtLeast("x", nan, 1, 10), "got NaN"},
		{"nothing is at least NaN", AtLeast("x", 1, nan, 10), "at least NaN"},
		{"+Inf is at least no number", AtLeast("x", inf, 1, 0), "got +Inf"},
		{"same", Same("w", of(1, inf), of(1.01, inf), 0.1), ""},
		{"another entry", Same("w", of(1, 2, 3), of(1, 5, 6), 0.1), "w[1]: got 2, want 5"},
		{"another length", Same("w", of(1), of(1, 2), 0.1), "got 1 numbers, want 2"},
		{"NaN is the same as nothing", Same("w", of(1, nan), of(1, nan), 0.1), "w[1]: got NaN"},
		{"an infinity that is not in both", Same("w", of(inf), of(0), inf), "w[0]: got +Inf"},
		{"finite", Finite("α", 1, -2), ""},
		{"NaN is not finite", Finite("α", 1, nan), "α[1]: got NaN"},
		{"an infinity is not finite", Finite("α", -inf), "α[0]: got -Inf"},
		{"true", True("1 < 2", 1 < 2), ""},
		{"NaN makes no comparison true", True("NaN < 2", AtMost("x", nan, 2, 0) == nil), "NaN < 2: not so"},
	} {
		if c.want == "" && c.err != nil || c.want != "" && (c.err == nil || !strings.Contains(c.err.Error(), c.want)) {
			t.Errorf("%s: %v, want %q", c.name, c.err, c.want)
		}
	}
}

func TestCounts(t *testing.T) {
	Counts = true
	defer func() { Counts = false }()
	printed, _ := watch(t, func() {
		ForAll("squares", 10, func(*rand.Rand) error { return nil })
		Each("odd", []int{1, 3}, func(int, int) error { return nil })
	})
	if want := "✓ squares — 10 random cases\n✓ odd — checked at all 2\n"; printed != want {
		t.Errorf("printed %q, want %q", printed, want)
	}
}
