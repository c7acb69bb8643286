package badinput

import (
	"errors"
	"fmt"
	"math"
	"reflect"
	"strings"

	"github.com/svmkit/course/svmkit"
)

// The verdicts on outcomes. Each asks for one kind of error, for the place that it names in its
// fields, for the same place in its message, and for no result beside it.

// None is the row or column of an error without one.
const None = svmkit.NoPlace

// Rounding is how far below zero a gap may be that is a difference of objectives, relative to them: some
// thousand roundings.
const Rounding = 1e-12

// Failed returns "" if o is an error, alone and with a message.
func Failed(o Outcome) string {
	switch {
	case o.Panic != nil:
		return fmt.Sprintf("panic: %v", o.Panic)
	case o.Err == nil:
		return fmt.Sprintf("no error, but %+v", o.Value)
	case o.Err.Error() == "":
		return "an error without a message"
	case !empty(o.Value):
		return fmt.Sprintf("a result beside the error: %+v", o.Value)
	}
	return ""
}

func empty(v any) bool {
	f, isNumber := v.(float64)
	return v == nil || isNumber && math.IsNaN(f) || reflect.ValueOf(v).IsZero()
}

// Names reports which of the words the error's message lacks.
func Names(err error, words ...string) string {
	for _, word := range words {
		if !strings.Contains(err.Error(), word) {
			return fmt.Sprintf("the message does not say %q: %v", word, err)
		}
	}
	return ""
}

// Data wants a *svmkit.DataError at a row and a column, each from 0 or None.
func Data(cause error, row, col int) Verdict {
	return func(o Outcome) string {
		if wrong := Failed(o); wrong != "" {
			return wrong
		}
		var e *svmkit.DataError
		if !errors.As(o.Err, &e) || !errors.Is(o.Err, cause) || e.Row != row || e.Col != col {
			return fmt.Sprintf("error %T %+v, want %v in row %d, column %d", o.Err, o.Err, cause, row, col)
		}
		words := []string{cause.Error()}
		if c, ok := cause.(*svmkit.Cause); ok {
			words = []string{c.Problem, c.Hint}
		}
		if row != None {
			words = append(words, fmt.Sprintf("row %d", row))
		}
		if row != None && col != None {
			words = append(words, fmt.Sprintf("column %d", col))
		}
		return Names(o.Err, words...)
	}
}

// Param wants a *svmkit.ParamError of the given name.
func Param(name string) Verdict {
	return func(o Outcome) string {
		if wrong := Failed(o); wrong != "" {
			return wrong
		}
		var e *svmkit.ParamError
		if !errors.As(o.Err, &e) || e.Name != name || e.Need == "" {
			return fmt.Sprintf("error %T %v, want a ParamError of %s", o.Err, o.Err, name)
		}
		return Names(o.Err, name, e.Need)
	}
}

// Is wants an error with the given cause.
func Is(cause error) Verdict {
	return func(o Outcome) string {
		if wrong := Failed(o); wrong != "" {
			return wrong
		}
		if !errors.Is(o.Err, cause) {
			return fmt.Sprintf("error %T %v, want %v", o.Err, o.Err, cause)
		}
		return ""
	}
}

// Panicked wants the error that a function of the caller's panicked in a goroutine of the library.
func Panicked(words ...string) Verdict {
	return func(o Outcome) string {
		if wrong := Failed(o); wrong != "" {
			return wrong
		}
		var e *svmkit.PanicError
		if !errors.As(o.Err, &e) || len(e.Stack) == 0 {
			return fmt.Sprintf("error %T %v, want a PanicError with a stack", o.Err, o.Err)
		}
		return Names(o.Err, words...)
	}
}

// Panics wants a panic of the caller's goroutine: of its own function, which passes through, or of a
// primitive on rows, which says so in its comment.
func Panics(word string) Verdict {
	return func(o Outcome) string {
		if o.Panic == nil || !strings.Contains(fmt.Sprint(o.Panic), word) {
			return fmt.Sprintf("panic %v, error %v, want a panic that says %q", o.Panic, o.Err, word)
		}
		return ""
	}
}

