package perceptron

import "math"

// twofold is a sum of products that carries its own rounding error: hi + lo is as accurate
// as if it had been computed with twice the digits and rounded at the end (Ogita, Rump,
// Oishi, "Accurate sum and dot product", SIAM J. Sci. Comput. 26, 2005, algorithm 5.3).
//
// It is what lets a sparse run keep ‖w‖² and ⟨w,w*⟩ without a pass over all of w at every
// mistake. With plain float64 the terms that are taken out and put back would leave an
// error behind each time, and it would add up.
type twofold struct{ hi, lo float64 }

// add adds a·b.
func (s *twofold) add(a, b float64) {
	product := float64(a * b) // converted, so that it is rounded here and not fused below
	lost := math.FMA(a, b, -product)
	sum := s.hi + product
	part := sum - s.hi // of product, what reached the sum
	s.lo += (s.hi - (sum - part)) + (product - part) + lost
	s.hi = sum
}

func (s *twofold) value() float64 { return s.hi + s.lo }

// root returns the square root of a sum that is not negative except for rounding.
func (s *twofold) root() float64 { return math.Sqrt(max(0, s.value())) }
