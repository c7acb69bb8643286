package bound_test

import (
	"math"
	"testing"

	"github.com/svmkit/course/internal/leaktest"
	"github.com/svmkit/course/svmkit/bound"
)

func TestMain(m *testing.M) { leaktest.Main(m) }

var nan, inf = math.NaN(), math.Inf(1)

// same treats NaN as equal to NaN.
func same(a, b float64) bool { return a == b || math.IsNaN(a) && math.IsNaN(b) }

func TestOutsideTheDomain(t *testing.T) {
	for _, c := range []struct {
		name      string
		got, want float64
	}{
		{"Novikoff γ = 0", bound.Novikoff(1, 0), inf},
		{"Novikoff γ < 0", bound.Novikoff(1, -2), inf},
		{"Novikoff R = 0, γ = 0", bound.Novikoff(0, 0), inf},
		{"Novikoff R < 0", bound.Novikoff(-1, 1), nan},
		{"Novikoff R = ∞", bound.Novikoff(inf, 1), nan},
		{"Novikoff R NaN", bound.Novikoff(nan, 1), nan},
		{"Novikoff R NaN, γ = 0", bound.Novikoff(nan, 0), nan},
		{"Novikoff γ NaN", bound.Novikoff(1, nan), nan},
		{"Novikoff γ = ∞", bound.Novikoff(1, inf), nan},
		{"Novikoff tiny γ", bound.Novikoff(1, 1e-300), inf},
		{"NovikoffLoose γ = 0", bound.NovikoffLoose(1, 0), inf},
		{"NovikoffLoose R < 0", bound.NovikoffLoose(-1, 1), nan},
		{"NovikoffBias w = b = 0", bound.NovikoffBias(1, 0, 0, 1), inf},
		{"NovikoffBias c = 0", bound.NovikoffBias(1, 1, 1, 0), nan},
		{"NovikoffBias c < 0", bound.NovikoffBias(1, 1, 1, -1), nan},
		{"NovikoffBias ‖w‖ < 0", bound.NovikoffBias(1, -1, 1, 1), nan},
		{"NovikoffBias b = −∞", bound.NovikoffBias(1, 1, -inf, 1), nan},
		{"NovikoffBias b NaN", bound.NovikoffBias(1, 1, nan, 1), nan},
		{"HingeRoot H < 0", bound.HingeRoot(1, 1, -1), nan},
		{"HingeRoot H NaN", bound.HingeRoot(1, 1, nan), nan},
		{"HingeHalfLoosened ‖w‖ < 0", bound.HingeHalfLoosened(-1, 1, 1), nan},
		{"HingeLoosened R = ∞", bound.HingeLoosened(1, inf, 1), nan},
		{"Cycling rank 0", bound.Cycling(0, 1, 1), nan},
		{"Cycling gap = 0", bound.Cycling(2, 1, 0), nan},
		{"Cycling gap > R", bound.Cycling(2, 1, 1.5), nan},
		{"Cycling gap NaN", bound.Cycling(2, 1, nan), nan},
		{"Cycling R = ∞", bound.Cycling(2, inf, 1), nan},
		{"Cycling overflows", bound.Cycling(1<<30, 1, 1), inf},
		{"VC δ = 0", bound.VC(3, 100, 0), inf},
		{"VC δ > 1", bound.VC(3, 100, 1.5), nan},
		{"VC δ < 0", bound.VC(3, 100, -0.1), nan},
		{"VC D > 2n", bound.VC(201, 100, 0.1), inf},
		{"VC D = ∞", bound.VC(inf, 100, 0.1), inf},
		{"VC D = 0", bound.VC(0, 100, 0.1), nan},
		{"VC n = 0", bound.VC(1, 0, 0.1), nan},
		{"VC n = ∞", bound.VC(1, inf, 0.1), nan},
		{"MarginVC d = 2.5", bound.MarginVC(2.5, 1, 1), nan},
		{"MarginVC d = 0", bound.MarginVC(0, 1, 1), nan},
		{"MarginVC ρ NaN", bound.MarginVC(2, 1, nan), nan},
		{"MarginVCOrigin d = 2.5", bound.MarginVCOrigin(2.5, 1, 1), nan},
		{"MarginVCOrigin d = 0", bound.MarginVCOrigin(0, 1, 1), nan},
		{"MarginVCOrigin R < 0", bound.MarginVCOrigin(2, -1, 1), nan},
		{"MarginVCOrigin ρ NaN", bound.MarginVCOrigin(2, 1, nan), nan},
		{"MarginVCOrigin ρ = 0", bound.MarginVCOrigin(2, 1, 0), 2},
		{"MarginVCOrigin d = ∞, ρ = 0", bound.MarginVCOrigin(inf, 1, 0), inf},
		{"MarginRisk δ = 0", bound.MarginRisk(1, 1, 10, 0), inf},
		{"MarginRisk δ > 1", bound.MarginRisk(1, 1, 10, 2), nan},
		{"MarginRisk δ NaN", bound.MarginRisk(1, 1, 10, nan), nan},
		{"MarginRisk m = 0", bound.MarginRisk(1, 1, 0, 0.1), nan},
		{"MarginRisk m = ∞", bound.MarginRisk(1, 1, inf, 0.1), nan},
		{"MarginRisk R = ∞", bound.MarginRisk(inf, 1, 10, 0.1), nan},
		{"MarginRisk R < 0, δ = 0", bound.MarginRisk(-1, 1, 10, 0), nan},
		{"Rademacher m = 0", bound.Rademacher(1, 1, 0), nan},
		{"Rademacher B < 0", bound.Rademacher(1, -1, 5), nan},
	} {
		if !same(c.got, c.want) {
			t.Errorf("%s: %g, want %g", c.name, c.got, c.want)
		}
	}
}
