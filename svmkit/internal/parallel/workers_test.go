package parallel

import (
	"sync/atomic"
	"testing"

	"go.uber.org/goleak"
)

// Each part is done once, whatever the number of threads, call after call.
func TestWorkersDoEachPartOnce(t *testing.T) {
	defer goleak.VerifyNone(t)
	for _, threads := range []int{0, 1, 2, 5} {
		c := NewWorkers(threads)
		for _, n := range []int{0, 1, 2, 3, 100, 1000} {
			done := make([]atomic.Int32, n)
			c.Do(n, func(i int) { done[i].Add(1) })
			for i := range done {
				if got := done[i].Load(); got != 1 {
					t.Errorf("%d threads: part %d of %d was done %d times", threads, i, n, got)
				}
			}
		}
		c.Close()
	}
}

// A nil workers is the caller alone, in order.
func TestNilWorkers(t *testing.T) {
	var c *Workers
	var order []int
	c.Do(4, func(i int) { order = append(order, i) })
	for i, got := range order {
		if got != i {
			t.Errorf("parts in order %v", order)
		}
	}
	if len(order) != 4 {
		t.Errorf("%d parts done, want 4", len(order))
	}
	c.Close()
}

// All threads of a workers work at once: each waits for the other.
func TestWorkersWorkAtOnce(t *testing.T) {
	c := NewWorkers(2)
	defer c.Close()
	met := make(chan bool)
	c.Do(2, func(i int) {
		if i == 0 {
			met <- true
		} else {
			<-met
		}
	})
}

func TestWorkersAllocateNothing(t *testing.T) {
	c := NewWorkers(2)
	defer c.Close()
	var sum atomic.Int64
	part := func(i int) { sum.Add(int64(i)) }
	if n := testing.AllocsPerRun(100, func() { c.Do(8, part) }); n > 0 {
		t.Errorf("a call makes %g allocations", n)
	}
}
