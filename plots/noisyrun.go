package plots

import (
	"fmt"
	"math"

	"github.com/svmkit/course/svmkit"
)

// NoisyRun draws a set of which some labels are wrong, those of the rows in flipped, which are ringed; a cross behind
// the row dragged, the one that a reader can move (-1: none); the line star that the right labels were made by; and the
// line last at which a perceptron is after a run with made mistakes, of which the hinge mistake bound of star allows
// limit. The view is a disc about the origin, so that it stays when labels change. A last line with w = 0 is no line
// and left out.
func NoisyRun(set *svmkit.Dataset, flipped []int, dragged int, star, last svmkit.Hyperplane, made int, limit float64) (*Figure, error) {
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
	if dragged < -1 || dragged >= set.Len() {
		return nil, &svmkit.ParamError{Name: "dragged", Value: dragged, Need: fmt.Sprintf("must be a row of the set, 0 … %d, or -1 for none", set.Len()-1)}
	}
	p := planarPlot(set)
	radius := set.Radius()
	show(p, box{-1.04 * radius, 1.04 * radius, -1.04 * radius, 1.04 * radius})
	middle, solid := planeLine{star, line(faint, 1.4, dashed)}, planeLine{last, line(ink, 2, nil)}
	p.Add(path{arcAround(radius), line(faint, 0.8, dotted)}, middle)
	if !isZero(last) {
		p.Add(solid)
	}
	f := &Figure{Plot: p, EqualUnits: true, Width: phoneWidth, Height: 1.06 * phoneWidth}
	kept, cross := flipped, marks{mark: mark{upright, ink, ink, 6.5}}
	if dragged >= 0 {
		kept, cross.at = append([]int{dragged}, flipped...), []point{at(set.X[dragged])}
		p.Add(cross)
	}
	rows := thin(set.Len(), maxRows, kept...)
	f.Legend = scatter(p, set, rows, 1)
	around := ring{radius: 6, style: line(ink, 1.4, nil)}
	for _, i := range flipped {
		around.at = at(set.X[i])
		p.Add(around)
	}
	if len(flipped) > 0 {
		f.Legend = append(f.Legend, Entry{"label is wrong", around})
	}
	if dragged >= 0 {
		cross.mark.radius = 5 // as high as the legend's other marks
		f.Legend = append(f.Legend, Entry{"yours to drag", cross})
	}
	f.Legend = append(f.Legend, Entry{"line of the right labels", middle}, Entry{"last line of the run", solid})
	apart := 0
	for _, x := range set.X {
		if star.Score(x)*last.Score(x) < 0 {
			apart++
		}
	}
	end := fmt.Sprintf("Its last line has %s on another side than the dashed one.", plural(apart, "point"))
	if isZero(last) {
		end = "Its last w is 0, which is no line."
	}
	verdict := "the bound allows every order at most " + num(math.Floor(limit*(1+roundoff)))
	if float64(made) > limit*(1+roundoff) {
		verdict = "that is more than the bound, " + num(limit)
	}
	f.Caption = fmt.Sprintf("%s of %s wrong. The run makes %s; %s. %s",
		count(len(flipped)), labelsAre(set.Len()), plural(made, "mistake"), verdict, end)
	f.Caption += thinned(len(rows), set.Len(), "points")
	f.Alt = fmt.Sprintf("%s in the disc of radius %s about the origin; rings around %s. A dashed line through the origin made the right labels.",
		upperFirst(pointWords(set)), num(radius), plural(len(flipped), "point"))
	if dragged >= 0 {
		f.Alt += " A cross is behind the point that can be dragged."
	}
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
