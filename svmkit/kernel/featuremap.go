package kernel

import (
	"math"

	"github.com/svmkit/course/svmkit"
	"github.com/svmkit/course/svmkit/internal/kernelmath"
)

// FeatureMap writes φ(x) out for a row of d columns: ⟨φ(x),φ(z)⟩ = κ(x,z). There is one
// feature for each monomial of degree p in the d columns and, if c₀ > 0, a constant column:
//
//	√(p!/(a₀!a₁!…a_d!)) · (√c₀)^a₀ · Π (√γ·xⱼ)^aⱼ,    a₀ + a₁ + … + a_d = p
//
// by the multinomial theorem. The order is that of the exponents, (p, 0, …) first. φ has
// binomial(d+p, p) features, or binomial(d+p−1, p) if c₀ = 0: it is for proving and drawing;
// github.com/svmkit/course/svmkit/feature.Polynomial lifts whole data sets by degree 2.
// It panics if x is dense and has not d columns.
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

// appendProducts appends factor times all products of p of the base numbers, with the root of
// how many orders of the factors each has: choosing a of the p places for base[0] can be done
// in binomial(p, a) ways, the other places are a smaller problem of the same kind.
func appendProducts(to, base []float64, p int, factor float64) []float64 {
	if len(base) == 1 {
		return append(to, factor*math.Pow(base[0], float64(p)))
	}
	if len(base) == 0 {
		return to
	}
	ways := 1.0 // binomial(p, a), walking down from a = p
	for a := p; a >= 0; a-- {
		to = appendProducts(to, base[1:], p-a, factor*math.Sqrt(ways)*math.Pow(base[0], float64(a)))
		ways = ways * float64(a) / float64(p-a+1)
	}
	return to
}
