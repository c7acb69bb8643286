package kernel

import (
	"fmt"

	"github.com/svmkit/course/svmkit"
)

// EvalError names the two rows for which a kernel gave no usable value: it returned NaN or an
// infinity, or it panicked.
type EvalError struct {
	I, J  int     // the rows, from 0; I is svmkit.NoPlace if the row is not in the set
	Value float64 // the value that was returned
	Panic any     // the value with which the kernel panicked; nil if it returned
}

func (e *EvalError) Error() string {
	rows := fmt.Sprintf("rows %d and %d", e.I, e.J)
	if e.I == svmkit.NoPlace {
		rows = fmt.Sprintf("a new row and row %d", e.J)
	}
	if e.Panic != nil {
		return fmt.Sprintf("kernel: Eval panicked for %s: %v", rows, e.Panic)
	}
	return fmt.Sprintf("kernel: the value for %s is %g", rows, e.Value)
}

// Unwrap returns [svmkit.ErrNotFinite] if the kernel returned, and the error with which it panicked
// if that was an error.
func (e *EvalError) Unwrap() error {
	if e.Panic == nil {
		return svmkit.ErrNotFinite
	}
	err, _ := e.Panic.(error)
	return err
}
