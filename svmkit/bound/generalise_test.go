package bound_test

import (
	"math"
	"math/rand/v2"
	"testing"

	"github.com/svmkit/course/svmkit/bound"
	"pgregory.net/rapid"
)

func TestVCMonotone(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		d := float64(rapid.IntRange(1, 100).Draw(t, "d"))
		n := d + float64(rapid.IntRange(0, 1e6).Draw(t, "extra"))
		delta := rapid.Float64Range(1e-9, 0.5).Draw(t, "delta")
		v := bound.VC(d, n, delta)
		if !(v > 0) || math.IsInf(v, 0) {
			t.Fatalf("VC(%g, %g, %g) = %g, want positive", d, n, delta, v)
		}
		if !(bound.VC(d, n, delta/2) > v) {
			t.Fatal("more certainty costs nothing") // the printed form fails here
		}
		if !atMost(bound.VC(d, 2*n, delta), v) || bound.VC(d, 2*n, delta) == v {
			t.Fatal("twice the examples do not help")
		}
		if !atMost(v, bound.VC(d+1, n, delta)) {
			t.Fatal("a richer class has a smaller bound")
		}
	})
}

// At D = 2n the logarithm is log 1 and the number can be worked out: √((2n + log(4/δ))/n).
func TestVCKnown(t *testing.T) {
	if got := bound.VC(20, 10, 4*math.Exp(-5)); !near(got, math.Sqrt(2.5)) {
		t.Errorf("VC(20, 10, 4e⁻⁵) = %g, want √((20+5)/10)", got)
	}
	// D = 2n/e makes the logarithm 1: √((2D + log(4/δ))/n).
	n := 50.0
	d := 2 * n / math.E
	if got, want := bound.VC(d, n, 4*math.Exp(-d)), math.Sqrt(3*d/n); !near(got, want) {
		t.Errorf("got %g, want √(3D/n) = %g", got, want)
	}
}

// The equilateral triangle is shattered with ρ ≥ 0.75·R, so the bound must allow 3 points.
func TestMarginVCAllowsTheTriangle(t *testing.T) {
	const radius = 2.0
	var p [3][2]float64
	for k := range p {
		p[k][1], p[k][0] = math.Sincos(2 * math.Pi * float64(k) / 3)
		p[k][0], p[k][1] = radius*p[k][0], radius*p[k][1]
	}
	least := math.Inf(1)
	for odd := range p { // one corner against the other two; equal labels allow any ρ
		// The plane perpendicular to the corner's direction, half way to the opposite side.
		w := [2]float64{p[odd][0] / radius, p[odd][1] / radius}
		b := -radius / 4
		for k := range p {
			f := w[0]*p[k][0] + w[1]*p[k][1] + b
			if k != odd {
				f = -f
			}
			least = min(least, f)
		}
	}
	if !near(least, 0.75*radius) {
		t.Fatalf("ρ = %g, want 0.75·R = %g", least, 0.75*radius)
	}
	if got := bound.MarginVC(2, radius, least); got < 3 {
		t.Errorf("MarginVC = %g < 3 points that are shattered", got)
	}
	if printed := 1 + min(2, radius*radius/least/least); printed >= 3 {
		t.Errorf("the printed form gives %g; the comment says it is below 3", printed)
	}
}

func TestMarginVC(t *testing.T) {
	for _, c := range []struct{ d, radius, rho, want float64 }{
		{10, 1, 0.5, 5}, {10, 1, 0.1, 11}, {10, 1, 0, 11}, {10, 1, -1, 11},
		{math.Inf(1), 1, 0.1, 101}, {math.Inf(1), 1, 0, math.Inf(1)}, {1, 5, 5, 2}, {3, 0, 1, 1},
	} {
		// ⌈R²/ρ²⌉ at a whole number may be rounded up by one.
		if got := bound.MarginVC(c.d, c.radius, c.rho); got != c.want && got != c.want+1 || got > c.d+1 {
			t.Errorf("MarginVC(%g, %g, %g) = %g, want %g", c.d, c.radius, c.rho, got, c.want)
		}
	}
}

// sup over ‖w‖ ≤ B of ⟨w, (1/m)Σσx⟩ is B‖(1/m)Σσx‖: its mean over signs obeys the bound.
func TestRademacherAgainstMonteCarlo(t *testing.T) {
	r := rand.New(rand.NewPCG(37, 0))
	const m, dim, radius, normW, draws = 10, 4, 3.0, 2.0, 4000
	var x [m][dim]float64
	for i := range x {
		norm := 0.0
		for j := range x[i] {
			x[i][j] = r.NormFloat64()
			norm += x[i][j] * x[i][j]
		}
		for j := range x[i] {
			x[i][j] *= radius / math.Sqrt(norm) // on the sphere, where the bound is tightest
		}
	}
	mean := 0.0
	for range draws {
		var sum [dim]float64
		for i := range x {
			sign := float64(2*r.IntN(2) - 1)
			for j := range sum {
				sum[j] += sign * x[i][j]
			}
		}
		norm := 0.0
		for _, v := range sum {
			norm += v * v
		}
		mean += normW * math.Sqrt(norm) / m / draws
	}
	b := bound.Rademacher(radius, normW, m)
	// The root-mean-square equals the bound here, and a mean of norms in 4 dimensions is
	// above 0.7 of it: a bound far too generous would be caught too.
	if mean > b || mean < 0.7*b {
		t.Errorf("Monte Carlo %.4f, bound %.4f", mean, b)
	}
	if q := b / bound.Rademacher(radius, normW, 4*m); !near(q, 2) {
		t.Errorf("four times the examples: the bound falls by %g, want 2", q)
	}
}

// n basis vectors have margin 1/√n for every labelling, so ρ = 1/√n must allow exactly n of them.
func TestMarginVCOriginAllowsTheBasis(t *testing.T) {
	for n := 1.0; n <= 200; n++ {
		rho := 1 / math.Sqrt(n)
		for _, c := range []struct{ d, rho, want float64 }{
			{inf, rho, n}, {inf, rho * (1 + 1e-6), n - 1}, {inf, rho * (1 - 1e-6), n}, {n + 3, rho, n}, {max(1, n-2), rho, max(1, n-2)},
		} {
			if got := bound.MarginVCOrigin(c.d, 7, 7*c.rho); got != c.want {
				t.Errorf("MarginVCOrigin(%g, 7, 7·%g) = %g, want %g", c.d, c.rho, got, c.want)
			}
		}
	}
}

func TestMarginRiskKnown(t *testing.T) {
	// 2·3·5/√100 = 3, and δ = e⁻⁸ makes √(8/200) = 0.2.
	if got := bound.MarginRisk(3, 5, 100, math.Exp(-8)); !near(got, 3.2) {
		t.Errorf("got %g, want 3.2", got)
	}
	if got := bound.MarginRisk(3, 5, 100, 1); !near(got, 3) {
		t.Errorf("δ = 1: got %g, want 2RB/√m = 3", got)
	}
}
