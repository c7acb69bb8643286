package figures

import (
	"cmp"
	"errors"
	"fmt"
	"math"
	"slices"
	"strings"

	"github.com/svmkit/course/plots"
	"github.com/svmkit/course/plots/check"
	"github.com/svmkit/course/plots/geom"
	"github.com/svmkit/course/plots/pen"
	"github.com/svmkit/course/plots/prose"
	"github.com/svmkit/course/svmkit"
	"github.com/svmkit/course/svmkit/perceptron"
	"gonum.org/v1/plot"
	"gonum.org/v1/plot/vg"
)

// AngleToReference draws the angle between w and w* after every mistake, under the ceiling
// arccos(√k·γ/R) that the proof puts over it: each mistake lowers the ceiling, though not
// always the angle. The trace must come from w = 0, with a Reference. A mistake that takes
// w back to 0 has no angle and is an error.
func AngleToReference(trace []perceptron.Mistake, n Novikoff) (*plots.Figure, error) {
	if err := n.validate(); err != nil {
		return nil, err
	}
	angles, err := angles(trace, n.NormReference)
	if err != nil {
		return nil, err
	}
	last := float64(len(trace))
	end := min(last, n.Bound())
	ceiling := pen.Join(geom.Sample(n.Ceiling, min(1, end), end, false),
		pen.Line(pen.Blue, 1.8, nil))
	rows := pen.Thin(len(trace), pen.MaxMistakes)
	run := pen.Marked(nil, pen.Line(pen.Orange, 1.2, nil), pen.Solid(pen.Triangle, pen.Orange, 2.8))
	for _, i := range rows {
		run.At = append(run.At, geom.Pt(float64(i+1), angles[i]))
	}
	p := pen.NewPlot("mistakes $k$", "angle to $w^\\star$ in degrees")
	pen.Show(p, geom.Rect(0, 1.06*max(last, 1), 0, 96).Cover(run.At...))
	p.Add(ceiling, run)
	f := &plots.Figure{Plot: p, Width: pen.PhoneWidth,
		Legend: pen.Legend{{Name: `ceiling $\arccos(\sqrt{k}\,\gamma / R)$`, Mark: ceiling},
			{Name: "measured angle", Mark: run}}}

	k, above, rises := len(trace), 0, 0
	for i, a := range angles {
		if i > 0 && a > angles[i-1]+angleRoundoff {
			rises++
		}
		if c := n.Ceiling(float64(i + 1)); !(a <= c+angleRoundoff) {
			above++
		}
	}
	if above > 0 {
		f.Caption = fmt.Sprintf("At %s the angle is above the ceiling: a hypothesis of the "+
			"theorem does not hold.", prose.Plural(above, "mistake"))
	} else {
		f.Caption = prose.Say("Every mistake lowers the ceiling "+
			"on the angle between w and w*; after %s it is %v°, and the angle is %v°.",
			prose.Plural(k, "mistake"), round1(n.Ceiling(last)), round1(angles[k-1]))
		f.Caption += prose.If(rises > 0, " The angle rises at %s.", prose.Plural(rises, "mistake"))
	}
	f.Caption += prose.Thinned(len(rows), k, "mistakes")
	f.Alt = prose.Say("Line chart of the angle between "+
		"w and w*, in degrees, over %s. Triangles, the measured angle, go from %v to "+
		"%v degrees; a smooth curve above, the ceiling, falls from %v", prose.Plural(k, "mistake"),
		round1(angles[0]), round1(angles[k-1]), round1(n.Ceiling(min(1, end))))
	f.Alt += prose.Say(" to %v degrees at k = %v. %s above the ceiling.",
		round1(n.Ceiling(end)), end, prose.UpperFirst(prose.PointsAre(above)))
	return f, nil
}

// angleRoundoff, in degrees, allows for arccos near 1, where an error of 1e−15 in the cosine is
// one of 3e−6 degrees.
const angleRoundoff = 1e-5

// angles returns the angle in degrees between w and w* after each mistake.
func angles(trace []perceptron.Mistake, normReference float64) ([]float64, error) {
	if err := checkTrace(trace); err != nil {
		return nil, err
	}
	all := make([]float64, len(trace))
	for i, m := range trace {
		if !(m.NormW > 0) {
			return nil, check.Data(i, svmkit.NoPlace, m.NormW, svmkit.ErrNoNormal)
		}
		cos := m.Align / m.NormW / normReference
		all[i] = degrees(math.Acos(min(1, max(-1, cos)))) // rounding may pass ±1
	}
	return all, nil
}

// BoundRun is one run of a perceptron on a set of its own.
type BoundRun struct {
	Mistakes int     // ≥ 1, as every run from w = 0 makes
	Bound    float64 // R²/γ² of the set, > 0
	Group    string  // runs of one group share a marker; "" if there is but one
}

// maxGroups is how many markers MistakesAgainstBound has.
const maxGroups = 4

