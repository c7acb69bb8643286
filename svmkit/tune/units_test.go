package tune_test

import (
	"fmt"
	"math"
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/svmkit/course/svmkit"
	"github.com/svmkit/course/svmkit/kernel"
	"github.com/svmkit/course/svmkit/loss"
	"github.com/svmkit/course/svmkit/svm"
	"github.com/svmkit/course/svmkit/tune"
)

// The same search in other units, orders and signs: the same values, choice and statuses.

// search is a search with its change.
type search struct {
	x      [][]float64
	y      []float64
	weight []float64
	folds  []tune.Fold
	grid   tune.Grid
	loss   func(epsilon float64) loss.Trainable
	metric tune.Metric
	bias   svmkit.Bias
}

func (s search) String() string {
	return fmt.Sprintf("%T, %v, %v, %s, %d rows", s.loss(0), s.grid.Kernel, s.bias, s.metric.Name, len(s.x))
}

func (s search) run(t *testing.T) *tune.Selection {
	t.Helper()
	d := len(s.x[0])
	set := &svmkit.Dataset{X: svmkit.DenseRows(slices.Concat(s.x...), d), Y: s.y, Weight: s.weight, Dim: d}
	train := tune.FromParams(func(p tune.Params) svmkit.Fitter {
		k, err := kernel.Named(p.Kernel, p.Gamma, p.Degree, 0)
		if err != nil {
			t.Error(err)
		}
		return svm.Fitter(svm.Problem{C: svm.PerSum(p.C), Kernel: k, Loss: s.loss(p.Epsilon), Bias: s.bias}, nil, &svm.Settings{Tol: 1e-8})
	})
	found, err := tune.Validation{Folds: s.folds, Metric: s.metric}.Search(t.Context(), set, train, s.grid)
	if err != nil {
		t.Fatal(err)
	}
	return found
}

// searches calls do for searches over every kernel and loss that scale, with their results.
func searches(t *testing.T, do func(s search, found *tune.Selection)) {
	rng := rand.New(rand.NewPCG(35, 2))
	for _, kernel := range []string{"linear", "rbf", "poly"} {
		for _, l := range []loss.Trainable{loss.Hinge{}, loss.SquaredHinge{}, loss.EpsInsensitive{}, loss.SquaredEpsInsensitive{}} {
			const n, d = 45, 3
			s := search{x: make([][]float64, n), y: make([]float64, n), bias: svmkit.FreeBias,
				grid: tune.Grid{C: []float64{0.03, 1, 30}, Kernel: []string{kernel}}, metric: tune.Accuracy}
			for i := range s.x {
				for range d {
					s.x[i] = append(s.x[i], rng.NormFloat64())
					s.y[i] += s.x[i][len(s.x[i])-1]
				}
				s.y[i] += rng.NormFloat64() / 2
			}
			switch kernel {
			case "rbf":
				s.grid.Gamma = []float64{0.02, 0.3}
			case "poly":
				s.grid.Gamma, s.grid.Degree = []float64{0.3}, []int{2}
			}
			switch l.(type) {
			case loss.Hinge, loss.SquaredHinge:
				s.loss = func(float64) loss.Trainable { return l }
				for i, v := range s.y {
					s.y[i] = math.Copysign(1, v)
				}
			case loss.EpsInsensitive:
				s.loss, s.metric = func(e float64) loss.Trainable { return loss.EpsInsensitive{Epsilon: e} }, tune.MAE
				s.grid.Epsilon = []float64{0.1, 0.5}
			default:
				s.loss, s.metric = func(e float64) loss.Trainable { return loss.SquaredEpsInsensitive{Epsilon: e} }, tune.MAE
				s.grid.Epsilon = []float64{0.1, 0.5}
			}
			folds, err := tune.Folds(&svmkit.Dataset{X: svmkit.DenseRows(slices.Concat(s.x...), d), Y: s.y, Dim: d}, 3, 1)
			if err != nil {
				t.Fatal(err)
			}
			s.folds = folds
			do(s, s.run(t))
		}
	}
}

// same compares two searches, the values of the second one divided by unit.
func same(t *testing.T, name string, s search, a, b *tune.Selection, unit, tol float64) {
	t.Helper()
	worst, status := 0.0, true
	for i, p := range a.Points {
		worst = max(worst, math.Abs(p.Mean-b.Points[i].Mean/unit))
		status = status && slices.Equal(p.Status, b.Points[i].Status) && slices.Equal(p.Status, []svmkit.Status{svmkit.Optimal, svmkit.Optimal, svmkit.Optimal})
	}
	place := func(s *tune.Selection, best tune.Point, ok bool) int {
		return slices.IndexFunc(s.Points, func(p tune.Point) bool { return ok && p.Params == best.Params })
	}
	best := func(s *tune.Selection) (places [2]int) {
		p, ok := s.Best()
		q, ok2 := s.OneStandardError()
		return [2]int{place(s, p, ok), place(s, q, ok2)}
	}
	if !(worst <= tol) || !status || best(a) != best(b) {
		t.Errorf("%s: %v: values differ by %.3g, the statuses are equal and optimal: %v, the choices are %v and %v", name, s, worst, status, best(a), best(b))
	}
}

