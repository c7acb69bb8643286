package notebook

import (
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/svmkit/course/internal/leaktest"
)

func TestMain(m *testing.M) { leaktest.Main(m) }

func TestWriteFileFollowsLinks(t *testing.T) {
	dir := t.TempDir()
	target, link := filepath.Join(dir, "target"), filepath.Join(dir, "link")
	os.WriteFile(target, []byte("old"), 0o600)
	if err := os.Symlink(target, link); err != nil {
		t.Skip(err)
	}
	if err := WriteFile(link, New()); err != nil {
		t.Fatal(err)
	}
	if _, err := ReadJSONFile(target); err != nil {
		t.Errorf("the link's target was not written: %v", err)
	}
}

func ReadJSONFile(path string) (*Notebook, error) {
	f, err := os.Open(path)
	if err != nil {
		return nil, err
	}
	defer f.Close()
	return ReadJSON(f)
}

func TestErrorsNameTheFile(t *testing.T) {
	dir := t.TempDir()
	missing := filepath.Join(dir, "no", "x.ipynb")
	err := WriteFile(missing, New())
	if !errors.Is(err, fs.ErrNotExist) || !strings.Contains(err.Error(), missing) || strings.Contains(err.Error(), ".new-") {
		t.Errorf("error %v", err)
	}
	for name, src := range map[string]string{"a.ipynb": "{", "b.md": "```go\n", "c.txt": ""} {
		path := filepath.Join(dir, name)
		os.WriteFile(path, []byte(src), 0o600)
		var e *ParseError
		if _, err := ReadFile(path); !errors.As(err, &e) || e.Name != path {
			t.Errorf("%s: error %v", name, err)
		}
	}
	for _, name := range []string{"ok.md", "ok.ipynb"} {
		path := filepath.Join(dir, name)
		os.WriteFile(path, New(Cell{Kind: Code, Source: "x"}).Markdown(), 0o600)
		if name == "ok.ipynb" {
			WriteFile(path, New(Cell{Kind: Code, Source: "x"}))
		}
		if n, err := ReadFile(path); err != nil || n.Cells[0].Source != "x" {
			t.Errorf("%s: %v", name, err)
		}
	}
}
