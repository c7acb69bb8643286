package plots

import (
	"fmt"
	"math"

	"github.com/svmkit/course/svmkit"
	"gonum.org/v1/gonum/stat"
)

// LearningPoint holds the scores of models trained on Rows rows, one for each repetition or fold:
// on their training rows and on validation rows.
type LearningPoint struct {
	Rows       int // n > 0
	Train      []float64
	Validation []float64
}

// LearningCurve draws training and validation scores against the number n of training rows, on
// a logarithmic axis: means, in bands of one standard error up and down. Rows must rise. Where the
// two curves meet, more rows of this kind do not help. score names the metric on the vertical axis,
// and may hold math.
func LearningCurve(points []LearningPoint, score string) (*Figure, error) {
	if len(points) == 0 {
		return nil, &svmkit.ParamError{Name: "points", Value: "none", Need: "must hold at least one number of rows"}
	}
	train, validation := Series{Name: "training rows"}, Series{Name: "rows not seen"}
	for i, p := range points {
		if p.Rows <= 0 {
			return nil, &svmkit.DataError{Row: i, Col: svmkit.NoPlace, Value: float64(p.Rows), Err: svmkit.ErrEmpty}
		}
		for k, scores := range [][]float64{p.Train, p.Validation} {
			s := [...]*Series{&train, &validation}[k]
			if len(scores) == 0 {
				return nil, &svmkit.DataError{Row: i, Col: svmkit.NoPlace, Err: fmt.Errorf("%s: %w", s.Name, svmkit.ErrEmpty)}
			}
			for _, v := range scores {
				if !(math.Abs(v) <= maxDrawn) {
					return nil, &svmkit.DataError{Row: i, Col: svmkit.NoPlace, Value: v, Err: fmt.Errorf("%s: %w", s.Name, svmkit.ErrNotFinite)}
				}
			}
			mean, spread := meanAndError(scores)
			s.X, s.Y = append(s.X, float64(p.Rows)), append(s.Y, mean)
			s.Low, s.High = append(s.Low, mean-spread), append(s.High, mean+spread)
		}
	}
	last := len(points) - 1
	t, v := train.Y[last], validation.Y[last]
	_, te := meanAndError(points[last].Train)
	_, ve := meanAndError(points[last].Validation)
	name := plainMath.Replace(score)
	caption := fmt.Sprintf("Trained on %s, the mean %s is %s on these and %s on rows not seen", plural(points[last].Rows, "row"), name, num(roughly(t)), num(roughly(v)))
	if math.Abs(t-v) <= te+ve {
		caption += ": the bands of one standard error meet."
	} else {
		caption += fmt.Sprintf(": a gap of %s is left.", num(roughly(math.Abs(t-v))))
	}
	if last > 0 {
		caption += fmt.Sprintf(" With %s it was %s and %s.", plural(points[0].Rows, "row"), num(roughly(train.Y[0])), num(roughly(validation.Y[0])))
	}
	alt := fmt.Sprintf("Line chart of the mean %s over the number of training rows, on a logarithmic axis, in bands of one standard error.", name)
	for _, s := range []Series{train, validation} {
		alt += fmt.Sprintf(" On %s: from %s at %s to %s at %s.", s.Name, num(roughly(s.Y[0])), num(s.X[0]), num(roughly(s.Y[last])), num(s.X[last]))
	}
	return Lines([]Series{train, validation}, Axes{X: "training rows $n$", Y: score, LogX: true}, caption, alt)
}

// meanAndError returns the mean and its standard error s/√k, s² with k − 1: 0 for one number.
func meanAndError(values []float64) (mean, spread float64) {
	mean, spread = stat.MeanStdDev(values, nil)
	if len(values) < 2 {
		return mean, 0
	}
	return mean, stat.StdErr(spread, float64(len(values)))
}
