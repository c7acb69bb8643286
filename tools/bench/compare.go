package main

import (
	"context"
	"fmt"

	"github.com/svmkit/course/svmkit"
)

// A comparison is one task on one set, by all engines, to one gap.
type comparison struct {
	Set     string     `json:"set"`
	N       int        `json:"n"`
	Dim     int        `json:"d"`
	NNZ     int        `json:"nnz"`
	Task    task       `json:"task"`
	Name    string     `json:"name"`
	Target  float64    `json:"target"`
	AsTool  bool       `json:"as_libsvm,omitempty"` // the target is the gap of LIBSVM at its default, -e 0.001
	Goal    float64    `json:"goal,omitempty"`      // the ratio aimed at
	Ours    outcome    `json:"svmkit"`
	Peers   []outcome  `json:"peers"`
	Best    string     `json:"best_peer,omitempty"` // the peer with the smallest median
	Ratio   float64    `json:"ratio,omitempty"`     // its time / ours, the median over the rounds
	Between [2]float64 `json:"ratio_range"`         // the smallest and the largest of a round
}

// An outcome is an engine's part in a comparison.
type outcome struct {
	trial
	Reached bool    `json:"reached"`
	Runs    sample  `json:"runs"`     // seconds by the clock
	CPURuns sample  `json:"cpu_runs"` // seconds of processor time
	Median  float64 `json:"median"`
}

// curve is all trials of a task on a set: gap against time.
type curve struct {
	Set    string  `json:"set"`
	Name   string  `json:"name"`
	Trials []trial `json:"trials"`
}

// clock returns the runs in the unit that ratios are made of.
func (b *bench) clock(o outcome) sample {
	if b.cpu {
		return o.CPURuns
	}
	return o.Runs
}

// trained returns how long one run took, in the same unit.
func (b *bench) trained(r trial) float64 {
	if b.cpu {
		return r.CPU
	}
	return r.Seconds
}

// referenceTol is how much tighter than the tightest target the run is that supplies the dual
// value for peers that return a plane alone.
const referenceTol = 0.01

// compare runs a task on a set: first every engine's sweep, then for each target the best setting
// of each, in turns. The targets fall.
func (b *bench) compare(ctx context.Context, name string, set *svmkit.Dataset, t task, targets []float64) ([]comparison, error) {
	j := newJudge(set, t)
	b.where = name
	tightest := targets[len(targets)-1]
	self := way{engine: "svmkit", solver: b.solver, letter: "tol"}
	var trials []trial
	for _, tol := range append([]float64{tightest * referenceTol, 0.1}, targets...) { // the reference first
		b.progress.Say("%s, %s: svmkit, tol %.2g", name, t, tol)
		r, _, err := b.run(ctx, j, self, tol)
		if err != nil {
			return nil, err
		}
		trials = append(trials, r)
	}
	for _, w := range ways(t) {
		if b.stage.engine(w.engine) == nil {
			continue
		}
		more, err := b.sweep(ctx, j, w, tightest)
		if trials = append(trials, more...); err != nil {
			return nil, err
		}
	}
	b.results.Curves = append(b.results.Curves, curve{name, t.String(), trials})
	asTool := 0.0 // LIBSVM's gap at its default tolerance
	for _, r := range trials {
		if r.Engine == "LIBSVM" && r.Solver == "h1" && r.Knob == 1e-3 && t.Gamma > 0 && r.Gap > 0 && r.Gap < noGap {
			asTool = r.Gap
			targets = append([]float64{r.Gap}, targets...)
		}
	}
	var done []comparison
	for _, target := range targets {
		c := comparison{Set: name, N: set.Len(), Dim: set.Dim, NNZ: set.NNZ(), Task: t, Name: t.String(), Target: target, AsTool: target == asTool}
		c.Goal = goal(c)
		var err error
		if trials, err = b.refine(ctx, j, trials, target); err != nil {
			return done, err
		}
		if err := b.rounds(ctx, j, &c, trials); err != nil {
			return done, err
		}
		done = append(done, c)
	}
	return done, nil
}

// rounds measures one target: every engine once a round, so that a disturbance affects all.
func (b *bench) rounds(ctx context.Context, j *judge, c *comparison, trials []trial) error {
	entries := []outcome{{trial: trial{Engine: "svmkit", Solver: b.solver, Knob: c.Target, Letter: "tol"}}}
	for _, name := range engineNames[1:] {
		if best, ok := fastest(trials, name, c.Target); ok {
			entries = append(entries, outcome{trial: best})
		} else if best, ok := closest(trials, name); ok {
			c.Peers = append(c.Peers, outcome{trial: best})
		}
	}
	for round := range b.runs {
		for k := range entries {
			o := &entries[k]
			b.progress.Say("%s, %s to %.1e: round %d, %s", c.Set, c.Name, c.Target, round+1, o.Engine)
			w := way{engine: o.Engine, solver: o.Solver, letter: o.Letter}
			if k == 0 {
				w.solver = b.solver
			}
			r, _, err := b.run(ctx, j, w, o.Knob)
			if err != nil {
				return err
			}
			o.Runs, o.CPURuns = append(o.Runs, r.Seconds), append(o.CPURuns, r.CPU)
			r.Gap = max(r.Gap, o.Gap) // the worst counts
			o.trial = r
		}
	}
	for k := range entries {
		o := &entries[k]
		o.Median = o.Runs.median()
		const rounding = 1 + 1e-9 // of a gap that was recomputed
		o.Reached = o.Gap <= c.Target*rounding
	}
	c.Ours = entries[0]
	c.Peers = append(entries[1:], c.Peers...)
	for _, o := range c.Peers {
		if r := ratios(b.clock(o), b.clock(c.Ours)); o.Reached && c.Ours.Reached && (c.Best == "" || r.median() < c.Ratio) {
			c.Best, c.Ratio, c.Between = o.Engine, r.median(), [2]float64{r.quantile(0), r.quantile(1)}
		}
	}
	return nil
}

// goal is the ratio aimed at.
func goal(c comparison) float64 {
	wide := c.Dim > 1000
	switch t := c.Task; {
	case t.Gamma > 0 && t.regression():
		return 25
	case t.Gamma > 0 && t.C > 1:
		return 10
	case t.Gamma > 0 && c.Dim >= 100:
		return 80
	case t.Gamma > 0:
		return 20
	case t.Free:
		return 0 // compared with our own penalized bias
	case t.regression():
		return 50
	case wide:
		return 3
	}
	return 8
}

func (o outcome) setting() string {
	solver := o.Solver
	if o.Engine == "LIBLINEAR" {
		solver = "-s " + solver
	}
	return fmt.Sprintf("%s %s %s %.2g%s", o.Engine, solver, o.Letter, o.Knob, o.passes())
}

// passes tells how many passes over the data a linear fit took, where its engine tells.
func (o outcome) passes() string {
	if o.Epochs == 0 {
		return ""
	}
	return fmt.Sprintf(", %d passes", o.Epochs)
}
