// Command soak solves random problems with every solver that takes them, for as long as it is told, and
// checks each answer: by a new certificate, against the other solvers and package qp, in higher
// precision, and for the same bits. It is how bugs are found before users find them.
//
//	go run ./reliability/soak -time 1h -seed 1
//	go run ./reliability/soak -seed 1 -problem 4711     one problem again, in all its fits
//
// Most problems are tiny and awkward: whole numbers and ties, rows twice with opposite labels, columns
// that are constant or nearly the same, scales and weights C from 1e-8 to 1e8. A few have thousands of rows.
// Ctrl-C ends it after the problem at hand, with what was found so far. The exit status is 1 if there was a
// fault.
package main

import (
	"encoding/json"
	"flag"
	"fmt"
	"io"
	"os"
	"slices"
	"text/tabwriter"
	"time"

	"github.com/svmkit/course/internal/signals"
)

// bigEach is how often a problem of thousands of rows comes.
const bigEach = 400

// settled is after how many problems the memory in use is first measured.
const settled = 50

// report is what a run found, in the form of -json.
type report struct {
	*soak
	Seed             uint64
	Seconds          float64
	PerMinute        float64
	HeapBegin        uint64 // bytes, after a collection
	HeapEnd          uint64
	ProblemsFromSeed uint64
}

func main() {
	length := flag.Duration("time", time.Minute, "for how long")
	seed := flag.Uint64("seed", 1, "of the random problems")
	only := flag.Int64("problem", -1, "the number of a single problem")
	big := flag.Bool("big", false, "problems of thousands of rows, all of them")
	asJSON := flag.Bool("json", false, "print JSON")
	verbose := flag.Bool("v", false, "name faults as they come, and at the end what was not solved")
	flag.Parse()
	if flag.NArg() > 0 || *length <= 0 {
		fmt.Fprintf(os.Stderr, "soak: arguments %q, -time %v: there are only flags, and the time must be positive\n", flag.Args(), *length)
		os.Exit(2)
	}
	ctx, stop := signals.Context()
	defer stop()
	s := newSoak(*seed)
	begin, first, next := time.Now(), heap(), uint64(0)
	if *only >= 0 {
		s.try(draw(*seed, uint64(*only), *big))
	} else {
		for seen := 0; time.Since(begin) < *length && ctx.Err() == nil; next++ {
			if next == settled {
				first = heap()
			}
			if !s.try(draw(*seed, next, *big || next%bigEach == bigEach-1)) {
				break
			}
			for ; *verbose && seen < len(s.Faults); seen++ {
				fmt.Fprintln(os.Stderr, s.Faults[seen])
			}
		}
	}
	seconds := time.Since(begin).Seconds()
	r := report{s, *seed, seconds, 60 * float64(s.Problems) / seconds, first, heap(), next}
	if *asJSON {
		e := json.NewEncoder(os.Stdout)
		e.SetIndent("", "  ")
		if err := e.Encode(r); err != nil {
			fmt.Fprintln(os.Stderr, "soak:", err)
			os.Exit(2)
		}
	} else {
		r.print(os.Stdout, *verbose)
	}
	if len(s.Faults) > 0 {
		os.Exit(1)
	}
}

func (r *report) print(to io.Writer, verbose bool) {
	w := tabwriter.NewWriter(to, 0, 0, 2, ' ', tabwriter.AlignRight)
	fmt.Fprintln(w, "solver\tfits\toptimal\tstalled\titeration limit\tout of time\tother\tslow\tworst gap\thostile\tno bound\tworst s\tproblem\t")
	var names []string
	for name := range r.Scores {
		names = append(names, name)
	}
	slices.Sort(names)
	for _, name := range names {
		c := r.Scores[name]
		fmt.Fprintf(w, "%s\t%d\t%d\t%d\t%d\t%d\t%d\t%d\t%.1e\t%.1e\t%d\t%.2f\t%d\t\n", name, c.Fits, c.Optimal, c.Stalled, c.IterationLimit,
			c.OutOfTime, c.Other, c.Slow, c.WorstGap, c.WorstHostile, c.Unbounded, c.WorstSeconds, c.WorstNumber)
	}
	w.Flush()
	fmt.Fprintf(to, "%d problems in %.0f s, %.0f a minute; %d certificates confirmed in higher precision, %d of planes; "+
		"%d oracles; %d fits made twice; heap %.1f → %.1f MB\n", r.Problems, r.Seconds, r.PerMinute, r.Exact, r.Planes,
		r.Oracles, r.Same, float64(r.HeapBegin)/1e6, float64(r.HeapEnd)/1e6)
	if verbose {
		for _, f := range r.Unsolved {
			fmt.Fprintln(to, "unsolved:", f)
		}
	}
	fmt.Fprintf(to, "%d faults\n", len(r.Faults))
	for _, f := range r.Faults {
		fmt.Fprintln(to, f)
	}
}
