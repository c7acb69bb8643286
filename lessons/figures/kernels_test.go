package figures

import (
	"context"
	"errors"
	"fmt"
	"math"
	"slices"
	"strings"
	"testing"

	"github.com/svmkit/course/plots/geom"
	"github.com/svmkit/course/plots/pen"
	"github.com/svmkit/course/svmkit"
	"github.com/svmkit/course/svmkit/kernel"
	"github.com/svmkit/course/svmkit/svm"
	"gonum.org/v1/plot"
)

// ringed24 has a point of class +1 every 30° at the distance 1, and one of class −1 at the distance
// 2.
func ringed24() *svmkit.Dataset {
	set := &svmkit.Dataset{Dim: 2}
	for k := range 24 {
		sin, cos := math.Sincos(float64(k) * math.Pi / 12)
		r, y := 1.0, 1.0
		if k%2 == 1 {
			r, y = 2, -1
		}
		set.X, set.Y = append(set.X, svmkit.Dense(r*cos, r*sin)), append(set.Y, y)
	}
	return set
}

// lifted24 has the squares of the coordinates of ringed24 and √2 times their product: ‖x‖² is the
// sum of the first and the last.
func lifted24() *svmkit.Dataset {
	flat := ringed24()
	set := &svmkit.Dataset{Dim: 3, Y: flat.Y, Features: []string{"$x_1^2$", `$\sqrt{2}x_1x_2$`,
		"$x_2^2$"}}
	for _, x := range flat.X {
		a, b := x.At(0), x.At(1)
		set.X = append(set.X, svmkit.Dense(a*a, math.Sqrt2*a*b, b*b))
	}
	return set
}

func bells() (models []NamedModel) {
	for _, gamma := range []float64{0.01, 0.5, 20} {
		r, err := svm.Fit(context.Background(),
			&svm.Problem{Data: ringed24(), Kernel: kernel.RBF{Gamma: gamma}, C: svm.PerSum(1)}, nil,
			nil)
		if err != nil {
			panic(err)
		}
		models = append(models, NamedModel{fmt.Sprintf(`$\gamma = %g$`, gamma), r})
	}
	return models
}

// The picture is turned, not stretched: the axes of the box stay at right angles and of one length,
// whichever way it is looked at, and the picture is as large.
func TestSpaceIsTurnedAsAWhole(t *testing.T) {
	const rounding = 1e-12
	for _, from := range []Sight{{}, {35, 20}, {200, -40}, {-90, 90}} {
		s := newSpace(lifted24(), from)
		basis := [][3]float64{s.right, s.up, s.eye}
		for i, u := range basis {
			for k, v := range basis {
				want := 0.0
				if i == k {
					want = 1
				}
				if got := u[0]*v[0] + u[1]*v[1] + u[2]*v[2]; !(math.Abs(got-want) <= rounding) {
					t.Errorf("%v: vectors %d and %d have the product %g", from, i, k, got)
				}
			}
		}
		f, err := Space(lifted24(), plane3(1, 0, 1, -2.5), from)
		if err != nil {
			t.Fatal(err)
		}
		straight := newSpace(lifted24(), Sight{Tilt: from.Tilt})
		if got, want := pen.Shown(f.Plot), (geom.Box{XMin: -straight.wide, XMax: straight.wide,
			YMin: -straight.high, YMax: straight.high}); got != want {
			t.Errorf("%v: the picture shows %v, want %v as without a turn", from, got, want)
		}
		for k := range 8 {
			if q := s.flat(s.corner(k)); !pen.Shown(f.Plot).Contains(q) {
				t.Errorf("%v: the corner %v of the box is outside of the picture", from, q)
			}
		}
	}
	// From above, the first axis points down where Turn = 0, and a turn of 90° brings the second
	// there.
	s := newSpace(lifted24(), Sight{Tilt: 90})
	if q := s.flat([3]float64{s.hi[0], s.lo[1] + (s.hi[1]-s.lo[1])/2,
		0}); !(math.Abs(q.X) <= rounding) || !(q.Y < 0) {
		t.Errorf("the first axis points to %v", q)
	}
}