// MistakesAgainstBound draws many runs, mistakes against the bound R²/γ² on logarithmic
// axes. The theorem says that no run lies in the shaded part, above the diagonal; the ringed
// run comes nearest to it. Runs above the diagonal, if there are any, are crossed out and
// counted in the caption. Beyond 2,000 runs an even sample is drawn.
func MistakesAgainstBound(runs []BoundRun) (*plots.Figure, error) {
	groups, nearest, err := checkRuns(runs)
	if err != nil {
		return nil, err
	}
	view := geom.Empty()
	var above []int
	for i, r := range runs {
		view = view.Cover(geom.Pt(r.Bound, float64(r.Mistakes)))
		if float64(r.Mistakes) > r.Bound*(1+roundoff) {
			above = append(above, i)
		}
	}
	top := max(view.XMax, view.YMax)
	view = geom.Rect(min(view.XMin, view.YMin)*0.75,
		top*1.4, min(view.XMin, view.YMin)*0.75, top*1.4)
	rows := pen.Thin(len(runs), pen.MaxRuns, append(slices.Clone(above[:min(len(above),
		pen.MaxRuns)]), nearest)...)

	p := pen.NewPlot(`bound $R^2/\gamma^2$`, "mistakes")
	pen.Logarithmic(&p.X)
	pen.Logarithmic(&p.Y)
	pen.Show(p, view)
	ends := []geom.Point{{X: view.XMin, Y: view.XMin}, {X: view.XMax, Y: view.XMax}}
	forbidden := pen.Filled(append(ends, geom.Pt(view.XMin, view.YMax)), pen.PaleRed)
	diagonal := pen.Join(ends, pen.Line(pen.Ink, 1.8, nil))
	quarter := pen.Join(scaled(ends, 0.25), pen.Line(pen.Blue, 1.6, pen.Dashed))
	median := pen.Join(scaled(ends, medianRatio(runs)), pen.Line(pen.Green, 1.8, nil))
	p.Add(forbidden, diagonal, quarter)
	f := &plots.Figure{Plot: p, Width: pen.PhoneWidth, Height: pen.PhoneWidth}
	for g, name := range groups {
		cloud := pen.Marks{Mark: pen.Styles[g].Mark}
		cloud.Mark.Radius *= 0.8
		for _, i := range rows {
			if runs[i].Group == name {
				cloud.At = append(cloud.At, runs[i].point())
			}
		}
		p.Add(cloud)
		if name == "" {
			name = "a run"
		}
		f.Legend.Add(prose.Literal(name), cloud)
	}
	crossed := pen.Marks{Mark: pen.Solid(pen.Saltire, pen.Vermillion, 4)}
	for _, i := range above {
		crossed.At = append(crossed.At, runs[i].point())
	}
	ratio := float64(runs[nearest].Mistakes) / runs[nearest].Bound
	at := runs[nearest].point()
	name, verdict := "nearest: "+prose.Num(round3(ratio))+" of the bound", "impossible"
	if len(above) > 0 {
		name, verdict = prose.Num(round3(ratio))+" times the bound", "beyond the bound"
	}
	ringed := pen.RingAt(at, 6.5, pen.Line(pen.Ink, 1.4, nil))
	p.Add(median, crossed, ringed)
	f.Legend.Add(name, ringed)
	f.Legend.Add("mistakes = bound", diagonal)
	f.Legend.Add("a quarter of the bound", quarter)
	f.Legend.Add("median: "+prose.Num(round3(medianRatio(runs)))+" of the bound", median)
	f.Legend.Add(verdict, forbidden)
	if len(above) > 0 {
		f.Legend.Add("such a run", crossed)
	}
	f.Caption, f.Alt = boundWords(runs, groups, nearest, len(above))
	f.Caption += prose.Thinned(len(rows), len(runs), "runs")
	return f, nil
}

// scaled returns points at a fraction of their height.
func scaled(at []geom.Point, fraction float64) (low []geom.Point) {
	for _, q := range at {
		low = append(low, geom.Pt(q.X, fraction*q.Y))
	}
	return low
}

// medianRatio returns the median of mistakes over bound; half of the runs are not above it.
func medianRatio(runs []BoundRun) float64 {
	ratios := make([]float64, len(runs))
	for i, r := range runs {
		ratios[i] = float64(r.Mistakes) / r.Bound
	}
	slices.Sort(ratios)
	return ratios[(len(ratios)-1)/2]
}

func (r BoundRun) point() geom.Point { return geom.Pt(r.Bound, float64(r.Mistakes)) }

// checkRuns returns the groups in order of appearance and the run nearest to its bound.
func checkRuns(runs []BoundRun) (groups []string, nearest int, err error) {
	if err := check.Some("runs", len(runs)); err != nil {
		return nil, 0, err
	}
	best := 0.0
	for i, r := range runs {
		if r.Mistakes < 1 {
			return nil, 0, check.Data(i, svmkit.NoPlace, float64(r.Mistakes), errNoMistakes)
		}
		if !(r.Bound > 0 && r.Bound <= check.Max) {
			return nil, 0, check.Data(i, svmkit.NoPlace, r.Bound, errBound)
		}
		if !slices.Contains(groups, r.Group) {
			groups = append(groups, r.Group)
		}
		if q := float64(r.Mistakes) / r.Bound; q > best {
			best, nearest = q, i
		}
	}
	if err := check.Count("Group", len(groups), 1, maxGroups, "group"); err != nil {
		return nil, 0, err
	}
	return groups, nearest, nil
}

func boundWords(runs []BoundRun, groups []string, nearest, above int) (caption, alt string) {
	ratio := float64(runs[nearest].Mistakes) / runs[nearest].Bound
	b, below := geom.Empty(), 0
	for _, r := range runs {
		b = b.Cover(r.point())
		if float64(r.Mistakes) < r.Bound/4 {
			below++
		}
	}
	if above > 0 {
		caption = fmt.Sprintf("Of %s, %s more mistakes than R²/γ²: there a hypothesis of the "+
			"theorem does not hold.", prose.Plural(len(runs), "run"), prose.Have(above))
	} else {
		caption = prose.Say("None of %s makes more mistakes "+
			"than R²/γ²: the largest ratio of the two is %v, the median %v. In %v of them "+
			"the mistakes are fewer than a quarter of the bound.", prose.Plural(len(runs), "run"), round3(ratio),
			round3(medianRatio(runs)), below)
	}
	alt = prose.Say("Scatter plot on logarithmic axes "+
		"of %s: the bound R²/γ² from %v to %v (horizontal), mistakes from %v to %v "+
		"(vertical), with the diagonal where they are equal. %s above the diagonal. The ringed "+
		"run is nearest to it: %s at a bound of %v, a ratio of %v. Lines parallel to the diagonal mark "+
		"a quarter of the bound and the median.", prose.Plural(len(runs), "run"),
		b.XMin, b.XMax, b.YMin, b.YMax, prose.UpperFirst(prose.PointsAre(above)),
		prose.Plural(runs[nearest].Mistakes, "mistake"), runs[nearest].Bound, round3(ratio))
	alt += prose.If(len(groups) > 1,
		" Markers tell %d groups apart: %s.", len(groups), prose.List(groups))
	return caption, alt
}

var (
	errNoMistakes = errors.New("a run from w = 0 makes at least one mistake")
	errBound      = errors.New("a bound must be positive and finite")
)

// GrowthPanel is mistakes against one size of a problem: its number of rows, or of columns.
type GrowthPanel struct {
	X      string         // what grows in number, for the axis: "rows $n$"
	Series []plots.Series // at most five
}

