// Package gauss evaluates the kernel κ(x,z) = exp(−γ‖x−z‖²) between a data set and many other rows.
// It computes blocks of values, and weighted sums Σₖ wₖκ(zₖ,xᵢ) for all i, in float64 for scores
// and certificates and in float32 for a solver's own steps:
//
//	g := gauss.New(gamma, rows, columns, nil) // nil if the data do not suit it
//	err := g.Sums(ctx, sums, z, weights)      // not for the rows of g.Far()
//
// Values are used where they are computed and are not stored. Several threads take part, and the
// bits do not depend on their number.
//
// # Method
//
// With c = √(2γ·log₂e) and any centre m, κ = 2^E with
//
//	E = ⟨c(x−m), c(z−m)⟩ − ½‖c(x−m)‖² − ½‖c(z−m)‖²,
//
// a matrix product, for which package simd has tiles. Dense rows are centred, because a sum of
// squares far from the origin would lose the digits of the distance. Rows with few non-zero numbers
// are not centred, because they would then have many.
//
// # Accuracy
//
// The float64 sums have an error of at most 1e-9·Σ|wₖ|, and of about 1e-14·Σ|wₖ| on data that are
// scaled properly, because the rounding error of E grows with γ‖x−m‖². Rows so far from the centre
// that the bound would not hold are not computed here at all: see [Rows.Far].
package gauss

import (
	"context"
	"math"
	"slices"
	"sync"

	"github.com/svmkit/course/svmkit"
	"github.com/svmkit/course/svmkit/internal/parallel"
)

// Rows is a prepared data set. It does not change after New and may be shared. With workers, only
// one call at a time may use it.
type Rows struct {
	rows    []svmkit.Row
	workers *parallel.Workers
	width   int
	scale   float64   // c
	centre  []float64 // m; nil if the rows are treated as sparse
	dense   bool      // some row is dense: then no row has a column beyond width
	far     []int32   // rows whose float64 sums are not exact
	coarse  bool      // float32 has too few digits for some row
	limit   float64   // of half, for rows that are not far

	terms   int       // largest number of terms of an inner product
	half    []float64 // ½‖c(x−m)‖²
	largest float64   // largest number in half

	single func() *packed[float32]
	double func() *packed[float64]
}

const (
	// mostlyFull is the share of non-zero numbers from which on rows are treated as dense: a number
	// of a sparse row costs about two and a half times as much as a number of a dense row. Without
	// the sparse tiles, the kernel rows of a9a (11 % of the numbers are not zero) take twice the
	// time, and those of mushrooms (19 %) 1.4 times. Between 0.3 and 0.7 no set differs. Benchmark:
	// go run -C tools ./bench -rows kernel a9a mushrooms
	mostlyFull = 0.4
	// widestTable is the number of columns up to which pivots are spread out. It is derived: a
	// table of so many lines of 256 bytes has 16 MB, and a larger one leaves the caches.
	widestTable = 1 << 16
	// farBound is the largest error of E that float64 sums may have, as the package promises.
	// coarseBound is the same for float32, an error of 1.4 % of a kernel value; float32 takes a
	// fifth of the time of single kernel values.
	// Benchmark: go run -C tools ./bench -rows kernel magic
	farBound    = 1e-9
	coarseBound = 0.02
	// tooFar is half a squared norm near the largest float32, 3e38, with a margin for the products
	// of rows.
	tooFar = 1e30
)

// New prepares rows of up to the given number of columns. It returns nil for data that do not suit
// it: too many columns, numbers whose squares overflow, no numbers at all, or dense rows of another
// width. The workers do the work, or GOMAXPROCS goroutines if workers is nil.
func New(gamma float64, rows []svmkit.Row, width int, workers *parallel.Workers) *Rows {
	for _, x := range rows {
		if n := len(x.Index); n > 0 {
			width = max(width, int(x.Index[n-1])+1)
		}
	}
	g := &Rows{rows: rows, workers: workers, width: width, scale: math.Sqrt(2 * gamma * math.Log2E)}
	for _, x := range rows {
		if x.Index == nil && len(x.Value) != width {
			return nil
		}
		g.dense = g.dense || x.Index == nil
	}
	filled := g.filled()
	g.terms = width
	if float64(filled) >= mostlyFull*float64(width)*float64(len(rows)) {
		g.centre = middle(rows, width)
	} else {
		if width > widestTable {
			return nil
		}
		g.terms = 0
		for _, x := range rows {
			g.terms = max(g.terms, len(x.Value))
		}
	}
	// limit bounds ½‖c(x−m)‖², because the error of E is below 2(d+4)ε times the sum of this number
	// for x and for z. It is at least 2048: a row four times as far has κ = 0 with all other rows.
	limit := farBound / (8 * float64(g.terms+4) * 0x1p-53)
	limit = max(limit, 2048)
	g.limit = limit
	coarse := coarseBound / (4 * math.Sqrt(float64(g.terms+4)) * 0x1p-24)
	g.half = make([]float64, len(rows))
	g.share(context.Background(), partialSums, func(s int) {
		buffer := make([]float64, width)
		for i := s * len(rows) / partialSums; i < (s+1)*len(rows)/partialSums; i++ {
			g.half[i] = g.spread(buffer, rows[i])
		}
	})
	for i, half := range g.half {
		if !(half < tooFar) {
			return nil
		}
		if half > limit {
			g.far = append(g.far, int32(i))
		}
		g.coarse = g.coarse || half > coarse
		g.largest = max(g.largest, half)
	}
	g.packLater()
	return g
}

