package figures

import (
	"cmp"
	"fmt"
	"image/color"
	"math"
	"slices"
	"strings"

	"github.com/svmkit/course/plots"
	"github.com/svmkit/course/plots/check"
	"github.com/svmkit/course/plots/geom"
	"github.com/svmkit/course/plots/pen"
	"github.com/svmkit/course/plots/prose"
	"github.com/svmkit/course/svmkit"
	"github.com/svmkit/course/svmkit/kernel"
	"gonum.org/v1/plot"
	"gonum.org/v1/plot/vg"
	"gonum.org/v1/plot/vg/draw"
)

// BoundaryStrip draws the decision regions of two to six models of one 2-D set in small panels, two
// in a row, each under its model's name: how the border changes with a parameter. The caption
// counts the points on the wrong side and, of an *svm.Model or *svm.Result, the support vectors.
// The rows wrongLabel, known to have a wrong label, are ringed. The rest is as in
// [DecisionRegions], with smaller marks; the panels have one range.
func BoundaryStrip(set *svmkit.Dataset, models []NamedModel, wrongLabel ...int) (*plots.Figure,
	error) {
	if err := check.Count("models", len(models), 2, 6, "model"); err != nil {
		return nil, err
	}
	strip := &plots.Figure{Width: pen.PhoneWidth,
		Height: vg.Length((len(models)+1)/2)*2.05*vg.Inch + 0.6*vg.Inch}
	var said []string
	var panels []*plot.Plot
	for k, m := range models {
		if m.Model == nil {
			return nil, check.Param("models", k, "must each have a model")
		}
		f, err := plots.DecisionRegions(set, m.Model, plots.RegionMarks{Support: append([]int{},
			wrongLabel...), Name: "wrong label", Size: 0.6})
		if err != nil {
			return nil, err
		}
		if k == 0 {
			strip.Legend, strip.EqualUnits = f.Legend, f.EqualUnits
		} else if len(f.Legend) > len(strip.Legend) { // the first may have no line f = 0
			strip.Legend = f.Legend
		}
		p := pen.Bare(f.Plot)
		p.Title.Text = m.Name
		panels = append(panels, p)
		wrong := 0
		for i, x := range set.X {
			if !(set.Y[i]*m.Model.Score(x) > 0) {
				wrong++
			}
		}
		name := prose.Plain(m.Name)
		strip.Alt += fmt.Sprintf(" %s: %s", name, f.Alt)
		count := fmt.Sprintf("%d (%s", wrong, name)
		if fit := plots.Trained(m.Model); fit != nil {
			count += ", " + prose.Plural(len(fit.SV), "support vector")
		}
		said = append(said, count+")")
	}
	strip.Panels = slices.Collect(slices.Chunk(panels, 2))
	strip.Caption = fmt.Sprintf("Of %s, on the wrong side of the border or on it: %s.",
		prose.Plural(set.Len(), "point"), strings.Join(said, "; "))
	strip.Caption += prose.If(len(wrongLabel) > 0, " Ringed: %s with a wrong label.",
		prose.Plural(len(wrongLabel), "point"))
	strip.Alt = fmt.Sprintf("%d panels with the same points and the regions of one model each.%s",
		len(models), strip.Alt)
	return strip, nil
}

// maxGram is how many rows of a Gram matrix are drawn: at twice as many a cell is a pixel.
const maxGram = 240

