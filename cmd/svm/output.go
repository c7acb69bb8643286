package main

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

// outputName is the value of a flag that names a file to write, - for the standard output. /dev/stdout is
// the same: as a file it would be replaced where the standard output is one.
type outputName string

func (o *outputName) String() string { return string(*o) }

func (o *outputName) Set(name string) error {
	if name == "/dev/stdout" || name == "/dev/fd/1" {
		name = "-"
	}
	*o = outputName(name)
	return nil
}

// defineOutput defines such a flag.
func defineOutput(fs *flag.FlagSet, name *string, flag, help string) {
	fs.Var((*outputName)(name), flag, help)
}

// checkFiles finds out, before any work, what would keep the files of some flags from being written, or what their
// writing would destroy: an output that is an input, by whatever name or link; two outputs that are one
// file; a folder that is not there. An empty name is no file.
func (a *app) checkFiles(fs *flag.FlagSet, inputs []string, flags ...string) error {
	type place struct {
		name, what string
		file       os.FileInfo // nil if there is none yet
		output     bool
	}
	var places []place
	stream := func(what string, output bool, file any) {
		p := place{name: "-", what: what, output: output}
		if f, ok := file.(*os.File); ok {
			p.file, _ = f.Stat()
		}
		places = append(places, p)
	}
	for _, name := range inputs {
		switch about, _ := os.Stat(name); name {
		case "":
		case "-":
			stream("the standard input", false, a.stdin)
		default:
			places = append(places, place{name: name, what: name, file: about})
		}
	}
	var outputs []string
	for _, flag := range flags {
		switch name := fs.Lookup(flag).Value.String(); name {
		case "":
		case "-":
			stream("-"+flag, true, nil)
		default:
			about, _ := os.Stat(name)
			places = append(places, place{name: resolved(name), what: "-" + flag, file: about, output: true})
			outputs = append(outputs, name)
		}
	}
	stream("the standard output", true, a.stdout)
	for i, p := range places {
		for _, q := range places[:i] {
			same := p.file != nil && q.file != nil && p.file.Mode().IsRegular() && os.SameFile(p.file, q.file)
			switch {
			case !p.output:
			case q.output && (same || p.name == q.name && p.what != "the standard output"):
				return &usageError{fs.Name(), fmt.Errorf("%s and %s both name %s: each needs its own", q.what, p.what, p.name)}
			case !q.output && same:
				return &usageError{fs.Name(), fmt.Errorf("%s would overwrite %s, which is read", p.what, q.what)}
			}
		}
	}
	for _, name := range outputs {
		if err := atomicfile.Check(name); err != nil {
			return err
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

// writeOutput writes a file, or to the standard output if name is "-". An error of the writing names the file; one that
// write finds elsewhere is returned as it is.
func (a *app) writeOutput(name string, content func(io.Writer) error) error {
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
		err = write(a.out)
	} else if failed == nil && !about.Mode().IsRegular() && a.ctx.Err() == nil { // a pipe may have no reader
		err = await(a.ctx, func() error { return atomicfile.Write(name, write) })
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

// readState reads a file that this command has written for itself. What is no regular file may have no end.
func readState(name string) ([]byte, error) {
	about, err := os.Stat(name)
	if err == nil && !about.Mode().IsRegular() {
		err = &fs.PathError{Op: "read", Path: name, Err: errors.New("is no regular file")}
	}
	if err != nil {
		return nil, err
	}
	return os.ReadFile(name)
}

// isTerminal reports whether w is one.
func isTerminal(w io.Writer) bool {
	file, ok := w.(*os.File)
	return ok && term.IsTerminal(int(file.Fd()))
}
