package main

import (
	"fmt"
	"math/rand/v2"
	"strings"
)

// rowsText is a LIBSVM file of n rows of nnz numbers each in d columns, with labels that a plane
// tells apart but for some noise.
func rowsText(seed uint64, n, d, nnz int) string {
	rng := rand.New(rand.NewPCG(seed, 70))
	plane := make([]float64, d)
	for j := range plane {
		plane[j] = rng.NormFloat64()
	}
	var b strings.Builder
	for range n {
		step, score := d/nnz, rng.NormFloat64()
		pairs := make([]byte, 0, 16*nnz)
		for k := range nnz {
			j, v := k*step+rng.IntN(step), float64(rng.IntN(20001)-10000)/1e4
			score += plane[j] * v
			pairs = fmt.Appendf(pairs, " %d:%g", j+1, v)
		}
		if score > 0 {
			b.WriteString("+1")
		} else {
			b.WriteString("-1")
		}
		b.Write(pairs)
		b.WriteByte('\n')
	}
	return b.String()
}