// GramMatrix draws the matrix of all κ(xᵢ, xⱼ), the rows ordered by class. A kernel that
// separates the classes shows blocks along the diagonal. Values of one sign have a scale
// from white to dark; if both signs occur, blue is positive and vermillion negative.
//
// Of more than 240 rows, 240 are drawn, evenly spaced in this order; the numbers of the caption
// are then of these. Labels are classes if the set names them or all are ±1; other labels are
// targets, and order the rows. A value that is not finite is a *svmkit.DataError that names
// both rows as Row and Col.
func GramMatrix(set *svmkit.Dataset, k kernel.Kernel) (*plots.Figure, error) {
	if err := cmp.Or(set.Validate(), kernel.Validate(k)); err != nil {
		return nil, err
	}
	rows := gramRows(set)
	g := &gram{set: set, rows: rows}
	if err := g.evaluate(k); err != nil {
		return nil, err
	}
	g.findBlocks()
	n := float64(len(rows))
	shade := pen.Shade{Lo: 0, Hi: g.hi, Stops: pen.Sequential}
	switch {
	case g.lo < 0 && g.hi > 0:
		most := max(-g.lo, g.hi)
		shade.Lo, shade.Hi, shade.Stops = -most, most, pen.Diverging
	case g.lo < 0:
		shade.Lo, shade.Hi, shade.Stops = g.lo, 0, slices.Clone(pen.Diverging[:3])
	}
	var columns, lines []plot.Tick
	borders := pen.Segments{Style: pen.Line(pen.Ink, 1, nil)}
	for b, from := range g.blocks {
		to := len(rows)
		if b+1 < len(g.blocks) {
			to = g.blocks[b+1]
			at := float64(to)
			borders.From = append(borders.From, geom.Point{X: at}, geom.Point{Y: n - at})
			borders.To = append(borders.To, geom.Pt(at, n), geom.Pt(n, n-at))
		}
		middle, name := float64(from+to)/2, prose.Literal(g.name(b))
		columns = append(columns, plot.Tick{Value: middle, Label: name})
		lines = append(lines, plot.Tick{Value: n - middle, Label: name})
	}
	axis := prose.Either(g.blocks == nil, "rows, by target", "rows, by class")
	p := pen.MatrixPlot(axis, axis, columns, lines)
	pen.Show(p, geom.Rect(0, 1.24*n, 0, n))
	p.Add(pen.Heat{Rows: len(rows), Columns: len(rows),
		Value: func(r, c int) float64 { return g.value[r*len(rows)+c] }, Shade: shade})
	if len(g.blocks) <= 12 {
		p.Add(borders)
	}
	p.Add(colourBar{Shade: shade, Place: geom.Rect(1.06*n, 1.11*n, 0, n)})
	f := &plots.Figure{Plot: p, EqualUnits: true}
	const side = 3.5 * vg.Inch
	f.Width, f.Height = pen.MatrixSize(p, 1.24*side, side)
	f.Caption, f.Alt = g.words()
	f.Caption += prose.Thinned(len(rows), set.Len(), "rows, ordered by class")
	return f, nil
}

// gram is a Gram matrix of some rows of a set.
type gram struct {
	set    *svmkit.Dataset
	rows   []int
	value  []float64 // len(rows)² numbers
	lo, hi float64
	blocks []int // where each class that occurs begins; nil if labels are targets
}

// gramRows returns the rows that are drawn, ordered by their labels.
func gramRows(set *svmkit.Dataset) []int {
	order := pen.Thin(set.Len(), set.Len())
	slices.SortStableFunc(order, func(i, j int) int { return cmp.Compare(set.Y[i], set.Y[j]) })
	return pen.Some(order, maxGram)
}

func (g *gram) evaluate(k kernel.Kernel) (err error) {
	defer func() {
		if r := recover(); r != nil {
			err = check.Param("kernel", fmt.Sprint(r), "must take two rows of the set")
		}
	}()
	some := make([]svmkit.Row, len(g.rows))
	for i, r := range g.rows {
		some[i] = g.set.X[r]
	}
	g.value = kernel.Gram(k, some)
	g.lo, g.hi = math.Inf(1), math.Inf(-1)
	for i, v := range g.value {
		a, b := g.rows[i/len(some)], g.rows[i%len(some)]
		switch {
		case math.IsNaN(v) || math.IsInf(v, 0):
			return check.Data(a, b, v, fmt.Errorf("kernel: %w", svmkit.ErrNotFinite))
		case math.Abs(v) > check.Max:
			return check.Data(a, b, v, check.ErrTooLarge)
		}
		g.lo, g.hi = min(g.lo, v), max(g.hi, v)
	}
	return nil
}

