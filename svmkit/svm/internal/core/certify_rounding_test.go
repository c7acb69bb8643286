package core

import (
	"math"
	"math/rand/v2"
	"testing"

	"github.com/svmkit/course/svmkit"
	"github.com/svmkit/course/svmkit/kernel"
)

// Where β cancels itself, ‖w‖² is 0, and rounding makes it negative as often as not. With a kernel
// that is taken to be definite, the gap and the dual objective take in what was lost. Here each row
// is at its bound, so that no other term of the gap is left: both objectives are the sum of the
// costs.
func TestCertificateOfAVanishingNorm(t *testing.T) {
	rng := rand.New(rand.NewPCG(31, 0))
	var kernels []kernel.Kernel
	for _, kind := range kernel.Kinds() {
		p := kernel.Parameters{Degree: 2, Gamma: 1, Coef0: 1}
		if kind.Measure == kernel.InnerProduct {
			p.Gamma = 1e5
		}
		if k := kind.Kernel(p); kernel.IsDefinite(k) && !kernel.IsLinear(k) { // a linear model has a w instead
			kernels = append(kernels, k)
		}
	}
	negative := make([]int, len(kernels))
	for trial := range 1000 * len(kernels) {
		p := &Problem{Data: &svmkit.Dataset{Dim: 2}, Kernel: kernels[trial%len(kernels)]}
		beta, places := []float64(nil), [][]float64{{rng.NormFloat64(), rng.NormFloat64()}, {rng.NormFloat64(), rng.NormFloat64()}}
		costs := 0.0
		for range 4 { // at each place the rows of both classes cancel
			a, b := 0.7*rng.Float64(), 0.3*rng.Float64()
			for k, v := range []float64{a, b, -(a + b)} {
				p.Data.X = append(p.Data.X, svmkit.Dense(places[len(beta)/3%2]...))
				p.Data.Y, beta = append(p.Data.Y, []float64{1, 1, -1}[k]), append(beta, v)
				p.Data.Weight = append(p.Data.Weight, math.Abs(v))
				costs += math.Abs(v)
			}
		}
		tk := NewTask(p)
		proof := tk.Certify(beta)
		square := 0.0
		for i, s := range tk.KernelScores(t.Context(), proof.Beta) {
			square += proof.Beta[i] * s
		}
		lost := max(0, -square)
		if lost > 0 {
			negative[trial%len(kernels)]++
		}
		const sums = 1e-14 // the rounding of a dozen additions of numbers about 1
		if math.Abs(proof.Gap-lost) > sums*lost+0x1p-50 || math.Abs(proof.Primal-costs) > sums*costs+lost || proof.Dual > proof.Primal-lost+sums {
			t.Fatalf("%T: gap %g, primal %g, dual %g of costs of %g; ‖w‖² was %g", p.Kernel, proof.Gap, proof.Primal, proof.Dual, costs, square)
		}
	}
	for k, n := range negative {
		if n == 0 {
			t.Errorf("%T: no sum came out negative: nothing was tested", kernels[k])
		}
	}
}

// Points whose distance is nothing beside their length: of ‖w‖² = ‖x − z‖²/4, 0.5 or so, rounding
// leaves anything from −2 to 2. What is lost is then as large as the objectives, and stands in
// both.
func TestCertificateOfALostNorm(t *testing.T) {
	rng := rand.New(rand.NewPCG(32, 0))
	negative := 0
	for range 200 {
		p := &Problem{Data: &svmkit.Dataset{Dim: 2, Y: []float64{1, -1}}, Kernel: kernel.Polynomial{Degree: 1, Gamma: 1}, C: Cost{C: 0.5}}
		for range 2 {
			p.Data.X = append(p.Data.X, svmkit.Dense(1e8*(1+1e-9*rng.NormFloat64()), rng.NormFloat64()))
		}
		tk := NewTask(p)
		proof, rows := tk.Certify([]float64{0.5, -0.5}), &Proof{Plane: Plane{Scale: 1}, Beta: []float64{0.5, -0.5}}
		scores := tk.KernelScores(t.Context(), rows.Beta)
		square := (scores[0] - scores[1]) / 2
		if square >= 0 {
			continue
		}
		negative++
		tk.addBias(rows, scores, 0)
		tk.objectives(rows, scores, 0)
		if proof.Gap != rows.Gap-square || proof.Dual != rows.Dual+square || proof.Primal != rows.Primal {
			t.Fatalf("gap %g, dual %g, primal %g; of the rows alone %g, %g, %g; ‖w‖² was %g", proof.Gap, proof.Dual, proof.Primal, rows.Gap, rows.Dual, rows.Primal, square)
		}
	}
	if negative == 0 {
		t.Error("no sum came out negative: nothing was tested")
	}
}

// A kernel that is wrongly taken to be definite is told from roundoff, even where it is off by
// little: here by a part of 10¹⁰.
func TestCertificateOfAKernelThatLies(t *testing.T) {
	for name, f := range map[string]kernel.Func{
		"negative": func(x, z svmkit.Row) float64 { return -1e-3 * x.Value[0] * z.Value[0] },
		"by 1e-10": func(x, z svmkit.Row) float64 {
			if x.Value[0] == z.Value[0] {
				return 1
			}
			return 1 + 1e-10
		},
	} {
		p := &Problem{Data: &svmkit.Dataset{Dim: 1, X: []svmkit.Row{svmkit.Dense(1), svmkit.Dense(2)}, Y: []float64{1, -1}}, Kernel: f}
		if proof := NewTask(p).Certify([]float64{0.5, -0.5}); !math.IsInf(proof.Gap, 1) {
			t.Errorf("%s: gap %g of a kernel with ‖φ(x) − φ(z)‖² < 0", name, proof.Gap)
		}
	}
}
