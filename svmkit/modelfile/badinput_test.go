package modelfile_test

import (
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"testing/iotest"

	"github.com/svmkit/course/internal/badinput"
	"github.com/svmkit/course/svmkit"
	"github.com/svmkit/course/svmkit/kernel"
	"github.com/svmkit/course/svmkit/modelfile"
	"github.com/svmkit/course/svmkit/svm"
)

// Every call of this package with bad input ends soon, with the documented error at the documented place.
func TestReliabilityBadInput(t *testing.T) {
	badinput.Run(t, 85, badinput.Join(modelCases(), unsaved(), readersFail(), nilCases()))
}

const (
	linearModel = "svmkit model 1\ntask classification\ndim 2\nkernel linear\nbias 0.5\nweights\n1\n-2\nend\n"
	rbfModel    = "svmkit model 1\ntask regression\ndim 3\nkernel rbf gamma 0.5\nbias 1\nvectors 2\n1 - - 1:1 3:2\n-1 - - 1 2 3\nend\n"
	libsvmModel = "svm_type c_svc\nkernel_type rbf\ngamma 0.5\nnr_class 2\ntotal_sv 2\nrho 0.25\nlabel 1 -1\nnr_sv 1 1\nSV\n1 1:1 2:0.5 \n-1 1:-1 \n"
	llModel     = "solver_type L2R_L2LOSS_SVC_DUAL\nnr_class 2\nlabel 1 -1\nnr_feature 2\nbias 1\nw\n0.5 \n-1 \n0.25 \n"
)

