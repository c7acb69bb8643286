package check

import (
	"errors"
	"fmt"
	"math"

	"github.com/svmkit/course/plots/geom"
	"github.com/svmkit/course/plots/pen"
	"github.com/svmkit/course/plots/prose"
	"github.com/svmkit/course/svmkit"
)

var ErrCount = fmt.Errorf("a count must be at least 0")

// Point checks that a point can be drawn.
func Point(i int, x svmkit.Row) error {
	if x.Index != nil || len(x.Value) != 2 {
		return &svmkit.ParamError{Name: "point", Value: i, Need: "must be a dense row of two columns"}
	}
	for j, v := range x.Value {
		switch {
		case math.IsNaN(v) || math.IsInf(v, 0):
			return &svmkit.DataError{Row: i, Col: j, Value: v, Err: svmkit.ErrNotFinite}
		case math.Abs(v) > Max:
			return &svmkit.DataError{Row: i, Col: j, Value: v, Err: ErrTooLarge}
		}
	}
	return nil
}

var ErrFalls = errors.New("the X of a series must not fall")

// Max is the largest coordinate that is drawn: squares and products of larger ones
// could overflow on the way to the canvas.
const Max = 1e100

// Planar checks that a set can be drawn: valid, two columns, labels ±1.
func Planar(set *svmkit.Dataset) error {
	if err := set.Validate(); err != nil {
		return err
	}
	if set.Dim != 2 {
		return &svmkit.ParamError{Name: "set.Dim", Value: set.Dim, Need: "must be 2: a figure shows two features; choose them with Columns"}
	}
	return Drawable(set)
}

// Drawable checks labels and sizes of a set that Validate has passed.
func Drawable(set *svmkit.Dataset) error {
	for i, x := range set.X {
		if y := set.Y[i]; y != -1 && y != 1 {
			return &svmkit.DataError{Row: i, Col: svmkit.NoPlace, Value: y, Err: svmkit.ErrLabel}
		}
		if err := drawableRow(i, x); err != nil {
			return err
		}
	}
	return nil
}

// PerRow checks that values holds one number a row of set.
func PerRow(name string, values []float64, set *svmkit.Dataset) error {
	if len(values) != set.Len() {
		return &svmkit.ParamError{Name: name, Value: prose.Plural(len(values), "number"), Need: "must be one a row: " + prose.Plural(set.Len(), "row")}
	}
	return nil
}

// drawableRow checks the size of the numbers of row i.
func drawableRow(i int, x svmkit.Row) error {
	for k, v := range x.Value {
		if math.Abs(v) > Max {
			col := k
			if x.Index != nil {
				col = int(x.Index[k])
			}
			return &svmkit.DataError{Row: i, Col: col, Value: v, Err: ErrTooLarge}
		}
	}
	return nil
}

var ErrTooLarge = fmt.Errorf("larger than %g: too large to draw", Max)

// Plane checks that h has d columns and finite numbers. w = 0 is refused unless
// it is a plane that need not exist yet.
func Plane(h svmkit.Hyperplane, d int, mayBeZero bool) error {
	if len(h.W) != d {
		return &svmkit.ParamError{Name: "len(W)", Value: len(h.W), Need: fmt.Sprintf("must be %d, the columns of the set", d)}
	}
	_, err := svmkit.NewHyperplane(h.W, h.B)
	if err != nil && !(mayBeZero && geom.IsZero(h)) {
		return err
	}
	for j, v := range h.W {
		if math.Abs(v) > Max {
			return &svmkit.DataError{Row: 0, Col: j, Value: v, Err: ErrTooLarge}
		}
	}
	if math.Abs(h.B) > Max {
		return &svmkit.ParamError{Name: "b", Value: h.B, Need: "must be small enough to draw"}
	}
	return nil
}

// Scalar checks that a set of one column with targets can be drawn.
func Scalar(set *svmkit.Dataset) error {
	if err := set.Validate(); err != nil {
		return err
	}
	if set.Dim != 1 {
		return &svmkit.ParamError{Name: "set.Dim", Value: set.Dim, Need: "must be 1: the other axis is the target; choose a feature with Columns"}
	}
	return Targets(set)
}

// Targets checks the sizes of a set that Validate has passed.
func Targets(set *svmkit.Dataset) error {
	for i, x := range set.X {
		if !(math.Abs(set.Y[i]) <= Max) {
			return &svmkit.DataError{Row: i, Col: svmkit.NoPlace, Value: set.Y[i], Err: ErrTooLarge}
		}
		if err := drawableRow(i, x); err != nil {
			return err
		}
	}
	return nil
}

// Styles refuses a plot without series, and one with more series than styles.
func Styles(name string, n int, noun string) error {
	if n == 0 || n > len(pen.Styles) {
		return &svmkit.ParamError{Name: name, Value: prose.Plural(n, noun), Need: fmt.Sprintf("must be 1 to %d: more cannot be told apart", len(pen.Styles))}
	}
	return nil
}
