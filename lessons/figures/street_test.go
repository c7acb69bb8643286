package figures

import (
	"errors"
	"math"
	"strings"
	"testing"

	"github.com/svmkit/course/plots"
	"github.com/svmkit/course/plots/geom"
	"github.com/svmkit/course/svmkit"
)

func planarSet(x [][]float64, y []float64) *svmkit.Dataset {
	set, err := svmkit.NewDataset(x, y)
	if err != nil {
		panic(err)
	}
	return set
}

// twoHold has its shortest w, (1, 0), at the crossing of the lines of points 1 and 3; both yx end
// on the line w₁ = 1.
func twoHold() ([][]float64, []float64) {
	return [][]float64{{1, 2}, {2.5, 1}, {-1, 1}, {-2, -1}, {2, 2.5}}, []float64{1, 1, -1, -1, 1}
}

func xorAboutOrigin() ([][]float64, []float64) {
	return [][]float64{{1, 1}, {-1, -1}, {1, -1}, {-1, 1}}, []float64{1, 1, -1, -1}
}

func TestWeightSpaceFindsTheShortest(t *testing.T) {
	const tolerance = 1e-12
	for _, c := range []struct {
		x    [][]float64
		y    []float64
		w    []float64
		held string
	}{
		{[][]float64{{0, 2}, {3, 3}}, []float64{1, 1}, []float64{0, 0.5}, "the line of point 1."},
		{[][]float64{{3, -3}, {0, 2}, {1, 2}}, []float64{-1, 1, 1}, []float64{0, 0.5},
			"the line of point 2."},
		{[][]float64{{1, 2}, {-1, 1}}, []float64{1, -1}, []float64{1, 0},
			"lines of points 1 and 2 cross"},
		// parallel lines do not cross
		{[][]float64{{2, 0}, {2, 0}}, []float64{1, 1}, []float64{0.5, 0}, "the line of point 1."},
	} {
		set := planarSet(c.x, c.y)
		w, _ := shortest(set)
		if !(math.Hypot(w[0]-c.w[0], w[1]-c.w[1]) <= tolerance) {
			t.Errorf("%v: w = %v, want %v", c.x, w, c.w)
		}
		f, err := WeightSpace(set, 4, 1)
		if err != nil || !strings.Contains(f.Caption, c.held) {
			t.Errorf("%v: %v %v, want %q", c.x, f, err, c.held)
		}
	}
	for name, c := range map[string]*svmkit.Dataset{
		"XOR":        planarSet(xorAboutOrigin()),
		"the origin": planarSet([][]float64{{0, 0}, {1, 1}}, []float64{1, 1}),
	} {
		f, err := WeightSpace(c, 2, 2)
		if err != nil || !strings.Contains(f.Caption, "No w meets all") {
			t.Errorf("%s: %v, %v", name, f, err)
		}
	}
}

func TestWeightSpaceRefuses(t *testing.T) {
	set := planarSet(twoHold())
	many := planarSet(make2(13))
	for name, draw := range map[string]func() (*plots.Figure, error){
		"no half-side": func() (*plots.Figure, error) { return WeightSpace(set, 0, 1) },
		"NaN":          func() (*plots.Figure, error) { return WeightSpace(set, 1, math.NaN()) },
		"nil":          func() (*plots.Figure, error) { return WeightSpace(nil, 1, 1) },
		"infinite": func() (*plots.Figure, error) {
			return WeightSpace(planarSet([][]float64{{1, 2}}, []float64{1}), math.Inf(1), 1)
		},
		"13 rows": func() (*plots.Figure, error) { return WeightSpace(many, 1, 1) },
		"three dimensions": func() (*plots.Figure, error) {
			return WeightSpace(planarSet([][]float64{{1, 2, 3}}, []float64{1}), 1, 1)
		},
	} {
		f, err := draw()
		var p *svmkit.ParamError
		var d *svmkit.DataError
		if f != nil || !errors.As(err, &p) && !errors.As(err, &d) {
			t.Errorf("%s: %v, %v", name, f, err)
		}
	}
}

func make2(n int) (x [][]float64, y []float64) {
	for i := range n {
		x, y = append(x, []float64{float64(i), 1}), append(y, 1)
	}
	return x, y
}

// A number stands beside its own line and on no other.
func TestNumbersOfConstraintsStandClear(t *testing.T) {
	const half = 0.07 // of a number's width, where the picture's half-side is 2
	for _, first := range [][]float64{{0.75, 0}, {1, 0}, {0.5, 2}, {1, 2}} {
		x, y := twoHold()
		x[0] = first
		set := planarSet(x, y)
		var centres []geom.Point
		for i := range x {
			p, q, _ := geom.Visible(constraint(set, i),
				geom.Box{XMin: -1.9, XMax: 1.9, YMin: -1.9, YMax: 1.9})
			_, c := clearest(set, i, p, q, 2, centres)
			for k := range x {
				if d := constraint(set, k).Distance(geom.Row(c)); k != i && !(d >= half) {
					t.Errorf("point 1 at %v: number %d is %.3g from line %d", first, i+1, d, k+1)
				}
			}
			centres = append(centres, c)
		}
	}
}
