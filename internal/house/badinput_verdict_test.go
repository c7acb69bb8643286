package house

import (
	"errors"
	"fmt"
	"math"
	"reflect"
	"strings"

	"github.com/svmkit/course/svmkit"
	"github.com/svmkit/course/svmkit/dataset"
	"github.com/svmkit/course/svmkit/kernel"
	"github.com/svmkit/course/svmkit/modelfile"
	"github.com/svmkit/course/svmkit/multiclass"
	"github.com/svmkit/course/svmkit/svm"
	"github.com/svmkit/course/svmkit/tune"
)

// The verdicts on outcomes. Each asks for one kind of error, for the place that it names in its
// fields, for the same place in its message, and for no result beside it.

const none = svmkit.NoPlace

// rounding is how far below zero a gap may be that is a difference of objectives, relative to them: some
// thousand roundings.
const rounding = 1e-12

// failed returns "" if o is an error, alone and with a message.
func failed(o outcome) string {
	switch {
	case o.panic != nil:
		return fmt.Sprintf("panic: %v", o.panic)
	case o.err == nil:
		return fmt.Sprintf("no error, but %+v", o.value)
	case o.err.Error() == "":
		return "an error without a message"
	case !empty(o.value):
		return fmt.Sprintf("a result beside the error: %+v", o.value)
	}
	return ""
}

func empty(v any) bool {
	f, number := v.(float64)
	return v == nil || number && math.IsNaN(f) || reflect.ValueOf(v).IsZero()
}

// names reports which of the words the error's message lacks.
func names(err error, words ...string) string {
	for _, word := range words {
		if !strings.Contains(err.Error(), word) {
			return fmt.Sprintf("the message does not say %q: %v", word, err)
		}
	}
	return ""
}

// data wants a *svmkit.DataError at a row and a column, each from 0 or none.
func data(cause error, row, col int) verdict {
	return func(o outcome) string {
		if wrong := failed(o); wrong != "" {
			return wrong
		}
		var e *svmkit.DataError
		if !errors.As(o.err, &e) || !errors.Is(o.err, cause) || e.Row != row || e.Col != col {
			return fmt.Sprintf("error %T %+v, want %v in row %d, column %d", o.err, o.err, cause, row, col)
		}
		words := []string{cause.Error()}
		if c, ok := cause.(*svmkit.Cause); ok {
			words = []string{c.Problem, c.Hint}
		}
		if row != none {
			words = append(words, fmt.Sprintf("row %d", row))
		}
		if row != none && col != none {
			words = append(words, fmt.Sprintf("column %d", col))
		}
		return names(o.err, words...)
	}
}

// param wants a *svmkit.ParamError of the given name.
func param(name string) verdict {
	return func(o outcome) string {
		if wrong := failed(o); wrong != "" {
			return wrong
		}
		var e *svmkit.ParamError
		if !errors.As(o.err, &e) || e.Name != name || e.Need == "" {
			return fmt.Sprintf("error %T %v, want a ParamError of %s", o.err, o.err, name)
		}
		return names(o.err, name, e.Need)
	}
}

// parse wants a *dataset.ParseError at a line and a column, each from 1, or 0.
func parse(cause error, line, col int) verdict {
	return func(o outcome) string {
		if wrong := failed(o); wrong != "" {
			return wrong
		}
		var e *dataset.ParseError
		is := errors.Is(o.err, cause)
		if text, ok := cause.(malformed); ok {
			is = errors.Is(o.err, dataset.ErrFormat) && strings.Contains(o.err.Error(), string(text))
		}
		if !errors.As(o.err, &e) || !is || e.Line != line || e.Column != col {
			return fmt.Sprintf("error %T %v, want %v in line %d, column %d", o.err, o.err, cause, line, col)
		}
		return named(o.err, line)
	}
}

// malformed stands for dataset.ErrFormat with this in its text.
type malformed string

func (m malformed) Error() string { return string(m) }

// modelParse wants a *modelfile.ParseError at a line, from 1.
func modelParse(cause error, line int) verdict {
	return func(o outcome) string {
		if wrong := failed(o); wrong != "" {
			return wrong
		}
		var e *modelfile.ParseError
		if !errors.As(o.err, &e) || !errors.Is(o.err, cause) || e.Line != line {
			return fmt.Sprintf("error %T %v, want %v in line %d", o.err, o.err, cause, line)
		}
		return named(o.err, line)
	}
}

func named(err error, line int) string {
	if line == 0 {
		return ""
	}
	return names(err, fmt.Sprintf("line %d", line))
}

// is wants an error with the given cause.
func is(cause error) verdict {
	return func(o outcome) string {
		if wrong := failed(o); wrong != "" {
			return wrong
		}
		if !errors.Is(o.err, cause) {
			return fmt.Sprintf("error %T %v, want %v", o.err, o.err, cause)
		}
		return ""
	}
}

