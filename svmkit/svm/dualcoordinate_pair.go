package svm

import (
	"runtime"

	"github.com/svmkit/course/svmkit/internal/parallel"
)

// pair is how two threads share an epoch. They visit different rows at the same time, each with a w of its
// own that knows nothing of what the other does. After each leg, a part of an epoch, the two are merged:
//
//	w ← w + Δ + Δ′,   and D rises by what each has gained alone, less ⟨Δ,Δ′⟩
//
// On text two random samples of a few thousand rows hardly meet, but for the bias, to which all rows pull.
// There each thread takes it that the other one does the same: b moves by 2ρ for each unit of β, until the
// merge makes that the truth, b = centre + ρΣβᵢ. The rise above is then a lower bound. When it is not clearly
// positive, the epochs that follow are one thread's, for twice as many epochs each time: so convergence is
// that of one thread.
//
// Which rows go to whom depends on numbers alone, also where one thread does the work of both: so the bits do
// not depend on the number of threads.
//
// Related: Ma et al. (2015), "Adding vs. Averaging in Distributed Primal-Dual Optimization" (CoCoA+), which
// takes all columns, and not the bias alone, for shared by all.
type pair struct {
	crew   *parallel.Crew
	mine   *sweep
	other  sweep
	before []float64 // w after the last merge
	field  *field
	halves [2][]int32
	common [2]float64 // parts of ⟨Δ,Δ′⟩
	leg    int        // values to touch in a leg
	apart  int        // for how many epochs from now on one thread works alone
	longer int        // for how many after the next leg that fails

	visit, merge func(half int)
}

const (
	// A merge touches all columns, a leg many more values than that; and the more rows a leg has, the less the
	// two threads know of each other.
	legPerColumn = 4
	leastLeg     = 1 << 16
	mostLeg      = 1 << 23 // some 50 ms, between two looks at the context
	leastLegs    = 2       // in an epoch of two threads
	mostCommon   = 0.5     // of what both have gained
	pairFrom     = 1 << 18
)

func newPair(dim int) *pair {
	p := &pair{before: make([]float64, dim), leg: max(leastLeg, legPerColumn*dim), longer: 1}
	p.crew = parallel.NewCrew(min(2, runtime.GOMAXPROCS(0)))
	p.other.w = make([]float64, dim)
	p.visit, p.merge = p.visitHalf, p.mergeHalf
	return p
}

// close ends the second thread.
func (d *descent) close() {
	if d.pair != nil {
		d.pair.crew.Close()
	}
}

// split decides whether the epoch that begins is that of two threads.
func (d *descent) split() bool {
	p := d.pair
	if p == nil || d.active*d.work < leastLegs*p.leg {
		return false
	}
	if p.apart > 0 {
		p.apart--
		return false
	}
	copy(p.before, d.w)
	copy(p.other.w, d.w)
	return true
}

// together visits the runs of a leg by two threads. It returns false if they have been in each other's way.
func (d *descent) together(leg []int32) (well bool) {
	p, o := d.pair, &d.pair.other
	before, w := d.sweep, o.w
	d.rho = 2 * before.rho
	*o = d.sweep
	o.w, o.sum, o.dual, o.gap, o.violation, o.updates = w, 0, 0, 0, 0, 0
	p.mine, p.field = &d.sweep, &d.field
	p.halves = [2][]int32{leg[:len(leg)/2], leg[len(leg)/2:]}
	p.crew.Do(2, p.visit)
	p.crew.Do(2, p.merge)

	common, gained := p.common[0]+p.common[1], d.dual-before.dual+o.dual
	d.dual += o.dual - common
	d.sum += o.sum
	d.rho = before.rho
	d.b = before.b + d.rho*(d.sum-before.sum)
	d.gap += o.gap
	d.violation = max(d.violation, o.violation)
	d.updates += o.updates
	if well = common <= mostCommon*gained; !well {
		p.apart, p.longer = p.longer, 2*p.longer
	}
	return well
}

func (p *pair) visitHalf(half int) {
	if half == 0 {
		p.mine.visitRuns(p.field, p.halves[0])
	} else {
		p.other.visitRuns(p.field, p.halves[1])
	}
}

// mergeHalf merges half of the columns.
func (p *pair) mergeHalf(half int) {
	n := len(p.before)
	from, to := half*n/2, (half+1)*n/2
	mine, other, before := p.mine.w[from:to], p.other.w[from:to], p.before[from:to]
	other, before = other[:len(mine)], before[:len(mine)]
	common := 0.0
	for j, v := range mine {
		theirs := other[j] - before[j]
		common += (v - before[j]) * theirs
		v += theirs
		mine[j], other[j], before[j] = v, v, v
	}
	p.common[half] = common
}
