package plots

import (
	"errors"
	"fmt"
	"image/color"
	"math"
	"slices"
	"strings"

	"github.com/svmkit/course/svmkit"
	"gonum.org/v1/plot"
	"gonum.org/v1/plot/vg"
	"gonum.org/v1/plot/vg/draw"
)

// weightState says whether a dual weight α is at a bound.
type weightState int

const (
	atZero weightState = iota
	isFree
	atBound
)

// stateFill are the colours of the three states: light, middle and dark, so that they differ in
// grey print too.
var stateFill = [...]color.Color{color.White, orange, blue}

// boundTolerance is how near to 0 or upper, in units of upper, a weight counts as at the bound.
const boundTolerance = 1e-9

func stateOf(alpha, upper float64) weightState {
	switch {
	case alpha <= boundTolerance*upper:
		return atZero
	case alpha >= (1-boundTolerance)*upper:
		return atBound
	}
	return isFree
}

func states(alpha []float64, upper float64) (n [3]int) {
	for _, a := range alpha {
		n[stateOf(a, upper)]++
	}
	return n
}

func checkWeights(alpha []float64, upper float64) error {
	if !(upper > 0) || math.IsInf(upper, 1) {
		return &svmkit.ParamError{Name: "upper", Value: upper, Need: "must be positive and finite"}
	}
	if len(alpha) == 0 {
		return &svmkit.DataError{Row: svmkit.NoPlace, Col: svmkit.NoPlace, Err: svmkit.ErrEmpty}
	}
	for i, a := range alpha {
		if !(a >= -boundTolerance*upper && a <= (1+boundTolerance)*upper) {
			return &svmkit.DataError{Row: i, Col: svmkit.NoPlace, Value: a, Err: errOutsideBox}
		}
	}
	return nil
}

var errOutsideBox = errors.New("a dual weight must lie between 0 and its upper bound")

// WeightHistogram counts the dual weights α of a model by where they are in their box [0, upper]: one
// bar for those at zero, five for the free ones, one for those at the bound. The number of rows stands over each bar.
// The vertical axis is logarithmic if the tallest bar is 30 times as tall as the free ones' tallest.
func WeightHistogram(alpha []float64, upper float64) (*Figure, error) {
	if err := checkWeights(alpha, upper); err != nil {
		return nil, err
	}
	bars := weightBins(alpha, upper)
	p := newPlot(`dual weight $\alpha$, in units of its bound`, "rows")
	ticks, last := make([]plot.Tick, len(bars)), len(bars)-1
	for k := range bars {
		ticks[k] = plot.Tick{Value: float64(k), Label: fmt.Sprintf("< .%d", 2*k)}
	}
	ticks[0].Label, ticks[last-1].Label, ticks[last].Label = "0", "< 1", "1"
	p.X.Tick.Marker = plot.ConstantTicks(ticks)
	tallest, free := slices.Max(bars), slices.Max(bars[1:last])
	floor, top, scale := 0.0, 1.15*float64(tallest), ""
	if tallest >= 30*max(1, free) {
		floor, top = 0.5, 3*float64(tallest) // so that a bar of one row has a height
		logarithmic(&p.Y)
		scale = " The vertical axis is logarithmic."
	}
	show(p, box{-0.6, float64(last) + 0.6, floor, top})
	kinds := [3]columns{}
	for s := range kinds {
		kinds[s] = columns{floor: floor, fill: stateFill[s]}
	}
	for k, n := range bars {
		state := isFree
		switch k {
		case 0:
			state = atZero
		case last:
			state = atBound
		}
		if n > 0 {
			kinds[state].bars = append(kinds[state].bars, column{float64(k) - 0.4, float64(k) + 0.4, float64(n)})
		}
	}
	p.Add(kinds[atZero], kinds[isFree], kinds[atBound])
	f := &Figure{Plot: p, Width: phoneWidth, Height: 3 * vg.Inch,
		Legend: []Entry{{"at zero", kinds[atZero]}, {"free", kinds[isFree]}, {"at the bound", kinds[atBound]}}}
	n := states(alpha, upper)
	f.Caption = fmt.Sprintf("Of %s, %s at zero, %s free and %s at the bound: %s.",
		plural(len(alpha), "dual weight"), stand(n[atZero]), stand(n[isFree]), stand(n[atBound]), "only the last two kinds are support vectors") + scale
	f.Alt = fmt.Sprintf("Bar chart of %s by their place in the box from 0 to %s: a bar of %s at zero; five bars of equal width for the free ones, of %s; and a bar of %s at the bound.",
		plural(len(alpha), "dual weight"), num(upper), count(n[atZero]), counts(bars[1:last]), count(n[atBound]))
	return f, nil
}

