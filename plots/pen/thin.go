package pen

import (
	"slices"
)

// MaxCurve is how many points of a curve are drawn, maxCurveMarks how many of them marked.
const (
	MaxCurve      = 1000
	MaxCurveMarks = 40
)

// Limits of what one figure draws; beyond them it shows an even sample and says so.
const (
	MaxRows     = 1200 // points of a set
	MaxMistakes = 240  // marks along a trace
	MaxPanels   = 12   // of a strip
	MaxFrames   = 60   // of an animation
	MaxRuns     = 2000 // marks in a cloud of runs
	MaxDrops    = 20   // perpendiculars
)

// Thin returns at most limit numbers out of 0 … n−1, rising and evenly spaced, with the first
// and the last among them, and those in keep on top of the limit.
func Thin(n, limit int, keep ...int) []int {
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
