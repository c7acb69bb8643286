package samples_test

import (
	"errors"
	"math"
	"reflect"
	"slices"
	"testing"

	"github.com/svmkit/course/svmkit"
	"github.com/svmkit/course/svmkit/samples"
	"pgregory.net/rapid"
)

// ulps is the relative error that sums of a few dozen rounded products may have.
const ulps = 1e-13

// signed returns yᵢxᵢ, whose convex hull's distance from the origin is the maximum margin
// over planes through the origin.
func signed(s *svmkit.Dataset, i int) []float64 {
	z := make([]float64, s.Dim)
	s.X[i].AddTo(z, s.Y[i])
	return z
}

func TestSeparableMarginIsMaximalAndRadiusIsReached(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		g := samples.Separable{
			N: rapid.IntRange(2, 40).Draw(t, "N"), Dim: rapid.IntRange(2, 12).Draw(t, "Dim"),
			Radius: math.Exp(rapid.Float64Range(-5, 5).Draw(t, "lnR")),
		}
		reach := rapid.Float64Range(0.01, 1).Draw(t, "reach") * g.Radius // 1: rounding may exceed R
		g.Bias = rapid.Float64Range(-0.9, 0.9).Draw(t, "bias") * reach
		if rapid.Bool().Draw(t, "homogeneous") {
			g.Bias = 0
		}
		g.Margin = reach - math.Abs(g.Bias)
		set, plane, err := g.Generate(rapid.Uint64().Draw(t, "seed"))
		if err != nil {
			t.Fatal(err)
		}
		if err := set.ValidateBinary(); err != nil || set.Len() != g.N || set.Dim != g.Dim {
			t.Fatal(err, set.Len(), set.Dim)
		}
		tol := ulps * g.Radius
		if math.Abs(plane.Norm()-1) > ulps || plane.B != g.Bias {
			t.Fatalf("planted plane has norm %g and bias %g", plane.Norm(), plane.B)
		}
		if r := set.Radius(); math.Abs(r-g.Radius) > tol {
			t.Fatalf("radius %g, want %g", r, g.Radius)
		}
		if gamma, _ := plane.SetMargin(set); math.Abs(gamma-g.Margin) > tol {
			t.Fatalf("margin %g, want %g", gamma, g.Margin)
		}
		// The hull argument: x₊ − x₋ = 2γw* for some pair, so the hulls of the two classes
		// are at most 2γ apart and no plane has a larger margin than γ.
		if !slices.ContainsFunc(pairs(set), func(p [2]int) bool {
			diff := set.X[p[0]].ToDense(g.Dim)
			set.X[p[1]].AddTo(diff, -1)
			svmkit.Dense(plane.W...).AddTo(diff, -2*g.Margin)
			return svmkit.Dense(diff...).Norm() <= tol
		}) {
			t.Fatal("no pair of rows proves that the margin is maximal")
		}
		if g.Bias != 0 {
			return
		}
		// Through the origin: γw* is in the hull of the yᵢxᵢ, and nothing is nearer.
		for i := range set.X {
			if along := svmkit.Dense(signed(set, i)...).Dot(plane.W); along < g.Margin-tol {
				t.Fatalf("row %d: <y·x, w*> = %g < γ = %g", i, along, g.Margin)
			}
		}
		if !slices.ContainsFunc(pairs(set), func(p [2]int) bool {
			mid := signed(set, p[0])
			svmkit.Dense(signed(set, p[1])...).AddTo(mid, 1)
			svmkit.Dense(plane.W...).AddTo(mid, -2*g.Margin)
			return svmkit.Dense(mid...).Norm() <= tol
		}) {
			t.Fatal("γw* is not the midpoint of two of the yᵢxᵢ")
		}
	})
}

// pairs returns all (i, k) with y_i = +1 and y_k = −1.
func pairs(s *svmkit.Dataset) (p [][2]int) {
	for i := range s.X {
		for k := range s.X {
			if s.Y[i] > 0 && s.Y[k] < 0 {
				p = append(p, [2]int{i, k})
			}
		}
	}
	return p
}