// counts lists numbers of rows.
func counts(bars []int) string {
	words := make([]string, len(bars))
	for i, n := range bars {
		words[i] = count(n)
	}
	return strings.Join(words, ", ")
}

func stand(n int) string {
	if n == 1 {
		return "1 is"
	}
	return count(n) + " are"
}

// weightBins counts: at zero, five bins of equal width of the free ones, at the bound.
func weightBins(alpha []float64, upper float64) []int {
	bars := make([]int, 7)
	for _, a := range alpha {
		switch stateOf(a, upper) {
		case atZero:
			bars[0]++
		case atBound:
			bars[6]++
		default:
			bars[1+min(4, int(5*a/upper))]++
		}
	}
	return bars
}

type column struct{ from, to, height float64 }

// columns draws bars that stand on a floor, with their heights as numbers over them.
type columns struct {
	bars  []column
	floor float64
	fill  color.Color
}

func (b columns) Plot(c draw.Canvas, p *plot.Plot) {
	for _, bar := range b.bars {
		b.bar(&c, vg.Rectangle{Min: canvasPoint(&c, p, point{X: bar.from, Y: b.floor}), Max: canvasPoint(&c, p, point{X: bar.to, Y: bar.height})})
		sty := textStyle(noteSize)
		sty.XAlign, sty.YAlign = draw.XCenter, draw.YBottom
		at := canvasPoint(&c, p, point{X: (bar.from + bar.to) / 2, Y: bar.height})
		c.FillText(sty, vg.Point{X: at.X, Y: at.Y + 2}, num(bar.height))
	}
}

func (b columns) Thumbnail(c *draw.Canvas) { b.bar(c, c.Rectangle) }

func (b columns) bar(c *draw.Canvas, r vg.Rectangle) {
	corners := []vg.Point{r.Min, {X: r.Max.X, Y: r.Min.Y}, r.Max, {X: r.Min.X, Y: r.Max.Y}, r.Min}
	c.FillPolygon(b.fill, corners)
	c.StrokeLines(line(ink, 0.8, nil), corners)
}

