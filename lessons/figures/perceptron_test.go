package figures

import (
	"math"
	"math/rand/v2"
	"strings"
	"testing"

	"github.com/svmkit/course/plots"
	"github.com/svmkit/course/plots/geom"
	"github.com/svmkit/course/plots/pen"
	"github.com/svmkit/course/svmkit"
	"github.com/svmkit/course/svmkit/perceptron"
)

func TestPlanesReplayTheRun(t *testing.T) {
	set := square40()
	steps := planes(set)
	p := perceptron.Perceptron{Bias: svmkit.PenalizedBias}
	k := 0
	for made := true; made; {
		made = false
		for i, x := range set.X {
			if p.Update(x, set.Y[i]) {
				made = true
				after := steps[k].After
				if steps[k].Index != i || math.Abs(after.B-p.B) > rounding ||
					math.Hypot(after.W[0]-p.W[0], after.W[1]-p.W[1]) > rounding {
					t.Fatalf("step %d: row %d, plane %v; the run has row %d, plane %v", k,
						steps[k].Index, after, i, p.Plane())
				}
				if k > 0 && steps[k].Before.B != steps[k-1].After.B {
					t.Fatalf("step %d does not begin where the last one ended", k)
				}
				k++
			}
		}
	}
	if k != len(steps) || !geom.IsZero(steps[0].Before) {
		t.Errorf("%d steps for %d mistakes; the first begins at %v", len(steps), k, steps[0].Before)
	}
}

