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

// multiTrainer fits models for K classes.
type multiTrainer struct {
	strategy string
	problem  *svm.Problem // of every machine; the data are replaced
	solver   svm.Solver
	settings *svm.Settings
	threads  int // machines fitted at once
	progress *progress
	done     atomic.Int64
}

// multiFit is a model for K classes with its fits. In one-vs-rest and one-vs-one that is one a
// machine; in Crammer–Singer one for all.
type multiFit struct {
	multiModel
	fits []machineFit
}

// machineFit is what a report says of one fit.
type machineFit struct {
	Name           string `json:"name"`
	Solver         string `json:"solver"`
	Status         string `json:"status"`
	Reason         string `json:"reason,omitempty"`
	Epochs         int    `json:"epochs"`
	Primal         number `json:"primal"`
	Dual           number `json:"dual"`
	RelativeGap    number `json:"relativeGap"`
	KKT            number `json:"kkt"`
	SupportVectors int    `json:"supportVectors"`
	Met            bool   `json:"toleranceMet"`
}

// fit fits a model to set. A class without rows has no machine. When ctx ends, one-vs-rest and
// one-vs-one return no model, as machines would be missing, and ctx's error;
// Crammer–Singer returns its best so far with that error.
func (m *multiTrainer) fit(ctx context.Context, set *svmkit.Dataset) (*multiFit, error) {
	f := &multiFit{multiModel: multiModel{strategy: m.strategy, classes: set.Classes}}
	switch m.strategy {
	case crammerSinger:
		return m.joint(ctx, set, f)
	case oneVsOne:
		c, err := multiclass.OneVsOne{Fitter: m.machine(f.size()), Threads: m.threads}.Fit(ctx, set)
		if err != nil {
			return nil, err
		}
		for _, pair := range c.Machines {
			f.add(machine{negative: pair.Negative, positive: pair.Positive}, pair.Scorer)
		}
		return f, nil
	}
	c, err := multiclass.OneVsRest{Fitter: m.machine(f.size()), Threads: m.threads}.Fit(ctx, set)
	if err != nil {
		return nil, err
	}
	for k, scorer := range c.Machines {
		if scorer != nil {
			f.add(machine{negative: rest, positive: k}, scorer)
		}
	}
	return f, nil
}

// machine is the fitter of one machine out of the given number.
func (m *multiTrainer) machine(of int) svmkit.Fitter {
	return func(ctx context.Context, train *svmkit.Dataset) (svmkit.Scorer, error) {
		p, settings := *m.problem, *m.settings
		p.Data = train
		settings.Progress = func(q svmkit.Progress) bool {
			return m.progress.fitOf(fmt.Sprintf("%d of %d machines; ", m.done.Load(), of), q)
		}
		r, err := svm.Fit(ctx, &p, m.solver, &settings)
		if err != nil {
			return nil, err
		}
		m.done.Add(1)
		return r, nil
	}
}

// add takes a machine that the fitter made.
func (f *multiFit) add(k machine, scorer svmkit.Scorer) {
	r := scorer.(*svm.Result)
	k.Model = &r.Model
	f.machines = append(f.machines, k)
	name := f.classes[k.positive] + " against the rest"
	if k.negative != rest {
		name = f.classes[k.negative] + " against " + f.classes[k.positive]
	}
	f.fits = append(f.fits, machineFit{Name: name, Solver: r.Solver, Status: r.Status.String(), Reason: r.Reason, Epochs: r.Epochs,
		Primal: number(r.Primal), Dual: number(r.Dual), RelativeGap: number(r.RelativeGap()), KKT: number(r.KKT),
		SupportVectors: len(r.SV), Met: r.Status == svmkit.Optimal})
}

// joint fits the one problem of Crammer and Singer.
func (m *multiTrainer) joint(ctx context.Context, set *svmkit.Dataset, f *multiFit) (*multiFit, error) {
	joint := multiclass.CrammerSinger{C: m.problem.C.C, Tol: m.settings.Tol, MaxEpochs: m.settings.MaxEpochs, Seed: m.settings.Seed,
		Progress: func(q svmkit.Progress) bool { return m.progress.fitOf("", q) }}
	if m.problem.Bias == svmkit.PenalizedBias {
		joint.Constant = 1
	}
	s, err := joint.Fit(ctx, set)
	if s == nil {
		return nil, err
	}
	for k, w := range s.W {
		f.machines = append(f.machines, machine{negative: rest, positive: k, Model: &svm.Model{Weights: w, Bias: s.B[k], Dim: set.Dim}})
	}
	status := svmkit.Stalled
	switch {
	case s.Optimal:
		status = svmkit.Optimal
	case err != nil:
		status = svmkit.Cancelled
	case s.Epochs >= joint.MaxEpochs:
		status = svmkit.IterationLimit
	}
	f.fits = []machineFit{{Name: "all classes", Solver: "sequential dual method", Status: status.String(), Epochs: s.Epochs,
		Primal: number(s.Primal), Dual: number(s.Dual), RelativeGap: number(s.RelativeGap()), KKT: number(s.KKT),
		SupportVectors: movedRows(s.Alpha), Met: s.Optimal}}
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
func (f *multiFit) worst() (worst machineFit, missed int) {
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
