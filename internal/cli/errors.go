package cli

import "strings"

// Located is an error with the place where it is, both in the words of a command.
type Located struct {
	Where, What string // What is "" if Where says it all
	Err         error  // the error as it came
}

func (l *Located) Error() string {
	if l.What == "" {
		return l.Where
	}
	if strings.HasPrefix(l.What, "line ") || strings.HasPrefix(l.What, "row ") { // is a place, too
		return l.Where + ", " + l.What
	}
	return l.Where + ": " + l.What
}

// Unwrap returns the error as it came.
func (l *Located) Unwrap() error { return l.Err }
