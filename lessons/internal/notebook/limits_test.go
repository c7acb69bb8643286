package notebook

import (
	"bytes"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"
)

// enough is a bound of time for what takes well under a second, and took minutes when the work grew with the square.
const enough = 20 * time.Second

// within fails if work takes longer than enough.
func within(t *testing.T, name string, work func()) {
	t.Helper()
	start := time.Now()
	work()
	if took := time.Since(start); took > enough {
		t.Errorf("%s: took %v", name, took)
	}
}

// Ids of equal cells are the hash and a number, and 100,000 of them take no time to speak of.
func TestIDsOfEqualCells(t *testing.T) {
	const cells = 100_000
	var n *Notebook
	within(t, "100,000 equal cells", func() {
		var err error
		if n, err = ParseMarkdown("x.md", bytes.Repeat([]byte("a\n\n\n"), cells)); err != nil {
			t.Fatal(err)
		}
	})
	if len(n.Cells) != cells {
		t.Fatalf("%d cells", len(n.Cells))
	}
	base := n.Cells[0].ID
	for i, c := range n.Cells[1:] {
		if want := fmt.Sprintf("%s-%d", base, i+2); c.ID != want {
			t.Fatalf("cell %d: id %s, want %s", i+1, c.ID, want)
		}
	}
	// A number that another cell has taken is passed over.
	taken := New(Cell{Kind: Markdown, Source: "a", ID: base + "-3"}, Cell{Kind: Markdown, Source: "a"}, Cell{Kind: Markdown, Source: "a"},
		Cell{Kind: Markdown, Source: "a"}, Cell{Kind: Markdown, Source: "a"})
	for i, want := range []string{"-3", "", "-2", "-4", "-5"} {
		if got := taken.Cells[i].ID; got != base+want {
			t.Errorf("cell %d: id %s, want %s%s", i, got, base, want)
		}
	}
}

// Texts whose reading took time that grew with the square of their length, or worse.
func TestLongTextsTakeLinearTime(t *testing.T) {
	var tags, keys strings.Builder
	for i := range 200_000 {
		fmt.Fprintf(&tags, `"%d",`, i)
	}
	for i := 0; keys.Len() < MaxHeader-100; i++ {
		fmt.Fprintf(&keys, "k%d: 1\n", i)
	}
	for _, c := range []struct{ name, text string }{
		{"tags", "```go tags=[" + tags.String() + `"a"]` + "\n```\n"},
		{"keys", "---\n" + keys.String() + "---\n"},
		{"equal keys", "---\n" + strings.Repeat("a: b\n", MaxHeader/5-1) + "---\n"},
		{"equal keys in braces", "---\na: {" + strings.Repeat("a,", MaxHeader/2-10) + "}\n---\n"},
		{"brackets", "---\na: " + strings.Repeat("[", MaxHeader-10) + "\n---\n"},
	} {
		within(t, c.name, func() {
			n, err := ParseMarkdown("x.md", []byte(c.text))
			if err == nil {
				n.Markdown()
			}
		})
	}
	_, err := ParseMarkdown("x.md", []byte("---\na: 1\nb:\n  c: 1\n  c: 2\n---\n"))
	var e *ParseError
	if !errors.As(err, &e) || e.Line != 5 || !errors.Is(err, ErrHeader) || !strings.Contains(e.Detail, `"c" already defined`) {
		t.Errorf("a key twice: %v", err)
	}
}

