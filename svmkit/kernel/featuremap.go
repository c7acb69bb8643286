package kernel

import (
	"math"

	"github.com/svmkit/course/svmkit"
	"github.com/svmkit/course/svmkit/internal/kernelmath"
)

// FeatureMap returns φ(x) for a row of d columns, with ⟨φ(x),φ(z)⟩ = κ(x,z). There is one feature
// for each monomial of degree p in the d columns and, if c₀ > 0, a constant column:
//
//	√(p!/(a₀!a₁!…a_d!)) · (√c₀)^a₀ · Π (√γ·xⱼ)^aⱼ,    a₀ + a₁ + … + a_d = p
//
// by the multinomial theorem. The features are in the order of the exponents, (p, 0, …) first. φ
// has binomial(d+p, p) features, or binomial(d+p−1, p) if c₀ = 0, so FeatureMap is for proofs and
// figures; github.com/svmkit/course/svmkit/feature.Polynomial lifts whole data sets by degree 2.
// FeatureMap panics if x is dense and does not have d columns.
func (k Polynomial) FeatureMap(x svmkit.Row, d int) []float64 {
	var base []float64
	if k.Coef0 > 0 {
		base = append(base, math.Sqrt(k.Coef0))
	}
	root := math.Sqrt(kernelmath.Gamma(k.Gamma))
	for _, v := range x.ToDense(d) {
		base = append(base, root*v)
	}
	return appendProducts(nil, base, kernelmath.Degree(k.Degree), 1)
}

// appendProducts appends factor times all products of p of the base numbers, each times the root of
// the number of orders of its factors. There are binomial(p, a) ways to choose a of the p places
// for base[0], and the other places are a smaller problem of the same kind.
func appendProducts(to, base []float64, p int, factor float64) []float64 {
	if len(base) == 1 {
		return append(to, factor*math.Pow(base[0], float64(p)))
	}
	if len(base) == 0 {
		return to
	}
	ways := 1.0 // binomial(p, a), from a = p down
	for a := p; a >= 0; a-- {
		to = appendProducts(to, base[1:], p-a, factor*math.Sqrt(ways)*math.Pow(base[0], float64(a)))
		ways = ways * float64(a) / float64(p-a+1)
	}
	return to
}
