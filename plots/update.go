package plots

import (
	"fmt"
	"math"

	"github.com/svmkit/course/svmkit"
	"gonum.org/v1/plot"
	"gonum.org/v1/plot/vg"
)

// VectorUpdate is one update of a perceptron through the origin of the plane: w before it,
// and the example (x, y) that caused it.
type VectorUpdate struct {
	W []float64 // length 2; may be zero
	X svmkit.Row
	Y float64 // −1 or +1
}

// after returns w + yx.
func (u VectorUpdate) after() []float64 {
	w := []float64{u.W[0], u.W[1]}
	u.X.AddTo(w, u.Y)
	return w
}

// UpdateVectors draws what an update does, up to three in a row: the arrow yx is put to the
// tip of w, and the sum is the new w. The score of x rises by ‖x‖² for y = +1 and falls by as
// much for y = −1; each panel says whether x is on its right side then.
func UpdateVectors(updates []VectorUpdate) (*Figure, error) {
	if len(updates) == 0 || len(updates) > 3 {
		return nil, &svmkit.ParamError{Name: "updates", Value: fmt.Sprintf("%d updates", len(updates)), Need: "must be 1 to 3: they stand in one row"}
	}
	f := &Figure{EqualUnits: true, Panels: [][]*plot.Plot{nil}}
	view := emptyBox().cover(point{})
	for _, u := range updates {
		set := &svmkit.Dataset{X: []svmkit.Row{u.X}, Y: []float64{u.Y}, Dim: 2}
		if err := planar(set); err != nil {
			return nil, err
		}
		if err := checkPlane(svmkit.Hyperplane{W: u.W}, 2, true); err != nil {
			return nil, err
		}
		w, yx, sum := u.arrows()
		view = view.cover(w.to, yx.to, sum.to, at(u.X))
	}
	view = view.grow(0.16)
	f.Caption = "An update puts the arrow yx to the tip of w"
	f.Alt = fmt.Sprintf("%s with arrows from the origin, in equal units.", plural(len(updates), "panel"))
	for i, u := range updates {
		p, legend := u.panel(view)
		f.Panels[0] = append(f.Panels[0], p)
		if i == 0 {
			f.Legend = legend
		}
		caption, alt := u.words()
		f.Caption += []string{": ", "; "}[min(i, 1)] + caption
		f.Alt += " " + alt
	}
	f.Caption += "."
	width, _ := f.Size()
	f.Height = min(width/vg.Length(len(updates)), 3.4*vg.Inch) + 0.7*vg.Inch
	return f, nil
}

// arrows returns w, yx at its tip, and their sum.
func (u VectorUpdate) arrows() (w, yx, sum arrow) {
	tip, a := point{X: u.W[0], Y: u.W[1]}, u.after()
	end := point{X: a[0], Y: a[1]}
	return arrow{point{}, tip, line(faint, 1.6, nil)}, arrow{tip, end, line(purple, 1.8, nil)}, arrow{point{}, end, line(green, 2.2, nil)}
}

func (u VectorUpdate) panel(view box) (*plot.Plot, []Entry) {
	p := bare(newPlot("", ""))
	show(p, view)
	w, yx, sum := u.arrows()
	set := &svmkit.Dataset{X: []svmkit.Row{u.X}, Y: []float64{u.Y}, Dim: 2}
	before := planeLine{svmkit.Hyperplane{W: u.W}, line(faint, 1.4, dashed)}
	after := planeLine{svmkit.Hyperplane{W: u.after()}, line(ink, 1.8, nil)}
	p.Add(before, after)
	scatter(p, set, []int{0}, 1.2)
	x := at(u.X)
	names := labels{clear: 5, avoid: []point{x, {}}, items: []label{{at: x, text: "$x$", lean: x}, {at: sum.to, text: "$w + yx$", colour: green, lean: sum.to}}}
	if u.W[0] != 0 || u.W[1] != 0 {
		p.Add(w)
		middle := point{X: (yx.from.X + yx.to.X) / 2, Y: (yx.from.Y + yx.to.Y) / 2}
		names.items = append(names.items, label{at: w.to, text: "$w$", colour: faint, lean: w.to}, label{at: middle, text: "$yx$", colour: purple, lean: middle})
	}
	p.Add(yx, sum, marks{[]point{{}}, mark{upright, ink, ink, 3.5}}, names)
	p.Title.Text = fmt.Sprintf("$y = %s$: score %s to %s", signed(u.Y), num(u.score(u.W)), num(u.score(u.after())))
	return p, []Entry{{"plane before", before}, {"plane after", after}, {"$w$", w}, {"$yx$", yx}, {"$w + yx$", sum}}
}

// score returns the score of x under w.
func (u VectorUpdate) score(w []float64) float64 { return u.X.Dot(w) }

func (u VectorUpdate) words() (caption, alt string) {
	side := "and is right now"
	if u.Y*u.score(u.after()) <= 0 {
		side = "and is still wrong"
	}
	x, a := at(u.X), u.after()
	caption = fmt.Sprintf("the score of the point with y = %s goes from %s to %s, by %s, %s",
		signed(u.Y), num(u.score(u.W)), num(u.score(a)), num(math.Abs(u.score(a)-u.score(u.W))), side)
	alt = fmt.Sprintf("The point (%s, %s) with y = %s: w = (%s, %s) becomes (%s, %s), and the line across w turns with it.",
		num(x.X), num(x.Y), signed(u.Y), num(u.W[0]), num(u.W[1]), num(a[0]), num(a[1]))
	return caption, alt
}

func signed(y float64) string { return minus(fmt.Sprintf("%+g", y)) }
