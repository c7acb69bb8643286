package loss

import "math"

// Logistic is log(1 + e⁻ᵐ), m = y·s, in nats.
//
// It is the negative log-likelihood of the label if its probability is 1/(1+e⁻ᵐ). It is ln 2 at m =
// 0; divided by ln 2 it bounds the zero–one loss.
type Logistic struct{}

// Value returns the loss. It never overflows, because it takes the exponential of −|m| only, and
// log1p keeps the digits of the tail.
func (Logistic) Value(score, y float64) float64 {
	m := y * score
	if m > 0 {
		return math.Log1p(math.Exp(-m))
	}
	return -m + math.Log1p(math.Exp(m))
}

// Subgradient returns the derivative −y/(1+eᵐ).
func (Logistic) Subgradient(score, y float64) float64 {
	return -y / (1 + math.Exp(y*score)) // eᵐ = +Inf is right: the slope is 0 there
}

// Conjugate returns the negative entropy of p = −u·y, which is 0 at p = 0 and p = 1.
func (Logistic) Conjugate(u, y float64) float64 {
	p := -u * y
	switch {
	case p < 0 || p > 1:
		return math.Inf(1)
	case p == 0 || p == 1:
		return 0
	}
	return p*math.Log(p) + (1-p)*math.Log1p(-p)
}

// Exponential is e⁻ᵐ, m = y·s, the loss of AdaBoost. It bounds the zero–one loss.
//
// It grows fast on the wrong side: from m = −710 on it exceeds every float64 and is +Inf.
type Exponential struct{}

// Value returns the loss ℓ(score, y).
func (Exponential) Value(score, y float64) float64 { return math.Exp(-y * score) }

// Subgradient returns the derivative −y·e⁻ᵐ.
func (Exponential) Subgradient(score, y float64) float64 { return -y * math.Exp(-y*score) }

// Conjugate returns the convex conjugate ℓ*(u, y) in the table of the package comment.
func (Exponential) Conjugate(u, y float64) float64 {
	p := -u * y
	switch {
	case p < 0:
		return math.Inf(1)
	case p == 0:
		return 0
	}
	return p * (math.Log(p) - 1)
}
