package newton

import (
	"math"

	"github.com/svmkit/course/svmkit/svm/internal/core"
)

// descend makes steps until the gap is at most tol relative to the primal objective. If rough is
// set, the gap is the state's own gap, and otherwise the gap of a certificate. It returns false if
// it gets no further.
func (s *proximalState) descend(tol float64, rough bool) bool {
	least, stalled, inner, failed, lagging := math.Inf(1), 0, 0, 0, 0
	mayStall := min(max(leastStall, 2*s.x.n), mostStall)
	for !s.r.Ended() {
		gap, target := s.excess+s.residual, tol*s.t.Size(s.primal())
		if math.IsNaN(gap) {
			return false
		}
		if gap <= target {
			if rough {
				return true
			}
			if lagging++; gap+s.lag(target-gap) <= target {
				if s.check() {
					return true
				}
				// No step is left, and the gap of the certificate is rounding.
				if gap == 0 {
					return s.checkPlane()
				}
				for gap <= tol*s.t.Size(s.primal()) { // a step comes before the next certificate
					tol /= 4
				}
				continue
			}
			if lagging > lagSteps && s.checkPlane() {
				return true
			}
		}
		if stalled++; gap < progress*least {
			least, stalled = gap, 0
		}
		if stalled > mayStall || failed > mostFailures {
			return false
		}
		if s.t.Kind != core.Squared && s.width > s.narrowest && gap > target &&
			(s.residual <= innerShare*gap || failed > 0) {
			s.recentre(s.width / shrinkage(inner))
			inner = 0
			// The caller wants certificates on the way.
			if s.r.Progress != nil && s.check() {
				return true
			}
		}
		switch solved := s.residual <= innerSolved*target && s.width > s.narrowest; {
		case s.step():
			failed = 0
		case s.t.Kind == core.Squared || !solved:
			failed++
		}
		inner++
	}
	return true
}

// check certifies β.
func (s *proximalState) check() bool {
	s.setBeta()
	return s.r.Check()
}

// checkPlane certifies (w, b) and β. It is for the case that rounding keeps Σβᵢxᵢ away from the
// optimum, as with columns of size 10⁶.
func (s *proximalState) checkPlane() bool {
	s.setBeta()
	return s.r.CheckPlane(s.w)
}

// shrinkage returns the number by which δ is divided after an inner problem of the given number of
// steps.
func shrinkage(inner int) float64 {
	switch {
	case inner > holdAfter:
		return 1
	case inner > slowAfter:
		return slowShrink
	}
	return fastShrink
}

// step makes one step of Newton's method. It returns false if there is no direction of descent, up
// to rounding.
func (s *proximalState) step() bool {
	if s.age++; s.age > rebuildAfter {
		s.refresh()
	}
	length, ok := 0.0, s.direct()
	if ok {
		length, ok = s.search()
	}
	if !ok {
		if s.age > 0 {
			s.age = rebuildAfter // accumulated rounding may be the reason
		}
		return false
	}
	s.move(length)
	s.r.Updates++
	return true
}

// search returns the step along p to a point where the slope of the smoothed objective is at most
// slopeShare times the slope at 0; ok is false if p is no direction of descent, up to rounding.
func (s *proximalState) search() (step float64, ok bool) {
	var first, linear, square float64
	for j, p := range s.p {
		first += s.g[j] * p
		linear += s.ridge[j] * s.w[j] * p
		square += s.ridge[j] * p * p
	}
	if !(first < 0) {
		return 0, false
	}
	s.trial = 1 // the first step of minimizeRay
	s.do(s.pass.rates)
	s.r.Iterations++
	known := true
	return minimizeRay(func(step float64) (slope, curvature float64, enough bool) {
		slope, curvature = s.rampSums(step, known)
		known = false
		slope, curvature = linear+step*square+slope/s.width, square+curvature/s.width
		return slope, curvature, math.Abs(slope) <= slopeShare*-first
	})
}

// Each constant states what it changes on the benchmark's linear rows: hinge, squared hinge or tube
// on the nine sets with few columns, to 1e-3 and 1e-6, on one thread. Without a change, times
// differ by 4 %. Benchmark: go run -C tools ./bench -rows linear -threads 1
const (
	// innerShare is the largest share of the gap that ½‖w − Σβᵢxᵢ‖² may have when the centre moves.
	// With 0.125 there are 6 % more steps, with 0.9 3 % more; satellite, hinge to 1e-3, then has 24
	// instead of 16.
	innerShare = 0.5
	// innerSolved is the share of the required gap below which ½‖w − Σβᵢxᵢ‖² needs no step: the
	// inner problem is solved, and the centre has to move. It is for an optimum at w = 0. No row
	// depends on it from 0 to 0.08.
	innerSolved = 0.01
	// δ is divided by fastShrink, by slowShrink after more than slowAfter steps of an inner
	// problem, and by 1 after more than holdAfter steps. With a fastShrink of 6 there are 10 % more
	// steps, with 1.5 5 % fewer, but half as many again for the tube on cadata to 1e-3. With a
	// slowShrink of 2.5 there are 2 % more. A slowAfter of 3 or 12 changes 1 %, a holdAfter of 6 or
	// 1,000 less.
	fastShrink, slowShrink = 2.5, 1.5
	slowAfter, holdAfter   = 6, 12
	// A gap counts as progress if it is at most progress times the least gap so far. Two steps per
	// row may pass without progress, but at least leastStall and at most mostStall. With more
	// columns than rows, steps may move hardly more than one ramp into J or out of it, and a random
	// problem of few rows has needed 118. No row depends on these constants, because none takes 60
	// steps.
	progress              = 0.9
	leastStall, mostStall = 100, 400
	// lagSteps is how many steps the gap of Σβᵢxᵢ may stay behind the gap of (w, b) before (w, b)
	// itself is certified. No row depends on it from 8 to 32; with 2 there are 1 % fewer steps, and
	// other certificates.
	lagSteps = 8
	// mostFailures is how many steps in a row may fail. No row depends on it from 1 to 12.
	mostFailures = 3
)
