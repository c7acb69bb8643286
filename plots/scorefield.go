package plots

import (
	"image/color"
	"math"
	"slices"
	"sync"

	"github.com/svmkit/course/plots/check"
	"github.com/svmkit/course/plots/geom"
	"github.com/svmkit/course/plots/pen"
	"github.com/svmkit/course/svmkit"
	"gonum.org/v1/plot"
	"gonum.org/v1/plot/vg"
	"gonum.org/v1/plot/vg/draw"
)

// scoreField is a model's score over the plane, sampled over what a panel shows.
type scoreField struct {
	model svmkit.Scorer

	mu   sync.Mutex
	last *scoreGrid // one sample serves all layers and formats
}

// over returns the score sampled over b.
func (f *scoreField) over(b geom.Box) (*scoreGrid, error) {
	f.mu.Lock()
	defer f.mu.Unlock()
	if f.last != nil && f.last.Over == b {
		return f.last, nil
	}
	g := &scoreGrid{Grid: geom.Grid{Over: b}}
	rows := make([]svmkit.Row, 0, (geom.GridSteps+1)*(geom.GridSteps+1))
	for c := range geom.GridSteps + 1 {
		for r := range geom.GridSteps + 1 {
			rows = append(rows, svmkit.Dense(g.X(c), g.Y(r)))
		}
	}
	scores, err := check.Scores(f.model, rows)
	if err != nil {
		return nil, err
	}
	g.values = scores
	for k, v := range g.values { // infinities would turn into NaN between two nodes
		g.values[k] = min(max(v, -check.Max), check.Max)
	}
	f.last = g
	return g, nil
}

// mustOver is over while drawing, where [Figure.Draw] turns a panic into an error.
func (f *scoreField) mustOver(b geom.Box) *scoreGrid {
	g, err := f.over(b)
	if err != nil {
		panic(err)
	}
	return g
}

// scoreGrid holds the score at the nodes of a grid; NaN where the model has none.
type scoreGrid struct {
	geom.Grid
	values []float64
}

func (g *scoreGrid) at(c, r int) float64 { return g.values[c*(geom.GridSteps+1)+r] }

// level returns the lines of the level v. They end where the score is no number.
func (g *scoreGrid) level(v float64) [][]geom.Point {
	s := geom.Grid{Over: g.Over, F: func(x, y float64) float64 {
		return g.at(node(x, g.Over.XMin, g.Over.XMax), node(y, g.Over.YMin, g.Over.YMax))
	}}
	lines := s.Level(v)
	for k, line := range lines {
		lines[k] = slices.DeleteFunc(line, func(p geom.Point) bool {
			return math.IsNaN(p.X) || math.IsNaN(p.Y)
		})
	}
	return lines
}

// node returns the number of the grid line at v.
func node(v, lo, hi float64) int {
	if !(hi > lo) {
		return 0
	}
	return min(max(int(math.Round((v-lo)/(hi-lo)*geom.GridSteps)), 0), geom.GridSteps)
}

// above returns polygons that together are the region where the score is at least v. Whole
// cells that are neighbours in a row become one rectangle; a cell that the level line crosses is
// cut along it, triangle by triangle, just as level cuts it. Cells at a node without a
// score are left out.
func (g *scoreGrid) above(v float64) (polygons [][]geom.Point) {
	for r := range geom.GridSteps {
		from := -1 // first cell of the rectangle that is growing
		flush := func(to int) {
			if from >= 0 {
				polygons = append(polygons, geom.Box{XMin: g.X(from), XMax: g.X(to), YMin: g.Y(r),
					YMax: g.Y(r + 1)}.Corners())
				from = -1
			}
		}
		for c := range geom.GridSteps {
			z := [4]float64{g.at(c, r), g.at(c+1, r), g.at(c+1, r+1), g.at(c, r+1)}
			whole := true
			for _, v4 := range z {
				whole = whole && v4 >= v
			}
			if whole {
				if from < 0 {
					from = c
				}
				continue
			}
			flush(c)
			if math.IsNaN(z[0] + z[1] + z[2] + z[3]) {
				continue
			}
			corners := geom.Box{XMin: g.X(c), XMax: g.X(c + 1), YMin: g.Y(r),
				YMax: g.Y(r + 1)}.Corners()
			for _, t := range [2][3]int{{0, 1, 2}, {0, 2, 3}} {
				var cut []geom.Point
				for k := range 3 {
					a, b := t[k], t[(k+1)%3]
					if z[a] >= v {
						cut = append(cut, corners[a])
					}
					if (z[a] >= v) != (z[b] >= v) {
						s := (v - z[a]) / (z[b] - z[a])
						cut = append(cut, geom.Pt(corners[a].X+s*(corners[b].X-corners[a].X),
							corners[a].Y+s*(corners[b].Y-corners[a].Y)))
					}
				}
				if len(cut) > 2 {
					polygons = append(polygons, cut)
				}
			}
		}
		flush(geom.GridSteps)
	}
	return polygons
}

// share returns the parts of the panel where the score is positive and where it is a number,
// counted at the nodes, and its least and greatest value.
func (g *scoreGrid) share() (positive, number, lo, hi float64) {
	lo, hi = math.Inf(1), math.Inf(-1)
	for _, v := range g.values {
		if math.IsNaN(v) {
			continue
		}
		number++
		if v > 0 {
			positive++
		}
		lo, hi = min(lo, v), max(hi, v)
	}
	n := float64(len(g.values))
	return positive / n, number / n, lo, hi
}

// scoreBands fills the background: fills[0] where the score is below values[0], fills[k] from
// values[k−1] on. The values rise.
type scoreBands struct {
	field  *scoreField
	values []float64
	fills  []color.Color
}

func (b scoreBands) Plot(c draw.Canvas, p *plot.Plot) {
	g := b.field.mustOver(pen.Shown(p))
	for k, fill := range b.fills {
		v := math.Inf(-1)
		if k > 0 {
			v = b.values[k-1]
		}
		fillGround(&c, p, g.above(v), fill)
	}
}

// fillGround fills polygons as one path. Its pieces turn the same way, so no gaps show
// between them.
func fillGround(c *draw.Canvas, p *plot.Plot, polygons [][]geom.Point, fill color.Color) {
	var ground vg.Path
	for _, polygon := range polygons {
		for i, q := range polygon {
			if at := pen.CanvasPoint(c, p, q); i == 0 {
				ground.Move(at)
			} else {
				ground.Line(at)
			}
		}
		ground.Close()
	}
	c.SetColor(fill)
	c.Fill(ground)
}

// scoreLine draws the line on which the score has one value.
type scoreLine struct {
	field *scoreField
	value float64
	style draw.LineStyle
}

func (l scoreLine) Plot(c draw.Canvas, p *plot.Plot) {
	for _, line := range l.field.mustOver(pen.Shown(p)).level(l.value) {
		pen.Path{At: line, Style: l.style}.Plot(c, p)
	}
}

func (l scoreLine) Thumbnail(c *draw.Canvas) { pen.StrokeAcross(c, l.style) }
