package modelfile_test

import (
	"bytes"
	"errors"
	"io"
	"slices"
	"strings"
	"testing"

	"github.com/svmkit/course/svmkit"
	"github.com/svmkit/course/svmkit/modelfile"
	"github.com/svmkit/course/svmkit/svm"
)

// One-class models go both ways between svm-train, svm-predict and us, and through our own format: the same scores, the
// same predictions.
func TestOneClassModels(t *testing.T) {
	classes, _ := peerSets(t)
	set := *classes["±1"]
	set.X = slices.Clone(set.X)
	for i, x := range set.X { // away from the origin: around it a linear model is 0
		set.X[i] = svmkit.Dense(x.Value[0]+5, x.Value[1]+5, x.Value[2], x.Value[3])
	}
	for name, k := range peerKernels {
		r, err := svm.OneClass{Data: &set, Kernel: k, Nu: 0.2}.Fit(t.Context(), nil)
		if err != nil {
			t.Fatal(err)
		}
		text := libsvmText(t, r)
		if !strings.HasPrefix(string(text), "svm_type one_class\n") {
			t.Errorf("%s: %.40s", name, text)
		}
		agree(t, "svm-predict", &r.Model, text, &set)
		own, err := loadOne(bytes.NewReader(savedBy(t, r)))
		if err != nil {
			t.Fatal(err)
		}
		if !own.OneClass {
			t.Errorf("%s: our own format has forgotten the task", name)
		}
		agree(t, "svm-predict", own, text, &set)
	}
	for _, kind := range []string{"0", "1", "2", "3"} {
		text, m := peerTrained(t, "svm-train", &set, "-s", "2", "-n", "0.2", "-t", kind, "-r", "0.5")
		if !m.(*svm.Model).OneClass {
			t.Errorf("kernel %s: the task was lost", kind)
		}
		agree(t, "svm-predict", m.(*svm.Model), text, &set)
		if again := libsvmText(t, m); !bytes.HasPrefix(again, []byte("svm_type one_class")) {
			t.Errorf("written as %.40s", again)
		} else {
			agree(t, "svm-predict", m.(*svm.Model), again, &set)
		}
	}
}

func TestOneClassIsNoClassification(t *testing.T) {
	w := []float64{1}
	var parameter *svmkit.ParamError
	for name, m := range map[string]svm.Model{
		"Classes":  {Weights: w, Dim: 1, OneClass: true, Classes: []string{"1", "2"}},
		"Platt":    {Weights: w, Dim: 1, OneClass: true, Platt: &svm.Platt{}},
		"OneClass": {Weights: w, Dim: 1, OneClass: true, Regression: true},
	} {
		if err := modelfile.Save(io.Discard, &m); !errors.As(err, &parameter) || parameter.Name != name {
			t.Errorf("error %v, want one about %s", err, name)
		}
	}
	if err := modelfile.SaveLIBLINEAR(io.Discard, &svm.Model{Weights: w, Dim: 1, OneClass: true}, nil); !errors.As(err, &parameter) || parameter.Name != "Model" {
		t.Errorf("LIBLINEAR: %v", err)
	}
}
