package modelfile_test

import (
	"bytes"
	"errors"
	"io"
	"math"
	"math/rand/v2"
	"os"
	"path/filepath"
	"reflect"
	"strings"
	"testing"

	"github.com/svmkit/course/svmkit"
	"github.com/svmkit/course/svmkit/kernel"
	"github.com/svmkit/course/svmkit/modelfile"
	"github.com/svmkit/course/svmkit/svm"
)

// savedModels are models of every form that a file can hold, with numbers that are hard to
// write: the smallest, the largest, −0, a third.
func savedModels() map[string]*svm.Model {
	rows := []svmkit.Row{
		svmkit.Dense(1.0/3, math.Copysign(0, -1), math.MaxFloat64),
		{Index: []int32{0, 2}, Value: []float64{5e-324, 0}},
		{Index: []int32{}},
	}
	models := map[string]*svm.Model{
		"regression": {Weights: []float64{0}, Dim: 1, Regression: true},
		"one-class":  {Kernel: kernel.RBF{Gamma: 2}, SV: rows, Coef: []float64{1, 0.5, 1}, Bias: -0.5, Dim: 3, OneClass: true},
		"named": {Weights: []float64{1, 2}, Dim: 2, Classes: []string{"ham \"and\"\nspam", "µ é"},
			Platt: &svm.Platt{A: -1.0 / 3, B: 1e-17}},
		"rbf": {Kernel: kernel.RBF{Gamma: 0.1}, SV: rows, Coef: []float64{0.1, -2.0 / 3, 1e-9}, Bias: -1.0 / 7,
			Rows: []int{0, 7, 1 << 30}, Bound: []bool{true, false, true}, Dim: 3},
		"linear kernel": {Kernel: kernel.Linear{}, SV: rows[1:], Coef: []float64{1, 2}, Dim: math.MaxInt32},
		"no vectors":    {Kernel: kernel.RBF{Gamma: 1}, Bias: 2, Dim: 4},
	}
	for _, kind := range kernel.Kinds() {
		k := kind.Kernel(kernel.Parameters{Degree: 2, Gamma: 0.25, Coef0: 0.5})
		models[kind.Name] = &svm.Model{Kernel: k, SV: rows, Coef: []float64{1, 1, 1}, Dim: 3}
	}
	models["linear"] = &svm.Model{Weights: []float64{0.1, math.Copysign(0, -1), -1e300}, Bias: 0.7, Dim: 3}
	return models
}

// DeepEqual takes −0 for 0, so the text is compared as well.
func TestSavedModelsComeBack(t *testing.T) {
	for name, m := range savedModels() {
		text := savedBy(t, m)
		got, err := loadOne(bytes.NewReader(text))
		if err != nil {
			t.Errorf("%s: %v\n%s", name, err, text)
			continue
		}
		if !reflect.DeepEqual(got, m) {
			t.Errorf("%s: %+v came back as %+v", name, m, got)
		}
		if again := savedBy(t, got); !bytes.Equal(again, text) {
			t.Errorf("%s: saved again it is\n%s, was\n%s", name, again, text)
		}
	}
}

// Version 1 of the format to the byte: files of today must be those that are written tomorrow.
func TestFormatIsVersion1(t *testing.T) {
	const (
		weights = "svmkit model 1\ntask classification\ndim 3\nclass \"ham \\\"and\\\"\"\nclass \"µ é\"\nkernel linear\nbias 0.7\nplatt -1.5 1e-17\n" +
			"weights\n0.1\n-0\n-1e+300\nend\n"
		vectors = "svmkit model 1\ntask regression\ndim 3\nkernel polynomial degree 2 gamma 3 coef0 0.5\nbias -0.25\n" +
			"vectors 3\n0.75 0 free 1:0.5 3:-1\n-0.75 4 bound 0.5 0 2\n1 7 free\nend\n"
		unknown = "svmkit model 1\ntask classification\ndim 2\nkernel laplacian gamma 2\nbias 0\nvectors 1\n1 - - 2:1\nend\n"
		plane   = "task classification\ndim 1\nkernel linear\nbias 1\nweights\n2\nend\n"
		joint   = "svmkit multi 1\nstrategy cs\nclasses 2\nclass \"a\"\nclass \"b\"\nsvmkit model 1\n" + plane + "svmkit model 1\n" + plane
	)
	model := func(negative, positive string) string {
		return "svmkit model 1\ntask classification\ndim 1\nclass \"" + negative + "\"\nclass \"" + positive + "\"\nkernel sigmoid gamma 1 coef0 -1\n" +
			"bias 0\nvectors 1\n1 0 free 5e-324\nend\n"
	}
	const classes = "classes 3\nclass \"a\"\nclass \"b\"\nclass \"c\"\n"
	pairs := "svmkit multi 1\nstrategy ovo\n" + classes + model("a", "b") + model("a", "c") + model("b", "c")
	rests := "svmkit multi 1\nstrategy ovr\n" + classes + model("not a", "a") + model("not b", "b") + model("not c", "c")
	for _, text := range []string{weights, vectors, unknown, joint, pairs, rests} {
		m, err := modelfile.Load(strings.NewReader(text))
		if err != nil {
			t.Errorf("%v\n%s", err, text)
		} else if again := string(savedBy(t, m)); again != text {
			t.Errorf("\n%s\nis written as\n%s", text, again)
		}
	}
}

