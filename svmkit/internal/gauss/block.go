package gauss

import (
	"context"

	"github.com/svmkit/course/svmkit/internal/simd"
)

// Block is the square of kernel values of a working set, in float32.
type Block struct {
	Set    []int32 // by slot: the row
	values []float32
	panels []float32 // of its rows, as in packed, if they are dense
}

// NewBlock returns a block of q slots, all for row 0, without values.
func NewBlock(q int) Block {
	return Block{Set: make([]int32, q), values: make([]float32, q*q)}
}

// Line returns the values of slot s with all slots.
func (b *Block) Line(s int) []float32 { return b.values[s*len(b.Set):][:len(b.Set)] }

// Renew computes the lines and columns of b that belong to the slots fresh, which must be
// increasing and whose rows have changed. The value of a row with itself is 1. The error is the
// error of ctx.
func (g *Rows) Renew(ctx context.Context, b *Block, fresh []int32) error {
	q := len(b.Set)
	const lanes = simd.Panel32
	p := g.single()
	own, isFresh := make([]int32, len(fresh)), make([]bool, q)
	for k, s := range fresh {
		own[k], isFresh[s] = b.Set[s], true
	}
	var sparse *simd.Sparse[float32]
	if p.rows != nil {
		sparse = p.packSparse(g.chosen(b.Set))
	} else {
		if b.panels == nil {
			b.panels = make([]float32, (q+lanes-1)/lanes*lanes*p.d)
		}
		for k, s := range fresh {
			p.copyRow(b.panels, int(s), lanes, int(own[k]))
		}
	}
	unit, numbers := p.unit()
	units := (len(own) + unit - 1) / unit
	table := p.newBatch(units)
	defer p.batches.Put(table)
	p.fill(table, g.chosen(own), own, nil)
	err := g.share(ctx, (q+lanes-1)/lanes, func(panel int) {
		from, to := panel*lanes, min((panel+1)*lanes, q)
		tile := make([]float32, lanes*unit)
		across, along := lanes, 1 // in the tile: from row to row of fresh, and from slot to slot
		if p.rows != nil {
			across, along = 1, unit
		}
		for u := 0; u < units && ctx.Err() == nil; u++ {
			z := table.z[u*numbers:][:numbers]
			if p.rows != nil {
				simd.SparseGaussBlock32(tile[:(to-from)*unit], sparse, from, z)
			} else {
				simd.GaussBlock32(tile, b.panels[panel*lanes*p.d:][:lanes*p.d], z, p.d)
			}
			slots := fresh[u*unit : min(len(fresh), (u+1)*unit)]
			for k, s := range slots {
				line, values := b.Line(int(s))[from:to], tile[k*across:]
				if along == 1 {
					copy(line, values)
					continue
				}
				for r := range line {
					line[r] = values[r*along]
				}
			}
			for r := from; r < to; r++ {
				if isFresh[r] { // the loop above writes its line, in every panel
					continue
				}
				line, values := b.Line(r), tile[(r-from)*along:]
				for k, s := range slots {
					line[s] = values[k*across]
				}
			}
		}
	})
	for _, s := range fresh {
		b.Line(int(s))[s] = 1
	}
	return err
}