// What is beyond a limit is refused with the limit, and what is at it is read and written in proportion to its size.
func TestLimits(t *testing.T) {
	nested := func(levels int) string { return strings.Repeat("[", levels) + strings.Repeat("]", levels) }
	inNotebook := func(levels int) []byte {
		return []byte(`{"nbformat":4,"cells":[],"metadata":{"a":` + nested(levels-2) + "}}")
	}
	inOptions := func(levels int) []byte { return []byte("```go a=" + nested(levels-4) + "\n```\n") }
	inHeader := func(levels int) []byte { return []byte("---\na: " + nested(levels-4) + "\n---\n") }
	inSection := func(levels int) []byte { return []byte("---\njupyter:\n  a: " + nested(levels-2) + "\n---\n") }
	markdown := func(src []byte) (*Notebook, error) { return ParseMarkdown("x.md", src) }
	notebook := func(src []byte) (*Notebook, error) { return ReadJSON(bytes.NewReader(src)) }
	for _, c := range []struct {
		name    string
		read    func([]byte) (*Notebook, error)
		at, out []byte
		cause   error
		says    string
	}{
		{"nested metadata", notebook, inNotebook(maxLevels), inNotebook(maxLevels + 1), ErrNested, "100 levels"},
		{"nested options", markdown, inOptions(maxLevels), inOptions(maxLevels + 1), ErrNested, "100 levels"},
		{"nested header", markdown, inHeader(maxLevels), inHeader(maxLevels + 1), ErrNested, "100 levels"},
		{"nested section", markdown, inSection(maxLevels), inSection(maxLevels + 1), ErrNested, "100 levels"},
		{"60 KB of nesting", notebook, inNotebook(3), inNotebook(9_000), ErrNested, "100 levels"},
		{"long header", markdown, []byte("---\n" + strings.Repeat("#", MaxHeader) + "\n---\n"), []byte("---\n" + strings.Repeat("#", MaxHeader+1) + "\n---\n"), ErrSize, "32 KiB"},
		{"long lesson", markdown, bytes.Repeat([]byte("\n"), MaxMarkdown), bytes.Repeat([]byte("\n"), MaxMarkdown+1), ErrSize, "8192 KiB"},
		{"long notebook", notebook, append(inNotebook(3), bytes.Repeat([]byte("\n"), MaxNotebook-len(inNotebook(3)))...),
			bytes.Repeat([]byte("\n"), MaxNotebook+1), ErrSize, "65536 KiB"},
	} {
		n, err := c.read(c.at)
		if err != nil {
			t.Errorf("%s: at the limit %v", c.name, err)
			continue
		}
		var b bytes.Buffer
		if err := n.WriteJSON(&b); err != nil || b.Len() > 1000+maxLevels*len(c.at) {
			t.Errorf("%s: %d bytes were written as %d, error %v", c.name, len(c.at), b.Len(), err)
		}
		if _, err := ReadJSON(&b); err != nil {
			t.Errorf("%s: what was written is not read: %v", c.name, err)
		}
		if _, err := ParseMarkdown("x.md", n.Markdown()); err != nil {
			t.Errorf("%s: its Markdown is not read: %v", c.name, err)
		}
		n, err = c.read(c.out)
		var e *ParseError
		if n != nil || !errors.As(err, &e) || !errors.Is(err, c.cause) || !strings.Contains(err.Error(), c.says) {
			t.Errorf("%s: beyond the limit %v", c.name, err)
		}
	}
	deep := New(Cell{Kind: Code, Metadata: map[string]any{"a": 1}})
	for range maxLevels {
		deep.Cells[0].Metadata = map[string]any{"a": deep.Cells[0].Metadata}
	}
	if err := deep.WriteJSON(&bytes.Buffer{}); !errors.Is(err, ErrNested) {
		t.Errorf("a deep notebook was written: %v", err)
	}
	if _, err := ReadJSON(strings.NewReader(`{"nbformat":4,"cells":[],"metadata":{"a":"` + strings.Repeat(`\"[{`, maxLevels) + `"}}`)); err != nil {
		t.Errorf("brackets in a text: %v", err)
	}
}

// Where a file is meant, a folder, a device and a pipe are refused; a pipe is not waited for.
func TestReadFileRefusesWhatIsNoFile(t *testing.T) {
	dir := t.TempDir()
	paths := []string{filepath.Join(dir, "folder.md")}
	if err := os.Mkdir(paths[0], 0o700); err != nil {
		t.Fatal(err)
	}
	for name, target := range map[string]string{"zero.md": "/dev/zero", "zero.ipynb": "/dev/zero"} {
		if _, err := os.Stat(target); err == nil {
			path := filepath.Join(dir, name)
			if err := os.Symlink(target, path); err != nil {
				t.Fatal(err)
			}
			paths = append(paths, path)
		}
	}
	if path := filepath.Join(dir, "pipe.ipynb"); makePipe(path) {
		paths = append(paths, path)
	}
	for _, path := range paths {
		done := make(chan error, 1)
		go func() { _, err := ReadFile(path); done <- err }()
		select {
		case err := <-done:
			var e *ParseError
			if !errors.As(err, &e) || !errors.Is(err, ErrFile) || e.Name != path {
				t.Errorf("%s: %v", path, err)
			}
		case <-time.After(enough):
			t.Fatalf("%s: still reading", path)
		}
	}
}

// Line ends are those of CommonMark: they do not change a cell.
func TestLineEndsOfAllKinds(t *testing.T) {
	want, err := ParseMarkdown("x.md", []byte(canonical))
	if err != nil {
		t.Fatal(err)
	}
	for _, end := range []string{"\r\n", "\r"} {
		got, err := ParseMarkdown("x.md", []byte(strings.ReplaceAll(canonical, "\n", end)))
		if err != nil {
			t.Fatal(err)
		}
		if a, b := write(t, want), write(t, got); !bytes.Equal(a, b) {
			t.Errorf("%q: another notebook:\n%s", end, b)
		}
	}
	src := write(t, want)
	n, err := ReadJSON(bytes.NewReader(bytes.ReplaceAll(src, []byte("\n"), []byte("\r\n"))))
	if err != nil || !bytes.Equal(write(t, n), src) {
		t.Errorf("a notebook with \\r\\n between its lines: %v", err)
	}
}
