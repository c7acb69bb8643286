package newton

import (
	"cmp"
	"math"
	"math/rand/v2"
	"slices"

	"github.com/svmkit/course/svmkit"
	"github.com/svmkit/course/svmkit/svm/internal/core"
)

// The benchmark's linear rows chose these constants.
const (
	// firstWidth is δ at the start, in units of the score. At w = 0 all rows are then on a slope.
	// With 1 there are 8 % more steps, with 16 1 % more.
	firstWidth = 4
	// leastWidth bounds δ from below, in units of the score, because uₖ = eₖ + vₖ must keep digits
	// of vₖ. No row depends on it from 1e-12 to 1e-6.
	leastWidth = 1e-10

	// The sample has one row in sampleOf. With 64 a9a takes 45 % longer. With 4 there are 12 %
	// fewer steps, and the sample takes the time that they save.
	sampleOf = 16
	// sampleRows is the least number of rows of the sample per unknown, so that its solution is
	// near the solution of all rows. With 32 a9a has no sample and takes 50 % longer; with 2 there
	// are 5 % more steps.
	sampleRows = 8
	// With a squared loss, the sample may have up to one row in leastShare, for sets of at least
	// leastRows rows. Otherwise squared hinge on mushrooms makes 11 steps instead of 9 and takes 30
	// % longer. With the other losses, whose ramps have to become steep in any case, such a sample
	// saves no steps. No set has fewer than leastRows rows.
	leastShare, leastRows = 4, 2000
	// sampleTol is the relative gap of the sample's solution. With 0.1, magic and cadata to 1e-3
	// take 30 % longer; with 0.001 there are 2 % more steps.
	sampleTol = 1e-2
)

// start sets the first point: the β that the run starts with, the solution of a sample of the rows,
// or w = 0. If α is unknown, the ramps are centred about the edges, e = δ/2, so that a row with its
// score at the edge has α = c/2.
func (s *proximalState) start() {
	s.width, s.top = 0.5, math.Inf(1)
	if s.t.Kind == core.Squared {
		if s.hasStart() {
			s.startFromBeta()
		} else if s.sampleShare() > 0 {
			s.startFromSample()
		}
		s.evaluate()
		return
	}
	unit := s.scoreUnit()
	s.narrowest = leastWidth * unit
	s.width = firstWidth * unit
	switch {
	case s.hasStart():
		s.width = unit
		s.startFromBeta()
		n := s.t.Len()
		for k := range s.anchor {
			s.anchor[k] = max(0, s.sign[k]*s.r.Beta[k%n]) * s.width / s.cost[k]
		}
		s.top = s.width
		s.evaluate()
		return
	case s.sampleShare() > 0:
		s.width = s.startFromSample()
	case s.x.bias && s.t.TwoSided:
		s.w[s.t.Dim] = s.meanTarget()
	}
	s.top = s.width
	for k := range s.anchor {
		s.anchor[k] = s.width / 2
	}
	s.evaluate()
}

func (s *proximalState) hasStart() bool {
	return slices.ContainsFunc(s.r.Beta, func(b float64) bool { return b != 0 })
}

// startFromBeta sets w to Σβᵢxᵢ for the β that the run starts with, and b to its best value.
func (s *proximalState) startFromBeta() {
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

// scoreUnit returns the unit of the scores: 1 in classification, and the mean distance of the
// targets from their mean in regression.
func (s *proximalState) scoreUnit() float64 {
	if !s.t.TwoSided {
		return 1
	}
	mean, sum := s.meanTarget(), 0.0
	for i := range s.t.Loss {
		sum += math.Abs(target(&s.t.Loss[i])-mean) / float64(s.t.Len())
	}
	if sum == 0 {
		return cmp.Or(math.Abs(mean), 1)
	}
	return sum
}

func (s *proximalState) meanTarget() float64 {
	sum := 0.0
	for i := range s.t.Loss {
		sum += target(&s.t.Loss[i]) / float64(s.t.Len())
	}
	return sum
}

// target is the middle of a row's range of scores.
func target(l *core.Loss) float64 { return l.Low + (l.High-l.Low)/2 }

// sampleShare returns how many rows there are per row of the sample, and 0 if there is no sample.
func (s *proximalState) sampleShare() int {
	share := min(sampleOf, s.t.Len()/(sampleRows*s.x.m))
	if share == sampleOf || s.t.Kind == core.Squared && share >= leastShare &&
		s.t.Len() >= leastRows {
		return share
	}
	return 0
}

// startFromSample draws one row at random from every sampleShare rows, multiplies its cost by their
// number, solves this problem, and takes its w. It returns the width with which the solution ended.
func (s *proximalState) startFromSample() (width float64) {
	n, of := s.t.Len(), s.sampleShare()
	rng := rand.New(rand.NewPCG(s.r.Seed, 0))
	t := s.t.Part((n+of-1)/of, func(k int) (i int, factor float64) {
		size := min(of, n-k*of)
		return k*of + rng.IntN(size), float64(size)
	})
	r := s.r.Part(t)
	sample := newProximalState(t, r, newDesign(r, t))
	sample.start()
	sample.descend(sampleTol, true)
	copy(s.w, sample.w)
	return sample.width
}
