package figures

import (
	"fmt"
	"go/ast"
	"go/parser"
	"go/token"
	"go/types"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"testing"

	"github.com/svmkit/course/internal/mutate"
)

// A mistake is one wrong drawing of a figure. Old and New are Go source in the function Func, "" for
// the figure's constructor. The test Test<Figure>Drawn must fail with New in place of Old.
type mistake struct{ figure, what, fn, old, new string }

func (m mistake) mutation() mutate.Mutation {
	if m.fn == "" {
		m.fn = m.figure
	}
	return mutate.Mutation{Func: m.fn, Old: m.old, New: m.new}
}

func (m mistake) test() string { return "Test" + m.figure + "Drawn" }

// drawers are the folders whose figures must have mistakes in the table.
var drawers = []struct {
	folder   string
	mistakes []mistake
}{{".", lessonMistakes}, {filepath.Join("..", "..", "plots"), plotMistakes}}

// The mistakes in the figures of one lesson, in the order of the lessons.
var lessonMistakes = []mistake{
	{"CanonicalLines", "rings are on the points with f = 1, not with y·f = 1", "touches",
		"math.Abs(set.Y[i]*h.Score(x)-1)", "math.Abs(h.Score(x)-1)"},
	{"CanonicalLines", "the names of the lines f = ±1 are exchanged", "",
		"At: on(0.86, f*half)", "At: on(0.86, -f*half)"},
	{"CanonicalLines", "an arrow of the width ends half-way", "",
		"To: on(0.22, half), Style", "To: on(0.22, half/2), Style"},
	{"CanonicalLines", "the street is half as wide", "addStreet", "1 / h.Norm()", "0.5 / h.Norm()"},
	{"TwoStreets", "the two pictures are exchanged", "",
		"[]svmkit.Hyperplane{upper, lower}", "[]svmkit.Hyperplane{lower, upper}"},
	{"TwoStreets", "both pictures are of the upper line", "",
		"plots.Stack(one[0], one[1])", "plots.Stack(one[0], one[0])"},
	{"HalfSpaces", "the sides exchange their colours", "",
		"half(h, pen.PaleBlue), half(h.Scale(-1), pen.PaleRed)",
		"half(h, pen.PaleRed), half(h.Scale(-1), pen.PaleBlue)"},
	{"HalfSpaces", "w points to the negative side", "normalAt",
		"length / h.Norm()", "-length / h.Norm()"},
	{"HalfSpaces", "the marks of both sides are exchanged", "", "1+side(h, x)", "1-side(h, x)"},
	{"HalfSpaces", "scores are written without their sign", "",
		"prose.Num(exactScore(h, x))", "prose.Num(math.Abs(exactScore(h, x)))"},
	{"PetalStreet", "the line is not halfway between the classes", "Halfway",
		"-(plus + minus) / 2", "-(plus + minus) / 3"},
	{"PetalStreet", "the axes end too early", "", "0.4, 7.5, -0.6, 3.2", "0.4, 6, -0.6, 3.2"},
	{"SignedMargins", "the band is half as wide", "", "pen.Street(h, gamma)", "pen.Street(h, gamma/2)"},
	{"SignedMargins", "margins are written without their sign", "marginLabels",
		"m := h.Margin(set.X[i], set.Y[i])", "m := math.Abs(h.Margin(set.X[i], set.Y[i]))"},
	{"SignedMargins", "points on the wrong side look like the others", "feet",
		"set.Y[i]*h.Score(set.X[i]) <= 0", "set.Y[i]*h.Score(set.X[i]) < -1"},
	{"SignedMargins", "the largest margins are ringed", "",
		"order[:tied(set, h, order)]", "order[len(order)-tied(set, h, order):]"},
	{"BiasShift", "the line of b is drawn at −b", "",
		"pen.Plane(svmkit.Hyperplane{W: w, B: b}", "pen.Plane(svmkit.Hyperplane{W: w, B: -b}"},
	{"BiasShift", "one foot has no mark", "", "onPlane.At(feet...)", "onPlane.At(feet[1:]...)"},
	{"Projection", "the perpendicular leads to z", "",
		"short := pen.Segment(t.x, t.foot,", "short := pen.Segment(t.x, t.z,"},
	{"Projection", "the right angle is at z", "",
		"cornerAt(t.foot, t.x, view)", "cornerAt(t.z, t.x, view)"},
	{"Projection", "the distance is that of z", "",
		`"$d = " + prose.Num(geom.Distance(t.x, t.foot))`,
		`"$d = " + prose.Num(geom.Distance(t.x, t.z))`},

	{"AugmentedLift", "the threshold has the wrong sign", "", "-h.B/h.W[0]", "h.B/h.W[0]"},
	{"AugmentedLift", "the coordinates of the normal are exchanged", "",
		"geom.Pt(length*h.W[0], length*h.B)", "geom.Pt(length*h.B, length*h.W[0])"},
	{"PlaneStrip", "the dashed line is the plane after the mistake", "planarRun.panel",
		"pen.Plane(s.Before,", "pen.Plane(s.After,"},
	{"PlaneStrip", "the ring is on the next row", "planarRun.panel",
		"r.set.X[s.Index]", "r.set.X[(s.Index+1)%r.set.Len()]"},
	{"PlaneStrip", "the arrow of w is half as long", "planarRun.arrow",
		"from.X+r.scale*h.W[0], from.Y+r.scale*h.W[1]",
		"from.X+r.scale/2*h.W[0], from.Y+r.scale/2*h.W[1]"},
	{"PlaneStrip", "w points backwards", "planarRun.arrow",
		"from.X+r.scale*h.W[0], from.Y+r.scale*h.W[1]",
		"from.X-r.scale*h.W[0], from.Y-r.scale*h.W[1]"},
	{"Jumps", "the curve begins a step too late", "", "k[i+1] = float64(i + 1)", "k[i+1] = float64(i + 2)"},
	{"Jumps", "rises and falls are exchanged", "", "case count[i+1] > count[i]:", "case count[i+1] < count[i]:"},
	{"PlaneFrames", "each frame shows the first mistake", "", "r.panel(k, 1)", "r.panel(0, 1)"},
	{"PlaneFrames", "the ring is on the next row", "planarRun.panel",
		"r.set.X[s.Index]", "r.set.X[(s.Index+1)%r.set.Len()]"},
	{"UpdateVectors", "yx begins in the origin", "VectorUpdate.arrows",
		"From: tip", "From: geom.Point{}"},
	{"UpdateVectors", "the dashed line is across the new w", "VectorUpdate.panel",
		"before := pen.Plane(svmkit.Hyperplane{W: u.W}",
		"before := pen.Plane(svmkit.Hyperplane{W: u.after()}"},
	{"UpdateVectors", "the name of the new w is at the old one", "VectorUpdate.panel",
		`At: sum.To, Text: "$w + yx$"`, `At: w.To, Text: "$w + yx$"`},
	{"UpdateVectors", "the caption gives the score of the old w", "VectorUpdate.words",
		"u.score(a), math.Abs(", "u.score(u.W), math.Abs("},
	{"Rounds", "a mistake adds −yx", "VectorUpdate.after", "u.X.AddTo(w, u.Y)", "u.X.AddTo(w, -u.Y)"},
	{"Rounds", "the question shows the answer", "VectorUpdate.round",
		"case answer && u.mistake():", "case u.mistake():"},
	{"Rounds", "the ring is at the tip of w", "VectorUpdate.round",
		"pen.RingAt(x, 7", "pen.RingAt(w.To, 7"},

	{"AngleToReference", "the ceiling falls with k, not with √k", "Novikoff.Ceiling",
		"math.Sqrt(k)*n.Gamma", "k*n.Gamma"},
	{"AngleToReference", "angles are drawn a mistake too early", "",
		"geom.Pt(float64(i+1), angles[i])", "geom.Pt(float64(i), angles[i])"},
	{"MistakesAgainstBound", "the axes are exchanged", "BoundRun.point",
		"r.Bound, float64(r.Mistakes)", "float64(r.Mistakes), r.Bound"},
	{"MistakesAgainstBound", "the allowed part is shaded", "",
		"geom.Pt(view.XMin, view.YMax)", "geom.Pt(view.XMax, view.YMin)"},
	{"MistakesAgainstBound", "the first run is ringed", "checkRuns", "q > best", "q < best"},
	{"Growth", "the bound is at half of its height", "GrowthPanel.draw",
		"[]float64{bound, bound}", "[]float64{bound / 2, bound / 2}"},
	{"Growth", "the panels are in reverse order", "",
		"append(f.Panels, []*plot.Plot{drawn.Plot})", "append([][]*plot.Plot{{drawn.Plot}}, f.Panels...)"},
	{"MistakesAgainstBound", "the dashed line is at half of the bound", "",
		"scaled(ends, 0.25)", "scaled(ends, 0.5)"},
	{"MistakesAgainstBound", "the median is the largest ratio", "medianRatio",
		"ratios[(len(ratios)-1)/2]", "ratios[len(ratios)-1]"},
	{"ProofStep", "the circle's radius is ‖w‖ + ‖x‖", "VectorUpdate.angle",
		"math.Hypot(w, x)", "w + x"},
	{"ProofStep", "w* is twice as long as the axes say", "",
		"To: geom.Pt(star[0], star[1])", "To: geom.Pt(2*star[0], 2*star[1])"},
	{"ProofStep", "the gain begins in the origin", "VectorUpdate.drawProof",
		"pen.Segment(before, after,", "pen.Segment(geom.Point{}, after,"},
	{"ProofStep", "two names are exchanged", "VectorUpdate.drawProof",
		`At: w.To, Text: "$w$", Colour: pen.Faint`, `At: sum.To, Text: "$w$", Colour: pen.Faint`},
	{"ProofStep", "the disc has the radius kR", "Novikoff.proofRegion",
		"radius := math.Sqrt(k) * n.Radius", "radius := k * n.Radius"},
	{"ProofStep", "the line is half as far", "Novikoff.proofRegion",
		"svmkit.Hyperplane{W: star}, k*n.Gamma)", "svmkit.Hyperplane{W: star}, k*n.Gamma/2)"},
	{"Witness", "the band is half as wide", "", "pen.Street(star, n.Gamma)", "pen.Street(star, n.Gamma/2)"},
	{"Witness", "the arrow of R leads to the first row", "",
		"To: geom.At(set.X[farthest])", "To: geom.At(set.X[0])"},
	{"Witness", "R is written for γ", "", "prose.Num(round3(n.Gamma)),\n\t\t\tLean", "prose.Num(n.Radius),\n\t\t\tLean"},
	{"LengthsAndMargins", "the two rings are exchanged", "",
		"pen.RingAt(at[longest], 7", "pen.RingAt(at[nearest], 7"},
	{"LengthsAndMargins", "the longest of the nearest rows is ringed", "", "if q.X < at[nearest].X {", "if q.X > at[nearest].X {"},
	{"LengthsAndMargins", "the cross is at the nearest row", "",
		"geom.Pt(at[longest].X, at[nearest].Y)", "geom.Pt(at[nearest].X, at[nearest].Y)"},
	{"StreetAndRun", "the street is 2γ wide to each side", "",
		"pen.Street(star, n.Gamma)", "pen.Street(star, 2*n.Gamma)"},
	{"StreetAndRun", "both lines are the last one", "",
		"pen.Plane(star, pen.Line(pen.Faint", "pen.Plane(last, pen.Line(pen.Faint"},
	{"Squeeze", "the dashed line is the upper bound", "Novikoff.squeeze",
		"lower := pen.Join(geom.Sample(n.Lower", "lower := pen.Join(geom.Sample(n.Upper"},
	{"Squeeze", "circles and triangles show the same numbers", "Novikoff.squeeze",
		"trace[i].NormW*n.NormReference", "trace[i].Align"},
	{"Squeeze", "the diamond is at the last mistake", "Novikoff.squeeze",
		"geom.Pt(bound, n.Upper(bound))", "geom.Pt(last, n.Upper(last))"},
	{"SqueezeWithin", "the axes follow the run", "",
		"n.squeezeFigure(trace, bound)", "n.squeezeFigure(trace, 0)"},
	{"Squeeze", "the bounds meet at R/γ", "Novikoff.Bound",
		"(n.Radius / n.Gamma) * (n.Radius / n.Gamma)", "n.Radius / n.Gamma"},
	{"Squeeze", "the upper bound is kR", "Novikoff.Upper", "math.Sqrt(k)", "k"},
	{"Squeeze", "the lower bound forgets γ", "Novikoff.Lower", "k * n.Gamma", "k"},
	{"AngleToReference", "the ceiling is an arcsine", "Novikoff.Ceiling", "math.Acos", "math.Asin"},
	{"TightCase", "a mistake too many is drawn", "",
		"geom.Pt(float64(r.N), float64(r.Mistakes))", "geom.Pt(float64(r.N), float64(r.Mistakes+1))"},
	{"TightCase", "half of the bound is drawn", "",
		"geom.Pt(float64(r.N), r.Bound)", "geom.Pt(float64(r.N), r.Bound/2)"},
	{"TightCase", "the marks show the bounds", "", "made[i])\n", "bound[i])\n"},

	{"HingeSqueeze", "the lower bound is M + H", "HingeRun.Lower", "float64(i+1) - sum",
		"float64(i+1) + sum"},
	{"HingeSqueeze", "circles and triangles show the same numbers", "",
		"geom.Pt(k, trace[i].Align)", "geom.Pt(k, trace[i].NormW*h.NormReference)"},
	{"NoisyRun", "the rows after the wrong ones are ringed", "",
		"around.At = geom.At(set.X[i])", "around.At = geom.At(set.X[(i+1)%set.Len()])"},
	{"NoisyRun", "both lines are the last one", "", "pen.Plane(star,", "pen.Plane(last,"},
	{"NoisyRun", "the circle has half the radius", "", "circle(radius)", "circle(radius/2)"},

	{"LossZoo", "the losses exchange their curves", "",
		"pen.Styles[i].Curve(l.graph(view))", "pen.Styles[i].Curve(losses[len(losses)-1-i].graph(view))"},
	{"LossZoo", "the filled end of the jump is at 0", "",
		"At(geom.Point{Y: 1})", "At(geom.Point{Y: 0})"},
	{"SubgradientFan", "lines above the graph are solid", "", "worst == 0", "worst >= 0"},
	{"SubgradientFan", "names of slopes g and −g are exchanged", "",
		"leaves(view, here, g)", "leaves(view, here, -g)"},
	{"SubgradientFan", "the fan has one half", "",
		"p.Add(fan(view.XMin), fan(view.XMax))", "p.Add(fan(view.XMin))"},
	{"SurrogateGap", "the solid line is the error rate", "",
		"r.curve(r.Loss, flipped", "r.curve(r.Error, flipped"},
	{"SurrogateGap", "errors by the true labels are dotted", "",
		"pen.Line(style.Color, 1.6, pen.Dashed)", "pen.Line(style.Color, 1.6, pen.Dotted)"},
	{"TurnedLine", "the first and the last line are exchanged", "",
		"{to, from}", "{from, to}"},
	{"TurnedLine", "points on the right side are ringed", "",
		"set.Y[i]*to.Score(set.X[i]) <= 0", "set.Y[i]*to.Score(set.X[i]) > 0"},

	{"WeightSpace", "the region is on the wrong sides", "allowed",
		"constraint(set, i)", "constraint(set, i).Scale(-1)"},
	{"WeightSpace", "the circle has half the radius", "",
		"circle(math.Hypot(best[0], best[1]))", "circle(math.Hypot(best[0], best[1])/2)"},
	{"WeightSpace", "the other points are ringed", "",
		"if slices.Contains(held, i)", "if !slices.Contains(held, i)"},
	{"WeightSpace", "the names of the axes are exchanged", "",
		`pen.NewPlot("$w_1$", "$w_2$")`, `pen.NewPlot("$w_2$", "$w_1$")`},

	{"AlphaBars", "bars of the class −1 point upwards", "", "geom.Pt(float64(i+1), a*y)",
		"geom.Pt(float64(i+1), a)"},
	{"AlphaBars", "both classes are blue", "", "pen.Line(pen.Vermillion, 2.4, nil)",
		"pen.Line(pen.Blue, 2.4, nil)"},
	{"AlphaBars", "bars are half as wide", "", "pen.Line(pen.Blue, 2.4, nil)",
		"pen.Line(pen.Blue, 1.2, nil)"},
	{"BiasMargin", "a line begins at the height of the other one", "",
		"geom.Pt(low, plus-low)", "geom.Pt(low, low-minus)"},
	{"BiasMargin", "the diamond is at the top", "", "geom.Pt(here, value)", "geom.Pt(top, best)"},
	{"DualTriple", "the coordinates of the ring are exchanged", "", "geom.Pt(s, t)", "geom.Pt(t, s)"},
	{"DualTriple", "the weights of the mean are exchanged", "triple.mean",
		"(s*d.u.X+t*d.v.X)/(s+t)", "(t*d.u.X+s*d.v.X)/(s+t)"},
	{"DualTriple", "each α is named by the next number", "",
		"k+1, prose.Num(alpha[k])", "k+1, prose.Num(alpha[(k+1)%3])"},
	{"PrimalDual", "primal and dual have one colour", "",
		"pen.Line(pen.Vermillion, 1.7, pen.Dashed)", "pen.Line(pen.Blue, 1.7, pen.Dashed)"},
	{"PrimalDual", "the mean of primal and dual is drawn as the primal", "",
		"best := h.Primal", "best := (h.Primal + h.Dual) / 2"},
	{"PrimalDual", "half of the gap is drawn", "", "geom.Pt(x, g)", "geom.Pt(x, g/2)"},
	{"SaddlePoint", "solid and dashed lines are exchanged", "", "v > value", "v < value"},
	{"SaddlePoint", "the coordinates of the valley are exchanged", "",
		"geom.Pt(s.lowest(a), a)", "geom.Pt(a, s.lowest(a))"},
	{"SupportVectors", "the large marks of the classes are exchanged", "",
		"geom.OfClass(set, support, 1), geom.OfClass(set, support, -1)",
		"geom.OfClass(set, support, -1), geom.OfClass(set, support, 1)"},
	{"SupportVectors", "a narrow street has no second panel", "",
		"street < narrowStreet*side", "street < 0*narrowStreet*side"},
	{"SupportVectors", "dotted rings are on points off the lines", "", "case onEdge:", "case !onEdge:"},

	{"KKT", "the axes are exchanged", "conditions.add", "geom.Pt(x, v)", "geom.Pt(v, x)"},
	{"KKT", "the marks of 0 and of the bound are exchanged", "",
		"k.state[i] == weightState(s)", "k.state[i] == weightState(2-s)"},
	{"KKT", "the broken line falls at −1", "conditions.ideal",
		"{X: 1, Y: top}, {X: 1}", "{X: -1, Y: top}, {X: -1}"},
	{"SoftStreet", "slacks lead to the plane", "soft.panel",
		"s.set.Y[i]/s.fit.Plane.Norm()", "0"},
	{"SoftStreet", "slacks lead to the line of the other class", "soft.panel",
		"s.set.Y[i]/s.fit.Plane.Norm()", "-s.set.Y[i]/s.fit.Plane.Norm()"},
	{"SoftStreet", "points at the bound are ringed", "soft.panel",
		"geom.Rows(s.set, s.free)", "geom.Rows(s.set, s.bound)"},
	{"CStrip", "all panels are named by the first C", "",
		`"$C = " + prose.Num(fit.C)`, `"$C = " + prose.Num(fits[0].C)`},
	{"CStrip", "all panels show the first street", "", "newSoft(set, fit)", "newSoft(set, fits[0])"},
	{"AlphaPath", "the axes are exchanged", "",
		"curve.At = append(curve.At, geom.Pt(c[m], v[i]))",
		"curve.At = append(curve.At, geom.Pt(v[i], c[m]))"},
	{"AlphaPath", "marks are where the curve is straight", "", "if bend {", "if inside && !bend {"},
	{"AlphaPath", "the allowed triangle is shaded", "",
		"{X: c[0], Y: p.Y.Max}", "{X: p.Y.Max, Y: c[0]}"},
	{"AccuracyOverC", "test and training are exchanged", "",
		`{"test", testAt, testErr}, {"training", trainAt, trainErr}`,
		`{"test", trainAt, trainErr}, {"training", testAt, testErr}`},
	{"AccuracyOverC", "bars reach half as far down", "errorBars.Plot",
		"at.Y-e.Err[k]", "at.Y-e.Err[k]/2"},

	{"BoundaryStrip", "all panels show the first model", "",
		"plots.DecisionRegions(set, m.Model", "plots.DecisionRegions(set, models[0].Model"},
	{"BoundaryStrip", "all panels are named by the first model", "",
		"p.Title.Text = m.Name", "p.Title.Text = models[0].Name"},
	{"GramMatrix", "the first row is at the bottom", "",
		"g.value[r*len(rows)+c]", "g.value[(len(rows)-1-r)*len(rows)+c]"},
	{"GramMatrix", "the names of the rows are exchanged", "",
		"plot.Tick{Value: n - middle", "plot.Tick{Value: middle"},
	{"GramMatrix", "the colour bar is upside down", "colourBar.Plot",
		"b.Shade.Lo+(t-0.5/pen.ShadeSteps)*(b.Shade.Hi-b.Shade.Lo)",
		"b.Shade.Hi-(t-0.5/pen.ShadeSteps)*(b.Shade.Hi-b.Shade.Lo)"},
	{"Space", "it is turned the other way", "newSpace",
		"[3]float64{-sin, cos, 0}", "[3]float64{sin, cos, 0}"},
	{"Space", "points behind the plane are drawn over it", "",
		"(h.Score(set.X[i])*near > 0) != front", "(h.Score(set.X[i])*near > 0) == front"},
	{"CostGammaMap", "the columns are in reverse order", "",
		"float64 { return g.Error[i][j] }", "float64 { return g.Error[len(g.C)-1-i][j] }"},
	{"CostGammaMap", "the worst errors are framed", "", "g.Error[i][j] <= best",
		"g.Error[i][j] >= worst"},

	{"WeightHistogram", "the colours of 0 and of the bound are exchanged", "",
		"fill: stateFill[s]", "fill: stateFill[2-s]"},
	{"WeightHistogram", "bars are half as wide", "", "float64(k) - 0.4", "float64(k)"},
	{"WeightHistory", "the strips are sorted the other way", "",
		"int(stateOf(last[i], upper)) - int(stateOf(last[k], upper))",
		"int(stateOf(last[k], upper)) - int(stateOf(last[i], upper))"},
	{"WeightHistory", "the colours of 0 and of the bound are exchanged", "strips.Plot",
		"stateFill[cells[from]]", "stateFill[2-cells[from]]"},
	{"Parabolas", "the triangle is at the best allowed point", "",
		"geom.Pt(vertex, s.Gain(vertex)))\n\t\tto", "geom.Pt(best, s.Gain(best)))\n\t\tto"},
	{"Parabolas", "half of the interval is shaded", "",
		"pen.Column(0, s.Upper,", "pen.Column(0, s.Upper/2,"},
	{"Staircase", "the coordinates of the best point are exchanged", "",
		"geom.Pt(best[0], best[1])", "geom.Pt(best[1], best[0])"},
	{"Staircase", "the end is ringed", "", "pen.RingAt(walk.At[0]", "pen.RingAt(walk.At[len(walk.At)-1]"},
	{"Staircase", "the ellipses lean the other way", "BoxQuadratic.level",
		"r*cos - l21*y", "r*cos + l21*y"},

	{"EpsilonLoss", "both slopes are C₂", "", "weight := above", "weight := below"},
	{"EpsilonLoss", "the names of the slopes are exchanged", "",
		"At: side(reach), Text", "At: side(-reach), Text"},
	{"SoftThreshold", "the flat part is half as wide", "",
		"{X: -epsilon}, {X: epsilon}, {X: highest", "{X: -epsilon / 2}, {X: epsilon / 2}, {X: highest"},
	{"SoftThreshold", "C₁ and C₂ are exchanged", "",
		"{X: lowest, Y: -above}", "{X: lowest, Y: -below}"},

	{"Labellings", "the hulls exchange their colours", "Labelling.panel",
		"{{plus, pen.PaleBlue", "{{minus, pen.PaleBlue"},
	{"Labellings", "the ring is on a point of the set", "Labelling.panel",
		"pen.RingAt(a, 7", "pen.RingAt(plus[0], 7"},
	{"Labellings", "all points have the first name", "Labelling.letters",
		"prose.Literal(name)", "prose.Literal(name[:0] + l.Names[0])"},

	{"CVCurve", "the ring is on the choice", "",
		"pen.RingAt(v.place(best.Params)", "pen.RingAt(v.place(simplest.Params)"},
	{"CVCurve", "the band is on the better side", "oneErrorAway",
		"best.Mean + best.StdErr", "best.Mean - 2*best.StdErr"},
	{"ConfusionMatrix", "true and predicted classes are exchanged", "",
		"c.Count[t][p]", "c.Count[p][t]"},
	{"ConfusionMatrix", "the names of the rows are upside down", "",
		"float64(k-i) - 0.5", "float64(i) + 0.5"},
	{"Reliability", "the axes are exchanged", "binned",
		"geom.Pt(sum[k]/float64(n), positive[k]/float64(n))",
		"geom.Pt(positive[k]/float64(n), sum[k]/float64(n))"},
	{"Reliability", "bars are half as long", "binned",
		"math.Sqrt(at.Y*(1-at.Y)/float64(n))", "math.Sqrt(at.Y*(1-at.Y)/float64(n))/2"},
}

