package perceptron

import (
	"cmp"
	"context"
	"fmt"
	"iter"
	"math/rand/v2"

	"github.com/svmkit/course/svmkit"
	"github.com/svmkit/course/svmkit/internal/online"
	"github.com/svmkit/course/svmkit/internal/tick"
)

// errTooLarge wraps ErrNotFinite, so that one test finds NaN, infinity and overflow.
var errTooLarge = fmt.Errorf("the score or ‖w‖² would overflow: %w", svmkit.ErrNotFinite)

// Learn learns from a stream: for each example it predicts, receives the label, and updates after a
// mistake.
//
// After every mistake it calls each, unless each is nil; if each returns false, Learn returns nil.
// Learning continues from the current W and B. Sparse rows may have new columns at any time, up to
// 2²⁷; set the length of W beforehand if there are more. All dense rows must have the same length.
//
// The error is a [*svmkit.ParamError] for a bad field or a nil ctx or examples, and ctx.Err() if
// ctx ends first. An unusable example (a label other than ±1, a number that is not finite, a row of
// another length) changes nothing and ends Learn with a [*svmkit.DataError], whose Row counts the
// examples of this call from 0.
func (p *Perceptron) Learn(ctx context.Context, examples iter.Seq2[svmkit.Row, float64], each func(Mistake) bool) error {
	return stream(ctx, examples, each, p.start)
}

// stream drives a learner over a sequence of examples.
func stream(ctx context.Context, examples iter.Seq2[svmkit.Row, float64], each func(Mistake) bool, begin starter) error {
	var l learner
	return online.Each(ctx, examples,
		func() (err error) { l, err = begin(0, 0); return err },
		func(x svmkit.Row) int { return l.width(x) },
		func(x svmkit.Row, y float64, round int) (goOn bool, err error) {
			m, mistake, err := l.learn(example{x, y, round, round})
			return err == nil && (!mistake || each == nil || each(m)), err
		})
}

// validate accepts any finite rows with labels ±1. Unlike ValidateBinary it accepts a set in which
// one label is missing, because a perceptron can learn from it.
func validate(s *svmkit.Dataset) error {
	if err := s.Validate(); err != nil {
		return err
	}
	if s.Weight != nil {
		return &svmkit.ParamError{Name: "Weight", Value: len(s.Weight),
			Need: "must be nil: a perceptron counts every row once (package svm takes weights)"}
	}
	for i, y := range s.Y {
		if y != -1 && y != 1 {
			return &svmkit.DataError{Row: i, Col: svmkit.NoPlace, Value: y, Err: svmkit.ErrLabel}
		}
	}
	return nil
}

// Stop selects when [Perceptron.Fit] ends, and the order of the rows. The zero value stops after a
// pass without a mistake, or after 1000 passes.
type Stop struct {
	Epochs   int // largest number of passes over the set; default 1000
	Mistakes int // largest number of mistakes; default no limit
	// OnePass takes each row once, as from a stream, and ignores Epochs.
	OnePass bool

	// Shuffle draws a new order for every pass; nil keeps the order of the set.
	Shuffle *rand.Rand
	// Progress is called after every complete pass, and within a pass every svmkit.ProgressEvery,
	// without a certificate. If it returns false, the run stops. It may be nil.
	Progress func(svmkit.Progress) bool
}

// Trace records a run over a data set. It holds every mistake, 56 bytes each.
//
// For a large set that is not separable, limit Stop.Mistakes or Stop.Epochs.
type Trace struct {
	Mistakes []Mistake // in order
	// Epochs is the number of passes that have begun. The last one is incomplete after
	// MistakeLimit, Cancelled, and Stopped between passes.
	Epochs         int
	Rounds         int   // examples seen
	ErrorsPerEpoch []int // mistakes in each pass; its length is Epochs

	// Status is Converged after a pass without a mistake: the plane separates the set. Otherwise it
	// is the limit that ended the run (IterationLimit for Stop.Epochs and Stop.OnePass), Stopped,
	// Cancelled, or Unfinished together with another error.
	Status svmkit.Status
}

