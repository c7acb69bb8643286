package kernel

import (
	"regexp"
	"strings"
)

var (
	// "exit status 2" and "signal: killed" are all that GoNB replies of a program that failed.
	programEnd = regexp.MustCompile(`^(exit status \d+|signal: .*)$`)
	// The package and directory of the cell's program have new names in every session.
	sessionNames = regexp.MustCompile(`(?m)^# gonb_[0-9a-f]+\n|(\.|/[^\s:]*/gonb_[0-9a-f]+)/(main(_test)?\.go)`)
)

// Failure says in a few lines, without terminal colours and without names that change from run to run, why
// the cell failed; "" if it did not. Of a program that failed, GoNB replies only the exit status: then it
// is the panic's words, or the last lines of stderr, with the status behind.
func (r *Result) Failure() string {
	value := strings.TrimSpace(plain(r.Error))
	if !programEnd.MatchString(value) {
		return value
	}
	// GoNB writes the status at the end of stderr too.
	said := strings.TrimSpace(plain(r.Stream("stderr")))
	said = strings.TrimSpace(strings.TrimSuffix(said, value))
	if said == "" {
		return value
	}
	for _, word := range []string{"panic: ", "fatal error: "} {
		if at := strings.LastIndex("\n"+said, "\n"+word); at >= 0 {
			said, _, _ = strings.Cut(said[at:], "\n\ngoroutine ")
			return said + " (" + value + ")"
		}
	}
	lines := strings.Split(said, "\n")
	const enough = 3
	return strings.Join(lines[max(0, len(lines)-enough):], "\n") + " (" + value + ")"
}

func plain(text string) string {
	return sessionNames.ReplaceAllString(ansi.ReplaceAllString(text, ""), "$2")
}

// Ran reports whether the cell's program ran, and did not only fail to compile.
func (r *Result) Ran() bool {
	return !r.failed() || programEnd.MatchString(strings.TrimSpace(plain(r.Error)))
}
