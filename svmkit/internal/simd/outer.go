package simd

// Tile is the edge of the square tiles that AddOuter works on. It is derived: half of a tile is the
// eight registers of AVX2 that four rows of products fill.
const Tile = 8

// AddOuter adds alpha·AᵀB to the Tile×Tile block at the start of c, whose rows are stride apart. A
// and B are panels of Tile columns and any number of rows: row r of A is a[Tile·r : Tile·r+Tile].
// It panics unless a and b have the same length, a multiple of Tile, and c holds the block.
//
// A sum of outer products of long rows, divided into such panels, is a loop over the blocks of the
// matrix. Each block is read and written once for all rows of the panels, which stay in the cache.
//
// Without the assembly, squared hinge on the drawn set takes 2.8 times as long, and hinge on magic
// 31 % longer. Benchmark: go run -C tools -tags purego ./bench -rows linear drawn,n=20000,d=100
// magic
func AddOuter(alpha float64, a, b, c []float64, stride int) {
	if len(a) != len(b) || len(a)%Tile != 0 || stride < Tile || len(c) < (Tile-1)*stride+Tile {
		panic("simd: AddOuter of panels or a block of the wrong size")
	}
	addOuter(alpha, a, b, c, stride)
}

// addOuterGo is the generic version of AddOuter. It keeps 2×4 numbers of the block in registers at
// a time.
func addOuterGo(alpha float64, a, b, c []float64, stride int) {
	for i := 0; i < Tile; i += 2 {
		for j := 0; j < Tile; j += 4 {
			var s00, s01, s02, s03, s10, s11, s12, s13 float64
			for r := 0; r+Tile <= len(a) && r+Tile <= len(b); r += Tile {
				x := (*[2]float64)(a[r+i:])
				y := (*[4]float64)(b[r+j:])
				s00 += x[0] * y[0]
				s01 += x[0] * y[1]
				s02 += x[0] * y[2]
				s03 += x[0] * y[3]
				s10 += x[1] * y[0]
				s11 += x[1] * y[1]
				s12 += x[1] * y[2]
				s13 += x[1] * y[3]
			}
			z := (*[4]float64)(c[i*stride+j:])
			z[0] += alpha * s00
			z[1] += alpha * s01
			z[2] += alpha * s02
			z[3] += alpha * s03
			z = (*[4]float64)(c[(i+1)*stride+j:])
			z[0] += alpha * s10
			z[1] += alpha * s11
			z[2] += alpha * s12
			z[3] += alpha * s13
		}
	}
}
