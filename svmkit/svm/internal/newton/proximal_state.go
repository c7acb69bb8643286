package newton

import (
	"math"

	"github.com/svmkit/course/svmkit"
	"github.com/svmkit/course/svmkit/internal/simd"
	"github.com/svmkit/course/svmkit/svm/internal/core"
)

func newProximalState(t *core.Task, r *core.Run, x *design) *proximalState {
	n, m := t.Len(), t.Memory
	ramps := n
	if t.TwoSided {
		ramps = 2 * n
	}
	s := &proximalState{t: t, r: r, x: x,
		sign: m.Floats(ramps), cost: m.Floats(ramps), anchor: m.Zeros(ramps), at: m.Floats(ramps),
		rate: m.Floats(ramps), alpha: m.Zeros(ramps),
		w: x.vector(), ridge: ridge(t, x.vector()), metric: metric(t, x.vector()), scaled: x.vector(), z: x.vector(),
		g: x.vector(), p: x.vector(),
		gram: newGram(x), inside: m.Bools(ramps), rows: m.Ints(ramps), coef: m.Floats(ramps)}
	s.pass = newProximalPasses(s)
	s.parts = make([]proximalPart, min(core.MostParts, 1+int(float64(n)*x.rowWork/core.BlockWork)))
	for k := range s.parts {
		s.parts[k] = proximalPart{from: k * n / len(s.parts), to: (k + 1) * n / len(s.parts),
			z: x.vector()}
	}
	s.do(s.pass.sides)
	return s
}

// metric sets u to the factors of g² in the gap: 1, and for a free b the mean square of the stored
// values. There g is Σβᵢ, which is not in the unit of w: moving it to zero moves w by about Σβᵢ
// times a value of x.
func metric(t *core.Task, u []float64) []float64 {
	for j := range u {
		u[j] = 1
	}
	if t.Bias == svmkit.FreeBias {
		squares, count := 0.0, 0
		for i := range t.X {
			squares, count = squares+t.X[i].SquaredNorm(), count+len(t.X[i].Value)
		}
		if mean := squares / float64(count); mean > 0 {
			u[t.Dim] = mean
		}
	}
	return u
}

// evaluate computes u from w and the anchors, and everything that depends on u.
func (s *proximalState) evaluate() {
	s.do(s.pass.evaluate)
	s.r.Iterations++
	s.advance(0, s.at)
}

// refresh computes u and z from w and sets G to 0, so that rounding errors do not accumulate.
func (s *proximalState) refresh() {
	clear(s.z)
	clear(s.alpha)
	s.gram.clear()
	clear(s.inside)
	s.members, s.costOfJ = 0, 0
	s.evaluate()
	s.age = 0
}

// move moves w by step·p and computes everything that depends on it but G.
func (s *proximalState) move(step float64) {
	for j, v := range s.p {
		s.w[j] += step * v
	}
	s.advance(step, s.rate)
}

// advance adds step·rate to u and computes α, z, g, and the parts of the gap. Step 0 is for a u
// that has changed in another way.
func (s *proximalState) advance(step float64, rate []float64) {
	s.trial, s.along = step, rate
	s.do(s.pass.advance)
	s.loss, s.excess = 0, 0
	for k := range s.parts {
		part := &s.parts[k]
		s.loss += part.loss
		s.excess += part.excess / s.width
		simd.Axpy(1, part.z, s.z)
	}
	s.residual = 0
	for j, w := range s.w {
		s.g[j] = s.ridge[j]*w - s.z[j]
		s.residual += s.metric[j] * s.g[j] * s.g[j] / 2
	}
}

// primal returns the primal objective at w.
func (s *proximalState) primal() float64 {
	value := s.loss
	for j, w := range s.w {
		value += s.ridge[j] * w * w / 2
	}
	return value
}

// recentre moves the centre to the present α and sets the width.
func (s *proximalState) recentre(width float64) {
	s.nextWidth = width
	s.do(s.pass.recentre)
	s.width, s.top = width, width
	s.advance(0, s.at)
}

// setBeta sets the run's β from α.
func (s *proximalState) setBeta() { s.do(s.pass.beta) }

// direct brings G up to date and sets p to Newton's direction, the solution of (ridge + G/δ)·p =
// −g. It returns false if there is none because of a NaN.
func (s *proximalState) direct() bool {
	s.do(s.pass.enter)
	count := 0
	for k := range s.parts { // join the lists of the parts
		part := &s.parts[k]
		rows, coef := s.space(part)
		copy(s.rows[count:], rows[:part.moved])
		count += copy(s.coef[count:], coef[:part.moved])
		s.members += part.growth
		s.costOfJ += part.growthCost
	}
	s.gram.add(s.rows[:count], s.coef[:count])
	if d := s.t.Dim; s.t.Bias == svmkit.FreeBias && s.members == 0 && s.g[d] != 0 {
		// J is empty. The objective is linear in b until a row enters J, and the search goes that
		// far.
		clear(s.p)
		s.p[d] = -math.Copysign(s.width, s.g[d])
		return true
	}
	for j, v := range s.ridge {
		s.scaled[j] = v * s.width
		s.p[j] = -s.width * s.g[j]
	}
	return s.gram.solve(s.p, s.p, s.scaled)
}
