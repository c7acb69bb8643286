package cli

import (
	"bytes"
	"context"
	"errors"
	"flag"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// outputs returns flags -o and -save for files to write, and -load for one to read.
func outputs(t *testing.T, args ...string) *flag.FlagSet {
	t.Helper()
	fs := FlagSet("fit")
	var out, save, load string
	OutputVar(fs, &out, "o", "")
	OutputVar(fs, &save, "save", "")
	InputVar(fs, &load, "load", "")
	if _, err := Parse(fs, args, nil); err != nil {
		t.Fatal(err)
	}
	return fs
}

func TestCheckFiles(t *testing.T) {
	folder := t.TempDir()
	t.Chdir(folder)
	if err := errors.Join(os.WriteFile("data", []byte("old"), 0o600), os.Mkdir("sub", 0o700)); err != nil {
		t.Fatal(err)
	}
	if os.Symlink("data", "link") != nil || os.Link("data", "hard") != nil || os.Symlink(".", "dot") != nil {
		t.Skip("no links here")
	}
	for _, c := range []struct {
		flags, inputs, says string
	}{
		{"", "data", ""}, {"-o new", "data", ""}, {"-o new -save other", "data", ""}, {"-o -", "-", ""}, {"-o - -save new", "data", ""}, {"-o sub/new", "data", ""},
		{"-o data", "", ""}, {"-load data -o new", "data", ""}, {"-load -", "data", ""}, {"", "nothing", ""},
		{"-o data", "data", "-o would overwrite data, which is read"}, {"-o link", "data", "-o would overwrite data, which is read"},
		{"-o hard", "data", "-o would overwrite data, which is read"}, {"-o data", "link", "-o would overwrite link, which is read"},
		{"-o dot/data", "data", "-o would overwrite data, which is read"}, {"-save data", "other data", "-save would overwrite data, which is read"},
		{"-load data -o link", "", "-o would overwrite data, which is read"}, {"-load data -save hard", "new", "-save would overwrite data, which is read"},
		{"-o new -save new", "", "-o and -save both name new; each needs its own"}, {"-o new -save ./dot/new", "", "-o and -save both name ./dot/new; each needs its own"},
		{"-o link -save hard", "", "-o and -save both name hard; each needs its own"}, {"-o - -save -", "", "-o and -save both name -; each needs its own"},
		{"-o - -save /dev/stdout", "", "-o and -save both name -; each needs its own"}, {"-o /dev/fd/1 -save -", "", "-o and -save both name -; each needs its own"},
		{"-load -", "-", "two files are -, but the standard input can be read only once"}, {"", "- -", "two files are -, but the standard input can be read only once"},
	} {
		err := CheckFiles(outputs(t, strings.Fields(c.flags)...), Streams{strings.NewReader(""), io.Discard}, strings.Fields(c.inputs))
		var use *UsageError
		if c.says == "" && err != nil || c.says != "" && (!errors.As(err, &use) || err.Error() != c.says) {
			t.Errorf("%s, inputs %s: %v, want %q", c.flags, c.inputs, err, c.says)
		}
	}
	for _, flags := range []string{"-o nowhere/new", "-o sub", "-o data/new"} {
		err := CheckFiles(outputs(t, strings.Fields(flags)...), Streams{}, nil)
		var path *fs.PathError
		if !errors.As(err, &path) || !strings.Contains(err.Error(), strings.Fields(flags)[1]) {
			t.Errorf("%s: %v", flags, err)
		}
	}
	if entries, _ := os.ReadDir("."); len(entries) != 5 {
		t.Errorf("a check leaves files: %v", entries)
	}
}

// The standard streams may be files, too.
func TestCheckFilesOfStreams(t *testing.T) {
	name := filepath.Join(t.TempDir(), "data")
	file, err := os.Create(name)
	if err != nil {
		t.Fatal(err)
	}
	defer file.Close()
	other, err := os.Create(name + "2")
	if err != nil {
		t.Fatal(err)
	}
	defer other.Close()
	for _, c := range []struct {
		flags, input, says string
		std                Streams
	}{
		{"-o " + name, "-", "-o would overwrite the standard input, which is read", Streams{file, io.Discard}},
		{"-o " + name, name + "2", "", Streams{file, io.Discard}}, // the standard input is not read
		{"", name, "the standard output would overwrite " + name + ", which is read", Streams{nil, file}},
		{"", "-", "the standard output would overwrite the standard input, which is read", Streams{file, file}},
		{"-o " + name, name + "2", "-o and the standard output both name ", Streams{nil, file}},
		{"-o -", name, "the standard output would overwrite " + name, Streams{nil, file}},
		{"-o -", "-", "", Streams{file, other}},
	} {
		err := CheckFiles(outputs(t, strings.Fields(c.flags)...), c.std, []string{c.input})
		if c.says == "" && err != nil || c.says != "" && (err == nil || !strings.HasPrefix(err.Error(), c.says)) {
			t.Errorf("%s %s: %v, want %q", c.flags, c.input, err, c.says)
		}
	}
}

func TestWriteOutput(t *testing.T) {
	t.Chdir(t.TempDir())
	write := func(text string, err error) func(io.Writer) error {
		return func(w io.Writer) error {
			io.WriteString(w, text)
			return err
		}
	}
	var out bytes.Buffer
	if err := WriteOutput(t.Context(), &out, "-", write("to stdout", nil)); err != nil || out.String() != "to stdout" {
		t.Errorf("%v, %q", err, out.String())
	}
	if err := WriteOutput(t.Context(), &out, "new", write("to a file", nil)); err != nil {
		t.Error(err)
	}
	bad := errors.New("bad")
	if err := WriteOutput(t.Context(), &out, "new", write("half", bad)); err != bad {
		t.Errorf("the error of the content is %v", err)
	}
	if text, err := os.ReadFile("new"); err != nil || string(text) != "to a file" {
		t.Errorf("%q, %v", text, err)
	}
	full := brokenWriter{errors.New("no space left")}
	content := func(w io.Writer) error {
		_, err := w.Write([]byte("x"))
		return err
	}
	if err := WriteOutput(t.Context(), full, "-", content); !errors.Is(err, full.err) || err.Error() != "standard output: no space left" {
		t.Error(err)
	}
	swallowed := func(w io.Writer) error {
		w.Write([]byte("x"))
		return bad
	}
	if err := WriteOutput(t.Context(), full, "-", swallowed); !errors.Is(err, bad) {
		t.Error(err)
	}
	var path *fs.PathError
	if err := WriteOutput(t.Context(), &out, "nowhere/new", write("x", nil)); !errors.As(err, &path) || path.Path != "nowhere/new" {
		t.Error(err)
	}
	ended := func(io.Writer) error { return context.Canceled }
	if err := WriteOutput(t.Context(), &out, "new", ended); err != context.Canceled {
		t.Error(err)
	}
	if entries, _ := os.ReadDir("."); len(entries) != 1 {
		t.Errorf("files are left: %v", entries)
	}
}

type brokenWriter struct{ err error }

func (w brokenWriter) Write([]byte) (int, error) { return 0, w.err }

func TestReadState(t *testing.T) {
	folder := t.TempDir()
	name := filepath.Join(folder, "state")
	if err := os.WriteFile(name, []byte("as it was"), 0o600); err != nil {
		t.Fatal(err)
	}
	if text, err := ReadState(name); err != nil || string(text) != "as it was" {
		t.Errorf("%q, %v", text, err)
	}
	if _, err := ReadState(name + "2"); !errors.Is(err, fs.ErrNotExist) {
		t.Error(err)
	}
	if _, err := ReadState(folder); err == nil || !strings.Contains(err.Error(), "is no regular file") {
		t.Error(err)
	}
}
