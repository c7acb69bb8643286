package samples

import (
	"math"
	"math/rand/v2"

	"github.com/svmkit/course/svmkit"
	"github.com/svmkit/course/svmkit/internal/limit"
)

// Overlapping describes two normal distributions with unit covariance in ℝᵈ, one per class:
//
//	x | y  ~  N(y·(Δ/2)·e₁, I).
//
// The best rule is the sign of the first column; it errs with probability Φ(−Δ/2), where Φ
// is the standard normal distribution function: 0.16 at Δ = 2, 0.023 at Δ = 4.
type Overlapping struct {
	N          int     // number of rows, at least 2; the classes differ by at most one row
	Dim        int     // number of columns, at least 1. 0 means 2
	Separation float64 // Δ ≥ 0: distance of the two means in standard deviations
}

// Generate draws the set.
func (g Overlapping) Generate(seed uint64) (*svmkit.Dataset, error) {
	if g.Dim == 0 {
		g.Dim = 2
	}
	if g.Dim < 1 {
		return nil, &svmkit.ParamError{Name: "Dim", Value: g.Dim, Need: "must be at least 1"}
	}
	if err := checkSpread("Separation", g.Separation); err != nil {
		return nil, err
	}
	return draw(g.N, g.Dim, seed, func(rng *rand.Rand, y float64, x []float64) {
		for j := range x {
			x[j] = rng.NormFloat64()
		}
		x[0] += y * g.Separation / 2
	})
}

// XOR returns the four corners of a square with the label y = x₁x₂:
// (1,1) and (−1,−1) are +1, (−1,1) and (1,−1) are −1.
//
// No plane separates them: the midpoints of the two classes coincide. The product x₁x₂,
// a column of feature.Polynomial, does.
func XOR() *svmkit.Dataset {
	return plane2([]float64{1, 1, -1, 1, -1, -1, 1, -1}, []float64{1, -1, 1, -1})
}

// NoisyXOR describes N rows around the four points of [XOR].
// The numbers of rows at two points differ by at most one.
type NoisyXOR struct {
	N     int     // number of rows, at least 2
	Noise float64 // standard deviation of the normal noise on both columns; 0 for none
}

// Generate draws the set.
func (g NoisyXOR) Generate(seed uint64) (*svmkit.Dataset, error) {
	if err := checkSpread("Noise", g.Noise); err != nil {
		return nil, err
	}
	corners, next := XOR(), 0
	return draw(g.N, 2, seed, func(rng *rand.Rand, y float64, x []float64) {
		copy(x, corners.X[next%4].Value) // draw alternates the labels as XOR does
		next++
		addNoise(rng, x, g.Noise)
	})
}

// Moons describes two interleaved half circles of radius 1: with t uniform on [0, π],
//
//	+1:  (cos t, sin t),    −1:  (1 − cos t, ½ − sin t).
//
// Their convex hulls meet, so no plane separates them.
type Moons struct {
	N     int     // number of rows, at least 2
	Noise float64 // standard deviation of the normal noise on both columns; 0 for none
}

// Generate draws the set.
func (g Moons) Generate(seed uint64) (*svmkit.Dataset, error) {
	if err := checkSpread("Noise", g.Noise); err != nil {
		return nil, err
	}
	return draw(g.N, 2, seed, func(rng *rand.Rand, y float64, x []float64) {
		sin, cos := math.Sincos(rng.Float64() * math.Pi)
		if x[0], x[1] = cos, sin; y < 0 {
			x[0], x[1] = 1-cos, 0.5-sin
		}
		addNoise(rng, x, g.Noise)
	})
}

// Circles describes two circles about the origin: +1 at radius Inner, −1 at radius 1.
// No plane separates them; without noise ‖x‖², a sum of columns of feature.Polynomial, does.
type Circles struct {
	N     int     // number of rows, at least 2
	Inner float64 // radius of the inner circle, 0 < Inner < 1. 0 means ½
	Noise float64 // standard deviation of the normal noise on both columns; 0 for none
}

// Generate draws the set.
func (g Circles) Generate(seed uint64) (*svmkit.Dataset, error) {
	if g.Inner == 0 {
		g.Inner = 0.5
	}
	if !(g.Inner > 0 && g.Inner < 1) {
		return nil, &svmkit.ParamError{Name: "Inner", Value: g.Inner, Need: "must lie between 0 and 1"}
	}
	if err := checkSpread("Noise", g.Noise); err != nil {
		return nil, err
	}
	return draw(g.N, 2, seed, func(rng *rand.Rand, y float64, x []float64) {
		r := g.Inner
		if y < 0 {
			r = 1
		}
		sin, cos := math.Sincos(rng.Float64() * 2 * math.Pi)
		x[0], x[1] = r*cos, r*sin
		addNoise(rng, x, g.Noise)
	})
}

// draw makes n rows with alternating labels, fills each by fill and shuffles them.
func draw(
	n, dim int, seed uint64, fill func(rng *rand.Rand, y float64, x []float64),
) (*svmkit.Dataset, error) {
	if n < 2 {
		return nil, &svmkit.ParamError{Name: "N", Value: n, Need: "must be at least 2"}
	}
	if err := limit.Size(n, dim); err != nil {
		return nil, err
	}
	rng := newRand(seed)
	flat := make([]float64, n*dim)
	set := &svmkit.Dataset{X: svmkit.DenseRows(flat, dim), Y: alternating(n), Dim: dim}
	for i := range set.X {
		fill(rng, set.Y[i], flat[i*dim:(i+1)*dim])
	}
	shuffle(rng, set)
	return set, nil
}

func addNoise(rng *rand.Rand, x []float64, sigma float64) {
	for j := range x {
		x[j] += sigma * rng.NormFloat64()
	}
}

func checkSpread(name string, v float64) error {
	// The limit keeps a normal deviate times v finite.
	if !(v >= 0 && v <= 1e300) {
		return &svmkit.ParamError{Name: name, Value: v, Need: "must be finite and not negative"}
	}
	return nil
}

// plane2 returns points of the plane as a dataset; flat is x₁, x₂, x₁, x₂, …
func plane2(flat, y []float64) *svmkit.Dataset {
	return &svmkit.Dataset{X: svmkit.DenseRows(flat, 2), Y: y, Dim: 2}
}
