package newton

import (
	"math"
	"math/rand/v2"

	"github.com/svmkit/course/svmkit"
	"github.com/svmkit/course/svmkit/svm/internal/core"
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
	if s.t.Kind == core.Squared {
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
		n := s.t.Len()
		for k := range s.anchor {
			s.anchor[k] = max(0, s.sign[k]*s.r.Beta[k%n]) * s.width / s.price[k]
		}
		s.top = s.width
		s.place()
		return
	case s.sampleShare() > 0:
		s.width = s.takeSample()
	case s.x.bias && s.t.TwoSided():
		s.w[s.t.Dim] = s.middle()
	}
	s.top = s.width
	for k := range s.anchor {
		s.anchor[k] = s.width / 2
	}
	s.place()
}

func (s *proximalState) started() bool {
	for _, b := range s.r.Beta {
		if b != 0 {
			return true
		}
	}
	return false
}

// takeWeights sets w to Σβᵢxᵢ for the β that the run starts with, and b to its best value.
func (s *proximalState) takeWeights() {
	rows, coef := make([]int32, 0, s.t.Len()), make([]float64, 0, s.t.Len())
	for i, b := range s.r.Beta {
		if b != 0 {
			rows, coef = append(rows, int32(i)), append(coef, b)
		}
	}
	s.x.addRows(s.w, rows, coef)
	if s.t.Bias == svmkit.FreeBias {
		s.w[s.t.Dim] = 0
		scores := s.rate[:s.x.n]
		s.x.mul(scores, s.w)
		from, to := s.t.BestBias(scores)
		s.w[s.t.Dim] = from + (to-from)/2
	}
}

// unit is the unit of the scores: 1 in classification, in regression the mean distance of the targets
// from their mean.
func (s *proximalState) unit() float64 {
	if !s.t.TwoSided() {
		return 1
	}
	middle, sum := s.middle(), 0.0
	for i := range s.t.Loss {
		sum += math.Abs(target(&s.t.Loss[i])-middle) / float64(s.t.Len())
	}
	if sum == 0 {
		return max(1, math.Abs(middle))
	}
	return sum
}

// middle is the mean of the targets.
func (s *proximalState) middle() float64 {
	sum := 0.0
	for i := range s.t.Loss {
		sum += target(&s.t.Loss[i]) / float64(s.t.Len())
	}
	return sum
}

// target is the middle of a row's range of scores.
func target(l *core.Loss) float64 { return l.Low + (l.High-l.Low)/2 }

// leastShare is what sampleOf may fall to on smaller sets with a squared loss. There a sample saves steps
// of all rows; with the others, whose ramps have to become steep all the same, it does not.
const leastShare = 4

// leastRows is how many rows make steps that are worth saving.
const leastRows = 2000

// sampleShare is how many rows stand behind one of the sample, 0 if there is to be none.
func (s *proximalState) sampleShare() int {
	share := min(sampleOf, s.t.Len()/(sampleRows*s.x.m))
	if share == sampleOf || s.t.Kind == core.Squared && share >= leastShare && s.t.Len() >= leastRows {
		return share
	}
	return 0
}

// takeSample solves the problem for one row of each sampleShare, drawn at random, and takes its w. It
// returns the width that the sample's solution ended with.
func (s *proximalState) takeSample() (width float64) {
	n, of := s.t.Len(), s.sampleShare()
	rng := rand.New(rand.NewPCG(s.r.Seed, 0))
	t := s.t.Part((n+of-1)/of, func(k int) (i int, factor float64) {
		size := min(of, n-k*of)
		return k*of + rng.IntN(size), float64(size)
	})
	sample := newProximalState(t, s.r.Part(t), newDesign(s.x.ctx, t, s.x.crew))
	sample.begin()
	sample.descend(sampleTol, true)
	copy(s.w, sample.w)
	return sample.width
}