// Cancelled wants the cause as the error, and with it the best result so far, which is sound.
func Cancelled(cause error, sound ...func(any) string) Verdict {
	return func(o Outcome) string {
		switch {
		case o.Panic != nil:
			return fmt.Sprintf("panic: %v", o.Panic)
		case !errors.Is(o.Err, cause):
			return fmt.Sprintf("error %v, want %v", o.Err, cause)
		case empty(o.Value):
			return "no result so far"
		}
		return checked(o.Value, sound)
	}
}

// Fine wants no error.
func Fine(o Outcome) string {
	switch {
	case o.Panic != nil:
		return fmt.Sprintf("panic: %v", o.Panic)
	case o.Err != nil:
		return fmt.Sprintf("error %v", o.Err)
	}
	return ""
}

// Sound wants no error, and a result of which the function says "".
func Sound(sound func(any) string) Verdict {
	return func(o Outcome) string {
		if wrong := Fine(o); wrong != "" {
			return wrong
		}
		return sound(o.Value)
	}
}

func checked(v any, sound []func(any) string) string {
	for _, check := range sound {
		if wrong := check(v); wrong != "" {
			return wrong
		}
	}
	return ""
}

// Number wants a result of the given value; NaN equals NaN.
func Number(want float64) Verdict {
	return func(o Outcome) string {
		got, _ := o.Value.(float64)
		if wrong := Fine(o); wrong != "" || math.Float64bits(got) != math.Float64bits(want) && !(math.IsNaN(got) && math.IsNaN(want)) {
			return fmt.Sprintf("%s %v, want %v", wrong, o.Value, want)
		}
		return ""
	}
}

// Near wants a number up to rounding.
func Near(want float64) Verdict {
	return func(o Outcome) string {
		got, _ := o.Value.(float64)
		if wrong := Fine(o); wrong != "" || !(math.Abs(got-want) <= Rounding*math.Abs(want)) {
			return fmt.Sprintf("%s %v, want %v", wrong, o.Value, want)
		}
		return ""
	}
}

// True wants true.
func True(o Outcome) string {
	if wrong := Fine(o); wrong != "" || o.Value != true {
		return fmt.Sprintf("%s %v, want true", wrong, o.Value)
	}
	return ""
}

// OneOf wants any of two outcomes.
func OneOf(a, b Verdict) Verdict {
	return func(o Outcome) string {
		wrong := a(o)
		if wrong == "" {
			return ""
		}
		if other := b(o); other != "" {
			return wrong + "; or else: " + other
		}
		return ""
	}
}

// Error wants an error, alone and with a message.
func Error(o Outcome) string { return Failed(o) }

// Typed wants a *svmkit.ParamError or a *svmkit.DataError.
func Typed(o Outcome) string {
	if wrong := Failed(o); wrong != "" {
		return wrong
	}
	if errors.As(o.Err, new(*svmkit.ParamError)) || errors.As(o.Err, new(*svmkit.DataError)) {
		return ""
	}
	return fmt.Sprintf("error %T %v", o.Err, o.Err)
}

// InRow wants a DataError at a row, whatever its cause.
func InRow(row int) Verdict {
	return func(o Outcome) string {
		if wrong := Failed(o); wrong != "" {
			return wrong
		}
		e, ok := o.Err.(*svmkit.DataError)
		if !ok || e.Row != row {
			return fmt.Sprintf("error %T %v, want a DataError in row %d", o.Err, o.Err, row)
		}
		if row == None {
			return ""
		}
		return Names(o.Err, fmt.Sprintf("row %d", row))
	}
}

// Certificate returns "" unless what a certificate says is nonsense, or a number of the model is NaN or infinite.
func Certificate(c svmkit.Certificate, numbers []float64) string {
	for _, v := range numbers {
		if math.IsNaN(v) || math.IsInf(v, 0) {
			return fmt.Sprintf("a model with the number %g", v)
		}
	}
	if !(c.Gap >= -Rounding*max(1, math.Abs(c.Primal))) || math.IsNaN(c.Primal) || math.IsNaN(c.KKT) || math.IsNaN(c.Dual) {
		return fmt.Sprintf("certificate %+v", c)
	}
	return ""
}
