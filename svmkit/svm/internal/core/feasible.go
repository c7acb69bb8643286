package core

import (
	"math"

	"github.com/svmkit/course/svmkit"
)

// Repair copies β into to and makes it feasible: each βᵢ moves into its box and, with a free bias,
// Σβᵢ becomes Sum up to the last bits. It returns how far β was from its box and from Sum.
//
// The excess of Σβᵢ is first taken from the rows strictly inside their boxes. Their scores are
// close to an edge, so the dual objective changes little. The rest is taken from all rows whose β
// has the sign of the excess, towards zero, which always suffices. In both cases the excess is
// spread in proportion to the slacks of the rows, so no value leaves its box, and a zero stays
// zero. If a one-class problem lacks something after that, its rows receive it in their order.
func (t *Task) Repair(to, beta []float64) (box, equality float64) {
	for _, v := range EachBlock(t, func(from, end int) float64 {
		return t.clip(to, beta, from, end)
	}) {
		box = max(box, v)
	}
	if t.Bias != svmkit.FreeBias {
		return box, 0
	}
	excess := SumOf(to) - t.Sum
	equality = math.Abs(excess)
	for _, slack := range []func(i int, beta, excess float64) float64{t.FreeSlack, slackToZero} {
		excess = t.spread(to, excess, slack)
	}
	for i := 0; t.Sum > 0 && excess < 0 && i < len(to); i++ {
		_, hi := t.Loss[i].Box()
		part := min(hi-to[i], -excess)
		to[i], excess = to[i]+part, excess+part
	}
	return box, equality
}

// clip copies β, moved into its box, into to for rows from ≤ i < end. It returns the longest move.
func (t *Task) clip(to, beta []float64, from, end int) (most float64) {
	for i := from; i < end; i++ {
		lo, hi := t.Loss[i].Box()
		v := beta[i]
		if to[i] = v; v < lo || v > hi {
			to[i] = min(max(v, lo), hi)
			most = max(most, math.Abs(to[i]-v))
		}
	}
	return most
}

// spread takes as much of excess from to as the slacks allow and returns the rest. If the slacks
// suffice, the rest is only rounding.
func (t *Task) spread(to []float64, excess float64,
	slack func(i int, beta, excess float64) float64) (left float64) {
	if excess == 0 {
		return 0
	}
	all := t.slackOf(to, excess, slack)
	const nothing = Roundoff / 4 // relative to a number: less than half of its last bit
	if math.Abs(excess) <= nothing*all.largest || all.largest == 0 {
		return excess // shares of the excess would change no bit
	}
	part, row := math.Copysign(min(1, math.Abs(excess)/all.total.value()), excess), all.row
	if math.IsNaN(part) {
		return excess // a sum has overflowed
	}
	t.DoRows(func(from, end int) {
		for i := from; i < end; i++ {
			if r := slack(i, to[i], excess); r > 0 {
				lo, hi := t.Loss[i].Box()
				to[i] = min(max(to[i]-part*r, lo), hi) // rounding could leave the box by a bit
			}
		}
	})
	left = SumOf(to) - t.Sum
	lo, hi := t.Loss[row].Box()
	for range 2 { // once for rounding, and once more because the first correction may round again
		if v := to[row] - left; math.Abs(part) < 1 && v >= lo && v <= hi {
			to[row] = v
			left = SumOf(to) - t.Sum
		}
	}
	return left
}

// slacks summarises the slacks of some rows: their sum, the largest one, and its row.
type slacks struct {
	total   compensated
	largest float64
	row     int
}

// slackOf returns the slacks of all rows.
func (t *Task) slackOf(beta []float64, excess float64,
	slack func(i int, beta, excess float64) float64) (all slacks) {
	parts := EachBlock(t, func(from, end int) (p slacks) {
		for i := from; i < end; i++ {
			r := slack(i, beta[i], excess)
			p.total.add(r)
			if r > p.largest {
				p.largest, p.row = r, i
			}
		}
		return p
	})
	for _, p := range parts {
		all.total.add(p.total.sum)
		all.total.add(p.total.lost)
		if p.largest > all.largest {
			all.largest, all.row = p.largest, p.row
		}
	}
	return all
}

// FreeSlack returns how far βᵢ can move against the sign of excess, if it is strictly inside its
// box and not zero: to zero, to its bound, or, without a bound, by its own size.
func (t *Task) FreeSlack(i int, beta, excess float64) float64 {
	if beta == 0 {
		return 0
	}
	lo, hi := t.Loss[i].Box()
	switch {
	case beta <= lo || beta >= hi:
		return 0
	case beta > 0 == (excess > 0):
		return math.Abs(beta)
	case excess > 0:
		return min(beta-lo, -beta)
	}
	return min(hi-beta, beta)
}

// slackToZero returns the size of βᵢ if it has the sign of excess, and 0 otherwise.
func slackToZero(_ int, beta, excess float64) float64 {
	if beta > 0 == (excess > 0) {
		return math.Abs(beta)
	}
	return 0
}