// modelCases is model files with one thing wrong, and models that cannot be saved.
func modelCases() (cases []badinput.Case) {
	load := func(name, text, old, new string, cause error, line int) {
		if !strings.Contains(text, old) {
			panic(name)
		}
		changed := strings.Replace(text, old, new, 1)
		cases = append(cases, badinput.New("Load: "+name, nil, func() (any, error) { return modelfile.Load(strings.NewReader(changed)) }, modelParse(cause, line)))
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
	return cases
}

func unsaved() (cases []badinput.Case) {
	w := []float64{1, 2}
	sv := []svmkit.Row{svmkit.Dense(1, 2)}
	mine := kernel.Func(func(x, z svmkit.Row) float64 { return x.DotRow(z) })
	for _, c := range []struct {
		name  string
		model *svm.Model
		want  badinput.Verdict
	}{
		{"nil", nil, badinput.Param("Model")},
		{"empty", &svm.Model{}, badinput.Param("Model")},
		{"no columns", &svm.Model{Weights: w}, badinput.Param("Model")},
		{"a weight too few", &svm.Model{Weights: w, Dim: 3}, badinput.Data(svmkit.ErrMismatch, badinput.None, badinput.None)},
		{"weight NaN", &svm.Model{Weights: []float64{1, badinput.NaN}, Dim: 2}, badinput.Data(svmkit.ErrNotFinite, badinput.None, badinput.None)},
		{"bias Inf", &svm.Model{Weights: w, Dim: 2, Bias: badinput.Inf}, badinput.Data(svmkit.ErrNotFinite, badinput.None, badinput.None)},
		{"a coefficient too few", &svm.Model{Kernel: kernel.RBF{Gamma: 1}, Dim: 2, SV: sv}, badinput.Data(svmkit.ErrMismatch, badinput.None, badinput.None)},
		{"coefficient NaN", &svm.Model{Kernel: kernel.RBF{Gamma: 1}, Dim: 2, SV: sv, Coef: []float64{badinput.NaN}}, badinput.Data(svmkit.ErrNotFinite, badinput.None, badinput.None)},
		{"a vector of other length", &svm.Model{Kernel: kernel.RBF{Gamma: 1}, Dim: 3, SV: sv, Coef: []float64{1}}, badinput.Data(svmkit.ErrRagged, 0, badinput.None)},
		{"one class name", &svm.Model{Weights: w, Dim: 2, Classes: []string{"a"}}, badinput.Param("Classes")},
		{"a class name twice", &svm.Model{Weights: w, Dim: 2, Classes: []string{"a", "a"}}, badinput.Param("Classes")},
		{"Platt of a regression", &svm.Model{Weights: w, Dim: 2, Regression: true, Platt: &svm.Platt{}}, badinput.Param("Platt")},
		{"Platt NaN", &svm.Model{Weights: w, Dim: 2, Platt: &svm.Platt{A: badinput.NaN}}, badinput.Data(svmkit.ErrNotFinite, badinput.None, badinput.None)},
		{"a kernel of one's own", &svm.Model{Kernel: mine, Dim: 2, SV: sv, Coef: []float64{1}}, badinput.Param("Kernel")},
		{"a kernel with a bad gamma", &svm.Model{Kernel: kernel.RBF{Gamma: badinput.NaN}, Dim: 2, SV: sv, Coef: []float64{1}}, badinput.Param("Gamma")},
	} {
		m := c.model
		for _, door := range []struct {
			name string
			save func() error
		}{{"Save", func() error { return modelfile.Save(io.Discard, m) }}, {"SaveLIBSVM", func() error { return modelfile.SaveLIBSVM(io.Discard, m) }},
			{"SaveLIBLINEAR", func() error { return modelfile.SaveLIBLINEAR(io.Discard, m, nil) }}} {
			want := c.want
			if door.name == "SaveLIBLINEAR" && m != nil && m.Kernel != nil {
				want = badinput.OneOf(want, badinput.Param("Kernel"))
			}
			cases = append(cases, badinput.New(door.name+": "+c.name, m, func() (any, error) { return nil, door.save() }, want))
		}
	}
	good := &svm.Model{Weights: w, Dim: 2, Classes: []string{"ham", "spam"}}
	nowhere := filepath.Join(os.TempDir(), "no such folder", "model")
	return append(cases,
		badinput.New("SaveLIBSVM: names", good, func() (any, error) { return nil, modelfile.SaveLIBSVM(io.Discard, good) }, badinput.Param("Classes")),
		badinput.New("SaveLIBLINEAR: names", good, func() (any, error) { return nil, modelfile.SaveLIBLINEAR(io.Discard, good, nil) }, badinput.Param("Classes")),
		badinput.New("SaveFile: no folder", good, func() (any, error) { return nil, modelfile.SaveFile(nowhere, good) }, badinput.Is(os.ErrNotExist)),
		badinput.New("SaveFile: bad model", nil, func() (any, error) {
			name := filepath.Join(os.TempDir(), "svmkit-bad-model")
			err := modelfile.SaveFile(name, &svm.Model{})
			if _, there := os.Stat(name); there == nil {
				return "a file", err
			}
			return nil, err
		}, badinput.Param("Model")),
		badinput.New("Save: full disk", good, func() (any, error) { return nil, modelfile.Save(badinput.Full{}, good) }, badinput.Is(badinput.ErrDisk)),
	)
}

func readersFail() []badinput.Case {
	gone := func() io.Reader {
		return io.MultiReader(strings.NewReader("1 1:1\n"), iotest.ErrReader(badinput.ErrDisk))
	}
	dir := os.TempDir()
	return []badinput.Case{
		badinput.New("Load: reader fails", nil, func() (any, error) { return modelfile.Load(gone()) }, badinput.Is(modelfile.ErrNotModel)),
		badinput.New("LoadFile: no file", nil, func() (any, error) { return modelfile.LoadFile("no such file") }, badinput.Is(os.ErrNotExist)),
		badinput.New("LoadFile: a folder", nil, func() (any, error) { return modelfile.LoadFile(dir) }, badinput.Error),
	}
}

func nilCases() []badinput.Case {
	c := func(name string, want badinput.Verdict, call func() (any, error)) badinput.Case {
		return badinput.New(name, nil, call, want)
	}
	return []badinput.Case{
		c("Load: reader", badinput.Param("r"), func() (any, error) { return modelfile.Load(nil) }),
		c("Save: writer", badinput.Param("w"), func() (any, error) { return nil, modelfile.Save(nil, &svm.Model{Weights: []float64{1}, Dim: 1}) }),
	}
}

// modelParse wants a *modelfile.ParseError at a line, from 1.
func modelParse(cause error, line int) badinput.Verdict {
	return func(o badinput.Outcome) string {
		if wrong := badinput.Failed(o); wrong != "" {
			return wrong
		}
		var e *modelfile.ParseError
		if !errors.As(o.Err, &e) || !errors.Is(o.Err, cause) || e.Line != line {
			return fmt.Sprintf("error %T %v, want %v in line %d", o.Err, o.Err, cause, line)
		}
		return named(o.Err, line)
	}
}

func named(err error, line int) string {
	if line == 0 {
		return ""
	}
	return badinput.Names(err, fmt.Sprintf("line %d", line))
}
