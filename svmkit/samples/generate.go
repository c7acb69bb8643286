package samples

import (
	"fmt"
	"math"
	"math/rand/v2"
	"slices"

	"github.com/svmkit/course/svmkit"
	"github.com/svmkit/course/svmkit/internal/limit"
)

// Separable describes a linearly separable set whose maximum margin and radius are given.
//
// With a unit normal w* drawn uniformly from the sphere and b = Bias, every row obeys
//
//	yᵢ(⟨w*,xᵢ⟩ + b) ≥ γ   and   ‖xᵢ‖ ≤ R,
//
// with equality, up to roundoff, for the pair
//
//	x₊ = (+γ − b)·w* + u,   x₋ = (−γ − b)·w* + u,   u ⊥ w*,   ‖u‖² = R² − (γ + |b|)².
//
// This margin is the maximum: x₊ and x₋ are 2γ apart, so only their perpendicular bisector (w*, b)
// is as far as γ from both. If b = 0, it is the maximum among the planes through the origin, too.
//
// The other rows have their coordinate along w* uniform on the allowed interval of their class, and
// across it they are uniform in the ball that R leaves. Classes differ by at most one row in size.
type Separable struct {
	N      int     // number of rows, at least 2
	Dim    int     // number of columns, at least 2
	Margin float64 // γ > 0: half-margin, the distance of the plane from the nearest rows
	Radius float64 // R ≥ γ + |b|: the largest norm of a row; default 1
	Bias   float64 // b: the plane lies at the distance |b| from the origin
}

// Generate returns the set and its maximum-margin plane (w*, b) with ‖w*‖ = 1.
func (g Separable) Generate(seed uint64) (*svmkit.Dataset, svmkit.Hyperplane, error) {
	if g.Radius == 0 {
		g.Radius = 1
	}
	if err := g.validate(); err != nil {
		return nil, svmkit.Hyperplane{}, err
	}
	rng := newRand(seed)
	plane := svmkit.Hyperplane{W: unitVector(rng, g.Dim), B: g.Bias}
	u := acrossVector(rng, plane.W)
	reach := g.Margin + math.Abs(g.Bias)
	across := math.Sqrt(max(0, (g.Radius-reach)*(g.Radius+reach)))
	set := fill(rng, g.N, g.Dim, func(i int, y float64, x []float64) {
		along, radius := y*g.Margin-g.Bias, across
		if i >= 2 {
			// from the margin, γ, out to the ball: y·R is the last point along w*
			along += y * rng.Float64() * (g.Radius - y*along)
			u = acrossVector(rng, plane.W)
			ball := math.Sqrt(max(0, (g.Radius-along)*(g.Radius+along)))
			radius = ball * math.Pow(rng.Float64(), 1/float64(g.Dim-1))
		}
		for j := range x {
			x[j] = along*plane.W[j] + radius*u[j]
		}
	})
	return set, plane, nil
}

func (g Separable) validate() error {
	switch {
	case g.Dim < 2:
		return &svmkit.ParamError{Name: "Dim", Value: g.Dim, Need: "must be at least 2"}
	case !(g.Margin > 0) || math.IsInf(g.Margin, 0):
		return &svmkit.ParamError{Name: "Margin", Value: g.Margin, Need: "must be positive and finite"}
	case math.IsNaN(g.Bias) || math.IsInf(g.Bias, 0):
		return &svmkit.ParamError{Name: "Bias", Value: g.Bias, Need: "must be finite"}
	// Equality up to roundoff passes: 0.1 + 0.2 > 0.3 in floating point.
	case !(g.Radius*(1+1e-12) >= g.Margin+math.Abs(g.Bias)) || math.IsInf(g.Radius, 0):
		return &svmkit.ParamError{Name: "Radius", Value: g.Radius, Need: fmt.Sprintf(
			"must be finite and at least Margin + |Bias| = %g", g.Margin+math.Abs(g.Bias))}
	}
	return validateSize(g.N, g.Dim)
}

func newRand(seed uint64) *rand.Rand { return rand.New(rand.NewPCG(seed, 0)) }

// unitVector draws from the uniform distribution on the unit sphere of ℝᵈ.
func unitVector(rng *rand.Rand, d int) []float64 {
	for {
		v := make([]float64, d)
		for j := range v {
			v[j] = rng.NormFloat64()
		}
		if normalize(v) {
			return v
		}
	}
}

// acrossVector draws a unit vector orthogonal to the unit vector w, uniformly.
func acrossVector(rng *rand.Rand, w []float64) []float64 {
	for {
		v := unitVector(rng, len(w))
		svmkit.Dense(w...).AddTo(v, -svmkit.Dense(w...).Dot(v))
		if !normalize(v) {
			continue // v was nearly parallel to w: the difference is roundoff
		}
		// Normalizing has magnified the roundoff along w; a second pass removes it.
		svmkit.Dense(w...).AddTo(v, -svmkit.Dense(w...).Dot(v))
		return v
	}
}

