package svm

import (
	"errors"
	"fmt"
	"io"
	"os"
	"strings"

	"github.com/svmkit/course/svmkit"
	"github.com/svmkit/course/svmkit/svm/internal/core"
)

// Causes that a [*ParseError] of a model file can wrap; test with errors.Is. The others are
// svmkit.ErrNotFinite, the [*svmkit.ParamError] of a kernel, and what the reader
// underneath returned.
var (
	ErrNotModel    = errors.New("not a model file of svmkit, LIBSVM or LIBLINEAR")
	ErrVersion     = errors.New("a model file of another version: this one reads version 1")
	ErrTruncated   = errors.New("the model file ends too early")
	ErrMalformed   = errors.New("malformed model file")
	ErrUnsupported = errors.New("this kind of model is not supported")
)

// ParseError says where a model file cannot be read, and why.
type ParseError struct {
	Name   string // of the file, if known
	Line   int    // from 1
	Column int    // byte in the line, from 1; 0 if the error concerns the whole line
	Text   string // the offending text, shortened
	Err    error  // the cause
}

func (e *ParseError) Error() string {
	var b strings.Builder
	b.WriteString("svm: ")
	if e.Name != "" {
		b.WriteString(e.Name + ": ")
	}
	fmt.Fprintf(&b, "line %d", e.Line)
	if e.Column > 0 {
		fmt.Fprintf(&b, ", column %d", e.Column)
	}
	b.WriteString(": " + e.Err.Error())
	if e.Text != "" {
		fmt.Fprintf(&b, ": %q", e.Text)
	}
	return b.String()
}

func (e *ParseError) Unwrap() error { return e.Err }

// Load reads a model that [Model.Save] wrote, or LIBSVM (C-SVC and ν-SVC with two classes,
// ε-SVR and ν-SVR), or LIBLINEAR (all but Crammer–Singer, with two classes, and regression).
// The first line tells them apart. What is wrong in a file is a [*ParseError]; memory stays
// in proportion to the length of the file, whatever it promises.
func Load(r io.Reader) (*Model, error) {
	t := newLoadText(r)
	if err := t.nextLine(); errors.Is(err, ErrTruncated) {
		return nil, t.notAModel()
	} else if err != nil {
		return nil, err
	}
	var m *Model
	var err error
	switch word, _ := t.word(); word {
	case "svmkit":
		m, err = loadOwn(t)
	case "svm_type":
		m, err = loadLIBSVM(t)
	case "solver_type":
		m, err = loadLIBLINEAR(t)
	default:
		return nil, t.notAModel()
	}
	if err != nil {
		return nil, err
	}
	return m, nil
}

// LoadFile is [Load] for the named file.
func LoadFile(name string) (*Model, error) {
	file, err := os.Open(name)
	if err != nil {
		return nil, err
	}
	defer file.Close()
	m, err := Load(file)
	var parse *ParseError
	if errors.As(err, &parse) {
		parse.Name = name
	}
	return m, err
}

// loadOwn reads what Save wrote, from the rest of its first line on.
func loadOwn(t *loadText) (*Model, error) {
	if err := t.version(); err != nil {
		return nil, err
	}
	m := &Model{}
	if err := loadOwnHeader(t, m); err != nil {
		return nil, err
	}
	if err := loadOwnNumbers(t, m); err != nil {
		return nil, err
	}
	if err := t.key("end"); err != nil {
		return nil, err
	}
	return m, t.onlyBlankLines()
}

func loadOwnHeader(t *loadText, m *Model) error {
	if err := t.key("task"); err != nil {
		return err
	}
	switch task, at := t.word(); task {
	case "classification":
	case "regression":
		m.Regression = true
	default:
		return t.errorAt(at, task, fmt.Errorf("%w: task is classification or regression", ErrMalformed))
	}
	if err := t.key("dim"); err != nil {
		return err
	}
	var err error
	if m.Dim, err = t.count(1); err != nil {
		return err
	}
	if m.Classes, err = t.classes(m.Regression); err != nil {
		return err
	}
	if m.Kernel, err = loadOwnKernel(t); err != nil {
		return err
	}
	if err := t.key("bias"); err != nil {
		return err
	}
	if m.Bias, err = t.number(); err != nil {
		return err
	}
	return t.platt(m)
}