// WeightHistory shows which dual weights are at a bound over the passes: one strip for each row of
// the data, from left to right the passes, light where α is at zero, middle where it is free, dark where
// it is at its bound. history[k] holds the weights after passes[k] passes, which must rise; the columns are equally wide. The
// strips are sorted by where their weights end; of more than 150 rows, 150 are drawn, evenly spaced in this order.
func WeightHistory(passes []int, history [][]float64, upper float64) (*Figure, error) {
	if len(history) < 2 {
		return nil, &svmkit.ParamError{Name: "history", Value: len(history), Need: "must hold at least two moments"}
	}
	if len(passes) != len(history) {
		return nil, &svmkit.ParamError{Name: "passes", Value: plural(len(passes), "number"), Need: "must be one for each moment of the history: " + count(len(history))}
	}
	for k, alpha := range history {
		if err := checkWeights(alpha, upper); err != nil {
			return nil, err
		}
		if len(alpha) != len(history[0]) {
			return nil, &svmkit.DataError{Row: svmkit.NoPlace, Col: svmkit.NoPlace, Err: svmkit.ErrMismatch}
		}
		if k > 0 && passes[k] <= passes[k-1] {
			return nil, &svmkit.ParamError{Name: "passes", Value: passes[k], Need: "must rise"}
		}
	}
	end := len(history) - 1
	last := history[end]
	order := make([]int, len(last))
	for i := range order {
		order[i] = i
	}
	slices.SortStableFunc(order, func(i, k int) int {
		return int(stateOf(last[i], upper)) - int(stateOf(last[k], upper))
	})
	rows := thin(len(order), 150)
	strips := strips{}
	for _, r := range rows {
		cells := make([]weightState, len(history))
		for k, alpha := range history {
			cells[k] = stateOf(alpha[order[r]], upper)
		}
		strips.rows = append(strips.rows, cells)
	}
	p := newPlot("after passes", "rows, sorted by their last state")
	p.Y.Tick.Marker = plot.ConstantTicks(nil)
	var ticks []plot.Tick
	for _, k := range thin(len(passes), 9) {
		ticks = append(ticks, plot.Tick{Value: float64(k), Label: count(passes[k])})
	}
	p.X.Tick.Marker = plot.ConstantTicks(ticks)
	show(p, box{-0.5, float64(len(history)) - 0.5, 0, float64(len(rows))})
	p.Add(strips)
	f := &Figure{Plot: p, Width: phoneWidth, Height: 3.8 * vg.Inch}
	for s, name := range []string{"at zero", "free", "at the bound"} {
		f.Legend = append(f.Legend, Entry{name, columns{fill: stateFill[s]}})
	}
	n, settled := states(last, upper), settledAfter(history, upper)
	half, most := passes[settled[(len(settled)-1)/2]], passes[settled[(9*len(settled)-1)/10]]
	f.Caption = fmt.Sprintf("Of the moments shown, half of the %s are in their last state from pass %s on, nine in ten from pass %s on; after pass %s, %s at zero, %s free and %s at the bound.",
		plural(len(last), "weight"), count(half), count(most), count(passes[end]), stand(n[atZero]), stand(n[isFree]), stand(n[atBound]))
	f.Caption += thinned(len(rows), len(last), "rows")
	first := states(history[0], upper)
	f.Alt = fmt.Sprintf("Strips of cells, one strip for each row of the data, %s from pass %s to pass %s from left to right; light is at zero, middle is free, dark is at the bound. At first %s at zero, %s free, %s at the bound; at the end %s, %s and %s. Half of the strips keep their shade from pass %s on.",
		plural(len(passes), "moment"), count(passes[0]), count(passes[end]), stand(first[atZero]), stand(first[isFree]), stand(first[atBound]), count(n[atZero]), count(n[isFree]), count(n[atBound]), count(half))
	return f, nil
}

// settledAfter returns, in ascending order, for each weight the first moment from which its state stays.
func settledAfter(history [][]float64, upper float64) []int {
	last := history[len(history)-1]
	settled := make([]int, len(last))
	for i, a := range last {
		k := len(history) - 1
		for k > 0 && stateOf(history[k-1][i], upper) == stateOf(a, upper) {
			k--
		}
		settled[i] = k
	}
	slices.Sort(settled)
	return settled
}

// strips draws rows of cells, the first row at the bottom, one unit each way.
type strips struct{ rows [][]weightState }

func (s strips) Plot(c draw.Canvas, p *plot.Plot) {
	for y, cells := range s.rows {
		for from := 0; from < len(cells); {
			to := from + 1
			for to < len(cells) && cells[to] == cells[from] {
				to++
			}
			lo := canvasPoint(&c, p, point{X: float64(from) - 0.5, Y: float64(y)})
			hi := canvasPoint(&c, p, point{X: float64(to) - 0.5, Y: float64(y + 1)})
			hi.Y += 0.5 // strips overlap, so that no gaps show between them
			c.FillPolygon(stateFill[cells[from]], []vg.Point{lo, {X: hi.X, Y: lo.Y}, hi, {X: lo.X, Y: hi.Y}})
			from = to
		}
	}
}
