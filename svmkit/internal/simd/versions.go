package simd

// The versions of the loops in use: the generic ones, unless the assembly for this processor has
// taken their place.
var (
	mulRows   = mulRowsGo
	mulSparse = mulSparseGo
	addOuter  = addOuterGo
	rampSlope = rampSlopeGo
	rampMove  = rampMoveGo

	gaussSums32  = gaussSumsGo[float32]
	gaussSums64  = gaussSumsGo[float64]
	gaussBlock32 = gaussBlock32Go
	gaussBoth64  = gaussBoth64Go

	sparseGaussSums32  = sparseGaussSumsGo[float32]
	sparseGaussSums64  = sparseGaussSumsGo[float64]
	sparseGaussBlock32 = sparseGaussBlock32Go
)

// Assembly for whole vectors of eight numbers; nil if there is none. The generic version does the
// remainder, which comes last, so of equal values the first one is found.
var (
	rampVectors func(top, scale float64, a, weight, sign, value []float64, moved []int32,
		change []float64) int
	pairVectors func(score []float64, a, b []float32, da, db float64,
		up, down []float64) (most float64, first int, least float64)
	partnerVectors func(score, down, soft []float64, row []float32,
		u, own, least float64) (best float64, at int)
)
