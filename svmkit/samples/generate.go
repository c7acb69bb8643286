package samples

import (
	"fmt"
	"math"
	"math/rand/v2"

	"github.com/svmkit/course/svmkit"
	"github.com/svmkit/course/svmkit/internal/limit"
)

// Separable describes a linearly separable set whose maximum margin and radius are given.
//
// With a unit normal w* drawn uniformly from the sphere and b = Bias, every row obeys
//
//	yᵢ(⟨w*,xᵢ⟩ + b) ≥ γ   and   ‖xᵢ‖ ≤ R,
//
// and both are met with equality, because the set holds the pair
//
//	x₊ = (+γ − b)·w* + u,   x₋ = (−γ − b)·w* + u,   u ⊥ w*,   ‖u‖² = R² − (γ + |b|)².
//
// This margin is the maximum: x₊ and x₋ are 2γ apart, so no plane is farther than γ from both of
// them, and only their perpendicular bisector (w*, b) reaches γ. If b = 0 the same
// holds among the planes through the origin: ½(x₊ − x₋) = γw* lies in the convex hull of
// the yᵢxᵢ and no point of the hull is nearer to the origin.
//
// The other rows have their coordinate along w* uniform on the allowed interval of their
// class, and across it they are uniform in the ball that R leaves. Classes differ by at
// most one row in size; the order is shuffled. All equalities hold up to roundoff, a few
// units in the last place of R.
type Separable struct {
	N      int     // number of rows, at least 2
	Dim    int     // number of columns, at least 2
	Margin float64 // γ > 0: half-margin, the distance of the plane from the nearest rows
	Radius float64 // R ≥ γ + |b|: the largest norm of a row. 0 means 1
	Bias   float64 // b: the plane lies at the distance |b| from the origin
}

// Generate returns the set and the planted plane (w*, b) with ‖w*‖ = 1, which is the
// maximum-margin plane.
func (g Separable) Generate(seed uint64) (*svmkit.Dataset, svmkit.Hyperplane, error) {
	if g.Radius == 0 {
		g.Radius = 1
	}
	if err := g.validate(); err != nil {
		return nil, svmkit.Hyperplane{}, err
	}
	rng := newRand(seed)
	plane := svmkit.Hyperplane{W: unitVector(rng, g.Dim), B: g.Bias}
	flat := make([]float64, g.N*g.Dim)
	set := &svmkit.Dataset{X: svmkit.DenseRows(flat, g.Dim), Y: alternating(g.N), Dim: g.Dim}

	u := acrossVector(rng, plane.W)
	reach := g.Margin + math.Abs(g.Bias)
	across := math.Sqrt(max(0, (g.Radius-reach)*(g.Radius+reach)))
	for i := range set.X {
		y, along, radius := set.Y[i], set.Y[i]*g.Margin-g.Bias, across
		if i >= 2 {
			// from the margin, γ, out to the ball: y·R is the last point along w*
			along += y * rng.Float64() * (g.Radius - y*along)
			u = acrossVector(rng, plane.W)
			ball := math.Sqrt(max(0, (g.Radius-along)*(g.Radius+along)))
			radius = ball * math.Pow(rng.Float64(), 1/float64(g.Dim-1))
		}
		row := flat[i*g.Dim : (i+1)*g.Dim]
		for j := range row {
			row[j] = along*plane.W[j] + radius*u[j]
		}
	}
	shuffle(rng, set)
	return set, plane, nil
}

func (g Separable) validate() error {
	switch {
	case g.N < 2:
		return &svmkit.ParamError{Name: "N", Value: g.N, Need: "must be at least 2"}
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
	return limit.Size(g.N, g.Dim)
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

// shuffle puts the rows, with their labels, in random order.
func shuffle(rng *rand.Rand, set *svmkit.Dataset) {
	rng.Shuffle(len(set.X), func(i, k int) {
		set.X[i], set.X[k] = set.X[k], set.X[i]
		set.Y[i], set.Y[k] = set.Y[k], set.Y[i]
	})
}
