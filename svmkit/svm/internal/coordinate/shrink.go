package coordinate

import "math"

// A row at a corner of the dual has slack: how much its score may change before its β is no longer
// optimal. Such a row is shrunk, which means that the following epochs leave it out, if its slack
// exceeds the largest violation of the previous epoch (as in Algorithm 3), or if shrinkAfter visits
// in a row have left it unchanged. All rows become active again when the violation of the active
// rows has fallen to restoreAt.

// shrink removes the rows that are marked by their complement from the active rows, which keep
// their order.
func (d *descent) shrink() {
	kept := 0
	for _, i := range d.order[:d.active] {
		if i >= 0 {
			d.order[kept] = i
			kept++
		}
	}
	d.active = kept
}

// restore makes all rows active.
func (d *descent) restore() {
	d.active, d.shrinkAbove = d.t.Len(), math.Inf(1)
	for i := range d.order {
		d.order[i] = int32(i)
	}
}

// judgeRestore compares the violation of the first epoch after a restore with the violation after
// the previous restore. If it has not halved, the wrong rows were shrunk: with a free bias, a few
// active rows can move b so far that shrunk rows violate again and again. Then no row is shrunk for
// some epochs, twice as many each time.
func (d *descent) judgeRestore() {
	d.noShrink = max(0, d.noShrink-1)
	if !d.restored {
		return
	}
	d.restored = false
	if d.violation > d.lastViolation/2 {
		d.noShrink, d.nextNoShrink = d.nextNoShrink, 2*d.nextNoShrink
	}
	d.lastViolation = d.violation
}

// On an eighth of WordNet, hinge to 1e-6, a nextRestore of 0.5 takes 64 passes, 0.2 takes 48 and
// 0.05 takes 44. Within a factor of 4, firstRestore changes the passes of no row of the benchmark
// by more than a quarter, and firstNoShrink changes none. It is for sets like those of
// TestDualCoordinateOnTinySets. Benchmark: go run -C tools ./bench -rows linear wordnet_nv_eighth
const (
	firstRestore  = 0.02 // restoreAt as a share of the first epoch's violation
	nextRestore   = 0.2  // the factor by which each restore lowers it
	firstNoShrink = 4    // epochs
)
