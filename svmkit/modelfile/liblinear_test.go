package modelfile_test

import (
	"bytes"
	"errors"
	"math"
	"os"
	"testing"

	"github.com/svmkit/course/svmkit"
	"github.com/svmkit/course/svmkit/kernel"
	"github.com/svmkit/course/svmkit/loss"
	"github.com/svmkit/course/svmkit/modelfile"
	"github.com/svmkit/course/svmkit/svm"
)

func TestLIBLINEARReadsOurModels(t *testing.T) {
	classes, targets := peerSets(t)
	for _, bias := range []svmkit.Bias{svmkit.FreeBias, svmkit.PenalizedBias, svmkit.NoBias} {
		check := func(set *svmkit.Dataset, l loss.Trainable) {
			t.Helper()
			m := trained(t, &svm.Problem{Data: set, Loss: l, Bias: bias})
			var b bytes.Buffer
			if err := modelfile.SaveLIBLINEAR(&b, m, l); err != nil {
				t.Fatal(err)
			}
			agree(t, "liblinear-predict", m, b.Bytes(), set)
		}
		for order, set := range classes {
			check(set, nil)
			if order == "±1" {
				check(set, loss.SquaredHinge{})
			}
		}
		check(targets, loss.EpsInsensitive{Epsilon: 0.1})
		check(targets, loss.SquaredEpsInsensitive{Epsilon: 0.1})
	}
}

func TestWeReadLIBLINEARsModels(t *testing.T) {
	classes, targets := peerSets(t)
	train := func(set *svmkit.Dataset, args ...string) ([]byte, *svm.Model) {
		t.Helper()
		name := peerFile(t, "trained", nil)
		peer(t, "liblinear-train", append(append([]string{"-q"}, args...), dataFile(t, set), name)...)
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
	for _, set := range classes {
		for _, bias := range []string{"-1", "0", "1", "2.5"} {
			text, m := train(set, "-s", "3", "-B", bias)
			agree(t, "liblinear-predict", m, text, set)
		}
		text, m := train(set, "-s", "0", "-B", "1")
		checkTwoProbabilities(t, "liblinear-predict", m, text, set)
	}
	for _, solver := range []string{"1", "2", "5", "6", "7"} {
		text, m := train(classes["±1"], "-s", solver, "-B", "1")
		agree(t, "liblinear-predict", m, text, classes["±1"])
	}
	for _, solver := range []string{"11", "12", "13"} {
		text, m := train(targets, "-s", solver, "-B", "1")
		agree(t, "liblinear-predict", m, text, targets)
	}
}

// With B > 0 the bias is a constant feature, so its weight is penalised like any other: what
// liblinear-train found with -B 1 is our optimum of PenalizedBias.
func TestLIBLINEARsBiasIsPenalized(t *testing.T) {
	// Both stop at a gap: LIBLINEAR's default leaves the model a few per cent off, 1e-8 does not.
	const close = 1e-4
	classes, _ := peerSets(t)
	set := classes["±1"]
	name := peerFile(t, "trained", nil)
	peer(t, "liblinear-train", "-q", "-s", "1", "-e", "1e-8", "-B", "1", dataFile(t, set), name)
	loaded, err := modelfile.LoadFile(name)
	if err != nil {
		t.Fatal(err)
	}
	theirs := loaded.(*svm.Model)
	r, err := svm.Fit(t.Context(), &svm.Problem{Data: set, Loss: loss.SquaredHinge{}, Bias: svmkit.PenalizedBias}, nil, &svm.Settings{Tol: 1e-9})
	if err != nil {
		t.Fatal(err)
	}
	if math.Abs(theirs.Bias-r.Bias) > close {
		t.Errorf("b = %g, LIBLINEAR's %g", r.Bias, theirs.Bias)
	}
	for j, w := range r.Weights {
		if math.Abs(w-theirs.Weights[j]) > close {
			t.Errorf("w = %v, LIBLINEAR's %v", r.Weights, theirs.Weights)
			break
		}
	}
}

func TestSaveLIBLINEARRefuses(t *testing.T) {
	w := []float64{1}
	for _, c := range []struct {
		m    svm.Model
		l    loss.Convex
		name string
	}{
		{svm.Model{Weights: w, Dim: 1, Classes: []string{"ham", "spam"}}, nil, "Classes"},
		{svm.Model{Kernel: kernel.RBF{Gamma: 1}, SV: []svmkit.Row{svmkit.Dense(1)}, Coef: w, Dim: 1}, nil, "Kernel"},
		{svm.Model{Weights: w, Dim: 1}, loss.EpsInsensitive{}, "Loss"},
		{svm.Model{Weights: w, Dim: 1, Regression: true}, nil, "Loss"},
		{svm.Model{Weights: w, Dim: 1}, loss.Exponential{}, "Loss"},
	} {
		var parameter *svmkit.ParamError
		if err := modelfile.SaveLIBLINEAR(new(bytes.Buffer), &c.m, c.l); !errors.As(err, &parameter) || parameter.Name != c.name {
			t.Errorf("error %v, want one about %s", err, c.name)
		}
	}
}