func (g *gram) findBlocks() {
	if g.set.Classes == nil {
		for _, y := range g.set.Y {
			if y != -1 && y != 1 {
				return
			}
		}
	}
	for i := range g.rows {
		if i == 0 || g.label(i) != g.label(i-1) {
			g.blocks = append(g.blocks, i)
		}
	}
}

func (g *gram) label(i int) float64 { return g.set.Y[g.rows[i]] }

// name returns what the b-th block is called.
func (g *gram) name(b int) string {
	y := g.label(g.blocks[b])
	k := int(y)
	if len(g.set.Classes) == 2 {
		k = (k + 1) / 2
	}
	if k >= 0 && k < len(g.set.Classes) {
		return g.set.Classes[k]
	}
	return prose.Minus(fmt.Sprintf("%+g", y))
}

func (g *gram) words() (caption, alt string) {
	n := len(g.rows)
	alt = prose.Say("Heat map of a symmetric matrix of %v by %v kernel values, from %v to %v, "+
		"with a colour bar.", n, n, g.lo, g.hi)
	if len(g.blocks) < 2 {
		caption = prose.Say("The kernel's values for all pairs of %s lie between %v and %v.",
			prose.Plural(n, "row"), g.lo, g.hi)
		return caption, alt +
			" There are no classes to order the rows by; they follow their labels."
	}
	var same, other float64
	var sames, others int
	for i := range n {
		for j := range i {
			if v := g.value[i*n+j]; g.label(i) == g.label(j) {
				same, sames = same+v, sames+1
			} else {
				other, others = other+v, others+1
			}
		}
	}
	between := other / float64(others)
	if sames == 0 {
		return prose.Say("Each row has a class of its own; two of them have a kernel value of "+
			"%v on average.", between), alt
	}
	within := same / float64(sames)
	verdict := prose.Either(within <= between,
		"the kernel does not see the classes", "on average, the kernel sees the classes")
	caption = prose.Say("Two different rows of one class have a kernel value of %v on "+
		"average, two of different classes %v: %s.", within, between, verdict)
	alt += prose.Say(" Rows are ordered by class, first at the top left; lines separate %d "+
		"classes. The mean of two different rows is %v inside the blocks of the diagonal and %v "+
		"outside.", len(g.blocks), within, between)
	return caption, alt
}

// NamedModel is a model with its name in a legend, which may hold math.
type NamedModel struct {
	Name  string
	Model svmkit.Scorer
}

// Sight is the direction from which a picture of three dimensions is seen, in degrees.
type Sight struct {
	Turn float64 // about the third axis, from the first axis towards the second
	Tilt float64 // above the plane of the first two axes, −90 to 90
}

// maxSpace is how many points are drawn in three dimensions: more would hide the plane.
const maxSpace = 400

