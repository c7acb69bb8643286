// Package stream learns from rows that come one at a time and are not kept, such as those of a file
// that still grows. A checkpoint lets a later process go on:
//
//	learner := stream.Pegasos("λ = 0.01", &svm.PegasosStream{Lambda: 0.01})
//	err := learner.Resume(file)         // only if there is a checkpoint
//	err = learner.Learn(ctx, rows.All()) // passes over the rows that the checkpoint has seen
//	err = learner.Save(file)
//
// A run that goes on from a checkpoint ends with the same model, bit for bit, and with the same counts
// as a run that nobody stopped. The rows must come again from the first one. Their checksum tells
// whether they are the rows that the checkpoint has seen.
package stream

import (
	"context"
	"encoding"
	"encoding/binary"
	"errors"
	"hash/crc64"
	"iter"
	"math"

	"github.com/svmkit/course/svmkit"
	"github.com/svmkit/course/svmkit/perceptron"
	"github.com/svmkit/course/svmkit/svm"
)

// Learner learns from rows and counts them. [Pegasos] and [Perceptron] return one.
//
// A Learner must not be used by several goroutines at once. Between two rows of [Learner.Learn], the
// sequence of rows itself may call its other methods, for instance to save a checkpoint now and then.
type Learner struct {
	NoCheckpoints bool // keep no checksum of the rows: faster by up to a fifth, but Save and Resume refuse to work

	Rows       int64 // learned from, those before the checkpoint included
	Mistakes   int64 // rows with y·f(x) ≤ 0 when they came
	Violations int64 // rows for which the learner changed its weights

	name  string
	state interface {
		encoding.BinaryMarshaler
		encoding.BinaryUnmarshaler
	}
	learn func(context.Context, iter.Seq2[svmkit.Row, float64]) error

	sum   uint64 // checksum of the rows learned from
	old   int64  // rows of the checkpoint that have not come again yet
	again uint64 // checksum of the rows that have
	other bool   // they are not the rows of the checkpoint
}

// ErrOtherRows says that the first rows are not the rows that the checkpoint has seen.
var ErrOtherRows = errors.New("the first rows are not those that the checkpoint has learned from")

// Pegasos returns a learner that teaches p. The name is part of a checkpoint and says what else its
// state depends on, such as λ. A checkpoint of another name is refused.
func Pegasos(name string, p *svm.PegasosStream) *Learner {
	l := &Learner{name: name, state: p}
	l.learn = func(ctx context.Context, rows iter.Seq2[svmkit.Row, float64]) error {
		return p.Learn(ctx, rows, func(v svm.Violation) bool {
			l.Violations++
			if v.Label*v.Score <= 0 {
				l.Mistakes++
			}
			return true
		})
	}
	return l
}

// Perceptron returns a learner that teaches p. The name is that of [Pegasos]. A perceptron changes its
// weights at mistakes only, so both counts are equal.
func Perceptron(name string, p *perceptron.Averaged) *Learner {
	l := &Learner{name: name, state: p}
	l.learn = func(ctx context.Context, rows iter.Seq2[svmkit.Row, float64]) error {
		return p.Learn(ctx, rows, func(perceptron.Mistake) bool {
			l.Mistakes++
			l.Violations++
			return true
		})
	}
	return l
}

// Learn learns from the rows as they come and keeps none. After [Learner.Resume] it first passes over
// the rows that the checkpoint has seen, and compares their checksum.
//
// Learn returns nil after the last row, and ctx.Err() if ctx ends first. Either way it may be called
// again with the rows that follow. If the first rows are others, or too few, it returns
// [ErrOtherRows] and has changed nothing. A row that cannot be used changes nothing and ends it with a
// [*svmkit.DataError], whose Row counts the rows of this call from 0.
func (l *Learner) Learn(ctx context.Context, rows iter.Seq2[svmkit.Row, float64]) error {
	switch {
	case ctx == nil:
		return &svmkit.ParamError{Name: "ctx", Value: nil, Need: "must not be nil"}
	case rows == nil:
		return &svmkit.ParamError{Name: "rows", Value: nil, Need: "must not be nil"}
	case l.other:
		return ErrOtherRows
	}
	passed := 0 // rows of this call that the checkpoint has seen
	err := l.learn(ctx, func(yield func(svmkit.Row, float64) bool) {
		for x, y := range rows {
			if l.old > 0 {
				passed++
				l.old--
				l.again = checksum(l.again, x, y)
				l.other = l.old == 0 && l.again != l.sum
				if l.other || ctx.Err() != nil {
					return
				}
				continue
			}
			if !yield(x, y) {
				return
			}
			if l.Rows++; !l.NoCheckpoints {
				l.sum = checksum(l.sum, x, y)
			}
		}
	})
	if l.other || l.old > 0 && err == nil {
		return ErrOtherRows
	}
	if bad := (*svmkit.DataError)(nil); errors.As(err, &bad) {
		bad.Row += passed
	}
	return err
}

// checksum adds a row to the checksum of the rows before it.
func checksum(sum uint64, x svmkit.Row, y float64) uint64 {
	text := make([]byte, 0, 512) // stays on the stack for most rows
	text = binary.LittleEndian.AppendUint64(text, math.Float64bits(y))
	for k, v := range x.Value {
		if x.Index != nil {
			text = binary.LittleEndian.AppendUint32(text, uint32(x.Index[k]))
		}
		text = binary.LittleEndian.AppendUint64(text, math.Float64bits(v))
	}
	return crc64.Update(sum, table, append(text, '\n'))
}

var table = crc64.MakeTable(crc64.ECMA)
