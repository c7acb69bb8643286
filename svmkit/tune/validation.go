package tune

import (
	"context"
	"errors"
	"fmt"
	"math"
	"slices"
	"sync"

	"github.com/svmkit/course/svmkit"
	"github.com/svmkit/course/svmkit/dataset"
	"github.com/svmkit/course/svmkit/internal/parallel"
	"gonum.org/v1/gonum/stat"
)

// ErrLeak says that a row stands among the training and the test rows of one fold.
var ErrLeak = errors.New("row is both for training and for testing")

// Validation says on which rows machines are trained, on which they are judged, and how.
type Validation struct {
	Folds    []dataset.Fold         // from [dataset.Folds], or one from [dataset.SplitRows]
	Metric   Metric                 // nil: Accuracy
	Threads  int                    // machines trained at once; 0 means GOMAXPROCS. Changes no result
	Progress func(machines, of int) // told how many machines are done, one call at a time. May be nil
}

var errNoMachine = errors.New("training returned neither a machine nor an error")

// CVResult is a score a fold. After a cancelled run, folds that were not finished have NaN.
type CVResult struct {
	Scores []float64 // the metric on the test rows of each fold
	Mean   float64   // over the finished folds; NaN without any
	// StdErr is s/√k for the k finished folds, s² with k − 1; NaN for k < 2. The folds share
	// training rows, so their scores are not independent and this is a rough measure.
	StdErr float64
}

// FoldError says where training or measuring failed.
type FoldError struct {
	Fold   int     // from 0
	Params *Params // nil where none are chosen
	Err    error
}

func (e *FoldError) Error() string {
	if e.Params != nil {
		return fmt.Sprintf("tune: fold %d, %s: %v", e.Fold, e.Params, e.Err)
	}
	return fmt.Sprintf("tune: fold %d: %v", e.Fold, e.Err)
}

func (e *FoldError) Unwrap() error { return e.Err }

// CrossValidate trains a machine on the Train rows of each fold and measures it on the Test
// rows.
//
// Errors: a [*svmkit.DataError] or [*svmkit.ParamError] for the data and the settings, else the
// [*FoldError] of the first fold that failed. When ctx ends, the folds that are finished are
// returned together with ctx's error.
func (v Validation) CrossValidate(ctx context.Context, set *svmkit.Dataset, fit svmkit.Fitter) (*CVResult, error) {
	return v.crossValidate(ctx, set, fit, func(int, svmkit.Scorer) {})
}

// crossValidate is CrossValidate that also hands over each machine, from its own goroutine.
func (v Validation) crossValidate(ctx context.Context, set *svmkit.Dataset, fit svmkit.Fitter, keep func(fold int, s svmkit.Scorer)) (*CVResult, error) {
	if ctx == nil {
		return nil, &svmkit.ParamError{Name: "ctx", Value: nil, Need: "must not be nil"}
	}
	if fit == nil {
		return nil, &svmkit.ParamError{Name: "fit", Value: nil, Need: "must not be nil"}
	}
	threads, err := v.prepare(set)
	if err != nil {
		return nil, err
	}
	r := &CVResult{Scores: unfinished(len(v.Folds))}
	report := v.reporter(len(v.Folds))
	err = parallel.For(ctx, len(v.Folds), threads, func(f int) error {
		train, test := v.Folds[f].Of(set)
		err := parallel.Call("training or its machine", func() error {
			machine, err := fit(ctx, train)
			if err == nil {
				keep(f, machine)
				r.Scores[f], err = v.measure(ctx, machine, test)
			}
			return err
		})
		if err != nil {
			return &FoldError{Fold: f, Err: err}
		}
		return report()
	})
	if err != nil && ctx.Err() == nil {
		return nil, err
	}
	r.summarise()
	return r, err
}

