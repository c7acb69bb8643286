package simd

import (
	"math"
	"math/rand/v2"
	"testing"
)

// exp2SmallError and exp2Error are what the tiles promise for 2^x alone.
const (
	exp2SmallError = 2.5e-7
	exp2Error      = 1e-15
)

func TestPowersOfTwo(t *testing.T) {
	rng := rand.New(rand.NewPCG(1, 0))
	for i := range 200_000 {
		x := -130 * rng.Float64()
		if i%3 == 0 {
			x = math.Round(x*32)/32 + rng.NormFloat64()*1e-3
		}
		x = min(x, 1)
		small := float64(float32(x))
		want := math.Exp2(small)
		if small < -126 {
			want = 0
		}
		if got := float64(exp2Small(float32(x))); math.Abs(got-want) > exp2SmallError*want {
			t.Fatalf("float32: 2^%g = %g, want %g", small, got, want)
		}
		x *= 7
		if got, want := exp2(x), math.Exp2(x); math.Abs(got-want) > exp2Error*want {
			t.Fatalf("float64: 2^%g = %g, want %g: off by %g", x, got, want, got/want-1)
		}
	}
	for _, x := range []float64{-2000, math.Inf(-1), -1e300} {
		if exp2(x) != 0 || exp2Small(float32(x)) != 0 {
			t.Errorf("2^%g: %g and %g, want 0", x, exp2(x), exp2Small(float32(x)))
		}
	}
}

// values draws n numbers of size about one over √d.
func values[T float32 | float64](rng *rand.Rand, n, d int) []T {
	v := make([]T, n)
	for i := range v {
		v[i] = T(rng.NormFloat64() / math.Sqrt(float64(d)))
	}
	return v
}

// Every tile against the formula, for all sizes of its loops.
func TestTiles(t *testing.T) { eachPath(t, testTiles) }

func testTiles(t *testing.T) {
	rng := rand.New(rand.NewPCG(2, 0))
	for _, d := range []int{1, 2, 3, 7, 12, 31} {
		for _, m := range []int{0, TileGroup, 2 * TileGroup, 5 * TileGroup} {
			testDense(t, rng, d, m)
		}
		testSparse(t, rng, d)
	}
}

// tileError bounds the error of a sum of up to 64 weighted powers of numbers of this test, in
// units of the type's rounding.
const tileError = 200

func testDense(t *testing.T, rng *rand.Rand, d, m int) {
	panel, z, weight := values[float32](rng, d*Panel32, d), values[float32](rng, d*m, d), values[float32](rng, m, 1)
	sum, block := make([]float64, Panel32), make([]float32, m*Panel32)
	sum[3] = 7
	GaussSums32(sum, panel, z, weight, d)
	GaussBlock32(block, panel, z, d)
	for r := range sum {
		want := 0.0
		if r == 3 {
			want = 7
		}
		for j := range m {
			e := 0.0
			for k := range d {
				e += float64(panel[k*Panel32+r]) * float64(z[(j/TileGroup*d+k)*TileGroup+j%TileGroup])
			}
			want += float64(weight[j]) * math.Exp2(e)
			near(t, "block", float64(block[j*Panel32+r]), math.Exp2(e), tileError*0x1p-24)
		}
		near(t, "float32", sum[r], want, tileError*0x1p-24)
	}
	panel64, z64, weight64, sum64 := values[float64](rng, d*Panel64, d), values[float64](rng, d*m, d), values[float64](rng, m, 1), make([]float64, Panel64)
	GaussSums64(sum64, panel64, z64, weight64, d)
	for r := range sum64 {
		want := 0.0
		for j := range m {
			e := 0.0
			for k := range d {
				e += panel64[k*Panel64+r] * z64[(j/TileGroup*d+k)*TileGroup+j%TileGroup]
			}
			want += weight64[j] * math.Exp2(e)
		}
		near(t, "float64", sum64[r], want, tileError*0x1p-53)
	}
	own, parts, both := values[float64](rng, Panel64, 1), values[float64](rng, m*Parts64, 1), make([]float64, Panel64)
	before := append([]float64(nil), parts...)
	GaussBoth64(both, panel64, z64, weight64, d, own, parts)
	for r := range both {
		near(t, "both", both[r], sum64[r], tileError*0x1p-53)
	}
	for j := range m {
		got, want := 0.0, 0.0
		for r := range Panel64 {
			e := 0.0
			for k := range d {
				e += panel64[k*Panel64+r] * z64[(j/TileGroup*d+k)*TileGroup+j%TileGroup]
			}
			want += own[r] * math.Exp2(e)
		}
		for p := range Parts64 {
			got, want = got+parts[j*Parts64+p], want+before[j*Parts64+p]
		}
		near(t, "of z", got, want, tileError*0x1p-53)
	}
}

