package svm_test

import (
	"context"
	"errors"
	"flag"
	"fmt"
	"math"
	"math/rand/v2"
	"slices"
	"strconv"
	"sync/atomic"
	"testing"
	"time"

	"github.com/svmkit/course/svmkit"
	"github.com/svmkit/course/svmkit/kernel"
	"github.com/svmkit/course/svmkit/loss"
	"github.com/svmkit/course/svmkit/multiclass"
	"github.com/svmkit/course/svmkit/perceptron"
	"github.com/svmkit/course/svmkit/separate"
	"github.com/svmkit/course/svmkit/svm"
	"github.com/svmkit/course/svmkit/tune"
)

var cancellations = flag.Int("cancellations", 2, "moments at which each large fit is cancelled; all phases want some hundred, and a machine that does nothing else")

// promised is how long a cancelled fit takes to return. On a machine with other work the clock says
// little about that, so the test asserts the processors' time from the cancellation to the return,
// which bounds the clock's where nothing else runs. It allows sharedMachine times the promise:
// caches that others fill, a collection of garbage that happens to begin. The clock's time is
// reported, and bounded where something hangs.
const (
	promised      = 50 * time.Millisecond
	sharedMachine = 20
	hangs         = 2 * time.Minute
)

// largeSet draws n rows of which a plane with noise says the label, or the class if there are more
// than two: dense rows if stored is dim.
func largeSet(n, dim, stored, classes int) *svmkit.Dataset {
	rng := rand.New(rand.NewPCG(uint64(n), uint64(dim)))
	set := &svmkit.Dataset{Dim: dim, X: make([]svmkit.Row, n), Y: make([]float64, n)}
	values, index := make([]float64, n*stored), make([]int32, n*stored)
	for i := range set.X {
		x := svmkit.Row{Value: values[i*stored : (i+1)*stored]}
		if stored < dim { // one column of each stretch: sorted, and none twice
			x.Index = index[i*stored : (i+1)*stored]
			for k := range x.Index {
				x.Index[k] = int32(k*(dim/stored) + rng.IntN(dim/stored))
			}
		}
		side := 0.0
		for k := range x.Value {
			x.Value[k] = rng.Float64() - 0.5
			side += x.Value[k] * float64(1-k%3)
		}
		set.X[i] = x
		switch side += 0.2 * (rng.Float64() - 0.5); {
		case classes > 2:
			set.Y[i] = math.Min(float64(classes-1), math.Floor(math.Abs(side)*float64(classes)))
		default:
			set.Y[i] = math.Copysign(1, side)
		}
	}
	return set
}

// longRun is something that runs for seconds when it is not cancelled. The tolerance changes with
// every attempt: a loose one brings the certificates, a tight one the work between them.
type longRun struct {
	name string
	run  func(ctx context.Context, tol float64) error
}

func fits(name string, p svm.Problem, solvers ...svm.Solver) (all []longRun) {
	for _, s := range solvers {
		all = append(all, longRun{fmt.Sprintf("%T, %s", s, name), func(ctx context.Context, tol float64) error {
			r, err := svm.Fit(ctx, &p, s, &svm.Settings{Tol: tol})
			if r == nil || err != nil && r.Status != svmkit.Cancelled {
				return fmt.Errorf("no best model so far: %v, %w", r, err)
			}
			return err
		}})
	}
	return all
}

