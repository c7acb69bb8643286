package gauss

import (
	"context"
	"errors"
	"runtime"
	"sync"

	"github.com/svmkit/course/svmkit"
	"github.com/svmkit/course/svmkit/internal/parallel"
	"github.com/svmkit/course/svmkit/internal/simd"
)

// loops are the loops of one precision.
type loops[T float32 | float64] struct {
	lanes, pivots int
	dense         func(sum []float64, panel, z, weight []T, d int)
	sparse        func(sum []float64, x *simd.Sparse[T], from int, pivots, weight []T)
}

var (
	simd32 = loops[float32]{simd.Panel32, simd.Pivots32, simd.GaussSums32, simd.SparseGaussSums32}
	simd64 = loops[float64]{simd.Panel64, simd.Pivots64, simd.GaussSums64, simd.SparseGaussSums64}
)

// packed is the set in the layout of package simd: panels of dense rows, or sparse rows.
type packed[T float32 | float64] struct {
	loops[T]
	of      *Rows
	d       int // numbers per row of a panel: the columns, and two for the norms
	panels  []T
	rows    *simd.Sparse[T]
	batches sync.Pool // spare values of type *batch[T]
}

func pack[T float32 | float64](g *Rows, l loops[T]) *packed[T] {
	p := &packed[T]{loops: l, of: g, d: g.width + 2}
	if g.centre == nil {
		p.rows = p.packSparse(g.rows)
	} else {
		p.packPanels(g.rows)
	}
	return p
}

// packPanels lays out rows as panels. The last panel is filled up with zeros.
func (p *packed[T]) packPanels(rows []svmkit.Row) {
	size := p.lanes * p.d
	p.panels = make([]T, (len(rows)+p.lanes-1)/p.lanes*size)
	p.of.share(context.Background(), len(p.panels)/size, func(b int) {
		panel, buffer := p.panels[b*size:][:size], make([]float64, p.of.width)
		for r, x := range rows[b*p.lanes : min(len(rows), (b+1)*p.lanes)] {
			half := p.numbers(panel[r:], p.lanes, x, buffer)
			panel[(p.d-2)*p.lanes+r], panel[(p.d-1)*p.lanes+r] = -half, 1
		}
	})
}

// copyRow copies row i of the panels to row j of other panels, or of a group with the given number
// of rows.
func (p *packed[T]) copyRow(to []T, j, lanes, i int) {
	from := p.panels[i/p.lanes*p.lanes*p.d+i%p.lanes:]
	at := j/lanes*lanes*p.d + j%lanes
	for k := range p.d {
		to[at+k*lanes] = from[k*p.lanes]
	}
}

// numbers sets to[k·lanes] to the numbers of x and returns half their squared norm after rounding
// to T. The kernel of two equal rows is therefore 1 up to the rounding of E, whatever the rounding
// of the rows.
func (p *packed[T]) numbers(to []T, lanes int, x svmkit.Row, buffer []float64) (half T) {
	exact, rounded := p.of.spread(buffer, x), 0.0
	for k, v := range buffer {
		r := T(v)
		to[k*lanes] = r
		exact -= v * v / 2
		rounded += float64(r) * float64(r)
	}
	return T(max(0, exact) + rounded/2) // exact is the share of the columns beyond the width
}

// packSparse lays out the given rows of the set.
func (p *packed[T]) packSparse(rows []svmkit.Row) *simd.Sparse[T] {
	start, offset := make([]int, 1, len(rows)+1), make([]T, 0, len(rows))
	total := 0
	for _, x := range rows {
		total += len(x.Value)
	}
	index, value := make([]int32, 0, total), make([]T, 0, total)
	for _, x := range rows {
		half := 0.0
		for k, v := range x.Value {
			if v == 0 {
				continue
			}
			v := T(p.of.scale * v)
			index, value = append(index, int32(column(x, k))), append(value, v)
			half += float64(v) * float64(v) / 2
		}
		start, offset = append(start, len(index)), append(offset, T(-half))
	}
	return simd.NewSparse(p.of.width, start, index, value, offset)
}

// A batch is some rows of the other side with their weights, in the layout that the loops need: in
// groups, or as tables of pivots. The next batch uses its buffers again.
type batch[T float32 | float64] struct {
	z, weight []T
	rows      []svmkit.Row // the rows in z, which have to be cleared from tables
}

