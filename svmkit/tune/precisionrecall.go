package tune

import (
	"math"

	"github.com/svmkit/course/svmkit"
)

// PrecisionRecallPoint is what happens when every row with a score of at least Threshold is called
// positive.
type PrecisionRecallPoint struct {
	Threshold float64
	Recall    float64 // part of the positive rows that is called positive
	Precision float64 // part of the rows called positive that is positive; 1 where none is called so
}

// PrecisionRecall returns precision and recall for every score that occurs as the threshold, from
// the highest, +Inf, to the lowest. Rows of equal scores are called positive together, in one
// point. At +Inf no row is called positive: recall is 0, and precision, which is 0/0 there, is
// set to 1. At the lowest score all rows are: recall is 1, and precision the part of the rows that is
// positive, as for rows called positive at random.
//
// Labels are ±1 and both must occur; scores must be finite. Every row counts once, whatever its
// weight. Unlike a [ROC] curve the points must not be joined by straight lines: precision between
// two of them is below the line (J. Davis, M. Goadrich, The relationship between precision–recall
// and ROC curves, 2006); see [AveragePrecision].
func PrecisionRecall(truth *svmkit.Dataset, scores []float64) ([]PrecisionRecallPoint, error) {
	sorted, positive, err := sortedScores(truth, scores)
	if err != nil {
		return nil, err
	}
	all := 0.0 // positive rows
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

// AveragePrecision is Σₖ (Rₖ − Rₖ₋₁)·Pₖ over the points of [PrecisionRecall] with recall R and
// precision P: the mean, over the positive rows, of the precision at the score of that row
// (C. D. Manning, P. Raghavan, H. Schütze, Introduction to Information Retrieval, 2008, section 8.4).
// It is the area under the curve as steps, without interpolation. Scores without information give
// about the part of the rows that is positive. Like [AUC] it judges the order of the scores and
// refuses a model that is no [svmkit.Scorer]; its other errors are those of [PrecisionRecall].
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
