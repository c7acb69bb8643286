package coordinate

import (
	"math"

	"github.com/svmkit/course/svmkit/internal/simd"
)

// epoch visits each active row once, in blocks of neighbours in random order, each forwards or
// backwards at random. It returns false if the context ended.
//
// Invariant: w and b belong to β before each visit, and no visit lowers the dual objective.
func (d *descent) epoch() bool {
	defer func() { d.r.Updates, d.updates = d.r.Updates+d.updates, 0 }()
	before := d.gap
	d.wasFull, d.gap, d.violation = d.active == d.t.Len(), 0, 0
	d.visits++ // an epoch is never free, so a limit on epochs ends every run
	order := d.blockOrder[:(d.active+d.blockLength-1)/d.blockLength]
	for k := range order {
		order[k] = int32(k)
	}
	work := 0
	d.shrinkNone = d.keepAll || d.noShrink > 0
	d.draw(order, 0)
	d.draw(order, 1)
	for k := range order {
		d.draw(order, k+2)
		var next []int32 // the rows of the next block, if they are to be prefetched
		if d.prefetch && k+1 < len(order) {
			from := int(order[k+1]) * d.blockLength
			next = d.order[from:min(from+d.blockLength, d.active)]
		}
		if work > workBetweenChecks {
			if work = 0; d.r.Ended() {
				return false
			}
		}
		first := int(order[k]) * d.blockLength
		b := block{first, 1, min(d.blockLength, d.active-first)}
		if d.rng.Uint32()&1 == 0 {
			b.first, b.step = first+b.count-1, -1
		}
		if d.labels != nil {
			work += d.visitLabelled(b, next)
		} else {
			work += d.visitAny(b, next)
		}
	}
	d.visits += int64(d.active)
	d.gapRatio = 1
	if before > 0 {
		d.gapRatio = d.gap / before
	}
	d.shrink()
	d.judgeRestore()
	if d.shrinkAbove = d.violation; d.shrinkAbove == 0 {
		d.shrinkAbove = math.Inf(1)
	}
	if math.IsInf(d.restoreAt, 1) {
		d.restoreAt = d.violation * firstRestore
	}
	return true
}

// draw chooses at random which block is visited as number k, and prefetches the header of its first
// row.
func (d *descent) draw(order []int32, k int) {
	if k >= len(order) {
		return
	}
	j := k + int(d.rng.Uint32N(uint32(len(order)-k)))
	order[k], order[j] = order[j], order[k]
	if d.prefetch {
		i := d.order[int(order[k])*d.blockLength]
		simd.Prefetch(&d.x[i])
		d.prefetchLoss(int(i))
	}
}

// A block of neighbours covers about blockBytes, so that its rows share cache lines, and at most
// maxBlockRows rows. On wordnet_nv, hinge and squared hinge to 1e-3, blocks of one row take twice
// the time and blocks of four rows 1.1 to 1.4 times; tools/bench/README.md has longer ones. Data of
// up to cacheBytes, which is less than any set of the benchmark has, use blocks of one row, whose
// order is the most random. Benchmark: go run -C tools ./bench -rows linear wordnet_nv_eighth
const (
	blockBytes   = 4096
	maxBlockRows = 16
	cacheBytes   = 1 << 18
)

// workBetweenChecks is the number of values touched between two checks of the context, well under a
// millisecond. No row of the benchmark depends on it within a factor of 8.
// Benchmark: go run -C tools ./bench -rows linear -solver "dual coordinate descent"
const workBetweenChecks = 1 << 17
