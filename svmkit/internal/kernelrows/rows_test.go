package kernelrows_test

import (
	"errors"
	"math"
	"math/rand/v2"
	"strings"
	"testing"

	"github.com/svmkit/course/internal/leaktest"
	"github.com/svmkit/course/svmkit"
	"github.com/svmkit/course/svmkit/internal/kernelrows"
	"github.com/svmkit/course/svmkit/kernel"
)

var all = map[string]kernel.Kernel{
	"linear":      kernel.Linear{},
	"quadratic":   kernel.Polynomial{Degree: 2, Gamma: 0.5, Coef0: 1},
	"cubic":       kernel.Polynomial{},
	"rbf":         kernel.RBF{Gamma: 0.3},
	"laplacian":   kernel.Laplacian{Gamma: 0.3},
	"sigmoid":     kernel.Sigmoid{Gamma: 0.3, Coef0: -1},
	"precomputed": kernel.Precomputed{N: 2, Gram: []float64{2, 1, 1, 3}},
	"func":        kernel.Func(func(x, z svmkit.Row) float64 { return 1 + x.DotRow(z) }),
}

func init() {
	for _, kind := range kernel.Kinds() {
		if _, there := all[kind.Name]; !there {
			all[kind.Name] = kind.Kernel(kernel.Parameters{Degree: 2, Gamma: 0.3, Coef0: 0.25})
		}
	}
}

// rounding bounds the relative error of a sum of a few dozen products of numbers of size
// one: some tens of units in the last place.
const rounding = 1e-13

// randomRows returns n rows of d columns, a third of the entries zero. Odd rows are sparse
// if mixed is set.
func randomRows(rng *rand.Rand, n, d int, mixed bool) []svmkit.Row {
	rows := make([]svmkit.Row, n)
	for i := range rows {
		v := make([]float64, d)
		for j := range v {
			if rng.IntN(3) > 0 {
				v[j] = rng.NormFloat64()
			}
		}
		rows[i] = svmkit.Dense(v...)
		if mixed && i%2 == 1 {
			rows[i] = sparse(v)
		}
	}
	return rows
}

func sparse(v []float64) svmkit.Row {
	x := svmkit.Row{Index: []int32{}}
	for j, a := range v {
		if a != 0 {
			x.Index = append(x.Index, int32(j))
			x.Value = append(x.Value, a)
		}
	}
	return x
}

// fill asks for κ(xᵢ, xⱼ) for all j of columns.
func fill(t *testing.T, e *kernelrows.Evaluator, i int, columns []int32) []float64 {
	to := make([]float64, len(columns))
	if err := e.Row(to, i, columns); err != nil {
		t.Fatal(err)
	}
	return to
}

// A row is Eval of each pair, for every layout of the data: full and sparse, dense, and both in one
// set; and it leaves its buffer clean, so the order of the questions does not matter.
func TestRowsAgreeWithEval(t *testing.T) {
	rng := rand.New(rand.NewPCG(1, 0))
	const n, d = 14, 9
	thin := make([]svmkit.Row, n) // sparse and kept so: two of nine columns
	for i := range thin {
		v := make([]float64, d)
		v[rng.IntN(d)], v[rng.IntN(d)] = rng.NormFloat64(), rng.NormFloat64()
		thin[i] = sparse(v)
	}
	thin[3] = sparse(make([]float64, d)) // a row of zeros
	thin[4] = thin[5]
	for layout, rows := range map[string][]svmkit.Row{
		"dense": randomRows(rng, n, d, false), "full, half of them sparse": randomRows(rng, n, d, true),
		"thin": thin, "thin and dense": append(randomRows(rng, 3, d, false), thin...),
	} {
		for name, k := range all {
			data := rows
			if name == "precomputed" {
				data = []svmkit.Row{svmkit.Dense(1), {Index: []int32{}}, svmkit.Dense(0)}
			}
			e := kernelrows.New(k, data, len(data[0].Value)).Evaluator()
			for range 40 {
				i, columns := rng.IntN(len(data)), make([]int32, rng.IntN(len(data)))
				for k := range columns {
					columns[k] = int32(rng.IntN(len(data)))
				}
				for c, got := range fill(t, e, i, columns) {
					want := k.Eval(data[i], data[columns[c]])
					if math.Abs(got-want) > rounding*(1+math.Abs(want)) {
						t.Fatalf("%s, %s: (%d, %d) is %g, Eval gives %g", layout, name, i, columns[c], got, want)
					}
				}
			}
			diagonal, err := e.Diagonal()
			if err != nil || diagonal[2] != fill(t, e, 2, []int32{2})[0] {
				t.Errorf("%s, %s: diagonal %v, %v", layout, name, diagonal, err)
			}
		}
	}
}

