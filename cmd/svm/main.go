// Svm trains, uses and judges support vector machines from the command line.
//
// Run `go run ./cmd/svm -h` for its commands. Package flag is enough, because the commands have no
// subcommands.
package main

import (
	"context"
	"embed"
	"flag"
	"fmt"
	"io"
	"math"
	"os"

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
var help embed.FS // the text above the flags of each command

// commands are those with files and flags, in the order in which people need them.
var commands = []struct {
	name  string
	does  string
	run   func(*app, []string) error
	flags func() flags
}{
	{"scale", "bring the columns to one scale", (*app).scale, func() flags { return &scaleFlags{} }},
	{"grid", "search for a good C and kernel", (*app).grid, func() flags { return &gridFlags{} }},
	{"cv", "cross-validate one choice of flags", (*app).cv, func() flags { return &cvFlags{} }},
	{"train", "fit a model and print its certificate", (*app).train, func() flags { return &trainFlags{} }},
	{"predict", "predict the rows of a file", (*app).predict, func() flags { return &predictFlags{} }},
	{"stream", "learn from more rows than memory holds", (*app).stream, func() flags { return &streamFlags{} }},
}

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
	program  cli.Program
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
	a.program = cli.Program{Name: "svm", Heads: help}
	for _, c := range commands {
		fs := cli.FlagSet(c.name)
		c.flags().define(fs)
		a.program.Commands = append(a.program.Commands, cli.Command{Name: c.name, Does: c.does, Flags: fs})
	}
	k, err := a.program.Choose(a.out, args)
	if err != nil {
		return err
	}
	return commands[k].run(a, args[1:])
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
	files, err := a.program.Parse(a.out, fs, args, what...)
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