// mapped returns the values of f.
func mapped(x []float64, f func(float64) float64) []float64 {
	out := make([]float64, len(x))
	for i, v := range x {
		out[i] = f(v)
	}
	return out
}

func times(s float64) func(float64) float64 { return func(v float64) float64 { return v * s } }

// mappedRows returns the rows with f applied to each number.
func mappedRows(x [][]float64, f func(float64) float64) [][]float64 {
	out := make([][]float64, len(x))
	for i, row := range x {
		out[i] = mapped(row, f)
	}
	return out
}

const leaves = 2e-3 // what an objective within 1e-8 leaves of a mean

func TestSearchInOtherUnits(t *testing.T) {
	searches(t, func(s search, found *tune.Selection) {
		for _, u := range []float64{0x1p-20, 0x1p10} {
			q := s
			q.x = mappedRows(s.x, times(u))
			if s.grid.Gamma == nil {
				q.grid.C = mapped(s.grid.C, times(1/u/u))
			} else {
				q.grid.Gamma = mapped(s.grid.Gamma, times(1/u/u))
			}
			same(t, fmt.Sprintf("columns times %g", u), s, found, q.run(t), 1, 0)
		}
		if s.grid.Epsilon == nil {
			return
		}
		for _, u := range []float64{1e-3, 1e6} {
			q := s
			q.y, q.grid.Epsilon = mapped(s.y, times(u)), mapped(s.grid.Epsilon, times(u))
			if _, absolute := s.loss(0).(loss.EpsInsensitive); absolute {
				q.grid.C = mapped(s.grid.C, times(u))
			}
			same(t, fmt.Sprintf("targets times %g", u), s, found, q.run(t), u, leaves)
		}
	})
}

func TestSearchOfShiftedColumns(t *testing.T) {
	searches(t, func(s search, found *tune.Selection) {
		if s.grid.Degree != nil {
			return
		}
		q := s
		q.x = mappedRows(s.x, func(v float64) float64 { return v + 10 })
		name := "columns plus 10"
		if s.grid.Gamma != nil {
			name, q.grid.Gamma = "1024·x + 5000", mapped(s.grid.Gamma, times(0x1p-20))
			q.x = mappedRows(s.x, func(v float64) float64 { return 1024*v + 5000 })
		}
		same(t, name, s, found, q.run(t), 1, leaves)
	})
}

func TestSearchInOtherOrdersAndSigns(t *testing.T) {
	rng := rand.New(rand.NewPCG(36, 2))
	searches(t, func(s search, found *tune.Selection) {
		n := len(s.x)
		place, q := rng.Perm(n), s // row i of s is row place[i] of q
		q.x, q.y, q.folds = make([][]float64, n), make([]float64, n), nil
		for i, k := range place {
			q.x[k], q.y[k] = s.x[i], s.y[i]
		}
		for _, f := range s.folds {
			q.folds = append(q.folds, moved(f, func(i int) []int { return []int{place[i]} }))
		}
		same(t, "rows in another order", s, found, q.run(t), 1, leaves)

		q = s
		q.y = mapped(s.y, times(-1))
		same(t, "labels exchanged, targets negated", s, found, q.run(t), 1, leaves)

		copies, weighted := s, s
		copies.x, copies.y, copies.folds = slices.Concat(s.x, s.x), slices.Concat(s.y, s.y), nil
		for _, f := range s.folds {
			copies.folds = append(copies.folds, moved(f, func(i int) []int { return []int{i, i + n} }))
		}
		weighted.weight = slices.Repeat([]float64{2}, n)
		a := copies.run(t)
		same(t, "weights and copies", s, a, weighted.run(t), 1, leaves)
	})
}

// moved returns the fold with other numbers for each row.
func moved(f tune.Fold, to func(i int) []int) (g tune.Fold) {
	for k, list := range [][]int{f.Train, f.Test} {
		var rows []int
		for _, i := range list {
			rows = append(rows, to(i)...)
		}
		slices.Sort(rows)
		*[]*[]int{&g.Train, &g.Test}[k] = rows
	}
	return g
}
