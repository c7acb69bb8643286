package newton

import (
	"context"

	"github.com/svmkit/course/svmkit"
	"github.com/svmkit/course/svmkit/internal/kernelsums"
	"github.com/svmkit/course/svmkit/internal/parallel"
	"github.com/svmkit/course/svmkit/internal/simd"
	"github.com/svmkit/course/svmkit/svm/internal/core"
)

// design is the design matrix of a linear task. Its rows x̃ᵢ = (xᵢ, 1), or xᵢ without a bias, are
// copied into one block of memory. They are dense if at least denseShare of the values are stored,
// and sparse otherwise. Vectors of unknowns for a design must come from its method vector.
//
// A pass is divided into blocks whose number depends on the data alone, and sums over blocks are
// added in their order, so the bits do not depend on the number of threads. If ctx ends, a pass
// stops and its results mean nothing.
type design struct {
	ctx         context.Context
	interrupted func() bool // of the run: only for the caller's thread
	t           *core.Task
	n, m        int // rows and unknowns
	bias        bool

	// flat holds dense rows, each stride long, with zeros after x̃. It is nil if the rows are
	// sparse.
	flat   []float64
	stride int // of flat and of vectors, a multiple of 4
	// sparse holds sparse rows, without the 1 of the bias. It is nil if the rows are dense.
	sparse  *simd.SparseRows
	columns []int32 // 0, 1, …: the indices of a dense row among sparse ones

	workers  *parallel.Workers
	nnz      float64     // values that a pass reads
	rowWork  float64     // cost of a row in a pass, in values
	blockLen int         // rows of a block
	parts    [][]float64 // partial sums of addRows, one vector per part

	// Arguments of the current pass: a closure would allocate.
	u, out           []float64
	list             []int32
	coef             []float64
	mulPart, addPart func(part int)
}

const (
	// denseShare is the share of stored values from which on rows are copied as dense rows. A value
	// of a dense row costs 8 bytes and no gathering, and a stored value of a sparse row 12 bytes.
	// No row of the benchmark depends on it from 0.2 to 0.8. With dense rows a9a, where a ninth of
	// the values is stored, takes 4 times as long, and mushrooms, where a sixth is stored, 2 to 3
	// times. Benchmark: go run -C tools ./bench -rows linear a9a mushrooms
	denseShare = 0.4
	// rowCost is the cost of a row in a pass besides its values, in values. No row of the benchmark
	// depends on it from 0 to 64.
	rowCost = 8
	// leastBlock is the least number of rows of a block. Blocks of rows of more than 250 values are
	// more work than core.BlockWork.
	leastBlock = 64
	// rowsBetweenChecks is how many rows are added between two checks of the context. No row of the
	// benchmark depends on it from 512 to 32,768.
	rowsBetweenChecks = 1 << 12
)

func newDesign(r *core.Run, t *core.Task) *design {
	x := &design{ctx: r.Ctx, interrupted: r.Interrupted, t: t, n: t.Len(), m: t.Unknowns(),
		bias: t.Bias != svmkit.NoBias, workers: t.Workers}
	x.stride = (x.m + 3) / 4 * 4
	if mostlyDense(t) {
		x.flat = t.Memory.Floats(x.n * x.stride)
		x.nnz = float64(len(x.flat))
	} else {
		start := t.Memory.Offsets(x.n + 1)
		start[0] = 0
		for i := range t.X {
			start[i+1] = start[i] + len(t.X[i].Value)
		}
		stored := start[x.n]
		x.nnz = float64(stored)
		x.sparse = simd.NewSparseRows(t.Dim, start, t.Memory.Ints(stored), t.Memory.Floats(stored))
		x.columns = kernelsums.Numbers(t.Dim)
	}
	x.rowWork = x.nnz/float64(x.n) + rowCost
	x.blockLen = max(leastBlock, int(core.BlockWork/x.rowWork))
	x.parts = make([][]float64, core.MostParts)
	for k := range x.parts {
		x.parts[k] = x.vector()
	}
	x.mulPart, x.addPart = x.mulBlock, x.addBlock
	x.workers.Do(x.blocks(), x.fill)
	return x
}

// mostlyDense reports whether rows are to be copied as dense rows.
func mostlyDense(t *core.Task) bool {
	stored := 0
	for i := range t.X {
		stored += len(t.X[i].Value)
	}
	return float64(stored) >= denseShare*float64(len(t.X))*float64(t.Dim)
}

// vector returns a zero vector of unknowns, of length m and capacity stride.
func (x *design) vector() []float64 { return make([]float64, x.m, x.stride) }

func (x *design) blocks() int { return (x.n + x.blockLen - 1) / x.blockLen }

// block returns the rows of a block.
func (x *design) block(k int) (from, to int) {
	return k * x.blockLen, min((k+1)*x.blockLen, x.n)
}

func (x *design) fill(block int) {
	from, to := x.block(block)
	d := x.t.Dim
	for i := from; i < to; i++ {
		row := &x.t.X[i]
		if x.flat == nil {
			index := row.Index
			if index == nil {
				index = x.columns
			}
			x.sparse.Set(i, index, row.Value)
			continue
		}
		full := x.flat[i*x.stride:][:x.stride]
		if len(row.Value) == d { // with indices as well: d increasing ones are all columns
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
	x.workers.Do(x.blocks(), x.mulPart)
}

func (x *design) mulBlock(block int) {
	from, to := x.block(block)
	x.mulRange(x.out[from:to], x.u, from)
}

// mulRange sets out[k] = ⟨u,x̃ᵢ⟩ for i = from + k. It sets out[k] = 0 if ctx ended before.
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
			x.sparse.Mul(from, u[:x.t.Dim], part)
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
	return b + simd.DotSparse(index, value, u[:x.t.Dim])
}

// addRows adds Σ coef[k]·x̃ᵢ, i = list[k], to u.
func (x *design) addRows(u []float64, list []int32, coef []float64) {
	parts := min(core.MostParts, 1+int(float64(len(list))*x.rowWork/core.BlockWork))
	x.u, x.list, x.coef, x.parts = u, list, coef, x.parts[:parts]
	x.workers.Do(parts, x.addPart)
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
		if k%rowsBetweenChecks == 0 && x.ctx.Err() != nil {
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
		simd.AxpySparse(a, index, value, u[:x.t.Dim])
	}
}
