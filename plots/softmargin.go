package plots

import (
	"errors"
	"fmt"
	"math"
	"slices"
	"strings"

	"github.com/svmkit/course/svmkit"
	"gonum.org/v1/plot"
	"gonum.org/v1/plot/vg"
)

// SoftFit is a soft margin for [SoftStreet] and [CStrip]: its plane, its dual weights, one number
// between 0 and C a row, and C > 0, the cost of a unit of slack.
type SoftFit struct {
	Plane svmkit.Hyperplane
	Alpha []float64
	C     float64
}

// SoftStreet draws a 2-D set with the lines f = 0 and f = ±1 of a soft margin. From each point on the wrong
// side of the line f = y of its class a segment leads to that line: the slack, ξ/‖w‖ long. Rings mark the free
// points, 0 < α < C; larger marks with a dark edge those at the bound, α = C. With w = 0 there are no lines.
//
// It is an error if the set is not planar, or if some α is not from 0 to C.
func SoftStreet(set *svmkit.Dataset, fit SoftFit) (*Figure, error) {
	s, err := newSoft(set, fit)
	if err != nil {
		return nil, err
	}
	f := &Figure{EqualUnits: true, Width: phoneWidth, Height: 4.6 * vg.Inch}
	f.Plot, f.Legend = s.panel(extent(set).grow(0.15))
	f.Caption = fmt.Sprintf("C = %s: %s", num(fit.C), s.claim())
	f.Alt = fmt.Sprintf("Scatter plot of %s over %s. %s%s", pointWords(set), axisWords(set), s.lines(), s.places())
	return f, nil
}

// CStrip draws the soft margins of one 2-D set side by side, up to 12, each as [SoftStreet] does, on the same axes
// without numbers, with its C above it.
//
// The errors are those of SoftStreet, and no fits or too many.
func CStrip(set *svmkit.Dataset, fits []SoftFit) (*Figure, error) {
	if len(fits) == 0 || len(fits) > maxPanels {
		return nil, &svmkit.ParamError{Name: "fits", Value: plural(len(fits), "fit"), Need: fmt.Sprintf("must be 1 to %d: more cannot be read", maxPanels)}
	}
	const columns = 2 // on a phone
	f := &Figure{EqualUnits: true, Width: phoneWidth, Height: vg.Length(1.2+1.9*float64((len(fits)+1)/columns)) * vg.Inch}
	for k, fit := range fits {
		s, err := newSoft(set, fit)
		if err != nil {
			return nil, err
		}
		var p *plot.Plot
		p, f.Legend = s.panel(extent(set).grow(0.12))
		bare(p).Title.Text = "$C = " + num(fit.C) + "$"
		if k%columns == 0 {
			f.Panels = append(f.Panels, make([]*plot.Plot, columns))
		}
		f.Panels[k/columns][k%columns] = p
		if k > 0 {
			f.Caption += " "
			f.Alt += " "
		} else {
			f.Alt = fmt.Sprintf("%s, each a scatter plot of %s over %s. ", upperFirst(plural(len(fits), "panel")), pointWords(set), axisWords(set))
		}
		f.Caption += fmt.Sprintf("C = %s: %s", num(fit.C), s.claim())
		f.Alt += fmt.Sprintf("C = %s: %s%s", num(fit.C), s.lines(), s.places())
	}
	return f, nil
}

// soft is a soft margin with its points sorted by α.
type soft struct {
	set         *svmkit.Dataset
	fit         SoftFit
	free, bound []int
	slack       []float64 // ξ of each row
	total       float64   // Σξ
	wrong       int       // rows with y·f ≤ 0
	flat        bool      // w = 0
}

func newSoft(set *svmkit.Dataset, fit SoftFit) (s soft, err error) {
	if err := planar(set); err != nil {
		return s, err
	}
	if err := checkPlane(fit.Plane, 2, true); err != nil {
		return s, err
	}
	if err := oneEachRow("alpha", fit.Alpha, set); err != nil {
		return s, err
	}
	if err := checkWeights(fit.Alpha, fit.C); err != nil {
		return s, err
	}
	s = soft{set: set, fit: fit, slack: make([]float64, set.Len()), flat: isZero(fit.Plane)}
	for i, a := range fit.Alpha {
		switch stateOf(a, fit.C) {
		case atBound:
			s.bound = append(s.bound, i)
		case isFree:
			s.free = append(s.free, i)
		}
		m := set.Y[i] * fit.Plane.Score(set.X[i])
		s.slack[i] = max(0, 1-m)
		s.total += s.slack[i]
		if m <= 0 {
			s.wrong++
		}
	}
	return s, nil
}

