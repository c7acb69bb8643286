package main

import (
	"encoding/json"
	"math"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"github.com/svmkit/course/svmkit/kernel"
	"github.com/svmkit/course/svmkit/modelfile"
	"github.com/svmkit/course/svmkit/svm"
)

// The numbers of the report fit together, and are those of the data.
func TestReport(t *testing.T) {
	text := two(t, 50)
	for _, args := range [][]string{
		{"-loss", "hinge", "-tol", "1e-6"},
		{"-loss", "squared-hinge", "-bias", "penalized"},
		{"-loss", "logistic", "-bias", "none"},
		{"-kernel", "rbf", "-gamma", "0.5", "-C", "10"},
		{"-kernel", "poly", "-degree", "2", "-coef0", "1"},
		{"-kernel", "laplacian"},
		{"-loss", "eps-insensitive", "-epsilon", "0.2"},
		{"-loss", "squared-eps-insensitive", "-kernel", "rbf"},
		{"-solver", "smo"},
		{"-solver", "dcd", "-C-positive", "2", "-C-negative", "0.5"},
	} {
		out, errs := must(t, text, append(append([]string{"train", "-json"}, args...), "-")...)
		r := readReport(t, out)
		regression := strings.Contains(strings.Join(args, " "), "eps-ins")
		if r.Rows != 50 || r.Columns != 3 || r.NNZ != 150 || regression != (r.Classes == nil) || errs != "" {
			t.Errorf("%s: %+v, %q", args, r, errs)
		}
		gap := float64(r.Primal - r.Dual)
		if r.Status != "optimal" || float64(r.RelativeGap) > r.Tolerance || gap > r.Tolerance*max(1, float64(r.Primal)) ||
			r.Free+r.Bound < 1 || r.Solver == "" || r.TrainSeconds <= 0 || r.ReadSeconds <= 0 {
			t.Errorf("%s: %+v", args, r)
		}
	}
}

// An indefinite kernel has no gap: the report is JSON all the same, and no success is claimed.
func TestSigmoidIsNeverOptimal(t *testing.T) {
	status, out, errs := svmRun(t, two(t, 50), "train", "-json", "-kernel", "sigmoid", "-coef0", "-1", "-")
	var loose map[string]any
	if err := json.Unmarshal([]byte(out), &loose); err != nil || status != exitTolerance {
		t.Fatalf("status %d, %v\n%s%s", status, err, out, errs)
	}
	if loose["relativeGap"] != "+Inf" || !strings.Contains(errs, "indefinite") && loose["status"] == "stationary" {
		t.Errorf("%s%s", out, errs)
	}
}

func TestTextReportSaysWhichClassIsWhich(t *testing.T) {
	out, _ := must(t, "1,2,ham\n2,1,spam\n0,1,ham\n3,0,spam\n", "train", "-")
	for _, part := range []string{"−1 is ham, +1 is spam", "\nprimal ", "\ndual ", "\nrelative gap ", "\nKKT violation ", " free + ", " bound at this tolerance\n", " training, "} {
		if !strings.Contains(out, part) {
			t.Errorf("%q is missing in\n%s", part, out)
		}
	}
	out, _ = must(t, "1,2,0\n2,1,1\n0,1,0\n3,0,1\n", "train", "-")
	if !strings.Contains(out, "−1 is 0, +1 is 1") {
		t.Error(out)
	}
	out, _ = must(t, "1,2,a\n2,1,b\n0,1,c\n3,0,a\n", "train", "-positive", "a", "-")
	if !strings.Contains(out, "−1 is not a, +1 is a") {
		t.Error(out)
	}
}

