package plots

import (
	"fmt"
	"math"
	"slices"

	"github.com/svmkit/course/plots/check"
	"github.com/svmkit/course/plots/pen"
	"github.com/svmkit/course/plots/prose"
	"github.com/svmkit/course/svmkit"
	"github.com/svmkit/course/svmkit/tune"
)

// CVMap draws the mean score of a cross-validated search for each pair of C and γ.
//
// C grows to the right and γ upwards. Each pair is a cell with its mean score above its standard
// error, and a darker cell has a larger mean. The best point has a full frame, and the choice of
// the one-standard-error rule (see [tune.Selection.OneStandardError]) has a dashed one.
//
// score names the metric in the caption, and may hold math. There must be 2 to 8 values of each of
// C and γ, and every pair of them must be a point with all folds finished. All points must have the
// same kernel, degree and ε.
func CVMap(s *tune.Selection, score string) (*Figure, error) {
	best, simplest, err := check.Search(s)
	if err != nil {
		return nil, err
	}
	var costs, gammas []float64
	points := map[[2]float64]tune.Point{}
	for i, p := range s.Points {
		if !check.Finished(p) || math.IsInf(p.Mean, 0) {
			return nil, check.Data(i, svmkit.NoPlace, p.Mean,
				fmt.Errorf("point %s: all folds must be finished, with finite scores", p.Params))
		}
		costs, gammas = append(costs, p.C), append(gammas, p.Gamma)
		points[[2]float64{p.C, p.Gamma}] = p
	}
	slices.Sort(costs)
	slices.Sort(gammas)
	costs, gammas = slices.Compact(costs), slices.Compact(gammas)
	if err := check.Pairs(costs, gammas); err != nil {
		return nil, err
	}
	if len(points) != len(costs)*len(gammas) || len(points) != len(s.Points) {
		return nil, check.Param("selection", prose.Plural(len(s.Points), "point"),
			"must have each pair of C and γ once")
	}
	at := func(i, j int) tune.Point { return points[[2]float64{costs[i], gammas[j]}] }
	least, most := math.Inf(1), math.Inf(-1)
	for _, p := range s.Points {
		least, most = min(least, p.Mean), max(most, p.Mean)
	}
	// The scale ends well above the largest score, so that black text is legible on every cell.
	p := pen.PairPlot(costs, gammas, pen.Shade{Lo: least, Hi: least + 2.2*max(most-least, 1e-3*
		math.Abs(most)), Stops: pen.Sequential}, func(i, j int) float64 { return at(i, j).Mean })
	frame := pen.Frames(len(costs), len(gammas), 0.04, pen.Line(pen.Vermillion, 2.2, nil),
		func(i, j int) bool { return at(i, j).Params == best.Params })
	choice := pen.Frames(len(costs), len(gammas), 0.1, pen.Line(pen.Ink, 1.3, pen.Dashed),
		func(i, j int) bool { return at(i, j).Params == simplest.Params })
	p.Add(frame, choice, pen.PairTexts{Columns: len(costs), Rows: len(gammas),
		At: func(i, j int) (string, string) {
			q := at(i, j)
			return prose.Num(prose.Roughly(q.Mean)), prose.If(!math.IsNaN(q.StdErr), // a single fold has none
				"± %v", prose.Significant(q.StdErr, 1))
		}})
	f := &Figure{Plot: p, Legend: pen.Legend{{Name: "best", Mark: frame},
		{Name: "one-standard-error choice", Mark: choice}}}
	f.Width, f.Height = pen.PairSize(p, len(gammas))
	f.Caption = prose.Found(best, simplest, prose.Plain(score), len(best.Scores))
	for i, c := range costs {
		costs[i] = prose.Roughly(c)
	}
	f.Alt = prose.Cells(costs, gammas,
		fmt.Sprintf("the mean %s and its standard error in each cell; dark is large", prose.Plain(score)),
		func(i, j int) string { return prose.Num(prose.Roughly(at(i, j).Mean)) })
	return f, nil
}
