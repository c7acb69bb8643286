package figures

import (
	"math"
	"math/rand/v2"
	"strings"
	"testing"

	"github.com/svmkit/course/plots"
	"github.com/svmkit/course/svmkit"
	"github.com/svmkit/course/svmkit/kernel"
	"github.com/svmkit/course/svmkit/loss"
	"github.com/svmkit/course/svmkit/perceptron"
	"github.com/svmkit/course/svmkit/svm"
	"github.com/svmkit/course/svmkit/tune"
)

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
	for name, build := range map[string]func() (*plots.Figure, error){
		"margins: nil": func() (*plots.Figure, error) { return SignedMargins(nil, h) },
		"margins: empty": func() (*plots.Figure,
			error) {
			return SignedMargins(&svmkit.Dataset{Dim: 2}, h)
		},
		"margins: NaN":      func() (*plots.Figure, error) { return SignedMargins(with(nan), h) },
		"margins: infinite": func() (*plots.Figure, error) { return SignedMargins(with(inf), h) },
		"margins: huge": func() (*plots.Figure,
			error) {
			return SignedMargins(with(1e300), h)
		},
		"margins: label": func() (*plots.Figure, error) { return SignedMargins(labels, h) },
		"margins: 3-D": func() (*plots.Figure,
			error) {
			return SignedMargins(basisVectors(3), plane(1, 1, 1))
		},
		"margins: w = 0": func() (*plots.Figure,
			error) {
			return SignedMargins(good, plane(0, 0, 1))
		},
		"margins: w NaN": func() (*plots.Figure,
			error) {
			return SignedMargins(good, plane(nan, 1, 0))
		},
		"margins: b infinite": func() (*plots.Figure,
			error) {
			return SignedMargins(good, plane(1, 1, inf))
		},
		"margins: w short": func() (*plots.Figure,
			error) {
			return SignedMargins(good, svmkit.Hyperplane{W: []float64{1}})
		},
		"margins: b huge": func() (*plots.Figure,
			error) {
			return SignedMargins(good, plane(1, 1, 1e200))
		},
		"strip: none": func() (*plots.Figure, error) { return PlaneStrip(good, nil) },
		"strip: row": func() (*plots.Figure,
			error) {
			return PlaneStrip(good, []PlaneStep{{step.Before, h, 9}})
		},
		"strip: row < 0": func() (*plots.Figure,
			error) {
			return PlaneStrip(good, []PlaneStep{{step.Before, h, -1}})
		},
		"strip: no w": func() (*plots.Figure,
			error) {
			return PlaneStrip(good, []PlaneStep{{After: h}})
		},
		"strip: NaN": func() (*plots.Figure, error) {
			return PlaneStrip(good, []PlaneStep{{step.Before, plane(nan, 0, 0), 0}})
		},
		"squeeze: no mistakes": func() (*plots.Figure, error) { return Squeeze(nil, nov) },
		"squeeze: no reference": func() (*plots.Figure,
			error) {
			return Squeeze([]perceptron.Mistake{{NormW: 1, Align: nan}}, nov)
		},
		"squeeze: gamma = 0": func() (*plots.Figure,
			error) {
			return Squeeze(trace, Novikoff{0, 1, 1})
		},
		"squeeze within: bound": func() (*plots.Figure,
			error) {
			return SqueezeWithin(trace, nov, nov.Bound()/2)
		},
		"squeeze within: NaN": func() (*plots.Figure,
			error) {
			return SqueezeWithin(trace, nov, nan)
		},
		"step: none": func() (*plots.Figure, error) {
			return ProofStep(nil, []float64{1, 0}, nov, 1, ProofAlong)
		},
		"step: mistake 0": func() (*plots.Figure, error) {
			return ProofStep(twoPointRun(), []float64{1, 0}, twoPoints, 0, ProofAlong)
		},
		"step: no mistake": func() (*plots.Figure, error) {
			return ProofStep([]Update{{X: []float64{1, 0}, Y: 1, Before: []float64{1, 0}}},
				[]float64{1, 0}, nov, 1, ProofAlong)
		},
		"step: w* = 0": func() (*plots.Figure, error) {
			return ProofStep(twoPointRun(), []float64{0, 0}, nov, 1, ProofBoth)
		},
		"witness: wrong side": func() (*plots.Figure, error) { return Witness(nine(), plane(-1, 0, 0)) },
		"lengths: wrong side": func() (*plots.Figure, error) { return LengthsAndMargins(nine(), plane(-1, 0, 0)) },
		"lengths: no plane":   func() (*plots.Figure, error) { return LengthsAndMargins(nine(), plane(0, 0, 0)) },
		"street: no plane": func() (*plots.Figure,
			error) {
			return StreetAndRun(square40(), plane(0, 0, 0), plane(2, 1, 0), 1)
		},
		"street: wrong side": func() (*plots.Figure,
			error) {
			return StreetAndRun(square40(), plane(-2, -1, 0), plane(2, 1, 0), 1)
		},
		"squeeze: gamma < 0": func() (*plots.Figure,
			error) {
			return Squeeze(trace, Novikoff{-1, 1, 1})
		},
		"squeeze: R NaN": func() (*plots.Figure,
			error) {
			return Squeeze(trace, Novikoff{1, 1, nan})
		},
		"squeeze: R/γ overflows": func() (*plots.Figure,
			error) {
			return Squeeze(trace, Novikoff{1e-90, 1, 1e90})
		},
		"angle: w back to 0": func() (*plots.Figure, error) {
			return AngleToReference([]perceptron.Mistake{{NormW: 0, Align: 0}}, nov)
		},
		"angle: norm 0": func() (*plots.Figure,
			error) {
			return AngleToReference(trace, Novikoff{1, 0, 1})
		},
		"bound: none": func() (*plots.Figure, error) { return MistakesAgainstBound(nil) },
		"bound: no mistakes": func() (*plots.Figure,
			error) {
			return MistakesAgainstBound([]BoundRun{{0, 1, ""}})
		},
		"bound: infinite": func() (*plots.Figure,
			error) {
			return MistakesAgainstBound([]BoundRun{{1, inf, ""}})
		},
		"bound: too many groups": func() (*plots.Figure, error) {
			return MistakesAgainstBound([]BoundRun{{1, 1, "a"}, {1, 1, "b"}, {1, 1, "c"},
				{1, 1, "d"}, {1, 1, "e"}})
		},
		"tight: none": func() (*plots.Figure, error) { return TightCase(nil, trace, nov) },
		"tight: bound 0": func() (*plots.Figure,
			error) {
			return TightCase([]TightRun{{1, 1, 0}}, trace, nov)
		},
		"growth: bound": func() (*plots.Figure, error) {
			return Growth([]GrowthPanel{{"n", []plots.Series{{X: []float64{1}, Y: []float64{1}}}}},
				nan)
		},
		"growth: none": func() (*plots.Figure, error) { return Growth(nil, 1) },
		"growth: empty panel": func() (*plots.Figure,
			error) {
			return Growth([]GrowthPanel{{X: "n"}}, 1)
		},
	} {
		f, err := build()
		if f != nil || !isParam(err) && !isData(err) {
			t.Errorf("%s: figure %v, error %v", name, f != nil, err)
		}
	}
}