// The benchmark chose these constants on a9a, spambase, magic (C = 10) and a drawn set, on one
// thread.
// Benchmark: go run -C tools ./bench -rows kernel -threads 1 a9a spambase magic drawn,n=4000,d=500
const (
	// batchBytes is about the size of a batch, which bounds the memory. From 512 KB to 8 MB there
	// is no difference.
	batchBytes = 2 << 20
	// stepBytes is how much of a batch one thread works on at a time, within a second-level cache.
	// 2 MB takes 5 to 16 % longer, except on the drawn set.
	stepBytes = 128 << 10
	// stepRows bounds the rows that one thread works on at a time. Their products are added up in
	// float32 (see Drift): 384 rows take up to 22 % longer because of less exact scores.
	stepRows = 96
	// blockRows is how many rows of the set a thread takes at a time, in whole panels. From 64 to
	// 1024 there is no difference.
	blockRows = 256
)

// unit returns how many rows of the other side belong together, and how many numbers they have.
func (p *packed[T]) unit() (rows, numbers int) {
	if p.rows != nil {
		return p.pivots, (p.of.width + 1) * p.pivots
	}
	return simd.TileGroup, p.d * simd.TileGroup
}

// fit returns how many units of a batch fit into some bytes, within limits.
func (p *packed[T]) fit(bytes, most int) int {
	rows, numbers := p.unit()
	var one T
	size := 8
	if _, ok := any(one).(float32); ok {
		size = 4
	}
	return max(1, min(bytes/(size*numbers), most/rows))
}

// newBatch returns a batch of the given number of units, a spare one if it is large enough.
func (p *packed[T]) newBatch(units int) *batch[T] {
	unit, numbers := p.unit()
	if b, ok := p.batches.Get().(*batch[T]); ok && len(b.weight) >= units*unit {
		return b
	}
	return &batch[T]{z: make([]T, units*numbers), weight: make([]T, units*unit)}
}

// add adds Σₖ weights[k]·κ(z[k], xᵢ) to sums[i]. The error is the error of ctx. If own is not nil,
// z[k] is row own[k] of the set.
func (p *packed[T]) add(ctx context.Context, sums []float64, z []svmkit.Row, own []int32,
	weights []float64) error {
	unit, numbers := p.unit()
	most := p.fit(batchBytes, 1<<20)
	most = min(most, (len(z)+unit-1)/unit)
	step := p.fit(stepBytes, stepRows)
	b := p.newBatch(most)
	for at := 0; at < len(z); {
		n := min(len(z)-at, most*unit)
		units := p.fill(b, z[at:at+n], own[min(at, len(own)):], weights[at:at+n])
		at += n
		blocks := (len(sums) + blockRows - 1) / blockRows
		err := p.of.share(ctx, blocks, func(i int) {
			from, to := i*blockRows, min((i+1)*blockRows, len(sums))
			for u := 0; u < units && ctx.Err() == nil; u += step {
				v := min(u+step, units)
				p.block(sums[from:to], from, b.z[u*numbers:v*numbers], b.weight[u*unit:v*unit])
			}
		})
		if err != nil {
			p.batches.Put(b)
			return err
		}
	}
	p.batches.Put(b) // not after a panic: its tables may not be clear
	return nil
}

// block adds the sums over some units for the rows of the set from a given row on, which must be
// the first row of a panel.
func (p *packed[T]) block(sums []float64, from int, z, weight []T) {
	if p.rows != nil {
		_, numbers := p.unit()
		for len(weight) > 0 {
			p.sparse(sums, p.rows, from, z[:numbers], weight[:p.pivots])
			z, weight = z[numbers:], weight[p.pivots:]
		}
		return
	}
	for size := p.lanes * p.d; len(sums) > 0; from += p.lanes {
		panel := p.panels[from/p.lanes*size:][:size]
		if len(sums) < p.lanes {
			var last [simd.Panel32]float64
			p.dense(last[:p.lanes], panel, z, weight, p.d)
			for i := range sums {
				sums[i] += last[i]
			}
			return
		}
		p.dense(sums[:p.lanes], panel, z, weight, p.d)
		sums = sums[p.lanes:]
	}
}

// fill fills b with rows z and their weights, and returns the number of units. Its arguments are
// those of add; nil weights are 0.
func (p *packed[T]) fill(b *batch[T], z []svmkit.Row, own []int32, weights []float64) (units int) {
	unit, numbers := p.unit()
	p.wipe(b)
	units = (len(z) + unit - 1) / unit
	p.of.share(context.Background(), units, func(u int) {
		to := b.z[u*numbers:][:numbers]
		rows := z[u*unit : min(len(z), (u+1)*unit)]
		if p.rows != nil {
			p.fillPivots(to, rows)
		} else if len(own) > 0 {
			p.copyGroup(to, own[u*unit:][:len(rows)])
		} else {
			p.fillGroup(to, rows)
		}
		for k := range unit {
			w := 0.0
			if u*unit+k < len(weights) {
				w = weights[u*unit+k]
			}
			b.weight[u*unit+k] = T(w)
		}
	})
	b.rows = z
	return units
}

