package modelfile_test

import (
	"bufio"
	"bytes"
	"context"
	"errors"
	"fmt"
	"math"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/svmkit/course/svmkit"
	"github.com/svmkit/course/svmkit/dataset"
	"github.com/svmkit/course/svmkit/kernel"
	"github.com/svmkit/course/svmkit/loss"
	"github.com/svmkit/course/svmkit/modelfile"
	"github.com/svmkit/course/svmkit/samples"
	"github.com/svmkit/course/svmkit/svm"
)

// peerRounding bounds the relative difference between a score of LIBSVM or LIBLINEAR and
// ours for one model: both sum a few hundred products, in another order.
const peerRounding = 1e-10

// peer runs a program of LIBSVM or LIBLINEAR (Debian: libsvm-tools, liblinear-tools). Without
// it the test is skipped, or fails in CI.
func peer(t *testing.T, program string, args ...string) string {
	t.Helper()
	path, err := exec.LookPath(program)
	if err != nil {
		if os.Getenv("CI") == "true" {
			t.Fatal(err)
		}
		t.Skip(err)
	}
	out, err := exec.Command(path, args...).CombinedOutput()
	if err != nil {
		t.Fatalf("%s %s: %v\n%s", program, args, err, out)
	}
	return string(out)
}

// peerFile writes a file in the test's folder and returns its name.
func peerFile(t *testing.T, name string, content []byte) string {
	t.Helper()
	path := filepath.Join(t.TempDir(), name)
	if err := os.WriteFile(path, content, 0o600); err != nil {
		t.Fatal(err)
	}
	return path
}

func dataFile(t *testing.T, set *svmkit.Dataset) string {
	t.Helper()
	var b bytes.Buffer
	if err := dataset.WriteLIBSVM(&b, set); err != nil {
		t.Fatal(err)
	}
	return peerFile(t, "data", b.Bytes())
}

// peerPredict returns the lines of numbers that a peer predicts for the rows of set.
func peerPredict(t *testing.T, program string, model []byte, set *svmkit.Dataset, args ...string) [][]float64 {
	t.Helper()
	out := peerFile(t, "out", nil)
	peer(t, program, append(args, dataFile(t, set), peerFile(t, "model", model), out)...)
	text, err := os.ReadFile(out)
	if err != nil {
		t.Fatal(err)
	}
	var lines [][]float64
	for s := bufio.NewScanner(bytes.NewReader(text)); s.Scan(); {
		if strings.HasPrefix(s.Text(), "labels") {
			continue
		}
		var line []float64
		for _, word := range strings.Fields(s.Text()) {
			v, err := strconv.ParseFloat(word, 64)
			if err != nil {
				t.Fatal(err)
			}
			line = append(line, v)
		}
		lines = append(lines, line)
	}
	if len(lines) != set.Len() {
		t.Fatalf("%s: %d predictions for %d rows", program, len(lines), set.Len())
	}
	return lines
}

// asRegression turns a classification model of LIBSVM or LIBLINEAR into a regression with the
// same numbers, so that the peer prints its decision values.
func asRegression(model []byte) []byte {
	var b bytes.Buffer
	for line := range bytes.Lines(model) {
		key, _, _ := bytes.Cut(line, []byte(" "))
		switch string(key) {
		case "svm_type":
			line = []byte("svm_type epsilon_svr\n")
		case "solver_type":
			line = []byte("solver_type L2R_L2LOSS_SVR\n")
		case "label", "nr_sv", "probA", "probB":
			continue
		}
		b.Write(line)
	}
	return b.Bytes()
}

// firstLabel returns the first label of a model file, "" if it has none.
func firstLabel(model []byte) string {
	for line := range bytes.Lines(model) {
		if words := strings.Fields(string(line)); len(words) > 1 && words[0] == "label" {
			return words[1]
		}
	}
	return ""
}

// agree compares m with what the peer makes of the model file on the rows of set.
func agree(t *testing.T, program string, m *svm.Model, model []byte, set *svmkit.Dataset) {
	t.Helper()
	scores := peerPredict(t, program, asRegression(model), set)
	sign := 1.0 // the peer's score is positive for the first label of the file
	if first := firstLabel(model); len(m.Classes) == 2 && m.Classes[0] == first {
		sign = -1
	}
	largest := 0.0
	for _, line := range scores {
		largest = max(largest, math.Abs(line[0]))
	}
	for i, x := range set.X {
		if got, want := m.Score(x), sign*scores[i][0]; !(math.Abs(got-want) <= peerRounding*largest) {
			t.Errorf("row %d: our score %.17g, %s's %.17g", i, got, program, want)
			return
		}
	}
	if m.Regression {
		return
	}
	for i, line := range peerPredict(t, program, model, set) {
		if m.OneClass && math.Abs(m.Score(set.X[i])) <= peerRounding*largest {
			continue // a free support vector: its score is 0 up to rounding, with the sign that rounding gives it
		}
		class := m.Predict(set.X[i]).Name
		if len(m.Classes) == 0 {
			class = fmt.Sprint(m.Predict(set.X[i]).Y)
		}
		if want := fmt.Sprint(line[0]); class != want {
			t.Errorf("row %d: our class %s, %s's %s", i, class, program, want)
			return
		}
	}
}

