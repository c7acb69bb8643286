package newton

import (
	"context"
	"math"
	"math/rand/v2"
	"testing"

	"github.com/svmkit/course/svmkit"
	"github.com/svmkit/course/svmkit/svm/internal/core"
)

// The rows of L have the inner products of the rows of X and as many columns as X has independent
// rows.
func TestFactorRows(t *testing.T) {
	rng := rand.New(rand.NewPCG(1, 1))
	for _, c := range []struct{ n, d, rank int }{{1, 3, 1}, {12, 40, 12}, {12, 40, 5}, {12, 4, 4}, {6, 8, 0}} {
		basis := make([]float64, c.rank*c.d)
		for j := range basis {
			basis[j] = rng.NormFloat64()
		}
		set := &svmkit.Dataset{Dim: c.d}
		for range c.n {
			x := make([]float64, c.d)
			for k := range c.rank {
				a := rng.NormFloat64()
				for j := range x {
					x[j] += a * basis[k*c.d+j]
				}
			}
			set.X, set.Y = append(set.X, svmkit.Dense(x...)), append(set.Y, 1)
		}
		task := core.NewTask(&core.Problem{Data: set, C: core.Cost{C: 1}})
		r := core.NewRun(context.Background(), task, core.Settings{Tol: 1e-3, MaxIterations: 1})
		gram, err := innerProducts(task, r)
		if err != nil {
			t.Fatal(err)
		}
		rows, columns := factorRows(gram, r)
		if columns != c.rank || len(rows) != c.n {
			t.Fatalf("%v: %d rows of %d columns", c, len(rows), columns)
		}
		for i := range c.n {
			for j := range i + 1 {
				want, got := 0.0, 0.0
				for k, v := range set.X[i].Value {
					want += v * set.X[j].Value[k]
				}
				for k, v := range rows[i].Value {
					got += v * rows[j].Value[k]
				}
				if !(math.Abs(got-want) <= 1e-12*(1+math.Abs(want))*float64(c.d)) {
					t.Errorf("%v: ⟨x%d,x%d⟩ = %v in the span, want %v", c, i, j, got, want)
				}
			}
		}
	}
}
