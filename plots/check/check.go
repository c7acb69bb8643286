// Package check refuses what a figure cannot draw, with the typed errors of package svmkit.
//
// A constructor of a figure asks for all that it needs at once:
//
//	err := cmp.Or(check.Planar(set), check.Plane(h, 2), check.PerRow("alpha", alpha, set))
//	if err != nil {
//		return nil, err
//	}
//
// A fault of a parameter is a [*svmkit.ParamError], a fault of one number among many a
// [*svmkit.DataError] that names its row and column.
package check

import (
	"cmp"
	"errors"
	"fmt"
	"math"
	"slices"

	"github.com/svmkit/course/plots/geom"
	"github.com/svmkit/course/plots/prose"
	"github.com/svmkit/course/svmkit"
	"github.com/svmkit/course/svmkit/tune"
)

// Max is the largest number that is drawn. Squares and products of larger ones could overflow on
// the way to the canvas.
const Max = 1e100

// Causes of a DataError.
var (
	ErrTooLarge = fmt.Errorf("larger than %g: too large to draw", Max)
	ErrCount    = errors.New("a count must be at least 0")
	ErrFalls    = errors.New("the X of a series must not fall")
	ErrShare    = errors.New("must lie between 0 and 1")
)

// Param returns an error about a parameter.
func Param(name string, value any, need string, args ...any) error {
	return &svmkit.ParamError{Name: name, Value: value, Need: fmt.Sprintf(need, args...)}
}

// Data returns an error about a number in a row; row or col may be [svmkit.NoPlace].
func Data(row, col int, v float64, cause error) error {
	return &svmkit.DataError{Row: row, Col: col, Value: v, Err: cause}
}

// All returns an error about the data as a whole.
func All(cause error) error { return Data(svmkit.NoPlace, svmkit.NoPlace, 0, cause) }

// Positive checks that a number is positive and can be drawn.
func Positive(name string, v float64) error {
	if !(v > 0 && v <= Max) {
		return Param(name, v, "must be positive and finite")
	}
	return nil
}

// NotNegative checks that a number is 0 or more and can be drawn.
func NotNegative(name string, v float64) error {
	if !(v >= 0 && v <= Max) {
		return Param(name, v, "must be at least 0 and finite")
	}
	return nil
}

// Within checks that a number is from lo to hi.
func Within(name string, v, lo, hi float64) error {
	if !(v >= lo && v <= hi) {
		return Param(name, v, "must be from %g to %g", lo, hi)
	}
	return nil
}

// Count checks that there are from least to most things. The noun names one of them.
func Count(name string, n, least, most int, noun string) error {
	if n < least || n > most {
		return Param(name, prose.Plural(n, noun), "must be %d to %d: more cannot be told apart",
			least, most)
	}
	return nil
}

// Some checks that there is at least one thing.
func Some(name string, n int) error {
	if n == 0 {
		return Param(name, "none", "must hold at least one")
	}
	return nil
}

// Index checks that i is a row of n.
func Index(name string, i, n int) error {
	if i < 0 || i >= n {
		return Param(name, i, "must be a row of the set, 0 … %d", n-1)
	}
	return nil
}

// Rows checks that all of some numbers are rows of a set.
func Rows(name string, rows []int, set *svmkit.Dataset) error {
	for _, i := range rows {
		if err := Index(name, i, set.Len()); err != nil {
			return err
		}
	}
	return nil
}

// Each checks that the numbers of all rows are from least to most.
func Each(values []float64, least, most float64, cause error) error {
	for i, v := range values {
		if !(v >= least && v <= most) {
			return Data(i, svmkit.NoPlace, v, cause)
		}
	}
	return nil
}

// Rising checks that numbers rise from least or more, and can be drawn.
func Rising(name string, vs []float64, least float64) error {
	for k, v := range vs {
		if !(v >= least && v <= Max) || k > 0 && !(v > vs[k-1]) {
			return Param(name, v, "must be at least %g, rise and be finite", least)
		}
	}
	return nil
}

// Finite checks that a number of a row can be drawn.
func Finite(row, col int, v float64) error {
	switch {
	case math.IsNaN(v) || math.IsInf(v, 0):
		return Data(row, col, v, svmkit.ErrNotFinite)
	case math.Abs(v) > Max:
		return Data(row, col, v, ErrTooLarge)
	}
	return nil
}

// PerRow checks that values holds one number per row of a set.
func PerRow(name string, values []float64, set *svmkit.Dataset) error {
	n := 0
	if set != nil {
		n = set.Len()
	}
	if len(values) != n {
		return Param(name, prose.Plural(len(values), "number"), "must be one a row: %s",
			prose.Plural(n, "row"))
	}
	return nil
}

// Levels checks that at most most values of a function can be drawn as level lines.
func Levels(values []float64, most int) error {
	if len(values) > most {
		return Param("Levels", prose.Plural(len(values), "value"), "must be at most %d", most)
	}
	for _, v := range values {
		if !(math.Abs(v) <= Max) {
			return Param("Levels", v, "must be finite")
		}
	}
	return nil
}

// Surface checks that a function can be drawn over a box.
func Surface(name string, f func(x, y float64) float64, over geom.Box) error {
	if f == nil {
		return Param(name, nil, "must be a function")
	}
	grid := geom.Grid{F: f, Over: over}
	for c := range geom.GridSteps + 1 {
		for r := range geom.GridSteps + 1 {
			if z := grid.Z(c, r); !(math.Abs(z) <= Max) {
				return Param(name, z, "must be finite over the view, also at (%s, %s)",
					prose.Num(grid.X(c)), prose.Num(grid.Y(r)))
			}
		}
	}
	return nil
}

