package workingset

import "context"

// rowCache keeps the most recently used rows of the kernel matrix, within a bound on their bytes. A
// row is known by its number in the data. Its values are in the order of the solver's positions,
// and the first filled values of a row have been computed.
//
// Rows are kept in slots of equal width, so that nothing is allocated for a row while the solver
// runs. The slots are cut out of segments. A segment is allocated when its first slot is used, so
// that memory is cleared only for the rows that a fit needs.
type rowCache struct {
	segments [][]float64
	size     int     // numbers in a segment; the last one may be shorter
	total    int     // numbers in all segments
	width    int     // numbers in a slot; no slot crosses from one segment to the next
	slotOf   []int32 // by row of the data: its slot, or none
	owner    []int32 // by slot: its row, or none
	filled   []int32 // by slot: how many values have been computed

	// A ring through all slots, from the most to the least recently used. Its head is the index
	// after the last slot.
	newer, older []int32
}

const none = -1

// segmentNumbers is the approximate length of a segment: 4 MB, which take a millisecond to clear.
const segmentNumbers = 1 << 19

// newRowCache returns a cache for n rows of n values, with segments of about the given length. It
// holds at least two rows, which SMO needs.
func newRowCache(n int, bytes int64, segment int) *rowCache {
	rows := max(2, min(int64(n), bytes/8/int64(n)))
	c := &rowCache{size: max(1, segment/n) * n, total: int(rows) * n, slotOf: make([]int32, n)}
	c.segments = make([][]float64, (c.total+c.size-1)/c.size)
	c.setWidth(context.Background(), n)
	return c
}

// slots returns how many slots of a width the segments hold.
func (c *rowCache) slots(width int) int {
	width = max(1, width)
	return min(len(c.slotOf), c.total/c.size*(c.size/width)+c.total%c.size/width)
}

// slot returns slot s if all slots have the given width.
func (c *rowCache) slot(s, width int) []float64 {
	k, each := 0, c.size/max(1, width)
	if s >= each {
		k, s = s/each, s%each
	}
	if c.segments[k] == nil {
		c.segments[k] = make([]float64, min(c.size, c.total-k*c.size))
	}
	return c.segments[k][s*width:][:width]
}

// row returns the slice for the first n values of row i, and how many of them have been computed.
// The caller must compute the others immediately. The slice is valid until the second next call.
func (c *rowCache) row(i int32, n int) (values []float64, have int) {
	s := c.slotOf[i]
	if s == none {
		s = c.newer[len(c.owner)] // the newer neighbour of the head is the least recently used slot
		if old := c.owner[s]; old != none {
			c.slotOf[old] = none
		}
		c.owner[s], c.slotOf[i], c.filled[s] = i, s, 0
	}
	c.unlink(s)
	c.linkFirst(s)
	have = min(int(c.filled[s]), n)
	c.filled[s] = max(c.filled[s], int32(n))
	return c.slot(int(s), c.width)[:n:n], have
}

// keep moves the values at the given positions, which must be increasing, to the front of every row
// and drops the others. If the rows have become much shorter, the cache holds more of them
// afterwards. If ctx ends, the cache is invalid.
func (c *rowCache) keep(ctx context.Context, positions []int32) {
	for s := range c.owner {
		if c.filled[s] == 0 {
			continue
		}
		if ctx.Err() != nil {
			return
		}
		values, n := c.slot(s, c.width)[:c.filled[s]], 0
		for _, p := range positions {
			if int(p) >= len(values) {
				break
			}
			values[n] = values[p]
			n++
		}
		c.filled[s] = int32(n)
	}
	if 2*len(positions) <= c.width {
		c.setWidth(ctx, len(positions))
	}
}

// setWidth cuts the segments into slots of the given width. It moves the values of slots that still
// exist and drops the values of the others. If ctx ends, the cache is invalid.
func (c *rowCache) setWidth(ctx context.Context, width int) {
	old, slots := c.width, c.slots(width)
	kept := min(len(c.owner), slots)
	move := func(s int) {
		if n := min(int(c.filled[s]), width); n > 0 && ctx.Err() == nil {
			copy(c.slot(s, width)[:n], c.slot(s, old)[:n])
		}
		c.filled[s] = min(c.filled[s], int32(width))
	}
	if width < old { // slots move to the front, the first one first: none overwrites another
		for s := 0; s < kept; s++ {
			move(s)
		}
	} else {
		for s := kept - 1; s >= 0; s-- {
			move(s)
		}
	}
	owner, filled := make([]int32, slots), make([]int32, slots)
	for s := copy(owner, c.owner); s < slots; s++ {
		owner[s] = none
	}
	copy(filled, c.filled)
	for i := range c.slotOf {
		c.slotOf[i] = none
	}
	for s, i := range owner {
		if i != none {
			c.slotOf[i] = int32(s)
		}
	}
	c.width, c.owner, c.filled = width, owner, filled
	c.newer, c.older = make([]int32, slots+1), make([]int32, slots+1)
	head := int32(slots)
	c.newer[head], c.older[head] = head, head
	for s := range owner { // used slots count as newer than empty ones
		if owner[s] != none {
			c.linkLast(int32(s))
		}
	}
	for s := slots - 1; s >= 0; s-- { // the first of the empty slots is taken first
		if owner[s] == none {
			c.linkLast(int32(s))
		}
	}
}

func (c *rowCache) unlink(s int32) {
	n, o := c.newer[s], c.older[s]
	c.older[n], c.newer[o] = o, n
}

// linkFirst makes slot s the most recently used one.
func (c *rowCache) linkFirst(s int32) { c.link(s, int32(len(c.owner)), c.older[len(c.owner)]) }

// linkLast makes slot s the least recently used one.
func (c *rowCache) linkLast(s int32) { c.link(s, c.newer[len(c.owner)], int32(len(c.owner))) }

func (c *rowCache) link(s, newer, older int32) {
	c.newer[s], c.older[s] = newer, older
	c.older[newer], c.newer[older] = s, s
}
