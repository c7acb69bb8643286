package perceptron_test

import (
	"context"
	"errors"
	"math"
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/svmkit/course/svmkit"
	"github.com/svmkit/course/svmkit/kernel"
	"github.com/svmkit/course/svmkit/perceptron"
)

// xor is separated by no plane, with or without bias.
func xor() *svmkit.Dataset {
	return &svmkit.Dataset{X: svmkit.DenseRows([]float64{1, 1, -1, -1, 1, -1, -1, 1}, 2), Y: []float64{1, 1, -1, -1}, Dim: 2}
}

// Every stopping rule ends the run where it says, on a set that would run for ever.
func TestStoppingRules(t *testing.T) {
	for _, c := range []struct {
		name                     string
		stop                     perceptron.Stop
		status                   svmkit.Status
		epochs, rounds, mistakes int // mistakes < 0: any number
	}{
		{"default", perceptron.Stop{}, svmkit.IterationLimit, 1000, 4000, -1},
		{"epochs", perceptron.Stop{Epochs: 7}, svmkit.IterationLimit, 7, 28, -1},
		{"one pass", perceptron.Stop{OnePass: true, Epochs: 9}, svmkit.IterationLimit, 1, 4, -1},
		{"mistakes", perceptron.Stop{Mistakes: 1}, svmkit.MistakeLimit, 1, 1, 1},
	} {
		for kind, l := range variants() {
			trace, err := l.Fit(context.Background(), xor(), c.stop)
			if err != nil {
				t.Fatal(err)
			}
			if trace.Status != c.status || trace.Epochs != c.epochs || trace.Rounds != c.rounds ||
				c.mistakes >= 0 && len(trace.Mistakes) != c.mistakes {
				t.Errorf("%s, %s: %v after %d epochs, %d rounds, %d mistakes", kind, c.name,
					trace.Status, trace.Epochs, trace.Rounds, len(trace.Mistakes))
			}
			total := 0
			for i, n := range trace.ErrorsPerEpoch {
				total += n
				if n == 0 {
					t.Errorf("%s, %s: pass %d over XOR has no mistake", kind, c.name, i)
				}
			}
			if total != len(trace.Mistakes) || len(trace.ErrorsPerEpoch) != trace.Epochs {
				t.Errorf("%s, %s: %v errors by epoch, %d mistakes", kind, c.name, trace.ErrorsPerEpoch, len(trace.Mistakes))
			}
		}
	}
}

// A pass without a mistake has converged, whichever limit ends there too.
func TestConvergedWinsOverTheLimit(t *testing.T) {
	for _, stop := range []perceptron.Stop{{Epochs: 4}, {Mistakes: 5}} { // see TestThreePointsByHand
		var p perceptron.Perceptron
		if trace := fit(t, &p, threePoints(), stop); trace.Status != svmkit.Converged {
			t.Errorf("%+v: %v", stop, trace.Status)
		}
	}
	var p perceptron.Perceptron
	fit(t, &p, threePoints(), perceptron.Stop{})
	trace := fit(t, &p, threePoints(), perceptron.Stop{OnePass: true})
	if trace.Status != svmkit.Converged || len(trace.Mistakes) != 0 {
		t.Errorf("a second fit: %v with %d mistakes, want to go on from the separating plane", trace.Status, len(trace.Mistakes))
	}
	if p.W = []float64{0, 0}; fit(t, &p, threePoints(), perceptron.Stop{Epochs: 3}).Status != svmkit.IterationLimit {
		t.Error("three passes are not enough here")
	}
}

