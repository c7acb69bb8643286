package plots

import (
	"fmt"
	"math"

	"github.com/svmkit/course/plots/check"
	"github.com/svmkit/course/plots/geom"
	"github.com/svmkit/course/plots/pen"
	"github.com/svmkit/course/plots/prose"
	"github.com/svmkit/course/svmkit"
	"github.com/svmkit/course/svmkit/tune"
	"gonum.org/v1/plot"
	"gonum.org/v1/plot/vg"
	"gonum.org/v1/plot/vg/draw"
)

// maxConfused is how many classes can be drawn with a number in each cell, maxShares with a percentage below it that
// can be read on a phone.
const (
	maxConfused = 20
	maxShares   = 6
)

// ConfusionMatrix draws how often rows of each class were predicted as each class: a row of
// cells a true class, a column a predicted one, right answers on the diagonal. A cell has its
// count and, up to 6 classes, what share of the class that is; the darker, the larger the
// share. Scores of exactly zero predict no class: if there are any, they have a column.
//
// [tune.Confuse] counts, for two classes and for more. At most 20 classes can be drawn.
func ConfusionMatrix(c *tune.Confusion) (*Figure, error) {
	if err := checkConfusion(c); err != nil {
		return nil, err
	}
	k, columns := len(c.Names), len(c.Names)
	none := 0
	for _, n := range c.None {
		none += n
	}
	if none > 0 {
		columns++
	}
	counted := func(t, p int) int {
		if p == k {
			return c.None[t]
		}
		return c.Count[t][p]
	}
	share := func(t, p int) float64 { // 0 for a class without rows
		return float64(counted(t, p)) / float64(max(1, c.Of(t)))
	}
	var bottom, side []plot.Tick
	longest := 0
	for i, name := range c.Names {
		name = prose.Minus(name)
		longest = max(longest, len([]rune(name)))
		bottom = append(bottom, plot.Tick{Value: float64(i) + 0.5, Label: prose.Literal(name)})
		side = append(side, plot.Tick{Value: float64(k-i) - 0.5, Label: prose.Literal(name)})
	}
	if none > 0 {
		bottom = append(bottom, plot.Tick{Value: float64(k) + 0.5, Label: "none"})
	}
	p := pen.MatrixPlot("predicted class", "true class", bottom, side)
	if longest*columns > 48 { // the names would run into each other
		p.X.Tick.Label.Rotation = math.Pi / 5
		p.X.Tick.Label.XAlign, p.X.Tick.Label.YAlign = draw.XRight, draw.YCenter
	}
	pen.Show(p, geom.Box{XMin: 0, XMax: float64(columns), YMin: 0, YMax: float64(k)})
	shade := pen.Shade{Lo: 0, Hi: 1, Stops: pen.Sequential}
	p.Add(pen.Heat{Rows: k, Columns: columns, Value: share, Shade: shade}, pen.CellLines{Rows: k, Columns: columns}, cellText{k, columns, counted, share, shade})
	f := &Figure{Plot: p}
	f.Width, f.Height = pen.MatrixSize(p, 5.2*vg.Inch, 3.8*vg.Inch)
	f.Caption, f.Alt = confusionWords(c, none)
	return f, nil
}

func checkConfusion(c *tune.Confusion) error {
	switch {
	case c == nil:
		return check.Param("confusion", nil, "must not be nil")
	case len(c.Names) < 2 || len(c.Names) > maxConfused:
		return check.Param("confusion", prose.Plural(len(c.Names), "class name"), "must have 2 to %d classes", maxConfused)
	case len(c.Count) != len(c.Names) || len(c.None) != len(c.Names):
		return check.All(svmkit.ErrMismatch)
	}
	total := 0
	for t, row := range c.Count {
		if len(row) != len(c.Names) {
			return check.Data(t, svmkit.NoPlace, 0, svmkit.ErrMismatch)
		}
		for p, n := range append([]int{c.None[t]}, row...) {
			if n < 0 {
				return check.Data(t, p-1, float64(n), check.ErrCount)
			}
			total += n
		}
	}
	if total == 0 {
		return check.All(svmkit.ErrEmpty)
	}
	return nil
}

// cellText writes counts, and shares below them, into the cells of a heat map.
type cellText struct {
	rows, columns int
	count         func(r, c int) int
	share         func(r, c int) float64
	shade         pen.Shade
}

func (t cellText) Plot(c draw.Canvas, p *plot.Plot) {
	corner, next := pen.CanvasPoint(&c, p, geom.Point{}), pen.CanvasPoint(&c, p, geom.Point{X: 1, Y: 1})
	width, height := float64(next.X-corner.X), float64(next.Y-corner.Y)
	large := min(13, 0.42*height, 0.42*width)
	small := min(9.5, 0.3*height, 0.28*width)
	both := t.rows <= maxShares && height > 24
	for r := range t.rows {
		for k := range t.columns {
			n := t.count(r, k)
			if n == 0 && t.rows > 4 { // zeros in a large matrix are noise
				continue
			}
			at := pen.CanvasPoint(&c, p, geom.Point{X: float64(k) + 0.5, Y: float64(t.rows-r) - 0.5})
			sty := pen.TextStyle(large)
			sty.XAlign, sty.YAlign = draw.XCenter, draw.YCenter
			sty.Color = pen.InkOn(t.shade.Colour(t.share(r, k)))
			if !both {
				c.FillText(sty, at, prose.Count(n))
				continue
			}
			c.FillText(sty, vg.Point{X: at.X, Y: at.Y + vg.Length(0.55*small)}, prose.Count(n))
			sty.Font.Size = vg.Points(small)
			c.FillText(sty, vg.Point{X: at.X, Y: at.Y - vg.Length(0.75*large)}, prose.Percent(t.share(r, k)))
		}
	}
}

func confusionWords(c *tune.Confusion, none int) (caption, alt string) {
	most, from, to := 0, 0, 0
	for t, row := range c.Count {
		for p, n := range row {
			if t != p && n > most {
				most, from, to = n, t, p
			}
		}
	}
	caption = fmt.Sprintf("%s of %s are predicted right.", prose.UpperFirst(prose.Percent(c.Accuracy())), prose.Plural(c.Total(), "row"))
	if most > 0 {
		caption += fmt.Sprintf(" The most frequent mistake: %s taken for %s, %s.", prose.Minus(c.Names[from]), prose.Minus(c.Names[to]), prose.Plural(most, "time"))
	}
	if none > 0 {
		caption += fmt.Sprintf(" %s no prediction.", prose.Have(none))
	}
	if len(c.Names) <= maxShares {
		caption += " Percentages are of the true class."
	}
	alt = fmt.Sprintf("Matrix of %d true classes (rows) by predicted classes (columns).", len(c.Names))
	for t, name := range c.Names {
		if c.Of(t) == 0 {
			alt += fmt.Sprintf(" Of %s there is no row.", prose.Minus(name))
			continue
		}
		alt += fmt.Sprintf(" Of %s %s, %s right", prose.Plural(c.Of(t), "row"), "of "+prose.Minus(name), prose.Are(c.Count[t][t]))
		for p, n := range c.Count[t] {
			if p != t && n > 0 {
				alt += fmt.Sprintf(", %s taken for %s", prose.Count(n), prose.Minus(c.Names[p]))
			}
		}
		if c.None[t] > 0 {
			alt += fmt.Sprintf(", %s without a prediction", prose.Count(c.None[t]))
		}
		alt += "."
	}
	return caption, alt
}
