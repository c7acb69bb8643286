package svmkit_test

import (
	"math"
	"slices"
	"testing"

	"github.com/svmkit/course/svmkit"
	"pgregory.net/rapid"
)

// rounding is the relative error allowed to a sum of at most a dozen products.
const rounding = 1e-13

func near(a, b, size float64) bool {
	return math.Abs(a-b) <= rounding*max(size, math.Abs(a), math.Abs(b))
}

// number draws moderate numbers, and 0 often: sparsity is what the rows differ in.
func number() *rapid.Generator[float64] {
	return rapid.OneOf(rapid.Just(0.0), rapid.Float64Range(-9, 9), rapid.Float64Range(-1, 1))
}

func vector(t *rapid.T, d int, name string) []float64 {
	return rapid.SliceOfN(number(), d, d).Draw(t, name)
}

// sparse returns v without its zeros. Its index is not nil even when nothing is left.
func sparse(v []float64) svmkit.Row {
	x := svmkit.Row{Index: []int32{}, Value: []float64{}}
	for j, a := range v {
		if a != 0 {
			x.Index, x.Value = append(x.Index, int32(j)), append(x.Value, a)
		}
	}
	return x
}

// A sparse row is the dense row: leaving out a product with zero changes no bit of a sum.
func TestSparseIsDense(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		d := rapid.IntRange(1, 12).Draw(t, "d")
		v, w := vector(t, d, "x"), vector(t, d, "w")
		a := number().Draw(t, "a")
		x, s := svmkit.Dense(v...), sparse(v)

		if p, q := x.Dot(w), s.Dot(w); p != q {
			t.Fatalf("Dot: dense %g, sparse %g", p, q)
		}
		p, q := slices.Clone(w), slices.Clone(w)
		x.AddTo(p, a)
		s.AddTo(q, a)
		if !slices.Equal(p, q) {
			t.Fatalf("AddTo: dense %v, sparse %v", p, q)
		}
		if x.SquaredNorm() != s.SquaredNorm() || x.Norm() != s.Norm() {
			t.Fatalf("norms: dense %g, sparse %g", x.Norm(), s.Norm())
		}
		if p, q := x.ToDense(d), s.ToDense(d); !slices.Equal(p, v) || !slices.Equal(q, v) {
			t.Fatalf("ToDense: %v and %v, want %v", p, q, v)
		}
		for j := range v {
			if x.At(j) != v[j] || s.At(j) != v[j] {
				t.Fatalf("At(%d): dense %g, sparse %g, want %g", j, x.At(j), s.At(j), v[j])
			}
		}
		if s.At(d+3) != 0 {
			t.Fatal("a column beyond the last index is not 0")
		}
	})
}

func TestDotRow(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		d := rapid.IntRange(1, 12).Draw(t, "d")
		v, w := vector(t, d, "x"), vector(t, d, "z")
		want, size := 0.0, 0.0
		for j := range v {
			want += v[j] * w[j]
			size += math.Abs(v[j] * w[j])
		}
		for _, x := range []svmkit.Row{svmkit.Dense(v...), sparse(v)} {
			for _, z := range []svmkit.Row{svmkit.Dense(w...), sparse(w)} {
				p, q := x.DotRow(z), z.DotRow(x)
				if p != q {
					t.Fatalf("not symmetric: %g and %g", p, q)
				}
				if !near(p, want, size) {
					t.Fatalf("⟨x,z⟩ = %g, want %g", p, want)
				}
			}
			if n := x.SquaredNorm(); !near(x.DotRow(x), n, 0) {
				t.Fatalf("⟨x,x⟩ = %g, ‖x‖² = %g", x.DotRow(x), n)
			}
		}
	})
}

func TestDotIsLinear(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		d := rapid.IntRange(1, 12).Draw(t, "d")
		x, z := sparse(vector(t, d, "x")), sparse(vector(t, d, "z"))
		w, a := vector(t, d, "w"), number().Draw(t, "a")
		moved := slices.Clone(w)
		z.AddTo(moved, a)
		if got, want := x.Dot(moved), x.Dot(w)+a*x.DotRow(z); !near(got, want, 1e4) {
			t.Fatalf("⟨x, w+az⟩ = %g, ⟨x,w⟩ + a⟨x,z⟩ = %g", got, want)
		}
	})
}

// The length of a row scales with the row, also where its square leaves the range of float64.
func TestNormScales(t *testing.T) {
	for _, scale := range []float64{1, 1e-160, 1e-200, 1e-300, 1e155, 1e200, 1e300} {
		if got, want := svmkit.Dense(3*scale, 0, -4*scale).Norm(), 5*scale; !near(got/scale, want/scale, 1) {
			t.Errorf("‖(3,0,−4)‖·%g = %g, want %g", scale, got, want)
		}
	}
	for _, c := range []struct{ v, want float64 }{{0, 0}, {math.Inf(-1), math.Inf(1)}, {5e-324, 5e-324}} {
		if got := svmkit.Dense(0, c.v).Norm(); got != c.want {
			t.Errorf("‖(0, %g)‖ = %g, want %g", c.v, got, c.want)
		}
	}
	if got := svmkit.Dense(math.NaN(), 1e200).Norm(); !math.IsNaN(got) {
		t.Errorf("norm with NaN = %g", got)
	}
	if got := (svmkit.Row{}).Norm(); got != 0 {
		t.Errorf("empty row has norm %g", got)
	}
}

func TestRowsPanicOnOtherLengths(t *testing.T) {
	x := svmkit.Dense(1, 2)
	s := svmkit.Row{Index: []int32{0, 2}, Value: []float64{1, 2}}
	for name, f := range map[string]func(){
		"dense Dot":         func() { x.Dot([]float64{1, 2, 3}) },
		"dense AddTo":       func() { x.AddTo([]float64{1}, 1) },
		"dense DotRow":      func() { x.DotRow(svmkit.Dense(1)) },
		"dense ToDense":     func() { x.ToDense(3) },
		"sparse Dot":        func() { s.Dot([]float64{1, 2}) },
		"sparse AddTo":      func() { s.AddTo([]float64{1, 2}, 1) },
		"sparse with dense": func() { s.DotRow(x) },
		"DenseRows":         func() { svmkit.DenseRows([]float64{1, 2, 3}, 2) },
		"DenseRows of 0":    func() { svmkit.DenseRows(nil, 0) },
	} {
		if !panics(f) {
			t.Errorf("%s: no panic", name)
		}
	}
}

func panics(f func()) (did bool) {
	defer func() { did = recover() != nil }()
	f()
	return
}
