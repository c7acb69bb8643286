package svm

import (
	"fmt"
	"strconv"

	"github.com/svmkit/course/svmkit/kernel"
)

// The header of our own model file, line by line. See Save for the whole.

// version reads the rest of the line "svmkit model 1".
func (t *loadText) version() error {
	if word, _ := t.word(); word != "model" {
		return t.notAModel()
	}
	if word, at := t.word(); word != "1" {
		return t.errorAt(at, word, ErrVersion)
	}
	return t.lineEnds()
}

// classes reads two lines `class "name"`, or none.
func (t *loadText) classes(regression bool) ([]string, error) {
	var names []string
	for t.peek() == "class" {
		if err := t.key("class"); err != nil {
			return nil, err
		}
		text, at := t.rest()
		name, err := strconv.Unquote(text)
		if err != nil || text[0] != '"' {
			return nil, t.errorAt(at, text, fmt.Errorf("%w: a name in double quotes", ErrMalformed))
		}
		if names = append(names, name); len(names) > 2 || regression || len(names) == 2 && names[0] == names[1] {
			return nil, t.errorAt(at, text, fmt.Errorf("%w: classification has two different classes, or none is named", ErrMalformed))
		}
	}
	if t.err != nil {
		return nil, t.err
	}
	if len(names) == 1 {
		return nil, t.errorAt(0, t.text, fmt.Errorf("%w: one class only", ErrMalformed))
	}
	return names, nil
}

// platt reads the line "platt A B" if it is there.
func (t *loadText) platt(m *Model) error {
	if t.peek() != "platt" {
		return nil
	}
	if err := t.key("platt"); err != nil {
		return err
	}
	if m.Regression {
		return t.errorAt(1, t.text, fmt.Errorf("%w: a regression has no probabilities", ErrMalformed))
	}
	a, err := t.number()
	if err != nil {
		return err
	}
	b, err := t.number()
	if err != nil {
		return err
	}
	m.Platt = &Platt{A: a, B: b}
	return t.lineEnds()
}

// loadOwnKernel reads "kernel name key value …".
func loadOwnKernel(t *loadText) (kernel.Kernel, error) {
	if err := t.key("kernel"); err != nil {
		return nil, err
	}
	name, at := t.word()
	form, known := savedKernels[name]
	if !known {
		return nil, t.errorAt(at, name, fmt.Errorf("%w: the kernel", ErrUnsupported))
	}
	var p kernelParameters
	for _, key := range form.keys {
		word, at := t.word()
		if word != key {
			return nil, t.errorAt(at, word, fmt.Errorf("%w: %s expected", ErrMalformed, key))
		}
		if err := p.read(t, key); err != nil {
			return nil, err
		}
	}
	k := form.make(p)
	if err := kernel.Validate(k); err != nil {
		return nil, t.errorAt(0, t.text, err)
	}
	return k, t.lineEnds()
}

// kernelParameters are the numbers that a kernel in a file may have. A zero in a file is
// zero: only in our structs does it mean a default.
type kernelParameters struct {
	degree       int
	gamma, coef0 float64
}

func (p *kernelParameters) read(t *loadText, key string) (err error) {
	at := t.pos + 2
	switch key {
	case "degree":
		p.degree, err = t.count(1)
	case "gamma":
		if p.gamma, err = t.number(); err == nil && p.gamma == 0 {
			err = t.errorAt(at, "0", fmt.Errorf("%w: gamma must not be 0", ErrMalformed))
		}
	case "coef0":
		p.coef0, err = t.number()
	}
	return err
}
