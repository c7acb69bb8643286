package modelfile_test

import (
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"runtime"
	"strings"
	"testing"
	"testing/iotest"

	"github.com/svmkit/course/svmkit"
	"github.com/svmkit/course/svmkit/modelfile"
	"github.com/svmkit/course/svmkit/svm"
)

const (
	ownLinear   = "svmkit model 1\ntask classification\ndim 2\nclass \"a\"\nclass \"b\"\nkernel linear\nbias 0.5\nweights\n1\n-2\nend\n"
	ownRBF      = "svmkit model 1\ntask regression\ndim 3\nkernel rbf gamma 0.5\nbias 1\nvectors 2\n1 0 free 1:1 3:2\n-1 - bound 1 2 3\nend\n"
	libsvmSVC   = "svm_type c_svc\nkernel_type rbf\ngamma 0.5\nnr_class 2\ntotal_sv 2\nrho 0.25\nlabel 1 -1\nnr_sv 1 1\nSV\n1 1:1 2:0.5 \n-1 1:-1 \n"
	libsvmThree = "svm_type c_svc\nkernel_type rbf\ngamma 0.5\nnr_class 3\ntotal_sv 3\nrho 0.25 -0.5 1\nlabel 3 1 2\nprobA -1 -2 -3\nprobB 0 1 2\n" +
		"nr_sv 1 1 1\nSV\n1 0.5 1:1 \n-1 2 1:-1 \n-1 -2 1:2 \n"
	liblinear = "solver_type L2R_L2LOSS_SVC_DUAL\nnr_class 2\nlabel 1 -1\nnr_feature 2\nbias 1\nw\n0.5 \n-1 \n0.25 \n"
)

// loadOne loads a file that holds a single model.
func loadOne(r io.Reader) (*svm.Model, error) {
	m, err := modelfile.Load(r)
	one, _ := m.(*svm.Model)
	return one, err
}

func TestLoadReadsTheFormats(t *testing.T) {
	x := svmkit.Dense(2, 1)
	for name, c := range map[string]struct {
		text  string
		score float64
		class string
	}{
		"own":             {ownLinear, 1*2 - 2*1 + 0.5, "b"},
		"CRLF":            {strings.ReplaceAll(ownLinear, "\n", "\r\n"), 0.5, "b"},
		"blank lines":     {ownLinear + "\n \n", 0.5, "b"},
		"LIBLINEAR":       {liblinear, 0.5*2 - 1 + 0.25, "1"},
		"bias 2":          {strings.Replace(liblinear, "bias 1", "bias 2", 1), 0.5, "1"}, // b = 2·0.25
		"bias 0":          {strings.Replace(liblinear, "bias 1", "bias 0", 1), 0, "-1"},
		"labels exchange": {strings.Replace(liblinear, "label 1 -1", "label -1 1", 1), -0.25, "-1"},
	} {
		m, err := loadOne(strings.NewReader(c.text))
		if err != nil {
			t.Errorf("%s: %v", name, err)
			continue
		}
		if got := m.Score(x); got != c.score || m.Predict(x).Name != c.class {
			t.Errorf("%s: score %g, class %q, want %g, %q", name, got, m.Predict(x).Name, c.score, c.class)
		}
	}
}

