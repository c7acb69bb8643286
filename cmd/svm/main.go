// Svm trains, uses and judges support vector machines from the command line.
//
// Run `go run ./cmd/svm -h` for its commands. Package flag is enough, because the six commands have
// no subcommands.
package main

import (
	"context"
	"embed"
	"errors"
	"flag"
	"fmt"
	"io"
	"math"
	"os"
	"regexp"
	"slices"
	"strings"

	"github.com/svmkit/course/internal/cli"
	"github.com/svmkit/course/internal/printable"
	"github.com/svmkit/course/internal/signals"
	"github.com/svmkit/course/svmkit"
)

// What the process returns.
const (
	exitOK          = 0
	exitError       = 1   // a bad file, data that do not fit, a disk that is full
	exitUsage       = 2   // a wrong command line
	exitTolerance   = 3   // all went well, but the tolerance was not met
	exitInterrupted = 130 // as the shell reports Ctrl-C
)

//go:embed help
var help embed.FS

// helpOf returns the help text of a command. A line @part stands for another file.
func helpOf(name string) string {
	text, _ := help.ReadFile("help/" + name + ".txt") // a test reads them all
	return part.ReplaceAllStringFunc(string(text), func(line string) string { return helpOf(line[1 : len(line)-1]) })
}

var part = regexp.MustCompile(`(?m)^@\w+\n`)

func main() {
	ctx, _ := signals.Context()
	os.Exit(run(ctx, os.Args[1:], os.Stdin, os.Stdout, os.Stderr))
}

// app is one run of the command with its surroundings.
type app struct {
	ctx      context.Context
	stdin    io.Reader
	stdout   io.Writer // the standard output itself; out writes to it
	out, err io.Writer
	progress *cli.Progress
}

// run is main with its surroundings as arguments. It returns the exit status.
func run(ctx context.Context, args []string, stdin io.Reader, stdout, stderr io.Writer) int {
	// Messages to people are printable, and so is what goes to a terminal; files and pipes get the bytes as they are.
	a := &app{ctx: ctx, stdin: stdin, stdout: stdout, out: cli.Writer{Context: ctx, W: stdout, After: true},
		err: &printable.Writer{W: stderr}, progress: cli.NewProgress(stderr)}
	if cli.IsTerminal(stdout) {
		a.out = &printable.Writer{W: a.out}
	}
	return a.exit(a.command(args))
}

func (a *app) command(args []string) error {
	name := ""
	if len(args) > 0 {
		name, args = args[0], args[1:]
	}
	commands := cli.Words[func([]string) error]{cli.W("train", a.train), cli.W("predict", a.predict), cli.W("stream", a.stream),
		cli.W("cv", a.cv), cli.W("grid", a.grid), cli.W("scale", a.scale)}
	if command := commands.Meaning(name); command != nil {
		return command(args)
	}
	last := len(commands) - 1
	known, final := strings.Join(commands.Names()[:last], ", "), commands[last].Name
	switch {
	case slices.Contains([]string{"-h", "-help", "--help", "help"}, name):
		_, err := io.WriteString(a.out, helpOf("svm"))
		return err
	case name == "":
		return &cli.UsageError{Err: errors.New("which command? " + known + " or " + final + "; -h explains them")}
	}
	return &cli.UsageError{Err: fmt.Errorf("no command %q: there are %s and %s; -h explains them", name, known, final)}
}

// flags are those of one command.
type flags interface {
	define(fs *flag.FlagSet)

	// check says, before anything is read, what is wrong with the flags alone.
	check(fs *flag.FlagSet, files []string) error
}

// begin reads and checks the flags and the other arguments of a command, finds out whether all files can
// be written, and answers -h.
func (a *app) begin(fs *flag.FlagSet, f flags, args []string, what ...string) ([]string, error) {
	f.define(fs)
	search := cli.FlagSet("svm grid")
	new(gridFlags).define(search)
	others := []*flag.FlagSet{search}
	if fs.Name() == "stream" {
		others = nil
	}
	files, err := cli.Parse(fs, args, others, what...)
	if errors.Is(err, flag.ErrHelp) {
		if _, failed := io.WriteString(a.out, helpOf(fs.Name())); failed != nil {
			return nil, failed
		}
	}
	if err == nil {
		err = f.check(fs, files)
	}
	if err == nil {
		err = cli.CheckFiles(fs, cli.Streams{In: a.stdin, Out: a.stdout}, files)
	}
	return files, err
}

// showFit shows the iteration and the gap of a fit, which what names if it is one of several.
func showFit(p *cli.Progress, what string, q svmkit.Progress) bool {
	text := fmt.Sprintf("%siteration %d", what, q.Iteration)
	switch gap := q.RelativeGap(); {
	case q.Estimate > 0 && !q.Certified:
		text += fmt.Sprintf(", relative gap about %.2g", q.Estimate)
	case !math.IsInf(gap, 1):
		text += fmt.Sprintf(", relative gap %.2g", gap)
	case q.Violation > 0 && !q.Certified: // a hard margin and an indefinite kernel have no gap on the way
		text += fmt.Sprintf(", KKT violation about %.2g", q.Violation)
	case !math.IsInf(q.KKT, 1):
		text += fmt.Sprintf(", KKT violation %.2g", q.KKT)
	}
	p.Show(text)
	return true
}

// count returns a function of progress that shows how many of some things are done, in all runs of which
// some are over. The fits that run show themselves behind it.
func (a *app) count(things string, over, runs int) func(svmkit.Progress) bool {
	return func(q svmkit.Progress) bool {
		a.progress.Within(fmt.Sprintf("%d of %d %s", over*q.Total+q.Iteration, runs*q.Total, things))
		return true
	}
}

// shown is the name of a data file for messages.
func shown(name string) string {
	if name == "-" {
		return "standard input"
	}
	return name
}