// eval wants a *kernel.EvalError for one of two rows: who comes first depends on the solver.
func eval(i, j int, words ...string) verdict {
	return func(o outcome) string {
		if wrong := failed(o); wrong != "" {
			return wrong
		}
		var e *kernel.EvalError
		if !errors.As(o.err, &e) || !(e.I == i && e.J == j || e.I == j && e.J == i || e.I == svmkit.NoPlace && (e.J == i || e.J == j)) {
			return fmt.Sprintf("error %T %v, want an EvalError for the rows %d and %d", o.err, o.err, i, j)
		}
		return names(o.err, append(words, "row", fmt.Sprintf(" %d", e.J))...)
	}
}

// panicked wants the error that a function of the caller's panicked in a goroutine of the library.
func panicked(words ...string) verdict {
	return func(o outcome) string {
		if wrong := failed(o); wrong != "" {
			return wrong
		}
		var e *svmkit.PanicError
		if !errors.As(o.err, &e) || len(e.Stack) == 0 {
			return fmt.Sprintf("error %T %v, want a PanicError with a stack", o.err, o.err)
		}
		return names(o.err, words...)
	}
}

// inFold wants a *tune.FoldError of the fold, and its cause to be as the other verdict says.
func inFold(fold int, cause verdict) verdict {
	return func(o outcome) string {
		var e *tune.FoldError
		if !errors.As(o.err, &e) || e.Fold != fold {
			return fmt.Sprintf("error %T %v (panic %v), want one of fold %d", o.err, o.err, o.panic, fold)
		}
		if wrong := names(o.err, fmt.Sprintf("fold %d", fold)); wrong != "" {
			return wrong
		}
		return cause(o)
	}
}

// panics wants a panic of the caller's goroutine: of its own function, which passes through, or of a
// primitive on rows, which says so in its comment.
func panics(word string) verdict {
	return func(o outcome) string {
		if o.panic == nil || !strings.Contains(fmt.Sprint(o.panic), word) {
			return fmt.Sprintf("panic %v, error %v, want a panic that says %q", o.panic, o.err, word)
		}
		return ""
	}
}

// cancelled wants the cause as the error, and with it the best result so far.
func cancelled(cause error) verdict {
	return func(o outcome) string {
		switch {
		case o.panic != nil:
			return fmt.Sprintf("panic: %v", o.panic)
		case !errors.Is(o.err, cause):
			return fmt.Sprintf("error %v, want %v", o.err, cause)
		case empty(o.value):
			return "no result so far"
		}
		return certificateOf(o.value)
	}
}

// fine wants no error.
func fine(o outcome) string {
	switch {
	case o.panic != nil:
		return fmt.Sprintf("panic: %v", o.panic)
	case o.err != nil:
		return fmt.Sprintf("error %v", o.err)
	}
	return certificateOf(o.value)
}

// number wants a result of the given value; NaN equals NaN.
func number(want float64) verdict {
	return func(o outcome) string {
		got, _ := o.value.(float64)
		if wrong := fine(o); wrong != "" || math.Float64bits(got) != math.Float64bits(want) && !(math.IsNaN(got) && math.IsNaN(want)) {
			return fmt.Sprintf("%s %v, want %v", wrong, o.value, want)
		}
		return ""
	}
}

// certificateOf checks that what a result says of itself is no nonsense: an optimum is one within its
// tolerance, another end has a name, and no number of the model is NaN or infinite.
func certificateOf(v any) string {
	var c svmkit.Certificate
	var numbers []float64
	switch r := v.(type) {
	case fitted:
		wrong := certificateOf(r.Result)
		if wrong == "" && r.Status == svmkit.Optimal && !(r.RelativeGap() <= r.tol) {
			wrong = fmt.Sprintf("optimal with a relative gap of %g", r.RelativeGap())
		}
		return wrong
	case *svm.Result:
		if r.Status == svmkit.Unfinished || r.Status == svmkit.Stalled && r.Reason == "" || len(r.Trace) == 0 {
			return fmt.Sprintf("status %v, reason %q, solver %q", r.Status, r.Reason, r.Trace)
		}
		c, numbers = r.Certificate, append(append(append(numbers, r.Weights...), r.Beta...), r.Coef...)
		numbers = append(numbers, r.Model.Bias)
	case *multiclass.Solution:
		c = r.Certificate
		for k := range r.W {
			numbers = append(append(numbers, r.W[k]...), r.B[k])
		}
	case *svm.Proof:
		c, numbers = r.Certificate, r.Beta
	default:
		return ""
	}
	for _, v := range numbers {
		if math.IsNaN(v) || math.IsInf(v, 0) {
			return fmt.Sprintf("a model with the number %g", v)
		}
	}
	if !(c.Gap >= -rounding*max(1, math.Abs(c.Primal))) || math.IsNaN(c.Primal) || math.IsNaN(c.KKT) || math.IsNaN(c.Dual) {
		return fmt.Sprintf("certificate %+v", c)
	}
	return ""
}

// fitted is a result with the tolerance that was asked for.
type fitted struct {
	*svm.Result
	tol float64
}
