package grade

import (
	"testing"
	"time"

	"github.com/svmkit/course/lessons/internal/course"
	"github.com/svmkit/course/lessons/internal/kernel"
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
			report, err := runner.Exercises(t.Context(), spec, l, limit)
			if err != nil {
				t.Fatal(err)
			}
			t.Logf("%d cells, %.1f s", report.Cells, report.Elapsed.Seconds())
		})
	}
}
