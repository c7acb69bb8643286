package svm

import (
	"context"

	"github.com/svmkit/course/svmkit"
	"github.com/svmkit/course/svmkit/internal/parallel"
	"github.com/svmkit/course/svmkit/internal/simd"
)

// design is the matrix of a linear task's rows x̃ᵢ = (xᵢ, 1), or xᵢ without a bias, in the form
// in which passes over it are fast: copied into one block of memory, in full if the rows are mostly full,
// sparse if not. Its vectors of unknowns come from vector.
//
// Passes are cut into blocks whose number depends on the data alone, and sums over
// blocks are added in their order, so the bits do not depend on the number of threads.
//
// When ctx ends, a pass is given up and leaves numbers without a meaning.
type design struct {
	ctx  context.Context
	t    *task
	n, m int // rows and unknowns
	bias bool

	flat    []float64        // full rows, each stride long, with zeros behind x̃; nil: the rows of t are used
	stride  int              // of flat and of vectors, a multiple of 4
	sparse  *simd.SparseRows // the rows of t if they are sparse, nil with flat
	columns []int32          // 0, 1, …: of a full row among sparse ones

	crew     *parallel.Crew
	nnz      float64     // numbers that a pass reads
	rowWork  float64     // what a row costs in a pass, in values
	blockLen int         // rows of a block
	parts    [][]float64 // partial sums of addRows, one vector a part

	// What the parts of the pass at hand read, so that they need no closure.
	u, out           []float64
	list             []int32
	coef             []float64
	mulPart, addPart func(part int)
}

const (
	// fullShare is the share of stored values from which rows are copied in full: a value then costs
	// 8 bytes and no gathering, a stored one of a sparse row 12 bytes.
	fullShare = 0.4
	// smallSet bounds the sets of which about fullSample rows tell how full all are: a copy in full of
	// one that is not wastes little.
	smallSet, fullSample = 1 << 24, 1000
	// blockWork is how many values a part of a pass reads: some 50 µs of work.
	blockWork = 1 << 16
	// rowsBetweenLooks is how many rows are added between two looks at the context.
	rowsBetweenLooks = 1 << 12
	// mostParts bounds the partial sums of addRows.
	mostParts = 8
)

func newDesign(ctx context.Context, t *task, crew *parallel.Crew) *design {
	x := &design{ctx: ctx, t: t, n: t.len(), m: t.dim, bias: t.bias != svmkit.NoBias, crew: crew}
	if x.bias {
		x.m++
	}
	x.stride = (x.m + 3) / 4 * 4
	if t.mostlyFull() {
		x.flat = t.memory.floats(x.n * x.stride)
		x.nnz = float64(len(x.flat))
	} else {
		start := t.memory.offsets(x.n + 1)
		start[0] = 0
		for i := range t.x {
			start[i+1] = start[i] + len(t.x[i].Value)
		}
		stored := start[x.n]
		x.nnz = float64(stored)
		x.sparse = simd.NewSparseRows(t.dim, start, t.memory.ints(stored), t.memory.floats(stored))
		x.columns = numbers(t.dim)
	}
	x.rowWork = x.nnz/float64(x.n) + 8 // a row costs some 8 values by itself
	x.blockLen = max(64, int(blockWork/x.rowWork))
	x.parts = make([][]float64, mostParts)
	for k := range x.parts {
		x.parts[k] = x.vector()
	}
	x.mulPart, x.addPart = x.mulBlock, x.addBlock
	x.crew.Do(x.blocks(), x.fill)
	return x
}

// mostlyFull reports whether rows are to be copied in full. Of a small set a thousand rows tell.
func (t *task) mostlyFull() bool {
	stored, rows, step := 0, 0, 1
	if len(t.x)*t.dim <= smallSet {
		step += len(t.x) / fullSample
	}
	for i := 0; i < len(t.x); i += step {
		stored += len(t.x[i].Value)
		rows++
	}
	return float64(stored) >= fullShare*float64(rows)*float64(t.dim)
}

