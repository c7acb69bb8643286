package main

import (
	"encoding/json"
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
		var r report
		if err := json.Unmarshal([]byte(out), &r); err != nil {
			t.Fatalf("%v\n%s", err, out)
		}
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
	var r report
	r.RelativeGap = 0
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
	for _, part := range []string{"−1 is ham, +1 is spam", "\nprimal ", "\ndual ", "\nrelative gap ", "\nKKT violation ", " free + ", " training, "} {
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

// Without -gamma, γ is kernel.ScaleGamma of the training set for kernels of distances, 1 for kernels of
// inner products.
func TestGammaDefault(t *testing.T) {
	const text = "1,2,0\n3,0,1\n-2,1,0\n5,4,1\n" // mean 1.75, variance 4.4375, d = 2
	const scaled = 1 / (2 * 4.4375)
	for name, want := range map[string]kernel.Kernel{"rbf": kernel.RBF{Gamma: scaled}, "laplacian": kernel.Laplacian{Gamma: scaled},
		"poly": kernel.Polynomial{Degree: 3, Gamma: 1}, "sigmoid": kernel.Sigmoid{Gamma: 1}} {
		_, out, errs := svmRun(t, text, "train", "-kernel", name, "-o", "-", "-") // a sigmoid kernel's gap is infinite
		m, err := modelfile.Load(strings.NewReader(out))
		if err != nil {
			t.Fatalf("%s: %v, %s", name, err, errs)
		}
		if got := m.(*svm.Model).Kernel; got != want {
			t.Errorf("%s: %#v, want %#v", name, got, want)
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
	for line := range strings.Lines(out) {
		var label, score, p float64
		if err := json.Unmarshal([]byte("["+strings.Join(strings.Fields(line), ",")+"]"), &[]any{&label, &score, &p}); err != nil {
			t.Fatal(err)
		}
		if label*score <= 0 || p <= 0 || p >= 1 {
			t.Fatalf("label, score, probability: %s", line)
		}
	}
	if status, _, errs := svmRun(t, text, "train", "-probability", "-loss", "eps-insensitive", "-"); status != exitUsage {
		t.Errorf("status %d, %q", status, errs)
	}
}
