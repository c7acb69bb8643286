package posdef

import (
	"fmt"
	"math"
	"math/rand/v2"
	"slices"
	"testing"

	"gonum.org/v1/gonum/mat"

	"github.com/svmkit/course/internal/leaktest"
	"github.com/svmkit/course/svmkit/internal/parallel"
)

func TestMain(m *testing.M) { leaktest.Main(m) }

// sizes are below, at and above the edges of tiles and blocks.
var sizes = []int{1, 2, 7, 8, 9, 31, 32, 33, 40, 65, 130}

func randomRows(rng *rand.Rand, n, m int) *mat.Dense {
	x := mat.NewDense(n, m, nil)
	for i := range n {
		for j := range m {
			x.Set(i, j, rng.NormFloat64())
		}
	}
	return x
}

// rounding is the relative error of sums of some hundred products in another order.
const rounding = 1e-12

// sameUpper compares the upper triangle of a with that of want.
func sameUpper(t *testing.T, name string, a *Matrix, want mat.Matrix) {
	t.Helper()
	scale := mat.Norm(want, math.Inf(1))
	for i := range a.M {
		for k, v := range a.Row(i) {
			if math.Abs(v-want.At(i, i+k)) > rounding*scale {
				t.Fatalf("%s: element (%d,%d) is %g, want %g", name, i, i+k, v, want.At(i, i+k))
			}
		}
	}
}

// The sum of outer products, by panels of full rows, of sparse ones, and row by row in two parts,
// is XᵀDX; what is added can be taken away.
func TestSumOfOuterProducts(t *testing.T) {
	rng := rand.New(rand.NewPCG(1, 0))
	for _, m := range sizes {
		const n = 50
		x := randomRows(rng, n, m)
		want := mat.NewDense(m, m, nil)
		want.Mul(x.T(), x)
		full, sparse, direct := New(m), New(m), New(m)
		p, q := NewPanels(16, m), NewPanels(16, m)
		index := make([]int32, m)
		for j := range index {
			index[j] = int32(j)
		}
		for i := range n {
			row := x.RawRowView(i)
			p.Add(1, row)
			q.AddSparse(1, index, row)
			if p.Full() || i == n-1 {
				full.AddOuter(1, p, 0, nil)
				sparse.AddOuter(1, q, 0, nil)
				p.Reset(m)
				q.Reset(m)
			}
			direct.AddSparse(1, index, row, 0, m/2)
			direct.AddSparse(1, index, row, m/2, m)
		}
		sameUpper(t, fmt.Sprint("full rows, m = ", m), full, want)
		sameUpper(t, fmt.Sprint("sparse rows, m = ", m), sparse, want)
		sameUpper(t, fmt.Sprint("row by row, m = ", m), direct, want)
		for i := range n {
			direct.AddSparse(-1, index, x.RawRowView(i), 0, m)
		}
		for k, v := range direct.Data {
			if math.Abs(v) > rounding*n {
				t.Fatalf("m = %d: number %d is %g after all was taken away", m, k, v)
			}
		}
	}
}

// A row with holes, and factors.
func TestPanelsOfSparseRows(t *testing.T) {
	m := 20
	a, p := New(m), NewPanels(4, m)
	p.Add(1, []float64{1, 2, 3}) // leftovers that a sparse row must not see
	p.Reset(m)
	p.AddSparse(2, []int32{3, 17}, []float64{1, -1})
	a.AddOuter(0.5, p, 0, nil)
	want := mat.NewSymDense(m, nil)
	want.SetSym(3, 3, 2)
	want.SetSym(3, 17, -2)
	want.SetSym(17, 17, 2)
	sameUpper(t, "sparse", a, want)
}

func positive(rng *rand.Rand, m int) (*Matrix, *mat.SymDense) {
	x := randomRows(rng, m+5, m)
	want := mat.NewSymDense(m, nil)
	want.SymOuterK(1, x.T())
	a := New(m)
	p := NewPanels(m+5, m)
	for i := range m + 5 {
		p.Add(1, x.RawRowView(i))
	}
	a.AddOuter(1, p, 0, nil)
	return a, want
}

