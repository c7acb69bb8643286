package newton

import (
	"math"

	"github.com/svmkit/course/svmkit"
)

// gradients solves H·p = −g by conjugate gradients, preconditioned with the diagonal of H. A
// product
//
//	H·u = ridge·u + Σᵢ φᵢ″·⟨x̃ᵢ,u⟩·x̃ᵢ
//
// is a sum over the rows with φ″ > 0. The residual has to fall to η times its first value in the
// norm of the preconditioner, with η = min(0.1, √(‖∇F‖/‖∇F₀‖)), so that the steps converge
// superlinearly (Dembo, Eisenstat and Steihaug 1982).
type gradients struct {
	first    float64   // ‖∇F‖ at the first point
	diagonal []float64 // of H, > 0
	residual []float64 // −g − H·p
	along    []float64 // conjugate direction u
	product  []float64 // H·u
	active   []int32   // rows with φ″ > 0

	products int  // so far
	limited  bool // stop after too many products, and set exceeded
	exceeded bool
}

const (
	// firstEta is η in the first step, as in LIBLINEAR. Logistic loss and squared hinge on the sets
	// of the benchmark take 5 % longer with 0.0125, and as long with 0.8.
	// Benchmark: go run -C tools ./bench -rows linear -solver newton
	firstEta = 0.1
	// productsOfStep bounds the products of a step; in exact arithmetic as many as there are
	// unknowns suffice. The direction is a direction of descent after any number of products. No
	// row of the benchmark depends on it from 125 to 8,000.
	// Benchmark: go run -C tools ./bench -rows linear -solver newton
	productsOfStep = 1000
	// productsOfFit bounds the products of a fit per unknown, if Cholesky factors can go on.
	// Well-conditioned problems take some ten steps of ten products. No row of the benchmark
	// depends on it from 1 to 16. Benchmark: go run -C tools ./bench -rows linear -solver newton
	productsOfFit = 2
)

func newGradients(s *state, limited bool) *gradients {
	m := len(s.v)
	return &gradients{diagonal: make([]float64, m), residual: make([]float64, m),
		along:   make([]float64, m),
		product: make([]float64, m), active: make([]int32, 0, s.t.Len()), limited: limited}
}

func (k *gradients) direct(s *state) bool {
	if !k.prepare(s) {
		return false
	}
	size := svmkit.Dense(s.g...).Norm()
	if k.first == 0 {
		k.first = size
	}
	eta := min(firstEta, math.Sqrt(size/k.first))
	clear(s.p)
	rz := 0.0 // ⟨residual, diagonal⁻¹·residual⟩
	for j, g := range s.g {
		k.residual[j] = -g
		k.along[j] = -g / k.diagonal[j]
		rz += g * g / k.diagonal[j]
	}
	enough, solved := eta*eta*rz, false
	for range min(len(s.v)+1, productsOfStep) {
		if !k.multiply(s) {
			return false
		}
		curvature := 0.0
		for j, u := range k.along {
			curvature += u * k.product[j]
		}
		if solved = !(curvature > 0); solved {
			break
		}
		step, last := rz/curvature, rz
		rz = 0
		for j, u := range k.along {
			s.p[j] += step * u
			k.residual[j] -= step * k.product[j]
			rz += k.residual[j] * k.residual[j] / k.diagonal[j]
		}
		if solved = rz <= enough || s.r.Ended(); solved {
			break
		}
		for j, r := range k.residual {
			k.along[j] = r/k.diagonal[j] + rz/last*k.along[j]
		}
	}
	k.exceeded = k.limited && (!solved || k.products > productsOfFit*len(s.v))
	return !k.exceeded
}

// prepare lists the rows with φ″ > 0 and computes the diagonal of H. An entry of 0, which a free b
// without such rows has, becomes 1.
func (k *gradients) prepare(s *state) bool {
	k.active = k.active[:0]
	copy(k.diagonal, s.ridge)
	whole := s.pass(func(from, to int) {
		for i := from; i < to; i++ {
			c := s.curve[i]
			if c == 0 {
				continue
			}
			k.active = append(k.active, int32(i))
			x := s.t.X[i]
			if len(k.diagonal) > s.t.Dim {
				k.diagonal[s.t.Dim] += c
			}
			if x.Index == nil {
				for j, v := range x.Value {
					k.diagonal[j] += c * v * v
				}
				continue
			}
			for a, j := range x.Index {
				k.diagonal[j] += c * x.Value[a] * x.Value[a]
			}
		}
	})
	for j, v := range k.diagonal {
		if v == 0 {
			k.diagonal[j] = 1
		}
	}
	return whole
}

// multiply sets product = H·along. It counts as a pass.
func (k *gradients) multiply(s *state) bool {
	for j, u := range k.along {
		k.product[j] = s.ridge[j] * u
	}
	for from := 0; from < len(k.active); from += s.block {
		if s.r.Interrupted() {
			s.r.Ended()
			return false
		}
		for _, i := range k.active[from:min(from+s.block, len(k.active))] {
			x := s.t.X[i]
			s.addRow(k.product, x, s.curve[i]*s.dotRow(k.along, x))
		}
	}
	s.r.Iterations++
	k.products++
	return true
}