// normalize scales v to length 1 and reports false if v is too short for that.
func normalize(v []float64) bool {
	norm := svmkit.Dense(v...).Norm()
	if norm < 1e-8 {
		return false
	}
	for j := range v {
		v[j] /= norm
	}
	return true
}

// alternating returns n labels +1, −1, +1, …
func alternating(n int) []float64 {
	y := make([]float64, n)
	for i := range y {
		y[i] = 1 - 2*float64(i%2)
	}
	return y
}

// fill makes n rows with alternating labels, sets each by one, and shuffles them.
func fill(rng *rand.Rand, n, dim int, one func(i int, y float64, x []float64)) *svmkit.Dataset {
	flat := make([]float64, n*dim)
	set := &svmkit.Dataset{X: svmkit.DenseRows(flat, dim), Y: alternating(n), Dim: dim}
	for i, x := range set.X {
		one(i, set.Y[i], x.Value)
	}
	rng.Shuffle(n, func(i, k int) {
		set.X[i], set.X[k] = set.X[k], set.X[i]
		set.Y[i], set.Y[k] = set.Y[k], set.Y[i]
	})
	return set
}

func validateSize(n, dim int) error {
	if n < 2 {
		return &svmkit.ParamError{Name: "N", Value: n, Need: "must be at least 2"}
	}
	return limit.Size(n, dim)
}

// Overlapping describes two normal distributions with unit covariance in ℝᵈ, one per class:
//
//	x | y  ~  N(y·(Δ/2)·e₁, I).
//
// The best rule is the sign of the first column; it errs with probability Φ(−Δ/2), where Φ
// is the standard normal distribution function: 0.16 at Δ = 2, 0.023 at Δ = 4.
type Overlapping struct {
	N          int     // number of rows, at least 2; the classes differ by at most one row
	Dim        int     // number of columns, at least 1; default 2
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
	return draw(g.N, g.Dim, seed, 1, func(_ *rand.Rand, _ int, y float64, x []float64) {
		x[0] = y * g.Separation / 2
	})
}

