package feature

import (
	"math"

	"github.com/svmkit/course/svmkit"
)

// column gathers a column's extremes, mean and Σ(x − mean)² in one pass by Welford's
// update, which does not cancel as Σx² − n·mean² does. (Welford, Technometrics 4, 1962;
// Knuth, TAOCP vol. 2, section 4.2.2, formulas 15 and 16.)
type column struct {
	n        int // values seen
	min, max float64
	mean     float64
	squares  float64 // Σ(x − mean)², never negative
}

func (c *column) add(x float64) {
	if c.n == 0 {
		c.min, c.max = x, x
	}
	c.n++
	c.min, c.max = min(c.min, x), max(c.max, x)
	delta := x - c.mean
	c.mean += delta / float64(c.n)
	c.squares += delta * (x - c.mean)
}

// addZeros adds the zeros that sparse rows do not store: the formula for two groups of
// which one has mean and squares 0.
func (c *column) addZeros(zeros int) {
	if zeros == 0 {
		return
	}
	if c.n == 0 {
		c.n = zeros
		return
	}
	n := float64(c.n + zeros)
	c.squares += c.mean * c.mean * float64(c.n) * float64(zeros) / n
	c.mean *= float64(c.n) / n
	c.min, c.max = min(c.min, 0), max(c.max, 0)
	c.n += zeros
}

// deviation returns the standard deviation, with 1/n.
func (c *column) deviation() float64 { return math.Sqrt(c.squares / float64(c.n)) }

// measure returns the statistics of every column of a validated set.
func measure(set *svmkit.Dataset) []column {
	stats := make([]column, set.Dim)
	for _, x := range set.X {
		for k, v := range x.Value {
			if x.Index != nil {
				k = int(x.Index[k])
			}
			stats[k].add(v)
		}
	}
	for j := range stats {
		stats[j].addZeros(set.Len() - stats[j].n)
	}
	return stats
}
