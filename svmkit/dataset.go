package svmkit

import (
	"fmt"
	"iter"
	"math"
	"runtime"
	"slices"
	"sync"
	"sync/atomic"
)

// Dataset holds n examples of Dim columns, each with one label or target.
//
// The meaning of Y follows from Classes:
//
//   - two classes: Y[i] is −1 for Classes[0] and +1 for Classes[1];
//   - more than two: Y[i] is the number of the class, 0 … len(Classes)−1;
//   - none: Y[i] is a target of regression, or a label ±1 without a name. Package multiclass also
//     takes labels 0 … K−1 without names.
//
// [LabelOf] and [ClassOf] implement this rule for classes with names. Readers, generators and
// samples fill a Dataset in this form, and [Dataset.Validate] checks it.
type Dataset struct {
	X        []Row     // the examples
	Y        []float64 // one label or target per row, see above
	Weight   []float64 // how often each row counts, see [Dataset.RowWeight]; nil: once
	Dim      int       // d, the number of columns
	Classes  []string  // names of the classes, see above; nil without names
	Features []string  // one name per column; nil without names
	Label    string    // name of the label's column; "" without a name
}

// NewDataset copies n rows of equal length and n labels or targets into a dense set, and validates
// it.
func NewDataset(x [][]float64, y []float64) (*Dataset, error) {
	if len(x) == 0 {
		return nil, noPlace(ErrEmpty)
	}
	d := len(x[0])
	if d == 0 {
		return nil, noPlace(ErrNoColumns)
	}
	flat := make([]float64, 0, len(x)*d)
	for i, row := range x {
		if len(row) != d {
			return nil, &DataError{Row: i, Col: NoPlace, Value: float64(len(row)), Err: ErrRagged}
		}
		flat = append(flat, row...)
	}
	set := &Dataset{X: DenseRows(flat, d), Y: slices.Clone(y), Dim: d}
	return set, set.Validate()
}

// DenseRows cuts flat, which holds n·d numbers row by row, into n dense rows that share it. It
// panics unless d > 0 divides len(flat).
func DenseRows(flat []float64, d int) []Row {
	if d <= 0 || len(flat)%d != 0 {
		panic("svmkit: DenseRows: d does not divide the number of values")
	}
	rows := make([]Row, len(flat)/d)
	for i := range rows {
		rows[i].Value = flat[i*d : (i+1)*d : (i+1)*d]
	}
	return rows
}

// Len returns n, the number of rows.
func (s *Dataset) Len() int { return len(s.X) }

// NNZ returns the number of stored values: n·d for dense rows.
func (s *Dataset) NNZ() int {
	n := 0
	for _, x := range s.X {
		n += len(x.Value)
	}
	return n
}

// All yields the rows with their labels in order.
func (s *Dataset) All() iter.Seq2[Row, float64] {
	return func(yield func(Row, float64) bool) {
		for i, x := range s.X {
			if !yield(x, s.Y[i]) {
				return
			}
		}
	}
}

// Radius returns R = max ‖xᵢ‖, the radius of the smallest ball about the *origin* that holds all
// rows. It changes if you move the data.
func (s *Dataset) Radius() float64 {
	r := 0.0
	for _, x := range s.X {
		r = max(r, x.Norm())
	}
	return r
}

// Subset returns the rows with the given numbers, in that order. They share their values with s.
func (s *Dataset) Subset(rows []int) *Dataset {
	t := *s
	t.X, t.Y = make([]Row, len(rows)), make([]float64, len(rows))
	if s.Weight != nil {
		t.Weight = make([]float64, len(rows))
	}
	for k, i := range rows {
		t.X[k], t.Y[k] = s.X[i], s.Y[i]
		if s.Weight != nil {
			t.Weight[k] = s.Weight[i]
		}
	}
	return &t
}

// Validate returns a [*DataError] for the first part of s that no algorithm could use.
//
// It refuses sets without rows or columns, NaN and infinite values, wrong lengths, unsorted indices
// and negative weights. It accepts any finite label, and weights that are all 0.
// [Dataset.ValidateBinary] and [Dataset.ValidateTargets] do not.
func (s *Dataset) Validate() error {
	switch {
	case s == nil || len(s.X) == 0:
		return noPlace(ErrEmpty)
	case s.Dim <= 0:
		return noPlace(ErrNoColumns)
	case len(s.Y) != len(s.X):
		return noPlace(ErrMismatch)
	case s.Weight != nil && len(s.Weight) != len(s.X):
		return noPlace(fmt.Errorf("%w: Weight has %d numbers, "+
			"and must have one for each of %d rows, or be nil", ErrMismatch, len(s.Weight), len(s.X)))
	case s.Features != nil && len(s.Features) != s.Dim:
		return noPlace(ErrMismatch)
	}
	return s.validateRows()
}

// validateRows checks rows and labels and returns the error of the first row that has one. It
// checks blocks of rows on two threads if there are many rows.
func (s *Dataset) validateRows() error {
	const block = 4096
	n := len(s.X)
	if n < 2*block || runtime.GOMAXPROCS(0) == 1 {
		return s.validateRange(0, n)
	}
	var next atomic.Int64
	errs := make([]error, (n+block-1)/block)
	work := func() {
		for k := int(next.Add(1)) - 1; k < len(errs); k = int(next.Add(1)) - 1 {
			if errs[k] = s.validateRange(k*block, min((k+1)*block, n)); errs[k] != nil {
				return // blocks are begun in order: the one with the first error is
			}
		}
	}
	var other sync.WaitGroup
	other.Go(work)
	work()
	other.Wait()
	for _, err := range errs {
		if err != nil {
			return err
		}
	}
	return nil
}

