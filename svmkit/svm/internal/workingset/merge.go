package workingset

import (
	"math"
	"math/bits"
	"slices"

	"github.com/svmkit/course/svmkit"
	"github.com/svmkit/course/svmkit/svm/internal/core"
)

// merging joins rows that are equal in x and in the range of their scores. Their losses add up to
// the loss of one row with the sum of their costs. The joint β is divided among the rows in
// proportion to their costs. If the joint β is optimal for the one row, the shares are optimal for
// the rows.
type merging struct {
	// whole has all rows, and task has one of each class of equal rows. They are the same if
	// nothing was merged.
	whole, task *core.Task
	of          []int32 // row of whole → row of task
}

// fewDuplicates is the share of duplicates below which nothing is merged. Without merging, spambase
// (RBF, C = 100, to 1e-6) takes eight times as long. Merging always is no slower on any RBF row of
// the benchmark. Benchmark: go run -C tools ./bench -rows kernel spambase
const fewDuplicates = 0.05

// merge joins the equal rows of t if there are many.
func merge(t *core.Task) *merging {
	m := &merging{whole: t, task: t}
	of, first := classes(t)
	if float64(len(first)) > (1-fewDuplicates)*float64(t.Len()) {
		return m
	}
	m.of = of
	m.task = t.Part(len(first), func(k int) (i int, factor float64) { return int(first[k]), 0 })
	for i, k := range of {
		m.task.Loss[k].Under += t.Loss[i].Under
		m.task.Loss[k].Over += t.Loss[i].Over
	}
	return m
}

// classes numbers the classes of equal rows in the order of their first rows, and returns these
// first rows.
func classes(t *core.Task) (of, first []int32) {
	size := 1 << bits.Len(uint(2*t.Len()))
	table := make([]int32, size) // open addressing: 1 + a class, or 0
	of = make([]int32, t.Len())  // at first, the places of the hashes
	t.DoRows(func(from, to int) {
		for i := from; i < to; i++ {
			of[i] = int32(hashRow(t.X[i], t.Loss[i].Low) & uint64(size-1))
		}
	})
	for i, x := range t.X {
		at := int(of[i])
		for ; table[at] != 0; at = (at + 1) & (size - 1) {
			k := table[at] - 1
			if j := first[k]; t.Loss[i].Low == t.Loss[j].Low && t.Loss[i].High == t.Loss[j].High &&
				equalRows(x, t.X[j]) {
				of[i] = k
				break
			}
		}
		if table[at] == 0 {
			of[i] = int32(len(first))
			first = append(first, int32(i))
			table[at] = int32(len(first))
		}
	}
	return of, first
}

func hashRow(x svmkit.Row, low float64) uint64 {
	h := math.Float64bits(low)
	for k, v := range x.Value {
		h = (bits.RotateLeft64(h, 23) ^ math.Float64bits(v+0)) * 0x9e3779b97f4a7c15 // v+0: −0 is 0
		if x.Index != nil {
			h += uint64(x.Index[k])
		}
	}
	return h ^ h>>32
}

func equalRows(x, z svmkit.Row) bool {
	return (x.Index == nil) == (z.Index == nil) && slices.Equal(x.Index, z.Index) &&
		slices.Equal(x.Value, z.Value)
}

// join sets to, of the merged task, to the sums of β.
func (m *merging) join(to, beta []float64) {
	if m.of == nil {
		copy(to, beta)
		return
	}
	clear(to)
	for i, k := range m.of {
		to[k] += beta[i]
	}
}

// share sets to, of the whole task, to the shares of β.
func (m *merging) share(to, beta []float64) {
	if m.of == nil {
		copy(to, beta)
		return
	}
	for i, k := range m.of {
		cost, total := m.whole.Loss[i].Under, m.task.Loss[k].Under
		if beta[k] < 0 {
			cost, total = m.whole.Loss[i].Over, m.task.Loss[k].Over
		}
		switch {
		case beta[k] == 0:
			to[i] = 0
		case math.Abs(beta[k]) == total: // a β at its bound stays there
			to[i] = math.Copysign(cost, beta[k])
		default:
			to[i] = beta[k] * (cost / total)
		}
	}
}

// spread returns the scores of all rows, for given scores of the merged rows.
func (m *merging) spread(scores []float64) []float64 {
	if m.of == nil {
		return scores
	}
	all := make([]float64, len(m.of))
	for i, k := range m.of {
		all[i] = scores[k]
	}
	return all
}
