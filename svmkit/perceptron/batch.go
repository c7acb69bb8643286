package perceptron

import (
	"context"
	"fmt"
	"math/rand/v2"

	"github.com/svmkit/course/svmkit"
)

// Stop says when [Perceptron.Fit] ends, and in which order it takes the rows. The three
// rules of note B are: all rows are right (always in force), a fixed number of passes or
// mistakes, and one pass. The zero value stops when all is right or after 1000 passes.
type Stop struct {
	Epochs   int  // passes over the set at most; 0 means 1000
	Mistakes int  // mistakes at most; 0 means no limit
	OnePass  bool // take each row once, as a stream would; Epochs does not count then

	Shuffle  *rand.Rand            // draws a new order for every pass; nil keeps the order of the set
	Progress func(svmkit.Progress) // called after every complete pass, if not nil
}

// Status says why a run over a data set ended.
type Status int

const (
	Unfinished   Status = iota // an error ended the run
	Converged                  // a whole pass without a mistake: the plane separates the set
	MistakeLimit               // Stop.Mistakes was reached
	EpochLimit                 // Stop.Epochs was reached
	OnePassDone                // Stop.OnePass was set, and the pass had mistakes
	Cancelled                  // the context was cancelled
)

func (s Status) String() string {
	names := [...]string{"unfinished", "converged", "mistake limit", "epoch limit", "one pass done", "cancelled"}
	if s < 0 || int(s) >= len(names) {
		return fmt.Sprintf("Status(%d)", int(s))
	}
	return names[s]
}

// Trace is what happened in a run over a data set. It holds every mistake, 56 bytes each: for
// a large set that is not separable, limit Stop.Mistakes or Stop.Epochs.
type Trace struct {
	Mistakes       []Mistake // in order
	Epochs         int       // passes begun; the last is cut short by MistakeLimit and Cancelled
	Rounds         int       // examples seen
	Status         Status
	ErrorsPerEpoch []int // mistakes in each pass; its length is Epochs
}

// Fit learns from s in passes until a whole pass has no mistake or a limit of stop is
// reached, whichever is first, so it also ends on a set that no plane separates; the Status
// of the trace says which it was. Learning goes on from the current W and B; W must be empty or
// have s.Dim weights. The labels of s must be ±1; one of the two may be missing.
//
// A bad set is a [*svmkit.DataError], a bad parameter a [*svmkit.ParamError]; with both the
// trace is nil and nothing has changed. If ctx is cancelled, Fit returns the trace so far
// together with ctx.Err(), and the perceptron is as its last update left it. If the numbers
// outgrow float64, it does the same with a DataError for the row that would overflow.
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
	for passes, last := stop.passes(); t.Epochs < passes; {
		if stop.Shuffle != nil {
			stop.Shuffle.Shuffle(len(order), func(i, k int) { order[i], order[k] = order[k], order[i] })
		}
		t.Epochs++
		t.ErrorsPerEpoch = append(t.ErrorsPerEpoch, 0)
		if done, err := t.pass(ctx, l, s, order, stop.Mistakes); done {
			return t, err
		}
		t.Status = Unfinished
		if t.ErrorsPerEpoch[t.Epochs-1] == 0 {
			t.Status = Converged
		} else if t.Epochs == passes {
			t.Status = last
		}
		if stop.Progress != nil {
			stop.Progress(svmkit.Progress{Iteration: t.Epochs, Updates: len(t.Mistakes)})
		}
		if t.Status != Unfinished {
			break
		}
	}
	return t, nil
}

// pass takes every row once, in the given order. It reports done if the run ends inside
// the pass, with the status set.
func (t *Trace) pass(ctx context.Context, l learner, s *svmkit.Dataset, order []int, limit int) (done bool, err error) {
	for _, i := range order {
		if cancelled(ctx) {
			t.Status = Cancelled
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
			t.Status = MistakeLimit
			return true, nil
		}
	}
	return false, nil
}

// passes returns the limit on passes, and the status of a run that reaches it.
func (stop Stop) passes() (int, Status) {
	switch {
	case stop.OnePass:
		return 1, OnePassDone
	case stop.Epochs == 0:
		return 1000, EpochLimit
	}
	return stop.Epochs, EpochLimit
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