func TestGeneratorsAreDeterministicAndBalanced(t *testing.T) {
	generators := map[string]func(n int, seed uint64) (*svmkit.Dataset, error){
		"Separable": func(n int, seed uint64) (*svmkit.Dataset, error) {
			s, _, err := samples.Separable{N: n, Dim: 3, Margin: 0.1}.Generate(seed)
			return s, err
		},
		"Overlapping": func(n int, seed uint64) (*svmkit.Dataset, error) {
			return samples.Overlapping{N: n, Separation: 2}.Generate(seed)
		},
		"NoisyXOR": func(n int, seed uint64) (*svmkit.Dataset, error) {
			return samples.NoisyXOR{N: n, Noise: 0.2}.Generate(seed)
		},
		"Moons":   func(n int, seed uint64) (*svmkit.Dataset, error) { return samples.Moons{N: n}.Generate(seed) },
		"Circles": func(n int, seed uint64) (*svmkit.Dataset, error) { return samples.Circles{N: n}.Generate(seed) },
	}
	for name, generate := range generators {
		t.Run(name, func(t *testing.T) {
			a, err := generate(101, 7)
			if err != nil {
				t.Fatal(err)
			}
			b, _ := generate(101, 7)
			c, _ := generate(101, 8)
			if !reflect.DeepEqual(a, b) || reflect.DeepEqual(a, c) {
				t.Error("the seed does not decide the set")
			}
			if err := a.ValidateBinary(); err != nil {
				t.Error(err)
			}
			sum := 0.0
			for _, y := range a.Y {
				sum += y
			}
			if math.Abs(sum) > 1 {
				t.Errorf("classes differ by %g rows", sum)
			}
			var bad *svmkit.ParamError
			if _, err := generate(1, 7); !errors.As(err, &bad) || bad.Name != "N" {
				t.Errorf("one row: %v", err)
			}
			if _, err := generate(math.MaxInt, 7); !errors.As(err, &bad) {
				t.Errorf("too many rows: %v", err)
			}
		})
	}
}

// equal compares two sets bit by bit.

func TestOverlappingHasItsSeparationAndError(t *testing.T) {
	const n, separation = 40_000, 2.0
	set, err := samples.Overlapping{N: n, Separation: separation}.Generate(1)
	if err != nil {
		t.Fatal(err)
	}
	mean, wrong := [2]float64{}, 0.0
	for i, x := range set.X {
		mean[0] += set.Y[i] * x.Value[0] / (n / 2)
		mean[1] += set.Y[i] * x.Value[1] / (n / 2)
		if set.Y[i]*x.Value[0] <= 0 {
			wrong++
		}
	}
	// The difference of two means of n/2 normals has deviation 2/√n = 0.01: six of them.
	if math.Abs(mean[0]-separation) > 0.06 || math.Abs(mean[1]) > 0.06 {
		t.Errorf("difference of the means %v, want (%g, 0)", mean, separation)
	}
	// The error rate of n tries has deviation √(p(1−p)/n) = 0.0018: six of them.
	want := 0.5 * math.Erfc(separation/2/math.Sqrt2)
	if math.Abs(wrong/n-want) > 0.011 {
		t.Errorf("best rule errs on %g of the rows, want Φ(−Δ/2) = %g", wrong/n, want)
	}
}

func TestShapes(t *testing.T) {
	moons, _ := samples.Moons{N: 200}.Generate(1)
	for i, x := range moons.X {
		// each on its circle, on its half
		cx, cy := 0.0, 0.0
		if moons.Y[i] < 0 {
			cx, cy = 1, 0.5
		}
		if r := math.Hypot(x.Value[0]-cx, x.Value[1]-cy); math.Abs(r-1) > ulps || moons.Y[i]*(x.Value[1]-cy) < 0 {
			t.Fatalf("moon %g: point %v", moons.Y[i], x.Value)
		}
	}
	circles, _ := samples.Circles{N: 200, Inner: 0.3}.Generate(1)
	for i, x := range circles.X {
		want := map[float64]float64{1: 0.3, -1: 1}[circles.Y[i]]
		if math.Abs(x.Norm()-want) > ulps {
			t.Fatalf("circle %g: radius %g", circles.Y[i], x.Norm())
		}
	}
	xor, _ := samples.NoisyXOR{N: 42, Noise: 0}.Generate(1)
	count := map[[2]float64]int{}
	for i, x := range xor.X {
		if x.Value[0]*x.Value[1] != xor.Y[i] {
			t.Fatalf("point %v has label %g", x.Value, xor.Y[i])
		}
		count[[2]float64{x.Value[0], x.Value[1]}]++
	}
	for corner, n := range count {
		if n < 10 || n > 11 {
			t.Errorf("%d of 42 rows at %v", n, corner)
		}
	}
}