// Space draws a set of three columns and a plane, without perspective and in equal units: what lies
// behind the plane is seen through it. The third axis points upwards. The picture has one size for
// all values of Turn. Of more than 400 points 400 are drawn.
//
// The plane is drawn within the box around the points; if it misses the box it is not drawn, and
// the caption says so. It is an error if the set has not three columns and labels ±1, if w = 0, or
// if the angles are not finite or Tilt is out of its range.
func Space(set *svmkit.Dataset, h svmkit.Hyperplane, from Sight) (*plots.Figure, error) {
	if err := cmp.Or(check.Labelled(set, 3), check.Plane(h, 3)); err != nil {
		return nil, err
	}
	if !(math.Abs(from.Turn) <= 1e6) || !(math.Abs(from.Tilt) <= 90) {
		return nil, check.Param("Sight", from,
			"must have a finite Turn (up to 1e6) and a Tilt from −90 to 90 degrees")
	}
	s := newSpace(set, from)
	p := pen.Bare(pen.NewPlot("", ""))
	p.X.LineStyle.Width, p.Y.LineStyle.Width = 0, 0
	p.Add(pen.Area{Polygon: geom.Box.Corners, Fill: color.White}) // over the grid
	pen.Show(p, geom.Rect(-s.wide, s.wide, -s.high, s.high))

	frame := pen.Segments{Style: pen.Line(pen.GridColour, 1, nil)}
	axes := pen.Segments{Style: pen.Line(pen.Faint, 1.3, nil)}
	for k := range 8 {
		for j := range 3 {
			if k>>j&1 == 1 {
				continue
			}
			lines := &frame
			if k == 0 {
				lines = &axes
			}
			lines.Add(s.flat(s.corner(k)), s.flat(s.corner(k|1<<j)))
		}
	}
	p.Add(frame, axes)
	cut := s.cut(h)
	sheet := pen.Area{Polygon: func(geom.Box) []geom.Point { return cut },
		Fill: color.NRGBA{0xe6, 0x9f, 0x00, 0x60}, Border: pen.Line(pen.Ink, 1.2, nil)}
	rows := pen.Thin(set.Len(), maxSpace)
	size := vg.Length(1)
	if len(rows) > 150 {
		size = 0.65
	}
	slices.SortStableFunc(rows, func(i, k int) int {
		return cmp.Compare(s.depth(set.X[i]), s.depth(set.X[k]))
	})
	// its sign is that of the side we look from
	near := svmkit.Hyperplane{W: h.W}.Score(svmkit.Dense(s.eye[:]...))
	for _, front := range []bool{false, true} {
		if front && len(cut) > 0 {
			p.Add(sheet)
		}
		for _, i := range rows {
			if (h.Score(set.X[i])*near > 0) != front {
				continue
			}
			p.Add(classMark(set.Y[i], size).At(s.flat(dense3(set.X[i]))))
		}
	}
	names := pen.Labels{Clear: 5}
	for _, i := range rows {
		names.Avoid = append(names.Avoid, s.flat(dense3(set.X[i])))
	}
	for j := range 3 {
		tip := s.flat(s.corner(1 << j))
		root := s.flat(s.corner(0))
		name := pen.FeatureName(set, j)
		if set.Features != nil {
			name = set.Features[j] // may hold math
		}
		names.Items = append(names.Items, pen.Label{At: tip, Text: name,
			Lean: geom.Pt(tip.X-root.X, tip.Y-root.Y)})
	}
	p.Add(names)

	f := &plots.Figure{Plot: p, EqualUnits: true, Width: pen.PhoneWidth,
		Height: min(pen.PhoneWidth*vg.Length(s.high/s.wide)+0.6*vg.Inch, 6*vg.Inch)}
	f.Legend = spaceLegend(set, size)
	if len(cut) > 0 {
		f.Legend.Add("plane $f = 0$", sheet)
	}
	f.Caption, f.Alt = s.words(set, h, from, len(cut) > 0)
	f.Caption += prose.Thinned(len(rows), set.Len(), "points")
	return f, nil
}

// classMark returns the mark of a class.
func classMark(label float64, size vg.Length) pen.Mark {
	m := pen.Positive
	if label < 0 {
		m = pen.Negative
	}
	m.Radius *= size
	return m
}

func spaceLegend(set *svmkit.Dataset, size vg.Length) (legend pen.Legend) {
	for _, y := range []float64{1, -1} {
		m := classMark(y, size)
		if slices.Contains(set.Y, y) {
			legend.Add(pen.ClassName(set, y), pen.Marks{Mark: m})
		}
	}
	return legend
}

