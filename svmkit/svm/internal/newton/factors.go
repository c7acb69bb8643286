package newton

import "github.com/svmkit/course/svmkit/internal/parallel"

// factors solves H·p = −g with the factors of a dense H = diag(ridge) + Σ φᵢ″·x̃ᵢx̃ᵢᵀ,
// x̃ = (x, 1) with a bias. The sum is kept from step to step and changed by the rows whose φ″
// has changed. Invariant: gram = Σ held[i]·x̃ᵢx̃ᵢᵀ, up to rounding, which therefore is not
// carried on for more than newtonRebuild steps.
type factors struct {
	gram   *gram
	held   []float64 // the φᵢ″ ≥ 0 with which row i is in the sum
	steps  int       // since the sum was built anew
	list   []int32   // rows that change
	change []float64 // by how much
}

const newtonRebuild = 20

func newFactors(s *newtonState, crew *parallel.Crew) *factors {
	n := s.t.Len()
	return &factors{gram: newGram(newDesign(s.r.Ctx, s.t, crew)), held: make([]float64, n), steps: newtonRebuild,
		list: make([]int32, 0, n), change: make([]float64, 0, n)}
}

func (k *factors) direct(s *newtonState) bool {
	if !k.assemble(s) {
		return false
	}
	for j, g := range s.g {
		s.p[j] = -g
	}
	k.gram.solve(s.p, s.p, s.ridge) // if something is not a number, the caller sees it in F
	return true
}

// assemble brings the sum up to date. It counts as an epoch.
func (k *factors) assemble(s *newtonState) bool {
	if k.steps++; k.steps >= newtonRebuild || k.changed(s) > s.t.Len()/2 {
		k.gram.clear()
		clear(k.held)
		k.steps = 0
	}
	k.list, k.change = k.list[:0], k.change[:0]
	for i, c := range s.curve {
		if d := c - k.held[i]; d != 0 {
			k.list, k.change = append(k.list, int32(i)), append(k.change, d)
		}
	}
	k.gram.add(k.list, k.change)
	copy(k.held, s.curve)
	s.r.Iterations++
	return s.r.Ctx.Err() == nil || !s.r.Ended()
}

// changed returns how many rows have another φ″ than in the sum.
func (k *factors) changed(s *newtonState) (n int) {
	for i, c := range s.curve {
		if c != k.held[i] {
			n++
		}
	}
	return n
}
