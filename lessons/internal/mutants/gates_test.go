package mutants

import (
	"testing"
	"time"

	"github.com/svmkit/course/lessons/internal/course"
	"github.com/svmkit/course/lessons/internal/kernel"
)

// The gates of the course that run its cells, on the real kernel.

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

// Gates 1 and 3, of three; the second is below: every claim of every lesson holds, every stub fails its check, every
// solution passes, every figure arrives with caption and alternative text.
//
// The cells run on the real kernel, those of a lesson joined to one program but for the exercises, which takes a third of
// the time. Cell by cell they ran when the notebooks were made, which TestNotebooksAreThoseOfTheLessons, in the folder lessons, holds to the lessons.
func TestLessonsHold(t *testing.T) {
	for _, l := range lessons(t) {
		t.Run(l.Slug, func(t *testing.T) {
			t.Parallel()
			spec, err := kernel.GoNB(t.Context(), kernel.Settings{Root: root})
			if err != nil {
				t.Fatal(err)
			}
			const limit = 5 * time.Minute // of the program: it takes ten seconds on a quiet machine
			report, err := Execute(t.Context(), spec, l, limit)
			if err != nil {
				t.Fatal(err)
			}
			exercises, err := ExecuteExercises(t.Context(), spec, l)
			if err != nil {
				t.Fatal(err)
			}
			t.Logf("%d figures, %.1f s; the exercises %.1f s", report.Figures, report.Elapsed.Seconds(), exercises.Elapsed.Seconds())
			if len(l.Parsed.Cells) < 35 || report.Figures < 6 { // what ../README.md promises of a lesson
				t.Errorf("%d cells and %d figures; a lesson has at least 35 and 6", len(l.Parsed.Cells), report.Figures)
			}
		})
	}
}

// Gate 2: a lesson that a broken library cannot break proves nothing. Each mutant is compiled into the library, and the
// lesson must fail with the claim that the table names. Each takes a good part of a lesson's time and a build of the
// library: the marked ones run here, `go run ./lessons mutants` runs them all.
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
