package plots

import (
	"math"
	"math/rand/v2"
	"strings"
	"testing"

	"github.com/svmkit/course/svmkit"
)

func threePlanes() []NamedPlane {
	return []NamedPlane{{"first", plane(2, 1, 0.1)}, {"second", plane(1, 0.2, 0)}, {"third", plane(0, 1, 0)}}
}

func onALine() *svmkit.Dataset {
	set, err := svmkit.NewDataset([][]float64{{-1}, {-0.4}, {0.2}, {0.9}, {1.5}}, []float64{-1, -1, -1, 1, 1})
	if err != nil {
		panic(err)
	}
	return set
}

func bothLabels() []VectorUpdate {
	return []VectorUpdate{
		{W: []float64{1, -1}, X: svmkit.Dense(0.5, 1.5), Y: 1},
		{W: []float64{1, 2}, X: svmkit.Dense(0.5, 0.5), Y: -1},
	}
}

func TestSeparatorsAreCountedByTheirSignedMargins(t *testing.T) {
	set := nine()
	n, least, most := separating(set, threePlanes())
	first, _ := threePlanes()[0].Plane.SetMargin(set)
	second, _ := threePlanes()[1].Plane.SetMargin(set)
	if third, _ := threePlanes()[2].Plane.SetMargin(set); third > 0 || n != 2 {
		t.Errorf("%d planes separate, the third has margin %g; two do", n, third)
	}
	if least != min(first, second) || most != max(first, second) {
		t.Errorf("margins from %g to %g, want those of %g and %g", least, most, first, second)
	}
	for want, planes := range map[string][]NamedPlane{
		"2 of 3 planes separate": threePlanes(),
		"Both planes separate":   threePlanes()[:2],
		"None of 1 plane":        threePlanes()[2:],
		"The plane separates":    threePlanes()[:1],
	} {
		f, err := Separators(set, planes)
		if err != nil || !strings.HasPrefix(f.Caption, want) {
			t.Errorf("%v, %v; want %q", f, err, want)
		}
	}
}

// Arrow yx begins where w ends, and the third arrow closes the triangle; the score of x
// moves by ‖x‖² in favour of its label.
func TestUpdateIsAVectorSum(t *testing.T) {
	r := rand.New(rand.NewPCG(3, 0))
	const rounding = 1e-12 // of sums of a few numbers near 1
	for range 100 {
		u := VectorUpdate{W: []float64{r.NormFloat64(), r.NormFloat64()}, X: svmkit.Dense(r.NormFloat64(), r.NormFloat64()), Y: float64(2*r.IntN(2) - 1)}
		w, yx, sum := u.arrows()
		if yx.from != w.to || sum.to != yx.to || w.from != sum.from {
			t.Fatalf("the arrows do not meet: %v %v %v", w, yx, sum)
		}
		if d := distance(yx.from, yx.to); math.Abs(d-u.X.Norm()) > rounding {
			t.Errorf("yx is %g long, x is %g", d, u.X.Norm())
		}
		if rise := u.Y * (u.score(u.after()) - u.score(u.W)); math.Abs(rise-u.X.SquaredNorm()) > rounding {
			t.Errorf("the score rose by %g, want %g", rise, u.X.SquaredNorm())
		}
	}
	right, err := UpdateVectors(bothLabels())
	if err != nil || !strings.Contains(right.Caption, "right now") || !strings.Contains(right.Caption, "still wrong") {
		t.Errorf("the first update is enough and the second is not: %v, %v", right, err)
	}
}

// A question tells neither the score nor the new w; an answer tells both. All show one range, so that nothing moves under a
// slider but the arrows.
func TestRoundsAskAndAnswer(t *testing.T) {
	rounds := append(bothLabels(), VectorUpdate{W: []float64{1, 2}, X: svmkit.Dense(0.5, 0.5), Y: 1}, VectorUpdate{W: []float64{0, 0}, X: svmkit.Dense(1, 1), Y: -1})
	figures, err := Rounds(rounds)
	if err != nil || len(figures) != 2*len(rounds) {
		t.Fatalf("%d figures of %d rounds, %v", len(figures), len(rounds), err)
	}
	answers := []string{"is −1, a mistake. The arrow yx takes the tip of w to (1.5, 0.5).", "is 1.5, a mistake. The arrow yx takes the tip of w to (0.5, 1.5).",
		"is 1.5, the right sign. Nothing changes: w = (1, 2).", "is 0, a mistake. The arrow yx takes the tip of w to (−1, −1)."}
	for i, f := range figures {
		if shown(f.Plot) != shown(figures[0].Plot) {
			t.Errorf("figure %d shows %v, the first one %v", i, shown(f.Plot), shown(figures[0].Plot))
		}
		if drawn := strings.Contains(f.Alt, "then the arrow yx, the new w and the line across it"); drawn != strings.Contains(f.Caption, "a mistake.") {
			t.Errorf("figure %d is described as %q", i, f.Alt)
		}
		if question := i%2 == 0; question == strings.Contains(f.Caption, "score") || !question && !strings.HasSuffix(f.Caption, answers[i/2]) {
			t.Errorf("figure %d says %q", i, f.Caption)
		}
	}
	if alt := figures[6].Alt; !strings.Contains(alt, "no arrow and no line") {
		t.Errorf("w = 0 has an arrow: %q", alt)
	}
}

