package simd

import "math"

// The generic versions of the tiles.

// gaussSumsGo is the generic version of GaussSums32 and GaussSums64.
func gaussSumsGo[T float32 | float64](sum []float64, panel, z, weight []T, d int) {
	var e [2 * TileGroup]T
	for r := 0; r < len(sum); r += 2 {
		var sum0, sum1 T
		for j := 0; j < len(weight); j += TileGroup {
			products(&e, panel[r:], z[j*d:(j+TileGroup)*d], len(sum))
			powers(e[:])
			for k, w := range weight[j:][:TileGroup] {
				sum0 += w * e[2*k]
				sum1 += w * e[2*k+1]
			}
		}
		sum[r] += float64(sum0)
		sum[r+1] += float64(sum1)
	}
}

func gaussBoth64Go(sum, panel, z, weight []float64, d int, own, parts []float64) {
	var e [2 * TileGroup]float64
	for r := 0; r < Panel64; r += 2 {
		var sum0, sum1 float64
		for j := 0; j < len(weight); j += TileGroup {
			products(&e, panel[r:], z[j*d:(j+TileGroup)*d], Panel64)
			powers(e[:])
			for k, w := range weight[j:][:TileGroup] {
				sum0 += w * e[2*k]
				sum1 += w * e[2*k+1]
				parts[(j+k)*Parts64] += own[r]*e[2*k] + own[r+1]*e[2*k+1]
			}
		}
		sum[r] += sum0
		sum[r+1] += sum1
	}
}

func gaussBlock32Go(to, panel, z []float32, d int) {
	var e [2 * TileGroup]float32
	for j := 0; j < len(to)/Panel32; j += TileGroup {
		for r := 0; r < Panel32; r += 2 {
			products(&e, panel[r:], z[j*d:(j+TileGroup)*d], Panel32)
			powers(e[:])
			for k := range TileGroup {
				to[(j+k)*Panel32+r] = e[2*k]
				to[(j+k)*Panel32+r+1] = e[2*k+1]
			}
		}
	}
}

// products sets e[2j] and e[2j+1] to the inner products of row j of a group with the first two rows
// of a panel. It forms six sums at a time, which the compiler keeps in registers.
func products[T float32 | float64](e *[2 * TileGroup]T, panel, z []T, lanes int) {
	for j := 0; j < TileGroup; j += 3 {
		var a0, a1, a2, b0, b1, b2 T
		for k, at := j, 0; k < len(z)-2; k += TileGroup {
			p, q, z0, z1, z2 := panel[at], panel[at+1], z[k], z[k+1], z[k+2]
			a0 += p * z0
			a1 += p * z1
			a2 += p * z2
			b0 += q * z0
			b1 += q * z1
			b2 += q * z2
			at += lanes
		}
		e[2*j], e[2*j+1], e[2*j+2], e[2*j+3], e[2*j+4], e[2*j+5] = a0, b0, a1, b1, a2, b2
	}
}

// sparseGaussSumsGo is the generic version of SparseGaussSums32 and SparseGaussSums64.
func sparseGaussSumsGo[T float32 | float64](sum []float64, start []int, index []int32,
	value, offset, pivots, weight []T) {
	var most [Pivots32]T
	e := most[:len(weight)]
	for r := range sum {
		sparseExponents(e, index[start[r]:start[r+1]], value[start[r]:start[r+1]], offset[r], pivots)
		powers(e)
		total := T(0)
		for p, v := range e {
			total += weight[p] * v
		}
		sum[r] += float64(total)
	}
}

func sparseGaussBlock32Go(to []float32, start []int, index []int32, value, offset,
	pivots []float32) {
	for r := range len(to) / Pivots32 {
		e := to[r*Pivots32:][:Pivots32]
		sparseExponents(e, index[start[r]:start[r+1]], value[start[r]:start[r+1]], offset[r], pivots)
		powers(e)
	}
}

