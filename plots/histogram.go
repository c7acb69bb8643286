package plots

import (
	"fmt"
	"image/color"
	"math"

	"github.com/svmkit/course/svmkit"
	"gonum.org/v1/plot"
	"gonum.org/v1/plot/vg"
	"gonum.org/v1/plot/vg/draw"
)

// MarginHistogram shows how the signed geometric margins y·f(x)/‖w‖ of a set of any
// dimension are spread, the two classes stacked. Zero is the edge of two bins, so no bin
// mixes right and wrong; bars left of zero are points on the wrong side. A margin of exactly
// zero, which is a mistake too, counts with the bin on the left.
func MarginHistogram(set *svmkit.Dataset, h svmkit.Hyperplane) (*Figure, error) {
	if err := set.Validate(); err != nil {
		return nil, err
	}
	if err := drawable(set); err != nil {
		return nil, err
	}
	if err := checkPlane(h, set.Dim, false); err != nil {
		return nil, err
	}
	bars := marginBins(set, h)
	p := newPlot(`signed distance $y\,f(x) / \|w\|$`, "points")
	last := bars[len(bars)-1]
	tallest := 0
	for _, b := range bars {
		tallest = max(tallest, b.minus+b.plus)
	}
	show(p, box{min(0, bars[0].from), max(0, last.to), 0, 1.06 * float64(tallest)})
	plus := stack{bars: bars, fill: blue, edge: blue}
	minus := stack{bars: bars, fill: paleRed, edge: vermillion, lower: true}
	zero := vertical{0, line(ink, 1.8, nil)}
	p.Add(plus, minus, zero)

	gamma, _ := h.SetMargin(set)
	g := vertical{gamma, line(green, 1.8, dashed)}
	p.Add(g)
	f := &Figure{Plot: p, Legend: []Entry{{className(set, 1), plus}, {className(set, -1), minus},
		{"the plane", zero}, {`$\gamma$ = ` + num(gamma), g}}}
	f.Caption, f.Alt = histogramWords(set, h, bars)
	return f, nil
}

// bin counts the margins in (from, to] of each class.
type bin struct {
	from, to    float64
	plus, minus int
}

// marginBins returns about thirty bins over the range of the margins; their edges are whole
// multiples of one width, so zero is one of them.
func marginBins(set *svmkit.Dataset, h svmkit.Hyperplane) []bin {
	lo, hi := 0.0, 0.0
	margins := make([]float64, set.Len())
	for i, x := range set.X {
		margins[i] = h.Margin(x, set.Y[i])
		lo, hi = min(lo, margins[i]), max(hi, margins[i])
	}
	width := niceStep((hi - lo) / 40)
	if width == 0 {
		width = 1
	}
	first := math.Floor(lo / width)
	if lo == first*width { // the bins are open on the left
		first--
	}
	if lo == 0 && hi > 0 && !anyZero(margins) {
		first = 0
	}
	n := max(1, int(math.Ceil(hi/width)-first))
	bars := make([]bin, n)
	for k := range bars {
		bars[k].from, bars[k].to = (first+float64(k))*width, (first+float64(k)+1)*width
	}
	for i, m := range margins {
		// The quotient may be rounded across an edge, but not across zero.
		k := min(max(int(math.Ceil(m/width)-first)-1, 0), n-1)
		if set.Y[i] > 0 {
			bars[k].plus++
		} else {
			bars[k].minus++
		}
	}
	return bars
}

func anyZero(vs []float64) bool {
	for _, v := range vs {
		if v == 0 {
			return true
		}
	}
	return false
}

// stack draws one class of the bars: the lower or the upper part.
type stack struct {
	bars  []bin
	fill  color.Color
	edge  color.Color
	lower bool
}

func (s stack) Plot(c draw.Canvas, p *plot.Plot) {
	for _, b := range s.bars {
		from, to := float64(b.minus), float64(b.minus+b.plus)
		if s.lower {
			from, to = 0, float64(b.minus)
		}
		if from == to {
			continue
		}
		lo := canvasPoint(&c, p, point{X: b.from, Y: from})
		hi := canvasPoint(&c, p, point{X: b.to, Y: to})
		s.bar(&c, vg.Rectangle{Min: lo, Max: hi})
	}
}

func (s stack) Thumbnail(c *draw.Canvas) { s.bar(c, c.Rectangle) }

func (s stack) bar(c *draw.Canvas, r vg.Rectangle) {
	corners := []vg.Point{r.Min, {X: r.Max.X, Y: r.Min.Y}, r.Max, {X: r.Min.X, Y: r.Max.Y}, r.Min}
	c.FillPolygon(s.fill, corners)
	c.StrokeLines(line(s.edge, 1, nil), corners)
}

func histogramWords(set *svmkit.Dataset, h svmkit.Hyperplane, bars []bin) (caption, alt string) {
	gamma, _ := h.SetMargin(set)
	wrong, within := 0, 0
	for i, x := range set.X {
		m := h.Margin(x, set.Y[i])
		if m <= 0 {
			wrong++
		}
		if gamma > 0 && m <= 2*gamma {
			within++
		}
	}
	n := set.Len()
	if gamma > 0 {
		caption = fmt.Sprintf("The plane separates all %s points: none has a signed distance below γ = %s, and %s within 2γ of the plane.", count(n), num(gamma), isAre(within))
	} else {
		caption = fmt.Sprintf("The plane does not separate the set: of %s, %s left of zero or on it, the worst at %s.", plural(n, "point"), isAreNumber(wrong), num(gamma))
	}
	peak := bars[0]
	for _, b := range bars {
		if b.plus+b.minus > peak.plus+peak.minus {
			peak = b
		}
	}
	alt = fmt.Sprintf("Histogram of the signed distances of %s from the plane, from %s to %s in %s of width %s, class +1 (dark) stacked on class −1 (light). "+
		"%s at or left of zero; the smallest distance is %s; the tallest bar, from %s to %s, holds %s.",
		plural(n, "point"), num(bars[0].from), num(bars[len(bars)-1].to), plural(len(bars), "bin"), num(bars[0].to-bars[0].from),
		upperFirst(isAre(wrong)), num(gamma), num(peak.from), num(peak.to), plural(peak.plus+peak.minus, "point"))
	return caption, alt
}
