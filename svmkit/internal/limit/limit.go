// Package limit bounds sizes, so that a wrong parameter does not use up all memory.
package limit

import (
	"fmt"
	"math/bits"

	"github.com/svmkit/course/svmkit"
)

// maxNumbers is the largest size, as a power of 2: 64 GiB of numbers of 8 bytes, or 1 GiB if
// addresses have 32 bits.
const maxNumbers = 27 + 6*(bits.UintSize/64)

// Size returns a [*svmkit.ParamError] if n rows of dim columns are too large to allocate in full.
// Without it, make would panic.
func Size(n, dim int) error {
	if n > 0 && int64(dim) > int64(1)<<maxNumbers/int64(n) {
		return &svmkit.ParamError{Name: "N", Value: n,
			Need: fmt.Sprintf("times Dim = %d must not exceed 2^%d", dim, maxNumbers)}
	}
	return nil
}
