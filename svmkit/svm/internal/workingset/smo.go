// Package workingset holds the solvers of the kernel problem: sequential minimal optimisation, and
// decomposition by working sets of many rows.
//
// A comment that names the benchmark but no command means
//
//	go run -C tools ./bench -rows kernel
package workingset

import (
	"math"

	"github.com/svmkit/course/svmkit"
	"github.com/svmkit/course/svmkit/internal/kernelsums"
	"github.com/svmkit/course/svmkit/svm/internal/core"
)

// SMO is sequential minimal optimisation, for every kernel and every loss but the logistic one.
//
// Problem: ½‖w‖² + Σᵢ φᵢ(f(xᵢ)), see [core.Task]. The dual, as a minimum over the boxes of β, is
//
//	minimise  ½ Σᵢⱼ βᵢβⱼKᵢⱼ − Σᵢ dᵢ(βᵢ)        and Σβᵢ = 0 if the bias is free
//
// Optimality: with the scores sᵢ = Σⱼ βⱼKᵢⱼ, the dual objective changes at the rate Uᵢ = dᵢ′(βᵢ+) −
// sᵢ when βᵢ rises and −Lᵢ = sᵢ − dᵢ′(βᵢ−) when it falls (Uᵢ = −∞ and Lᵢ = +∞ at the ends of the
// box). β is optimal if and only if max U ≤ min L; every number in between is then a bias.
//
// Update: take the row i with the largest U and the row j, Lⱼ < Uᵢ, with the largest gain (Uᵢ −
// Lⱼ)²/(Kᵢᵢ + Kⱼⱼ − 2Kᵢⱼ), and solve the problem in these two variables exactly. βᵢ rises and βⱼ
// falls by
//
//	δ = (Uᵢ − Lⱼ)/(Kᵢᵢ + Kⱼⱼ − 2Kᵢⱼ)
//
// or to the end of a box. A squared loss adds 1/(2cᵢ) to Kᵢᵢ. In regression βᵢ = αᵢ⁻ − αᵢ⁺ is one
// variable, whereas LIBSVM has two: dᵢ has a kink at 0, where the slope drops by 2ε, and δ is found
// piece by piece, on at most three pieces. If Σβᵢ = 0 is not required, because the bias is
// penalized or absent, one variable moves at a time, the one with the largest gain.
//
// Source: R.-E. Fan, P.-H. Chen, C.-J. Lin, "Working set selection using second order information
// for training SVM", JMLR 6 (2005), Algorithm 2 (WSS 2); shrinking as in C.-C. Chang, C.-J. Lin,
// "LIBSVM", section 5.1. Unlike there, all scores are computed again from the data before a
// certificate is made.
type SMO struct { // its fields are those of svm.SMO
	CacheBytes  int64
	NoShrinking bool
}

func (SMO) Name() string { return "SMO" }

func (o SMO) Accepts(f core.Form) error {
	switch {
	case f.Kind == core.Logistic:
		return &svmkit.ParamError{Name: "Solver", Value: "SMO",
			Need: "does not support the logistic loss", Hint: "use Newton"}
	case o.CacheBytes < 0:
		return &svmkit.ParamError{Name: "CacheBytes", Value: o.CacheBytes,
			Need: "must be positive (0 means 256 MiB)"}
	}
	return nil
}

func (o SMO) Solve(t *core.Task, r *core.Run) error {
	s, err := newSMO(o, t, r)
	if err == nil {
		err = s.refresh()
	}
	if err == nil {
		err = s.optimise()
	}
	if r.Interrupted() {
		r.Ended()
		// Fit reports the error of ctx with the best model.
		return nil
	}
	return err
}

func newSMO(o SMO, t *core.Task, r *core.Run) (*smo, error) {
	n := t.Len()
	if o.CacheBytes == 0 {
		o.CacheBytes = 256 << 20
	}
	s := &smo{noShrinking: o.NoShrinking, variables: newVariables(t, r, kernelsums.Numbers(n), r.Beta),
		active: n, target: 0.9,
		unit: t.ScoreUnit(), high: math.Inf(-1), converged: math.Inf(-1)}
	s.fetch = kernelFetcher{run: r, rows: t.KernelRows(), cache: newRowCache(n, o.CacheBytes, segmentNumbers)}
	s.fetch.evaluator = s.fetch.rows.Evaluator()
	var err error
	if s.diagQ, err = s.fetch.diagonal(); err != nil {
		return nil, err
	}
	for k := range s.diagQ {
		s.scale = max(s.scale, math.Abs(s.diagQ[k]))
		if t.Bias == svmkit.PenalizedBias {
			s.diagQ[k]++
		}
	}
	s.leastCurvature = flatShare * s.scale
	return s, nil
}

// optimise takes steps until the certificate is good enough, or nothing helps.
//
// Invariant: r.Beta is feasible, and score, up and down belong to it at all active positions. A
// shrunk row counts as optimal until the next refresh.
func (s *smo) optimise() error {
	for last := s.steps; !s.r.Ended(); {
		moved, err := s.step()
		if err != nil {
			return err
		}
		if s.r.Watched() && s.steps%64 == 0 { // costs less than a hundredth of these steps
			s.tell()
		}
		switch {
		case !moved && s.r.Interrupted():
			return nil
		case !moved && s.fresh:
			if !s.r.Check() {
				s.r.Stall("rounding: no step changes β or improves the dual objective")
			}
			return s.fetch.rows.Err
		case !moved:
			if done, err := s.checkConverged(); done || err != nil {
				return err
			}
		case s.steps-last >= min(s.active, 1000):
			last = s.steps
			if done, err := s.checkProgress(); done || err != nil {
				return err
			}
		}
	}
	return nil
}
