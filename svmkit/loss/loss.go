// Package loss holds the pointwise losses of classification and regression, and the empirical risk:
//
//	score, y := 0.5, 1.0
//	fmt.Println(loss.Hinge{}.Value(score, y))       // max(0, 1 − y·score)
//	fmt.Println(loss.Hinge{}.Subgradient(score, y)) // the slope
//	fmt.Println(loss.ZeroOne{}.Value(score, y))     // whether it is a mistake
//
// [Risk] is the mean loss of a model over a data set. Package svm minimises the losses that are
// [Trainable]. Every convex loss has a subgradient and a convex conjugate.
//
// Every loss is a function of the score s = f(x), and not of the predicted sign. In classification
// y is −1 or +1, which is not checked here, and the loss depends only on the functional margin m =
// y·s. In regression y is any finite target.
//
//	loss                     ℓ(s, y)             ∂ℓ at the kink    ℓ*(u, y), v = u·y, p = −v
//	ZeroOne                  1 if m ≤ 0, else 0  not convex        none
//	Perceptron               max(0, −m)          m = 0: −y         0 on −1 ≤ v ≤ 0
//	Hinge                    max(0, 1−m)         m = 1: 0          v on −1 ≤ v ≤ 0
//	SquaredHinge             max(0, 1−m)²        smooth            v + v²/4 on v ≤ 0
//	Logistic                 log(1 + e⁻ᵐ)        smooth            p·log p + (1−p)·log(1−p)
//	Exponential              e⁻ᵐ                 smooth            p·log p − p on p ≥ 0
//	EpsInsensitive           max(0, |s−y|−ε)     |s−y| = ε: 0      u·y + ε|u| on |u| ≤ 1
//	SquaredEpsInsensitive    max(0, |s−y|−ε)²    smooth            u·y + ε|u| + u²/4
//
// The conjugate of Logistic holds for p in [0, 1]. Outside the given range a conjugate is +Inf.
// Squares have no factor ½, as in LIBLINEAR's L2 losses. A NaN argument gives NaN, except for
// ZeroOne.
package loss

import "github.com/svmkit/course/svmkit"

// Loss is a pointwise loss ℓ(score, y). Implementations are small values without state and are safe
// for concurrent use.
type Loss interface {
	// Value returns ℓ(score, y) ≥ 0.
	Value(score, y float64) float64
}

// Convex is a loss that is convex in the score, as the solvers and the duality gap require.
type Convex interface {
	Loss

	// Subgradient returns a slope g with ℓ(r,y) ≥ ℓ(score,y) + g·(r−score) for all r. The
	// documentation of each type names its choice at a kink.
	Subgradient(score, y float64) float64

	// Conjugate returns ℓ*(u,y) = sup over s of u·s − ℓ(s,y), and +Inf outside its domain.
	// Fenchel–Young: ℓ(s,y) + ℓ*(u,y) ≥ s·u, with equality if and only if u ∈ ∂ℓ(s,y).
	Conjugate(u, y float64) float64
}

// ZeroOne is 1 for a mistake, y·s ≤ 0, and 0 otherwise. Its empirical risk is the error rate.
//
// A score of 0 is a mistake for both labels, and a score of NaN is a mistake, too.
type ZeroOne struct{}

// Value returns the loss ℓ(score, y).
func (ZeroOne) Value(score, y float64) float64 {
	if y*score > 0 {
		return 0
	}
	return 1
}

// Trainable is a loss that package svm can minimise: Hinge, SquaredHinge, Logistic, EpsInsensitive
// or SquaredEpsInsensitive. No other type can implement it, so a loss without a solver does not
// compile.
type Trainable interface {
	Convex
	trainable()
}

func (Hinge) trainable()                 {}
func (SquaredHinge) trainable()          {}
func (Logistic) trainable()              {}
func (EpsInsensitive) trainable()        {}
func (SquaredEpsInsensitive) trainable() {}

// Sum returns Σ ℓ(f(xᵢ), yᵢ) over the rows of set, which C multiplies in ½‖w‖² + C·Σξᵢ. It
// is 0 for a set without rows.
func Sum(l Loss, f svmkit.Scorer, set *svmkit.Dataset) float64 {
	s := 0.0
	for i, x := range set.X {
		s += l.Value(f.Score(x), set.Y[i])
	}
	return s
}

// Risk returns the empirical risk (1/n)·Σ ℓ(f(xᵢ), yᵢ), the mean loss. For [ZeroOne] this is the
// error rate. It is NaN for a set without rows.
func Risk(l Loss, f svmkit.Scorer, set *svmkit.Dataset) float64 {
	return Sum(l, f, set) / float64(len(set.X))
}

// Named returns the loss of a name: hinge, squared-hinge, logistic, eps-insensitive or
// squared-eps-insensitive.
//
// Only the last two use epsilon. Any other name is a [*svmkit.ParamError].
func Named(name string, epsilon float64) (Trainable, error) {
	switch name {
	case "hinge":
		return Hinge{}, nil
	case "squared-hinge":
		return SquaredHinge{}, nil
	case "logistic":
		return Logistic{}, nil
	case "eps-insensitive":
		return EpsInsensitive{Epsilon: epsilon}, nil
	case "squared-eps-insensitive":
		return SquaredEpsInsensitive{Epsilon: epsilon}, nil
	}
	return nil, &svmkit.ParamError{Name: "Loss", Value: name,
		Need: "must be hinge, squared-hinge, logistic, eps-insensitive or squared-eps-insensitive"}
}