// The factor's solution solves the system, ridge included; checked by multiplying.
func TestSolve(t *testing.T) {
	rng := rand.New(rand.NewPCG(2, 0))
	for _, m := range sizes {
		a, h := positive(rng, m)
		ridge, b, x := make([]float64, m), make([]float64, m), make([]float64, m)
		for j := range ridge {
			ridge[j], b[j] = 1+rng.Float64(), rng.NormFloat64()
			h.SetSym(j, j, h.At(j, j)+ridge[j])
		}
		f := NewFactor(m)
		for range 2 { // a factor is used again
			if !f.Factorize(a, ridge, nil) {
				t.Fatal(m, ": not positive definite")
			}
		}
		f.Solve(x, b)
		var back mat.VecDense
		back.MulVec(h, mat.NewVecDense(m, x))
		for j := range b {
			if math.Abs(back.AtVec(j)-b[j]) > 1e-9 { // the condition is at most a few thousand
				t.Fatalf("m = %d: row %d of H·x is %g, want %g", m, j, back.AtVec(j), b[j])
			}
		}
		f.Solve(b, b)
		if !slices.Equal(b, x) {
			t.Errorf("m = %d: in place the solution differs", m)
		}
	}
}

func TestNotPositiveDefinite(t *testing.T) {
	rng := rand.New(rand.NewPCG(3, 0))
	for _, m := range sizes {
		for _, bad := range []float64{-1e6, math.NaN(), math.Inf(1), 0} {
			a, _ := positive(rng, m)
			j := rng.IntN(m)
			if bad == 0 {
				clear(a.Data)
			}
			a.Data[j*a.Stride+j] += bad
			if NewFactor(m).Factorize(a, make([]float64, m), nil) {
				t.Errorf("m = %d: a matrix with %g on its diagonal has a factor", m, bad)
			}
		}
	}
}

// Threads change no bit. The matrix is large enough for them to be used.
func TestSameBitsWithThreads(t *testing.T) {
	const m = 300
	var first []float64
	for threads := 1; threads <= 3; threads++ {
		workers := parallel.NewWorkers(threads)
		rng := rand.New(rand.NewPCG(4, 0))
		x := randomRows(rng, 320, m)
		a, p := New(m), NewPanels(64, m)
		for i := range 320 {
			if p.Add(1, x.RawRowView(i)); p.Full() {
				a.AddOuter(1, p, 0, workers)
				p.Reset(m)
			}
		}
		f := NewFactor(m)
		if !f.Factorize(a, make([]float64, m), workers) {
			t.Fatal("not positive definite")
		}
		f.Solve(x.RawRowView(0)[:m], x.RawRowView(1))
		bits := slices.Concat(a.Data, f.u.Data, x.RawRowView(0))
		workers.Close()
		if first == nil {
			first = bits
		} else if !slices.Equal(first, bits) {
			t.Errorf("%d threads give other bits than one", threads)
		}
	}
}

func BenchmarkFactorize(b *testing.B) {
	for _, m := range []int{16, 124, 300, 785} {
		for _, threads := range []int{1, 2} {
			b.Run(fmt.Sprintf("m=%d/threads=%d", m, threads), func(b *testing.B) {
				workers := parallel.NewWorkers(threads)
				defer workers.Close()
				a, _ := positive(rand.New(rand.NewPCG(1, 0)), m)
				f, ridge := NewFactor(m), make([]float64, m)
				for b.Loop() {
					f.Factorize(a, ridge, workers)
				}
				flops := float64(m) * float64(m) * float64(m) / 3
				b.ReportMetric(flops*float64(b.N)/b.Elapsed().Seconds()/1e9, "GFLOP/s")
			})
		}
	}
}
