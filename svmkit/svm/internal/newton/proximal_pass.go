package newton

import (
	"math"

	"github.com/svmkit/course/svmkit/internal/simd"
	"github.com/svmkit/course/svmkit/svm/internal/core"
)

// proximalPart is a range of rows, with the sums of the last pass over it. The ranges depend on the
// data alone, and their sums are added in their order, so the bits do not depend on the number of
// threads.
type proximalPart struct {
	from, to int // rows

	loss, excess     float64   // of advance
	z                []float64 // how much advance has changed Σβᵢx̃ᵢ
	slope, curvature float64   // of rates and slopes
	// moved is how many ramps have entered or left J, and growth by how many J has grown, in the
	// pass enter. growthCost is the sum of their costs.
	moved, growth int
	growthCost    float64
	lag           float64 // of lag
}

// proximalPasses are the passes over the parts, as functions of a part's number. They are made
// once, so that a pass allocates nothing.
type proximalPasses struct {
	sides, evaluate, advance, recentre, enter, rates, slopes, lag,
	beta func(part int)
}

func newProximalPasses(s *proximalState) proximalPasses {
	return proximalPasses{sides: s.sidesPart, evaluate: s.evaluatePart, advance: s.advancePart,
		recentre: s.recentrePart,
		enter:    s.enterPart, rates: s.ratesPart, slopes: s.slopesPart, lag: s.lagPart,
		beta: s.betaPart}
}

// do makes a pass over all parts.
func (s *proximalState) do(pass func(part int)) { s.x.workers.Do(len(s.parts), pass) }

// sides returns how many ramps a row has.
func (s *proximalState) sides() int { return len(s.at) / s.x.n }

// span returns the ramps of one side of the part's rows.
func (s *proximalState) span(p *proximalPart, side int) (from, to int) {
	return side*s.x.n + p.from, side*s.x.n + p.to
}

// space returns the part's elements of rows and coef, one for each of its ramps.
func (s *proximalState) space(p *proximalPart) ([]int32, []float64) {
	from, to := p.from*s.sides(), p.to*s.sides()
	return s.rows[from:to], s.coef[from:to]
}

// scores computes ⟨u,x̃ᵢ⟩ for the part's rows, in the memory of the last side's rates.
func (s *proximalState) scores(p *proximalPart, u []float64) []float64 {
	from, to := s.span(p, s.sides()-1)
	out := s.rate[from:to]
	s.x.mulRange(out, u, p.from)
	return out
}

// sidesPart sets the signs and costs of the ramps.
func (s *proximalState) sidesPart(part int) {
	p, n, both := &s.parts[part], s.x.n, s.sides() == 2
	for i := p.from; i < p.to; i++ {
		l := &s.t.Loss[i]
		if both {
			s.sign[i], s.cost[i] = 1, l.Under
			s.sign[n+i], s.cost[n+i] = -1, l.Over
		} else { // one of the two is 0
			s.sign[i], s.cost[i] = math.Copysign(1, l.Under-l.Over), l.Under+l.Over
		}
	}
}

// evaluatePart sets u from w and the anchors.
func (s *proximalState) evaluatePart(part int) {
	p, n := &s.parts[part], s.x.n
	scores := s.scores(p, s.w)
	if s.sides() == 2 {
		for i, f := range scores {
			k := p.from + i
			s.at[k] = s.anchor[k] + (s.t.Loss[k].Low - f)
			s.at[n+k] = s.anchor[n+k] - (s.t.Loss[k].High - f)
		}
		return
	}
	for i, f := range scores { // the edge of a row is at its label
		k := p.from + i
		s.at[k] = s.anchor[k] + (1 - s.sign[k]*f)
	}
}

// advancePart moves u. It computes the loss, the excess, α, and how much z changes.
func (s *proximalState) advancePart(part int) {
	p := &s.parts[part]
	p.loss, p.excess = 0, 0
	clear(p.z)
	rows, coef := s.space(p)
	for side := range s.sides() {
		from, to := s.span(p, side)
		at, anchor, cost := s.at[from:to], s.anchor[from:to], s.cost[from:to]
		loss, excess := simd.RampMove(s.trial, s.top, at, s.along[from:to], anchor, cost)
		p.loss += loss
		p.excess += excess
		n := simd.RampValues(s.top, 1/s.width, at, cost, s.sign[from:to], s.alpha[from:to],
			rows[:to-from], coef[:to-from])
		s.x.addRange(p.z, p.from, rows[:n], coef[:n])
	}
}

// recentrePart moves the centre to α, for the next width.
func (s *proximalState) recentrePart(part int) {
	p := &s.parts[part]
	ratio := s.nextWidth / s.width
	for side := range s.sides() {
		from, to := s.span(p, side)
		at, anchor := s.at[from:to], s.anchor[from:to]
		for k, u := range at {
			e := min(max(u, 0), s.width) * ratio
			at[k] += e - anchor[k]
			anchor[k] = e
		}
	}
}

// enterPart lists the rows of the ramps that have entered J with their costs, and the rows of those
// that have left it with the negatives of their costs.
func (s *proximalState) enterPart(part int) {
	p := &s.parts[part]
	rows, coef := s.space(p)
	moved, growth, growthCost := 0, 0, 0.0 // in registers
	top := math.Float64bits(s.top) - 1
	for side := range s.sides() {
		from, to := s.span(p, side)
		at, inside := s.at[from:to], s.inside[from:to]
		for i, u := range at {
			in := math.Float64bits(u)-1 < top // u > 0 && u < s.top, without a branch
			if in == inside[i] {
				continue
			}
			inside[i] = in
			cost := s.cost[from+i]
			growth++
			if !in {
				cost = -cost
				growth -= 2
			}
			growthCost += cost
			rows[moved], coef[moved] = int32(p.from+i), cost
			moved++
		}
	}
	p.moved, p.growth, p.growthCost = moved, growth, growthCost
}

