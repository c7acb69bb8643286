package svm

import (
	"errors"
	"fmt"
	"math"

	"github.com/svmkit/course/svmkit"
	"github.com/svmkit/course/svmkit/internal/simd"
	"github.com/svmkit/course/svmkit/kernel"
	"github.com/svmkit/course/svmkit/loss"
)

// Problem says what is to be minimised over w (and b), and nothing about how:
//
//	½‖w‖² + Σᵢ cᵢ·ℓ(f(xᵢ), yᵢ),    f(x) = ⟨w,φ(x)⟩ + b
//
// with b free, penalized like a weight (½b² is added), or absent. The zero values mean the
// textbook's soft margin: hinge loss, linear, C = 1, free bias. A Problem holds no state of
// a solver and may be fitted any number of times, also at once.
type Problem struct {
	Data   *svmkit.Dataset
	Loss   loss.Convex   // nil: Hinge. Also SquaredHinge, EpsInsensitive, SquaredEpsInsensitive, Logistic (linear only)
	Kernel kernel.Kernel // nil: linear
	C      Cost
	Bias   svmkit.Bias
}

// Cost is the price cᵢ of one unit of loss at row i: C times the factor of its class or side,
// times the weight of the row. Zero values mean 1.
//
// In regression the two factors belong to the sides of the tube (note D, eq. 20): Positive
// prices ξ⁺, a score above the tube, and Negative ξ⁻, one below it.
type Cost struct {
	C                  float64   // > 0; 0 means 1. +Inf is the hard margin, for the hinge and ε-insensitive losses
	Positive, Negative float64   // > 0; 0 means 1
	Weight             []float64 // one a row, > 0; nil means 1 for each
}

// PerSum returns the cost of ½‖w‖² + c·Σξᵢ, our own scaling.
func PerSum(c float64) Cost { return Cost{C: c} }

// PerMean returns the cost of ½‖w‖² + (c/n)·Σξᵢ for n ≥ 1 rows: C = c/n (note E). For fewer rows there
// is no mean, and C is NaN, which every fit refuses.
func PerMean(c float64, n int) Cost { return Cost{C: c / rowsOrNaN(n)} }

// Lambda returns the cost of (λ/2)‖w‖² + (1/n)·Σξᵢ for n ≥ 1 rows: C = 1/(λn) (note E, Pegasos).
// The minimiser is that of our scaling; the value of the objective is λ times ours.
func Lambda(lambda float64, n int) Cost { return Cost{C: 1 / (lambda * rowsOrNaN(n))} }

func rowsOrNaN(n int) float64 {
	if n < 1 { // c/0 would be the hard margin
		return math.NaN()
	}
	return float64(n)
}

// Regression reports whether Y holds targets and not labels.
func (p *Problem) Regression() bool {
	switch p.Loss.(type) {
	case loss.EpsInsensitive, loss.SquaredEpsInsensitive:
		return true
	}
	return false
}

// Validate returns nil, or a [*svmkit.DataError] or [*svmkit.ParamError] for the first thing
// that makes p no problem.
func (p *Problem) Validate() error {
	if p == nil {
		return &svmkit.ParamError{Name: "Problem", Value: nil, Need: "must not be nil"}
	}
	data := p.Data.ValidateBinary
	if p.Regression() {
		data = p.Data.Validate
	}
	if err := data(); err != nil {
		return err
	}
	if err := p.validateLoss(); err != nil {
		return err
	}
	if err := p.validateSize(); err != nil {
		return err
	}
	if err := p.C.validate(p.Data.Len()); err != nil {
		return err
	}
	if math.IsInf(p.C.C, 1) {
		switch p.Loss.(type) {
		case nil, loss.Hinge, loss.EpsInsensitive:
		default:
			return &svmkit.ParamError{Name: "C", Value: p.C.C, Need: "must be finite for this loss"}
		}
	}
	if p.Bias < 0 || p.Bias > svmkit.NoBias {
		return &svmkit.ParamError{Name: "Bias", Value: int(p.Bias), Need: "must be FreeBias, PenalizedBias or NoBias"}
	}
	if p.Kernel != nil {
		return kernel.Validate(p.Kernel)
	}
	return nil
}

func (p *Problem) validateLoss() error {
	switch l := p.Loss.(type) {
	case nil, loss.Hinge, loss.SquaredHinge:
	case loss.EpsInsensitive:
		return l.Validate()
	case loss.SquaredEpsInsensitive:
		return l.Validate()
	case loss.Logistic:
		if p.Kernel != nil {
			return &svmkit.ParamError{Name: "Loss", Value: "Logistic", Need: "goes with a linear problem (Kernel nil) only"}
		}
	default:
		return &svmkit.ParamError{Name: "Loss", Value: fmt.Sprintf("%T", l),
			Need: "must be Hinge, SquaredHinge, EpsInsensitive, SquaredEpsInsensitive or Logistic"}
	}
	return nil
}

