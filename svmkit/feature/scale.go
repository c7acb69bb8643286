package feature

import (
	"errors"
	"fmt"
	"math"
	"slices"
	"strconv"
	"strings"

	"github.com/svmkit/course/svmkit"
	"github.com/svmkit/course/svmkit/internal/limit"
)

// ErrFillsSparse means that a scaling maps zero to another number and would fill sparse rows.
var ErrFillsSparse = &svmkit.Cause{
	Problem: "this scaling moves zero and would fill sparse rows",
	Hint:    "use UnitVariance, MaxAbs or UnitNorm, or make the rows dense first (Densify)",
}

// ErrNoScale means that a column has no finite mean or spread. Its special cases name the column.
var ErrNoScale = &svmkit.Cause{
	Problem: "a column cannot be scaled",
	Hint:    "multiply or divide the column by a power of ten, or drop it",
	Of:      svmkit.ErrNotFinite,
}

// ErrNoInverse means that a scaling cannot be undone.
var ErrNoInverse = errors.New("this scaling has no inverse")

// Kind selects the operation of a [Scaler] on a column x.
//
// m and s are the mean and the standard deviation of the column over the training rows. s² is the
// mean of (x − m)², with 1/n, and each row counts by its weight.
type Kind int

const (
	Standardize  Kind = iota // (x − m)/s: mean 0, variance 1
	Center                   // x − m
	UnitVariance             // x/s; keeps zeros, so sparse rows stay sparse
	MinMax                   // affine, from the smallest and largest value to Low and High
	MaxAbs                   // x/max|x|, in [−1, 1]; keeps zeros
	UnitNorm                 // each *row* divided by its norm; keeps zeros; a zero row stays zero
)

var kindNames = [...]string{"Standardize", "Center", "UnitVariance", "MinMax", "MaxAbs", "UnitNorm"}

// kindWords are the kinds in a file, and as values of the flag of svm scale.
var kindWords = [...]string{"standardize", "center", "unit-variance", "minmax", "maxabs",
	"unit-norm"}

// MarshalText returns the kind in its form in a file: standardize, center, unit-variance, minmax,
// maxabs or unit-norm.
func (k Kind) MarshalText() ([]byte, error) {
	if k < 0 || int(k) >= len(kindWords) {
		return nil, &svmkit.ParamError{Name: "Kind", Value: k, Need: "must be one of the constants"}
	}
	return []byte(kindWords[k]), nil
}

// UnmarshalText is the inverse of MarshalText.
func (k *Kind) UnmarshalText(text []byte) error {
	i := slices.Index(kindWords[:], string(text))
	if i < 0 {
		return &svmkit.ParamError{Name: "Kind", Value: string(text),
			Need: "must be one of " + strings.Join(kindWords[:], ", ")}
	}
	*k = Kind(i)
	return nil
}

// String returns the constant's name.
func (k Kind) String() string {
	if k < 0 || int(k) >= len(kindNames) {
		return fmt.Sprintf("Kind(%d)", int(k))
	}
	return kindNames[k]
}

// Scaler selects how to scale columns. Its zero value standardizes.
//
// A column that is constant over the training rows has no scale, so it is divided by 1. Standardize
// and Center turn it into 0, and MinMax turns it into Low. UnitVariance leaves it unchanged, and
// MaxAbs scales it like any other column unless it is 0.
type Scaler struct {
	Kind      Kind    // the operation on each column; default Standardize
	Low, High float64 // ends of the interval of MinMax, Low < High; default 0 and 1
}

// Scaling is a [Scaler] that has been fitted to training rows. [Save] writes it to a file, and
// [Load] reads it.
//
// It maps column j by
//
//	x ↦ Low + (x − Shift[j])/Scale[j]
//
// or, if Kind is UnitNorm, x to x/‖x‖. A column in Zero becomes 0.
type Scaling struct {
	Kind  Kind      `json:"kind"`
	Dim   int       `json:"dim"`             // number of columns
	Low   float64   `json:"low"`             // 0 except for MinMax
	Shift []float64 `json:"shift,omitempty"` // nil: all 0
	Scale []float64 `json:"scale,omitempty"` // nil: all 1; never 0
	// Zero lists the columns that become 0 under MinMax, rising. Only [Load] sets it, for LIBSVM.
	Zero []int `json:"zero,omitempty"`
	// Features holds the names of the columns; nil without names.
	Features []string `json:"features,omitempty"`
	// Label is the name of the label's column; "" without a name.
	Label string `json:"label,omitempty"`
}