// The same seed gives the same bits, another seed another order; every row is taken once a pass.
func TestShuffle(t *testing.T) {
	rng := rand.New(rand.NewPCG(8, 0))
	s := separable(rng, 50, 3, 0.02, randomPlane(rng, 3, false))
	run := func(seed uint64) *perceptron.Trace {
		p := perceptron.Perceptron{Bias: svmkit.PenalizedBias}
		return fit(t, &p, s, perceptron.Stop{Shuffle: rand.New(rand.NewPCG(seed, 0))})
	}
	a, b, c := run(1), run(1), run(2)
	if !equalMistakes(a.Mistakes, b.Mistakes) {
		t.Error("one seed, two traces")
	}
	if equalMistakes(a.Mistakes, c.Mistakes) {
		t.Error("two seeds, one trace")
	}
	if a.Status != svmkit.Converged {
		t.Errorf("%v", a.Status)
	}

	// With a kernel that is 0 except on equal rows, the first pass errs on every row, once.
	same := kernel.Func(func(x, z svmkit.Row) float64 {
		if slices.Equal(x.Value, z.Value) {
			return 1
		}
		return 0
	})
	k := perceptron.Kernelized{Kernel: same}
	trace, err := k.Fit(context.Background(), s, perceptron.Stop{Shuffle: rng})
	if err != nil {
		t.Fatal(err)
	}
	rows := indices(trace)
	if slices.IsSorted(rows) {
		t.Error("the first pass is not shuffled")
	}
	slices.Sort(rows)
	for i := range s.X {
		if len(rows) != s.Len() || rows[i] != i {
			t.Fatalf("the first pass took %v", rows)
		}
	}
}

// Rows of zeros are mistakes in each pass, so the trace lists their orders: each pass takes each row
// once, and no two passes have the same order.
func TestEveryPassIsShuffled(t *testing.T) {
	zeros := &svmkit.Dataset{Dim: 1}
	for range 10 {
		zeros.X, zeros.Y = append(zeros.X, svmkit.Dense(0)), append(zeros.Y, 1)
	}
	var p perceptron.Perceptron
	rows := indices(fit(t, &p, zeros, perceptron.Stop{Epochs: 4, Shuffle: rand.New(rand.NewPCG(3, 0))}))
	orders := slices.Collect(slices.Chunk(rows, 10))
	if len(orders) != 4 {
		t.Fatalf("%d mistakes in four passes over ten rows of zeros", len(rows))
	}
	for k, order := range orders {
		if first := slices.IndexFunc(orders, func(o []int) bool { return slices.Equal(o, order) }); first != k {
			t.Errorf("pass %d has the order of pass %d: %v", k+1, first+1, order)
		}
		if sorted := slices.Sorted(slices.Values(order)); !slices.Equal(sorted, []int{0, 1, 2, 3, 4, 5, 6, 7, 8, 9}) {
			t.Errorf("pass %d takes the rows %v", k+1, order)
		}
	}
}

func TestFitRefusesBadSets(t *testing.T) {
	ragged, labels, nan := threePoints(), threePoints(), threePoints()
	ragged.X[1] = svmkit.Dense(1)
	labels.Y[2] = 0
	nan.X[2] = svmkit.Dense(math.NaN(), 1)
	for want, s := range map[error]*svmkit.Dataset{
		svmkit.ErrEmpty: nil, svmkit.ErrRagged: ragged, svmkit.ErrLabel: labels, svmkit.ErrNotFinite: nan,
	} {
		for kind, l := range variants() {
			trace, err := l.Fit(context.Background(), s, perceptron.Stop{})
			var e *svmkit.DataError
			if !errors.Is(err, want) || !errors.As(err, &e) || trace != nil {
				t.Errorf("%s: %v, %v; want %v", kind, trace, err, want)
			}
			if l.Score(svmkit.Dense(1, 2)) != 0 {
				t.Errorf("%s learned from a bad set", kind)
			}
		}
	}
}

