package notebook

import (
	"bytes"
	"errors"
	"os"
	"path/filepath"
	"regexp"
	"runtime"
	"strings"
	"testing"
)

// What parsing may allocate: a fixed part, and for each byte of text its share of lines, cells,
// metadata and what a JSON or YAML decoder needs on its way. The YAML decoder has limits of its own
// against aliases that multiply; what it makes of the largest header it lets pass is in the fixed part.
const (
	parseFixed   = 4 << 20
	parsePerByte = 2_000
)

// checkMemory fails if work allocates more than is in proportion to size bytes of text.
func checkMemory(t *testing.T, size int, work func()) {
	var before, after runtime.MemStats
	runtime.ReadMemStats(&before)
	work()
	runtime.ReadMemStats(&after)
	if used := after.TotalAlloc - before.TotalAlloc; used > uint64(parseFixed+parsePerByte*size) {
		t.Fatalf("%d bytes allocated for a text of %d", used, size)
	}
}

// checkPlace fails unless the error is a ParseError whose line and column are in the text or one
// behind its end.
func checkPlace(t *testing.T, text string, err error) *ParseError {
	var e *ParseError
	if !errors.As(err, &e) || e.Err == nil {
		t.Fatalf("error %#v", err)
	}
	lines := strings.Split(text, "\n")
	if e.Line < 0 || e.Line > len(lines) || e.Column < 0 || e.Line == 0 && e.Column > 0 ||
		e.Line > 0 && e.Column > len(lines[e.Line-1])+1 {
		t.Fatalf("%v is no place in %d lines", err, len(lines))
	}
	return e
}

// addLessons gives the fuzzer the heads of the course's own lessons, to the first cells.
func addLessons(f *testing.F, add func([]byte)) {
	lessons, err := filepath.Glob("../../[0-9]*.md")
	if err != nil || len(lessons) == 0 {
		f.Fatal("no lessons", err)
	}
	for _, path := range lessons[:3] {
		src, err := os.ReadFile(path)
		if err != nil {
			f.Fatal(err)
		}
		const size = 1000 // small inputs are fuzzed faster
		src = src[:min(size, len(src))]
		add(src[:bytes.LastIndexByte(src, '\n')+1])
	}
}

// Whatever the text is, ParseMarkdown names a line of it, or returns a notebook whose text is read
// back as it was and stays the same; whose cells say on which line they stand; and that as
// a notebook of nbformat 4.5 follows the schema and is read back to the same bytes.
func FuzzParseMarkdown(f *testing.F) {
	f.Add([]byte(canonical))
	f.Add([]byte("---\na: &x [*x]\n---\n"))
	f.Add([]byte("---\na: &a [x,x]\nb: &b [*a,*a]\nc: [*b,*b]\n---\n"))
	f.Add([]byte("```go a={\"b\": [1\n"))
	f.Add([]byte("<!--\n---\njupyter: {}\n---\n-->\n<!-- #raw active=\"md\" -->\r\nx\r\n<!-- #endraw -->\r\n"))
	addLessons(f, func(src []byte) { f.Add(src) })
	f.Fuzz(func(t *testing.T, src []byte) {
		var n *Notebook
		var err error
		checkMemory(t, len(src), func() { n, err = ParseMarkdown("x.md", src) })
		if err != nil {
			if e := checkPlace(t, LineEnds.Replace(string(src)), err); n != nil || e.Line < 1 || e.Name != "x.md" {
				t.Fatalf("%v, error without a line or a name: %v", n, err)
			}
			return
		}
		checkLines(t, n, src)
		md := n.Markdown()
		back, err := ParseMarkdown("x.md", md)
		if err != nil {
			t.Fatalf("%v in %q from %q", err, md, src)
		}
		if diff := sameText(n, back); diff != "" {
			t.Fatalf("%s differs: %q was written as %q", diff, src, md)
		}
		if again := back.Markdown(); !bytes.Equal(md, again) {
			t.Fatalf("not canonical: %q became %q", md, again)
		}
		first := write(t, n)
		if err := againstSchema(first); err != nil && !strings.Contains(err.Error(), "metadata") { // those are the author's
			t.Fatalf("against nbformat's schema: %v\n%s", err, first)
		}
		if again := write(t, read(t, first)); !bytes.Equal(first, again) {
			t.Fatalf("as a notebook not stable:\n%s\n%s", first, again)
		}
	})
}

// checkLines asserts that each cell's source stands in the text where its line says.
func checkLines(t *testing.T, n *Notebook, src []byte) {
	lines := strings.Split(LineEnds.Replace(strings.TrimPrefix(string(src), "\ufeff")), "\n")
	last := 0
	for i, c := range n.Cells {
		if c.Line <= last || c.Line > len(lines) || !strings.HasPrefix(strings.Join(lines[c.Line-1:], "\n")+"\n", c.Source) {
			t.Fatalf("cell %d is not on line %d of %q: %q", i, c.Line, src, c.Source)
		}
		last = c.Line
	}
}

// Whatever the bytes are, ReadJSON names a place in them or a cell, or returns a notebook that is read
// back to the same bytes when it is written, that still follows nbformat's schema if the bytes did
// (it takes more than that), and whose text can be read.
func FuzzReadJSON(f *testing.F) {
	f.Add(write(f, executed()))
	f.Add([]byte(`{"nbformat":4,"cells":[{"cell_type":"code","source":[""],"outputs":[{"output_type":"display_data","data":{"a":["x",1]}}]}]}`))
	f.Add([]byte(`{"nbformat":3,"worksheets":[]}`))
	f.Add([]byte(`{"nbformat":4,"nbformat_minor":4,"metadata":{"kernelspec":{"name":"python3"}},"cells":[{"cell_type":"raw","source":"---\na: 1\n---","metadata":{"tags":["a","a"]}}]}`))
	addLessons(f, func(src []byte) {
		if n, err := ParseMarkdown("", src); err == nil {
			f.Add(write(f, n))
		}
	})
	f.Fuzz(func(t *testing.T, src []byte) {
		var n *Notebook
		var err error
		checkMemory(t, len(src), func() { n, err = ReadJSON(bytes.NewReader(src)) })
		if err != nil {
			if checkPlace(t, string(src), err); n != nil {
				t.Fatalf("a notebook beside the error %v", err)
			}
			return
		}
		first := write(t, n)
		if again := write(t, read(t, first)); !bytes.Equal(first, again) {
			t.Fatalf("not stable:\n%s\n%s", first, again)
		}
		md := n.Markdown()
		if againstSchema(src) != nil {
			return
		}
		checkSchema(t, first)
		if _, err := ParseMarkdown("x.md", md); err != nil && fenceWord.MatchString(n.Language()) {
			t.Fatalf("its text cannot be read: %v\n%q\n%s", err, md, src)
		}
	})
}

// fenceWord is what can stand behind the backticks of a fence: the names of all languages that
// Jupyter has kernels for.
var fenceWord = regexp.MustCompile("^[a-z0-9+#._-]+$")
