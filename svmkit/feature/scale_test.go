package feature_test

import (
	"errors"
	"math"
	"reflect"
	"slices"
	"strings"
	"testing"

	"github.com/svmkit/course/svmkit"
	"github.com/svmkit/course/svmkit/feature"
	"github.com/svmkit/course/svmkit/samples"
	"github.com/svmkit/course/svmkit/tune"
	"pgregory.net/rapid"
)

var kinds = []feature.Kind{feature.Standardize, feature.Center, feature.UnitVariance,
	feature.MinMax, feature.MaxAbs, feature.UnitNorm}

// moderate draws numbers of size 10⁻⁶ … 10⁶, so that tolerances can be relative to 10⁶.
func moderate(t *rapid.T, n, d int) *svmkit.Dataset {
	flat := make([]float64, n*d)
	for i := range flat {
		flat[i] = rapid.Custom(func(t *rapid.T) float64 {
			return math.Pow(10, rapid.Float64Range(-6, 6).Draw(t, "log")) * rapid.SampledFrom([]float64{-1, 0, 1}).Draw(t, "sign")
		}).Draw(t, "x")
	}
	return &svmkit.Dataset{X: svmkit.DenseRows(flat, d), Y: make([]float64, n), Dim: d}
}

// sparsify returns set with rows that store no zeros.
func sparsify(set *svmkit.Dataset) *svmkit.Dataset {
	s := *set
	s.X = make([]svmkit.Row, len(set.X))
	for i := range set.X {
		s.X[i].Index = []int32{}
		for j := range set.Dim {
			if v := set.X[i].At(j); v != 0 {
				s.X[i].Index = append(s.X[i].Index, int32(j))
				s.X[i].Value = append(s.X[i].Value, v)
			}
		}
	}
	return &s
}

func columnOf(s *svmkit.Dataset, j int) (c []float64) {
	for _, x := range s.X {
		c = append(c, x.At(j))
	}
	return c
}

func meanAndDeviation(c []float64) (m, s float64) {
	for _, v := range c {
		m += v / float64(len(c))
	}
	for _, v := range c {
		s += (v - m) * (v - m) / float64(len(c))
	}
	return m, math.Sqrt(s)
}

func TestScalerDoesWhatItsKindSays(t *testing.T) {
	const tol = 1e-9 // 10⁶ times the rounding of sums of 30 numbers up to 10⁶
	rapid.Check(t, func(t *rapid.T) {
		set := moderate(t, rapid.IntRange(1, 30).Draw(t, "n"), 3)
		for _, kind := range kinds {
			fitted, err := feature.Scaler{Kind: kind, Low: -2, High: 5}.Fit(set)
			if err != nil {
				t.Fatal(kind, err)
			}
			scaled, err := fitted.Apply(set)
			if err != nil {
				t.Fatal(kind, err)
			}
			for j := range set.Dim {
				old, c := columnOf(set, j), columnOf(scaled, j)
				constant := slices.Min(old) == slices.Max(old)
				m, s := meanAndDeviation(c)
				_, spread := meanAndDeviation(old)
				ok := true
				switch kind {
				case feature.Standardize:
					// the mean of the original is only known to 10⁶ ulps, in units of its spread
					ok = math.Abs(m) < tol/min(1, spread) && math.Abs(s-1) < tol/min(1, spread) || constant && m == 0
				case feature.Center:
					ok = math.Abs(m) < tol && math.Abs(s-spread) < tol
				case feature.UnitVariance:
					ok = math.Abs(s-1) < tol/min(1, spread) || constant && slices.Equal(c, old)
				case feature.MinMax:
					ok = slices.Min(c) == -2 && (math.Abs(slices.Max(c)-5) < tol || constant && slices.Max(c) == -2)
				case feature.MaxAbs:
					big := max(slices.Max(c), -slices.Min(c))
					ok = big == 1 || big == 0 && constant
				}
				if !ok {
					t.Fatalf("%v: column %v became %v", kind, old, c)
				}
			}
			for i, x := range scaled.X {
				if n := x.Norm(); kind == feature.UnitNorm && math.Abs(n-1) > ulps && set.X[i].Norm() != 0 {
					t.Fatalf("norm %g", n)
				}
			}
			back, err := fitted.Inverse(scaled)
			if kind == feature.UnitNorm {
				if !errors.Is(err, feature.ErrNoInverse) {
					t.Fatal(err)
				}
				continue
			}
			for i, x := range set.X {
				svmkit.Dense(x.Value...).AddTo(back.X[i].Value, -1)
				if back.X[i].Norm() > tol {
					t.Fatalf("%v: the inverse is off by %v", kind, back.X[i].Value)
				}
			}
		}
	})
}

func TestScalerSparseEqualsDense(t *testing.T) {
	const tol = 1e-12 // both compute the same sums in another order
	rapid.Check(t, func(t *rapid.T) {
		dense := moderate(t, rapid.IntRange(1, 20).Draw(t, "n"), 4)
		sparse := sparsify(dense)
		for _, kind := range kinds {
			a, err := feature.Scaler{Kind: kind}.Fit(dense)
			if err != nil {
				t.Fatal(err)
			}
			b, err := feature.Scaler{Kind: kind}.Fit(sparse)
			if kind == feature.Standardize || kind == feature.Center || kind == feature.MinMax {
				if _, applied := a.Apply(sparse); !errors.Is(err, feature.ErrFillsSparse) || !errors.Is(applied, feature.ErrFillsSparse) {
					t.Fatalf("%v fills sparse rows: %v, %v", kind, err, applied)
				}
				continue
			}
			if err != nil {
				t.Fatal(kind, err)
			}
			x, _ := a.Apply(dense)
			z, err := b.Apply(sparse)
			if err != nil || z.NNZ() != sparse.NNZ() {
				t.Fatalf("%v: %d values became %d, %v", kind, sparse.NNZ(), z.NNZ(), err)
			}
			for i := range x.X {
				for j := range x.Dim {
					if want := x.X[i].At(j); math.Abs(z.X[i].At(j)-want) > tol*max(1, math.Abs(want)) {
						t.Fatalf("%v: sparse %g, dense %g", kind, z.X[i].At(j), want)
					}
				}
			}
		}
	})
}

