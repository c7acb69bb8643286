package svmkit_test

import (
	"math"
	"slices"
	"testing"

	"github.com/svmkit/course/svmkit"
	"pgregory.net/rapid"
)

// The plane (w, b) over s is the plane (w, b/c) through the origin over the augmented set.
func TestAugmentIsABias(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		h, set := separated(t)
		for i, x := range set.X {
			if rapid.Bool().Draw(t, "sparse") {
				set.X[i] = sparse(x.Value)
			}
		}
		c := rapid.SampledFrom([]float64{1, 0.25, 7}).Draw(t, "c")
		up := set.Augment(c)
		if err := up.Validate(); err != nil {
			t.Fatal(err)
		}
		lifted := svmkit.Hyperplane{W: append(slices.Clone(h.W), h.B/c)}
		for i, x := range set.X {
			if a, b := lifted.Score(up.X[i]), h.Score(x); !near(a, b, size(h, x)) {
				t.Fatalf("row %d: score %g, augmented %g", i, b, a)
			}
			if a, b := up.X[i].SquaredNorm(), x.SquaredNorm()+c*c; !near(a, b, 0) {
				t.Fatalf("row %d: ‖x'‖² = %g, want ‖x‖²+c² = %g", i, a, b)
			}
			if (x.Index == nil) != (up.X[i].Index == nil) {
				t.Fatalf("row %d changed between dense and sparse", i)
			}
		}
		// The margin that the comment of Augment promises.
		canonical, err := h.Canonical(set)
		if err != nil {
			t.Fatal(err)
		}
		got, _ := lifted.SetMargin(up)
		want := 1 / math.Hypot(canonical.Norm(), canonical.B/c)
		if math.Abs(got-want) > separatedRounding*want {
			t.Fatalf("augmented margin %g, want 1/√(‖w‖²+b²/c²) = %g", got, want)
		}
	})
}

func TestAugmentKeepsTheOriginal(t *testing.T) {
	set := threeClasses()
	up := set.Augment(5)
	if up.Dim != 3 || set.Dim != 2 || up.NNZ() != set.NNZ()+4 {
		t.Errorf("Dim %d, %d values", up.Dim, up.NNZ())
	}
	if !slices.Equal(up.Features, []string{"small", "large", "1"}) || !slices.Equal(up.Classes, set.Classes) || !slices.Equal(up.Y, set.Y) {
		t.Errorf("names %q, %q, labels %v", up.Features, up.Classes, up.Y)
	}
	for i, want := range [][]float64{{1, 10, 5}, {2, 20, 5}, {3, 30, 5}, {0, 40, 5}} {
		if got := up.X[i].ToDense(3); !slices.Equal(got, want) {
			t.Errorf("row %d: %v, want %v", i, got, want)
		}
	}
	up.X[0].Value[0] = 99
	if set.X[0].Value[0] != 1 || len(set.Features) != 2 {
		t.Error("the original has changed")
	}
	// A row must not grow into its neighbour.
	_ = append(up.X[1].Value, -7)
	if up.X[2].Value[0] != 3 {
		t.Error("appending to one row writes into the next")
	}
}
