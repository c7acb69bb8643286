// Package stream learns from rows that arrive one at a time, with checkpoints to continue later:
//
//	learner := stream.Pegasos("λ = 0.1", &svm.PegasosStream{Lambda: 0.1})
//	if err := learner.Learn(ctx, rows.All()); err != nil {
//		log.Fatal(err)
//	}
//	if err := learner.Save(file); err != nil {
//		log.Fatal(err)
//	}
//
// Rows are not kept, so they may come from a file that is larger than memory or still grows. A
// later process makes the same learner, calls [Learner.Resume] with the checkpoint, and then Learn
// with all rows from the first one. Learn skips the rows that the checkpoint has seen, and their
// checksum tells whether they are the same rows. The run ends with a bit-identical model and the
// same counts as a run without a stop.
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

// Learner learns from rows and counts them. [Pegasos] and [Perceptron] return a Learner.
//
// It is not safe for concurrent use. Between two rows of [Learner.Learn], the sequence of rows
// itself may call its other methods, for example to save a checkpoint now and then.
type Learner struct {
	// NoCheckpoints keeps no checksum of the rows. This is up to a fifth faster, but Save and
	// Resume return [ErrNoCheckpoints].
	NoCheckpoints bool

	// Rows is the number of rows learned from, including those before the checkpoint.
	Rows int64
	// Mistakes is the number of rows with y·f(x) ≤ 0 on arrival.
	Mistakes int64
	// Violations is the number of rows for which the learner changed its weights.
	Violations int64

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

// ErrOtherRows means that the first rows are not the rows that the checkpoint has seen.
var ErrOtherRows = errors.New("the first rows are not those that the checkpoint has learned from")

// Pegasos returns a learner that trains p.
//
// The name is stored in checkpoints, and a checkpoint with another name is refused. Put everything
// else into it that the state depends on, such as λ.
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

// Perceptron returns a learner that trains p. See [Pegasos] for the name.
//
// A perceptron changes its weights at mistakes only, so both counts are equal.
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

// Learn learns from the rows as they arrive and keeps none. After [Learner.Resume] it first skips
// the rows that the checkpoint has seen, and compares their checksum.
//
// Learn returns nil after the last row, and ctx.Err() if ctx ends first. In both cases you may call
// it again with the rows that follow. If the first rows are others, or too few, it returns
// [ErrOtherRows] and changes nothing. An unusable row changes nothing and ends Learn with a
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
