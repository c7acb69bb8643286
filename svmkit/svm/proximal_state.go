package svm

import (
	"math"

	"github.com/svmkit/course/svmkit"
	"github.com/svmkit/course/svmkit/internal/simd"
)

// proximalState is a point w̃ = (w, b) of the smoothed problem with all that is known there. A
// ramp is one edge of a row's range: n of them in classification, 2n in regression, where ramp
// k < n is the lower edge of row k and ramp n + k its upper one. Vectors of ramps have this
// length, vectors of unknowns d or d + 1.
type proximalState struct {
	t *task
	r *run
	x *design

	sign   []float64 // +1 at a lower edge, −1 at an upper one
	price  []float64 // of one unit beyond the edge, > 0
	width  float64   // δ; 1/2 if the loss is squared: then α = 2·price·clip(u)
	top    float64   // of the ramps: δ, +Inf if the loss is squared
	anchor []float64 // eₖ = width·αₖ/price of the proximal centre, in [0, width]; 0 if squared
	at     []float64 // uₖ = eₖ + signₖ·(edgeₖ − f(xᵢ))
	rate   []float64 // change of uₖ along p
	alpha  []float64 // price·clip(uₖ)/width ≥ 0; βᵢ is their signed sum

	w      []float64 // the unknowns
	ridge  []float64 // diagonal of the regulariser: 1, but 0 for a free b
	scaled []float64 // width·ridge
	z      []float64 // Σβᵢx̃ᵢ
	g      []float64 // gradient, ridge·w − z
	p      []float64 // direction

	gram     *gram
	inside   []bool  // ramps whose rows are in G: J when G was last brought up to date
	members  int     // how many they are
	priceOfJ float64 // the sum of their prices

	age       int     // steps since refresh
	narrowest float64 // the least width

	loss, excess float64 // primal loss; Σ of the Fenchel–Young terms, ≥ 0
	residual     float64 // ½‖g‖²

	// The passes over the rows, and what they read and write.
	pass      proximalPasses
	parts     []proximalPart
	rows      []int32   // of ramps that change, each part's in its own room
	coef      []float64 // by how much
	trial     float64   // a step
	along     []float64 // rates of change of u
	nextWidth float64
}

func newProximalState(t *task, r *run, x *design) *proximalState {
	n, m := t.len(), t.memory
	ramps := n
	if t.twoSided() {
		ramps = 2 * n
	}
	s := &proximalState{t: t, r: r, x: x,
		sign: m.floats(ramps), price: m.floats(ramps), anchor: m.zeros(ramps), at: m.floats(ramps), rate: m.floats(ramps), alpha: m.zeros(ramps),
		w: x.vector(), ridge: x.vector(), scaled: x.vector(), z: x.vector(), g: x.vector(), p: x.vector(),
		gram: newGram(x), inside: m.bools(ramps), rows: m.ints(ramps), coef: m.floats(ramps)}
	s.pass = newProximalPasses(s)
	s.parts = make([]proximalPart, min(mostParts, 1+int(float64(n)*x.rowWork/blockWork)))
	for k := range s.parts {
		s.parts[k] = proximalPart{from: k * n / len(s.parts), to: (k + 1) * n / len(s.parts), z: x.vector()}
	}
	s.do(s.pass.sides)
	for j := range s.ridge {
		s.ridge[j] = 1
	}
	if t.bias == svmkit.FreeBias {
		s.ridge[t.dim] = 0
	}
	return s
}

// place computes u from w and the anchors.
func (s *proximalState) place() {
	s.do(s.pass.place)
	s.r.epochs++
	s.settle()
}

// refresh computes u and z from w, and forgets G, so that rounding does not pile up.
func (s *proximalState) refresh() {
	clear(s.z)
	clear(s.alpha)
	s.gram.clear()
	clear(s.inside)
	s.members, s.priceOfJ = 0, 0
	s.place()
	s.age = 0
}

// move goes step·p along the line of the search and computes all that belongs to the point.
// G stays as it is.
func (s *proximalState) move(step float64) {
	for j, v := range s.p {
		s.w[j] += step * v
	}
	s.advance(step, s.rate)
}

// settle is move for a point that others have changed: u, the anchors or the width.
func (s *proximalState) settle() { s.advance(0, s.at) }

// advance adds step·rate to u and computes what follows from u and w.
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
		s.residual += s.g[j] * s.g[j] / 2
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

// recentre puts the centre to the α at hand and the width to a new value.
func (s *proximalState) recentre(width float64) {
	s.nextWidth = width
	s.do(s.pass.recentre)
	s.width, s.top = width, width
	s.settle()
}

// report puts β where certificates are made of it.
func (s *proximalState) report() {
	n := s.t.len()
	beta := s.r.beta[:n]
	for i := range beta {
		beta[i] = s.sign[i] * s.alpha[i]
	}
	for k := n; k < len(s.alpha); k++ {
		beta[k-n] += s.sign[k] * s.alpha[k]
	}
}

// direct brings G up to date and sets p to Newton's direction, the solution of
// (ridge + G/width)·p = −g. It returns false if there is none, because something is not a number.
func (s *proximalState) direct() bool {
	s.do(s.pass.enter)
	count := 0
	for k := range s.parts { // the lists of the parts, side by side
		part := &s.parts[k]
		rows, coef := s.room(part)
		copy(s.rows[count:], rows[:part.moved])
		count += copy(s.coef[count:], coef[:part.moved])
		s.members += part.growth
	}
	for _, c := range s.coef[:count] {
		s.priceOfJ += c
	}
	s.gram.add(s.rows[:count], s.coef[:count])
	if d := s.t.dim; s.t.bias == svmkit.FreeBias && s.members == 0 && s.g[d] != 0 {
		// All rows are beside the ramps: H says nothing of b, in whose direction the objective is
		// linear until a row comes to one. The search goes as far as that.
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
