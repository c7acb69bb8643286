package cli

import (
	"context"
	"errors"
	"flag"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"

	"golang.org/x/term"

	"github.com/svmkit/course/internal/atomicfile"
)

// fileName is the value of a flag that names a file to read or to write, - for the standard input or output.
type fileName struct {
	*string
	output bool
}

func (f *fileName) String() string {
	if f.string == nil { // a zero value, as package flag makes one
		return ""
	}
	return *f.string
}

// Set takes /dev/stdout for the standard output: taken for a file, it would be replaced if the standard output is one.
func (f *fileName) Set(name string) error {
	if f.output && (name == "/dev/stdout" || name == "/dev/fd/1") {
		name = "-"
	}
	*f.string = name
	return nil
}

// OutputVar defines a flag that names a file to write; - is the standard output.
func OutputVar(fs *flag.FlagSet, name *string, flag, usage string) {
	fs.Var(&fileName{name, true}, flag, usage)
}

// InputVar defines a flag that names a file to read; - is the standard input.
func InputVar(fs *flag.FlagSet, name *string, flag, usage string) {
	fs.Var(&fileName{name, false}, flag, usage)
}

// Streams are the standard input and output of a command; a *os.File may be a file that a flag names.
type Streams struct {
	In  io.Reader
	Out io.Writer
}

// CheckFiles finds, before any work, what would keep the files of the flags of [OutputVar] from being
// written, or what writing them would destroy: an output that is an input, by whatever name or link; two
// outputs that are one file; two inputs that are the standard input; a folder that is missing. Inputs are
// the given files and those of [InputVar]. An empty name stands for no file.
func CheckFiles(set *flag.FlagSet, std Streams, inputs []string) error {
	type place struct {
		given, what string
		name        string      // the path of an output without links
		file        os.FileInfo // nil if there is none yet
		output      bool
	}
	var places, written []place
	standard := func(what string, output bool, file any) place {
		p := place{given: "-", name: "-", what: what, output: output}
		if f, ok := file.(*os.File); ok {
			p.file, _ = f.Stat()
		}
		return p
	}
	read := func(name string) {
		if about, _ := os.Stat(name); name == "-" {
			places = append(places, standard("the standard input", false, std.In))
		} else if name != "" {
			places = append(places, place{name: name, what: name, file: about})
		}
	}
	for _, name := range inputs {
		read(name)
	}
	set.VisitAll(func(f *flag.Flag) {
		file, ok := f.Value.(*fileName)
		switch name := f.Value.String(); {
		case !ok || name == "":
		case !file.output:
			read(name)
		case name == "-":
			written = append(written, standard("-"+f.Name, true, nil))
		default:
			about, _ := os.Stat(name)
			written = append(written, place{given: name, name: resolved(name), what: "-" + f.Name, file: about, output: true})
		}
	})
	places = append(append(places, written...), standard("the standard output", true, std.Out))
	for i, p := range places {
		for _, q := range places[:i] {
			same := p.file != nil && q.file != nil && p.file.Mode().IsRegular() && os.SameFile(p.file, q.file)
			switch {
			case !p.output && p.given == "-" && q.given == "-":
				return WrongUse(set, "two files are -, but the standard input can be read only once")
			case !p.output:
			case q.output && (same || p.name == q.name && p.what != "the standard output"):
				return WrongUse(set, "%s and %s both name %s; each needs its own", q.what, p.what, p.given)
			case !q.output && same:
				return WrongUse(set, "%s would overwrite %s, which is read", p.what, q.what)
			}
		}
	}
	for _, p := range written {
		if p.given != "-" {
			err, where, folder := atomicfile.Check(p.given), p.what+" "+Quoted(p.given), filepath.Dir(p.given)
			if _, missing := os.Stat(folder); errors.Is(missing, fs.ErrNotExist) {
				return &Located{Where: where, What: "there is no folder " + Quoted(folder), Err: err}
			} else if p.file != nil && p.file.IsDir() {
				return &Located{Where: where, What: "this is a folder; name a file", Err: err}
			} else if err != nil {
				return err
			}
		}
	}
	return nil
}

// resolved returns the path of a file without links, as far as it is there.
func resolved(name string) string {
	if path, err := filepath.EvalSymlinks(name); err == nil {
		name = path
	} else if folder, err := filepath.EvalSymlinks(filepath.Dir(name)); err == nil {
		name = filepath.Join(folder, filepath.Base(name))
	}
	if path, err := filepath.Abs(name); err == nil {
		return path
	}
	return name
}

// WriteOutput writes a file whole or not at all, or writes to stdout if name is "-". An error of the
// writing names the file; an error of content is returned as it is.
func WriteOutput(ctx context.Context, stdout io.Writer, name string, content func(io.Writer) error) error {
	var err, elsewhere error
	write := func(w io.Writer) error {
		out := &noting{Writer: w}
		err := content(out)
		if out.failed == nil {
			elsewhere = err
		}
		return err
	}
	if about, failed := os.Stat(name); name == "-" {
		err = write(stdout)
	} else if failed == nil && !about.Mode().IsRegular() && ctx.Err() == nil { // a pipe may have no reader
		err = Await(ctx, func() error { return atomicfile.Write(name, write) })
	} else {
		err = atomicfile.Write(name, write)
	}
	var named *fs.PathError
	if err == nil || errors.As(err, &named) || errors.Is(err, context.Canceled) || elsewhere != nil {
		return err
	}
	if name == "-" {
		name = "standard output"
	}
	return fmt.Errorf("%s: %w", name, err)
}

// noting is a writer that keeps its error.
type noting struct {
	io.Writer
	failed error
}

func (n *noting) Write(p []byte) (int, error) {
	k, err := n.Writer.Write(p)
	n.failed = errors.Join(n.failed, err)
	return k, err
}

// ReadState reads a file that a command has written for itself. It refuses other than regular files, which
// may have no end.
func ReadState(name string) ([]byte, error) {
	about, err := os.Stat(name)
	if err == nil && !about.Mode().IsRegular() {
		err = &fs.PathError{Op: "read", Path: name, Err: errors.New("is no regular file")}
	}
	if err != nil {
		return nil, err
	}
	return os.ReadFile(name)
}

// IsTerminal reports whether w is a terminal.
func IsTerminal(w io.Writer) bool {
	file, ok := w.(*os.File)
	return ok && term.IsTerminal(int(file.Fd()))
}
