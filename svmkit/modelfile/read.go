package modelfile

import (
	"fmt"
	"strconv"
	"strings"

	"github.com/svmkit/course/svmkit"
	"github.com/svmkit/course/svmkit/kernel"
	"github.com/svmkit/course/svmkit/svm"
)

// readModel reads a model of our own from the rest of its first line, after "svmkit model", to its end.
func readModel(t *text) (*svm.Model, error) {
	if err := t.version(); err != nil {
		return nil, err
	}
	m := &svm.Model{}
	if err := readHeader(t, m); err != nil {
		return nil, err
	}
	if err := readNumbers(t, m); err != nil {
		return nil, err
	}
	return m, t.key("end")
}

// version reads the rest of a first line, which is the number of the version.
func (t *text) version() error {
	if word, at := t.word(); word != "1" {
		return t.errorAt(at, word, ErrVersion)
	}
	return t.lineEnds()
}

func readHeader(t *text, m *svm.Model) error {
	if err := t.key("task"); err != nil {
		return err
	}
	switch task, at := t.word(); task {
	case "classification":
	case "regression":
		m.Regression = true
	case "one-class":
		m.OneClass = true
	default:
		return t.errorAt(at, task, fmt.Errorf("%w, task is classification, regression or one-class", ErrMalformed))
	}
	if err := t.key("dim"); err != nil {
		return err
	}
	var err error
	if m.Dim, err = t.count(1); err != nil {
		return err
	}
	if word, at := t.word(); word == "open" {
		m.Open = true
	} else if word != "" {
		return t.errorAt(at, word, fmt.Errorf("%w, the line should end here", ErrMalformed))
	}
	columns, err := t.columns()
	if err != nil {
		return err
	}
	if m.Features, m.Label = columns.Features, columns.Label; m.Features != nil && len(m.Features) != m.Dim {
		return t.errorAt(0, t.current, namesError(len(m.Features), m.Dim))
	}
	if m.Classes, err = t.classes(m.Regression || m.OneClass); err != nil {
		return err
	}
	if m.Kernel, err = readKernel(t); err != nil {
		return err
	}
	if err := t.key("bias"); err != nil {
		return err
	}
	if m.Bias, err = t.number(); err != nil {
		return err
	}
	word, at := t.rest()
	if m.Zero = zeros[word]; word != "" && (m.Zero == 0 || m.Regression) {
		return t.errorAt(at, word, fmt.Errorf("%w, the line should end here", ErrMalformed))
	}
	return t.platt(m)
}

// zeros are the words for the label of a score of exactly 0.
var zeros = map[string]float64{"zero:-1": -1, "zero:1": 1}

// columns reads a line `label "name"` and lines `feature "name"`, each of which may be missing.
func (t *text) columns() (c svmkit.Columns, err error) {
	if t.peek() == "label" {
		if c.Label, err = t.name("label"); err != nil {
			return c, err
		}
	}
	for t.peek() == "feature" {
		name, err := t.name("feature")
		if err != nil {
			return c, err
		}
		c.Features = append(c.Features, name)
	}
	return c, t.err
}

func namesError(names, columns int) error {
	return fmt.Errorf("%w, %d names for %d columns", ErrMalformed, names, columns)
}

// classes reads two lines `class "name"`, or none.
func (t *text) classes(none bool) ([]string, error) {
	var names []string
	seen := map[string]bool{}
	for t.peek() == "class" {
		name, err := t.className(seen)
		if err != nil {
			return nil, err
		}
		if names = append(names, name); len(names) > 2 || none {
			return nil, t.errorAt(0, t.current, fmt.Errorf("%w, classification has two classes, or none is named", ErrMalformed))
		}
	}
	if t.err != nil {
		return nil, t.err
	}
	if len(names) == 1 {
		return nil, t.errorAt(0, t.current, fmt.Errorf("%w, one class only", ErrMalformed))
	}
	return names, nil
}

