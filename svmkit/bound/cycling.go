package bound

import "math"

// Cycling returns a length N that ‖w‖ never exceeds, however many mistakes a perceptron without
// bias makes on a finite set, in any order, whether or not a plane separates it. This is the
// perceptron cycling theorem; Block and Levin, Proceedings of the AMS 26, 1970, proved that such an
// N exists.
//
// rank ≥ 1 is the dimension of the span of the rows, and radius is R = max ‖x‖. gap > 0 is the
// least distance of a row from a subspace that is spanned by other rows (or is {0}) and does not
// contain the row, so gap ≤ R.
//
// Proof. Let s = 1 + R²/gap², g = 2RN + R², a₀ = 0, aₖ₊₁ = s(aₖ + g), and let N be so large that
// a_rank ≤ N². Consider the set of all w with dist(w,U)² ≤ N² − a_dim(U) for all these subspaces U
// and the span of all rows. An update from this set leads back into it; it contains w = 0, and U =
// {0} says ‖w‖ ≤ N. The steps are in lessons/04-inseparable.md. The least such N is R(S + √(S² +
// S)) with S = s + s² + … + s^rank.
//
// N grows like (R/gap)^(2·rank) and is far above what runs reach. What counts is that it does not
// depend on the number of mistakes. Cycling returns +Inf if N overflows.
func Cycling(rank int, radius, gap float64) float64 {
	if rank < 1 || !lengths(radius, gap) || gap == 0 || gap > radius {
		return math.NaN()
	}
	s, sum := 1+square(radius/gap), 0.0
	for range rank {
		sum = s * (1 + sum)
		if math.IsInf(sum, 1) {
			return sum
		}
	}
	return radius * (sum + math.Sqrt(sum)*math.Sqrt(sum+1))
}
