package newton

import (
	"context"
	"fmt"
	"math"
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/svmkit/course/internal/leaktest"
	"github.com/svmkit/course/svmkit"
	"github.com/svmkit/course/svmkit/internal/kernelsums"
	"github.com/svmkit/course/svmkit/internal/parallel"
	"github.com/svmkit/course/svmkit/loss"
	"github.com/svmkit/course/svmkit/svm/internal/core"
	"github.com/svmkit/course/svmkit/svm/internal/core/coretest"
)

// stateAt returns the state of a problem at a random point.
func stateAt(t *testing.T, p *core.Problem, r *rand.Rand) *state {
	t.Helper()
	if err := p.Validate(); err != nil {
		t.Fatal(err)
	}
	task := core.NewTask(p)
	s := newState(task, core.NewRun(context.Background(), task, coretest.WithDefaults(core.Settings{})))
	for j := range s.v {
		s.v[j] = r.NormFloat64()
	}
	if !s.evaluate() {
		t.Fatal("ended")
	}
	return s
}

// objective is F(v) by its definition.
func (s *state) objective(v []float64) float64 {
	sum := 0.0
	for j, u := range v {
		if j < s.t.Dim || s.t.Bias == svmkit.PenalizedBias {
			sum += u * u / 2
		}
	}
	for i, x := range s.t.X {
		f := x.Dot(v[:s.t.Dim])
		if len(v) > s.t.Dim {
			f += v[s.t.Dim]
		}
		sum += s.t.Loss[i].Value(f)
	}
	return sum
}

// slope is the central difference of F in direction u, exact up to h² times a third
// derivative (and up to h where a row passes an edge within h) and to rounding/h.
func (s *state) slope(v, u []float64) float64 {
	const h = 1e-5
	at := func(step float64) float64 {
		w := make([]float64, len(v))
		for j := range w {
			w[j] = v[j] + step*u[j]
		}
		return s.objective(w)
	}
	return (at(h) - at(-h)) / (2 * h)
}

// differenceError allows for the errors of slope on these problems, F ≈ 100.
const differenceError = 1e-4

func TestNewtonGradientAndValueAreThoseOfTheObjective(t *testing.T) {
	r := rand.New(rand.NewPCG(1, 0))
	smoothCases(func(name string, l loss.Trainable, b svmkit.Bias) {
		s := stateAt(t, halfSparseProblem(r, 40, 5, l, b), r)
		if want := s.objective(s.v); math.Abs(s.value-want) > 1e-12*want {
			t.Errorf("%s: F = %g, by definition %g", name, s.value, want)
		}
		for j := range s.v {
			e := make([]float64, len(s.v))
			e[j] = 1
			if want := s.slope(s.v, e); math.Abs(s.g[j]-want) > differenceError*max(1, math.Abs(want)) {
				t.Errorf("%s: ∂F/∂v[%d] = %g, by differences %g", name, j, s.g[j], want)
			}
		}
		if b == svmkit.FreeBias && math.Abs(s.g[5]) > 1e-9 {
			t.Errorf("%s: Σβ = %g at the best bias", name, -s.g[5])
		}
	})
}

// The dense matrix and the products by rows are the same H, and H is the change of the gradient.
func TestNewtonHessianIsTheChangeOfTheGradient(t *testing.T) {
	r := rand.New(rand.NewPCG(2, 0))
	smoothCases(func(name string, l loss.Trainable, b svmkit.Bias) {
		s := stateAt(t, halfSparseProblem(r, 40, 5, l, b), r)
		dense, cg := newFactors(s), newGradients(s, false)
		if !dense.direct(s) || !cg.prepare(s) {
			t.Fatal("ended")
		}
		for j := range s.v {
			clear(cg.along)
			cg.along[j] = 1
			cg.multiply(s)
			if math.Abs(cg.product[j]-cg.diagonal[j]) > 1e-12*cg.diagonal[j] {
				t.Errorf("%s: diagonal %d is %g, preconditioner %g", name, j, cg.product[j], cg.diagonal[j])
			}
			const small = 1e-6 // few rows cross an edge
			for k := range s.v {
				e, near := make([]float64, len(s.v)), append([]float64{}, s.v...)
				e[k] = 1
				near[j] += small
				want := (gradientAt(s, near)[k] - gradientAt(s, s.v)[k]) / small
				h := dense.gram.at(j, k)
				if j == k {
					h += s.ridge[j]
				}
				if math.Abs(h-want) > 1e-3*max(1, math.Abs(want)) {
					t.Errorf("%s: H[%d,%d] = %g, by differences %g", name, j, k, h, want)
				}
				if got := cg.product[k]; math.Abs(got-h) > 1e-12*max(1, math.Abs(got)) {
					t.Errorf("%s: products give H[%d,%d] = %g, the matrix %g", name, j, k, got, h)
				}
			}
		}
	})
}

