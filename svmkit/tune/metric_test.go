package tune_test

import (
	"errors"
	"math"
	"slices"
	"testing"

	"pgregory.net/rapid"

	"github.com/svmkit/course/svmkit"
	"github.com/svmkit/course/svmkit/tune"
)

func labelled(classes []string, y ...float64) *svmkit.Dataset {
	return &svmkit.Dataset{X: make([]svmkit.Row, len(y)), Y: y, Dim: 1, Classes: classes}
}

// filled is labelled with rows that have a column, for what validates its set.
func filled(y ...float64) *svmkit.Dataset {
	set := labelled(nil, y...)
	for i := range set.X {
		set.X[i] = svmkit.Dense(0)
	}
	return set
}

// of returns the values as what the metric measures: scores for the area under the curve, else labels.
func of(m tune.Metric, truth *svmkit.Dataset, values []float64) tune.Predictions {
	if m.Name == tune.AUC.Name || m.Name == tune.AveragePrecision.Name {
		return tune.Predictions{Score: values, Classes: truth.Classes}
	}
	return tune.Predictions{Label: values, Classes: truth.Classes}
}

func TestMetricsByHand(t *testing.T) {
	abc := []string{"a", "b", "c"}
	for _, c := range []struct {
		metric tune.Metric
		truth  *svmkit.Dataset
		values []float64
		want   float64
	}{
		{tune.Accuracy, labelled(nil, 1, 1, -1, -1), []float64{1, -1, -1, 0}, 0.5}, // 0 is a mistake
		{tune.Error, labelled(nil, 1, 1, -1, -1), []float64{1, -1, -1, 0}, 0.5},
		{tune.Error, labelled([]string{"no", "yes"}, 1, 1, 1, -1), []float64{1, 1, 1, 1}, 0.25},
		{tune.BalancedAccuracy, labelled(nil, 1, 1, 1, -1), []float64{1, 1, 1, 1}, 0.5},
		{tune.BalancedAccuracy, labelled(nil, 1, 1), []float64{1, -1}, 0.5}, // one class only
		{tune.Accuracy, labelled(abc, 0, 1, 2, 2, 1), []float64{0, 1, 1, 2, 2}, 0.6},
		{tune.BalancedAccuracy, labelled(abc, 0, 1, 2, 2, 1), []float64{0, 1, 1, 2, 2}, (1 + 0.5 + 0.5) / 3},
		{tune.Accuracy, labelled(abc, 1, 1), []float64{2, 1}, 0.5},                    // a fold with one class of three: 2 is wrong though positive
		{tune.F1, labelled(nil, 1, 1, 1, -1, -1), []float64{1, 1, 0, 1, -1}, 2.0 / 3}, // recall 2/3, precision 2/3
		{tune.F1, labelled([]string{"ham", "spam"}, -1, -1, -1, 1), []float64{1, -1, -1, 1}, 2 * 0.5 / 1.5},
		{tune.F1, labelled(nil, -1, -1), []float64{1, -1}, 0}, // a false alarm
		{tune.F1, labelled(abc, 0, 1, 2, 2, 1), []float64{0, 1, 1, 2, 2}, (1 + 0.5 + 0.5) / 3},
		{tune.F1, labelled(abc, 0, 0), []float64{0, 1}, (2.0/3 + 0) / 2}, // c has neither rows nor predictions
		{tune.MSE, labelled(nil, 1, 2, 3), []float64{1, 4, 2}, 5.0 / 3},
		{tune.MAE, labelled(nil, 1, 2, 3), []float64{1, 4, 2}, 1},
		{tune.R2, labelled(nil, 1, 2, 3), []float64{1, 4, 2}, 1 - 5.0/2},
		{tune.R2, labelled(nil, 1, 2, 3), []float64{2, 2, 2}, 0},
		{tune.R2, labelled(nil, 1, 2, 3), []float64{1, 2, 3}, 1},
		{tune.AUC, filled(-1, -1, 1, 1), []float64{1, 2, 3, 4}, 1},
		{tune.AUC, filled(-1, -1, 1, 1), []float64{4, 3, 2, 1}, 0},
		{tune.AUC, filled(-1, 1, 1, -1), []float64{0, 0, 0, 0}, 0.5},
		{tune.AUC, filled(-1, 1, -1, 1), []float64{1, 2, 3, 4}, 0.75}, // 3 of 4 pairs in order
		{tune.AveragePrecision, filled(-1, -1, 1, 1), []float64{1, 2, 3, 4}, 1},
		{tune.AveragePrecision, filled(-1, -1, 1, 1), []float64{4, 3, 2, 1}, (1.0/3 + 2.0/4) / 2},
		{tune.AveragePrecision, filled(-1, 1, -1, -1), []float64{0, 0, 0, 0}, 0.25}, // one step: the part that is positive
	} {
		got, err := c.metric.Measure(c.truth, of(c.metric, c.truth, c.values))
		if err != nil || !(math.Abs(got-c.want) <= 1e-15) {
			t.Errorf("%s of %v for %v: %g, %v, want %g", c.metric.Name, c.values, c.truth.Y, got, err, c.want)
		}
	}
}