func plane3(a, b, c, bias float64) svmkit.Hyperplane {
	return svmkit.Hyperplane{W: []float64{a, b, c}, B: bias}
}

// Each corner of the plane's sheet lies in the plane and on the box: seen along the plane, the
// sheet is a line.
func TestSpaceCutsThePlaneAtTheBox(t *testing.T) {
	const rounding = 1e-9
	// looks along the second axis, at the first and the third
	s := newSpace(lifted24(), Sight{Turn: 90})
	cut := s.cut(plane3(1, 0, 1, -2.5))
	if len(cut) != 4 {
		t.Fatalf("%d corners, want 4", len(cut))
	}
	for _, q := range cut {
		x1, x3 := s.lo[0]+(s.hi[0]-s.lo[0])/2-q.X, s.lo[2]+(s.hi[2]-s.lo[2])/2+q.Y
		if !(math.Abs(x1+x3-2.5) <= rounding) {
			t.Errorf("corner (%g, %g) is not in the plane", x1, x3)
		}
	}
	if cut := s.cut(plane3(1, 0, 0, -50)); cut != nil {
		t.Errorf("a plane beyond the box has %d corners", len(cut))
	}
}

func TestSpaceSaysWhoIsWrong(t *testing.T) {
	for want, h := range map[string]svmkit.Hyperplane{
		"The plane separates the classes: each of 24 points lies on its side.": plane3(-1, 0, -1,
			2.5),
		"Of 24 points, 24 are on the wrong side of the plane or on it.": plane3(1, 0, 1,
			-2.5),
		"is not drawn; of 24 points, 12 are on the wrong side of it.": plane3(0, 0, 1, 99),
	} {
		f, err := Space(lifted24(), h, Sight{30, 20})
		if err != nil || !strings.Contains(f.Caption, want) {
			t.Errorf("%v, %v; want %q", f, err, want)
		}
	}
	f, err := Space(lifted24(), plane3(-1, 0, -1, 2.5), Sight{30, 20})
	if want := "√2x1x2 from −2.828 to 2.828"; err != nil || !strings.Contains(f.Alt, want) ||
		!strings.Contains(f.Alt, "no point is on the wrong side") {
		t.Errorf("%v, %v; want %q", f, err, want)
	}
	many := lifted24()
	for len(many.X) < 500 {
		many.X, many.Y = append(many.X, many.X[:24]...), append(many.Y, many.Y[:24]...)
	}
	if f, err = Space(many, plane3(-1, 0, -1, 2.5), Sight{30, 20}); err != nil ||
		!strings.Contains(f.Caption, "400 are drawn") {
		t.Errorf("%v, %v", f, err)
	}
}

func TestSpaceRefusesWhatCannotBeDrawn(t *testing.T) {
	h := plane3(1, 0, 1, -2.5)
	if _, err := Space(ringed24(), h, Sight{}); !isParam(err) {
		t.Errorf("two columns: %v", err)
	}
	if _, err := Space(lifted24(), plane(1, 1, 0), Sight{}); !isParam(err) {
		t.Errorf("a plane of two: %v", err)
	}
	if _, err := Space(lifted24(), plane3(0, 0, 0, 1), Sight{}); err == nil {
		t.Error("w = 0 is drawn")
	}
	for _, from := range []Sight{{math.NaN(), 0}, {math.Inf(1), 0}, {0, 91}, {0, math.NaN()}} {
		if _, err := Space(lifted24(), h, from); !isParam(err) {
			t.Errorf("%v: %v", from, err)
		}
	}
	targets := lifted24()
	targets.Y = make([]float64, 24)
	if _, err := Space(targets, h, Sight{}); !isData(err) {
		t.Errorf("labels 0: %v", err)
	}
}