// peerSets are small sets with labels and orders of labels that a peer may turn around.
func peerSets(t *testing.T) (classes map[string]*svmkit.Dataset, targets *svmkit.Dataset) {
	t.Helper()
	plain, err := samples.Overlapping{N: 80, Dim: 4, Separation: 2}.Generate(1)
	if err != nil {
		t.Fatal(err)
	}
	named := func(flip float64, names ...string) *svmkit.Dataset {
		s := *plain
		s.Classes = names
		s.Y = make([]float64, len(plain.Y))
		for i, y := range plain.Y {
			s.Y[i] = flip * y
		}
		return &s
	}
	classes = map[string]*svmkit.Dataset{"±1": plain, "first −1": named(-plain.Y[0], "-1", "1"), "first 1": named(plain.Y[0], "-1", "1"),
		"first 0 of 0 1": named(-plain.Y[0], "0", "1"), "first 2 of 1 2": named(plain.Y[0], "1", "2"), "2 before 1": named(1, "2", "1")}
	t2 := *plain
	t2.Y = make([]float64, len(plain.Y))
	for i, x := range plain.X {
		t2.Y[i] = math.Sin(x.Value[0]) + x.Value[1] - 0.3
	}
	return classes, &t2
}

var peerKernels = map[string]kernel.Kernel{
	"linear": nil, "polynomial": kernel.Polynomial{Degree: 2, Gamma: 0.5, Coef0: 1},
	"rbf": kernel.RBF{Gamma: 0.3}, "sigmoid": kernel.Sigmoid{Gamma: 0.05, Coef0: -0.1},
}

func trained(t *testing.T, p *svm.Problem) *svm.Model {
	t.Helper()
	r, err := svm.Fit(context.Background(), p, nil, nil)
	if err != nil {
		t.Fatal(err)
	}
	return &r.Model
}

func TestLIBSVMReadsOurModels(t *testing.T) {
	classes, targets := peerSets(t)
	for name, k := range peerKernels {
		check := func(m *svm.Model, set *svmkit.Dataset) {
			t.Helper()
			var b bytes.Buffer
			if err := modelfile.SaveLIBSVM(&b, m); err != nil {
				t.Fatal(err)
			}
			agree(t, "svm-predict", m, b.Bytes(), set)
		}
		for order, set := range classes {
			if name != "rbf" && order != "±1" { // the orders once, the kernels once
				continue
			}
			check(trained(t, &svm.Problem{Data: set, Kernel: k}), set)
		}
		m := trained(t, &svm.Problem{Data: targets, Kernel: k, Loss: loss.EpsInsensitive{Epsilon: 0.1}})
		check(m, targets)
		if m.Weights != nil { // without support vectors, w is the only one
			w := *m
			w.SV, w.Coef, w.Rows, w.Bound = nil, nil, nil, nil
			check(&w, targets)
		}
	}
}

func TestWeReadLIBSVMsModels(t *testing.T) {
	classes, targets := peerSets(t)
	train := func(set *svmkit.Dataset, args ...string) ([]byte, *svm.Model) {
		t.Helper()
		name := peerFile(t, "trained", nil)
		peer(t, "svm-train", append(append([]string{"-q"}, args...), dataFile(t, set), name)...)
		text, err := os.ReadFile(name)
		if err != nil {
			t.Fatal(err)
		}
		m, err := loadOne(bytes.NewReader(text))
		if err != nil {
			t.Fatalf("%v\n%s", err, text)
		}
		return text, m
	}
	for _, kind := range []string{"0", "1", "2", "3"} {
		for order, set := range classes {
			if kind != "2" && order != "±1" {
				continue
			}
			text, m := train(set, "-s", "0", "-t", kind, "-r", "0.5")
			agree(t, "svm-predict", m, text, set)
		}
		text, m := train(targets, "-s", "3", "-t", kind, "-r", "0.5", "-p", "0.1")
		agree(t, "svm-predict", m, text, targets)
	}

	for order, set := range classes { // -b 1 stores probA and probB
		text, m := train(set, "-b", "1")
		agree(t, "svm-predict", m, text, set)
		checkTwoProbabilities(t, "svm-predict", m, text, set)
		if !slices.Equal(m.Classes, set.Classes) && order != "±1" && order != "2 before 1" {
			t.Errorf("%s: classes %q, and those of the data are %q", order, m.Classes, set.Classes)
		}
	}
}