func TestLoadNamesThePlace(t *testing.T) {
	replace := func(text, old, new string) string {
		if !strings.Contains(text, old) {
			t.Fatalf("%q is not in the text", old)
		}
		return strings.Replace(text, old, new, 1)
	}
	mixed := replace(ownRBF, "1 0 free", "1 - free")
	for _, c := range []struct {
		text string
		want error
		line int
	}{
		{"", modelfile.ErrNotModel, 1},
		{"1 1:2 2:3\n", modelfile.ErrNotModel, 1},
		{"svmkit modem 1\n", modelfile.ErrNotModel, 1},
		{replace(ownLinear, "model 1", "model 2"), modelfile.ErrVersion, 1},
		{replace(ownLinear, "classification", "ranking"), modelfile.ErrMalformed, 2},
		{replace(ownLinear, "dim 2", "dim 0"), modelfile.ErrMalformed, 3},
		{replace(ownLinear, "dim 2", "dim -2"), modelfile.ErrMalformed, 3},
		{replace(ownLinear, "dim 2", "dim 2147483648"), modelfile.ErrMalformed, 3},
		{replace(ownLinear, "dim 2", "din 2"), modelfile.ErrMalformed, 3},
		{replace(ownLinear, "class \"b\"", "class b"), modelfile.ErrMalformed, 5},
		{replace(ownLinear, "class \"b\"", "class \"a\""), modelfile.ErrMalformed, 5},
		{replace(ownLinear, "class \"b\"\n", ""), modelfile.ErrMalformed, 5},
		{replace(ownLinear, "kernel linear", "kernel magic"), modelfile.ErrUnsupported, 6},
		{replace(ownLinear, "kernel linear", "kernel rbf gamma 1"), modelfile.ErrMalformed, 8},
		{replace(ownLinear, "0.5", "NaN"), svmkit.ErrNotFinite, 7},
		{replace(ownLinear, "0.5", "1e999"), svmkit.ErrNotFinite, 7},
		{replace(ownLinear, "0.5", ""), modelfile.ErrMalformed, 7},
		{replace(ownLinear, "-2", "two"), modelfile.ErrMalformed, 10},
		{replace(ownLinear, "-2", "-inf"), svmkit.ErrNotFinite, 10},
		{replace(ownLinear, "-2\n", "-2\n3\n"), modelfile.ErrMalformed, 11},
		{replace(ownLinear, "-2\n", ""), modelfile.ErrMalformed, 10},
		{ownLinear + "more\n", modelfile.ErrMalformed, 12},
		{replace(ownRBF, "gamma 0.5", "gamma -1"), nil, 4},
		{replace(ownRBF, "gamma 0.5", "gamma 0"), modelfile.ErrMalformed, 4},
		{replace(ownRBF, "gamma 0.5", ""), modelfile.ErrMalformed, 4},
		{replace(ownRBF, "bias 1\n", "bias 1\nplatt 1 2\n"), modelfile.ErrMalformed, 6},
		{replace(mixed, "vectors 2", "vectors 3"), modelfile.ErrMalformed, 9},
		{replace(mixed, "vectors 2", "vectors 1"), modelfile.ErrMalformed, 8},
		{ownRBF, modelfile.ErrMalformed, 8}, // a row number for one vector only
		{replace(mixed, "free", "idle"), modelfile.ErrMalformed, 7},
		{replace(mixed, "3:2", "4:2"), modelfile.ErrMalformed, 7},
		{replace(mixed, "3:2", "1:2"), modelfile.ErrMalformed, 7},
		{replace(mixed, "1:1", "0:1"), modelfile.ErrMalformed, 7},
		{replace(mixed, "3:2", "3:nan"), svmkit.ErrNotFinite, 7},
		{replace(mixed, "3:2", "2"), modelfile.ErrMalformed, 7},
		{replace(mixed, "1 2 3", "1 2"), modelfile.ErrMalformed, 8},
		{replace(ownLinear, "svmkit model 1", "svmkit pipeline 1"), modelfile.ErrMalformed, 2},
		{replace(libsvmSVC, "c_svc", "two_class"), modelfile.ErrUnsupported, 1},
		{replace(ownLinear, "classification", "one-class"), modelfile.ErrMalformed, 4}, // it has no classes
		{replace(ownRBF, "regression", "one-class\nkernel"), modelfile.ErrMalformed, 3},
		{replace(replace(ownRBF, "regression", "one-class"), "bias 1\n", "bias 1\nplatt 1 2\n"), modelfile.ErrMalformed, 6},
		{replace(libsvmSVC, "rbf", "precomputed"), modelfile.ErrUnsupported, 2},
		{replace(libsvmSVC, "gamma 0.5\n", ""), modelfile.ErrMalformed, 8},
		{replace(libsvmSVC, "nr_class 2", "nr_class 3"), modelfile.ErrMalformed, 7},
		{replace(libsvmSVC, "nr_class 2", "nr_class 1"), modelfile.ErrUnsupported, 4},
		{replace(libsvmSVC, "label 1 -1", "label 1 2 3"), modelfile.ErrMalformed, 7},
		{replace(libsvmSVC, "label 1 -1", "label"), modelfile.ErrMalformed, 7},
		{replace(libsvmSVC, "label 1 -1", "label 1 1"), modelfile.ErrMalformed, 7},
		{replace(libsvmSVC, "nr_sv 1 1", "nr_sv 1 2"), modelfile.ErrMalformed, 8},
		{replace(libsvmSVC, "rho 0.25", "rho nan"), svmkit.ErrNotFinite, 6},
		{replace(libsvmSVC, "rho 0.25", "rho 0.25 0.5"), modelfile.ErrMalformed, 6},
		{replace(libsvmThree, "rho 0.25 -0.5 1", "rho 0.25 -0.5"), modelfile.ErrMalformed, 6},
		{replace(libsvmThree, "label 3 1 2", "label 3 1 3"), modelfile.ErrMalformed, 7},
		{replace(libsvmThree, "label 3 1 2", "label 3 1"), modelfile.ErrMalformed, 7},
		{replace(libsvmThree, "probB 0 1 2", "probB 0 1"), modelfile.ErrMalformed, 9},
		{replace(libsvmThree, "probB 0 1 2\n", ""), modelfile.ErrMalformed, 10},
		{replace(libsvmThree, "nr_sv 1 1 1", "nr_sv 2 1"), modelfile.ErrMalformed, 10},
		{replace(libsvmThree, "nr_sv 1 1 1", "nr_sv 1 1 2"), modelfile.ErrMalformed, 10},
		{replace(libsvmThree, "1 0.5 1:1", "1 1:1"), modelfile.ErrMalformed, 12},
		{replace(libsvmThree, "-1 -2 1:2", "-1 -2 3 1:2"), modelfile.ErrMalformed, 14},
		{replace(libsvmSVC, "gamma 0.5", "gamma 0.5\ngamma 0.5"), modelfile.ErrMalformed, 4},
		{replace(libsvmSVC, "total_sv 2", "total_sv 3"), modelfile.ErrMalformed, 8},
		{replace(libsvmSVC, "2:0.5", "1:0.5"), modelfile.ErrMalformed, 10},
		{libsvmSVC + "1 1:1\n", modelfile.ErrMalformed, 12},
		{replace(liblinear, "L2R_L2LOSS_SVC_DUAL", "ONECLASS_SVM"), modelfile.ErrUnsupported, 1},
		{replace(liblinear, "L2R_L2LOSS_SVC_DUAL", "MCSVM_CS"), modelfile.ErrMalformed, 7}, // one column of weights for two planes
		{replace(liblinear, "nr_class 2", "nr_class 3"), modelfile.ErrMalformed, 3},
		{replace(liblinear, "nr_class 2\nlabel 1 -1", "nr_class 3\nlabel 1 -1 2"), modelfile.ErrMalformed, 7},
		{replace(liblinear, "nr_class 2\nlabel 1 -1", "nr_class 1\nlabel 1"), modelfile.ErrUnsupported, 2},
		{replace(liblinear, "bias 1\n", ""), modelfile.ErrMalformed, 5},
		{replace(liblinear, "0.25 \n", ""), modelfile.ErrTruncated, 9},
		{replace(liblinear, "bias 1", "bias -1"), modelfile.ErrMalformed, 9},
		{replace(liblinear, "-1 \n", "-1 2\n"), modelfile.ErrMalformed, 8},
	} {
		m, err := loadOne(strings.NewReader(c.text))
		var parse *modelfile.ParseError
		switch {
		case m != nil || !errors.As(err, &parse):
			t.Errorf("model %v, error %v\n%s", m, err, c.text)
		case parse.Line != c.line || c.want != nil && !errors.Is(err, c.want):
			t.Errorf("error %v, want %v in line %d\n%s", err, c.want, c.line, c.text)
		}
	}
}

