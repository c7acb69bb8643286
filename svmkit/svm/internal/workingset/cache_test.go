package workingset

import (
	"context"
	"math/rand/v2"
	"testing"

	"github.com/svmkit/course/internal/leaktest"
	"github.com/svmkit/course/svmkit/internal/kernelsums"
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

// madeBytes returns the size of the segments that there are.
func (c *rowCache) madeBytes() (sum int64) {
	for _, s := range c.segments {
		sum += int64(cap(s)) * 8
	}
	return sum
}

func TestCacheIsBounded(t *testing.T) {
	const n = 100
	for _, bytes := range []int64{1, 5 * n * 8, 5*n*8 + 799, 1 << 40} {
		for _, segment := range []int{1, 2 * n, 3*n + 7, segmentNumbers} {
			c := newRowCache(n, bytes, segment)
			if c.madeBytes() > 0 {
				t.Errorf("%d bytes before the first row", c.madeBytes())
			}
			if fillRow(c, 0, kernelsums.Numbers(n)); c.madeBytes() > int64(max(n, segment))*8 {
				t.Errorf("segments of %d: %d bytes for the first row", segment, c.madeBytes())
			}
			for i := range int32(n) {
				fillRow(c, i, kernelsums.Numbers(n))
			}
			if bound := max(bytes, 2*n*8); c.madeBytes() > bound || c.madeBytes() > n*n*8 {
				t.Errorf("bound %d: %d bytes", bytes, c.madeBytes())
			}
			held := 0
			for i := range int32(n) {
				if c.slotOf[i] != none {
					held++
				}
			}
			if int64(held)*n*8 != c.madeBytes() {
				t.Errorf("bound %d, segments of %d: %d rows held in %d bytes", bytes, segment, held, c.madeBytes())
			}
		}
	}
}

func TestCacheForgetsTheLeastRecentlyUsed(t *testing.T) {
	const n = 10
	c, all := newRowCache(n, 3*n*8, segmentNumbers), kernelsums.Numbers(n)
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
	for range 200 {
		n := 2 + rng.IntN(30)
		c := newRowCache(n, int64(rng.IntN(n*n))*8, 1+rng.IntN(6*n))
		order, active, most := kernelsums.Numbers(n), n, int64(c.total)*8
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
					c.keep(context.Background(), keep)
					arrange(order, keep, drop)
					active = len(keep)
				}
			case 1:
				c.setWidth(context.Background(), n)
				active = n
			}
			if c.madeBytes() > most {
				t.Fatalf("%d bytes, more than %d", c.madeBytes(), most)
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

// A cache holds more of shorter rows.
func TestCacheHoldsMoreShortRows(t *testing.T) {
	const n = 40
	c := newRowCache(n, 4*n*8, segmentNumbers)
	c.keep(context.Background(), kernelsums.Numbers(n/4))
	short := kernelsums.Numbers(n / 4)
	for i := range int32(16) {
		fillRow(c, i, short)
	}
	for i := range int32(16) {
		if _, have := c.row(i, n/4); have != n/4 {
			t.Fatalf("row %d of 16 is gone", i)
		}
	}
}

func TestMain(m *testing.M) { leaktest.Main(m) }