// The text says from where the plane is seen: edge-on, its normal is at right angles to the line of
// sight.
func TestSpaceSaysFromWhereThePlaneIsSeen(t *testing.T) {
	for want, from := range map[string]Sight{"meets the plane at 0 degrees": {Turn: 30},
		"by 30 and tilted by 30 degrees: the line of sight meets the plane at 30 degrees": {30,
			30}} {
		if f, err := Space(lifted24(), svmkit.Hyperplane{W: []float64{0, 0, 2}, B: -2},
			from); err != nil || !strings.Contains(f.Alt, want) {
			t.Errorf("%v: %q, %v", from, f.Alt, err)
		}
	}
}

func TestBoundaryStripHasAPanelAModel(t *testing.T) {
	models := bells()
	f, err := BoundaryStrip(ringed24(), models)
	if err != nil {
		t.Fatal(err)
	}
	var titles []string
	var panels []*plot.Plot
	for _, row := range f.Panels {
		for _, p := range row {
			if p != nil {
				titles, panels = append(titles, p.Title.Text), append(panels, p)
			}
		}
	}
	if len(titles) != 3 || titles[2] != models[2].Name {
		t.Errorf("titles %q", titles)
	}
	for k, p := range panels {
		if pen.Shown(p) != pen.Shown(panels[0]) {
			t.Errorf("panel %d shows %v, the first %v", k, pen.Shown(p), pen.Shown(panels[0]))
		}
	}
	wrong := 0
	for i, x := range ringed24().X {
		if !(ringed24().Y[i]*models[0].Model.Score(x) > 0) {
			wrong++
		}
	}
	if want := fmt.Sprintf("Of 24 points, on the wrong side of the border or on it: %d (γ = "+
		"0.01, 24 support vectors); 0 (γ = 0.5, 24 support vectors); 0 (γ = 20, 24 support "+
		"vectors).", wrong); f.Caption != want {
		t.Errorf("%q, want %q", f.Caption, want)
	}
	ringed, err := BoundaryStrip(ringed24(), models, 3, 10)
	if err != nil || ringed.Caption != f.Caption+" Ringed: 2 points with a wrong label." ||
		ringed.Legend[len(ringed.Legend)-1].Name != "wrong label" {
		t.Errorf("%q, %v", ringed.Caption, err)
	}
	if _, err := BoundaryStrip(ringed24(), models, 24); !isParam(err) {
		t.Errorf("row 24 of 24: %v", err)
	}
	for name, bad := range map[string][]NamedModel{"one": models[:1],
		"seven": append(append(models[:3:3], models...), models[0]), "no model": {models[0], {}}} {
		if _, err := BoundaryStrip(ringed24(), bad); !isParam(err) {
			t.Errorf("%s: %v", name, err)
		}
	}
	if _, err := BoundaryStrip(lifted24(), models); !isParam(err) {
		t.Errorf("three columns: %v", err)
	}
}

func TestGramIsOrderedByClass(t *testing.T) {
	set := &svmkit.Dataset{Dim: 1, Classes: []string{"a", "b", "c"}}
	for i := range 9 {
		set.X, set.Y = append(set.X, svmkit.Dense(float64(i))), append(set.Y, float64((2*i)%3))
	}
	same := kernel.Func(func(x, z svmkit.Row) float64 {
		if (int(x.At(0))-int(z.At(0)))%3 == 0 {
			return 5
		}
		return -2
	})
	f, err := GramMatrix(set, same)
	if err != nil || !strings.Contains(f.Caption,
		"of one class have a kernel value of 5 on average, two of different classes −2: on "+
			"average, the kernel sees") {
		t.Errorf("%v, %v", said(f), err)
	}
	g := &gram{set: set, rows: gramRows(set)}
	if !slices.Equal(g.rows, []int{0, 3, 6, 2, 5, 8, 1, 4, 7}) {
		t.Errorf("rows %v are not ordered by class", g.rows)
	}
	if err := g.evaluate(same); err != nil {
		t.Fatal(err)
	}
	g.findBlocks()
	if !slices.Equal(g.blocks, []int{0, 3, 6}) || g.name(1) != "b" || g.lo != -2 || g.hi != 5 {
		t.Errorf("blocks at %v, named %q; values from %g to %g", g.blocks, g.name(1), g.lo, g.hi)
	}
	bad := kernel.Func(func(x, z svmkit.Row) float64 {
		if x.At(0)+z.At(0) == 15 { // rows 7 and 8
			return math.NaN()
		}
		return 1
	})
	var data *svmkit.DataError
	if _, err := GramMatrix(set, bad); !errors.As(err, &data) || data.Row+data.Col != 15 ||
		!errors.Is(err, svmkit.ErrNotFinite) {
		t.Errorf("NaN between rows 7 and 8: %v", err)
	}
}

