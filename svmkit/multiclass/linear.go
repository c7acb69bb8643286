package multiclass

import "github.com/svmkit/course/svmkit"

// Linear is a model with one hyperplane a class: fₖ(x) = ⟨W[k],x⟩ + B[k].
type Linear struct {
	Classes
	W [][]float64 // K normals, each of length d
	B []float64   // K biases

	Trained svmkit.Columns // the names of the columns; their number is that of W
}

// Columns says which columns the model was trained on; [svmkit.Columns.Align] brings rows into their order.
func (l *Linear) Columns() svmkit.Columns {
	c := l.Trained
	if len(l.W) > 0 {
		c.Dim = len(l.W[0])
	}
	return c
}

// ClassScores returns fₖ(x) for each class. Only their differences matter.
func (l *Linear) ClassScores(x svmkit.Row) []float64 {
	scores := make([]float64, l.Count)
	for k, w := range l.W {
		scores[k] = svmkit.Hyperplane{W: w, B: l.B[k]}.Score(x)
	}
	return scores
}

// ClassScoresAll returns [Linear.ClassScores] of each row.
func (l *Linear) ClassScoresAll(rows []svmkit.Row) [][]float64 {
	scores := make([][]float64, len(rows))
	for i, x := range rows {
		scores[i] = l.ClassScores(x)
	}
	return scores
}

// Predict returns the class with the largest score; of equal ones, the first in Order.
func (l *Linear) Predict(x svmkit.Row) svmkit.Prediction {
	return l.prediction(l.largest(l.ClassScores(x)))
}

// PredictAll returns [Linear.Predict] of each row.
func (l *Linear) PredictAll(rows []svmkit.Row) []svmkit.Prediction {
	all := make([]svmkit.Prediction, len(rows))
	for i, x := range rows {
		all[i] = l.Predict(x)
	}
	return all
}

// ProbabilitiesAll returns nil: a Linear has no probabilities.
func (l *Linear) ProbabilitiesAll([]svmkit.Row) [][]float64 { return nil }

// FitStatus returns Unfinished, because a Linear does not know how its fit ended.
// [Solution.FitStatus] does.
func (l *Linear) FitStatus() svmkit.Status { return svmkit.Unfinished }
