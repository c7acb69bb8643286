// Package reading shows what the readers of LIBSVM and LIBLINEAR make of a text, bit for bit.
// These readers are not in the libraries but in the programs svm-train and liblinear-train, and the
// programs print at most eight digits. So the program runs with a preloaded shared library that
// prints the problem in place of checking its parameters.
//
// It needs the programs and headers (Debian: libsvm-tools libsvm-dev liblinear-tools liblinear-dev)
// and a C compiler, and the Linux way of loading libraries.
package reading

import (
	"bufio"
	"bytes"
	"embed"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"strings"
)

// The programs whose readers can be asked.
const (
	LIBSVM    = "svm-train"
	LIBLINEAR = "liblinear-train"
)

// ErrMissing says that the program, its header or a C compiler is not here.
var ErrMissing = errors.New("not installed (Debian: libsvm-tools libsvm-dev liblinear-tools liblinear-dev gcc)")

// ErrCrashed says that the program crashed on a text.
var ErrCrashed = errors.New("the program crashed")

// ErrRejected says that the program's reader does not take the text.
var ErrRejected = errors.New("the program rejects the text")

//go:embed shim
var shims embed.FS

// Row is one row as the program has it in memory. Index is counted as in the file.
type Row struct {
	Label float64
	Index []int32
	Value []float64
}

// Reader runs one of the programs. It is not for concurrent use.
type Reader struct {
	program string // path
	library string // the compiled shim
	text    string // file that the program reads
}

// New makes a reader that keeps its files in dir. Without the program or a compiler the error
// is [ErrMissing].
func New(dir, program string) (*Reader, error) {
	source, err := shims.ReadFile("shim/" + program + ".c")
	if err != nil {
		return nil, fmt.Errorf("reading: no program %q", program)
	}
	path, err := exec.LookPath(program)
	if err != nil {
		return nil, fmt.Errorf("%s: %w", program, ErrMissing)
	}
	r := &Reader{program: path, library: filepath.Join(dir, program+".so"), text: filepath.Join(dir, program+".txt")}
	compile := exec.Command("cc", "-shared", "-fPIC", "-Wall", "-o", r.library, "-x", "c", "-")
	compile.Stdin = bytes.NewReader(source)
	if out, err := compile.CombinedOutput(); err != nil {
		return nil, fmt.Errorf("%s: %w: %w: %s", program, ErrMissing, err, out)
	}
	return r, nil
}

// Read returns the rows that the program has read from the text.
func (r *Reader) Read(text string) ([]Row, error) {
	if err := os.WriteFile(r.text, []byte(text), 0o600); err != nil {
		return nil, err
	}
	cmd := exec.Command(r.program, r.text, os.DevNull)
	cmd.Env = append(os.Environ(), "LD_PRELOAD="+r.library)
	var stderr bytes.Buffer
	cmd.Stderr = &stderr
	out, err := cmd.Output()
	var exit *exec.ExitError
	switch {
	case errors.As(err, &exit) && strings.Contains(stderr.String(), "Wrong input format"):
		return nil, fmt.Errorf("%w: %s", ErrRejected, bytes.TrimSpace(stderr.Bytes()))
	case errors.As(err, &exit) && exit.ExitCode() < 0:
		return nil, fmt.Errorf("%w: %w", ErrCrashed, err)
	case err != nil:
		return nil, fmt.Errorf("%w: %s", err, stderr.Bytes())
	}
	return parse(out)
}

// parse reads what a shim prints: a line "has read", then a line "label index value …" a row.
func parse(out []byte) ([]Row, error) {
	lines := bufio.NewScanner(bytes.NewReader(out))
	lines.Buffer(nil, len(out)+1)
	if !lines.Scan() || lines.Text() != "has read" {
		return nil, fmt.Errorf("reading: the program does not ask the library that stands before its own: %.100q", out)
	}
	var rows []Row
	for lines.Scan() {
		words := strings.Fields(lines.Text())
		if len(words)%2 == 0 {
			return nil, fmt.Errorf("reading: a line of %d words", len(words))
		}
		row := Row{}
		var err error
		if row.Label, err = strconv.ParseFloat(words[0], 64); err != nil {
			return nil, err
		}
		for ; len(words) > 2; words = words[2:] {
			index, err := strconv.ParseInt(words[1], 10, 32)
			if err != nil {
				return nil, err
			}
			value, err := strconv.ParseFloat(words[2], 64)
			if err != nil {
				return nil, err
			}
			row.Index, row.Value = append(row.Index, int32(index)), append(row.Value, value)
		}
		rows = append(rows, row)
	}
	return rows, lines.Err()
}
