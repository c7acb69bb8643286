package newton

import (
	"math"

	"github.com/svmkit/course/svmkit/internal/simd"
	"github.com/svmkit/course/svmkit/svm/internal/core"
)

// proximalPart is a range of rows, with their ramps, and what the last pass over it has found. The ranges
// depend on the data alone, and what was found is added up in their order, so the bits do not depend on
// the number of threads.
type proximalPart struct {
	from, to int // rows

	loss, excess     float64   // of advance
	z                []float64 // by how much advance has changed Σβᵢx̃ᵢ
	slope, curvature float64   // of rates and slopes
	moved, growth    int       // of enter: how many ramps came to J or left it, and by how many J has grown
}

// proximalPasses are the passes over the parts, as functions of a part's number, made once so that a
// pass allocates nothing.
type proximalPasses struct{ sides, place, advance, recentre, enter, rates, slopes func(part int) }

func newProximalPasses(s *proximalState) proximalPasses {
	return proximalPasses{sides: s.sidesPart, place: s.placePart, advance: s.advancePart, recentre: s.recentrePart,
		enter: s.enterPart, rates: s.ratesPart, slopes: s.slopesPart}
}

// do makes a pass over all parts.
func (s *proximalState) do(pass func(part int)) { s.x.crew.Do(len(s.parts), pass) }

// sides returns how many ramps a row has.
func (s *proximalState) sides() int { return len(s.at) / s.x.n }

// span returns the ramps of one side of the part's rows.
func (s *proximalState) span(p *proximalPart, side int) (from, to int) {
	return side*s.x.n + p.from, side*s.x.n + p.to
}

// room returns the part's places for rows and their coefficients, as many as it has ramps.
func (s *proximalState) room(p *proximalPart) ([]int32, []float64) {
	from, to := p.from*s.sides(), p.to*s.sides()
	return s.rows[from:to], s.coef[from:to]
}

// scores computes ⟨u,x̃ᵢ⟩ for the part's rows. They stand where the rates of the last side will.
func (s *proximalState) scores(p *proximalPart, u []float64) []float64 {
	from, to := s.span(p, s.sides()-1)
	out := s.rate[from:to]
	s.x.mulRange(out, u, p.from)
	return out
}

// sidesPart sets the signs and prices of the ramps.
func (s *proximalState) sidesPart(part int) {
	p, n := &s.parts[part], s.x.n
	for i := p.from; i < p.to; i++ {
		l := &s.t.Loss[i]
		if s.sides() == 2 {
			s.sign[i], s.price[i] = 1, l.Under
			s.sign[n+i], s.price[n+i] = -1, l.Over
		} else { // one of the two is 0
			s.sign[i], s.price[i] = math.Copysign(1, l.Under-l.Over), l.Under+l.Over
		}
	}
}

// placePart sets u from w and the anchors.
func (s *proximalState) placePart(part int) {
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

// advancePart makes the step and computes what u says: the loss, the excess and α.
func (s *proximalState) advancePart(part int) {
	p := &s.parts[part]
	p.loss, p.excess = 0, 0
	clear(p.z)
	rows, coef := s.room(p)
	for side := range s.sides() {
		from, to := s.span(p, side)
		at, anchor, price := s.at[from:to], s.anchor[from:to], s.price[from:to]
		loss, excess := simd.RampMove(s.trial, s.top, at, s.along[from:to], anchor, price)
		p.loss += loss
		p.excess += excess
		n := simd.RampValues(s.top, 1/s.width, at, price, s.sign[from:to], s.alpha[from:to], rows[:to-from], coef[:to-from])
		s.x.addRange(p.z, p.from, rows[:n], coef[:n])
	}
}

// recentrePart puts the centre to α, for the width to come.
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

// enterPart lists the rows of the ramps that have come to J, with their prices, or left it, with the
// negative ones.
func (s *proximalState) enterPart(part int) {
	p := &s.parts[part]
	rows, coef := s.room(p)
	p.moved, p.growth = 0, 0
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
			price := s.price[from+i]
			p.growth++
			if !in {
				price = -price
				p.growth -= 2
			}
			rows[p.moved], coef[p.moved] = int32(p.from+i), price
			p.moved++
		}
	}
}

// ratesPart computes how u changes along p, and the slope after a step of 1.
func (s *proximalState) ratesPart(part int) {
	p := &s.parts[part]
	scores := s.scores(p, s.p)
	for side := range s.sides() { // the last side's rates take the place of the scores
		from, to := s.span(p, side)
		rate, sign := s.rate[from:to], s.sign[from:to]
		for i, f := range scores {
			rate[i] = -sign[i] * f
		}
	}
	s.slopesPart(part)
}

// slopesPart computes the part's share of slope and curvature after a step.
func (s *proximalState) slopesPart(part int) {
	p := &s.parts[part]
	p.slope, p.curvature = 0, 0
	for side := range s.sides() {
		from, to := s.span(p, side)
		slope, curvature := simd.RampSlope(s.trial, s.top, s.at[from:to], s.rate[from:to], s.price[from:to])
		p.slope += slope
		p.curvature += curvature
	}
}

// rampSums returns slope and curvature of the penalties after a step along p; known says that the last
// pass was for this step.
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

// lag estimates by how much the gap of β, whose w is z, exceeds that of the pair (w, β). A score
// that is off by ⟨g,x̃ᵢ⟩ costs a row in J, which pays on both sides, that much times αₖ, or what is
// left to its price; with a squared loss, whose αₖ fits its score exactly, the price of the square.
// Rows that are safely on one side pay nothing at first.
//
// The sum of price·⟨g,x̃ᵢ⟩² is gᵀGg, for J as it was before the last step. With the sum of the prices it bounds that J's
// other sum, by Cauchy and Schwarz: if that is little enough there is no need to look at the rows, for a certificate
// that fails costs no more than a look.
func (s *proximalState) lag(enough float64) float64 {
	squares := max(0, s.gram.square(s.g))
	if s.t.Kind == core.Squared {
		return squares
	}
	if bound := math.Sqrt(max(0, s.priceOfJ) * squares); bound <= enough {
		return bound
	}
	sum := 0.0
	for k, u := range s.at {
		if u > 0 && u < s.top {
			off := math.Abs(s.x.dot(s.g, k%s.x.n))
			sum += max(s.alpha[k], s.price[k]-s.alpha[k]) * off
		}
	}
	return sum
}
