package separate_test

import (
	"context"
	"errors"
	"fmt"
	"log"
	"math"
	"math/big"
	"math/rand/v2"
	"testing"

	"github.com/svmkit/course/internal/leaktest"
	"github.com/svmkit/course/svmkit"
	"github.com/svmkit/course/svmkit/samples"
	"github.com/svmkit/course/svmkit/separate"
)

// gaussian returns n rows of dimension d whose labels are those of a random plane, or, with
// noise, arbitrary.
func gaussian(r *rand.Rand, n, d int, noise bool) *svmkit.Dataset {
	x, y := make([][]float64, n), make([]float64, n)
	w := make([]float64, d)
	for j := range w {
		w[j] = r.NormFloat64()
	}
	for i := range x {
		x[i] = make([]float64, d)
		f := 0.3
		for j := range x[i] {
			x[i][j] = r.NormFloat64()
			f += w[j] * x[i][j]
		}
		y[i] = math.Copysign(1, f)
		if noise {
			y[i] = float64(2*r.IntN(2) - 1)
		}
	}
	y[0], y[1] = 1, -1
	x[0], x[1] = append([]float64{}, w...), make([]float64, d)
	for j := range w {
		x[1][j] = -w[j]
	}
	set, err := svmkit.NewDataset(x, y)
	if err != nil {
		panic(err)
	}
	return set
}

// Whatever the data, the answer is decided and its proof stands when it is checked by
// evaluating every row, or every column, without rounding.
func TestDecideProvesItsAnswer(t *testing.T) {
	count := map[separate.Answer]int{}
	for seed := range uint64(300) {
		r := rand.New(rand.NewPCG(seed, 0))
		set := gaussian(r, 4+r.IntN(60), 1+r.IntN(8), seed%2 == 0)
		bias := []svmkit.Bias{svmkit.FreeBias, svmkit.NoBias}[r.IntN(2)]
		proof, err := separate.Decide(context.Background(), set, bias)
		if err != nil {
			t.Fatal(err)
		}
		count[proof.Answer]++
		if err := proof.Verify(set); proof.Answer == separate.Undecided || err != nil {
			t.Errorf("seed %d: %v after %d steps: %v", seed, proof.Answer, proof.Steps, err)
		}
		switch proof.Answer {
		case separate.Separable:
			gamma, _ := proof.Plane.SetMargin(set)
			if !(gamma > 0) || math.Abs(gamma-proof.Margin) > 1e-12*set.Radius() {
				t.Errorf("seed %d: margin %g, measured %g", seed, proof.Margin, gamma)
			}
			if proof.Upper < proof.Margin*(1-1e-12) || proof.Upper-proof.Margin > 1e-8*proof.Upper {
				t.Errorf("seed %d: margin %g, bound %g", seed, proof.Margin, proof.Upper)
			}
		case separate.Inseparable:
			if len(proof.Common) > set.Dim+2 {
				t.Errorf("seed %d: %d rows carry the proof in %d dimensions", seed, len(proof.Common), set.Dim)
			}
		}
	}
	if count[separate.Separable] < 50 || count[separate.Inseparable] < 50 {
		t.Fatalf("the test saw too little of one kind: %v", count)
	}
}

// No plane of a fine grid beats the one found: the margin is the largest.
func TestDecideMaximisesTheMargin(t *testing.T) {
	for seed := range uint64(20) {
		set := gaussian(rand.New(rand.NewPCG(seed, 1)), 12, 2, false)
		proof, err := separate.Decide(context.Background(), set, svmkit.NoBias)
		if err != nil || proof.Answer != separate.Separable {
			continue // its plane has a bias; a plane through the origin may not exist
		}
		for k := range 3600 {
			sin, cos := math.Sincos(2 * math.Pi * float64(k) / 3600)
			gamma, _ := svmkit.Hyperplane{W: []float64{cos, sin}}.SetMargin(set)
			if gamma > proof.Margin*(1+1e-9) {
				t.Fatalf("seed %d: the plane at %d/10 degrees has margin %g > %g", seed, k, gamma, proof.Margin)
			}
		}
	}
}

