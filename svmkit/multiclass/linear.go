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

// Scores returns fₖ(x) for every class. Only their differences matter.
func (l *Linear) Scores(x svmkit.Row) []float64 {
	scores := make([]float64, l.Count)
	for k, w := range l.W {
		scores[k] = svmkit.Hyperplane{W: w, B: l.B[k]}.Score(x)
	}
	return scores
}

// Class returns the class with the largest score; of equal ones, that with the lower number.
func (l *Linear) Class(x svmkit.Row) (number int, name string) {
	number = largest(l.Scores(x))
	return number, l.Name(number)
}

// Predict returns the label of [Linear.Class].
func (l *Linear) Predict(x svmkit.Row) float64 { return l.Label(largest(l.Scores(x))) }

// ClassAll returns [Linear.Class] and [Linear.Scores] of every row.
func (l *Linear) ClassAll(rows []svmkit.Row) (numbers []int, scores [][]float64) {
	numbers, scores = make([]int, len(rows)), make([][]float64, len(rows))
	for i, x := range rows {
		scores[i] = l.Scores(x)
		numbers[i] = largest(scores[i])
	}
	return numbers, scores
}

// PredictAll returns [Linear.Predict] of every row, and no scores.
func (l *Linear) PredictAll(rows []svmkit.Row) (labels, scores []float64) {
	numbers, _ := l.ClassAll(rows)
	return l.labels(numbers), nil
}
