// Package simd holds the loops in which the solvers spend their time.
//
// Each loop is here in plain Go, its twin, and most are also in assembly for amd64 processors with
// AVX2 and FMA, or AVX-512 where that is faster. The choice is made once, when the program starts.
// Other processors, and builds with the tag purego, use the twins. The assembly is written by
// the generator in gen, a module of its own; go generate runs it.
//
//	dense.go, rows.go          inner products, sums of vectors, a matrix times a vector
//	sparse.go, sparserows.go   the same for sparse rows; prefetch.go: rows that are needed soon
//	outer.go                   tiles of a sum of outer products
//	ramp.go, rampvalues.go     passes over the hinge and its squares, for a Newton method
//	tile.go, tile_sparse.go    Gaussian kernels, computed and used in registers
//	tile_pair.go               the two passes of a step of sequential minimal optimisation
//
// # What a caller may rely on
//
// A result depends on nothing but the numbers, their order and the lengths: not on where
// the slices begin in memory, and not on the goroutine. So the same input gives the same
// bits on the same machine.
//
// Assembly and twin add in different orders and round differently (a fused
// multiply-add rounds once, where Go's product and sum round twice), so they may differ in
// the last bits. For a sum of n products both stay within n·2⁻⁵³·Σ|aᵢbᵢ| of the exact sum
// (for n well below 2⁵³); the tests hold both to that bound. Where one of the numbers is NaN or
// infinite both give what IEEE 754 demands of the sum in some order.
//
// Lengths that do not match panic, and so does a column index outside its vector: no input
// makes a function here read or write outside the slices it was given. ([SparseRows] and [Sparse] check
// their indices once, when they are set.)
package simd