// Whether larger is better must fit the value: a perfect prediction beats a bad one.
func TestPerfectPredictionIsBetter(t *testing.T) {
	truth := filled(-1, 1, 1, -1, 1)
	bad := []float64{1, 1, -1, 1, -1}
	for _, m := range []tune.Metric{tune.Accuracy, tune.Error, tune.BalancedAccuracy, tune.F1, tune.MSE, tune.MAE, tune.R2, tune.AUC, tune.AveragePrecision} {
		good, err1 := m.Measure(truth, of(m, truth, truth.Y))
		worse, err2 := m.Measure(truth, of(m, truth, bad))
		if err := errors.Join(err1, err2); err != nil || good == worse || (good > worse) != m.Higher {
			t.Errorf("%s: perfect %g, bad %g, higher is better: %t (%v)", m.Name, good, worse, m.Higher, err)
		}
	}
}

func TestMetricsRefuse(t *testing.T) {
	abc := []string{"a", "b", "c"}
	for _, c := range []struct {
		metric tune.Metric
		truth  *svmkit.Dataset
		values []float64
		want   error
	}{
		{tune.Accuracy, labelled(nil, 1, -1), []float64{1}, svmkit.ErrMismatch},
		{tune.Accuracy, labelled(nil), nil, svmkit.ErrEmpty},
		{tune.Error, labelled(nil, 1, -1), []float64{1, math.NaN()}, tune.ErrScore},
		{tune.Accuracy, labelled(nil, 1, 2), []float64{1, 1}, svmkit.ErrLabel},
		{tune.Accuracy, labelled(abc, 1, 3), []float64{1, 1}, svmkit.ErrNoClass},
		{tune.Accuracy, labelled(abc, 1, 2), []float64{1, 0.5}, tune.ErrScore},
		{tune.Accuracy, labelled(abc, 1, 2), []float64{1, 3}, tune.ErrScore},
		{tune.BalancedAccuracy, labelled(abc, 1, 2), []float64{1, -1}, tune.ErrScore},
		{tune.Accuracy, labelled(nil, 1, -1), []float64{1, -2.5}, tune.ErrScore}, // a score is no label
		{tune.Accuracy, labelled(nil, 1, -1), []float64{2, -1}, tune.ErrScore},   // nor is a class number
		{tune.F1, labelled(nil, -1, -1), []float64{-1, -1}, tune.ErrNoF1},
		{tune.F1, labelled(nil, 1, -1), []float64{1, math.NaN()}, tune.ErrScore},
		{tune.MSE, labelled(nil, 1), []float64{math.NaN()}, tune.ErrScore},
		{tune.R2, labelled(nil, 2, 2), []float64{1, 3}, tune.ErrNoVariance},
		{tune.AUC, filled(1, 1), []float64{1, 3}, svmkit.ErrOneClass},
		{tune.AUC, filled(1, -1), []float64{1, math.Inf(1)}, svmkit.ErrNotFinite},
		{tune.AveragePrecision, filled(-1, -1), []float64{1, 3}, svmkit.ErrOneClass},
		{tune.AveragePrecision, filled(1, -1), []float64{1, math.NaN()}, tune.ErrScore},
		{tune.AveragePrecision, filled(1, -1), []float64{1}, svmkit.ErrMismatch},
	} {
		if _, err := c.metric.Measure(c.truth, of(c.metric, c.truth, c.values)); !errors.Is(err, c.want) {
			t.Errorf("%s of %v for %v: %v, want %v", c.metric.Name, c.values, c.truth.Y, err, c.want)
		}
	}
}

