package svm

// rowCache keeps rows of the kernel matrix, the most recently used ones, within a bound on
// their bytes. A row is known by its number in the data; its values stand in the order of the
// solver's positions, and only the first so many of them may have been computed.
//
// All rows live in one slab of slots of equal width, so that nothing is allocated while
// the solver runs, and the bound is that of the slab.
type rowCache struct {
	slab   []float64
	width  int     // of a slot: row k's values start at k·width
	slotOf []int32 // by row of the data: its slot, or none
	owner  []int32 // by slot: its row, or none
	filled []int32 // by slot: how many values have been computed

	// A ring through all slots, from the most to the least recently used; its knot is the
	// place behind the last slot.
	newer, older []int32
}

const none = -1

// newRowCache returns a cache for n rows of n values. It holds at least two, the least that SMO
// can work with.
func newRowCache(n int, bytes int64) *rowCache {
	rows := max(2, min(int64(n), bytes/8/int64(n)))
	c := &rowCache{slab: make([]float64, rows*int64(n)), slotOf: make([]int32, n)}
	c.setWidth(n)
	return c
}

// bytes returns the size of the slab.
func (c *rowCache) bytes() int64 { return int64(len(c.slab)) * 8 }

// row returns the place for the first n values of row i, and how many of them are there. It
// counts on the caller to compute the others at once. The slice is good until the second
// next call.
func (c *rowCache) row(i int32, n int) (values []float64, have int) {
	s := c.slotOf[i]
	if s == none {
		s = c.newer[len(c.owner)] // the knot's newer neighbour is the least recently used
		if old := c.owner[s]; old != none {
			c.slotOf[old] = none
		}
		c.owner[s], c.slotOf[i], c.filled[s] = i, s, 0
	}
	c.unlink(s)
	c.linkFirst(s)
	have = min(int(c.filled[s]), n)
	c.filled[s] = max(c.filled[s], int32(n))
	return c.slab[int(s)*c.width:][:n:n], have
}

// keep moves the values at the given positions, which rise, to the front of every row and
// forgets the others. If the rows have become much shorter, more of them find room.
func (c *rowCache) keep(positions []int32) {
	for s := range c.owner {
		values, n := c.slab[s*c.width:][:c.filled[s]], 0
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
		c.setWidth(len(positions))
	}
}

// setWidth cuts the slab into slots of the given width. The values of slots that still exist
// are moved along; those of the others are forgotten.
func (c *rowCache) setWidth(width int) {
	old := c.width
	slots := min(len(c.slotOf), len(c.slab)/max(1, width))
	kept := min(len(c.owner), slots)
	move := func(s int) {
		n := min(int(c.filled[s]), width)
		copy(c.slab[s*width:][:n], c.slab[s*old:][:n])
		c.filled[s] = int32(n)
	}
	if width < old { // slots move to the front: the first one first, or the others would lose values
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
	knot := int32(slots)
	c.newer[knot], c.older[knot] = knot, knot
	for s := range owner { // rows that are there count as newer than empty slots
		if owner[s] != none {
			c.linkLast(int32(s))
		}
	}
	for s := range owner {
		if owner[s] == none {
			c.linkLast(int32(s))
		}
	}
}

func (c *rowCache) unlink(s int32) {
	n, o := c.newer[s], c.older[s]
	c.older[n], c.newer[o] = o, n
}

// linkFirst makes slot s the most recently used.
func (c *rowCache) linkFirst(s int32) { c.link(s, int32(len(c.owner)), c.older[len(c.owner)]) }

// linkLast makes slot s the least recently used.
func (c *rowCache) linkLast(s int32) { c.link(s, c.newer[len(c.owner)], int32(len(c.owner))) }

func (c *rowCache) link(s, newer, older int32) {
	c.newer[s], c.older[s] = newer, older
	c.older[newer], c.newer[older] = s, s
}
