package plots

import (
	"errors"
	"fmt"
	"math"
	"slices"

	"github.com/svmkit/course/svmkit"
	"gonum.org/v1/plot"
	"gonum.org/v1/plot/vg"
)

// NovikoffStep draws the two halves of the proof on one or two mistakes in the plane: the arrow yx at the tip of w,
// at a right or an obtuse angle, so that w + yx ends on or inside the circle of radius √(‖w‖² + ‖x‖²); and the
// feet of w and of w + yx on the axis of w*, y⟨x,w*⟩/‖w*‖ apart. Each update must be a mistake of a w ≠ 0.
func NovikoffStep(updates []VectorUpdate, star []float64) (*Figure, error) {
	if len(updates) == 0 || len(updates) > 2 {
		return nil, &svmkit.ParamError{Name: "updates", Value: plural(len(updates), "update"), Need: "must be 1 or 2: they stand below each other"}
	}
	if err := checkPlane(svmkit.Hyperplane{W: star}, 2, false); err != nil {
		return nil, err
	}
	f := &Figure{EqualUnits: true, Width: phoneWidth, Height: (0.9 + 2.9*vg.Length(len(updates))) * vg.Inch,
		Caption: "At a mistake w and yx stand at a right or an obtuse angle, so w + yx ends on or inside the circle",
		Alt:     plural(len(updates), "panel") + " with arrows from the origin, in equal units."}
	for i, u := range updates {
		if err := checkPlane(svmkit.Hyperplane{W: u.W}, 2, false); err != nil {
			return nil, err
		}
		if err := planar(&svmkit.Dataset{X: []svmkit.Row{u.X}, Y: []float64{u.Y}, Dim: 2}); err != nil {
			return nil, err
		}
		if score := u.score(u.W); u.Y*score > 0 {
			return nil, &svmkit.DataError{Row: i, Col: svmkit.NoPlace, Value: score, Err: errNoMistake}
		}
		p, legend := u.novikoffPanel(star)
		f.Panels, f.Legend = append(f.Panels, []*plot.Plot{p}), legend
		caption, alt := u.novikoffWords(star)
		f.Caption += []string{": ", "; "}[min(i, 1)] + caption
		f.Alt += " " + alt
	}
	f.Caption += ". Its foot on the axis of w* moves forward."
	return f, nil
}

// onAxis returns the foot of p on the line through the origin along star, and its place there in units of length.
func onAxis(p point, star []float64) (foot point, along float64) {
	norm := math.Hypot(star[0], star[1])
	along = (p.X*star[0] + p.Y*star[1]) / norm
	return point{X: along * star[0] / norm, Y: along * star[1] / norm}, along
}

// angle returns the angle between w and yx in degrees, and the longest ‖w + yx‖ that a mistake allows.
func (u VectorUpdate) angle() (degree, hypotenuse float64) {
	w, x := math.Hypot(u.W[0], u.W[1]), u.X.Norm()
	return degrees(math.Acos(min(1, max(-1, u.Y*u.score(u.W)/w/x)))), math.Hypot(w, x)
}

func (u VectorUpdate) novikoffPanel(star []float64) (*plot.Plot, []Entry) {
	w, yx, sum := u.arrows()
	degree, reach := u.angle()
	before, from := onAxis(w.to, star)
	after, to := onAxis(sum.to, star)
	tip, _ := onAxis(point{X: star[0], Y: star[1]}, star)
	size := 1.12 * reach / math.Hypot(tip.X, tip.Y)
	tip = point{X: size * tip.X, Y: size * tip.Y}

	p := bare(newPlot("", ""))
	p.X.LineStyle.Width, p.Y.LineStyle.Width = 0, 0
	circle := path{arcAround(reach), line(faint, 1.2, dashed)}
	axis := arrow{point{}, tip, line(ink, 1.4, nil)}
	drops := segments{[]point{w.to, sum.to}, []point{before, after}, line(faint, 1, dotted)}
	step := segments{[]point{before}, []point{after}, line(orange, 3.4, nil)}
	show(p, emptyBox().cover(point{}, w.to, sum.to, tip, before, after).grow(0.14))
	p.Add(circle, drops, axis, step, w, yx, sum, marks{[]point{{}}, mark{upright, ink, ink, 3.5}},
		labels{clear: 5, avoid: slices.Concat(axis.along(16), w.along(16), yx.along(16), sum.along(16)), items: []label{
			{at: middle(yx.from, yx.to), text: "$yx$", colour: purple, lean: middle(yx.from, yx.to)},
			{at: w.to, text: "$w$", colour: faint, lean: w.to},
			{at: sum.to, text: "$w + yx$", colour: green, lean: sum.to},
			{at: tip, text: `$w^\star$`, lean: tip},
			{at: middle(before, after), text: num(round2(to - from)), colour: orange, lean: point{X: tip.Y, Y: -tip.X}},
		}})
	p.Title.Text = fmt.Sprintf("angle between $w$ and $yx$: %s°", num(round1(degree)))
	return p, []Entry{{"$w$", w}, {"$yx$", yx}, {"$w + yx$", sum}, {`$\sqrt{\|w\|^2 + \|x\|^2}$`, circle},
		{`$y\langle x, w^\star\rangle / \|w^\star\|$`, step}}
}

func (u VectorUpdate) novikoffWords(star []float64) (caption, alt string) {
	w, _, sum := u.arrows()
	degree, reach := u.angle()
	_, from := onAxis(w.to, star)
	_, to := onAxis(sum.to, star)
	length := math.Hypot(sum.to.X, sum.to.Y)
	caption = fmt.Sprintf("at %s° it is %s long, and the circle's radius is %s", num(round1(degree)), num(round2(length)), num(round2(reach)))
	alt = fmt.Sprintf("w = (%s, %s) becomes (%s, %s). The arrow yx leaves the tip of w at %s degrees to w; a dashed circle around the origin has the radius %s, and the new w is %s long. On the axis of w* the foot moves from %s to %s.",
		num(w.to.X), num(w.to.Y), num(sum.to.X), num(sum.to.Y), num(round1(degree)), num(round2(reach)), num(round2(length)), num(round2(from)), num(round2(to)))
	return caption, alt
}

// arcAround returns the circle of radius r around the origin.
func arcAround(r float64) []point {
	const sides = 120
	ps := make([]point, sides+1)
	for i := range ps {
		sin, cos := math.Sincos(2 * math.Pi * float64(i) / sides)
		ps[i] = point{X: r * cos, Y: r * sin}
	}
	return ps
}

var errNoMistake = errors.New("the score has the label's sign: no mistake, no update")

func round2(v float64) float64 { return math.Round(100*v) / 100 }
