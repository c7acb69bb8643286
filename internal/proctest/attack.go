//go:build unix

package proctest

import (
	"fmt"
	"os/exec"
	"strconv"
	"strings"
	"testing"
	"time"
	"unicode"

	"github.com/svmkit/course/internal/evidence"
)

// An Attack is one call of a command, in a folder of its own, with what has to come of it. Whatever comes, a file that was
// there stays as it was, a refusal writes none, no control character is printed, and there is neither a panic nor a wait.
type Attack struct {
	Fault  string            // the fault that it has been, or is kin to
	Input  string            // in words, where the arguments do not say it
	Files  map[string]string // beside the common ones
	Before []string          // the command's arguments, in calls that go well
	Args   string            // of the command
	Stdin  string
	Status int
	Says   string // on one of the outputs; … stands for any text
	Out    string // the whole standard output, if not empty
	Like   string // a call of the command with the same standard output
}

// Statuses of a command that refuses.
const (
	Refused  = 1 // the data or a file
	WrongUse = 2 // the command line
)

// Attacks makes all attacks on a command, each in a folder that holds the common files, and gives a line of evidence for
// each.
func Attacks(t *testing.T, command func(t *testing.T, dir string, args ...string) *exec.Cmd, common map[string]string, attacks []Attack) {
	seen := map[string]bool{}
	for _, a := range attacks {
		name := a.Fault + ": " + a.name()
		if seen[name] {
			t.Errorf("two attacks %q", name)
		}
		seen[name] = true
		t.Run(name, func(t *testing.T) {
			happened := a.try(t, command, common)
			t.Attr(evidence.Attack, evidence.Line(a.Fault, a.name(), a.must(), happened))
		})
	}
}

func (a Attack) name() string {
	text := a.Args
	if a.Input != "" {
		text += ": " + a.Input
	}
	return text
}

func (a Attack) must() string {
	var must []string
	if a.Status != 0 {
		must = append(must, fmt.Sprintf("status %d", a.Status))
	}
	if a.Says != "" {
		must = append(must, "says “"+a.Says+"”")
	}
	if a.Out != "" {
		must = append(must, "prints "+strconv.Quote(a.Out))
	}
	if a.Like != "" {
		must = append(must, "the output of "+a.Like)
	}
	if must == nil {
		return "goes well"
	}
	return strings.Join(must, ", ")
}

// try makes the attack and returns what happened.
func (a Attack) try(t *testing.T, command func(t *testing.T, dir string, args ...string) *exec.Cmd, common map[string]string) string {
	dir := t.TempDir()
	for _, files := range []map[string]string{common, a.Files} {
		for name, text := range files {
			Put(t, dir, name, text)
		}
	}
	call := func(args, stdin string) Ended {
		cmd := command(t, dir, words(args)...)
		// An address space of 4 GB, lest a fault take the whole machine.
		cmd.Args = append([]string{"/bin/sh", "-c", `ulimit -v 4000000; exec "$0" "$@"`, cmd.Path}, cmd.Args[1:]...)
		cmd.Path, cmd.Stdin = "/bin/sh", strings.NewReader(stdin)
		return Complete(t, cmd)
	}
	for _, args := range a.Before {
		if end := call(args, ""); end.Status != 0 {
			t.Fatalf("before it: %s: status %d, %s", args, end.Status, end.Errs)
		}
	}
	before := Tree(t, dir)
	end := call(a.Args, a.Stdin)
	after := Tree(t, dir)
	if end.Status != a.Status || !containsAll(end.Errs+end.Out, strings.Split(a.Says, "…")) || a.Out != "" && end.Out != a.Out {
		t.Errorf("status %d\n%.2000s%.2000s\nwant status %d, %q, %q", end.Status, end.Errs, end.Out, a.Status, a.Says, a.Out)
	}
	if a.Like != "" {
		if want := call(a.Like, ""); want.Status != 0 || want.Out != end.Out {
			t.Errorf("%q, want %q as by %s (status %d, %s)", end.Out, want.Out, a.Like, want.Status, want.Errs)
		}
	}
	for name, text := range before {
		if after[name] != text && !strings.HasPrefix(name, "notebooks/") {
			t.Errorf("%s was changed", name)
		}
	}
	for name := range after {
		if _, old := before[name]; !old && (a.Status == Refused || a.Status == WrongUse) {
			t.Errorf("%s is written all the same", name)
		}
	}
	if strings.ContainsFunc(strings.ReplaceAll(end.Errs+end.Out, "\n", ""), func(c rune) bool { return unicode.IsControl(c) && c != '\t' }) {
		t.Errorf("control characters are printed: %q", end.Errs+end.Out)
	}
	if strings.Contains(end.Errs, "goroutine ") {
		t.Errorf("a trace of Go's: %.2000s", end.Errs)
	}
	const soon, much = 30 * time.Second, 512 << 20 // for a loaded machine; most take 10 ms and 20 MB
	if end.Took > soon || end.Peak > much {
		t.Errorf("it took %v and %d bytes", end.Took, end.Peak)
	}
	happened := fmt.Sprintf("status %d", end.Status)
	if text := firstLine(end.Errs); text != "" {
		happened += ", “" + text + "”"
	} else if text := firstLine(end.Out); text != "" {
		happened += ", prints “" + text + "”"
	}
	if t.Failed() {
		happened += " " + evidence.Wrong
	}
	return happened
}

// words splits arguments at blanks; a ␣ is a blank in an argument, and ” is an empty one.
func words(args string) []string {
	list := strings.Fields(args)
	for k, word := range list {
		list[k] = strings.ReplaceAll(strings.ReplaceAll(word, "␣", " "), "''", "")
	}
	return list
}

func firstLine(text string) string {
	line, _, _ := strings.Cut(strings.TrimSpace(text), "\n")
	const most = 160
	if len(line) > most {
		line = strings.ToValidUTF8(line[:most], "") + " …"
	}
	return line
}

// containsAll reports whether text has all the parts, in this order.
func containsAll(text string, parts []string) bool {
	for _, part := range parts {
		_, rest, found := strings.Cut(text, part)
		if !found {
			return false
		}
		text = rest
	}
	return true
}