// loadOwnNumbers reads the weights of a linear model or the support vectors of any.
func loadOwnNumbers(t *loadText, m *Model) error {
	if t.peek() == "weights" {
		if !core.Linear(m.Kernel) {
			return t.errorAt(1, "weights", fmt.Errorf("%w: only a linear model has weights", ErrMalformed))
		}
		m.Kernel = nil
		if err := t.key("weights"); err != nil {
			return err
		}
		w, err := t.column(m.Dim)
		m.Weights = w
		return err
	}
	if err := t.key("vectors"); err != nil {
		return err
	}
	n, err := t.count(0)
	if err != nil {
		return err
	}
	for len(m.SV) < n {
		if err := loadOwnVector(t, m); err != nil {
			return err
		}
	}
	return nil
}

// loadOwnVector reads one line "β row free|bound x". Row and state are "-" if not known,
// for all vectors or for none.
func loadOwnVector(t *loadText, m *Model) error {
	if err := t.nextLine(); err != nil {
		return err
	}
	coef, err := t.number()
	if err != nil {
		return err
	}
	row, at := t.word()
	if row != "-" {
		i, ok := parseCount(row)
		if !ok {
			return t.errorAt(at, row, fmt.Errorf("%w: the number of a row, or -", ErrMalformed))
		}
		m.Rows = append(m.Rows, i)
	}
	state, at := t.word()
	switch state {
	case "free", "bound":
		m.Bound = append(m.Bound, state == "bound")
	case "-":
	default:
		return t.errorAt(at, state, fmt.Errorf("%w: free, bound or -", ErrMalformed))
	}
	x, err := t.row(m.Dim)
	if err != nil {
		return err
	}
	m.SV, m.Coef = append(m.SV, x), append(m.Coef, coef)
	if n := len(m.SV); m.Rows != nil && len(m.Rows) != n || m.Bound != nil && len(m.Bound) != n {
		return t.errorAt(0, "", fmt.Errorf("%w: - for some vectors only", ErrMalformed))
	}
	return nil
}

// row reads the rest of the line as a row of dim columns: index:value pairs with indices
// from 1, or dim bare values. 0 allows any number of columns and demands pairs.
func (t *loadText) row(dim int) (svmkit.Row, error) {
	x := svmkit.Row{}
	sparse := true
	for k := 0; ; k++ {
		word, at := t.word()
		if word == "" {
			break
		}
		index, value, pair := strings.Cut(word, ":")
		if k == 0 {
			sparse = pair || dim == 0
		}
		if pair != sparse {
			return x, t.errorAt(at, word, fmt.Errorf("%w: a row has index:value pairs, or bare values", ErrMalformed))
		}
		if !sparse {
			value = word
		} else {
			j, ok := parseCount(index)
			if !ok || j < 1 || dim > 0 && j > dim || len(x.Index) > 0 && j-1 <= int(x.Index[len(x.Index)-1]) {
				return x, t.errorAt(at, word, fmt.Errorf("%w: indices rise strictly from 1 and stay within the columns", ErrMalformed))
			}
			x.Index = append(x.Index, int32(j-1))
		}
		v, err := parseFinite(value)
		if err != nil {
			return x, t.errorAt(at, word, err)
		}
		x.Value = append(x.Value, v)
	}
	if sparse && x.Index == nil {
		x.Index = []int32{} // an empty sparse row, not a dense one
	}
	if !sparse && len(x.Value) != dim {
		return x, t.errorAt(0, "", fmt.Errorf("%w: a dense row of %d columns in a model of %d", ErrMalformed, len(x.Value), dim))
	}
	return x, nil
}
