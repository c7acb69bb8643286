package plots

import (
	"cmp"
	"fmt"
	"math"
	"slices"

	"github.com/svmkit/course/svmkit"
	"github.com/svmkit/course/svmkit/kernel"
	"gonum.org/v1/plot"
	"gonum.org/v1/plot/vg"
)

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
func GramMatrix(set *svmkit.Dataset, k kernel.Kernel) (*Figure, error) {
	if err := set.Validate(); err != nil {
		return nil, err
	}
	if err := kernel.Validate(k); err != nil {
		return nil, err
	}
	rows := gramRows(set)
	g := &gram{set: set, rows: rows}
	if err := g.evaluate(k); err != nil {
		return nil, err
	}
	g.findBlocks()
	n := float64(len(rows))
	shade := shade{0, g.hi, sequential}
	switch {
	case g.lo < 0 && g.hi > 0:
		most := max(-g.lo, g.hi)
		shade.lo, shade.hi, shade.stops = -most, most, diverging
	case g.lo < 0:
		shade.lo, shade.hi, shade.stops = g.lo, 0, slices.Clone(diverging[:3])
	}
	var columns, lines []plot.Tick
	borders := segments{style: line(ink, 1, nil)}
	for b, from := range g.blocks {
		to := len(rows)
		if b+1 < len(g.blocks) {
			to = g.blocks[b+1]
			at := float64(to)
			borders.from = append(borders.from, point{X: at}, point{Y: n - at})
			borders.to = append(borders.to, point{X: at, Y: n}, point{X: n, Y: n - at})
		}
		middle, name := float64(from+to)/2, literal(g.name(b))
		columns = append(columns, plot.Tick{Value: middle, Label: name})
		lines = append(lines, plot.Tick{Value: n - middle, Label: name})
	}
	axis := "rows, by class"
	if g.blocks == nil {
		axis = "rows, by target"
	}
	p := matrixPlot(axis, axis, columns, lines)
	show(p, box{0, 1.24 * n, 0, n})
	p.Add(heat{len(rows), len(rows), func(r, c int) float64 { return g.value[r*len(rows)+c] }, shade})
	if len(g.blocks) <= 12 {
		p.Add(borders)
	}
	p.Add(colourBar{shade, box{1.06 * n, 1.11 * n, 0, n}})
	f := &Figure{Plot: p, EqualUnits: true}
	const side = 3.5 * vg.Inch
	f.Width, f.Height = matrixSize(p, 1.24*side, side)
	f.Caption, f.Alt = g.words()
	f.Caption += thinned(len(rows), set.Len(), "rows, ordered by class")
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
	order := make([]int, set.Len())
	for i := range order {
		order[i] = i
	}
	slices.SortStableFunc(order, func(i, j int) int { return cmp.Compare(set.Y[i], set.Y[j]) })
	rows := thin(len(order), maxGram)
	for k, at := range rows {
		rows[k] = order[at]
	}
	return rows
}

func (g *gram) evaluate(k kernel.Kernel) (err error) {
	defer func() {
		if r := recover(); r != nil {
			err = &svmkit.ParamError{Name: "kernel", Value: fmt.Sprint(r), Need: "must take two rows of the set"}
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
			return &svmkit.DataError{Row: a, Col: b, Value: v, Err: fmt.Errorf("kernel: %w", svmkit.ErrNotFinite)}
		case math.Abs(v) > maxDrawn:
			return &svmkit.DataError{Row: a, Col: b, Value: v, Err: errTooLarge}
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
	return minus(fmt.Sprintf("%+g", y))
}

func (g *gram) words() (caption, alt string) {
	n := len(g.rows)
	alt = fmt.Sprintf("Heat map of a symmetric matrix of %s by %s kernel values, from %s to %s, with a colour bar.", count(n), count(n), num(g.lo), num(g.hi))
	if len(g.blocks) < 2 {
		caption = fmt.Sprintf("The kernel's values for all pairs of %s lie between %s and %s.", plural(n, "row"), num(g.lo), num(g.hi))
		return caption, alt + " There are no classes to order the rows by; they follow their labels."
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
		return fmt.Sprintf("Each row has a class of its own; two of them have a kernel value of %s on average.", num(between)), alt
	}
	within := same / float64(sames)
	verdict := "on average, the kernel sees the classes"
	if within <= between {
		verdict = "the kernel does not see the classes"
	}
	caption = fmt.Sprintf("Two different rows of one class have a kernel value of %s on average, two of different classes %s: %s.", num(within), num(between), verdict)
	alt += fmt.Sprintf(" Rows are ordered by class, first at the top left; lines separate %d classes. The mean of two different rows is %s inside the blocks of the diagonal and %s outside.", len(g.blocks), num(within), num(between))
	return caption, alt
}
