package site

import (
	"context"
	"errors"
	"fmt"
	"html"
	"io"
	"net"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
	"time"

	"github.com/svmkit/course/lessons/internal/notebook"
)

// enough is a bound of time for what takes well under a second alone, and takes minutes when the work grows with the square
// of the text or worse.
const enough = 30 * time.Second

func within(t *testing.T, name string, work func()) {
	t.Helper()
	start := time.Now()
	work()
	if took := time.Since(start); took > enough {
		t.Errorf("%s: took %v", name, took)
	}
}

// upTo repeats a piece to a text of size bytes.
func upTo(size int, piece string) string { return strings.Repeat(piece, size/len(piece)) }

// Markdown that a parser has much to do with, once as long as a cell is read and once far longer.
func TestHostileMarkdownTakesBoundedTime(t *testing.T) {
	for _, piece := range []string{"> ", "- ", "* - ", "1. ", "[", "![", "[a](", "[a](<b", "*a_ ", "**a _b ", "~~a ", "`", "$a ", `\(a `, "\\[a\n", "$$a\n",
		"\\begin{a}\n", "<a ", "a|", "<!--", "[a]: b\n", "# [\n", "```\n", "```go\n/*\n", "- \n"} {
		within(t, fmt.Sprintf("%q", piece), func() {
			for _, size := range []int{maxProse, 40 * maxProse} {
				out := string(newProse().html(upTo(size, piece), nil))
				if limit := 100*maxProse + 10*size; len(out) > limit {
					t.Errorf("%q: %d bytes became %d", piece, size, len(out))
				}
			}
		})
	}
}

// Beyond a limit a text is shown as it was written; at the limit it is set.
func TestLimitsOfProse(t *testing.T) {
	table := func(rows int) string {
		return strings.Repeat("|a", 100) + "|\n" + strings.Repeat("|-", 100) + "|\n" + strings.Repeat("a\n", rows)
	}
	for _, c := range []struct{ name, at, beyond, tag, says string }{
		{"length", strings.Repeat("a", maxProse-3) + "*b*", strings.Repeat("a", maxProse-2) + "*b*", "<em>", "16 KiB"},
		{"quotations", strings.Repeat("> ", maxBlocks) + "a", strings.Repeat("> ", maxBlocks+1) + "a", "<blockquote>", "32 quotations"},
		{"lists", strings.Repeat("- ", maxBlocks) + "a", strings.Repeat("- ", maxBlocks+1) + "a", "<li>", "32 quotations"},
		{"lists of two kinds", strings.Repeat("* - ", maxBlocks/2) + "a", strings.Repeat("* - ", maxBlocks/2) + "* -", "<li>", "32 quotations"},
		{"a table", table(190), table(210), "<table>", "20000 cells"},
	} {
		if got := string(newProse().html(c.at, nil)); !strings.Contains(got, c.tag) || strings.Contains(got, "as it was written") {
			t.Errorf("%s: at the limit: %.300s", c.name, got)
		}
		got := string(newProse().html(c.beyond, nil))
		if strings.Contains(got, c.tag) || !strings.Contains(got, c.says) || !strings.Contains(got, "<pre") || !strings.Contains(got, html.EscapeString(c.beyond[:60])) {
			t.Errorf("%s: beyond the limit: %.300s", c.name, got)
		}
	}
	for _, ordinary := range []string{strings.Repeat("- ", 40), strings.Repeat("-", 100) + "> a", strings.Repeat("*", 80), "1. a\n" + strings.Repeat("2. b\n", 100)} {
		if got := string(newProse().html(ordinary, nil)); strings.Contains(got, "as it was written") {
			t.Errorf("%.50q is within the limits", ordinary)
		}
	}
}

// A formula ends within maxFormula bytes or is none; the others on the page are set.
func TestLongFormulasAreText(t *testing.T) {
	const other = `<span class="math">x^2</span>`
	for _, c := range []struct{ name, open, close string }{{"in a line", "$", "$"}, {"displayed", "$$", "$$"}, {"in brackets", `\[`, `\]`}, {"an environment", "\\begin{a}\n", "\n\\end{a}"}} {
		for _, braces := range []int{maxFormula/2 - 40, maxFormula/2 + 40, maxProse/2 - 100} {
			tex := strings.Repeat("{", braces) + strings.Repeat("}", braces)
			got := string(newProse().html("$x^2$\n\n"+c.open+tex+c.close+"\n\n$x^2$", nil))
			set := strings.Count(got, `class="math`) == 3
			if set != (2*braces < maxFormula) || strings.Count(got, other) != 2 || !strings.Contains(got, tex) {
				t.Errorf("%s, %d braces: set is %v, %d others", c.name, braces, set, strings.Count(got, other))
			}
		}
	}
}

// The page's script has the same limit as the pages.
func TestScriptHasTheLimitOfFormulas(t *testing.T) {
	script, err := assets.ReadFile("assets/site.js")
	if err != nil || !strings.Contains(string(script), fmt.Sprintf("tex.length > %d)", maxFormula)) {
		t.Error("site.js has another limit", err)
	}
}

// Lines of a notebook may end as on any system.
func TestLineEndsOfProse(t *testing.T) {
	const source = "# A\n\na\nb  \nc\n\n```\nx\n\ny\n```\n\n    z\n\n> q\n\n| a | b |\n|---|---|\n| 1 | 2 |\n\n$$\nx\n$$\n\n<details>\n<b>x</b>\n</details>\n"
	want := newProse().html(source, nil)
	for _, end := range []string{"\r\n", "\r"} {
		if got := newProse().html(strings.ReplaceAll(source, "\n", end), nil); got != want {
			t.Errorf("%q:\n%s\nwant\n%s", end, got, want)
		}
	}
}

