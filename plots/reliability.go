package plots

import (
	"cmp"
	"fmt"
	"image/color"
	"math"

	"github.com/svmkit/course/plots/check"
	"github.com/svmkit/course/plots/geom"
	"github.com/svmkit/course/plots/pen"
	"github.com/svmkit/course/plots/prose"
	"github.com/svmkit/course/svmkit"
	"gonum.org/v1/plot"
	"gonum.org/v1/plot/vg"
)

// NamedProbabilities is what a model said of every row of a set, with its name in a legend, which may hold math.
type NamedProbabilities struct {
	Name        string
	Probability []float64 // P(y = +1), in [0, 1], one a row
}

// Reliability draws the reliability diagram of up to six models. Their probabilities are sorted into bins of equal
// width, 1/bins. A mark stands for the rows of a bin: at their mean probability and at the part of them that is positive,
// with a bar of one standard error of that part, √(q(1 − q)/n), up and down. Marks of a calibrated model are near the
// diagonal. Bins without rows have no mark. 2 ≤ bins ≤ 20.
//
// Both labels must occur. The caption has the mean distance of the marks from the diagonal, each row counted once: the expected calibration error.
func Reliability(truth *svmkit.Dataset, models []NamedProbabilities, bins int) (*Figure, error) {
	if err := cmp.Or(check.Count("models", len(models), 1, len(pen.Styles), "model"), check.Count("bins", bins, 2, 20, "bin")); err != nil {
		return nil, err
	}
	if err := truth.Validate(); err != nil {
		return nil, err
	}
	once := *truth
	once.Weight = nil // every row counts once
	if err := once.ValidateBinary(); err != nil {
		return nil, err
	}
	p := pen.NewPlot("probability that the model gives", "part that is positive")
	pen.Show(p, geom.Box{XMin: -0.05, XMax: 1.05, YMin: -0.05, YMax: 1.05})
	level := pen.Path{At: []geom.Point{{}, {X: 1, Y: 1}}, Style: pen.Line(pen.Faint, 1.1, pen.Dotted)}
	p.Add(level)
	f := &Figure{Plot: p, EqualUnits: true, Width: pen.PhoneWidth, Height: 4.6 * vg.Inch}
	var full, rims []plot.Plotter // the marks once more, white ones as rims: near a corner they would hide others
	for k, m := range models {
		b, err := binned(truth, m, bins)
		if err != nil {
			return nil, fmt.Errorf("model %q: %w", m.Name, err)
		}
		look := pen.PlaneStyles[k] // models are no classes
		curve := pen.MarkedPath{Path: pen.Path{At: b.at, Style: look.Line}, Mark: look.Mark}
		p.Add(pen.ErrorBars{At: b.at, Err: b.err, Style: pen.Line(look.Line.Color, 1.1, nil)}, curve.Path, pen.Marks{At: b.at, Mark: look.Mark})
		if look.Mark.Fill == color.White {
			look.Mark.Fill = color.Transparent
			rims = append(rims, pen.Marks{At: b.at, Mark: look.Mark})
		} else {
			full = append(full, pen.Marks{At: b.at, Mark: look.Mark})
		}
		f.Legend = append(f.Legend, pen.Entry{Name: m.Name, Mark: curve})
		name := prose.Plain(m.Name)
		if k > 0 {
			f.Caption += ", "
		}
		f.Caption += fmt.Sprintf("%s: %s", name, prose.Num(prose.Roughly(b.distance)))
		f.Alt += " " + name + ":"
		for q, at := range b.at {
			f.Alt += fmt.Sprintf(" %s of %d rows at %s;", prose.Num(prose.Roughly(at.Y)), b.rows[q], prose.Num(prose.Roughly(at.X)))
		}
		f.Alt = f.Alt[:len(f.Alt)-1] + "."
	}
	p.Add(append(full, rims...)...)
	f.Caption = "Bars are one standard error, which is 0 where all rows of a bin or none are positive. Mean distance from the diagonal, each row counted once. " + f.Caption + "."
	f.Alt = fmt.Sprintf("Reliability diagram of %s over %s: mean probability of a bin of width %s (horizontal, 0 to 1), part of its rows that is positive (vertical, 0 to 1), with the diagonal of a calibrated model.",
		prose.Plural(len(models), "model"), prose.Plural(truth.Len(), "row"), prose.Num(1/float64(bins))) + f.Alt
	f.Legend = append(f.Legend, pen.Entry{Name: "calibrated", Mark: level})
	return f, nil
}

// bins holds the marks of a model.
type bins struct {
	at       []geom.Point
	err      []float64
	rows     []int
	distance float64 // the mean over all rows of |part positive − mean probability| of their bins
}

func binned(truth *svmkit.Dataset, m NamedProbabilities, count int) (b bins, err error) {
	if len(m.Probability) != truth.Len() {
		return b, check.Data(svmkit.NoPlace, svmkit.NoPlace, float64(len(m.Probability)), svmkit.ErrMismatch)
	}
	rows, sum, positive := make([]int, count), make([]float64, count), make([]float64, count)
	for i, q := range m.Probability {
		if !(q >= 0 && q <= 1) {
			return b, check.Data(i, svmkit.NoPlace, q, check.ErrShare)
		}
		k := min(count-1, int(q*float64(count)))
		rows[k]++
		sum[k] += q
		if truth.Y[i] > 0 {
			positive[k]++
		}
	}
	for k, n := range rows {
		if n == 0 {
			continue
		}
		at := geom.Point{X: sum[k] / float64(n), Y: positive[k] / float64(n)}
		b.at, b.rows = append(b.at, at), append(b.rows, n)
		b.err = append(b.err, math.Sqrt(at.Y*(1-at.Y)/float64(n)))
		b.distance += math.Abs(at.Y-at.X) * float64(n) / float64(truth.Len())
	}
	return b, nil
}
