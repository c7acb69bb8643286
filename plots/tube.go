package plots

import (
	"fmt"

	"github.com/svmkit/course/plots/check"
	"github.com/svmkit/course/plots/geom"
	"github.com/svmkit/course/plots/pen"
	"github.com/svmkit/course/plots/prose"
	"github.com/svmkit/course/svmkit"
	"gonum.org/v1/plot"
	"gonum.org/v1/plot/vg"
	"gonum.org/v1/plot/vg/draw"
)

// Tube draws a regression of one column: the fit f, the tube |y − f(x)| ≤ ε around it as a
// band with dashed edges, and, for each point outside, the segment from the edge to the point,
// whose length is its slack ξ. Support vectors (β ≠ 0) are ringed.
//
// Any function can be drawn. The caption counts the points, and names support vectors strictly
// inside the tube, which no solution has.
func Tube(set *svmkit.Dataset, fit TubeFit) (*Figure, error) {
	if err := check.Targets(set, 1); err != nil {
		return nil, err
	}
	// a kernel's score is a sum over all support vectors, and is asked for a curve and in several
	// counts
	if fit.F != nil {
		fit.F = remembered{fit.F, map[float64]float64{}}
	}
	if err := fit.validate(set); err != nil {
		return nil, err
	}
	p, legend, shown := tubePlot(set, fit)
	f := &Figure{Plot: p, Legend: legend, Height: 4.2 * vg.Inch}
	f.Caption, f.Alt = fit.words(set)
	f.Caption += prose.Thinned(shown, set.Len(), "points")
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

func (t TubeFit) plainName() string { return prose.Plain(t.Name) }

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
func tubePlot(set *svmkit.Dataset, t TubeFit) (p *plot.Plot, legend pen.Legend, shown int) {
	view, size := scalarView(set, []TubeFit{t}), pointScale(set)
	width := 1.3 * float64(size)
	inside := pen.Marks{Mark: pen.Mark{Shape: pen.Disc, Fill: pen.PaleBlue, Edge: pen.Blue,
		Radius: 2.9 * size}}
	outside := pen.Marks{Mark: pen.Solid(pen.Square, pen.Vermillion, 2.6*size)}
	slack := pen.Segments{Style: pen.Line(pen.Vermillion, width, nil)}
	ringed := pen.Rings{Radius: 6 * size, Style: pen.Line(pen.Ink, width, nil)}

	var keep []int
	for i, b := range t.Beta {
		if b != 0 && len(keep) < pen.MaxRows {
			keep = append(keep, i)
		}
	}
	rows, edge := pen.Thin(set.Len(), pen.MaxRows, keep...), edgeOf(set)
	for _, i := range rows {
		f := t.F.Score(set.X[i])
		q := geom.Pt(set.X[i].At(0), set.Y[i])
		switch r := q.Y - f; {
		case r > t.Epsilon+edge:
			outside.At = append(outside.At, q)
			slack.From, slack.To = append(slack.From, geom.Pt(q.X, f+t.Epsilon)),
				append(slack.To, q)
		case r < -t.Epsilon-edge:
			outside.At = append(outside.At, q)
			slack.From, slack.To = append(slack.From, geom.Pt(q.X, f-t.Epsilon)),
				append(slack.To, q)
		default:
			inside.At = append(inside.At, q)
		}
		if t.Beta != nil && t.Beta[i] != 0 {
			ringed.At = append(ringed.At, q)
		}
	}
	p = scalarPlot(set)
	pen.Show(p, view)
	upper, lower := t.curve(view, t.Epsilon), t.curve(view, -t.Epsilon)
	around := append([]geom.Point(nil), upper...)
	for k := len(lower) - 1; k >= 0; k-- {
		around = append(around, lower[k])
	}
	fit := pen.Path{At: t.curve(view, 0), Style: pen.Line(pen.Ink, 1.8, nil)}
	rim := pen.Path{At: upper, Style: pen.Line(pen.Faint, 1.2, pen.Dashed)}
	tube := shadedTube{pen.Filled(around, pen.PaleBand), rim.Style}
	p.Add(tube.Area, rim, pen.Path{At: lower, Style: rim.Style}, slack, inside, outside, fit,
		ringed)
	legend = pen.Legend{{Name: "$f(x)$", Mark: fit}, {Name: `tube $f(x) \pm \epsilon$`, Mark: tube}}
	for _, e := range []struct {
		n int
		pen.Entry
	}{{len(inside.At), pen.Entry{Name: "in the tube", Mark: inside}},
		{len(outside.At), pen.Entry{Name: `outside, slack $\xi$`, Mark: slackMark{slack, outside}}},
		{len(ringed.At), pen.Entry{Name: "support vector", Mark: ringed}}} {
		if e.n > 0 {
			legend = append(legend, e.Entry)
		}
	}
	return p, legend, len(rows)
}

// shadedTube is a band with its edges, for the legend.
type shadedTube struct {
	pen.Area
	rim draw.LineStyle
}

func (t shadedTube) Thumbnail(c *draw.Canvas) {
	t.Area.Thumbnail(c)
	c.StrokeLine2(t.rim, c.Min.X, c.Min.Y, c.Max.X, c.Min.Y)
	c.StrokeLine2(t.rim, c.Min.X, c.Max.Y, c.Max.X, c.Max.Y)
}

// slackMark is a point at the end of its segment, for the legend.
type slackMark struct {
	pen.Segments
	end pen.Marks
}

func (s slackMark) Thumbnail(c *draw.Canvas) {
	s.Segments.Thumbnail(c)
	s.end.Mark.Draw(c, vg.Point{X: c.Max.X - 3, Y: c.Center().Y})
}

func (t TubeFit) words(set *svmkit.Dataset) (caption, alt string) {
	c := t.count(set)
	out := c.above + c.below
	switch {
	case out == 0:
		caption = prose.Say("All %s lie in the tube f(x) ± %v: the loss is 0.",
			prose.Plural(set.Len(), "point"), t.Epsilon)
	case t.Epsilon == 0:
		caption = prose.Say("With ε = 0 the tube is the curve "+
			"itself: of %s, %s on it, %v above and %v below pay %v in all.",
			prose.Plural(set.Len(), "point"), prose.Are(c.inside), c.above, c.below, c.slack)
	default:
		caption = prose.Say("Of %s, %s in the tube f(x) ± %v and have no loss; "+
			"%v above it and %v below have the length of their segment as slack ξ, %v in all.",
			prose.Plural(set.Len(), "point"),
			prose.Are(c.inside), t.Epsilon, c.above, c.below, c.slack)
	}
	if t.Beta != nil {
		switch {
		case c.support == 0:
			caption += " There is no support vector."
		case c.misplaced > 0:
			caption += fmt.Sprintf(" Of %s (ringed), %s strictly inside of the tube: this is not "+
				"the solution.", prose.Plural(c.support, "support vector"), prose.Are(c.misplaced))
		case c.support == 1:
			caption += " The support vector (ringed) lies on the edge or outside."
		default:
			caption += fmt.Sprintf(" The %s (ringed) lie on the edge or outside.",
				prose.Plural(c.support, "support vector"))
		}
	}
	alt = prose.Say("Scatter plot of %s. The curve f runs "+
		"%s, in a pale band of half-width %v with dashed edges. %s in the band (circles); %v "+
		"above and %v below are squares, each joined to the band by a segment.", scalarWords(set),
		t.course(set), t.Epsilon, prose.UpperFirst(prose.PointsAre(c.inside)), c.above, c.below)
	if t.Beta != nil {
		alt += fmt.Sprintf(" %s ringed.", prose.UpperFirst(prose.PointsAre(c.support)))
	}
	return caption, alt
}
