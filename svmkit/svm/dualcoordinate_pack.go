package svm

import (
	"slices"

	"github.com/svmkit/course/svmkit"
)

// field is the rows that descent works on, with all that belongs to them. At first these are the
// task's own rows. When few of them are left active, those are copied close together: what lies
// scattered in memory costs more to fetch than to compute with.
type field struct {
	x      []svmkit.Row
	c      []coordinate
	labels []label // what visitLabelled needs in the place of c; nil if not all rows are labelled
	beta   []float64
	calm   []uint8 // for how many visits in a row βᵢ has stood still, up to calmEnough
	id     []int32 // numbers of the rows in the task; nil if they are all, in order
}

// packFrom is the number of rows from which on packing can gain: fewer fit in a cache anyway.
const packFrom = 4096

// pack copies the active rows if they are at most half of the field. All copies of a fit share their
// memory: rows that were packed before move towards its beginning.
func (d *descent) pack() {
	n := d.active
	if d.all.len() < d.packFrom || 2*n > d.field.len() || n == 0 {
		return
	}
	d.writeBack() // the field's β, in case it is a packed one
	old, numbers := d.field, 0
	for _, i := range d.order[:n] {
		numbers += len(old.x[i].Value)
	}
	d.index, d.value = slices.Grow(d.index[:0], numbers), slices.Grow(d.value[:0], numbers)
	f := d.packed.resized(n, old.labels != nil)
	for k, i := range d.order[:n] { // k ≤ i: what is overwritten has been read
		x := old.x[i]
		f.x[k] = svmkit.Row{}
		if x.Index != nil {
			f.x[k].Index = added(&d.index, x.Index)
		}
		f.x[k].Value = added(&d.value, x.Value)
		id := i
		if old.id != nil {
			id = old.id[i]
		}
		f.beta[k], f.calm[k], f.id[k] = old.beta[i], old.calm[i], id
		if f.labels != nil {
			f.labels[k] = old.labels[i]
		} else {
			f.c[k] = old.c[i]
		}
	}
	d.field, d.packed = f, f
	d.inOrder()
}

// resized returns f with room for n rows; what it held may be lost.
func (f field) resized(n int, labelled bool) field {
	f.x, f.beta = slices.Grow(f.x[:0], n)[:n], slices.Grow(f.beta[:0], n)[:n]
	f.calm, f.id = slices.Grow(f.calm[:0], n)[:n], slices.Grow(f.id[:0], n)[:n]
	if labelled {
		f.labels = slices.Grow(f.labels[:0], n)[:n]
	} else {
		f.c = slices.Grow(f.c[:0], n)[:n]
	}
	return f
}

// added appends v to all and returns where it stands there.
func added[T any](all *[]T, v []T) []T {
	n := len(*all)
	*all = append(*all, v...)
	return (*all)[n:len(*all):len(*all)]
}

// writeBack brings the β of a packed field to where those of all rows are.
func (d *descent) writeBack() {
	for k, i := range d.field.id {
		d.beta[i], d.all.calm[i] = d.field.beta[k], d.field.calm[k]
	}
}

func (f *field) len() int { return len(f.x) }

// inOrder makes order the active rows of the field, 0 … active−1.
func (d *descent) inOrder() {
	for k := range d.order[:d.active] {
		d.order[k] = int32(k)
	}
}
