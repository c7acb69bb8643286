package lab

import (
	"errors"
	"fmt"
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
		{"for all", func() { ForAll("squares", 10, func(*rand.Rand) error { return nil }) }, "✓ squares — 10 random cases\n", false},
		{"for all but one", func() {
			n := 0
			ForAll("squares", 10, func(*rand.Rand) error { n++; return True("n", n < 4) })
		}, "✗ squares — random case 3: n: not so\n", true},
		{"each", func() { Each("odd", []int{1, 3}, odd) }, "✓ odd — checked at all 2\n", false},
		{"each but one", func() { Each("odd", []int{1, 4}, odd) }, "✗ odd — item 2 of 2: 4 is odd: not so\n", true},
		{"each of nothing", func() { Each("odd", nil, odd) }, "✗ odd — there was nothing to check\n", true},
		{"a claim of two lines is one line", func() { Check("a\nb", true, "c\nd") }, "✓ a b — c d\n", false},
		{"must", func() { Must(1, errors.New("no file")) }, "✗ this cell can do its work — no file\n", true},
		{"a figure without words", func() { Show(nil) }, "✗ every figure has a caption", true},
		{"an animation without words", func() { Play(nil) }, "✗ every animation has", true},
		{"an explorable without its default", func() { Explore(Explorable{Default: 1}) }, "✗ an explorable has a default", true},
		{"a stub", func() { Exercise("9.1", func() error { return errors.New("too small") }) }, "✎ Exercise 9.1: not yet — too small\n", false},
		{"a stub that panics", func() { Exercise("9.1", func() error { panic("index out of range") }) }, "✎ Exercise 9.1: not yet — your function panicked: index", false},
		{"a solution", func() { Exercise("9.1", func() error { return nil }) }, "✓ Exercise 9.1: solved\n", false},
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
	nan := 0.0
	nan /= nan
	for _, c := range []struct {
		name string
		err  error
		fine bool
	}{
		{"near", Near("x", 1, 1.05, 0.1), true},
		{"not near", Near("x", 1, 1.2, 0.1), false},
		{"NaN is near nothing", Near("x", nan, 1, 10), false},
		{"at most", AtMost("x", 1, 1, 0), true},
		{"more", AtMost("x", 1.1, 1, 0), false},
		{"more, within the tolerance", AtMost("x", 1.1, 1, 0.2), true},
		{"NaN is at most nothing", AtMost("x", nan, 1, 10), false},
	} {
		if (c.err == nil) != c.fine {
			t.Errorf("%s: %v", c.name, c.err)
		}
	}
}