// The arrows of a strip have the scale of its points if they fit; else, and where planes miss the origin, one of their own.
func TestArrowsOfAStripAreToScale(t *testing.T) {
	set := nine()
	run := func(w ...float64) []PlaneStep { return []PlaneStep{{plane(0, 0, 0), plane(w[0], w[1], w[2]), 0}} }
	for _, c := range []struct {
		steps   []PlaneStep
		toScale bool
	}{{run(1, 0.3, 0), true}, {run(2, 2, 0), true}, {run(10, 3, 0), false}, {run(1, 0.3, 1), false}} {
		r, err := newPlanarRun(set, c.steps)
		if err != nil {
			t.Fatal(err)
		}
		f, err := PlaneStrip(set, c.steps)
		if err != nil || (r.scale == 1) != c.toScale || strings.Contains(f.Caption, "Arrows and points have one scale") != c.toScale {
			t.Errorf("%v: scale %g, %q, %v", c.steps[0].After, r.scale, f.Caption, err)
		}
	}
}

func TestLiftRingsTheThreshold(t *testing.T) {
	f, err := AugmentedLift(onALine(), svmkit.Hyperplane{W: []float64{2}, B: -1})
	if err != nil || !strings.HasPrefix(f.Caption, "The threshold 0.5 ") || !strings.Contains(f.Caption, "no point is") {
		t.Errorf("%v, %v: 2x − 1 is zero at 0.5, which separates", f, err)
	}
	f, err = AugmentedLift(onALine(), svmkit.Hyperplane{W: []float64{1}, B: 1e9})
	if err != nil || !strings.Contains(f.Caption, "3 points are") {
		t.Errorf("%v, %v: a threshold far to the left has three points on its wrong side", f, err)
	}
}

func TestSeparatorsRefuse(t *testing.T) {
	for name, build := range map[string]func() (*Figure, error){
		"separators: none":  func() (*Figure, error) { return Separators(nine(), nil) },
		"separators: seven": func() (*Figure, error) { return Separators(nine(), make([]NamedPlane, 7)) },
		"separators: w = 0": func() (*Figure, error) { return Separators(nine(), []NamedPlane{{"zero", plane(0, 0, 1)}}) },
		"separators: 3-D":   func() (*Figure, error) { return Separators(basisVectors(3), []NamedPlane{{"h", plane(1, 1, 0)}}) },
	} {
		if f, err := build(); f != nil || !isParam(err) && !isData(err) {
			t.Errorf("%s: figure %v, error %v", name, f != nil, err)
		}
	}
}

func TestBadPerceptronFiguresAreTypedErrors(t *testing.T) {
	h, nan := plane(1, 1, 0), math.NaN()
	one := svmkit.Hyperplane{W: []float64{1}}
	for name, build := range map[string]func() (*Figure, error){
		"lift: 2-D":     func() (*Figure, error) { return AugmentedLift(nine(), h) },
		"lift: w = 0":   func() (*Figure, error) { return AugmentedLift(onALine(), svmkit.Hyperplane{W: []float64{0}, B: 1}) },
		"lift: w short": func() (*Figure, error) { return AugmentedLift(onALine(), h) },
		"lift: empty":   func() (*Figure, error) { return AugmentedLift(&svmkit.Dataset{Dim: 1}, one) },
		"rounds: none":  func() (*Figure, error) { return first(Rounds(nil)) },
		"rounds: NaN":   func() (*Figure, error) { return first(Rounds([]VectorUpdate{{h.W, svmkit.Dense(1, nan), 1}})) },
		"update: none":  func() (*Figure, error) { return UpdateVectors(nil) },
		"update: label": func() (*Figure, error) { return UpdateVectors([]VectorUpdate{{h.W, svmkit.Dense(1, 1), 2}}) },
		"update: NaN":   func() (*Figure, error) { return UpdateVectors([]VectorUpdate{{h.W, svmkit.Dense(1, nan), 1}}) },
		"update: w NaN": func() (*Figure, error) {
			return UpdateVectors([]VectorUpdate{{[]float64{nan, 1}, svmkit.Dense(1, 1), 1}})
		},
		"update: w short": func() (*Figure, error) { return UpdateVectors([]VectorUpdate{{nil, svmkit.Dense(1, 1), 1}}) },
	} {
		if f, err := build(); f != nil || !isParam(err) && !isData(err) {
			t.Errorf("%s: figure %v, error %v", name, f != nil, err)
		}
	}
}

func first(figures []*Figure, err error) (*Figure, error) {
	if err != nil {
		return nil, err
	}
	return figures[0], nil
}

func ExampleSeparators() {
	caption(Separators(nine(), threePlanes()))
	// Output: 2 of 3 planes separate the classes, with half-margins from 0.4315 to 0.4919.
}

func ExampleAugmentedLift() {
	caption(AugmentedLift(onALine(), svmkit.Hyperplane{W: []float64{2}, B: -1}))
	// Output: The threshold 0.5 is where the number line, lifted to height 1, meets the black line through the origin: the bias −1 is the second entry of its normal, and no point is on the wrong side.
}

func ExampleUpdateVectors() {
	caption(UpdateVectors(bothLabels()))
	// Output: An update puts the arrow yx to the tip of w: the score of the point with y = +1 goes from −1 to 1.5, by 2.5, and is right now; the score of the point with y = −1 goes from 1.5 to 1, by 0.5, and is still wrong.
}