// Columns returns the columns to which the scaling was fitted.
func (t *Scaling) Columns() svmkit.Columns {
	return svmkit.Columns{Dim: t.Dim, Features: t.Features, Label: t.Label}
}

// Fit computes the scaling from the training rows. Apply it to training and test rows.
//
// Errors are a [*svmkit.ParamError] for the settings, a [*svmkit.DataError] for rows that cannot be
// used or whose mean or spread is not finite, and [ErrFillsSparse].
func (s Scaler) Fit(train *svmkit.Dataset) (*Scaling, error) {
	if s.Kind < Standardize || s.Kind > UnitNorm {
		return nil, &svmkit.ParamError{Name: "Kind", Value: s.Kind, Need: "must be one of the constants"}
	}
	if s.Low == 0 && s.High == 0 {
		s.High = 1
	}
	if s.Kind == MinMax && (!(s.Low < s.High) || math.IsInf(s.High-s.Low, 0)) {
		return nil, &svmkit.ParamError{Name: "Low, High", Value: [2]float64{s.Low, s.High},
			Need: "must be finite, Low < High"}
	}
	if err := train.Validate(); err != nil {
		return nil, err
	}
	t := &Scaling{Kind: s.Kind, Dim: train.Dim, Features: train.Features, Label: train.Label}
	if s.Kind == UnitNorm {
		return t, nil
	}
	counted, _ := train.WithoutZeroWeights()
	if counted.Len() == 0 {
		return nil, &svmkit.DataError{Row: svmkit.NoPlace, Col: svmkit.NoPlace, Err: svmkit.ErrNoWeight}
	}
	stats := measure(counted)
	if s.Kind != UnitVariance && s.Kind != MaxAbs {
		t.Shift = make([]float64, train.Dim)
	}
	if s.Kind != Center {
		t.Scale = make([]float64, train.Dim)
	}
	if s.Kind == MinMax {
		t.Low = s.Low
	}
	for j, c := range stats {
		shift, scale := c.mean, c.deviation()
		switch s.Kind {
		case MinMax:
			shift, scale = c.min, (c.max-c.min)/(s.High-s.Low)
		case MaxAbs:
			scale = max(-c.min, c.max)
		}
		if t.Shift == nil {
			shift = 0 // the sum of the mean may overflow, and the shift is 0
		}
		if scale == 0 { // exactly, if the column is constant: Welford's update then adds zeros
			scale = 1
		}
		// This catches overflow, a number too small to divide by, and NaN.
		const most = math.MaxFloat64
		if math.IsInf(1/scale, 0) || !(scale <= most) || !(math.Abs(shift) <= most) {
			name := fmt.Sprintf("%d, counted from 0,", j)
			if train.Features != nil {
				name = strconv.Quote(train.Features[j])
			}
			return nil, &svmkit.DataError{Row: svmkit.NoPlace, Col: j, Err: &svmkit.Cause{
				Problem: fmt.Sprintf("column %s cannot be scaled: "+
					"of shift %g, scale %g and 1/scale %g one is %v",
					name, shift, scale, 1/scale, svmkit.ErrNotFinite),
				Hint: ErrNoScale.Hint, Of: ErrNoScale}}
		}
		if t.Shift != nil {
			t.Shift[j] = shift
		}
		if t.Scale != nil {
			t.Scale[j] = scale
		}
	}
	if err := t.checkSparse(train); err != nil {
		return nil, err
	}
	return t, nil
}

// Apply returns a scaled copy of set, with the columns in the order of the training rows.
//
// Labels and names are shared. The error is a [*svmkit.ColumnsError] if the columns do not fit (see
// [svmkit.Columns.Align]), [ErrFillsSparse] if set has sparse rows and the scaling moves zero, and
// a [*svmkit.DataError] if a result is not finite.
func (t *Scaling) Apply(set *svmkit.Dataset) (*svmkit.Dataset, error) {
	return t.mapRows(set, t.forward)
}

// Inverse undoes Apply, up to roundoff. For UnitNorm and columns in Zero, which have no inverse,
// the error is [ErrNoInverse].
func (t *Scaling) Inverse(set *svmkit.Dataset) (*svmkit.Dataset, error) {
	if t.Kind == UnitNorm || len(t.Zero) > 0 {
		return nil, ErrNoInverse
	}
	return t.mapRows(set, t.backward)
}

