package simd

import "unsafe"

// A prefetch asks the processor to load something into its cache, so that it is there a few visits
// later. It is a hint: it changes no result, and the generic version does nothing. Without
// prefetches an epoch takes 20 to 27 % longer.
// Benchmark: go run -C tools ./bench -rows epoch drawn,n=100000,d=50000,density=0.001

// PrefetchRow prefetches the numbers of a row.
func PrefetchRow(index []int32, value []float64) {
	// most is in numbers, 3 KB. The processor prefetches the end of longer rows by itself. In the
	// benchmark above 32 to 1024 are as good.
	const most = 256
	prefetchRow(index[:min(len(index), most)], value[:min(len(value), most)])
}

// Prefetch prefetches what p points to, which must not be longer than 64 bytes.
func Prefetch[T any](p *T) {
	first := unsafe.Pointer(p)
	prefetchBytes((*byte)(first), (*byte)(unsafe.Add(first, max(unsafe.Sizeof(*p), 1)-1)))
}