// Odd but legal input must be drawn.
func TestLessonFiguresDrawOddInput(t *testing.T) {
	one, _ := svmkit.NewDataset([][]float64{{3, 3}}, []float64{1})
	same, _ := svmkit.NewDataset([][]float64{{0, 0}, {0, 0}}, []float64{1, -1})
	apart, _ := svmkit.NewDataset([][]float64{{1e-9, 1e9}, {2e-9, -1e9}}, []float64{1, -1})
	sparse := &svmkit.Dataset{Dim: 2, Y: []float64{1, -1},
		Features: []string{"price in $", "a_b^c"},
		Classes:  []string{"$x", "<y>"}, X: []svmkit.Row{{Index: []int32{1}, Value: []float64{1}},
			{Index: []int32{}, Value: nil}}}
	far := plane(1, 0, -1e6)
	zero := PlaneStep{Before: plane(0, 0, 0), After: plane(0, 0, 0)}
	for name, build := range map[string]func() (*plots.Figure, error){
		"one point": func() (*plots.Figure,
			error) {
			return SignedMargins(one, plane(1, 0, -3))
		},
		"one place": func() (*plots.Figure,
			error) {
			return SignedMargins(same, plane(1, 1, 0))
		},
		"flat": func() (*plots.Figure,
			error) {
			return SignedMargins(apart, plane(0, 1, 0))
		},
		"sparse": func() (*plots.Figure,
			error) {
			return SignedMargins(sparse, plane(0, 1, -0.5))
		},
		"plane far away": func() (*plots.Figure, error) { return SignedMargins(nine(), far) },
		"w stays zero": func() (*plots.Figure,
			error) {
			return PlaneStrip(one, []PlaneStep{zero})
		},
		"one mistake": func() (*plots.Figure, error) {
			return Squeeze([]perceptron.Mistake{{NormW: 1, Align: 1}}, Novikoff{1, 1, 1})
		},
		"bound below one": func() (*plots.Figure, error) {
			return AngleToReference([]perceptron.Mistake{{NormW: 1, Align: 1}}, Novikoff{2, 1, 1})
		},
		"one run": func() (*plots.Figure, error) {
			return MistakesAgainstBound([]BoundRun{{1, 1,
				""}})
		},
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
	for name, build := range map[string]func() (*plots.Figure, error){
		"margins": func() (*plots.Figure, error) { return SignedMargins(big, plane(1, 0, 0)) },
		"squeeze": func() (*plots.Figure, error) { return Squeeze(long, n) },
		"angle":   func() (*plots.Figure, error) { return AngleToReference(long, n) },
	} {
		f, err := build()
		if err != nil {
			t.Fatalf("%s: %v", name, err)
		}
		if !strings.Contains(f.Caption, "evenly spaced") ||
			!strings.Contains(f.Caption, "Of 20,00") {
			t.Errorf("%s: the caption hides that marks were left out: %s", name, f.Caption)
		}
		svg, err := f.SVG()
		if err != nil || len(svg) > 900_000 {
			t.Errorf("%s: %d bytes of SVG, %v", name, len(svg), err)
		}
	}
}

func TestLessonsModelFiguresRefuseBadInput(t *testing.T) {
	good, h, nan := nine(), plane(1, 1, 0), math.NaN()
	problem := &svm.Problem{Data: good}
	beta := make([]float64, 9)
	for name, build := range map[string]func() (*plots.Figure, error){
		"kkt: nil":     func() (*plots.Figure, error) { return KKT(nil, h, beta) },
		"kkt: β short": func() (*plots.Figure, error) { return KKT(problem, h, beta[:3]) },
		"kkt: β outside": func() (*plots.Figure,
			error) {
			return KKT(problem, h, []float64{-0.5, 0, 0, 0, 0, 0, 0, 0, 0})
		},
		"kkt: β NaN": func() (*plots.Figure,
			error) {
			return KKT(problem, h, []float64{nan, 0, 0, 0, 0, 0, 0, 0, 0})
		},
		"kkt: no model": func() (*plots.Figure, error) { return KKT(problem, nil, beta) },
		"kkt: score NaN": func() (*plots.Figure,
			error) {
			return KKT(problem, plane(nan, 0, 0), beta)
		},
		"kkt: logistic": func() (*plots.Figure,
			error) {
			return KKT(&svm.Problem{Data: good, Loss: loss.Logistic{}}, h, beta)
		},
		"gram: nil": func() (*plots.Figure,
			error) {
			return GramMatrix(nil, kernel.Linear{})
		},
		"gram: no kernel": func() (*plots.Figure, error) { return GramMatrix(good, nil) },
		"gram: γ < 0": func() (*plots.Figure,
			error) {
			return GramMatrix(good, kernel.RBF{Gamma: -1})
		},
		"gram: kernel panics": func() (*plots.Figure, error) {
			return GramMatrix(good, kernel.Func(func(x, z svmkit.Row) float64 { panic("no") }))
		},
		"confusion: nil": func() (*plots.Figure, error) { return ConfusionMatrix(nil) },
		"confusion: no rows": func() (*plots.Figure, error) {
			return ConfusionMatrix(&tune.Confusion{Names: []string{"a", "b"},
				Count: [][]int{{0, 0}, {0, 0}}, None: []int{0, 0}})
		},
		"confusion: ragged": func() (*plots.Figure, error) {
			return ConfusionMatrix(&tune.Confusion{Names: []string{"a", "b"},
				Count: [][]int{{0, 1}, {0}}, None: []int{0, 0}})
		},
		"confusion: negative": func() (*plots.Figure, error) {
			return ConfusionMatrix(&tune.Confusion{Names: []string{"a", "b"},
				Count: [][]int{{2, -1}, {0, 1}}, None: []int{0, 0}})
		},
		"cv: nil": func() (*plots.Figure, error) { return CVCurve(nil, "accuracy") },
		"cv: two kernels": func() (*plots.Figure, error) {
			linear := tune.Point{Params: tune.Params{C: 1, Kernel: "linear"},
				CVResult: tune.CVResult{Scores: []float64{1}, Mean: 1}}
			rbf := linear
			rbf.Kernel = "rbf"
			return CVCurve(&tune.Selection{Points: []tune.Point{linear, rbf}}, "accuracy")
		},
		"cv: nothing finished": func() (*plots.Figure,
			error) {
			return CVCurve(&tune.Selection{}, "accuracy")
		},
	} {
		f, err := build()
		if f != nil || !isParam(err) && !isData(err) {
			t.Errorf("%s: figure %v, error %v", name, f != nil, err)
		}
	}
}

func TestLessonsModelFiguresSayWhatTheyLeaveOut(t *testing.T) {
	big := &svmkit.Dataset{Dim: 2}
	rng := rand.New(rand.NewPCG(6, 0))
	for range 3000 {
		x := svmkit.Dense(rng.NormFloat64(), rng.NormFloat64())
		big.X, big.Y = append(big.X, x), append(big.Y, math.Copysign(1, x.At(0)+rng.NormFloat64()))
	}
	h := plane(1, 0, 0)
	for want, build := range map[string]func() (*plots.Figure, error){
		"Of 3,000 rows, ordered by class, 240": func() (*plots.Figure,
			error) {
			return GramMatrix(big, kernel.Linear{})
		},
		"Of 3,000 rows, 1,": func() (*plots.Figure,
			error) {
			return KKT(&svm.Problem{Data: big}, h, make([]float64, 3000))
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
