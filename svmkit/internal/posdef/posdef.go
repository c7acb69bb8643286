// Package posdef keeps symmetric matrices that are sums of outer products of rows, and solves
// systems of linear equations with them. Newton's method for a linear model needs both at each
// step:
//
//	a, p := posdef.New(m), posdef.NewPanels(rows, m)
//	p.Add(math.Sqrt(weight), x) // for each row
//	a.AddOuter(1, p, 0, nil)
//	f := posdef.NewFactor(m)
//	if f.Factorize(a, ridge, nil) {
//		f.Solve(x, b)
//	}
//
// Its two loops of cubic cost, the sum of outer products and Cholesky's factorisation, share one
// kernel: a block of rows, divided into panels of simd.Tile columns, adds its outer product to an
// upper triangle, tile by tile. The tiles are shared among threads. One thread alone computes each
// tile, so the bits do not depend on the number of threads.
package posdef

import (
	"github.com/svmkit/course/svmkit/internal/parallel"
	"github.com/svmkit/course/svmkit/internal/simd"
)

// Matrix is a symmetric matrix of size M, of which the upper triangle is stored. Row i starts at
// Data[i·Stride], and its columns below i mean nothing. Stride is M rounded up to a multiple of
// simd.Tile; columns from M on are 0.
type Matrix struct {
	M, Stride int
	Data      []float64
}

// New returns the zero matrix of size m.
func New(m int) *Matrix {
	stride := (m + simd.Tile - 1) / simd.Tile * simd.Tile
	return &Matrix{M: m, Stride: stride, Data: make([]float64, stride*stride)}
}

// Row returns the stored part of row i: columns i to M.
func (a *Matrix) Row(i int) []float64 { return a.Data[i*a.Stride+i : i*a.Stride+a.M] }

// AddSparse adds weight·xxᵀ for a row x with x[index[k]] = value[k] and 0 elsewhere; the indices
// must be increasing. It adds only to rows from ≤ i < to of the matrix, so that two threads can
// share a matrix.
//
// Two rows of the matrix at a time share the reading of x. With one row at a time, a linear fit is
// a fifth slower. Benchmark: go run -C tools ./bench -rows linear drawn,n=10000,d=784,density=0.19
func (a *Matrix) AddSparse(weight float64, index []int32, value []float64, from, to int) {
	for k := 0; k < len(index) && int(index[k]) < to; k++ {
		if int(index[k]) < from {
			continue
		}
		row, v := a.Data[int(index[k])*a.Stride:][:a.Stride], weight*value[k]
		if k+1 == len(index) || int(index[k+1]) >= to {
			simd.AxpySparse(v, index[k:], value[k:], row)
			continue
		}
		row[index[k]] += v * value[k]
		k++
		next, u, values := a.Data[int(index[k])*a.Stride:][:len(row)], weight*value[k],
			value[k:len(index)]
		for c, j := range index[k:] {
			row[j] += v * values[c]
			next[j] += u * values[c]
		}
	}
}

// Panels is a block of rows that are to be added to a matrix at once. They are stored as panels of
// simd.Tile columns.
type Panels struct {
	rows, tiles int // rows in use, and panels
	capacity    int // rows
	data        []float64
}

// NewPanels returns no rows, with memory for capacity rows of length m.
func NewPanels(capacity, m int) *Panels {
	tiles := (m + simd.Tile - 1) / simd.Tile
	return &Panels{tiles: tiles, capacity: capacity,
		data: make([]float64, capacity*tiles*simd.Tile)}
}

// Reset removes all rows and sets the length of the rows to come, which must not exceed the m of
// NewPanels.
func (p *Panels) Reset(m int) {
	p.rows, p.tiles = 0, (m+simd.Tile-1)/simd.Tile
}

// Len returns the number of rows.
func (p *Panels) Len() int { return p.rows }

// Full reports whether there are as many rows as NewPanels has memory for.
func (p *Panels) Full() bool { return p.rows == p.capacity }

// Add appends the row factor·x. x may be shorter than m; missing numbers are 0.
func (p *Panels) Add(factor float64, x []float64) {
	at := p.rows * simd.Tile
	p.rows++
	for range p.tiles {
		to := p.data[at : at+simd.Tile : at+simd.Tile]
		for k := range to {
			if k < len(x) {
				to[k] = factor * x[k]
			} else {
				to[k] = 0
			}
		}
		x = x[min(len(x), simd.Tile):]
		at += p.capacity * simd.Tile
	}
}

// AddSparse appends the row that has factor·value[k] in column index[k].
func (p *Panels) AddSparse(factor float64, index []int32, value []float64) {
	const tile = simd.Tile
	at := p.rows * tile
	p.rows++
	for k := range p.tiles {
		clear(p.data[at+k*p.capacity*tile:][:tile])
	}
	for k, j := range index {
		p.data[at+int(j)/tile*p.capacity*tile+int(j)%tile] = factor * value[k]
	}
}

func (p *Panels) panel(k int) []float64 {
	at := k * p.capacity * simd.Tile
	return p.data[at : at+p.rows*simd.Tile]
}

// AddOuter adds alpha·PᵀP for the rows P of p. Column 0 of p corresponds to column first of the
// matrix, which must be a multiple of simd.Tile. The workers share the work; they may be nil.
func (a *Matrix) AddOuter(alpha float64, p *Panels, first int, workers *parallel.Workers) {
	if p.rows == 0 {
		return
	}
	if p.rows*p.tiles*p.tiles < worthAThread {
		workers = nil
	}
	if workers == nil { // a closure would be an allocation
		for i := range p.tiles {
			a.addTiles(alpha, p, first, i)
		}
		return
	}
	workers.Do(p.tiles, func(i int) { a.addTiles(alpha, p, first, i) })
}

// addTiles is AddOuter for the tiles in row i of tiles.
func (a *Matrix) addTiles(alpha float64, p *Panels, first, i int) {
	at := (first + i*simd.Tile) * a.Stride
	for j := i; j < p.tiles; j++ {
		simd.AddOuter(alpha, p.panel(i), p.panel(j), a.Data[at+first+j*simd.Tile:], a.Stride)
	}
}

// worthAThread is how many rows times tiles are worth waking a thread. It is derived: at some 20 ns
// each they take 80 µs, ten times as long as waking a thread.
const worthAThread = 1 << 12
