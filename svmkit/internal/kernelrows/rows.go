// Package kernelrows computes rows of Gram matrices.
package kernelrows

import (
	"fmt"

	"github.com/svmkit/course/svmkit"
	"github.com/svmkit/course/svmkit/internal/kernelmath"
	"github.com/svmkit/course/svmkit/kernel"
)

// Rows is a data set prepared for evaluating a kernel between one row and many rows, which gives
// whole rows of the Gram matrix without a method call for each value. The kernels of package kernel
// are a measure of two rows (an inner product or a distance) followed by a function of one number,
// and both parts are loops. Any other kernel is evaluated value by value, by its Eval.
//
// Rows does not change after New and may be shared. Every goroutine needs its own [Evaluator].
type Rows struct {
	k       kernel.Kernel
	x       []svmkit.Row
	width   int            // columns of the buffer into which a sparse row is spread
	dense   bool           // some row is dense: then all rows have exactly width columns
	loops   bool           // the kernel is a function of measure; otherwise its own Eval is called
	measure kernel.Measure // of two rows
	size    []float64      // ‖xᵢ‖² or ‖xᵢ‖₁, for the distances of sparse rows
	number  []int32        // objects of Precomputed, and nil for any other kernel
}

// mostlyFull is the share of stored numbers from which on sparse rows are copied as dense rows,
// because looking up a column costs about as much as two multiplications.
const mostlyFull = 0.5

// A buffer with a number for each column is worth its memory only if there are numbers to put into
// it: a row may have one number, in column 2³¹. Beyond alwaysSpread columns, rows are merged
// instead if fewer than one column in oftenSpread could hold a stored number.
const alwaysSpread, oftenSpread = 1 << 20, 64

// New prepares rows of dim columns for k, which must be valid. It shares the rows, but copies
// sparse rows that are hardly sparse. It costs one pass over the data.
func New(k kernel.Kernel, rows []svmkit.Row, dim int) *Rows {
	r := &Rows{k: k, x: rows, width: dim}
	stored, sparse := 0, false
	for _, x := range rows {
		r.width = max(r.width, kernelmath.Columns(x))
		stored, sparse = stored+len(x.Value), sparse || x.Index != nil
		r.dense = r.dense || x.Index == nil
	}
	if table, ok := k.(kernel.Precomputed); ok {
		r.number = make([]int32, len(rows))
		for i, x := range rows {
			r.number[i] = int32(kernelmath.Object(x, table.N))
		}
	}
	kind, _, known := kernel.KindOf(k)
	if !known || r.width > alwaysSpread && r.width/oftenSpread > stored {
		return r
	}
	if sparse && float64(stored) >= mostlyFull*float64(r.width)*float64(len(rows)) {
		r.x = filled(rows, r.width)
	}
	r.loops, r.measure = true, kind.Measure
	switch kind.Measure {
	case kernel.SquaredDistance:
		r.size = sizes(r.x, svmkit.Row.SquaredNorm)
	case kernel.ManhattanDistance:
		r.size = sizes(r.x, manhattanNorm)
	}
	return r
}

// filled returns the rows as dense rows in one array.
func filled(rows []svmkit.Row, width int) []svmkit.Row {
	dense := svmkit.DenseRows(make([]float64, width*len(rows)), width)
	for i, x := range rows {
		for k, v := range x.Value {
			dense[i].Value[kernelmath.Column(x, k)] = v
		}
	}
	return dense
}

// Diagonal returns κ(xᵢ,xᵢ) for all rows. The error is a [*kernel.EvalError].
func (r *Rows) Diagonal() ([]float64, error) {
	e, diagonal := r.Evaluator(), make([]float64, len(r.x))
	for i := range r.x {
		if err := e.Row(diagonal[i:i+1], i, []int32{int32(i)}); err != nil {
			return nil, err
		}
	}
	return diagonal, nil
}

// Evaluator evaluates for one goroutine. It owns the buffer that Rows cannot share.
type Evaluator struct {
	*Rows
	spread []float64 // zero between two calls
}