func (s *Dataset) validateRange(from, to int) error {
	for i := from; i < to; i++ {
		if x := &s.X[i]; !x.wellFormed(s.Dim) {
			if err := x.validate(s.Dim); err != nil {
				err.Row = i
				return err
			}
		}
		if !finite(s.Y[i]) {
			return &DataError{Row: i, Col: NoPlace, Value: s.Y[i], Err: ErrNotFinite}
		}
		if s.Weight != nil && !(s.Weight[i] >= 0 && finite(s.Weight[i])) {
			return &DataError{Row: i, Col: NoPlace, Value: s.Weight[i], Err: ErrWeight}
		}
	}
	return nil
}

// ValidateBinary is [Dataset.Validate] for two classes. It also requires that every label is −1 or
// +1, and that both occur in rows of a positive weight.
func (s *Dataset) ValidateBinary() error {
	if err := s.Validate(); err != nil {
		return err
	}
	sum := 0.0 // of the labels; labels are hard to foresee, so there is no branch for one
	for i, y := range s.Y {
		if math.Abs(y) != 1 {
			return &DataError{Row: i, Col: NoPlace, Value: y, Err: ErrLabel}
		}
		sum += y
	}
	if math.Abs(sum) == float64(len(s.Y)) {
		return noPlace(ErrOneClass)
	}
	if err := s.validateSomeWeight(); err != nil {
		return err
	}
	var weighs [2]bool // whether −1 and +1 have a row of a positive weight
	for i, w := range s.Weight {
		weighs[int(s.Y[i]+1)/2] = weighs[int(s.Y[i]+1)/2] || w > 0
	}
	if s.Weight != nil && weighs != [2]bool{true, true} {
		return noPlace(fmt.Errorf("%w among the rows of a positive weight", ErrOneClass))
	}
	return nil
}

// ValidateTargets is [Dataset.Validate] for regression. It also requires that Classes is nil,
// because Y holds targets, and that some row has a positive weight.
func (s *Dataset) ValidateTargets() error {
	if err := s.Validate(); err != nil {
		return err
	}
	if s.Classes != nil {
		return noPlace(ErrNotTargets)
	}
	return s.validateSomeWeight()
}

// MaxColumns is the number of columns up to which every set is accepted. A set with more columns
// must store a number for every 64 of them, see [Dataset.ValidateDim].
const MaxColumns = 1 << 27

const columnsPerNumber = 64

// ValidateDim returns a [*ParamError] if Dim is far larger than the stored numbers can explain.
//
// A single broken index in a small file could otherwise make a vector of Dim numbers take 16 GiB. A
// vector of [MaxColumns] numbers takes 1 GiB.
func (s *Dataset) ValidateDim() error {
	if s.Dim <= MaxColumns {
		return nil
	}
	if numbers := s.NNZ(); s.Dim/columnsPerNumber > numbers {
		return &ParamError{Name: "Data.Dim", Value: s.Dim,
			Need: fmt.Sprintf("is far too large for w and %d stored numbers: is an index broken?",
				numbers)}
	}
	return nil
}

// wellFormed reports whether validate would find nothing, without looking where: no branch depends
// on a value, which takes half the time.
func (x *Row) wellFormed(dim int) bool {
	over := uint64(0)
	if x.Index == nil {
		for _, v := range x.Value {
			over |= overflow(v)
		}
		return len(x.Value) == dim && over>>63 == 0
	}
	if len(x.Index) != len(x.Value) {
		return false
	}
	value := x.Value[:len(x.Index)]
	last, falls := int32(-1), int32(0)
	for k, j := range x.Index {
		falls |= (j - last - 1) | j // negative if j ≤ last or j < 0
		last = j
		over |= overflow(value[k])
	}
	return falls >= 0 && int(last) < dim && over>>63 == 0
}

// overflow has its first bit set if v is NaN or infinite: then the exponent is the largest there
// is, and one more runs over into the sign.
func overflow(v float64) uint64 { return math.Float64bits(v)<<1>>1 + 1<<52 }

func (x Row) validate(dim int) *DataError {
	if x.Index == nil {
		if len(x.Value) != dim {
			return &DataError{Col: NoPlace, Value: float64(len(x.Value)), Err: ErrRagged}
		}
	} else if len(x.Index) != len(x.Value) {
		return &DataError{Col: NoPlace, Value: float64(len(x.Value)), Err: ErrMismatch}
	}
	last := int32(-1)
	for k, v := range x.Value {
		col := k
		if x.Index != nil {
			col = int(x.Index[k])
			if x.Index[k] <= last || col >= dim {
				return &DataError{Col: col, Value: v, Err: ErrIndex}
			}
			last = x.Index[k]
		}
		if !finite(v) {
			return &DataError{Col: col, Value: v, Err: ErrNotFinite}
		}
	}
	return nil
}

// finite is written so because it is asked for every number of a data set: NaN − NaN and Inf − Inf
// are NaN.
func finite(v float64) bool { return v-v == 0 }