// The probabilities of the true classes are ½, ¼ and 1: the mean of their −log is (log 2 + log 4)/3.
func TestLogLossByHand(t *testing.T) {
	const rounding = 1e-15
	abc, cab := []string{"a", "b", "c"}, []string{"c", "a", "b"}
	two := tune.Predictions{Probability: [][]float64{{0.5, 0.5}, {0.75, 0.25}, {1, 0}}}
	for _, c := range []struct {
		truth *svmkit.Dataset
		p     tune.Predictions
		want  float64
	}{
		{labelled(nil, 1, 1, -1), two, math.Log(8) / 3},
		{labelled(abc, 0, 2, 1), tune.Predictions{Classes: cab, // as a model that has met c first
			Probability: [][]float64{{0.2, 0.5, 0.3}, {0.25, 0.5, 0.25}, {0, 0, 1}}}, math.Log(8) / 3},
		{labelled(nil, 1, 1, 1), two, math.Inf(1)},
	} {
		got, err := tune.LogLoss.Measure(c.truth, c.p)
		if err != nil || got != c.want && !(math.Abs(got-c.want) <= rounding) {
			t.Errorf("%v: %g, %v, want %g", c.p, got, err, c.want)
		}
	}
}

func TestLogLossRefuses(t *testing.T) {
	truth := labelled(nil, 1, -1)
	var param *svmkit.ParamError
	for name, p := range map[string]tune.Predictions{
		"none":        {Label: truth.Y},
		"one row":     {Probability: [][]float64{{0, 1}}},
		"one class":   {Probability: [][]float64{{0, 1}, {1}}},
		"NaN":         {Probability: [][]float64{{0, 1}, {math.NaN(), 1}}},
		"negative":    {Probability: [][]float64{{0, 1}, {-0.5, 1.5}}},
		"sum":         {Probability: [][]float64{{0, 1}, {0.5, 0.4}}},
		"other class": {Probability: [][]float64{{0, 1}, {0.5, 0.5}}, Classes: []string{"a", "b"}},
	} {
		got, err := tune.LogLoss.Measure(truth, p)
		if !errors.As(err, &param) && !errors.Is(err, tune.ErrProbability) && !errors.Is(err, svmkit.ErrMismatch) {
			t.Errorf("%s: %g, %v", name, got, err)
		}
	}
	named := labelled([]string{"a", "b"}, 1, -1)
	if _, err := tune.LogLoss.Measure(named, tune.Predictions{Probability: [][]float64{{0, 1}, {1, 0}}, Classes: []string{"a", "z"}}); !errors.As(err, &param) {
		t.Errorf("a class that the model does not have: %v", err)
	}
}

func TestConfusionByHand(t *testing.T) {
	c, err := tune.Confuse(labelled([]string{"ham", "spam"}, -1, -1, -1, 1, 1, 1, 1),
		tune.Predictions{Label: []float64{-1, 1, 0, 1, 1, -1, 0}, Classes: []string{"ham", "spam"}})
	if err != nil {
		t.Fatal(err)
	}
	// ham: 1 right, 1 called spam, 1 without a prediction. spam: 2 right, 1 called ham, 1 none.
	if !slices.Equal(c.Count[0], []int{1, 1}) || !slices.Equal(c.Count[1], []int{1, 2}) || !slices.Equal(c.None, []int{1, 1}) {
		t.Errorf("%+v", c)
	}
	if c.Total() != 7 || c.Accuracy() != 3.0/7 || c.Recall(1) != 0.5 || c.Precision(1) != 2.0/3 || c.Recall(0) != 1.0/3 || c.Precision(0) != 0.5 {
		t.Errorf("total %d, accuracy %g, recall %g, precision %g", c.Total(), c.Accuracy(), c.Recall(1), c.Precision(1))
	}
}

// Scores 5 4 3 3 1 with the truths + − + − −: by hand the curve goes up, right, diagonally, right.
func TestROCByHand(t *testing.T) {
	points, err := tune.ROC(filled(-1, 1, -1, 1, -1), []float64{1, 3, 4, 5, 3})
	if err != nil {
		t.Fatal(err)
	}
	want := []tune.ROCPoint{{math.Inf(1), 0, 0}, {5, 0, 0.5}, {4, 1.0 / 3, 0.5}, {3, 2.0 / 3, 1}, {1, 1, 1}}
	same := func(a, b tune.ROCPoint) bool { // rates are computed as 1 − a quotient: one rounding
		return a.Threshold == b.Threshold && math.Abs(a.FalsePositiveRate-b.FalsePositiveRate) < 1e-15 && math.Abs(a.TruePositiveRate-b.TruePositiveRate) < 1e-15
	}
	if !slices.EqualFunc(points, want, same) {
		t.Errorf("%v, want %v", points, want)
	}
}

