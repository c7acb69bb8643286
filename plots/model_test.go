package plots

import (
	"fmt"
	"image/color"
	"math"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"github.com/svmkit/course/plots/geom"
	"github.com/svmkit/course/plots/pen"
	"github.com/svmkit/course/plots/prose"
	"github.com/svmkit/course/svmkit"
	"github.com/svmkit/course/svmkit/multiclass"
	"github.com/svmkit/course/svmkit/svm"
	"github.com/svmkit/course/svmkit/tune"
)

// scorer makes a model of a function of the plane.
type scorer func(x, y float64) float64

func (f scorer) Score(x svmkit.Row) float64 { return f(x.At(0), x.At(1)) }

// said is what a failing test shows of a figure.
func said(f *Figure) string {
	if f == nil {
		return "no figure"
	}
	return f.Caption
}

// shoelace is the area of a polygon that turns counterclockwise.
func shoelace(ps []geom.Point) float64 {
	sum := 0.0
	for i, p := range ps {
		q := ps[(i+1)%len(ps)]
		sum += p.X*q.Y - q.X*p.Y
	}
	return sum / 2
}

func totalArea(polygons [][]geom.Point) float64 {
	sum := 0.0
	for _, p := range polygons {
		sum += shoelace(p)
	}
	return sum
}

// summed is the rounding of some ten thousand small areas.
const summed = 1e-9

func TestScoreRegionsHaveTheirArea(t *testing.T) {
	b := geom.Box{XMin: -1, XMax: 3, YMin: -2, YMax: 2}
	g, err := (&scoreField{model: scorer(func(x, y float64) float64 { return 2*x + y })}).over(b)
	if err != nil {
		t.Fatal(err)
	}
	if all := totalArea(g.above(math.Inf(-1))); math.Abs(all-16) > summed {
		t.Errorf("the whole box has the area %g, want 16", all)
	}
	for _, v := range []float64{-3.9, -1, 0.3, 2, 7.7} { // interpolation is exact for a plane
		want := shoelace(geom.HalfPlane(b.Corners(), plane(2, 1, -v)))
		if got := totalArea(g.above(v)); math.Abs(got-want) > summed {
			t.Errorf("f ≥ %g has the area %g, want %g", v, got, want)
		}
		for _, line := range g.LevelOf(g.values, v) {
			for _, p := range line {
				if math.Abs(2*p.X+p.Y-v) > summed {
					t.Fatalf("%v is not on the level %g", p, v)
				}
			}
		}
	}
	for _, polygon := range g.above(0.3) {
		if shoelace(polygon) < -summed {
			t.Fatalf("%v turns clockwise: its ground would cancel that of others", polygon)
		}
	}
}

// Half of the plane without a score must not spoil the other half.
func TestScoreRegionsEndAtNaN(t *testing.T) {
	b := geom.Box{XMin: -1, XMax: 1, YMin: -1, YMax: 1}
	g, err := (&scoreField{model: scorer(func(x, y float64) float64 {
		if x < 0 {
			return math.NaN()
		}
		return y
	})}).over(b)
	if err != nil {
		t.Fatal(err)
	}
	if got := totalArea(g.above(0)); math.Abs(got-1) > summed {
		t.Errorf("the quarter where f ≥ 0 has the area %g, want 1", got)
	}
	for _, line := range g.LevelOf(g.values, 0.25) {
		for _, p := range line {
			if !(p.X >= 0) || !(math.Abs(p.Y-0.25) <= summed) {
				t.Errorf("%v is not on the level line", p)
			}
		}
	}
	if _, number, lo, hi := g.share(); number >= 0.6 || number <= 0.4 || lo != -1 || hi != 1 {
		t.Errorf("scores on %g of the box, from %g to %g", number, lo, hi)
	}
}