// Growth draws mistakes against the sizes of a problem under the bound R²/γ², which does not depend
// on them: one panel a size, below each other. The horizontal axes are logarithmic. The panels have
// one vertical axis, which is logarithmic too if all mistakes stay below a tenth of the bound.
func Growth(panels []GrowthPanel, bound float64) (*plots.Figure, error) {
	if err := cmp.Or(check.Some("panels", len(panels)),
		check.Positive("bound", bound)); err != nil {
		return nil, err
	}
	low, high := math.Inf(1), 0.0
	for _, panel := range panels {
		for _, s := range panel.Series {
			if err := s.Validate(plots.Axes{LogX: true}); err != nil {
				return nil, err
			}
			for _, v := range slices.Concat(s.Y, s.Low, s.High) {
				low, high = min(low, v), max(high, v)
			}
		}
	}
	logY := low > 0 && high < bound/10
	f := &plots.Figure{Width: pen.PhoneWidth, Height: 0.9*vg.Inch +
		2.5*vg.Inch*vg.Length(len(panels))}
	f.Alt = prose.Say("%s of mistakes with the bound as a flat line at %v.",
		prose.Plural(len(panels), "line chart"), bound)
	var grown []string
	for _, panel := range panels {
		drawn, err := panel.draw(bound, logY)
		if err != nil {
			return nil, err
		}
		drawn.Plot.Y.Min, drawn.Plot.Y.Max = 0, 1.08*max(bound, high)
		if logY {
			drawn.Plot.Y.Min, drawn.Plot.Y.Max = low/1.3, 1.6*bound
		}
		f.Panels = append(f.Panels, []*plot.Plot{drawn.Plot})
		f.Alt += " " + drawn.Alt
		grown = append(grown, drawn.Caption)
		f.Legend = merge(f.Legend, drawn.Legend)
	}
	sizes := strings.Join(grown, " and ")
	f.Caption = prose.Say("While %s, the mistakes stay between %v and %v, under the bound "+
		"R²/γ² = %v.", sizes, low, high, bound)
	if high > bound*(1+roundoff) {
		f.Caption = prose.Say("While %s, the mistakes reach %v, above R²/γ² = %v: a "+
			"hypothesis of the theorem does not hold.", sizes, high, bound)
	}
	return f, nil
}

// draw returns the panel as a figure whose caption says what grows, without a full stop.
func (g GrowthPanel) draw(bound float64, logY bool) (*plots.Figure, error) {
	from, to := math.Inf(1), 0.0
	alt := fmt.Sprintf("Over %s on a logarithmic axis:", prose.Plain(g.X))
	for _, s := range g.Series {
		n := len(s.X) - 1
		from, to = min(from, s.X[0]), max(to, s.X[n])
		alt += prose.Say(" %s from %v mistakes at %v to %v at %v.",
			prose.Plain(s.Name), s.Y[0], s.X[0], s.Y[n], s.X[n])
	}
	flat := plots.Series{Name: `bound $R^2/\gamma^2$`, X: []float64{from, to},
		Y: []float64{bound, bound}, NoMarks: true}
	caption := prose.Say("the number of %s grows from %v to %v", prose.Plain(g.X), from, to)
	return plots.Lines(append([]plots.Series{flat}, g.Series...),
		plots.Axes{X: g.X, Y: "mistakes", LogX: true, LogY: logY}, caption, alt)
}

// merge appends the entries whose names are not in the legend yet.
func merge(legend, more pen.Legend) pen.Legend {
	for _, e := range more {
		if !slices.ContainsFunc(legend, func(l pen.Entry) bool { return l.Name == e.Name }) {
			legend = append(legend, e)
		}
	}
	return legend
}

// Novikoff holds the three numbers of the mistake bound: every example satisfies
// y⟨w*,x⟩/‖w*‖ ≥ Gamma and ‖x‖ ≤ Radius. For a run with bias they belong to the augmented set.
type Novikoff struct {
	Gamma         float64 // γ, the margin of w*, > 0
	NormReference float64 // ‖w*‖, > 0
	Radius        float64 // R, > 0
}

// Bound returns R²/γ², the largest number of mistakes, where the two sides of the squeeze meet.
func (n Novikoff) Bound() float64 { return (n.Radius / n.Gamma) * (n.Radius / n.Gamma) }

// Lower returns kγ‖w*‖, which ⟨w,w*⟩ has reached after k mistakes.
func (n Novikoff) Lower(k float64) float64 { return k * n.Gamma * n.NormReference }

// Upper returns √k·R‖w*‖, which ‖w‖‖w*‖ has not passed after k mistakes.
func (n Novikoff) Upper(k float64) float64 { return math.Sqrt(k) * n.Radius * n.NormReference }

// Ceiling returns arccos(√k·γ/R), the largest angle in degrees that w can have with w*
// after k mistakes. It is 0 at k = R²/γ² and NaN beyond.
func (n Novikoff) Ceiling(k float64) float64 {
	return degrees(math.Acos(math.Sqrt(k) * n.Gamma / n.Radius))
}

func degrees(radians float64) float64 { return radians * 180 / math.Pi }

// numbersOf returns the numbers of a set and a plane w* through the origin.
func numbersOf(set *svmkit.Dataset, star svmkit.Hyperplane) Novikoff {
	gamma, _ := star.SetMargin(set)
	return Novikoff{Gamma: gamma, NormReference: star.Norm(), Radius: set.Radius()}
}

func (n Novikoff) validate() error {
	if err := cmp.Or(check.Positive("Gamma", n.Gamma), check.Positive("NormReference",
		n.NormReference), check.Positive("Radius", n.Radius)); err != nil {
		return err
	}
	if b := n.Bound(); !(b > 0 && b <= check.Max) {
		return check.Param("Radius/Gamma", n.Radius/n.Gamma, "must have a finite square")
	}
	return nil
}

// checkTrace refuses a trace without mistakes, or one that no run with a Reference wrote.
func checkTrace(trace []perceptron.Mistake) error {
	if len(trace) == 0 {
		return check.Param("trace", "no mistakes", "must hold at least one; start the run at w = 0")
	}
	for i, m := range trace {
		for _, v := range []float64{m.NormW, m.Align} {
			if math.IsNaN(v) || math.Abs(v) > check.Max {
				return check.Data(i, svmkit.NoPlace, v, errTrace)
			}
		}
	}
	return nil
}

var errTrace = errors.New(
	"a mistake needs finite NormW and Align; was the run given its Reference?")

// roundoff bounds the relative error of the measured sums of a million mistakes.
const roundoff = 1e-9