// fillGroup makes rows a group, in which the last two numbers are in the opposite order.
func (p *packed[T]) fillGroup(to []T, rows []svmkit.Row) {
	clear(to)
	buffer := make([]float64, p.of.width)
	for j, x := range rows {
		half := p.numbers(to[j:], simd.TileGroup, x, buffer)
		to[(p.d-2)*simd.TileGroup+j], to[(p.d-1)*simd.TileGroup+j] = 1, -half
	}
}

// copyGroup is fillGroup for rows of the set. Copying them saves a sixth of the instructions of a
// fit of spambase. Benchmark: go run -C tools ./bench -compare bench/instructions.json
func (p *packed[T]) copyGroup(to []T, own []int32) {
	if len(own) < simd.TileGroup {
		clear(to)
	}
	norm, one := to[(p.d-2)*simd.TileGroup:][:simd.TileGroup],
		to[(p.d-1)*simd.TileGroup:][:simd.TileGroup]
	for j, i := range own {
		p.copyRow(to, j, simd.TileGroup, int(i))
		norm[j], one[j] = one[j], norm[j]
	}
}

// fillPivots writes rows into a table that is zero.
func (p *packed[T]) fillPivots(to []T, rows []svmkit.Row) {
	for j, x := range rows {
		half := 0.0
		for k, v := range x.Value {
			v := T(p.of.scale * v)
			half += float64(v) * float64(v) / 2
			if at := column(x, k); at < p.of.width {
				to[at*p.pivots+j] = v
			}
		}
		to[p.of.width*p.pivots+j] = T(-half)
	}
}

// wipe clears the tables where the last rows were written.
func (p *packed[T]) wipe(b *batch[T]) {
	if p.rows == nil {
		return
	}
	unit, numbers := p.unit()
	p.of.share(context.Background(), (len(b.rows)+unit-1)/unit, func(u int) {
		table := b.z[u*numbers:][:numbers]
		for _, x := range b.rows[u*unit : min(len(b.rows), (u+1)*unit)] {
			for k := range x.Value {
				if at := column(x, k); at < p.of.width {
					clear(table[at*p.pivots:][:p.pivots])
				}
			}
		}
		clear(table[p.of.width*p.pivots:])
	})
}

// share calls part(0) … part(n−1) on the workers, or on GOMAXPROCS goroutines if there are none.
// The error is the error of ctx, and nil for [context.Background]. Without workers, the panic of a
// part, for example at a row with a negative index, continues in the caller's goroutine. With
// workers it ends the process, so rows must have been validated.
func (g *Rows) share(ctx context.Context, n int, part func(i int)) error {
	if g.workers != nil {
		g.workers.Do(n, func(i int) {
			if ctx.Err() == nil {
				part(i)
			}
		})
		return ctx.Err()
	}
	err := parallel.For(ctx, n, runtime.GOMAXPROCS(0), func(i int) error { part(i); return nil })
	var panicked *svmkit.PanicError
	if errors.As(err, &panicked) {
		panic(panicked)
	}
	return err
}

// Sums adds Σₖ weights[k]·κ(z[k], xᵢ) to sums[i] for every row i of the set. The sums of the rows
// of [Rows.Far] are not valid. Rows z must be in the space of the set: dense with its width, or
// sparse. The error is the error of ctx.
func (g *Rows) Sums(ctx context.Context, sums []float64, z []svmkit.Row, weights []float64) error {
	return g.double().add(ctx, sums, z, nil, weights)
}

// Add adds Σₖ weights[k]·κ(xⱼ, xᵢ), j = which[k], to sums[i] for every row i of the set, with
// kernel values in float32. The error is the error of ctx.
func (g *Rows) Add(ctx context.Context, sums []float64, which []int32, weights []float64) error {
	return g.single().add(ctx, sums, g.chosen(which), which, weights)
}

// chosen returns the given rows of the set.
func (g *Rows) chosen(which []int32) []svmkit.Row {
	rows := make([]svmkit.Row, len(which))
	for k, i := range which {
		rows[k] = g.rows[i]
	}
	return rows
}
