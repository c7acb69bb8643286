package feature

import (
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"math"

	"github.com/svmkit/course/svmkit"
	"github.com/svmkit/course/svmkit/internal/strictjson"
)

// ErrNotScaling means that a file holds no scaling, or a scaling that no fit returns.
var ErrNotScaling = errors.New("not a scaling")

// Save writes t as one line of JSON, the format of `svm scale -save`.
//
// [Load] returns bit-identical numbers. If Load would refuse the scaling, the error is
// [ErrNotScaling], and nothing is written.
func Save(w io.Writer, t *Scaling) error {
	if w == nil {
		return &svmkit.ParamError{Name: "w", Value: nil, Need: "must not be nil"}
	}
	if err := t.validate(); err != nil {
		return err
	}
	text, err := json.Marshal(t)
	if err != nil {
		return err
	}
	_, err = w.Write(append(text, '\n'))
	return err
}

// Load reads a scaling that [Save] or `svm scale -save` wrote, or a range file of LIBSVM's
// svm-scale -s.
//
// A range file does not list constant columns. svm-scale makes them 0, as does the Scaling, by
// its field Zero. The error is [ErrScalesLabels] for a range file that also scales the labels, and
// [ErrNotScaling] for anything else.
func Load(r io.Reader) (*Scaling, error) {
	if r == nil {
		return nil, &svmkit.ParamError{Name: "r", Value: nil, Need: "must not be nil"}
	}
	text, err := io.ReadAll(r)
	if err != nil {
		return nil, err
	}
	if isRange(string(text)) {
		t, err := parseRange(string(text))
		if err != nil {
			return nil, err
		}
		return t, nil
	}
	t := &Scaling{Kind: -1} // no kind, unless the file names one
	if _, err := strictjson.Object(text, map[string]any{"kind": &t.Kind, "dim": &t.Dim, "low": &t.Low,
		"shift": &t.Shift, "scale": &t.Scale, "zero": &t.Zero, "features": &t.Features, "label": &t.Label}); err != nil {
		return nil, fmt.Errorf("%w: %w", ErrNotScaling, err)
	}
	if err := t.validate(); err != nil {
		return nil, err
	}
	return t, nil
}

// validate returns an ErrNotScaling if no fit returns such a scaling.
func (t *Scaling) validate() error {
	wrong := func(format string, args ...any) error {
		return fmt.Errorf("%w: "+format, append([]any{ErrNotScaling}, args...)...)
	}
	switch {
	case t == nil:
		return wrong("nil")
	case t.Kind < Standardize || t.Kind > UnitNorm:
		return wrong("no kind")
	case t.Dim < 1:
		return wrong("%d columns", t.Dim)
	case t.Features != nil && len(t.Features) != t.Dim:
		return wrong("%d names for %d columns", len(t.Features), t.Dim)
	}
	for _, list := range []struct {
		name   string
		values []float64
		needed bool
	}{
		{"shifts", t.Shift, t.Kind == Standardize || t.Kind == Center || t.Kind == MinMax},
		{"scales", t.Scale, t.Kind != UnitNorm && t.Kind != Center},
	} {
		if want := map[bool]int{true: t.Dim}[list.needed]; len(list.values) != want {
			return wrong("%d %s, not %d", len(list.values), list.name, want)
		}
		for j, v := range list.values {
			if math.IsNaN(v) || math.IsInf(v, 0) || list.name == "scales" && math.IsInf(1/v, 0) {
				return wrong("%g among the %s, in column %d", v, list.name, j)
			}
		}
	}
	for k, j := range t.Zero {
		if t.Kind != MinMax || j < 0 || j >= t.Dim || k > 0 && j <= t.Zero[k-1] {
			return wrong("column %d among those that become 0", j)
		}
	}
	if math.IsNaN(t.Low) || math.IsInf(t.Low, 0) {
		return wrong("low %g", t.Low)
	}
	return nil
}
