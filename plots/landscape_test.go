package plots

import (
	"math"
	"strings"
	"testing"

	"github.com/svmkit/course/plots/geom"
	"github.com/svmkit/course/svmkit"
)

// valley is a tilted parabola with its minimum (1, −½), and the path of gradient steps in it.
func valley() Surface {
	f := func(x, y float64) float64 { u, v := x-1, y+0.5; return u*u + u*v + 2*v*v }
	walk := [][2]float64{{-1.5, 1.5}}
	for range 12 {
		u, v := walk[len(walk)-1][0]-1, walk[len(walk)-1][1]+0.5
		walk = append(walk, [2]float64{u + 1 - 0.3*(2*u+v), v - 0.5 - 0.3*(u+4*v)})
	}
	return Surface{F: f, XMin: -2, XMax: 2.5, YMin: -2, YMax: 2,
		Paths:  []NamedPath{{Name: "gradient steps", At: walk}},
		Points: []NamedPoint{{"start", [2]float64{-1.5, 1.5}}}}
}

// street is ½‖w‖² over the half-planes ⟨w,x⟩ ≥ 1 of x = (1, 0) and (1, 1): least, ½, at (1, 0).
func street() Surface {
	return Surface{F: func(x, y float64) float64 { return (x*x + y*y) / 2 }, XMin: -0.5, XMax: 3,
		YMin: -1.5, YMax: 2,
		Feasible: []NamedLine{{"", plane(1, 0, -1)}, {"", plane(1, 1, -1)}},
		Lines:    []NamedLine{{"direction", plane(0, 1, 0)}},
		Points:   []NamedPoint{{"on the border", [2]float64{1.5, -0.5}}}}
}

// quarters is 1 to 4 in the four parts between the lines x = 0 and y = x, with a path that stays in
// one of them.
func quarters() Surface {
	f := func(x, y float64) float64 {
		v := 1.0
		if x > 0 {
			v++
		}
		if y > x {
			v += 2
		}
		return v
	}
	return Surface{F: f, XMin: -2, XMax: 2, YMin: -2, YMax: 2,
		Borders: []svmkit.Hyperplane{plane(1, 0, 0), plane(1, -1, 0)}, PlaneStyles: true,
		Paths: []NamedPath{{Name: "walk", At: [][2]float64{{-1.5, 1}, {-1, 1.5}}}}}
}

func TestLandscapeSaysThatTheFunctionIsConstantBetweenLines(t *testing.T) {
	f, err := Landscape(quarters())
	if want := "A function of two variables that is constant between 2 lines, with its value in " +
		"each piece, from −2 to 2"; err != nil || !strings.HasPrefix(f.Alt, want) ||
		f.Legend[0].Name != "where the value jumps" {
		t.Errorf("%v, %v; want %q", f, err, want)
	}
}

func TestLandscapeFindsTheBestPoint(t *testing.T) {
	outside := street()
	outside.Feasible = append(outside.Feasible, NamedLine{"", plane(-1, 0, -1)})
	upside := valley()
	upside.F, upside.Maximise = func(x, y float64) float64 { return -valley().F(x, y) }, true
	sloping := valley()
	sloping.F = func(x, _ float64) float64 { return x }
	flat := valley()
	flat.F = func(x, y float64) float64 { return max(0, math.Hypot(x, y)-1) }
	for name, c := range map[string]struct {
		surface Surface
		want    string
	}{
		"inside": {valley(), "The least value in the picture, 0, is taken near (1, −0.5)."},
		"constrained": {street(),
			"The least value where all constraints hold, 0.5, is taken near (1, 0)."},
		"infeasible": {outside, "No point of the picture satisfies all of the 3 constraints."},
		"maximum":    {upside, "The greatest value in the picture, 0, is taken near (1, −0.5)."},
		"at an end":  {sloping, "lies at the border of the picture, near (−2"},
		"an area":    {flat, "The least value in the picture, 0, is taken on a whole area, 17"},
	} {
		f, err := Landscape(c.surface)
		if err != nil || !strings.Contains(f.Caption, c.want) || !strings.Contains(f.Alt, c.want) {
			t.Errorf("%s: %v, %v; want %q", name, f, err, c.want)
		}
	}
}

func TestLandscapeSaysTheRangeOfTheRegion(t *testing.T) {
	within := street()
	// y ≤ 0: the region ends at (3, −1.5)
	within.Feasible = append(within.Feasible, NamedLine{"", plane(0, -1, 0)})
	for name, c := range map[string]struct {
		surface Surface
		want    string
	}{
		"no constraints": {valley(), ") and from −2 to 2 (vertical). Its values reach from 0 to"},
		"constraints": {within,
			". Where all constraints hold, its values reach from 0.5 to 5.63."},
	} {
		if f, err := Landscape(c.surface); err != nil || !strings.Contains(f.Alt, c.want) {
			t.Errorf("%s: %v, %v; want %q", name, f, err, c.want)
		}
	}
}

