package core

// Roundoff is the relative error of one float64 operation, 2⁻⁵³.
const Roundoff = 0x1p-53

// compensated is a sum that also adds up the rounding errors of its additions (Neumaier 1974), so
// that terms which cancel do so up to the last bit or two. Knuth's TwoSum finds a rounding error
// without a branch on which term is larger.
type compensated struct{ sum, lost float64 }

func (c *compensated) add(v float64) {
	s := c.sum + v
	was := s - v
	c.lost += (c.sum - was) + (v - (s - was))
	c.sum = s
}

func (c *compensated) value() float64 { return c.sum + c.lost }

// SumOf returns the sum of v as if it were rounded only once. It forms four sums at the same time,
// because each addition must wait for the previous addition to the same sum.
func SumOf(v []float64) float64 {
	var s [4]compensated
	for ; len(v) >= len(s); v = v[len(s):] {
		s[0].add(v[0])
		s[1].add(v[1])
		s[2].add(v[2])
		s[3].add(v[3])
	}
	var sum compensated
	for _, x := range v {
		sum.add(x)
	}
	for _, part := range s {
		sum.add(part.sum)
		sum.add(part.lost)
	}
	return sum.value()
}