// longRuns are every solver with what it can solve, linear and with a kernel, and what fits many
// machines.
func longRuns() []longRun {
	dense, sparse := largeSet(150_000, 40, 40, 2), largeSet(80_000, 60_000, 60, 2)
	curved, many := largeSet(12_000, 30, 30, 2), largeSet(60_000, 40, 40, 8)
	rbf, squared := kernel.RBF{Gamma: 0.5}, loss.SquaredHinge{}
	inf, ten := svm.PerSum(math.Inf(1)), svm.PerSum(10)
	all := slices.Concat(
		fits("dense", svm.Problem{Data: dense, C: ten}, svm.DualCoordinate{}, svm.ProximalNewton{}, svm.SMO{}),
		fits("dense, logistic", svm.Problem{Data: dense, C: ten, Loss: loss.Logistic{}}, svm.Newton{}),
		fits("dense, squared", svm.Problem{Data: dense, C: ten, Loss: squared}, svm.Newton{}),
		fits("dense, penalized bias", svm.Problem{Data: dense, C: ten, Bias: svmkit.PenalizedBias}, svm.SDCA{}, svm.Pegasos{}),
		fits("sparse", svm.Problem{Data: sparse, C: ten}, svm.DualCoordinate{}),
		fits("sparse, squared", svm.Problem{Data: sparse, C: ten, Loss: squared}, svm.Newton{}, svm.DualCoordinate{}),
		fits("sparse, penalized bias", svm.Problem{Data: sparse, C: ten, Bias: svmkit.PenalizedBias}, svm.SDCA{}, svm.Pegasos{}),
		fits("RBF", svm.Problem{Data: curved, C: ten, Kernel: rbf}, svm.SMO{}, svm.Decomposition{}),
		fits("RBF, penalized bias", svm.Problem{Data: curved, C: ten, Kernel: rbf, Bias: svmkit.PenalizedBias}, svm.SDCA{}),
		fits("polynomial", svm.Problem{Data: curved, C: ten, Kernel: kernel.Polynomial{Degree: 3, Gamma: 1, Coef0: 1}}, svm.SMO{}, svm.Decomposition{}),
		fits("hard margin", svm.Problem{Data: dense, C: inf}, svm.SMO{}, svm.DualCoordinate{}),
	)
	machine := func(p svm.Problem, s svm.Solver, tol float64) svmkit.Fitter {
		return func(ctx context.Context, set *svmkit.Dataset) (svmkit.Model, error) {
			own := p
			own.Data = set
			return svm.Fit(ctx, &own, s, &svm.Settings{Tol: tol})
		}
	}
	return append(all,
		longRun{"separate.Decide", func(ctx context.Context, _ float64) error {
			_, err := separate.Decide(ctx, dense, svmkit.FreeBias)
			return err
		}},
		longRun{"perceptron", func(ctx context.Context, _ float64) error {
			_, err := new(perceptron.Perceptron).Fit(ctx, dense, perceptron.Stop{})
			return err
		}},
		longRun{"OneVsOne", func(ctx context.Context, tol float64) error {
			_, err := multiclass.OneVsOne{Binary: machine(svm.Problem{}, nil, tol)}.Fit(ctx, many)
			return err
		}},
		longRun{"OneVsRest", func(ctx context.Context, tol float64) error {
			_, err := multiclass.OneVsRest{Binary: machine(svm.Problem{}, svm.DualCoordinate{}, tol)}.Fit(ctx, many)
			return err
		}},
		longRun{"CrammerSinger", func(ctx context.Context, tol float64) error {
			_, err := multiclass.CrammerSinger{Data: many}.Fit(ctx, &multiclass.Settings{Tol: tol})
			return err
		}},
		longRun{"CrossValidate, RBF", func(ctx context.Context, tol float64) error {
			v := tune.Validation{Folds: halves(curved.Len())}
			_, err := v.CrossValidate(ctx, curved, machine(svm.Problem{Kernel: rbf, C: ten}, nil, tol))
			return err
		}},
		longRun{"CrossValidate, dense", func(ctx context.Context, tol float64) error {
			v := tune.Validation{Folds: halves(dense.Len())}
			_, err := v.CrossValidate(ctx, dense, machine(svm.Problem{}, nil, tol))
			return err
		}},
	)
}

// A cancelled fit returns soon, from whatever it is doing: looking at the data, copying them,
// kernel values, steps, certificates.
func TestReliabilityCancellationIsPrompt(t *testing.T) {
	if testing.Short() {
		t.Skip("draws large sets")
	}
	const latest = 500 * time.Millisecond // all phases begin before
	rng := rand.New(rand.NewPCG(71, 0))
	var all []latency
	for _, c := range longRuns() {
		var own []latency
		for k := range *cancellations {
			tol := []float64{1e-12, 0.3, 1e-3}[k%3]
			moment := time.Duration(float64(latest) * math.Pow(rng.Float64(), 3)) // more of the early ones: that is where phases are short
			if l, cancelled := cancelAt(t, c, tol, moment); cancelled {
				own = append(own, l)
				if l.cpu > sharedMachine*promised || l.clock > hangs {
					t.Errorf("%s: cancelled after %v, returned after %v more, %v of the processors", c.name, moment, l.clock, l.cpu)
				}
			}
		}
		if len(own) > 0 { // else it was faster
			clock, cpu := spread(own)
			t.Logf("%-45s %3d cancelled; clock: %s; processors: %s", c.name, len(own), clock, cpu)
		}
		all = append(all, own...)
	}
	if len(all) == 0 {
		t.Fatal("nothing was cancelled")
	}
	clock, cpu := spread(all)
	late := 0
	for _, l := range all {
		if l.clock > promised {
			late++
		}
	}
	t.Attr("cancelled", strconv.Itoa(len(all)))
	t.Attr("cancelled-clock", clock)
	t.Attr("cancelled-processors", cpu)
	t.Attr("cancelled-later-than-50ms", strconv.Itoa(late))
}

// latency is what passed between a cancellation and the return: the clock's time, and the
// processors'.
type latency struct{ clock, cpu time.Duration }

