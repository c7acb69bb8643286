package simd

import (
	"math"
	"math/rand/v2"
	"slices"
	"testing"
)

// longest is the longest vector of the tests: more than eight rounds of the widest loop and
// every length of what is left behind it.
const longest = 130

// numbers returns n numbers of N(0,1), at a place that is no multiple of a register's length.
func numbers(n int, rng *rand.Rand) []float64 {
	x := make([]float64, n+3)
	for i := range x {
		x[i] = rng.NormFloat64()
	}
	k := rng.IntN(4)
	return x[k : k+n : k+n]
}

// exactDot returns ⟨a,b⟩ as if formed with 106 bits, and Σ|aᵢbᵢ|: the compensated sum of
// Ogita, Rump and Oishi, Accurate Sum and Dot Product (2005), algorithm 5.3.
func exactDot(a, b []float64) (sum, size float64) {
	rest := 0.0
	for i := range a {
		p := a[i] * b[i]
		rest += math.FMA(a[i], b[i], -p)
		t := sum + p
		z := t - sum
		rest += (sum - (t - z)) + (p - z)
		sum = t
		size += math.Abs(p)
	}
	return sum + rest, size
}

// sumIsNear reports whether got is the sum of n products of size Σ|aᵢbᵢ|, to the bound of the
// package's doc; n+2 for the one product and sum around it. Where want is no number or infinite,
// got must be the same.
func sumIsNear(got, want, size float64, n int) bool {
	if math.IsNaN(want) || math.IsInf(want, 0) || math.IsInf(size, 0) {
		return math.IsNaN(got) == math.IsNaN(want) && (math.IsNaN(got) || got == want)
	}
	const smallest = 0x1p-1074 // what underflow may cost each product
	return math.Abs(got-want) <= float64(n+2)*(0x1p-53*size+smallest)
}

// extremes returns x with one number replaced by each of those that break careless loops, in turn.
func extremes(x []float64, f func(x []float64)) {
	for k := 0; k < len(x); k += 1 + len(x)/5 {
		for _, v := range []float64{math.NaN(), math.Inf(1), math.Inf(-1), 5e-324, math.Copysign(0, -1), 1e300} {
			y := slices.Clone(x)
			y[k] = v
			f(y)
		}
	}
}

func TestDot(t *testing.T) {
	eachPath(t, func(t *testing.T) {
		rng := rand.New(rand.NewPCG(1, 0))
		for n := range longest {
			a, b := numbers(n, rng), numbers(n, rng)
			check := func(a []float64) {
				want, size := exactDot(a, b)
				if s := dotGo(a, b); math.IsNaN(s) || math.IsInf(s, 0) {
					want = s
				}
				if got := Dot(a, b); !sumIsNear(got, want, size, n) {
					t.Fatalf("%v·%v = %g, want %g", a, b, got, want)
				}
			}
			check(a)
			extremes(a, check)
		}
	})
}

func TestAxpy(t *testing.T) {
	eachPath(t, func(t *testing.T) {
		rng := rand.New(rand.NewPCG(2, 0))
		for n := range longest {
			x, y := numbers(n, rng), numbers(n, rng)
			check := func(x []float64) {
				got, c := slices.Clone(y), rng.NormFloat64()
				Axpy(c, x, got)
				for i, v := range x {
					if want := y[i] + c*v; !sumIsNear(got[i], want, math.Abs(y[i])+math.Abs(c*v), 1) {
						t.Fatalf("%g + %g·%g = %g", y[i], c, v, got[i])
					}
				}
			}
			check(x)
			extremes(x, check)
		}
	})
}

func TestMulRows(t *testing.T) {
	eachPath(t, func(t *testing.T) {
		rng := rand.New(rand.NewPCG(3, 0))
		for d := range longest {
			for n := range 10 {
				x, u, out := numbers(n*d, rng), numbers(d, rng), numbers(n, rng)
				MulRows(x, u, out)
				for i, got := range out {
					row := x[i*d : i*d+d]
					if want, size := exactDot(row, u); !sumIsNear(got, want, size, d) {
						t.Fatalf("row %d of %d×%d: %g, want %g", i, n, d, got, want)
					}
					var alone [1]float64
					if MulRows(row, u, alone[:]); alone[0] != got {
						t.Fatalf("row %d of %d×%d: %g, and %g alone", i, n, d, got, alone[0])
					}
				}
			}
		}
		x, u, out := []float64{1, 2, math.NaN(), 4, math.Inf(1), 6, 7, 8, 9}, []float64{1, 2, 3}, make([]float64, 3)
		if MulRows(x, u, out); !math.IsNaN(out[0]) || !math.IsInf(out[1], 1) || out[2] != 50 {
			t.Errorf("out = %v, want NaN Inf 50", out)
		}
	})
}

