package svm

import (
	"math"

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
	score  []float64 // ⟨p,x̃ᵢ⟩, n

	gram   *gram
	inside []bool // ramps whose rows are in G: J when G was last brought up to date

	members int // how many they are

	age       int     // steps since refresh
	narrowest float64 // the least width

	loss, excess float64 // primal loss; Σ of the Fenchel–Young terms, ≥ 0
	residual     float64 // ½‖g‖²

	every   []int32   // 0, 1, …: all ramps
	moved   []int32   // ramps that change
	change  []float64 // by how much
	touched []int32   // ramps whose α has changed since G was last brought up to date; some twice
}

func newProximalState(t *task, r *run, x *design) *proximalState {
	n := t.len()
	ramps := n
	if t.twoSided() {
		ramps = 2 * n
	}
	number := func() []float64 { return make([]float64, ramps) }
	s := &proximalState{t: t, r: r, x: x,
		sign: number(), price: number(), anchor: number(), at: number(), rate: number(), alpha: number(),
		w: x.vector(), ridge: x.vector(), scaled: x.vector(), z: x.vector(), g: x.vector(), p: x.vector(), score: make([]float64, n),
		gram: newGram(x), inside: make([]bool, ramps),
		every: make([]int32, ramps), moved: make([]int32, 0, ramps), touched: make([]int32, 0, 2*ramps), change: make([]float64, 0, ramps)}
	for k := range s.every {
		s.every[k] = int32(k)
	}
	for k := range ramps {
		i := k % n
		if k < n && t.under[i] > 0 {
			s.sign[k], s.price[k] = 1, t.under[i]
		} else {
			s.sign[k], s.price[k] = -1, t.over[i]
		}
	}
	for j := range s.ridge {
		s.ridge[j] = 1
	}
	if t.bias == FreeBias {
		s.ridge[t.dim] = 0
	}
	return s
}

// edge returns the score at which ramp k begins to charge.
func (s *proximalState) edge(k int) float64 {
	if s.sign[k] > 0 {
		return s.t.low[k]
	}
	return s.t.high[k%s.t.len()]
}

// place computes u from w and the anchors.
func (s *proximalState) place() {
	n := s.t.len()
	s.x.mul(s.score, s.w)
	for k := range s.at {
		s.at[k] = s.anchor[k] + s.sign[k]*(s.edge(k)-s.score[k%n])
	}
	s.r.epochs++
	s.settle()
}

// settle is move for a point that others have changed: u, the anchors or the width.
func (s *proximalState) settle() {
	clear(s.p)
	clear(s.rate)
	s.move(0)
}

// refresh computes u and z from w, and forgets G, so that rounding does not pile up.
func (s *proximalState) refresh() {
	clear(s.z)
	clear(s.alpha)
	s.gram.clear()
	clear(s.inside)
	s.members = 0
	s.place()
	s.touched, s.age = append(s.touched[:0], s.every...), 0
}

// move goes step·p along the line of the search and computes all that belongs to the point.
// G stays as it is.
func (s *proximalState) move(step float64) {
	for j, v := range s.p {
		s.w[j] += step * v
	}
	loss, excess := simd.RampMove(step, s.top, s.at, s.rate, s.anchor, s.price)
	s.loss, s.excess = loss, excess/s.width
	all := len(s.at)
	n := simd.RampValues(s.top, 1/s.width, s.at, s.price, s.sign, s.alpha, s.moved[:all], s.change[:all])
	s.moved, s.change = s.moved[:n], s.change[:n]
	s.touched = append(s.touched, s.moved...)
	s.x.addRows(s.z, s.rowsOf(s.moved), s.change)
	s.residual = 0
	for j, w := range s.w {
		s.g[j] = s.ridge[j]*w - s.z[j]
		s.residual += s.g[j] * s.g[j] / 2
	}
}

// rowsOf turns numbers of ramps into those of their rows, in place.
func (s *proximalState) rowsOf(ramps []int32) []int32 {
	n := int32(s.t.len())
	for j, k := range ramps {
		if k >= n {
			ramps[j] = k - n
		}
	}
	return ramps
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
	for k, u := range s.at {
		e := min(max(u, 0), s.width) * (width / s.width)
		s.at[k] += e - s.anchor[k]
		s.anchor[k] = e
	}
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
	moved, change := s.moved[:0], s.change[:0]
	for _, k := range s.touched {
		if in := s.at[k] > 0 && s.at[k] < s.top; in != s.inside[k] {
			s.inside[k] = in
			price := s.price[k]
			s.members++
			if !in {
				price = -price
				s.members -= 2
			}
			moved, change = append(moved, k), append(change, price)
		}
	}
	s.moved, s.change, s.touched = moved, change, s.touched[:0]
	s.gram.add(s.rowsOf(moved), s.change)
	if d := s.t.dim; s.t.bias == FreeBias && s.members == 0 && s.g[d] != 0 {
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

// lag estimates by how much the gap of β, whose w is z, exceeds that of the pair (w, β). A score
// that is off by ⟨g,x̃ᵢ⟩ costs a row in J, which pays on both sides, that much times αₖ, or what is
// left to its price; with a squared loss, whose αₖ fits its score exactly, the price of the square.
// Rows that are safely on one side pay nothing at first.
func (s *proximalState) lag() float64 {
	sum := 0.0
	for k, u := range s.at {
		if u > 0 && u < s.top {
			off := math.Abs(s.x.dot(s.g, k%s.x.n))
			if s.t.squared {
				sum += s.price[k] * off * off
			} else {
				sum += max(s.alpha[k], s.price[k]-s.alpha[k]) * off
			}
		}
	}
	return sum
}
