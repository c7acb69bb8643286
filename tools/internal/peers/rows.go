//go:build peers

package peers

import (
	"iter"

	"github.com/svmkit/course/svmkit"
)

// nonzero yields the columns and values of a row that are not zero, which is what the text format
// of both peers would hold.
func nonzero(x svmkit.Row) iter.Seq2[int, float64] {
	return func(yield func(int, float64) bool) {
		for at, v := range x.Value {
			j := at
			if x.Index != nil {
				j = int(x.Index[at])
			}
			if v != 0 && !yield(j, v) {
				return
			}
		}
	}
}
