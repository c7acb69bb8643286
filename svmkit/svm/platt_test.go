package svm_test

import (
	"errors"
	"fmt"
	"math"
	"math/rand/v2"
	"testing"

	"github.com/svmkit/course/svmkit"
	"github.com/svmkit/course/svmkit/svm"
)

// plattLoss is the negative log-likelihood, term by term as the paper defines it.
func plattLoss(p svm.Platt, scores, labels []float64) float64 {
	positive, negative, sum := 0.0, 0.0, 0.0
	for _, y := range labels {
		if y > 0 {
			positive++
		} else {
			negative++
		}
	}
	for i, f := range scores {
		t := 1 / (negative + 2)
		if labels[i] > 0 {
			t = (positive + 1) / (positive + 2)
		}
		q := 1 / (1 + math.Exp(p.A*f+p.B))
		sum -= t*math.Log(q) + (1-t)*math.Log(1-q)
	}
	return sum
}

// noisyScores draws labels from a known sigmoid.
func noisyScores(n int, truth svm.Platt, seed uint64) (scores, labels []float64) {
	rng := rand.New(rand.NewPCG(seed, 0))
	for range n {
		f, y := 2*rng.NormFloat64(), -1.0
		if rng.Float64() < truth.Probability(f) {
			y = 1
		}
		scores, labels = append(scores, f), append(labels, y)
	}
	return scores, labels
}

// At the minimum of a smooth convex function the slope is zero in every direction.
func TestPlattIsTheMinimum(t *testing.T) {
	// A central difference over ±h errs by h² times a third derivative, here of the order
	// of n, and by the rounding of the sum, n·1e-16, over h.
	const h, zero = 1e-5, 1e-7
	for seed := range uint64(20) {
		scores, labels := noisyScores(200, svm.Platt{A: -1.5, B: 0.4}, seed)
		p, err := svm.FitPlatt(scores, labels)
		if err != nil {
			t.Fatal(err)
		}
		n := float64(len(scores))
		da := (plattLoss(svm.Platt{A: p.A + h, B: p.B}, scores, labels) - plattLoss(svm.Platt{A: p.A - h, B: p.B}, scores, labels)) / (2 * h)
		db := (plattLoss(svm.Platt{A: p.A, B: p.B + h}, scores, labels) - plattLoss(svm.Platt{A: p.A, B: p.B - h}, scores, labels)) / (2 * h)
		if math.Abs(da) > zero*n || math.Abs(db) > zero*n {
			t.Errorf("seed %d: slopes %g, %g at %+v", seed, da, db, p)
		}
	}
}

// Scores of very different sizes need shorter steps than Newton's: there, too, the slope at the result is zero.
func TestPlattOfHeavyTails(t *testing.T) {
	const zero = 1e-7 // a row, at scores of size 1
	for seed := range uint64(200) {
		rng := rand.New(rand.NewPCG(seed, 0))
		scores, labels := []float64{-1, 1}, []float64{-1, 1}
		positive, negative, most := 1.0, 1.0, 1.0
		for range 3 + rng.IntN(50) {
			y := float64(2*rng.IntN(2) - 1)
			f := (y + rng.NormFloat64()) * math.Pow(10, 8*math.Pow(rng.Float64(), 4))
			scores, labels, most = append(scores, f), append(labels, y), max(most, math.Abs(f))
			if y > 0 {
				positive++
			} else {
				negative++
			}
		}
		p, err := svm.FitPlatt(scores, labels)
		if err != nil {
			t.Fatal(err)
		}
		da, db := 0.0, 0.0
		for i, f := range scores {
			target := 1 / (negative + 2)
			if labels[i] > 0 {
				target = (positive + 1) / (positive + 2)
			}
			slope := target - p.Probability(f)
			da, db = da+f/most*slope, db+slope
		}
		if n := float64(len(scores)); !(math.Abs(da) <= zero*n && math.Abs(db) <= zero*n) {
			t.Errorf("seed %d: slopes %g, %g at %+v", seed, da, db, p)
		}
	}
}

func TestPlattFindsTheTruth(t *testing.T) {
	truth := svm.Platt{A: -1.5, B: 0.4}
	scores, labels := noisyScores(100_000, truth, 1)
	p, err := svm.FitPlatt(scores, labels)
	// The standard errors of A and B are about 2/√n = 0.006.
	if err != nil || math.Abs(p.A-truth.A) > 0.05 || math.Abs(p.B-truth.B) > 0.05 {
		t.Errorf("%+v, %v, want about %+v", p, err, truth)
	}
}