// Random bits make random numbers of every size.
func TestSaveIsExact(t *testing.T) {
	rng := rand.New(rand.NewPCG(1, 0))
	m := &svm.Model{Dim: 2000}
	for len(m.Weights) < m.Dim {
		if v := math.Float64frombits(rng.Uint64()); v-v == 0 {
			m.Weights = append(m.Weights, v)
		}
	}
	got, err := loadOne(bytes.NewReader(savedBy(t, m)))
	if err != nil {
		t.Fatal(err)
	}
	for j, v := range m.Weights {
		if math.Float64bits(v) != math.Float64bits(got.Weights[j]) {
			t.Fatalf("%v came back as %v", v, got.Weights[j])
		}
	}
}

// A default that a struct writes as 0 is written out: in a file 0 would be 0.
func TestSaveWritesDefaultsOut(t *testing.T) {
	x, z := svmkit.Dense(1, 2), svmkit.Dense(0.5, -1)
	for _, k := range []kernel.Kernel{kernel.RBF{Gamma: 1}, kernel.Polynomial{}, kernel.Polynomial{Coef0: 2},
		kernel.Laplacian{Gamma: 1}, kernel.Sigmoid{}} {
		m := &svm.Model{Kernel: k, SV: []svmkit.Row{x}, Coef: []float64{1}, Dim: 2}
		got, err := loadOne(bytes.NewReader(savedBy(t, m)))
		if err != nil {
			t.Errorf("%#v: %v", k, err)
			continue
		}
		if a, b := m.Score(z), got.Score(z); a != b {
			t.Errorf("%#v: score %g, loaded %g", k, a, b)
		}
	}
}

func TestSaveRefuses(t *testing.T) {
	own := kernel.Func(func(x, z svmkit.Row) float64 { return 1 })
	sv, coef := []svmkit.Row{svmkit.Dense(1)}, []float64{1}
	var parameter *svmkit.ParamError
	var data *svmkit.DataError
	for name, c := range map[string]struct {
		m    svm.Model
		want any
	}{
		"a kernel of one's own": {svm.Model{Kernel: own, SV: sv, Coef: coef, Dim: 1}, &parameter},
		"a precomputed kernel":  {svm.Model{Kernel: kernel.Precomputed{N: 1, Gram: coef}, SV: sv, Coef: coef, Dim: 1}, &parameter},
		"nothing":               {svm.Model{}, &parameter},
		"three classes":         {svm.Model{Weights: coef, Dim: 1, Classes: []string{"a", "b", "c"}}, &parameter},
		"equal classes":         {svm.Model{Weights: coef, Dim: 1, Classes: []string{"a", "a"}}, &parameter},
		"NaN bias":              {svm.Model{Weights: coef, Dim: 1, Bias: math.NaN()}, &data},
		"infinite weight":       {svm.Model{Weights: []float64{math.Inf(1)}, Dim: 1}, &data},
		"too few weights":       {svm.Model{Weights: coef, Dim: 2}, &data},
		"NaN in a vector":       {svm.Model{Kernel: kernel.RBF{Gamma: 1}, SV: []svmkit.Row{svmkit.Dense(math.NaN())}, Coef: coef, Dim: 1}, &data},
		"too few coefficients":  {svm.Model{Kernel: kernel.RBF{Gamma: 1}, SV: sv, Dim: 1}, &data},
	} {
		var b bytes.Buffer
		if err := modelfile.Save(&b, &c.m); !errors.As(err, c.want) {
			t.Errorf("%s: error %v, want a %T", name, err, c.want)
		}
		if b.Len() > 0 {
			t.Errorf("%s: %d bytes were written all the same", name, b.Len())
		}
	}
}

func TestSaveFile(t *testing.T) {
	folder := t.TempDir()
	name := filepath.Join(folder, "model")
	for _, m := range savedModels() {
		if err := modelfile.SaveFile(name, m); err != nil {
			t.Fatal(err)
		}
		got, err := modelfile.LoadFile(name)
		if err != nil || !reflect.DeepEqual(got, m) {
			t.Fatalf("%+v came back as %+v, %v", m, got, err)
		}
	}
	before, err := os.ReadFile(name)
	if err != nil {
		t.Fatal(err)
	}
	if err := modelfile.SaveFile(name, &svm.Model{}); err == nil {
		t.Error("an empty model was saved")
	}
	after, err := os.ReadFile(name)
	if err != nil || !bytes.Equal(before, after) {
		t.Error("a failed save changed the file")
	}
	if entries, err := os.ReadDir(folder); err != nil || len(entries) != 1 {
		t.Errorf("the folder holds %v, %v", entries, err)
	}
}

// full is a disk with room for some bytes.
type full struct{ left int }

var errFull = errors.New("disk full")

func (f *full) Write(p []byte) (int, error) {
	if f.left -= len(p); f.left < 0 {
		return 0, errFull
	}
	return len(p), nil
}

func TestSaveReportsWhatTheWriterSays(t *testing.T) {
	m := savedModels()["rbf"]
	for name, save := range map[string]func(io.Writer) error{
		"own":       func(w io.Writer) error { return modelfile.Save(w, m) },
		"LIBSVM":    func(w io.Writer) error { return modelfile.SaveLIBSVM(w, m) },
		"LIBLINEAR": func(w io.Writer) error { return modelfile.SaveLIBLINEAR(w, savedModels()["linear"], nil) }} {
		if err := save(&full{left: 10}); !errors.Is(err, errFull) {
			t.Errorf("%s: error %v, want that of the writer", name, err)
		}
	}
}