// broken returns the first mistake, counted from 1, at which a link of the chain
// kγ‖w*‖ ≤ ⟨w,w*⟩ ≤ ‖w‖‖w*‖ ≤ √k·R‖w*‖ does not hold, and which; 0 if all hold. The link in
// the middle is Cauchy's and Schwarz's and fails only for a wrong NormReference.
func (n Novikoff) broken(trace []perceptron.Mistake) (k int, link string) {
	for i, m := range trace {
		k := float64(i + 1)
		top := n.Upper(k) * (1 + roundoff)
		switch {
		case m.Align < n.Lower(k)*(1-roundoff):
			return i + 1, "⟨w,w*⟩ is below k·γ‖w*‖: some example has a margin smaller than γ"
		case m.NormW*n.NormReference > top:
			return i + 1, "‖w‖ is above R√k: some example lies outside the radius R, or was no " +
				"mistake"
		case m.Align > m.NormW*n.NormReference*(1+roundoff):
			return i + 1, "⟨w,w*⟩ is above ‖w‖‖w*‖: the norm of w* is wrong"
		}
	}
	return 0, ""
}

// ProofPart is the part of the proof that [ProofStep] draws.
type ProofPart int

// The parts, in the order of the proof.
const (
	ProofAlong  ProofPart = iota // step 1: w gets ahead along w*
	ProofLength                  // step 2: w stays short
	ProofBoth                    // steps 3 and 4: the places that both leave
)

// ProofStep draws mistake k of a run of the perceptron in the plane, from w = 0: the arrows w before
// the update, yx at its tip, and w + yx. Step 1 shades the half-plane ⟨w,w*⟩ ≥ kγ‖w*‖ and draws the
// piece by which the foot of w moves on the axis of w*. Step 2 shades the disc of radius √k·R, and
// draws the circle of radius √(‖w‖² + ‖x‖²) that w + yx cannot leave. The last part shades what both
// have in common: the only places where w can be after k mistakes. All arrows, w* too, have the
// scale of the axes, which do not depend on k and part. Beyond the end of the run no update is drawn.
func ProofStep(made []Update, star []float64, n Novikoff, k int, part ProofPart) (*plots.Figure,
	error) {
	var run []VectorUpdate
	for _, m := range made {
		run = append(run, VectorUpdate{m.Before, svmkit.Dense(m.X...), m.Y})
	}
	if err := cmp.Or(check.Some("run", len(run)), n.validate(),
		check.Plane(svmkit.Hyperplane{W: star}, 2), check.Count("k", k, 1, maxProof,
			"mistake")); err != nil {
		return nil, err
	}
	view := geom.Empty().Cover(geom.Point{}, axisPoint(star, n.Radius*n.Radius/n.Gamma))
	for i, u := range run {
		if err := cmp.Or(check.MaybePlane(svmkit.Hyperplane{W: u.W}, 2),
			check.Planar(u.set())); err != nil {
			return nil, err
		}
		if score := u.score(u.W); u.Y*score > 0 {
			return nil, check.Data(i, svmkit.NoPlace, score, errNoMistake)
		}
		_, _, sum := u.arrows()
		view = view.Cover(sum.To)
	}
	p := pen.PlanarPlot(run[0].set())
	p.X.Label.Text, p.Y.Label.Text = "$w_1$", "$w_2$"
	pen.Show(p, view.Grow(0.08))
	f := &plots.Figure{Plot: p, EqualUnits: true, Width: pen.PhoneWidth, Height: 3.9 * vg.Inch}
	f.Legend = n.proofRegion(p, star, float64(k), part)
	axis := pen.Arrow{From: geom.Point{}, To: geom.Pt(star[0], star[1]),
		Style: pen.Line(pen.Ink, 2, nil)}
	p.Add(pen.Plane(svmkit.Hyperplane{W: []float64{-star[1], star[0]}},
		pen.Line(pen.Faint, 0.8, nil)))
	if k <= len(run) {
		run[k-1].drawProof(p, &f.Legend, star, part)
	}
	p.Add(axis, pen.Origin, pen.Labels{Clear: 5, Avoid: axis.Along(8), Items: []pen.Label{
		{At: axis.To, Text: `$w^\star$`, Lean: geom.Pt(star[1], -star[0])}}})
	f.Caption, f.Alt = n.proofWords(run, star, k, part)
	return f, nil
}

// maxProof is the largest number of a mistake that ProofStep draws.
const maxProof = 1_000_000

// axisPoint returns the point at a length along star.
func axisPoint(star []float64, along float64) geom.Point {
	norm := math.Hypot(star[0], star[1])
	return geom.Pt(along*star[0]/norm, along*star[1]/norm)
}

// proofRegion draws where w can be after k mistakes, by one step of the proof or by both.
func (n Novikoff) proofRegion(p *plot.Plot, star []float64, k float64, part ProofPart) pen.Legend {
	reached := geom.Shifted(svmkit.Hyperplane{W: star}, k*n.Gamma)
	radius := math.Sqrt(k) * n.Radius
	line, border := pen.Plane(reached, pen.Line(pen.Vermillion, 1.8, pen.Dashed)),
		pen.Join(circle(radius), pen.Line(pen.Blue, 1.8, nil))
	lower := pen.Entry{Name: `$k\,\gamma$ along $w^\star$`, Mark: line}
	upper := pen.Entry{Name: `radius $\sqrt{k}\,R$`, Mark: border}
	corners := pen.Shown(p).Grow(2).Corners()
	if part != ProofAlong {
		corners = circle(radius)
	}
	if part != ProofLength {
		corners = geom.HalfPlane(corners, reached)
	}
	region := pen.Filled(corners, pen.PaleBlue)
	if len(corners) > 2 {
		p.Add(region)
	}
	switch part {
	case ProofAlong:
		p.Add(line)
		return pen.Legend{lower, {Name: "where step 1 puts $w$", Mark: region}}
	case ProofLength:
		p.Add(border)
		return pen.Legend{upper, {Name: "where step 2 keeps $w$", Mark: region}}
	}
	p.Add(line, border)
	if touch := axisPoint(star, k*n.Gamma); math.Abs(k-n.Bound()) <= roundoff*k {
		p.Add(pen.Solid(pen.Diamond, pen.Ink, 4).At(touch))
	}
	return pen.Legend{lower, upper, {Name: "the places left for $w$", Mark: region}}
}

