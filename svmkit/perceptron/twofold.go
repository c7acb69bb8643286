package perceptron

import "math"

// twofold is a sum with its own rounding error: hi + lo is as accurate as if it had been computed
// with twice the digits and rounded at the end (Ogita, Rump, Oishi, "Accurate sum and dot product",
// SIAM J. Sci. Comput. 26, 2005, algorithm 4.4).
//
// With it a sparse run can keep ‖w‖² and ⟨w,w*⟩ without a pass over all of w at every mistake. The
// product of an entry that is subtracted is, bit for bit, the one that was added, so the products
// leave no error. With a single float64 each sum would, and the errors would add up.
type twofold struct{ hi, lo float64 }

// add adds v. The caller must convert a product to float64, so that it is not fused into the sum.
func (s *twofold) add(v float64) {
	sum := s.hi + v
	part := sum - s.hi // the part of v that reached the sum
	s.lo += (s.hi - (sum - part)) + (v - part)
	s.hi = sum
}

func (s *twofold) value() float64 { return s.hi + s.lo }

// root returns the square root of a sum that is not negative except for rounding.
func (s *twofold) root() float64 { return math.Sqrt(max(0, s.value())) }