// checkTwoProbabilities compares the probabilities of a model of two classes with those that a peer
// prints for its file: first the one of the first label.
func checkTwoProbabilities(t *testing.T, program string, m *svm.Model, model []byte, set *svmkit.Dataset) {
	t.Helper()
	place := 1 + slices.Index(m.Classes, firstLabel(model)) // in a line of the peer, of our class 0
	for i, line := range peerPredict(t, program, model, set, "-b", "1") {
		for k, got := range m.ProbabilitiesAll(set.X[i : i+1])[0] {
			want := line[1+(place-1+k)%2]
			if !(math.Abs(got-want) <= printed*want) {
				t.Fatalf("row %d: P(%s) = %g, %s prints %v", i, m.Classes[k], got, program, line)
			}
		}
	}
}

// printed is the relative error of a number that was printed with six digits.
const printed = 1e-5

// Our own model, saved for LIBSVM and loaded again, is the same function.
func TestLIBSVMRoundTrip(t *testing.T) {
	for name, m := range savedModels() {
		var b bytes.Buffer
		if err := modelfile.SaveLIBSVM(&b, m); err != nil {
			kind, _, _ := kernel.KindOf(m.Kernel)
			if m.Classes != nil || !slices.Contains([]string{"linear", "poly", "rbf", "sigmoid"}, kind.Name) {
				continue
			}
			t.Fatalf("%s: %v", name, err)
		}
		got, err := loadOne(&b)
		if err != nil {
			t.Fatalf("%s: %v", name, err)
		}
		for j := range int32(3) {
			x := svmkit.Row{Index: []int32{j}, Value: []float64{0.5}}
			if a, b := m.Score(x), got.Score(x); a != b && !(math.Abs(a-b) <= peerRounding*math.Abs(a)) {
				t.Errorf("%s: score %g, loaded %g", name, a, b)
			}
		}
	}
}

func TestSaveLIBSVMRefuses(t *testing.T) {
	w := []float64{1}
	for name, m := range map[string]svm.Model{
		"Classes": {Weights: w, Dim: 1, Classes: []string{"ham", "spam"}},
		"Kernel":  {Kernel: kernel.Laplacian{Gamma: 1}, SV: []svmkit.Row{svmkit.Dense(1)}, Coef: w, Dim: 1},
		"Model":   {},
	} {
		var parameter *svmkit.ParamError
		if err := modelfile.SaveLIBSVM(new(bytes.Buffer), &m); !errors.As(err, &parameter) || parameter.Name != name {
			t.Errorf("error %v, want one about %s", err, name)
		}
	}
}

// A fit that stopped above its tolerance has weights that its support vectors do not add up to. Its score is that of the
// weights, in our file and in LIBSVM's, in every unit. Support vectors that add up to the weights are kept.
func TestWeightsDecideTheScore(t *testing.T) {
	rows := []svmkit.Row{svmkit.Dense(1, 2), svmkit.Dense(-3, 1), svmkit.Dense(0.5, 0.25)}
	set := &svmkit.Dataset{Dim: 2, X: rows, Y: []float64{1, -1, 1}}
	for _, unit := range []float64{1, 1e-9, 1e12} {
		for _, c := range []struct {
			weights []float64
			vectors int
		}{{[]float64{4, 1}, 2}, {[]float64{4, 1.001}, 1}, {[]float64{-4, -1}, 1}} {
			m := &svm.Model{Dim: 2, Bias: 0.5 * unit, SV: rows[:2], Coef: []float64{unit, -unit},
				Weights: []float64{c.weights[0] * unit, c.weights[1] * unit}}
			var b bytes.Buffer
			if err := modelfile.SaveLIBSVM(&b, m); err != nil {
				t.Fatal(err)
			}
			if !strings.Contains(b.String(), fmt.Sprintf("total_sv %d\n", c.vectors)) {
				t.Errorf("unit %g, w = %v: not %d support vectors in\n%s", unit, c.weights, c.vectors, &b)
			}
			agree(t, "svm-predict", m, b.Bytes(), set)
		}
	}
}
