package plots

import (
	"fmt"
	"image/color"
	"math"
	"slices"

	"github.com/svmkit/course/plots/check"
	"github.com/svmkit/course/plots/geom"
	"github.com/svmkit/course/plots/pen"
	"github.com/svmkit/course/plots/prose"
	"github.com/svmkit/course/svmkit"
	"github.com/svmkit/course/svmkit/multiclass"
	"gonum.org/v1/plot"
	"gonum.org/v1/plot/vg"
	"gonum.org/v1/plot/vg/draw"
)

// ClassRegions draws the region of each class that a model predicts, over the points of a 2-D set.
//
// There are two to six classes, with the same labels in the set and the model: see
// [svmkit.Dataset]. Wrongly predicted points are crossed out. The axes follow [DecisionRegions].
func ClassRegions(set *svmkit.Dataset, model multiclass.Classifier) (*Figure, error) {
	r, err := newClassRegions(set, model)
	if err != nil {
		return nil, err
	}
	p := pen.PlanarPlot(set)
	pen.Show(p, r.view)
	p.Add(classGround{r})
	rows := pen.Thin(set.Len(), pen.MaxRows, r.wrong[:min(len(r.wrong), pen.MaxRows)]...)
	f := &Figure{Plot: p, EqualUnits: r.equal, Height: 4.4 * vg.Inch}
	for k, name := range r.names {
		cloud := pen.Marks{Mark: pen.Styles[k].Mark}
		if len(rows) > 150 { // many points: smaller marks
			cloud.Mark.Radius *= 0.65
		}
		for _, i := range rows {
			if r.class[i] == k {
				cloud.At = append(cloud.At, geom.At(set.X[i]))
			}
		}
		p.Add(cloud)
		f.Legend.Add(prose.Literal(prose.Minus(name)), cloud)
	}
	if len(r.wrong) > 0 {
		crossed := pen.Marks{Mark: pen.Solid(pen.Saltire, pen.Ink, 4)}
		crossed.At = append(crossed.At, geom.Rows(set, pen.Some(r.wrong, pen.MaxRows))...)
		p.Add(crossed)
		f.Legend.Add("predicted wrong", crossed)
	}
	f.Caption, f.Alt = r.words()
	f.Caption += prose.Thinned(len(rows), set.Len(), "points")
	return f, nil
}

// classRegions is a model for several classes over a set of the plane.
type classRegions struct {
	set   *svmkit.Dataset
	model multiclass.Classifier
	names []string
	class []int // of each row
	wrong []int // rows
	view  geom.Box
	equal bool
	share []float64 // of the view that each class has, roughly
}

func newClassRegions(set *svmkit.Dataset, model multiclass.Classifier) (r *classRegions,
	err error) {
	if err := set.Validate(); err != nil {
		return nil, err
	}
	if set.Dim != 2 {
		return nil, check.Param("set.Dim", set.Dim,
			"must be 2: a figure shows two features; choose them with Columns")
	}
	if b := geom.Extent(set); !(max(-b.XMin, b.XMax, -b.YMin, b.YMax) <= check.Max) {
		return nil, check.All(check.ErrTooLarge)
	}
	defer func() {
		if p := recover(); p != nil {
			r, err = nil, check.Param("model", fmt.Sprint(p), "must predict rows of two columns")
		}
	}()
	r = &classRegions{set: set, model: model, view: geom.Extent(set)}
	classes := len(model.ClassScores(set.X[0]))
	if classes < 2 || classes > len(pen.Styles) {
		return nil, check.Param("model", fmt.Sprintf("%d classes", classes),
			"must have 2 to %d: more cannot be told apart", len(pen.Styles))
	}
	known := multiclass.Classes{Count: classes, Signed: classes == 2 && !slices.Contains(set.Y, 0)}
	number := map[float64]int{}
	for k := range classes {
		number[known.Label(k)] = k
		if len(set.Classes) == classes {
			r.names = append(r.names, set.Classes[k])
		} else {
			r.names = append(r.names, fmt.Sprintf("class %g", known.Label(k)))
		}
	}
	for i, x := range set.X {
		k, ok := number[set.Y[i]]
		if !ok {
			return nil, check.Data(i, svmkit.NoPlace, set.Y[i], svmkit.ErrNoClass)
		}
		r.class = append(r.class, k)
		if model.Predict(x).Class != k {
			r.wrong = append(r.wrong, i)
		}
	}
	if r.equal = geom.SameScale(r.view); r.equal {
		r.view = r.view.Grow(0.12)
	} else {
		r.view = r.view.Pad(0.1*(r.view.XMax-r.view.XMin), 0.1*(r.view.YMax-r.view.YMin))
	}
	r.share = make([]float64, classes)
	s := geom.Grid{Over: r.view}
	const coarse = 10 // every tenth node is enough for a percentage
	for c := 0; c <= geom.GridSteps; c += coarse {
		for k := 0; k <= geom.GridSteps; k += coarse {
			at := geom.Pt(s.X(c), s.Y(k))
			class := model.Predict(geom.Row(at)).Class
			if class < 0 || class >= classes {
				return nil, check.Param("model", class, "must have a class at (%g, %g)", at.X, at.Y)
			}
			r.share[class] += math.Pow(coarse/float64(geom.GridSteps+coarse), 2)
		}
	}
	return r, nil
}

func (r *classRegions) predict(at geom.Point) int {
	return max(0, r.model.Predict(geom.Row(at)).Class) // a machine without a class on the coarse grid is refused
}

// classGround fills the regions and draws the borders between them.
type classGround struct{ *classRegions }

// halvings is the number of bisections between two nodes of different classes: they find the border
// to 1/64 of a cell.
const halvings = 6

