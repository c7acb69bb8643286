package grade

import (
	"os"
	"slices"
	"testing"
	"time"

	"github.com/svmkit/course/lessons/internal/notebook"
)

const ownLimit = 60 * time.Second // of checks in tests, on machines that do other work, too

// grader compiles what answers need, once per test.
func grader(t *testing.T, limit time.Duration) *Grader {
	t.Helper()
	g, err := NewGrader(t.Context(), checkout, limit)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		if err := g.Close(); err != nil {
			t.Error(err)
		}
	})
	return g
}

// Every solution of the course is solved, with a third of the time that a check has at most.
func TestSolutionsAreSolved(t *testing.T) {
	slugs := []string{"14"}
	if os.Getenv("SVMKIT_RELIABILITY") == "full" {
		slugs = nil
	} else if testing.Short() {
		t.Skip("compiles programs")
	}
	g := grader(t, 10*time.Second/3)
	for _, k := range keys(t, slugs...) {
		nb := notebook.New()
		for _, c := range k.Lesson.Parsed.Cells {
			if c.HasTag(notebook.TagSolution) {
				c.ID, c.Tags = "", []string{notebook.TagExercise}
				nb.Cells = append(nb.Cells, c)
			}
		}
		began := time.Now()
		rows, err := g.Grade(t.Context(), k, "x", nb)
		if err != nil {
			t.Fatal(err)
		}
		t.Logf("%s: %.1f s", k.Lesson.Slug, time.Since(began).Seconds())
		for _, r := range rows {
			if r.Result != Solved || r.Message != "the lesson's solution, as it stands there" {
				t.Errorf("%s: %s: %s", r.Exercise, r.Result, r.Message)
			}
		}
		if len(rows) != len(k.exercises) || slices.ContainsFunc(rows, func(r Row) bool { return r.Lesson != k.Lesson.Slug }) {
			t.Errorf("%s: %v", k.Lesson.Slug, rows)
		}
	}
}