// panel returns the plot and its legend, which is the same for all fits, so that a slider does not move the axes.
func (s soft) panel(view box) (*plot.Plot, []Entry) {
	p := planarPlot(s.set)
	show(p, view)
	border, edge := planeLine{style: line(ink, 1.8, nil)}, planeLine{style: line(faint, 1.3, dashed)}
	slacks := segments{style: line(green, 1.8, nil)}
	if !s.flat {
		border, edge = addStreet(p, s.fit.Plane)
		for i, xi := range s.slack {
			if xi > isOne {
				from := at(s.set.X[i])
				slacks.from = append(slacks.from, from)
				slacks.to = append(slacks.to, foot(shifted(s.fit.Plane, s.set.Y[i]/s.fit.Plane.Norm()), from))
			}
		}
		p.Add(slacks)
	}
	legend := scatter(p, s.set, thin(s.set.Len(), maxRows, append(s.free, s.bound...)...), 1.1)
	plus, minus := marks{points(s.set, s.bound, 1), positiveSupport}, marks{points(s.set, s.bound, -1), negativeSupport}
	ringed := rings{style: line(ink, 1.5, nil)}
	for _, i := range s.free {
		ringed.at = append(ringed.at, at(s.set.X[i]))
	}
	p.Add(minus, plus, ringed)
	return p, append(legend, Entry{"$f = 0$", border}, Entry{`$f = \pm 1$`, edge}, Entry{`$y = +1$, $\alpha = C$`, plus}, Entry{`$y = -1$, $\alpha = C$`, minus},
		Entry{`$0 < \alpha < C$`, ringed}, Entry{`slack, $\xi/\|w\|$ long`, slacks})
}

// claim is what the picture shows, in a sentence.
func (s soft) claim() string {
	width := "no street, as w = 0"
	if !s.flat {
		width = "a street " + num(2/s.fit.Plane.Norm()) + " wide"
	}
	return fmt.Sprintf("%s, slacks that add up to %s, %s on the wrong side or on f = 0.", width, num(tidy(s.total)), plural(s.wrong, "point"))
}

func (s soft) lines() string {
	if s.flat {
		return "No line is drawn."
	}
	return fmt.Sprintf("A solid line where f is 0, %s, and dashed lines where f is −1 and 1, %s apart.", equation(s.fit.Plane), num(2/s.fit.Plane.Norm()))
}

// places lists the marked points.
func (s soft) places() (words string) {
	const named = 8
	for k, i := range s.free {
		if k == named {
			words += fmt.Sprintf(" And %s more rings.", count(len(s.free)-k))
			break
		}
		q := at(s.set.X[i])
		words += fmt.Sprintf(" A ring at (%s, %s).", num(q.X), num(q.Y))
	}
	for k, i := range s.bound {
		if k == named {
			words += fmt.Sprintf(" And %s more large marks.", count(len(s.bound)-k))
			break
		}
		q := at(s.set.X[i])
		words += fmt.Sprintf(" A large mark with a dark edge at (%s, %s), class %s, slack %s.", num(q.X), num(q.Y), signed(s.set.Y[i]), num(tidy(s.slack[i])))
	}
	return words
}

// tidy rounds to six decimal places what a solver leaves of a round number.
func tidy(v float64) float64 { return math.Round(v*1e6) / 1e6 }