// Models that say nothing, or too much, are drawn all the same.
func TestDecisionRegionsOfOddModels(t *testing.T) {
	nan, inf := math.NaN(), math.Inf(1)
	wide := mustSet([][]float64{{0, 0}, {1000, 1}}, []float64{1, -1})
	for _, c := range []struct {
		name, want string
		set        *svmkit.Dataset
		model      scorer
	}{
		{"constant", "The score is 3 everywhere", nine(), func(x, y float64) float64 { return 3 }},
		{"zero", "The score is 0 everywhere", nine(), func(x, y float64) float64 { return 0 }},
		{"NaN", "has no score", nine(), func(x, y float64) float64 { return nan }},
		{"NaN in part", "ground is white", nine(),
			func(x, y float64) float64 { return math.Sqrt(x) }},
		{"infinite", "All of 9 points", nine(),
			func(x, y float64) float64 { return math.Copysign(inf, 2*x+y+0.1) }},
		{"signs", "All of 9 points lie in the region of their class, 0 of them", nine(),
			func(x, y float64) float64 { return math.Copysign(1, 2*x+y+0.1) }},
		{"all wrong", "Of 9 points, 9 are in the region of the other class", nine(),
			func(x, y float64) float64 { return -2*x - y - 0.1 }},
		{"noise", "Of 9 points", nine(), func(x,
			y float64) float64 {
			return math.Sin(1e6*x) * math.Cos(1e6*y)
		}},
		{"different units", "All of 2 points", wide, func(x, y float64) float64 { return 500 - x }},
	} {
		f, err := DecisionRegions(c.set, c.model, RegionMarks{})
		if err != nil || !strings.Contains(f.Caption, c.want) {
			t.Errorf("%s: %v, %v; want %q", c.name, said(f), err, c.want)
			continue
		}
		img, err := f.image(96)
		if err != nil {
			t.Errorf("%s: %v", c.name, err)
			continue
		}
		painted := false
		for x := range img.Bounds().Dx() {
			for y := range img.Bounds().Dy() {
				painted = painted || slices.Contains(regionFills, color.Color(img.At(x, y)))
			}
		}
		drawn := slices.ContainsFunc(f.Legend,
			func(e pen.Entry) bool { return e.Name == "$f = 0$" })
		if flat := strings.Contains(c.want, "everywhere") || c.name == "NaN"; drawn == flat ||
			painted == flat {
			t.Errorf("%s: regions are painted: %v, the line f = 0 is in the legend: %v", c.name,
				painted, drawn)
		}
		if equal := strings.Contains(f.Alt, "in equal units"); equal != f.EqualUnits ||
			equal == (c.set == wide) {
			t.Errorf("%s: equal units are %v: %s", c.name, f.EqualUnits, f.Alt)
		}
	}
}

func TestDecisionRegionsRingSupportVectors(t *testing.T) {
	r := moonModel()
	f, err := DecisionRegions(moons(), r, RegionMarks{})
	if want := prose.Count(len(r.SV)) + " support vectors are ringed."; err != nil ||
		!strings.Contains(f.Caption, want) {
		t.Errorf("%v, %v; want %q", said(f), err, want)
	}
	if g, err := DecisionRegions(moons(), &r.Model, RegionMarks{}); err != nil ||
		g.Caption != f.Caption {
		t.Errorf("the model alone: %v, %v", said(g), err)
	}
	if f, err := DecisionRegions(moons(), r, RegionMarks{Support: []int{7}}); err != nil ||
		!strings.Contains(f.Caption, " 1 support vector is ringed") {
		t.Errorf("one row: %v, %v", said(f), err)
	}
	if f, err := DecisionRegions(moons(), r, RegionMarks{Support: []int{}}); err != nil ||
		strings.Contains(f.Caption, "ringed") {
		t.Errorf("no row: %v, %v", said(f), err)
	}
}

// A part of the data shows the support vectors of the whole model: what is called ringed must
// be in sight.
func TestRingsAreInSight(t *testing.T) {
	r := moonModel()
	f, err := DecisionRegions(moons().Subset([]int{0, 1, 2, 3}), r, RegionMarks{})
	if err != nil {
		t.Fatal(err)
	}
	for _, x := range r.SV {
		if !pen.Shown(f.Plot).Contains(geom.At(x)) {
			t.Errorf("the support vector %v lies outside of %v", geom.At(x), pen.Shown(f.Plot))
		}
	}
}

