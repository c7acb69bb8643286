// Package online holds what the learners from a stream of examples share: those of package
// perceptron and svm.PegasosStream.
package online

import (
	"context"
	"iter"
	"slices"

	"github.com/svmkit/course/svmkit"
	"github.com/svmkit/course/svmkit/internal/kernelmath"
)

// Each calls begin, and then learn for each of the examples, numbered from 0, until learn returns
// false or an error. The arguments are those of a method Learn, and nil is a [*svmkit.ParamError].
//
// An example that cannot be used is a [*svmkit.DataError] with its number: a label other than ±1,
// or a row that is not finite or does not fit into width(x) columns. If ctx ends, Each returns its
// error. Checking an example allocates nothing.
func Each(ctx context.Context, examples iter.Seq2[svmkit.Row, float64], begin func() error,
	width func(x svmkit.Row) int, learn func(x svmkit.Row, y float64, row int) (bool, error)) error {
	switch {
	case ctx == nil:
		return &svmkit.ParamError{Name: "ctx", Value: nil, Need: "must not be nil"}
	case examples == nil:
		return &svmkit.ParamError{Name: "examples", Value: nil, Need: "must not be nil"}
	}
	if err := begin(); err != nil {
		return err
	}
	one := svmkit.Dataset{X: make([]svmkit.Row, 1), Y: make([]float64, 1)} // again and again
	row := 0
	for x, y := range examples {
		if err := ctx.Err(); err != nil {
			return err
		}
		one.X[0], one.Y[0], one.Dim = x, y, width(x)
		err := one.Validate()
		if e, ok := err.(*svmkit.DataError); ok {
			e.Row = row
		}
		if err == nil && y != -1 && y != 1 {
			err = &svmkit.DataError{Row: row, Col: svmkit.NoPlace, Value: y, Err: svmkit.ErrLabel}
		}
		if err != nil {
			return err
		}
		goOn, err := learn(x, y, row)
		if !goOn || err != nil {
			return err
		}
		row++
	}
	return ctx.Err()
}

// FirstColumns returns the part of x in its first d columns.
func FirstColumns(x svmkit.Row, d int) svmkit.Row {
	if kernelmath.Columns(x) <= d {
		return x
	}
	if x.Index == nil {
		return svmkit.Row{Value: x.Value[:d]}
	}
	k, _ := slices.BinarySearch(x.Index, int32(d))
	return svmkit.Row{Index: x.Index[:k], Value: x.Value[:k]}
}
