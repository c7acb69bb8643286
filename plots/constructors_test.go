package plots

import (
	"bytes"
	"image"
	"image/color"
	"image/draw"
	"image/gif"
	"math"
	"math/rand/v2"
	"strings"
	"testing"
	"time"

	"github.com/svmkit/course/svmkit"
	"github.com/svmkit/course/svmkit/perceptron"
)

func TestBadInputIsATypedError(t *testing.T) {
	nan := math.NaN()
	good := nine()
	oneClass := good.Subset([]int{0, 1})
	for name, build := range map[string]func() (*Figure, error){
		"lines: none":       func() (*Figure, error) { return Lines(nil, Axes{}, "c", "a") },
		"lines: seven":      func() (*Figure, error) { return Lines(make([]Series, 7), Axes{}, "c", "a") },
		"lines: no caption": func() (*Figure, error) { return Lines([]Series{{X: []float64{1}, Y: []float64{1}}}, Axes{}, "", "a") },
		"lines: empty":      func() (*Figure, error) { return Lines([]Series{{}}, Axes{}, "c", "a") },
		"lines: lengths": func() (*Figure, error) {
			return Lines([]Series{{X: []float64{1, 2}, Y: []float64{1}}}, Axes{}, "c", "a")
		},
		"lines: NaN": func() (*Figure, error) {
			return Lines([]Series{{X: []float64{1}, Y: []float64{nan}}}, Axes{}, "c", "a")
		},
		"lines: zero on log": func() (*Figure, error) {
			return Lines([]Series{{X: []float64{1}, Y: []float64{0}}}, Axes{LogY: true}, "c", "a")
		},
		"lines: x falls": func() (*Figure, error) {
			return Lines([]Series{{X: []float64{2, 1}, Y: []float64{0, 0}}}, Axes{}, "c", "a")
		},
		"lines: band crossed": func() (*Figure, error) {
			return Lines([]Series{{X: []float64{1}, Y: []float64{1}, Low: []float64{2}, High: []float64{1}}}, Axes{}, "c", "a")
		},
		"hulls: one class":        func() (*Figure, error) { return Hulls(oneClass, nil, nil) },
		"hulls: half a proof":     func() (*Figure, error) { return Hulls(good, []float64{1, 0}, nil) },
		"hulls: not in the hull":  func() (*Figure, error) { return Hulls(good, []float64{-5, 0}, []float64{-1, 0}) },
		"hulls: not nearest":      func() (*Figure, error) { return Hulls(good, []float64{1, 0.3}, []float64{-1.8, 0}) },
		"hulls: proof not finite": func() (*Figure, error) { return Hulls(good, []float64{nan, 0}, []float64{-1, 0}) },
	} {
		f, err := build()
		if f != nil || !isParam(err) && !isData(err) {
			t.Errorf("%s: figure %v, error %v", name, f != nil, err)
		}
	}
}

