package main

import (
	"encoding/json"
	"math"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/svmkit/course/internal/exactgap"
	"github.com/svmkit/course/internal/leaktest"
	"github.com/svmkit/course/svmkit"
	"github.com/svmkit/course/svmkit/kernel"
	"github.com/svmkit/course/svmkit/loss"
	"github.com/svmkit/course/svmkit/svm"
)

func TestMain(m *testing.M) { leaktest.Main(m) }

// A short soak: the first problems of a seed of their own, small ones, without a fault. How many fit into
// the time is the machine's business; one is enough to see that the checks are made.
func TestReliabilitySoak(t *testing.T) {
	s := newSoak(2026)
	for k, end := uint64(0), time.Now().Add(2500*time.Millisecond); k < 60 && time.Now().Before(end); k++ {
		trial := draw(s.seed, k, false)
		if trial.Data.Len() > 60 {
			continue
		}
		if !s.try(trial) {
			break
		}
	}
	for _, f := range s.Faults {
		t.Error(f)
	}
	if s.Problems == 0 || s.Exact == 0 {
		t.Errorf("%d problems, %d exact", s.Problems, s.Exact)
	}
}

// Each solver's row of the documentation's table is what the solver says of itself: what candidates
// accept is solved without an error, what they do not is refused.
func TestSolversTakeWhatIsDocumented(t *testing.T) {
	for k := range uint64(150) {
		trial := draw(3, k, false)
		for _, m := range candidates {
			if trial.Data.Len() > 20 || trial.hard || m.accepts(trial) {
				continue
			}
			if o := fit(trial, m, time.Second); o.err == nil {
				t.Errorf("%s took %s", m.name, trial.name)
			}
		}
	}
}

// The same seed and number give the same problem, another number another one.
func TestDrawIsRepeatable(t *testing.T) {
	text := func(k uint64) string {
		trial := draw(1, k, false)
		j, err := json.Marshal([]any{trial.name, trial.Data.Y, trial.Data.X})
		if err != nil {
			t.Fatal(err)
		}
		return string(j)
	}
	first := text(7)
	if again := text(7); again != first || text(8) == first {
		t.Error("problem 7 is not itself, or 8 is 7")
	}
}

// wrong is a result of two points at ±1 on a line, with (w, b) = (1, 0) and β = (½, −½): the optimum of
// the hinge at C = 1, where primal and dual are ½.
func wrong(beta float64) (*trial, *svm.Result) {
	p := &svm.Problem{Loss: loss.Hinge{}, Data: &svmkit.Dataset{Dim: 1,
		X: []svmkit.Row{svmkit.Dense(1), svmkit.Dense(-1)}, Y: []float64{1, -1}}}
	r := &svm.Result{Status: svmkit.Optimal, Trace: svm.Trace{{Solver: "SMO"}}}
	r.Weights, r.Beta = []float64{2 * beta}, []float64{beta, -beta}
	r.Primal = 2*beta*beta + 2*max(0, 1-2*beta)
	return &trial{Problem: p, tol: 1e-3, name: "two points"}, r
}

// The gap in higher precision is the one worked out on paper: w = 2β, so primal 2β² + 2·max(0, 1−2β),
// dual 2β − 2β².
func TestExactGap(t *testing.T) {
	for _, beta := range []float64{0, 0.25, 0.5, 0.75} {
		trial, r := wrong(beta)
		want := r.Primal - (2*beta - 2*beta*beta)
		if gap, slack := exactgap.Linear(trial.Problem, r); math.Abs(gap-want) > 1e-15 || slack != 0 {
			t.Errorf("β = %v: gap %v ± %v, want %v", beta, gap, slack, want)
		}
	}
	trial, r := wrong(1.5) // beyond C
	if gap, _ := exactgap.Linear(trial.Problem, r); !math.IsInf(gap, 1) {
		t.Errorf("a β outside of its box has gap %v", gap)
	}
}

// A soak that finds no fault in wrong answers finds none at all.
func TestFaultsAreSeen(t *testing.T) {
	m := candidate{name: "SMO", solver: svm.SMO{}}
	for _, c := range []struct {
		want string
		out  func() (*trial, outcome)
	}{
		{"panic", func() (*trial, outcome) { trial, _ := wrong(0.5); return trial, outcome{panics: "oh"} }},
		{"error", func() (*trial, outcome) {
			trial, _ := wrong(0.5)
			return trial, outcome{err: svmkit.ErrEmpty}
		}},
		{"certified again", func() (*trial, outcome) { trial, r := wrong(0.25); return trial, outcome{result: r} }},
		{"optimal with", func() (*trial, outcome) {
			trial, r := wrong(0.5)
			r.Gap = 1
			return trial, outcome{result: r}
		}},
		{"stalled", func() (*trial, outcome) {
			trial, r := wrong(0.25)
			r.Status, r.Gap = svmkit.Stalled, 1e-3
			return trial, outcome{result: r}
		}},
	} {
		s := newSoak(0)
		trial, o := c.out()
		s.judge(trial, m, o, 0)
		if len(s.Faults) == 0 || !strings.Contains(s.Faults[0].What, c.want) {
			t.Errorf("faults %v, want one that says %q", s.Faults, c.want)
		}
	}
	s := newSoak(0)
	trial, r := wrong(0.5)
	if s.judge(trial, m, outcome{result: r}, 0); len(s.Faults) > 0 {
		t.Errorf("the optimum is a fault: %v", s.Faults)
	}
}

