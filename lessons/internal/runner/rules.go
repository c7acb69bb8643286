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
func failure(c *notebook.Cell, result *kernel.Result) error {
	for _, line := range stdout(c) {
		if claim, ok := strings.CutPrefix(line, lab.Fail+" "); ok {
			return &ClaimError{Claim: claim}
		}
	}
	said := ""
	for _, o := range c.Outputs {
		if o.Type == notebook.Stream && o.Name == "stderr" {
			said += o.Text
		}
	}
	if result.Err != nil && !strings.Contains(said, result.Err.Value) {
		said = result.Err.Value + "\n" + said
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

// checkRules checks the rules of a lesson for a cell that has run.
func checkRules(c *notebook.Cell) error {
	if err := checkFigures(c); err != nil {
		return err
	}
	if !c.HasTag(notebook.TagExercise) && !c.HasTag(notebook.TagSolution) {
		return nil
	}
	verdict := last(c, lab.NotYet+" Exercise ", lab.Pass+" Exercise ")
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

// last returns the last line of the cell's output that begins with one of the prefixes.
func last(c *notebook.Cell, prefixes ...string) (found string) {
	for _, line := range stdout(c) {
		for _, prefix := range prefixes {
			if strings.HasPrefix(line, prefix) {
				found = line
			}
		}
	}
	return found
}

// showing finds the calls that display a figure; a comment is not one.
var showing = regexp.MustCompile(`(?m)^[^/\n]*\blab\.(Show|Play|Explore)\(`)

func checkFigures(c *notebook.Cell) error {
	for _, o := range c.Outputs {
		if hasPicture(o) && !isFigure(o) {
			return ErrNoAlt
		}
	}
	wanted := len(showing.FindAllString(c.Source, -1))
	if c.HasTag(notebook.TagFigure) {
		wanted = max(wanted, 1)
	}
	if countFigures(c) < wanted {
		return ErrNoFigure
	}
	return nil
}

func countFigures(c *notebook.Cell) int {
	n := 0
	for _, o := range c.Outputs {
		if isFigure(o) {
			n++
		}
	}
	return n
}

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

func stdout(c *notebook.Cell) []string {
	var text strings.Builder
	for _, o := range c.Outputs {
		if o.Type == notebook.Stream && o.Name == "stdout" {
			text.WriteString(o.Text)
		}
	}
	return strings.Split(text.String(), "\n")
}