// space is the box around the points of a set, and the way to look at it.
type space struct {
	lo, hi         [3]float64
	right, up, eye [3]float64 // unit vectors: of the picture, and towards who looks
	// the picture reaches from −wide to wide and from −high to high; Turn does not change them
	wide, high float64
}

func newSpace(set *svmkit.Dataset, from Sight) *space {
	s := &space{}
	for j := range 3 {
		s.lo[j], s.hi[j] = math.Inf(1), math.Inf(-1)
		for _, x := range set.X {
			s.lo[j], s.hi[j] = min(s.lo[j], x.At(j)), max(s.hi[j], x.At(j))
		}
	}
	longest := max(s.hi[0]-s.lo[0], s.hi[1]-s.lo[1], s.hi[2]-s.lo[2])
	pad := 0.05 * longest
	if pad == 0 {
		pad = 1
	}
	for j := range 3 {
		s.lo[j], s.hi[j] = s.lo[j]-pad, s.hi[j]+pad
	}
	sin, cos := math.Sincos(from.Turn * math.Pi / 180)
	rise, flat := math.Sincos(from.Tilt * math.Pi / 180)
	s.right = [3]float64{-sin, cos, 0}
	s.up = [3]float64{-rise * cos, -rise * sin, flat}
	s.eye = [3]float64{flat * cos, flat * sin, rise}
	base := math.Hypot(s.hi[0]-s.lo[0], s.hi[1]-s.lo[1]) / 2
	s.wide, s.high = 1.08*base, 1.08*(base*math.Abs(rise)+(s.hi[2]-s.lo[2])/2*flat)
	return s
}

func dense3(x svmkit.Row) [3]float64 { return [3]float64{x.At(0), x.At(1), x.At(2)} }

// corner returns a corner of the box: bit j of k says whether axis j is at its upper end.
func (s *space) corner(k int) (q [3]float64) {
	for j := range 3 {
		if q[j] = s.lo[j]; k>>j&1 == 1 {
			q[j] = s.hi[j]
		}
	}
	return q
}

// along returns the product of q, from the middle of the box, with a unit vector.
func (s *space) along(q, unit [3]float64) (sum float64) {
	for j := range 3 {
		sum += (q[j] - (s.lo[j] + (s.hi[j]-s.lo[j])/2)) * unit[j]
	}
	return sum
}

// flat returns where q is in the picture.
func (s *space) flat(q [3]float64) geom.Point {
	return geom.Pt(s.along(q, s.right), s.along(q, s.up))
}

// depth grows towards who looks.
func (s *space) depth(x svmkit.Row) float64 { return s.along(dense3(x), s.eye) }

// cut returns the polygon in which the plane h meets the box, in the picture; nil if it misses it.
func (s *space) cut(h svmkit.Hyperplane) []geom.Point {
	score := func(q [3]float64) float64 { return h.Score(svmkit.Dense(q[:]...)) }
	var found [][3]float64
	for k := range 8 {
		for j := range 3 {
			if k>>j&1 == 1 {
				continue
			}
			a, b := s.corner(k), s.corner(k|1<<j)
			fa, fb := score(a), score(b)
			if (fa < 0) == (fb < 0) {
				continue
			}
			q := a
			q[j] += fa / (fa - fb) * (b[j] - a[j])
			found = append(found, q)
		}
	}
	if len(found) < 3 {
		return nil
	}
	// In their order around the normal, seen in the two axes across the normal's longest entry.
	skip := 0
	for j := range 3 {
		if math.Abs(h.W[j]) > math.Abs(h.W[skip]) {
			skip = j
		}
	}
	u, v := (skip+1)%3, (skip+2)%3
	var mu, mv float64
	for _, q := range found {
		mu, mv = mu+q[u]/float64(len(found)), mv+q[v]/float64(len(found))
	}
	slices.SortFunc(found, func(a, b [3]float64) int {
		return cmp.Compare(math.Atan2(a[v]-mv, a[u]-mu), math.Atan2(b[v]-mv, b[u]-mu))
	})
	polygon := make([]geom.Point, len(found))
	for k, q := range found {
		polygon[k] = s.flat(q)
	}
	return polygon
}