// validateSize refuses finite numbers from which a fit could only make infinite ones: a row of a linear
// problem whose squared norm overflows (a kernel says by itself which value it does not have), and
// a target whose tube has no ends; and a linear problem whose w is absurdly long.
func (p *Problem) validateSize() error {
	if linear(p.Kernel) {
		if err := validateDim(p.Data); err != nil {
			return err
		}
		for i := range p.Data.X {
			x := &p.Data.X[i]
			if !(simd.Dot(x.Value, x.Value) <= math.MaxFloat64) {
				return &svmkit.DataError{Row: i, Col: svmkit.NoPlace, Value: x.Norm(), Err: errLength}
			}
		}
	}
	eps := p.epsilon()
	for i, y := range p.Data.Y {
		if math.IsInf(y-eps, 0) || math.IsInf(y+eps, 0) {
			return &svmkit.DataError{Row: i, Col: svmkit.NoPlace, Value: y, Err: errTube}
		}
	}
	return nil
}

const (
	// longW is a length of w that needs a reason: 1 GiB of numbers, of which a solver may need several.
	longW = 1 << 27
	// longWPerNumber is how many columns a stored number is reason enough for.
	longWPerNumber = 64
)

// validateDim refuses columns that are far too many for a vector w of them: one broken index in a small file
// would else ask for 16 GiB, several times.
func validateDim(s *svmkit.Dataset) error {
	if s.Dim <= longW {
		return nil
	}
	if numbers := s.NNZ(); s.Dim/longWPerNumber > numbers {
		return &svmkit.ParamError{Name: "Data.Dim", Value: s.Dim,
			Need: fmt.Sprintf("is far too large for w and %d stored numbers: is an index broken?", numbers)}
	}
	return nil
}

// epsilon returns the half-width of the loss's tube; 0 if it has none.
func (p *Problem) epsilon() float64 {
	switch l := p.Loss.(type) {
	case loss.EpsInsensitive:
		return l.Epsilon
	case loss.SquaredEpsInsensitive:
		return l.Epsilon
	}
	return 0
}

func (c *Cost) validate(n int) error {
	for _, v := range []struct {
		name  string
		value float64
	}{{"C", c.C}, {"C.Positive", c.Positive}, {"C.Negative", c.Negative}} {
		if !(v.value >= 0) || v.name != "C" && math.IsInf(v.value, 1) {
			return &svmkit.ParamError{Name: v.name, Value: v.value, Need: "must be positive (0 means 1)"}
		}
	}
	if c.Weight != nil && len(c.Weight) != n {
		return &svmkit.ParamError{Name: "C.Weight", Value: len(c.Weight), Need: fmt.Sprintf("must have one weight for each of %d rows", n)}
	}
	for i, w := range c.Weight {
		if !(w > 0) || math.IsInf(w, 1) {
			return &svmkit.DataError{Row: i, Col: svmkit.NoPlace, Value: w, Err: errWeight}
		}
	}
	hard := math.IsInf(c.C, 1)
	if c.Weight == nil {
		n = 1 // the same for all rows
	}
	for i := range n {
		for _, v := range c.sides(i) {
			if v == 0 || math.IsInf(v, 1) && !hard { // a product of numbers in range may not be
				return &svmkit.DataError{Row: i, Col: svmkit.NoPlace, Value: v, Err: errPrice}
			}
		}
	}
	return nil
}

var (
	errLength = fmt.Errorf("the square of the row's norm would overflow: %w", svmkit.ErrNotFinite)
	errTube   = fmt.Errorf("the target plus or minus Epsilon would overflow: %w", svmkit.ErrNotFinite)
	errWeight = errors.New("a row's weight must be positive and finite")
	errPrice  = errors.New("the price of a row, C times the factor of the class times the row's weight must be positive and finite")
)

// sides returns the price of one unit of loss at row i, if the row is on the positive and if
// it is on the negative side.
func (c *Cost) sides(i int) [2]float64 {
	price := orOne(c.C)
	if c.Weight != nil {
		price *= c.Weight[i]
	}
	return [2]float64{price * orOne(c.Positive), price * orOne(c.Negative)}
}

// orOne returns v, or 1 if v is zero.
func orOne(v float64) float64 {
	if v == 0 {
		return 1
	}
	return v
}
