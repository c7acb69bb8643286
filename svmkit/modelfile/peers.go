package modelfile

import (
	"fmt"
	"math"
	"slices"
	"strconv"
	"strings"

	"github.com/svmkit/course/svmkit"
	"github.com/svmkit/course/svmkit/kernel"
)

// The common part of the files of LIBSVM and of LIBLINEAR.

// CheckClasses returns an error unless the formats of LIBSVM and LIBLINEAR can hold the names of
// the classes.
//
// The names must be different integers of 32 bits. nil means the labels −1 and 1. The error is a
// [*svmkit.ParamError].
func CheckClasses(names []string) error {
	_, err := integerClasses(names)
	return err
}

// CheckLIBSVMKernel returns a [*svmkit.ParamError] unless LIBSVM's format has kernels of this kind.
func CheckLIBSVMKernel(kind kernel.Kind) error {
	if name := fileName(kind); !slices.Contains(libsvmKernels, name) {
		return &svmkit.ParamError{Name: "Kernel", Value: name, Need: "must be one of LIBSVM's: " + strings.Join(libsvmKernels, ", ")}
	}
	return nil
}

// integerClasses returns the labels of the classes in the form of LIBSVM and LIBLINEAR: int32
// numbers. Without names there are two, −1 and 1.
func integerClasses(names []string) ([]string, error) {
	if len(names) == 0 {
		return svmkit.SignNames(), nil
	}
	labels := make([]string, len(names))
	seen := map[string]bool{}
	for k, name := range names {
		v, err := strconv.ParseInt(name, 10, 32)
		if err != nil {
			return nil, &svmkit.ParamError{Name: "Classes", Value: names,
				Need: fmt.Sprintf("must be integers, the only labels that LIBSVM and LIBLINEAR have; %q is none", name)}
		}
		labels[k] = strconv.FormatInt(v, 10)
		if seen[labels[k]] {
			return nil, &svmkit.ParamError{Name: "Classes", Value: names, Need: "must be different integers; " + labels[k] + " stands twice"}
		}
		seen[labels[k]] = true
	}
	return labels, nil
}

// peerHeader holds the header of a file of LIBSVM or LIBLINEAR: lines "key words…" in any order, up
// to a line that is a key alone.
type peerHeader struct {
	at    map[string]int // line of each key
	words map[string][]string
}

// anyNumber is the number of values of a key that has one value per class or per pair of classes.
const anyNumber = math.MaxInt

// readPeerHeader reads from the current line to the line `last`. known holds the largest number of
// values of each key; other keys and repeated keys are errors.
func readPeerHeader(t *text, known map[string]int, last string) (*peerHeader, error) {
	h := &peerHeader{at: map[string]int{}, words: map[string][]string{}}
	for t.pos = 0; ; {
		key, at := t.word()
		if key == last {
			return h, t.lineEnds()
		}
		most, ok := known[key]
		if !ok || h.at[key] != 0 {
			return nil, t.errorAt(at, key, fmt.Errorf("%w, an unknown or repeated key", ErrMalformed))
		}
		words := []string{}
		for word, at := t.word(); word != ""; word, at = t.word() {
			if words = append(words, word); len(words) > most {
				return nil, t.errorAt(at, word, fmt.Errorf("%w, %s has at most %d values", ErrMalformed, key, most))
			}
		}
		if len(words) == 0 && most != anyNumber {
			return nil, t.errorAt(at, key, fmt.Errorf("%w, a key without a value", ErrMalformed))
		}
		h.at[key], h.words[key] = t.line, words
		if err := t.nextLine(); err != nil {
			return nil, err
		}
	}
}

// fail is an error about a key of the header; where it is missing, about the current line.
func (h *peerHeader) fail(t *text, key string, err error) error {
	e := &ParseError{Line: t.line, Err: err}
	if e.Text = key; h.at[key] > 0 {
		e.Line, e.Text = h.at[key], shortenText(strings.Join(h.words[key], " "))
	}
	return e
}

// number returns the single number of a key; a missing key is an error.
func (h *peerHeader) number(t *text, key string) (float64, error) {
	v, err := h.numbers(t, key, 1)
	if err != nil {
		return 0, err
	}
	return v[0], nil
}

// numbers returns the n numbers of a key.
func (h *peerHeader) numbers(t *text, key string, n int) ([]float64, error) {
	words := h.words[key]
	if len(words) != n {
		return nil, h.fail(t, key, fmt.Errorf("%w, %s has %d values, not %d", ErrMalformed, key, len(words), n))
	}
	values := make([]float64, n)
	for k, word := range words {
		var err error
		if values[k], err = parseFinite(word); err != nil {
			return nil, h.fail(t, key, err)
		}
	}
	return values, nil
}

func (h *peerHeader) count(t *text, key string) (int, error) {
	words := h.words[key]
	if len(words) == 1 {
		if n, ok := parseCount(words[0]); ok {
			return n, nil
		}
	}
	return 0, h.fail(t, key, fmt.Errorf("%w, %s needs a number from 0 to 2147483647", ErrMalformed, key))
}

// classes returns the labels of two or more classes, in the order of the file.
func (h *peerHeader) classes(t *text) ([]string, error) {
	n, err := h.count(t, "nr_class")
	if err != nil {
		return nil, err
	}
	if n < 2 {
		return nil, h.fail(t, "nr_class", fmt.Errorf("%w, a model for %d classes, two or more are needed", ErrUnsupported, n))
	}
	if words := h.words["label"]; len(words) != n {
		return nil, h.fail(t, "label", fmt.Errorf("%w, label has %d values, not %d", ErrMalformed, len(words), n))
	}
	names, err := integerClasses(h.words["label"])
	if err != nil {
		return nil, h.fail(t, "label", fmt.Errorf("%w, label needs %d different integers", ErrMalformed, n))
	}
	return names, nil
}

// kernel makes the kernel of LIBSVM's keys.
func (h *peerHeader) kernel(t *text) (kernel.Kernel, error) {
	name := "missing"
	if words := h.words["kernel_type"]; len(words) == 1 {
		name = words[0]
	}
	if !slices.Contains(libsvmKernels, name) {
		err := fmt.Errorf("%w, the kernel %q is none of %s", ErrUnsupported, name, strings.Join(libsvmKernels, ", "))
		if name == "precomputed" {
			err = fmt.Errorf("%w, a precomputed kernel has no rows to score others with", ErrUnsupported)
		}
		return nil, h.fail(t, "kernel_type", err)
	}
	kind, _ := inFile(name)
	var p kernel.Parameters
	for _, key := range kind.Parameters {
		var err error
		switch key {
		case "degree":
			if p.Degree, err = h.count(t, key); err == nil && p.Degree == 0 {
				err = h.fail(t, key, fmt.Errorf("%w, a polynomial of degree 0", ErrUnsupported))
			}
		case "gamma":
			if p.Gamma, err = h.number(t, key); err == nil && p.Gamma == 0 {
				err = h.fail(t, key, fmt.Errorf("%w, gamma is 0", ErrUnsupported))
			}
		case "coef0":
			p.Coef0, err = h.number(t, key)
		}
		if err != nil {
			return nil, err
		}
	}
	k := kind.Kernel(p)
	if err := kernel.Validate(k); err != nil {
		return nil, h.fail(t, "kernel_type", err)
	}
	return k, nil
}

// libsvmKernels are the names in files of the kernels that LIBSVM has.
var libsvmKernels = []string{"linear", "polynomial", "rbf", "sigmoid"}