func TestDecideByHand(t *testing.T) {
	set := func(x [][]float64, y ...float64) *svmkit.Dataset {
		s, err := svmkit.NewDataset(x, y)
		if err != nil {
			t.Fatal(err)
		}
		return s
	}
	basis := make([][]float64, 16)
	for i := range basis {
		basis[i] = make([]float64, 16)
		basis[i][i] = float64(1 - 2*(i%2)) // yᵢxᵢ = eᵢ
	}
	signs := make([]float64, 16)
	for i := range signs {
		signs[i] = float64(1 - 2*(i%2))
	}
	for _, c := range []struct {
		name   string
		set    *svmkit.Dataset
		bias   svmkit.Bias
		answer separate.Answer
		margin float64
	}{
		{"two points, free", set([][]float64{{0, 0}, {6, 8}}, -1, 1), svmkit.FreeBias, separate.Separable, 5},
		{"basis vectors: the nearest point of their simplex is at 1/√n", set(basis, signs...), svmkit.NoBias, separate.Separable, 0.25},
		{"XOR", set([][]float64{{0, 0}, {1, 1}, {0, 1}, {1, 0}}, 1, 1, -1, -1), svmkit.FreeBias, separate.Inseparable, 0},
		{"hulls that touch in one point", set([][]float64{{0, 0}, {1, 0}, {1, 0}, {2, 0}}, -1, -1, 1, 1), svmkit.FreeBias, separate.Inseparable, 0},
		{"one point with both labels", set([][]float64{{3, 1}, {3, 1}}, 1, -1), svmkit.FreeBias, separate.Inseparable, 0},
		{"separable only with a bias", set([][]float64{{1}, {2}}, -1, 1), svmkit.NoBias, separate.Inseparable, 0},
		{"a row at the origin", set([][]float64{{0}, {2}}, -1, 1), svmkit.NoBias, separate.Inseparable, 0},
		{"two rows a hair apart", set([][]float64{{1}, {math.Nextafter(1, 2)}}, -1, 1), svmkit.FreeBias, separate.Undecided, 0},
	} {
		proof, err := separate.Decide(context.Background(), c.set, c.bias)
		if err != nil || proof.Answer != c.answer {
			t.Errorf("%s: %v, %v", c.name, proof.Answer, err)
			continue
		}
		if c.margin > 0 && math.Abs(proof.Margin-c.margin) > 1e-12 {
			t.Errorf("%s: margin %g, want %g", c.name, proof.Margin, c.margin)
		}
	}
}

// A wrong proof is refused: Verify is no rubber stamp.
func TestVerifyRefuses(t *testing.T) {
	set, _ := svmkit.NewDataset([][]float64{{0, 0}, {1, 1}, {0, 1}, {1, 0}}, []float64{1, 1, -1, -1})
	proof, _ := separate.Decide(context.Background(), set, svmkit.FreeBias)
	proof.Common[0].Weight = new(big.Rat).Add(proof.Common[0].Weight, big.NewRat(1, 1_000_000_000))
	if proof.Verify(set) == nil {
		t.Error("weights that do not sum to 1 passed")
	}
	plane := &separate.Proof{Plane: svmkit.Hyperplane{W: []float64{1, 0}, B: -0.5}}
	if err := plane.Verify(set); !errors.Is(err, svmkit.ErrNotSeparated) {
		t.Errorf("a plane through XOR passed: %v", err)
	}
}

// What cannot be a proof for the set is an error, not a panic.
func TestVerifyRefusesMisfits(t *testing.T) {
	set, _ := svmkit.NewDataset([][]float64{{1, 0}, {2, 0}}, []float64{-1, 1})
	shifted := svmkit.Hyperplane{W: []float64{1, 0}, B: -1.5}
	if err := (&separate.Proof{Bias: svmkit.FreeBias, Plane: shifted}).Verify(set); err != nil {
		t.Fatal(err)
	}
	for name, p := range map[string]separate.Proof{
		"a bias with NoBias":        {Bias: svmkit.NoBias, Plane: shifted},
		"a weight that is nil":      {Common: []separate.Weight{{Row: 0}, {Row: 1}}},
		"a row that does not exist": {Common: []separate.Weight{{Row: 2, Weight: big.NewRat(1, 1)}}},
	} {
		if p.Verify(set) == nil {
			t.Errorf("%s passed", name)
		}
	}
	for _, w := range [][]float64{nil, {1}, {1, 0, 0}} {
		var data *svmkit.DataError
		p := separate.Proof{Plane: svmkit.Hyperplane{W: w, B: -1.5}}
		if err := p.Verify(set); !errors.As(err, &data) || !errors.Is(err, svmkit.ErrMismatch) {
			t.Errorf("a plane of %d columns for a set of 2: %v", len(w), err)
		}
	}
	plane := separate.Proof{Plane: shifted}
	if err := plane.Verify(nil); !errors.Is(err, svmkit.ErrEmpty) {
		t.Errorf("nil set: %v", err)
	}
}

func TestAnswerString(t *testing.T) {
	for a, want := range map[separate.Answer]string{separate.Undecided: "undecided", separate.Inseparable: "inseparable",
		-1: "unknown answer", 5: "unknown answer"} {
		if got := a.String(); got != want {
			t.Errorf("Answer %d: %q, want %q", int(a), got, want)
		}
	}
}