// className reads a line `class "name"`, whose name must not be among those seen.
func (t *text) className(seen map[string]bool) (string, error) {
	name, err := t.name("class")
	if err == nil && seen[name] {
		err = t.errorAt(0, t.current, fmt.Errorf("%w, this class was already named", ErrMalformed))
	}
	seen[name] = true
	return name, err
}

// name reads a line of a key and a name in double quotes.
func (t *text) name(key string) (string, error) {
	if err := t.key(key); err != nil {
		return "", err
	}
	quoted, at := t.rest()
	name, err := strconv.Unquote(quoted)
	if err != nil || quoted[0] != '"' {
		return "", t.errorAt(at, quoted, fmt.Errorf("%w, a name in double quotes", ErrMalformed))
	}
	return name, nil
}

// platt reads the line "platt A B" if it is there.
func (t *text) platt(m *svm.Model) error {
	if t.peek() != "platt" {
		return nil
	}
	if err := t.key("platt"); err != nil {
		return err
	}
	if m.Regression || m.OneClass {
		return t.errorAt(1, t.current, fmt.Errorf("%w, only classification has probabilities", ErrMalformed))
	}
	a, err := t.number()
	if err != nil {
		return err
	}
	b, err := t.number()
	if err != nil {
		return err
	}
	m.Platt = &svm.Platt{A: a, B: b}
	return t.lineEnds()
}

// readNumbers reads the weights of a linear model or the support vectors of any.
func readNumbers(t *text, m *svm.Model) error {
	if t.peek() == "weights" {
		if !kernel.IsLinear(m.Kernel) {
			return t.errorAt(1, "weights", fmt.Errorf("%w, only a linear model has weights", ErrMalformed))
		}
		m.Kernel = nil
		if err := t.key("weights"); err != nil {
			return err
		}
		table, err := t.table(m.Dim, 1)
		if err == nil {
			m.Weights = table[0]
		}
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
		if err := readVector(t, m); err != nil {
			return err
		}
	}
	return nil
}

// readVector reads one line "β row free|bound x". Row and state are "-" if unknown, for all vectors
// or for none.
func readVector(t *text, m *svm.Model) error {
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
			return t.errorAt(at, row, fmt.Errorf("%w, the number of a row, or -", ErrMalformed))
		}
		m.Rows = append(m.Rows, i)
	}
	state, at := t.word()
	switch state {
	case "free", "bound":
		m.Bound = append(m.Bound, state == "bound")
	case "-":
	default:
		return t.errorAt(at, state, fmt.Errorf("%w, free, bound or -", ErrMalformed))
	}
	x, err := t.row(m.Dim, 1)
	if err != nil {
		return err
	}
	m.SV, m.Coef = append(m.SV, x), append(m.Coef, coef)
	if n := len(m.SV); m.Rows != nil && len(m.Rows) != n || m.Bound != nil && len(m.Bound) != n {
		return t.errorAt(0, "", fmt.Errorf("%w, - for some vectors only", ErrMalformed))
	}
	return nil
}

// row reads the rest of the line as a row of dim columns: index:value pairs with indices
// from base, or dim bare values. 0 allows any number of columns and demands pairs.
func (t *text) row(dim, base int) (svmkit.Row, error) {
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
			return x, t.errorAt(at, word, fmt.Errorf("%w, a row has index:value pairs, or bare values", ErrMalformed))
		}
		if !sparse {
			value = word
		} else {
			j, ok := parseCount(index)
			if ok && j == 0 && base == 1 && dim == 0 {
				return x, t.errorAt(at, word, ErrIndexZero)
			}
			j -= base
			if !ok || j < 0 || dim > 0 && j >= dim || len(x.Index) > 0 && j <= int(x.Index[len(x.Index)-1]) {
				return x, t.errorAt(at, word, fmt.Errorf("%w, indices rise strictly from %d and stay within the columns", ErrMalformed, base))
			}
			x.Index = append(x.Index, int32(j))
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
		return x, t.errorAt(0, "", fmt.Errorf("%w, a dense row of %d columns in a model of %d", ErrMalformed, len(x.Value), dim))
	}
	return x, nil
}
