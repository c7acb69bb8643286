package prose

import (
	"fmt"
	"math"

	"github.com/svmkit/course/svmkit/tune"
)

// Params writes the parameters of a point.
func Params(p tune.Params) string {
	text := "C = " + Num(Roughly(p.C))
	if p.Gamma != 0 {
		text += ", γ = " + Num(Roughly(p.Gamma))
	}
	return text
}

// Found says what a search with cross-validation has found: the best point, and the choice of the
// one-standard-error rule.
func Found(best, simplest tune.Point, score string, folds int) string {
	measured := func(p tune.Point) string {
		if math.IsNaN(p.StdErr) {
			return Num(Roughly(p.Mean))
		}
		return Num(Roughly(p.Mean)) + " ± " + Num(Significant(p.StdErr, 2))
	}
	text := fmt.Sprintf("The best mean %s over %s, %s, is that of %s", score, Plural(folds, "fold"),
		measured(best), Params(best.Params))
	switch {
	case math.IsNaN(best.StdErr):
		return text + "; one fold alone has no standard error."
	case best.Params == simplest.Params:
		return text + "; no simpler point is within one standard error of it."
	}
	return text + fmt.Sprintf("; within one standard error of it, the simplest is %s, with %s.",
		Params(simplest.Params), measured(simplest))
}
