package runner_test

import (
	"path/filepath"
	"testing"
	"time"

	"github.com/svmkit/course/lessons/internal/course"
	"github.com/svmkit/course/lessons/internal/runner"
)

// Gate 1 of three: every claim of every lesson holds, and every figure arrives with caption and
// alternative text. Package mutants has gate 2, and package grade has gate 3, the exercises.
//
// The cells run on the real kernel. Those of a lesson are joined to one program, which takes a third
// of the time. Cell by cell they ran when the notebooks were made, and
// TestNotebooksAreThoseOfTheLessons, in the folder lessons, compares these with the lessons.
func TestLessonsHold(t *testing.T) {
	all, err := course.Lessons(filepath.Join("..", "..", ".."))
	if err != nil {
		t.Fatal(err)
	}
	spec := spec(t)
	for _, l := range all {
		t.Run(l.Slug, func(t *testing.T) {
			t.Parallel()
			const limit = 5 * time.Minute // of the program: it takes ten seconds on a quiet machine
			report, err := runner.Lesson(t.Context(), spec, l, limit)
			if err != nil {
				t.Fatal(err)
			}
			t.Logf("%d figures, %.1f s", report.Figures, report.Elapsed.Seconds())
			if len(l.Parsed.Cells) < 35 || report.Figures < 6 { // what ../README.md promises of a lesson
				t.Errorf("%d cells and %d figures; a lesson has at least 35 and 6", len(l.Parsed.Cells), report.Figures)
			}
		})
	}
}
