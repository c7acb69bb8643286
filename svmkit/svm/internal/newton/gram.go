package newton

import (
	"math"

	"github.com/svmkit/course/svmkit/internal/parallel"
	"github.com/svmkit/course/svmkit/internal/posdef"
	"github.com/svmkit/course/svmkit/internal/simd"
	"github.com/svmkit/course/svmkit/svm/internal/core"
)

// gram is G = Σ cᵢ·x̃ᵢx̃ᵢᵀ, the part of the Hessian that depends on the data. It is updated by the
// rows whose cᵢ changes, which are few between two steps near the optimum.
type gram struct {
	x   *design
	sum *posdef.Matrix
	// last is the column of the bias, Σ cᵢ·x̃ᵢ, for sparse rows. It is nil if the column is in sum.
	last   []float64
	factor *posdef.Factor
	ridge  []float64

	direct bool       // add sparse rows one by one, not by panels
	split  int        // the rows of G before it are half of that work
	parts  []gramPart // otherwise: what parts of the rows add

	list              []int32 // arguments of addSparse and addPanels
	change            []float64
	used              int // number of parts in use
	addSplit, addPart func(part int)
}

// gramPart is what a part of the rows adds to G.
type gramPart struct {
	sum    *posdef.Matrix // G itself in the first part
	panels *posdef.Panels
}

const (
	// panelRows is how many rows are added to G at once. G is read and written once for them, and
	// two of their panels fit in a first-level cache. No row of the benchmark depends on it from 16
	// to 512.
	panelRows = 128
	// smallGram is the size of G up to which there are core.MostParts parts of leastPart rows or
	// more. Each part has a sum and panels of at most 128 kB each. For larger G the threads share
	// the tiles of G.
	smallGram, leastPart = 128, 256
	// batchRows is how many rows are added between two checks of the context if G is small.
	batchRows = 1 << 14
	// sparseOuterCost is the cost of a product in a sparse outer product, relative to a dense one.
	// a9a and mushrooms take as long from 1.5 to 24, and 20 to 90 % longer with 96, by panels.
	// MNIST, where a fifth of the values is stored, takes twice as long by panels.
	// Benchmark: go run -C tools ./bench -rows linear a9a mushrooms
	sparseOuterCost = 12
	// outerSample is about how many rows are looked at to estimate the cost of sparse outer
	// products. No row of the benchmark depends on it from 125 to 8,000.
	outerSample = 1000
)

func newGram(x *design) *gram {
	g := &gram{x: x, sum: posdef.New(x.m), factor: posdef.NewFactor(x.m), ridge: x.vector(),
		parts: make([]gramPart, 1)}
	if x.m <= smallGram {
		g.parts = make([]gramPart, core.MostParts)
	}
	g.addSplit, g.addPart = g.addSparse, g.addPanels
	if x.flat != nil {
		return g
	}
	if x.bias {
		g.last = x.vector()
	}
	// work counts the products in each row of G.
	work, total, rows := make([]float64, x.t.Dim), 0.0, 0.0
	for i := 0; i < x.n; i += 1 + x.n/outerSample {
		index, _ := x.sparse.Row(i)
		for k, j := range index {
			work[j] += float64(len(index) - k)
			total += float64(len(index) - k)
		}
		rows++
	}
	g.direct = total*sparseOuterCost < rows*float64(x.m)*float64(x.m)/2
	for before := 0.0; g.split < len(work) && before < total/2; g.split++ {
		before += work[g.split]
	}
	return g
}

// clear sets G to 0.
func (g *gram) clear() {
	clear(g.sum.Data)
	clear(g.last)
}

