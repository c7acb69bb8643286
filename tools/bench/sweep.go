package main

import (
	"context"
	"errors"
	"math"
	"slices"
)

// A way is a solver of an engine with the setting that is swept: a tolerance, from loose to tight,
// or a number of epochs.
type way struct {
	engine, solver string
	knobs          []float64
	letter         string // how the setting is called: "-e"
}

// halfDecades returns 1, 0.32, 0.1, … down to 10^−last.
func halfDecades(last int) (e []float64) {
	for k := range 2*last + 1 {
		e = append(e, math.Pow(10, -float64(k)/2))
	}
	return e
}

func decades(first, last int) (e []float64) {
	for k := first; k <= last; k++ {
		e = append(e, math.Pow(10, -float64(k)))
	}
	return e
}

// ways lists, for each task, the solvers of the peers that minimise the same objective. LIBLINEAR's
// has a penalized bias, LIBSVM's a free one; scikit-learn's LinearSVC a penalized one, SGD
// either.
func ways(t task) (all []way) {
	liblinear := func(solvers ...string) {
		for _, s := range solvers {
			all = append(all, way{"LIBLINEAR", s, halfDecades(8), "-e"})
		}
	}
	sklearn := func(solvers ...string) {
		for _, s := range solvers {
			all = append(all, way{"scikit-learn", s, decades(0, 7), "tol"})
		}
	}
	switch {
	case t.Gamma > 0, t.Free && (t.Loss == "hinge" || t.Loss == "tube"):
		all = append(all, way{"LIBSVM", "h1", decades(1, 6), "-e"})
		if t.Gamma > 0 {
			all = append(all, way{"LIBSVM", "h0", decades(3, 3), "-e"})
			sklearn(map[bool]string{false: "SVC", true: "SVR"}[t.regression()])
			all[len(all)-1].knobs = decades(1, 4)
		}
	case t.Free:
	case t.Loss == "hinge":
		liblinear("3")
		sklearn("LinearSVC dual")
	case t.Loss == "squared hinge":
		liblinear("1", "2")
		sklearn("LinearSVC dual", "LinearSVC primal")
	case t.Loss == "tube":
		liblinear("13")
		sklearn("LinearSVR dual")
	case t.Loss == "squared tube":
		liblinear("11", "12")
		sklearn("LinearSVR dual", "LinearSVR primal")
	}
	if t.Gamma == 0 && !t.regression() {
		all = append(all, way{"scikit-learn", "SGDClassifier", []float64{5, 20, 100, 500}, "epochs"})
	}
	return all
}

// A trial is one run and how good its answer is.
type trial struct {
	Engine  string  `json:"engine"`
	Solver  string  `json:"solver"`
	Letter  string  `json:"-"`
	Knob    float64 `json:"setting"`
	Seconds float64 `json:"seconds"`
	CPU     float64 `json:"cpu_seconds"`
	PeakMB  float64 `json:"peak_mb"`
	BaseMB  float64 `json:"base_mb"`
	Gap     float64 `json:"gap"`
	Epochs  int     `json:"epochs,omitempty"`
	Note    string  `json:"note,omitempty"`
}

// noGap is the gap of no answer: JSON has no infinity.
const noGap = math.MaxFloat64

// run lets an engine work once, and judges its answer.
func (b *bench) run(ctx context.Context, j *judge, w way, knob float64) (trial, answer, error) {
	t := trial{Engine: w.engine, Solver: w.solver, Letter: w.letter, Knob: knob, Gap: noGap}
	e := b.stage.engine(w.engine)
	if err := b.stage.put(ctx, e, j.set); err != nil {
		return t, answer{}, err
	}
	r, a, err := e.ask(ctx, request{Op: "train", Task: j.task, Solver: w.solver, Knob: knob, Limit: b.limit.Seconds()})
	switch {
	case errors.Is(err, errTooSlow):
		t.Seconds, t.Note = b.limit.Seconds(), errTooSlow.Error()
		return t, a, nil
	case err != nil && ctx.Err() == nil && w.engine != "svmkit":
		t.Note = err.Error() // the other peers are still measured
		return t, a, nil
	case err != nil:
		return t, a, err
	}
	t.Seconds, t.CPU, t.PeakMB, t.BaseMB, t.Epochs, t.Note = r.Seconds, r.CPU, r.PeakMB, r.BaseMB, r.Epochs, r.Note
	if r.Solver != "" {
		t.Solver = r.Solver
	}
	t.Gap, err = j.gap(a)
	return t, a, err
}

// sweep runs a way from loose to tight until the tightest target is reached, time is over, or
// tighter settings change nothing.
func (b *bench) sweep(ctx context.Context, j *judge, w way, tightest float64) ([]trial, error) {
	var trials []trial
	spent, idle, best := 0.0, 0, noGap
	for _, knob := range w.knobs {
		b.progress.Say("%s, %s: %s %s, %s %.2g", b.where, j.task, w.engine, w.solver, w.letter, knob)
		t, _, err := b.run(ctx, j, w, knob)
		if err != nil {
			return trials, err
		}
		trials = append(trials, t)
		spent += t.Seconds
		if idle++; t.Gap < 0.99*best {
			best, idle = t.Gap, 0
		}
		if t.Gap <= tightest || spent > 2*b.limit.Seconds() || t.Note == errTooSlow.Error() || idle == 3 && t.Note != "" {
			break
		}
	}
	return trials, nil
}

// fastest returns the quickest trial of an engine that reaches the target.
func fastest(trials []trial, engine string, target float64) (best trial, ok bool) {
	for _, t := range trials {
		if t.Engine == engine && t.Gap <= target && (!ok || t.Seconds < best.Seconds) {
			best, ok = t, true
		}
	}
	return best, ok
}

// closest returns the trial of an engine with the smallest gap, reported if no target
// is reached.
func closest(trials []trial, engine string) (best trial, ok bool) {
	for _, t := range trials {
		if t.Engine == engine && (!ok || t.Gap < best.Gap) {
			best, ok = t, true
		}
	}
	return best, ok
}

// refine tries looser settings than the fastest one that reaches the target, between it and the
// next that was swept, so that the grid costs the peer nothing.
func (b *bench) refine(ctx context.Context, j *judge, trials []trial, target float64) ([]trial, error) {
	for _, name := range engineNames[1:] {
		best, ok := fastest(trials, name, target)
		if !ok || best.Letter == "epochs" || best.Knob >= 1 || b.quick || best.Seconds > b.limit.Seconds()/4 {
			continue
		}
		k := slices.IndexFunc(ways(j.task), func(w way) bool { return w.engine == name && w.solver == best.Solver })
		w := ways(j.task)[k]
		for _, factor := range []float64{math.Pow(10, 1./6), math.Pow(10, 1./3)} {
			t, _, err := b.run(ctx, j, w, best.Knob*factor)
			if err != nil {
				return trials, err
			}
			trials = append(trials, t)
		}
	}
	return trials, nil
}
