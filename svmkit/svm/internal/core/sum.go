package core

// Roundoff is the relative error of one float64 operation, 2⁻⁵³.
const Roundoff = 0x1p-53

// compensated is a sum that carries the rounding of its additions along (Neumaier 1974), so
// that terms which cancel do so to the last bit or two. Knuth's TwoSum finds the rounding without a
// branch on which of the two is the larger.
type compensated struct{ sum, lost float64 }

func (c *compensated) add(v float64) {
	s := c.sum + v
	was := s - v
	c.lost += (c.sum - was) + (v - (s - was))
	c.sum = s
}

func (c *compensated) value() float64 { return c.sum + c.lost }

// SumOf returns the sum of v, as if rounded only once. Four sums are added up at once, for each addition waits for
// the one before it in the same sum.
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
