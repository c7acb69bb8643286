package main

import (
	"errors"
	"flag"
	"fmt"
	"io"
	"runtime"
	"slices"
	"strings"
	"time"
)

const usage = `Reliability runs what shows that the project keeps its word under bad input, faults and load,
and writes a report.

	go run ./reliability -quick                                     under a minute
	go run ./reliability                                            a minute for each target and the soak
	go run ./reliability -full -fuzz 30m -soak 1h -o report.md      all of it

Flags
`

// parts are what a run is made of.
var parts = []string{"tests", "fuzz", "soak"}

// flags are the settings of a run.
type flags struct {
	quick    bool
	full     bool
	only     string
	fuzzTime time.Duration
	match    string
	side     int
	soakTime time.Duration
	seed     uint64
	output   string
}

var errFlags = errors.New("see `go run ./reliability -h`")

func (f *flags) parse(args []string, stderr io.Writer) error {
	set := flag.NewFlagSet("reliability", flag.ContinueOnError)
	set.SetOutput(stderr)
	set.BoolVar(&f.quick, "quick", false, "short tests, a second for each target, five for the soak")
	set.BoolVar(&f.full, "full", false, "the tests with all their cases; without it a selection")
	set.StringVar(&f.only, "only", strings.Join(parts, ","), "`parts` to run")
	set.DurationVar(&f.fuzzTime, "fuzz", time.Minute, "for how long each target is fuzzed")
	set.StringVar(&f.match, "target", "", "fuzz only the targets whose name holds this `text`")
	set.IntVar(&f.side, "side", runtime.GOMAXPROCS(0), "how many targets are fuzzed side by side, each by one worker")
	set.DurationVar(&f.soakTime, "soak", time.Minute, "for how long random problems are solved")
	set.Uint64Var(&f.seed, "seed", 1, "of the random problems")
	set.StringVar(&f.output, "o", "", "`file` to write the report to")
	set.Usage = func() {
		fmt.Fprint(stderr, usage)
		set.PrintDefaults()
		fmt.Fprintf(stderr, "\nParts: %s.\n", strings.Join(parts, ", "))
	}
	if err := set.Parse(args); err != nil {
		if errors.Is(err, flag.ErrHelp) {
			return err
		}
		return fmt.Errorf("%w; %w", err, errFlags)
	}
	given := map[string]bool{}
	set.Visit(func(f *flag.Flag) { given[f.Name] = true })
	if f.quick && !given["fuzz"] {
		f.fuzzTime = time.Second
	}
	if f.quick && !given["soak"] {
		f.soakTime = 5 * time.Second
	}
	return f.check(set.Args())
}

func (f *flags) check(rest []string) error {
	for _, part := range strings.Split(f.only, ",") {
		if !slices.Contains(parts, part) {
			return fmt.Errorf("-only: no part %q, there are %s", part, strings.Join(parts, ", "))
		}
	}
	switch {
	case len(rest) > 0:
		return fmt.Errorf("%q: there are only flags; %w", rest[0], errFlags)
	case f.quick && f.full:
		return errors.New("-quick and -full exclude each other")
	case f.fuzzTime <= 0 || f.soakTime <= 0 || f.side < 1:
		return fmt.Errorf("-fuzz %v, -soak %v, -side %d: must be positive", f.fuzzTime, f.soakTime, f.side)
	}
	return nil
}

func (f *flags) wants(part string) bool { return slices.Contains(strings.Split(f.only, ","), part) }