// spread says in words how latencies are distributed.
func spread(all []latency) (clock, cpu string) {
	words := func(of func(latency) time.Duration) string {
		times := make([]time.Duration, len(all))
		for i, l := range all {
			times[i] = of(l).Round(10 * time.Microsecond)
		}
		slices.Sort(times)
		return fmt.Sprintf("median %v, 99 %% %v, worst %v", times[len(times)/2], times[len(times)*99/100], times[len(times)-1])
	}
	return words(func(l latency) time.Duration { return l.clock }), words(func(l latency) time.Duration { return l.cpu })
}

// cancelAt runs c, cancels it at the given moment, and returns how long it took to return from then
// on; nothing if it had come to its end before.
func cancelAt(t *testing.T, c longRun, tol float64, moment time.Duration) (l latency, cancelled bool) {
	t.Helper()
	ctx, cancel := context.WithCancel(t.Context())
	defer cancel()
	var at time.Time
	var used time.Duration
	called := make(chan struct{})
	timer := time.AfterFunc(moment, func() { at, used = time.Now(), cpuTime(); cancel(); close(called) })
	err := c.run(ctx, tol)
	end, usedAtEnd := time.Now(), cpuTime()
	if timer.Stop() {
		if err != nil {
			t.Errorf("%s: %v", c.name, err)
		}
		return latency{}, false
	}
	<-called
	l = latency{end.Sub(at), usedAtEnd - used}
	if err == nil {
		return l, l.cpu > promised // else its end and the cancellation met
	}
	if !errors.Is(err, context.Canceled) {
		t.Errorf("%s: cancelled, but returns %v", c.name, err)
	}
	return l, true
}

// halves are two folds: one half trains, the other judges.
func halves(n int) []tune.Fold {
	var f tune.Fold
	for i := range n {
		if i%2 == 0 {
			f.Train = append(f.Train, i)
		} else {
			f.Test = append(f.Test, i)
		}
	}
	return []tune.Fold{f, {Train: f.Test, Test: f.Train}}
}

// endsAt is a context that ends when it is looked at for the k-th time.
type endsAt struct {
	context.Context
	k     int64
	looks atomic.Int64
}

func (c *endsAt) Err() error {
	if c.looks.Add(1) >= c.k {
		return context.Canceled
	}
	return nil
}

// Fits that go through the rows of a linear problem look at their context every so often, however
// long an epoch is. No clock is asked: from one look to the next, no more rows may have moved than
// betweenLooks numbers make up.
func TestFitsLookAtTheirContextWithinAnEpoch(t *testing.T) {
	const (
		rows, columns = 10_000, 100
		looks         = 12
		betweenLooks  = 1 << 18 // well below the promised 50 ms on any machine, and twice what the solvers allow themselves
	)
	two, many := largeSet(rows, columns, columns, 2), largeSet(rows, columns, columns, 4)
	rng := rand.New(rand.NewPCG(72, 0))
	for i := range two.Y { // no plane knows these labels: each row moves when it is visited first
		two.Y[i], many.Y[i] = float64(2*rng.IntN(2)-1), float64(rng.IntN(4))
	}
	fit := func(s svm.Solver) func(ctx context.Context) (moved int, err error) {
		return func(ctx context.Context) (moved int, err error) {
			r, err := svm.Fit(ctx, &svm.Problem{Data: two, Bias: svmkit.PenalizedBias}, s, &svm.Settings{Tol: 1e-9})
			if r == nil {
				return 0, err
			}
			for _, b := range r.Beta {
				if b != 0 {
					moved++
				}
			}
			return moved, err
		}
	}
	for name, run := range map[string]func(ctx context.Context) (moved int, err error){
		"DualCoordinate": fit(svm.DualCoordinate{}), "SDCA": fit(svm.SDCA{}), "Pegasos": fit(svm.Pegasos{}),
		"CrammerSinger": func(ctx context.Context) (moved int, err error) {
			s, err := multiclass.CrammerSinger{Data: many}.Fit(ctx, &multiclass.Settings{Tol: 1e-9})
			if s == nil {
				return 0, err
			}
			return s.Updates, err
		},
	} {
		before := 0
		for k := range looks {
			moved, err := run(&endsAt{Context: t.Context(), k: int64(k + 1)})
			if !errors.Is(err, context.Canceled) {
				t.Fatalf("%s: the context ended at look %d, but the fit returns %v", name, k+1, err)
			}
			if moved-before > betweenLooks/columns {
				t.Errorf("%s: %d rows moved between the looks %d and %d at the context", name, moved-before, k, k+1)
			}
			before = moved
		}
		if before == 0 {
			t.Errorf("%s: after %d looks no row has moved: this test proves nothing", name, looks)
		}
	}
}
