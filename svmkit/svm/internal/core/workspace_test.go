package core

import (
	"math"
	"slices"
	"testing"
)

// What a fit hands back it can take again, and so can the next one.
func TestWorkspaceHandBack(t *testing.T) {
	m := new(Workspace)
	a, b := m.Floats(100), m.Floats(100)
	m.put(a)
	if again := m.Floats(90); &again[0] != &a[0] || &again[0] == &b[0] {
		t.Error("what was handed back is not taken again")
	}
	if m.put(make([]float64, 5)); len(m.numbers.returned) != 0 {
		t.Error("memory from elsewhere was taken in")
	}
	m.put(b)
	m.reclaim()
	if got := []*float64{&m.Floats(100)[0], &m.Floats(100)[0]}; !slices.Contains(got, &a[0]) || !slices.Contains(got, &b[0]) {
		t.Error("the next fit has lost memory of this one")
	}
}

// ReclaimSpoilt takes back all slices, fills them with NaN, indices out of range and true, and
// returns their size.
func ReclaimSpoilt(m *Workspace) (size int) {
	size = m.reclaim()
	for _, v := range m.numbers.free {
		for i := range v[:cap(v)] {
			v[:cap(v)][i] = math.NaN()
		}
	}
	for _, v := range m.places.free {
		for i := range v[:cap(v)] {
			v[:cap(v)][i] = math.MaxInt32
		}
	}
	for _, v := range m.starts.free {
		for i := range v[:cap(v)] {
			v[:cap(v)][i] = math.MaxInt
		}
	}
	for _, v := range m.flags.free {
		for i := range v[:cap(v)] {
			v[:cap(v)][i] = true
		}
	}
	return size
}