// drawProof draws the update, with the feet on the axis of w* in step 1 and the circle in step 2.
func (u VectorUpdate) drawProof(p *plot.Plot, legend *pen.Legend, star []float64, part ProofPart) {
	w, yx, sum := u.arrows()
	before, from := onAxis(w.To, star)
	after, to := onAxis(sum.To, star)
	names := pen.Labels{Clear: 5, Avoid: slices.Concat(w.Along(16), yx.Along(16), sum.Along(16)),
		Items: []pen.Label{{At: sum.To, Text: "$w + yx$", Colour: pen.Green, Lean: sum.To}}}
	switch part {
	case ProofAlong:
		step := pen.Segment(before, after, pen.Line(pen.Orange, 3.4, nil))
		p.Add(pen.Segments{From: []geom.Point{w.To, sum.To}, To: []geom.Point{before, after},
			Style: pen.Line(pen.Faint, 1, pen.Dotted)}, step)
		names.Items = append(names.Items, pen.Label{At: geom.Middle(before, after),
			Text: prose.Num(round2(to - from)), Colour: pen.Orange, Lean: geom.Pt(star[1], -star[0])})
		legend.Add(`gain along $w^\star$`, step)
	case ProofLength:
		_, reach := u.angle()
		ring := pen.Join(circle(reach), pen.Line(pen.Purple, 1.2, pen.Dashed))
		p.Add(ring)
		legend.Add(`radius $\sqrt{\|w\|^2 + \|x\|^2}$`, ring)
	}
	if u.W[0] != 0 || u.W[1] != 0 {
		p.Add(w)
		names.Items = append(names.Items, pen.Label{At: w.To, Text: "$w$", Colour: pen.Faint,
			Lean: w.To})
	}
	names.Items = append(names.Items, pen.Label{At: geom.Middle(yx.From, yx.To), Text: "$yx$",
		Colour: pen.Purple, Lean: geom.Pt(yx.To.Y-yx.From.Y, yx.From.X-yx.To.X)})
	p.Add(yx, sum, names)
	legend.Add("$w$ before", w)
	legend.Add("$yx$", yx)
	legend.Add("$w$ after", sum)
}

// onAxis returns the foot of p on the line through the origin along star, and its place there in
// units of length.
func onAxis(p geom.Point, star []float64) (foot geom.Point, along float64) {
	along = (p.X*star[0] + p.Y*star[1]) / math.Hypot(star[0], star[1])
	return axisPoint(star, along), along
}

// angle returns the angle between w and yx in degrees, NaN for w = 0, and the longest ‖w + yx‖ that a
// mistake allows.
func (u VectorUpdate) angle() (degree, hypotenuse float64) {
	w, x := math.Hypot(u.W[0], u.W[1]), u.X.Norm()
	return degrees(math.Acos(min(1, max(-1, u.Y*u.score(u.W)/w/x)))), math.Hypot(w, x)
}

func (n Novikoff) proofWords(run []VectorUpdate, star []float64, k int, part ProofPart) (caption,
	alt string) {
	low, high := float64(k)*n.Gamma, math.Sqrt(float64(k))*n.Radius
	alt = prose.Say("The plane of the weight vectors, with w* = (%v, %v) as an arrow to scale.",
		star[0], star[1])
	along, long := 0.0, 0.0
	made := k <= len(run)
	if made {
		u := run[k-1]
		_, _, sum := u.arrows()
		_, along = onAxis(sum.To, star)
		long = math.Hypot(sum.To.X, sum.To.Y)
		alt += prose.Say(" Mistake %v adds yx = (%v, %v) to w = (%v, %v) and leads to (%v, %v).", k,
			sum.To.X-u.W[0], sum.To.Y-u.W[1], u.W[0], u.W[1], sum.To.X, sum.To.Y)
	}
	switch part {
	case ProofAlong:
		caption = prose.Say("After mistake %v, w must be at least kγ = %v ahead along w*", k, round2(low))
		caption += prose.If(made, "; it is %s ahead", prose.Num(round2(along)))
		alt += prose.Say(" The half-plane from %v on, along w*, is shaded.", round2(low))
	case ProofLength:
		caption = prose.Say("After mistake %v, w can be at most √k·R = %v long", k, round2(high))
		caption += prose.If(made, "; it is %s long", prose.Num(round2(long)))
		alt += prose.Say(" The disc of radius %v around the origin is shaded.", round2(high))
		if made {
			degree, reach := run[k-1].angle()
			if !math.IsNaN(degree) {
				alt += prose.Say(" The angle between w and yx is %v°, and a dashed circle has the "+
					"radius %v.", round1(degree), round2(reach))
			}
		}
	default:
		switch over := float64(k) - n.Bound(); {
		case math.Abs(over) <= roundoff*float64(k):
			caption = prose.Say("After mistake %v a single place would be left for w: the point "+
				"where the line touches the circle", k)
		case over > 0:
			caption = prose.Say("After mistake %v no place would be left for w: it would have to be "+
				"%v ahead along w*, but at most %v long", k, round2(low), round2(high))
		default:
			caption = prose.Say("After mistake %v, w must be in the shaded part of the disc: at least "+
				"%v ahead along w*, and at most %v long", k, round2(low), round2(high))
		}
		alt += prose.Say(" A dashed line crosses w* at %v, a circle has the radius %v, and the part of "+
			"the disc beyond the line is shaded%s.", round2(low), round2(high),
			prose.Either(float64(k) > n.Bound()*(1+roundoff), "; there is none", ""))
	}
	caption += prose.If(!made, ". The run ended after mistake %d", len(run)) + "."
	return caption, alt
}

var errNoMistake = errors.New("the score has the label's sign: no mistake, no update")

