package main

import (
	"context"
	"slices"

	"github.com/svmkit/course/svmkit"
)

// A job is one line of the plan: some rows of the tables.
type job struct {
	name string
	run  func(ctx context.Context) error
}

// kinds are the names that -rows knows.
var kinds = []string{"linear", "free", "bias", "kernel", "prediction", "path", "reading", "epoch", "scaling"}

// tubeWidth is ε in all regressions.
const tubeWidth = 0.1

// kernelColumns bounds the columns of a set that gets a kernel, kernelRows its rows in a full run.
const (
	kernelColumns = 1000
	kernelRows    = 60_000
)

// tasks lists what is asked of a set, for one kind of rows.
func (b *bench) tasks(kind string, set *svmkit.Dataset) (all []task) {
	losses := []string{"hinge", "squared hinge"}
	if isRegression(set) {
		losses = []string{"tube", "squared tube"}
	}
	if b.loss != "" {
		losses = []string{b.loss}
	}
	for _, l := range losses {
		t := task{Loss: l, C: b.c, Free: kind != "linear"}
		if t.regression() {
			t.Epsilon = tubeWidth
		}
		if kind != "kernel" {
			all = append(all, t)
			continue
		}
		if set.Dim > kernelColumns || l == "squared hinge" || l == "squared tube" {
			continue
		}
		if t.Gamma = b.gamma; t.Gamma == 0 {
			t.Gamma = 1 / float64(set.Dim)
		}
		all = append(all, t)
	}
	return all
}

// plan lists the jobs of a run over the sets.
func (b *bench) plan(sets []*source) (jobs []job) {
	for _, kind := range []string{"linear", "free", "kernel"} {
		for _, s := range sets {
			if !b.wants(kind) {
				continue
			}
			jobs = append(jobs, job{kind + ", " + s.name, func(ctx context.Context) error { return b.compareAll(ctx, kind, s) }})
		}
	}
	one := func(kind string, s *source, work func(context.Context, *svmkit.Dataset) error) {
		if b.wants(kind) {
			jobs = append(jobs, job{kind + ", " + s.name, func(ctx context.Context) error {
				set, err := s.read()
				if err != nil {
					return err
				}
				return work(ctx, set)
			}})
		}
	}
	for _, s := range sets {
		one("bias", s, func(ctx context.Context, set *svmkit.Dataset) error { return b.freeBias(ctx, s.name, set) })
		if b.every || slices.Contains(predictionSets, s.name) {
			one("prediction", s, func(ctx context.Context, set *svmkit.Dataset) error {
				for _, t := range b.tasks("kernel", set) {
					if err := b.prediction(ctx, s.name, set, t); err != nil {
						return err
					}
				}
				return nil
			})
		}
		if b.wants("prediction") && (b.every && s.many != nil || slices.Contains(classesSets, s.name)) {
			jobs = append(jobs, job{"prediction of classes, " + s.name, func(ctx context.Context) error { return b.predictionOfClasses(ctx, s) }})
		}
		if b.every || slices.Contains(pathSets, s.name) {
			one("path", s, func(ctx context.Context, set *svmkit.Dataset) error {
				return b.path(ctx, s.name, set, b.tasks("linear", set)[0])
			})
		}
		if b.every || slices.Contains(readingSets, s.name) {
			one("reading", s, func(ctx context.Context, set *svmkit.Dataset) error { return b.reading(ctx, s.name, set) })
		}
		if b.every || slices.Contains(epochSets, s.name) {
			one("epoch", s, func(ctx context.Context, set *svmkit.Dataset) error { return b.epochs(ctx, s.name, set) })
		}
		if b.every || slices.Contains(scalingSets, s.name) {
			one("scaling", s, func(ctx context.Context, set *svmkit.Dataset) error {
				for _, kind := range []string{"linear", "kernel"} {
					tasks := b.tasks(kind, set)
					if len(tasks) == 0 || kind == "kernel" && set.Len() > kernelScalingRows {
						continue
					}
					if err := b.scaling(ctx, s.name, set, tasks[0]); err != nil {
						return err
					}
				}
				return nil
			})
		}
	}
	return jobs
}

// Of the standard sets these stand for their kind; a set that the user names gets all kinds.
var (
	predictionSets = []string{"a9a", "magic", "spambase"}
	classesSets    = []string{"letter"}
	pathSets       = []string{"a9a", "wordnet_nv_eighth"}
	readingSets    = []string{"a9a", "wordnet_nv_eighth", "magic", textSet.String()}
	epochSets      = []string{textSet.String()}
	scalingSets    = []string{"a9a", "magic", "cadata", textSet.String()}
)

// textSet is the large sparse set.
var textSet = drawn{n: 100_000, d: 50_000, density: 0.001}

// kernelScalingRows bounds the sets whose kernel models are trained at four sizes.
const kernelScalingRows = 25_000

// compareAll runs all tasks of a kind on a set.
func (b *bench) compareAll(ctx context.Context, kind string, s *source) error {
	set, err := s.read()
	if err != nil {
		return err
	}
	name := s.name
	if kind == "kernel" && set.Len() > kernelRows {
		set = part(set, kernelRows)
		name += ", a part"
	}
	for _, t := range b.tasks(kind, set) {
		targets := b.targets
		if kind == "kernel" && slices.Contains(hardSets, s.name) && b.c == 1 {
			hard := t
			hard.C = 100
			done, err := b.compare(ctx, name, set, hard, []float64{1e-3, 1e-6})
			b.results.Comparisons = append(b.results.Comparisons, done...)
			if err != nil {
				return err
			}
		}
		done, err := b.compare(ctx, name, set, t, targets)
		b.results.Comparisons = append(b.results.Comparisons, done...)
		if err != nil {
			return err
		}
	}
	return nil
}

// hardSets are trained with a kernel and C = 100, too.
var hardSets = []string{"magic", "spambase"}
