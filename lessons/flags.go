package main

import (
	"errors"
	"flag"
	"fmt"
	"slices"
	"strings"
	"time"

	"github.com/svmkit/course/lessons/internal/site"
)

// flags are the settings of all commands.
type flags struct {
	output  string        // -o
	replace bool          // -replace
	limit   time.Duration // -limit
	jobs    int           // -jobs
	port    int           // -port
	portSet bool
	noOpen  bool         // -no-browser
	fetch   bool         // -get
	prefix  string       // -prefix
	only    string       // -only
	sample  int          // -sample
	seed    string       // -seed
	runHere bool         // -run-in-browser
	address site.Address // -base
	// students is set by -solutions=no: pages and notebooks without solutions.
	students bool
}

// users are the commands that a flag is for.
var users = map[string][]string{
	"o": {"run", "mutants", "grade", "build", "book"}, "solutions": {"build"}, "replace": {"run", "grade"}, "only": {"mutants"}, "sample": {"mutants"}, "seed": {"mutants"}, "prefix": {"kernel"}, "no-browser": {"jupyter"}, "port": {"main"},
	"run-in-browser": {"build"}, "base": {"build"}, "limit": {"main", "run", "test", "mutants", "grade"}, "jobs": {"main", "run", "test", "mutants", "grade"},
	"get": {"main", "run", "test", "mutants", "jupyter", "kernel"},
}

// usersOf lists commands for a message. A user knows no command main.
func usersOf(commands []string) string {
	named := strings.Join(commands, ", ")
	switch rest, without := strings.CutPrefix(named, "main"); {
	case without && rest == "":
		return "lessons without a command"
	case without:
		return strings.TrimPrefix(rest, ", ") + ", and lessons without a command"
	}
	return named
}

// parse reads flags that stand before, between or behind the arguments, and returns the
// arguments.
func (a *app) parse(command string, args []string) (operands []string, err error) {
	set := flag.NewFlagSet("lessons "+command, flag.ContinueOnError)
	set.SetOutput(a.err)
	set.StringVar(&a.output, "o", "", "run, mutants, grade, build, book: `file or folder` to write the executed notebook, the report, the results, the pages, or the book to")
	set.BoolVar(&a.replace, "replace", false, "run, grade: replace a file that this command has not made")
	set.DurationVar(&a.limit, "limit", 60*time.Second, "time that a cell, or the check of an exercise, may take before it is stopped")
	set.BoolVar(&a.fetch, "get", false, "run: let cells fetch modules from the network that this course does not pin")
	set.IntVar(&a.jobs, "jobs", 2, "lessons or notebooks that run at the same time")
	set.IntVar(&a.port, "port", 8000, "port on localhost for the pages; 0 for any free one")
	set.BoolVar(&a.noOpen, "no-browser", false, "jupyter: do not open a browser window")
	set.StringVar(&a.prefix, "prefix", "", "kernel: install below this `folder`, as in /usr/local, not in your own Jupyter's")
	set.StringVar(&a.only, "only", "", "mutants: run those only whose description holds this `text`")
	set.IntVar(&a.sample, "sample", 0, "mutants: run this `number` of them, drawn by -seed, in place of all")
	set.StringVar(&a.seed, "seed", "", "mutants: `text` that decides which ones -sample draws, as the hash of a commit")
	set.BoolVar(&a.runHere, "run-in-browser", false, "build: cells run in the pages, with the compiler of your Go as WebAssembly; takes minutes and 30 MB more")
	set.Func("base", "build: `address` that the pages will have, like https://host/prefix or /prefix: for the page that is shown where there is none and, with the host, for search engines and the card of a link", func(value string) (err error) {
		a.address, err = site.ParseAddress(value)
		return err
	})
	set.Func("solutions", "build: `yes or no`; with no, only the pages are written, and in their downloads the notebooks, all without solutions", func(value string) error {
		if value != "yes" && value != "no" {
			return errors.New("yes or no")
		}
		a.students = value == "no"
		return nil
	})
	set.Usage = func() {
		fmt.Fprint(a.err, usage)
		set.PrintDefaults()
	}
	for {
		if err := set.Parse(args); err != nil {
			if errors.Is(err, flag.ErrHelp) {
				return nil, err
			}
			return nil, fmt.Errorf("%w; see `go run ./lessons -h`", err)
		}
		if set.NArg() == 0 {
			break
		}
		operands, args = append(operands, set.Arg(0)), set.Args()[1:]
	}
	set.Visit(func(f *flag.Flag) {
		a.portSet = a.portSet || f.Name == "port"
		if use := users[f.Name]; commands[command] != nil && !slices.Contains(use, command) {
			err = errors.Join(err, fmt.Errorf("-%s has no effect on %s: it is for %s", f.Name, command, usersOf(use)))
		}
	})
	if err != nil {
		return nil, err
	}
	if len(operands) > 0 && (command == "build" || command == "book" || command == "list") {
		return nil, fmt.Errorf("%s takes no argument, and here is %q", command, operands[0])
	}
	if a.limit <= 0 {
		return nil, fmt.Errorf("-limit %v: must be positive", a.limit)
	}
	if a.sample < 0 {
		return nil, fmt.Errorf("-sample %d: must not be negative", a.sample)
	}
	if a.jobs < 1 {
		return nil, fmt.Errorf("-jobs %d: must be at least 1", a.jobs)
	}
	return operands, nil
}
