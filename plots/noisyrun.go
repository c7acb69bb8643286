package plots

import (
	"fmt"
	"math"

	"github.com/svmkit/course/svmkit"
)

// NoisyRun draws a set of which some labels are wrong, those of the rows in flipped, which are ringed; the line
// star that the right labels were made by; and the line last at which a perceptron is after a run with made mistakes,
// of which the hinge mistake bound of star allows limit. The view is a disc about the origin, so that it
// stays when labels change. A last line with w = 0 is no line and left out.
func NoisyRun(set *svmkit.Dataset, flipped []int, star, last svmkit.Hyperplane, made int, limit float64) (*Figure, error) {
	if err := planar(set); err != nil {
		return nil, err
	}
	if err := checkPlane(star, 2, false); err != nil {
		return nil, err
	}
	if err := checkPlane(last, 2, true); err != nil {
		return nil, err
	}
	if made < 0 || !(limit >= 0 && limit <= maxDrawn) {
		return nil, &svmkit.ParamError{Name: "made, limit", Value: fmt.Sprint(made, ", ", limit), Need: "must be at least 0 and finite"}
	}
	for _, i := range flipped {
		if i < 0 || i >= set.Len() {
			return nil, &svmkit.ParamError{Name: "flipped", Value: i, Need: fmt.Sprintf("must be rows of the set, 0 … %d", set.Len()-1)}
		}
	}
	p := planarPlot(set)
	radius := set.Radius()
	show(p, box{-1.04 * radius, 1.04 * radius, -1.04 * radius, 1.04 * radius})
	middle, end := planeLine{star, line(faint, 1.4, dashed)}, planeLine{last, line(ink, 2, nil)}
	p.Add(path{arcAround(radius), line(faint, 0.8, dotted)}, middle)
	if !isZero(last) {
		p.Add(end)
	}
	f := &Figure{Plot: p, EqualUnits: true, Width: phoneWidth, Height: 1.06 * phoneWidth}
	rows := thin(set.Len(), maxRows, flipped...)
	f.Legend = scatter(p, set, rows, 1)
	around := ring{radius: 6, style: line(purple, 1.6, nil)}
	for _, i := range flipped {
		around.at = at(set.X[i])
		p.Add(around)
	}
	if len(flipped) > 0 {
		f.Legend = append(f.Legend, Entry{"label is wrong", around})
	}
	f.Legend = append(f.Legend, Entry{"line of the right labels", middle}, Entry{"last line of the run", end})
	wrong := mistakes(set, last)
	verdict := "the bound allows every order at most " + num(math.Floor(limit*(1+roundoff)))
	if float64(made) > limit*(1+roundoff) {
		verdict = "that is more than the bound, " + num(limit)
	}
	f.Caption = fmt.Sprintf("%s of %s wrong. The run makes %s; %s. Its last line has %s on the wrong side.",
		count(len(flipped)), labelsAre(set.Len()), plural(made, "mistake"), verdict, plural(wrong, "point"))
	f.Caption += thinned(len(rows), set.Len(), "points")
	f.Alt = fmt.Sprintf("%s in the disc of radius %s about the origin; rings around %s. A dashed line through the origin made the right labels.",
		upperFirst(pointWords(set)), num(radius), plural(len(flipped), "point"))
	if !isZero(last) {
		cos := svmkit.Dense(star.W...).Dot(last.W) / star.Norm() / last.Norm()
		f.Alt += fmt.Sprintf(" A solid line, the last of a run with %s, is at %s degrees to it.", plural(made, "mistake"), num(round1(degrees(math.Acos(min(1, max(-1, cos)))))))
	}
	return f, nil
}

func labelsAre(n int) string {
	if n == 1 {
		return "1 label is"
	}
	return count(n) + " labels are"
}