func TestBasisIsTheTightCase(t *testing.T) {
	for _, n := range []int{1, 2, 20} {
		set, plane, err := samples.Basis(n)
		if err != nil {
			t.Fatal(err)
		}
		gamma, _ := plane.SetMargin(set)
		if bound := set.Radius() * set.Radius() / (gamma * gamma); math.Abs(bound-float64(n)) > ulps*float64(n) {
			t.Errorf("n = %d: R²/γ² = %g", n, bound)
		}
		if got := perceptronMistakes(set, 10); got != n {
			t.Errorf("n = %d: the perceptron made %d mistakes", n, got)
		}
	}
	for _, n := range []int{0, -1, math.MaxInt} {
		if _, _, err := samples.Basis(n); !errors.As(err, new(*svmkit.ParamError)) {
			t.Errorf("Basis(%d): %v", n, err)
		}
	}
}

// perceptronMistakes runs the perceptron without bias until a pass has no mistake.
func perceptronMistakes(s *svmkit.Dataset, passes int) (mistakes int) {
	w := make([]float64, s.Dim)
	for range passes {
		before := mistakes
		for x, y := range s.All() {
			if y*x.Dot(w) <= 0 {
				x.AddTo(w, y)
				mistakes++
			}
		}
		if mistakes == before {
			break
		}
	}
	return mistakes
}

func TestNotesExamples(t *testing.T) {
	three := samples.ThreePoints()
	if r := three.Radius(); math.Abs(r*r-26) > 26*ulps {
		t.Errorf("ThreePoints: R² = %g", r*r)
	}
	if gamma, _ := (svmkit.Hyperplane{W: []float64{1, 0}}).SetMargin(three); gamma != 1 {
		t.Errorf("ThreePoints: γ = %g", gamma)
	}
	if got := perceptronMistakes(three, 100); got != 4 { // errata 12
		t.Errorf("ThreePoints: %d mistakes, the notes' run makes 4", got)
	}

	shifted, err := samples.Shifted(100)
	if err != nil {
		t.Fatal(err)
	}
	if got := perceptronMistakes(shifted.Augment(1), 1_000_000); got != 20_002 { // errata 13
		t.Errorf("Shifted(100): %d mistakes with a bias", got)
	}
	for _, c := range []float64{math.NaN(), math.Inf(1), 1e17} {
		if _, err := samples.Shifted(c); !errors.As(err, new(*svmkit.ParamError)) {
			t.Errorf("Shifted(%g): %v", c, err)
		}
	}

	for code := range 8 {
		y := func(bit int) float64 { return float64(code>>bit&1)*2 - 1 }
		set, err := samples.Triangle(y(0), y(1), y(2))
		if err != nil {
			t.Fatal(err)
		}
		lonely := 2
		for i := range 2 {
			if set.Y[i] != set.Y[(i+1)%3] && set.Y[i] != set.Y[(i+2)%3] {
				lonely = i
			}
		}
		if code == 0 || code == 7 {
			continue
		}
		// The plane across the height of the lonely corner c: ⟨c,x⟩ = ¼.
		plane := svmkit.Hyperplane{W: set.X[lonely].Value, B: -0.25}
		if set.Y[lonely] < 0 {
			plane = plane.Scale(-1)
		}
		gamma, _ := plane.SetMargin(set)
		if math.Abs(gamma-0.75) > ulps || math.Abs(set.Radius()-1) > ulps {
			t.Errorf("labels %v: γ = %g, R = %g", set.Y, gamma, set.Radius())
		}
	}
	if _, err := samples.Triangle(1, 0, 1); !errors.Is(err, svmkit.ErrLabel) {
		t.Errorf("Triangle with label 0: %v", err)
	}
}

