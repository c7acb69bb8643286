package main

import (
	"context"

	"github.com/svmkit/course/svmkit"
)

// quickPlan is what -quick runs in less than a minute: one set for each kind of row.
func (b *bench) quickPlan(sets []*source) (jobs []job) {
	add := func(name, set string, rows int, work func(ctx context.Context, name string, set *svmkit.Dataset) error) {
		jobs = append(jobs, job{name + ", " + set, func(ctx context.Context) error {
			chosen, err := named(sets, []string{set})
			if err != nil {
				return err
			}
			all, err := chosen[0].read()
			if err != nil {
				return err
			}
			some := all
			if rows > 0 {
				some = part(all, rows)
			}
			if some != all {
				set += ", a part"
			}
			return work(ctx, set, some)
		}})
	}
	compare := func(t task, targets ...float64) func(ctx context.Context, name string, set *svmkit.Dataset) error {
		return func(ctx context.Context, name string, set *svmkit.Dataset) error {
			if t.Gamma > 0 {
				t.Gamma = 1 / float64(set.Dim)
			}
			done, err := b.compare(ctx, name, set, t, targets)
			b.results.Comparisons = append(b.results.Comparisons, done...)
			return err
		}
	}
	hinge, tube := task{Loss: "hinge", C: 1}, task{Loss: "tube", Epsilon: tubeWidth, C: 1}
	free, rbf, svr := hinge, hinge, tube
	free.Free, rbf.Free, svr.Free = true, true, true
	rbf.Gamma, svr.Gamma = 1, 1 // of the set: 1/d
	add("linear", "wordnet_nv_eighth", 0, compare(hinge, 1e-3, 1e-6))
	add("linear", "a9a", 0, compare(hinge, 1e-3, 1e-6))
	add("linear", "magic", 0, compare(task{Loss: "squared hinge", C: 1}, 1e-3, 1e-6))
	add("linear", "cadata", 0, compare(tube, 1e-3))
	add("free", "a9a", 4000, compare(free, 1e-3))
	add("bias", "magic", 0, b.freeBias)
	add("kernel", "spambase", 2000, compare(rbf, 1e-3))
	add("kernel", "a9a", 3000, compare(rbf, 1e-3))
	add("kernel", "kin8nm", 2000, compare(svr, 1e-3))
	add("prediction", "a9a", 3000, func(ctx context.Context, name string, set *svmkit.Dataset) error {
		t := rbf
		t.Gamma = 1 / float64(set.Dim)
		return b.prediction(ctx, name, set, t)
	})
	add("reading", "wordnet_nv_eighth", 0, b.reading)
	add("epoch", "wordnet_nv_eighth", 0, b.epochs)
	add("scaling", "magic", 0, func(ctx context.Context, name string, set *svmkit.Dataset) error {
		return b.scaling(ctx, name, set, hinge)
	})
	return jobs
}
