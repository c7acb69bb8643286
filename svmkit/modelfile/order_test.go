package modelfile_test

import (
	"bytes"
	"errors"
	"math"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"github.com/svmkit/course/svmkit"
	"github.com/svmkit/course/svmkit/loss"
	"github.com/svmkit/course/svmkit/modelfile"
	"github.com/svmkit/course/svmkit/multiclass"
	"github.com/svmkit/course/svmkit/svm"
)

// inOrder returns the text of a LIBSVM model of four labels, a coefficient for each pair, listed in the
// order of the file. The scores of the pairs do not depend on the order, but for their signs.
func inOrder(t *testing.T, order []int, platt bool) []byte {
	t.Helper()
	names := []string{"-3", "0", "7", "20"}
	classes := multiclass.Classes{Count: 4, Names: names, Order: order}
	c := &multiclass.PairClassifier{Classes: classes, FirstWins: true}
	for a := range 4 {
		for b := a + 1; b < 4; b++ {
			m := &svm.Model{Dim: 2, Weights: []float64{float64(b - 2*a), float64(a*b - 1)}, Bias: float64(a + b - 3)}
			if platt {
				m.Platt = &svm.Platt{A: -1 - float64(a), B: float64(b) / 4}
			}
			c.Models = append(c.Models, multiclass.PairModel{Negative: a, Positive: b, Scorer: m})
		}
	}
	return libsvmText(t, c)
}

// permutations yields all orders of 0 … 3.
func permutations(yield func([]int) bool) {
	for i := range 4 * 4 * 4 * 4 {
		order := []int{i % 4, i / 4 % 4, i / 16 % 4, i / 64}
		if len(slices.Compact(slices.Sorted(slices.Values(order)))) == 4 && !yield(order) {
			return
		}
	}
}

// The order of the labels in a file of LIBSVM decides ties, and nothing else: classes, scores and
// probabilities of the model are in the order of the labels' values. svm-predict agrees for each order.
func TestOrderOfLabelsInAFile(t *testing.T) {
	set := &svmkit.Dataset{Dim: 2, Classes: []string{"-3", "0", "7", "20"}}
	for x := -3; x <= 3; x++ {
		for y := -3; y <= 3; y++ {
			set.X, set.Y = append(set.X, svmkit.Dense(float64(x), float64(y))), append(set.Y, 0)
		}
	}
	first, err := modelfile.Load(bytes.NewReader(inOrder(t, []int{0, 1, 2, 3}, true)))
	if err != nil {
		t.Fatal(err)
	}
	want, chances := svmkit.ClassScoresAll(first, set.X), first.ProbabilitiesAll(set.X)
	differ := 0
	for order := range permutations {
		text := inOrder(t, order, true)
		if label := "label " + strings.Join([]string{set.Classes[order[0]], set.Classes[order[1]]}, " "); !bytes.Contains(text, []byte(label)) {
			t.Fatalf("order %v: no line %q in\n%s", order, label, text)
		}
		m, err := modelfile.Load(bytes.NewReader(text))
		if err != nil {
			t.Fatal(err)
		}
		if !slices.Equal(m.ClassNames(), set.Classes) {
			t.Fatalf("order %v: classes %q", order, m.ClassNames())
		}
		checkClasses(t, "svm-predict", m.(multiclass.Classifier), text, set)
		checkProbabilities(t, m.(probable), text, set)
		for i, scores := range svmkit.ClassScoresAll(m, set.X) {
			if !slices.Equal(scores, want[i]) {
				t.Fatalf("order %v, row %d: scores %v, want %v", order, i, scores, want[i])
			}
			for k, p := range m.ProbabilitiesAll(set.X[i : i+1])[0] {
				if !(math.Abs(p-chances[i][k]) <= 0.02) { // svm-predict's iteration stops early, and not in each order at one place
					t.Fatalf("order %v, row %d: probability %v, want %v", order, i, p, chances[i][k])
				}
			}
			if m.Predict(set.X[i]).Name != first.Predict(set.X[i]).Name {
				differ++
			}
		}
		back, err := modelfile.Load(bytes.NewReader(savedBy(t, m)))
		if err != nil {
			t.Fatal(err)
		}
		if again := libsvmText(t, back); !bytes.Equal(again, text) {
			t.Fatalf("order %v: from our own file\n%s\nand not\n%s", order, again, text)
		}
	}
	if differ == 0 {
		t.Error("no order of labels decides a tie: nothing is tested")
	}
}

