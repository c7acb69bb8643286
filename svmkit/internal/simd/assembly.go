//go:build amd64 && !purego

package simd

import (
	"math"

	"golang.org/x/sys/cpu"
)

//go:generate go run -C gen . ..

// What this processor and its operating system support. Tests switch them off to test every path.
var (
	hasAVX2   = cpu.X86.HasAVX2 && cpu.X86.HasFMA
	hasAVX512 = hasAVX2 && cpu.X86.HasAVX512F && cpu.X86.HasAVX512DQ && cpu.X86.HasAVX512BW &&
		cpu.X86.HasAVX512VL
)

func init() { useAssembly() }

// useAssembly replaces the generic versions as far as the processor allows.
func useAssembly() {
	if hasAVX2 {
		mulRows, mulSparse, addOuter = mulRowsAVX2, mulSparseFMA, addOuterAVX2
		rampSlope, rampMove, rampVectors = rampSlopeAVX2, rampMoveAssembly, rampValuesAVX2
		gaussSums32, gaussSums64 = gaussSums32AVX2, gaussSums64AVX2
		gaussBlock32, gaussBoth64 = gaussBlock32AVX2, gaussBoth64AVX2
		sparseGaussSums32, sparseGaussSums64 = sparseGaussSums32AVX2, sparseGaussSums64AVX2
		sparseGaussBlock32 = sparseGaussBlock32AVX2
		pairVectors, partnerVectors = movePairAVX2, bestPartnerAVX2
	}
	if hasAVX512 {
		rampVectors = rampValuesAVX512
		gaussSums32, gaussSums64 = gaussSums32AVX512, gaussSums64AVX512
		gaussBlock32, gaussBoth64 = gaussBlock32AVX512, gaussBoth64AVX512
		sparseGaussSums32, sparseGaussSums64 = sparseGaussSums32AVX512, sparseGaussSums64AVX512
		sparseGaussBlock32 = sparseGaussBlock32AVX512
		pairVectors, partnerVectors = movePairAVX512, bestPartnerAVX512
	}
}

// Dot and Axpy are called for the shortest vectors: a call through a variable would be felt.

func dot(a, b []float64) float64 {
	if hasAVX2 {
		return dotAVX2(a, b)
	}
	return dotGo(a, b)
}

func axpy(a float64, x, y []float64) {
	if hasAVX2 {
		axpyAVX2(a, x, y)
		return
	}
	axpyGo(a, x, y)
}

func rampMoveAssembly(step, top float64, a, c, anchor, weight []float64) (loss, excess float64) {
	if math.IsInf(top, 1) {
		return squareMoveAVX2(step, a, c, anchor, weight), 0
	}
	return rampMoveAVX2(step, top, a, c, anchor, weight)
}
