package feature

import (
	"fmt"
	"math"

	"github.com/svmkit/course/svmkit"
	"github.com/svmkit/course/svmkit/internal/limit"
)

// Polynomial returns the set of the φ(xᵢ), where φ is the feature map of the polynomial kernel.
//
// This means that ⟨φ(x),φ(z)⟩ = (⟨x,z⟩ + 1)^degree for all x and z. The degree is 1 or 2:
//
//	1:  φ(x) = (1, x₀, …)                                    d + 1 columns
//	2:  φ(x) = (1, √2·x₀, …, x₀², √2·x₀x₁, …, x₁², …)        (d + 1)(d + 2)/2 columns
//
// A plane through the origin of the lifted space is a surface of that degree in ℝᵈ, because the
// first column is the constant 1. Sparse rows stay sparse. Labels and class names are shared. A set
// with feature names gets names like "1", "Variance", "Variance²" and "Variance·Skewness", without
// the factor √2.
//
// Products that are not finite are a [*svmkit.DataError]. The whole result is stored, up to n·d²/2
// numbers. For more than a few hundred columns, use the kernel.
func Polynomial(set *svmkit.Dataset, degree int) (*svmkit.Dataset, error) {
	if err := set.Validate(); err != nil {
		return nil, err
	}
	dim, err := liftedDim(set.Dim, degree)
	if err != nil {
		return nil, err
	}
	total, sparse := 0, 0
	for _, x := range set.X {
		m, err := liftedDim(len(x.Value), degree)
		if err != nil {
			return nil, err
		}
		if total += m; x.Index != nil {
			sparse += m
		}
		if err := limit.Size(1, total); err != nil {
			return nil, &svmkit.ParamError{Name: "degree", Value: degree,
				Need: "gives more than 2^33 numbers"}
		}
	}
	lifted := &svmkit.Dataset{X: make([]svmkit.Row, len(set.X)), Y: set.Y, Weight: set.Weight,
		Dim: dim, Classes: set.Classes, Label: set.Label}
	values, index := make([]float64, 0, total), make([]int32, 0, sparse)
	for i, x := range set.X {
		v, k := len(values), len(index)
		values = appendMonomials(values, x.Value, degree)
		lifted.X[i].Value = values[v:len(values):len(values)]
		if x.Index != nil {
			index = appendPlaces(index, x.Index, set.Dim, degree)
			lifted.X[i].Index = index[k:len(index):len(index)]
		}
	}
	if set.Features != nil {
		lifted.Features = monomialNames(set.Features, degree)
	}
	return lifted, lifted.Validate()
}

// liftedDim returns the number of monomials of at most the given degree in d variables.
func liftedDim(d, degree int) (int, error) {
	if degree != 1 && degree != 2 {
		return 0, &svmkit.ParamError{Name: "degree", Value: degree, Need: "must be 1 or 2"}
	}
	if degree == 1 && d < math.MaxInt32 {
		return d + 1, nil
	}
	if degree == 2 && d <= 65_000 {
		return (d + 1) * (d + 2) / 2, nil
	}
	return 0, &svmkit.ParamError{Name: "degree", Value: degree,
		Need: fmt.Sprintf("gives too many columns from %d: more than an int32 can number", d)}
}

// appendMonomials appends 1, the vⱼ and, for degree 2, the products vⱼvₗ with j ≤ l, each
// with the root of its multinomial coefficient.
func appendMonomials(to, v []float64, degree int) []float64 {
	to = append(to, 1)
	if degree == 1 {
		return append(to, v...)
	}
	for _, a := range v {
		to = append(to, math.Sqrt2*a)
	}
	for j, a := range v {
		to = append(to, a*a)
		for _, b := range v[j+1:] {
			to = append(to, math.Sqrt2*a*b)
		}
	}
	return to
}

// appendPlaces appends the columns to which the numbers of appendMonomials belong. The products
// with first factor j start after those with first factors 0 … j−1, and there are d − i with first
// factor i: at 1 + d + j·d − j(j−1)/2.
func appendPlaces(to, index []int32, d, degree int) []int32 {
	to = append(to, 0)
	for _, j := range index {
		to = append(to, 1+j)
	}
	if degree == 1 {
		return to
	}
	for k, j32 := range index {
		j := int(j32)
		start := 1 + d + j*d - j*(j-1)/2
		for _, l := range index[k:] {
			to = append(to, int32(start+int(l)-j))
		}
	}
	return to
}

func monomialNames(names []string, degree int) []string {
	to := append([]string{"1"}, names...)
	if degree == 1 {
		return to
	}
	for j, a := range names {
		to = append(to, a+"²")
		for _, b := range names[j+1:] {
			to = append(to, a+"·"+b)
		}
	}
	return to
}
