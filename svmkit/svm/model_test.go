package svm_test

import (
	"context"
	"fmt"
	"math"
	"math/rand/v2"
	"testing"

	"github.com/svmkit/course/svmkit"
	"github.com/svmkit/course/svmkit/kernel"
	"github.com/svmkit/course/svmkit/svm"
)

// A kernel machine with K(x,z) = (⟨x,z⟩ + 1)² is a plane in the space of its feature map. Norm,
// Score and Margin are those of that plane.
func TestKernelModelIsAPlaneInFeatureSpace(t *testing.T) {
	rng := rand.New(rand.NewPCG(1, 0))
	φ := func(x svmkit.Row) svmkit.Row {
		a, b, r := x.Value[0], x.Value[1], math.Sqrt2
		return svmkit.Dense(1, r*a, r*b, a*a, b*b, r*a*b)
	}
	const near = 1e-12 // rounding of a few dozen terms of the size of 1
	for range 20 {
		m := svm.Model{Kernel: kernel.Polynomial{Gamma: 1, Coef0: 1, Degree: 2}, Bias: rng.NormFloat64(), Dim: 2}
		plane := svmkit.Hyperplane{W: make([]float64, 6), B: m.Bias}
		for range 5 {
			x, beta := svmkit.Dense(rng.NormFloat64(), rng.NormFloat64()), rng.NormFloat64()
			m.SV, m.Coef = append(m.SV, x), append(m.Coef, beta)
			φ(x).AddTo(plane.W, beta)
		}
		if _, linear := m.Plane(); linear {
			t.Error("a polynomial machine calls itself linear")
		}
		norm := plane.Norm()
		if math.Abs(m.Norm()-norm) > near*(1+norm) {
			t.Errorf("‖w‖ = %g, want %g", m.Norm(), norm)
		}
		for _, y := range []float64{-1, 1} {
			x := svmkit.Dense(rng.NormFloat64(), rng.NormFloat64())
			if got, want := m.Margin(x, y), plane.Margin(φ(x), y); math.Abs(got-want) > near*(1+math.Abs(want))*(1+1/norm) {
				t.Errorf("margin %g, want %g", got, want)
			}
		}
	}
}

// The plane 3x₁ + 4x₂ = 5: ‖w‖ = 5, the origin has the score −5 and the distance 1.
func TestLinearModelByHand(t *testing.T) {
	m := svm.Model{Weights: []float64{3, 4}, Bias: -5, Dim: 2, Classes: []string{"ham", "spam"}}
	if plane, linear := m.Plane(); !linear || plane.B != -5 || plane.W[0] != 3 || plane.W[1] != 4 {
		t.Errorf("plane %v, %v", plane, linear)
	}
	for _, c := range []struct {
		x             svmkit.Row
		score, margin float64 // margin for y = −1
		predicted     float64
		class         string
	}{
		{x: svmkit.Dense(0, 0), score: -5, margin: 1, predicted: -1, class: "ham"},
		{x: svmkit.Dense(3, 4), score: 20, margin: -4, predicted: 1, class: "spam"},
		{x: svmkit.Dense(-1, 2), score: 0, margin: 0, predicted: 0, class: ""}, // on the plane: no class
		{x: svmkit.Row{Index: []int32{1, 7}, Value: []float64{5, 100}}, score: 15, margin: -3, predicted: 1, class: "spam"},
	} {
		if s, g, p, k := m.Score(c.x), m.Margin(c.x, -1), m.Predict(c.x).Y, m.Predict(c.x).Name; s != c.score || g != c.margin || p != c.predicted || k != c.class {
			t.Errorf("%v: score %g, margin %g, prediction %g, class %q; want %+v", c.x, s, g, p, k, c)
		}
		target := m
		target.Regression, target.Classes = true, nil
		if p := target.Predict(c.x).Y; p != c.score || target.Predict(c.x).Name != "" {
			t.Errorf("%v: a regression predicts %g, class %q", c.x, p, target.Predict(c.x).Name)
		}
	}
}

func TestNamesOfUnknownValues(t *testing.T) {
	for got, want := range map[string]string{
		fmt.Sprint(svmkit.Bias(9)): "unknown bias", fmt.Sprint(svmkit.Status(-1)): "unknown status", fmt.Sprint(svmkit.Status(99)): "unknown status",
		fmt.Sprint(svmkit.PenalizedBias): "penalized bias", fmt.Sprint(svmkit.Stationary): "stationary",
	} {
		if got != want {
			t.Errorf("%q, want %q", got, want)
		}
	}
}

// From a model to its plane, its margin and the support vectors that hold it: rows ±1 on a line.
func ExampleModel_Plane() {
	set, err := svmkit.NewDataset([][]float64{{-3, 0}, {-1, 0}, {1, 0}, {1, 5}, {4, 2}}, []float64{-1, -1, 1, 1, 1})
	if err != nil {
		fmt.Println(err)
		return
	}
	r, err := svm.Fit(context.Background(), &svm.Problem{Data: set, C: svm.PerSum(math.Inf(1))}, nil, &svm.Settings{Tol: 1e-9})
	if err != nil {
		fmt.Println(err)
		return
	}
	plane, _ := r.Plane()
	gamma, _ := plane.SetMargin(set)
	fmt.Printf("w = %.3f, half-margin %.3f\n", plane.W, gamma)
	fmt.Println("the row (4, 2) is a support vector:", r.Alpha()[4] > 0)
	// Output:
	// w = [1.000 0.000], half-margin 1.000
	// the row (4, 2) is a support vector: false
}
