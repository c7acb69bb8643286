package svmkit

import (
	"context"
	"fmt"
	"maps"
	"math"
	"slices"
)

// RowWeight returns how often row i counts: Weight[i], or 1 if s has no weights.
//
// In every fit, scaling and certificate, a row of weight 2 counts as two copies of the row, and a
// row of weight 0 is ignored. The folds and the metrics of package tune count every row once.
func (s *Dataset) RowWeight(i int) float64 {
	if s.Weight == nil {
		return 1
	}
	return s.Weight[i]
}

// WithoutZeroWeights returns the rows of s with a positive weight, and their numbers in s, rising.
//
// The rows share their values with s. If no row has weight 0, part is s itself and rows is nil.
func (s *Dataset) WithoutZeroWeights() (part *Dataset, rows []int) {
	if !slices.Contains(s.Weight, 0) {
		return s, nil
	}
	rows = []int{} // not nil
	for i, w := range s.Weight {
		if w != 0 {
			rows = append(rows, i)
		}
	}
	return s.Subset(rows), rows
}

// validateSomeWeight returns an error if every weight is 0.
func (s *Dataset) validateSomeWeight() error {
	if s.Weight != nil && !slices.ContainsFunc(s.Weight, func(w float64) bool { return w > 0 }) {
		return noPlace(ErrNoWeight)
	}
	return nil
}

// ClassWeights returns the weight of each row times the factor of its class in byName, for use as
// [Dataset.Weight].
//
// A class without an entry in byName has the factor 1. Labels ±1 without names are the classes "-1"
// and "1". A factor that is negative or not finite is a [*ParamError], as is a name that set does
// not have. A label without a class is a [*DataError], as is a product that is not finite.
func ClassWeights(set *Dataset, byName map[string]float64) ([]float64, error) {
	names, class, err := set.classNumbers()
	if err != nil {
		return nil, err
	}
	for _, name := range slices.Sorted(maps.Keys(byName)) {
		switch w := byName[name]; {
		case !slices.Contains(names, name):
			return nil, &ParamError{Name: "class", Value: fmt.Sprintf("%q", name),
				Need: "must be one of " + quoted(names)}
		case !(w >= 0 && w <= math.MaxFloat64):
			return nil, &ParamError{Name: fmt.Sprintf("the weight of class %q", name), Value: w,
				Need: "must be finite and not negative"}
		}
	}
	factor := slices.Repeat([]float64{1}, len(names))
	for k, name := range names {
		if w, given := byName[name]; given {
			factor[k] = w
		}
	}
	return set.classWeights(class, factor)
}

// Balanced returns row weights for [Dataset.Weight] that give all classes the same total weight.
//
// It multiplies the weights of class k by n/(K·nₖ), where nₖ is the sum of the weights of class k,
// n is the sum of all weights, and K is the number of classes with nₖ > 0. This is scikit-learn's
// class_weight="balanced"
// (https://scikit-learn.org/stable/modules/generated/sklearn.utils.class_weight.compute_class_weight.html).
//
// A label without a class is a [*DataError], as is a weight that is not finite. set is not changed.
func Balanced(set *Dataset) ([]float64, error) {
	names, class, err := set.classNumbers()
	if err != nil {
		return nil, err
	}
	total, of := 0.0, make([]float64, len(names))
	for i, k := range class {
		total += set.RowWeight(i)
		of[k] += set.RowWeight(i)
	}
	classes := 0.0
	for _, w := range of {
		if w > 0 {
			classes++
		}
	}
	for k, w := range of {
		of[k] = 0 // the factor of the class now; one without a weight keeps weight 0
		if w > 0 {
			of[k] = total / (classes * w)
		}
	}
	return set.classWeights(class, of)
}