// Two rows a and b on a line, with the bias's column of ones: the matrix (1+a², 1+ab; 1+ab, 1+b²) has the trace
// 2+a²+b² and the determinant (a−b)², so for a = 1, b = 1+h the ratio of its eigenvalues is nearly 16/h². With no
// bias its rank is 1, its only eigenvalue 1 + b² is nearly 2, and along (b, −1)/√(1+b²), nearly, the labels (1, −1) have the
// slope √2: at C = 1 that is a ratio of √2.
func TestSpread(t *testing.T) {
	const h = 1e-3
	rows := &svmkit.Dataset{Dim: 1, X: svmkit.DenseRows([]float64{1, 1 + h}, 1), Y: []float64{1, -1}}
	for _, c := range []struct {
		bias svmkit.Bias
		want float64
	}{{svmkit.FreeBias, 16 / (h * h)}, {svmkit.NoBias, math.Sqrt2}} {
		trial := &trial{Problem: &svm.Problem{Data: rows, Bias: c.bias, Loss: loss.Hinge{}}}
		if got := trial.spread(); math.Abs(got-c.want) > 0.01*c.want {
			t.Errorf("%v: %g, want %g", c.bias, got, c.want)
		}
		for solver, want := range map[string]bool{"SMO": c.want > easy, "Newton (Cholesky)": false} {
			r := &svm.Result{Trace: svm.Trace{{Solver: solver}}}
			if trial.maySlow(candidate{name: solver, solver: svm.SMO{}}, r) != want {
				t.Errorf("%v: %s may be slow: %v", c.bias, solver, !want)
			}
			if trial.maySlow(candidate{name: "(chosen)"}, r) {
				t.Errorf("%v: who leaves the choice to us may get %s, slow", c.bias, solver)
			}
		}
	}
}

// What rounding explains is small where all is well, and grows with C: at 1e12 a score that is off by one
// rounding costs 1e-4.
func TestRounding(t *testing.T) {
	for _, k := range []kernel.Kernel{nil, kernel.RBF{Gamma: 1}} {
		last := 0.0
		for _, c := range []float64{1, 1e6, 1e12} {
			p := &svm.Problem{Data: &svmkit.Dataset{Dim: 1, X: svmkit.DenseRows([]float64{1.1, -0.7, 0.3}, 1), Y: []float64{1, -1, 1}}, Kernel: k, C: svm.PerSum(c)}
			r, err := svm.Fit(t.Context(), p, svm.SMO{}, nil)
			if err != nil {
				t.Fatal(err)
			}
			got := exactgap.Rounding(p, r)
			if least, most := c*0x1p-53, c*0x1p-53*1e4*max(1, math.Sqrt(r.Primal)); !(got > least && got < most && got > last) {
				t.Errorf("%T, C = %g: rounding explains %g, want one of %g … %g", k, c, got, least, most)
			}
			last = got
		}
	}
}

// Problems that soaks have found faults in, with whose faults they were: they stay mended.
func TestMendedStaysMended(t *testing.T) {
	for _, c := range []struct {
		seed, number uint64
		solver       string
	}{
		{1, 1356, "Decomposition"}, {1, 2166, "Decomposition"}, {1, 4036, "SMO"}, // ‖w‖² below zero by rounding
		{1, 1160, "ProximalNewton"}, {1, 1719, "ProximalNewton"}, {2, 620, "(chosen)"}, // no step left at w = 0
		{1, 3160, "Newton"}, {1, 3515, "Newton"}, {1, 5332, "(chosen)"}, // a condition number of 1e10
		{1, 5920, "Newton"},         // conjugate gradients that do their work, but in too many products
		{1, 8923, "DualCoordinate"}, // slow along a direction that the matrix does not see, and told so
		{1, 11558, "SMO"},           // a hard margin's objectives that rounding crosses
		{4, 1058, "ProximalNewton"}, // a ramp a step
	} {
		trial := draw(c.seed, c.number, false)
		k := slices.IndexFunc(candidates, func(m candidate) bool { return m.name == c.solver })
		s := newSoak(c.seed)
		s.judge(trial, candidates[k], fit(trial, candidates[k], time.Minute), 0)
		for _, f := range s.Faults {
			t.Error(f)
		}
	}
}
