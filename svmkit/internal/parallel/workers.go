package parallel

import (
	"runtime"
	"sync"
)

// Workers is a worker pool: goroutines that wait for work, for loops that are too short to start
// goroutines for. The zero value and nil are a pool of one worker, the caller.
//
// The caller waits for parts that have begun, but never for a worker that has not yet woken up. On
// a busy computer, or with little to do, the caller does most of the work itself.
type Workers struct {
	wake   chan struct{} // a value wakes one worker, perhaps for work that is done by now
	done   chan struct{} // a value wakes the caller
	others int

	lock    sync.Mutex
	part    func(i int) // the present work
	n       int
	next    int  // the first part that has not begun
	left    int  // parts that are not finished
	waiting bool // the caller waits for left to become 0
}

// NewWorkers returns a pool of the given number of threads, including the caller. It must be
// closed.
func NewWorkers(threads int) *Workers {
	others := max(0, threads-1)
	c := &Workers{others: others, wake: make(chan struct{}, others), done: make(chan struct{}, 1)}
	for range others {
		go func() {
			for receive(c.wake) {
				c.work()
			}
		}()
	}
	return c
}

// Do calls part(0) … part(n−1), each once, on the caller and the workers, and returns when all are
// done. What the parts compute must not depend on who calls them, nor on their order. Do must not
// be called again before it returns.
func (c *Workers) Do(n int, part func(i int)) {
	if c == nil || c.others == 0 || n < 2 {
		for i := range n {
			part(i)
		}
		return
	}
	c.lock.Lock()
	c.part, c.n, c.next, c.left = part, n, 0, n
	c.lock.Unlock()
	for range min(c.others, n-1) {
		select {
		case c.wake <- struct{}{}:
		default: // as many workers as there are have been woken already
		}
	}
	c.work()
	c.lock.Lock()
	c.part = nil
	c.waiting = c.left > 0
	wait := c.waiting
	c.lock.Unlock()
	if wait {
		receive(c.done)
	}
}

// receive waits for a value and reports whether there was one; false means that the channel is
// closed. It looks at the channel spins times, for about 0.1 ms, and leaves the processor to others
// in between. Only then does it sleep, because being woken takes as long as a part.
func receive(from <-chan struct{}) bool {
	for range spins {
		select {
		case _, open := <-from:
			return open
		default:
			runtime.Gosched()
		}
	}
	_, open := <-from
	return open
}

// On two processors, linear, to 1e-6, a9a with hinge takes 15.8 ms without spinning, and 14.1, 12.1
// and 11.3 ms with 100, 300 and 1,000 spins; shuttle_b with hinge takes 9.0, 6.3, 5.9 and 5.6 ms.
// On one processor they take 17.2 and 9.4 ms.
// Benchmark: go run -C tools ./bench -rows linear a9a shuttle_b
const spins = 1000

// work does parts until all have begun.
func (c *Workers) work() {
	c.lock.Lock()
	for c.next < c.n {
		i, part := c.next, c.part
		c.next++
		c.lock.Unlock()
		part(i)
		c.lock.Lock()
		if c.left--; c.left == 0 && c.waiting {
			c.waiting = false
			c.done <- struct{}{}
		}
	}
	c.lock.Unlock()
}

// Close ends the goroutines. The pool must not be used again.
func (c *Workers) Close() {
	if c != nil && c.wake != nil {
		close(c.wake)
		c.others = 0
	}
}