func (g classGround) Plot(c draw.Canvas, p *plot.Plot) {
	pieces, borders := g.cut(pen.Shown(p))
	for k := range g.names {
		fillGround(&c, p, pieces[k], classFill(k))
	}
	borders.Style = pen.Line(pen.Ink, 1.2, nil)
	borders.Plot(c, p)
}

// classFill returns the background of a class: its marks' colour, mixed with white.
func classFill(k int) color.Color {
	r, g, b, _ := pen.Styles[k].Mark.Edge.RGBA()
	mix := func(v uint32) uint8 { return uint8(255 - (255-v>>8)*30/100) }
	return color.RGBA{mix(r), mix(g), mix(b), 0xff}
}

// cut divides the box into polygons of one class each, and returns the borders between them. The
// cells of a grid are cut into triangles. A triangle whose corners agree has their class. In all
// others, the border crosses the sides between corners that do not agree, at places that halving
// finds. It joins two such places, or three to their mean.
func (g classGround) cut(over geom.Box) (pieces [][][]geom.Point, borders pen.Segments) {
	s := geom.Grid{Over: over}
	pieces = make([][][]geom.Point, len(g.names))
	class := make([][]int, geom.GridSteps+1)
	for c := range class {
		class[c] = make([]int, geom.GridSteps+1)
		for r := range class[c] {
			class[c][r] = g.predict(geom.Pt(s.X(c), s.Y(r)))
		}
	}
	type side struct{ a, b [2]int }
	known := map[side]geom.Point{}
	border := func(a, b [2]int) geom.Point { // the same for both triangles of a side
		if a[0] > b[0] || a[0] == b[0] && a[1] > b[1] {
			a, b = b, a
		}
		if at, ok := known[side{a, b}]; ok {
			return at
		}
		from, to := geom.Pt(s.X(a[0]), s.Y(a[1])), geom.Pt(s.X(b[0]), s.Y(b[1]))
		for range halvings {
			middle := geom.Pt((from.X+to.X)/2, (from.Y+to.Y)/2)
			if g.predict(middle) == class[a[0]][a[1]] {
				from = middle
			} else {
				to = middle
			}
		}
		at := geom.Pt((from.X+to.X)/2, (from.Y+to.Y)/2)
		known[side{a, b}] = at
		return at
	}
	add := func(k int, ps ...geom.Point) { pieces[k] = append(pieces[k], ps) }
	for r := range geom.GridSteps {
		for c := 0; c < geom.GridSteps; c++ {
			k, from := class[c][r], c
			for c < geom.GridSteps && class[c][r] == k && class[c+1][r] == k &&
				class[c+1][r+1] == k && class[c][r+1] == k {
				c++
			}
			if c > from {
				add(k, geom.Rect(s.X(from), s.X(c), s.Y(r), s.Y(r+1)).Corners()...)
				c-- // the loop's own step
				continue
			}
			for _, t := range [][3][2]int{{{c, r}, {c + 1, r}, {c + 1, r + 1}},
				{{c, r}, {c + 1, r + 1}, {c, r + 1}}} {
				var corner [3]geom.Point
				var of [3]int
				for i, n := range t {
					corner[i], of[i] = geom.Pt(s.X(n[0]), s.Y(n[1])), class[n[0]][n[1]]
				}
				switch {
				case of[0] == of[1] && of[1] == of[2]:
					add(of[0], corner[:]...)
				case of[0] != of[1] && of[1] != of[2] && of[2] != of[0]:
					m := [3]geom.Point{border(t[0], t[1]), border(t[1], t[2]), border(t[2], t[0])}
					centre := geom.Pt((m[0].X+m[1].X+m[2].X)/3, (m[0].Y+m[1].Y+m[2].Y)/3)
					for i := range 3 {
						add(of[i], corner[i], m[i], centre, m[(i+2)%3])
						borders.Add(m[i], centre)
					}
				default:
					i := 0 // the corner with a class of its own
					for of[i] == of[(i+1)%3] || of[i] == of[(i+2)%3] {
						i++
					}
					j, l := (i+1)%3, (i+2)%3
					m, n := border(t[i], t[j]), border(t[l], t[i])
					add(of[i], corner[i], m, n)
					add(of[j], m, corner[j], corner[l], n)
					borders.Add(m, n)
				}
			}
		}
	}
	return pieces, borders
}

func (r *classRegions) words() (caption, alt string) {
	n := make([]int, len(r.names))
	mistakes := make([]int, len(r.names))
	for _, k := range r.class {
		n[k]++
	}
	for _, i := range r.wrong {
		mistakes[r.class[i]]++
	}
	caption = fmt.Sprintf("All of %s lie in the region of their class.",
		prose.Plural(r.set.Len(), "point"))
	if len(r.wrong) > 0 {
		caption = fmt.Sprintf("Of %s, %s in the region of another class (crosses).",
			prose.Plural(r.set.Len(), "point"), prose.Are(len(r.wrong)))
	}
	alt = prose.Say("Scatter plot of %s over %s, on a background "+
		"divided by lines into the regions of %d classes.", prose.Plural(r.set.Len(), "point"),
		prose.AxesIn(r.set, prose.Either(r.equal, "equal", "different")), len(r.names))
	shapes := [...]string{"filled circles", "open squares", "filled triangles", "open diamonds",
		"filled squares", "open triangles"}
	for k, name := range r.names {
		alt += prose.Say(" %s: %s (%s), %v of them wrong; its region has about %s of the box.",
			prose.Minus(name),
			prose.Plural(n[k], "point"), shapes[k], mistakes[k], prose.Percent(r.share[k]))
	}
	return caption, alt
}
