package plots

import (
	"fmt"

	"github.com/svmkit/course/svmkit"
	"github.com/svmkit/course/svmkit/perceptron"
	"gonum.org/v1/plot"
	"gonum.org/v1/plot/vg"
)

// TightRun is a run on N basis vectors of ℝᴺ, where the bound R²/γ² is N.
type TightRun struct {
	N, Mistakes int
	Bound       float64
}

// TightCase shows that no smaller function of R/γ bounds the mistakes: on n basis vectors the perceptron makes
// n mistakes, as many as R²/γ² allows. The upper panel has a run for each n, the lower one the
// squeeze of one of them, where both bounds are met at every mistake.
func TightCase(runs []TightRun, trace []perceptron.Mistake, n Novikoff) (*Figure, error) {
	if len(runs) == 0 {
		return nil, &svmkit.ParamError{Name: "runs", Value: "none", Need: "must hold at least one run"}
	}
	largest, equal := 0, 0
	var made, bound []point
	for i, r := range runs {
		if r.N < 1 || r.Mistakes < 0 || !(r.Bound > 0 && r.Bound <= maxDrawn) {
			return nil, &svmkit.DataError{Row: i, Col: svmkit.NoPlace, Value: r.Bound, Err: errBound}
		}
		largest = max(largest, r.N)
		made = append(made, point{X: float64(r.N), Y: float64(r.Mistakes)})
		bound = append(bound, point{X: float64(r.N), Y: r.Bound})
		if most := bound[i].Y; made[i].Y <= most*(1+roundoff) && made[i].Y > most-1 {
			equal++ // the largest whole number that the bound admits
		}
	}
	squeeze, err := Squeeze(trace, n)
	if err != nil {
		return nil, err
	}
	upper := newPlot("basis vectors $n$", "mistakes")
	show(upper, box{0, 1.08 * float64(largest), 0, 0}.cover(made...).cover(bound...))
	upper.Y.Max *= 1.08
	rows := thin(len(runs), maxMistakes)
	dots := marks{mark: mark{triangle, orange, orange, 3}}
	for _, i := range rows {
		dots.at = append(dots.at, made[i])
	}
	limit := path{bound, line(ink, 1.8, nil)}
	upper.Add(limit, dots)

	f := &Figure{Panels: [][]*plot.Plot{{upper}, {squeeze.Plot}}, Width: phoneWidth, Height: 6 * vg.Inch,
		Legend: append([]Entry{{"mistakes made", dots}, {`$R^2/\gamma^2$`, limit}}, squeeze.Legend...)}
	f.Caption = fmt.Sprintf("On n basis vectors the perceptron makes all the mistakes that the bound allows, in %s of %s: no smaller function of R/γ is a bound there. Below: the run with R²/γ² = %s.",
		count(equal), plural(len(runs), "run"), num(n.Bound()))
	f.Caption += thinned(len(rows), len(runs), "runs")
	f.Alt = fmt.Sprintf("Two panels. Above: mistakes against n up to %s; the marks lie on the line of the bound R²/γ² in %s of %s. Below: %s",
		count(largest), count(equal), plural(len(runs), "run"), squeeze.Alt)
	return f, nil
}