func onALine() *svmkit.Dataset {
	set, err := svmkit.NewDataset([][]float64{{-1}, {-0.4}, {0.2}, {0.9}, {1.5}},
		[]float64{-1, -1, -1, 1, 1})
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

// Arrow yx begins where w ends, and the third arrow closes the triangle; the score of x
// moves by ‖x‖² in favour of its label.
func TestUpdateIsAVectorSum(t *testing.T) {
	r := rand.New(rand.NewPCG(3, 0))
	const rounding = 1e-12 // of sums of a few numbers near 1
	for range 100 {
		u := VectorUpdate{W: []float64{r.NormFloat64(), r.NormFloat64()},
			X: svmkit.Dense(r.NormFloat64(), r.NormFloat64()), Y: float64(2*r.IntN(2) - 1)}
		w, yx, sum := u.arrows()
		if yx.From != w.To || sum.To != yx.To || w.From != sum.From {
			t.Fatalf("the arrows do not meet: %v %v %v", w, yx, sum)
		}
		if d := geom.Distance(yx.From, yx.To); math.Abs(d-u.X.Norm()) > rounding {
			t.Errorf("yx is %g long, x is %g", d, u.X.Norm())
		}
		if rise := u.Y * (u.score(u.after()) - u.score(u.W)); math.Abs(rise-u.X.SquaredNorm()) > rounding {
			t.Errorf("the score rose by %g, want %g", rise, u.X.SquaredNorm())
		}
	}
	right, err := UpdateVectors(bothLabels())
	if err != nil || !strings.Contains(right.Caption, "so it is now classified correctly;") ||
		!strings.Contains(right.Caption, "so it is still misclassified.") {
		t.Errorf("the first update is enough and the second is not: %v, %v", right, err)
	}
}

// A question tells neither the score nor the new w; an answer tells both. All show one range, so
// that nothing moves under a slider but the arrows.
func TestRoundsAskAndAnswer(t *testing.T) {
	rounds := append(bothLabels(), VectorUpdate{W: []float64{1, 2}, X: svmkit.Dense(0.5, 0.5),
		Y: 1}, VectorUpdate{W: []float64{0, 0}, X: svmkit.Dense(1, 1), Y: -1})
	figures, err := Rounds(rounds)
	if err != nil || len(figures) != 2*len(rounds) {
		t.Fatalf("%d figures of %d rounds, %v", len(figures), len(rounds), err)
	}
	answers := []string{"is −1, a mistake. The arrow yx takes the tip of w to (1.5, 0.5).",
		"is 1.5, a mistake. The arrow yx takes the tip of w to (0.5, 1.5).",
		"is 1.5, the right sign. Nothing changes: w = (1, 2).",
		"is 0, a mistake. The arrow yx takes the tip of w to (−1, −1)."}
	for i, f := range figures {
		if pen.Shown(f.Plot) != pen.Shown(figures[0].Plot) {
			t.Errorf("figure %d shows %v, the first one %v", i, pen.Shown(f.Plot),
				pen.Shown(figures[0].Plot))
		}
		if drawn := strings.Contains(f.Alt,
			"then the arrow yx, the new w and the line across it"); drawn != strings.Contains(f.Caption, "a mistake.") {
			t.Errorf("figure %d is described as %q", i, f.Alt)
		}
		if question := i%2 == 0; question == strings.Contains(f.Caption, "score") || !question &&
			!strings.HasSuffix(f.Caption, answers[i/2]) {
			t.Errorf("figure %d says %q", i, f.Caption)
		}
	}
	if alt := figures[6].Alt; !strings.Contains(alt, "no arrow and no line") {
		t.Errorf("w = 0 has an arrow: %q", alt)
	}
}

// The arrows of a strip have the scale of its points if they fit; else, and where planes miss the
// origin, one of their own.
func TestArrowsOfAStripAreToScale(t *testing.T) {
	set := nine()
	run := func(w ...float64) []PlaneStep {
		return []PlaneStep{{plane(0, 0, 0),
			plane(w[0], w[1], w[2]), 0}}
	}
	for _, c := range []struct {
		steps   []PlaneStep
		toScale bool
	}{{run(1, 0.3, 0), true}, {run(2, 2, 0), true}, {run(10, 3, 0), false},
		{run(1, 0.3, 1), false}} {
		r, err := newPlanarRun(set, c.steps)
		if err != nil {
			t.Fatal(err)
		}
		f, err := PlaneStrip(set, c.steps)
		if err != nil || (r.scale == 1) != c.toScale ||
			strings.Contains(f.Caption, "Arrows and points have one scale") != c.toScale {
			t.Errorf("%v: scale %g, %q, %v", c.steps[0].After, r.scale, f.Caption, err)
		}
	}
}

func TestLiftRingsTheThreshold(t *testing.T) {
	f, err := AugmentedLift(onALine(), svmkit.Hyperplane{W: []float64{2}, B: -1})
	if err != nil || !strings.HasPrefix(f.Caption, "The threshold 0.5 ") ||
		!strings.Contains(f.Caption, "no point is") {
		t.Errorf("%v, %v: 2x − 1 is zero at 0.5, which separates", f, err)
	}
	f, err = AugmentedLift(onALine(), svmkit.Hyperplane{W: []float64{1}, B: 1e9})
	if err != nil || !strings.Contains(f.Caption, "3 points are") {
		t.Errorf("%v, %v: a threshold far to the left has three points on its wrong side", f, err)
	}
}

func TestBadPerceptronFiguresAreTypedErrors(t *testing.T) {
	h, nan := plane(1, 1, 0), math.NaN()
	one := svmkit.Hyperplane{W: []float64{1}}
	for name, build := range map[string]func() (*plots.Figure, error){
		"lift: 2-D": func() (*plots.Figure, error) { return AugmentedLift(nine(), h) },
		"lift: w = 0": func() (*plots.Figure, error) {
			return AugmentedLift(onALine(), svmkit.Hyperplane{W: []float64{0}, B: 1})
		},
		"lift: w short": func() (*plots.Figure, error) { return AugmentedLift(onALine(), h) },
		"lift: empty": func() (*plots.Figure,
			error) {
			return AugmentedLift(&svmkit.Dataset{Dim: 1}, one)
		},
		"rounds: none": func() (*plots.Figure, error) { return first(Rounds(nil)) },
		"rounds: NaN": func() (*plots.Figure,
			error) {
			return first(Rounds([]VectorUpdate{{h.W, svmkit.Dense(1, nan), 1}}))
		},
		"update: none": func() (*plots.Figure, error) { return UpdateVectors(nil) },
		"update: label": func() (*plots.Figure,
			error) {
			return UpdateVectors([]VectorUpdate{{h.W, svmkit.Dense(1, 1), 2}})
		},
		"update: NaN": func() (*plots.Figure,
			error) {
			return UpdateVectors([]VectorUpdate{{h.W, svmkit.Dense(1, nan), 1}})
		},
		"update: w NaN": func() (*plots.Figure, error) {
			return UpdateVectors([]VectorUpdate{{[]float64{nan, 1}, svmkit.Dense(1, 1), 1}})
		},
		"update: w short": func() (*plots.Figure,
			error) {
			return UpdateVectors([]VectorUpdate{{nil, svmkit.Dense(1, 1), 1}})
		},
	} {
		if f, err := build(); f != nil || !isParam(err) && !isData(err) {
			t.Errorf("%s: figure %v, error %v", name, f != nil, err)
		}
	}
}

func first(figures []*plots.Figure, err error) (*plots.Figure, error) {
	if err != nil {
		return nil, err
	}
	return figures[0], nil
}
