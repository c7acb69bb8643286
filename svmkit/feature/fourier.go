package feature

import (
	"fmt"
	"math"
	"math/rand/v2"

	"github.com/svmkit/course/svmkit"
	"github.com/svmkit/course/svmkit/internal/limit"
)

// Fourier is a random feature map whose inner products estimate the Gaussian kernel exp(−γ‖x−z‖²).
//
// A linear model of its features approximates a model with the kernel. Its cost grows with the
// number of rows, instead of the square of that number. The map is
//
//	φ(x) = (cos⟨ω₁,x⟩, sin⟨ω₁,x⟩, …, cos⟨ω_D,x⟩, sin⟨ω_D,x⟩)/√D
//
// with independent ωᵣ whose entries are drawn from N(0, 2γ). ⟨φ(x),φ(z)⟩ has the mean κ(x,z) =
// exp(−γ‖x−z‖²) and the standard deviation (1 − κ(x,z)²)/√(2D), and ‖φ(x)‖ = 1.
//
// Source: A. Rahimi and B. Recht, Random features for large-scale kernel machines (2007).
type Fourier struct {
	dim   int
	omega [][]float64
}

// NewFourier draws ω₁, …, ω_D for rows of dim columns, with D = draws. Use one Fourier for training
// and test rows.
//
// gamma is the γ of [kernel.RBF], positive and finite. dim and draws are at least 1, and dim·draws
// is at most 2³³. The same arguments give a bit-identical result.
//
// [kernel.RBF]: https://pkg.go.dev/github.com/svmkit/course/svmkit/kernel#RBF
func NewFourier(dim int, gamma float64, draws int, seed uint64) (*Fourier, error) {
	if dim < 1 {
		return nil, &svmkit.ParamError{Name: "dim", Value: dim, Need: "must be at least 1"}
	}
	if !(gamma > 0) || math.IsInf(gamma, 1) {
		return nil, &svmkit.ParamError{Name: "gamma", Value: gamma, Need: "must be positive and finite"}
	}
	if draws < 1 || draws > math.MaxInt32/2 {
		return nil, &svmkit.ParamError{Name: "draws", Value: draws,
			Need: "must be at least 1, and 2·draws columns an int32"}
	}
	if err := limit.Size(draws, dim); err != nil {
		return nil, &svmkit.ParamError{Name: "draws", Value: draws,
			Need: fmt.Sprintf("must not give more than 2^33 numbers with %d columns", dim)}
	}
	f, r := &Fourier{dim: dim, omega: make([][]float64, draws)}, rand.New(rand.NewPCG(seed, 0))
	deviation := math.Sqrt(2 * gamma)
	if math.IsInf(deviation, 1) { // 2γ overflows
		deviation = math.Sqrt2 * math.Sqrt(gamma)
	}
	for k := range f.omega {
		f.omega[k] = make([]float64, dim)
		for j := range f.omega[k] {
			f.omega[k][j] = deviation * r.NormFloat64()
		}
	}
	return f, nil
}

// Apply returns the set of the φ(xᵢ), dense rows of 2D columns without names.
//
// Labels and class names are shared. A set without dim columns is a [*svmkit.ParamError]. If some
// ⟨ωᵣ,x⟩ is not finite, the error is a [*svmkit.DataError].
func (f *Fourier) Apply(set *svmkit.Dataset) (*svmkit.Dataset, error) {
	if err := set.Validate(); err != nil {
		return nil, err
	}
	if set.Dim != f.dim {
		return nil, &svmkit.ParamError{Name: "set.Dim", Value: set.Dim,
			Need: fmt.Sprintf("must be %d, the columns that the map was drawn for", f.dim)}
	}
	columns := 2 * len(f.omega)
	if err := limit.Size(set.Len(), columns); err != nil {
		return nil, &svmkit.ParamError{Name: "draws", Value: len(f.omega),
			Need: fmt.Sprintf("gives more than 2^33 numbers for %d rows", set.Len())}
	}
	mapped := &svmkit.Dataset{X: make([]svmkit.Row, set.Len()), Y: set.Y, Weight: set.Weight,
		Dim: columns, Classes: set.Classes, Label: set.Label}
	unit := 1 / math.Sqrt(float64(len(f.omega)))
	values := make([]float64, set.Len()*columns)
	for i, x := range set.X {
		phi := values[i*columns : (i+1)*columns : (i+1)*columns]
		for k, omega := range f.omega {
			sin, cos := math.Sincos(x.Dot(omega))
			phi[2*k], phi[2*k+1] = unit*cos, unit*sin
		}
		mapped.X[i] = svmkit.Dense(phi...)
	}
	return mapped, mapped.Validate()
}