func testSparse(t *testing.T, rng *rand.Rand, d int) {
	const n = 9
	start, index := []int{0}, []int32(nil)
	for range n {
		for j := range d {
			if rng.IntN(3) == 0 {
				index = append(index, int32(j))
			}
		}
		start = append(start, len(index))
	}
	value, value64 := values[float32](rng, len(index), d), values[float64](rng, len(index), d)
	x := NewSparse(d, start, index, value, values[float32](rng, n, 1))
	pivots, weight := values[float32](rng, (d+1)*Pivots32, d), values[float32](rng, Pivots32, 1)
	x64 := NewSparse(d, start, index, value64, values[float64](rng, n, 1))
	pivots64, weight64 := values[float64](rng, (d+1)*Pivots64, d), values[float64](rng, Pivots64, 1)
	const from = 2
	sum, sum64, block := make([]float64, n-from), make([]float64, n-from), make([]float32, (n-from)*Pivots32)
	SparseGaussSums32(sum, x, from, pivots, weight)
	SparseGaussSums64(sum64, x64, from, pivots64, weight64)
	SparseGaussBlock32(block, x, from, pivots)
	for r := range sum {
		want, want64 := 0.0, 0.0
		for p := range Pivots32 {
			e := float64(x.offset[from+r]) + float64(pivots[d*Pivots32+p])
			for k := start[from+r]; k < start[from+r+1]; k++ {
				e += float64(x.value[k]) * float64(pivots[int(index[k])*Pivots32+p])
			}
			want += float64(weight[p]) * math.Exp2(e)
			near(t, "sparse block", float64(block[r*Pivots32+p]), math.Exp2(e), tileError*0x1p-24)
		}
		for p := range Pivots64 {
			e := x64.offset[from+r] + pivots64[d*Pivots64+p]
			for k := start[from+r]; k < start[from+r+1]; k++ {
				e += x64.value[k] * pivots64[int(index[k])*Pivots64+p]
			}
			want64 += weight64[p] * math.Exp2(e)
		}
		near(t, "sparse float32", sum[r], want, tileError*0x1p-24)
		near(t, "sparse float64", sum64[r], want64, tileError*0x1p-53)
	}
}

func near(t *testing.T, what string, got, want, tol float64) {
	t.Helper()
	if !(math.Abs(got-want) <= tol*max(1, math.Abs(want))) {
		t.Errorf("%s: %g, want %g", what, got, want)
	}
}

func TestPairPasses(t *testing.T) { eachPath(t, testPairPasses) }

func testPairPasses(t *testing.T) {
	rng := rand.New(rand.NewPCG(3, 0))
	for n := range 70 {
		score, up, down, soft := values[float64](rng, n, 1), values[float64](rng, n, 1), values[float64](rng, n, 1), values[float64](rng, n, 1)
		a, b := values[float32](rng, n, 1), values[float32](rng, n, 1)
		for k := range n {
			switch rng.IntN(5) {
			case 0:
				up[k] = math.Inf(-1)
			case 1:
				down[k] = math.Inf(1)
			case 2: // ties, found by their first place
				score[k], up[k], down[k], a[k], b[k] = 0, 3, -3, 0, 0
			}
			soft[k] = math.Abs(soft[k])
		}
		before := append([]float64(nil), score...)
		pair := [2]float64{rng.NormFloat64(), rng.NormFloat64()}
		most, first, least := MovePair(score, a, b, pair, up, down)
		wantMost, wantFirst, wantLeast := math.Inf(-1), -1, math.Inf(1)
		for k := range n {
			near(t, "score", score[k], before[k]+pair[0]*float64(a[k])+pair[1]*float64(b[k]), 1e-14)
			if up[k]-score[k] > wantMost {
				wantMost, wantFirst = up[k]-score[k], k
			}
			wantLeast = min(wantLeast, down[k]-score[k])
		}
		if most != wantMost || first != wantFirst || least != wantLeast {
			t.Fatalf("n = %d: %g at %d, least %g; want %g at %d, %g", n, most, first, least, wantMost, wantFirst, wantLeast)
		}
		const flat = 0.7 // above some of the curvatures, which are random
		got, best, want := BestPartner(score, down, soft, a, 0.5, 2, flat), 0.0, -1
		for k := range n {
			slope := 0.5 - (down[k] - score[k])
			gain := slope * slope / max(2+soft[k]-2*float64(a[k]), flat)
			if slope > 0 && gain > best {
				best, want = gain, k
			}
		}
		if got != want {
			t.Fatalf("n = %d: partner %d, want %d", n, got, want)
		}
	}
}

