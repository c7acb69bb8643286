package core

import (
	"math"

	"github.com/svmkit/course/svmkit"
)

// Proof is a certificate with the parts that it was made of: see svm.Proof.
type Proof struct {
	svmkit.Certificate
	Box, Equality float64

	Beta             []float64
	BiasMin, BiasMax float64

	Plane
}

// Plane is the model that a proof certifies.
type Plane struct {
	Scale float64   // the model is scale·Σ βᵢφ(xᵢ); 1 except under a hard margin
	W     []float64 // the model's w, for a linear problem
	Bias  float64   // the model's bias
}

// replaceNaN replaces each number that overflow has made NaN by the bound that always holds.
func (p *Proof) replaceNaN() {
	for _, v := range []struct {
		value *float64
		bound float64
	}{{&p.Primal, math.Inf(1)}, {&p.Dual, math.Inf(-1)}, {&p.Gap, math.Inf(1)},
		{&p.KKT, math.Inf(1)}} {
		if math.IsNaN(*v.value) {
			*v.value = v.bound
		}
	}
}

// finite reports whether all numbers of the model are finite. They are not if a solver's arithmetic
// has overflowed.
func (p *Proof) finite() bool {
	sum := p.Bias - p.Bias
	for _, v := range [2][]float64{p.W, p.Beta} {
		for _, x := range v {
			sum += x - x // 0, or NaN from the first number on that is not finite
		}
	}
	return sum == 0
}

func (p *Proof) scaleBy(scale float64) {
	p.Scale = scale
	for j := range p.W {
		p.W[j] *= scale
	}
	p.Bias, p.BiasMin, p.BiasMax = p.Bias*scale, p.BiasMin*scale, p.BiasMax*scale
}
