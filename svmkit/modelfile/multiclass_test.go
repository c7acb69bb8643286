package modelfile_test

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"math"
	"math/rand/v2"
	"os"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/svmkit/course/svmkit"
	"github.com/svmkit/course/svmkit/kernel"
	"github.com/svmkit/course/svmkit/loss"
	"github.com/svmkit/course/svmkit/modelfile"
	"github.com/svmkit/course/svmkit/multiclass"
	"github.com/svmkit/course/svmkit/samples"
	"github.com/svmkit/course/svmkit/svm"
)

// multiSets are sets of three or more classes, named by integers whose order is neither that of the numbers nor that of
// the rows.
func multiSets() map[string]*svmkit.Dataset {
	named := func(s *svmkit.Dataset, names ...string) *svmkit.Dataset {
		t := *s
		t.Classes, t.Features = names, nil
		return &t
	}
	digits := samples.Digits()
	some := named(digits, "0", "9", "1", "8", "2", "7", "3", "6", "4", "-5")
	some.X, some.Y = some.X[:200], some.Y[:200]
	return map[string]*svmkit.Dataset{"iris": named(samples.Iris(), "20", "-3", "7"), "digits": some, "ties": tiedSet()}
}

// tiedSet has five classes at random, on a grid of integers around zero: their models hardly tell them apart, and votes tie. With the
// linear kernel all scores of the row of zeros are biases.
func tiedSet() *svmkit.Dataset {
	rng := rand.New(rand.NewPCG(1, 1))
	s := &svmkit.Dataset{Dim: 2, Classes: []string{"2", "5", "1", "4", "3"}}
	for i := range 150 {
		s.X = append(s.X, svmkit.Dense(float64(rng.IntN(7)-3), float64(rng.IntN(7)-3)))
		s.Y = append(s.Y, float64((i*3+rng.IntN(2))%5))
	}
	return s
}

// checkClasses compares the classes that m predicts, by all its methods, with what a peer makes of the model file.
func checkClasses(t *testing.T, program string, m multiclass.Classifier, model []byte, set *svmkit.Dataset) {
	t.Helper()
	all := m.PredictAll(set.X)
	const each = 10 // row by row takes as long as training
	for i, line := range peerPredict(t, program, model, integerLabels(set)) {
		want := strconv.Itoa(int(line[0]))
		if class := all[i].Name; class != want {
			t.Fatalf("row %d: our class %s, %s's %s", i, class, program, want)
		}
		if p := m.Predict(set.X[i]); i%each == 0 && (p.Name != want || p.Y != float64(p.Class)) {
			t.Fatalf("row %d alone: our class %+v, %s's %s", i, p, program, want)
		}
	}
}

// integerLabels returns a set whose targets are the names of its classes, as files of the peers have them.
func integerLabels(set *svmkit.Dataset) *svmkit.Dataset {
	s, err := set.Targets()
	if err != nil {
		panic(err)
	}
	return s
}

// peerTrained returns the file of a model that a peer has trained, and what Load makes of it.
func peerTrained(t *testing.T, program string, set *svmkit.Dataset, args ...string) ([]byte, svmkit.Model) {
	t.Helper()
	name := peerFile(t, "trained", nil)
	peer(t, program, append(append([]string{"-q"}, args...), dataFile(t, integerLabels(set)), name)...)
	text, err := os.ReadFile(name)
	if err != nil {
		t.Fatal(err)
	}
	m, err := modelfile.Load(bytes.NewReader(text))
	if err != nil {
		t.Fatalf("%v\n%s", err, text)
	}
	return text, m
}

func libsvmText(t *testing.T, m svmkit.Model) []byte {
	t.Helper()
	var b bytes.Buffer
	if err := modelfile.SaveLIBSVM(&b, m); err != nil {
		t.Fatal(err)
	}
	return b.Bytes()
}