func TestLessonFiguresRefuseBadInput(t *testing.T) {
	nan, inf := math.NaN(), math.Inf(1)
	good := nine()
	with := func(v float64) *svmkit.Dataset {
		s := nine()
		s.X[2] = svmkit.Dense(1, v)
		return s
	}
	labels := nine()
	labels.Y[3] = 2
	h := plane(1, 1, 0)
	step := PlaneStep{Before: plane(0, 0, 0), After: h}
	trace := []perceptron.Mistake{{NormW: 1, Align: 1}}
	nov := Novikoff{1, 1, 1}
	for name, build := range map[string]func() (*Figure, error){
		"margins: nil":          func() (*Figure, error) { return SignedMargins(nil, h) },
		"margins: empty":        func() (*Figure, error) { return SignedMargins(&svmkit.Dataset{Dim: 2}, h) },
		"margins: NaN":          func() (*Figure, error) { return SignedMargins(with(nan), h) },
		"margins: infinite":     func() (*Figure, error) { return SignedMargins(with(inf), h) },
		"margins: huge":         func() (*Figure, error) { return SignedMargins(with(1e300), h) },
		"margins: label":        func() (*Figure, error) { return SignedMargins(labels, h) },
		"margins: 3-D":          func() (*Figure, error) { return SignedMargins(basisVectors(3), plane(1, 1, 1)) },
		"margins: w = 0":        func() (*Figure, error) { return SignedMargins(good, plane(0, 0, 1)) },
		"margins: w NaN":        func() (*Figure, error) { return SignedMargins(good, plane(nan, 1, 0)) },
		"margins: b infinite":   func() (*Figure, error) { return SignedMargins(good, plane(1, 1, inf)) },
		"margins: w short":      func() (*Figure, error) { return SignedMargins(good, svmkit.Hyperplane{W: []float64{1}}) },
		"margins: b huge":       func() (*Figure, error) { return SignedMargins(good, plane(1, 1, 1e200)) },
		"histogram: w = 0":      func() (*Figure, error) { return MarginHistogram(good, plane(0, 0, 1)) },
		"histogram: label":      func() (*Figure, error) { return MarginHistogram(labels, h) },
		"strip: none":           func() (*Figure, error) { return PlaneStrip(good, nil) },
		"strip: row":            func() (*Figure, error) { return PlaneStrip(good, []PlaneStep{{step.Before, h, 9}}) },
		"strip: row < 0":        func() (*Figure, error) { return PlaneStrip(good, []PlaneStep{{step.Before, h, -1}}) },
		"strip: no w":           func() (*Figure, error) { return PlaneStrip(good, []PlaneStep{{After: h}}) },
		"strip: NaN":            func() (*Figure, error) { return PlaneStrip(good, []PlaneStep{{step.Before, plane(nan, 0, 0), 0}}) },
		"squeeze: no mistakes":  func() (*Figure, error) { return Squeeze(nil, nov) },
		"squeeze: no reference": func() (*Figure, error) { return Squeeze([]perceptron.Mistake{{NormW: 1, Align: nan}}, nov) },
		"squeeze: gamma = 0":    func() (*Figure, error) { return Squeeze(trace, Novikoff{0, 1, 1}) },
		"squeeze within: bound": func() (*Figure, error) { return SqueezeWithin(trace, nov, nov.Bound()/2) },
		"squeeze within: NaN":   func() (*Figure, error) { return SqueezeWithin(trace, nov, nan) },
		"step: none":            func() (*Figure, error) { return NovikoffStep(nil, []float64{1, 0}) },
		"step: no mistake": func() (*Figure, error) {
			return NovikoffStep([]VectorUpdate{{[]float64{1, 0}, svmkit.Dense(1, 0), 1}}, []float64{1, 0})
		},
		"step: w = 0": func() (*Figure, error) {
			return NovikoffStep([]VectorUpdate{{[]float64{0, 0}, svmkit.Dense(1, 0), 1}}, []float64{1, 0})
		},
		"step: w* = 0": func() (*Figure, error) {
			return NovikoffStep([]VectorUpdate{{[]float64{1, 0}, svmkit.Dense(-1, 0), 1}}, []float64{0, 0})
		},
		"street: no plane":       func() (*Figure, error) { return StreetAndRun(square40(), plane(0, 0, 0), plane(2, 1, 0), 1) },
		"street: wrong side":     func() (*Figure, error) { return StreetAndRun(square40(), plane(-2, -1, 0), plane(2, 1, 0), 1) },
		"squeeze: gamma < 0":     func() (*Figure, error) { return Squeeze(trace, Novikoff{-1, 1, 1}) },
		"squeeze: R NaN":         func() (*Figure, error) { return Squeeze(trace, Novikoff{1, 1, nan}) },
		"squeeze: R/γ overflows": func() (*Figure, error) { return Squeeze(trace, Novikoff{1e-90, 1, 1e90}) },
		"angle: w back to 0":     func() (*Figure, error) { return AngleToReference([]perceptron.Mistake{{NormW: 0, Align: 0}}, nov) },
		"angle: norm 0":          func() (*Figure, error) { return AngleToReference(trace, Novikoff{1, 0, 1}) },
		"bound: none":            func() (*Figure, error) { return MistakesAgainstBound(nil) },
		"bound: no mistakes":     func() (*Figure, error) { return MistakesAgainstBound([]BoundRun{{0, 1, ""}}) },
		"bound: infinite":        func() (*Figure, error) { return MistakesAgainstBound([]BoundRun{{1, inf, ""}}) },
		"bound: too many groups": func() (*Figure, error) {
			return MistakesAgainstBound([]BoundRun{{1, 1, "a"}, {1, 1, "b"}, {1, 1, "c"}, {1, 1, "d"}, {1, 1, "e"}})
		},
		"tight: none":    func() (*Figure, error) { return TightCase(nil, trace, nov) },
		"tight: bound 0": func() (*Figure, error) { return TightCase([]TightRun{{1, 1, 0}}, trace, nov) },
		"growth: bound": func() (*Figure, error) {
			return Growth([]GrowthPanel{{"n", []Series{{X: []float64{1}, Y: []float64{1}}}}}, nan)
		},
		"growth: none":        func() (*Figure, error) { return Growth(nil, 1) },
		"growth: empty panel": func() (*Figure, error) { return Growth([]GrowthPanel{{X: "n"}}, 1) },
	} {
		f, err := build()
		if f != nil || !isParam(err) && !isData(err) {
			t.Errorf("%s: figure %v, error %v", name, f != nil, err)
		}
	}
}

