package feature

import (
	"math"

	"github.com/svmkit/course/svmkit"
)

// column gathers a column's extremes, mean and Σ(x − mean)² in one pass by Welford's
// update, which does not cancel as Σx² − n·mean² does. (Welford, Technometrics 4, 1962;
// Knuth, TAOCP vol. 2, section 4.2.2, formulas 15 and 16; with weights: West, CACM 22, 1979.)
// A value of weight w counts w times.
type column struct {
	n        float64 // the weights of the rows with a value
	min, max float64
	mean     float64
	squares  float64 // Σ(x − mean)², never negative
}

// add adds a value of weight w > 0.
func (c *column) add(x, w float64) {
	if c.n == 0 {
		c.min, c.max = x, x
	}
	c.n += w
	c.min, c.max = min(c.min, x), max(c.max, x)
	delta := x - c.mean
	c.mean += delta * w / c.n
	c.squares += delta * w * (x - c.mean)
}

// addZeros adds the zeros that sparse rows do not store, up to the weight n of all rows. It is the
// formula for two groups, one of which has mean and squares 0.
func (c *column) addZeros(n float64) {
	if c.n == n {
		return
	}
	if c.n == 0 {
		c.n = n
		return
	}
	c.squares += c.mean * c.mean * c.n * (n - c.n) / n
	c.mean *= c.n / n
	c.min, c.max = min(c.min, 0), max(c.max, 0)
	c.n = n
}

// deviation returns the standard deviation, with 1/n.
func (c *column) deviation() float64 { return math.Sqrt(c.squares / c.n) }

// measure returns the statistics of every column of a validated set without rows of weight 0.
func measure(set *svmkit.Dataset) []column {
	stats, n := make([]column, set.Dim), 0.0
	for i, x := range set.X {
		n += set.RowWeight(i)
		for k, v := range x.Value {
			if x.Index != nil {
				k = int(x.Index[k])
			}
			stats[k].add(v, set.RowWeight(i))
		}
	}
	for j := range stats {
		stats[j].addZeros(n)
	}
	return stats
}
