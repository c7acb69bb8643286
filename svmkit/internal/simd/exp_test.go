package simd

import (
	"math"
	"math/big"
	"math/rand/v2"
	"slices"
	"testing"
)

// expError is the bound of Exp's doc, in units of the last place.
const expError = 1.5

// exactExp returns eˣ with 150 bits: Taylor's series at x/2¹⁴, then fourteen squares.
func exactExp(x float64) *big.Float {
	const halvings, precision = 14, 150
	y := new(big.Float).SetPrec(precision).SetMantExp(big.NewFloat(x), -halvings)
	sum, term := big.NewFloat(1).SetPrec(precision), big.NewFloat(1).SetPrec(precision)
	for k := 1; k <= 20; k++ { // |y| < 0.05, so the rest is below 1e-40
		term.Mul(term, y)
		term.Quo(term, new(big.Float).SetPrec(precision).SetInt64(int64(k)))
		sum.Add(sum, term)
	}
	for range halvings {
		sum.Mul(sum, sum)
	}
	return sum
}

// expOff returns how far got is from eˣ, in units of the last place of eˣ.
func expOff(x, got float64) float64 {
	want := exactExp(x)
	nearest, _ := want.Float64()
	if math.IsInf(nearest, 1) || math.IsInf(got, 1) {
		if nearest == got {
			return 0
		}
		return math.Inf(1)
	}
	unit := max(math.Nextafter(nearest, math.Inf(1))-nearest, 0x1p-1074)
	off := new(big.Float).Sub(big.NewFloat(got), want)
	f, _ := off.Quo(off, big.NewFloat(unit)).Float64()
	return math.Abs(f)
}

func TestExp(t *testing.T) {
	eachPath(t, func(t *testing.T) {
		rng := rand.New(rand.NewPCG(6, 0))
		x := []float64{0, 1, -1, math.Ln2, -math.Ln2 / 2, 709.7, 709.78271289338397, 709.7827128933841, -708, -708.5, -720, -744.9, -745.1, -745.2, -1e4, -1e308, 1e308}
		for range 2000 {
			x = append(x, -745+1455*rng.Float64(), -rng.ExpFloat64())
		}
		for k := range 3000 { // around the borders between two polynomials
			x = append(x, float64(k-1500)*math.Ln2/32+1e-15*rng.NormFloat64())
		}
		y, worst := slices.Clone(x), 0.0
		Exp(y)
		for i, v := range x {
			off := 0.0
			switch {
			case v > 1e4:
				if !math.IsInf(y[i], 1) {
					off = math.Inf(1)
				}
			case v < -1e3:
				off = y[i]
			default:
				off = expOff(v, y[i])
			}
			if worst = max(worst, off); off > expError {
				t.Fatalf("e^%g = %g, off by %.2f units", v, y[i], off)
			}
		}
		t.Logf("largest error %.3f units in the last place", worst)
		special := []float64{math.Inf(-1), math.Inf(1), math.NaN(), math.Copysign(0, -1)}
		if Exp(special); special[0] != 0 || !math.IsInf(special[1], 1) || !math.IsNaN(special[2]) || special[3] != 1 {
			t.Errorf("Exp(-Inf, Inf, NaN, -0) = %v", special)
		}
	})
}

// A number's power does not depend on where it stands, and nothing beside the slice changes.
func TestExpPlaces(t *testing.T) {
	eachPath(t, func(t *testing.T) {
		rng := rand.New(rand.NewPCG(7, 0))
		all := numbers(longest, rng)
		want := slices.Clone(all)
		Exp(want)
		for from := range 9 {
			for to := from; to <= longest; to++ {
				x := slices.Clone(all)
				Exp(x[from:to])
				for i, v := range x {
					switch inside := from <= i && i < to; {
					case inside && v != want[i]:
						t.Fatalf("x[%d] of [%d:%d]: %g, elsewhere %g", i, from, to, v, want[i])
					case !inside && v != all[i]:
						t.Fatalf("x[%d], outside of [%d:%d], was changed", i, from, to)
					}
				}
			}
		}
	})
}
