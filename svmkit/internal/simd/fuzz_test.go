package simd

import (
	"encoding/binary"
	"math"
	"math/rand/v2"
	"slices"
	"testing"
)

// floats reads numbers from bytes, so that a fuzzer reaches every pattern: NaN, Inf, denormal.
func floats(data []byte) []float64 {
	x := make([]float64, len(data)/8)
	for i := range x {
		x[i] = math.Float64frombits(binary.LittleEndian.Uint64(data[8*i:]))
	}
	return x
}

// seeds gives a fuzzer vectors of some lengths to begin with.
func seeds(f *testing.F) {
	rng := rand.New(rand.NewPCG(1, 0))
	for _, n := range []int{0, 1, 3, 4, 5, 15, 16, 17, 33, 64, 100} {
		data := make([]byte, 0, 16*n)
		for range 2 * n {
			v := rng.NormFloat64()
			switch rng.IntN(40) {
			case 0:
				v = math.Inf(1)
			case 1:
				v = math.NaN()
			case 2:
				v = 5e-324
			case 3:
				v *= 1e300
			}
			data = binary.LittleEndian.AppendUint64(data, math.Float64bits(v))
		}
		f.Add(data, uint64(n))
	}
}

// agree fails unless a sum of n products of the given size is the same on two paths, to twice the
// bound of the package's doc. Where sums overflow, the order decides between Inf and NaN.
func agree(t *testing.T, what string, a, b, size float64, n int) {
	t.Helper()
	if !(size <= math.MaxFloat64/4) {
		return
	}
	if !sumIsNear(a, b, 2*size, 2*n) {
		t.Errorf("%s of %d: %g and %g by plain Go", what, n, a, b)
	}
}

func FuzzDense(f *testing.F) {
	seeds(f)
	f.Fuzz(func(t *testing.T, data []byte, scale uint64) {
		all := floats(data)
		n := len(all) / 2
		x, y, c := all[:n], all[n:2*n], math.Float64frombits(scale)
		size := 0.0
		for i := range x {
			size += math.Abs(x[i] * y[i])
		}
		agree(t, "dot", Dot(x, y), dotGo(x, y), size, n)
		fast, generic := slices.Clone(y), slices.Clone(y)
		Axpy(c, x, fast)
		axpyGo(c, x, generic)
		for i := range x {
			agree(t, "axpy", fast[i], generic[i], math.Abs(c*x[i])+math.Abs(y[i]), 1)
		}
		if n == 0 {
			return
		}
		d := 1 + int(scale%uint64(n))
		rows, u, out := x[:n/d*d], y[:d], make([]float64, n/d)
		MulRows(rows, u, out)
		for i := range out {
			row, size := rows[i*d:i*d+d], 0.0
			for j := range row {
				size += math.Abs(row[j] * u[j])
			}
			agree(t, "row", out[i], dotGo(row, u), size, d)
		}
	})
}

func FuzzSparse(f *testing.F) {
	seeds(f)
	f.Fuzz(func(t *testing.T, data []byte, seed uint64) {
		all := floats(data)
		n := len(all) / 2
		value, w := all[:n], all[n:]
		if len(w) == 0 {
			return
		}
		rng, index, size, picked := rand.New(rand.NewPCG(seed, 0)), make([]int32, n), 0.0, make([]float64, n)
		for k := range index {
			index[k] = int32(rng.IntN(len(w)))
			picked[k] = w[index[k]]
			size += math.Abs(value[k] * picked[k])
		}
		agree(t, "sparse dot", DotSparse(index, value, w), dotGo(value, picked), size, n)
		moved, dense, want, sizes := slices.Clone(w), make([]float64, len(w)), slices.Clone(w), slices.Clone(w)
		AxpySparse(0.7, index, value, moved)
		for k, j := range index {
			dense[j] += value[k]
			sizes[j] = math.Abs(sizes[j]) + math.Abs(value[k])
		}
		axpyGo(0.7, dense, want)
		for j := range w {
			agree(t, "sparse axpy", moved[j], want[j], math.Abs(sizes[j]), n+1)
		}
		if n > 0 {
			index[rng.IntN(n)] = [...]int32{-1, int32(len(w)), math.MinInt32, math.MaxInt32}[rng.IntN(4)]
			if !panics(func() { DotSparse(index, value, w) }) || !panics(func() { AxpySparse(1, index, value, moved) }) {
				t.Error("no panic for a column outside")
			}
		}
	})
}

