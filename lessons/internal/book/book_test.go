package book

import (
	"archive/zip"
	"context"
	"errors"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"github.com/svmkit/course/internal/leaktest"
	"github.com/svmkit/course/lessons/internal/course"
	"github.com/svmkit/course/lessons/internal/notebook"
	"github.com/svmkit/course/lessons/internal/site"
)

func TestMain(m *testing.M) { leaktest.Main(m, "github.com/dlclark/regexp2/v2.runClock") }

// dot is a picture of one point.
const dot = "iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNkYPhfDwAChwGA60e6kgAAAABJRU5ErkJggg=="

// lessons are a course of one lesson that has all that is counted.
func lessons(prose string) (*course.Guide, []site.Source) {
	n := notebook.New(
		notebook.Cell{Kind: notebook.Markdown, Source: "# 1 · A lesson\n\n## A section\n\n" + prose},
		notebook.Cell{Kind: notebook.Code, Source: "%%\nlab.Show(it)", Outputs: []notebook.Output{{Type: notebook.DisplayData, Data: map[string]any{"image/png": dot},
			Metadata: map[string]any{"svmkit": map[string]any{"alt": "What only the alternative text says.", "caption": "A dot at $x_1$."}}}}},
	)
	return &course.Guide{Path: []course.PathEntry{{Number: 1, Title: "A lesson", Why: "It is one."}}}, []site.Source{{Number: 1, Slug: "01-one", Notebook: n}}
}

// Pandoc makes a book that passes the check, in which a picture keeps its own alternative text; an EPUB is replaced, and nothing else.
func TestMake(t *testing.T) {
	if _, err := exec.LookPath("pandoc"); err != nil {
		t.Skip(ErrNoPandoc)
	}
	g, sources := lessons("So $\\Bigl(\\tfrac12\\Bigr)^2<f(1)$ and $\\left[\\tfrac12\\right]$ in [this section](01-one.ipynb#a-section).")
	to := filepath.Join(t.TempDir(), "course.epub")
	for range 2 {
		if err := Make(context.Background(), g, sources, t.TempDir(), to); err != nil {
			t.Fatal(err)
		}
	}
	// A heading of the part about the book, the lesson, the theorems and the glossary each; the title page has one, too.
	if n, err := Check(to); err != nil || n.Figures != 1 || n.Formulas != 3 || n.Chapters < 4 || n.Links < 5 {
		t.Errorf("%+v, %v", n, err)
	}
	z, err := zip.OpenReader(to)
	if err != nil {
		t.Fatal(err)
	}
	defer z.Close()
	all := ""
	for _, f := range z.File {
		all += content(f)
	}
	for _, part := range []string{`alt="What only the alternative text says."`, "Figure 1.1.", `<mo stretchy="false" form="prefix">(</mo><mn>1`, `<mo stretchy="true" form="prefix">[`} {
		if !strings.Contains(all, part) {
			t.Errorf("the book has no %q", part)
		}
	}

	other := filepath.Join(t.TempDir(), "notes.txt")
	if err := os.WriteFile(other, []byte("mine"), 0o666); err != nil {
		t.Fatal(err)
	}
	if err := Make(context.Background(), g, sources, t.TempDir(), other); !errors.Is(err, ErrNotOurs) {
		t.Errorf("over a text: %v", err)
	}
	if text, err := os.ReadFile(other); err != nil || string(text) != "mine" {
		t.Errorf("the text is now %q, %v", text, err)
	}
	for prose, want := range map[string]string{"$\\notacommand$": "notacommand", "[Away](01-one.ipynb#lost)": "leads nowhere"} {
		g, sources := lessons(prose)
		none := filepath.Join(t.TempDir(), "course.epub")
		if err := Make(context.Background(), g, sources, t.TempDir(), none); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%s: %v", prose, err)
		}
		if _, err := os.Stat(none); !errors.Is(err, os.ErrNotExist) {
			t.Errorf("%s: a faulty book is written (%v)", prose, err)
		}
	}
}

func TestWithoutPandoc(t *testing.T) {
	t.Setenv("PATH", t.TempDir())
	g, sources := lessons("")
	if err := Make(context.Background(), g, sources, t.TempDir(), filepath.Join(t.TempDir(), "x.epub")); !errors.Is(err, ErrNoPandoc) {
		t.Error(err)
	}
}

// Each fault of a book is found.
func TestCheck(t *testing.T) {
	const chapter = `<html xmlns="http://www.w3.org/1999/xhtml"><body><h1 id="a">A</h1><img src="../a.png" alt="A"/><a href="#a">a</a> <a href="https://go.dev/">Go</a> <code>\(x\)</code></body></html>`
	for _, c := range []struct{ file, old, new, want string }{
		{"", "", "", ""},
		{"mimetype", "epub", "other", "the first entry is not mimetype"},
		{"mimetype", "epub", "epub", "the first entry is not mimetype"},
		{"META-INF/container.xml", "", "-", "no META-INF"},
		{"t/a.xhtml", `"../a.png"`, `"b.png"`, "the picture b.png is missing"},
		{"t/a.xhtml", `alt="A"`, `alt=" "`, "no alternative text"},
		{"t/a.xhtml", `"#a"`, `"#b"`, "#b leads nowhere"},
		{"t/a.xhtml", `"#a"`, `"b.xhtml#a"`, "b.xhtml#a leads nowhere"},
		{"t/a.xhtml", `<img`, `<p id="a"/><img`, "stands there twice"},
		{"t/a.xhtml", `<code>\(x\)</code>`, `\(x\)`, "left as TeX"},
		{"t/a.xhtml", `</body>`, ``, "a.xhtml"},
		{"t/a.xhtml", `h1`, `h2`, "no chapter"},
	} {
		name := filepath.Join(t.TempDir(), "x.epub")
		f, err := os.Create(name)
		if err != nil {
			t.Fatal(err)
		}
		z := zip.NewWriter(f)
		for _, entry := range []struct{ name, text string }{{"mimetype", mimetype}, {"META-INF/container.xml", "<container/>"}, {"a.png", "png"}, {"t/a.xhtml", chapter}} {
			if entry.name == c.file && c.old == "" {
				continue
			}
			if entry.name == c.file {
				entry.text = strings.ReplaceAll(entry.text, c.old, c.new)
			}
			header := &zip.FileHeader{Name: entry.name, Method: zip.Store}
			if c.file == entry.name && c.old == c.new {
				header.Method = zip.Deflate
			}
			w, err := z.CreateHeader(header)
			if err == nil {
				_, err = w.Write([]byte(entry.text))
			}
			if err != nil {
				t.Fatal(err)
			}
		}
		if err := errors.Join(z.Close(), f.Close()); err != nil {
			t.Fatal(err)
		}
		if _, err := Check(name); c.want == "" && err != nil || c.want != "" && (err == nil || !strings.Contains(err.Error(), c.want)) {
			t.Errorf("%s with %q: %v, want %q", c.file, c.new, err, c.want)
		}
	}
	if _, err := Check(filepath.Join(t.TempDir(), "none")); !errors.Is(err, os.ErrNotExist) {
		t.Errorf("no file: %v", err)
	}
}
