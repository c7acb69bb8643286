package figures

import (
	"math"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"github.com/svmkit/course/plots"
)

func tilted() BoxQuadratic {
	return BoxQuadratic{Q: [2][2]float64{{1, 0.8}, {0.8, 1}}, P: [2]float64{1, 1},
		Upper: [2]float64{0.9, 0.9}, Equality: [2]float64{1, -1}}
}

// climb is coordinate ascent, in turn.
func climb(q BoxQuadratic, steps int) [][2]float64 {
	walk := [][2]float64{{}}
	for k := range steps {
		a, i := walk[k], k%2
		a[i] = min(q.Upper[i], max(0, (q.P[i]-q.Q[0][1]*a[1-i])/q.Q[i][i]))
		walk = append(walk, a)
	}
	return walk
}

// weights are 40 numbers in [0, 2]; with each round more of them reach an end.
func weights(round int) []float64 {
	alpha := make([]float64, 40)
	for i := range alpha {
		alpha[i] = min(2, max(0, 1+float64(round)*(float64(i)-19.5)/20))
	}
	return alpha
}

// No point of the box is better than Maximiser, and the level sets have their value.
func TestBoxQuadratic(t *testing.T) {
	r := rand.New(rand.NewPCG(1, 0))
	const rounding = 1e-9 // of values that may reach a few hundred
	for range 300 {
		a, b, c := r.NormFloat64(), r.NormFloat64(), r.NormFloat64()
		q := BoxQuadratic{Q: [2][2]float64{{a*a + 0.1, a * b}, {a * b, b*b + c*c + 0.1}},
			P:     [2]float64{r.NormFloat64(), r.NormFloat64()},
			Upper: [2]float64{r.Float64() + 0.1, r.Float64() + 0.1}}
		best := q.Value(q.Maximiser())
		for range 100 {
			if x := [2]float64{r.Float64() * q.Upper[0],
				r.Float64() * q.Upper[1]}; q.Value(x) > best+rounding {
				t.Fatalf("%+v: %v has %g, the maximiser %v only %g", q, x, q.Value(x),
					q.Maximiser(), best)
			}
		}
		for _, at := range q.level(0.7) {
			if got := q.Value(q.centre()) - q.Value([2]float64{at.X,
				at.Y}); math.Abs(got-0.7) > rounding {
				t.Fatalf("%+v: %v is %g below the peak, want 0.7", q, at, got)
			}
		}
	}
}

// Optimum is in the interval, and no point of the interval is better.
func TestCoordinateStep(t *testing.T) {
	r := rand.New(rand.NewPCG(2, 0))
	for range 300 {
		s := CoordinateStep{r.Float64(), 3 * r.NormFloat64(), 0.1 + r.Float64(), 1}
		if best := s.Optimum(); best < 0 || best > s.Upper {
			t.Fatalf("%+v: %g is not allowed", s, best)
		}
		for k := range 101 {
			if a := float64(k) / 100; s.Gain(a) > s.Gain(s.Optimum())+1e-12 { // rounding
				t.Fatalf("%+v: %g is better than %g", s, a, s.Optimum())
			}
		}
	}
}

func TestStaircaseWords(t *testing.T) {
	for want, walk := range map[string][][2]float64{
		"not left its start":                          {{0, 0}},
		"each along one axis and each raising":        climb(tilted(), 8),
		"1 of them along one axis and each raising":   {{0, 0}, {0.4, 0.4}, {0.5, 0.4}},
		"each along one axis and 1 raising":           {{0, 0}, {0.4, 0}, {0.4, 0}, {0.3, 0}},
		"on the line":                                 {{0, 0}, {0.4, 0.4}},
		"off the line Σαy = 0, where the sum is −0.5": {{0, 0}, {0, 0.5}},
	} {
		f, err := Staircase(tilted(), walk)
		if err != nil || !strings.Contains(f.Caption, want) {
			t.Errorf("%v, %v; want %q", f, err, want)
		}
	}
}

