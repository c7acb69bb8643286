package tune_test

import (
	"errors"
	"fmt"
	"math"
	"testing"

	"gonum.org/v1/gonum/stat/distuv"

	"github.com/svmkit/course/svmkit"
	"github.com/svmkit/course/svmkit/tune"
)

// atLeast is the probability of k or more right answers of n, as a sum.
func atLeast(k, n int, p float64) (sum float64) {
	for j := k; j <= n; j++ {
		sum += distuv.Binomial{N: float64(n), P: p}.Prob(float64(j))
	}
	return sum
}

func TestIntervalHasItsTails(t *testing.T) {
	const tol = 1e-9
	for _, n := range []int{1, 2, 10, 53, 300} {
		for _, delta := range []float64{0.01, 0.05, 0.5} {
			for _, k := range []int{0, 1, n / 2, n - 1, n} {
				low, high, err := tune.Interval(k, n, delta)
				if err != nil || !(0 <= low && low < high && high <= 1) {
					t.Fatalf("%d of %d, δ = %g: [%g, %g], %v", k, n, delta, low, high, err)
				}
				if got := atLeast(k, n, low); k > 0 && !(math.Abs(got-delta/2) <= tol) || k == 0 && low != 0 {
					t.Errorf("%d of %d, δ = %g: at the lower end %g the upper tail is %g", k, n, delta, low, got)
				}
				if got := 1 - atLeast(k+1, n, high); k < n && !(math.Abs(got-delta/2) <= tol) || k == n && high != 1 {
					t.Errorf("%d of %d, δ = %g: at the upper end %g the lower tail is %g", k, n, delta, high, got)
				}
			}
		}
	}
}

func TestIntervalOfManyRows(t *testing.T) {
	low, high, err := tune.Interval(900_000, 1_000_000, 0.05)
	half := 1.96 * math.Sqrt(0.09/1e6) // normal approximation
	if err != nil || !(math.Abs(low-0.9+half) <= 1e-5) || !(math.Abs(high-0.9-half) <= 1e-5) {
		t.Errorf("[%g, %g], %v; want 0.9 ± %g", low, high, err, half)
	}
}

func TestIntervalRefuses(t *testing.T) {
	for _, c := range []struct {
		right, rows int
		delta       float64
		name        string
	}{{0, 0, 0.05, "rows"}, {-1, 3, 0.05, "right"}, {4, 3, 0.05, "right"}, {1, 3, 0, "delta"}, {1, 3, 1, "delta"}, {1, 3, math.NaN(), "delta"}} {
		var bad *svmkit.ParamError
		if _, _, err := tune.Interval(c.right, c.rows, c.delta); !errors.As(err, &bad) || bad.Name != c.name {
			t.Errorf("%+v: %v", c, err)
		}
	}
}

func ExampleInterval() {
	low, high, err := tune.Interval(52, 53, 0.05)
	fmt.Printf("52 of 53 right: %.1f to %.1f %%, %v\n", 100*low, 100*high, err)
	// Output: 52 of 53 right: 89.9 to 100.0 %, <nil>
}