// whole returns valid texts of the three formats.
func whole(t *testing.T) []string {
	texts := []string{ownLinear, libsvmSVC, liblinear}
	for _, m := range savedModels() {
		texts = append(texts, string(savedBy(t, m)))
	}
	return texts
}

// No prefix of a model is a model: a file that was cut off is noticed wherever the cut is.
func TestTruncatedModels(t *testing.T) {
	for _, text := range whole(t) {
		if _, err := loadOne(strings.NewReader(text)); err != nil {
			t.Fatalf("%v\n%s", err, text)
		}
		for n := range len(text) {
			var parse *modelfile.ParseError
			if m, err := loadOne(strings.NewReader(text[:n])); m != nil || !errors.As(err, &parse) {
				t.Errorf("the first %d bytes gave %v, %v\n%s", n, m, err, text)
			}
		}
	}
}

// A short file that promises much does not get it: a few hundred bytes of text may not
// cost more than a few kilobytes, the reader's buffers included.
func TestPromisesAllocateNothing(t *testing.T) {
	const most = 64 << 10
	for _, text := range []string{
		"svmkit model 1\ntask regression\ndim 2147483647\nkernel linear\nbias 1\nweights\n1\n",
		"svmkit model 1\ntask regression\ndim 2147483647\nkernel rbf gamma 1\nbias 1\nvectors 2147483647\n1 0 free 2147483647:1\n",
		"svm_type epsilon_svr\nkernel_type linear\nnr_class 2\ntotal_sv 1\nrho 0\nSV\n1 2147483647:1\n",
		"svm_type epsilon_svr\nkernel_type linear\nnr_class 2\ntotal_sv 2147483647\nrho 0\nSV\n1 1:1\n",
		"solver_type L2R_L2LOSS_SVR\nnr_class 2\nnr_feature 2147483647\nbias -1\nw\n1\n",
	} {
		var before, after runtime.MemStats
		runtime.ReadMemStats(&before)
		m, err := loadOne(strings.NewReader(text))
		runtime.ReadMemStats(&after)
		if used := after.TotalAlloc - before.TotalAlloc; used > most {
			t.Errorf("%d bytes allocated for\n%s", used, text)
		}
		if m != nil {
			if got := m.Score(svmkit.Row{Index: []int32{2147483646}, Value: []float64{3}}); got != 3 {
				t.Errorf("the wide model scores %g, want 3", got)
			}
		} else if !errors.Is(err, modelfile.ErrTruncated) {
			t.Errorf("%v for\n%s", err, text)
		}
	}
}

