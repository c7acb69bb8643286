package house

import (
	"io"
	"os"
	"path/filepath"
	"strings"

	"github.com/svmkit/course/svmkit"
	"github.com/svmkit/course/svmkit/dataset"
	"github.com/svmkit/course/svmkit/kernel"
	"github.com/svmkit/course/svmkit/modelfile"
	"github.com/svmkit/course/svmkit/svm"
)

const (
	linearModel = "svmkit model 1\ntask classification\ndim 2\nkernel linear\nbias 0.5\nweights\n1\n-2\nend\n"
	rbfModel    = "svmkit model 1\ntask regression\ndim 3\nkernel rbf gamma 0.5\nbias 1\nvectors 2\n1 - - 1:1 3:2\n-1 - - 1 2 3\nend\n"
	libsvmModel = "svm_type c_svc\nkernel_type rbf\ngamma 0.5\nnr_class 2\ntotal_sv 2\nrho 0.25\nlabel 1 -1\nnr_sv 1 1\nSV\n1 1:1 2:0.5 \n-1 1:-1 \n"
	llModel     = "solver_type L2R_L2LOSS_SVC_DUAL\nnr_class 2\nlabel 1 -1\nnr_feature 2\nbias 1\nw\n0.5 \n-1 \n0.25 \n"
)

// modelCases is model files with one thing wrong, and models that cannot be saved.
func modelCases() (cases []badInput) {
	load := func(name, text, old, new string, cause error, line int) {
		if !strings.Contains(text, old) {
			panic(name)
		}
		changed := strings.Replace(text, old, new, 1)
		cases = append(cases, badInput{"Load: " + name, nil, func() (any, error) { return modelfile.Load(strings.NewReader(changed)) }, modelParse(cause, line)})
	}
	load("nothing", linearModel, linearModel, "", modelfile.ErrNotModel, 1)
	load("binary", linearModel, linearModel, "\x00\x01\x02\xff", modelfile.ErrNotModel, 1)
	load("a data file", linearModel, linearModel, "1 1:2\n", modelfile.ErrNotModel, 1)
	load("version 2", linearModel, "model 1", "model 2", modelfile.ErrVersion, 1)
	load("no task", linearModel, "task classification\n", "", modelfile.ErrMalformed, 2)
	load("dim 0", linearModel, "dim 2", "dim 0", modelfile.ErrMalformed, 3)
	load("dim 2^60", linearModel, "dim 2", "dim 1152921504606846976", modelfile.ErrMalformed, 3)
	load("dim NaN", linearModel, "dim 2", "dim NaN", modelfile.ErrMalformed, 3)
	load("unknown kernel", linearModel, "kernel linear", "kernel theirs", modelfile.ErrUnsupported, 4)
	load("bias NaN", linearModel, "bias 0.5", "bias NaN", svmkit.ErrNotFinite, 5)
	load("bias Inf", linearModel, "bias 0.5", "bias +Inf", svmkit.ErrNotFinite, 5)
	load("weight 1e999", linearModel, "-2\n", "1e999\n", svmkit.ErrNotFinite, 8)
	load("a weight too few", linearModel, "-2\n", "", modelfile.ErrMalformed, 8)
	load("a weight too many", linearModel, "-2\n", "-2\n3\n", modelfile.ErrMalformed, 9)
	load("no end", linearModel, "end\n", "", modelfile.ErrTruncated, 9)
	load("gamma 0", rbfModel, "gamma 0.5", "gamma 0", modelfile.ErrMalformed, 4)
	load("gamma NaN", rbfModel, "gamma 0.5", "gamma NaN", svmkit.ErrNotFinite, 4)
	load("a vector too many", rbfModel, "vectors 2", "vectors 1", modelfile.ErrMalformed, 8)
	load("2^60 vectors", rbfModel, "vectors 2", "vectors 1152921504606846976", modelfile.ErrMalformed, 6)
	load("unsorted vector", rbfModel, "1:1 3:2", "3:1 1:2", modelfile.ErrMalformed, 7)
	load("an index twice", rbfModel, "1:1 3:2", "3:1 3:2", modelfile.ErrMalformed, 7)
	load("index beyond dim", rbfModel, "3:2", "4:2", modelfile.ErrMalformed, 7)
	load("a short dense vector", rbfModel, "1 2 3", "1 2", modelfile.ErrMalformed, 8)
	load("a NaN in a vector", rbfModel, "3:2", "3:NaN", svmkit.ErrNotFinite, 7)
	load("LIBSVM, one class with labels", libsvmModel, "c_svc", "one_class", modelfile.ErrMalformed, 7)
	load("LIBSVM, one class", libsvmModel, "nr_class 2", "nr_class 1", modelfile.ErrUnsupported, 4)
	load("LIBSVM, three classes with two labels", libsvmModel, "nr_class 2", "nr_class 3", modelfile.ErrMalformed, 7)
	load("LIBSVM, 2^31 classes", libsvmModel, "nr_class 2", "nr_class 2147483647", modelfile.ErrMalformed, 7)
	load("LIBSVM, rho NaN", libsvmModel, "rho 0.25", "rho NaN", svmkit.ErrNotFinite, 6)
	load("LIBSVM, unsorted", libsvmModel, "1:1 2:0.5", "2:1 1:0.5", modelfile.ErrMalformed, 10)
	load("LIBSVM, 2^60 vectors", libsvmModel, "total_sv 2", "total_sv 1152921504606846976", modelfile.ErrMalformed, 5)
	load("LIBLINEAR, one column for two planes", llModel, "L2R_L2LOSS_SVC_DUAL", "MCSVM_CS", modelfile.ErrMalformed, 7)
	load("LIBLINEAR, 2^60 features", llModel, "nr_feature 2", "nr_feature 1152921504606846976", modelfile.ErrMalformed, 4)
	load("LIBLINEAR, weight NaN", llModel, "0.5 \n", "NaN \n", svmkit.ErrNotFinite, 7)
	load("LIBLINEAR, cut off", llModel, "0.25 \n", "", modelfile.ErrTruncated, 9)
	return append(cases, unsaved()...)
}

