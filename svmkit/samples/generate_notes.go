package samples

import (
	"math"

	"github.com/svmkit/course/svmkit"
)

// Basis returns the n basis vectors e₁, …, eₙ of ℝⁿ and their maximum-margin plane.
//
// The labels are +1, −1, +1, …, and the plane through the origin is w* = (1/√n)·Σ yᵢeᵢ.
//
// Novikoff's bound is tight on this set. R = 1 and γ = 1/√n. The rows are orthogonal, so an update
// for one row changes the score of no other, and a perceptron that starts at w = 0 makes exactly
// n = R²/γ² mistakes. The signs do not matter; they alternate so that both classes occur. n is at
// least 1 and at most 4096, because the rows are dense.
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
// The plane w = 1, b = −c separates them with γ = 1 wherever they are, but R = |c| + 1. The larger
// |c| is, the more mistakes the perceptron with a bias makes: more than R²/γ², which is a bound
// only for planes through the origin. c is finite, and so small that c − 1, c and c + 1 are three
// numbers.
func Shifted(c float64) (*svmkit.Dataset, error) {
	if !(c-1 < c && c < c+1) || math.IsInf(c, 0) {
		return nil, &svmkit.ParamError{Name: "c", Value: c,
			Need: "must be finite, and c-1, c, c+1 distinct"}
	}
	two := svmkit.DenseRows([]float64{c - 1, c + 1}, 1)
	return &svmkit.Dataset{X: two, Y: []float64{-1, 1}, Dim: 1}, nil
}

// Triangle returns the corners of an equilateral triangle on the unit circle with the given labels
// ±1. R = 1, the first corner is (0,1), and the others follow counter-clockwise.
//
// All eight labellings are linearly separable. If both labels occur, one corner stands against two,
// and the maximum-margin plane halves the height from it to the opposite side: γ = ¾R. So three
// points are shattered at that margin, and the bound min(d, R²/γ²) + 1 on the VC dimension needs a
// ceiling, as in bound.MarginVC.
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
	k := len(set.Classes)
	many := k > 2
	for i, y := range set.Y {
		switch {
		case !many && y != -1 && y != 1:
			return nil, &svmkit.DataError{Row: i, Col: svmkit.NoPlace, Value: y, Err: svmkit.ErrLabel}
		case many && (y != math.Trunc(y) || y < 0 || y >= float64(k)):
			return nil, &svmkit.DataError{Row: i, Col: svmkit.NoPlace, Value: y, Err: svmkit.ErrNoClass}
		}
	}
	noisy := *set
	noisy.Y = append([]float64(nil), set.Y...)
	rng := newRand(seed)
	for _, i := range rng.Perm(set.Len())[:int(math.Round(rate*float64(set.Len())))] {
		if !many {
			noisy.Y[i] = -noisy.Y[i]
			continue
		}
		// one of the other K−1 classes: a step of 1 … K−1 around the circle of K
		noisy.Y[i] = float64((int(noisy.Y[i]) + 1 + rng.IntN(k-1)) % k)
	}
	return &noisy, nil
}
