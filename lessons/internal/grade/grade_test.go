package grade

import (
	"errors"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/svmkit/course/internal/leaktest"
	"github.com/svmkit/course/lessons/internal/course"
	"github.com/svmkit/course/lessons/internal/kernel"
	"github.com/svmkit/course/lessons/internal/notebook"
)

func TestMain(m *testing.M) { leaktest.Main(m) }

var checkout = filepath.Join("..", "..", "..")

func keys(t *testing.T, slugs ...string) (keys []*Key) {
	t.Helper()
	lessons, err := course.Lessons(checkout)
	if err != nil {
		t.Fatal(err)
	}
	if lessons, err = course.Select(lessons, slugs); err != nil {
		t.Fatal(err)
	}
	for _, l := range lessons {
		k, err := NewKey(l)
		if err != nil {
			t.Fatal(err)
		}
		keys = append(keys, k)
	}
	return keys
}

// Every solution of the course is an answer that may be run, and every stub is one that was not tried.
func TestSolutionsMayBeRun(t *testing.T) {
	for _, k := range keys(t) {
		for i := range k.exercises {
			e := &k.exercises[i]
			if text, err := k.read(e, e.solution); err != nil || text == e.stub || text != e.solution {
				t.Errorf("solution of %s: %v", e.number, err)
			}
			if text, err := k.read(e, "// my first try\n"+e.stub); err != nil || text != e.stub {
				t.Errorf("stub of %s: %v", e.number, err)
			}
		}
	}
}

func TestTiming(t *testing.T) {
	k := keys(t, "03")[0]
	s, err := kernel.GoNB(t.Context(), kernel.Settings{Root: checkout})
	if err != nil {
		t.Fatal(err)
	}
	nb := k.Lesson.Parsed.ForReaders()
	j := 0
	for i := range nb.Cells {
		if nb.Cells[i].Kind == notebook.Code && nb.Cells[i].HasTag(notebook.TagExercise) {
			e := k.exercises[j]
			nb.Cells[i].Source = e.solution + "\n%%\nlab.Exercise(\"" + e.number + "\"," + e.call
			j++
		}
	}
	began := time.Now()
	rows, err := k.Grade(t.Context(), s, "x", nb, Options{Limit: 5 * time.Second})
	t.Log(time.Since(began), err)
	for _, r := range rows {
		t.Log(r)
	}
	_ = errors.Is
	_ = strings.Cut
}