// Code that keeps Chroma's expressions busy has no colours; Go as a kernel takes it has.
func TestHostileCodeTakesBoundedTime(t *testing.T) {
	const size = 50_000
	for _, code := range []string{upTo(size, "/*"), "\"" + upTo(size, `\\`), "`" + upTo(size, "{{\""), "'" + upTo(size, "'a"), upTo(size, "a "), "a" + strings.Repeat(" ", size), upTo(size, "\"\n"), "`" + upTo(size, "{{/*") + "`"} {
		for _, language := range []string{"go", "perl", "markdown", ""} {
			within(t, fmt.Sprintf("%.10q in %s", code, language), func() { highlight(language, code) })
		}
	}
	for _, code := range []string{"x := 1 // a", "%%\nfmt.Println('a', \"b\", `c`)", "!ls $HOME\n", "for {"} {
		if got := string(highlight("go", code)); !strings.Contains(got, `<span class=`) {
			t.Errorf("%q has no colours: %s", code, got)
		}
	}
}

// A kernel may send a text byte by byte.
func TestTextInManyPieces(t *testing.T) {
	const pieces = 300_000
	outputs := make([]notebook.Output, pieces)
	for i := range outputs {
		outputs[i] = notebook.Output{Type: notebook.Stream, Name: "stdout", Text: "abcdefghij"}
	}
	within(t, "pieces", func() {
		got, err := (&page{}).outputs(&notebook.Cell{Kind: notebook.Code, Outputs: outputs})
		if err != nil || strings.Count(got, "<pre") != 1 || strings.Count(got, "abcdefghij") != pieces {
			t.Errorf("%d bytes, %v", len(got), err)
		}
	})
}

// countdown is a context that is cancelled when it has been asked so many times.
type countdown struct {
	context.Context
	left *int
}

func (c countdown) Err() error {
	if *c.left--; *c.left < 0 {
		return context.Canceled
	}
	return nil
}

// A page hears that it is to end between two of its cells.
func TestPageHearsCancellation(t *testing.T) {
	cells := make([]notebook.Cell, 100)
	for i := range cells {
		cells[i] = notebook.Cell{Kind: notebook.Markdown, Source: "a"}
	}
	left := 50
	err := Build(countdown{context.Background(), &left}, nil, []Source{{Slug: "a", Notebook: notebook.New(cells...)}}, t.TempDir())
	if !errors.Is(err, context.Canceled) {
		t.Errorf("error %v", err)
	}
}

// A server waits for nothing for ever, and reads no more of a header than a browser sends.
func TestServerHasLimits(t *testing.T) {
	dir := t.TempDir()
	if err := os.WriteFile(filepath.Join(dir, "index.html"), []byte("x"), 0o600); err != nil {
		t.Fatal(err)
	}
	s := Server(dir)
	for name, limit := range map[string]time.Duration{"ReadHeaderTimeout": s.ReadHeaderTimeout, "ReadTimeout": s.ReadTimeout, "WriteTimeout": s.WriteTimeout, "IdleTimeout": s.IdleTimeout} {
		if limit <= 0 || limit > 5*time.Minute {
			t.Errorf("%s is %v", name, limit)
		}
	}
	s.IdleTimeout, s.ReadHeaderTimeout = 300*time.Millisecond, 300*time.Millisecond // a busy machine may need 50 for a line
	listener, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	done := make(chan error, 1)
	go func() { done <- s.Serve(listener) }()
	defer func() { s.Close(); <-done }()
	for _, c := range []struct{ name, request, want string }{
		{"an ordinary one, then nothing", "GET / HTTP/1.1\r\nHost: localhost\r\n\r\n", "HTTP/1.1 200"},
		{"a long header", "GET / HTTP/1.1\r\nHost: localhost\r\nCookie: " + strings.Repeat("a", 40<<10) + "\r\n\r\n", "HTTP/1.1 431"},
		{"half a header", "GET / HTTP/1.1\r\nHost: localhost\r\n", ""},
	} {
		conn, err := net.Dial("tcp", listener.Addr().String())
		if err != nil {
			t.Fatal(err)
		}
		conn.SetDeadline(time.Now().Add(enough))
		io.WriteString(conn, c.request)
		answer, err := io.ReadAll(conn) // to the end, which the server makes
		conn.Close()
		var timeout net.Error
		if !strings.HasPrefix(string(answer), c.want) || errors.As(err, &timeout) && timeout.Timeout() {
			t.Errorf("%s: %.60q, %v", c.name, answer, err)
		}
	}
}

var sandboxed = regexp.MustCompile(`default-src 'none'.*; sandbox; frame-ancestors 'none'`)

// A figure that is opened by itself has a policy of its own.
func TestFiguresHaveAPolicy(t *testing.T) {
	dir := t.TempDir()
	if err := os.WriteFile(filepath.Join(dir, "a.svg"), []byte("<svg/>"), 0o600); err != nil {
		t.Fatal(err)
	}
	w := httptest.NewRecorder()
	r := httptest.NewRequest(http.MethodGet, "http://localhost/a.svg", nil)
	Handler(dir).ServeHTTP(w, r)
	csp := w.Header().Get("Content-Security-Policy")
	if w.Code != http.StatusOK || !sandboxed.MatchString(csp) || strings.Contains(csp, "script-src") || strings.Contains(csp, "'self'") {
		t.Errorf("status %d, policy %q", w.Code, csp)
	}
}