// What svm-train and liblinear-train have written predicts the same classes here, and so does what we make of it again,
// in their format and in our own.
func TestWeReadPeersClassifiers(t *testing.T) {
	for name, set := range multiSets() {
		for _, args := range [][]string{{"-t", "0"}, {"-t", "1", "-r", "1"}, {"-t", "2"}, {"-s", "1", "-n", "0.05"}} {
			text, m := peerTrained(t, "svm-train", set, args...)
			checkClasses(t, "svm-predict", m.(*multiclass.PairClassifier), text, set)
			again := libsvmText(t, m)
			checkClasses(t, "svm-predict", m.(multiclass.Classifier), again, set)
			if lines := bytes.Count(again, []byte("\n")); lines > set.Len()+12 { // as many as svm-train's own: a line a row and the header
				t.Errorf("%s %v: %d lines for %d rows", name, args, lines, set.Len())
			}
			back, err := modelfile.Load(bytes.NewReader(savedBy(t, m)))
			if err != nil {
				t.Fatal(err)
			}
			checkClasses(t, "svm-predict", back.(*multiclass.PairClassifier), text, set)
		}
		for _, solver := range []string{"0", "2", "4"} {
			for _, bias := range []string{"-1", "2.5"} {
				text, m := peerTrained(t, "liblinear-train", set, "-s", solver, "-B", bias)
				checkClasses(t, "liblinear-predict", m.(multiclass.Classifier), text, set)
				var again bytes.Buffer
				if err := modelfile.SaveLIBLINEAR(&again, m, nil); err != nil {
					t.Fatal(err)
				}
				checkClasses(t, "liblinear-predict", m.(multiclass.Classifier), again.Bytes(), set)
			}
		}
	}
}

// A row with equally many votes for several classes: svm-predict takes the first, and a loaded model does the same. Our own
// rule, the sum of scores, gives another class for some rows.
func TestTiesOfVotes(t *testing.T) {
	set := tiedSet()
	text, m := peerTrained(t, "svm-train", set, "-s", "1", "-n", "0.05")
	pairs := m.(*multiclass.PairClassifier)
	ties, others := 0, 0
	bySums := *pairs
	bySums.FirstWins = false
	for _, x := range set.X {
		votes := pairs.Votes(x)
		slices.Sort(votes)
		if votes[3] == votes[4] {
			ties++
		}
		if pairs.Predict(x).Y != bySums.Predict(x).Y {
			others++
		}
	}
	if ties == 0 || others == 0 {
		t.Errorf("%d rows with ties, %d that the rules predict differently: nothing is tested", ties, others)
	}
	checkClasses(t, "svm-predict", pairs, text, set)
}

// A score of exactly zero votes for the second label of a pair, as in svm-predict.
func TestZeroScoresVote(t *testing.T) {
	text := []byte("svm_type c_svc\nkernel_type linear\nnr_class 3\ntotal_sv 3\nrho 0 0 0\nlabel 3 1 2\nnr_sv 1 1 1\nSV\n1 1 1:1 \n-1 1 2:1 \n-1 -1 1:1 \n")
	set := &svmkit.Dataset{Dim: 2, Classes: []string{"3", "1", "2"}, X: svmkit.DenseRows([]float64{0, 0, 1, 1, 0, 1, 1, 0, -1, -1}, 2), Y: make([]float64, 5)}
	m, err := modelfile.Load(bytes.NewReader(text))
	if err != nil {
		t.Fatal(err)
	}
	checkClasses(t, "svm-predict", m.(*multiclass.PairClassifier), text, set)
}

