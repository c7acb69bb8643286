package svmkit

import (
	"errors"
	"fmt"
	"strconv"
)

// Cause is an error that names a problem, with advice for a Go program.
//
// errors.Is compares it with the variables of the packages, such as dataset.ErrHeader. errors.As
// with a **Cause returns its parts, so that a program can give advice in its own terms.
type Cause struct {
	Problem string // the problem: "no such column"
	Hint    string // advice for a Go program; "" if there is none
	// the more general cause of which this is a special case; nil if there is none
	Of error
}

// Error returns the problem, followed by the hint if there is one.
func (c *Cause) Error() string {
	if c.Hint == "" {
		return c.Problem
	}
	return c.Problem + ": " + c.Hint
}

// Unwrap returns the more general cause.
func (c *Cause) Unwrap() error { return c.Of }

// Describe returns the text of err, followed by a detail.
//
// If err is a [*Cause], the detail comes after the problem and before the hint:
//
//	no such column: "a"; name a column of the file
func Describe(err error, detail string) string {
	c, ok := err.(*Cause)
	switch {
	case !ok:
		return err.Error() + detail
	case c.Hint == "":
		return c.Problem + detail
	}
	return c.Problem + detail + "; " + c.Hint
}

// Causes that a [*DataError] can wrap; test with errors.Is.
var (
	ErrEmpty     = errors.New("no rows")
	ErrNoColumns = errors.New("no columns")
	ErrNotFinite = errors.New("not a finite number")
	ErrRagged    = errors.New("rows differ in length")
	ErrIndex     = errors.New("column indices must rise strictly from 0 and stay below Dim")
	ErrLabel     = &Cause{
		Problem: "label is neither -1 nor +1",
		Hint: "of two classes make one -1 and the other +1 (readers and Dataset.OneVsRest do); " +
			"for more classes see package multiclass; " +
			"for targets take a loss of regression, such as loss.EpsInsensitive",
	}
	ErrNotTargets = &Cause{
		Problem: "the labels are classes, not the targets of a regression",
		Hint: "Dataset.Targets makes targets of classes that are named by numbers " +
			"(dataset.Labels{Task: dataset.Regression} reads them so); " +
			"for classes take a loss of classification, such as loss.Hinge; " +
			"to regress on the labels -1 and +1, set Classes to nil",
	}
	ErrOneClass     = errors.New("only one class")
	ErrNoClass      = errors.New("no such class")
	ErrMismatch     = errors.New("sizes do not match")
	ErrNotSeparated = errors.New("the plane has a row on its wrong side")
	ErrWeight       = errors.New("a row's weight must be finite and not negative")
	ErrNoWeight     = errors.New("every row has weight 0")
	ErrNoNormal     = errors.New("w is zero: it is the normal of no hyperplane")
)

// NoPlace is the row or column number in a [*DataError] that is not about a single row or column.
const NoPlace = -1

// DataError reports a number of a data set that cannot be used, and the cause.
type DataError struct {
	// numbers from 0, or NoPlace; the label of a row has the Col NoPlace
	Row, Col int
	Value    float64 // the number that cannot be used; 0 if there is none
	Err      error   // one of the causes above
}

// Error returns the message.
func (e *DataError) Error() string {
	place := ""
	if e.Row != NoPlace {
		place = " in row " + strconv.Itoa(e.Row)
		if e.Col != NoPlace {
			place += ", column " + strconv.Itoa(e.Col)
		}
		place += fmt.Sprintf(" (value %g)", e.Value)
	}
	return "svmkit: " + Describe(e.Err, place)
}

// Unwrap returns the cause.
func (e *DataError) Unwrap() error { return e.Err }

// ParamError reports a parameter with an invalid value, and the values that are valid.
type ParamError struct {
	Name  string // name as in the documentation: "C", "Gamma", …
	Value any
	Need  string // the valid values: "must be positive and finite"
	Hint  string // advice for a Go program; "" if there is none
}

// Error returns the message.
func (e *ParamError) Error() string {
	text := fmt.Sprintf("svmkit: %s = %v: %s", e.Name, e.Value, e.Need)
	if e.Hint != "" {
		text += "; " + e.Hint
	}
	return text
}

// PanicError reports that a function of the caller, such as a [Fitter], panicked in a goroutine of
// this library. In the caller's own goroutine, a panic passes through unchanged.
type PanicError struct {
	Func  string // the function: "Fitter", "Progress"; "" if unknown
	Value any    // value of the panic; nil if it called runtime.Goexit
	Stack []byte // stack of the goroutine, as from runtime/debug.Stack
}

// Error returns the message.
func (e *PanicError) Error() string {
	name := e.Func
	if name == "" {
		name = "a function"
	}
	if e.Value == nil {
		return "svmkit: " + name + " ended the goroutine that called it"
	}
	return fmt.Sprintf("svmkit: %s panicked: %v", name, e.Value)
}

// Unwrap returns the value of the panic if it is an error, and nil otherwise.
func (e *PanicError) Unwrap() error {
	err, _ := e.Value.(error)
	return err
}

func noPlace(err error) *DataError { return &DataError{Row: NoPlace, Col: NoPlace, Err: err} }