// ratesPart computes the rates of change of u along p, and slope and curvature at the trial step.
func (s *proximalState) ratesPart(part int) {
	p := &s.parts[part]
	scores := s.scores(p, s.p)
	for side := range s.sides() { // the last side's rates replace the scores
		from, to := s.span(p, side)
		rate, sign := s.rate[from:to], s.sign[from:to]
		for i, f := range scores {
			rate[i] = -sign[i] * f
		}
	}
	s.slopesPart(part)
}

// slopesPart computes the part's slope and curvature at the trial step.
func (s *proximalState) slopesPart(part int) {
	p := &s.parts[part]
	p.slope, p.curvature = 0, 0
	for side := range s.sides() {
		from, to := s.span(p, side)
		slope, curvature := simd.RampSlope(s.trial, s.top, s.at[from:to], s.rate[from:to],
			s.cost[from:to])
		p.slope += slope
		p.curvature += curvature
	}
}

// rampSums returns slope and curvature of Σₖ δ·Φₖ along p at a step. If known is set, the last pass
// was made for this step.
func (s *proximalState) rampSums(step float64, known bool) (slope, curvature float64) {
	if !known {
		s.trial = step
		s.do(s.pass.slopes)
	}
	for k := range s.parts {
		slope += s.parts[k].slope
		curvature += s.parts[k].curvature
	}
	return slope, curvature
}

// lag estimates how much the gap of β, whose w is z, exceeds the gap of the pair (w, β). Its scores
// differ by ⟨g,x̃ᵢ⟩. On a ramp in J this costs at most max(αₖ, cₖ − αₖ)·|⟨g,x̃ᵢ⟩|, and elsewhere
// nothing at first. With a squared loss it costs cₖ⟨g,x̃ᵢ⟩², whose sum is gᵀGg. By the
// Cauchy–Schwarz inequality the former costs sum to at most √(Σcₖ · gᵀGg), over J as in G. If this
// bound is at most enough, lag returns it and makes no pass over the rows. For a free b, metric makes
// a score of the g of b.
func (s *proximalState) lag(enough float64) float64 {
	last := len(s.g) - 1
	defer func(g float64) { s.g[last] = g }(s.g[last])
	s.g[last] *= s.metric[last]
	squares := max(0, s.gram.square(s.g))
	if s.t.Kind == core.Squared {
		return squares
	}
	if bound := math.Sqrt(max(0, s.costOfJ) * squares); bound <= enough {
		return bound
	}
	s.do(s.pass.lag)
	sum := 0.0
	for k := range s.parts {
		sum += s.parts[k].lag
	}
	return sum
}

// lagPart adds up lag for the part's ramps.
func (s *proximalState) lagPart(part int) {
	p := &s.parts[part]
	p.lag = 0
	for side := range s.sides() {
		from, to := s.span(p, side)
		for i, u := range s.at[from:to] {
			if u > 0 && u < s.top {
				alpha, off := s.alpha[from+i], math.Abs(s.x.dot(s.g, p.from+i))
				p.lag += max(alpha, s.cost[from+i]-alpha) * off
			}
		}
	}
}

// betaPart sets the run's β from α.
func (s *proximalState) betaPart(part int) {
	p := &s.parts[part]
	for i := p.from; i < p.to; i++ {
		s.r.Beta[i] = s.sign[i] * s.alpha[i]
		if upper := s.x.n + i; upper < len(s.alpha) {
			s.r.Beta[i] += s.sign[upper] * s.alpha[upper]
		}
	}
}

// proximalState is a point (w, b) of the smoothed problem with its derivatives there. A ramp is the
// derivative of one edge's loss. Ramp k < n belongs to row k, in regression to its lower edge, and
// ramp n + k to its upper edge. Vectors of ramps have length n or 2n, and vectors of unknowns d or
// d + 1.
type proximalState struct {
	t *core.Task
	r *core.Run
	x *design

	sign   []float64 // +1 at a lower edge, −1 at an upper one
	cost   []float64 // cₖ > 0
	width  float64   // δ; ½ if the loss is squared
	top    float64   // of the ramps: δ, or +Inf if the loss is squared
	anchor []float64 // eₖ = δ·αₖ⁰/cₖ in [0, δ]; 0 if the loss is squared
	at     []float64 // uₖ = eₖ + vₖ
	rate   []float64 // change of uₖ along p
	// alpha is cₖ·clip(uₖ)/δ. βᵢ is the sum of signₖαₖ over the edges of row i.
	alpha []float64

	w      []float64 // the unknowns
	ridge  []float64 // diagonal of the regulariser: 1, but 0 for a free b
	metric []float64 // factors of g² in the residual
	scaled []float64 // δ·ridge
	z      []float64 // Σβᵢx̃ᵢ
	g      []float64 // gradient, ridge·w − z
	p      []float64 // direction

	gram    *gram
	inside  []bool  // ramps whose rows are in G, which is J when direct was last called
	members int     // how many there are
	costOfJ float64 // sum of their costs

	age       int     // steps since refresh
	narrowest float64 // least width

	loss, excess float64 // primal loss; Σ of the Fenchel–Young terms cₖ·max(0, vₖ) − αₖvₖ
	residual     float64 // ½Σ metric·g²

	// The passes over the rows, with their arguments and results.
	pass      proximalPasses
	parts     []proximalPart
	rows      []int32   // of ramps that change, each part's in its own space
	coef      []float64 // by how much they change
	trial     float64   // the step of advance and of slopes
	along     []float64 // rates of change of u
	nextWidth float64
}