// Witness draws the two numbers of the mistake bound on a set in the plane: the radius R, as a circle
// around the origin and an arrow to the longest row, and the margin γ of w*, as a band to both sides
// of its line. Dotted segments lead from the rows to the line; the nearest ones are ringed, and γ is
// written at each of them. The arrow w* has the scale of the axes.
func Witness(set *svmkit.Dataset, star svmkit.Hyperplane) (*plots.Figure, error) {
	if err := cmp.Or(check.Planar(set), check.Plane(star, 2)); err != nil {
		return nil, err
	}
	star = svmkit.Hyperplane{W: star.W} // a line through the origin
	n := numbersOf(set, star)
	if err := n.validate(); err != nil {
		return nil, err
	}
	order := byMargin(set, star)
	ringed := order[:min(tied(set, star, order), maxRinged)]
	farthest := 0
	for i, x := range set.X {
		if x.Norm() > set.X[farthest].Norm() {
			farthest = i
		}
	}
	p := pen.PlanarPlot(set)
	pen.Show(p, geom.Square(1.08*max(n.Radius, star.Norm())))
	street, line := pen.Street(star, n.Gamma), pen.Plane(star, pen.Line(pen.Ink, 1.8, nil))
	right, _ := feet(set, star, order[:min(len(order), pen.MaxDrops)])
	right.Style = pen.Line(pen.Faint, 0.9, pen.Dotted)
	longest := pen.Arrow{From: geom.Point{}, To: geom.At(set.X[farthest]),
		Style: pen.Line(pen.Purple, 1.6, nil)}
	axis := pen.Arrow{From: geom.Point{}, To: geom.Pt(star.W[0], star.W[1]),
		Style: pen.Line(pen.Green, 2, nil)}
	p.Add(street, pen.Join(circle(n.Radius), pen.Line(pen.Purple, 1, pen.Dashed)), right, line,
		longest, axis)
	rows := pen.Thin(set.Len(), pen.MaxRows, order...)
	legend := pen.Scatter(p, set, rows, 1).With(`nearer than $\gamma$ to the line`, street)
	legend.Add(`line of $w^\star$`, line)
	legend.Add("longest row", longest)
	labels := pen.Labels{Clear: 6, Avoid: append(geom.Rows(set, rows), axis.Along(8)...),
		Items: []pen.Label{{At: axis.To, Text: `$w^\star$`, Colour: pen.Green, Lean: axis.To},
			{At: geom.Middle(longest.From, longest.To), Text: `$R =$ ` + prose.Num(n.Radius),
				Colour: pen.Purple, Lean: geom.Pt(longest.To.Y, -longest.To.X)}}}
	for _, i := range ringed {
		at := geom.At(set.X[i])
		p.Add(pen.RingAt(at, 7, pen.Line(pen.Ink, 1.4, nil)))
		labels.Items = append(labels.Items, pen.Label{At: at, Text: `$\gamma =$ ` + prose.Num(round3(n.Gamma)),
			Lean: at})
	}
	p.Add(pen.Origin, labels)
	f := &plots.Figure{Plot: p, Legend: legend, EqualUnits: true, Width: pen.PhoneWidth,
		Height: pen.PhoneWidth}
	f.Caption = prose.Say("The longest row gives R = %v, and %s γ = %v.", n.Radius,
		prose.Either(len(ringed) == 1, "the row nearest to the line gives",
			fmt.Sprintf("the %d rows nearest to the line give", len(ringed))), round3(n.Gamma))
	f.Alt = prose.Say("%s within a dashed circle of radius %v around the origin. A line through the "+
		"origin separates them, in the middle of an empty band of half-width %v. The arrow w* stands "+
		"at a right angle to the line. Dotted segments lead from the nearest rows to the line; %s "+
		"ringed.", prose.UpperFirst(prose.Points(set)), n.Radius, round3(n.Gamma),
		prose.Either(len(ringed) == 1, "one row is", fmt.Sprintf("%d rows are", len(ringed))))
	return f, nil
}

// LengthsAndMargins draws each row of a set by its length ‖x‖ and its margin y⟨w*,x⟩/‖w*‖.
//
// Rings mark the longest row, which decides R, and the row with the smallest margin, which decides γ.
// If several rows have this margin, the ring is around the shortest. A cross marks the row for which
// the bound R²/γ² is made: it would be as long as the first and as near as the second. The vertical
// axis is logarithmic. It is an error if a margin is not positive.
func LengthsAndMargins(set *svmkit.Dataset, star svmkit.Hyperplane) (*plots.Figure, error) {
	if err := cmp.Or(check.Labelled(set, len(star.W)),
		check.Plane(star, len(star.W))); err != nil {
		return nil, err
	}
	star = svmkit.Hyperplane{W: star.W}
	places := &svmkit.Dataset{Dim: 2, Y: set.Y}
	longest, nearest := 0, 0
	var at []geom.Point
	for i, x := range set.X {
		at = append(at, geom.Pt(x.Norm(), star.Margin(x, set.Y[i])))
		places.X = append(places.X, geom.Row(at[i]))
		if !(at[i].Y > 0) {
			return nil, check.Data(i, svmkit.NoPlace, at[i].Y, errWrongSide)
		}
		if at[i].X > at[longest].X {
			longest = i
		}
		if at[i].Y < at[nearest].Y {
			nearest = i
		}
	}
	decides, equal := (1+1e-6)*at[nearest].Y, 0 // rows with margins up to this decide γ together
	for i, q := range at {
		if q.Y <= decides {
			equal++
			if q.X < at[nearest].X {
				nearest = i
			}
		}
	}
	corner := geom.Pt(at[longest].X, at[nearest].Y)
	top := 0.0
	for _, q := range at {
		top = max(top, q.Y)
	}
	p := pen.NewPlot(`length $\|x\|$`, `margin $y\langle w^\star, x\rangle / \|w^\star\|$`)
	pen.Logarithmic(&p.Y)
	pen.Show(p, geom.Rect(0, 1.1*corner.X, corner.Y/1.8, 1.8*top))
	rows := pen.Thin(set.Len(), pen.MaxRows, longest, nearest)
	f := &plots.Figure{Plot: p, Width: pen.PhoneWidth, Legend: pen.Scatter(p, places, rows, 0.7)}
	long, near := pen.RingAt(at[longest], 7, pen.Line(pen.Purple, 1.6, nil)),
		pen.RingAt(at[nearest], 7, pen.Line(pen.Ink, 1.6, nil))
	worst := pen.Marks{At: []geom.Point{corner}, Mark: pen.Solid(pen.Saltire, pen.Vermillion, 4)}
	p.Add(long, near, worst)
	f.Legend.Add("longest: $R =$ "+prose.Num(round2(corner.X)), long)
	f.Legend.Add(`nearest: $\gamma =$ `+prose.Num(round3(corner.Y)), near)
	f.Legend.Add("the bound's worst row", worst)
	decider := prose.Either(equal == 1, "the row that decides γ",
		prose.Say("the shortest of the %v rows that decide γ", equal))
	f.Caption = prose.Say("%s: the row that decides R has a margin of %v, and %s is %v long.",
		prose.Either(at[longest].Y <= decides, "One row decides both numbers",
			"No row is the longest and the nearest at once"),
		round2(at[longest].Y), decider, round2(at[nearest].X))
	f.Caption += prose.Thinned(len(rows), set.Len(), "rows")
	f.Alt = prose.Say("Scatter plot of %s: lengths up to %v (horizontal) and margins from %v to %v "+
		"on a logarithmic axis (vertical). Two rings mark the longest row, with a margin of %v, and "+
		"%s, which is %v long. A cross at the length %v and the margin "+
		"%v has no row near it.", prose.Plural(set.Len(), "row"), round2(corner.X), round3(corner.Y),
		round2(top), round2(at[longest].Y), decider, round2(at[nearest].X), round2(corner.X), round3(corner.Y))
	return f, nil
}