// ApplyRow returns a scaled copy of one row, with the errors of Apply.
func (t *Scaling) ApplyRow(x svmkit.Row) (svmkit.Row, error) {
	one, err := t.Apply(&svmkit.Dataset{X: []svmkit.Row{x}, Y: []float64{0}, Dim: t.Dim})
	if err != nil {
		return svmkit.Row{}, err
	}
	return one.X[0], nil
}

func (t *Scaling) mapRows(
	set *svmkit.Dataset, f func(to []float64, x svmkit.Row),
) (*svmkit.Dataset, error) {
	if err := set.Validate(); err != nil {
		return nil, err
	}
	set, err := t.Columns().Align(set)
	if err != nil {
		return nil, err
	}
	if err := t.checkSparse(set); err != nil {
		return nil, err
	}
	scaled := *set
	scaled.X = make([]svmkit.Row, len(set.X))
	values := make([]float64, set.NNZ())
	for i, x := range set.X {
		n := len(x.Value)
		scaled.X[i] = svmkit.Row{Index: x.Index, Value: values[:n:n]}
		f(values[:n], x)
		values = values[n:]
	}
	if err := scaled.Validate(); err != nil { // a finite number divided by a tiny scale
		return nil, err
	}
	return &scaled, nil
}

func (t *Scaling) forward(to []float64, x svmkit.Row) {
	if t.Kind == UnitNorm {
		copy(to, x.Value)
		unitNorm(to)
		return
	}
	for k, v := range x.Value {
		shift, scale := t.column(x, k)
		if to[k] = t.Low + (v-shift)/scale; t.becomesZero(x, k) {
			to[k] = 0
		}
	}
}

func (t *Scaling) backward(to []float64, x svmkit.Row) {
	for k, v := range x.Value {
		shift, scale := t.column(x, k)
		to[k] = (v-t.Low)*scale + shift
	}
}

// becomesZero reports whether the column of Value[k] of x is in Zero.
func (t *Scaling) becomesZero(x svmkit.Row, k int) bool {
	if t.Zero == nil {
		return false
	}
	if x.Index != nil {
		k = int(x.Index[k])
	}
	_, found := slices.BinarySearch(t.Zero, k)
	return found
}

// column returns the shift and scale of the column of Value[k] of x.
func (t *Scaling) column(x svmkit.Row, k int) (shift, scale float64) {
	if x.Index != nil {
		k = int(x.Index[k])
	}
	scale = 1
	if t.Shift != nil {
		shift = t.Shift[k]
	}
	if t.Scale != nil {
		scale = t.Scale[k]
	}
	return shift, scale
}

// checkSparse returns ErrFillsSparse if set has sparse rows and some column moves zero.
func (t *Scaling) checkSparse(set *svmkit.Dataset) error {
	if t.Shift == nil {
		return nil
	}
	for _, x := range set.X {
		if x.Index != nil {
			return ErrFillsSparse
		}
	}
	return nil
}

// unitNorm divides v by ‖v‖. Dividing by the largest |vⱼ| first keeps the squares finite.
func unitNorm(v []float64) {
	most := 0.0
	for _, a := range v {
		most = max(most, math.Abs(a))
	}
	if most == 0 {
		return
	}
	sum := 0.0
	for j := range v {
		v[j] /= most
		sum += v[j] * v[j]
	}
	for j := range v {
		v[j] /= math.Sqrt(sum)
	}
}

// Densify returns set with dense rows. The result is set itself if no row is sparse, and otherwise
// a copy.
func Densify(set *svmkit.Dataset) (*svmkit.Dataset, error) {
	if err := set.Validate(); err != nil {
		return nil, err
	}
	sparse := false
	for _, x := range set.X {
		sparse = sparse || x.Index != nil
	}
	if !sparse {
		return set, nil
	}
	if err := limit.Size(set.Len(), set.Dim); err != nil {
		return nil, err
	}
	flat := make([]float64, set.Len()*set.Dim)
	for i, x := range set.X {
		x.AddTo(flat[i*set.Dim:][:set.Dim], 1)
	}
	dense := *set
	dense.X = svmkit.DenseRows(flat, set.Dim)
	return &dense, nil
}