// Close sparse rows far from the origin: ‖x‖² − 2⟨x,z⟩ + ‖z‖² has lost their distance, and so
// has the sum that starts from ‖z‖₁.
func TestRowsKeepTheDigitsOfCloseRows(t *testing.T) {
	far := func(v float64) svmkit.Row { return svmkit.Row{Index: []int32{2, 5}, Value: []float64{1e9, v}} }
	rows := []svmkit.Row{far(0.1), far(0.3)}
	for name, k := range map[string]kernel.Kernel{"rbf": kernel.RBF{Gamma: 1}, "laplacian": kernel.Laplacian{Gamma: 1}} {
		got := fill(t, kernelrows.New(k, rows, 20).Evaluator(), 0, []int32{0, 1})
		if want := k.Eval(svmkit.Dense(0.1), svmkit.Dense(0.3)); got[0] != 1 || math.Abs(got[1]-want) > rounding {
			t.Errorf("%s: κ = %.17g, want 1 and %.17g", name, got, want)
		}
	}
}

// A row from elsewhere may name columns that the set has not: they count in its norm only.
func TestRowOfWithMoreColumns(t *testing.T) {
	rows := []svmkit.Row{{Index: []int32{0, 1}, Value: []float64{1, 2}}, {Index: []int32{}}}
	z := svmkit.Row{Index: []int32{1, 90}, Value: []float64{1, 3}}
	for name, k := range map[string]kernel.Kernel{"linear": all["linear"], "rbf": all["rbf"], "laplacian": all["laplacian"]} {
		for _, dim := range []int{10, 2} { // of ten columns the rows are sparse, of two they are half full
			e := kernelrows.New(k, rows, dim).Evaluator()
			to := make([]float64, 2)
			if err := e.RowOf(to, z, []int32{0, 1}); err != nil {
				t.Fatal(err)
			}
			for j, got := range to {
				if want := k.Eval(z, rows[j]); math.Abs(got-want) > rounding {
					t.Errorf("%s: %g, want %g", name, got, want)
				}
			}
		}
	}
}

func TestEvalErrorsNameBothRows(t *testing.T) {
	rows := svmkit.DenseRows([]float64{0, 1, 2, 3}, 1)
	at := func(bad func() float64) kernel.Kernel {
		return kernel.Func(func(x, z svmkit.Row) float64 {
			if x.Value[0] == 1 && z.Value[0] == 2 {
				return bad()
			}
			return 1
		})
	}
	cause := errors.New("out of cheese")
	for name, c := range map[string]struct {
		k    kernel.Kernel
		want error
		text string
	}{
		"NaN":      {at(math.NaN), svmkit.ErrNotFinite, "NaN"},
		"infinite": {at(func() float64 { return math.Inf(-1) }), svmkit.ErrNotFinite, "-Inf"},
		"panic":    {at(func() float64 { panic(cause) }), cause, "out of cheese"},
	} {
		e := kernelrows.New(c.k, rows, 1).Evaluator()
		var at *kernel.EvalError
		err := e.Row(make([]float64, 4), 1, []int32{3, 0, 2, 1})
		if !errors.As(err, &at) || at.I != 1 || at.J != 2 || !errors.Is(err, c.want) || !strings.Contains(err.Error(), "rows 1 and 2") || !strings.Contains(err.Error(), c.text) {
			t.Errorf("%s: %v", name, err)
		}
		err = e.RowOf(make([]float64, 4), rows[1], []int32{3, 0, 2, 1})
		if !errors.As(err, &at) || at.I != svmkit.NoPlace || at.J != 2 {
			t.Errorf("%s: a row from elsewhere: %v", name, err)
		}
	}
	// Built-in kernels overflow, and a matrix has no entry for a number that it does not know.
	e := kernelrows.New(kernel.Polynomial{}, svmkit.DenseRows([]float64{1, 1e120}, 1), 1).Evaluator()
	if _, err := e.Diagonal(); !errors.Is(err, svmkit.ErrNotFinite) {
		t.Errorf("(10²⁴⁰)³: %v", err)
	}
	for _, number := range []float64{-1, 0.5, 2, math.NaN()} {
		e := kernelrows.New(all["precomputed"], []svmkit.Row{svmkit.Dense(0), svmkit.Dense(number)}, 1).Evaluator()
		if err := e.Row(make([]float64, 2), 0, []int32{0, 1}); !errors.Is(err, svmkit.ErrNotFinite) {
			t.Errorf("object %g of two: %v", number, err)
		}
	}
}