// The sum of several batches of rows, each of several parts, is Σ c·x̃x̃ᵀ, rows that are taken away
// included; so is that of a matrix whose tiles are shared out, and of sparse rows in two parts.
// Threads change no bit.
func TestGramIsTheSumOfItsRows(t *testing.T) {
	const rounding = 1e-12 // relative to the sum of the sizes, some thousand numbers
	rng := rand.New(rand.NewPCG(4, 0))
	for _, c := range []struct {
		rows, columns, stored int
		bias                  svmkit.Bias
		parts                 int // 0: rows are added one by one
	}{
		{batchRows + 3*leastPart, 4, 4, svmkit.FreeBias, core.MostParts},
		{batchRows + 1, 3, 3, svmkit.NoBias, core.MostParts},
		{2*leastPart - 1, smallGram, smallGram, svmkit.NoBias, core.MostParts},
		{2 * leastPart, smallGram, smallGram, svmkit.FreeBias, 1},
		{1000, 90, 30, svmkit.FreeBias, core.MostParts},
		{1000, 200, 3, svmkit.PenalizedBias, 0},
	} {
		name := fmt.Sprintf("%d rows of %d, %d stored", c.rows, c.columns, c.stored)
		p := &core.Problem{Data: &svmkit.Dataset{Dim: c.columns}, Loss: loss.SquaredHinge{}, Bias: c.bias, C: core.Cost{C: 1}}
		for i := range c.rows {
			x := svmkit.Row{Value: make([]float64, c.stored)}
			for k := range x.Value {
				x.Value[k] = rng.NormFloat64()
			}
			if c.stored < c.columns {
				for k := range x.Value {
					x.Index = append(x.Index, int32(k*c.columns/c.stored+i%(c.columns/c.stored)))
				}
			}
			p.Data.X, p.Data.Y = append(p.Data.X, x), append(p.Data.Y, float64(1-i%2*2))
		}
		list, change := kernelsums.Numbers(c.rows), make([]float64, c.rows)
		for k := range change {
			change[k] = rng.NormFloat64()
		}
		var first *gram
		for threads := 1; threads <= 3; threads++ {
			workers := parallel.NewWorkers(threads)
			task := core.NewTaskIn(new(core.Workspace), workers, p)
			g := newGram(newDesign(core.NewRun(t.Context(), task, coretest.WithDefaults(core.Settings{})), task))
			g.add(list, change)
			g.add(list[:c.rows/2], change[:c.rows/2]) // sums of parts are used again
			workers.Close()
			if g.direct != (c.parts == 0) || !g.direct && len(g.parts) != c.parts {
				t.Fatalf("%s: direct %v, %d parts: not what is to be tested", name, g.direct, len(g.parts))
			}
			if first == nil {
				first = g
			} else if !slices.Equal(first.sum.Data, g.sum.Data) || !slices.Equal(first.last, g.last) {
				t.Errorf("%s: %d threads give other bits than one", name, threads)
			}
		}
		m := first.x.m
		want, size := make([]float64, m*m), make([]float64, m*m)
		for i, x := range p.Data.X {
			full := make([]float64, m)
			x.AddTo(full[:c.columns], 1)
			if c.bias != svmkit.NoBias {
				full[m-1] = 1
			}
			a := change[i]
			if i < c.rows/2 {
				a *= 2
			}
			for j, u := range full {
				for k, v := range full {
					want[j*m+k] += a * u * v
					size[j*m+k] += math.Abs(a * u * v)
				}
			}
		}
		for j := range m {
			for k := range m {
				if got := first.at(j, k); !(math.Abs(got-want[j*m+k]) <= rounding*size[j*m+k]) {
					t.Fatalf("%s: (%d,%d) is %g, want %g", name, j, k, got, want[j*m+k])
				}
			}
		}
	}
}