// AlphaPath draws the dual weights of a soft margin over C: alpha[k] holds one number a row for the cost c[k]. Costs
// rise, and what lies between two of them is drawn straight, so for an exact path c holds the places where a weight
// changes its slope; a curve has marks where its own does. Nothing is above the line α = C. Rows whose weights are equal
// throughout share a curve; there may be up to six curves.
//
// It is an error if the costs do not rise from 0 or more, or if a weight is not from 0 to C.
func AlphaPath(c []float64, alpha [][]float64) (*Figure, error) {
	if len(c) < 2 || len(alpha) != len(c) {
		return nil, &svmkit.ParamError{Name: "alpha", Value: plural(len(alpha), "row"), Need: fmt.Sprintf("must be one for each of two or more costs, not of %d", len(c))}
	}
	n := len(alpha[0])
	for k, row := range alpha {
		if !(c[k] >= 0 && c[k] <= maxDrawn) || k > 0 && !(c[k] > c[k-1]) {
			return nil, &svmkit.ParamError{Name: "c", Value: c[k], Need: "must be 0 or more, rise and be finite"}
		}
		if len(row) != n {
			return nil, &svmkit.ParamError{Name: "alpha", Value: plural(len(row), "number"), Need: "must be as many for each cost: " + count(n)}
		}
		for i, a := range row {
			if !(a >= 0 && a <= c[k]+boundTolerance*c[k]) {
				return nil, &svmkit.DataError{Row: i, Col: svmkit.NoPlace, Value: a, Err: errOutsideBox}
			}
		}
	}
	curves, names := alphaCurves(alpha)
	if err := checkStyles("alpha", len(curves), "different curve"); err != nil {
		return nil, err
	}
	top := 0.0
	for _, a := range alpha {
		for _, v := range a {
			top = max(top, v)
		}
	}
	last := c[len(c)-1]
	p := newPlot("cost $C$ of a unit of slack", `$\alpha$`)
	show(p, box{c[0], last, -0.04 * top, 1.15 * top})
	outside := area{func(b box) []point {
		return []point{{X: b.xmin, Y: b.xmin}, {X: b.ymax, Y: b.ymax}, {X: b.xmin, Y: b.ymax}}
	}, paleRed, line(nil, 0, nil)}
	all := path{[]point{{X: c[0], Y: c[0]}, {X: last, Y: last}}, line(faint, 1.3, dashed)}
	p.Add(outside, all)
	f := &Figure{Plot: p, Width: phoneWidth, Height: 3.6 * vg.Inch, Legend: []Entry{{`$\alpha > C$: not allowed`, outside}, {`$\alpha = C$`, all}}}
	f.Alt = fmt.Sprintf("Line chart of α from 0 to %s over C from %s to %s; the triangle above the line α = C is shaded.", num(top), num(c[0]), num(last))
	for k, i := range curves {
		curve, knots := marked{path{nil, styles[k].line}, styles[k].mark}, marks{mark: styles[k].mark}
		f.Alt += fmt.Sprintf(" %s:", strings.ReplaceAll(plain(names[k]), `\alpha_`, "α"))
		for m, v := range alpha {
			curve.at = append(curve.at, point{X: c[m], Y: v[i]})
			inside := m > 0 && m < len(c)-1
			bend := inside && bends(c[m-1], c[m], c[m+1], alpha[m-1][i], v[i], alpha[m+1][i])
			if bend {
				knots.at = append(knots.at, point{X: c[m], Y: v[i]})
			}
			if !inside || bend {
				f.Alt += fmt.Sprintf(" %s at C = %s,", num(tidy(v[i])), num(c[m]))
			}
		}
		f.Alt = f.Alt[:len(f.Alt)-1] + "."
		p.Add(curve.path, knots)
		f.Legend = append(f.Legend, Entry{names[k], curve})
	}
	f.Caption = fmt.Sprintf("The weights of %s, straight between the marks, which stand where the slope changes. None is ever above C.", plural(n, "point"))
	return f, nil
}

// bends reports whether the middle one of three points of a path is off the line through the others.
func bends(x0, x1, x2, y0, y1, y2 float64) bool {
	straight := y0 + (y2-y0)*(x1-x0)/(x2-x0)
	return math.Abs(y1-straight) > boundTolerance*max(1, math.Abs(y1))
}

// alphaCurves returns the first row of each set of rows whose weights are equal throughout, and the names of the sets.
func alphaCurves(alpha [][]float64) (first []int, names []string) {
	same := func(i, j int) bool {
		for _, row := range alpha {
			if math.Abs(row[i]-row[j]) > boundTolerance*max(1, row[i]) {
				return false
			}
		}
		return true
	}
next:
	for i := range alpha[0] {
		name := fmt.Sprintf(`$\alpha_{%d}$`, i+1)
		for k, j := range first {
			if same(i, j) {
				names[k] += ", " + name
				continue next
			}
		}
		first, names = append(first, i), append(names, name)
	}
	return first, names
}