// filled returns the number of non-zero numbers.
func (g *Rows) filled() (count int) {
	var counts [partialSums]int
	g.share(context.Background(), partialSums, func(s int) {
		for _, x := range g.rows[s*len(g.rows)/partialSums : (s+1)*len(g.rows)/partialSums] {
			for _, v := range x.Value {
				if v != 0 {
					counts[s]++
				}
			}
		}
	})
	for _, n := range counts {
		count += n
	}
	return count
}

// packLater makes the layouts of package simd when they are first needed.
func (g *Rows) packLater() {
	g.single = sync.OnceValue(func() *packed[float32] { return pack(g, simd32) })
	g.double = sync.OnceValue(func() *packed[float64] { return pack(g, simd64) })
}

// Subset returns the given rows, prepared in the same way. No row of g may be [Rows.Far].
func (g *Rows) Subset(which []int32) *Rows {
	s := &Rows{rows: g.chosen(which), workers: g.workers, width: g.width,
		scale: g.scale, centre: g.centre, dense: g.dense,
		terms: g.terms, limit: g.limit, half: make([]float64, len(which)), largest: g.largest}
	for k, i := range which {
		s.half[k] = g.half[i]
	}
	s.packLater()
	return s
}

// Far returns the rows whose sums [Rows.Sums] does not promise to be exact. They lie so far from
// all other rows, in units of the width of the kernel, that the norms of two of them hide their
// distance.
func (g *Rows) Far() []int32 { return g.far }

// Coarse reports whether float32 has too few digits for [Rows.Add] and [Rows.Renew] to be useful.
func (g *Rows) Coarse() bool { return g.coarse }

// Fits reports whether [Rows.Sums] can take a row that is not in the set. The row must be sparse,
// or dense with the width of the set, and have no number whose square overflows.
func (g *Rows) Fits(z svmkit.Row) bool {
	n := len(z.Index)
	if z.Index == nil && len(z.Value) != g.width ||
		g.dense && n > 0 && int(z.Index[n-1]) >= g.width {
		return false
	}
	return g.scale*g.scale*z.SquaredNorm() < tooFar
}

// sampled is how many rows the centre is made of; 15 or 255 make no difference.
// Benchmark: go run -C tools ./bench -rows kernel spambase magic
const sampled = 63

// middle returns, column by column, the median of a sample of the rows. Unlike the mean, it stays
// with most rows if a few are far away.
func middle(rows []svmkit.Row, width int) []float64 {
	n := min(len(rows), sampled)
	sample := make([]float64, n*width)
	for k := range n {
		x := rows[k*len(rows)/n]
		for p, v := range x.Value {
			sample[column(x, p)*n+k] = v
		}
	}
	m := make([]float64, width)
	for j := range m {
		column := sample[j*n:][:n]
		slices.Sort(column)
		m[j] = column[n/2]
	}
	return m
}

// spread sets to, of the set's width, to c(x−m) and returns ½‖c(x−m)‖². The row x is a row of the
// set, or a sparse row; its columns beyond the width add to the norm only.
func (g *Rows) spread(to []float64, x svmkit.Row) (half float64) {
	if g.centre == nil {
		clear(to)
	}
	for j, m := range g.centre {
		to[j] = -g.scale * m
	}
	for k, v := range x.Value {
		switch j := column(x, k); {
		case j >= len(to):
			half += (g.scale * v) * (g.scale * v)
		case g.centre == nil:
			to[j] = g.scale * v
		default:
			to[j] = g.scale * (v - g.centre[j])
		}
	}
	for _, v := range to {
		half += v * v
	}
	return half / 2
}

// column returns the column of the k-th stored number.
func column(x svmkit.Row, k int) int {
	if x.Index == nil {
		return k
	}
	return int(x.Index[k])
}
