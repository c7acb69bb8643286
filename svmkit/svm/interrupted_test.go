package svm_test

import (
	"context"
	"errors"
	"math"
	"testing"
	"time"

	"github.com/svmkit/course/svmkit"
	"github.com/svmkit/course/svmkit/feature"
	"github.com/svmkit/course/svmkit/kernel"
	"github.com/svmkit/course/svmkit/loss"
	"github.com/svmkit/course/svmkit/multiclass"
	"github.com/svmkit/course/svmkit/svm"
	"github.com/svmkit/course/svmkit/tune"
)

// Wherever a fit is cancelled, before its first step too, it returns ctx's error with a model and
// its certificate, by every solver; and every fitter returns the error without a model.
func TestInterruptedFitsAgree(t *testing.T) {
	looks := []int64{1, 2, 5, 12, 40}
	set := overlapping(200)
	for name, c := range everySolver() {
		wave := *c.p
		if _, newton := c.s.(svm.Newton); newton {
			wave.Loss = loss.SquaredEpsInsensitive{Epsilon: 0.1}
		} else if _, pegasos := c.s.(svm.Pegasos); !pegasos {
			wave.Loss = loss.EpsInsensitive{Epsilon: 0.1}
		}
		for kind, p := range map[string]*svm.Problem{name: c.p, name + ", regression": &wave} {
			for _, k := range looks {
				r, err := svm.Fit(&endsAt{Context: t.Context(), k: k}, p, c.s, &svm.Settings{Tol: demanding(c.s)})
				if err == nil && k > 5 { // it had come to its end
					continue
				}
				if !errors.Is(err, context.Canceled) || r == nil || r.Status != svmkit.Cancelled || !(r.Gap >= 0) || math.IsInf(r.Gap, 1) {
					t.Errorf("%s, cancelled at look %d: %v, %+v", kind, k, err, r)
					continue
				}
				usable(t, kind, p, r)
			}
		}
	}
	fitter := svm.Fitter(svm.Problem{C: svm.PerSum(10)}, svm.DualCoordinate{}, &svm.Settings{Tol: 1e-12})
	for name, fit := range map[string]svmkit.Fitter{
		"svm.Fitter":    fitter,
		"scaled":        tune.Scaled(feature.Scaler{}, fitter),
		"OneVsRest":     multiclass.OneVsRest{Binary: fitter}.Fitter(),
		"OneVsOne":      multiclass.OneVsOne{Binary: fitter}.Fitter(),
		"CrammerSinger": multiclass.CrammerSinger{C: 10}.Fitter(&multiclass.Settings{Tol: 1e-12}),
	} {
		for _, k := range looks[:3] {
			if m, err := fit(&endsAt{Context: t.Context(), k: k}, set); m != nil || !errors.Is(err, context.Canceled) {
				t.Errorf("%s, cancelled at look %d: %v, %v; want no model", name, k, m, err)
			}
		}
	}
	joint, err := multiclass.CrammerSinger{Data: set, C: 10}.Fit(&endsAt{Context: t.Context(), k: 1}, &multiclass.Settings{Tol: 1e-12})
	if !errors.Is(err, context.Canceled) || joint == nil || joint.Status != svmkit.Cancelled || math.IsInf(joint.Gap, 1) {
		t.Errorf("CrammerSinger.Fit, cancelled at once: %v, %+v", err, joint)
	}
}

// Progress is called soon, by every solver, with an infinite gap before the first certificate; and
// a fit that is stopped there has a model with a certificate that is better than that of β = 0 and
// b = 0.
func TestFirstTickComesSoon(t *testing.T) {
	if testing.Short() {
		t.Skip("draws large sets")
	}
	const (
		n    = 12_000
		soon = 10 * time.Second // on a machine with other work; alone it is svmkit.ProgressEvery and a step
	)
	curved, ten := largeSet(n, 30, 30, 2), svm.PerSum(10)
	wide := largeSet(60_000, 40, 40, 2)
	rbf := kernel.RBF{Gamma: 0.5}
	for name, c := range map[string]struct {
		s svm.Solver
		p svm.Problem
	}{
		"SMO":               {svm.SMO{}, svm.Problem{Data: curved, Kernel: rbf, C: ten}},
		"SMO, polynomial":   {svm.SMO{}, svm.Problem{Data: curved, Kernel: kernel.Polynomial{Gamma: 1, Coef0: 1}, C: ten}},
		"Decomposition":     {svm.Decomposition{}, svm.Problem{Data: curved, Kernel: rbf, C: ten}},
		"SDCA":              {svm.SDCA{}, svm.Problem{Data: curved, Kernel: rbf, C: ten, Bias: svmkit.PenalizedBias}},
		"dual coordinate":   {svm.DualCoordinate{}, svm.Problem{Data: wide, C: svm.PerSum(1e6)}},
		"Newton":            {svm.Newton{Dense: -1}, svm.Problem{Data: wide, C: svm.PerSum(1e6), Loss: loss.Logistic{}}},
		"proximal Newton":   {svm.ProximalNewton{}, svm.Problem{Data: wide, C: svm.PerSum(1e6)}},
		"Pegasos":           {svm.Pegasos{}, svm.Problem{Data: wide, C: ten, Bias: svmkit.NoBias}},
		"a hard margin":     {svm.DualCoordinate{}, svm.Problem{Data: wide, C: svm.PerSum(math.Inf(1))}},
		"SMO, hard, kernel": {svm.SMO{}, svm.Problem{Data: curved, Kernel: rbf, C: svm.PerSum(math.Inf(1))}},
	} {
		start, calls := time.Now(), 0
		var first time.Duration
		var told svmkit.Progress
		r, err := svm.Fit(t.Context(), &c.p, c.s, &svm.Settings{Tol: 1e-12, Progress: func(p svmkit.Progress) bool {
			calls++
			first, told = time.Since(start), p
			return false
		}})
		var inseparable *svm.InseparableError
		if errors.As(err, &inseparable) { // proved before it was stopped
			continue
		}
		if err != nil || calls != 1 || r.Status != svmkit.Stopped {
			t.Errorf("%s: %v, %v after %d calls", name, err, r, calls)
			continue
		}
		if first > soon {
			t.Errorf("%s: first call after %v", name, first)
		}
		if !told.Certified && told.Certificate != svmkit.Unproved() {
			t.Errorf("%s: a tick before the first certificate has %+v", name, told)
		}
		t.Logf("%-18s first call after %v, certified %v; %d support vectors, relative gap %.3g", name, first.Round(time.Millisecond), told.Certified, len(r.SV), r.RelativeGap())
		if c.p.Kernel == nil || math.IsInf(c.p.C.C, 1) {
			continue
		}
		zero, err := c.p.Certify(make([]float64, n))
		if err != nil || !(r.Gap < zero.Gap) {
			t.Errorf("%s: a gap of %g, that of β = 0 is %g (%v)", name, r.Gap, zero.Gap, err)
		}
	}
}
