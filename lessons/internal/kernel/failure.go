package kernel

import (
	"regexp"
	"strconv"
	"strings"
)

var (
	// "exit status 2" and "signal: killed" are all that GoNB replies of a program that failed.
	programEnd = regexp.MustCompile(`^(exit status \d+|signal: .*)$`)
	// The package and directory of the cell's program have new names in every session.
	sessionNames = regexp.MustCompile(`(?m)^# gonb_[0-9a-f]+\n|(\.|/[^\s:]*/gonb_[0-9a-f]+)/(main(_test)?\.go)`)
	// What a compile error says of its place, and what GoNB adds to a stack trace.
	cellLine = regexp.MustCompile(`Cell ?\[(\d+)\]:? Line (\d+)`)
)

// Failure says in a few lines, without terminal colours and without names that
// change from run to run, why the cell failed; "" if it did not. Of a program that
// failed, GoNB replies only the exit status: then it is the panic's words, or
// the last lines of stderr, with the status behind.
func (r *Result) Failure() string {
	if r.Err == nil {
		return ""
	}
	value := strings.TrimSpace(plain(r.Err.Value))
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

// Line returns the line of the cell, from 1, where the failure is, or 0 if that
// is not known. Of a panic GoNB tells the line only most of the time: it overlooks
// it when the stack trace reaches it in pieces.
func (r *Result) Line() int {
	if r.Err == nil {
		return 0
	}
	text := strings.Join(r.Err.Traceback, "\n") + "\n" + r.Stream("stderr")
	for _, m := range cellLine.FindAllStringSubmatch(text, -1) {
		// A trace can begin in a declaration of an earlier cell.
		if id, _ := strconv.Atoi(m[1]); id == r.ExecutionCount {
			line, _ := strconv.Atoi(m[2])
			return line
		}
	}
	return 0
}

// Ran reports whether the cell's program ran, and did not only fail to compile.
func (r *Result) Ran() bool {
	return r.Err == nil || programEnd.MatchString(strings.TrimSpace(plain(r.Err.Value)))
}
