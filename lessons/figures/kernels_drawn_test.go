package figures

import (
	"fmt"
	"image/color"
	"math"
	"slices"
	"testing"

	"github.com/svmkit/course/internal/plottest"
	"github.com/svmkit/course/plots/geom"
	"github.com/svmkit/course/plots/pen"
	"github.com/svmkit/course/svmkit"
	"github.com/svmkit/course/svmkit/kernel"
)

// Each panel has the points, the line f = 0 of its model under the model's name, and rings on the
// rows with a wrong label.
func TestBoundaryStripDrawn(t *testing.T) {
	set := ringed24()
	models := []NamedModel{{"disc", scorer(func(x, y float64) float64 { return 2.25 - x*x - y*y })},
		{"half", scorer(func(x, y float64) float64 { return x - 0.3 })}}
	r := read(t)(BoundaryStrip(set, models, 3, 10))
	for k, m := range models {
		r.Classes(k, set, 0.6)
		plottest.SamePoints(t, "rings", r.Rings(k, "wrong label", 6.5*0.6,
			pen.Line(pen.Ink, 1.4, nil)), plottest.Rows(set, 3, 10))
		onScore(t, m.Name, r.Lines(k, "$f = 0$", pen.Line(pen.Ink, 1.9, nil)), m.Model, 0)
		if r.Panels[k].Title != m.Name {
			t.Errorf("panel %d is named %q", k, r.Panels[k].Title)
		}
	}
}

// onScore checks that a model has one score along lines, but for the grid on which it is sampled.
func onScore(t *testing.T, what string, lines []plottest.Line, model svmkit.Scorer, want float64) {
	t.Helper()
	if len(lines) == 0 {
		t.Errorf("%s: no line", what)
	}
	for _, l := range lines {
		for _, p := range l.At {
			if f := model.Score(geom.Row(p)); math.Abs(f-want) > 0.02 {
				t.Errorf("%s passes %v, where the score is %g and not %g", what, p, f, want)
				return
			}
		}
	}
}

// The cell in row i and column j, the rows ordered by class, has the shade of κ(xᵢ, xⱼ); lines part
// the classes.
func TestGramMatrixDrawn(t *testing.T) {
	set, k := sixSoft().Subset([]int{0, 1, 2, 3, 4}), kernel.RBF{Gamma: 0.3}
	r := read(t)(GramMatrix(set, k))
	var order []int
	for _, y := range []float64{-1, 1} {
		for i := range set.X {
			if set.Y[i] == y {
				order = append(order, i)
			}
		}
	}
	shade := pen.Shade{Lo: 0, Hi: 1, Stops: pen.Sequential}
	cellsDrawn(t, r.Panels[0], 5, 5, func(row, column int) color.Color {
		return shade.Colour(k.Eval(set.X[order[row]], set.X[order[column]]))
	})
	samePairs(t, "borders", segments(r.Lines(0, "", pen.Line(pen.Ink, 1, nil))),
		[][2]geom.Point{{{X: 2}, {X: 2, Y: 5}}, {{Y: 3}, {X: 5, Y: 3}}})
	bar := geom.Empty()
	for _, l := range r.Lines(0, "", pen.Line(pen.Faint, 0.8, nil)) {
		bar = bar.Cover(l.At...)
	}
	rectangle(t, "the colour bar", bar.Corners(), geom.Box{XMin: 5.3, XMax: 5.55, YMax: 5})
	for _, at := range []geom.Point{{X: 5.4, Y: 0.15}, {X: 5.4, Y: 3.15}, {X: 5.4, Y: 4.85}} {
		var seen color.NRGBA
		for _, a := range r.Panels[0].Areas { // the last one covers
			if b := geom.Empty().Cover(a.At...); b.XMin > 5 && b.Contains(at) {
				seen = a.Fill
			}
		}
		below, above := shade.Colour((at.Y-0.05)/5), shade.Colour((at.Y+0.05)/5) // 60 steps
		if seen != color.NRGBAModel.Convert(below) && seen != color.NRGBAModel.Convert(above) {
			t.Errorf("the colour bar is %v at %g of 5, want %v or %v", seen, at.Y, below, above)
		}
	}
	for v, text := range map[float64]string{0: "0", 0.5: "0.5", 1: "1"} {
		written(t, r.Panels[0], geom.Point{X: 5.6, Y: 5 * v}, 0.5, text)
	}
	for _, y := range []float64{-1, 1} { // −1 is left and on top
		if got := r.Panels[0].X.Tick(2.25 + 1.25*y); got != signed[y] {
			t.Errorf("the columns of class %g are named %q", y, got)
		}
		if got := r.Panels[0].Y.Tick(2.75 - 1.25*y); got != signed[y] {
			t.Errorf("the rows of class %g are named %q", y, got)
		}
	}
	r.Axes(0, "rows, by class", "rows, by class")
}

// cellsDrawn checks the colours of a matrix whose first row is on top.
func cellsDrawn(t *testing.T, p plottest.Panel, rows, columns int,
	want func(row, column int) color.Color) {
	t.Helper()
	seen := 0
	for _, a := range p.Areas {
		b := geom.Empty().Cover(a.At...)
		row, column := rows-int(math.Round(b.YMax)), int(math.Round(b.XMin))
		if b.XMax-b.XMin > 1.2 || b.YMax-b.YMin > 1.2 ||
			math.Abs(b.XMin-math.Round(b.XMin)) > 1e-6 || column >= columns {
			continue // the ground, or the colour bar
		}
		seen++
		if got := color.NRGBAModel.Convert(want(row, column)); a.Fill != got {
			t.Errorf("the cell in row %d, column %d is %v, want %v", row, column, a.Fill, got)
		}
	}
	if seen != rows*columns {
		t.Errorf("%d cells, want %d", seen, rows*columns)
	}
}