func (s *space) words(set *svmkit.Dataset, h svmkit.Hyperplane, from Sight, meets bool) (caption,
	alt string) {
	wrong := geom.Mistakes(set, h)
	switch {
	case !meets:
		caption = fmt.Sprintf("The plane passes by the box around the points and is not drawn; "+
			"of %s, %s on the wrong side of it.", prose.Plural(set.Len(), "point"),
			prose.Are(wrong))
	case wrong == 0:
		caption = fmt.Sprintf("The plane separates the classes: each of %s lies on its side.",
			prose.Plural(set.Len(), "point"))
	default:
		caption = fmt.Sprintf("Of %s, %s on the wrong side of the plane or on it.",
			prose.Plural(set.Len(), "point"), prose.Are(wrong))
	}
	alt = fmt.Sprintf("Three-dimensional scatter plot of %s in a box:", prose.Points(set))
	for j := range 3 {
		lo, hi := math.Inf(1), math.Inf(-1)
		for _, x := range set.X {
			lo, hi = min(lo, x.At(j)), max(hi, x.At(j))
		}
		alt += prose.If(j > 0, ",")
		alt += prose.Say(" %s from %v to %v",
			strings.ReplaceAll(prose.Plain(prose.Feature(set, j)), "_", ""), lo, hi)
	}
	alt += prose.Say("; the last axis points upwards. A plane with the normal (%v, %v, %v) "+
		"and b = %v", h.W[0], h.W[1], h.W[2], h.B)
	if meets {
		alt += " cuts through the box"
	} else {
		alt += " misses the box"
	}
	along := svmkit.Hyperplane{W: h.W}.Score(svmkit.Dense(s.eye[:]...)) / h.Norm()
	return caption, alt + prose.Say("; %s on the wrong side of it. Turned by %v and tilted "+
		"by %v degrees: the line of sight meets the plane at %.0f degrees.", prose.PointsAre(wrong),
		from.Turn, from.Tilt, math.Asin(min(1, math.Abs(along)))*180/math.Pi)
}

// CostGamma holds the results of a grid over the cost C and a kernel's γ: an error rate in [0, 1]
// and a number of support vectors per pair. Entry [i][j] belongs to C[i] and Gamma[j].
type CostGamma struct {
	C, Gamma []float64 // positive and rising, 2 to 8 of each
	Error    [][]float64
	Support  [][]int
}

// CostGammaMap draws the grid with one cell per pair, C to the right and γ upwards. Each cell shows
// its error rate as a percentage over its number of support vectors; it is darker for a larger
// error rate. The least errors are framed.
func CostGammaMap(g CostGamma) (*plots.Figure, error) {
	if err := g.validate(); err != nil {
		return nil, err
	}
	best, worst := g.ends()
	// The scale ends well above the worst error, so that black text is legible on every cell.
	p := pen.PairPlot(g.C, g.Gamma, pen.Shade{Lo: 0, Hi: 2.2 * max(worst, 1e-3),
		Stops: pen.Sequential}, func(i, j int) float64 { return g.Error[i][j] })
	framed := pen.Frames(len(g.C), len(g.Gamma), 0.04, pen.Line(pen.Vermillion, 2.2, nil),
		func(i, j int) bool { return g.Error[i][j] <= best })
	p.Add(framed, pen.PairTexts{Columns: len(g.C), Rows: len(g.Gamma),
		At: func(i, j int) (string, string) {
			return fmt.Sprintf("%.1f%%", 100*g.Error[i][j]), prose.Count(g.Support[i][j])
		}})
	f := &plots.Figure{Plot: p, Legend: pen.Legend{{Name: "least error; in each cell error, " +
		"and support vectors", Mark: framed}}}
	f.Width, f.Height = pen.PairSize(p, len(g.Gamma))
	f.Caption, f.Alt = g.words(best)
	return f, nil
}

