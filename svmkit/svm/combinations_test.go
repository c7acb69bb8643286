package svm

import (
	"context"
	"errors"
	"fmt"
	"math"
	"math/rand/v2"
	"reflect"
	"slices"
	"testing"

	"github.com/svmkit/course/svmkit"
	"github.com/svmkit/course/svmkit/kernel"
	"github.com/svmkit/course/svmkit/loss"
)

// solvers are all solvers of this package. What each can solve, its accepts decides.
var solvers = []Solver{DualCoordinate{}, SDCA{}, Newton{}, ProximalNewton{}, Pegasos{}, SMO{}, Decomposition{}}

// A cell of the table is a kind of problem. Every combination is a cell; those that
// Validate refuses are counted, not forgotten.
type cell struct {
	loss   loss.Trainable
	bias   svmkit.Bias
	kernel kernel.Kernel
	cost   string
}

var (
	cellLosses = []loss.Trainable{loss.Hinge{}, loss.SquaredHinge{}, loss.EpsInsensitive{Epsilon: 0.1},
		loss.SquaredEpsInsensitive{Epsilon: 0.1}, loss.Logistic{}}
	cellBiases  = []svmkit.Bias{svmkit.FreeBias, svmkit.PenalizedBias, svmkit.NoBias}
	cellKernels = []kernel.Kernel{nil, kernel.RBF{Gamma: 0.5}, kernel.Polynomial{Degree: 2, Coef0: 1}}
	cellCosts   = []string{"C", "C₊ ≠ C₋", "weights", "hard margin"}
)

func cells() []cell {
	var all []cell
	for _, l := range cellLosses {
		for _, b := range cellBiases {
			for _, k := range cellKernels {
				for _, c := range cellCosts {
					all = append(all, cell{l, b, k, c})
				}
			}
		}
	}
	return all
}

func (c cell) String() string {
	k := "linear"
	if c.kernel != nil {
		k = fmt.Sprintf("%T", c.kernel)[len("kernel."):]
	}
	return fmt.Sprintf("%T, %v, %s, %s", c.loss, c.bias, k, c.cost)[len("loss."):]
}

// problem draws a problem of the cell's kind. Labels and targets come from a plane, with noise
// unless the margin is hard.
func (c cell) problem(rng *rand.Rand) *Problem {
	n, d := 12+rng.IntN(20), 2+rng.IntN(3)
	w, b := make([]float64, d), 0.5
	for j := range w {
		w[j] = 1 + rng.Float64() // long enough for both classes to be frequent
	}
	if c.bias == svmkit.NoBias {
		b = 0
	}
	hard := c.cost == "hard margin"
	p := &Problem{Loss: c.loss, Kernel: c.kernel, Bias: c.bias, Data: &svmkit.Dataset{Dim: d}}
	for len(p.Data.X) < n {
		x := make([]float64, d)
		for j := range x {
			x[j] = rng.NormFloat64()
		}
		f := svmkit.Dense(x...).Dot(w) + b
		noise := 0.5 * rng.NormFloat64()
		if hard {
			noise = 0.05 * (2*rng.Float64() - 1) // within the tube
		}
		y := f + noise
		if !p.Regression() {
			if hard && math.Abs(f) < 0.2 || y*float64(1-2*(len(p.Data.X)%2)) < 0 {
				continue // both classes, and for a hard margin a street between them
			}
			y = math.Copysign(1, y)
		}
		p.Data.X, p.Data.Y = append(p.Data.X, svmkit.Dense(x...)), append(p.Data.Y, y)
	}
	p.C.C = math.Exp(rng.NormFloat64())
	switch c.cost {
	case "C₊ ≠ C₋":
		p.C.Positive, p.C.Negative = 3, 0.5
	case "weights":
		for range n {
			p.Data.Weight = append(p.Data.Weight, 0.2+rng.Float64())
		}
	case "hard margin":
		p.C.C = math.Inf(1)
	}
	return p
}

// Pegasos is a stochastic subgradient method: its gap falls as 1/t, so that 1e-6 would take a
// million epochs. It is asked for what it is made for.
const (
	exactTol      = 1e-6
	stochasticTol = 2e-2
)

func toleranceOf(s Solver) float64 {
	if _, ok := s.(Pegasos); ok {
		return stochasticTol
	}
	return exactTol
}

func nameOf(s Solver) string { return fmt.Sprintf("%T", s) }

// accepts reports whether the solver can solve a valid problem, asked without its data.
func accepts(s Solver, p *Problem) bool {
	q := *p
	q.Data = nil
	return q.Check(s) == nil
}

