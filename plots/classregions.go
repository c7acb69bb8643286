package plots

import (
	"fmt"
	"image/color"
	"math"
	"slices"

	"github.com/svmkit/course/svmkit"
	"github.com/svmkit/course/svmkit/multiclass"
	"gonum.org/v1/plot"
	"gonum.org/v1/plot/vg"
	"gonum.org/v1/plot/vg/draw"
)

// ClassRegions draws the regions of the plane that a model predicts as each of two to six classes,
// over the points of a 2-D set. The set's labels are those of the model: see
// [svmkit.Dataset]. Wrongly predicted points are crossed out. Axes as in
// [DecisionRegions].
func ClassRegions(set *svmkit.Dataset, model multiclass.Classifier) (*Figure, error) {
	r, err := newClassRegions(set, model)
	if err != nil {
		return nil, err
	}
	p := planarPlot(set)
	show(p, r.view)
	p.Add(classGround{r})
	rows := thin(set.Len(), maxRows, r.wrong[:min(len(r.wrong), maxRows)]...)
	f := &Figure{Plot: p, EqualUnits: r.equal, Height: 4.4 * vg.Inch}
	for k, name := range r.names {
		cloud := marks{mark: styles[k].mark}
		if len(rows) > 150 { // many points: smaller marks
			cloud.mark.radius *= 0.65
		}
		for _, i := range rows {
			if r.class[i] == k {
				cloud.at = append(cloud.at, at(set.X[i]))
			}
		}
		p.Add(cloud)
		f.Legend = append(f.Legend, Entry{literal(minus(name)), cloud})
	}
	if len(r.wrong) > 0 {
		crossed := marks{mark: mark{saltire, ink, ink, 4}}
		for _, k := range thin(len(r.wrong), maxRows) {
			crossed.at = append(crossed.at, at(set.X[r.wrong[k]]))
		}
		p.Add(crossed)
		f.Legend = append(f.Legend, Entry{"predicted wrong", crossed})
	}
	f.Caption, f.Alt = r.words()
	f.Caption += thinned(len(rows), set.Len(), "points")
	return f, nil
}

// classRegions is a model for several classes over a set of the plane.
type classRegions struct {
	set   *svmkit.Dataset
	model multiclass.Classifier
	names []string
	class []int // of each row
	wrong []int // rows
	view  box
	equal bool
	share []float64 // of the view that each class has, roughly
}

func newClassRegions(set *svmkit.Dataset, model multiclass.Classifier) (r *classRegions, err error) {
	if err := set.Validate(); err != nil {
		return nil, err
	}
	if set.Dim != 2 {
		return nil, &svmkit.ParamError{Name: "set.Dim", Value: set.Dim, Need: "must be 2: a figure shows two features; choose them with Columns"}
	}
	if b := extent(set); !(max(-b.xmin, b.xmax, -b.ymin, b.ymax) <= maxDrawn) {
		return nil, &svmkit.DataError{Row: svmkit.NoPlace, Col: svmkit.NoPlace, Err: errTooLarge}
	}
	defer func() {
		if p := recover(); p != nil {
			r, err = nil, &svmkit.ParamError{Name: "model", Value: fmt.Sprint(p), Need: "must predict rows of two columns"}
		}
	}()
	r = &classRegions{set: set, model: model, view: extent(set)}
	classes := len(model.ClassScores(set.X[0]))
	if classes < 2 || classes > len(styles) {
		return nil, &svmkit.ParamError{Name: "model", Value: fmt.Sprintf("%d classes", classes), Need: fmt.Sprintf("must have 2 to %d: more cannot be told apart", len(styles))}
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
			return nil, &svmkit.DataError{Row: i, Col: svmkit.NoPlace, Value: set.Y[i], Err: svmkit.ErrNoClass}
		}
		r.class = append(r.class, k)
		if model.Predict(x).Class != k {
			r.wrong = append(r.wrong, i)
		}
	}
	if r.equal = sameScale(r.view); r.equal {
		r.view = r.view.grow(0.12)
	} else {
		w, h := 0.1*(r.view.xmax-r.view.xmin), 0.1*(r.view.ymax-r.view.ymin)
		r.view = box{r.view.xmin - w, r.view.xmax + w, r.view.ymin - h, r.view.ymax + h}
	}
	r.share = make([]float64, classes)
	s := sampled{over: r.view}
	const coarse = 10 // every tenth node is enough for a percentage
	for c := 0; c <= gridSteps; c += coarse {
		for k := 0; k <= gridSteps; k += coarse {
			at := point{X: s.x(c), Y: s.y(k)}
			class := model.Predict(row(at)).Class
			if class < 0 || class >= classes {
				return nil, &svmkit.ParamError{Name: "model", Value: class, Need: fmt.Sprintf("must have a class at (%g, %g)", at.X, at.Y)}
			}
			r.share[class] += math.Pow(coarse/float64(gridSteps+coarse), 2)
		}
	}
	return r, nil
}

func (r *classRegions) predict(at point) int {
	return max(0, r.model.Predict(row(at)).Class) // a machine without a class on the coarse grid is refused
}

// classGround fills the regions and draws the borders between them.
type classGround struct{ *classRegions }

// halvings is the number of bisections between two nodes of different classes: they find the border
// to 1/64 of a cell.
const halvings = 6