// Each cell has the shade and the texts of its point, wherever it stands among the points, and the
// frames are around the two choices.
func TestCVMapShowsEveryPoint(t *testing.T) {
	s := lossGrid()
	f, err := CVMap(s, "error")
	if err != nil {
		t.Fatal(err)
	}
	best, _ := s.Best()
	simple, _ := s.OneStandardError()
	if best.Params == simple.Params {
		t.Fatal("the example has one choice only")
	}
	costs, gammas := []float64{0.001, 0.01, 0.1, 1, 10, 100}, []float64{0.1, 1, 10}
	cell := func(p tune.Params) geom.Point {
		return geom.Point{X: float64(slices.Index(costs, p.C)) + 0.5,
			Y: float64(slices.Index(gammas, p.Gamma)) + 0.5}
	}
	for k, p := range []tune.Point{best, simple} {
		frame := f.Legend[k].Mark.(pen.Segments)
		middle := geom.Point{X: (frame.From[0].X + frame.From[2].X) / 2,
			Y: (frame.From[0].Y + frame.From[2].Y) / 2}
		if want := cell(p.Params); len(frame.From) != 4 ||
			!(math.Abs(middle.X-want.X)+math.Abs(middle.Y-want.Y) < 1e-9) {
			t.Errorf("%s is framed at %v, want %v", f.Legend[k].Name, middle, want)
		}
	}
	for _, p := range s.Points {
		row := fmt.Sprintf("C = %s:", prose.Num(p.C))
		_, rest, _ := strings.Cut(f.Alt, row)
		values, _, _ := strings.Cut(rest+" ", ". ")
		if got := strings.Split(values, ",")[slices.Index(gammas,
			p.Gamma)]; strings.TrimSpace(got) != prose.Num(prose.Roughly(p.Mean)) {
			t.Errorf("%s: the text says %q, want %s", p.Params, got,
				prose.Num(prose.Roughly(p.Mean)))
		}
	}
	if want := prose.Found(best, simple, "error", 2); f.Caption != want ||
		!strings.Contains(want, "within one standard error") {
		t.Errorf("%q, want %q", f.Caption, want)
	}
}

// Of a standard error two digits are written.
func TestStandardErrorsAreShort(t *testing.T) {
	best := tune.Point{Params: tune.Params{C: 1},
		CVResult: tune.CVResult{Mean: 0.98765, StdErr: 0.00741}}
	other := tune.Point{Params: tune.Params{C: 0.1},
		CVResult: tune.CVResult{Mean: 4321, StdErr: 123}}
	got := prose.Found(best, other, "error", 10)
	for _, want := range []string{"0.988 ± 0.0074,", "4,320 ± 120."} {
		if !strings.Contains(got, want) {
			t.Errorf("%q has no %q", got, want)
		}
	}
}

// threeWays predicts the class of the nearest of three places.
type threeWays struct{ *multiclass.Linear }

func nearestOfThree() threeWays {
	l := &multiclass.Linear{Classes: multiclass.Classes{Count: 3, Names: []string{"a", "b", "c"}}}
	for _, q := range []geom.Point{{X: -1}, {X: 1}, {Y: 1.5}} {
		l.W, l.B = append(l.W, []float64{2 * q.X, 2 * q.Y}), append(l.B, -q.X*q.X-q.Y*q.Y)
	}
	return threeWays{l}
}

func TestClassRegionsTileThePanel(t *testing.T) {
	set := &svmkit.Dataset{Dim: 2, Classes: []string{"a", "b", "c"}, Y: []float64{0, 1, 2, 2},
		X: []svmkit.Row{svmkit.Dense(-1, 0), svmkit.Dense(1, 0), svmkit.Dense(0, 1),
			svmkit.Dense(-1, -1)}}
	r, err := newClassRegions(set, nearestOfThree())
	if err != nil {
		t.Fatal(err)
	}
	if !slices.Equal(r.wrong, []int{3}) {
		t.Errorf("wrong rows: %v", r.wrong)
	}
	b := geom.Box{XMin: -2, XMax: 2, YMin: -1.5, YMax: 2.5}
	pieces, borders := classGround{r}.cut(b)
	areas, loose := 0.0, 0
	// how near to the border halving comes, along a side
	const found = 4.0 / geom.GridSteps / (1 << halvings)
	for k := range pieces {
		areas += totalArea(pieces[k])
		for _, p := range pieces[k] {
			c := geom.Point{}
			for _, q := range p {
				c.X, c.Y = c.X+q.X/float64(len(p)), c.Y+q.Y/float64(len(p))
			}
			// the steepest difference of scores has the slope 4
			if s := r.model.ClassScores(geom.Row(c)); slices.Max(s)-s[k] > 12*found {
				loose++
			}
		}
	}
	if loose > 3 { // the pieces of the one triangle where three regions meet
		t.Errorf("%d pieces lie in another region", loose)
	}
	if math.Abs(areas-16) > summed {
		t.Errorf("the regions have the area %g, the box 16", areas)
	}
	for i := range borders.From {
		s := r.model.ClassScores(geom.Row(borders.From[i]))
		slices.Sort(s)
		if s[2]-s[1] > 12*found {
			t.Fatalf("%v is on a border, with scores %v", borders.From[i], s)
		}
	}
}

