// Package simd holds the loops in which the solvers spend their time:
//
//	score := simd.Dot(x, w)       // ⟨x,w⟩
//	simd.Axpy(change, x, w)       // w += change·x
//	simd.MulRows(rows, w, scores) // all scores of a dense matrix
//
// Each loop has a generic version in plain Go, and most also have assembly for amd64 processors
// with AVX2 and FMA, or with AVX-512 if that is faster. The choice is made once, when the program
// starts. Other processors, and builds with the tag purego, use the generic versions. The generator
// in gen, a module of its own, writes the assembly; go generate runs it.
//
//	dense.go, rows.go          inner products, sums of vectors, a matrix times a vector
//	sparse.go, sparserows.go   the same for sparse rows
//	prefetch.go                rows that are needed soon
//	outer.go                   tiles of a sum of outer products
//	ramp.go, rampvalues.go     passes over the hinge and its squares, for a Newton method
//	tile.go, tile_sparse.go    Gaussian kernels, computed and used in registers
//	tile_pair.go               the two passes of a step of sequential minimal optimisation
//
// # What a caller may rely on
//
// A result depends only on the numbers, their order and the lengths. It does not depend on where
// the slices start in memory, nor on the goroutine. So the same input gives the same bits on the
// same machine.
//
// Assembly and generic version add in different orders and round differently (a fused multiply-add
// rounds once, whereas Go's product and sum round twice), so they may differ in the last bits. For
// a sum of n products both stay within n·2⁻⁵³·Σ|aᵢbᵢ| of the exact sum, for n well below 2⁵³, and
// the tests check this bound for both. If one of the numbers is NaN or infinite, both give what
// IEEE 754 requires of the sum in some order.
//
// Lengths that do not match panic, and so does a column index outside its vector: no input makes a
// function here read or write outside the slices it was given. ([SparseRows] and [Sparse] check
// their indices once, when they are set.)
package simd