// fitCell fits and makes every check that needs no second fit. It returns nil if the test
// has failed.
func fitCell(t *testing.T, p *Problem, s Solver, optimum float64) *Result {
	tol := toleranceOf(s)
	o := &Settings{Tol: tol, Seed: 1, MaxIterations: 200_000}
	r, err := Fit(context.Background(), p, s, o)
	if err != nil {
		t.Errorf("%s: %v", nameOf(s), err)
		return nil
	}
	if r.Status != svmkit.Optimal || !(r.RelativeGap() <= tol) {
		t.Errorf("%s: %v (%s) after %d epochs, relative gap %g, KKT %g", nameOf(s), r.Status, r.Reason, r.Iterations, r.RelativeGap(), r.KKT)
		return nil
	}
	if len(r.Trace) == 0 || r.Trace[len(r.Trace)-1].Status != r.Status {
		t.Errorf("%s: %v with the trace %+v", nameOf(s), r.Status, r.Trace)
	}
	scale := max(1, math.Abs(optimum))
	if r.Primal < optimum-oracleTol*scale || r.Dual > optimum+oracleTol*scale || r.Primal > optimum+(tol+oracleTol)*scale*2 {
		t.Errorf("%s: [%.9g, %.9g] does not hold the oracle's optimum %.9g", nameOf(s), r.Dual, r.Primal, optimum)
	}
	proof, err := p.Certify(r.Beta)
	if err != nil || math.Abs(proof.Primal-r.Primal) > oracleTol*scale || math.Abs(proof.Dual-r.Dual) > oracleTol*scale {
		t.Errorf("%s: certified again: %v %+v, reported %+v", nameOf(s), err, proof, r.Certificate)
	}
	if value := objective(p, &r.Model); math.Abs(value-r.Primal) > 2*tol*scale {
		t.Errorf("%s: the model's objective is %g, reported %g", nameOf(s), value, r.Primal)
	}
	again, err := Fit(context.Background(), p, s, o)
	if err != nil || !reflect.DeepEqual(again.Beta, r.Beta) || again.Bias != r.Bias {
		t.Errorf("%s: the same seed gives other bits", nameOf(s))
	}
	o.Start = r.Beta
	again, err = Fit(context.Background(), p, s, o)
	if err != nil || again.Status != svmkit.Optimal || again.Updates != 0 {
		t.Errorf("%s: from the solution it makes %d updates", nameOf(s), again.Updates)
	}
	return r
}

// objective is the primal objective by its definition, from the model's scores and norm. A hard
// tube's violations, which the certificate charges within the gap, are not in it.
func objective(p *Problem, m *Model) float64 {
	norm := m.Norm()
	value := norm * norm / 2
	if p.Bias == svmkit.PenalizedBias {
		value += m.Bias * m.Bias / 2
	}
	if math.IsInf(p.C.C, 1) {
		return value
	}
	for i, x := range p.Data.X {
		sides, f := p.core().Sides(i), m.Score(x)
		price := sides[0]
		if p.Data.Y[i] < 0 && !p.Regression() || p.Regression() && f < p.Data.Y[i] {
			price = sides[1]
		}
		value += price * p.Loss.Value(f, p.Data.Y[i])
	}
	return value
}

// Every kind of problem, with every solver that accepts it, against the oracle and against
// each other.
func TestEveryCombination(t *testing.T) {
	rng := rand.New(rand.NewPCG(1, 0))
	all := cells()
	fitted, refused, invalid := 0, 0, 0
	for _, c := range all {
		t.Run(c.String(), func(t *testing.T) {
			p := c.problem(rng)
			if err := p.Validate(); err != nil {
				var param *svmkit.ParamError
				if !errors.As(err, &param) || !c.impossible() {
					t.Errorf("Validate: %v", err)
				}
				invalid++
				return
			}
			if c.impossible() {
				t.Error("Validate accepts it")
			}
			optimum := oracle(t, p)
			served := false
			for _, s := range solvers {
				if !accepts(s, p) {
					if _, err := Fit(context.Background(), p, s, nil); !errors.As(err, new(*svmkit.ParamError)) {
						t.Errorf("%s refuses, Fit says %v", nameOf(s), err)
					}
					refused++
					continue
				}
				served = true
				fitted++
				fitCell(t, p, s, optimum)
			}
			if !served {
				t.Error("no solver accepts it")
			}
			if r, err := Fit(context.Background(), p, nil, &Settings{Tol: exactTol}); err != nil || r.Status != svmkit.Optimal {
				t.Errorf("chosen solver %s: %v, %v", nameOf(nil), err, r)
			}
		})
	}
	if want := len(cellLosses) * len(cellBiases) * len(cellKernels) * len(cellCosts); len(all) != want {
		t.Errorf("%d cells, want %d", len(all), want)
	}
	t.Logf("%d kinds of problem: %d make no sense and are refused; %d solvers gave %d fits and %d refusals",
		len(all), invalid, len(solvers), fitted, refused)
	if want := (len(all) - invalid) * len(solvers); fitted+refused != want {
		t.Errorf("%d fits and refusals, want %d", fitted+refused, want)
	}
}

