package svm

import (
	"context"

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

	flat   []float64        // full rows, each stride long, with zeros behind x̃; nil: the rows of t are used
	stride int              // of flat and of vectors, a multiple of 4
	sparse *simd.SparseRows // the rows of t if they are sparse, nil with flat

	crew     *parallel.Crew
	nnz      float64     // numbers that a pass reads
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
	// blockWork is how many values a part of a pass reads: some 50 µs of work.
	blockWork = 1 << 16
	// rowsBetweenLooks is how many rows are added between two looks at the context.
	rowsBetweenLooks = 1 << 12
	// mostParts bounds the partial sums of addRows.
	mostParts = 8
)

func newDesign(ctx context.Context, t *task, crew *parallel.Crew) *design {
	x := &design{ctx: ctx, t: t, n: t.len(), m: t.dim, bias: t.bias != NoBias, crew: crew}
	if x.bias {
		x.m++
	}
	x.stride = (x.m + 3) / 4 * 4
	stored, full := 0, true
	for _, row := range t.x {
		stored += len(row.Value)
		full = full && row.Index == nil
	}
	x.nnz = float64(stored)
	if full || x.nnz >= fullShare*float64(x.n)*float64(t.dim) {
		x.flat = make([]float64, x.n*x.stride)
		x.nnz = float64(len(x.flat))
	}
	x.blockLen = max(64, int(blockWork*float64(x.n)/(x.nnz+8*float64(x.n)))) // a row costs some 8 values by itself
	x.parts = make([][]float64, mostParts)
	for k := range x.parts {
		x.parts[k] = x.vector()
	}
	x.mulPart, x.addPart = x.mulBlock, x.addBlock
	if x.flat != nil {
		x.crew.Do(x.blocks(), x.fill)
		return x
	}
	columns := make([]int32, t.dim) // of a full row among sparse ones
	for j := range columns {
		columns[j] = int32(j)
	}
	x.sparse = simd.NewSparseRows(t.dim, x.n, stored)
	for i := range t.x {
		if row := &t.x[i]; row.Index == nil {
			x.sparse.Append(columns, row.Value)
		} else {
			x.sparse.Append(row.Index, row.Value)
		}
	}
	return x
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
	for i := from; i < to; i++ {
		full, row := x.flat[i*x.stride:], x.t.x[i]
		if row.Index == nil {
			copy(full, row.Value)
		}
		for k, j := range row.Index {
			full[j] = row.Value[k]
		}
		if x.bias {
			full[x.m-1] = 1
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
	if x.ctx.Err() != nil {
		return
	}
	if x.flat != nil {
		simd.MulRows(x.flat[from*x.stride:to*x.stride], x.u[:x.stride], x.out[from:to])
		return
	}
	x.sparse.Mul(from, x.u[:x.t.dim], x.out[from:to])
	if x.bias {
		b := x.u[x.m-1]
		for i := from; i < to; i++ {
			x.out[i] += b
		}
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
	parts := min(mostParts, 1+int(float64(len(list))*(x.nnz/float64(x.n)+8)/blockWork))
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
	for k, i := range x.list[from:end] {
		if k%rowsBetweenLooks == 0 && x.ctx.Err() != nil {
			return
		}
		a := x.coef[from+k]
		if x.flat != nil {
			simd.Axpy(a, x.flat[int(i)*x.stride:][:x.stride], to[:x.stride])
			continue
		}
		if x.bias {
			to[x.m-1] += a
		}
		index, value := x.sparse.Row(int(i))
		simd.AxpySparse(a, index, value, to[:x.t.dim])
	}
}
