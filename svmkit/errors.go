package svmkit

import (
	"errors"
	"fmt"
	"strconv"
)

// Causes that a [*DataError] can wrap; test with errors.Is.
var (
	ErrEmpty        = errors.New("no rows")
	ErrNoColumns    = errors.New("no columns")
	ErrNotFinite    = errors.New("not a finite number")
	ErrRagged       = errors.New("rows differ in length")
	ErrIndex        = errors.New("column indices must rise strictly from 0 and stay below Dim")
	ErrLabel        = errors.New("label is neither -1 nor +1")
	ErrNotTargets   = errors.New("the labels are classes, not the targets of a regression")
	ErrOneClass     = errors.New("only one class")
	ErrNoClass      = errors.New("no such class")
	ErrMismatch     = errors.New("sizes do not match")
	ErrNotSeparated = errors.New("the plane has a row on its wrong side")
	ErrWeight       = errors.New("a row's weight must be finite and not negative")
	ErrNoWeight     = errors.New("every row has weight 0")
	ErrNoNormal     = errors.New("w is zero: it is the normal of no hyperplane")
)

// NoPlace marks the row or the column of a [*DataError] that concerns no single one.
const NoPlace = -1

// DataError says which number of the input cannot be used, and why.
type DataError struct {
	Row, Col int     // from 0; NoPlace where none applies. Col is NoPlace for the label
	Value    float64 // the offending number, where there is one
	Err      error   // one of the causes above
}

func (e *DataError) Error() string {
	place := ""
	if e.Row != NoPlace {
		place = " in row " + strconv.Itoa(e.Row)
		if e.Col != NoPlace {
			place += ", column " + strconv.Itoa(e.Col)
		}
		place += fmt.Sprintf(" (value %g)", e.Value)
	}
	return "svmkit: " + e.Err.Error() + place + nextStep(e.Err)
}

// nextStep says what to do about a cause that has more than one remedy.
func nextStep(cause error) string {
	switch {
	case errors.Is(cause, ErrLabel):
		return ": of two classes make one -1 and the other +1 (readers and Dataset.OneVsRest do); for more classes see package multiclass; for targets take a loss of regression, such as loss.EpsInsensitive"
	case errors.Is(cause, ErrNotTargets):
		return ": Dataset.Targets makes targets of classes that are named by numbers (dataset.Labels{Task: dataset.Regression} reads them so); for classes take a loss of classification, such as loss.Hinge; to regress on the labels -1 and +1, set Classes to nil"
	}
	return ""
}

func (e *DataError) Unwrap() error { return e.Err }

// ParamError says which parameter is out of its range, and what the range is.
type ParamError struct {
	Name  string // as in the documentation: "C", "Gamma", …
	Value any
	Need  string // "must be positive and finite"
}

func (e *ParamError) Error() string {
	return fmt.Sprintf("svmkit: %s = %v: %s", e.Name, e.Value, e.Need)
}

// PanicError says that a function of the caller's, such as a [Fitter], a metric or a callback,
// panicked in a goroutine that this library had started, where its caller cannot recover.
// In the caller's own goroutine a panic passes through as it is.
type PanicError struct {
	Func  string // which function: "Fitter", "Progress"; "" where that is not known
	Value any    // what it panicked with; nil if it called runtime.Goexit
	Stack []byte // of the goroutine, as runtime/debug.Stack gives it
}

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

// Unwrap returns the error that the function panicked with if it was one.
func (e *PanicError) Unwrap() error {
	err, _ := e.Value.(error)
	return err
}

func noPlace(err error) *DataError { return &DataError{Row: NoPlace, Col: NoPlace, Err: err} }