func TestLandscapeSaysWhatThePathDoes(t *testing.T) {
	s := valley()
	at := s.Paths[0].At
	s.Paths = []NamedPath{{Name: "there and back",
		At: [][2]float64{at[0], at[12], at[0], at[0], at[12]}},
		{Name: "circle", At: at, NoMarks: true}, {Name: "still", At: at[:1]}}
	f, err := Landscape(s)
	if err != nil {
		t.Fatal(err)
	}
	for _, want := range []string{
		"there and back: 4 steps from (−1.5, 1.5) to (0.9988, −0.4995) take the function from " +
			"9.25 to 1.394e−06; it rises in 1 of them.",
		"still: at the start (−1.5, 1.5), where the function is 9.25.",
	} {
		if !strings.Contains(f.Caption, want) {
			t.Errorf("%q, want %q in it", f.Caption, want)
		}
	}
	if !strings.Contains(f.Alt, "A curve, circle.") || strings.Contains(f.Caption, "circle") {
		t.Errorf("a curve without marks is described, not followed: %q", f.Alt)
	}
	long := valley()
	long.Paths[0].At = make([][2]float64, 1500)
	if f, err := Landscape(long); err != nil ||
		!strings.Contains(f.Caption, "Of 1,500 points of gradient steps, 1,000 are drawn") {
		t.Errorf("%v, %v", f, err)
	}
}

func TestLandscapeRefusesWhatCannotBeDrawn(t *testing.T) {
	nan := math.NaN()
	with := func(change func(*Surface)) Surface { s := valley(); change(&s); return s }
	for name, s := range map[string]Surface{
		"no function":   with(func(s *Surface) { s.F = nil }),
		"no view":       with(func(s *Surface) { s.XMax = s.XMin }),
		"view NaN":      with(func(s *Surface) { s.YMin = nan }),
		"infinite view": with(func(s *Surface) { s.YMax = math.Inf(1) }),
		"F NaN": with(func(s *Surface) {
			s.Paths, s.Points, s.F = nil, nil, func(x, _ float64) float64 { return math.Sqrt(x) }
		}),
		"levels":         with(func(s *Surface) { s.Levels = make([]float64, 13) }),
		"level NaN":      with(func(s *Surface) { s.Levels = []float64{nan} }),
		"paths":          with(func(s *Surface) { s.Paths = make([]NamedPath, 7) }),
		"constraints":    with(func(s *Surface) { s.Feasible = make([]NamedLine, 13) }),
		"borders":        with(func(s *Surface) { s.Borders = make([]svmkit.Hyperplane, 13) }),
		"border's width": with(func(s *Surface) { s.Borders = []svmkit.Hyperplane{{W: []float64{1}}} }),
		"a line's width": with(func(s *Surface) {
			s.Lines = []NamedLine{{"",
				svmkit.Hyperplane{W: []float64{1}}}}
		}),
	} {
		if f, err := Landscape(s); !isParam(err) {
			t.Errorf("%s: %v, %v", name, f, err)
		}
	}
	for name, s := range map[string]Surface{
		"empty path": with(func(s *Surface) { s.Paths[0].At = nil }),
		"path NaN":   with(func(s *Surface) { s.Paths[0].At[2][1] = nan }),
		"point NaN":  with(func(s *Surface) { s.Points[0].At[0] = nan }),
	} {
		if f, err := Landscape(s); !isData(err) {
			t.Errorf("%s: %v, %v", name, f, err)
		}
	}
}

// The level lines of a function that jumps lie at its jump, and not on a staircase along the grid.
func TestLandscapeDrawsACliffWhereItIs(t *testing.T) {
	cliff := geom.Grid{F: func(x, y float64) float64 { return math.Floor(min(1, max(0, 1+x-y/3))) },
		Over: geom.Box{XMin: -1, XMax: 1, YMin: -1, YMax: 1}, Exact: true}
	lines := cliff.Level(0.5)
	if len(lines) != 1 {
		t.Fatalf("%d lines, want one", len(lines))
	}
	const bisected = 2.0 / geom.GridSteps / 1000
	for _, q := range lines[0] {
		if math.Abs(q.X-q.Y/3) > bisected {
			t.Errorf("(%g, %g) is not on the line x = y/3", q.X, q.Y)
		}
	}
}