func TestAddOuter(t *testing.T) {
	eachPath(t, func(t *testing.T) {
		rng := rand.New(rand.NewPCG(4, 0))
		for n := range 20 {
			stride := Tile + n%3
			a, b, c := numbers(n*Tile, rng), numbers(n*Tile, rng), numbers(Tile*stride, rng)
			got, alpha := slices.Clone(c), rng.NormFloat64()
			AddOuter(alpha, a, b, got, stride)
			for k, v := range c {
				i, j := k/stride, k%stride
				if j >= Tile {
					if got[k] != v {
						t.Fatalf("a number beside the tile was changed")
					}
					continue
				}
				var x, y []float64
				for r := range n {
					x, y = append(x, alpha*a[r*Tile+i]), append(y, b[r*Tile+j])
				}
				x, y = append(x, v), append(y, 1)
				if want, size := exactDot(x, y); !sumIsNear(got[k], want, size, n+2) {
					t.Fatalf("%d rows, place %d,%d: %g, want %g", n, i, j, got[k], want)
				}
			}
		}
	})
}

// sum2 returns Σ tₖ and Σ |tₖ|.
func sum2(terms []float64) (sum, size float64) {
	ones := make([]float64, len(terms))
	for i := range ones {
		ones[i] = 1
	}
	return exactDot(terms, ones)
}

func TestRamps(t *testing.T) {
	eachPath(t, func(t *testing.T) {
		rng := rand.New(rand.NewPCG(5, 0))
		for n := range longest {
			for _, top := range []float64{0.7, 2, math.Inf(1)} {
				a, c, anchor, weight := numbers(n, rng), numbers(n, rng), numbers(n, rng), numbers(n, rng)
				for i := range weight {
					weight[i] = math.Abs(weight[i])
				}
				step := rng.Float64()
				if n%2 == 1 {
					step = 1 // arguments may lie on a kink
					for i := range a {
						a[i], c[i], anchor[i] = math.Round(a[i]*2)/2, math.Round(c[i]*2)/2, math.Round(anchor[i]*2)/2
					}
				}
				check := func(c []float64) {
					slope, curvature := RampSlope(step, top, a, c, weight)
					moved := slices.Clone(a)
					loss, excess := RampMove(step, top, moved, c, anchor, weight)
					var slopes, curvatures, losses, excesses []float64
					for k := range a {
						u := a[k] + step*c[k]
						if math.Abs(moved[k]-u) > 0x1p-52*(math.Abs(a[k])+math.Abs(step*c[k])) || math.IsNaN(u) != math.IsNaN(moved[k]) {
							t.Fatalf("%g + %g·%g = %g", a[k], step, c[k], moved[k])
						}
						u = moved[k] // the sides of a kink are those of the fused sum
						if u > 0 {
							slopes = append(slopes, weight[k]*c[k]*min(u, top))
							if u < top {
								curvatures = append(curvatures, weight[k]*c[k]*c[k])
							}
						}
						r := min(max(u, 0), top)
						if v := u - anchor[k]; math.IsInf(top, 1) {
							if v > 0 {
								losses = append(losses, weight[k]*v*v)
							}
						} else if v > 0 {
							losses = append(losses, weight[k]*v)
							excesses = append(excesses, weight[k]*(top-r)*v)
						} else {
							excesses = append(excesses, -weight[k]*r*v)
						}
					}
					for _, s := range []struct {
						name  string
						got   float64
						terms []float64
					}{{"slope", slope, slopes}, {"curvature", curvature, curvatures}, {"loss", loss, losses}, {"excess", excess, excesses}} {
						want, size := sum2(s.terms)
						if plain := plainSum(s.terms); math.IsNaN(plain) || math.IsInf(plain, 0) {
							want = plain
						}
						if !sumIsNear(s.got, want, 4*size, n) {
							t.Fatalf("n = %d, top = %g: %s %g, want %g", n, top, s.name, s.got, want)
						}
					}
				}
				check(c)
				if n > 0 {
					extremes(c, check)
				}
			}
		}
	})
}

func plainSum(terms []float64) (s float64) {
	for _, v := range terms {
		s += v
	}
	return s
}
