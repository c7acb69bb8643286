package kernel

import (
	"fmt"

	"github.com/svmkit/course/svmkit"
)

// EvalError says for which two rows a kernel gave no usable value: it returned NaN or an
// infinity, or panicked.
type EvalError struct {
	I, J  int     // the rows, from 0; svmkit.NoPlace for I if it was a row from elsewhere
	Value float64 // what was returned
	Panic any     // what the kernel panicked with; nil if it returned
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

// Unwrap returns [svmkit.ErrNotFinite] for a value that is none, and the error that the kernel
// panicked with if it was one.
func (e *EvalError) Unwrap() error {
	if e.Panic == nil {
		return svmkit.ErrNotFinite
	}
	err, _ := e.Panic.(error)
	return err
}
