package runner

import (
	"context"
	"errors"
	"fmt"
	"strings"
	"time"

	"github.com/svmkit/course/lessons/internal/course"
	"github.com/svmkit/course/lessons/internal/kernel"
	"github.com/svmkit/course/lessons/internal/notebook"
)

// Lesson runs all cells of a lesson, without exercises and solutions, as one program with a time limit.
//
// One build replaces fifty. The error of a cell is a [*CellError]. Lesson does not change l.
func Lesson(ctx context.Context, spec kernel.Spec, l *course.Lesson, limit time.Duration) (*Report, error) {
	name := "lessons/" + l.Slug + ".md"
	declared, runs := join(l.Parsed)
	joined := &notebook.Notebook{Cells: []notebook.Cell{{Kind: notebook.Code, Source: declared + "\n%%\n" + runs}}}
	report, err := Run(ctx, spec, name, joined, Options{CellLimit: limit, Rules: true})
	var failed *CellError
	if !errors.As(err, &failed) {
		return report, err
	}
	at := &CellError{Name: name, Err: failed.Err}
	for _, o := range joined.Cells[0].Outputs {
		for line := range strings.Lines(o.Text) {
			if _, err := fmt.Sscanf(line, begin, &at.Cell); err == nil {
				at.Line = l.Parsed.Cells[at.Cell-1].Line
			}
		}
	}
	return nil, at
}

// begin is the line that the program prints before each cell.
const begin = "begin of cell %d"

// join returns the declarations of a lesson's cells and the statements that they run, in order.
func join(lesson *notebook.Notebook) (declarations, program string) {
	var declared, runs strings.Builder
	for _, p := range course.Parts(lesson) {
		declared.WriteString(p.Declarations + "\n")
		if p.Body != "" { // in a function of its own, because its variables are its own
			fmt.Fprintf(&runs, "fmt.Println(%q)\nfunc() {\n%s\n}()\n", fmt.Sprintf(begin, p.Index+1), p.Body)
		}
	}
	return declared.String(), runs.String()
}
