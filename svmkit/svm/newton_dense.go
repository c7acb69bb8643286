package svm

import "gonum.org/v1/gonum/mat"

// newtonDense solves H·p = −g with the factors of a dense H = diag(ridge) + Σ φᵢ″·x̃ᵢx̃ᵢᵀ,
// x̃ = (x, 1) with a bias. The sum is kept from step to step and changed by the rows whose φ″
// has changed. Invariant: gram = Σ held[i]·x̃ᵢx̃ᵢᵀ, up to rounding, which therefore is not
// carried on for more than newtonRebuild steps.
type newtonDense struct {
	gram   *mat.SymDense // the sum, upper triangle
	held   []float64     // the φᵢ″ ≥ 0 with which row i is in the sum
	steps  int           // since the sum was built anew
	h      *mat.SymDense // H
	factor mat.Cholesky
	rows   []float64 // dense rows that wait to be added at once, √change·x̃, flat
	p, g   *mat.VecDense
}

const (
	newtonRebuild = 20
	newtonBlock   = 64 // rows added at once: they stay in the first cache for d ≤ 60
)

func newNewtonDense(s *newtonState) *newtonDense {
	m := len(s.v)
	return &newtonDense{gram: mat.NewSymDense(m, nil), held: make([]float64, s.t.len()), steps: newtonRebuild,
		h: mat.NewSymDense(m, nil), rows: make([]float64, 0, newtonBlock*m),
		p: mat.NewVecDense(m, s.p), g: mat.NewVecDense(m, s.g)}
}

func (k *newtonDense) direct(s *newtonState) bool {
	if !k.assemble(s) {
		return false
	}
	// H is positive definite but for a free b that no row depends on, and for rounding; a
	// larger diagonal still gives a direction downhill.
	for boost := 0.0; ; boost = max(1e-14, 100*boost) {
		k.h.CopySym(k.gram)
		for j, ridge := range s.ridge {
			at := k.h.At(j, j)
			if at += ridge + boost*at; at == 0 {
				at = 1
			}
			k.h.SetSym(j, j, at)
		}
		if k.factor.Factorize(k.h) {
			break
		}
		if boost > 1 { // not a number: the caller sees it in F
			copy(s.p, s.g)
			k.p.ScaleVec(-1, k.p)
			return true
		}
	}
	// The error only warns that H is badly conditioned; the search judges the direction.
	_ = k.factor.SolveVecTo(k.p, k.g)
	k.p.ScaleVec(-1, k.p)
	return true
}

// assemble brings the sum up to date. Rows whose φ″ grew are added, the others subtracted, by
// the change.
func (k *newtonDense) assemble(s *newtonState) bool {
	if k.steps++; k.steps >= newtonRebuild || k.changed(s) > s.t.len()/2 {
		k.gram.Zero()
		clear(k.held)
		k.steps = 0
	}
	// A row of m values costs m²/2 here: 2²³/m² rows are some milliseconds' work, m = 2²⁰/block.
	return s.passBy(max(newtonBlock, s.block*s.block>>17), func(from, to int) {
		for _, sign := range []float64{1, -1} {
			for i := from; i < to; i++ {
				if change := sign * (s.curve[i] - k.held[i]); change > 0 {
					k.add(s, i, sign, change)
				}
			}
			k.flush(sign)
		}
		copy(k.held[from:to], s.curve[from:to])
	})
}

// changed returns how many rows have another φ″ than in the sum.
func (k *newtonDense) changed(s *newtonState) (n int) {
	for i, c := range s.curve {
		if c != k.held[i] {
			n++
		}
	}
	return n
}
