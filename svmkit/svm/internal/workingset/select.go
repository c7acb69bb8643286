package workingset

import (
	"cmp"
	"slices"

	"github.com/svmkit/course/svmkit/internal/kernelsums"
	"github.com/svmkit/course/svmkit/svm/internal/core"
)

// largest moves the k candidates with the largest violations to the front (quickselect). Among
// equal violations it takes those that come first in the data.
func largest(c []candidate, k int) []candidate {
	if k >= len(c) {
		return c
	}
	before := func(a, b candidate) bool {
		return a.violation > b.violation || a.violation == b.violation && a.row < b.row
	}
	for lo, hi := 0, len(c)-1; lo < hi; { // the k largest are c[:lo] and some of c[lo:hi+1]
		middle := lo + (hi-lo)/2
		// Move the median of three to the middle.
		for _, pair := range [3][2]int{{lo, middle}, {middle, hi}, {lo, middle}} {
			if before(c[pair[1]], c[pair[0]]) {
				c[pair[0]], c[pair[1]] = c[pair[1]], c[pair[0]]
			}
		}
		pivot, i, j := c[middle], lo, hi
		for i <= j {
			for before(c[i], pivot) {
				i++
			}
			for before(pivot, c[j]) {
				j--
			}
			if i <= j {
				c[i], c[j] = c[j], c[i]
				i, j = i+1, j-1
			}
		}
		switch {
		case k <= j:
			hi = j
		case k > i:
			lo = i
		default:
			return c[:k]
		}
	}
	return c[:k]
}

// candidates lists the rows outside the working set whose β should rise, and those whose β should
// fall.
func (d *decomposition) candidates() (rising, falling []candidate) {
	for _, found := range core.EachBlock(d.t, d.candidatesOf) {
		rising, falling = append(rising, found[0]...), append(falling, found[1]...)
	}
	if d.round == 0 { // many violations are equal at first: ties are broken at random
		for _, list := range [][]candidate{rising, falling} {
			for k := range list {
				list[k].violation *= 1 + 0.01*d.rng.Float64()
			}
		}
	}
	return rising, falling
}

// candidatesOf is candidates for rows from ≤ i < to.
func (d *decomposition) candidatesOf(from, to int) (found [2][]candidate) {
	for i := from; i < to; i++ {
		if d.slot[i] != none {
			continue
		}
		f := d.score[i] + d.bias
		if u := d.up[i] - f; u > 0 {
			found[0] = append(found[0], candidate{int32(i), u})
		}
		if l := f - d.down[i]; l > 0 {
			found[1] = append(found[1], candidate{int32(i), l})
		}
	}
	return found
}

// choose returns up to k rows outside the working set whose β should rise or fall and which have
// the largest violations, half of each kind if there are enough.
func (d *decomposition) choose(k int) []int32 {
	rising, falling := d.candidates()
	rising = largest(rising, max(k/2, k-len(falling)))
	falling = largest(falling, k-len(rising))
	rows := make([]int32, 0, k)
	for _, c := range rising {
		rows = append(rows, c.row)
		d.slot[c.row] = 0 // a row with a kink may be in both lists
	}
	for _, c := range falling {
		if d.slot[c.row] == none {
			rows = append(rows, c.row)
			d.slot[c.row] = 0
		}
	}
	for i := 0; d.round == 0 && len(rows) < k; i++ { // the first working set must be full
		if d.slot[i] == none {
			rows = append(rows, int32(i))
			d.slot[i] = 0
		}
	}
	return rows
}

// renew replaces rows of the working set by the worst violators outside it, and returns their
// slots. After the first round it replaces at most half of the rows. The rows that have been in the
// set for the longest time are replaced first, and rows with a free β later.
func (d *decomposition) renew() (fresh []int32) {
	b := d.block
	k := len(b.Set) / 2
	if d.round == 0 {
		k = len(b.Set)
	}
	rows := d.choose(k)
	if d.leaving == nil {
		d.leaving = kernelsums.Numbers(len(b.Set))
	}
	if d.round > 0 {
		slices.SortFunc(d.leaving, func(s, u int32) int {
			return cmp.Or(cmp.Compare(d.rank(s), d.rank(u)), cmp.Compare(s, u))
		})
	}
	for n, i := range rows {
		s := d.leaving[n]
		if d.round > 0 {
			d.slot[b.Set[s]] = none
		}
		b.Set[s], d.slot[i], b.entered[s] = i, s, d.round
		fresh = append(fresh, s)
	}
	slices.Sort(fresh)
	return fresh
}

// rank orders the slots: slots of lower rank are replaced first.
func (d *decomposition) rank(s int32) int {
	i := int(d.block.Set[s])
	lo, hi := d.t.Loss[i].Box()
	age := d.block.entered[s]
	if v := d.beta[i]; v != 0 && v > lo && v < hi {
		age += d.round // free
	}
	return age
}
