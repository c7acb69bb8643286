package multiclass_test

import (
	"math"
	"testing"

	"github.com/svmkit/course/svmkit"
	"github.com/svmkit/course/svmkit/kernel"
	"github.com/svmkit/course/svmkit/multiclass"
	"github.com/svmkit/course/svmkit/svm"
	"pgregory.net/rapid"
)

// together counts the calls of ScoreAll.
type together struct {
	svmkit.Scorer
	calls *int
}

func (s together) ScoreAll(rows []svmkit.Row) []float64 {
	*s.calls++
	return svmkit.ScoreAll(s.Scorer, rows)
}

// Many rows at once get the classes and the scores that they get one by one: with an absent class, a row with a NaN, two
// classes, models of the user's own and of package svm.
func TestManyRowsAtOnce(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		classes := rapid.IntRange(2, 4).Draw(t, "classes")
		var absent []int
		if classes > 2 && rapid.Bool().Draw(t, "one is absent") {
			absent = append(absent, rapid.IntRange(0, classes-1).Draw(t, "absent"))
		}
		set := drawSet(t, classes, absent...)
		fit := svmkit.Fitter(nearestMean)
		if rapid.Bool().Draw(t, "svm") {
			fit = svm.Fitter(svm.Problem{Kernel: kernel.RBF{Gamma: 0.1}}, nil, nil)
		}
		rows := append([]svmkit.Row{svmkit.Dense(make([]float64, set.Dim)...)}, set.X...)
		rows[0].Value[0] = math.NaN()
		rest, err := multiclass.OneVsRest{Binary: fit}.Fit(t.Context(), set)
		if err != nil {
			t.Fatal(err)
		}
		pairs, err := multiclass.OneVsOne{Binary: fit}.Fit(t.Context(), set)
		if err != nil {
			t.Fatal(err)
		}
		cs, err := multiclass.CrammerSinger{Data: set, C: 1}.Fit(t.Context(), nil)
		if err != nil {
			t.Fatal(err)
		}
		calls, models := 0, 0
		for k, m := range rest.Models {
			if m != nil {
				rest.Models[k] = together{m, &calls}
				models++
			}
		}
		for i, m := range pairs.Models {
			pairs.Models[i].Scorer = together{m.Scorer, &calls}
			models++
		}
		for _, c := range []multiclass.Classifier{rest, pairs, cs} {
			scores, all := c.ClassScoresAll(rows), c.PredictAll(rows)
			for i, x := range rows {
				want := c.Predict(x)
				number := want.Class
				if !math.IsNaN(all[i].Score) {
					t.Errorf("%T: score %v: a class number is no score", c, all[i].Score)
				}
				near := false // two classes closer than rounding
				for k, want := range c.ClassScores(x) {
					if got := scores[i][k]; got != want && !(math.Abs(got-want) <= rounding) && !(math.IsNaN(got) && math.IsNaN(want)) {
						t.Errorf("%T: row %d has score %g for class %d, want %g", c, i, got, k, want)
					}
					near = near || k != number && number >= 0 && math.Abs(want-c.ClassScores(x)[number]) <= rounding || math.Abs(want) <= rounding
				}
				if near {
					continue
				}
				if got := all[i]; got.OK != want.OK || got.Class != number || got.Name != want.Name || got.Y != want.Y && !(math.IsNaN(got.Y) && math.IsNaN(want.Y)) {
					t.Errorf("%T: row %d: %+v, want %+v", c, i, got, want)
				}
			}
		}
		if calls != 2*models {
			t.Errorf("%d calls of ScoreAll for two predictions by %d models", calls, models)
		}
	})
}
