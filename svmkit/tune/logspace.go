package tune

import (
	"math"
	"strconv"

	"gonum.org/v1/gonum/floats"

	"github.com/svmkit/course/svmkit"
)

// mostLogSpace is far beyond what is ever searched; a wrong n must not ask for all the memory there is.
const mostLogSpace = 1_000_000

// LogSpace returns n values from lo to hi, both included, each a fixed multiple of the one
// before up to rounding to 14 digits: LogSpace(0.01, 100, 5) is 0.01, 0.1, 1, 10, 100, and not
// 0.10000000000000005. 0 < lo < hi, 2 ≤ n ≤ 1,000,000.
func LogSpace(lo, hi float64, n int) ([]float64, error) {
	if n < 2 || n > mostLogSpace {
		return nil, &svmkit.ParamError{Name: "n", Value: n, Need: "must lie in 2 … 1,000,000"}
	}
	if !(lo > 0 && lo < hi) || math.IsInf(hi, 1) {
		return nil, &svmkit.ParamError{Name: "lo, hi", Value: [2]float64{lo, hi}, Need: "must be finite, 0 < lo < hi"}
	}
	values := floats.LogSpan(make([]float64, n), lo, hi)
	for k, v := range values {
		values[k], _ = strconv.ParseFloat(strconv.FormatFloat(v, 'g', 14, 64), 64) // no error: it was just written
	}
	values[0], values[n-1] = lo, hi
	return values, nil
}
