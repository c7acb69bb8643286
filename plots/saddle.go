package plots

import (
	"fmt"
	"image/color"
	"math"

	"github.com/svmkit/course/svmkit"
	"gonum.org/v1/plot/vg"
)

// Saddle is a function of a weight w and a dual variable α ≥ 0, convex in w, and the point
// that is claimed to be its saddle.
type Saddle struct {
	L                    func(w, alpha float64) float64
	WMin, WMax, AlphaMax float64   // what is shown: w from WMin to WMax, α from 0 to AlphaMax
	W, Alpha             float64   // the point: inside of what is shown
	Levels               []float64 // values of L whose level lines are drawn: 1 to 12
}

// maxLevels is how many level lines with their values fit beside each other.
const maxLevels = 12

// SaddlePoint draws level lines of L(w, α) with their values, those above the value of the claimed
// saddle solid and those below dashed, the valley where L is least for each α, and the saddle. The
// claim is tested on the lines through the point: L must not fall below its value there along w,
// nor rise above it along α. The caption says so, or that it is no saddle.
func SaddlePoint(s Saddle) (*Figure, error) {
	if err := s.validate(); err != nil {
		return nil, err
	}
	view := box{s.WMin, s.WMax, 0, s.AlphaMax}
	value := s.L(s.W, s.Alpha)
	lo, hi := math.Inf(1), math.Inf(-1)
	grid := sampled{f: s.L, over: view}
	for c := range gridSteps + 1 {
		for r := range gridSteps + 1 {
			lo, hi = min(lo, grid.z(c, r)), max(hi, grid.z(c, r))
		}
	}
	var above, below []float64
	var values labels
	for _, v := range s.Levels {
		colour := color.Color(blue)
		if v > value {
			above = append(above, v)
		} else {
			below, colour = append(below, v), vermillion
		}
		for _, at := range s.labelled(grid, v) {
			values.items = append(values.items, label{at: at, text: num(v), colour: colour})
		}
	}
	p := newPlot("weight $w$", `dual variable $\alpha$`)
	show(p, view)
	higher := levelLines{f: s.L, values: above, style: line(blue, 1.1, nil)}
	lower := levelLines{f: s.L, values: below, style: line(vermillion, 1.1, dashed)}
	level := levelLines{f: s.L, values: []float64{value}, style: line(faint, 1.2, dotted)}
	valley := path{style: line(green, 2, nil)}
	for r := range gridSteps + 1 {
		a := grid.y(r)
		valley.at = append(valley.at, point{X: s.lowest(a), Y: a})
	}
	here := marks{[]point{{X: s.W, Y: s.Alpha}}, mark{diamond, ink, ink, 4.5}}
	p.Add(higher, lower, level, valley, here, values,
		labels{items: []label{{at: here.at[0], text: "$L = " + num(value) + "$", lean: point{X: 1, Y: 0.4}}}, avoid: here.at, clear: 7})
	f := &Figure{Plot: p, Width: phoneWidth, Height: 4.2 * vg.Inch, Legend: []Entry{{"$L$ higher", higher}, {"$L$ lower", lower},
		{"as high as the saddle", level}, {`$\min_w L$ for each $\alpha$`, valley}, {"saddle", here}}}
	if s.holds() {
		f.Caption = fmt.Sprintf("A saddle: along w the point (%s, %s) is the lowest, along α none is higher. Following the valley, the least L over w rises to its greatest value, %s, there.", num(s.W), num(s.Alpha), num(value))
	} else {
		f.Caption = fmt.Sprintf("The point (%s, %s) is no saddle: L falls below %s along w or rises above it along α.", num(s.W), num(s.Alpha), num(value))
		f.Legend[4].Name = "no saddle"
	}
	f.Alt = fmt.Sprintf("Level lines of L over w from %s to %s (horizontal) and α from 0 to %s (vertical). A diamond at (%s, %s) has L = %s; solid lines are higher, dashed ones lower, each with its value; "+
		"L is between %s and %s. A thick line joins the lowest point of each row, from w = %s at α = 0 to w = %s at the top.",
		num(s.WMin), num(s.WMax), num(s.AlphaMax), num(s.W), num(s.Alpha), num(value), num(lo), num(hi), num(valley.at[0].X), num(valley.at[gridSteps].X))
	return f, nil
}

// labelled returns where the value of a level line is written: on each of its branches, the place
// farthest from the saddle that is not at the border.
func (s Saddle) labelled(grid sampled, value float64) (places []point) {
	w, h := s.WMax-s.WMin, s.AlphaMax
	for _, branch := range grid.level(value) {
		far, most := point{}, 0.0
		for _, q := range branch {
			x, y := (q.X-s.WMin)/w, q.Y/h
			if d := math.Hypot((q.X-s.W)/w, (q.Y-s.Alpha)/h); d > most && min(x, 1-x, y, 1-y) > 0.06 {
				far, most = q, d
			}
		}
		if most > 0 {
			places = append(places, far)
		}
	}
	return places
}

// valueRoundoff bounds the relative roundoff of the values of L.
const valueRoundoff = 1e-9

// holds tests the two inequalities on a fine grid of the lines through the point.
func (s Saddle) holds() bool {
	value := s.L(s.W, s.Alpha)
	for k := range 1001 {
		t := float64(k) / 1000
		along, up := s.L(s.WMin+t*(s.WMax-s.WMin), s.Alpha), s.L(s.W, t*s.AlphaMax)
		tol := valueRoundoff * max(1, math.Abs(value), math.Abs(along), math.Abs(up))
		if along < value-tol || up > value+tol {
			return false
		}
	}
	return true
}

// lowest returns the w of the range with the least L(w, α), by ternary search: L is convex.
func (s Saddle) lowest(alpha float64) float64 {
	a, b := s.WMin, s.WMax
	for range 100 {
		m, n := a+(b-a)/3, b-(b-a)/3
		if s.L(m, alpha) < s.L(n, alpha) {
			b = n
		} else {
			a = m
		}
	}
	return math.Round((a+b)/2*1e6) / 1e6 // the search is exact to the square root of the roundoff
}

func (s Saddle) validate() error {
	switch {
	case s.L == nil:
		return &svmkit.ParamError{Name: "L", Value: nil, Need: "must be a function"}
	case !(s.WMin < s.W && s.W < s.WMax && -maxDrawn < s.WMin && s.WMax < maxDrawn):
		return &svmkit.ParamError{Name: "W", Value: s.W, Need: "must lie between WMin and WMax, both finite"}
	case len(s.Levels) == 0 || len(s.Levels) > maxLevels:
		return &svmkit.ParamError{Name: "Levels", Value: plural(len(s.Levels), "value"), Need: fmt.Sprintf("must be 1 to %d", maxLevels)}
	case !(0 <= s.Alpha && s.Alpha < s.AlphaMax && s.AlphaMax < maxDrawn):
		return &svmkit.ParamError{Name: "Alpha", Value: s.Alpha, Need: "must be at least 0 and below AlphaMax, which is finite"}
	}
	for _, v := range s.Levels {
		if !(math.Abs(v) <= maxDrawn) {
			return &svmkit.ParamError{Name: "Levels", Value: v, Need: "must be finite"}
		}
	}
	grid := sampled{f: s.L, over: box{s.WMin, s.WMax, 0, s.AlphaMax}}
	for c := range gridSteps + 1 {
		for r := range gridSteps + 1 {
			if z := grid.z(c, r); !(math.Abs(z) <= maxDrawn) {
				return &svmkit.ParamError{Name: "L", Value: z, Need: "must be finite over what is shown"}
			}
		}
	}
	return nil
}
