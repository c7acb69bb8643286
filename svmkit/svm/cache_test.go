package svm

import (
	"math/rand/v2"
	"testing"
)

// fillRow asks for n values of row i and computes the missing ones: value(i, j) at position
// j, where j is a row of the data.
func fillRow(c *rowCache, i int32, order []int32) (row []float64, have int) {
	row, have = c.row(i, len(order))
	for k := have; k < len(row); k++ {
		row[k] = cachedValue(i, order[k])
	}
	return row, have
}

func cachedValue(i, j int32) float64 { return float64(i)*1000 + float64(j) }

func TestCacheIsBounded(t *testing.T) {
	const n = 100
	for _, bytes := range []int64{1, 5 * n * 8, 5*n*8 + 799, 1 << 40} {
		c := newRowCache(n, bytes)
		if bound := max(bytes, 2*n*8); c.bytes() > bound || int64(cap(c.slab))*8 > bound {
			t.Errorf("bound %d: %d bytes", bytes, c.bytes())
		}
		if c.bytes() > n*n*8 {
			t.Errorf("bound %d: %d bytes, more than all rows", bytes, c.bytes())
		}
		for i := range int32(n) {
			fillRow(c, i, numbers(n))
		}
		held := 0
		for i := range int32(n) {
			if c.slotOf[i] != none {
				held++
			}
		}
		if int64(held)*n*8 != c.bytes() {
			t.Errorf("bound %d: %d rows held in %d bytes", bytes, held, c.bytes())
		}
	}
}

func TestCacheForgetsTheLeastRecentlyUsed(t *testing.T) {
	const n = 10
	c, all := newRowCache(n, 3*n*8), numbers(n)
	for _, i := range []int32{1, 2, 3, 1, 4} { // 4 takes the place of 2
		fillRow(c, i, all)
	}
	for _, want := range []struct {
		i    int32
		have int
	}{{1, n}, {4, n}, {3, n}, {2, 0}, {1, 0}, {3, n}} { // 2 comes for 1, 1 for 4
		if _, have := fillRow(c, want.i, all); have != want.have {
			t.Fatalf("row %d: %d values held, want %d", want.i, have, want.have)
		}
	}
}

// Random use with shrinking and un-shrinking: whatever the cache says it has is right.
func TestCacheValuesAreRight(t *testing.T) {
	rng := rand.New(rand.NewPCG(1, 0))
	hits := 0
	for range 50 {
		n := 2 + rng.IntN(30)
		c := newRowCache(n, int64(rng.IntN(n*n))*8)
		order, active := numbers(n), n
		for range 200 {
			switch rng.IntN(20) {
			case 0:
				var keep, drop []int32
				for k := range active {
					if rng.IntN(3) > 0 {
						keep = append(keep, int32(k))
					} else {
						drop = append(drop, int32(k))
					}
				}
				if len(keep) > 0 {
					c.keep(keep)
					arrange(order, keep, drop)
					active = len(keep)
				}
			case 1:
				c.setWidth(n)
				active = n
			}
			i, j := int32(rng.IntN(n)), int32(rng.IntN(n))
			first, have := fillRow(c, i, order[:active])
			if i != j {
				fillRow(c, j, order[:active]) // must not touch the row before
			}
			hits += have
			for k, v := range first {
				if v != cachedValue(i, order[k]) {
					t.Fatalf("row %d, position %d (row %d): %g", i, k, order[k], v)
				}
			}
		}
	}
	if hits == 0 {
		t.Error("nothing was ever found in the cache")
	}
}

// Rows that are half as long leave room for twice as many.
func TestCacheHoldsMoreShortRows(t *testing.T) {
	const n = 40
	c := newRowCache(n, 4*n*8)
	c.keep(numbers(n / 4))
	short := numbers(n / 4)
	for i := range int32(16) {
		fillRow(c, i, short)
	}
	for i := range int32(16) {
		if _, have := c.row(i, n/4); have != n/4 {
			t.Fatalf("row %d of 16 is gone", i)
		}
	}
}
