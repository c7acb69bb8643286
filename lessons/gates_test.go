package main

import (
	"fmt"
	"testing"

	"github.com/svmkit/course/lessons/internal/course"
	"github.com/svmkit/course/lessons/internal/notebook"
)

// The gates of the course that run no cell; internal/runner and internal/mutants have the others.

func lessons(t *testing.T, root string) []*course.Lesson {
	t.Helper()
	all, err := course.Lessons(root)
	if err != nil {
		t.Fatal(err)
	}
	return all
}

// The form of a lesson, by its text alone.
func TestForm(t *testing.T) {
	for _, l := range lessons(t, "..") {
		t.Run(l.Slug, func(t *testing.T) {
			form, faults := checkForm(l)
			t.Log(&form)
			for _, fault := range faults {
				t.Error(fault)
			}
		})
	}
}

// notebooks/ is what lessons/ says: the same cells in the same order, executed without error.
func TestNotebooksAreThoseOfTheLessons(t *testing.T) {
	for _, l := range lessons(t, "..") {
		committed, err := l.Executed()
		if err != nil {
			t.Errorf("%v: run `go run ./lessons run %s`", err, l.Number)
			continue
		}
		if err := drift(l.Parsed.ForReaders(), committed); err != nil {
			t.Errorf("notebooks/%s.ipynb and lessons/%s.md drift apart: %v; run `go run ./lessons run %s`", l.Slug, l.Slug, err, l.Number)
		}
	}
}

// drift returns the first difference between a lesson and its notebook.
func drift(lesson, executed *notebook.Notebook) error {
	if len(lesson.Cells) != len(executed.Cells) {
		return fmt.Errorf("%d cells against %d", len(lesson.Cells), len(executed.Cells))
	}
	for i, want := range lesson.Cells {
		got := executed.Cells[i]
		if got.ID != want.ID || got.Source != want.Source || got.Kind != want.Kind || fmt.Sprint(got.Tags) != fmt.Sprint(want.Tags) {
			return fmt.Errorf("cell %d (line %d) differs", i+1, want.Line)
		}
		if got.Kind == notebook.Code && got.ExecutionCount == nil {
			return fmt.Errorf("cell %d (line %d) was not executed", i+1, want.Line)
		}
		for _, o := range got.Outputs {
			if o.Type == notebook.Error && !got.HasTag("raises-exception") {
				return fmt.Errorf("cell %d (line %d) holds an error", i+1, want.Line)
			}
		}
	}
	return nil
}