// AccuracyOverC draws the mean accuracy over several splits of a set, on the test rows and on the training rows, against
// C on a logarithmic axis, with bars of one standard error up and down, and a line for the hard margin's mean on the test rows.
// test[k] and train[k] hold one accuracy from 0 to 1 for each split at the cost c[k]; hard one for each split.
//
// It is an error if the costs do not rise from above 0, or if there are fewer than two splits.
func AccuracyOverC(c []float64, test, train [][]float64, hard []float64) (*Figure, error) {
	if len(c) < 2 || len(test) != len(c) || len(train) != len(c) {
		return nil, &svmkit.ParamError{Name: "test, train", Value: len(test), Need: fmt.Sprintf("must have one entry for each of two or more costs, not of %d", len(c))}
	}
	for k := range c {
		if !(c[k] > 0 && c[k] <= maxDrawn) || k > 0 && !(c[k] > c[k-1]) {
			return nil, &svmkit.ParamError{Name: "c", Value: c[k], Need: "must be positive, rise and be finite"}
		}
	}
	splits := len(hard)
	average := func(rows [][]float64) (at []point, err []float64, _ error) {
		for k, row := range rows {
			mean, sem, e := meanError(row, splits)
			if e != nil {
				return nil, nil, e
			}
			at, err = append(at, point{X: c[k], Y: mean}), append(err, sem)
		}
		return at, err, nil
	}
	testAt, testErr, err := average(test)
	if err != nil {
		return nil, err
	}
	trainAt, trainErr, err := average(train)
	if err != nil {
		return nil, err
	}
	hardMean, hardErr, err := meanError(hard, splits)
	if err != nil {
		return nil, err
	}
	p := newPlot("cost $C$ of a unit of slack", "accuracy")
	view, best := emptyBox().cover(point{X: c[0], Y: hardMean}), 0
	for k, q := range testAt {
		if q.Y > testAt[best].Y {
			best = k
		}
		view = view.cover(point{X: q.X, Y: q.Y - testErr[k]}, point{X: q.X, Y: q.Y + testErr[k]},
			point{X: q.X, Y: trainAt[k].Y - trainErr[k]}, point{X: q.X, Y: trainAt[k].Y + trainErr[k]})
	}
	d, side := 0.06*(view.ymax-view.ymin), math.Pow(view.xmax/view.xmin, 0.04)
	show(p, box{view.xmin / side, view.xmax * side, view.ymin - d, view.ymax + d})
	logarithmic(&p.X)
	level := path{[]point{{X: p.X.Min, Y: hardMean}, {X: p.X.Max, Y: hardMean}}, line(ink, 1.5, dotted)}
	p.Add(level)
	f := &Figure{Plot: p, Width: phoneWidth, Height: 3.8 * vg.Inch}
	for k, s := range []struct {
		name string
		at   []point
		err  []float64
	}{{"test", testAt, testErr}, {"training", trainAt, trainErr}} {
		look := planeStyles[k] // test and training are no classes
		curve := marked{path{s.at, look.line}, look.mark}
		p.Add(errorBars{s.at, s.err, line(look.line.Color, 1.1, nil)}, curve.path, marks{s.at, look.mark})
		f.Legend = append(f.Legend, Entry{s.name, curve})
	}
	f.Legend = append(f.Legend, Entry{"hard margin, test", level})
	top := testAt[best]
	f.Caption = fmt.Sprintf("Means of %s with bars of one standard error. On the test rows the best cost shown is C = %s, with %s; the hard margin has %s.",
		plural(splits, "split"), num(top.X), percentTenth(top.Y), percentTenth(hardMean))
	n := len(c) - 1
	f.Alt = fmt.Sprintf("Two curves of mean accuracy over C from %s to %s, logarithmic, with error bars. Training goes from %s to %s. Test goes from %s to %s at C = %s and to %s at the right end; its bars are from %s to %s long, up and down. A dotted level line at %s is the hard margin on the test rows, standard error %s.",
		num(c[0]), num(c[n]), percentTenth(trainAt[0].Y), percentTenth(trainAt[n].Y), percentTenth(testAt[0].Y), percentTenth(top.Y), num(top.X), percentTenth(testAt[n].Y),
		percentTenth(slices.Min(testErr)), percentTenth(slices.Max(testErr)), percentTenth(hardMean), percentTenth(hardErr))
	return f, nil
}

var errNoShare = errors.New("an accuracy must lie between 0 and 1")

// meanError returns the mean of some accuracies and its standard error.
func meanError(v []float64, n int) (mean, sem float64, err error) {
	if n < 2 || len(v) != n {
		return 0, 0, &svmkit.ParamError{Name: "splits", Value: len(v), Need: "must be two or more, and as many for each cost and the hard margin"}
	}
	for i, a := range v {
		if !(a >= 0 && a <= 1) {
			return 0, 0, &svmkit.DataError{Row: i, Col: svmkit.NoPlace, Value: a, Err: errNoShare}
		}
		mean += a / float64(n)
	}
	for _, a := range v {
		sem += (a - mean) * (a - mean)
	}
	return mean, math.Sqrt(sem / float64(n-1) / float64(n)), nil
}

// percentTenth writes a share as a percentage with one decimal place.
func percentTenth(share float64) string { return fmt.Sprintf("%.1f %%", 100*share) }