// Cancelled between two passes: the trace so far, the plane of its last mistake, and ctx.Err().
func TestFitCancelled(t *testing.T) {
	for kind, l := range variants() {
		ctx, cancel := context.WithCancel(context.Background())
		epochs := []int{}
		trace, err := l.Fit(ctx, xor(), perceptron.Stop{Progress: func(p svmkit.Progress) bool {
			if epochs = append(epochs, p.Iteration); p.Iteration == 3 {
				cancel()
			}
			return true
		}})
		if !errors.Is(err, context.Canceled) || trace == nil {
			t.Fatalf("%s: %v, %v", kind, trace, err)
		}
		if trace.Status != svmkit.Cancelled || trace.Rounds != 12 || !slices.Equal(epochs, []int{1, 2, 3}) {
			t.Errorf("%s: %v after %d rounds, progress %v", kind, trace.Status, trace.Rounds, epochs)
		}
		want := variants()[kind]
		full, _ := want.Fit(context.Background(), xor(), perceptron.Stop{Epochs: 3})
		if !equalMistakes(trace.Mistakes, full.Mistakes) {
			t.Errorf("%s: the trace is not the start of the full one", kind)
		}
		for _, x := range xor().X {
			if l.Score(x) != want.Score(x) {
				t.Errorf("%s: not the model of the trace", kind)
			}
		}
	}
}

// Cancelled inside a pass, which a kernel that counts its calls can arrange.
func TestFitCancelledInsideAPass(t *testing.T) {
	ctx, cancel := context.WithCancel(context.Background())
	calls := 0
	k := perceptron.Kernelized{Kernel: kernel.Func(func(x, z svmkit.Row) float64 {
		if calls++; calls == 4 {
			cancel()
		}
		return x.DotRow(z)
	})}
	trace, err := k.Fit(ctx, xor(), perceptron.Stop{})
	if !errors.Is(err, context.Canceled) || trace.Status != svmkit.Cancelled || trace.Rounds == 0 || trace.Rounds >= 4 {
		t.Errorf("%v, %+v", err, trace)
	}
}

func TestProgressCountsUpdates(t *testing.T) {
	var p perceptron.Perceptron
	var updates []int
	trace := fit(t, &p, threePoints(), perceptron.Stop{Progress: func(p svmkit.Progress) bool {
		updates = append(updates, p.Updates)
		return true
	}})
	sum := 0
	for i, n := range trace.ErrorsPerEpoch {
		if sum += n; updates[i] != sum {
			t.Errorf("updates %v, errors by epoch %v", updates, trace.ErrorsPerEpoch)
		}
	}
}

// Progress that returns false stops the run after that pass, without an error; a run that has ended
// by itself in that pass says how.
func TestProgressStops(t *testing.T) {
	for kind, l := range variants() {
		three := perceptron.Stop{Progress: func(p svmkit.Progress) bool { return p.Iteration < 3 }}
		trace, err := l.Fit(t.Context(), xor(), three)
		if err != nil || trace.Status != svmkit.Stopped || trace.Epochs != 3 {
			t.Errorf("%s: %+v, %v", kind, trace, err)
		}
		three.Epochs = 3
		if trace, err = l.Fit(t.Context(), xor(), three); err != nil || trace.Status != svmkit.IterationLimit {
			t.Errorf("%s, at the limit: %+v, %v", kind, trace, err)
		}
	}
	var p perceptron.Perceptron
	stop := perceptron.Stop{Progress: func(p svmkit.Progress) bool { return p.Iteration < 4 }} // see TestThreePointsByHand
	if trace := fit(t, &p, threePoints(), stop); trace.Status != svmkit.Converged {
		t.Errorf("in the last pass: %v", trace.Status)
	}
}

// A perceptron does not know how to count a row 2.5 times: it says so, and learns nothing.
func TestWeightsAreRefused(t *testing.T) {
	set := xor()
	set.Weight = []float64{1, 1, 1, 1}
	var p perceptron.Perceptron
	var param *svmkit.ParamError
	if trace, err := p.Fit(t.Context(), set, perceptron.Stop{}); trace != nil || !errors.As(err, &param) || param.Name != "Weight" || p.W != nil {
		t.Errorf("%v, %v, %v", trace, err, p.W)
	}
}