// A file for two labels gives the same model in either order, up to the sign of a zero.
func TestOrderOfTwoLabels(t *testing.T) {
	const libsvm = "svm_type c_svc\nkernel_type rbf\ngamma 0.5\nnr_class 2\ntotal_sv 2\nrho RHO\nlabel LABELS\nprobA -2\nprobB PROB\nnr_sv 1 1\nSV\n"
	const liblinear = "solver_type L2R_LR\nnr_class 2\nlabel LABELS\nnr_feature 2\nbias 1\nw\n"
	for name, c := range map[string]struct{ rising, falling string }{
		"LIBSVM": {
			strings.NewReplacer("RHO", "0.25", "LABELS", "4 9", "PROB", "0.5").Replace(libsvm) + "1 1:1 \n-0.5 2:1 \n",
			strings.NewReplacer("RHO", "-0.25", "LABELS", "9 4", "PROB", "-0.5").Replace(libsvm) + "0.5 2:1 \n-1 1:1 \n",
		},
		"LIBLINEAR": {
			strings.Replace(liblinear, "LABELS", "4 9", 1) + "1.5 \n-2 \n0.25 \n",
			strings.Replace(liblinear, "LABELS", "9 4", 1) + "-1.5 \n2 \n-0.25 \n",
		},
	} {
		a, err := modelfile.Load(strings.NewReader(c.rising))
		b, err2 := modelfile.Load(strings.NewReader(c.falling))
		if err := errors.Join(err, err2); err != nil {
			t.Fatal(name, err)
		}
		rng := rand.New(rand.NewPCG(3, 4))
		for range 20 {
			x := []svmkit.Row{svmkit.Dense(rng.NormFloat64(), rng.NormFloat64())}
			p, q := a.Predict(x[0]), b.Predict(x[0])
			if !slices.Equal(a.ClassNames(), []string{"4", "9"}) || !slices.Equal(b.ClassNames(), a.ClassNames()) {
				t.Fatalf("%s: classes %q and %q", name, a.ClassNames(), b.ClassNames())
			}
			chance, chance2 := a.ProbabilitiesAll(x)[0], b.ProbabilitiesAll(x)[0]
			if p.Name != q.Name || p.Y != q.Y || !(math.Abs(p.Score-q.Score) <= 1e-15) || !(math.Abs(chance[1]-chance2[1]) <= 1e-15) {
				t.Errorf("%s: %+v %v and %+v %v", name, p, chance, q, chance2)
			}
			if (p.Score > 0) != (p.Name == "9") {
				t.Errorf("%s: score %v for class %s", name, p.Score, p.Name)
			}
		}
	}
}

// The order of ties is in our own files, too, of all strategies. A wrong one is refused.
func TestOrderInOurFiles(t *testing.T) {
	classes := multiclass.Classes{Count: 3, Names: []string{"a", "b", "c"}, Order: []int{2, 0, 1}}
	planes := &multiclass.Linear{Classes: classes, W: [][]float64{{1}, {1}, {1}}, B: []float64{0, 0, 0}}
	rest := &multiclass.RestClassifier{Classes: classes}
	for range 3 {
		rest.Models = append(rest.Models, &svm.Model{Dim: 1, Weights: []float64{1}})
	}
	for _, m := range []svmkit.Model{planes, rest} {
		text := savedBy(t, m)
		back, err := modelfile.Load(bytes.NewReader(text))
		if err != nil {
			t.Fatal(err)
		}
		if p := back.Predict(svmkit.Dense(1)); p.Name != "c" || !slices.Equal(back.ClassNames(), classes.Names) {
			t.Errorf("%T: of equal scores %q wins, not the first of the order", m, p.Name)
		}
		for _, wrong := range []string{"order 2 0", "order 2 0 0", "order 2 0 3", "order 2 0 -1", "order 2 0 1 1", "order"} {
			_, err := modelfile.Load(bytes.NewReader(bytes.Replace(text, []byte("order 2 0 1"), []byte(wrong), 1)))
			if !errors.Is(err, modelfile.ErrMalformed) {
				t.Errorf("%q: %v", wrong, err)
			}
		}
	}
	planes.Order = []int{0, 0, 1}
	var wrong *svmkit.ParamError
	if err := modelfile.Save(new(bytes.Buffer), planes); !errors.As(err, &wrong) || wrong.Name != "Order" {
		t.Errorf("order %v: %v", planes.Order, err)
	}
}

