package svm

import "github.com/svmkit/course/svmkit"

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

// pack copies the active rows if they are at most half of the field.
func (d *descent) pack() {
	if d.all.len() < d.packFrom || 2*d.active > d.field.len() || d.active == 0 {
		return
	}
	d.writeBack() // the field's β, in case it is a packed one
	old, numbers := d.field, 0
	for _, i := range d.order[:d.active] {
		numbers += len(old.x[i].Value)
	}
	index, value := make([]int32, 0, numbers), make([]float64, 0, numbers)
	f := field{x: make([]svmkit.Row, d.active), c: make([]coordinate, d.active), beta: make([]float64, d.active),
		calm: make([]uint8, d.active), id: make([]int32, d.active)}
	if old.labels != nil {
		f.labels = make([]label, d.active)
	}
	for k, i := range d.order[:d.active] {
		x, n := &old.x[i], len(value)
		value = append(value, x.Value...)
		f.x[k].Value = value[n:len(value):len(value)]
		if x.Index != nil {
			n := len(index)
			index = append(index, x.Index...)
			f.x[k].Index = index[n:len(index):len(index)]
		}
		f.c[k], f.beta[k], f.calm[k], f.id[k] = old.c[i], old.beta[i], old.calm[i], i
		if old.labels != nil {
			f.labels[k] = old.labels[i]
		}
		if old.id != nil {
			f.id[k] = old.id[i]
		}
	}
	d.field = f
	d.inOrder()
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