// The mistakes in the figures that several lessons use.
var plotMistakes = []mistake{
	{"Lines", "the series exchange their styles", "",
		"looks[i].Curve(", "looks[len(series)-1-i].Curve("},
	{"Lines", "a curve goes through the marks", "",
		"geom.Zip(s.X, s.Curve, rows)", "geom.Zip(s.X, s.Y, rows)"},
	{"Separators", "the planes exchange their styles", "",
		"pen.Plane(h.Plane, pen.PlaneStyles[i].Line)",
		"pen.Plane(h.Plane, pen.PlaneStyles[len(planes)-1-i].Line)"},
	{"Hulls", "the hull of +1 is drawn around −1", "",
		`"hull of +1", hullPlus`, `"hull of +1", hullMinus`},
	{"Hulls", "every pair of points is accepted", "",
		"d > least+geom.HullTolerance*size", "d > least+1e9*size"},
	{"Hulls", "one end is ringed twice", "", "pen.RingAt(q, 6", "pen.RingAt(p, 6"},
	{"Landscape", "the region is on the wrong sides", "Surface.region",
		"c.Line", "c.Line.Scale(-1)"},
	{"Landscape", "the end of a path is ringed", "",
		"pen.RingAt(walk.At[0]", "pen.RingAt(walk.At[len(walk.At)-1]"},
	{"Landscape", "values of pieces are those of mirrored places", "pieces.Plot",
		"l.s.F(middle.X, middle.Y)", "l.s.F(middle.Y, middle.X)"},
	{"DecisionRegions", "the line f = +1 is drawn at −1", "",
		"scoreLine{d.field, 1,", "scoreLine{d.field, -1,"},
	{"DecisionRegions", "the colours are in reverse order", "scoreBands.Plot",
		"fillGround(&c, p, g.above(v), fill)",
		"fill = b.fills[len(b.fills)-1-k]; fillGround(&c, p, g.above(v), fill)"},
	{"DecisionRegions", "the rings are half as large", "",
		"pen.RingRadius * extra.Size", "pen.RingRadius * extra.Size / 2"},
	{"Tube", "a slack begins at f", "tubePlot", "geom.Pt(q.X, f+t.Epsilon)", "geom.Pt(q.X, f)"},
	{"Tube", "the tube is half as wide", "tubePlot",
		"t.curve(view, t.Epsilon), t.curve(view, -t.Epsilon)",
		"t.curve(view, t.Epsilon/2), t.curve(view, -t.Epsilon/2)"},
	{"Fits", "the fits exchange their styles", "", "pen.Styles[k].Line",
		"pen.Styles[len(fits)-1-k].Line"},
	{"Residuals", "the error is y − f(x)", "",
		"scores[i] - set.Y[i]", "set.Y[i] - scores[i]"},
	{"CVMap", "the full frame is on the choice", "",
		"at(i, j).Params == best.Params", "at(i, j).Params == simplest.Params"},
	{"CVMap", "the shades are those of the opposite cells", "",
		"float64 { return at(i, j).Mean }",
		"float64 { return at(len(costs)-1-i, len(gammas)-1-j).Mean }"},
	{"ClassRegions", "right points are crossed out", "newClassRegions",
		"model.Predict(x).Class != k", "model.Predict(x).Class == k"},
	{"ClassRegions", "the regions have the colours of the next class", "classFill",
		"pen.Styles[k]", "pen.Styles[(k+1)%3]"},
	{"Stack", "the figures are in reverse order", "",
		"append(all.Panels, []*plot.Plot{f.Plot})", "append([][]*plot.Plot{{f.Plot}}, all.Panels...)"},
}

