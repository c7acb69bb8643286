package simd

import "unsafe"

// A prefetch asks the processor to bring something into its cache, so that it is there a few visits
// later. It is a hint: it changes no result, and does nothing where plain Go is used. Rows that are
// visited in random order cost up to twice the time without it, once they no longer fit in
// the cache.

// PrefetchRow asks for the numbers of a row.
func PrefetchRow(index []int32, value []float64) {
	const most = 256 // numbers; longer rows are streams, which the processor sees by itself
	prefetchRow(index[:min(len(index), most)], value[:min(len(value), most)])
}

// Prefetch asks for what p points to, no longer than 64 bytes.
func Prefetch[T any](p *T) {
	first := unsafe.Pointer(p)
	prefetchBytes((*byte)(first), (*byte)(unsafe.Add(first, max(unsafe.Sizeof(*p), 1)-1)))
}