func TestLoadPassesReadErrorsOn(t *testing.T) {
	for _, text := range whole(t) {
		for n := 0; n < len(text); n += 7 {
			r := io.MultiReader(strings.NewReader(text[:n]), iotest.ErrReader(errFull))
			if _, err := loadOne(r); !errors.Is(err, errFull) {
				t.Fatalf("after %d bytes: error %v, want the reader's", n, err)
			}
		}
	}
}

func TestLoadFileNamesTheFile(t *testing.T) {
	name := filepath.Join(t.TempDir(), "model")
	if _, err := modelfile.LoadFile(name); !errors.Is(err, os.ErrNotExist) {
		t.Errorf("error %v", err)
	}
	if err := os.WriteFile(name, []byte(strings.Replace(ownLinear, "0.5", "x", 1)), 0o600); err != nil {
		t.Fatal(err)
	}
	want := "modelfile: " + name + `, line 7, column 6: malformed model file, not a number: "x"`
	if _, err := modelfile.LoadFile(name); err == nil || err.Error() != want {
		t.Errorf("error %v, want %s", err, want)
	}
}

func ExampleLoad() {
	loaded, err := modelfile.Load(strings.NewReader(`svmkit model 1
task classification
dim 2
class "ham"
class "spam"
kernel linear
bias -1
weights
0.5
2
end
`))
	if err != nil {
		fmt.Println(err)
		return
	}
	switch m := loaded.(type) {
	case *svm.Model:
		x := svmkit.Dense(1, 1)
		fmt.Println(m.Predict(x).Name, m.Score(x))
	}
	// Output: spam 1.5
}
