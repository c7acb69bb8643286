package newton

import (
	"math"

	"github.com/svmkit/course/svmkit"
)

// gradients solves H·p = −g by conjugate gradients preconditioned with the diagonal of H (Lin,
// Weng and Keerthi 2008, Algorithm 2, without the trust region). A product
//
//	H·u = ridge·u + Σᵢ φᵢ″·⟨x̃ᵢ,u⟩·x̃ᵢ
//
// runs over the rows with φ″ > 0 only. The residual must fall to η times the first one, with
// η → 0 as the gradient vanishes, so that the steps become Newton's and converge
// superlinearly (Dembo, Eisenstat and Steihaug 1982).
type gradients struct {
	first    float64   // ‖∇F‖ at the first point
	diagonal []float64 // of H, > 0
	residual []float64 // −g − H·p
	along    []float64 // conjugate direction u
	product  []float64 // H·u
	active   []int32   // rows with φ″ > 0

	mayGiveUp, gaveUp bool // where as many products as unknowns, or a thousand, do not suffice for a direction
	products          int  // in all
}

func newGradients(s *newtonState, mayGiveUp bool) *gradients {
	m := len(s.v)
	return &gradients{mayGiveUp: mayGiveUp, diagonal: make([]float64, m), residual: make([]float64, m), along: make([]float64, m),
		product: make([]float64, m), active: make([]int32, 0, s.t.Len())}
}

func (k *gradients) direct(s *newtonState) bool {
	if !k.prepare(s) {
		return false
	}
	size := svmkit.Dense(s.g...).Norm()
	if k.first == 0 {
		k.first = size
	}
	eta := min(0.1, math.Sqrt(size/k.first))
	clear(s.p)
	rz := 0.0 // ⟨residual, diagonal⁻¹·residual⟩
	for j, g := range s.g {
		k.residual[j] = -g
		k.along[j] = -g / k.diagonal[j]
		rz += g * g / k.diagonal[j]
	}
	// In exact arithmetic as many products as unknowns suffice. More than a thousand
	// are no longer cheap; the direction leads downhill after any number of them.
	enough, solved := eta*eta*rz, false
	for range min(len(s.v)+1, 1000) {
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
	k.gaveUp = k.mayGiveUp && (!solved || k.products > mostProducts*len(s.v))
	return !k.gaveUp
}

// prepare finds the active rows and the diagonal of H. A free b that no row depends on gets 1.
func (k *gradients) prepare(s *newtonState) bool {
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

// multiply sets product = H·along. It counts as an epoch.
func (k *gradients) multiply(s *newtonState) bool {
	for j, u := range k.along {
		k.product[j] = s.ridge[j] * u
	}
	for from := 0; from < len(k.active); from += s.block {
		if s.r.Ctx.Err() != nil {
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

// mostProducts is how many products for each unknown a fit may take before the dense matrix takes over: where all is well
// conditioned some ten steps of some ten products suffice.
const mostProducts = 2