// Where Eval panics because two rows cannot be of one space, an Evaluator returns an error: it may
// run in a goroutine whose panic no caller can recover from.
func TestRowOfAnotherSpace(t *testing.T) {
	three := []svmkit.Row{svmkit.Dense(1, 2, 3)}
	beyond := svmkit.Row{Index: []int32{3}, Value: []float64{1}}
	for name, k := range all {
		if name == "precomputed" {
			continue
		}
		for _, z := range []svmkit.Row{svmkit.Dense(1), svmkit.Dense(1, 2, 3, 4), beyond} {
			var e *kernel.EvalError
			if err := kernelrows.New(k, three, 3).Evaluator().RowOf(make([]float64, 1), z, []int32{0}); !errors.As(err, &e) || e.Panic == nil {
				t.Errorf("%s: row %v meets three columns: %v", name, z, err)
			}
		}
		if err := kernelrows.New(k, []svmkit.Row{beyond}, 3).Evaluator().RowOf(make([]float64, 1), three[0], []int32{0}); err == nil {
			t.Errorf("%s: three columns meet %v: no error", name, beyond)
		}
	}
}

func TestRowsAllocateNothing(t *testing.T) {
	rng := rand.New(rand.NewPCG(2, 0))
	rows := randomRows(rng, 8, 5, true)
	columns, to := []int32{0, 1, 2, 3, 4, 5, 6, 7}, make([]float64, 8)
	for name, k := range all {
		if name == "precomputed" {
			continue
		}
		e := kernelrows.New(k, rows, 5).Evaluator()
		i := 0
		if n := testing.AllocsPerRun(20, func() { e.Row(to, i%8, columns); i++ }); n != 0 {
			t.Errorf("%s: %g allocations a row", name, n)
		}
	}
}

func BenchmarkRow(b *testing.B) {
	rng := rand.New(rand.NewPCG(4, 0))
	const n, d = 1000, 50
	columns, to := make([]int32, n), make([]float64, n)
	for j := range columns {
		columns[j] = int32(j)
	}
	for layout, rows := range map[string][]svmkit.Row{"dense": randomRows(rng, n, d, false), "sparse": sparseRows(rng, n, 10*d)} {
		for name, k := range all {
			if name == "precomputed" {
				continue
			}
			b.Run(layout+"/"+name, func(b *testing.B) {
				e := kernelrows.New(k, rows, 10*d).Evaluator()
				if layout == "dense" {
					e = kernelrows.New(k, rows, d).Evaluator()
				}
				for i := 0; b.Loop(); i++ {
					if err := e.Row(to, i%n, columns); err != nil {
						b.Fatal(err)
					}
				}
				b.ReportMetric(float64(b.Elapsed().Nanoseconds())/float64(b.N)/n, "ns/value")
			})
		}
	}
}

// sparseRows returns n rows of d columns, a tenth of which is not zero.
func sparseRows(rng *rand.Rand, n, d int) []svmkit.Row {
	rows := make([]svmkit.Row, n)
	for i := range rows {
		v := make([]float64, d)
		for j := range v {
			if rng.IntN(10) == 0 {
				v[j] = rng.NormFloat64()
			}
		}
		rows[i] = sparse(v)
	}
	return rows
}

func TestMain(m *testing.M) { leaktest.Main(m) }
