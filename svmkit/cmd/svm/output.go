package main

import (
	"errors"
	"flag"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"

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

// checkOutputs finds out, before any work, what would keep the files of some flags from being written: two of
// them with one name, of which the second would take the place of the first, or a folder that is not there. An empty
// name is no file.
func checkOutputs(fs *flag.FlagSet, flags ...string) error {
	taken := map[string]string{}
	for _, flag := range flags {
		name := fs.Lookup(flag).Value.String()
		if name == "" {
			continue
		}
		place := name
		if name != "-" {
			if full, err := filepath.Abs(name); err == nil {
				place = full
			}
		}
		if other := taken[place]; other != "" {
			return &usageError{fs.Name(), fmt.Errorf("-%s and -%s both name %s: each needs its own", other, flag, name)}
		}
		if taken[place] = flag; name == "-" {
			continue
		}
		if err := atomicfile.Check(name); err != nil {
			return err
		}
	}
	return nil
}

// writeOutput writes a file, or to the standard output if name is "-". An error names the file.
func writeOutput(stdout io.Writer, name string, write func(io.Writer) error) error {
	var err error
	if name == "-" {
		err = write(stdout)
	} else {
		err = atomicfile.Write(name, write)
	}
	var named *fs.PathError
	if err == nil || errors.As(err, &named) {
		return err
	}
	if name == "-" {
		name = "standard output"
	}
	return fmt.Errorf("%s: %w", name, err)
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
