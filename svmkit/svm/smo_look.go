package svm

import (
	"math"

	"github.com/svmkit/course/svmkit"
)

// What SMO does between its steps: see how far it is, rest, and end.

// rest is what happens when no active row can move: all rows are looked at with scores computed
// anew, and if that was enough, a certificate is made. Close to the optimum, rounding in these
// scores can make every step one of rounding size, with a rest after it; rests that gain
// nothing end the run.
func (s *smo) rest() (done bool, err error) {
	if err := s.refresh(); err != nil {
		return false, err
	}
	if s.enough() {
		if s.r.check() || s.fetch.rows.err != nil {
			return true, s.fetch.rows.err
		}
		s.target /= 2
	}
	if s.dual-s.rested <= 1e-15*math.Abs(s.dual) {
		s.idle++
	} else {
		s.idle = 0
	}
	if s.rested = max(s.rested, s.dual); s.idle < idleRests {
		return false, nil
	}
	if !s.r.check() {
		s.r.stall("rounding: the dual objective rises no more")
	}
	return true, s.fetch.rows.err
}

// idleRests is how many rests in a row may gain nothing.
const idleRests = 20

// look is what happens every now and then between steps: see whether that was enough, or was
// for nothing; pay for a certificate; shrink.
func (s *smo) look() (done bool, err error) {
	flat := s.flat()
	switch {
	case s.enough() || flat:
		again := flat && s.NoShrinking && s.active == s.t.len()
		if err := s.refresh(); err != nil {
			return false, err
		}
		if s.enough() || again {
			if s.r.check() || s.fetch.rows.err != nil {
				return true, s.fetch.rows.err
			}
			s.target /= 2
		}
		if again {
			s.r.stall("rounding: the dual objective rises no more")
			return true, nil
		}
		s.NoShrinking = s.NoShrinking || flat // to see whether it was the few rows that are active
	case s.certificateIsCheap():
		s.paid = s.work
		if s.r.check() || s.fetch.rows.err != nil {
			return true, s.fetch.rows.err
		}
	case !s.NoShrinking:
		s.shrink()
	}
	return false, nil
}

// flat reports whether the dual objective has not visibly risen for 100 steps a row, at least
// 20,000. Close to the optimum that need not be the end: it falls short of it only by about the
// square of the violation.
func (s *smo) flat() bool {
	if s.dual-s.high > 1e-16*math.Abs(s.dual) {
		s.high, s.highAt = s.dual, s.steps
	}
	if s.steps-s.highAt < 100*max(s.active, 200) {
		return false
	}
	s.highAt = s.steps
	return true
}

// enough is the cheap measure: the duality gap of the active rows by Fenchel and Young, or,
// where a gap says nothing before the end (a hard margin) or at all (an indefinite kernel), the
// violation max U − min L.
func (s *smo) enough() bool {
	if s.t.hard() || !s.t.definite() {
		return s.violation() <= s.target*s.r.Tol
	}
	if s.t.bias == svmkit.FreeBias {
		s.bias = s.least + (s.most-s.least)/2
		if math.IsInf(s.bias, 0) || math.IsNaN(s.bias) {
			return true // shrinking left one side only: look at all rows
		}
	}
	gap := 0.0
	for k, i := range s.order[:s.active] {
		gap += s.t.excess(int(i), s.r.beta[i], s.score[k]+s.bias)
	}
	return gap <= s.target*s.r.Tol*max(1, math.Abs(s.dual))
}

func (s *smo) violation() float64 {
	if s.t.bias == svmkit.FreeBias {
		return s.most - s.least
	}
	worst := 0.0
	for k := range s.active {
		f := s.score[k] + s.bias
		worst = max(worst, s.up[k]-f, f-s.down[k])
	}
	return worst
}

// certificateIsCheap reports whether a certificate would take less than a tenth of the work
// since the last one. It lets the caller watch, and leaves a proof if the run is cancelled.
func (s *smo) certificateIsCheap() bool {
	support := 0
	for _, v := range s.r.beta {
		if v != 0 {
			support++
		}
	}
	return s.work-s.paid > 10*float64(support+1)*float64(s.t.len())
}
