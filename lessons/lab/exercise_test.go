package lab

import (
	"errors"
	"strings"
	"testing"
	"time"
)

// endlessly returns a function that ends with the test only.
func endlessly(t *testing.T) func(int) int {
	end, ended := make(chan struct{}), make(chan struct{})
	t.Cleanup(func() { close(end); <-ended })
	return func(int) int { <-end; close(ended); return 0 }
}

func checkDouble(double func(int) int) error {
	for _, v := range []int{0, 1, -3} {
		if got := double(v); got != 2*v {
			return errors.New("that is not twice the number")
		}
	}
	return nil
}

func TestExerciseThatDoesNotEnd(t *testing.T) {
	defer func(old time.Duration) { TimeLimit = old }(TimeLimit)
	TimeLimit = 20 * time.Millisecond
	printed, ended := watch(t, func() { Exercise("9.1", checkDouble, endlessly(t)) })
	if want := "✎ Exercise 9.1: not yet — your function did not end within 20ms\n"; printed != want || ended {
		t.Errorf("printed %q, ended %v; want %q", printed, ended, want)
	}
}

func TestAnswers(t *testing.T) {
	square := func(v int) int { return v * v }
	twice := func(v int) int { return v + v }
	zero := 0
	right := Right("by a sum", twice)
	for _, c := range []struct {
		name    string
		answers []Answer[func(int) int]
		want    string // in the printed line
		ends    bool
	}{
		{"all as they should be", []Answer[func(int) int]{
			Wrong("squared", "twice the number", square),
			Wrong("panics", "divide by zero", func(v int) int { return 1 / zero }),
			Endless("waits", endlessly(t)), right,
		}, "✓ Answers to exercise 9.1 — 3 wrong ones are refused, 1 accepted", false},
		{"a wrong one passes", []Answer[func(int) int]{right, Wrong("doubled", "twice", twice)},
			`✗ Answers to exercise 9.1 — the wrong answer "doubled" passes`, true},
		{"a message that does not help", []Answer[func(int) int]{right, Wrong("squared", "square", square)},
			`the wrong answer "squared" does not say "square": that is not twice`, true},
		{"no words for the message", []Answer[func(int) int]{right, Wrong("squared", " ", square)}, `names no words`, true},
		{"a right one is refused", []Answer[func(int) int]{Wrong("squared", "twice", square), Right("square", square)},
			`the right answer "square" is refused: that is not twice`, true},
		{"one that should not end does", []Answer[func(int) int]{right, Endless("squared", square)},
			`does not say "your function did not end within"`, true},
		{"no wrong one", []Answer[func(int) int]{right}, "there must be wrong and right ones", true},
		{"no right one", []Answer[func(int) int]{Wrong("squared", "twice", square)}, "there must be wrong and right ones", true},
	} {
		printed, ended := watch(t, func() { Answers("9.1", checkDouble, c.answers...) })
		if !strings.Contains(printed, c.want) || ended != c.ends || strings.Count(printed, "\n") != 1 {
			t.Errorf("%s: printed %q, ended %v; want %q, %v", c.name, printed, ended, c.want, c.ends)
		}
	}
}

// A wrong answer that did not end was not judged, whatever words it asks for.
func TestAnswersThatDoNotEndUnannounced(t *testing.T) {
	defer func(old time.Duration) { TimeLimit = old }(TimeLimit)
	TimeLimit = 20 * time.Millisecond
	printed, ended := watch(t, func() { Answers("9.1", checkDouble, Wrong("waits", "did not end", endlessly(t))) })
	if !strings.Contains(printed, `the wrong answer "waits" is not judged`) || !ended {
		t.Errorf("printed %q, ended %v", printed, ended)
	}
}