func (g CostGamma) validate() error {
	if err := check.Pairs(g.C, g.Gamma); err != nil {
		return err
	}
	if len(g.Error) != len(g.C) || len(g.Support) != len(g.C) {
		return check.All(svmkit.ErrMismatch)
	}
	for i := range g.C {
		if len(g.Error[i]) != len(g.Gamma) || len(g.Support[i]) != len(g.Gamma) {
			return check.Data(i, svmkit.NoPlace, 0, svmkit.ErrMismatch)
		}
		for j, e := range g.Error[i] {
			if !(e >= 0 && e <= 1) {
				return check.Data(i, j, e, check.ErrShare)
			}
			if g.Support[i][j] < 0 {
				return check.Data(i, j, float64(g.Support[i][j]), check.ErrCount)
			}
		}
	}
	return nil
}

// ends returns the least and the largest error.
func (g CostGamma) ends() (best, worst float64) {
	best = math.Inf(1)
	for _, row := range g.Error {
		for _, e := range row {
			best, worst = min(best, e), max(worst, e)
		}
	}
	return best, worst
}

func (g CostGamma) words(best float64) (caption, alt string) {
	first, more := "", 0
	fewest, most := math.MaxInt, 0
	for i, c := range g.C {
		for j, v := range g.Gamma {
			if g.Error[i][j] <= best {
				if first == "" {
					first = prose.Say("C = %v and γ = %v, with %s",
						c, prose.Roughly(v), prose.Plural(g.Support[i][j], "support vector"))
				} else {
					more++
				}
			}
			fewest, most = min(fewest, g.Support[i][j]), max(most, g.Support[i][j])
		}
	}
	caption = fmt.Sprintf("The least error, %.1f %%, is that of %s", 100*best, first)
	caption += prose.If(more > 0, " (and of %d more)", more)
	caption += prose.Say(". The numbers of support vectors reach from %v to %v.", fewest, most)
	return caption, prose.Cells(g.C, g.Gamma,
		"an error rate and a number of support vectors in each cell; dark is a large error",
		func(i, j int) string {
			return prose.Say("%.1f %% and %v", 100*g.Error[i][j], g.Support[i][j])
		})
}

// colourBar explains a shade: a strip of the given place with the numbers of its ends and its
// middle on the right.
type colourBar struct {
	Shade pen.Shade
	Place geom.Box
}

func (b colourBar) Plot(c draw.Canvas, p *plot.Plot) {
	at := func(x, t float64) vg.Point {
		return pen.CanvasPoint(&c, p, geom.Pt(x, b.Place.YMin+t*(b.Place.YMax-b.Place.YMin)))
	}
	for k := range pen.ShadeSteps { // from the top down: each covers the seam of the one before
		t := float64(pen.ShadeSteps-k) / pen.ShadeSteps
		lo, hi := at(b.Place.XMin, 0), at(b.Place.XMax, t)
		c.FillPolygon(b.Shade.Colour(b.Shade.Lo+(t-0.5/pen.ShadeSteps)*(b.Shade.Hi-b.Shade.Lo)),
			pen.Corners(lo, hi))
	}
	lo, hi := at(b.Place.XMin, 0), at(b.Place.XMax, 1)
	c.StrokeLines(pen.Line(pen.Faint, 0.8, nil), append(pen.Corners(lo, hi), lo))
	sty := pen.TextStyle(pen.TickSize)
	sty.YAlign = draw.YCenter
	for _, t := range []float64{0, 0.5, 1} {
		q := at(b.Place.XMax, t)
		c.FillText(sty, vg.Point{X: q.X + 4, Y: q.Y + sty.FontExtents().Descent/2},
			prose.Num(prose.Roughly(b.Shade.Lo+t*(b.Shade.Hi-b.Shade.Lo))))
	}
}
