package main

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"path/filepath"
)

// soakResult is the part of what `soak -json` prints that the report shows.
type soakResult struct {
	Problems, Exact, Planes, Oracles, Same int
	PerMinute, Seconds                     float64
	Seed, HeapBegin, HeapEnd               uint64
	Scores                                 map[string]soakScore
	Faults, Unsolved                       []soakFault
}

type soakScore struct {
	Fits, Optimal, Stalled, IterationLimit, OutOfTime, Other, Slow, Unbounded int
	WorstGap, WorstHostile, WorstSeconds                                      float64
	WorstNumber                                                               uint64
}

type soakFault struct {
	Seed, Number          uint64
	Big                   bool
	Solver, What, Problem string
}

func (f soakFault) String() string {
	return fmt.Sprintf("soak -seed %d -problem %d -big=%v: %s: %s [%s]", f.Seed, f.Number, f.Big, f.Solver, f.What, f.Problem)
}

// soak runs the command of that name. Interrupted, it says what it has done until then.
func (w *work) soak(ctx context.Context) error {
	w.progress.Say("soak: building")
	binary := filepath.Join(w.scratch, "soak")
	if _, err := output(ctx, w.roots[0], "go", "build", "-o", binary, "./reliability/soak"); err != nil {
		return err
	}
	w.progress.Say("soak, for %v", w.soakTime)
	cmd := child(ctx, w.roots[0], binary, "-json", "-time", w.soakTime.String(), "-seed", fmt.Sprint(w.seed))
	var out, messages bytes.Buffer
	cmd.Stdout, cmd.Stderr = &out, &messages
	if err := cmd.Start(); err != nil {
		return err
	}
	err := wait(cmd) // 1 if there are faults, which the report names
	var r soakResult
	if bad := json.Unmarshal(out.Bytes(), &r); bad != nil {
		return fmt.Errorf("%w: %w: %s", bad, err, messages.Bytes())
	}
	w.results.Soak = &r
	w.progress.Done(fmt.Sprintf("soak: %d problems, %d faults", r.Problems, len(r.Faults)))
	return nil
}
