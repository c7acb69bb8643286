package gauss

import (
	"context"

	"github.com/svmkit/course/svmkit"
	"github.com/svmkit/course/svmkit/internal/simd"
)

// Block is the square of kernel values of a working set, in float32. Slot s holds the row Set[s]; its
// values stand at K[s·len(Set)] … .
type Block struct {
	Set []int32
	K   []float32
}

// Renew computes the lines and columns of b that belong to the slots fresh, whose rows have changed. The values of
// a row with itself are 1. The error is ctx's.
func (g *Rows) Renew(ctx context.Context, b *Block, fresh []int32) error {
	q := len(b.Set)
	rows, z := make([]svmkit.Row, q), make([]svmkit.Row, len(fresh))
	for s, i := range b.Set {
		rows[s] = g.rows[i]
	}
	isFresh := make([]bool, q)
	for k, s := range fresh {
		z[k], isFresh[s] = rows[s], true
	}
	own := *g
	own.rows = rows
	p := pack(&own, simd32)
	unit, numbers := p.unit()
	units := (len(z) + unit - 1) / unit
	table := batch[float32]{z: make([]float32, units*numbers), weight: make([]float32, units*unit)}
	p.fill(&table, z, make([]float64, len(z)))
	const lanes = simd.Panel32
	err := share(ctx, (q+lanes-1)/lanes, func(panel int) {
		from, to := panel*lanes, min((panel+1)*lanes, q)
		tile := make([]float32, lanes*unit)
		for u := range units {
			if ctx.Err() != nil {
				return
			}
			across, along := lanes, 1 // of the tile: from slot to slot of fresh, and from row to row
			if p.rows != nil {
				across, along = 1, unit
				simd.SparseGaussBlock32(tile[:(to-from)*unit], p.rows, from, table.z[u*numbers:][:numbers])
			} else {
				simd.GaussBlock32(tile, p.panels[panel*lanes*p.d:][:lanes*p.d], table.z[u*numbers:][:numbers], p.d)
			}
			for k, s := range fresh[u*unit : min(len(fresh), (u+1)*unit)] {
				line := b.K[int(s)*q:][:q]
				for r := from; r < to; r++ {
					v := tile[k*across+(r-from)*along]
					line[r] = v
					if !isFresh[r] { // a fresh line is written by its own turn
						b.K[r*q+int(s)] = v
					}
				}
			}
		}
	})
	for _, s := range fresh {
		b.K[int(s)*q+int(s)] = 1
	}
	return err
}
