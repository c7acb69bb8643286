package main

import (
	"context"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"time"

	"github.com/svmkit/course/svmkit"
	"github.com/svmkit/course/svmkit/dataset"
)

// linearTool is LIBLINEAR's train as Debian names it.
const linearTool = "/usr/bin/liblinear-train"

// A speed is a peer's time against ours for work that has no gap.
type speed struct {
	Set   string `json:"set"`
	Work  string `json:"work"`
	Goal  float64
	Ours  sample `json:"svmkit"`
	Peer  string `json:"peer"`
	Other sample `json:"peer_seconds"`
	Note  string `json:"note,omitempty"`
}

// reading measures how fast LIBSVM's text becomes a set in memory. LIBLINEAR's reader is a part of
// its tool, not of its library: the tool is run with a tolerance that ends training at once, and
// the library's time for that training is taken off.
func (b *bench) reading(ctx context.Context, name string, set *svmkit.Dataset) error {
	file := filepath.Join(b.stage.dir, "text")
	f, err := os.Create(file)
	if err != nil {
		return err
	}
	plain := *set
	plain.Classes = nil // names of classes are no labels for the peer
	if err := errors.Join(dataset.WriteLIBSVM(f, &plain), f.Close()); err != nil {
		return err
	}
	defer os.Remove(file)
	info, err := os.Stat(file)
	if err != nil {
		return err
	}
	result := speed{Set: name, Work: fmt.Sprintf("reading %.0f MB of LIBSVM text", float64(info.Size())/1e6), Goal: 5, Peer: "LIBLINEAR"}
	peer := b.stage.engine("LIBLINEAR")
	if _, err := os.Stat(linearTool); err != nil {
		peer = nil
	}
	if peer != nil {
		if err := b.stage.put(ctx, peer, set); err != nil {
			return err
		}
	}
	ours := b.stage.engine("svmkit")
	for round := range b.runs {
		b.progress.Say("%s: reading text, round %d", name, round+1)
		r, _, err := ours.ask(ctx, request{Op: "read", File: file, Limit: b.limit.Seconds()})
		if err != nil {
			return err
		}
		result.Ours = append(result.Ours, r.Seconds)
		if peer == nil {
			continue
		}
		const atOnce = 1e9 // a tolerance that the start satisfies
		solver := "2"
		if isRegression(set) {
			solver = "11"
		}
		start := time.Now()
		if said, err := exec.CommandContext(ctx, linearTool, "-q", "-s", solver, "-e", fmt.Sprint(atOnce), "-B", "1", file, os.DevNull).CombinedOutput(); err != nil {
			return fmt.Errorf("%s: %w: %s", linearTool, err, said)
		}
		whole := time.Since(start).Seconds()
		t, _, err := peer.ask(ctx, request{Op: "train", Task: task{C: 1, Epsilon: tubeWidth}, Solver: solver, Knob: atOnce, Limit: b.limit.Seconds()})
		if err != nil {
			return err
		}
		result.Other = append(result.Other, whole-t.Seconds)
	}
	b.results.Speeds = append(b.results.Speeds, result)
	return nil
}

// readText is the child's side.
func readText(q request, re *reply) error {
	m := startMeter()
	f, err := os.Open(q.File)
	if err != nil {
		return err
	}
	defer f.Close()
	set, err := dataset.ReadLIBSVM(context.Background(), f, nil)
	m.stop(re)
	if err == nil {
		re.Note = fmt.Sprintf("%d rows, %d values", set.Len(), set.NNZ())
	}
	return err
}
