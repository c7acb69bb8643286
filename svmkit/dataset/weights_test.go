package dataset_test

import (
	"context"
	"errors"
	"io"
	"slices"
	"strings"
	"testing"
	"testing/iotest"

	"github.com/svmkit/course/svmkit"
	"github.com/svmkit/course/svmkit/dataset"
)

func TestReadWeights(t *testing.T) {
	got, err := dataset.ReadWeights(t.Context(), strings.NewReader("1\n0.5 \r\n 0\n1e3"))
	if want := []float64{1, 0.5, 0, 1000}; err != nil || !slices.Equal(got, want) {
		t.Errorf("%v, %v, want %v", got, err, want)
	}
	for text, says := range map[string]string{
		"1\n-1\n":  `svmkit: line 2: not a weight: "-1"; a weight is a finite number, 0 or more`,
		"1\n\n2\n": `svmkit: line 2: not a weight; a weight is a finite number, 0 or more`,
		"x":        `svmkit: line 1: not a weight: "x"; a weight is a finite number, 0 or more`,
		"NaN":      `svmkit: line 1: not a weight: "NaN"; a weight is a finite number, 0 or more`,
		"+Inf":     `svmkit: line 1: not a weight: "+Inf"; a weight is a finite number, 0 or more`,
		"1e999":    `svmkit: line 1: not a weight: "1e999"; a weight is a finite number, 0 or more`,
	} {
		if got, err := dataset.ReadWeights(t.Context(), strings.NewReader(text)); got != nil || !errors.Is(err, dataset.ErrWeight) || err.Error() != says {
			t.Errorf("%q: %v, %v, want %s", text, got, err, says)
		}
	}
	var parse *dataset.ParseError
	if _, err := dataset.ReadWeights(t.Context(), io.MultiReader(strings.NewReader("1\n2\n"), iotest.ErrReader(io.ErrClosedPipe))); !errors.Is(err, io.ErrClosedPipe) ||
		!errors.As(err, &parse) || parse.Line != 3 {
		t.Error(err)
	}
	ended, cancel := context.WithCancel(t.Context())
	cancel()
	if _, err := dataset.ReadWeights(ended, strings.NewReader("1\n")); !errors.Is(err, context.Canceled) {
		t.Error(err)
	}
	var none context.Context
	var wrong *svmkit.ParamError
	if _, err := dataset.ReadWeights(none, strings.NewReader("1\n")); !errors.As(err, &wrong) || wrong.Name != "ctx" {
		t.Error(err)
	}
	if _, err := dataset.ReadWeights(t.Context(), nil); !errors.As(err, &wrong) || wrong.Name != "r" {
		t.Error(err)
	}
}
