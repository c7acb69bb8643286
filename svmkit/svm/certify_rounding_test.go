package svm

import (
	"math"
	"math/rand/v2"
	"testing"

	"github.com/svmkit/course/svmkit"
	"github.com/svmkit/course/svmkit/kernel"
)

// Where β cancels itself, ‖w‖² is 0, and rounding makes it negative as often as not. With a kernel that is known to be
// definite that is no reason to prove nothing: the gap takes in what was lost.
func TestCertificateOfAVanishingNorm(t *testing.T) {
	const rounding = 1e-12 // of a row's loss
	rng := rand.New(rand.NewPCG(31, 0))
	negative := 0
	for trial := range 3000 {
		kernels := []kernel.Kernel{kernel.RBF{Gamma: 1}, kernel.Laplacian{Gamma: 1}, kernel.Polynomial{Degree: 2, Gamma: 1, Coef0: 1}}
		p := &Problem{Data: &svmkit.Dataset{Dim: 2}, Kernel: kernels[trial%3]}
		beta, places := []float64(nil), [][]float64{{rng.NormFloat64(), rng.NormFloat64()}, {rng.NormFloat64(), rng.NormFloat64()}}
		for range 4 { // at each place the rows of both classes cancel
			a, b := 0.7*rng.Float64(), 0.3*rng.Float64()
			for k, v := range []float64{a, b, -(a + b)} {
				p.Data.X = append(p.Data.X, svmkit.Dense(places[len(beta)/3%2]...))
				p.Data.Y, beta = append(p.Data.Y, []float64{1, 1, -1}[k]), append(beta, v)
			}
		}
		tk := newTask(p)
		square := 0.0
		for i, s := range tk.kernelScores(t.Context(), beta) {
			square += beta[i] * s
		}
		if square < 0 {
			negative++
		}
		proof := tk.certify(beta)
		want := 8.0 // all scores are the bias 1, which charges the four negative rows 2 each; the dual is worth Σ|β|
		for _, v := range beta {
			want -= math.Abs(v)
		}
		if !(math.Abs(proof.Gap-want) <= 12*rounding) || !(proof.Dual <= proof.Primal) {
			t.Fatalf("%T: gap %g, want %g; ‖w‖² was %g", p.Kernel, proof.Gap, want, square)
		}
	}
	if negative == 0 {
		t.Error("no sum came out negative: nothing was tested")
	}
	t.Logf("%d sums were negative", negative)
}

// A kernel that only claims to be definite is told from rounding.
func TestCertificateOfAKernelThatLies(t *testing.T) {
	p := &Problem{Data: &svmkit.Dataset{Dim: 1, X: []svmkit.Row{svmkit.Dense(1), svmkit.Dense(2)}, Y: []float64{1, -1}},
		Kernel: kernel.Func(func(x, z svmkit.Row) float64 { return -1e-3 * x.Value[0] * z.Value[0] })}
	if proof := newTask(p).certify([]float64{0.5, -0.5}); !math.IsInf(proof.Gap, 1) {
		t.Errorf("gap %g of a kernel with K(x,x) < 0", proof.Gap)
	}
}
