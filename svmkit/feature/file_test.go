package feature_test

import (
	"bytes"
	"errors"
	"io"
	"math"
	"reflect"
	"strings"
	"testing"

	"github.com/svmkit/course/svmkit"
	"github.com/svmkit/course/svmkit/feature"
)

// Every kind comes back from its file bit for bit, with the names of its columns.
func TestScalingsComeBack(t *testing.T) {
	train := &svmkit.Dataset{X: []svmkit.Row{svmkit.Dense(1.0/3, -0.1), svmkit.Dense(5e-324, 7), svmkit.Dense(2, 1e300)}, Y: []float64{1, 2, 3}, Dim: 2,
		Features: []string{"a\x1b", "b"}, Label: "y"}
	for kind := feature.Standardize; kind <= feature.UnitNorm; kind++ {
		if kind == feature.Standardize || kind == feature.UnitVariance {
			train.X[2].Value[1] = 3 // whose square is finite
		}
		want, err := feature.Scaler{Kind: kind}.Fit(train)
		if err != nil {
			t.Fatal(err)
		}
		var file bytes.Buffer
		if err := feature.Save(&file, want); err != nil {
			t.Fatal(err)
		}
		if got, err := feature.Load(&file); err != nil || !reflect.DeepEqual(got, want) {
			t.Errorf("%v: %+v came back as %+v, %v", kind, want, got, err)
		}
	}
}

func TestNoScaling(t *testing.T) {
	for _, bad := range []string{"", "{", "{}", "null", "[]", `{"kind":"minmax","dim":2}`, `{"kind":"standardize","dim":2,"shift":[1,2]}`,
		`{"kind":"maxabs","dim":2,"scale":[1]}`, `{"kind":"maxabs","dim":2,"scale":[1,0]}`, `{"kind":"maxabs","dim":1,"scale":[1e-320]}`,
		`{"kind":"center","dim":2}`, `{"kind":"unit-norm","dim":2,"scale":[1,1]}`, `{"kind":"k","dim":2}`, `{"dim":2}`, `{"kind":"unit-norm"}`,
		`{"kind":"unit-norm","dim":2,"features":["a"]}`, `{"kind":"unit-norm","dim":2,"dim":1}`, `{"kind":"unit-norm","dim":1,"extra":1}`} {
		if got, err := feature.Load(strings.NewReader(bad)); !errors.Is(err, feature.ErrNotScaling) || got != nil {
			t.Errorf("%s: %v, %v", bad, got, err)
		}
	}
	var b bytes.Buffer
	for _, bad := range []*feature.Scaling{nil, {}, {Kind: feature.UnitNorm}, {Kind: feature.MaxAbs, Dim: 1, Scale: []float64{math.NaN()}}} {
		if err := feature.Save(&b, bad); !errors.Is(err, feature.ErrNotScaling) || b.Len() > 0 {
			t.Errorf("%+v: %v, %q", bad, err, b.String())
		}
	}
	var wrong *svmkit.ParamError
	if _, err := feature.Load(nil); !errors.As(err, &wrong) {
		t.Errorf("no reader: %v", err)
	}
	if err := feature.Save(nil, &feature.Scaling{Kind: feature.UnitNorm, Dim: 1}); !errors.As(err, &wrong) {
		t.Errorf("no writer: %v", err)
	}
	broken := errors.New("broken")
	if _, err := feature.Load(io.MultiReader(strings.NewReader("{"), failing{broken})); !errors.Is(err, broken) {
		t.Errorf("a reader that fails: %v", err)
	}
}

type failing struct{ err error }

func (f failing) Read([]byte) (int, error) { return 0, f.err }

// Columns in another order are scaled by their own measures, others are refused.
func TestApplyFindsColumnsByName(t *testing.T) {
	train := &svmkit.Dataset{X: []svmkit.Row{svmkit.Dense(0, 10), svmkit.Dense(4, 30)}, Y: []float64{1, 2}, Dim: 2, Features: []string{"a", "b"}}
	scaling, err := feature.Scaler{Kind: feature.MinMax}.Fit(train)
	if err != nil {
		t.Fatal(err)
	}
	swapped := train.Columns(1, 0)
	got, err := scaling.Apply(swapped)
	if err != nil || !reflect.DeepEqual(got.X[1].Value, []float64{1, 1}) || !reflect.DeepEqual(got.Features, train.Features) {
		t.Errorf("swapped columns: %+v, %v", got, err)
	}
	swapped.Features = []string{"b", "c"}
	var wrong *svmkit.ColumnsError
	if _, err := scaling.Apply(swapped); !errors.As(err, &wrong) {
		t.Errorf("another name: %v", err)
	}
}