// Odd but legal input must be drawn.
func TestOddInputIsDrawn(t *testing.T) {
	same, _ := svmkit.NewDataset([][]float64{{0, 0}, {0, 0}}, []float64{1, -1})
	for name, build := range map[string]func() (*Figure, error){
		"flat curve": func() (*Figure, error) {
			return Lines([]Series{{X: []float64{1}, Y: []float64{2}}}, Axes{LogX: true, LogY: true}, "c", "a")
		},
		"hulls touch": func() (*Figure, error) { return Hulls(same, nil, nil) },
	} {
		f, err := build()
		if err != nil {
			t.Errorf("%s: %v", name, err)
			continue
		}
		if _, err := f.PNG(); err != nil {
			t.Errorf("%s: %v", name, err)
		}
	}
}

// Odd but legal input must be drawn.
func TestLessonFiguresDrawOddInput(t *testing.T) {
	one, _ := svmkit.NewDataset([][]float64{{3, 3}}, []float64{1})
	same, _ := svmkit.NewDataset([][]float64{{0, 0}, {0, 0}}, []float64{1, -1})
	apart, _ := svmkit.NewDataset([][]float64{{1e-9, 1e9}, {2e-9, -1e9}}, []float64{1, -1})
	sparse := &svmkit.Dataset{Dim: 2, Y: []float64{1, -1}, Features: []string{"price in $", "a_b^c"},
		Classes: []string{"$x", "<y>"}, X: []svmkit.Row{{Index: []int32{1}, Value: []float64{1}}, {Index: []int32{}, Value: nil}}}
	far := plane(1, 0, -1e6)
	zero := PlaneStep{Before: plane(0, 0, 0), After: plane(0, 0, 0)}
	for name, build := range map[string]func() (*Figure, error){
		"one point":        func() (*Figure, error) { return SignedMargins(one, plane(1, 0, -3)) },
		"one place":        func() (*Figure, error) { return SignedMargins(same, plane(1, 1, 0)) },
		"flat":             func() (*Figure, error) { return SignedMargins(apart, plane(0, 1, 0)) },
		"sparse":           func() (*Figure, error) { return SignedMargins(sparse, plane(0, 1, -0.5)) },
		"plane far away":   func() (*Figure, error) { return SignedMargins(nine(), far) },
		"histogram of one": func() (*Figure, error) { return MarginHistogram(one, plane(1, 0, -3)) },
		"w stays zero":     func() (*Figure, error) { return PlaneStrip(one, []PlaneStep{zero}) },
		"one mistake":      func() (*Figure, error) { return Squeeze([]perceptron.Mistake{{NormW: 1, Align: 1}}, Novikoff{1, 1, 1}) },
		"bound below one": func() (*Figure, error) {
			return AngleToReference([]perceptron.Mistake{{NormW: 1, Align: 1}}, Novikoff{2, 1, 1})
		},
		"one run": func() (*Figure, error) { return MistakesAgainstBound([]BoundRun{{1, 1, ""}}) },
	} {
		f, err := build()
		if err != nil {
			t.Errorf("%s: %v", name, err)
			continue
		}
		if _, err := f.PNG(); err != nil {
			t.Errorf("%s: %v", name, err)
		}
	}
}

