package core

import (
	"math"
	"math/big"
	"math/rand/v2"
	"testing"

	"github.com/svmkit/course/svmkit"
	"github.com/svmkit/course/svmkit/loss"
)

// A sum is as good as one rounded once: compared with 2,000 bits, where numbers of 32 powers of ten
// cancel.
func TestSumOf(t *testing.T) {
	rng := rand.New(rand.NewPCG(41, 0))
	for n := range 40 {
		v, exact := make([]float64, n), new(big.Float).SetPrec(2000)
		for i := range v {
			v[i] = rng.NormFloat64() * math.Pow(10, 32*rng.Float64()-16)
			if i%3 == 2 {
				v[i] = -v[i-1] - v[i-2]
			}
			exact.Add(exact, new(big.Float).SetFloat64(v[i]))
		}
		want, _ := exact.Float64()
		size := 0.0
		for _, x := range v {
			size += math.Abs(x)
		}
		// The lost parts are added up in plain float64: an error of n·ε of them, which are n·ε of
		// the size.
		if got, lost := SumOf(v), float64(n)*Roundoff; math.Abs(got-want) > Roundoff*math.Abs(want)+lost*lost*size {
			t.Errorf("%d numbers: %g, want %g, off by %g", n, got, want, got-want)
		}
	}
}

// The equality is repaired to the last bit that the largest slack can hold, in whichever block of
// rows that is.
func TestRepairInBlocks(t *testing.T) {
	const n = 3*BlockRows + 5
	for _, row := range []int{0, BlockRows + 7, 2*BlockRows + 1, n - 1} {
		rng := rand.New(rand.NewPCG(42, uint64(row)))
		p := &Problem{Data: &svmkit.Dataset{Dim: 1, X: svmkit.DenseRows(make([]float64, n), 1), Y: make([]float64, n)}, Loss: loss.SquaredHinge{}}
		beta := make([]float64, n)
		for i := range beta {
			p.Data.Y[i] = 1 - 2*float64(i%2)
			beta[i] = p.Data.Y[i] * math.Pow(10, 3*rng.Float64()-9) // of all sizes from 1e-9 to 1e-6
		}
		beta[row] = p.Data.Y[row] * 1e-3
		tk, to := NewTask(p), make([]float64, n)
		if off := tk.slackOf(beta, beta[row], slackToZero); off.row != row || off.largest != 1e-3 {
			t.Errorf("the largest slack is %g, in row %d, want 1e-3 in row %d", off.largest, off.row, row)
		}
		_, equality := tk.Repair(to, beta)
		// An ulp of 1e-3 is 2e-19: what is left is below that of the largest number.
		if left := math.Abs(SumOf(to)); left > 2*Roundoff*1e-3 || equality < 1e-4 {
			t.Errorf("row in row %d: Σβ is %g, was %g", row, left, equality)
		}
	}
}
