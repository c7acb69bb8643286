package tune_test

import (
	"context"
	"math"
	"slices"
	"sync"
	"testing"

	"github.com/svmkit/course/svmkit"
	"github.com/svmkit/course/svmkit/samples"
	"github.com/svmkit/course/svmkit/tune"
)

// Well separated classes beat every shuffle; the shuffled rounds score about ½.
func TestPermutationOfASeparatedSet(t *testing.T) {
	set, err := samples.Overlapping{N: 80, Separation: 8}.Generate(2)
	if err != nil {
		t.Fatal(err)
	}
	v := tune.Validation{Folds: foldsOf(t, set, 4)}
	b, err := v.Permuted(t.Context(), set, nearestMean, tune.Permutation{Rounds: 50, Seed: 3})
	if err != nil {
		t.Fatal(err)
	}
	mean := 0.0
	for _, s := range b.Null {
		mean += s / 50
	}
	if b.P != 1.0/51 || b.Mean < 0.95 || math.Abs(mean-0.5) > 0.05 {
		t.Errorf("P = %g, score %g, shuffled %g", b.P, b.Mean, mean)
	}
}

// A model that learns nothing reaches the same on every shuffle of equal folds: no evidence, P = 1.
// And every round has seen the same labels, in another order.
func TestPermutationCountsTies(t *testing.T) {
	set := numbered(t, 24)
	sum, mutex, orders := 0.0, sync.Mutex{}, map[string]bool{}
	for _, y := range set.Y {
		sum += y
	}
	folds := foldsOf(t, set, 4)
	var total float64
	fit := func(_ context.Context, train *svmkit.Dataset) (svmkit.Model, error) {
		mutex.Lock()
		defer mutex.Unlock()
		key := make([]byte, len(train.Y))
		for i, y := range train.Y {
			total += y
			key[i] = byte(y + 2)
		}
		orders[string(key)] = true
		return asModel(func(svmkit.Row) float64 { return 1 }), nil
	}
	for _, metric := range []tune.Metric{tune.Accuracy, tune.Error} {
		b, err := tune.Validation{Folds: folds, Metric: metric}.Permuted(t.Context(), set, fit, tune.Permutation{Rounds: 30})
		if err != nil || b.P != 1 {
			t.Errorf("%s: P = %g, %v, values %v against %g", metric.Name, b.P, err, b.Null, b.Mean)
		}
	}
	// Each label is in 3 of 4 training sets, in the 31 runs of each metric.
	if total != sum*3*31*2 || len(orders) < 100 {
		t.Errorf("labels add up to %g, want %g; %d orders", total, sum*3*31*2, len(orders))
	}
	if !slices.Equal(set.Y, numbered(t, 24).Y) {
		t.Error("the caller's labels were shuffled")
	}
}

// P counts the rounds that are at least as good, on either side of the scale.
func TestPermutationOnBothScales(t *testing.T) {
	set, err := samples.Overlapping{N: 40, Separation: 0.5}.Generate(2)
	if err != nil {
		t.Fatal(err)
	}
	v := tune.Validation{Folds: foldsOf(t, set, 4)}
	var p []float64
	for _, v.Metric = range []tune.Metric{tune.Accuracy, tune.Error} {
		b, err := v.Permuted(t.Context(), set, nearestMean, tune.Permutation{Rounds: 60})
		if err != nil {
			t.Fatal(err)
		}
		good := 1
		for _, s := range b.Null {
			if d := s - b.Mean; math.Abs(d) < 1e-9 || (d > 0) == v.Metric.Higher {
				good++
			}
		}
		if b.P != float64(good)/61 || good == 1 || good == 61 {
			t.Errorf("%s: P = %g, counted %d of 61", v.Metric.Name, b.P, good)
		}
		p = append(p, b.P)
	}
	if p[0] != p[1] {
		t.Errorf("P = %g by accuracy, %g by error", p[0], p[1])
	}
}
