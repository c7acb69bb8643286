package workingset

import (
	"math"

	"github.com/svmkit/course/svmkit"
)

// checkConverged is called when no active row can move: it computes all scores anew, and makes a certificate
// if they say that the solution is good enough. Close to the optimum, roundoff in the scores can
// allow steps of its own size for ever; so the run ends where mostWithoutGain calls in a row gain nothing.
func (s *smo) checkConverged() (done bool, err error) {
	if err := s.refresh(); err != nil {
		return false, err
	}
	if s.enough() {
		if s.r.Check() || s.fetch.rows.Err != nil {
			return true, s.fetch.rows.Err
		}
		s.target /= 2
	}
	if s.dual-s.converged <= 1e-15*math.Abs(s.dual) {
		s.withoutGain++
	} else {
		s.withoutGain = 0
	}
	if s.converged = max(s.converged, s.dual); s.withoutGain < mostWithoutGain {
		return false, nil
	}
	if !s.r.Check() {
		s.r.Stall("rounding: the dual objective rises no more")
	}
	return true, s.fetch.rows.Err
}

// mostWithoutGain, the steps between checks, those of flat, and the shares of certificateIsCheap and shrink, each from
// a quarter to four times its value, change SMO's time on spambase (RBF, C = 1 and 100, to 1e-3) by less than 1.6.
const mostWithoutGain = 20

// checkProgress is called between steps, as often as LIBSVM shrinks. It makes a certificate if the solution is good
// enough, the dual objective does not rise, or a certificate is cheap; otherwise it shrinks.
func (s *smo) checkProgress() (done bool, err error) {
	flat := s.flat()
	switch {
	case s.enough() || flat:
		again := flat && s.noShrinking && s.active == s.t.Len()
		if err := s.refresh(); err != nil {
			return false, err
		}
		if s.enough() || again {
			if s.r.Check() || s.fetch.rows.Err != nil {
				return true, s.fetch.rows.Err
			}
			s.target /= 2
		}
		if again {
			s.r.Stall("rounding: the dual objective rises no more")
			return true, nil
		}
		s.noShrinking = s.noShrinking || flat // in case that shrinking was at fault
	case s.certificateIsCheap():
		s.certified = s.work
		if s.r.Check() || s.fetch.rows.Err != nil {
			return true, s.fetch.rows.Err
		}
	case !s.noShrinking:
		s.shrink()
	}
	return false, nil
}

// flat reports whether the dual objective has not visibly risen for 100 steps a row, at least 20,000: by no more than
// rounding of itself or of the gap, or with scores whose rounding is all that the steps go by. That need not be the
// optimum: the objective is short of it only by about the square of the violation.
func (s *smo) flat() bool {
	if s.dual-s.high > 1e-16*max(math.Abs(s.dual), s.gap) && s.violation() > s.rounding() {
		s.high, s.highAt = s.dual, s.steps
	}
	if s.steps-s.highAt < 100*max(s.active, 200) {
		return false
	}
	s.highAt = s.steps
	return true
}

// rounding is the size of a score's error: a score is a sum of β times the kernel.
func (s *smo) rounding() float64 {
	sum := 0.0
	for _, v := range s.r.Beta {
		sum += math.Abs(v)
	}
	return 1e-15 * s.scale * sum
}

// enough reports whether the active rows meet the target: by the sum of their Fenchel–Young terms, or,
// where there is no finite gap before the end (a hard margin) or none at all (an indefinite kernel), by the
// violation max U − min L.
func (s *smo) enough() bool {
	if s.t.Hard || !s.t.Definite() {
		return s.violation() <= s.target*s.r.Tol
	}
	if s.t.Bias == svmkit.FreeBias {
		s.bias = s.minL + (s.maxU-s.minL)/2
		if math.IsInf(s.bias, 0) || math.IsNaN(s.bias) {
			return true // shrinking has left one side only: refresh makes all rows active
		}
	}
	s.gap = 0
	for k, i := range s.rows[:s.active] {
		s.gap += s.t.Loss[int(i)].Excess(s.r.Beta[i], s.score[k]+s.bias)
	}
	return s.gap <= s.target*s.r.Tol*max(1, math.Abs(s.dual))
}

// certificateIsCheap reports whether a certificate would take less than a tenth of the work
// since the last one. It lets the caller watch, and leaves a proof if the run is cancelled.
func (s *smo) certificateIsCheap() bool {
	return s.work-s.certified > 10*float64(countSupport(s.beta)+1)*float64(s.t.Len())
}