// add adds Σ change[k]·x̃ᵢx̃ᵢᵀ, i = list[k], to G.
func (g *gram) add(list []int32, change []float64) {
	if g.last != nil {
		g.x.addRows(g.last, list, change)
	}
	if g.direct {
		g.list, g.change = list, change
		g.x.workers.Do(2, g.addSplit)
		return
	}
	for len(list) > 0 && !g.x.interrupted() {
		n := min(len(list), batchRows)
		g.list, g.change, g.used = list[:n], change[:n], max(1, min(len(g.parts), n/leastPart))
		g.x.workers.Do(g.used, g.addPart)
		for _, p := range g.parts[1:g.used] {
			simd.Axpy(1, p.sum.Data, g.sum.Data)
		}
		list, change = list[n:], change[n:]
	}
}

// addPanels is add for a part of the rows, by panels, into the sum of the part.
func (g *gram) addPanels(part int) {
	p := &g.parts[part]
	switch {
	case p.panels == nil:
		p.sum, p.panels = g.sum, posdef.NewPanels(panelRows, g.x.m)
		if part > 0 {
			p.sum = posdef.New(g.x.m)
		}
	case part > 0:
		clear(p.sum.Data)
	}
	var workers *parallel.Workers
	// This part runs on the caller's thread, because a panel of a large G takes milliseconds.
	alone := len(g.parts) == 1
	if alone {
		workers = g.x.workers
	}
	from, to := part*len(g.list)/g.used, (part+1)*len(g.list)/g.used
	for _, sign := range []float64{1, -1} {
		p.panels.Reset(g.x.m)
		for k := from; k < to; k++ {
			i, c := int(g.list[k]), sign*g.change[k]
			if !(c > 0) {
				continue
			}
			if g.x.flat != nil {
				p.panels.Add(math.Sqrt(c), g.x.flat[i*g.x.stride:][:g.x.m])
			} else {
				index, value := g.x.sparse.Row(i)
				p.panels.AddSparse(math.Sqrt(c), index, value)
			}
			if p.panels.Full() {
				if alone && g.x.interrupted() {
					return
				}
				p.sum.AddOuter(sign, p.panels, 0, workers)
				p.panels.Reset(g.x.m)
			}
		}
		p.sum.AddOuter(sign, p.panels, 0, workers)
	}
}

// addSparse is add for sparse rows, one by one. Part 0 adds to the rows of G before the split, part
// 1 to the rows from the split on.
func (g *gram) addSparse(part int) {
	from, to := 0, g.split
	if part == 1 {
		from, to = g.split, g.x.m
	}
	for k, i := range g.list {
		if k%rowsBetweenChecks == 0 && g.x.ctx.Err() != nil {
			return
		}
		index, value := g.x.sparse.Row(int(i))
		g.sum.AddSparse(g.change[k], index, value, from, to)
	}
}

// square returns vᵀGv.
func (g *gram) square(v []float64) float64 {
	sum := 0.0
	for i, vi := range v {
		row := g.sum.Row(i)
		sum += vi * (2*simd.Dot(row, v[i:]) - row[0]*vi)
	}
	return sum
}

// solve sets p to the solution of (G + diag(ridge))·p = b. If rounding has made the matrix
// indefinite, its diagonal is multiplied by the least of the factors 1 + 1e-14, 1 + 1e-12, … that
// helps. solve returns false if none helps, which means that there is a NaN. If an entry of the
// diagonal is not positive, as for a free bias while all c = 0, 1 is added to it.
func (g *gram) solve(p, b, ridge []float64) bool {
	m := g.x.m
	for i, v := range g.last {
		g.sum.Data[i*g.sum.Stride+m-1] = v
	}
	for boost := 0.0; boost < 1; boost = max(1e-14, 100*boost) {
		for j, v := range ridge {
			diagonal := v + g.sum.Data[j*g.sum.Stride+j]
			if g.ridge[j] = v + boost*diagonal; !(diagonal > 0) {
				g.ridge[j] = 1
			}
		}
		if g.factor.Factorize(g.sum, g.ridge, g.x.workers) {
			g.factor.Solve(p, b)
			return true
		}
	}
	return false
}

// rebuildAfter is how many steps may add to sums, in which rounding errors accumulate, before the
// sums are computed again. No row of the benchmark depends on it from 5 to 80.
const rebuildAfter = 20
