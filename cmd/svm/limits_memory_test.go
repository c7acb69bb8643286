//go:build unix

package main

import (
	"bytes"
	"fmt"
	"testing"

	"github.com/svmkit/course/internal/proctest"
)

// The cache of kernel rows keeps to its bound: what a fit needs beyond it is what it needs with the
// smallest cache, and far from the 72 MB of the whole matrix.
func TestReliabilityKernelCacheKeepsItsBound(t *testing.T) {
	data := proctest.Put(t, t.TempDir(), "rows", rowsText(7, 3000, 60, 6))
	for _, solver := range []string{"smo", "decomposition"} {
		peak := func(mebibytes int) int64 {
			end := proctest.Measured(t, svmCommand(t, "train", "-kernel", "rbf", "-gamma", "1", "-C", "10", "-solver", solver, "-max-iterations", "5", "-cache", fmt.Sprint(mebibytes), data))
			if end.Status != 0 && end.Status != 3 {
				t.Fatalf("status %d: %s", end.Status, end.Errs)
			}
			return end.Peak
		}
		least, most := peak(1), peak(32)
		const slack = 12 << 20 // of the collector, and of what a solver needs for each row of a larger block
		if most > least+32<<20+slack || most > 72_000_000 {
			t.Errorf("%s: %d bytes with a cache of 1 MiB, %d with one of 32 MiB", solver, least, most)
		}
		t.Attr(solver+"_peak_RSS_MiB", fmt.Sprintf("%.0f with a cache of 1, %.0f of 32", float64(least)/(1<<20), float64(most)/(1<<20)))
	}
}

// Reading needs the memory of the numbers, as the documentation promises: 12 bytes a stored number and
// 56 a row, and at most an eighth more; the process has as much again for the collector to work in.
func TestReliabilityReadingKeepsItsBound(t *testing.T) {
	const n, nnz = 60_000, 10
	text := rowsText(8, n, 2000, nnz)
	peak := func(text string) int64 {
		cmd := svmCommand(t, "scale", "-o", "/dev/null", "-")
		cmd.Stdin = bytes.NewReader([]byte(text))
		end := proctest.Measured(t, cmd)
		if end.Status != 0 {
			t.Fatal(end.Errs)
		}
		return end.Peak
	}
	base, got := peak("1 1:1\n-1 2000:1\n"), peak(text)
	// scale keeps a second, scaled copy of the set; GOGC=100 lets the heap grow to twice what is alive.
	set := int64(float64(n*(nnz*12+56)) * 1.125)
	if limit := base + 2*2*set + 8<<20; got > limit {
		t.Errorf("a set of %d bytes took %d, at most %d; the process itself takes %d", set, got, limit, base)
	}
	t.Attr("reading_MiB", fmt.Sprintf("%.1f for a set of %.1f, twice, and a process of %.1f", float64(got)/(1<<20), float64(set)/(1<<20), float64(base)/(1<<20)))
}
