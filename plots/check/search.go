package check

import (
	"errors"
	"math"
	"slices"

	"github.com/svmkit/course/svmkit/tune"
)

// Search returns the best point of a search and the choice of the one-standard-error rule. It is an
// error if no point is finished, or if the points differ in more than C and γ.
func Search(s *tune.Selection) (best, simplest tune.Point, err error) {
	if s == nil {
		return best, simplest, Param("selection", nil, "must not be nil")
	}
	best, ok := s.Best()
	if !ok {
		return best, simplest, All(errNoPoint)
	}
	for _, p := range s.Points {
		if first := s.Points[0]; p.Kernel != first.Kernel || p.Degree != first.Degree ||
			p.Epsilon != first.Epsilon {
			return best, simplest, Param("selection", p.Params.String(),
				"must differ from %s in C and γ alone, as all points must", first.Params)
		}
	}
	simplest, _ = s.OneStandardError()
	return best, simplest, nil
}

// Finished reports whether all folds of a point have a score.
func Finished(p tune.Point) bool {
	return len(p.Scores) > 0 && !slices.ContainsFunc(p.Scores, math.IsNaN)
}

var errNoPoint = errors.New("no point of the search has all of its folds finished")