func TestFlip(t *testing.T) {
	binary, _ := samples.Overlapping{N: 200, Separation: 1}.Generate(1)
	many := &svmkit.Dataset{X: binary.X, Y: make([]float64, 200), Dim: 2, Classes: []string{"a", "b", "c"}}
	for i := range many.Y {
		many.Y[i] = float64(i % 3)
	}
	for name, set := range map[string]*svmkit.Dataset{"binary": binary, "three classes": many} {
		before := slices.Clone(set.Y)
		noisy, err := samples.Flip(set, 0.15, 3)
		if err != nil {
			t.Fatal(err)
		}
		changed := 0
		for i, y := range noisy.Y {
			if y != set.Y[i] {
				changed++
			}
			if !slices.Contains(set.Y, y) {
				t.Fatalf("%s: new label %g", name, y)
			}
		}
		if changed != 30 || !slices.Equal(before, set.Y) {
			t.Errorf("%s: %d of 200 labels changed, want 30, and none in the original", name, changed)
		}
		if all, _ := samples.Flip(set, 1, 3); slices.ContainsFunc(pairsOf(all.Y, set.Y), func(p [2]float64) bool { return p[0] == p[1] }) {
			t.Errorf("%s: rate 1 left a label", name)
		}
	}
	for _, rate := range []float64{-0.1, 1.1, math.NaN()} {
		if _, err := samples.Flip(binary, rate, 1); !errors.As(err, new(*svmkit.ParamError)) {
			t.Errorf("rate %g: %v", rate, err)
		}
	}
	if _, err := samples.Flip(&svmkit.Dataset{X: binary.X, Y: make([]float64, 200), Dim: 2}, 0.1, 1); !errors.Is(err, svmkit.ErrLabel) {
		t.Errorf("regression: %v", err)
	}
	many.Y[0] = 3
	if _, err := samples.Flip(many, 0.1, 1); !errors.Is(err, svmkit.ErrNoClass) {
		t.Errorf("label beyond the classes: %v", err)
	}
}

func pairsOf(a, b []float64) (p [][2]float64) {
	for i := range a {
		p = append(p, [2]float64{a[i], b[i]})
	}
	return p
}

func TestGeneratorsRejectBadParameters(t *testing.T) {
	nan, inf := math.NaN(), math.Inf(1)
	separable := func(g samples.Separable) func() error {
		return func() error { _, _, err := g.Generate(1); return err }
	}
	for name, c := range map[string]struct {
		param string
		run   func() error
	}{
		"one column":        {"Dim", separable(samples.Separable{N: 9, Dim: 1, Margin: 0.1})},
		"no margin":         {"Margin", separable(samples.Separable{N: 9, Dim: 2})},
		"margin NaN":        {"Margin", separable(samples.Separable{N: 9, Dim: 2, Margin: nan})},
		"margin > R":        {"Radius", separable(samples.Separable{N: 9, Dim: 2, Margin: 1.5})},
		"margin + bias > R": {"Radius", separable(samples.Separable{N: 9, Dim: 2, Margin: 0.5, Bias: -0.6})},
		"radius infinite":   {"Radius", separable(samples.Separable{N: 9, Dim: 2, Margin: 0.5, Radius: inf})},
		"bias infinite":     {"Bias", separable(samples.Separable{N: 9, Dim: 2, Margin: 0.5, Bias: inf})},
		"separation":        {"Separation", func() error { _, err := samples.Overlapping{N: 9, Separation: nan}.Generate(1); return err }},
		"columns":           {"Dim", func() error { _, err := samples.Overlapping{N: 9, Dim: -1}.Generate(1); return err }},
		"noise":             {"Noise", func() error { _, err := samples.Moons{N: 9, Noise: -1}.Generate(1); return err }},
		"noise of XOR":      {"Noise", func() error { _, err := samples.NoisyXOR{N: 9, Noise: inf}.Generate(1); return err }},
		"inner circle":      {"Inner", func() error { _, err := samples.Circles{N: 9, Inner: 1}.Generate(1); return err }},
	} {
		var bad *svmkit.ParamError
		if err := c.run(); !errors.As(err, &bad) || bad.Name != c.param {
			t.Errorf("%s: error %v, want one for %s", name, err, c.param)
		}
	}
}
