// Package lab holds the functions of a lesson's cell: to state a claim and have it checked
// ([Check], [Holds], [ForAll], [Each]), to show a figure ([Show], [Explore], [Live]), and
// to pose an exercise ([Exercise]) and hold its check to known answers ([Answers]).
//
// A claim that holds prints one line that begins with "✓" and says what was compared. A claim that
// fails prints one that begins with "✗" and ends the cell's process, so that the kernel reports an
// error and `lessons run` fails with the claim's words.
//
// The package prints and exits because a cell is a program.
package lab

import (
	"fmt"
	"io"
	"math"
	"math/rand/v2"
	"os"
	"strings"
)

// Marks that begin the lines of a cell's output. The runner and the pages read them.
const (
	Pass   = "✓" // a claim that was checked and holds
	Fail   = "✗" // a claim that fails
	NotYet = "✎" // an exercise that is not solved yet
)

// out and exit are variables so that tests can watch a cell fail without ending themselves.
var (
	out  io.Writer = os.Stdout
	exit           = func() {
		flush()
		os.Exit(1)
	}
)

// Check states a claim and whether it holds. The format and its arguments say what was compared;
// they are printed in both cases, so that a reader sees the numbers.
//
//	lab.Check("w = 0 is no plane", errors.Is(err, svmkit.ErrNoNormal), "NewHyperplane says: %v", err)
func Check(claim string, ok bool, format string, args ...any) {
	detail := fmt.Sprintf(format, args...)
	if !ok {
		fall(claim, detail)
		return
	}
	pass(claim, detail)
}

// Holds states a claim that a comparison decides: it holds if err is nil, else the error says why
// not.
//
//	lab.Holds("the width is 2/‖w‖", lab.Near("width", width, 2/norm, 1e-12))
func Holds(claim string, err error) {
	if err != nil {
		fall(claim, err.Error())
		return
	}
	pass(claim, "")
}

// ForAll checks a property on n random cases, each with a generator of its own: the same n cases in
// every run. A property returns nil where it holds; [Near], [AtMost], [Same] and their like make
// the errors. It fails when n is not positive.
func ForAll(claim string, n int, property func(r *rand.Rand) error) {
	if collected != nil {
		return
	}
	for i := range n {
		if err := property(rand.New(rand.NewPCG(1, uint64(i)))); err != nil {
			fall(claim, fmt.Sprintf("random case %d: %v", i, err))
			return
		}
	}
	if n <= 0 {
		fall(claim, "there was nothing to check")
		return
	}
	pass(claim, fmt.Sprintf("%d random cases", n))
}

// Each checks a property at every item: at every mistake of a run, at every row of a set.
// It fails when there is no item.
func Each[T any](claim string, items []T, property func(i int, item T) error) {
	if collected != nil {
		return
	}
	for i, item := range items {
		if err := property(i, item); err != nil {
			fall(claim, fmt.Sprintf("item %d of %d: %v", i+1, len(items), err))
			return
		}
	}
	if len(items) == 0 {
		fall(claim, "there was nothing to check")
		return
	}
	pass(claim, fmt.Sprintf("checked at all %d", len(items)))
}

// Near returns nil if |got − want| ≤ tol, else an error that names the quantity. NaN is near
// nothing, and an infinity near itself only.
func Near(name string, got, want, tol float64) error {
	if near(got, want, tol) {
		return nil
	}
	return fmt.Errorf("%s: got %.6g, want %.6g (tolerance %.1g)", name, got, want, tol)
}

// NearBy is Near with a tolerance relative to want: |got − want| ≤ rel·|want|.
func NearBy(name string, got, want, rel float64) error {
	return Near(name, got, want, rel*math.Abs(want))
}

// AtMost returns nil if got ≤ limit + tol, else an error that names the quantity. NaN fails on
// either side, and so does an infinity that is not on both: a bound of +Inf says nothing. With a
// negative tol, got must be below the limit by that much.
func AtMost(name string, got, limit, tol float64) error {
	if below(got, limit, tol) {
		return nil
	}
	return fmt.Errorf("%s: got %.6g, want at most %.6g (tolerance %.1g)", name, got, limit, tol)
}

// AtLeast returns nil if got ≥ limit − tol, else an error as [AtMost] does.
func AtLeast(name string, got, limit, tol float64) error {
	if below(limit, got, tol) {
		return nil
	}
	return fmt.Errorf("%s: got %.6g, want at least %.6g (tolerance %.1g)", name, got, limit, tol)
}

// Same returns nil if the slices have one length and their entries are within tol of each other as
// in [Near], else an error that names the first entry that differs, counted from 0.
func Same(name string, got, want []float64, tol float64) error {
	if len(got) != len(want) {
		return fmt.Errorf("%s: got %d numbers, want %d", name, len(got), len(want))
	}
	for i := range got {
		if err := Near(fmt.Sprintf("%s[%d]", name, i), got[i], want[i], tol); err != nil {
			return err
		}
	}
	return nil
}

// Finite returns nil if no number is NaN or infinite, else an error that names the first, counted
// from 0.
func Finite(name string, numbers ...float64) error {
	for i, v := range numbers {
		if !finite(v) {
			return fmt.Errorf("%s[%d]: got %g, want a finite number", name, i, v)
		}
	}
	return nil
}

func near(got, want, tol float64) bool {
	return got == want || finite(got) && finite(want) && math.Abs(got-want) <= tol
}

func below(low, high, tol float64) bool {
	return math.IsInf(low, 0) && low == high || finite(low) && finite(high) && low <= high+tol
}

func finite(v float64) bool { return !math.IsNaN(v) && !math.IsInf(v, 0) }

// True returns nil if ok, else an error that names the statement.
func True(name string, ok bool) error {
	if ok {
		return nil
	}
	return fmt.Errorf("%s: not so", name)
}

// Must returns v, or ends the cell with the error's words.
func Must[T any](v T, err error) T {
	if err != nil && collected != nil {
		panic(err)
	}
	if err != nil {
		fall("this cell can do its work", err.Error())
	}
	return v
}

func pass(claim, detail string) { line(Pass, claim, detail) }

func fall(claim, detail string) {
	if collected != nil {
		return
	}
	line(Fail, claim, detail)
	exit()
}

// line prints "mark claim — detail" on one line, as the runner reads the output by lines.
func line(mark, claim, detail string) {
	if collected != nil {
		return
	}
	text := mark + " " + claim
	if detail != "" {
		text += " — " + detail
	}
	fmt.Fprintln(out, strings.ReplaceAll(text, "\n", " "))
}