// Rows whose products overflow are refused, whatever the bias; the largest that are not get an
// answer.
func TestDecideRefusesOverflow(t *testing.T) {
	rows := func(s float64) *svmkit.Dataset {
		set, err := svmkit.NewDataset([][]float64{{2 * s, 0}, {0, 2 * s}, {-s, -s}}, []float64{1, 1, -1})
		if err != nil {
			t.Fatal(err)
		}
		return set
	}
	for _, bias := range []svmkit.Bias{svmkit.FreeBias, svmkit.NoBias} {
		for _, s := range []float64{6e153, 1e154, 1e155, 1e160, 1e200, math.MaxFloat64 / 2} {
			var data *svmkit.DataError
			_, err := separate.Decide(context.Background(), rows(s), bias)
			if !errors.As(err, &data) || !errors.Is(err, svmkit.ErrNotFinite) || data.Row != 0 {
				t.Errorf("scale %g, %v: %v", s, bias, err)
			}
		}
		for _, s := range []float64{1e-320, 1e-200, 1e-160} {
			if _, err := separate.Decide(context.Background(), rows(s), bias); err != nil {
				t.Errorf("scale %g, %v: %v", s, bias, err)
			}
		}
		if proof, err := separate.Decide(context.Background(), rows(3e153), bias); err != nil || proof.Answer != separate.Separable {
			t.Errorf("scale 3e153, %v: %v, %v", bias, proof, err)
		}
	}
}

func TestDecideErrors(t *testing.T) {
	one, _ := svmkit.NewDataset([][]float64{{1}, {2}}, []float64{1, 1})
	if _, err := separate.Decide(context.Background(), one, svmkit.FreeBias); !errors.Is(err, svmkit.ErrOneClass) {
		t.Errorf("one class: %v", err)
	}
	if _, err := separate.Decide(context.Background(), nil, svmkit.FreeBias); !errors.Is(err, svmkit.ErrEmpty) {
		t.Errorf("nil set: %v", err)
	}
	two := gaussian(rand.New(rand.NewPCG(1, 1)), 40, 3, true)
	var bad *svmkit.ParamError
	if _, err := separate.Decide(context.Background(), two, svmkit.Bias(9)); !errors.As(err, &bad) {
		t.Errorf("bias 9: %v", err)
	}
	ctx, cancel := context.WithCancel(context.Background())
	cancel()
	if proof, err := separate.Decide(ctx, two, svmkit.FreeBias); !errors.Is(err, context.Canceled) || proof == nil {
		t.Errorf("cancelled: %v, %v", proof, err)
	}
}

func Example() {
	proof, err := separate.Decide(context.Background(), samples.XOR(), svmkit.FreeBias)
	if err != nil {
		log.Fatal(err)
	}
	fmt.Println(proof.Answer, len(proof.Common))
	// Output: inseparable 4
}

func ExampleDecide() {
	xor, _ := svmkit.NewDataset([][]float64{{0, 0}, {1, 1}, {0, 1}, {1, 0}}, []float64{1, 1, -1, -1})
	proof, _ := separate.Decide(context.Background(), xor, svmkit.FreeBias)
	fmt.Println(proof.Answer)
	for _, c := range proof.Common {
		fmt.Printf("%v of %v, label %+g\n", c.Weight.RatString(), xor.X[c.Row].Value, xor.Y[c.Row])
	}
	// Output:
	// inseparable
	// 1/2 of [0 0], label +1
	// 1/2 of [1 1], label +1
	// 1/2 of [0 1], label -1
	// 1/2 of [1 0], label -1
}

func TestMain(m *testing.M) { leaktest.Main(m) }

// Rows of weight 0 neither stand in the way of a plane nor make one; rows of a proof are named by
// their numbers in the data.
func TestRowsOfWeightZeroDoNotCount(t *testing.T) {
	set := &svmkit.Dataset{X: svmkit.DenseRows([]float64{-9, -1, 1, 5, 0, 2}, 1), Y: []float64{1, -1, 1, -1, -1, 1}, Weight: []float64{0, 1, 2, 0, 1, 1}, Dim: 1}
	p, err := separate.Decide(t.Context(), set, svmkit.FreeBias)
	const half, rounding = 0.5, 1e-12 // between 0 and 1
	if err != nil || p.Answer != separate.Separable || !(math.Abs(p.Margin-half) <= rounding) || p.Verify(set) != nil {
		t.Fatalf("%v, %+v", err, p)
	}
	once := *set
	once.Weight = nil
	if err := p.Verify(&once); !errors.Is(err, svmkit.ErrNotSeparated) {
		t.Errorf("without weights: %v", err)
	}
	set.Weight[3] = 1 // now a row of the negative class stands at 5, beyond the positive ones
	p, err = separate.Decide(t.Context(), set, svmkit.FreeBias)
	if err != nil || p.Answer != separate.Inseparable || p.Verify(set) != nil {
		t.Fatalf("%v, %+v", err, p)
	}
	for _, c := range p.Common {
		if set.Weight[c.Row] == 0 {
			t.Errorf("row %d of weight 0 is part of the proof", c.Row)
		}
	}
	set.Weight[p.Common[0].Row] = 0
	if err := p.Verify(set); err == nil {
		t.Error("a proof stands that rests on a row of weight 0")
	}
}