// Seen from along the first axis, the second is to the right and the third upwards; the plane is
// drawn where it meets the box, and points in front of it over it.
func TestSpaceDrawn(t *testing.T) {
	set := &svmkit.Dataset{Dim: 3, Y: []float64{1, -1, 1},
		X: []svmkit.Row{svmkit.Dense(1, 0, 0), svmkit.Dense(-1, 1, 0), svmkit.Dense(1, -1, 2)}}
	h := svmkit.Hyperplane{W: []float64{0, 0, 1}, B: -1.5} // the plane x₃ = 1.5
	r := read(t)(Space(set, h, Sight{}))
	// The middle of the box is (0, 0, 1): a point is at (x₂, x₃ − 1).
	plottest.SamePoints(t, "class +1", r.Marks(0, "$y = +1$", pen.Positive),
		[]geom.Point{{X: 0, Y: -1}, {X: -1, Y: 1}})
	plottest.SamePoints(t, "class −1", r.Marks(0, "$y = -1$", pen.Negative),
		[]geom.Point{{X: 1, Y: -1}})
	// Of the points above the plane x₃ = 1.5 those are in front of it that are on our side.
	for tilt, front := range map[float64]bool{30: true, -30: false} {
		p := read(t)(Space(set, h, Sight{Tilt: tilt})).Panels[0]
		sheet := slices.IndexFunc(p.Areas, func(a plottest.Area) bool { return a.Fill.A == 0x60 })
		for _, m := range p.Marks {
			above := m.Shape == pen.Disc && m.At.X < -0.5 // (1, −1, 2)
			if over := m.Layer > p.Areas[sheet].Layer; over != (above == front) {
				t.Errorf("tilted by %g: the mark at %v is over the plane: %v", tilt, m.At, over)
			}
		}
	}
	for _, tip := range []struct {
		at   geom.Point
		name string
	}{{geom.Point{X: 1.1, Y: -1.1}, "x2"}, {geom.Point{X: -1.1, Y: 1.1}, "x3"}} {
		named(t, r.Panels[0], tip.at, tip.name, pen.Ink)
	}
	turned := read(t)(Space(set, h, Sight{Turn: 90}))
	plottest.SamePoints(t, "class −1, turned", turned.Marks(0, "$y = -1$", pen.Negative), []geom.Point{{X: 1, Y: -1}}) // to the right is −x₁ now
	tilted := read(t)(Space(set, h, Sight{Tilt: 90}))
	plottest.SamePoints(t, "class −1, from above", tilted.Marks(0, "$y = -1$", pen.Negative), []geom.Point{{X: 1, Y: 1}}) // up is −x₁
	sheet := plottest.OnlyArea(t, r.Areas(0, "plane $f = 0$", color.NRGBA{0xe6, 0x9f, 0x00, 0x60}))
	for _, p := range sheet {
		if math.Abs(p.Y-0.5) > 1e-9 {
			t.Errorf("the plane reaches %v, and not the height 1.5 alone", p)
		}
	}
	rim := only(t, "the plane's edge", r.Lines(0, "plane $f = 0$", pen.Line(pen.Ink, 1.2, nil)))
	plottest.SamePoints(t, "the plane's edge", rim[1:], sheet)
	if len(r.Lines(0, "", pen.Line(pen.Faint, 1.3, nil))) != 3 ||
		len(r.Lines(0, "", pen.Line(pen.GridColour, 1, nil))) != 9 {
		t.Errorf("the box has %d axes and %d other edges",
			len(r.Lines(0, "", pen.Line(pen.Faint, 1.3, nil))),
			len(r.Lines(0, "", pen.Line(pen.GridColour, 1, nil))))
	}
}

// The cell of C[i] and γ[j] has the shade of its error, with the error over the support vectors;
// the least errors are framed.
func TestCostGammaMapDrawn(t *testing.T) {
	g := costGrid()
	r := read(t)(CostGammaMap(g))
	best, worst := math.Inf(1), 0.0
	for _, row := range g.Error {
		for _, e := range row {
			best, worst = math.Min(best, e), math.Max(worst, e)
		}
	}
	shade := pen.Shade{Lo: 0, Hi: 2.2 * worst, Stops: pen.Sequential}
	cellsDrawn(t, r.Panels[0], 3, 4, func(row,
		column int) color.Color {
		return shade.Colour(g.Error[column][2-row])
	})
	var framed []geom.Point
	for i := range g.C {
		for j := range g.Gamma {
			middle := geom.Point{X: float64(i) + 0.5, Y: float64(j) + 0.5}
			written(t, r.Panels[0], middle, 0.5, fmt.Sprintf("%.1f%%", 100*g.Error[i][j]))
			written(t, r.Panels[0], middle, 0.5, fmt.Sprint(g.Support[i][j]))
			if g.Error[i][j] == best {
				framed = append(framed, middle)
			}
		}
	}
	var middles []geom.Point
	for _, s := range segments(r.Lines(0, r.Legend[0].Name, pen.Line(pen.Vermillion, 2.2, nil))) {
		if s[0].Y == s[1].Y || math.Abs(s[0].Y-s[1].Y) < 1e-9 { // the lower and the upper side
			m := geom.Middle(s[0], s[1])
			middles = append(middles, geom.Point{X: m.X, Y: math.Floor(m.Y) + 0.5})
		}
	}
	plottest.SamePoints(t, "frames", middles, append(framed, framed...))
	r.Axes(0, "cost $C$", `$\gamma$`)
	ticked(t, r.Panels[0].X, 0.5, "0.1", "1", "10", "100")
	ticked(t, r.Panels[0].Y, 0.5, "0.001", "0.01", "0.1")
}
