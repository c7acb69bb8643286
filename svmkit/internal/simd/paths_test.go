//go:build amd64 && !purego

package simd

import "testing"

// eachPath runs a test on every path this machine has: plain Go, AVX2, AVX-512.
func eachPath(t *testing.T, f func(t *testing.T)) {
	avx2, avx512 := hasAVX2, hasAVX512
	defer func() {
		hasAVX2, hasAVX512 = avx2, avx512
		useGeneric()
		useAssembly()
	}()
	for _, p := range []struct {
		name         string
		avx2, avx512 bool
	}{{"AVX-512", true, true}, {"AVX2", true, false}, {"Go", false, false}} {
		if p.avx2 && !avx2 || p.avx512 && !avx512 {
			continue
		}
		hasAVX2, hasAVX512 = p.avx2, p.avx512
		useGeneric()
		useAssembly()
		t.Run(p.name, f)
	}
}

// useGeneric undoes useAssembly.
func useGeneric() {
	mulRows, mulSparse, addOuter = mulRowsGo, mulSparseGo, addOuterGo
	rampSlope, rampMove, rampVectors = rampSlopeGo, rampMoveGo, nil
	gaussSums32, gaussSums64 = gaussSumsGo[float32], gaussSumsGo[float64]
	gaussBlock32, gaussBoth64 = gaussBlock32Go, gaussBoth64Go
	sparseGaussSums32, sparseGaussSums64 = sparseGaussSumsGo[float32], sparseGaussSumsGo[float64]
	sparseGaussBlock32 = sparseGaussBlock32Go
	pairVectors, partnerVectors = nil, nil
}
