package site

import (
	"context"
	"errors"
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

// Lines of a notebook may end as on any system.
func TestLineEndsOfProse(t *testing.T) {
	const source = "# A\n\na\nb  \nc\n\n```\nx\n\ny\n```\n\n    z\n\n> q\n\n| a | b |\n|---|---|\n| 1 | 2 |\n\n$$\nx\n$$\n\n<details>\n<b>x</b>\n</details>\n"
	want := newProse().html(source)
	for _, end := range []string{"\r\n", "\r"} {
		if got := newProse().html(strings.ReplaceAll(source, "\n", end)); got != want {
			t.Errorf("%q:\n%s\nwant\n%s", end, got, want)
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
	err := Build(countdown{context.Background(), &left}, Address{}, sampleGuide, []Source{{Slug: "a", Notebook: notebook.New(cells...)}}, t.TempDir())
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
	handler(dir).ServeHTTP(w, r)
	csp := w.Header().Get("Content-Security-Policy")
	if w.Code != http.StatusOK || !sandboxed.MatchString(csp) || strings.Contains(csp, "script-src") || strings.Contains(csp, "'self'") {
		t.Errorf("status %d, policy %q", w.Code, csp)
	}
}
