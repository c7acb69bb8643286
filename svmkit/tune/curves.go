package tune

import (
	"fmt"
	"math"
	"slices"

	"gonum.org/v1/gonum/integrate"
	"gonum.org/v1/gonum/stat"

	"github.com/svmkit/course/svmkit"
)

// ROCPoint holds the two rates that result from calling rows with score ≥ Threshold positive.
type ROCPoint struct {
	Threshold         float64
	FalsePositiveRate float64 // share of the negative rows that are called positive
	TruePositiveRate  float64 // share of the positive rows that are called positive
}

// ROC returns the points of the receiver operating characteristic, from (0, 0) to (1, 1).
//
// The thresholds are the scores that occur, from the highest, which is +Inf, to the lowest. Labels
// are ±1 and both must occur; scores must be finite. Every row counts once, whatever its weight.
func ROC(truth *svmkit.Dataset, scores []float64) ([]ROCPoint, error) {
	sorted, positive, err := sortedScores(truth, scores)
	if err != nil {
		return nil, err
	}
	tpr, fpr, thresholds := stat.ROC(nil, sorted, positive, nil)
	points := make([]ROCPoint, len(tpr))
	for k := range points {
		points[k] = ROCPoint{Threshold: thresholds[k], FalsePositiveRate: fpr[k], TruePositiveRate: tpr[k]}
	}
	return points, nil
}

// sortedScores returns the scores in ascending order, and for each whether its row is positive.
func sortedScores(truth *svmkit.Dataset, scores []float64) (sorted []float64, positive []bool, err error) {
	if err := truth.Validate(); err != nil {
		return nil, nil, err
	}
	once := *truth
	once.Weight = nil
	if err := once.ValidateBinary(); err != nil {
		return nil, nil, err
	}
	if err := check(truth, scores); err != nil {
		return nil, nil, err
	}
	sorted, positive = make([]float64, len(scores)), make([]bool, len(scores))
	for i, s := range scores {
		if math.IsInf(s, 0) {
			return nil, nil, atRow(i, s, svmkit.ErrNotFinite)
		}
		sorted[i], positive[i] = s, truth.Y[i] > 0
	}
	stat.SortWeightedLabeled(sorted, positive, nil)
	return sorted, positive, nil
}

// scoresFor returns the scores with the sign that means the positive class of truth.
func (p Predictions) scoresFor(truth *svmkit.Dataset) ([]float64, error) {
	if err := check(truth, p.Score); err != nil {
		return nil, err
	}
	own, predicted, err := p.classes(truth)
	if err != nil || slices.Equal(own, predicted) {
		return p.Score, err
	}
	if len(own) != 2 || !slices.Equal(predicted, []string{own[1], own[0]}) {
		return nil, wrong("Predictions.Classes", p.Classes, fmt.Sprintf("must be those of the truth, %q", truth.Classes))
	}
	turned := make([]float64, len(p.Score))
	for i, s := range p.Score {
		turned[i] = -s
	}
	return turned, nil
}

// AUC is the area under the ROC curve: the chance that a random positive row outscores a random
// negative one.
//
// Equal scores count half, and guessing gives ½. AUC judges the order of the scores and ignores the
// threshold at zero, so it refuses a model that is not a [svmkit.Scorer]. Its other errors are the
// errors of [ROC].
var AUC = ofScores("area under the ROC curve", func(truth *svmkit.Dataset, scores []float64) (float64, error) {
	points, err := ROC(truth, scores)
	if err != nil {
		return math.NaN(), err
	}
	x, y := make([]float64, len(points)), make([]float64, len(points))
	for k, p := range points {
		x[k], y[k] = p.FalsePositiveRate, p.TruePositiveRate
	}
	return integrate.Trapezoidal(x, y), nil
})

// ofScores returns a metric of the order of the scores of two classes, of which larger values are
// better.
func ofScores(name string, value func(truth *svmkit.Dataset, scores []float64) (float64, error)) Metric {
	return Metric{Name: name, Higher: true, Measure: func(truth *svmkit.Dataset, p Predictions) (float64, error) {
		if p.Score == nil {
			return math.NaN(), wrong("Predictions.Score", nil, "must not be nil: the order of the scores is measured, and the model is no Scorer")
		}
		scores, err := p.scoresFor(truth)
		if err != nil {
			return math.NaN(), err
		}
		return value(truth, scores)
	}}
}

// PrecisionRecallPoint holds the recall and precision that result from calling rows with score ≥
// Threshold positive.
type PrecisionRecallPoint struct {
	Threshold float64
	Recall    float64 // share of the positive rows that are called positive
	// Precision is the share of the rows called positive that are positive; 1 if no row is.
	Precision float64
}

// PrecisionRecall returns precision and recall for every threshold among the scores, from the
// highest, +Inf, to the lowest.
//
// At +Inf no row is called positive: recall is 0, and precision, which is 0/0 there, is set to 1.
// Labels are ±1 and both must occur; scores must be finite. Every row counts once, whatever its
// weight. Unlike the points of a [ROC] curve, these points must not be joined by straight lines,
// because precision between two of them is below the line (J. Davis, M. Goadrich, The relationship
// between precision–recall and ROC curves, 2006); see [AveragePrecision].
func PrecisionRecall(truth *svmkit.Dataset, scores []float64) ([]PrecisionRecallPoint, error) {
	sorted, positive, err := sortedScores(truth, scores)
	if err != nil {
		return nil, err
	}
	all := 0.0 // number of positive rows
	for _, y := range positive {
		if y {
			all++
		}
	}
	points := []PrecisionRecallPoint{{Threshold: math.Inf(1), Precision: 1}}
	found, called := 0.0, 0.0
	for i := len(sorted) - 1; i >= 0; i-- {
		called++
		if positive[i] {
			found++
		}
		if i == 0 || sorted[i-1] != sorted[i] {
			points = append(points, PrecisionRecallPoint{Threshold: sorted[i], Recall: found / all, Precision: found / called})
		}
	}
	return points, nil
}

// AveragePrecision is Σₖ (Rₖ − Rₖ₋₁)·Pₖ over the points of [PrecisionRecall], with recall R and
// precision P.
//
// This is the area under the curve as steps (C. D. Manning, P. Raghavan, H. Schütze, Introduction
// to Information Retrieval, 2008, section 8.4). Scores without information give about the share of
// positive rows. Like [AUC] it judges the order of the scores and refuses a model that is not a
// [svmkit.Scorer]. Its other errors are the errors of [PrecisionRecall].
var AveragePrecision = ofScores("average precision", func(truth *svmkit.Dataset, scores []float64) (float64, error) {
	points, err := PrecisionRecall(truth, scores)
	if err != nil {
		return math.NaN(), err
	}
	sum := 0.0
	for k, p := range points[1:] {
		sum += (p.Recall - points[k].Recall) * p.Precision
	}
	return sum, nil
})
