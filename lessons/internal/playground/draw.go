package playground

import (
	"image/color"
	"math"

	"github.com/svmkit/course/plots"
	"github.com/svmkit/course/svmkit"
	"github.com/svmkit/course/svmkit/multiclass"
	"gonum.org/v1/plot"
	"gonum.org/v1/plot/plotter"
	"gonum.org/v1/plot/vg"
	"gonum.org/v1/plot/vg/draw"
)

// Draw returns the figure of the fit, wide or narrow for a phone. Its axes are always those of the plane.
func (f *Fit) Draw(narrow bool) (*plots.Figure, error) {
	figure, err := f.figure()
	if err != nil {
		return nil, err
	}
	p := figure.Plot
	p.X.Min, p.X.Max, p.Y.Min, p.Y.Max = -Width/2, Width/2, -Height/2, Height/2
	if len(f.moved) > 0 {
		var at plotter.XYs
		for _, i := range f.moved {
			at = append(at, plotter.XY{X: f.State.Points[i].X, Y: f.State.Points[i].Y})
		}
		rings, err := plotter.NewScatter(at)
		if err != nil {
			return nil, err
		}
		rings.GlyphStyle = draw.GlyphStyle{Color: color.RGBA{0x00, 0x9e, 0x73, 0xff}, Radius: 9, Shape: draw.RingGlyph{}}
		p.Add(rings)
		figure.Alt += " A larger green ring is where the last step was."
	}
	figure.Width, figure.Height = 6.4*vg.Inch, 5.2*vg.Inch
	if narrow {
		figure.Width, figure.Height = 3.9*vg.Inch, 3.6*vg.Inch
	}
	figure.Caption = f.Caption
	return figure, nil
}

// figure draws without regard to size.
func (f *Fit) figure() (*plots.Figure, error) {
	if len(f.Parts) == 0 {
		return f.points()
	}
	part := f.Parts[0]
	switch f.State.Task {
	case "regression":
		return plots.Tube(f.Set, plots.TubeFit{Name: "fit", F: newLattice(part, f.Set), Epsilon: f.State.Epsilon, Beta: f.beta()})
	case "several":
		known := *f.Rest
		known.Models = make([]svmkit.Scorer, len(f.Rest.Models))
		for _, p := range f.Parts {
			known.Models[p.Class] = newLattice(p, f.Set)
		}
		return plots.ClassRegions(f.Set, multiclass.Classifier(&known))
	}
	support := part.Model.Rows
	if support == nil {
		support = []int{}
	}
	return plots.DecisionRegions(f.Set, newLattice(part, f.Set), plots.RegionMarks{Support: support})
}

// points draws the points alone.
func (f *Fit) points() (*plots.Figure, error) {
	if len(f.State.Points) == 0 {
		p := plot.New()
		p.X.Label.Text, p.Y.Label.Text = "x1", "x2"
		return plots.New(p, f.Caption, "A plane without points.")
	}
	set := &svmkit.Dataset{Dim: 2}
	for _, p := range f.State.Points {
		set.X, set.Y = append(set.X, svmkit.Dense(p.X, p.Y)), append(set.Y, float64(2*(p.Class%2)-1))
	}
	return plots.DecisionRegions(set, nothing{}, plots.RegionMarks{})
}

// nothing has the score 0 everywhere: no regions are drawn.
type nothing struct{}

func (nothing) Score(svmkit.Row) float64 { return 0 }

// A lattice has the scores of a model on a lattice over the plane and around it, and between them a cubic
// through the four nearest along each axis (Catmull and Rom); in a regression there is one axis. A figure
// asks for ten thousand scores, each a sum over all support vectors. The points of the set keep their own.
type lattice struct {
	scores []float64
	known  map[[2]float64]float64
}

// onLine is how far the score of a point on f = ±1 can be from it in a solution up to the tolerance.
const onLine = 1e-3

const (
	spacing = 0.14
	columns = 77 // ±5.3, 1.3 times the plane's width: equal units can widen one axis
	lines   = 57 // ±3.9
)

func newLattice(p Part, set *svmkit.Dataset) *lattice {
	var rows []svmkit.Row
	for r := range lines {
		for c := range columns {
			at := []float64{(float64(c) - (columns-1)/2) * spacing, (float64(r) - (lines-1)/2) * spacing}
			rows = append(rows, svmkit.Dense(at[:set.Dim]...))
		}
		if set.Dim == 1 {
			break
		}
	}
	l := &lattice{scores: p.Model.ScoreAll(rows), known: map[[2]float64]float64{}}
	for i, x := range set.X {
		f := p.Scores[i]
		if math.Abs(math.Abs(f)-1) < onLine && set.Dim == 2 {
			f = math.Copysign(1, f)
		}
		l.known[key(x)] = f
	}
	return l
}

func key(x svmkit.Row) (k [2]float64) {
	copy(k[:], x.Value)
	return k
}

func (l *lattice) Score(x svmkit.Row) float64 {
	at := key(x)
	if v, ok := l.known[at]; ok {
		return v
	}
	c, across := cell(at[0]/spacing+(columns-1)/2, columns)
	if len(x.Value) == 1 {
		return l.along(c, across)
	}
	r, weights := cell(at[1]/spacing+(lines-1)/2, lines)
	sum := 0.0
	for i, w := range weights {
		sum += w * l.along((r+i)*columns+c, across)
	}
	return sum
}

// along is the cubic through four nodes that lie side by side.
func (l *lattice) along(first int, weights [4]float64) float64 {
	f := l.scores[first:]
	return weights[0]*f[0] + weights[1]*f[1] + weights[2]*f[2] + weights[3]*f[3]
}

// cell returns the first of the four nodes around a place, and their weights.
func cell(at float64, nodes int) (first int, weights [4]float64) {
	first = min(max(int(math.Floor(at))-1, 0), nodes-4)
	t := at - float64(first+1)
	return first, [4]float64{-t / 2 * (1 - t) * (1 - t), 1 + t*t*(1.5*t-2.5), t / 2 * (1 + t*(4-3*t)), t * t / 2 * (t - 1)}
}