func TestHistogramCountsEveryPointOnTheRightSideOfZero(t *testing.T) {
	rng := rand.New(rand.NewPCG(4, 0))
	for trial := range 60 {
		s := &svmkit.Dataset{Dim: 2}
		scale := math.Pow(10, float64(trial%7-3))
		for range 1 + rng.IntN(80) {
			s.X = append(s.X, svmkit.Dense(scale*math.Round(10*rng.NormFloat64())/10, rng.Float64()))
			s.Y = append(s.Y, float64(2*rng.IntN(2)-1))
		}
		h := plane(1, 0, 0) // margins are ± the first column: many of them zero, or equal
		right, wrong, plus, atZero := 0, 0, 0, false
		for _, b := range marginBins(s, h) {
			if b.from < 0 && b.to > 0 {
				t.Fatalf("bin (%g, %g] mixes the two sides", b.from, b.to)
			}
			atZero = atZero || b.to == 0 || b.from == 0
			if b.from >= 0 {
				right += b.plus + b.minus
			} else {
				wrong += b.plus + b.minus
			}
			plus += b.plus
		}
		wantRight, wantPlus := 0, 0
		for i, x := range s.X {
			if h.Margin(x, s.Y[i]) > 0 {
				wantRight++
			}
			if s.Y[i] > 0 {
				wantPlus++
			}
		}
		if right != wantRight || right+wrong != s.Len() || plus != wantPlus || !atZero {
			t.Fatalf("trial %d: %d right of zero, want %d; %d counted of %d; %d of class +1, want %d", trial, right, wantRight, right+wrong, s.Len(), plus, wantPlus)
		}
	}
}

// On whole numbers the edges are exact: each bin must hold just the margins in (from, to].
func TestHistogramBinsAreOpenOnTheLeft(t *testing.T) {
	for _, margins := range [][]float64{{0}, {0, 40}, {0, 1}, {-40, 0, 40}, {-1, 0}, {-3, -3, 7}, {5}, {-5}} {
		s := &svmkit.Dataset{Dim: 1}
		for _, m := range margins {
			s.X, s.Y = append(s.X, svmkit.Dense(m)), append(s.Y, 1)
		}
		bars := marginBins(s, svmkit.Hyperplane{W: []float64{1}})
		if margins[0] > 0 && bars[0].from != 0 {
			t.Errorf("margins %v: bins begin at %g, left of all margins and of zero", margins, bars[0].from)
		}
		for _, b := range bars {
			want := 0
			for _, m := range margins {
				if b.from < m && m <= b.to {
					want++
				}
			}
			if b.plus != want || b.minus != 0 {
				t.Errorf("margins %v: %d in (%g, %g], want %d", margins, b.plus, b.from, b.to, want)
			}
		}
	}
}

func TestTightCaseCountsRunsThatMeetTheBound(t *testing.T) {
	trace, n, err := traced(basisVectors(3), ones(3))
	if err != nil {
		t.Fatal(err)
	}
	// Met; met although the bound is no whole number; one short; one over, which cannot be.
	f, err := TightCase([]TightRun{{1, 1, 1}, {2, 2, 2.5}, {3, 2, 3}, {4, 5, 4}}, trace, n)
	if err != nil || !strings.Contains(f.Caption, "in 2 of 4 runs") {
		t.Errorf("%v, %v", f, err)
	}
}

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
				if steps[k].Index != i || math.Abs(after.B-p.B) > rounding || math.Hypot(after.W[0]-p.W[0], after.W[1]-p.W[1]) > rounding {
					t.Fatalf("step %d: row %d, plane %v; the run has row %d, plane %v", k, steps[k].Index, after, i, p.Plane())
				}
				if k > 0 && steps[k].Before.B != steps[k-1].After.B {
					t.Fatalf("step %d does not begin where the last one ended", k)
				}
				k++
			}
		}
	}
	if k != len(steps) || !isZero(steps[0].Before) {
		t.Errorf("%d steps for %d mistakes; the first begins at %v", len(steps), k, steps[0].Before)
	}
}

func TestAngles(t *testing.T) {
	got, err := angles([]perceptron.Mistake{{NormW: 2, Align: 2 * 3 * math.Cos(1)}, {NormW: 1, Align: -3}, {NormW: 1, Align: 3 * (1 + 1e-12)}}, 3)
	if err != nil {
		t.Fatal(err)
	}
	for i, want := range []float64{180 / math.Pi, 180, 0} {
		if !(math.Abs(got[i]-want) <= angleRoundoff) { // NaN fails too
			t.Errorf("angle %d = %g, want %g", i, got[i], want)
		}
	}
}

