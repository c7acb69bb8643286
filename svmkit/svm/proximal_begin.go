package svm

import (
	"math"
	"math/rand/v2"

	"github.com/svmkit/course/svmkit"
)

// sampleOf is how many rows of the problem stand behind one of the sample, if it is large.
const sampleOf = 16

// sampleRows is how many rows a sample must have for each unknown, for its solution to be near that
// of all rows.
const sampleRows = 8

// sampleTol is the relative gap that a sample is solved to: more would be lost in the noise of the
// drawing.
const sampleTol = 1e-2

// begin finds a first point: from the β that the run starts with, from the solution of a sample of
// the rows, or w = 0.
//
// With nothing known of α, the ramps are centred about the edges, e = δ/2: where a row's score is at
// the edge, α is half of its price.
func (s *proximalState) begin() {
	s.width, s.top = 0.5, math.Inf(1)
	if s.t.squared {
		if s.started() {
			s.takeWeights()
		} else if s.sampleShare() > 0 {
			s.takeSample()
		}
		s.place()
		return
	}
	unit := s.unit()
	s.narrowest = leastWidth * unit
	s.width = firstWidth * unit
	switch {
	case s.started():
		s.width = unit
		s.takeWeights()
		n := s.t.len()
		for k := range s.anchor {
			s.anchor[k] = max(0, s.sign[k]*s.r.beta[k%n]) * s.width / s.price[k]
		}
		s.top = s.width
		s.place()
		return
	case s.sampleShare() > 0:
		s.width = s.takeSample()
	case s.x.bias && s.t.twoSided():
		s.w[s.t.dim] = s.middle()
	}
	s.top = s.width
	for k := range s.anchor {
		s.anchor[k] = s.width / 2
	}
	s.place()
}

func (s *proximalState) started() bool {
	for _, b := range s.r.beta {
		if b != 0 {
			return true
		}
	}
	return false
}

// takeWeights sets w to Σβᵢxᵢ for the β that the run starts with, and b to its best value.
func (s *proximalState) takeWeights() {
	rows, coef := make([]int32, 0, s.t.len()), make([]float64, 0, s.t.len())
	for i, b := range s.r.beta {
		if b != 0 {
			rows, coef = append(rows, int32(i)), append(coef, b)
		}
	}
	s.x.addRows(s.w, rows, coef)
	if s.t.bias == svmkit.FreeBias {
		s.w[s.t.dim] = 0
		scores := s.rate[:s.x.n]
		s.x.mul(scores, s.w)
		from, to := s.t.bestBias(scores)
		s.w[s.t.dim] = from + (to-from)/2
	}
}

// unit is the unit of the scores: 1 in classification, in regression the mean distance of the targets
// from their mean.
func (s *proximalState) unit() float64 {
	if !s.t.twoSided() {
		return 1
	}
	middle, sum := s.middle(), 0.0
	for i, low := range s.t.low {
		sum += math.Abs(low+(s.t.high[i]-low)/2-middle) / float64(s.t.len())
	}
	if sum == 0 {
		return max(1, math.Abs(middle))
	}
	return sum
}

// middle is the mean of the targets.
func (s *proximalState) middle() float64 {
	sum := 0.0
	for i, low := range s.t.low {
		sum += (low + (s.t.high[i]-low)/2) / float64(s.t.len())
	}
	return sum
}

// leastShare is what sampleOf may fall to on smaller sets with a squared loss. There a sample saves steps
// of all rows; with the others, whose ramps have to become steep all the same, it does not.
const leastShare = 4

// leastRows is how many rows make steps that are worth saving.
const leastRows = 2000

// sampleShare is how many rows stand behind one of the sample, 0 if there is to be none.
func (s *proximalState) sampleShare() int {
	share := min(sampleOf, s.t.len()/(sampleRows*s.x.m))
	if share == sampleOf || s.t.squared && share >= leastShare && s.t.len() >= leastRows {
		return share
	}
	return 0
}

// takeSample solves the problem for one row of each sampleShare, drawn at random, and takes its w. It
// returns the width that the sample's solution ended with.
func (s *proximalState) takeSample() (width float64) {
	t, n := *s.t, s.t.len()
	rng := rand.New(rand.NewPCG(s.r.Seed, 0))
	of := s.sampleShare()
	size := (n + of - 1) / of
	t.x, t.rows = make([]svmkit.Row, size), nil
	t.low, t.high, t.under, t.over = t.memory.floats(size), t.memory.floats(size), t.memory.floats(size), t.memory.floats(size)
	for k := range size {
		from := k * of
		size := min(of, n-from)
		i := from + rng.IntN(size)
		price := float64(size)
		t.x[k], t.low[k], t.high[k] = s.t.x[i], s.t.low[i], s.t.high[i]
		t.under[k], t.over[k] = price*s.t.under[i], price*s.t.over[i]
	}
	sample := newProximalState(&t, s.r.quiet(&t), newDesign(s.x.ctx, &t, s.x.crew))
	sample.begin()
	sample.descend(sampleTol, true)
	copy(s.w, sample.w)
	return sample.width
}

// quiet returns a run for a part of the problem: it shares the context and the limits, and never
// certifies.
func (r *run) quiet(t *task) *run {
	part := *r
	part.t, part.beta, part.Progress, part.Best = t, t.memory.zeros(t.len()), nil, nil
	return &part
}
