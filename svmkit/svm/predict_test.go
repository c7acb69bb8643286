package svm_test

import (
	"math"
	"math/rand/v2"
	"testing"

	"github.com/svmkit/course/svmkit"
	"github.com/svmkit/course/svmkit/kernel"
	"github.com/svmkit/course/svmkit/svm"
)

// More rows than one block of the sums, dense and sparse: ScoreAll is Score.
func TestScoreAllIsScore(t *testing.T) {
	const rounding = 1e-12 // sums of some hundred terms of size one
	rng := rand.New(rand.NewPCG(1, 0))
	data := smoData(rng, 120, 4, false)
	rows := smoData(rng, 600, 4, false).X
	for i := range rows {
		if i%3 == 0 {
			rows[i] = svmkit.Row{Index: []int32{1, 3}, Value: rows[i].Value[:2]}
		}
	}
	for _, k := range smoKernels {
		r, err := svm.Fit(t.Context(), &svm.Problem{Data: data, Kernel: k}, svm.SMO{}, nil)
		if err != nil {
			t.Fatal(err)
		}
		for i, got := range r.ScoreAll(rows) {
			if want := r.Score(rows[i]); math.Abs(got-want) > rounding*max(1, math.Abs(want)) {
				t.Fatalf("%T: row %d: %g, Score gives %g", k, i, got, want)
			}
		}
		if got := r.ScoreAll(nil); len(got) != 0 {
			t.Errorf("%T: %d scores of no rows", k, len(got))
		}
	}
}

// A column that the model has never seen counts in the distance from its support vectors.
func TestScoreAllOfAWiderRow(t *testing.T) {
	m := &svm.Model{Dim: 4, SV: []svmkit.Row{{Index: []int32{1}, Value: []float64{1}}}, Coef: []float64{1}, Kernel: kernel.RBF{Gamma: 1}}
	wide := svmkit.Row{Index: []int32{1, 50}, Value: []float64{1, 2}}
	if got := m.ScoreAll([]svmkit.Row{wide}); got[0] != math.Exp(-4) {
		t.Errorf("score %g, want e⁻⁴ (distance 2)", got[0])
	}
	m.SV[0] = svmkit.Dense(0, 1, 0, 0)
	defer func() {
		if recover() == nil {
			t.Error("a dense support vector of four columns meets column 50 without a panic in this goroutine")
		}
	}()
	m.ScoreAll([]svmkit.Row{wide})
}

// Where a user's kernel has no value, ScoreAll does what Score does: NaN, or its panic.
func TestScoreAllWithABrokenKernel(t *testing.T) {
	m := &svm.Model{Dim: 1, SV: []svmkit.Row{svmkit.Dense(1)}, Coef: []float64{2}, Bias: 1,
		Kernel: kernel.Func(func(x, z svmkit.Row) float64 { return math.Log(z.Value[0]) })}
	rows := []svmkit.Row{svmkit.Dense(1), svmkit.Dense(-1)}
	if got := m.ScoreAll(rows); got[0] != 1 || !math.IsNaN(got[1]) {
		t.Errorf("scores %v, want 1 and NaN", got)
	}
	m.Kernel = kernel.Func(func(x, z svmkit.Row) float64 { panic("mine") })
	defer func() {
		if recover() != "mine" {
			t.Error("the kernel's panic did not reach the caller")
		}
	}()
	m.ScoreAll(rows)
}

// A kernel's model without support vectors, f = b, has no score for a NaN, nor for a dense row of another width.
func TestScoresWithoutSupportVectors(t *testing.T) {
	m := &svm.Model{Dim: 2, Bias: 1.5, Kernel: kernel.RBF{Gamma: 1}}
	p := m.Prepare().(*svm.Prepared)
	full := *m
	full.SV, full.Coef = []svmkit.Row{svmkit.Dense(0, 0)}, []float64{1}
	both := svm.PrepareModels([]*svm.Model{&full, m})
	beside := func(x svmkit.Row) float64 {
		to := make([]float64, 2)
		both.Scores(to, make([]float64, len(to)), x)
		return to[1]
	}
	for _, x := range []svmkit.Row{svmkit.Dense(1, 2), {Index: []int32{1}, Value: []float64{3}}, svmkit.Dense(1, math.NaN()), {Index: []int32{0}, Value: []float64{math.NaN()}}} {
		want := 1.5
		if math.IsNaN(x.Dot([]float64{1, 1})) {
			want = math.NaN()
		}
		for name, got := range map[string]float64{"Score": m.Score(x), "ScoreAll": m.ScoreAll([]svmkit.Row{x})[0], "Prepared": p.Score(x), "PrepareModels": beside(x)} {
			if got != want && !(math.IsNaN(got) && math.IsNaN(want)) {
				t.Errorf("%s of %v is %g, want %g", name, x, got, want)
			}
		}
	}
	short := svmkit.Dense(1)
	for name, f := range map[string]func(){"Score": func() { m.Score(short) }, "ScoreAll": func() { m.ScoreAll([]svmkit.Row{short}) }, "Prepared": func() { p.Score(short) }} {
		if !panics(f) {
			t.Errorf("%s of a row of one column, where the model has two, does not panic", name)
		}
	}
}