// Planar checks that a set can be drawn in the plane: two columns, labels ±1.
func Planar(set *svmkit.Dataset) error { return Labelled(set, 2) }

// Labelled checks that a set is valid, and has d columns (0: any number) and labels ±1.
//
// All of its numbers must be drawable.
func Labelled(set *svmkit.Dataset, d int) error {
	return rows(set, d, svmkit.ErrLabel, func(y float64) bool { return y == -1 || y == 1 })
}

// Targets checks that a set is valid and has d columns (0: any number). All numbers and targets
// must be drawable.
func Targets(set *svmkit.Dataset, d int) error {
	return rows(set, d, ErrTooLarge, func(y float64) bool { return math.Abs(y) <= Max })
}

// rows checks that a set is valid and has d columns (0: any number), that each y is good, else the
// cause is the error, and that the numbers of the rows can be drawn.
func rows(set *svmkit.Dataset, d int, cause error, good func(y float64) bool) error {
	if err := set.Validate(); err != nil {
		return err
	}
	if d > 0 && set.Dim != d {
		return Param("set.Dim", set.Dim, "must be %d for this figure; choose features with Columns",
			d)
	}
	for i, x := range set.X {
		if y := set.Y[i]; !good(y) {
			return Data(i, svmkit.NoPlace, y, cause)
		}
		for k, v := range x.Value {
			if math.Abs(v) > Max {
				col := k
				if x.Index != nil {
					col = int(x.Index[k])
				}
				return Data(i, col, v, ErrTooLarge)
			}
		}
	}
	return nil
}

// Point checks that row i is a point of the plane that can be drawn.
func Point(i int, x svmkit.Row) error {
	if x.Index != nil || len(x.Value) != 2 {
		return Param("point", i, "must be a dense row of two columns")
	}
	for j, v := range x.Value {
		if err := Finite(i, j, v); err != nil {
			return err
		}
	}
	return nil
}

// Plane checks that h has d columns, w ≠ 0, and numbers that can be drawn.
func Plane(h svmkit.Hyperplane, d int) error {
	if err := MaybePlane(h, d); err != nil {
		return err
	}
	if geom.IsZero(h) {
		return All(svmkit.ErrNoNormal)
	}
	return nil
}

// MaybePlane is [Plane] for a plane that need not exist yet: w may be 0.
func MaybePlane(h svmkit.Hyperplane, d int) error {
	if len(h.W) != d {
		return Param("len(W)", len(h.W), "must be %d, the columns of the set", d)
	}
	for j, v := range h.W {
		if err := Finite(0, j, v); err != nil {
			return err
		}
	}
	switch {
	case !(math.Abs(h.B) <= Max):
		return Param("b", h.B, "must be finite and small enough to draw")
	case h.Norm() == 0 && !geom.IsZero(h): // too small a w
		return All(svmkit.ErrNoNormal)
	}
	return nil
}

// Pairs checks the costs and the values of γ whose pairs are the cells of a figure.
func Pairs(costs, gammas []float64) error {
	for _, axis := range []struct {
		name string
		at   []float64
	}{{"C", costs}, {"Gamma", gammas}} {
		if err := cmp.Or(Count(axis.name, len(axis.at), 2, 8, "value"),
			Rising(axis.name, axis.at, math.SmallestNonzeroFloat64)); err != nil {
			return err
		}
	}
	return nil
}

// Scores returns one score per row, by ScoreAll if the model has this method. If the model panics,
// for example on rows of another length, Scores returns an error.
func Scores(model svmkit.Scorer, rows []svmkit.Row) (scores []float64, err error) {
	defer func() {
		if r := recover(); r != nil {
			err = Param("model", fmt.Sprint(r),
				"must score rows with as many columns as the set has")
		}
	}()
	// One row is scored first: a panic in a goroutine of ScoreAll could not be caught.
	first := model.Score(rows[0])
	if all, ok := model.(interface{ ScoreAll([]svmkit.Row) []float64 }); ok {
		if scores = all.ScoreAll(rows); len(scores) == len(rows) {
			return scores, nil
		}
	}
	scores = append(make([]float64, 0, len(rows)), first)
	for _, x := range rows[1:] {
		scores = append(scores, model.Score(x))
	}
	return scores, nil
}

// Search returns the best point of a search and the choice of the one-standard-error rule. It is an
// error if no point is finished, or if the points differ in more than C and γ.
func Search(s *tune.Selection) (best, simplest tune.Point, err error) {
	if s == nil {
		return best, simplest, Param("selection", nil, "must not be nil")
	}
	best, ok := s.Best()
	if !ok {
		return best, simplest, All(errNoPoint)
	}
	for _, p := range s.Points {
		if first := s.Points[0]; p.Kernel != first.Kernel || p.Degree != first.Degree ||
			p.Epsilon != first.Epsilon {
			return best, simplest, Param("selection", p.Params.String(),
				"must differ from %s in C and γ alone, as all points must", first.Params)
		}
	}
	simplest, _ = s.OneStandardError()
	return best, simplest, nil
}

// Finished reports whether all folds of a point have a score.
func Finished(p tune.Point) bool {
	return len(p.Scores) > 0 && !slices.ContainsFunc(p.Scores, math.IsNaN)
}

var errNoPoint = errors.New("no point of the search has all of its folds finished")
