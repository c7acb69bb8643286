package bound_test

import (
	"math"
	"math/rand/v2"
	"testing"

	"github.com/svmkit/course/svmkit/bound"
	"pgregory.net/rapid"
)

// rounding covers the few operations of a bound: each costs at most 1.1e-16 of the result.
const rounding = 1e-14

// near reports |a − b| ≤ rounding·max(|a|, |b|); an infinity is near itself only.
func near(a, b float64) bool {
	scale := max(math.Abs(a), math.Abs(b))
	return a == b || !math.IsInf(scale, 1) && math.Abs(a-b) <= rounding*scale
}

// atMost reports a ≤ b up to rounding.
func atMost(a, b float64) bool { return a <= b || near(a, b) }

// positive draws numbers over twelve decades: bounds are about ratios.
func positive(t *rapid.T, name string) float64 {
	return math.Pow(10, rapid.Float64Range(-6, 6).Draw(t, name))
}

func TestNovikoffKnown(t *testing.T) {
	for _, c := range []struct{ radius, gamma, want float64 }{
		{101, 1, 10201},            // 99 and 101 on a line, plane at 100
		{math.Sqrt(26), 1, 26},     // three points
		{1, 1 / math.Sqrt(20), 20}, // twenty basis vectors
		{3, 3, 1},                  // one point
	} {
		if got := bound.Novikoff(c.radius, c.gamma); !near(got, c.want) {
			t.Errorf("Novikoff(%g, %g) = %g, want %g", c.radius, c.gamma, got, c.want)
		}
	}
}

func TestNovikoffDependsOnTheRatioOnly(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		r, g, k := positive(t, "R"), positive(t, "gamma"), positive(t, "k")
		if a, b := bound.Novikoff(r, g), bound.Novikoff(k*r, k*g); !near(a, b) {
			t.Fatalf("scaling the data by %g changed the bound from %g to %g", k, a, b)
		}
		if a, b := bound.Novikoff(r, g), bound.Novikoff(r, 2*g); !near(a, 4*b) {
			t.Fatalf("twice the margin: %g, want a quarter of %g", b, a)
		}
		if a, b := bound.Novikoff(2*r, g), bound.Novikoff(r, g); !near(a, 4*b) {
			t.Fatalf("twice the radius: %g, want four times %g", a, b)
		}
	})
}

// The bias form is the plain form on augmented rows.
func TestNovikoffBiasIsNovikoffOfTheAugmentedSet(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		r, w, c := positive(t, "R"), positive(t, "normW"), positive(t, "c")
		b := rapid.SampledFrom([]float64{-1, 0, 1}).Draw(t, "sign") * positive(t, "b")
		radius := math.Hypot(r, c)      // ‖(x, c)‖ at the farthest x
		gamma := 1 / math.Hypot(w, b/c) // 1/‖(w, b/c)‖, canonical
		if got, want := bound.NovikoffBias(r, w, b, c), bound.Novikoff(radius, gamma); !near(got, want) {
			t.Fatalf("NovikoffBias = %g, the augmented set has %g", got, want)
		}
		best := math.Sqrt(r * math.Abs(b) / w)
		if b != 0 {
			low := (r*w + math.Abs(b)) * (r*w + math.Abs(b))
			if got := bound.NovikoffBias(r, w, b, best); !near(got, low) {
				t.Fatalf("at the best c: %g, want (R‖w‖+|b|)² = %g", got, low)
			}
			if got := bound.NovikoffBias(r, w, b, c); !atMost(low, got) {
				t.Fatalf("c = %g gives %g, below the least value %g", c, got, low)
			}
		}
	})
}

func TestNovikoffBiasKnown(t *testing.T) {
	// 99 (−) and 101 (+): w* = 1, b* = −100, R = 101, c = 1.
	if got, want := bound.NovikoffBias(101, 1, -100, 1), (101*101+1.0)*(1+100*100); !near(got, want) {
		t.Errorf("got %g, want %g", got, want)
	}
	if got := bound.NovikoffBias(3, 0, 1, 1); !near(got, 10) {
		t.Errorf("one class, w = 0, b = 1: got %g, want (9+1)·1", got)
	}
}

// line is a data set in one dimension. Its perceptron shares no code with the library.
type line struct{ x, y []float64 }

// mistakes runs the perceptron with appended constant c from 0, in cycles, until a cycle
// has no mistake or limit is reached.
func (s line) mistakes(c float64, limit int) int {
	w, b, m := 0.0, 0.0, 0
	for clean := false; !clean && m < limit; {
		clean = true
		for i, x := range s.x {
			if s.y[i]*(w*x+b) <= 0 {
				w, b, m, clean = w+s.y[i]*x, b+s.y[i]*c*c, m+1, false
			}
		}
	}
	return m
}

func TestPlainBoundFailsWithBias(t *testing.T) {
	s := line{[]float64{99, 101}, []float64{-1, 1}}
	m := float64(s.mistakes(1, 1e6))
	if plain := bound.Novikoff(101, 1); m <= plain {
		t.Errorf("%g mistakes do not exceed R²/γ² = %g", m, plain)
	}
	if right := bound.NovikoffBias(101, 1, -100, 1); m > right {
		t.Errorf("%g mistakes exceed the augmented bound %g", m, right)
	}
}

func TestLooseBoundFailsWithConstantOne(t *testing.T) {
	s := line{[]float64{0.01, 0.02}, []float64{-1, 1}}
	loose := bound.NovikoffLoose(0.02, 0.005)
	if !near(loose, 64) {
		t.Fatalf("(2R/γ)² = %g, want 64", loose)
	}
	if m := s.mistakes(1, 1e6); m < 2000 {
		t.Errorf("%d mistakes with c = 1, want thousands", m)
	}
	if m := s.mistakes(0.02, 1e6); float64(m) > loose {
		t.Errorf("%d mistakes with c = R exceed %g", m, loose)
	}
}

// On random separable sets with both classes: mistakes ≤ NovikoffBias at c = R ≤ (2R/γ)²,
// and |b*| ≤ R‖w*‖ as the proof says.
func TestNovikoffLooseWithConstantR(t *testing.T) {
	r := rand.New(rand.NewPCG(13, 0))
	for range 300 {
		var s line
		cut, radius, gap := r.NormFloat64()*3, 0.0, math.Inf(1)
		for _, side := range []float64{-1, 1} {
			for range 1 + r.IntN(10) {
				x := cut + side*(0.05+r.ExpFloat64())
				s.x, s.y = append(s.x, x), append(s.y, side)
				radius, gap = max(radius, math.Abs(x)), min(gap, math.Abs(x-cut))
			}
		}
		w, b := 1/gap, -cut/gap // canonical: the nearest point has |f| = 1
		if math.Abs(b) > radius*w {
			t.Fatalf("|b*| = %g > R‖w*‖ = %g", math.Abs(b), radius*w)
		}
		m := float64(s.mistakes(radius, 1e7))
		tight, loose := bound.NovikoffBias(radius, w, b, radius), bound.NovikoffLoose(radius, gap)
		if !atMost(m, tight) || !atMost(tight, loose) {
			t.Fatalf("want mistakes %g ≤ %g ≤ %g", m, tight, loose)
		}
		if m1, one := float64(s.mistakes(1, 1e7)), bound.NovikoffBias(radius, w, b, 1); !atMost(m1, one) {
			t.Fatalf("c = 1: %g mistakes > %g", m1, one)
		}
	}
}
