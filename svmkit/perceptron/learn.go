package perceptron

import (
	"context"
	"fmt"
	"iter"

	"github.com/svmkit/course/svmkit"
)

// errTooLarge wraps ErrNotFinite, so that one test finds NaN, infinity and overflow.
var errTooLarge = fmt.Errorf("the score or ‖w‖² would overflow: %w", svmkit.ErrNotFinite)

// Learn is the online protocol: receive x, predict, receive y, update after a mistake. It
// takes the examples one at a time, keeps none, and yields every mistake as it happens;
// nothing runs until the result is ranged over, and leaving the range stops it between two
// examples. Learning goes on from the current W and B.
//
// Sparse rows may bring new columns at any time (up to 2²⁷; give W its length beforehand
// if there are more). Dense rows must all have the same length.
//
// The sequence ends early at the first example that cannot be used: a label other than ±1,
// a number that is not finite, a row of another length. Such an example changes nothing, and
// [Perceptron.Err] says what was wrong. It also ends when ctx is cancelled.
func (p *Perceptron) Learn(ctx context.Context, examples iter.Seq2[svmkit.Row, float64]) iter.Seq[Mistake] {
	return stream(ctx, examples, &p.err, func() (learner, error) { return p.begin(0) })
}

// Err returns why the last Learn ended: nil if its examples were all used or the caller left
// the range, a [*svmkit.DataError] whose Row counts the examples of the stream from 0, a
// [*svmkit.ParamError], or the error of the context.
func (p *Perceptron) Err() error { return p.err }

// stream drives a learner over a sequence of examples. It sets *report to why it ended.
func stream(ctx context.Context, examples iter.Seq2[svmkit.Row, float64],
	report *error, begin func() (learner, error)) iter.Seq[Mistake] {
	return func(yield func(Mistake) bool) {
		var l learner
		var err error
		switch {
		case ctx == nil:
			err = &svmkit.ParamError{Name: "ctx", Value: nil, Need: "must not be nil"}
		case examples == nil:
			err = &svmkit.ParamError{Name: "examples", Value: nil, Need: "must not be nil"}
		default:
			l, err = begin()
		}
		*report = err
		if err != nil {
			return
		}
		var check rowCheck
		round := 0
		for x, y := range examples {
			if cancelled(ctx) {
				break
			}
			if *report = check.example(l, x, y, round); *report != nil {
				return
			}
			m, mistake, err := l.learn(example{x, y, round, round})
			if *report = err; err != nil {
				return
			}
			round++
			if mistake && !yield(m) {
				return
			}
		}
		*report = ctx.Err()
	}
}

// rowCheck applies the rules of a Dataset to single rows: it is a set of one row, used again
// and again so that checking allocates nothing.
type rowCheck struct {
	set svmkit.Dataset
	x   [1]svmkit.Row
	y   [1]float64
}

// example returns nil or a *DataError for row number round of a stream.
func (c *rowCheck) example(l learner, x svmkit.Row, y float64, round int) error {
	c.x[0], c.y[0] = x, y
	c.set = svmkit.Dataset{X: c.x[:], Y: c.y[:], Dim: l.width(x)}
	err := validate(&c.set)
	if e, ok := err.(*svmkit.DataError); ok {
		e.Row = round
	}
	return err
}

// validate accepts any finite rows with labels ±1. Unlike ValidateBinary it takes a set in
// which one label is missing: a perceptron can learn from it.
func validate(s *svmkit.Dataset) error {
	if err := s.Validate(); err != nil {
		return err
	}
	for i, y := range s.Y {
		if y != -1 && y != 1 {
			return &svmkit.DataError{Row: i, Col: svmkit.NoPlace, Value: y, Err: svmkit.ErrLabel}
		}
	}
	return nil
}

// cancelled is ctx.Err() != nil without its lock: the loops ask at every example.
func cancelled(ctx context.Context) bool {
	select {
	case <-ctx.Done():
		return true
	default:
		return false
	}
}