var errWrongSide = errors.New("the row is on the wrong side of w*, or on its plane")

// StreetAndRun draws where a run of a perceptron without bias ended: a 2-D set, the band of
// half-width γ around the plane star, both through the origin, and the last plane, after the given
// number of mistakes. The panel is the disc of the set's radius R, so figures of one R have the
// same axes.
func StreetAndRun(set *svmkit.Dataset, star, last svmkit.Hyperplane, made int) (*plots.Figure,
	error) {
	if err := cmp.Or(check.Planar(set), check.Plane(star, 2), check.Plane(last, 2)); err != nil {
		return nil, err
	}
	n := numbersOf(set, star)
	if err := n.validate(); err != nil {
		return nil, err
	}
	p := pen.PlanarPlot(set)
	r := 1.04 * n.Radius
	pen.Show(p, geom.Square(r))
	street := pen.Street(star, n.Gamma)
	middle, end := pen.Plane(star, pen.Line(pen.Faint, 1.4, pen.Dashed)),
		pen.Plane(last, pen.Line(pen.Ink, 2, nil))
	p.Add(street, pen.Join(circle(n.Radius), pen.Line(pen.Faint, 0.8, pen.Dotted)), middle, end)
	rows := pen.Thin(set.Len(), pen.MaxRows)
	f := &plots.Figure{Plot: p, EqualUnits: true, Width: pen.PhoneWidth, Height: pen.PhoneWidth}
	f.Legend = pen.Scatter(p, set, rows, 1).With(`nearer than $\gamma$ to the dashed line`, street).
		With("where the perceptron stopped", end)
	wrong := geom.Mistakes(set, last)
	verdict := prose.Either(wrong > 0, "and its line has "+prose.Plural(wrong,
		"point")+" on the wrong side", "and stops at a line that separates")
	f.Caption = prose.Say("Half-margin γ = %v: the perceptron makes %s %s.",
		n.Gamma, prose.Plural(made, "mistake"), verdict)
	f.Caption += prose.Thinned(len(rows), set.Len(), "points")
	f.Alt = prose.Say("%s in the disc of radius %v. A dashed "+
		"line through the origin lies in the middle of an empty band of half-width %v that parts "+
		"the classes. A solid line, where the perceptron stopped after %s, is at %v degrees to it.",
		prose.UpperFirst(prose.Points(set)), n.Radius, n.Gamma, prose.Plural(made, "mistake"),
		round1(degrees(math.Acos(min(1, max(-1, svmkit.Dense(last.W...).Dot(star.W)/
			last.Norm()/star.Norm()))))))
	return f, nil
}

// Squeeze draws why a run must stop: against the number k of mistakes, ⟨w,w*⟩ has to stay
// above a line that grows like k, ‖w‖‖w*‖ below a curve that grows like √k, and the first
// never passes the second. The two bounds cross at k = R²/γ².
//
// The axes are linear if the run uses at least a quarter of its bound, and both logarithmic
// otherwise: the bounds are straight lines of slopes 1 and ½ then. A trace that leaves its
// bounds is drawn too (with linear axes), and the caption names the broken link: one of the
// theorem's hypotheses does not hold. The trace must come from w = 0, with a Reference.
func Squeeze(trace []perceptron.Mistake, n Novikoff) (*plots.Figure, error) {
	return n.squeezeFigure(trace, 0)
}

// SqueezeWithin is Squeeze on the logarithmic axes that suit the given bound, which is at least
// R²/γ². Figures with one bound and one R‖w*‖ have the same axes: where γ is moved, the curves move
// and the axes stay. Marks outside the axes are not drawn.
func SqueezeWithin(trace []perceptron.Mistake, n Novikoff, bound float64) (*plots.Figure, error) {
	if !(bound >= n.Bound() && bound <= check.Max) {
		return nil, check.Param("bound", bound, "must be finite and at least R²/γ² = %s",
			prose.Num(n.Bound()))
	}
	return n.squeezeFigure(trace, bound)
}

// squeezeFigure draws on axes for the given bound; 0 means those that suit the run.
func (n Novikoff) squeezeFigure(trace []perceptron.Mistake, widest float64) (*plots.Figure, error) {
	if err := cmp.Or(n.validate(), checkTrace(trace)); err != nil {
		return nil, err
	}
	logs := widest > 0 || n.logarithmic(trace)
	p, legend, shown := n.squeeze(trace, logs, widest)
	f := &plots.Figure{Plot: p, Legend: legend, Width: pen.PhoneWidth}
	f.Caption, f.Alt = n.squeezeWords(trace, logs, shown)
	return f, nil
}

// squeeze draws the four quantities of the chain and returns how many mistakes are shown.
func (n Novikoff) squeeze(trace []perceptron.Mistake, logs bool, widest float64) (p *plot.Plot,
	legend pen.Legend, shown int) {
	p = pen.NewPlot("mistakes $k$", `$\langle w, w^\star\rangle$ and its bounds`)
	bound, last := n.Bound(), float64(len(trace))
	from, to := 0.0, 1.12*max(bound, last)
	if logs {
		from, to = 0.8, 1.8*max(bound, widest)
		pen.Logarithmic(&p.X)
		pen.Logarithmic(&p.Y)
	}
	lower := pen.Join(geom.Sample(n.Lower, from, to, logs),
		pen.Line(pen.Vermillion, 1.8, pen.Dashed))
	upper := pen.Join(geom.Sample(n.Upper, from, to, logs), pen.Line(pen.Blue, 1.8, nil))
	between := pen.Filled(geom.Strip(geom.Sample(n.Lower, from, bound, logs),
		geom.Sample(n.Upper, from, bound, logs)), pen.PaleBlue)

	rows := pen.Thin(len(trace), pen.MaxMistakes)
	align := pen.Marked(nil,
		pen.Line(pen.Orange, 1.2, nil), pen.Solid(pen.Triangle, pen.Orange, 2.6))
	norm := pen.Marked(nil, pen.Line(pen.Green, 1.2, nil), pen.Solid(pen.Disc, pen.Green, 2.2))
	for _, i := range rows {
		k := float64(i + 1)
		align.At = append(align.At, geom.Pt(k, trace[i].Align))
		norm.At = append(norm.At, geom.Pt(k, trace[i].NormW*n.NormReference))
	}
	cross := geom.Pt(bound, n.Upper(bound))
	end := pen.Vertical{X: bound, Style: pen.Line(pen.Faint, 1, pen.Dotted)}
	view := geom.Empty().Cover(geom.Pt(from, n.Lower(from)), geom.Pt(to, 1.1*cross.Y))
	if logs {
		view.YMax = 2.4 * cross.Y
	}
	if widest > 0 {
		view.YMin, view.YMax = n.Upper(1)*from/math.Sqrt(widest), 2.4*n.Upper(widest)
	} else {
		view = view.Cover(align.At...).Cover(norm.At...)
	}
	// under both bounds nothing is drawn
	foot := geom.Pt(bound, view.YMin+0.08*(view.YMax-view.YMin))
	if logs {
		foot.Y = view.YMin * math.Pow(view.YMax/view.YMin, 0.08)
	}
	pen.Show(p, view)
	p.Add(between, end, lower, upper, norm.Path, align.Path, norm.Mark.At(norm.At...),
		align.Mark.At(align.At...), pen.Solid(pen.Diamond, pen.Ink, 4).At(cross),
		pen.Labels{Items: []pen.Label{{At: foot, Text: `$k = R^2/\gamma^2 =$` +
			prose.Num(bound), Lean: geom.Point{X: -1}}}, Clear: 3})
	legend = pen.Legend{
		{Name: `$\sqrt{k}\,R\,\|w^\star\|$, from above`, Mark: upper},
		{Name: `$\|w\|\,\|w^\star\|$`, Mark: norm},
		{Name: `$\langle w, w^\star\rangle$`, Mark: align},
		{Name: `$k\,\gamma\,\|w^\star\|$, from below`, Mark: lower},
		{Name: "between the bounds", Mark: between},
	}
	return p, legend, len(rows)
}