// Evaluator returns a new evaluator over r.
func (r *Rows) Evaluator() *Evaluator { return &Evaluator{Rows: r} }

// Row sets to[k] = κ(xᵢ, xⱼ), j = columns[k], for all k. Except for one buffer, it allocates
// nothing. The error is a [*kernel.EvalError] that names i and the first j without a finite value;
// to is then invalid.
func (e *Evaluator) Row(to []float64, i int, columns []int32) error {
	err := e.RowOf(to, e.x[i], columns)
	if err, ok := err.(*kernel.EvalError); ok {
		err.I = i
	}
	return err
}

// RowOf is Row for any row z of the same space. A row of another space is an error, like a panic of
// Eval.
func (e *Evaluator) RowOf(to []float64, z svmkit.Row, columns []int32) error {
	if len(to) != len(columns) {
		panic(fmt.Sprintf("kernel: %d columns for %d values", len(columns), len(to)))
	}
	if len(columns) == 0 {
		return nil
	}
	switch {
	case e.number != nil:
		k := e.k.(kernel.Precomputed)
		i := kernelmath.Object(z, k.N)
		for n, j := range columns {
			to[n] = kernelmath.Entry(k.Gram, k.N, i, int(e.number[j]))
		}
		return allFinite(to, columns)
	case !e.loops:
		return e.evaluate(to, z, columns)
	}
	if z.Index == nil && (len(z.Value) < e.width || e.dense && len(z.Value) > e.width) ||
		e.dense && kernelmath.Columns(z) > e.width {
		return &kernel.EvalError{I: svmkit.NoPlace, J: int(columns[0]),
			Panic: fmt.Sprintf("a row of %d columns meets rows of %d", kernelmath.Columns(z),
				e.width)}
	}
	dense := e.spreadOut(z)
	switch e.measure {
	case kernel.InnerProduct:
		e.dots(to, dense, columns)
	case kernel.SquaredDistance:
		e.squaredDistances(to, z, dense, columns)
	case kernel.ManhattanDistance:
		e.manhattanDistances(to, z, dense, columns)
	}
	e.clear(z)
	finish(e.k, to)
	if e.measure == kernel.InnerProduct {
		return allFinite(to, columns)
	}
	return nil // an exponential of a distance is in [0, 1]
}

// spreadOut returns z as one number per column: its own values, or the buffer with its values
// spread out. It leaves out columns in which no row of the set has a value.
func (e *Evaluator) spreadOut(z svmkit.Row) []float64 {
	if z.Index == nil {
		return z.Value
	}
	if e.spread == nil {
		e.spread = make([]float64, e.width)
	}
	for k, j := range z.Index {
		if int(j) < e.width {
			e.spread[j] = z.Value[k]
		}
	}
	return e.spread
}

// clear makes the buffer zero again.
func (e *Evaluator) clear(z svmkit.Row) {
	for _, j := range z.Index {
		if int(j) < e.width {
			e.spread[j] = 0
		}
	}
}

// evaluate calls the kernel's own Eval and turns a panic into an error.
func (e *Evaluator) evaluate(to []float64, z svmkit.Row, columns []int32) (err error) {
	at := 0
	defer func() {
		if p := recover(); p != nil {
			err = &kernel.EvalError{I: svmkit.NoPlace, J: int(columns[at]), Panic: p}
		}
	}()
	for at = range columns {
		to[at] = e.k.Eval(z, e.x[columns[at]])
	}
	return allFinite(to, columns)
}

// allFinite returns the error for the first value that is NaN or infinite.
func allFinite(to []float64, columns []int32) error {
	bad := 0.0
	for _, v := range to {
		bad += v - v // 0, or NaN from the first value on that is not finite
	}
	if bad == 0 {
		return nil
	}
	for k, v := range to {
		if v-v != 0 {
			return &kernel.EvalError{I: svmkit.NoPlace, J: int(columns[k]), Value: v}
		}
	}
	return nil
}
