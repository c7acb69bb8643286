package check

import (
	"fmt"

	"github.com/svmkit/course/svmkit"
)

// Scores returns one score a row, by ScoreAll where the model has it. A model that panics, for
// example on rows of another length, is an error.
func Scores(model svmkit.Scorer, rows []svmkit.Row) (scores []float64, err error) {
	defer func() {
		if r := recover(); r != nil {
			err = Param("model", fmt.Sprint(r),
				"must score rows with as many columns as the set has")
		}
	}()
	// One row is scored first: a panic in a goroutine of ScoreAll could not be caught.
	first := model.Score(rows[0])
	if all, ok := model.(interface{ ScoreAll([]svmkit.Row) []float64 }); ok {
		if scores = all.ScoreAll(rows); len(scores) == len(rows) {
			return scores, nil
		}
	}
	scores = append(make([]float64, 0, len(rows)), first)
	for _, x := range rows[1:] {
		scores = append(scores, model.Score(x))
	}
	return scores, nil
}