func TestWeightsAreCounted(t *testing.T) {
	alpha := []float64{0, 0, 2e-10, 0.3, 1, 1.99, 2, 2 - 1e-10}
	if n := states(alpha, 2); n != [3]int{3, 3, 2} {
		t.Errorf("zero, free, bound: %v", n)
	}
	if got, want := weightBins(alpha, 2), []int{3, 1, 0, 1, 0, 1, 2}; !slices.Equal(got, want) {
		t.Errorf("bins %v, want %v", got, want)
	}
	// the axis is logarithmic from 30 times as many as free ones in a bar
	for _, zeros := range []int{10, 100} {
		f, err := WeightHistogram(append(make([]float64, zeros), 0.3, 1, 2), 2)
		if said := err == nil && strings.Contains(f.Caption,
			"vertical axis is logarithmic"); err != nil || said != (zeros == 100) {
			t.Errorf("%d at zero: %v, %v", zeros, f, err)
		}
	}
	// The first weight settles at once, the second at epoch 2, the third at the last one.
	history := [][]float64{{0, 0, 0}, {0, 1, 1}, {0, 2, 0}, {0, 2, 1}}
	if got := settledAfter(history, 2); !slices.Equal(got, []int{0, 2, 3}) {
		t.Errorf("settled after %v", got)
	}
}

func TestBadDualFiguresAreTypedErrors(t *testing.T) {
	nan := math.NaN()
	singular, open, skew, huge := tilted(), tilted(), tilted(), tilted()
	singular.Q = [2][2]float64{{1, 1}, {1, 1}}
	open.Upper[1] = 0
	skew.Q[0][1] = 0.1
	huge.P[0] = math.Inf(1)
	path := climb(tilted(), 2)
	for name, build := range map[string]func() (*plots.Figure, error){
		"staircase: singular": func() (*plots.Figure, error) { return Staircase(singular, path) },
		"staircase: no box":   func() (*plots.Figure, error) { return Staircase(open, path) },
		"staircase: skew":     func() (*plots.Figure, error) { return Staircase(skew, path) },
		"staircase: infinite": func() (*plots.Figure, error) { return Staircase(huge, path) },
		"staircase: no path":  func() (*plots.Figure, error) { return Staircase(tilted(), nil) },
		"staircase: NaN": func() (*plots.Figure,
			error) {
			return Staircase(tilted(), [][2]float64{{nan, 0}})
		},
		"parabolas: none": func() (*plots.Figure, error) { return Parabolas(nil) },
		"parabolas: four": func() (*plots.Figure,
			error) {
			return Parabolas(make([]CoordinateStep, 4))
		},
		"parabolas: flat": func() (*plots.Figure,
			error) {
			return Parabolas([]CoordinateStep{{0, 1, 0, 1}})
		},
		"parabolas: outside": func() (*plots.Figure,
			error) {
			return Parabolas([]CoordinateStep{{2, 1, 1, 1}})
		},
		"parabolas: no width": func() (*plots.Figure,
			error) {
			return Parabolas([]CoordinateStep{{0, 1, 1, 0}})
		},
		"parabolas: NaN": func() (*plots.Figure,
			error) {
			return Parabolas([]CoordinateStep{{0, nan, 1, 1}})
		},
		"weights: none": func() (*plots.Figure, error) { return WeightHistogram(nil, 1) },
		"weights: no bound": func() (*plots.Figure,
			error) {
			return WeightHistogram([]float64{0}, 0)
		},
		"weights: outside": func() (*plots.Figure,
			error) {
			return WeightHistogram([]float64{0, 1.5}, 1)
		},
		"weights: NaN": func() (*plots.Figure,
			error) {
			return WeightHistogram([]float64{nan}, 1)
		},
		"history: one moment": func() (*plots.Figure,
			error) {
			return WeightHistory([]int{0}, [][]float64{{0}}, 1)
		},
		"history: ragged": func() (*plots.Figure,
			error) {
			return WeightHistory([]int{0, 1}, [][]float64{{0}, {0, 0}}, 1)
		},
		"history: no passes": func() (*plots.Figure,
			error) {
			return WeightHistory(nil, [][]float64{{0}, {0}}, 1)
		},
		"history: falls": func() (*plots.Figure,
			error) {
			return WeightHistory([]int{1, 1}, [][]float64{{0}, {0}}, 1)
		},
		"history: outside": func() (*plots.Figure,
			error) {
			return WeightHistory([]int{0, 1}, [][]float64{{0}, {-1}}, 1)
		},
		"history: hard margin": func() (*plots.Figure,
			error) {
			return WeightHistory([]int{0, 1}, [][]float64{{0}, {1}}, math.Inf(1))
		},
	} {
		if f, err := build(); f != nil || !isParam(err) && !isData(err) {
			t.Errorf("%s: %v, %v; want a typed error", name, f, err)
		}
	}
}