func TestScalerSeesTrainingRowsOnly(t *testing.T) {
	set, _ := samples.Overlapping{N: 40, Separation: 3}.Generate(1)
	train, test, _ := tune.Split(set, 0.5, 1)
	for _, kind := range kinds {
		fitted, _ := feature.Scaler{Kind: kind}.Fit(train)
		before, _ := fitted.Apply(train)
		for _, x := range test.X { // whatever the test rows hold
			x.Value[0], x.Value[1] = 1000*x.Value[0], -7
		}
		again, _ := feature.Scaler{Kind: kind}.Fit(train)
		after, _ := again.Apply(train)
		if !reflect.DeepEqual(before, after) {
			t.Errorf("%v: the test rows changed the training rows", kind)
		}
		one, err := fitted.ApplyRow(test.X[3])
		whole, _ := fitted.Apply(test)
		if err != nil || !slices.Equal(one.Value, whole.X[3].Value) {
			t.Errorf("%v: row by row %v, all at once %v, %v", kind, one.Value, whole.X[3].Value, err)
		}
	}
}

func TestScalerErrors(t *testing.T) {
	set, _ := svmkit.NewDataset([][]float64{{1, 2}, {3, 4}}, []float64{1, -1})
	for _, s := range []feature.Scaler{{Kind: -1}, {Kind: 6}, {Kind: feature.MinMax, Low: 2, High: 1},
		{Kind: feature.MinMax, Low: math.Inf(-1), High: 1}, {Kind: feature.MinMax, Low: math.NaN(), High: 1}} {
		if _, err := s.Fit(set); !errors.As(err, new(*svmkit.ParamError)) {
			t.Errorf("%+v: %v", s, err)
		}
	}
	fitted, _ := feature.Scaler{}.Fit(set)
	wide, _ := svmkit.NewDataset([][]float64{{1, 2, 3}}, []float64{1})
	if _, err := fitted.Apply(wide); !errors.Is(err, svmkit.ErrMismatch) {
		t.Errorf("three columns for two: %v", err)
	}
	if _, err := fitted.ApplyRow(svmkit.Dense(1)); !errors.As(err, new(*svmkit.DataError)) {
		t.Errorf("one column for two: %v", err)
	}
	if _, err := (feature.Scaler{}).Fit(nil); !errors.Is(err, svmkit.ErrEmpty) {
		t.Errorf("no set: %v", err)
	}
	huge, _ := svmkit.NewDataset([][]float64{{1e308}, {-1e308}}, []float64{1, -1})
	tiny, _ := svmkit.NewDataset([][]float64{{0}, {5e-324}}, []float64{1, -1})
	tiny.Features = []string{"age"}
	for set, says := range map[*svmkit.Dataset]string{
		huge: "column 0, counted from 0, cannot be scaled: of shift -1e+308, scale +Inf and 1/scale 0 one is not a finite number; multiply or divide the column by a power of ten, or drop it",
		tiny: `column "age" cannot be scaled: of shift 0, scale 5e-324 and 1/scale +Inf one is not a finite number`,
	} {
		if _, err := (feature.Scaler{Kind: feature.MinMax}).Fit(set); !errors.Is(err, svmkit.ErrNotFinite) || !strings.Contains(err.Error(), says) {
			t.Errorf("%v, want %q", err, says)
		}
	}
	for _, kind := range kinds { // a clear error or finite numbers, whatever the size
		for _, extreme := range []*svmkit.Dataset{huge, tiny} {
			fitted, err := feature.Scaler{Kind: kind}.Fit(extreme)
			if err == nil {
				var scaled *svmkit.Dataset
				if scaled, err = fitted.Apply(extreme); err == nil {
					err = scaled.Validate()
				}
			}
			if err != nil && !errors.Is(err, svmkit.ErrNotFinite) {
				t.Errorf("%v: %v", kind, err)
			}
		}
	}
}

// Scaled rows share an array, but a row that is made longer leaves the next as it was.
func TestScaledRowsGrowAlone(t *testing.T) {
	set := &svmkit.Dataset{X: svmkit.DenseRows([]float64{1, 2, 3, 4}, 2), Y: make([]float64, 2), Dim: 2}
	for _, kind := range kinds {
		scaling, err := feature.Scaler{Kind: kind}.Fit(set)
		if err != nil {
			t.Fatal(kind, err)
		}
		scaled, err := scaling.Apply(set)
		if err != nil {
			t.Fatal(kind, err)
		}
		want := slices.Clone(scaled.X[1].Value)
		if _ = append(scaled.X[0].Value, 7); !slices.Equal(scaled.X[1].Value, want) {
			t.Errorf("%v: %g, want %g", kind, scaled.X[1].Value, want)
		}
	}
}