// impossible names the combinations that are no problem: infinite prices with a loss that
// has no kink, and the logistic loss with a kernel.
func (c cell) impossible() bool {
	_, logistic := c.loss.(loss.Logistic)
	_, hinge := c.loss.(loss.Hinge)
	_, tube := c.loss.(loss.EpsInsensitive)
	return c.cost == "hard margin" && !hinge && !tube || logistic && c.kernel != nil
}

// Laws that hold between problems. Each turns a problem into another whose solution is known
// from the first one's; strictly convex in w, so the scores must agree.
func TestMetamorphicLaws(t *testing.T) {
	rng := rand.New(rand.NewPCG(2, 0))
	for _, c := range cells() {
		if c.impossible() || c.cost == "hard margin" {
			continue
		}
		p := c.problem(rng)
		base := mustFit(t, p, nil)
		if base == nil {
			continue
		}
		for _, law := range laws(rng, p) {
			if law.p == nil {
				continue
			}
			r := mustFit(t, law.p, nil)
			if r == nil {
				continue
			}
			if want := law.factor * base.Primal; math.Abs(r.Primal-want) > 4*exactTol*max(1, want) {
				t.Errorf("%v, %s: objective %g, want %g", c, law.name, r.Primal, want)
			}
			for i, x := range p.Data.X {
				// A gap g allows scores to be off by √(2g)·‖x‖; rows here have ‖φ(x)‖ ≤ 10.
				off := 20 * math.Sqrt(2*exactTol*max(1, base.Primal))
				want := law.sign * (base.Score(x))
				if got := r.Score(law.x(x)); math.Abs(got-want) > off*2 && base.BiasMin == base.BiasMax {
					t.Errorf("%v, %s: row %d scores %g, want %g", c, law.name, i, got, want)
					break
				}
			}
		}
	}
}

type law struct {
	name         string
	p            *Problem
	factor, sign float64
	x            func(svmkit.Row) svmkit.Row
}

func laws(rng *rand.Rand, p *Problem) []law {
	same := func(x svmkit.Row) svmkit.Row { return x }
	n := p.Data.Len()

	permuted := *p
	order := rng.Perm(n)
	permuted.Data = p.Data.Subset(order)

	twice := *p
	rows := make([]int, 0, 2*n)
	for i := range n {
		rows = append(rows, i, i)
	}
	twice.Data = p.Data.Subset(rows)
	twice.C.C /= 2

	flipped := *p
	other := *p.Data
	other.Y = slices.Clone(p.Data.Y)
	flipped.Data = &other
	for i := range flipped.Data.Y {
		flipped.Data.Y[i] *= -1
	}
	flipped.C.Positive, flipped.C.Negative = p.C.Negative, p.C.Positive

	all := []law{
		{"rows permuted", &permuted, 1, 1, same},
		{"rows twice at half the price", &twice, 1, 1, same},
		{"labels flipped, prices swapped", &flipped, 1, -1, same},
	}
	if p.Kernel == nil && p.Bias != svmkit.PenalizedBias { // the constant feature is not scaled
		const scale = 4
		scaled := *p
		larger := *p.Data
		larger.X = nil
		scaled.Data = &larger
		times := func(x svmkit.Row) svmkit.Row {
			v := make([]float64, len(x.Value))
			x.AddTo(v, scale)
			return svmkit.Dense(v...)
		}
		for _, x := range p.Data.X {
			scaled.Data.X = append(scaled.Data.X, times(x))
		}
		scaled.C.C /= scale * scale
		all = append(all, law{"x times 4, C over 16", &scaled, 1. / (scale * scale), 1, times})
	}
	return all
}

func mustFit(t *testing.T, p *Problem, s Solver) *Result {
	r, err := Fit(context.Background(), p, s, &Settings{Tol: exactTol, MaxIterations: 200_000})
	if err != nil || r.Status != svmkit.Optimal {
		t.Errorf("%T %v %v %s: %v %+v", p.Loss, p.Bias, p.Kernel, nameOf(s), err, r)
		return nil
	}
	return r
}