func TestCaptionsSayWhenAHypothesisFails(t *testing.T) {
	trace, n, err := traced(cloud(8, 300), ones(8))
	if err != nil {
		t.Fatal(err)
	}
	for name, bad := range map[string]Novikoff{
		"γ": {n.Gamma * 20, n.NormReference, n.Radius}, "R": {n.Gamma, n.NormReference, n.Radius / 20},
	} {
		f, err := Squeeze(trace, bad)
		if err != nil || !strings.Contains(f.Caption, "leaves its bounds") || !strings.Contains(f.Caption, name) {
			t.Errorf("wrong %s: %v, %v", name, f, err)
		}
		if f, err := AngleToReference(trace, bad); err != nil || !strings.Contains(f.Caption, "hypothesis") {
			t.Errorf("wrong %s: angle: %v, %v", name, f, err)
		}
	}
	runs := manyRuns()
	runs[17].Mistakes = int(2 * runs[17].Bound)
	if f, err := MistakesAgainstBound(runs); err != nil || !strings.Contains(f.Caption, "1 has more mistakes than R²/γ²") {
		t.Errorf("a run above its bound: %v, %v", f, err)
	}
	grown := []Series{{X: []float64{1, 2}, Y: []float64{3, 9}}}
	const both = "While the number of rows grows from 1 to 2 and the number of columns d of 7 rows grows from 1 to 2, the mistakes reach 9, above R²/γ² = 5"
	if f, err := Growth([]GrowthPanel{{"rows", grown}, {"columns $d$ of 7 rows", grown}}, 5); err != nil || !strings.HasPrefix(f.Caption, both) {
		t.Errorf("growth above the bound: %v, %v", f, err)
	}
	if f, err := SignedMargins(square40(), plane(1, 0, 0.3)); err != nil || !strings.Contains(f.Caption, "does not separate") {
		t.Errorf("a plane that does not separate: %v, %v", f, err)
	}
}

// Few mistakes under a high bound would lie on the axis: that takes a logarithmic one.
func TestGrowthChoosesItsAxis(t *testing.T) {
	for bound, logs := range map[float64]bool{20: false, 1000: true} {
		f, err := Growth([]GrowthPanel{{"rows", []Series{{X: []float64{10, 100}, Y: []float64{3, 9}}}}}, bound)
		if err != nil {
			t.Fatal(err)
		}
		if _, got := f.Panels[0][0].Y.Scale.(positiveLog); got != logs {
			t.Errorf("bound %g over 3 to 9 mistakes: logarithmic = %v", bound, got)
		}
	}
}

func TestNearestRun(t *testing.T) {
	groups, nearest, err := checkRuns([]BoundRun{{2, 8, "b"}, {3, 4, "a"}, {90, 900, "b"}})
	if err != nil || nearest != 1 || len(groups) != 2 || groups[0] != "b" {
		t.Errorf("groups %v, nearest %d, %v", groups, nearest, err)
	}
}

func TestThinningIsSaid(t *testing.T) {
	big := &svmkit.Dataset{Dim: 2}
	rng := rand.New(rand.NewPCG(6, 0))
	for range 20000 {
		x := svmkit.Dense(rng.NormFloat64(), rng.NormFloat64())
		big.X, big.Y = append(big.X, x), append(big.Y, math.Copysign(1, x.At(0)))
	}
	for name, build := range map[string]func() (*Figure, error){
		"hulls": func() (*Figure, error) { return Hulls(big, nil, nil) },
	} {
		f, err := build()
		if err != nil {
			t.Fatalf("%s: %v", name, err)
		}
		if !strings.Contains(f.Caption, "evenly spaced") || !strings.Contains(f.Caption, "Of 20,00") {
			t.Errorf("%s: the caption hides that marks were left out: %s", name, f.Caption)
		}
		svg, err := f.SVG()
		if err != nil || len(svg) > 900_000 {
			t.Errorf("%s: %d bytes of SVG, %v", name, len(svg), err)
		}
	}
}

