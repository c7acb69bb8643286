package grade

import (
	"errors"
	"testing"
	"time"

	"github.com/svmkit/course/lessons/internal/course"
	"github.com/svmkit/course/lessons/internal/kernel"
	"github.com/svmkit/course/lessons/internal/notebook"
	"github.com/svmkit/course/lessons/internal/runner"
)

// Gate 3 of three: every stub fails its check, every solution passes, and every answer of
// lessons/answers gets the verdict that is written there. The cells run on the real kernel.
func TestExercisesHold(t *testing.T) {
	spec, err := kernel.GoNB(t.Context(), kernel.Settings{Root: checkout})
	if err != nil {
		t.Fatal(err)
	}
	lessons, err := course.Lessons(checkout)
	if err != nil {
		t.Fatal(err)
	}
	for _, l := range lessons {
		t.Run(l.Slug, func(t *testing.T) {
			t.Parallel()
			const limit = 5 * time.Minute // of a cell: it takes a second on a quiet machine
			key, err := NewKey(l)
			if err != nil {
				t.Fatal(err)
			}
			work := &notebook.Notebook{Cells: []notebook.Cell{{Kind: notebook.Code, Source: key.declared}}}
			for _, c := range l.Parsed.Cells {
				if c.Kind == notebook.Code && (c.HasTag(notebook.TagExercise) || c.HasTag(notebook.TagSolution)) {
					work.Cells = append(work.Cells, c)
				}
			}
			own := len(work.Cells)
			work.Cells = append(work.Cells, l.Answers.Cells...)
			report, err := runner.Run(t.Context(), spec, "lessons/"+l.Slug+".md", work, runner.Options{CellLimit: limit, Rules: true})
			var failed *runner.CellError
			if errors.As(err, &failed) && failed.Cell > own {
				failed.Name, failed.Cell = "lessons/answers/"+l.Slug+".md", failed.Cell-own
			}
			if err != nil {
				t.Fatal(err)
			}
			t.Logf("%d cells, %.1f s", report.Cells, report.Elapsed.Seconds())
		})
	}
}