func (g classGround) Plot(c draw.Canvas, p *plot.Plot) {
	pieces, borders := g.cut(shown(p))
	for k := range g.names {
		fillGround(&c, p, pieces[k], classFill(k))
	}
	borders.style = line(ink, 1.2, nil)
	borders.Plot(c, p)
}

// classFill returns the background of a class: its marks' colour, mixed with white.
func classFill(k int) color.Color {
	r, g, b, _ := styles[k].mark.edge.RGBA()
	mix := func(v uint32) uint8 { return uint8(255 - (255-v>>8)*30/100) }
	return color.RGBA{mix(r), mix(g), mix(b), 0xff}
}

// cut divides the box into polygons of one class each, and returns the borders between them. The
// cells of a grid are cut into triangles. One whose corners agree has their class. In any
// other, the border crosses the sides between corners that do not agree, where halving
// finds it; it joins two such places, or three to their mean.
func (g classGround) cut(over box) (pieces [][][]point, borders segments) {
	s := sampled{over: over}
	pieces = make([][][]point, len(g.names))
	class := make([][]int, gridSteps+1)
	for c := range class {
		class[c] = make([]int, gridSteps+1)
		for r := range class[c] {
			class[c][r] = g.predict(point{X: s.x(c), Y: s.y(r)})
		}
	}
	type side struct{ a, b [2]int }
	known := map[side]point{}
	border := func(a, b [2]int) point { // the same for both triangles of a side
		if a[0] > b[0] || a[0] == b[0] && a[1] > b[1] {
			a, b = b, a
		}
		if at, ok := known[side{a, b}]; ok {
			return at
		}
		from, to := point{X: s.x(a[0]), Y: s.y(a[1])}, point{X: s.x(b[0]), Y: s.y(b[1])}
		for range halvings {
			middle := point{X: (from.X + to.X) / 2, Y: (from.Y + to.Y) / 2}
			if g.predict(middle) == class[a[0]][a[1]] {
				from = middle
			} else {
				to = middle
			}
		}
		at := point{X: (from.X + to.X) / 2, Y: (from.Y + to.Y) / 2}
		known[side{a, b}] = at
		return at
	}
	add := func(k int, ps ...point) { pieces[k] = append(pieces[k], ps) }
	for r := range gridSteps {
		for c := 0; c < gridSteps; c++ {
			k, from := class[c][r], c
			for c < gridSteps && class[c][r] == k && class[c+1][r] == k && class[c+1][r+1] == k && class[c][r+1] == k {
				c++
			}
			if c > from {
				add(k, box{s.x(from), s.x(c), s.y(r), s.y(r + 1)}.corners()...)
				c-- // the loop's own step
				continue
			}
			for _, t := range [][3][2]int{{{c, r}, {c + 1, r}, {c + 1, r + 1}}, {{c, r}, {c + 1, r + 1}, {c, r + 1}}} {
				var corner [3]point
				var of [3]int
				for i, n := range t {
					corner[i], of[i] = point{X: s.x(n[0]), Y: s.y(n[1])}, class[n[0]][n[1]]
				}
				switch {
				case of[0] == of[1] && of[1] == of[2]:
					add(of[0], corner[:]...)
				case of[0] != of[1] && of[1] != of[2] && of[2] != of[0]:
					m := [3]point{border(t[0], t[1]), border(t[1], t[2]), border(t[2], t[0])}
					centre := point{X: (m[0].X + m[1].X + m[2].X) / 3, Y: (m[0].Y + m[1].Y + m[2].Y) / 3}
					for i := range 3 {
						add(of[i], corner[i], m[i], centre, m[(i+2)%3])
						borders.from, borders.to = append(borders.from, m[i]), append(borders.to, centre)
					}
				default:
					i := 0 // the corner that stands alone
					for of[i] == of[(i+1)%3] || of[i] == of[(i+2)%3] {
						i++
					}
					j, l := (i+1)%3, (i+2)%3
					m, n := border(t[i], t[j]), border(t[l], t[i])
					add(of[i], corner[i], m, n)
					add(of[j], m, corner[j], corner[l], n)
					borders.from, borders.to = append(borders.from, m), append(borders.to, n)
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
	caption = fmt.Sprintf("All of %s lie in the region of their class.", plural(r.set.Len(), "point"))
	if len(r.wrong) > 0 {
		caption = fmt.Sprintf("Of %s, %s in the region of another class (crosses).", plural(r.set.Len(), "point"), isAreNumber(len(r.wrong)))
	}
	b := extent(r.set)
	x, y := "x1", "x2"
	if r.set.Features != nil {
		x, y = r.set.Features[0], r.set.Features[1]
	}
	units := "equal"
	if !r.equal {
		units = "different"
	}
	alt = fmt.Sprintf("Scatter plot of %s over %s from %s to %s (horizontal) and %s from %s to %s (vertical), in %s units, on a background divided by lines into the regions of %d classes.",
		plural(r.set.Len(), "point"), x, num(b.xmin), num(b.xmax), y, num(b.ymin), num(b.ymax), units, len(r.names))
	shapes := [...]string{"filled circles", "open squares", "filled triangles", "open diamonds", "filled squares", "open triangles"}
	for k, name := range r.names {
		alt += fmt.Sprintf(" %s: %s (%s), %s of them wrong; its region has about %s of the box.", minus(name), plural(n[k], "point"), shapes[k], count(mistakes[k]), percent(r.share[k]))
	}
	return caption, alt
}