func TestLessonFiguresSayThinning(t *testing.T) {
	big := &svmkit.Dataset{Dim: 2}
	rng := rand.New(rand.NewPCG(6, 0))
	for range 20000 {
		x := svmkit.Dense(rng.NormFloat64(), rng.NormFloat64())
		big.X, big.Y = append(big.X, x), append(big.Y, math.Copysign(1, x.At(0)))
	}
	long := make([]perceptron.Mistake, 20002)
	for k := range long {
		long[k] = perceptron.Mistake{NormW: math.Sqrt(float64(k + 1)), Align: float64(k+1) / 200}
	}
	n := Novikoff{Gamma: 1.0 / 200, NormReference: 1, Radius: 1}
	for name, build := range map[string]func() (*Figure, error){
		"margins": func() (*Figure, error) { return SignedMargins(big, plane(1, 0, 0)) },
		"squeeze": func() (*Figure, error) { return Squeeze(long, n) },
		"angle":   func() (*Figure, error) { return AngleToReference(long, n) },
	} {
		f, err := build()
		if err != nil {
			t.Fatalf("%s: %v", name, err)
		}
		if !strings.Contains(f.Caption, "evenly spaced") || !strings.Contains(f.Caption, "Of 20,00") {
			t.Errorf("%s: the caption hides that marks were left out: %s", name, f.Caption)
		}
		svg, err := f.SVG()
		if err != nil || len(svg) > 900_000 {
			t.Errorf("%s: %d bytes of SVG, %v", name, len(svg), err)
		}
	}
}

func TestAnimation(t *testing.T) {
	animation := &Animation{Caption: "A plane turns.", Alt: "A plane that turns in twenty steps.", Delay: 700 * time.Millisecond}
	for k := range 20 {
		sin, cos := math.Sincos(float64(k) / 5)
		f, err := Separators(square40(), []NamedPlane{{"plane", plane(cos, sin, 0)}})
		if err != nil {
			t.Fatal(err)
		}
		animation.Frames = append(animation.Frames, f)
	}
	b, err := animation.GIF()
	if err != nil {
		t.Fatal(err)
	}
	if again, _ := animation.GIF(); !bytes.Equal(b, again) {
		t.Error("two GIFs differ")
	}
	if len(b) > 600_000 {
		t.Errorf("20 frames take %d bytes", len(b))
	}
	g, err := gif.DecodeAll(bytes.NewReader(b))
	if err != nil {
		t.Fatal(err)
	}
	if len(g.Image) != 20 || g.LoopCount != 0 || g.Delay[19] <= 2*g.Delay[0] || g.Delay[0] != 70 {
		t.Errorf("%d frames, loop count %d, delays %v", len(g.Image), g.LoopCount, g.Delay)
	}
	// Played from the start, every frame must show what it was drawn as.
	screen := image.NewRGBA(image.Rect(0, 0, g.Config.Width, g.Config.Height))
	for i, part := range g.Image {
		draw.Draw(screen, part.Rect, part, part.Rect.Min, draw.Over)
		want, err := animation.Frames[i].image(gifDPI)
		if err != nil {
			t.Fatal(err)
		}
		if d := worst(screen, want.(*image.RGBA)); d > paletteError {
			t.Fatalf("frame %d: a pixel is off by %d of 255", i, d)
		}
	}
	for _, bad := range []*Animation{{Caption: "c", Alt: "a"}, {Caption: "c", Alt: "a", Frames: animation.Frames, Delay: -time.Second},
		{Caption: "c", Alt: "a", Frames: []*Figure{animation.Frames[0], {Plot: animation.Frames[0].Plot, Caption: "c", Alt: "a"}}}} {
		if _, err := bad.GIF(); !isParam(err) {
			t.Errorf("an impossible animation: %v", err)
		}
	}
}

// paletteError is how far a rare mixture at the edge of a line may be from the nearest of
// 256 colours, in any channel.
const paletteError = 40

func worst(a, b *image.RGBA) int {
	most := 0
	for k := range a.Pix {
		most = max(most, int(math.Abs(float64(a.Pix[k])-float64(b.Pix[k]))))
	}
	return most
}

// The classes and series must differ in more than colour.
func TestStylesDifferWithoutColour(t *testing.T) {
	kind := func(m mark) [2]any { return [2]any{m.shape, m.fill == color.Color(color.White)} }
	if kind(positive) == kind(negative) {
		t.Error("the classes have one marker")
	}
	for name, all := range map[string][]seriesStyle{"series": styles, "plane": planeStyles} {
		seen := map[[2]any]bool{}
		for i, l := range all {
			k := kind(l.mark)
			if seen[k] {
				t.Errorf("%s %d repeats a marker", name, i)
			}
			seen[k] = true
		}
	}
	for i, l := range planeStyles {
		if c := l.line.Color; c == positive.edge || c == negative.edge {
			t.Errorf("plane %d has the colour of a class", i)
		}
	}
}