func TestModelFiguresRefuseBadInput(t *testing.T) {
	good, h, nan := nine(), plane(1, 1, 0), math.NaN()
	three := &svmkit.Dataset{Dim: 2, X: good.X[:2], Y: []float64{0, 7}}
	var none *svm.Model
	for name, build := range map[string]func() (*Figure, error){
		"regions: nil set": func() (*Figure,
			error) {
			return DecisionRegions(nil, h, RegionMarks{})
		},
		"regions: 3-D": func() (*Figure,
			error) {
			return DecisionRegions(basisVectors(3), h, RegionMarks{})
		},
		"regions: no model": func() (*Figure,
			error) {
			return DecisionRegions(good, nil, RegionMarks{})
		},
		"regions: nil model": func() (*Figure,
			error) {
			return DecisionRegions(good, none, RegionMarks{})
		},
		"regions: model of 3-D": func() (*Figure, error) {
			return DecisionRegions(good, svmkit.Hyperplane{W: []float64{1, 2, 3}}, RegionMarks{})
		},
		"regions: ring row": func() (*Figure,
			error) {
			return DecisionRegions(good, h, RegionMarks{Support: []int{9}})
		},
		"map: nil": func() (*Figure, error) { return CVMap(nil, "accuracy") },
		"map: nothing finished": func() (*Figure,
			error) {
			return CVMap(&tune.Selection{}, "accuracy")
		},
		"map: no γ": func() (*Figure, error) { return CVMap(search(nil), "accuracy") },
		"map: unfinished": func() (*Figure, error) {
			s := search([]float64{0.1, 1})
			s.Points[3].Scores[1] = nan
			return CVMap(s, "accuracy")
		},
		"map: a cell missing": func() (*Figure, error) {
			s := search([]float64{0.1, 1})
			s.Points = s.Points[:len(s.Points)-1]
			return CVMap(s, "accuracy")
		},
		"map: two kernels": func() (*Figure, error) {
			s := search([]float64{0.1, 1})
			s.Points[3].Kernel = "poly"
			return CVMap(s, "accuracy")
		},
		"classes: nil set": func() (*Figure,
			error) {
			return ClassRegions(nil, nearestOfThree())
		},
		"classes: no model": func() (*Figure, error) { return ClassRegions(good, nil) },
		"classes: wrong labels": func() (*Figure,
			error) {
			return ClassRegions(three, nearestOfThree())
		},
		"classes: 3-D": func() (*Figure,
			error) {
			return ClassRegions(basisVectors(3), nearestOfThree())
		},
	} {
		f, err := build()
		if f != nil || !isParam(err) && !isData(err) {
			t.Errorf("%s: figure %v, error %v", name, f != nil, err)
		}
	}
}

func TestModelFiguresSayWhatTheyLeaveOut(t *testing.T) {
	big := &svmkit.Dataset{Dim: 2}
	rng := rand.New(rand.NewPCG(6, 0))
	for range 3000 {
		x := svmkit.Dense(rng.NormFloat64(), rng.NormFloat64())
		big.X, big.Y = append(big.X, x), append(big.Y, math.Copysign(1, x.At(0)+rng.NormFloat64()))
	}
	h, all := plane(1, 0, 0), make([]int, 3000)
	for i := range all {
		all[i] = i
	}
	for want, build := range map[string]func() (*Figure, error){
		"Of 3,000 rings, 120": func() (*Figure,
			error) {
			return DecisionRegions(big, h, RegionMarks{Support: all})
		},
		"Of 3,000 points, 1,200": func() (*Figure,
			error) {
			return DecisionRegions(big, h, RegionMarks{})
		},
	} {
		f, err := build()
		if err != nil || !strings.Contains(f.Caption, want) {
			t.Errorf("%v, %v; want %q", said(f), err, want)
			continue
		}
		if svg, err := f.SVG(); err != nil || len(svg) > 900_000 {
			t.Errorf("%s: %d bytes of SVG, %v", want, len(svg), err)
		}
	}
}
