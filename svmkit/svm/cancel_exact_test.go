package svm_test

import (
	"context"
	"errors"
	"math"
	"math/rand/v2"
	"testing"
	"time"

	"github.com/svmkit/course/svmkit"
	"github.com/svmkit/course/svmkit/separate"
	"github.com/svmkit/course/svmkit/svm"
)

// The proof that no plane separates is made of fractions, which take minutes with dozens of
// columns. A context that ends meanwhile ends the search, and the fit of a hard margin that asks
// for it.
func TestSearchForACommonPointIsCancelled(t *testing.T) {
	const limit = 100 * time.Millisecond
	const soon = 3 * time.Second // a busy machine is late, but minutes it is not
	r := rand.New(rand.NewPCG(59, 0))
	set := &svmkit.Dataset{Dim: 60}
	for i := range 240 { // twice as many rows of noise as a plane can separate
		x := make([]float64, set.Dim)
		for j := range x {
			x[j] = r.NormFloat64()
		}
		set.X, set.Y = append(set.X, svmkit.Dense(x...)), append(set.Y, float64(1-i%2*2))
	}
	for _, c := range []struct {
		name string
		run  func(ctx context.Context) error
	}{
		{"separate.Decide", func(ctx context.Context) error { _, err := separate.Decide(ctx, set, svmkit.FreeBias); return err }},
		{"Fit", func(ctx context.Context) error {
			_, err := svm.Fit(ctx, &svm.Problem{Data: set, C: svm.PerSum(math.Inf(1))}, svm.DualCoordinate{}, nil)
			return err
		}},
	} {
		ctx, cancel := context.WithTimeout(t.Context(), limit)
		defer cancel()
		done := make(chan error, 1)
		go func() { done <- c.run(ctx) }()
		select {
		case err := <-done:
			if !errors.Is(err, context.DeadlineExceeded) {
				t.Errorf("%s: %v", c.name, err)
			}
		case <-time.After(soon):
			t.Errorf("%s does not return", c.name)
		}
	}
}