func unsaved() (cases []badInput) {
	w := []float64{1, 2}
	sv := []svmkit.Row{svmkit.Dense(1, 2)}
	mine := kernel.Func(func(x, z svmkit.Row) float64 { return x.DotRow(z) })
	for _, c := range []struct {
		name  string
		model *svm.Model
		want  verdict
	}{
		{"nil", nil, param("Model")},
		{"empty", &svm.Model{}, param("Model")},
		{"no columns", &svm.Model{Weights: w}, param("Model")},
		{"a weight too few", &svm.Model{Weights: w, Dim: 3}, data(svmkit.ErrMismatch, none, none)},
		{"weight NaN", &svm.Model{Weights: []float64{1, nan}, Dim: 2}, data(svmkit.ErrNotFinite, none, none)},
		{"bias Inf", &svm.Model{Weights: w, Dim: 2, Bias: inf}, data(svmkit.ErrNotFinite, none, none)},
		{"a coefficient too few", &svm.Model{Kernel: kernel.RBF{Gamma: 1}, Dim: 2, SV: sv}, data(svmkit.ErrMismatch, none, none)},
		{"coefficient NaN", &svm.Model{Kernel: kernel.RBF{Gamma: 1}, Dim: 2, SV: sv, Coef: []float64{nan}}, data(svmkit.ErrNotFinite, none, none)},
		{"a vector of other length", &svm.Model{Kernel: kernel.RBF{Gamma: 1}, Dim: 3, SV: sv, Coef: []float64{1}}, data(svmkit.ErrRagged, 0, none)},
		{"one class name", &svm.Model{Weights: w, Dim: 2, Classes: []string{"a"}}, param("Classes")},
		{"a class name twice", &svm.Model{Weights: w, Dim: 2, Classes: []string{"a", "a"}}, param("Classes")},
		{"Platt of a regression", &svm.Model{Weights: w, Dim: 2, Regression: true, Platt: &svm.Platt{}}, param("Platt")},
		{"Platt NaN", &svm.Model{Weights: w, Dim: 2, Platt: &svm.Platt{A: nan}}, data(svmkit.ErrNotFinite, none, none)},
		{"a kernel of one's own", &svm.Model{Kernel: mine, Dim: 2, SV: sv, Coef: []float64{1}}, param("Kernel")},
		{"a kernel with a bad gamma", &svm.Model{Kernel: kernel.RBF{Gamma: nan}, Dim: 2, SV: sv, Coef: []float64{1}}, param("Gamma")},
	} {
		m := c.model
		for _, door := range []struct {
			name string
			save func() error
		}{{"Save", func() error { return modelfile.Save(io.Discard, m) }}, {"SaveLIBSVM", func() error { return modelfile.SaveLIBSVM(io.Discard, m) }},
			{"SaveLIBLINEAR", func() error { return modelfile.SaveLIBLINEAR(io.Discard, m, nil) }}} {
			want := c.want
			if door.name == "SaveLIBLINEAR" && m != nil && m.Kernel != nil {
				want = oneOf(want, param("Kernel"))
			}
			cases = append(cases, badInput{door.name + ": " + c.name, m, func() (any, error) { return nil, door.save() }, want})
		}
	}
	good := &svm.Model{Weights: w, Dim: 2, Classes: []string{"ham", "spam"}}
	nowhere := filepath.Join(os.TempDir(), "no such folder", "model")
	set := spoiled(func(s *svmkit.Dataset) { s.Classes = []string{"a b", "c"} })
	return append(cases,
		badInput{"SaveLIBSVM: names", good, func() (any, error) { return nil, modelfile.SaveLIBSVM(io.Discard, good) }, param("Classes")},
		badInput{"SaveLIBLINEAR: names", good, func() (any, error) { return nil, modelfile.SaveLIBLINEAR(io.Discard, good, nil) }, param("Classes")},
		badInput{"SaveFile: no folder", good, func() (any, error) { return nil, modelfile.SaveFile(nowhere, good) }, is(os.ErrNotExist)},
		badInput{"SaveFile: bad model", nil, func() (any, error) {
			name := filepath.Join(os.TempDir(), "svmkit-bad-model")
			err := modelfile.SaveFile(name, &svm.Model{})
			if _, there := os.Stat(name); there == nil {
				return "a file", err
			}
			return nil, err
		}, param("Model")},
		badInput{"Save: full disk", good, func() (any, error) { return nil, modelfile.Save(full{}, good) }, is(errDisk)},
		badInput{"WriteLIBSVM: full disk", shared, func() (any, error) { return nil, dataset.WriteLIBSVM(full{}, shared) }, is(errDisk)},
		badInput{"WriteCSV: full disk", shared, func() (any, error) { return nil, dataset.WriteCSV(full{}, shared) }, is(errDisk)},
		badInput{"WriteLIBSVM: a blank in a name", set, func() (any, error) { return nil, dataset.WriteLIBSVM(io.Discard, set) }, is(dataset.ErrUnwritable)},
	)
}

// full is a disk without room.
type full struct{}

func (full) Write([]byte) (int, error) { return 0, errDisk }

// oneOf wants any of two outcomes.
func oneOf(a, b verdict) verdict {
	return func(o outcome) string {
		wrong := a(o)
		if wrong == "" {
			return ""
		}
		if other := b(o); other != "" {
			return wrong + "; or else: " + other
		}
		return ""
	}
}
