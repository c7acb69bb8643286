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
		rest, err := multiclass.OneVsRest{Fitter: fit}.Fit(t.Context(), set)
		if err != nil {
			t.Fatal(err)
		}
		pairs, err := multiclass.OneVsOne{Fitter: fit}.Fit(t.Context(), set)
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
		for _, c := range []interface {
			multiclass.Classifier
			ClassAll([]svmkit.Row) ([]int, [][]float64)
			PredictAll([]svmkit.Row) ([]float64, []float64)
		}{rest, pairs, cs} {
			numbers, scores := c.ClassAll(rows)
			labels, none := svmkit.PredictAll(c, rows)
			if none != nil {
				t.Errorf("%T: scores %v: a class number is no score", c, none)
			}
			for i, x := range rows {
				number, _ := c.Class(x)
				near := false // two classes closer than rounding
				for k, want := range c.Scores(x) {
					if got := scores[i][k]; got != want && !(math.Abs(got-want) <= rounding) && !(math.IsNaN(got) && math.IsNaN(want)) {
						t.Errorf("%T: row %d has score %g for class %d, want %g", c, i, got, k, want)
					}
					near = near || k != number && number >= 0 && math.Abs(want-c.Scores(x)[number]) <= rounding || math.Abs(want) <= rounding
				}
				if near {
					continue
				}
				if label := c.Predict(x); numbers[i] != number || labels[i] != label && !(math.IsNaN(labels[i]) && math.IsNaN(label)) {
					t.Errorf("%T: row %d is of class %d, label %g; want %d, %g", c, i, numbers[i], labels[i], number, label)
				}
			}
		}
		if calls != 2*models {
			t.Errorf("%d calls of ScoreAll for two predictions by %d models", calls, models)
		}
	})
}
