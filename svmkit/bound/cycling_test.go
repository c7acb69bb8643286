package bound_test

import (
	"fmt"
	"math"
	"math/rand/v2"
	"testing"

	"github.com/svmkit/course/svmkit/bound"
	"pgregory.net/rapid"
)

// N is the least length with a_rank ≤ N², by the recursion of the proof.
func TestCyclingIsTheRootOfTheRecursion(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		rank, gap := rapid.IntRange(1, 6).Draw(t, "rank"), positive(t, "gap")
		radius := gap * rapid.Float64Range(1, 10).Draw(t, "R/gap")
		n := bound.Cycling(rank, radius, gap)
		a, s, g := 0.0, 1+radius*radius/(gap*gap), 2*radius*n+radius*radius
		for range rank {
			a = s * (a + g)
		}
		if !near(a, n*n) {
			t.Fatalf("a_%d = %g, N² = %g", rank, a, n*n)
		}
	})
}

// In the plane, on whole points: no order leads ‖w‖ past N, not even one that looks for the longest
// w.
func TestCyclingHoldsForGreedyOrders(t *testing.T) {
	for seed := range uint64(50) {
		r := rand.New(rand.NewPCG(seed, 4))
		points := make([][2]float64, 3+r.IntN(5))
		for i := range points {
			for points[i] == [2]float64{} {
				points[i] = [2]float64{float64(r.IntN(7) - 3), float64(r.IntN(7) - 3)}
			}
		}
		radius, gap := 0.0, math.Inf(1)
		for _, x := range points {
			long := math.Hypot(x[0], x[1])
			radius, gap = max(radius, long), min(gap, long)
			for _, z := range points {
				if c := math.Abs(x[0]*z[1] - x[1]*z[0]); c > 0 {
					gap = min(gap, c/math.Hypot(z[0], z[1]))
				}
			}
		}
		limit := bound.Cycling(2, radius, gap)
		w, longest := [2]float64{}, 0.0
		for k := range 20_000 {
			best, next := -1.0, w
			for _, i := range r.Perm(len(points)) {
				x := points[i]
				if w[0]*x[0]+w[1]*x[1] > 0 {
					continue
				}
				after := [2]float64{w[0] + x[0], w[1] + x[1]}
				if long := math.Hypot(after[0], after[1]); long > best && (best < 0 || k%3 > 0) {
					best, next = long, after
				}
			}
			w, longest = next, max(longest, best)
		}
		if !(longest <= limit) {
			t.Errorf("seed %d: ‖w‖ = %g > N = %g on %v", seed, longest, limit, points)
		}
	}
}

func ExampleCycling() {
	// XOR, corners (±1, ±1), no bias: in the plane, each corner is √2 from 0 and from the other
	// diagonal.
	fmt.Printf("%.1f\n", bound.Cycling(2, math.Sqrt2, math.Sqrt2))
	// Output: 17.7
}
