package plots

import (
	"fmt"

	"github.com/svmkit/course/svmkit"
	"gonum.org/v1/plot"
	"gonum.org/v1/plot/vg"
	"gonum.org/v1/plot/vg/draw"
)

// Tube draws a regression of one column: the fit f, the tube |y − f(x)| ≤ ε around it as a
// band with dashed edges, and, for each point outside, the segment from the edge to the point,
// whose length is its slack ξ. Support vectors (β ≠ 0) are ringed.
//
// Any function can be drawn. The caption counts the points, and names support vectors strictly inside
// the tube, which no solution has.
func Tube(set *svmkit.Dataset, fit TubeFit) (*Figure, error) {
	if err := scalar(set); err != nil {
		return nil, err
	}
	if fit.F != nil { // a kernel's score is a sum over all support vectors, and is asked for a curve and in several counts
		fit.F = remembered{fit.F, map[float64]float64{}}
	}
	if err := fit.validate(set); err != nil {
		return nil, err
	}
	p, legend, shown := tubePlot(set, fit)
	f := &Figure{Plot: p, Legend: legend, Height: 4.2 * vg.Inch}
	f.Caption, f.Alt = fit.words(set)
	f.Caption += thinned(shown, set.Len(), "points")
	return f, nil
}

// remembered computes the score of each abscissa once.
type remembered struct {
	svmkit.Scorer
	scores map[float64]float64
}

func (r remembered) Score(x svmkit.Row) float64 {
	at := x.At(0)
	score, known := r.scores[at]
	if !known {
		score = r.Scorer.Score(x)
		r.scores[at] = score
	}
	return score
}

func (t TubeFit) plainName() string { return plain(t.Name) }

// manyPoints is from how many points on marks are smaller and their lines thinner.
const manyPoints = 120

func pointScale(set *svmkit.Dataset) vg.Length {
	if set.Len() > manyPoints {
		return 0.65
	}
	return 1
}

// tubePlot draws one fit and returns how many points it shows: all support vectors, and an
// even sample of the others if there are too many.
func tubePlot(set *svmkit.Dataset, t TubeFit) (p *plot.Plot, legend []Entry, shown int) {
	view, size := scalarView(set, []TubeFit{t}), pointScale(set)
	width := 1.3 * float64(size)
	inside := marks{mark: mark{disc, paleBlue, blue, 2.9 * size}}
	outside := marks{mark: mark{square, vermillion, vermillion, 2.6 * size}}
	slack := segments{style: line(vermillion, width, nil)}
	ringed := rings{radius: 6 * size, style: line(ink, width, nil)}

	var keep []int
	for i, b := range t.Beta {
		if b != 0 && len(keep) < maxRows {
			keep = append(keep, i)
		}
	}
	rows, edge := thin(set.Len(), maxRows, keep...), edgeOf(set)
	for _, i := range rows {
		f := t.F.Score(set.X[i])
		q := point{X: set.X[i].At(0), Y: set.Y[i]}
		switch r := q.Y - f; {
		case r > t.Epsilon+edge:
			outside.at = append(outside.at, q)
			slack.from, slack.to = append(slack.from, point{X: q.X, Y: f + t.Epsilon}), append(slack.to, q)
		case r < -t.Epsilon-edge:
			outside.at = append(outside.at, q)
			slack.from, slack.to = append(slack.from, point{X: q.X, Y: f - t.Epsilon}), append(slack.to, q)
		default:
			inside.at = append(inside.at, q)
		}
		if t.Beta != nil && t.Beta[i] != 0 {
			ringed.at = append(ringed.at, q)
		}
	}
	p = scalarPlot(set)
	show(p, view)
	upper, lower := t.curve(view, t.Epsilon), t.curve(view, -t.Epsilon)
	around := append([]point(nil), upper...)
	for k := len(lower) - 1; k >= 0; k-- {
		around = append(around, lower[k])
	}
	fit := path{t.curve(view, 0), line(ink, 1.8, nil)}
	rim := path{upper, line(faint, 1.2, dashed)}
	tube := shadedTube{area{func(box) []point { return around }, paleBand, line(nil, 0, nil)}, rim.style}
	p.Add(tube.area, rim, path{lower, rim.style}, slack, inside, outside, fit, ringed)
	legend = []Entry{{"$f(x)$", fit}, {`tube $f(x) \pm \epsilon$`, tube}}
	for _, e := range []struct {
		n int
		Entry
	}{{len(inside.at), Entry{"in the tube", inside}}, {len(outside.at), Entry{`outside, slack $\xi$`, slackMark{slack, outside}}},
		{len(ringed.at), Entry{"support vector", ringed}}} {
		if e.n > 0 {
			legend = append(legend, e.Entry)
		}
	}
	return p, legend, len(rows)
}

// shadedTube is a band with its edges, for the legend.
type shadedTube struct {
	area
	rim draw.LineStyle
}

func (t shadedTube) Thumbnail(c *draw.Canvas) {
	t.area.Thumbnail(c)
	c.StrokeLine2(t.rim, c.Min.X, c.Min.Y, c.Max.X, c.Min.Y)
	c.StrokeLine2(t.rim, c.Min.X, c.Max.Y, c.Max.X, c.Max.Y)
}

// slackMark is a point at the end of its segment, for the legend.
type slackMark struct {
	segments
	end marks
}

func (s slackMark) Thumbnail(c *draw.Canvas) {
	s.segments.Thumbnail(c)
	s.end.mark.draw(c, vg.Point{X: c.Max.X - 3, Y: c.Center().Y})
}

func (t TubeFit) words(set *svmkit.Dataset) (caption, alt string) {
	c := t.count(set)
	out := c.above + c.below
	switch {
	case out == 0:
		caption = fmt.Sprintf("All %s lie in the tube f(x) ± %s: the loss is 0.", plural(set.Len(), "point"), num(t.Epsilon))
	case t.Epsilon == 0:
		caption = fmt.Sprintf("With ε = 0 the tube is the curve itself: of %s, %s on it, %s above and %s below pay %s in all.",
			plural(set.Len(), "point"), isAreNumber(c.inside), count(c.above), count(c.below), num(c.slack))
	default:
		caption = fmt.Sprintf("Of %s, %s in the tube f(x) ± %s and have no loss; %s above it and %s below have the length of their segment as slack ξ, %s in all.",
			plural(set.Len(), "point"), isAreNumber(c.inside), num(t.Epsilon), count(c.above), count(c.below), num(c.slack))
	}
	if t.Beta != nil {
		switch {
		case c.support == 0:
			caption += " There is no support vector."
		case c.misplaced > 0:
			caption += fmt.Sprintf(" Of %s (ringed), %s strictly inside of the tube: this is not the solution.", plural(c.support, "support vector"), isAreNumber(c.misplaced))
		case c.support == 1:
			caption += " The support vector (ringed) lies on the edge or outside."
		default:
			caption += fmt.Sprintf(" The %s (ringed) lie on the edge or outside.", plural(c.support, "support vector"))
		}
	}
	alt = fmt.Sprintf("Scatter plot of %s. The curve f runs %s, in a pale band of half-width %s with dashed edges. %s in the band (circles); %s above and %s below are squares, each joined to the band by a segment.",
		scalarWords(set), t.course(set), num(t.Epsilon), upperFirst(isAre(c.inside)), count(c.above), count(c.below))
	if t.Beta != nil {
		alt += fmt.Sprintf(" %s ringed.", upperFirst(isAre(c.support)))
	}
	return caption, alt
}