func BenchmarkTiles(b *testing.B) {
	rng := rand.New(rand.NewPCG(4, 0))
	const d, m = 12, 20 * TileGroup
	panel, z, weight := values[float32](rng, d*Panel32, d), values[float32](rng, d*m, d), values[float32](rng, m, 1)
	sum := make([]float64, Panel32)
	per := func(b *testing.B, evaluations int) {
		b.ReportMetric(float64(b.Elapsed().Nanoseconds())/float64(b.N)/float64(evaluations), "ns/value")
	}
	b.Run("GaussSums32", func(b *testing.B) {
		for b.Loop() {
			GaussSums32(sum, panel, z, weight, d)
		}
		per(b, m*Panel32)
	})
	panel64, z64, weight64 := values[float64](rng, d*Panel64, d), values[float64](rng, d*m, d), values[float64](rng, m, 1)
	b.Run("GaussSums64", func(b *testing.B) {
		for b.Loop() {
			GaussSums64(sum[:Panel64], panel64, z64, weight64, d)
		}
		per(b, m*Panel64)
	})
	own, parts := make([]float64, Panel64), make([]float64, m*Parts64)
	b.Run("GaussBoth64", func(b *testing.B) {
		for b.Loop() {
			GaussBoth64(sum[:Panel64], panel64, z64, weight64, d, own, parts)
		}
		per(b, m*Panel64)
	})
	const n = 1024
	score, up, down, soft := values[float64](rng, n, 1), values[float64](rng, n, 1), values[float64](rng, n, 1), values[float64](rng, n, 1)
	row := values[float32](rng, n, 1)
	b.Run("MovePair", func(b *testing.B) {
		for b.Loop() {
			MovePair(score, row, row, [2]float64{1e-9, -1e-9}, up, down)
		}
		per(b, n)
	})
	b.Run("BestPartner", func(b *testing.B) {
		for b.Loop() {
			BestPartner(score, down, soft, row, 0.5, 10, 1e-12)
		}
		per(b, n)
	})
	const rows, nnz = 64, 14
	start, index := []int{0}, []int32(nil)
	for range rows {
		for range nnz {
			index = append(index, int32(rng.IntN(123)))
		}
		start = append(start, len(index))
	}
	x := NewSparse(123, start, index, values[float32](rng, len(index), nnz), values[float32](rng, rows, 1))
	pivots, w := values[float32](rng, 124*Pivots32, nnz), values[float32](rng, Pivots32, 1)
	total := make([]float64, rows)
	b.Run("SparseGaussSums32", func(b *testing.B) {
		for b.Loop() {
			SparseGaussSums32(total, x, 0, pivots, w)
		}
		per(b, rows*Pivots32)
	})
	x64 := NewSparse(123, start, index, values[float64](rng, len(index), nnz), values[float64](rng, rows, 1))
	pivots64, w64 := values[float64](rng, 124*Pivots64, nnz), values[float64](rng, Pivots64, 1)
	b.Run("SparseGaussSums64", func(b *testing.B) {
		for b.Loop() {
			SparseGaussSums64(total, x64, 0, pivots64, w64)
		}
		per(b, rows*Pivots64)
	})
}

// The powers inside the tiles, on every path: one column with z = 1, so that the exponent is exact.
func TestTilePowers(t *testing.T) { eachPath(t, testTilePowers) }

func testTilePowers(t *testing.T) {
	rng := rand.New(rand.NewPCG(5, 0))
	z, z64, weight64 := make([]float32, TileGroup), make([]float64, TileGroup), make([]float64, TileGroup)
	z[5], z64[5], weight64[5] = 1, 1, 1
	panel, panel64, to, sum64 := make([]float32, Panel32), make([]float64, Panel64), make([]float32, Panel32*TileGroup), make([]float64, Panel64)
	special := []float64{0, 1, -1, 0.5, -0.5, 1.5, 127, -126, -126.5, -150, -1021.5, -1022.4, -1e30, math.Inf(-1), math.NaN()}
	for round := range 3000 {
		for r := range panel {
			x := -130*rng.Float64() + 3
			if r < 5 {
				x = special[(round+r)%len(special)]
			}
			panel[r] = float32(x)
			if r < Panel64 {
				panel64[r] = x
				if r >= 5 {
					panel64[r] *= 8
				}
			}
		}
		// An infinite or missing exponent makes 0·x of the other z, which the sums below would
		// see too: their own weights are 0, but 0·NaN is not.
		GaussBlock32(to, panel, z, 1)
		for r, x := range panel {
			powerIsNear(t, float64(to[5*Panel32+r]), float64(x), exp2SmallError, -126)
		}
		clear(sum64)
		GaussSums64(sum64, panel64, z64, weight64, 1)
		for r, x := range panel64 {
			if !math.IsInf(x, 0) {
				powerIsNear(t, sum64[r], x, exp2Error, -1022)
			}
		}
	}
}

func powerIsNear(t *testing.T, got, x, tol, least float64) {
	t.Helper()
	want := math.Exp2(x)
	switch {
	case math.IsNaN(x) && math.IsNaN(got):
	case x < least && got == 0:
	case math.Abs(got-want) <= tol*want:
	case x < least && math.Abs(got-want) <= math.Exp2(least)*0x1p-20: // rounded as a denormal
	default:
		t.Errorf("2^%g = %g, want %g: off by %g of it", x, got, want, got/want-1)
	}
}
