package course

import (
	"errors"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/svmkit/course/internal/leaktest"
	"github.com/svmkit/course/lessons/internal/notebook"
)

func TestMain(m *testing.M) { leaktest.Main(m) }

// checkout makes the smallest folder that counts as this course.
func checkout(t *testing.T) string {
	t.Helper()
	root := t.TempDir()
	for name, text := range map[string]string{
		"go.mod": "module " + Module + "\n", "go.sum": "",
		"lessons/03-three.md": "# Three\n\n```go\n%%\nfmt.Println(3)\n```\n",
		"lessons/12-more.md":  "# Twelve\n", "lessons/lab/lab.go": "package lab\n", "lessons/figures/doc.go": "package figures\n",
		"svmkit/doc.go": "package svmkit\n", "internal/a/a.go": "package a\n", "plots/doc.go": "package plots\n",
		"svmkit/x_test.go": "package svmkit\n", "cmd/svm/main.go": "package main\n", "plots/testdata/a.png": "",
	} {
		path := filepath.Join(root, filepath.FromSlash(name))
		if err := errors.Join(os.MkdirAll(filepath.Dir(path), 0o777), os.WriteFile(path, []byte(text), 0o666)); err != nil {
			t.Fatal(err)
		}
	}
	return root
}

func TestRootIsFoundFromBelow(t *testing.T) {
	root := checkout(t)
	if got, err := Root(filepath.Join(root, "lessons", "lab")); err != nil || got != root {
		t.Errorf("got %q, %v", got, err)
	}
	if err := os.WriteFile(filepath.Join(root, "go.mod"), []byte("module "+Module+"\r\n\r\ngo 1.25.0\r\n"), 0o666); err != nil {
		t.Fatal(err)
	}
	if got, err := Root(root); err != nil || got != root {
		t.Errorf("with a go.mod whose lines end in \\r\\n: %q, %v", got, err)
	}
	if _, err := Root(t.TempDir()); !errors.Is(err, ErrNoRoot) {
		t.Errorf("outside: %v", err)
	}
}

func TestSelect(t *testing.T) {
	all, err := Lessons(checkout(t))
	if err != nil || len(all) != 2 {
		t.Fatal(all, err)
	}
	for _, c := range []struct{ names, want string }{
		{"", "03-three 12-more"}, {"3", "03-three"}, {"03", "03-three"}, {"12-more", "12-more"}, {"12 3 3", "12-more 03-three"},
	} {
		selected, err := Select(all, strings.Fields(c.names))
		var got []string
		for _, l := range selected {
			got = append(got, l.Slug)
		}
		if err != nil || strings.Join(got, " ") != c.want {
			t.Errorf("%q: %v, %v", c.names, got, err)
		}
	}
	if _, err := Select(all, []string{"4"}); err == nil {
		t.Error("a lesson that is not there was found")
	}
}

// A lesson is stale until it was executed, and again when anything changes that its outputs
// depend on; tests, goldens and programs are no such thing.
func TestStale(t *testing.T) {
	root := checkout(t)
	load := func() (*Lesson, string) {
		all, err := Lessons(root)
		if err != nil {
			t.Fatal(err)
		}
		fingerprint, err := all[0].Fingerprint(root)
		if err != nil {
			t.Fatal(err)
		}
		return all[0], fingerprint
	}
	l, before := load()
	if !l.Stale(before) {
		t.Error("a lesson without notebook is up to date")
	}
	MarkExecuted(l.Parsed, before)
	if err := errors.Join(os.MkdirAll(filepath.Dir(l.Notebook), 0o777), notebook.WriteFile(l.Notebook, l.Parsed)); err != nil {
		t.Fatal(err)
	}
	for _, c := range []struct {
		change string
		stale  bool
	}{
		{"svmkit/x_test.go", false}, {"plots/testdata/a.png", false}, {"cmd/svm/main.go", false}, {"lessons/12-more.md", false},
		{"svmkit/doc.go", true}, {"plots/doc.go", true}, {"lessons/lab/lab.go", true}, {"lessons/figures/doc.go", true}, {"go.sum", true}, {"lessons/03-three.md", true},
	} {
		path := filepath.Join(root, filepath.FromSlash(c.change))
		text, err := os.ReadFile(path)
		if err != nil {
			t.Fatal(err)
		}
		os.WriteFile(path, append([]byte(nil), append(text, "\n// changed\n"...)...), 0o666)
		if l, now := load(); l.Stale(now) != c.stale {
			t.Errorf("after a change of %s: stale is %v", c.change, !c.stale)
		}
		os.WriteFile(path, text, 0o666)
	}
}

// Outputs stay with the cells that did not change, also when a cell gets a name and so another
// id; the mark stays only if all did.
func TestKeepOutputs(t *testing.T) {
	old := notebook.New(notebook.Cell{Kind: notebook.Code, Source: "a"}, notebook.Cell{Kind: notebook.Code, Source: "b"})
	MarkExecuted(old, "abc")
	for i := range old.Cells {
		old.Cells[i].Outputs = []notebook.Output{{Type: notebook.Stream, Name: "stdout", Text: old.Cells[i].Source}}
	}
	named := map[string]any{"name": "second"}
	same := &Lesson{Parsed: notebook.New(notebook.Cell{Kind: notebook.Code, Source: "b", Metadata: named}, notebook.Cell{Kind: notebook.Markdown, Source: "new prose"})}
	keepOutputs(same.Parsed, old)
	if o := same.Parsed.Cells[0].Outputs; len(o) != 1 || o[0].Text != "b" || same.Parsed.Metadata[executedKey] == nil {
		t.Errorf("outputs %v, mark %v", o, same.Parsed.Metadata[executedKey])
	}
	changed := &Lesson{Parsed: notebook.New(notebook.Cell{Kind: notebook.Code, Source: "c"})}
	keepOutputs(changed.Parsed, old)
	if changed.Parsed.Cells[0].Outputs != nil || changed.Parsed.Metadata[executedKey] != nil {
		t.Error("a changed cell has outputs, or its notebook counts as executed")
	}
}