// Platt's numbers of a pair give the probability that svm-predict computes from its decision value; with two of three
// classes far away the coupled probability is nearly that of the pair.
func TestPlattOfPairs(t *testing.T) {
	m, err := modelfile.Load(strings.NewReader(libsvmThree))
	if err != nil {
		t.Fatal(err)
	}
	pairs := m.(*multiclass.PairClassifier)
	x := svmkit.Dense(0.3)
	// The file has the labels 3 1 2, so its pairs are 3–1, 3–2 and 1–2. In memory 1–2, 1–3 and 2–3 are the pairs.
	for p, c := range []struct {
		platt svm.Platt
		sign  float64 // of the file's decision value in our score
	}{{svm.Platt{A: -3, B: 2}, -1}, {svm.Platt{A: -1, B: 0}, 1}, {svm.Platt{A: -2, B: 1}, 1}} {
		pair := pairs.Models[p].Scorer.(*svm.Model)
		got, want := pair.Probability(x), c.platt.Probability(c.sign*pair.Score(x)) // of the first label of the file's pair
		if c.sign < 0 {
			got = 1 - got
		}
		if !(math.Abs(got-want) <= peerRounding) {
			t.Errorf("pair %d: P(first) = %g, want %g", p, got, want)
		}
	}
	if text := libsvmText(t, m); string(text) != libsvmThree {
		t.Errorf("written as\n%s\nread from\n%s", text, libsvmThree)
	}
}

// What package multiclass has fitted is read by svm-predict and liblinear-predict, who predict the same classes.
func TestPeersReadOurClassifiers(t *testing.T) {
	for name, set := range multiSets() {
		for k, kernel := range []kernel.Kernel{nil, kernel.RBF{Gamma: 0.05}} {
			ovo, err := multiclass.OneVsOne{Binary: svm.Fitter(svm.Problem{Kernel: kernel}, nil, nil)}.Fit(t.Context(), set)
			if err != nil {
				t.Fatal(err)
			}
			text := libsvmText(t, ovo)
			ovo.FirstWins = true // as svm-predict counts
			checkClasses(t, "svm-predict", ovo, text, set)
			if vectors := bytes.Count(text[bytes.Index(text, []byte("SV\n")):], []byte("\n")) - 1; vectors > set.Len() {
				t.Errorf("%s, kernel %d: %d support vectors of %d rows", name, k, vectors, set.Len())
			}
		}
		for _, trained := range []loss.Trainable{loss.SquaredHinge{}, loss.Logistic{}} {
			ovr, err := multiclass.OneVsRest{Binary: svm.Fitter(svm.Problem{Loss: trained}, nil, nil)}.Fit(t.Context(), set)
			if err != nil {
				t.Fatal(err)
			}
			var b bytes.Buffer
			if err := modelfile.SaveLIBLINEAR(&b, ovr, trained); err != nil {
				t.Fatal(err)
			}
			checkClasses(t, "liblinear-predict", ovr, b.Bytes(), set)
		}
		for _, bias := range []svmkit.Bias{svmkit.NoBias, svmkit.PenalizedBias} {
			cs, err := multiclass.CrammerSinger{Data: set, Bias: bias}.Fit(t.Context(), nil)
			if err != nil {
				t.Fatal(err)
			}
			var b bytes.Buffer
			if err := modelfile.SaveLIBLINEAR(&b, &cs.Linear, nil); err != nil {
				t.Fatal(err)
			}
			checkClasses(t, "liblinear-predict", cs, b.Bytes(), set)
		}
	}
}

// Two classes of Crammer and Singer have a plane each, in LIBLINEAR's files, too.
func TestLIBLINEARsTwoPlanes(t *testing.T) {
	classes, _ := peerSets(t)
	set := classes["2 before 1"]
	text, m := peerTrained(t, "liblinear-train", set, "-s", "4")
	planes := m.(*multiclass.Linear)
	for i, line := range peerPredict(t, "liblinear-predict", text, set) {
		if class := planes.Predict(set.X[i]).Name; class != strconv.Itoa(int(line[0])) {
			t.Fatalf("row %d: class %s, liblinear-predict's %g", i, class, line[0])
		}
	}
}

