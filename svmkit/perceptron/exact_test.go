package perceptron_test

import "math/big"

// exactSum adds products without rounding (up to 400 bits): the yardstick for running sums.
type exactSum struct{ sum big.Float }

func (s *exactSum) add(a, b float64) {
	s.sum.SetPrec(400)
	s.sum.Add(&s.sum, new(big.Float).SetPrec(400).Mul(big.NewFloat(a), big.NewFloat(b)))
}

func (s *exactSum) value() float64 {
	v, _ := s.sum.Float64()
	return v
}
