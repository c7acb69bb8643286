package main

import (
	"context"
	"math"
	"sync"
	"time"

	"github.com/svmkit/course/svmkit"
)

// bandwidthBytes is what a thread reads at a time: far more than any cache holds.
const bandwidthBytes = 128 << 20

// bandwidth returns how many bytes a second this machine reads from memory in order, the best of
// five passes: the floor below which no epoch over a large set can come.
func bandwidth(threads int) float64 {
	blocks := make([][]float64, threads)
	for k := range blocks {
		blocks[k] = make([]float64, bandwidthBytes/8)
		for i := range blocks[k] {
			blocks[k][i] = 1 // a page that was never written has no memory
		}
	}
	sums := make([]float64, threads)
	best := math.Inf(1)
	for range 5 {
		start := time.Now()
		var group sync.WaitGroup
		for k, block := range blocks {
			group.Go(func() { sums[k] += sumOf(block) })
		}
		group.Wait()
		best = min(best, time.Since(start).Seconds())
	}
	if sums[0] != 5*bandwidthBytes/8 { // so that the loop cannot be left out
		panic("bench: the sum of ones is wrong")
	}
	return float64(threads) * bandwidthBytes / best
}

// sumOf adds in eight chains, so that memory and not the adder is what takes the time.
func sumOf(v []float64) float64 {
	var s [8]float64
	for ; len(v) >= 8; v = v[8:] {
		s[0] += v[0]
		s[1] += v[1]
		s[2] += v[2]
		s[3] += v[3]
		s[4] += v[4]
		s[5] += v[5]
		s[6] += v[6]
		s[7] += v[7]
	}
	return s[0] + s[1] + s[2] + s[3] + s[4] + s[5] + s[6] + s[7]
}

// An epochResult holds one epoch of coordinate descent over a set against the time that it takes to
// read the set once.
type epochResult struct {
	Set     string  `json:"set"`
	NNZ     int     `json:"nnz"`
	MB      float64 `json:"mb"`      // that an epoch must read
	Seconds sample  `json:"seconds"` // of an epoch
	Floor   sample  `json:"floor"`   // seconds: MB / bandwidth, measured in the same round
}

// epochs measures coordinate descent without shrinking: the difference between many and few epochs,
// so that neither preparation nor the last certificate counts.
func (b *bench) epochs(ctx context.Context, name string, set *svmkit.Dataset) error {
	const few, many = 2, 14 // the 16th ends with a certificate
	bytes := float64(set.NNZ())*8 + float64(set.Len())*16
	if set.X[0].Index != nil {
		bytes += float64(set.NNZ()) * 4
	}
	r := epochResult{Set: name, NNZ: set.NNZ(), MB: bytes / 1e6}
	t := task{Loss: "hinge", C: 1}
	if isRegression(set) {
		t.Loss, t.Epsilon = "tube", tubeWidth
	}
	e := b.stage.engine("svmkit")
	if err := b.stage.put(ctx, e, set); err != nil {
		return err
	}
	for round := range b.runs {
		b.progress.Say("%s: an epoch against the floor, round %d", name, round+1)
		var took [2]float64
		for k, count := range []float64{few, many} {
			re, _, err := e.ask(ctx, request{Op: "train", Task: t, Solver: "epochs", Knob: count, Limit: b.limit.Seconds()})
			if err != nil {
				return err
			}
			took[k] = re.Seconds
		}
		r.Seconds = append(r.Seconds, (took[1]-took[0])/(many-few))
		r.Floor = append(r.Floor, bytes/bandwidth(1))
	}
	b.results.Epochs = append(b.results.Epochs, r)
	return nil
}