// Each figure has a mistake in the table, and each mistake a place in the code.
func TestMistakesOfEachFigure(t *testing.T) {
	for _, d := range drawers {
		figures := constructors(t, d.folder)
		for _, name := range figures {
			if !slices.ContainsFunc(d.mistakes, func(m mistake) bool { return m.figure == name }) {
				t.Errorf("%s: no mistake in the drawing of %s", d.folder, name)
			}
		}
		for _, m := range d.mistakes {
			if _, _, err := m.mutation().Apply(d.folder); err != nil {
				t.Errorf("%s, %s: %v", m.figure, m.what, err)
			}
			if !slices.Contains(figures, m.figure) {
				t.Errorf("%s: no constructor returns the figure %s", d.folder, m.figure)
			}
		}
	}
}

// With each mistake the test of its figure fails. The log is a table of the mistakes that were made:
//
//	SVMKIT_RELIABILITY=full go test -v -run Mistakes/all/Hulls ./lessons/figures
func TestMistakesAreNoticed(t *testing.T) {
	if os.Getenv("SVMKIT_RELIABILITY") != "full" {
		t.Skip("compiles the figures once for each mistake: SVMKIT_RELIABILITY=full asks for it")
	}
	var fell sync.Map
	t.Run("all", func(t *testing.T) {
		for _, d := range drawers {
			for _, m := range d.mistakes {
				t.Run(m.figure+": "+m.what, func(t *testing.T) {
					t.Parallel()
					failed, err := m.mutation().Test(t.Context(), d.folder, t.TempDir(),
						[]string{m.test()}, "-gcflags=-N -l", ".") // quicker to compile
					if err != nil {
						t.Fatal(err)
					}
					if len(failed) == 0 {
						t.Errorf("%s does not notice it", m.test())
					}
					fell.Store(m, strings.Join(failed, ", "))
				})
			}
		}
	})
	table := &strings.Builder{}
	fmt.Fprintf(table, "| figure | mistake in its drawing | test that fell |\n|---|---|---|\n")
	for _, d := range drawers {
		for _, m := range d.mistakes {
			if test, ran := fell.Load(m); ran {
				fmt.Fprintf(table, "| %s | %s | %v |\n", m.figure, m.what, test)
			}
		}
	}
	t.Log("\n" + table.String())
}

// constructors returns the exported functions of a package that return figures.
func constructors(t *testing.T, folder string) (names []string) {
	t.Helper()
	paths, err := filepath.Glob(filepath.Join(folder, "*.go"))
	if err != nil {
		t.Fatal(err)
	}
	for _, path := range paths {
		if strings.HasSuffix(path, "_test.go") {
			continue
		}
		file, err := parser.ParseFile(token.NewFileSet(), path, nil, parser.SkipObjectResolution)
		if err != nil {
			t.Fatal(err)
		}
		for _, decl := range file.Decls {
			f, ok := decl.(*ast.FuncDecl)
			if !ok || f.Recv != nil || !f.Name.IsExported() || f.Type.Results == nil ||
				f.Name.Name == "New" { // its plot is drawn by the caller
				continue
			}
			result := types.ExprString(f.Type.Results.List[0].Type)
			if strings.TrimPrefix(strings.TrimLeft(result, "[]*"), "plots.") == "Figure" {
				names = append(names, f.Name.Name)
			}
		}
	}
	if len(names) < 10 {
		t.Fatalf("%s has the figures %q alone", folder, names)
	}
	return names
}