// classWeights returns the rows' weights times the factors of their classes.
func (s *Dataset) classWeights(class []int, factor []float64) ([]float64, error) {
	weight := make([]float64, len(class))
	for i, k := range class {
		weight[i] = s.RowWeight(i) * factor[k]
		if !finite(weight[i]) {
			return nil, &DataError{Row: i, Col: NoPlace, Value: weight[i], Err: ErrWeight}
		}
	}
	return weight, nil
}

// classNumbers validates s and returns the names of its classes and the class of each row.
func (s *Dataset) classNumbers() (names []string, class []int, err error) {
	if err := s.Validate(); err != nil {
		return nil, nil, err
	}
	names, unknown := s.Classes, ErrNoClass
	if names == nil {
		names = SignNames()
	}
	if len(names) == 2 {
		unknown = ErrLabel
	}
	class = make([]int, len(s.Y))
	for i, y := range s.Y {
		k, ok := ClassOf(y, len(names))
		if !ok {
			return nil, nil, &DataError{Row: i, Col: NoPlace, Value: y, Err: unknown}
		}
		class[i] = k
	}
	return names, class, nil
}

// Weighted returns a fitter that sets weights of its training rows, for example by [Balanced], and
// then calls fit. In a cross-validation the test rows then have no influence on the weights.
//
// Wrap in this order: tune.Scaled around Weighted, and Weighted around a fitter of package
// multiclass. Otherwise the weights of each submodel would be computed separately, or the scaling
// would use them.
func Weighted(weigh func(train *Dataset) (weight []float64, err error), fit Fitter) Fitter {
	return func(ctx context.Context, train *Dataset) (Model, error) {
		if fit == nil || weigh == nil {
			return nil, &ParamError{Name: "weigh, fit", Value: nil, Need: "must not be nil"}
		}
		weight, err := weigh(train)
		if err != nil {
			return nil, err
		}
		weighted := *train
		weighted.Weight = weight
		return fit(ctx, &weighted)
	}
}

// TakeWeight returns a set whose weights are the column with the given name, without that column.
//
// The error is a [*ParamError] if no column or more than one has the name, or if s already has
// weights. A negative value is a [*DataError].
func (s *Dataset) TakeWeight(name string) (*Dataset, error) {
	if err := s.Validate(); err != nil {
		return nil, err
	}
	at := slices.Index(s.Features, name)
	switch {
	case s.Features == nil:
		return nil, &ParamError{Name: "Features", Value: "nil",
			Need: "must name the columns: a column of weights is found by its name"}
	case at < 0:
		return nil, &ParamError{Name: "the column of weights", Value: fmt.Sprintf("%q", name),
			Need: "must be one of " + quoted(s.Features)}
	case slices.Contains(s.Features[at+1:], name):
		return nil, &ParamError{Name: "the column of weights", Value: fmt.Sprintf("%q", name),
			Need: "must be the name of one column: two have it"}
	case s.Weight != nil:
		return nil, &ParamError{Name: "Weight", Value: len(s.Weight),
			Need: "must be nil: the column would be a second weight of each row"}
	case s.Dim == 1:
		return nil, noPlace(ErrNoColumns)
	}
	t := *s
	t.X, t.Dim, t.Weight = make([]Row, len(s.X)), s.Dim-1, make([]float64, len(s.X))
	t.Features = slices.Delete(slices.Clone(s.Features), at, at+1)
	for i, x := range s.X {
		t.Weight[i], t.X[i] = x.At(at), x.without(at)
	}
	if err := t.Validate(); err != nil {
		return nil, err
	}
	return &t, nil
}

// without returns a copy of x without a column.
func (x Row) without(col int) Row {
	if x.Index == nil {
		return Dense(slices.Delete(slices.Clone(x.Value), col, col+1)...)
	}
	y := Row{Index: make([]int32, 0, len(x.Index)), Value: make([]float64, 0, len(x.Index))}
	for k, j := range x.Index {
		switch {
		case int(j) == col:
			continue
		case int(j) > col:
			j--
		}
		y.Index, y.Value = append(y.Index, j), append(y.Value, x.Value[k])
	}
	return y
}
