package modelfile

import (
	"fmt"
	"strconv"

	"github.com/svmkit/course/svmkit"
	"github.com/svmkit/course/svmkit/kernel"
)

// What the files of LIBSVM and of LIBLINEAR have in common.

// integerClasses returns the labels of the classes −1 and +1 as LIBSVM and LIBLINEAR know
// them: int32 numbers.
func integerClasses(names []string) ([2]string, error) {
	if len(names) == 0 {
		return [2]string{"-1", "1"}, nil
	}
	var labels [2]string
	for k, name := range names {
		v, err := strconv.ParseInt(name, 10, 32)
		if err != nil {
			return labels, &svmkit.ParamError{Name: "Classes", Value: names,
				Need: fmt.Sprintf("must be integers, the only labels that LIBSVM and LIBLINEAR have; %q is none", name)}
		}
		labels[k] = strconv.FormatInt(v, 10)
	}
	if labels[0] == labels[1] {
		return labels, &svmkit.ParamError{Name: "Classes", Value: names, Need: "must be two different integers"}
	}
	return labels, nil
}

// peerHeader is what the headers of LIBSVM's and LIBLINEAR's files have in common: lines
// "key words…" in any order, up to a line that is a key alone.
type peerHeader struct {
	at    map[string]int // line of each key
	words map[string][]string
}

// readPeerHeader reads from the current line to the line `last`. Keys that are not in known
// and keys that come twice are errors.
func readPeerHeader(t *text, known map[string]int, last string) (*peerHeader, error) {
	h := &peerHeader{at: map[string]int{}, words: map[string][]string{}}
	for t.pos = 0; ; {
		key, at := t.word()
		if key == last {
			return h, t.lineEnds()
		}
		most, ok := known[key]
		if !ok || h.at[key] != 0 {
			return nil, t.errorAt(at, key, fmt.Errorf("%w: an unknown or repeated key", ErrMalformed))
		}
		words := []string{}
		for word, at := t.word(); word != ""; word, at = t.word() {
			if words = append(words, word); len(words) > most {
				return nil, t.errorAt(at, word, fmt.Errorf("%w: %s has at most %d values (no more than two classes are supported)",
					ErrUnsupported, key, most))
			}
		}
		if len(words) == 0 {
			return nil, t.errorAt(at, key, fmt.Errorf("%w: a key without a value", ErrMalformed))
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
	if line := h.at[key]; line > 0 {
		e.Line, e.Text = line, shortenText(h.words[key][0])
	} else {
		e.Text = key
	}
	return e
}

// number returns the single number of a key; a missing key is an error.
func (h *peerHeader) number(t *text, key string) (float64, error) {
	words := h.words[key]
	if len(words) != 1 {
		return 0, h.fail(t, key, fmt.Errorf("%w: %s needs one number", ErrMalformed, key))
	}
	v, err := parseFinite(words[0])
	if err != nil {
		return 0, h.fail(t, key, err)
	}
	return v, nil
}

func (h *peerHeader) count(t *text, key string) (int, error) {
	words := h.words[key]
	if len(words) == 1 {
		if n, ok := parseCount(words[0]); ok {
			return n, nil
		}
	}
	return 0, h.fail(t, key, fmt.Errorf("%w: %s needs a number from 0 to 2147483647", ErrMalformed, key))
}

// twoClasses returns Classes in our order from nr_class and "label positive negative".
func (h *peerHeader) twoClasses(t *text) ([]string, error) {
	if n, err := h.count(t, "nr_class"); err != nil {
		return nil, err
	} else if n != 2 {
		return nil, h.fail(t, "nr_class", fmt.Errorf("%w: %d classes, two are needed", ErrUnsupported, n))
	}
	labels := h.words["label"]
	if len(labels) != 2 {
		return nil, h.fail(t, "label", fmt.Errorf("%w: label needs two integers", ErrMalformed))
	}
	names, err := integerClasses([]string{labels[1], labels[0]})
	if err != nil {
		return nil, h.fail(t, "label", fmt.Errorf("%w: label needs two different integers", ErrMalformed))
	}
	return names[:], nil
}

// kernel makes the kernel of LIBSVM's keys.
func (h *peerHeader) kernel(t *text) (kernel.Kernel, error) {
	name := "missing"
	if words := h.words["kernel_type"]; len(words) == 1 {
		name = words[0]
	}
	if !libsvmKernels[name] {
		err := fmt.Errorf("%w: the kernel %q is none of linear, polynomial, rbf, sigmoid", ErrUnsupported, name)
		if name == "precomputed" {
			err = fmt.Errorf("%w: a precomputed kernel has no rows to score others with", ErrUnsupported)
		}
		return nil, h.fail(t, "kernel_type", err)
	}
	var p kernelParameters
	for _, key := range savedKernels[name].keys {
		var err error
		switch key {
		case "degree":
			if p.degree, err = h.count(t, key); err == nil && p.degree == 0 {
				err = h.fail(t, key, fmt.Errorf("%w: a polynomial of degree 0", ErrUnsupported))
			}
		case "gamma":
			if p.gamma, err = h.number(t, key); err == nil && p.gamma == 0 {
				err = h.fail(t, key, fmt.Errorf("%w: gamma is 0", ErrUnsupported))
			}
		case "coef0":
			p.coef0, err = h.number(t, key)
		}
		if err != nil {
			return nil, err
		}
	}
	k := savedKernels[name].make(p)
	if err := kernel.Validate(k); err != nil {
		return nil, h.fail(t, "kernel_type", err)
	}
	return k, nil
}

var libsvmKernels = map[string]bool{"linear": true, "polynomial": true, "rbf": true, "sigmoid": true}
