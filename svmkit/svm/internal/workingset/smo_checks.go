package workingset

import (
	"math"

	"github.com/svmkit/course/svmkit"
)

// checkConverged is called when no active row can move. It computes all scores again, and makes a
// certificate if they say that the solution is good enough. Close to the optimum, rounding errors
// of the scores can allow steps of the same size for ever. The run therefore ends after
// mostWithoutGain calls in a row that gain nothing.
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

// mostWithoutGain, the steps between checks, the constants of flat, and the shares of
// certificateIsCheap and shrink change SMO's time on spambase (RBF, C = 1 and 100, to 1e-3) by less
// than a factor of 1.6, each from a quarter of its value to four times its value.
// Benchmark: go run -C tools ./bench -rows kernel -solver smo spambase
const mostWithoutGain = 20

// checkProgress is called between steps, as often as LIBSVM shrinks. It makes a certificate if the
// solution is good enough, if the dual objective does not rise, or if a certificate is cheap.
// Otherwise it shrinks.
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
		s.noShrinking = s.noShrinking || flat // in case shrinking was at fault
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

// flat reports whether the dual objective has not visibly risen for 100 steps per row, at least
// 20,000. It has not if it rose by no more than rounding of itself or of the gap, or if the steps
// only follow the rounding of the scores. This need not be the optimum: the objective falls short
// of the optimum only by about the square of the violation.
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

// rounding is the size of a score's rounding error: a score is a sum of β times the kernel.
func (s *smo) rounding() float64 {
	sum := 0.0
	for _, v := range s.r.Beta {
		sum += math.Abs(v)
	}
	return 1e-15 * s.scale * sum
}

// enough reports whether the active rows meet the target. It uses the sum of their Fenchel–Young
// terms. A hard margin has no finite gap before the end, and an indefinite kernel has none at all;
// for these it uses the violation max U − min L.
func (s *smo) enough() bool {
	if s.t.Hard || !s.t.Definite() {
		return s.violation() <= s.target*s.r.Tol*s.unit
	}
	if s.t.Bias == svmkit.FreeBias {
		s.bias = s.minL + (s.maxU-s.minL)/2
		if math.IsInf(s.bias, 0) || math.IsNaN(s.bias) {
			// Shrinking has left one side only: refresh makes all rows active.
			return true
		}
	}
	s.gap = s.gapAt(s.bias)
	return s.gap <= s.target*s.r.Allowed(s.dual)
}

// gapAt returns the sum of the Fenchel–Young terms of the active rows at a bias.
func (s *smo) gapAt(bias float64) (gap float64) {
	for k, i := range s.rows[:s.active] {
		gap += s.t.Loss[int(i)].Excess(s.r.Beta[i], s.score[k]+bias)
	}
	return gap
}

// tell estimates the gap for a caller who watches, and changes nothing else.
func (s *smo) tell() {
	gap, bias := math.Inf(1), s.bias
	if s.t.Bias == svmkit.FreeBias {
		bias = s.minL + (s.maxU-s.minL)/2
	}
	if !s.t.Hard && s.t.Definite() {
		gap = s.gapAt(bias)
	}
	s.r.Estimate(gap, s.dual, s.violation())
}

// certificateIsCheap reports whether a certificate would take less than a tenth of the work since
// the last one. It gives the caller a certificate to watch, and leaves a proof if the run is
// cancelled.
func (s *smo) certificateIsCheap() bool {
	return s.work-s.certified > 10*float64(countSupport(s.beta)+1)*float64(s.t.Len())
}