// Without -gamma, γ is kernel.ScaleGamma or ScaleLaplacian of the training set for kernels of distances,
// 1 for kernels of inner products.
func TestGammaDefault(t *testing.T) {
	const text = "1,2,0\n3,0,1\n-2,1,0\n5,4,1\n" // mean 1.75, variance 4.4375, d = 2
	const scaled = 1 / (2 * 4.4375)
	for _, kind := range kernel.Kinds() {
		p := kernel.Parameters{Degree: 3, Gamma: 1}
		if kind.Measure != kernel.InnerProduct {
			p.Gamma = scaled
		}
		if kind.Measure == kernel.ManhattanDistance {
			p.Gamma = 1 / (2 * math.Sqrt(4.4375))
		}
		_, out, errs := svmRun(t, text, "train", "-kernel", kind.Name, "-o", "-", "-") // a sigmoid kernel's gap is infinite
		m, err := modelfile.Load(strings.NewReader(out))
		if err != nil {
			t.Fatalf("%s: %v, %s", kind.Name, err, errs)
		}
		if got, want := m.(*svm.Model).Kernel, kind.Kernel(p); got != want && !(got == nil && kernel.IsLinear(want)) {
			t.Errorf("%s: %#v, want %#v", kind.Name, got, want)
		}
	}
}

// Every built-in kernel stands in the help, is searched by grid, and takes exactly the flags of its
// parameters.
func TestEveryKernelHasItsFlags(t *testing.T) {
	const text = "1,2,0\n3,0,1\n-2,1,0\n5,4,1\n"
	for _, command := range []string{"train", "grid"} {
		_, out, _ := svmRun(t, "", command, "-h")
		for _, name := range kernel.Names() {
			if !strings.Contains(out, name) {
				t.Errorf("svm %s -h does not name the kernel %s", command, name)
			}
		}
	}
	for _, kind := range kernel.Kinds() {
		for flag, value := range map[string]string{"degree": "2", "gamma": "0.5", "coef0": "0.25"} {
			status, _, errs := svmRun(t, text, "train", "-kernel", kind.Name, "-"+flag, value, "-o", "-", "-")
			if refused := status == exitUsage; refused == kind.Has(flag) {
				t.Errorf("-kernel %s -%s %s: status %d: %s", kind.Name, flag, value, status, errs)
			}
		}
		if status, _, errs := svmRun(t, text, "grid", "-kernel", kind.Name, "-folds", "2", "-C", "1,2", "-"); status == exitUsage {
			t.Errorf("grid -kernel %s: %s", kind.Name, errs)
		}
	}
}

// A model that missed its tolerance is saved, with the seed that makes it again.
func TestUnmetToleranceStillSaves(t *testing.T) {
	model := filepath.Join(t.TempDir(), "model")
	if status, _, _ := svmRun(t, two(t, 40), "train", "-tol", "1e-14", "-max-iterations", "1", "-o", model, "-"); status != exitTolerance {
		t.Fatal(status)
	}
	if _, err := modelfile.LoadFile(model); err != nil {
		t.Error(err)
	}
}

func TestPeersModels(t *testing.T) {
	text := two(t, 60)
	folder := t.TempDir()
	own, libsvm, liblinear := filepath.Join(folder, "own"), filepath.Join(folder, "libsvm"), filepath.Join(folder, "liblinear")
	must(t, text, "train", "-o", own, "-libsvm", libsvm, "-liblinear", liblinear, "-")
	want, _ := must(t, text, "predict", own, "-")
	for _, model := range []string{libsvm, liblinear} {
		if got, _ := must(t, text, "predict", model, "-"); got != want {
			t.Errorf("%s predicts something else", model)
		}
	}
	data, out := file(t, "data", text), filepath.Join(folder, "out")
	for program, model := range map[string]string{"svm-predict": libsvm, "liblinear-predict": liblinear} {
		path, err := exec.LookPath(program)
		if err != nil {
			if os.Getenv("CI") == "true" {
				t.Fatal(err)
			}
			continue
		}
		if text, err := exec.Command(path, data, model, out).CombinedOutput(); err != nil {
			t.Fatalf("%v\n%s", err, text)
		}
		if got, err := os.ReadFile(out); err != nil || string(got) != want {
			t.Errorf("%s predicts something else: %v", program, err)
		}
	}
}

