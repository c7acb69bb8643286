package main

import (
	"context"
	"errors"
	"fmt"
	"math"
	"reflect"
	"runtime"
	"runtime/debug"
	"strings"
	"time"

	"github.com/svmkit/course/internal/exactgap"
	"github.com/svmkit/course/svmkit"
	"github.com/svmkit/course/svmkit/loss"
	"github.com/svmkit/course/svmkit/svm"
)

// The limits of what is no fault.
const (
	tameGap   = 1e-6 // a well scaled problem ends with a relative gap below
	rounding  = 1e-9 // of two objectives of the size 1, computed in two ways
	overTime  = 10   // a fit whose context has ended comes back within so many times its limit, or hangs
	smallTime = 1500 * time.Millisecond
	bigTime   = 20 * time.Second
	again     = 6 // one fit of so many is made twice, and has to give the same bits
)

// A fault is what must not happen, with what it takes to see it again.
type fault struct {
	Seed, Number uint64
	Big          bool
	Solver       string
	What         string
	Problem      string
}

func (f fault) String() string {
	return fmt.Sprintf("-seed %d -problem %d -big=%v: %s: %s [%s]", f.Seed, f.Number, f.Big, f.Solver, f.What, f.Problem)
}

// A score is what one solver did.
type score struct {
	Fits, Optimal, Stalled, IterationLimit, OutOfTime, Other int

	Slow int // well scaled but badly conditioned problems left above tameGap by a method of first order

	WorstGap     float64 // relative and finite, of well scaled problems that did not end as Optimal
	WorstHostile float64 // of the others
	Unbounded    int     // fits without a hard margin that ended with an infinite gap: JSON has no word for that
	WorstSeconds float64
	WorstNumber  uint64 // the problem that took them
}

// A soak counts what a run of trials found.
type soak struct {
	seed     uint64
	Problems int
	Scores   map[string]*score
	Faults   []fault
	Exact    int // certificates confirmed in higher precision
	Planes   int // certificates of a plane, not of β alone
	Oracles  int // problems with the oracle's answer
	Same     int // fits made twice, to the same bits

	Unsolved []fault // no faults, but not optimal either: hostile or badly conditioned
}

func newSoak(seed uint64) *soak { return &soak{seed: seed, Scores: map[string]*score{}} }

func (s *soak) fault(t *trial, m candidate, format string, args ...any) {
	s.Faults = append(s.Faults, fault{s.seed, t.number, t.big, m.name, fmt.Sprintf(format, args...), t.name})
}

// outcome is what came of a fit.
type outcome struct {
	result *svm.Result
	err    error
	panics string
}

// errHangs says that a fit did not return though its context had long ended.
var errHangs = errors.New("does not return")

func fit(t *trial, m candidate, limit time.Duration) outcome {
	ctx, cancel := context.WithTimeout(context.Background(), limit)
	defer cancel()
	done := make(chan outcome, 1)
	go func() {
		var o outcome
		defer func() {
			if v := recover(); v != nil {
				o.panics = fmt.Sprintf("%v\n%s", v, debug.Stack())
			}
			done <- o
		}()
		o.result, o.err = svm.Fit(ctx, t.Problem, m.solver, &svm.Settings{Tol: t.tolerance(m), Seed: t.number})
	}()
	select {
	case o := <-done:
		return o
	case <-time.After(overTime * limit):
		return outcome{err: errHangs}
	}
}

// tolerance asks no more of a solver than it is made for: the gap of Pegasos falls as 1/t.
func (t *trial) tolerance(m candidate) float64 {
	switch m.name {
	case "Pegasos":
		return 0.1
	case "SDCA":
		return max(t.tol, 1e-3)
	}
	return t.tol
}

// try fits a trial with all candidates that accept it and compares them. It returns false if one hangs.
func (s *soak) try(t *trial) bool {
	s.Problems++
	limit := smallTime
	if t.big {
		limit = bigTime
	}
	dual, primal := math.Inf(-1), math.Inf(1)
	var dualBy, primalBy string
	for k, m := range candidates {
		if !m.accepts(t) || m.solver == nil && t.number%4 > 0 {
			continue
		}
		begin := time.Now()
		o := fit(t, m, limit)
		seconds := time.Since(begin).Seconds()
		if errors.Is(o.err, errHangs) {
			s.fault(t, m, "hangs")
			return false
		}
		r := s.judge(t, m, o, seconds)
		if r == nil {
			continue
		}
		unsure := t.rounding(r)
		if low := r.Primal - r.Gap - unsure; low > dual {
			dual, dualBy = low, m.name
		}
		if high := r.Primal + unsure; high < primal {
			primal, primalBy = high, m.name
		}
		if int(t.number+uint64(k))%again == 0 && r.Status != svmkit.Cancelled && seconds < 1 {
			second := fit(t, m, limit)
			if second.result == nil || second.result.Status != svmkit.Cancelled &&
				(!reflect.DeepEqual(second.result.Beta, r.Beta) || second.result.Model.Bias != r.Model.Bias) {
				s.fault(t, m, "the same seed gives other bits")
			}
			s.Same++
		}
	}
	if dual > primal {
		s.fault(t, candidate{name: dualBy}, "proves ≥ %.12g, but %s reaches %.12g", dual, primalBy, primal)
	}
	if optimum, ok := oracle(t); ok {
		s.Oracles++
		if unit := max(1, math.Abs(optimum)); dual > optimum+oracleTol*unit || primal < optimum-oracleTol*unit {
			s.fault(t, candidate{name: dualBy + "/" + primalBy}, "the oracle's %.12g is not in [%.12g, %.12g]", optimum, dual, primal)
		}
	}
	return true
}

