package modelfile_test

import (
	"bytes"
	"math"
	"slices"
	"testing"

	"github.com/svmkit/course/svmkit"
	"github.com/svmkit/course/svmkit/kernel"
	"github.com/svmkit/course/svmkit/modelfile"
	"github.com/svmkit/course/svmkit/multiclass"
	"github.com/svmkit/course/svmkit/svm"
	"github.com/svmkit/course/svmkit/tune"
)

// probable is a model of two classes or more that has probabilities.
type probable interface {
	svmkit.Model
	ClassNames() []string
	ProbabilitiesAll(rows []svmkit.Row) [][]float64
}

// checkProbabilities compares the probabilities of m with those that svm-predict -b 1 prints for a file with these labels, in their order.
func checkProbabilities(t *testing.T, m probable, file []byte, set *svmkit.Dataset) {
	t.Helper()
	const printed = 1e-6 // six digits
	var labels []string
	for line := range bytes.Lines(file) {
		if words := bytes.Fields(line); len(words) > 0 && string(words[0]) == "label" {
			for _, w := range words[1:] {
				labels = append(labels, string(w))
			}
		}
	}
	ours := m.ProbabilitiesAll(set.X)
	for i, line := range peerPredict(t, "svm-predict", file, integerLabels(set), "-b", "1") {
		for k, want := range line[1:] {
			got := ours[i][slices.Index(m.ClassNames(), labels[k])]
			if !(math.Abs(got-want) <= printed) {
				t.Fatalf("row %d, label %s: %v, svm-predict's %v", i, labels[k], got, want)
			}
		}
	}
}

// What svm-train -b 1 has written has the probabilities of svm-predict here, and so has what we make of it again, in its
// format and in our own.
func TestWeReadPeersProbabilities(t *testing.T) {
	sets := multiSets()
	sets["two"], _ = sets["iris"].Pair("20", "7")
	for name, set := range sets {
		text, m := peerTrained(t, "svm-train", set, "-b", "1")
		checkProbabilities(t, m.(probable), text, set)
		checkProbabilities(t, m.(probable), libsvmText(t, m), set)
		back, err := modelfile.Load(bytes.NewReader(savedBy(t, m)))
		if err != nil {
			t.Fatal(name, err)
		}
		checkProbabilities(t, back.(probable), text, set)
	}
}

// Probabilities of ours go to LIBSVM's file; svm-predict's are those of the same file read again. Ours are the exact
// minimum, which svm-predict's iteration stops short of.
func TestPeersReadProbabilities(t *testing.T) {
	set := multiSets()["iris"]
	binary := svm.Fitter(svm.Problem{C: svm.PerSum(1), Kernel: kernel.RBF{Gamma: 0.5}}, nil, nil)
	fitted, err := tune.Probabilities{}.Fitter(multiclass.OneVsOne{Binary: binary}.Fitter())(t.Context(), set)
	if err != nil {
		t.Fatal(err)
	}
	ours := fitted.(*multiclass.PairClassifier)
	text := libsvmText(t, ours)
	again, err := modelfile.Load(bytes.NewReader(text))
	if err != nil {
		t.Fatal(err)
	}
	checkProbabilities(t, again.(probable), text, set)
	const early = 0.005 // far more than where svm-predict's stopping rule leaves three classes
	exact, theirs := ours.ProbabilitiesAll(set.X), again.(probable).ProbabilitiesAll(set.X)
	for i := range exact {
		for k, p := range exact[i] {
			theirs := theirs[i][slices.Index(again.ClassNames(), ours.Classes.Name(k))]
			if !(math.Abs(p-theirs) <= early) {
				t.Fatalf("row %d: %v, svm-predict's %v", i, exact[i], theirs)
			}
		}
	}
	back, err := modelfile.Load(bytes.NewReader(savedBy(t, ours)))
	if err != nil {
		t.Fatal(err)
	}
	for i, p := range back.(probable).ProbabilitiesAll(set.X) {
		if !slices.Equal(p, exact[i]) {
			t.Fatalf("row %d from our file: %v, not %v", i, p, exact[i])
		}
	}
	rest, err := tune.Probabilities{}.Fitter(multiclass.OneVsRest{Binary: binary}.Fitter())(t.Context(), set)
	if err != nil {
		t.Fatal(err)
	}
	back, err = modelfile.Load(bytes.NewReader(savedBy(t, rest)))
	if err != nil {
		t.Fatal(err)
	}
	want := rest.(probable).ProbabilitiesAll(set.X)
	for i, p := range back.(probable).ProbabilitiesAll(set.X) {
		if !slices.Equal(p, want[i]) {
			t.Fatalf("row %d of one-vs-rest from our file: %v, not %v", i, p, want[i])
		}
	}
}