// measure returns the metric of machine's scores on test.
func (v Validation) measure(ctx context.Context, machine svmkit.Scorer, test *svmkit.Dataset) (float64, error) {
	if machine == nil {
		return math.NaN(), errNoMachine
	}
	scores := make([]float64, 0, test.Len())
	for rows := range slices.Chunk(test.X, scoredAtOnce) {
		if ctx.Err() != nil {
			return math.NaN(), ctx.Err()
		}
		scores = append(scores, scoreAll(machine, rows)...)
	}
	value := math.NaN()
	err := parallel.Call("Metric", func() (err error) { // who trains is not to blame
		value, err = v.metric().Measure(test, scores)
		return err
	})
	if err == nil && math.IsNaN(value) {
		err = fmt.Errorf("%T of %d rows: %w", v.metric(), test.Len(), svmkit.ErrNotFinite) // NaN marks what was not finished
	}
	return value, err
}

// scoredAtOnce is how many rows are scored between two looks at the context.
const scoredAtOnce = 512

// scoreAll scores rows at once with a machine that can: a kernel is then much faster.
func scoreAll(machine svmkit.Scorer, rows []svmkit.Row) []float64 {
	if m, ok := machine.(interface {
		ScoreAll(rows []svmkit.Row) []float64
	}); ok {
		return m.ScoreAll(rows)
	}
	scores := make([]float64, len(rows))
	for i, x := range rows {
		scores[i] = machine.Score(x)
	}
	return scores
}

func (v Validation) metric() Metric {
	if v.Metric == nil {
		return Accuracy{}
	}
	return v.Metric
}

// prepare checks data and folds and returns the number of threads.
func (v Validation) prepare(set *svmkit.Dataset) (threads int, err error) {
	if err := set.Validate(); err != nil {
		return 0, err
	}
	if len(v.Folds) == 0 {
		return 0, &svmkit.ParamError{Name: "Folds", Value: v.Folds, Need: "must not be empty"}
	}
	use := make([]int, set.Len()) // 1 + the fold in which a row was last seen for training
	for f, fold := range v.Folds {
		if len(fold.Train) == 0 || len(fold.Test) == 0 {
			return 0, &FoldError{Fold: f, Err: &svmkit.DataError{Row: svmkit.NoPlace, Col: svmkit.NoPlace, Err: svmkit.ErrEmpty}}
		}
		for part, rows := range [2][]int{fold.Train, fold.Test} {
			for _, i := range rows {
				switch {
				case i < 0 || i >= set.Len():
					return 0, &FoldError{Fold: f, Err: &svmkit.ParamError{Name: "Folds", Value: i, Need: "must be numbers of rows"}}
				case part == 0:
					use[i] = f + 1
				case use[i] == f+1:
					return 0, &FoldError{Fold: f, Err: &svmkit.DataError{Row: i, Col: svmkit.NoPlace, Value: set.Y[i], Err: ErrLeak}}
				}
			}
		}
	}
	return parallel.Threads(v.Threads)
}

// reporter returns what a worker calls after each machine.
func (v Validation) reporter(total int) func() error {
	if v.Progress == nil {
		return func() error { return nil }
	}
	var mutex sync.Mutex
	done := 0
	return func() error {
		mutex.Lock()
		defer mutex.Unlock()
		done++
		return parallel.Call("Progress", func() error { v.Progress(done, total); return nil })
	}
}

func unfinished(n int) []float64 {
	scores := make([]float64, n)
	for i := range scores {
		scores[i] = math.NaN()
	}
	return scores
}

// summarise computes mean and standard error of the finished folds.
func (r *CVResult) summarise() {
	var done []float64
	for _, s := range r.Scores {
		if !math.IsNaN(s) {
			done = append(done, s)
		}
	}
	r.Mean, r.StdErr = math.NaN(), math.NaN()
	switch k := float64(len(done)); {
	case k == 1:
		r.Mean = done[0]
	case k > 1:
		var deviation float64
		r.Mean, deviation = stat.MeanStdDev(done, nil)
		r.StdErr = stat.StdErr(deviation, k)
	}
}

// complete reports whether every fold is finished.
func (r *CVResult) complete() bool {
	for _, s := range r.Scores {
		if math.IsNaN(s) {
			return false
		}
	}
	return true
}
