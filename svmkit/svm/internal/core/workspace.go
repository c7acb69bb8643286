package core

import (
	"slices"
	"sync/atomic"
)

// Workspace is memory that one fit hands over to the next. In paths over C, cross-validation and
// one-vs-one, many short fits follow one another; clearing and collecting new memory for each would
// take as long as the fit. No Result uses this memory.
type Workspace struct {
	numbers freeList[float64]
	places  freeList[int32]
	starts  freeList[int]
	flags   freeList[bool]
	tables  freeList[Loss]
}

// freeList keeps slices of one type: those that are free, those that this fit has taken, and those
// that it has returned.
type freeList[T any] struct{ free, taken, returned [][]T }

// spare is a workspace that no fit uses, or nil.
var spare atomic.Pointer[Workspace]

// BorrowWorkspace returns the spare workspace, or a new one.
func BorrowWorkspace() *Workspace {
	if m := spare.Swap(nil); m != nil {
		return m
	}
	return new(Workspace)
}

// GiveBack ends a fit's use of the workspace and of all slices taken from it.
func (m *Workspace) GiveBack() {
	if m.reclaim() <= mostKept {
		spare.Store(m)
	}
}

// reclaim takes back all slices and returns their size, in numbers of 8 bytes.
func (m *Workspace) reclaim() (size int) {
	return m.numbers.reclaim() + m.places.reclaim()/2 + m.starts.reclaim() + m.flags.reclaim()/8 +
		5*m.tables.reclaim()
}

// mostKept is the largest size of a workspace that is kept, in numbers of 8 bytes: 32 MB.
const mostKept = 1 << 22

// Floats returns n numbers of any value.
func (m *Workspace) Floats(n int) []float64 { return m.numbers.take(n) }

// put returns a slice from Floats or Zeros before the fit ends. It is for slices that a fit takes
// repeatedly.
func (m *Workspace) put(v []float64) { m.numbers.put(v) }

// Zeros returns n zeros.
func (m *Workspace) Zeros(n int) []float64 {
	v := m.numbers.take(n)
	clear(v)
	return v
}

// Ints returns n numbers of any value.
func (m *Workspace) Ints(n int) []int32 { return m.places.take(n) }

// Offsets returns n numbers of any value, for the offsets of rows in an array of values.
func (m *Workspace) Offsets(n int) []int { return m.starts.take(n) }

// Bools returns n values false.
func (m *Workspace) Bools(n int) []bool {
	v := m.flags.take(n)
	clear(v)
	return v
}

// losses returns n losses of any value.
func (m *Workspace) losses(n int) []Loss { return m.tables.take(n) }

// take returns the first slice with a capacity of n to 2n, or a new one.
func (l *freeList[T]) take(n int) []T {
	for _, list := range []*[][]T{&l.returned, &l.free} {
		for k, v := range *list {
			if cap(v) >= n && cap(v) <= 2*n {
				*list = slices.Delete(*list, k, k+1)
				l.taken = append(l.taken, v)
				return v[:n]
			}
		}
	}
	v := make([]T, n)
	l.taken = append(l.taken, v)
	return v
}

// put returns one slice that take has returned.
func (l *freeList[T]) put(v []T) {
	if cap(v) == 0 {
		return
	}
	for k, own := range l.taken {
		if cap(own) > 0 && &own[:1][0] == &v[:1][0] {
			l.returned = append(l.returned, own)
			l.taken = slices.Delete(l.taken, k, k+1)
			return
		}
	}
}

// reclaim takes back all slices of this fit and drops those that it has not used, because the next
// fit most likely needs the same. It returns the sum of the capacities.
func (l *freeList[T]) reclaim() (size int) {
	clear(l.free)
	l.free, l.taken, l.returned = append(l.taken, l.returned...), l.free[:0], nil
	for _, v := range l.free {
		size += cap(v)
	}
	return size
}
