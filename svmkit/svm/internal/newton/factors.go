package newton

// factors solves H·p = −g with Cholesky factors of H = diag(ridge) + Σ φᵢ″·x̃ᵢx̃ᵢᵀ. From step to
// step it changes the sum by the rows whose φ″ has changed. Invariant: gram = Σ held[i]·x̃ᵢx̃ᵢᵀ, up
// to the rounding of rebuildAfter steps.
type factors struct {
	gram   *gram
	held   []float64 // the φᵢ″ ≥ 0 with which row i is in the sum
	steps  int       // since the sum was last computed from zero
	list   []int32   // rows whose φ″ is not held[i]
	change []float64 // by how much φ″ differs
}

func newFactors(s *state) *factors {
	n := s.t.Len()
	return &factors{gram: newGram(newDesign(s.r, s.t)), held: make([]float64, n),
		steps: rebuildAfter,
		list:  make([]int32, 0, n), change: make([]float64, 0, n)}
}

func (k *factors) direct(s *state) bool {
	if !k.assemble(s) {
		return false
	}
	for j, g := range s.g {
		s.p[j] = -g
	}
	k.gram.solve(s.p, s.p, s.ridge) // a NaN in p shows in the next F
	return true
}

// assemble brings the sum up to date, which counts as a pass. If more than half of the rows have
// changed, it starts from 0. No row of the benchmark depends on this share from 1/16 to 1.
func (k *factors) assemble(s *state) bool {
	k.compare(s)
	if k.steps++; k.steps >= rebuildAfter || len(k.list) > s.t.Len()/2 {
		k.gram.clear()
		clear(k.held)
		k.steps = 0
		k.compare(s)
	}
	k.gram.add(k.list, k.change)
	copy(k.held, s.curve)
	s.r.Iterations++
	return s.r.Ctx.Err() == nil || !s.r.Ended()
}

// compare lists the rows whose φ″ has changed.
func (k *factors) compare(s *state) {
	k.list, k.change = k.list[:0], k.change[:0]
	for i, c := range s.curve {
		if d := c - k.held[i]; d != 0 {
			k.list, k.change = append(k.list, int32(i)), append(k.change, d)
		}
	}
}