func FuzzRamps(f *testing.F) {
	seeds(f)
	f.Fuzz(func(t *testing.T, data []byte, top uint64) {
		all := floats(data)
		n := len(all) / 4
		a, c, anchor, weight := all[:n], all[n:2*n], all[2*n:3*n], all[3*n:4*n]
		ceiling := math.Abs(math.Float64frombits(top))
		if ceiling == 0 || ceiling != ceiling {
			ceiling = math.Inf(1)
		}
		for _, v := range all {
			if !(math.Abs(v) < 1e70) { // no overflow, no NaN: the hand-made cases are in TestRamps
				return
			}
		}
		const step = 1 // a + c rounds once on all paths, so that they see the same sides of a kink
		slope, curvature := RampSlope(step, ceiling, a, c, weight)
		slope2, curvature2 := rampSlopeGo(step, ceiling, a, c, weight)
		fast, generic := slices.Clone(a), slices.Clone(a)
		loss, excess := RampMove(step, ceiling, fast, c, anchor, weight)
		loss2, excess2 := rampMoveGo(step, ceiling, generic, c, anchor, weight)
		// Of three numbers the product of two may fall below 2⁻¹⁰⁷⁴, and what that costs is
		// multiplied by the third: in units of a rounding, 2⁻⁵³, it is as if the product were
		// larger by that.
		const underflow = 0x1p-1021
		product := func(x, y, z float64) float64 {
			return math.Abs(x*y*z) + underflow*(math.Abs(x)+math.Abs(y)+math.Abs(z))
		}
		var slopes, curvatures, losses, excesses float64
		for k := range a {
			u := a[k] + c[k]
			r, v := min(max(u, 0), ceiling), u-anchor[k]
			slopes += product(weight[k], c[k], r)
			curvatures += product(weight[k], c[k], c[k])
			if math.IsInf(ceiling, 1) {
				losses += product(weight[k], v, v)
			} else {
				losses += math.Abs(weight[k] * v)
				excesses += product(weight[k], v, max(r, ceiling))
			}
			agree(t, "moved", fast[k], generic[k], math.Abs(a[k])+math.Abs(c[k]), 1)
		}
		agree(t, "slope", slope, slope2, 4*slopes, n)
		agree(t, "curvature", curvature, curvature2, 4*curvatures, n)
		agree(t, "loss", loss, loss2, 4*losses, n)
		agree(t, "excess", excess, excess2, 4*excesses, n)
	})
}

// The tiles against the generic version: panels and rows of any number of columns.
func FuzzTiles(f *testing.F) {
	for d := range uint8(20) {
		f.Add(uint64(d), d, d%4)
	}
	f.Fuzz(func(t *testing.T, seed uint64, columns, groups uint8) {
		rng := rand.New(rand.NewPCG(seed, 1))
		d, m := 1+int(columns), int(groups%8)*TileGroup
		tolerance := func(unit float64) float64 { return unit * (100 + 8*float64(d)) * float64(m+Pivots32) }
		panel, z, weight := values[float32](rng, d*Panel32, d), values[float32](rng, d*m, d), values[float32](rng, m, 1)
		fast, generic := make([]float64, Panel32), make([]float64, Panel32)
		GaussSums32(fast, panel, z, weight, d)
		gaussSumsGo(generic, panel, z, weight, d)
		for r := range fast {
			near(t, "float32 sums", fast[r], generic[r], tolerance(0x1p-24))
		}
		to, to2 := make([]float32, m*Panel32), make([]float32, m*Panel32)
		GaussBlock32(to, panel, z, d)
		gaussBlock32Go(to2, panel, z, d)
		for k := range to {
			near(t, "float32 block", float64(to[k]), float64(to2[k]), tolerance(0x1p-24))
		}
		panel64, z64, weight64 := values[float64](rng, d*Panel64, d), values[float64](rng, d*m, d), values[float64](rng, m, 1)
		fast, generic = fast[:Panel64], generic[:Panel64]
		clear(fast)
		clear(generic)
		GaussSums64(fast, panel64, z64, weight64, d)
		gaussSumsGo(generic, panel64, z64, weight64, d)
		for r := range fast {
			near(t, "float64 sums", fast[r], generic[r], tolerance(0x1p-53))
		}
		clear(fast)
		clear(generic)
		own, parts, parts2 := values[float64](rng, Panel64, 1), make([]float64, m*Parts64), make([]float64, m*Parts64)
		GaussBoth64(fast, panel64, z64, weight64, d, own, parts)
		gaussBoth64Go(generic, panel64, z64, weight64, d, own, parts2)
		for r := range fast {
			near(t, "both", fast[r], generic[r], tolerance(0x1p-53))
		}
		for j := range m {
			near(t, "of z", total(parts[j*Parts64:][:Parts64]), total(parts2[j*Parts64:][:Parts64]), tolerance(0x1p-53))
		}
	})
}

func total(v []float64) (sum float64) {
	for _, x := range v {
		sum += x
	}
	return sum
}