func TestPlattOfSeparableScores(t *testing.T) {
	scores, labels := []float64{-3, -2, -1, 1, 2, 3, 4}, []float64{-1, -1, -1, 1, 1, 1, 1}
	p, err := svm.FitPlatt(scores, labels)
	if err != nil {
		t.Fatal(err)
	}
	if !(p.A < 0) || p.A < -100 || math.Abs(p.B) > 100 {
		t.Errorf("diverged: %+v", p)
	}
	for k := range 100 { // strictly monotone while the sigmoid is not saturated
		f := -5 + float64(k)/10
		if a, b := p.Probability(f), p.Probability(f+0.1); !(a < b) || a <= 0 || b >= 1 {
			t.Errorf("P(%g) = %g, P(%g) = %g", f, a, f+0.1, b)
		}
	}
}

// Scores in another unit give the same probabilities.
func TestPlattDoesNotDependOnTheUnit(t *testing.T) {
	const rounding = 1e-9
	scores, labels := noisyScores(300, svm.Platt{A: -1, B: -0.3}, 3)
	for i := range scores {
		scores[i] -= 10 // all are negative: the largest |score| is none of the largest scores
	}
	want, err := svm.FitPlatt(scores, labels)
	if err != nil {
		t.Fatal(err)
	}
	for _, unit := range []float64{1e-12, 1e-3, 1e9, 1e200} {
		scaled := make([]float64, len(scores))
		for i, f := range scores {
			scaled[i] = f * unit
		}
		got, err := svm.FitPlatt(scaled, labels)
		if err != nil || math.Abs(got.A*unit-want.A) > rounding || math.Abs(got.B-want.B) > rounding {
			t.Errorf("unit %g: A·unit = %g, B = %g, %v, want %+v", unit, got.A*unit, got.B, err, want)
		}
	}
}

// With equal scores only the constant can be fitted: the mean of the targets.
func TestPlattOfEqualScores(t *testing.T) {
	for _, f := range []float64{0, 2, 1e-320} {
		p, err := svm.FitPlatt([]float64{f, f, f}, []float64{1, 1, -1})
		want := (3.0/4 + 3.0/4 + 1.0/3) / 3
		if got := p.Probability(f); err != nil || !(math.Abs(got-want) < 1e-9) {
			t.Errorf("P(%g) = %g, %v, want %g", f, got, err, want)
		}
	}
}

func TestPlattSaturates(t *testing.T) {
	p := svm.Platt{A: -1}
	for f, want := range map[float64]float64{-1e300: 0, 0: 0.5, 1e300: 1} {
		if got := p.Probability(f); got != want {
			t.Errorf("P(%g) = %g, want %g", f, got, want)
		}
	}
	if got, want := p.Probability(-500), math.Exp(-500); !(math.Abs(got-want) <= 1e-12*want) {
		t.Errorf("P(−500) = %g, want e⁻⁵⁰⁰ = %g", got, want)
	}
	if got, want := p.Probabilities(500), math.Exp(-500); !(math.Abs(got[0]-want) <= 1e-12*want) || got[1] != 1 {
		t.Errorf("at 500 the probabilities are %g, want e⁻⁵⁰⁰ = %g and 1", got, want)
	}
}

func TestPlattRefuses(t *testing.T) {
	for name, c := range map[string]struct {
		scores, labels []float64
		want           error
	}{
		"nothing":   {nil, nil, svmkit.ErrEmpty},
		"lengths":   {[]float64{1}, []float64{1, -1}, svmkit.ErrMismatch},
		"NaN":       {[]float64{1, math.NaN()}, []float64{1, -1}, svmkit.ErrNotFinite},
		"label":     {[]float64{1, 2}, []float64{1, 0}, svmkit.ErrLabel},
		"one class": {[]float64{1, 2}, []float64{1, 1}, svmkit.ErrOneClass},
	} {
		var data *svmkit.DataError
		if _, err := svm.FitPlatt(c.scores, c.labels); !errors.As(err, &data) || !errors.Is(err, c.want) {
			t.Errorf("%s: error %v, want %v", name, err, c.want)
		}
	}
}

func TestProbabilityOfAModel(t *testing.T) {
	m := svm.Model{Weights: []float64{2}, Dim: 1, Bias: 1}
	if got := m.Probability(svmkit.Dense(1)); !math.IsNaN(got) {
		t.Errorf("%g without Platt, want NaN", got)
	}
	m.Platt = &svm.Platt{A: -1, B: 3} // the score is 3, so A·f + B = 0
	if got := m.Probability(svmkit.Dense(1)); got != 0.5 {
		t.Errorf("%g, want ½", got)
	}
}

func ExampleFitPlatt() {
	scores := []float64{-2, -1, -0.5, 0.2, 0.5, 1, 2, 3}
	labels := []float64{-1, -1, -1, 1, -1, 1, 1, 1}
	p, err := svm.FitPlatt(scores, labels)
	if err != nil {
		fmt.Println(err)
		return
	}
	fmt.Printf("P(+1 | 0) = %.2f, P(+1 | 2) = %.2f\n", p.Probability(0), p.Probability(2))
	// Output: P(+1 | 0) = 0.42, P(+1 | 2) = 0.80
}