func TestProbability(t *testing.T) {
	text := two(t, 200)
	model := filepath.Join(t.TempDir(), "model")
	must(t, text, "train", "-probability", "-o", model, "-")
	out, _ := must(t, text, "predict", "-scores", "-probability", model, "-")
	head, body, _ := strings.Cut(out, "\n")
	if head != "labels -1 1" {
		t.Errorf("%q", head)
	}
	for line := range strings.Lines(body) {
		var label, score, q, p float64
		if err := json.Unmarshal([]byte("["+strings.Join(strings.Fields(line), ",")+"]"), &[]any{&label, &score, &q, &p}); err != nil {
			t.Fatal(err)
		}
		if label*score <= 0 || p <= 0 || p >= 1 || !(math.Abs(p+q-1) <= 1e-12) {
			t.Fatalf("label, score, probability: %s", line)
		}
	}
	if status, _, errs := svmRun(t, text, "train", "-probability", "-loss", "eps-insensitive", "-"); status != exitUsage {
		t.Errorf("status %d, %q", status, errs)
	}
}

// What is wrong is said in the words of the command line: flags that were given, rows from 1, and the file.
func TestMessages(t *testing.T) {
	far := file(t, "far.csv", "a,b,label\n1e308,1,x\n-1e308,2,y\n1,1,x\n")
	kinds := file(t, "kinds.csv", "kind,colour,size\nx,red,1\ny,blue,2\nx,red,2\ny,blue,3\n")
	for _, c := range []struct {
		args   string
		status int
		says   string
	}{
		{"train -kernel rbf " + far, exitUsage, "svm: without -gamma, γ is 1/(d·variance), which is 0 for these numbers: scale the columns, or use -gamma"},
		{"train -kernel rbf -gamma 0 " + far, exitUsage, "svm: -gamma 0: must be positive"},
		{"train -kernel rbf -gamma auto " + far, exitUsage, "must be a number, or scale"},
		{"train " + far, exitError, "svm: " + far + ", row 1: the square of the row's norm would overflow: not a finite number (value 1e+308)"},
		{"stream -positive x " + far, exitError, far + ", line 2: the score or ‖x‖² would overflow: not a finite number\n"},
		{"cv -group colour " + kinds, exitUsage, "svm: cv has no flag -group; grid has it (svm cv -h shows the flags)"},
		{"cv -metricks f1 " + kinds, exitUsage, "svm: no flag -metricks"},
		{"train -label knd -categorical colour " + kinds, exitUsage, `-label "knd": must be one of the table's columns, "kind", "colour", "size"`},
		{"train -label 4 -categorical colour " + kinds, exitUsage, `-label "4": must be one of the table's columns`},
		{"train -label 2 -drop 2 -scale minmax " + kinds, exitUsage, `-label "2": must be one of the table's columns`},
	} {
		status, out, errs := svmRun(t, "", strings.Fields(c.args)...)
		if status != c.status || out != "" || !strings.Contains(errs, c.says) {
			t.Errorf("svm %s: status %d, %q %q, want %d and %q", c.args, status, out, errs, c.status, c.says)
		}
	}
}

// The label of a pipeline is found by its number, also behind columns that are dropped by theirs.
func TestLabelOfATableByNumber(t *testing.T) {
	const rows = "id,size,kind,colour\n7,1,x,red\n8,2,y,blue\n9,2,x,red\n"
	want, _ := must(t, rows, "train", "-label", "kind", "-drop", "id", "-categorical", "colour", "-o", "-", "-")
	for _, drop := range []string{"id", "1"} {
		got, _ := must(t, rows, "train", "-label", "3", "-drop", drop, "-categorical", "colour", "-o", "-", "-")
		if drop == "1" { // predict drops it by its number, too
			want = strings.Replace(want, `,"drop":["id"]`, "", 1)
		}
		if got != want {
			t.Errorf("-drop %s:\n%s\n%s", drop, got, want)
		}
	}
}

// -gamma scale is the default of the RBF kernel, for every kernel that has a γ.
func TestGammaScale(t *testing.T) {
	data := two(t, 40)
	for kernel, same := range map[string]bool{"rbf": true, "laplacian": true, "poly": false} {
		without, _ := must(t, data, "train", "-kernel", kernel, "-o", "-", "-")
		with, _ := must(t, data, "train", "-kernel", kernel, "-gamma", "scale", "-o", "-", "-")
		if with == without != same {
			t.Errorf("%s: with -gamma scale the same: %v", kernel, !same)
		}
	}
}
