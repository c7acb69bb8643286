package cli

import (
	"bytes"
	"context"
	"errors"
	"io"
	"math"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"
)

func TestAwait(t *testing.T) {
	bad := errors.New("bad")
	if err := Await(t.Context(), func() error { return bad }); err != bad {
		t.Error(err)
	}
	ctx, cancel := context.WithCancel(t.Context())
	blocked := make(chan error)
	cancel()
	if err := Await(ctx, func() error { return <-blocked }); err != context.Canceled {
		t.Error(err)
	}
	blocked <- nil // ends the goroutine
}

// A read that waits for a pipe ends with the context, and its goroutine ends with the pipe.
func TestOpenEndsWithTheContext(t *testing.T) {
	pipe, feeder, err := os.Pipe()
	if err != nil {
		t.Fatal(err)
	}
	ctx, cancel := context.WithCancel(t.Context())
	in, err := Open(ctx, "-", pipe)
	if err != nil {
		t.Fatal(err)
	}
	io.WriteString(feeder, "one line\n")
	text := make([]byte, 9)
	if _, err := io.ReadFull(in, text); err != nil || string(text) != "one line\n" {
		t.Fatalf("%q, %v", text, err)
	}
	time.AfterFunc(10*time.Millisecond, cancel)
	if n, err := in.Read(text); n != 0 || err != context.Canceled {
		t.Errorf("%d bytes, %v", n, err)
	}
	feeder.Close()
	pipe.Close()
	in.Close()
}

func TestOpen(t *testing.T) {
	name := filepath.Join(t.TempDir(), "file")
	if err := os.WriteFile(name, []byte("text"), 0o600); err != nil {
		t.Fatal(err)
	}
	for _, name := range []string{name, "-"} {
		in, err := Open(t.Context(), name, strings.NewReader("text"))
		if err != nil {
			t.Fatal(err)
		}
		if text, err := io.ReadAll(in); err != nil || string(text) != "text" {
			t.Errorf("%s: %q, %v", name, text, err)
		}
		in.Close()
	}
	broken := errors.New("broken")
	in, err := Open(t.Context(), "-", io.MultiReader(strings.NewReader("te"), brokenReader{broken}))
	if err != nil {
		t.Fatal(err)
	}
	defer in.Close()
	if text, err := io.ReadAll(in); err != broken || string(text) != "te" {
		t.Errorf("%q, %v", text, err)
	}
	if _, err := Open(t.Context(), name+"2", nil); !errors.Is(err, os.ErrNotExist) {
		t.Error(err)
	}
}

type brokenReader struct{ err error }

func (r brokenReader) Read([]byte) (int, error) { return 0, r.err }

// A pipe without a writer does not open; the wait ends with the context.
func TestOpenOfAPipeWithoutAWriter(t *testing.T) {
	name := filepath.Join(t.TempDir(), "pipe")
	if mkfifo(name) != nil {
		t.Skip("no named pipes here")
	}
	ctx, cancel := context.WithCancel(t.Context())
	time.AfterFunc(10*time.Millisecond, cancel)
	if _, err := Open(ctx, name, nil); err != context.Canceled {
		t.Error(err)
	}
	writer, err := os.OpenFile(name, os.O_WRONLY, 0) // ends the goroutine that still opens
	if err != nil {
		t.Fatal(err)
	}
	writer.Close()
}

// A named pipe is an output, too: WriteOutput waits for its reader, or for the end of the context.
func TestWriteOutputToAPipe(t *testing.T) {
	name := filepath.Join(t.TempDir(), "pipe")
	if mkfifo(name) != nil {
		t.Skip("no named pipes here")
	}
	content := func(w io.Writer) error {
		_, err := io.WriteString(w, "text")
		return err
	}
	got := make(chan string, 1)
	go func() {
		text, _ := os.ReadFile(name)
		got <- string(text)
	}()
	if err := WriteOutput(t.Context(), nil, name, content); err != nil {
		t.Error(err)
	}
	if text := <-got; text != "text" {
		t.Errorf("%q", text)
	}
	ctx, cancel := context.WithCancel(t.Context())
	time.AfterFunc(10*time.Millisecond, cancel)
	if err := WriteOutput(ctx, nil, name, content); err != context.Canceled {
		t.Error(err)
	}
	if text, err := os.ReadFile(name); err != nil || string(text) != "text" { // ends the goroutine that still writes
		t.Errorf("%q, %v", text, err)
	}
}

func TestWriter(t *testing.T) {
	var b bytes.Buffer
	ctx, cancel := context.WithCancel(t.Context())
	w := Writer{Context: ctx, W: &b}
	if n, err := w.Write([]byte("one ")); n != 4 || err != nil {
		t.Errorf("%d, %v", n, err)
	}
	cancel()
	if n, err := w.Write([]byte("two ")); n != 0 || err != context.Canceled {
		t.Errorf("%d, %v", n, err)
	}
	w.After = true
	if n, err := w.Write([]byte("three")); n != 5 || err != nil || b.String() != "one three" {
		t.Errorf("%d, %v, %q", n, err, b.String())
	}
}

// A write that waits for the reader of a full pipe ends with the context.
func TestWriterEndsWithTheContext(t *testing.T) {
	reader, pipe, err := os.Pipe()
	if err != nil {
		t.Fatal(err)
	}
	defer pipe.Close()
	ctx, cancel := context.WithCancel(t.Context())
	w := Writer{Context: ctx, W: pipe}
	if n, err := w.Write([]byte("x")); n != 1 || err != nil {
		t.Fatalf("%d, %v", n, err)
	}
	time.AfterFunc(10*time.Millisecond, cancel)
	if _, err := w.Write(make([]byte, 1<<20)); err != context.Canceled {
		t.Error(err)
	}
	reader.Close() // ends the goroutine that still writes
	if n, err := (Writer{Context: t.Context(), W: pipe}).Write([]byte("x")); n != 0 || err == nil {
		t.Errorf("%d, %v", n, err)
	}
}

func TestLocated(t *testing.T) {
	inner := errors.New("inner")
	for _, c := range []struct {
		err  *Located
		want string
	}{{&Located{"file", "bad", inner}, "file: bad"}, {&Located{Where: "file is bad", Err: inner}, "file is bad"}} {
		if c.err.Error() != c.want || !errors.Is(c.err, inner) {
			t.Errorf("%q, want %q", c.err, c.want)
		}
	}
}

func TestWriteReport(t *testing.T) {
	report := struct {
		Rows int    `json:"n"`
		Gap  Number `json:"gap"`
		Norm Number `json:"norm"`
	}{3, Number(math.Inf(1)), 0.5}
	table := func(t *Table) {
		t.Line("rows n", "%d", report.Rows)
		t.Line("name", "%s", "a\x1b[31mb")
	}
	for _, c := range []struct {
		json bool
		want string
	}{
		{true, "{\n  \"n\": 3,\n  \"gap\": \"+Inf\",\n  \"norm\": 0.5\n}\n"},
		{false, "rows n            3\nname              a\\x1b[31mb\n"},
	} {
		var b bytes.Buffer
		if err := WriteReport(&b, c.json, report, table); err != nil || b.String() != c.want {
			t.Errorf("json %t: %v, %q, want %q", c.json, err, b.String(), c.want)
		}
	}
	broken := errors.New("broken")
	if err := WriteReport(brokenWriter{broken}, false, report, table); !errors.Is(err, broken) || err.Error() != "the report cannot be written: broken" {
		t.Error(err)
	}
	if err := WriteReport(io.Discard, true, func() {}, nil); err == nil {
		t.Error("a function is no JSON")
	}
}