func TestSquareCellsAreAnImage(t *testing.T) {
	for name, image := range map[string]bool{"gram": true} {
		f, err := examples[name]()
		if err != nil {
			t.Fatal(err)
		}
		svg, err := f.SVG()
		if got := strings.Contains(string(svg), "<image"); err != nil || got != image || image &&
			!f.EqualUnits {
			t.Errorf("%s: an image: %v, with equal units: %v; %v", name, got, f.EqualUnits, err)
		}
	}
}

func TestCostGammaNamesTheLeastError(t *testing.T) {
	f, err := CostGammaMap(costGrid())
	if err != nil {
		t.Fatal(err)
	}
	if want := "The least error, 1.0 %, is that of C = 1 and γ = 0.1, with 880 support vectors " +
		"(and of 2 more). The numbers of support vectors reach from 40 to 900."; f.Caption != want {
		t.Errorf("%q, want %q", f.Caption, want)
	}
	if want := "C = 100: 1.0 % and 40, 4.0 % and 440, 7.0 % and 840."; !strings.Contains(f.Alt,
		want) {
		t.Errorf("%q, want %q", f.Alt, want)
	}
	with := func(change func(*CostGamma)) CostGamma { g := costGrid(); change(&g); return g }
	for name, g := range map[string]CostGamma{
		"one C":     with(func(g *CostGamma) { g.C = g.C[:1] }),
		"nine γ":    with(func(g *CostGamma) { g.Gamma = []float64{1, 2, 3, 4, 5, 6, 7, 8, 9} }),
		"C falls":   with(func(g *CostGamma) { g.C[1] = 0.01 }),
		"γ is NaN":  with(func(g *CostGamma) { g.Gamma[0] = math.NaN() }),
		"γ is zero": with(func(g *CostGamma) { g.Gamma[0] = 0 }),
	} {
		if _, err := CostGammaMap(g); !isParam(err) {
			t.Errorf("%s: %v", name, err)
		}
	}
	for name, g := range map[string]CostGamma{
		"columns missing": with(func(g *CostGamma) { g.Error = g.Error[:3] }),
		"cells missing":   with(func(g *CostGamma) { g.Support[2] = nil }),
		"error NaN":       with(func(g *CostGamma) { g.Error[1][1] = math.NaN() }),
		"error 2":         with(func(g *CostGamma) { g.Error[1][1] = 2 }),
		"count":           with(func(g *CostGamma) { g.Support[0][0] = -1 }),
	} {
		if _, err := CostGammaMap(g); !isData(err) {
			t.Errorf("%s: %v", name, err)
		}
	}
}

// A browser does not stretch the image of a large matrix, so cells that are no squares must be
// polygons.
func TestOnlySquareCellsAreAnImage(t *testing.T) {
	for name, image := range map[string]bool{"confusion": false} {
		f, err := examples[name]()
		if err != nil {
			t.Fatal(err)
		}
		svg, err := f.SVG()
		if got := strings.Contains(string(svg), "<image"); err != nil || got != image || image &&
			!f.EqualUnits {
			t.Errorf("%s: an image: %v, with equal units: %v; %v", name, got, f.EqualUnits, err)
		}
	}
}