// XOR returns the four corners of a square with the label y = x₁x₂.
//
// The corners (1,1) and (−1,−1) are +1, and (−1,1) and (1,−1) are −1. No plane separates them,
// because the midpoints of the two classes coincide. The product x₁x₂, a column of
// feature.Polynomial, separates them.
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
	corners := XOR()
	return draw(g.N, 2, seed, g.Noise, func(_ *rand.Rand, i int, _ float64, x []float64) {
		copy(x, corners.X[i%4].Value) // the labels alternate as in XOR
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
	return draw(g.N, 2, seed, g.Noise, func(rng *rand.Rand, _ int, y float64, x []float64) {
		sin, cos := math.Sincos(rng.Float64() * math.Pi)
		if x[0], x[1] = cos, sin; y < 0 {
			x[0], x[1] = 1-cos, 0.5-sin
		}
	})
}

// Circles describes two circles about the origin: +1 at radius Inner, −1 at radius 1.
//
// No plane separates them. Without noise ‖x‖², a sum of columns of feature.Polynomial, separates
// them.
type Circles struct {
	N     int     // number of rows, at least 2
	Inner float64 // radius of the inner circle, 0 < Inner < 1; default ½
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
	return draw(g.N, 2, seed, g.Noise, func(rng *rand.Rand, _ int, y float64, x []float64) {
		r := g.Inner
		if y < 0 {
			r = 1
		}
		sin, cos := math.Sincos(rng.Float64() * 2 * math.Pi)
		x[0], x[1] = r*cos, r*sin
	})
}

// draw fills n rows by one and adds normal noise to all their columns.
func draw(n, dim int, seed uint64, noise float64, one func(rng *rand.Rand, i int, y float64, x []float64)) (*svmkit.Dataset, error) {
	if err := checkSpread("Noise", noise); err != nil {
		return nil, err
	}
	if err := validateSize(n, dim); err != nil {
		return nil, err
	}
	rng := newRand(seed)
	return fill(rng, n, dim, func(i int, y float64, x []float64) {
		one(rng, i, y, x)
		for j := range x {
			x[j] += noise * rng.NormFloat64()
		}
	}), nil
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

// Basis returns the n basis vectors e₁, …, eₙ of ℝⁿ and their maximum-margin plane.
//
// The labels are +1, −1, +1, …, and the plane through the origin is w* = (1/√n)·Σ yᵢeᵢ. n lies in
// 1 … 4096, because the rows are dense.
//
// Novikoff's bound is tight: R = 1, γ = 1/√n, the rows are orthogonal, so an update for one row
// changes the score of no other, and a perceptron from w = 0 makes exactly n = R²/γ² mistakes.
func Basis(n int) (*svmkit.Dataset, svmkit.Hyperplane, error) {
	if n < 1 || n > 4096 {
		err := &svmkit.ParamError{Name: "n", Value: n, Need: "must lie in 1 … 4096"}
		return nil, svmkit.Hyperplane{}, err
	}
	flat, y, w := make([]float64, n*n), alternating(n), make([]float64, n)
	for i := range n {
		flat[i*n+i] = 1
		w[i] = y[i] / math.Sqrt(float64(n))
	}
	return &svmkit.Dataset{X: svmkit.DenseRows(flat, n), Y: y, Dim: n}, svmkit.Hyperplane{W: w}, nil
}

// ThreePoints returns a worked example for the perceptron: (1,1) is +1, (−5,−1) and (−1,5) are −1.
//
// R² = 26, and the best plane through the origin is w* = (1,0) with γ = 1, because the hull of the
// yᵢxᵢ = (1,1), (5,1), (1,−5) comes nearest to the origin at (1,0).
func ThreePoints() *svmkit.Dataset {
	return plane2([]float64{1, 1, -5, -1, -1, 5}, []float64{1, -1, -1})
}

// Shifted returns two points of the line about c: c − 1 is −1 and c + 1 is +1.
//
// The plane w = 1, b = −c separates them with γ = 1 wherever they are, but R = |c| + 1, and the
// larger |c| is, the more mistakes the perceptron with a bias makes. c is finite, and so small that
// c − 1, c and c + 1 are three numbers.
func Shifted(c float64) (*svmkit.Dataset, error) {
	if !(c-1 < c && c < c+1) || math.IsInf(c, 0) {
		return nil, &svmkit.ParamError{Name: "c", Value: c,
			Need: "must be finite, and c-1, c, c+1 distinct"}
	}
	two := svmkit.DenseRows([]float64{c - 1, c + 1}, 1)
	return &svmkit.Dataset{X: two, Y: []float64{-1, 1}, Dim: 1}, nil
}

// Triangle returns the corners of an equilateral triangle on the unit circle with the given labels
// ±1.
//
// R = 1, the first corner is (0,1), and the others follow counter-clockwise. All eight labellings
// are linearly separable. If both labels occur, one corner is alone against two, and the
// maximum-margin plane halves the height from it to the opposite side: γ = ¾R. See bound.MarginVC.
func Triangle(y1, y2, y3 float64) (*svmkit.Dataset, error) {
	y := []float64{y1, y2, y3}
	for i, v := range y {
		if v != -1 && v != 1 {
			return nil, &svmkit.DataError{Row: i, Col: svmkit.NoPlace, Value: v, Err: svmkit.ErrLabel}
		}
	}
	h := math.Sqrt(3) / 2
	return plane2([]float64{0, 1, -h, -0.5, h, -0.5}, y), nil
}

// Flip returns a copy of set in which round(rate·n) rows have a wrong label.
//
// The rows are drawn without replacement, and their values are shared. A label ±1 changes its sign.
// With more than two Classes the new class is drawn uniformly from the others. rate lies in 0 … 1,
// and the labels must be classes.
func Flip(set *svmkit.Dataset, rate float64, seed uint64) (*svmkit.Dataset, error) {
	if !(rate >= 0 && rate <= 1) {
		return nil, &svmkit.ParamError{Name: "rate", Value: rate, Need: "must lie between 0 and 1"}
	}
	if err := set.Validate(); err != nil {
		return nil, err
	}
	k, unknown := max(2, len(set.Classes)), error(svmkit.ErrLabel)
	if k > 2 {
		unknown = svmkit.ErrNoClass
	}
	class := make([]int, set.Len())
	for i, y := range set.Y {
		var ok bool
		if class[i], ok = svmkit.ClassOf(y, k); !ok {
			return nil, &svmkit.DataError{Row: i, Col: svmkit.NoPlace, Value: y, Err: unknown}
		}
	}
	noisy := *set
	noisy.Y = slices.Clone(set.Y)
	rng := newRand(seed)
	for _, i := range rng.Perm(set.Len())[:int(math.Round(rate*float64(set.Len())))] {
		// one of the other K−1 classes: a step of 1 … K−1 around the circle of K
		noisy.Y[i] = svmkit.LabelOf((class[i]+1+rng.IntN(k-1))%k, k)
	}
	return &noisy, nil
}
