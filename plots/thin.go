package plots

import (
	"fmt"
	"slices"
)

// Limits of what one figure draws; beyond them it shows an even sample and says so.
const (
	maxRows     = 1200 // points of a set
	maxMistakes = 240  // marks along a trace
	maxPanels   = 12   // of a strip
	maxFrames   = 60   // of an animation
	maxRuns     = 2000 // marks in a cloud of runs
	maxDrops    = 20   // perpendiculars
)

// thin returns at most limit numbers out of 0 … n−1, rising and evenly spaced, with the first
// and the last among them, and those in keep on top of the limit.
func thin(n, limit int, keep ...int) []int {
	kept := slices.Clone(keep)
	if n <= limit {
		limit = n
	}
	for i := range limit {
		k := i
		if limit > 1 {
			k = i * (n - 1) / (limit - 1)
		}
		kept = append(kept, k)
	}
	slices.Sort(kept)
	return slices.Compact(kept)
}

// thinned says how many are shown; nothing if all are. It begins with a space, to be
// added to a caption.
func thinned(shown, n int, things string) string {
	if shown >= n {
		return ""
	}
	return fmt.Sprintf(" Of %s %s, %s are drawn, evenly spaced, first and last included.", count(n), things, count(shown))
}
