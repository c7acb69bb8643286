package multiclass_test

import (
	"math"
	"math/rand/v2"
	"testing"

	"github.com/svmkit/course/svmkit"
	"github.com/svmkit/course/svmkit/kernel"
	"github.com/svmkit/course/svmkit/multiclass"
	"github.com/svmkit/course/svmkit/svm"
)

// tied draws models with ties: support vectors and rows of few small integers, with duplicates and
// mirror images whose coefficients cancel, and coefficients of few values, times a scale.
type tied struct {
	*rand.Rand
	dim    int
	sparse bool
	kernel kernel.Kernel
	scale  float64
}

func (g *tied) row() svmkit.Row {
	v := make([]float64, g.dim)
	for j := range v {
		if v[j] = float64(g.IntN(3) - 1); g.IntN(4) == 0 {
			v[j] = float64(g.IntN(5)-2) / 10
		}
	}
	return g.layout(v)
}

// layout returns the row, dense or sparse.
func (g *tied) layout(v []float64) svmkit.Row {
	if !g.sparse || g.IntN(8) == 0 {
		return svmkit.Dense(v...)
	}
	x := svmkit.Row{Index: []int32{}}
	for j, a := range v {
		if a != 0 {
			x.Index, x.Value = append(x.Index, int32(j)), append(x.Value, a)
		}
	}
	return x
}

func (g *tied) model(vectors int) *svm.Model {
	m := &svm.Model{Kernel: g.kernel, Dim: g.dim, Bias: float64(g.IntN(3)-1) * g.scale * float64(g.IntN(2)), Platt: &svm.Platt{A: -1.5, B: 0.1}}
	for len(m.SV) < vectors {
		x, c := g.row(), g.scale*float64(1+g.IntN(3))/10
		switch g.IntN(3) {
		case 0: // a pair that cancels
			m.SV, m.Coef = append(m.SV, x, x), append(m.Coef, c, -c)
		case 1: // a mirror image: a tie on the plane between the two
			v := x.ToDense(g.dim)
			for j := range v {
				v[j] = -v[j]
			}
			m.SV, m.Coef = append(m.SV, x, g.layout(v)), append(m.Coef, c, -c)
		default:
			m.SV, m.Coef = append(m.SV, x), append(m.Coef, c*float64(2*g.IntN(2)-1))
		}
	}
	g.Shuffle(len(m.SV), func(i, k int) {
		m.SV[i], m.SV[k] = m.SV[k], m.SV[i]
		m.Coef[i], m.Coef[k] = m.Coef[k], m.Coef[i]
	})
	return m
}

// same reports whether two predictions have the same class.
func same(p, q svmkit.Prediction) bool {
	return p.OK == q.OK && p.Class == q.Class && p.Name == q.Name && (p.Y == q.Y || math.IsNaN(p.Y) && math.IsNaN(q.Y))
}

// A row has one class by Predict, PredictAll, PredictWithProbabilities and the prepared model, ties
// included: models for two classes, one-vs-rest and one-vs-one, with every built-in kernel and one of
// one's own, dense and sparse rows, in batches that are computed in blocks and others that are not.
func TestTiesAreDecidedAlike(t *testing.T) {
	kernels := map[string]kernel.Kernel{"cubic": kernel.Polynomial{Coef0: 1},
		"negative sigmoid": kernel.Sigmoid{Gamma: 0.2, Coef0: -0.5},
		"own":              kernel.Func(func(x, z svmkit.Row) float64 { return 1 / (1 + x.DotRow(z)*x.DotRow(z)) })}
	for _, kind := range kernel.Kinds() {
		kernels[kind.Name] = kind.Kernel(kernel.Parameters{Degree: 2, Gamma: 0.3})
	}
	names := []string{"a", "b", "c", "d"}
	rounds := 60
	if testing.Short() {
		rounds = 15
	}
	decided, ties := 0, 0
	for name, k := range kernels {
		for seed := range rounds {
			g := &tied{rand.New(rand.NewPCG(uint64(seed), 7)), 1 + seed%7, seed%2 == 1, k, []float64{1, 1e6, 1e-9}[seed%3]}
			n := 2 + g.IntN(120)
			rows := make([]svmkit.Row, n)
			for i := range rows {
				rows[i] = g.row()
			}
			two := g.model(2 + g.IntN(60))
			rest := &multiclass.RestClassifier{Classes: multiclass.Classes{Count: 4, Names: names}}
			pairs := &multiclass.PairClassifier{Classes: rest.Classes}
			for a := range 4 {
				rest.Models = append(rest.Models, g.model(2+g.IntN(60)))
				if a > 0 && g.IntN(2) == 0 {
					rest.Models[a] = rest.Models[a-1] // two classes with equal scores everywhere
				}
				for b := a + 1; b < 4; b++ {
					pairs.Models = append(pairs.Models, multiclass.PairModel{Negative: a, Positive: b, Scorer: g.model(2 + g.IntN(60))})
				}
			}
			first := *pairs
			first.FirstWins = true
			ordered, restOrdered := first, *rest
			ordered.Order = []int{2, 0, 3, 1}
			restOrdered.Order = ordered.Order
			for _, m := range []svmkit.Model{two, rest, pairs, &first, &ordered, &restOrdered} {
				prepared := m.(svmkit.Preparer).Prepare()
				all := m.PredictAll(rows)
				with, _ := svmkit.PredictWithProbabilities(m, rows)
				for i, x := range rows {
					want := m.Predict(x)
					if !want.OK {
						ties++
					}
					decided++
					if q := prepared.Predict(x); !same(all[i], want) || !same(with[i], want) || !same(q, want) {
						t.Fatalf("%s, %T, seed %d, row %d of %d: alone %+v, among others %+v and %+v, prepared %+v", name, m, seed, i, n, want, all[i], with[i], q)
					}
				}
			}
		}
	}
	if ties < decided/1000 {
		t.Errorf("%d ties of %d rows: the models have too few", ties, decided)
	}
	t.Logf("%d rows, %d with a score of 0", decided, ties)
}