// sparseExponents sets e to the exponents of a row and all pivots. It takes four pivots at a time,
// whose sums stay in registers during the pass over the row.
func sparseExponents[T float32 | float64](e []T, index []int32, value []T, offset T, pivots []T) {
	lanes := len(e)
	for p := 0; p+4 <= len(e); p += 4 {
		last := (*[4]T)(pivots[len(pivots)-lanes+p:])
		a, b, c, d := offset+last[0], offset+last[1], offset+last[2], offset+last[3]
		for k, j := range index {
			v, line := value[k], (*[4]T)(pivots[int(j)*lanes+p:])
			a += v * line[0]
			b += v * line[1]
			c += v * line[2]
			d += v * line[3]
		}
		e[p], e[p+1], e[p+2], e[p+3] = a, b, c, d
	}
}

// powers replaces each number by its power of 2.
func powers[T float32 | float64](e []T) {
	switch e := any(e).(type) {
	case []float32:
		for i, x := range e {
			e[i] = exp2Small(x)
		}
	case []float64:
		for i, x := range e {
			e[i] = exp2(x)
		}
	}
}

// exp2Small returns 2^x, and 0 below −126. It is a polynomial between two integers, and the integer
// part becomes the exponent. The polynomial has the least relative error of its degree, 7.5e-8.
// Estrin's scheme waits less than Horner's.
func exp2Small(x float32) float32 {
	const magic = 3 << 22 // adding it leaves the nearest integer in the low bits
	if !(x >= -126) {
		return max(x, 0) // 0 or NaN
	}
	t := x + magic
	f := x - (t - magic)
	g := f * f
	p := 1.000000071654352 + (f*0.6931469670643533 +
		g*((0.24022119725087088+f*0.05550713275234541)+
			g*(0.009675541295571258+f*0.0013276471400913811)))
	return math.Float32frombits(math.Float32bits(p) + math.Float32bits(t)<<23)
}

// sixteenths holds 2^(k/16).
var sixteenths = func() (t [16]float64) {
	for k := range t {
		t[k] = math.Exp2(float64(k) / 16)
	}
	return t
}()

// exp2 returns 2^x, and 0 below −1022. It is a table for sixteenths times a polynomial with
// relative error 7e-18 for the rest.
func exp2(x float64) float64 {
	const magic = 3 << 47 // adding it leaves the nearest sixteenth in the low bits
	if !(x >= -1022) {
		return max(x, 0)
	}
	t := x + magic
	f := x - (t - magic)
	g := f * f
	p := (0.6931471805599468 + f*0.24022650695909842) +
		g*((0.05550410865209452+f*0.009618129113145)+
			g*(0.0013333818807638636+f*0.00015403304362440265))
	k := math.Float64bits(t)
	s := sixteenths[k&15]
	return math.Float64frombits(math.Float64bits(s+s*(f*p)) + k>>4<<52)
}

func movePairGo(score []float64, a, b []float32, pair [2]float64,
	up, down []float64) (most float64, first int, least float64) {
	most, first, least = math.Inf(-1), -1, math.Inf(1)
	a, b, up, down = a[:len(score)], b[:len(score)], up[:len(score)], down[:len(score)]
	for k, v := range score {
		v += pair[0]*float64(a[k]) + pair[1]*float64(b[k])
		score[k] = v
		if u := up[k] - v; u > most {
			most, first = u, k
		}
		if l := down[k] - v; l < least {
			least = l
		}
	}
	return most, first, least
}

func bestPartnerGo(score, down, soft []float64, row []float32,
	u, own, least float64) (best float64, at int) {
	down, soft, row = down[:len(score)], soft[:len(score)], row[:len(score)]
	at = -1
	for k, v := range score {
		slope := u - (down[k] - v)
		if !(slope > 0) {
			continue
		}
		if gain := slope * slope / max(own+soft[k]-2*float64(row[k]), least); gain > best {
			best, at = gain, k
		}
	}
	return best, at
}