// Fit learns from s in passes until a whole pass has no mistake or a limit of stop is reached.
//
// Learning continues from the current W and B; W must be empty or have s.Dim weights. The labels of
// s must be ±1, and one of the two may be missing. Fit refuses weights of rows.
//
// An invalid set is a [*svmkit.DataError] and an invalid parameter a [*svmkit.ParamError]; the
// trace is then nil and nothing has changed. In three cases Fit returns the trace so far: if
// stop.Progress returns false, with a nil error; if ctx ends, with ctx.Err(); and if the numbers
// would overflow float64, with a DataError for the row.
func (p *Perceptron) Fit(ctx context.Context, s *svmkit.Dataset, stop Stop) (*Trace, error) {
	return fit(ctx, s, stop, p.start)
}

// fit drives a learner over a data set.
func fit(ctx context.Context, s *svmkit.Dataset, stop Stop, begin starter) (*Trace, error) {
	if ctx == nil {
		return nil, &svmkit.ParamError{Name: "ctx", Value: nil, Need: "must not be nil"}
	}
	if err := validate(s); err != nil {
		return nil, err
	}
	if err := stop.validate(); err != nil {
		return nil, err
	}
	l, err := begin(s.Dim, s.Len())
	if err != nil {
		return nil, err
	}
	order := make([]int, s.Len())
	for i := range order {
		order[i] = i
	}
	t := &Trace{}
	due := tick.Start(stop.Progress)
	defer due.Stop()
	tell := func() { // sets Stopped if progress returns false
		goOn := stop.Progress(svmkit.Progress{Iteration: t.Epochs, Updates: len(t.Mistakes),
			Certificate: svmkit.Unproved()})
		if due.Reset(); !goOn && t.Status == svmkit.Unfinished {
			t.Status = svmkit.Stopped
		}
	}
	for passes := stop.passes(); t.Status == svmkit.Unfinished; {
		if stop.Shuffle != nil {
			stop.Shuffle.Shuffle(len(order), func(i, k int) {
				order[i], order[k] = order[k], order[i]
			})
		}
		t.Epochs++
		t.ErrorsPerEpoch = append(t.ErrorsPerEpoch, 0)
		if done, err := t.pass(ctx, l, s, order, stop.Mistakes, due, tell); done {
			return t, err
		}
		if t.ErrorsPerEpoch[t.Epochs-1] == 0 {
			t.Status = svmkit.Converged
		} else if t.Epochs == passes {
			t.Status = svmkit.IterationLimit
		}
		if stop.Progress != nil {
			tell()
		}
	}
	return t, nil
}

// pass takes every row once, in the given order. If the run ends inside the pass, it returns true
// and has set the status.
func (t *Trace) pass(ctx context.Context, l learner, s *svmkit.Dataset, order []int, limit int,
	due *tick.Tick, tell func()) (done bool, err error) {
	for _, i := range order {
		if due.Due() {
			if tell(); t.Status == svmkit.Stopped {
				return true, nil
			}
		}
		if ctx.Err() != nil {
			t.Status = svmkit.Cancelled
			return true, ctx.Err()
		}
		m, mistake, err := l.learn(example{s.X[i], s.Y[i], t.Rounds, i})
		if err != nil {
			return true, err
		}
		t.Rounds++
		if !mistake {
			continue
		}
		t.Mistakes = append(t.Mistakes, m)
		t.ErrorsPerEpoch[t.Epochs-1]++
		if len(t.Mistakes) == limit {
			t.Status = svmkit.MistakeLimit
			return true, nil
		}
	}
	return false, nil
}

// passes returns how many passes are allowed.
func (stop Stop) passes() int {
	if stop.OnePass {
		return 1
	}
	return cmp.Or(stop.Epochs, 1000)
}

func (stop Stop) validate() error {
	switch {
	case stop.Epochs < 0:
		return &svmkit.ParamError{Name: "Epochs", Value: stop.Epochs, Need: "must not be negative (0 means 1000)"}
	case stop.Mistakes < 0:
		return &svmkit.ParamError{Name: "Mistakes", Value: stop.Mistakes, Need: "must not be negative (0 means no limit)"}
	}
	return nil
}
