package lab

import "fmt"

// Exercise runs the check of an exercise on the reader's own function. The check returns nil
// if the function is right, else an error that says what is wrong with it, on which input.
// A panic of the function is reported like an error.
//
// It never ends the cell: a lesson runs to its end with unsolved stubs. The printed line begins with [NotYet] for a stub and with [Pass] for a solution, and the runner
// requires just that of the cells tagged "exercise" and "solution".
func Exercise(name string, check func() error) {
	if err := try(check); err != nil {
		line(NotYet, "Exercise "+name+": not yet", err.Error())
		return
	}
	pass("Exercise "+name+": solved", "")
}

func try(check func() error) (err error) {
	defer func() {
		if r := recover(); r != nil {
			err = fmt.Errorf("your function panicked: %v", r)
		}
	}()
	return check()
}
