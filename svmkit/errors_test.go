package svmkit_test

import (
	"errors"
	"fmt"
	"testing"

	"github.com/svmkit/course/svmkit"
)

// An error says where and what, with the value, and then what to do about it.
func TestErrorTexts(t *testing.T) {
	general := errors.New("malformed")
	plain := &svmkit.Cause{Problem: "no such column", Of: general}
	advice := &svmkit.Cause{Problem: "not a number", Hint: "leave it out", Of: plain}
	for want, err := range map[string]error{
		"no such column":             plain,
		"not a number: leave it out": advice,
		"svmkit: no such column":     &svmkit.DataError{Row: svmkit.NoPlace, Col: svmkit.NoPlace, Err: plain},
		"svmkit: not a number in row 2, column 3 (value 4); leave it out": &svmkit.DataError{Row: 2, Col: 3, Value: 4, Err: advice},
		"svmkit: malformed in row 2 (value 4)":                            &svmkit.DataError{Row: 2, Col: svmkit.NoPlace, Value: 4, Err: general},
		"svmkit: C = -1: must be positive":                                &svmkit.ParamError{Name: "C", Value: -1, Need: "must be positive"},
		"svmkit: C = -1: must be positive; leave it out":                  &svmkit.ParamError{Name: "C", Value: -1, Need: "must be positive", Hint: "leave it out"},
	} {
		if err.Error() != want {
			t.Errorf("%q, want %q", err, want)
		}
	}
	for want, got := range map[string]string{
		"no such column: 7":             svmkit.Describe(plain, ": 7"),
		"not a number: 7; leave it out": svmkit.Describe(advice, ": 7"),
		"malformed: 7":                  svmkit.Describe(general, ": 7"),
	} {
		if got != want {
			t.Errorf("%q, want %q", got, want)
		}
	}
	wrapped := fmt.Errorf("fold 1: %w", &svmkit.DataError{Err: advice})
	var found *svmkit.Cause
	if !errors.As(wrapped, &found) || found != advice || !errors.Is(wrapped, plain) || !errors.Is(wrapped, general) {
		t.Errorf("%v: %v", wrapped, found)
	}
}
