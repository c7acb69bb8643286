package mutants

import (
	"context"
	"errors"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/svmkit/course/internal/leaktest"
	"github.com/svmkit/course/lessons/internal/course"
	"github.com/svmkit/course/lessons/internal/kernel"
	"github.com/svmkit/course/lessons/internal/runner"
)

func TestMain(m *testing.M) { leaktest.Main(m) }

const lesson = `---
title: "Three"
proves:
  - less is less
  - more is more
---

# Three

` + "```go\n%%\nlab.Check(\"1 is less than 2\", less(1, 2), \"\")\n```\n"

const library = "package svmkit\n\nfunc Less(a, b int) bool { return a < b }\n"

// read makes a checkout with one lesson and the given table, and reads that.
func read(t *testing.T, table string) (root string, read *Table, err error) {
	t.Helper()
	root = t.TempDir()
	for name, text := range map[string]string{
		"go.mod": "module " + course.Module + "\n\ngo 1.25\n", "lessons/03-three.md": lesson, "svmkit/less.go": library, Folder + "/03.yaml": table,
	} {
		path := filepath.Join(root, filepath.FromSlash(name))
		if err := errors.Join(os.MkdirAll(filepath.Dir(path), 0o777), os.WriteFile(path, []byte(text), 0o666)); err != nil {
			t.Fatal(err)
		}
	}
	lessons, err := course.Lessons(root)
	if err != nil {
		t.Fatal(err)
	}
	read, err = Read(root, lessons[0])
	return root, read, err
}

const good = `
- claim: less is less
  mutants:
    - breaks: less or equal
      func: Less
      old: a < b
      new: a <= b
      noticed-by: 1 is less
- claim: more is more
  mutants:
    - breaks: the other way round
      func: Less
      old: a < b
      new: b > a
      equivalent: it is the same comparison
`

func TestTableWithoutFaults(t *testing.T) {
	root, table, err := read(t, good)
	if err != nil {
		t.Fatal(err)
	}
	if err := table.Check(root); err != nil {
		t.Error(err)
	}
	file, text, err := table.Claims[0].Mutants[0].Apply(root)
	if want := strings.Replace(library, "a < b", "a <= b", 1); err != nil || filepath.Base(file) != "less.go" || string(text) != want {
		t.Errorf("%s: %q, %v; want %q", file, text, err, want)
	}
}

func TestFaultsOfTables(t *testing.T) {
	for _, c := range []struct{ old, new, says string }{
		{"claim: more is more", "claim: more is less", `no mutant for "more is more"`},
		{"claim: more is more", "claim: more is less", `"more is less" does not stand under proves:`},
		{"old: a < b\n      new: a <= b", "old: a > b\n      new: a <= b", "0 times in functions named Less"},
		{"func: Less", "func: More", "functions named More"},
		{"noticed-by: 1 is less", "noticed-by: 2 is less", `"2 is less" is nowhere`},
		{"breaks: the other way round", "breaks: less or equal", "once in this file"},
		{"breaks: less or equal", "breaks: ''", "must say"},
		{"func: Less", "in: internal\n      func: Less", "is not below svmkit"},
		{"equivalent: it is", "noticed-by: 1 is less\n      equivalent: it is", "cannot be noticed"},
	} {
		root, table, err := read(t, strings.Replace(good, c.old, c.new, 1))
		if err != nil {
			t.Fatal(err)
		}
		if err := table.Check(root); err == nil || !strings.Contains(err.Error(), c.says) || !strings.Contains(err.Error(), "03.yaml") {
			t.Errorf("%q for %q: got %v, want %q", c.new, c.old, err, c.says)
		}
	}
	if _, _, err := read(t, strings.Replace(good, "noticed-by", "noticedby", 1)); err == nil || !strings.Contains(err.Error(), "noticedby") {
		t.Errorf("an unknown field: %v", err)
	}
}

func TestVerdicts(t *testing.T) {
	fell := &runner.ClaimError{Claim: "1 is less than 2 — not so"}
	for _, c := range []struct {
		noticedBy, equivalent string
		failed                error // in cell 4 at line 9; nil: none
		want                  Outcome
		ok                    bool
	}{
		{"1 is less", "", fell, Outcome{Noticed, 4, 9, "1 is less than 2"}, true},
		{"2 is more", "", fell, Outcome{OtherName, 4, 9, "1 is less than 2"}, false},
		{"", "", fell, Outcome{OtherName, 4, 9, "1 is less than 2"}, false},
		{"1 is less", "", errors.New("panic: 1\nat once"), Outcome{NoClaim, 4, 9, "panic: 1"}, false},
		{"1 is less", "", context.DeadlineExceeded, Outcome{Hung, 4, 9, "context deadline exceeded"}, false},
		{"1 is less", "", nil, Outcome{Verdict: Survived}, false},
		{"", "the same", nil, Outcome{Verdict: Equivalent, Said: "the same"}, true},
		{"", "the same", fell, Outcome{Different, 4, 9, "1 is less than 2"}, false},
	} {
		m := Mutant{NoticedBy: c.noticedBy, Equivalent: c.equivalent}
		var failed *runner.CellError
		if c.failed != nil {
			failed = &runner.CellError{Line: 9, Cell: 4, Err: c.failed}
		}
		if got := m.judge(failed); got != c.want || got.OK() != c.ok {
			t.Errorf("%q, %q, %v: got %v, want %v", c.noticedBy, c.equivalent, c.failed, got, c.want)
		}
	}
}

func TestMutantThatIsNoGo(t *testing.T) {
	root, table, err := read(t, strings.Replace(good, "new: a <= b", "new: a <= c", 1))
	if err != nil {
		t.Fatal(err)
	}
	o, err := table.Claims[0].Mutants[0].Run(t.Context(), kernel.Spec{}, root, table.Lesson, 0)
	if err != nil || o.Verdict != Unbuilt || !strings.Contains(o.Said, "undefined: c") {
		t.Errorf("%v, %v", o, err)
	}
}

func TestReport(t *testing.T) {
	_, table, err := read(t, good)
	if err != nil {
		t.Fatal(err)
	}
	c := table.Claims
	got := Report("2026-01-02.", []Result{
		{table, &c[0], &c[0].Mutants[0], Outcome{OtherName, 4, 9, "|a| < b"}},
		{table, &c[1], &c[1].Mutants[0], Outcome{Verdict: Equivalent, Said: "the same"}},
	})
	for _, want := range []string{
		"2026-01-02.", "2 mutants: 1 equivalent, 1 ANOTHER CLAIM.", "## Lesson 03-three", "**less is less**", "**more is more**",
		`| less or equal | ` + "`Less`" + ` | ANOTHER CLAIM | 4, line 9 | \|a\| &lt; b (expected: 1 is less) |`,
		"| the other way round | `Less` | equivalent |  | the same |",
	} {
		if !strings.Contains(got, want) {
			t.Errorf("no %q in\n%s", want, got)
		}
	}
}
