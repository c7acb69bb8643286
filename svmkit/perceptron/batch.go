package perceptron

import (
	"context"
	"math/rand/v2"

	"github.com/svmkit/course/svmkit"
	"github.com/svmkit/course/svmkit/internal/tick"
)

// Stop says when [Perceptron.Fit] ends, and in which order it takes the rows. The three
// rules of note B are: all rows are right (always in force), a fixed number of passes or
// mistakes, and one pass. The zero value stops when all is right or after 1000 passes.
type Stop struct {
	Epochs   int  // passes over the set at most; 0 means 1000
	Mistakes int  // mistakes at most; 0 means no limit
	OnePass  bool // take each row once, as a stream would; Epochs does not count then

	Shuffle  *rand.Rand                 // draws a new order for every pass; nil keeps the order of the set
	Progress func(svmkit.Progress) bool // called after every complete pass, and within one every svmkit.ProgressEvery, with no certificate; false stops the run. May be nil
}

// Trace is what happened in a run over a data set. It holds every mistake, 56 bytes each: for
// a large set that is not separable, limit Stop.Mistakes or Stop.Epochs.
type Trace struct {
	Mistakes       []Mistake // in order
	Epochs         int       // passes begun; the last is cut short by MistakeLimit, Cancelled, and Stopped in a tick
	Rounds         int       // examples seen
	ErrorsPerEpoch []int     // mistakes in each pass; its length is Epochs

	// Status is Converged after a pass without a mistake: the plane separates the set. Otherwise it
	// is the limit that ended the run (IterationLimit for Stop.Epochs and Stop.OnePass), Stopped,
	// Cancelled, or Unfinished beside another error.
	Status svmkit.Status
}

// Fit learns from s in passes until a whole pass has no mistake or a limit of stop is
// reached, whichever is first, so it also ends on a set that no plane separates; the Status
// of the trace says which it was. Learning goes on from the current W and B; W must be empty or
// have s.Dim weights. The labels of s must be ±1; one of the two may be missing. Weights are refused.
//
// A bad set is a [*svmkit.DataError], a bad parameter a [*svmkit.ParamError]; with both the
// trace is nil and nothing has changed. If stop.Progress returns false, Fit returns the trace so
// far; if ctx is cancelled, together with ctx.Err(); if the numbers outgrow float64, together with
// a DataError for the row that would overflow. The perceptron is then as its last update left it.
func (p *Perceptron) Fit(ctx context.Context, s *svmkit.Dataset, stop Stop) (*Trace, error) {
	return fit(ctx, s, stop, func() (learner, error) { return p.begin(s.Dim) })
}

// fit drives a learner over a data set.
func fit(ctx context.Context, s *svmkit.Dataset, stop Stop, begin func() (learner, error)) (*Trace, error) {
	if ctx == nil {
		return nil, &svmkit.ParamError{Name: "ctx", Value: nil, Need: "must not be nil"}
	}
	if err := validate(s); err != nil {
		return nil, err
	}
	if err := stop.validate(); err != nil {
		return nil, err
	}
	l, err := begin()
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
	tell := func() { // Stopped if that is asked for
		goOn := stop.Progress(svmkit.Progress{Iteration: t.Epochs, Updates: len(t.Mistakes), Certificate: svmkit.Unproved()})
		if due.Reset(); !goOn && t.Status == svmkit.Unfinished {
			t.Status = svmkit.Stopped
		}
	}
	for passes := stop.passes(); t.Status == svmkit.Unfinished; {
		if stop.Shuffle != nil {
			stop.Shuffle.Shuffle(len(order), func(i, k int) { order[i], order[k] = order[k], order[i] })
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

// pass takes every row once, in the given order. It reports done if the run ends inside
// the pass, with the status set.
func (t *Trace) pass(ctx context.Context, l learner, s *svmkit.Dataset, order []int, limit int, due *tick.Tick, tell func()) (done bool, err error) {
	for _, i := range order {
		if due.Due() {
			if tell(); t.Status == svmkit.Stopped {
				return true, nil
			}
		}
		if cancelled(ctx) {
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
	switch {
	case stop.OnePass:
		return 1
	case stop.Epochs == 0:
		return 1000
	}
	return stop.Epochs
}

func (stop Stop) validate() error {
	if stop.Epochs < 0 {
		return &svmkit.ParamError{Name: "Epochs", Value: stop.Epochs, Need: "must not be negative (0 means 1000)"}
	}
	if stop.Mistakes < 0 {
		return &svmkit.ParamError{Name: "Mistakes", Value: stop.Mistakes, Need: "must not be negative (0 means no limit)"}
	}
	return nil
}