// While rows are added to a large G, the context is looked at before a panel is added, and this and
// the rest are left where it has ended; while they are added to a small one, before batchRows are.
func TestGramLooksAtTheContext(t *testing.T) {
	const panels, stopAt = 10, 3
	p := &core.Problem{Data: &svmkit.Dataset{Dim: smallGram + 1}, Loss: loss.SquaredHinge{}, Bias: svmkit.NoBias, C: core.Cost{C: 1}}
	for i := range panels * panelRows {
		x := make([]float64, p.Data.Dim)
		x[i/panelRows] = 1
		p.Data.X, p.Data.Y = append(p.Data.X, svmkit.Dense(x...)), append(p.Data.Y, float64(1-i%2*2))
	}
	task := core.NewTask(p)
	g := newGram(newDesign(core.NewRun(t.Context(), task, coretest.WithDefaults(core.Settings{})), task))
	looks, stops := 0, stopAt
	g.x.interrupted = func() bool { looks++; return looks >= stops }
	g.add(kernelsums.Numbers(task.Len()), slices.Repeat([]float64{1}, task.Len()))
	const added = stopAt - 2 // the first look is before all panels
	if g.at(added-1, added-1) != panelRows || g.at(added, added) != 0 || g.at(added+1, added+1) != 0 {
		t.Errorf("stopped at look %d: the panels around have added %g, %g and %g", stopAt, g.at(added-1, added-1), g.at(added, added), g.at(added+1, added+1))
	}
	g.clear()
	looks, stops = 0, math.MaxInt
	g.add(kernelsums.Numbers(task.Len()), slices.Repeat([]float64{1}, task.Len()))
	if looks < panels || g.at(panels-1, panels-1) != panelRows {
		t.Errorf("%d looks at %d panels, of which the last has added %g", looks, panels, g.at(panels-1, panels-1))
	}

	small := &core.Problem{Data: &svmkit.Dataset{Dim: 1}, Loss: loss.SquaredHinge{}, Bias: svmkit.NoBias, C: core.Cost{C: 1}}
	for i := range 3 * batchRows {
		small.Data.X, small.Data.Y = append(small.Data.X, svmkit.Dense(1)), append(small.Data.Y, float64(1-i%2*2))
	}
	task = core.NewTask(small)
	g = newGram(newDesign(core.NewRun(t.Context(), task, coretest.WithDefaults(core.Settings{})), task))
	looks = 0
	g.x.interrupted = func() bool { looks++; return looks >= 2 }
	g.add(kernelsums.Numbers(task.Len()), slices.Repeat([]float64{1}, task.Len()))
	if g.at(0, 0) != batchRows {
		t.Errorf("stopped after one batch: %g rows were added", g.at(0, 0))
	}
}

// at returns one element of G.
func (g *gram) at(j, k int) float64 {
	j, k = min(j, k), max(j, k)
	if g.last != nil && k == g.x.m-1 {
		return g.last[j]
	}
	return g.sum.Row(j)[k-j]
}

// gradientAt is ∇F at another point, by its definition.
func gradientAt(s *state, v []float64) []float64 {
	g := make([]float64, len(v))
	for j := range v {
		g[j] = s.ridge[j] * v[j]
	}
	for i, x := range s.t.X {
		beta, _ := s.t.Loss[i].Derivatives(s.dotRow(v, x))
		s.addRow(g, x, -beta)
	}
	return g
}

// The sum that is updated from step to step stays Σ φ″xxᵀ.
func TestNewtonUpdatesItsMatrix(t *testing.T) {
	r := rand.New(rand.NewPCG(3, 0))
	smoothCases(func(name string, l loss.Trainable, b svmkit.Bias) {
		s := stateAt(t, halfSparseProblem(r, 300, 4, l, b), r)
		kept := newFactors(s)
		for range 10 {
			for j := range s.v { // few rows change
				s.v[j] += 0.05 * r.NormFloat64()
			}
			s.evaluate()
			anew := newFactors(s)
			if !kept.assemble(s) || !anew.assemble(s) {
				t.Fatal("ended")
			}
			for j := range s.v {
				for k := range s.v {
					if a, b := kept.gram.at(j, k), anew.gram.at(j, k); math.Abs(a-b) > 1e-9*max(1, math.Abs(b)) {
						t.Fatalf("%s: the kept sum has %g at (%d,%d), a new one %g", name, a, j, k, b)
					}
				}
			}
		}
		if kept.steps < 5 && s.t.Kind != core.Logistic {
			t.Errorf("%s: the sum was built anew %d steps ago: nothing was tested", name, kept.steps)
		}
	})
}

// recorder is a direction that records F before every step.
type recorder struct {
	direction
	values []float64
}

func (k *recorder) direct(s *state) bool {
	k.values = append(k.values, s.value)
	return k.direction.direct(s)
}

