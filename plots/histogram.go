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
// dimension are spread: a panel for each class, one above the other, with the same axes. Zero is the
// boundary of two bins, so no bin mixes right and wrong; bars left of zero are points on the wrong side. A
// margin of exactly zero, which is a mistake too, counts with the bin on the left.
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
	bins := marginBins(set, h)
	last := bins[len(bins)-1]
	tallest := 0
	for _, b := range bins {
		tallest = max(tallest, b.minus, b.plus)
	}
	gamma, _ := h.SetMargin(set)
	zero, g := vertical{0, line(ink, 1.8, nil)}, vertical{gamma, line(green, 1.8, dashed)}
	f := &Figure{Width: phoneWidth, Height: 4.4 * vg.Inch, Legend: []Entry{{"the plane", zero}, {`$\gamma$ = ` + num(gamma), g}}}
	for _, label := range []float64{1, -1} {
		b := bars{bins: bins, label: label, fill: paleBlue, edge: blue}
		if label < 0 {
			b.fill, b.edge = paleRed, vermillion
		}
		p := newPlot("", "points")
		if label < 0 {
			p.X.Label.Text = `signed distance $y\,f(x) / \|w\|$`
		}
		p.Title.Text = className(set, label)
		show(p, box{min(0, bins[0].from), max(0, last.to), 0, 1.06 * float64(tallest)})
		p.Add(zero, g, b) // a narrow bar at zero stays visible
		f.Panels = append(f.Panels, []*plot.Plot{p})
	}
	f.Caption, f.Alt = histogramWords(set, h, bins)
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

// of returns how many points of a class are in the bin.
func (b bin) of(label float64) int {
	if label > 0 {
		return b.plus
	}
	return b.minus
}

// bars draws the bins of one class.
type bars struct {
	bins  []bin
	label float64
	fill  color.Color
	edge  color.Color
}

func (s bars) Plot(c draw.Canvas, p *plot.Plot) {
	for _, b := range s.bins {
		if n := b.of(s.label); n > 0 {
			lo, hi := canvasPoint(&c, p, point{X: b.from}), canvasPoint(&c, p, point{X: b.to, Y: float64(n)})
			corners := []vg.Point{lo, {X: hi.X, Y: lo.Y}, hi, {X: lo.X, Y: hi.Y}, lo}
			c.FillPolygon(s.fill, corners)
			c.StrokeLines(line(s.edge, 1, nil), corners)
		}
	}
}

func histogramWords(set *svmkit.Dataset, h svmkit.Hyperplane, bins []bin) (caption, alt string) {
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
	alt = fmt.Sprintf("Histograms of the signed distances of %s from the plane, from %s to %s in %s of width %s, in two panels. %s at or left of zero; the smallest distance is %s.",
		plural(n, "point"), num(bins[0].from), num(bins[len(bins)-1].to), plural(len(bins), "bin"), num(bins[0].to-bins[0].from), upperFirst(isAre(wrong)), num(gamma))
	for i, label := range []float64{1, -1} {
		peak := bins[0]
		for _, b := range bins {
			if b.of(label) > peak.of(label) {
				peak = b
			}
		}
		alt += fmt.Sprintf(" %s panel, class %s: the tallest bar, from %s to %s, holds %s.", []string{"Upper", "Lower"}[i], signed(label), num(peak.from), num(peak.to), plural(peak.of(label), "point"))
	}
	return caption, alt
}