// logarithmic reports whether the run obeys its bounds and uses less than a quarter of R²/γ².
func (n Novikoff) logarithmic(trace []perceptron.Mistake) bool {
	k, _ := n.broken(trace)
	return k == 0 && float64(len(trace)) < n.Bound()/4
}

func (n Novikoff) squeezeWords(trace []perceptron.Mistake, logs bool, shown int) (caption,
	alt string) {
	k, bound := len(trace), n.Bound()
	last := trace[k-1]
	at, link := n.broken(trace)
	if at > 0 {
		caption = prose.Say("The run leaves its bounds at mistake %v: %s.", at, link)
	} else {
		caption = prose.Say("The line k·γ‖w*‖ meets the curve √k·R‖w*‖ at k = R²/γ² = %v. The "+
			"run stays between them and stops after %s.", bound, prose.Plural(k, "mistake"))
	}
	caption += prose.Thinned(shown, k, "mistakes")
	axes := prose.Either(logs, "logarithmic", "linear")
	alt = prose.Say("Line chart on %s axes, mistakes k up to %v. A dashed "+
		"line k·γ‖w*‖ rises from below, a solid curve √k·R‖w*‖ lies above; they cross at k = "+
		"%v, at the height %v, marked by a diamond. Between them ⟨w,w*⟩ (triangles) and ‖w‖‖w*‖ "+
		"(circles) are measured at %s; the last values are %v and %v, within bounds of %v and %v.",
		axes, math.Ceil(max(bound, float64(k))), bound, n.Upper(bound), prose.Plural(k, "mistake"),
		last.Align, last.NormW*n.NormReference, n.Lower(float64(k)), n.Upper(float64(k)))
	alt += prose.If(at > 0, " At mistake %v %s.", at, link)
	return caption, alt
}

// TightRun is a run on N basis vectors of ℝᴺ, where the bound R²/γ² is N.
type TightRun struct {
	N, Mistakes int
	Bound       float64
}

// TightCase shows that no smaller function of R/γ bounds the mistakes: on n basis vectors the
// perceptron makes n mistakes, as many as R²/γ² allows. The upper panel has a run for each n, the
// lower one the squeeze of one of them, where both bounds are met at every mistake.
func TightCase(runs []TightRun, trace []perceptron.Mistake, n Novikoff) (*plots.Figure, error) {
	if err := check.Some("runs", len(runs)); err != nil {
		return nil, err
	}
	largest, equal := 0, 0
	var made, bound []geom.Point
	for i, r := range runs {
		if r.N < 1 || r.Mistakes < 0 || !(r.Bound > 0 && r.Bound <= check.Max) {
			return nil, check.Data(i, svmkit.NoPlace, r.Bound, errBound)
		}
		largest = max(largest, r.N)
		made = append(made, geom.Pt(float64(r.N), float64(r.Mistakes)))
		bound = append(bound, geom.Pt(float64(r.N), r.Bound))
		if most := bound[i].Y; made[i].Y <= most*(1+roundoff) && made[i].Y > most-1 {
			equal++ // the largest whole number that the bound admits
		}
	}
	squeeze, err := Squeeze(trace, n)
	if err != nil {
		return nil, err
	}
	upper := pen.NewPlot("basis vectors $n$", "mistakes")
	pen.Show(upper, geom.Rect(0, 1.08*float64(largest), 0, 0).Cover(made...).Cover(bound...))
	upper.Y.Max *= 1.08
	rows := pen.Thin(len(runs), pen.MaxMistakes)
	dots := pen.Marks{Mark: pen.Solid(pen.Triangle, pen.Orange, 3)}
	for _, i := range rows {
		dots.At = append(dots.At, made[i])
	}
	limit := pen.Join(bound, pen.Line(pen.Ink, 1.8, nil))
	upper.Add(limit, dots)

	f := &plots.Figure{Panels: [][]*plot.Plot{{upper}, {squeeze.Plot}}, Width: pen.PhoneWidth,
		Height: 6 * vg.Inch, Legend: append(pen.Legend{{Name: "mistakes made", Mark: dots},
			{Name: `$R^2/\gamma^2$`, Mark: limit}}, squeeze.Legend...)}
	f.Caption = prose.Say("On n basis vectors the perceptron makes all the mistakes that the "+
		"bound allows, in %v of %s: no smaller function of R/γ is a bound there. Below: the run "+
		"with R²/γ² = %v.", equal, prose.Plural(len(runs), "run"), n.Bound())
	f.Caption += prose.Thinned(len(rows), len(runs), "runs")
	f.Alt = prose.Say("Two panels. Above: mistakes against "+
		"n up to %v; the marks lie on the line of the bound R²/γ² in %v of %s. Below: %s",
		largest, equal, prose.Plural(len(runs), "run"), squeeze.Alt)
	return f, nil
}
