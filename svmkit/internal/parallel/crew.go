package parallel

import (
	"sync"
	"sync/atomic"
)

// Crew is a few goroutines that wait for work, for loops that are too short to start
// goroutines for. The zero value, and nil, is a crew of one: the caller.
type Crew struct {
	calls  chan struct{} // one value wakes one member
	part   func(i int)   // the work at hand
	n      int
	next   atomic.Int64
	active sync.WaitGroup
	others int
}

// NewCrew returns a crew of the given number of threads, the caller included. It must be closed.
func NewCrew(threads int) *Crew {
	c := &Crew{others: max(0, threads-1), calls: make(chan struct{})}
	for range c.others {
		go func() {
			for range c.calls {
				c.work()
				c.active.Done()
			}
		}()
	}
	return c
}

// Do calls part(0) … part(n−1), each once, on the caller and the others, and returns when all
// are done. What the parts compute must not depend on who does which, nor in which order. One
// call at a time.
func (c *Crew) Do(n int, part func(i int)) {
	if c == nil || c.others == 0 || n < 2 {
		for i := range n {
			part(i)
		}
		return
	}
	c.part, c.n = part, n
	c.next.Store(0)
	wake := min(c.others, n-1)
	c.active.Add(wake)
	for range wake {
		c.calls <- struct{}{}
	}
	c.work()
	c.active.Wait()
	c.part = nil
}

func (c *Crew) work() {
	for i := int(c.next.Add(1)) - 1; i < c.n; i = int(c.next.Add(1)) - 1 {
		c.part(i)
	}
}

// Close ends the goroutines. The crew must not be used again.
func (c *Crew) Close() {
	if c != nil && c.calls != nil {
		close(c.calls)
		c.others = 0
	}
}
