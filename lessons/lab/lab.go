// Package lab holds the functions of a lesson's cell, which checks claims, shows figures and poses
// exercises:
//
//	lab.Check("the angles add up to 180°", 60+70+50 == 180, "60 + 70 + 50 = %d", 60+70+50)
//	lab.Holds("√2 is about 1.414", lab.Near("√2", math.Sqrt2, 1.414, 1e-3))
//
// [Check], [Holds], [ForAll] and [Each] state a claim and check it. [Show], [Explore] and
// [Live] show a figure, and [Say] shows a text. [Exercise] poses an exercise, and [Answers] tests
// its check with known answers.
//
// A claim that holds prints one line that begins with "✓". After `lab.Counts = true` the line also
// says how many cases were tried. A claim that fails prints a line that begins with "✗" and ends
// the cell's process, so that the kernel reports an error and `lessons run` fails with the words of
// the claim. The package prints and exits because a cell is a program.
package lab

import (
	"fmt"
	"io"
	"math"
	"math/rand/v2"
	"os"
	"strings"
)

// Counts makes [ForAll] and [Each] print how many cases they tried, if a cell sets it to true.
var Counts bool

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

// Check states a claim and whether it holds. The format and its arguments describe the numbers.
//
// They are printed in both cases, so that a reader sees them.
//
//	lab.Check("w = 0 is no plane", errors.Is(err, svmkit.ErrNoNormal), "NewHyperplane: %v", err)
func Check(claim string, ok bool, format string, args ...any) {
	detail := fmt.Sprintf(format, args...)
	if !ok {
		fall(claim, detail)
		return
	}
	pass(claim, detail)
}

// Holds states a claim that holds if err is nil. Otherwise err explains why it does not.
//
//	lab.Holds("the width is 2/‖w‖", lab.Near("width", width, 2/norm, 1e-12))
func Holds(claim string, err error) {
	if err != nil {
		fall(claim, err.Error())
		return
	}
	pass(claim, "")
}

// ForAll checks a property on n random cases, which are the same in every run.
//
// Each case has its own generator. A property returns nil if it holds; [Near], [AtMost], [Same] and
// similar functions make the errors. ForAll fails if n is not positive.
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
	pass(claim, counted("%d random cases", n))
}

// Each checks a property for every item, such as every mistake of a run or every row of a set. It
// fails without items.
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
	pass(claim, counted("checked at all %d", len(items)))
}

// counted says how many cases there were, if the reader wants to know.
func counted(format string, n int) string {
	if !Counts {
		return ""
	}
	return fmt.Sprintf(format, n)
}

// Near returns nil if |got − want| ≤ tol, else an error that names the quantity. NaN is near
// nothing, and an infinity is near itself only.
func Near(name string, got, want, tol float64) error {
	if near(got, want, tol) {
		return nil
	}
	return fmt.Errorf("%s: got %.6g, want %.6g (tolerance %.1g)", name, got, want, tol)
}

// NearBy returns nil if |got − want| ≤ rel·|want|, else an error as [Near] does.
func NearBy(name string, got, want, rel float64) error {
	return Near(name, got, want, rel*math.Abs(want))
}

// AtMost returns nil if got ≤ limit + tol, else an error that names the quantity.
//
// NaN fails on either side, as does an infinity that is not on both sides, because a bound of
// +Inf claims nothing. With a negative tol, got must be below the limit by that much.
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

// Same returns nil if the slices have equal lengths and their entries are within tol, as in [Near].
// Else its error names the first entry that differs, counted from 0.
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

// Finite returns nil if no number is NaN or infinite. Else its error names the first one, counted
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
