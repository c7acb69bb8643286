package runner

import (
	"errors"
	"fmt"
	"regexp"
	"strings"

	"github.com/svmkit/course/lessons/internal/kernel"
	"github.com/svmkit/course/lessons/internal/notebook"
	"github.com/svmkit/course/lessons/lab"
)

// Rules that a cell can break.
var (
	ErrNoFigure       = errors.New("the cell shows a figure in its source, but none arrived in its output")
	ErrNoAlt          = errors.New("a figure without caption or alternative text")
	ErrStubPasses     = errors.New("the exercise's stub passes its own check: there is nothing to solve")
	ErrSolutionFails  = errors.New("the solution does not pass the exercise's check")
	ErrNothingChecked = errors.New("the cell calls no lab.Exercise: nothing tells whether it is right")
)

// ClaimError is a claim of a lesson that failed, in the words of lab.Check and its relatives.
type ClaimError struct{ Claim string }

func (e *ClaimError) Error() string { return lab.Fail + " " + e.Claim }

// failure returns the error of a cell that failed: the claim that failed, or else what the kernel says.
func failure(result *kernel.Result) error {
	for line := range strings.SplitSeq(result.Stream("stdout"), "\n") {
		if claim, ok := strings.CutPrefix(line, lab.Fail+" "); ok {
			return &ClaimError{Claim: claim}
		}
	}
	said := result.Stream("stderr")
	if !strings.Contains(said, result.Error) {
		said = result.Error + "\n" + said
	}
	if said = strings.TrimSpace(ansi.ReplaceAllString(said, "")); said == "" {
		said = "the kernel gives no reason"
	}
	return errors.New(firstLines(said, 12))
}

var ansi = regexp.MustCompile("\x1b\\[[0-9;]*m")

func firstLines(s string, n int) string {
	lines := strings.SplitN(s, "\n", n+1)
	if len(lines) > n {
		lines[n] = "…"
	}
	return strings.Join(lines, "\n")
}

// checkRules counts the figures of a cell that has run, and checks the rules of a lesson for it.
func checkRules(c *notebook.Cell) (figures int, err error) {
	for _, o := range c.Outputs {
		if isFigure(o) {
			figures++
		} else if hasPicture(o) {
			err = ErrNoAlt
		}
	}
	wanted := len(showing.FindAllString(c.Source, -1))
	if c.HasTag(notebook.TagFigure) {
		wanted = max(wanted, 1)
	}
	switch {
	case err != nil:
		return figures, err
	case figures < wanted:
		return figures, ErrNoFigure
	case c.HasTag(notebook.TagExercise) || c.HasTag(notebook.TagSolution):
		return figures, checkVerdict(c)
	}
	return figures, nil
}

// checkVerdict checks that a stub fails its check, and that a solution passes it.
func checkVerdict(c *notebook.Cell) error {
	verdict := ""
	for line := range strings.SplitSeq(kernel.Stream(c.Outputs, "stdout"), "\n") {
		if strings.HasPrefix(line, lab.NotYet+" Exercise ") || strings.HasPrefix(line, lab.Pass+" Exercise ") {
			verdict = line
		}
	}
	passed := strings.HasPrefix(verdict, lab.Pass)
	switch {
	case verdict == "":
		return ErrNothingChecked
	case c.HasTag(notebook.TagExercise) && passed:
		return ErrStubPasses
	case c.HasTag(notebook.TagSolution) && !passed:
		return fmt.Errorf("%w: %s", ErrSolutionFails, verdict)
	}
	return nil
}

// showing finds the calls that display a figure; a comment is not one.
var showing = regexp.MustCompile(`(?m)^[^/\n]*\blab\.(Show|Play|Explore)\(`)

func hasPicture(o notebook.Output) bool {
	for mime := range o.Data {
		if strings.HasPrefix(mime, "image/") {
			return true
		}
	}
	return false
}

// isFigure reports whether o is a picture that says what lab.Show says about one.
func isFigure(o notebook.Output) bool {
	said, _ := o.Metadata[lab.MetadataKey].(map[string]any)
	alt, _ := said["alt"].(string)
	caption, _ := said["caption"].(string)
	return hasPicture(o) && strings.TrimSpace(alt) != "" && strings.TrimSpace(caption) != ""
}
