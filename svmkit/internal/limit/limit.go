// Package limit holds the bounds that keep a broken parameter from asking for all the memory there is.
package limit

import (
	"fmt"

	"github.com/svmkit/course/svmkit"
)

// Size refuses sets of n rows and dim columns that are too large to allocate in full, before make panics.
func Size(n, dim int) error {
	const most = int64(1) << 33 // numbers, 64 GiB
	if n > 0 && int64(dim) > most/int64(n) {
		return &svmkit.ParamError{Name: "N", Value: n,
			Need: fmt.Sprintf("times Dim = %d must not exceed 2^33", dim)}
	}
	return nil
}