// rounding is by how much the objectives of a result may be wrong.
func (t *trial) rounding(r *svm.Result) float64 {
	unsure := rounding * max(1, math.Abs(r.Primal))
	if !t.hard {
		unsure += exactgap.Rounding(t.Problem, r)
	}
	return unsure
}

// judge counts a fit and returns its result, if there is one that others can be compared to.
func (s *soak) judge(t *trial, m candidate, o outcome, seconds float64) *svm.Result {
	c := s.Scores[m.name]
	if c == nil {
		c = &score{}
		s.Scores[m.name] = c
	}
	c.Fits++
	if seconds > c.WorstSeconds {
		c.WorstSeconds, c.WorstNumber = seconds, t.number
	}
	var inseparable *svm.InseparableError
	switch {
	case o.panics != "":
		s.fault(t, m, "panic: %s", o.panics)
		return nil
	case t.hard && errors.As(o.err, &inseparable):
		c.Other++
		return nil
	case o.err != nil && !errors.Is(o.err, context.DeadlineExceeded):
		s.fault(t, m, "error: %v", o.err)
		return nil
	}
	r := o.result
	gap := r.RelativeGap()
	if math.IsNaN(gap) || r.Gap < 0 {
		s.fault(t, m, "gap %v", r.Gap)
		return nil
	}
	switch r.Status {
	case svmkit.Optimal:
		c.Optimal++
		s.confirm(t, m, r)
	case svmkit.Stalled:
		c.Stalled++
	case svmkit.IterationLimit:
		c.IterationLimit++
	case svmkit.Cancelled:
		c.OutOfTime++
	default:
		c.Other++
	}
	if r.Status != svmkit.Optimal && !t.hard {
		if gap > tameGap && !m.learner {
			s.Unsolved = append(s.Unsolved, fault{s.seed, t.number, t.big, m.name, fmt.Sprintf("%v (%s): %.2g after %d iterations, %.1f s", r.Status, r.Reason, gap, r.Iterations, seconds), t.name})
		}
		worst := &c.WorstGap
		if t.hostile {
			worst = &c.WorstHostile
		}
		if math.IsInf(gap, 1) {
			c.Unbounded++
		} else {
			*worst = max(*worst, gap)
		}
		if !t.hostile {
			if gap > tameGap && t.maySlow(m, r) {
				c.Slow++
			} else if gap > tameGap && !m.learner && r.Status != svmkit.Cancelled { // a busy machine is no fault; it is counted
				s.fault(t, m, "%v (%s): relative gap %.2g, KKT %.2g after %d iterations, %.1f s", r.Status, r.Reason, gap, r.KKT, r.Iterations, seconds)
			}
		}
	}
	return r
}

// confirm checks what a result says of itself: by a new certificate, and in higher precision.
func (s *soak) confirm(t *trial, m candidate, r *svm.Result) {
	tol := t.tolerance(m)
	if r.RelativeGap() > tol {
		s.fault(t, m, "optimal with a relative gap of %.3g", r.RelativeGap())
	}
	proof, err := t.Certify(r.Beta)
	if err != nil {
		s.fault(t, m, "certified again: %v", err)
		return
	}
	_, logistic := t.Loss.(loss.Logistic)
	exactly := t.Kernel == nil && !t.hard && !logistic && t.Data.Len()*t.Data.Dim < 2000
	if proof.Gap > r.Gap+t.rounding(r) && proof.RelativeGap() > tol {
		if !strings.Contains(r.Trace.String(), "Newton") {
			s.fault(t, m, "optimal, %.3g; certified again, the relative gap is %.3g", r.RelativeGap(), proof.RelativeGap())
			return
		}
		s.Planes++
	}
	if exactly {
		s.Exact++
		gap, slack := exactgap.Linear(t.Problem, r)
		if allowed := t.rounding(r); math.Abs(gap-r.Gap) > allowed+2*slack {
			s.fault(t, m, "gap %.6g; in higher precision %.6g ± %.2g, objective %.6g; rounding explains %.2g", r.Gap, gap, slack, r.Primal, allowed)
		}
	}
}

// heap returns how much memory is in use, after a collection.
func heap() uint64 {
	runtime.GC()
	var m runtime.MemStats
	runtime.ReadMemStats(&m)
	return m.HeapAlloc
}
