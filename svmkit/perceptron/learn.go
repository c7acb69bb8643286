package perceptron

import (
	"context"
	"fmt"
	"iter"

	"github.com/svmkit/course/svmkit"
)

// errTooLarge wraps ErrNotFinite, so that one test finds NaN, infinity and overflow.
var errTooLarge = fmt.Errorf("the score or ‖w‖² would overflow: %w", svmkit.ErrNotFinite)

// Learn is the online protocol: receive x, predict, receive y, update after a mistake.
//
// After every mistake it calls each, unless each is nil; if each returns false, Learn returns nil.
// Learning continues from the current W and B. Sparse rows may have new columns at any time, up to
// 2²⁷; set the length of W beforehand if there are more. All dense rows must have the same length.
//
// Learn returns a [*svmkit.ParamError] for a bad field or a nil ctx or examples, and ctx.Err() if
// ctx ended first. An example that cannot be used (a label other than ±1, a number that is not
// finite, a row of another length) changes nothing and ends Learn with a [*svmkit.DataError], whose
// Row counts the examples of this call from 0.
func (p *Perceptron) Learn(ctx context.Context, examples iter.Seq2[svmkit.Row, float64], each func(Mistake) bool) error {
	return stream(ctx, examples, each, p.start)
}

// stream drives a learner over a sequence of examples.
func stream(ctx context.Context, examples iter.Seq2[svmkit.Row, float64], each func(Mistake) bool, begin starter) error {
	switch {
	case ctx == nil:
		return &svmkit.ParamError{Name: "ctx", Value: nil, Need: "must not be nil"}
	case examples == nil:
		return &svmkit.ParamError{Name: "examples", Value: nil, Need: "must not be nil"}
	}
	l, err := begin(0, 0)
	if err != nil {
		return err
	}
	var check rowCheck
	round := 0
	for x, y := range examples {
		if cancelled(ctx) {
			break
		}
		if err := check.example(l, x, y, round); err != nil {
			return err
		}
		m, mistake, err := l.learn(example{x, y, round, round})
		if err != nil {
			return err
		}
		round++
		if mistake && each != nil && !each(m) {
			return nil
		}
	}
	return ctx.Err()
}

// rowCheck applies the rules of a Dataset to single rows, without allocating.
type rowCheck struct {
	set svmkit.Dataset
	x   [1]svmkit.Row
	y   [1]float64
}

// example returns nil, or a *DataError for row number round of a stream.
func (c *rowCheck) example(l learner, x svmkit.Row, y float64, round int) error {
	c.x[0], c.y[0] = x, y
	c.set = svmkit.Dataset{X: c.x[:], Y: c.y[:], Dim: l.width(x)}
	err := validate(&c.set)
	if e, ok := err.(*svmkit.DataError); ok {
		e.Row = round
	}
	return err
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

// cancelled is ctx.Err() != nil without its lock, because the loops call it at every example.
func cancelled(ctx context.Context) bool {
	select {
	case <-ctx.Done():
		return true
	default:
		return false
	}
}
