package modelfile_test

import (
	"bytes"
	"errors"
	"io"
	"strings"
	"testing"

	"github.com/svmkit/course/svmkit"
	"github.com/svmkit/course/svmkit/kernel"
	"github.com/svmkit/course/svmkit/modelfile"
	"github.com/svmkit/course/svmkit/multiclass"
	"github.com/svmkit/course/svmkit/svm"
)

func TestSaveRefusesNegativeRowNumbers(t *testing.T) {
	m := &svm.Model{Kernel: kernel.RBF{Gamma: 1}, SV: []svmkit.Row{svmkit.Dense(1), svmkit.Dense(2)}, Coef: []float64{1, -1},
		Rows: []int{0, -1}, Dim: 1}
	var param *svmkit.ParamError
	if err := modelfile.Save(io.Discard, m); !errors.As(err, &param) || param.Name != "Rows" {
		t.Errorf("row number -1: %v", err)
	}
}

// A fit of Crammer and Singer is saved as its model.
func TestSaveTakesASolution(t *testing.T) {
	linear := classifiers()["cs"].(*multiclass.Linear)
	var got bytes.Buffer
	if err := modelfile.Save(&got, &multiclass.Solution{Linear: *linear}); err != nil {
		t.Fatal(err)
	}
	if want := savedBy(t, linear); !bytes.Equal(got.Bytes(), want) {
		t.Errorf("saved as\n%s\nnot as\n%s", got.Bytes(), want)
	}
}

// The error for a scorer that no file holds names its type.
func TestSaveNamesTheScorer(t *testing.T) {
	for name, m := range map[string]svmkit.Model{"ovr": classifiers()["ovr"], "ovo": classifiers()["ovo"]} {
		switch m := m.(type) {
		case *multiclass.RestClassifier:
			m.Models[1] = svmkit.Hyperplane{}
		case *multiclass.PairClassifier:
			m.Models[1].Scorer = svmkit.Hyperplane{}
		}
		var param *svmkit.ParamError
		if err := modelfile.Save(io.Discard, m); !errors.As(err, &param) || !strings.Contains(err.Error(), "svmkit.Hyperplane") {
			t.Errorf("%s: %v", name, err)
		}
	}
}
