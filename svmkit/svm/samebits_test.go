package svm_test

import (
	"context"
	"crypto/sha256"
	"encoding/binary"
	"encoding/hex"
	"fmt"
	"math"
	"os"
	"os/exec"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/svmkit/course/svmkit"
	"github.com/svmkit/course/svmkit/kernel"
	"github.com/svmkit/course/svmkit/loss"
	"github.com/svmkit/course/svmkit/multiclass"
	"github.com/svmkit/course/svmkit/perceptron"
	"github.com/svmkit/course/svmkit/svm"
	"github.com/svmkit/course/svmkit/tune"
)

// asSums makes the test's own binary print the sums and end.
const asSums = "SVMKIT_PRINT_SUMS"

// bits is the sum of numbers, bit by bit.
func bits(lists ...[]float64) string {
	h := sha256.New()
	for _, list := range lists {
		for _, v := range list {
			var b [8]byte
			binary.LittleEndian.PutUint64(b[:], math.Float64bits(v))
			h.Write(b[:])
		}
		h.Write([]byte{0})
	}
	return hex.EncodeToString(h.Sum(nil)[:8])
}

// sums makes one of everything with seed 7 and returns a line each: a name and the sum of all its
// numbers. The sets are large enough for several goroutines to have a part.
func sums(t *testing.T) (lines []string) {
	add := func(name string, lists ...[]float64) { lines = append(lines, name+"\t"+bits(lists...)) }
	must := func(err error) {
		t.Helper()
		if err != nil {
			t.Fatal(err)
		}
	}
	dense, sparse, many := largeSet(20_000, 12, 12, 2), largeSet(9_000, 900, 20, 2), largeSet(900, 8, 8, 4)
	curved, blocks := largeSet(1200, 6, 6, 2), largeSet(5000, 6, 6, 2)
	for _, set := range []*svmkit.Dataset{dense, sparse, many, curved, blocks} {
		drawn := [][]float64{set.Y}
		for _, x := range set.X[:100] {
			drawn = append(drawn, x.Value)
		}
		add(fmt.Sprintf("drawn %d×%d", set.Len(), set.Dim), drawn...)
	}
	rbf, squared, logistic := kernel.RBF{Gamma: 0.5}, loss.SquaredHinge{}, loss.Logistic{}
	for _, c := range []struct {
		p svm.Problem
		s svm.Solver
	}{
		{svm.Problem{Data: dense}, nil},
		{svm.Problem{Data: dense}, svm.DualCoordinate{}},
		{svm.Problem{Data: dense, Loss: squared}, svm.ProximalNewton{}},
		{svm.Problem{Data: dense, Loss: logistic}, svm.Newton{}},
		{svm.Problem{Data: dense, Bias: svmkit.PenalizedBias}, svm.SDCA{}},
		{svm.Problem{Data: dense, Bias: svmkit.PenalizedBias}, svm.Pegasos{}},
		{svm.Problem{Data: sparse}, svm.DualCoordinate{}},
		{svm.Problem{Data: sparse, Loss: squared}, svm.Newton{}},
		{svm.Problem{Data: curved, Kernel: rbf}, svm.SMO{}},
		{svm.Problem{Data: curved, Kernel: rbf}, svm.Decomposition{WorkingSet: 128}},
		{svm.Problem{Data: blocks, Kernel: rbf}, svm.Decomposition{WorkingSet: 256}},
		{svm.Problem{Data: curved, Kernel: rbf, Loss: loss.EpsInsensitive{Epsilon: 0.1}}, svm.Decomposition{WorkingSet: 128}},
		{svm.Problem{Data: curved, Kernel: kernel.Polynomial{Degree: 2, Gamma: 1, Coef0: 1}}, svm.SMO{}},
	} {
		r, err := svm.Fit(t.Context(), &c.p, c.s, &svm.Settings{Seed: 7, Tol: 0.01, MaxIterations: 30})
		must(err)
		scores := r.ScoreAll(c.p.Data.X)
		platt, err := svm.FitPlatt(scores, c.p.Data.Y)
		must(err)
		add(fmt.Sprintf("%T %s %T %d×%d", c.s, r.Trace, c.p.Loss, c.p.Data.Len(), c.p.Data.Dim), r.Beta, r.Weights, scores,
			[]float64{r.Model.Bias, r.Primal, r.Dual, r.Gap, r.KKT, float64(r.Iterations), float64(r.Updates), platt.A, platt.B})
	}

	fit := func(ctx context.Context, set *svmkit.Dataset) (svmkit.Model, error) {
		return svm.Fit(ctx, &svm.Problem{Data: set, Kernel: rbf}, nil, &svm.Settings{Seed: 7})
	}
	predict := func(m svmkit.Predictor) (labels []float64) {
		for _, x := range many.X {
			labels = append(labels, m.Predict(x).Y)
		}
		return labels
	}
	pairs, err := multiclass.OneVsOne{Binary: fit}.Fit(t.Context(), many)
	must(err)
	add("OneVsOne", predict(pairs))
	rest, err := multiclass.OneVsRest{Binary: fit}.Fit(t.Context(), many)
	must(err)
	add("OneVsRest", predict(rest))
	crammer, err := multiclass.CrammerSinger{Data: many}.Fit(t.Context(), &multiclass.Settings{Seed: 7})
	must(err)
	add("CrammerSinger", append(crammer.Alpha, predict(crammer))...)
	folds, err := tune.Folds(curved, 3, 7)
	must(err)
	cv, err := tune.Validation{Folds: folds}.CrossValidate(t.Context(), curved, fit)
	must(err)
	add("CrossValidate", cv.Scores)
	var p perceptron.Perceptron
	_, err = p.Fit(t.Context(), dense, perceptron.Stop{Epochs: 3})
	must(err)
	add("perceptron", p.Plane().W, []float64{p.Plane().B})
	return lines
}

// The same seed gives the same bits: again in the same process, in new ones, and with one
// processor, two and three. (Assembly and plain Go are promised to agree within a bound, not in
// their bits: internal/simd states it. CI runs this test on both.)
func TestReliabilitySameBits(t *testing.T) {
	if os.Getenv(asSums) != "" {
		for _, line := range sums(t) {
			fmt.Println("sum", line)
		}
		return
	}
	if testing.Short() {
		t.Skip("starts processes")
	}
	want := sums(t)
	self, err := os.Executable()
	if err != nil {
		t.Fatal(err)
	}
	for _, processors := range []int{1, 2, 3} {
		cmd := exec.CommandContext(t.Context(), self, "-test.run=^"+t.Name()+"$")
		cmd.Env = append(os.Environ(), asSums+"=1", "GOMAXPROCS="+strconv.Itoa(processors))
		out, err := cmd.Output()
		if err != nil {
			t.Fatalf("%v\n%s", err, out)
		}
		var got []string
		for line := range strings.Lines(string(out)) {
			if line, is := strings.CutPrefix(line, "sum "); is {
				got = append(got, strings.TrimSuffix(line, "\n"))
			}
		}
		if len(got) != len(want) {
			t.Fatalf("%d processors: %d sums, want %d", processors, len(got), len(want))
		}
		for i := range want {
			if got[i] != want[i] {
				t.Errorf("%d processors: %s, want %s", processors, got[i], want[i])
			}
		}
	}
	if len(slices.Compact(slices.Sorted(slices.Values(want)))) != len(want) {
		t.Error("two lines are equal: does one stand for another?")
	}
	t.Attr("same-bits", fmt.Sprintf("%d results × 4 processes", len(want)))
}