// vector returns a zero vector of unknowns: m long, with room for stride.
func (x *design) vector() []float64 { return make([]float64, x.m, x.stride) }

func (x *design) blocks() int { return (x.n + x.blockLen - 1) / x.blockLen }

// block returns the rows of a block.
func (x *design) block(k int) (from, to int) {
	return k * x.blockLen, min((k+1)*x.blockLen, x.n)
}

func (x *design) fill(block int) {
	from, to := x.block(block)
	d := x.t.dim
	for i := from; i < to; i++ {
		row := &x.t.x[i]
		if x.flat == nil {
			index := row.Index
			if index == nil {
				index = x.columns
			}
			x.sparse.Set(i, index, row.Value)
			continue
		}
		full := x.flat[i*x.stride:][:x.stride]
		if len(row.Value) == d { // also if it has indices: they rise, so they are all there are
			copy(full, row.Value)
			clear(full[d:])
		} else {
			clear(full)
			for k, j := range row.Index {
				full[j] = row.Value[k]
			}
		}
		if x.bias {
			full[d] = 1
		}
	}
}

// mul sets out[i] = ⟨u,x̃ᵢ⟩ for all rows.
func (x *design) mul(out, u []float64) {
	x.u, x.out = u, out
	x.crew.Do(x.blocks(), x.mulPart)
}

func (x *design) mulBlock(block int) {
	from, to := x.block(block)
	x.mulRange(x.out[from:to], x.u, from)
}

// mulRange sets out[i] = ⟨u,x̃ᵢ⟩ for as many rows from the given one on, to 0 where ctx ends before.
func (x *design) mulRange(out, u []float64, from int) {
	for len(out) > 0 {
		if x.ctx.Err() != nil {
			clear(out)
			return
		}
		part := out[:min(x.blockLen, len(out))]
		if x.flat != nil {
			simd.MulRows(x.flat[from*x.stride:(from+len(part))*x.stride], u[:x.stride], part)
		} else {
			x.sparse.Mul(from, u[:x.t.dim], part)
			if x.bias {
				b := u[x.m-1]
				for i := range part {
					part[i] += b
				}
			}
		}
		from, out = from+len(part), out[len(part):]
	}
}

// dot returns ⟨u,x̃ᵢ⟩.
func (x *design) dot(u []float64, i int) float64 {
	if x.flat != nil {
		return simd.Dot(x.flat[i*x.stride:][:x.stride], u[:x.stride])
	}
	b := 0.0
	if x.bias {
		b = u[x.m-1]
	}
	index, value := x.sparse.Row(i)
	return b + simd.DotSparse(index, value, u[:x.t.dim])
}

// addRows adds Σ coef[k]·x̃ᵢ, i = list[k], to u.
func (x *design) addRows(u []float64, list []int32, coef []float64) {
	parts := min(mostParts, 1+int(float64(len(list))*x.rowWork/blockWork))
	x.u, x.list, x.coef, x.parts = u, list, coef, x.parts[:parts]
	x.crew.Do(parts, x.addPart)
	for _, part := range x.parts[1:] {
		simd.Axpy(1, part, u)
	}
}

func (x *design) addBlock(part int) {
	to, parts := x.u, len(x.parts)
	if part > 0 {
		to = x.parts[part]
		clear(to)
	}
	from, end := part*len(x.list)/parts, (part+1)*len(x.list)/parts
	x.addRange(to, 0, x.list[from:end], x.coef[from:end])
}

// addRange adds Σ coef[k]·x̃ᵢ, i = first + list[k], to u.
func (x *design) addRange(u []float64, first int, list []int32, coef []float64) {
	for k, i := range list {
		if k%rowsBetweenLooks == 0 && x.ctx.Err() != nil {
			return
		}
		i, a := first+int(i), coef[k]
		if x.flat != nil {
			simd.Axpy(a, x.flat[i*x.stride:][:x.stride], u[:x.stride])
			continue
		}
		if x.bias {
			u[x.m-1] += a
		}
		index, value := x.sparse.Row(i)
		simd.AxpySparse(a, index, value, u[:x.t.dim])
	}
}