func TestNewtonNeverRises(t *testing.T) {
	r := rand.New(rand.NewPCG(4, 0))
	smoothCases(func(name string, l loss.Trainable, b svmkit.Bias) {
		for kind := range 2 {
			s := stateAt(t, halfSparseProblem(r, 60, 6, l, b), r)
			for j := range s.v {
				s.v[j] *= 100 // far away, so that full steps overshoot
			}
			s.r.Tol = 1e-12
			k := &recorder{direction: newFactors(s)}
			if kind == 1 {
				k.direction = newGradients(s, false)
			}
			s.descend(k)
			if s.r.Status != svmkit.Optimal || len(k.values) < 3 {
				t.Errorf("%s: %v %s after %d steps", name, s.r.Status, s.r.Reason, len(k.values))
			}
			for i := 1; i < len(k.values); i++ {
				if rise := k.values[i] - k.values[i-1]; rise > roundingOfF*k.values[i-1] {
					t.Errorf("%s: F rises by %g in step %d", name, rise, i)
				}
			}
		}
	})
}

// With a penalized or no bias, gap is the duality gap of ((w, b), β).
func TestNewtonGapIsHalfTheSquaredGradient(t *testing.T) {
	r := rand.New(rand.NewPCG(5, 0))
	smoothCases(func(name string, l loss.Trainable, b svmkit.Bias) {
		if b == svmkit.FreeBias {
			return
		}
		s := stateAt(t, halfSparseProblem(r, 30, 4, l, b), r)
		want := s.objective(s.v) - s.t.Certify(s.r.Beta).Dual
		if got := s.gap(); math.Abs(got-want) > 1e-9*want {
			t.Errorf("%s: ½‖∇F‖² = %g, F − D = %g", name, got, want)
		}
	})
}

// A small slope is not enough: F(w) = ½w² + 0.05·max(0, 1 − 100w)² falls steeply, F′(0) = −10, up
// to w = 0.01, and then rises slowly. At w = 1 the slope is 1, but F(1) = 0.5 > F(0) = 0.05.
func TestNewtonSearchDoesNotOvershoot(t *testing.T) {
	p := &core.Problem{Data: &svmkit.Dataset{X: svmkit.DenseRows([]float64{100}, 1), Y: []float64{1}, Dim: 1},
		Loss: loss.SquaredHinge{}, Bias: svmkit.NoBias, C: core.Cost{C: 0.05}}
	task := core.NewTask(p)
	s := newState(task, core.NewRun(context.Background(), task, core.Settings{MaxIterations: 10}))
	s.evaluate()
	s.p[0], s.q[0] = 1, 100
	step, ok := s.minimizeAlong(1)
	value, slope, _ := s.along(step)
	if !ok || value >= s.value || math.Abs(slope) > 1 {
		t.Errorf("step %g (%v): F = %g from %g, slope %g", step, ok, value, s.value, slope)
	}
}

func TestMain(m *testing.M) { leaktest.Main(m) }

// smoothCases visits all losses with a derivative and all biases.
func smoothCases(visit func(name string, l loss.Trainable, b svmkit.Bias)) {
	for name, l := range map[string]loss.Trainable{"squared hinge": loss.SquaredHinge{},
		"squared tube": loss.SquaredEpsInsensitive{Epsilon: 0.2}, "logistic": loss.Logistic{}} {
		for _, b := range []svmkit.Bias{svmkit.FreeBias, svmkit.PenalizedBias, svmkit.NoBias} {
			visit(name+", "+b.String(), l, b)
		}
	}
}

// halfSparseProblem returns a random problem with noisy labels or targets and costs that differ by
// side and by row. Every other row is sparse.
func halfSparseProblem(r *rand.Rand, n, d int, l loss.Trainable, b svmkit.Bias) *core.Problem {
	set := &svmkit.Dataset{Dim: d}
	p := &core.Problem{Data: set, Loss: l, Bias: b, C: core.Cost{C: 0.5, Positive: 2, Negative: 3}}
	for i := range n {
		x := svmkit.Row{}
		f := 0.4
		for j := range d {
			v := r.NormFloat64()
			if i%2 == 0 && j%2 == i/2%2 {
				continue // a hole in a sparse row
			}
			if i%2 == 0 {
				x.Index = append(x.Index, int32(j))
			}
			x.Value = append(x.Value, v)
			f += v * float64(j%3)
		}
		y := f + 0.5*r.NormFloat64()
		if !p.Regression() {
			y = math.Copysign(1, y)
		}
		if i < 2 {
			y = float64(1 - 2*i)
		}
		set.X, set.Y = append(set.X, x), append(set.Y, y)
		set.Weight = append(set.Weight, 0.5+r.Float64())
	}
	return p
}