// A score of exactly 0 predicts the second label of a file of LIBSVM or LIBLINEAR, as their programs do, an outlier
// by a model of one class, and for scikit-learn what its predict returns. Our own files keep the rule, and so do
// files that are written for the peers again.
func TestScoreOfZero(t *testing.T) {
	const (
		kernel = "svm_type c_svc\nkernel_type linear\nnr_class 2\ntotal_sv 2\nrho 0\nlabel 1 2\nnr_sv 1 1\nSV\n1 1:1 \n-1 1:-1 \n"
		one    = "svm_type one_class\nkernel_type linear\nnr_class 2\ntotal_sv 1\nrho 0\nSV\n1 1:1 \n"
		linear = "solver_type L2R_LR\nnr_class 2\nlabel 1 2\nnr_feature 1\nbias -1\nw\n1 \n"
		joint  = "solver_type MCSVM_CS\nnr_class 2\nlabel 1 2\nnr_feature 1\nbias -1\nw\n1 -1 \n"
		python = `{"format": "svmkit scikit-learn 1", "kind": "SVC", "features": ["x0"], "classes": ["a", "b"], "intercept": [0], "coef": [[1]]}`
		rbf    = `{"format": "svmkit scikit-learn 1", "kind": "OneClassSVM", "features": ["x0"], "intercept": [0], "coef": [[1]]}`
	)
	swap := func(text string) string { return strings.Replace(text, "label 1 2", "label 2 1", 1) }
	for _, c := range []struct{ text, want string }{
		{kernel, "2"}, {swap(kernel), "1"}, {linear, "2"}, {swap(linear), "1"}, {joint, "2"}, {swap(joint), "1"}, {one, ""},
		{python, "b"}, {strings.Replace(python, "SVC", "LinearSVC", 1), "a"}, {strings.Replace(python, "SVC", "NuSVC", 1), "b"}, {rbf, ""},
	} {
		zero := []svmkit.Row{svmkit.Dense(0)}
		read := func(text []byte) svmkit.Model {
			m, err := modelfile.Load(bytes.NewReader(text))
			if err != nil {
				t.Fatalf("%v in\n%s", err, text)
			}
			all := append(m.PredictAll(zero), m.Predict(zero[0]))
			if p, ok := m.(svmkit.Preparer); ok {
				all = append(all, p.Prepare().Predict(zero[0]))
			}
			for _, p := range all {
				if !p.OK || p.Name != c.want || c.want == "" && p.Y != -1 {
					t.Errorf("%+v, want %q by\n%s", p, c.want, text)
				}
			}
			return m
		}
		m := read([]byte(c.text))
		read(savedBy(t, m))
		var again bytes.Buffer
		var err error
		switch {
		case strings.HasPrefix(c.text, "svm_type"):
			err = modelfile.SaveLIBSVM(&again, m)
		case c.text == joint || c.text == swap(joint):
			err = modelfile.SaveLIBLINEAR(&again, m, nil)
		case strings.HasPrefix(c.text, "solver_type"):
			err = modelfile.SaveLIBLINEAR(&again, m, loss.Logistic{})
		default:
			continue
		}
		if read(again.Bytes()); err != nil || strings.Contains(again.String(), "label 1 2") != strings.Contains(c.text, "label 1 2") {
			t.Errorf("%v, or exchanged labels:\n%s", err, &again)
		}
	}
	for _, wrong := range []string{"zero:2", "zero", "zero:1 1", "zero:0"} {
		text := strings.Replace(ownLinear, "bias 0.5", "bias 0.5 "+wrong, 1)
		if _, err := modelfile.Load(strings.NewReader(text)); err == nil {
			t.Errorf("%q is read", wrong)
		}
	}
}

// A model whose indices start at 0 scores rows whose indices start at 0, and is written with them.
func TestZeroBasedModel(t *testing.T) {
	const one = "svm_type c_svc\nkernel_type linear\nnr_class 2\ntotal_sv 2\nrho 0.5\nlabel 1 2\nnr_sv 1 1\nSV\n1 1:2 3:1 \n-1 2:1 \n"
	zero := strings.NewReplacer(" 1:2 3:1", " 0:2 2:1", " 2:1", " 1:1").Replace(one)
	a, err := modelfile.Load(strings.NewReader(one))
	b, err2 := modelfile.Options{ZeroBased: true}.Load(strings.NewReader(zero))
	if err := errors.Join(err, err2); err != nil {
		t.Fatal(err)
	}
	if x := svmkit.Dense(1, 2, 4); a.Predict(x) != b.Predict(x) || a.Predict(x).Score != -(2+4-2-0.5) {
		t.Errorf("%+v and %+v", a.Predict(x), b.Predict(x))
	}
	for _, c := range []struct {
		o    modelfile.Options
		want string
	}{{modelfile.Options{}, "1:2"}, {modelfile.Options{ZeroBased: true}, "0:2"}} {
		var out bytes.Buffer
		if err := c.o.SaveLIBSVM(&out, a); err != nil {
			t.Fatal(err)
		}
		if !strings.Contains(out.String(), c.want) {
			t.Errorf("%+v writes no %s:\n%s", c.o, c.want, &out)
		}
	}
	_, err = modelfile.Load(strings.NewReader(zero))
	var place *modelfile.ParseError
	if !errors.Is(err, modelfile.ErrIndexZero) || !errors.Is(err, modelfile.ErrMalformed) || !errors.As(err, &place) || place.Line != 9 {
		t.Errorf("index 0: %v", err)
	}
}

// LIBLINEAR 1.3 had other names, which the error explains.
func TestOldNamesOfLIBLINEAR(t *testing.T) {
	for old, now := range map[string]string{"L2_LR": "L2R_LR", "L1LOSS_SVM_DUAL": "L2R_L1LOSS_SVC_DUAL"} {
		text := strings.Replace(liblinear, "L2R_L2LOSS_SVC_DUAL", old, 1)
		if _, err := modelfile.Load(strings.NewReader(text)); !errors.Is(err, modelfile.ErrUnsupported) || !strings.Contains(err.Error(), now) {
			t.Errorf("%s: %v", old, err)
		}
	}
}

// A model file may begin with a byte order mark.
func TestByteOrderMark(t *testing.T) {
	if m, err := loadOne(strings.NewReader("\ufeff" + liblinear)); err != nil || m.Dim != 2 {
		t.Error(err)
	}
}
