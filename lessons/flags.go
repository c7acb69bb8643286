package main

import (
	"errors"
	"flag"
	"fmt"
	"slices"
	"strings"
	"time"

	"github.com/svmkit/course/internal/cli"
	"github.com/svmkit/course/lessons/internal/site"
)

// flags are the settings of all commands.
type flags struct {
	output    string        // -o
	replace   bool          // -replace
	limit     time.Duration // -limit
	jobs      int           // -jobs
	port      int           // -port
	portSet   bool
	noOpen    bool         // -no-browser
	fetch     bool         // -get
	prefix    string       // -prefix
	only      string       // -only
	sample    int          // -sample
	seed      string       // -seed
	runHere   bool         // -run-in-browser
	address   site.Address // -base
	solutions string       // -solutions: yes, or no for pages and notebooks without solutions
}

// withoutSolutions reports whether pages and notebooks are written without solutions.
func (f *flags) withoutSolutions() bool { return f.solutions == "no" }

// define defines all flags.
func (f *flags) define(set *flag.FlagSet) {
	set.DurationVar(&f.limit, "limit", 60*time.Second, "time that a cell or a check may take")
	set.IntVar(&f.jobs, "jobs", 2, "notebooks that run at the same time")
	set.BoolVar(&f.fetch, "get", false, "let cells fetch modules that the course does not pin")
	cli.Group(set, "Lessons")
	set.IntVar(&f.port, "port", 8000, "port on this machine; 0 for any free one")
	set.BoolVar(&f.noOpen, "no-browser", false, "do not open a browser window")
	set.BoolVar(&f.runHere, "run-in-browser", false, "cells run in the pages; takes minutes and 30 MB more")
	cli.WordVar(set, &f.solutions, "solutions", []string{"yes", "no"}, "yes", "with the solutions of the exercises: %s")
	set.Func("base", "`address` of the pages: https://host/prefix or /prefix", func(value string) (err error) {
		if f.address, err = site.ParseAddress(value); err != nil {
			err = errors.New("must be like https://host/prefix or like /prefix")
		}
		return err
	})
	cli.Group(set, "Pages")
	set.StringVar(&f.only, "only", "", "run the mutants whose description holds this `text`")
	set.IntVar(&f.sample, "sample", 0, "run so many mutants, drawn by -seed (default: all)")
	set.StringVar(&f.seed, "seed", "", "`text` that decides which mutants -sample draws")
	cli.Group(set, "Mutants")
	set.StringVar(&f.output, "o", "", "`file` or folder for the result")
	set.BoolVar(&f.replace, "replace", false, "replace a file that this command has not made")
	set.StringVar(&f.prefix, "prefix", "", "install below this `folder`, not for you alone")
	cli.Group(set, "Output")
}

// program returns the commands with their flags, which set a's.
func (a *app) program() *cli.Program {
	all := cli.FlagSet("lessons")
	a.define(all)
	p := &cli.Program{Name: "lessons", Call: "go run ./lessons", Heads: help}
	for _, c := range commands {
		set := cli.FlagSet(c.name)
		for _, name := range strings.Fields(c.flags) {
			f := all.Lookup(name)
			set.Var(f.Value, name, f.Usage)
		}
		p.Commands = append(p.Commands, cli.Command{Name: c.name, Does: c.does, Flags: set})
	}
	return p
}

// parse reads the command, and flags before, between or behind its arguments. It returns the
// command's number and its arguments. Without a command it is serve.
func (a *app) parse(args []string) (command int, operands []string, err error) {
	if len(args) == 0 || strings.HasPrefix(args[0], "-") && !slices.Contains(cli.Questions(), args[0]) {
		args = slices.Insert(slices.Clone(args), 0, "serve")
	}
	p := a.program()
	if command, err = p.Choose(a.out, args); err != nil {
		return 0, nil, err
	}
	c, set := commands[command], p.Commands[command].Flags
	operands, err = p.Parse(a.out, set, args[1:], strings.Fields(c.arguments)...)
	a.portSet = cli.Given(set, "port")
	switch {
	case err != nil:
	case a.limit <= 0:
		err = cli.WrongUse(set, "-limit %v: must be positive, as in 90s", a.limit)
	case a.port < 0 || a.port > 65535:
		err = cli.WrongUse(set, "-port %d: must be 0 to 65535", a.port)
	case a.sample < 0:
		err = cli.WrongUse(set, "-sample %d: must be 0 or more", a.sample)
	case a.jobs < 1:
		err = cli.WrongUse(set, "-jobs %d: must be 1 or more", a.jobs)
	}
	if wrong := (*cli.UsageError)(nil); errors.As(err, &wrong) && wrong.Command != "" {
		err = fmt.Errorf("%w (go run ./lessons %s -h shows the flags)", err, wrong.Command)
	}
	return command, operands, err
}
