package gauss

import (
	"context"

	"github.com/svmkit/course/svmkit/internal/simd"
)

const (
	// ownRows is how many rows of z are taken at a time. It is derived: the common multiple of
	// panels and groups nearest to stepRows.
	ownRows = 96
	// partialSums is the number of partial sums of all rows. They are added at the end, so that the
	// bits do not depend on the number of threads, and at most partialSums threads take part. They
	// cost as many sums of all rows in memory.
	partialSums = 16
)

// OwnSums adds Σⱼ weights[j]·κ(xⱼ, xᵢ) over the rows of the set itself to sums[i], in float64. If
// rows are dense, it does half the work of [Rows.Sums], because κ(xⱼ,xᵢ) = κ(xᵢ,xⱼ). The sums of
// the rows of [Rows.Far] are not valid. The error is the error of ctx; then no sum is valid.
//
// With Sums instead, magic (C = 1, all rows) takes 11 % longer, and kin8nm and cadata 3 %.
// Benchmark: go run -C tools ./bench -rows kernel magic kin8nm cadata
func (g *Rows) OwnSums(ctx context.Context, sums, weights []float64) error {
	p := g.double()
	if p.rows != nil {
		return p.add(ctx, sums, g.rows, nil, weights)
	}
	n := len(g.rows)
	blocks := (n + ownRows - 1) / ownRows
	own := make([]float64, blocks*ownRows) // the rows that the last panel lacks have weight 0
	copy(own, weights)
	partial := make([][]float64, min(partialSums, blocks))
	err := g.share(ctx, len(partial), func(s int) {
		partial[s] = make([]float64, len(own))
		b := newOwnBlock(p)
		for j := s; j < blocks && ctx.Err() == nil; j += len(partial) {
			b.add(partial[s], own, j*ownRows, min(n, (j+1)*ownRows))
		}
	})
	if err != nil { // some partial sums may not exist
		return err
	}
	for _, part := range partial {
		for i := range sums {
			sums[i] += part[i]
		}
	}
	return nil
}

// ownBlock is some rows of the set, taken as rows of z.
type ownBlock struct {
	p        *packed[float64]
	z, parts []float64
	rows     []int32
	step     int // number of groups per step
}

func newOwnBlock(p *packed[float64]) *ownBlock {
	return &ownBlock{p: p, z: make([]float64, ownRows*p.d),
		parts: make([]float64, ownRows*simd.Parts64), step: p.fit(stepBytes, stepRows)}
}

// add adds the values between rows from ≤ j < to and all rows i ≥ from to the sums of both.
func (b *ownBlock) add(sums, weights []float64, from, to int) {
	const group = simd.TileGroup
	p, size := b.p, b.p.lanes*b.p.d
	b.rows = b.rows[:0]
	for j := from; j < to; j++ {
		b.rows = append(b.rows, int32(j))
	}
	groups := (to - from + group - 1) / group
	for u := range groups {
		p.copyGroup(b.z[u*group*p.d:][:group*p.d], b.rows[u*group:min(len(b.rows), (u+1)*group)])
	}
	clear(b.parts)
	for u := 0; u < groups; u += b.step {
		first, last := u*group, min(u+b.step, groups)*group
		z, w := b.z[first*p.d:last*p.d], weights[from+first:from+last]
		for i := from / p.lanes; i*size < len(p.panels); i++ {
			panel, sum := p.panels[i*size:][:size], sums[i*p.lanes:][:p.lanes]
			if i*p.lanes < from+ownRows { // the square of the block with itself is computed in full
				p.dense(sum, panel, z, w, p.d)
			} else {
				simd.GaussBoth64(sum, panel, z, w, p.d, weights[i*p.lanes:][:p.lanes],
					b.parts[first*simd.Parts64:last*simd.Parts64])
			}
		}
	}
	for j := from; j < to; j++ {
		for _, v := range b.parts[(j-from)*simd.Parts64:][:simd.Parts64] {
			sums[j] += v
		}
	}
}
