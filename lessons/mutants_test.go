package main

import (
	"testing"
	"time"

	"github.com/svmkit/course/lessons/internal/kernel"
	"github.com/svmkit/course/lessons/internal/mutants"
)

func tables(t *testing.T, root string) (all []*mutants.Table) {
	t.Helper()
	for _, l := range lessons(t, root) {
		table, err := mutants.Read(root, l)
		if err != nil {
			t.Fatal(err)
		}
		all = append(all, table)
	}
	return all
}

// Each claim of each lesson has a mutant, and each mutant has its place in the library as it is now.
func TestTablesOfMutants(t *testing.T) {
	for _, table := range tables(t, "..") {
		if err := table.Check(".."); err != nil {
			t.Error(err)
		}
	}
}

// Gate 2: a lesson that a broken library cannot break proves nothing. Each mutant is compiled into the library, and the
// lesson must fail with the claim that the table names. Each takes a good part of a lesson's time and a build of the
// library: the marked ones run here, `go run ./lessons mutants` runs them all.
func TestMutantsAreNoticed(t *testing.T) {
	spec, err := kernel.GoNB(t.Context(), kernel.Settings{Root: ".."})
	if err != nil {
		t.Fatal(err)
	}
	marked := 0
	for _, table := range tables(t, "..") {
		for _, c := range table.Claims {
			for _, m := range c.Mutants {
				if !m.GoTest {
					continue
				}
				marked++
				t.Run(table.Lesson.Number+" "+m.Breaks, func(t *testing.T) {
					t.Parallel()
					o, err := m.Run(t.Context(), spec, "..", table.Lesson, 5*time.Minute)
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