// The multiclass models that the formats cannot hold.
func TestSavePeersRefuse(t *testing.T) {
	iris := multiSets()["iris"]
	fit := svm.Fitter(svm.Problem{}, nil, nil)
	ovr, err := multiclass.OneVsRest{Binary: fit}.Fit(t.Context(), iris)
	if err != nil {
		t.Fatal(err)
	}
	ovo, err := multiclass.OneVsOne{Binary: fit}.Fit(t.Context(), iris)
	if err != nil {
		t.Fatal(err)
	}
	mixed, some := *ovo, *ovo
	mixed.Models, some.Models = slices.Clone(ovo.Models), slices.Clone(ovo.Models)
	other := ovo.Models[2].Scorer.(*svm.Result).Model
	other.Kernel, other.Weights = kernel.RBF{Gamma: 1}, nil
	mixed.Models[2].Scorer = &other
	platt := ovo.Models[1].Scorer.(*svm.Result).Model
	platt.Platt = &svm.Platt{A: -1}
	some.Models[1].Scorer = &platt
	two := &multiclass.RestClassifier{Classes: multiclass.Classes{Count: 2, Names: []string{"1", "2"}, Signed: true},
		Models: []svmkit.Scorer{&svm.Model{Weights: []float64{1}, Dim: 1}, &svm.Model{Weights: []float64{-1}, Dim: 1}}}
	curved := *ovr
	curved.Models = slices.Clone(ovr.Models)
	for k := range curved.Models {
		m := curved.Models[k].(*svm.Result).Model
		m.Kernel, m.Weights = kernel.RBF{Gamma: 1}, nil
		curved.Models[k] = &m
	}
	libsvm := func(m svmkit.Model) error { return modelfile.SaveLIBSVM(io.Discard, m) }
	liblinear := func(m svmkit.Model) error { return modelfile.SaveLIBLINEAR(io.Discard, m, nil) }
	for name, c := range map[string]struct {
		err  error
		name string
	}{
		"one-vs-rest for LIBSVM":          {libsvm(ovr), "Model"},
		"names for LIBSVM":                {libsvm(classifiers()["ovo"]), "Classes"},
		"two kernels":                     {libsvm(&mixed), "Kernel"},
		"probabilities of one pair":       {libsvm(&some), "Platt"},
		"nil for LIBSVM":                  {libsvm((*multiclass.PairClassifier)(nil)), "Model"},
		"no writer for LIBSVM":            {modelfile.SaveLIBSVM(nil, ovo), "w"},
		"one-vs-one for LIBLINEAR":        {liblinear(ovo), "Model"},
		"two models of two classes":       {liblinear(two), "Model"},
		"names for LIBLINEAR":             {liblinear(classifiers()["ovr"]), "Classes"},
		"a kernel for LIBLINEAR":          {liblinear(&curved), "Kernel"},
		"a loss for Crammer and Singer":   {modelfile.SaveLIBLINEAR(io.Discard, classifiersByNumber(), loss.Logistic{}), "Loss"},
		"no writer for LIBLINEAR":         {modelfile.SaveLIBLINEAR(nil, ovr, nil), "w"},
		"a regression's loss for several": {modelfile.SaveLIBLINEAR(io.Discard, ovr, loss.EpsInsensitive{}), "Loss"},
	} {
		var parameter *svmkit.ParamError
		if !errors.As(c.err, &parameter) || parameter.Name != c.name {
			t.Errorf("%s: error %v, want one about %s", name, c.err, c.name)
		}
	}
}

// classifiersByNumber is a model of Crammer and Singer whose classes are named by integers.
func classifiersByNumber() svmkit.Model {
	cs := *classifiers()["cs"].(*multiclass.Linear)
	cs.Names = []string{"1", "2", "3"}
	return &cs
}

// A model of LIBSVM for three classes predicts as svm-predict does; its classes are the labels of the file, by value.
func ExampleLoad_libsvm() {
	m, err := modelfile.Load(strings.NewReader(`svm_type c_svc
kernel_type rbf
gamma 0.5
nr_class 3
total_sv 3
rho 0 0 0
label 30 10 20
nr_sv 1 1 1
SV
1 1 1:1 
-1 1 1:2 
-1 -1 1:3 
`))
	if err != nil {
		fmt.Println(err)
		return
	}
	c := m.(*multiclass.PairClassifier)
	p := c.Predict(svmkit.Dense(1.8))
	fmt.Println(c.Names, p.Class, p.Name)
	// Output: [10 20 30] 0 10
}
