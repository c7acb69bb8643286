package modelfile_test

import (
	"bytes"
	"context"
	"errors"
	"io"
	"reflect"
	"strings"
	"testing"

	"github.com/svmkit/course/svmkit"
	"github.com/svmkit/course/svmkit/kernel"
	"github.com/svmkit/course/svmkit/modelfile"
	"github.com/svmkit/course/svmkit/multiclass"
	"github.com/svmkit/course/svmkit/samples"
	"github.com/svmkit/course/svmkit/svm"
)

// The names of the columns go from the data through a fit, a file and back, for every kind of model, and rows whose
// columns stand in another order are predicted as they were.
func TestModelsKnowTheirColumns(t *testing.T) {
	set := samples.Iris()
	set.Label = "spe\x1bcies\n\"é\""
	fit := func(ctx context.Context, set *svmkit.Dataset) (svmkit.Model, error) {
		return svm.Fit(ctx, &svm.Problem{Data: set, Kernel: kernel.RBF{Gamma: 0.5}}, nil, nil)
	}
	ovr, err1 := multiclass.OneVsRest{Binary: fit}.Fit(t.Context(), set)
	ovo, err2 := multiclass.OneVsOne{Binary: fit}.Fit(t.Context(), set)
	cs, err3 := multiclass.CrammerSinger{Data: set}.Fit(t.Context(), nil)
	binary, err4 := set.OneVsRest(set.Classes[0])
	if err := errors.Join(err1, err2, err3, err4); err != nil {
		t.Fatal(err)
	}
	one, err := svm.Fit(t.Context(), &svm.Problem{Data: binary}, nil, nil)
	if err != nil {
		t.Fatal(err)
	}
	other := set.Columns(3, 1, 0, 2)
	for _, m := range []svmkit.Model{ovr, ovo, cs, one} {
		var file bytes.Buffer
		if err := modelfile.Save(&file, m); err != nil {
			t.Fatal(err)
		}
		loaded, err := modelfile.Load(&file)
		if err != nil {
			t.Fatalf("%T: %v", m, err)
		}
		if got, want := loaded.Columns(), svmkit.ColumnsOf(set); !reflect.DeepEqual(got, want) {
			t.Errorf("%T: columns %+v, want %+v", m, got, want)
		}
		aligned, err := loaded.Columns().Align(other)
		if err != nil {
			t.Fatalf("%T: %v", m, err)
		}
		for i, x := range set.X {
			if got, want := loaded.Predict(aligned.X[i]).Y, m.Predict(x).Y; got != want {
				t.Errorf("%T: row %d is %v, want %v", m, i, got, want)
			}
		}
	}
}

// A file of LIBSVM does not say how many columns there were, and that survives our format.
func TestOpenColumns(t *testing.T) {
	const file = "svm_type c_svc\nkernel_type rbf\ngamma 0.5\nnr_class 2\ntotal_sv 2\nrho 0\nlabel 1 -1\nnr_sv 1 1\nSV\n1 1:1 \n-1 2:1 \n"
	m, err := modelfile.Load(strings.NewReader(file))
	if err != nil {
		t.Fatal(err)
	}
	again, err := modelfile.Load(bytes.NewReader(savedBy(t, m)))
	if err != nil {
		t.Fatal(err)
	}
	if want := (svmkit.Columns{Dim: 2, Open: true}); !reflect.DeepEqual(m.Columns(), want) || !reflect.DeepEqual(again.Columns(), want) {
		t.Errorf("columns %+v and %+v, want %+v", m.Columns(), again.Columns(), want)
	}
}

func TestMalformedNamesOfColumns(t *testing.T) {
	const model = "svmkit model 1\ntask classification\ndim 2\nlabel \"y\"\nfeature \"a\"\nfeature \"b\"\nkernel linear\nbias 0\nweights\n1\n-1\nend\n"
	if _, err := modelfile.Load(strings.NewReader(model)); err != nil {
		t.Fatal(err)
	}
	multi := "svmkit multi 1\nstrategy cs\nclasses 2\nclass \"p\"\nclass \"q\"\nfeature \"a\"\nfeature \"b\"\n" +
		strings.Repeat("svmkit model 1\ntask classification\ndim 2\nkernel linear\nbias 0\nweights\n1\n-1\nend\n", 2)
	if _, err := modelfile.Load(strings.NewReader(multi)); err != nil {
		t.Fatal(err)
	}
	for _, c := range [][3]string{
		{model, "feature \"b\"\n", ""}, {model, "feature \"b\"\n", "feature \"b\"\nfeature \"c\"\n"}, {model, "feature \"b\"", "feature b"},
		{model, "label \"y\"", "label"}, {model, "label \"y\"\n", "label \"y\"\nlabel \"z\"\n"}, {model, "dim 2", "dim 2 closed"},
		{multi, "feature \"b\"\n", ""}, {multi, "dim 2\n", "dim 2\nfeature \"a\"\nfeature \"b\"\n"},
	} {
		changed := strings.Replace(c[0], c[1], c[2], 1)
		m, err := modelfile.Load(strings.NewReader(changed))
		var wrong *modelfile.ParseError
		if !errors.As(err, &wrong) || !errors.Is(err, modelfile.ErrMalformed) || wrong.Line < 3 || m != nil {
			t.Errorf("%q for %q: %v, %v", c[2], c[1], m, err)
		}
	}
}

func TestNilIsAnError(t *testing.T) {
	good := &svm.Model{Weights: []float64{1}, Dim: 1}
	for name, f := range map[string]func() error{
		"Load":               func() error { _, err := modelfile.Load(nil); return err },
		"Save":               func() error { return modelfile.Save(nil, good) },
		"Save no model":      func() error { return modelfile.Save(io.Discard, nil) },
		"Save a nil model":   func() error { return modelfile.Save(io.Discard, (*svm.Result)(nil)) },
		"Save nil, ovr":      func() error { return modelfile.Save(io.Discard, (*multiclass.RestClassifier)(nil)) },
		"SaveLIBSVM":         func() error { return modelfile.SaveLIBSVM(nil, good) },
		"SaveLIBSVM, nil":    func() error { return modelfile.SaveLIBSVM(io.Discard, nil) },
		"SaveLIBLINEAR":      func() error { return modelfile.SaveLIBLINEAR(nil, good, nil) },
		"SaveLIBLINEAR, nil": func() error { return modelfile.SaveLIBLINEAR(io.Discard, nil, nil) },
	} {
		var wrong *svmkit.ParamError
		if err := f(); !errors.As(err, &wrong) {
			t.Errorf("%s: %v, want a *svmkit.ParamError", name, err)
		}
	}
	names := &svm.Model{Weights: []float64{1}, Dim: 1, Features: []string{"a", "b"}}
	if err := modelfile.Save(io.Discard, names); !errors.Is(err, svmkit.ErrMismatch) {
		t.Errorf("two names for one column: %v", err)
	}
}
