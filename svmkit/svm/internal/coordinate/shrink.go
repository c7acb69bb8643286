package coordinate

import "math"

// Shrinking: which rows an epoch visits, when all are taken back, and what is learnt from that.

// learn looks at the first epoch over all rows after the active ones were solved. If these were the right
// ones, each time the violation is a good deal smaller than the time before. If it is not, then the rows
// set aside were not at rest: with a free bias a few rows can drag b to where others have to move, and
// so in turn without end. Then all rows stay, for twice as many epochs each time.
func (d *descent) learn() {
	d.stay = max(0, d.stay-1)
	if !d.tried {
		return
	}
	d.tried = false
	if d.violation > d.surprise/2 {
		d.stay, d.longer = d.longer, 2*d.longer
	}
	d.surprise = d.violation
}

// setAside closes the gaps that rows marked by a complement leave among the active ones, which stay in
// their order.
func (d *descent) setAside() {
	kept := 0
	for _, i := range d.order[:d.active] {
		if i >= 0 {
			d.order[kept] = i
			kept++
		}
	}
	d.active = kept
}

// firstRestore is the violation of the active rows, as a part of the first epoch's, at which all rows are
// taken back; each time it is lowered by nextRestore. Of 0.1, 0.02 and 0.005, and of 0.5, 0.2 and
// 0.1, these were best on sparse text by a little.
const (
	firstRestore = 0.02
	nextRestore  = 0.2
)

// calmEnough is after how many visits without a move a row at a corner is set aside, whatever its
// ease. The rule of the papers, ease above the largest violation, alone lets one outlier
// keep all rows in: on one measured set it costs 20 times as many visits. Of 5, 10 and 20 the first was best.
const calmEnough = 5

// firstStay is for how many epochs all rows stay the first time that setting some aside was for nothing.
const firstStay = 4

// restore takes all rows back.
func (d *descent) restore() {
	d.active, d.ease = d.t.Len(), math.Inf(1)
	for i := range d.order {
		d.order[i] = int32(i)
	}
}
