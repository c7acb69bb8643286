package core_test

import (
	"math"
	"math/rand/v2"
	"testing"

	"github.com/svmkit/course/svmkit"
	"github.com/svmkit/course/svmkit/loss"
	"github.com/svmkit/course/svmkit/svm/internal/core"
	"github.com/svmkit/course/svmkit/svm/internal/core/coretest"
)

// A plane's certificate is the primal objective at the plane, by its definition, and the dual one
// at β, which another certificate of the same β gives.
func TestCertifyPlane(t *testing.T) {
	const rounding = 1e-10
	rng := rand.New(rand.NewPCG(4, 0))
	coretest.QPCases(func(name string, l loss.Trainable, b svmkit.Bias) {
		task := core.NewTask(coretest.WeightedProblem(rng, 50, 4, l, b))
		beta, w, bias := make([]float64, 50), make([]float64, 4), 0.0
		for i := range beta {
			lo, hi := task.Loss[i].Box()
			beta[i] = min(max(rng.NormFloat64(), lo), hi)
		}
		for j := range w {
			w[j] = rng.NormFloat64()
		}
		if b != svmkit.NoBias {
			bias = rng.NormFloat64()
		}
		proof, of := task.CertifyPlane(w, bias, beta), task.Certify(beta)
		if b == svmkit.FreeBias {
			bias = proof.Bias
		}
		want := 0.0
		for _, v := range w {
			want += v * v / 2
		}
		if b == svmkit.PenalizedBias {
			want += bias * bias / 2
		}
		for i, x := range task.X {
			want += task.Loss[i].Value(x.Dot(w) + bias)
		}
		if math.Abs(proof.Primal-want) > rounding*want || math.Abs(proof.Dual-of.Dual) > rounding*want {
			t.Errorf("%s: between %.12g and %.12g, want %.12g and %.12g", name, proof.Dual, proof.Primal, of.Dual, want)
		}
		if proof.Gap < 0 || math.Abs(proof.Primal-proof.Dual-proof.Gap) > rounding*want {
			t.Errorf("%s: gap %g of %g and %g", name, proof.Gap, proof.Primal, proof.Dual)
		}
	})
}
