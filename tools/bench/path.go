package main

import (
	"context"
	"fmt"
	"slices"
	"sync"

	"github.com/svmkit/course/svmkit"
	"github.com/svmkit/course/svmkit/svm"
	"github.com/svmkit/course/svmkit/tune"
)

// The path: cross-validation of pathLength values of C from pathFrom to pathTo, each model to the
// relative gap pathTol.
const (
	pathLength = 20
	pathFolds  = 5
	pathFrom   = 1e-3
	pathTo     = 10
	pathTol    = 1e-3
)

func pathCosts() []float64 {
	c, err := tune.LogSpace(pathFrom, pathTo, pathLength)
	if err != nil {
		panic(err) // constants
	}
	return c
}

// warmPath is the child's side: tune's path with warm starts. It returns the relative gap of each
// model.
func warmPath(q request, set *svmkit.Dataset, re *reply) ([]float64, error) {
	folds, err := tune.Folds(set, pathFolds, 1)
	if err != nil {
		return nil, err
	}
	var mutex sync.Mutex
	var gaps []float64
	train := func(ctx context.Context, rows *svmkit.Dataset, p tune.Params, previous svmkit.Model) (svmkit.Model, error) {
		t := q.Task
		t.C = p.C
		settings := &svm.Settings{Tol: pathTol}
		if before, ok := previous.(*svm.Result); ok {
			settings.Start = before.Beta
		}
		r, err := svm.Fit(ctx, t.problem(rows), nil, settings)
		if err != nil {
			return nil, err
		}
		mutex.Lock()
		defer mutex.Unlock()
		gaps = append(gaps, r.RelativeGap())
		return r, nil
	}
	m := startMeter()
	_, err = tune.Validation{Folds: folds}.Search(context.Background(), set, train, tune.Grid{C: pathCosts()})
	m.stop(re)
	slices.Sort(gaps)
	return gaps, err
}

// path measures the peer's cold runs: for each C the setting that is fastest to the gap on the first
// fold, by a sweep that is not counted, then one run on each fold.
func (b *bench) path(ctx context.Context, name string, set *svmkit.Dataset, t task) error {
	b.where = name
	ours, peer := b.stage.engine("svmkit"), b.stage.engine("LIBLINEAR")
	result := speed{Set: name, Work: fmt.Sprintf("%s: %d values of C × %d folds, to a gap of %.0e", t, pathLength, pathFolds, pathTol), Goal: 10, Peer: "LIBLINEAR, cold"}
	if err := b.stage.put(ctx, ours, set); err != nil {
		return err
	}
	folds, err := tune.Folds(set, pathFolds, 1)
	if err != nil {
		return err
	}
	parts := make([]*svmkit.Dataset, len(folds))
	for k, f := range folds {
		parts[k], _ = f.Of(set)
	}
	choices := make([]trial, 0, pathLength)
	missed := 0
	for _, c := range pathCosts() {
		if peer == nil {
			break
		}
		t.C = c
		j := newJudge(parts[0], t)
		if _, _, err := b.run(ctx, j, way{engine: "svmkit"}, pathTol*referenceTol); err != nil { // the dual value
			return err
		}
		var trials []trial
		for _, w := range ways(t) {
			if w.engine == "LIBLINEAR" {
				more, err := b.sweep(ctx, j, w, pathTol)
				if err != nil {
					return err
				}
				trials = append(trials, more...)
			}
		}
		best, ok := fastest(trials, "LIBLINEAR", pathTol)
		if !ok {
			best, _ = closest(trials, "LIBLINEAR")
			missed++
		}
		choices = append(choices, best)
	}
	for round := range b.runs {
		b.progress.Say("%s: the path over C, round %d", name, round+1)
		r, gaps, err := ours.scores(ctx, request{Op: "path", Task: t, Limit: b.limit.Seconds()})
		if err != nil {
			return err
		}
		result.Ours = append(result.Ours, r.Seconds)
		result.Note = fmt.Sprintf("our largest gap %.1e", slices.Max(gaps))
		if peer == nil {
			continue
		}
		total := 0.0
		for _, part := range parts {
			if err := b.stage.put(ctx, peer, part); err != nil {
				return err
			}
			for k, c := range pathCosts() {
				t.C = c
				r, _, err := peer.ask(ctx, request{Op: "train", Task: t, Solver: choices[k].Solver, Knob: choices[k].Knob, Limit: b.limit.Seconds()})
				if err != nil {
					return err
				}
				total += r.Seconds
			}
		}
		result.Other = append(result.Other, total)
	}
	if missed > 0 {
		result.Note += fmt.Sprintf("; the peer misses the gap at %d of %d values of C", missed, pathLength)
	}
	b.results.Speeds = append(b.results.Speeds, result)
	return nil
}
