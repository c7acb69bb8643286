package lab

import (
	"errors"
	"fmt"
	"strings"
	"time"
)

// TimeLimit is the longest time that the check of an exercise may take, with the calls of the
// reader's function. If a check needs longer on a slow machine, set it first in the cell.
var TimeLimit = 10 * time.Second

// endlessLimit is the time for which an answer of [Endless] is watched.
const endlessLimit = 300 * time.Millisecond

// Exercise runs the check of an exercise on the reader's own function.
//
//	lab.Exercise("3.2", checkFirstLie, firstLie)
//
// The check returns nil if the function is right. Otherwise its error describes the mistake and the
// input that shows it. A panic of the function is reported like an error, as is a function that
// does not end within [TimeLimit].
//
// Exercise never ends the cell, so a lesson runs to its end with unsolved stubs. The printed line
// begins with [NotYet] for a stub and with [Pass] for a solution, as the runner requires of cells
// with these tags.
func Exercise[F any](name string, check func(F) error, answer F) {
	if collected != nil {
		return
	}
	if err := try(check, answer, TimeLimit); err != nil {
		line(NotYet, "Exercise "+name+": not yet", err.Error())
		return
	}
	pass("Exercise "+name+": solved", "")
}

var errEndless = errors.New("your function did not end within")

// try runs the check in a goroutine. After the limit the goroutine runs until the cell ends,
// because Go cannot stop it.
func try[F any](check func(F) error, answer F, limit time.Duration) error {
	verdict := make(chan error, 1)
	go func() {
		defer func() {
			if r := recover(); r != nil {
				verdict <- fmt.Errorf("your function panicked: %v", r)
			}
		}()
		verdict <- check(answer)
	}()
	clock := time.NewTimer(limit)
	defer clock.Stop()
	select {
	case err := <-verdict:
		return err
	case <-clock.C:
		return fmt.Errorf("%w %v", errEndless, limit)
	}
}

// Answer is an answer to an exercise whose verdict is known; see [Answers].
type Answer[F any] struct {
	name    string
	says    string // words that the message of a wrong answer must contain
	right   bool
	endless bool
	answer  F
}

// Wrong returns an answer that the check must refuse, with a message that contains the words of
// says.
func Wrong[F any](name, says string, answer F) Answer[F] {
	return Answer[F]{name: name, says: says, answer: answer}
}

// Endless returns an answer that does not end. It uses a processor until the cell ends, so put it
// last.
func Endless[F any](name string, answer F) Answer[F] {
	return Answer[F]{name: name, says: errEndless.Error(), endless: true, answer: answer}
}

// Right returns an answer in another style than the solution, which the check must accept.
func Right[F any](name string, answer F) Answer[F] {
	return Answer[F]{name: name, right: true, answer: answer}
}

// Answers tests the check of an exercise: it must accept each right answer and refuse each wrong
// one.
//
//	lab.Answers("3.2", checkFirstLie,
//		lab.Wrong("one mistake too late", "at mistake 1", func(run []mistake) int { … }),
//		lab.Right("from the end", func(run []mistake) int { … }))
//
// The message about a wrong answer must help. Name each wrong answer after its mistake. F is the
// type of the check's parameter. If it is a named type, the answers must have the same named type.
func Answers[F any](exercise string, check func(F) error, answers ...Answer[F]) {
	if collected != nil {
		return
	}
	claim := "Answers to exercise " + exercise
	wrong, right := 0, 0
	for _, a := range answers {
		limit := TimeLimit
		if a.endless {
			limit = endlessLimit
		}
		err := try(check, a.answer, limit)
		switch {
		case a.right && err != nil:
			fall(claim, fmt.Sprintf("the right answer %q is refused: %v", a.name, err))
			return
		case a.right:
			right++
			continue
		case err == nil:
			fall(claim, fmt.Sprintf("the wrong answer %q passes", a.name))
			return
		case strings.TrimSpace(a.says) == "":
			fall(claim, fmt.Sprintf("the wrong answer %q names no words for its message, which is: %v", a.name, err))
			return
		case errors.Is(err, errEndless) && !a.endless:
			fall(claim, fmt.Sprintf("the wrong answer %q is not judged: %v", a.name, err))
			return
		case !strings.Contains(err.Error(), a.says):
			fall(claim, fmt.Sprintf("the message for the wrong answer %q does not say %q: %v", a.name, a.says, err))
			return
		}
		wrong++
	}
	if wrong == 0 || right == 0 {
		fall(claim, "there must be wrong and right ones")
		return
	}
	pass(claim, fmt.Sprintf("%d wrong ones are refused, %d accepted", wrong, right))
}
