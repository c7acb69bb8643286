package mutants

import (
	"testing"
	"time"

	"github.com/svmkit/course/lessons/internal/course"
	"github.com/svmkit/course/lessons/internal/kernel"
)

const root = "../../.."

func lessons(t *testing.T) []*course.Lesson {
	t.Helper()
	all, err := course.Lessons(root)
	if err != nil {
		t.Fatal(err)
	}
	return all
}

func tables(t *testing.T) (all []*Table) {
	t.Helper()
	for _, l := range lessons(t) {
		table, err := Read(root, l)
		if err != nil {
			t.Fatal(err)
		}
		all = append(all, table)
	}
	return all
}

// Each claim of each lesson has a mutant, and each mutant has its place in the library as it is now.
func TestTables(t *testing.T) {
	for _, table := range tables(t) {
		if err := table.Check(root); err != nil {
			t.Error(err)
		}
	}
}

// Gate 2 of three: a lesson that a broken library cannot break proves nothing. Each mutant is compiled
// into the library, and the lesson must fail with the claim that the table names. A mutant takes a
// build of the library and a good part of a lesson's time, so only the marked ones run here.
// `go run ./lessons mutants` runs all of them, or a sample.
func TestMutantsAreNoticed(t *testing.T) {
	spec, err := kernel.GoNB(t.Context(), kernel.Settings{Root: root})
	if err != nil {
		t.Fatal(err)
	}
	marked := 0
	for _, table := range tables(t) {
		for _, c := range table.Claims {
			for _, m := range c.Mutants {
				if !m.GoTest {
					continue
				}
				marked++
				t.Run(table.Lesson.Number+" "+m.Breaks, func(t *testing.T) {
					t.Parallel()
					o, err := m.Run(t.Context(), spec, root, table.Lesson, 5*time.Minute)
					if err != nil {
						t.Fatal(err)
					}
					if !o.OK() {
						t.Errorf("%s at cell %d, line %d: %s; the table expects %q", o.Verdict, o.Cell, o.Line, o.Said, m.NoticedBy)
					}
				})
			}
		}
	}
	if marked < 3 {
		t.Errorf("%d mutants are marked go-test: true; some lessons at least need one", marked)
	}
}