// The same scores: 5 is right, 4 is wrong, the two of 3 come in one point, 1 is wrong.
func TestPrecisionRecallByHand(t *testing.T) {
	points, err := tune.PrecisionRecall(filled(-1, 1, -1, 1, -1), []float64{1, 3, 4, 5, 3})
	if err != nil {
		t.Fatal(err)
	}
	want := []tune.PrecisionRecallPoint{{math.Inf(1), 0, 1}, {5, 0.5, 1}, {4, 0.5, 0.5}, {3, 1, 0.5}, {1, 1, 0.4}}
	if !slices.Equal(points, want) {
		t.Errorf("%v, want %v", points, want)
	}
}

// scored draws 2 to 20 scores, many of them equal, and labels of both classes.
func scored(t *rapid.T) ([]float64, []float64) {
	scores := rapid.SliceOfN(rapid.Map(rapid.IntRange(-3, 3), func(v int) float64 { return float64(v) }), 2, 20).Draw(t, "scores")
	y := make([]float64, len(scores))
	for i := range y {
		y[i] = rapid.SampledFrom([]float64{-1, 1}).Draw(t, "y")
	}
	y[0], y[1] = -1, 1
	return scores, y
}

// Average precision is the mean, over the positive rows, of the precision among the rows that
// score at least as high: counted row by row, without a curve. The rows' order has no part in it.
func TestAveragePrecisionCountsRows(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		scores, y := scored(t)
		sum, rows := 0.0, 0.0
		for i := range y {
			if y[i] != 1 {
				continue
			}
			rows++
			found, called := 0.0, 0.0
			for k := range y {
				if scores[k] >= scores[i] {
					called++
					found += (y[k] + 1) / 2
				}
			}
			sum += found / called
		}
		if got, err := tune.AveragePrecision.Measure(filled(y...), tune.Predictions{Score: scores}); err != nil || !(math.Abs(got-sum/rows) <= 1e-14) {
			t.Fatalf("average precision %g, %v, rows say %g", got, err, sum/rows)
		}
	})
}

// The area is the part of the (positive, negative) pairs in the right order, ties counted half.
func TestAUCCountsPairs(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		scores, y := scored(t)
		sum, pairs := 0.0, 0.0
		for i := range y {
			for k := range y {
				if y[i] != 1 || y[k] != -1 {
					continue
				}
				pairs++
				switch {
				case scores[i] > scores[k]:
					sum++
				case scores[i] == scores[k]:
					sum += 0.5
				}
			}
		}
		if got, err := tune.AUC.Measure(filled(y...), tune.Predictions{Score: scores}); err != nil || math.Abs(got-sum/pairs) > 1e-14 {
			t.Fatalf("area %g, %v, pairs say %g", got, err, sum/pairs)
		}
	})
}

func TestLogSpace(t *testing.T) {
	values, err := tune.LogSpace(0.01, 1000, 6)
	if err != nil || values[0] != 0.01 || values[5] != 1000 {
		t.Fatal(values, err)
	}
	if !slices.Equal(values, []float64{0.01, 0.1, 1, 10, 100, 1000}) {
		t.Errorf("not the numbers that one would type: %v", values)
	}
	if values, err = tune.LogSpace(1.0/3, 7, 6); err != nil || values[0] != 1.0/3 || values[5] != 7 {
		t.Fatal(values, err)
	}
	for k := 1; k < 6; k++ {
		want := math.Pow(21, 0.2)
		if ratio := values[k] / values[k-1]; math.Abs(ratio-want) > 1e-13*want {
			t.Errorf("value %d is %g times the one before", k, ratio)
		}
	}
	var param *svmkit.ParamError
	for _, c := range []struct {
		lo, hi float64
		n      int
	}{{1, 2, 1}, {0, 2, 3}, {2, 2, 3}, {1, math.Inf(1), 3}, {math.NaN(), 2, 3}, {-1, 1, 3}} {
		if _, err := tune.LogSpace(c.lo, c.hi, c.n); !errors.As(err, &param) {
			t.Errorf("%+v: %v", c, err)
		}
	}
}
