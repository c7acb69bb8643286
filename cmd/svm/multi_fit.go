package main

import (
	"context"
	"fmt"
	"math"
	"slices"
	"sync/atomic"

	"github.com/svmkit/course/svmkit"
	"github.com/svmkit/course/svmkit/multiclass"
	"github.com/svmkit/course/svmkit/svm"
)

// multiTrainer fits classifiers for K classes.
type multiTrainer struct {
	strategy string
	problem  *svm.Problem // of every model; the data are replaced
	solver   svm.Solver
	settings *svm.Settings
	threads  int // models fitted at once
	progress *progress
	done     atomic.Int64
}

// multiFit is a classifier for K classes with its fits: one for each model of one-vs-rest and
// one-vs-one, one in all for Crammer–Singer.
type multiFit struct {
	*multiModel
	strategy string
	fits     []modelFit
}

// modelFit is what a report says of one fit.
type modelFit struct {
	Name           string `json:"name"`
	Solver         string `json:"solver"`
	Status         string `json:"status"`
	Reason         string `json:"reason,omitempty"`
	Iterations     int    `json:"iterations"`
	Primal         number `json:"primal"`
	Dual           number `json:"dual"`
	RelativeGap    number `json:"relativeGap"`
	KKT            number `json:"kkt"`
	SupportVectors int    `json:"supportVectors"`
	Met            bool   `json:"toleranceMet"`
}

// fit fits a classifier to set. A class without rows has no model. When ctx ends, one-vs-rest and
// one-vs-one return no classifier, as models would be missing, and ctx's error;
// Crammer–Singer returns its best so far with that error.
func (m *multiTrainer) fit(ctx context.Context, set *svmkit.Dataset) (*multiFit, error) {
	f := &multiFit{strategy: m.strategy}
	classes := len(set.Classes)
	switch m.strategy {
	case crammerSinger:
		return m.joint(ctx, set, f)
	case oneVsOne:
		c, err := multiclass.OneVsOne{Binary: m.fitter(classes * (classes - 1) / 2), Threads: m.threads}.Fit(ctx, set)
		if err != nil {
			return nil, err
		}
		f.multiModel = newMultiModel(c)
		for _, pair := range c.Models {
			f.add(f.Names[pair.Negative]+" against "+f.Names[pair.Positive], pair.Scorer)
		}
		return f, nil
	}
	c, err := multiclass.OneVsRest{Binary: m.fitter(classes), Threads: m.threads}.Fit(ctx, set)
	if err != nil {
		return nil, err
	}
	f.multiModel = newMultiModel(c)
	for k, scorer := range c.Models {
		if scorer != nil {
			f.add(f.Names[k]+" against the rest", scorer)
		}
	}
	return f, nil
}

// fitter fits one model out of the given number.
func (m *multiTrainer) fitter(of int) svmkit.Fitter {
	return func(ctx context.Context, train *svmkit.Dataset) (svmkit.Model, error) {
		p, settings := *m.problem, *m.settings
		p.Data = train
		settings.Progress = func(q svmkit.Progress) bool {
			return m.progress.fitOf(fmt.Sprintf("%d of %d models; ", m.done.Load(), of), q)
		}
		r, err := svm.Fit(ctx, &p, m.solver, &settings)
		if err != nil {
			return nil, err
		}
		m.done.Add(1)
		return r, nil
	}
}

// add notes the fit of a model that the fitter made.
func (f *multiFit) add(name string, scorer svmkit.Scorer) {
	r := scorer.(*svm.Result)
	f.fits = append(f.fits, modelFit{Name: name, Solver: r.Trace.String(), Status: r.Status.String(), Reason: r.Reason, Iterations: r.Iterations,
		Primal: number(r.Primal), Dual: number(r.Dual), RelativeGap: number(r.RelativeGap()), KKT: number(r.KKT),
		SupportVectors: len(r.SV), Met: r.Status == svmkit.Optimal})
}

// joint fits the one problem of Crammer and Singer.
func (m *multiTrainer) joint(ctx context.Context, set *svmkit.Dataset, f *multiFit) (*multiFit, error) {
	joint := multiclass.CrammerSinger{Data: set, C: m.problem.C.C}
	if m.problem.Bias == svmkit.PenalizedBias {
		joint.Bias = svmkit.PenalizedBias
	}
	s, err := joint.Fit(ctx, &multiclass.Settings{Tol: m.settings.Tol, MaxIterations: m.settings.MaxIterations, Seed: m.settings.Seed,
		Progress: func(q svmkit.Progress) bool { return m.progress.fitOf("", q) }})
	if s == nil {
		return nil, err
	}
	f.multiModel = newMultiModel(&s.Linear)
	f.fits = []modelFit{{Name: "all classes", Solver: "sequential dual method", Status: s.Status.String(), Iterations: s.Iterations,
		Primal: number(s.Primal), Dual: number(s.Dual), RelativeGap: number(s.RelativeGap()), KKT: number(s.KKT),
		SupportVectors: movedRows(s.Alpha), Met: s.Status == svmkit.Optimal}}
	return f, err
}

// movedRows counts the rows with some αᵢₖ ≠ 0: the support vectors of Crammer–Singer.
func movedRows(alpha [][]float64) int {
	n := 0
	for _, row := range alpha {
		if slices.ContainsFunc(row, func(v float64) bool { return v != 0 }) {
			n++
		}
	}
	return n
}

// worst returns the fit with the largest relative gap, and how many missed their tolerance.
// A fit that missed it counts as worse than any that did not.
func (f *multiFit) worst() (worst modelFit, missed int) {
	worst = f.fits[0]
	for _, k := range f.fits {
		if !k.Met {
			missed++
		}
		if worst.Met && !k.Met || worst.Met == k.Met && worse(float64(k.RelativeGap), float64(worst.RelativeGap)) {
			worst = k
		}
	}
	return worst, missed
}

// worse orders gaps; NaN is the worst.
func worse(a, b float64) bool { return a > b || math.IsNaN(a) && !math.IsNaN(b) }
