package svm_test

import (
	"fmt"
	"math"
	"math/rand/v2"
	"strings"
	"testing"

	"github.com/svmkit/course/svmkit"
	"github.com/svmkit/course/svmkit/loss"
	"github.com/svmkit/course/svmkit/svm"
)

// alikeRows draws n rows of d columns that are nearly in a plane of few dimensions, far from the
// origin: coordinate descent needs thousands of passes. Every tenth row is there twice. Stored is
// the part of the columns with a value.
func alikeRows(n, d int, stored float64) *svmkit.Dataset {
	rng := rand.New(rand.NewPCG(uint64(n), uint64(d)))
	const dimensions = 3
	along := make([]float64, dimensions*d)
	for j := range along {
		along[j] = rng.NormFloat64()
	}
	set := &svmkit.Dataset{Dim: d}
	for i := range n {
		if i%10 == 9 {
			set.X, set.Y = append(set.X, set.X[i-9]), append(set.Y, -set.Y[i-9])
			continue
		}
		at, x := make([]float64, dimensions), svmkit.Row{Index: []int32{}}
		for k := range at {
			at[k] = rng.NormFloat64()
		}
		for j := range d {
			if rng.Float64() >= stored {
				continue
			}
			v := 3 + 0.3*rng.NormFloat64()
			for k, a := range at {
				v += a * along[k*d+j]
			}
			x.Index, x.Value = append(x.Index, int32(j)), append(x.Value, v)
		}
		if stored == 1 {
			x.Index = nil
		}
		set.X, set.Y = append(set.X, x), append(set.Y, at[0]+0.3*rng.NormFloat64())
	}
	return set
}

// Few rows of many columns, alike: when coordinate descent has cost as much, Newton's method in the
// span of the rows goes on, and gets to the optimum, which coordinate descent alone does not in
// four times as many passes.
func TestFewRowsOfManyColumns(t *testing.T) {
	for _, stored := range []float64{1, 0.2} {
		targets := alikeRows(80, 2500, stored)
		labels := *targets
		labels.Y = make([]float64, targets.Len())
		for i, y := range targets.Y {
			labels.Y[i] = math.Copysign(1, y)
		}
		weighted := labels
		weighted.Weight = make([]float64, labels.Len())
		for i := range weighted.Weight {
			weighted.Weight[i] = float64(i % 3)
		}
		for name, p := range map[string]svm.Problem{
			"hinge":                      {Data: &labels},
			"hinge, weights":             {Data: &weighted, C: svm.Cost{C: 10}},
			"hinge, no bias":             {Data: &labels, Bias: svmkit.NoBias},
			"squared hinge, penalized b": {Data: &labels, Loss: loss.SquaredHinge{}, Bias: svmkit.PenalizedBias},
			"tube":                       {Data: targets, Loss: loss.EpsInsensitive{Epsilon: 0.1}},
			"squared tube":               {Data: targets, Loss: loss.SquaredEpsInsensitive{Epsilon: 0.1}},
		} {
			t.Run(fmt.Sprintf("%s, %g stored", name, stored), func(t *testing.T) {
				const tol = 1e-6
				r, err := svm.Fit(t.Context(), &p, nil, &svm.Settings{Tol: tol})
				if err != nil {
					t.Fatal(err)
				}
				if !strings.Contains(r.Trace.String(), "in the span of the rows") {
					t.Errorf("%s alone has got there, after %d passes: the test is too easy", r.Trace, r.Iterations)
				}
				if r.Status != svmkit.Optimal || !(r.RelativeGap() <= tol) {
					t.Errorf("ends as %v (%s) with a relative gap of %.2g after %d passes of %s", r.Status, r.Reason, r.RelativeGap(), r.Iterations, r.Trace)
				}
				if proof, err := p.Certify(r.Beta); err != nil || !(proof.RelativeGap() <= tol) {
					t.Errorf("β has a relative gap of %.2g: %v", proof.RelativeGap(), err)
				}
				alone, err := svm.Fit(t.Context(), &p, svm.DualCoordinate{}, &svm.Settings{Tol: tol, MaxIterations: 4 * r.Iterations})
				if err != nil {
					t.Fatal(err)
				}
				if alone.Status == svmkit.Optimal || !(alone.Primal >= r.Primal-r.Gap) || !(alone.Dual <= r.Primal) {
					t.Errorf("%d passes to objectives %v and %v; coordinate descent alone, after %d, %v and %v, %v", r.Iterations, r.Primal, r.Dual, alone.Iterations, alone.Primal, alone.Dual, alone.Status)
				}
			})
		}
	}
}

// A caller who wants no more, or fewer iterations, is heard in the span, too.
func TestStopsInTheSpan(t *testing.T) {
	set := alikeRows(60, 2500, 1)
	p := svm.Problem{Data: set, Loss: loss.EpsInsensitive{}}
	calls, inSpan := 0, 0
	all, err := svm.Fit(t.Context(), &p, nil, &svm.Settings{Tol: 1e-9, Progress: func(svmkit.Progress) bool { calls++; return true }})
	if err != nil || len(all.Trace) < 2 {
		t.Fatal(err, all.Trace)
	}
	passes := all.Trace[0].Iterations
	r, err := svm.Fit(t.Context(), &p, nil, &svm.Settings{Tol: 1e-9, Progress: func(at svmkit.Progress) bool {
		if at.Iteration > passes {
			inSpan++
		}
		return inSpan < 2
	}})
	if err != nil || r.Status != svmkit.Stopped || inSpan != 2 {
		t.Errorf("%v: %v after %d calls in the span of %d in all", err, r.Status, inSpan, calls)
	}
	few := passes + 3
	r, err = svm.Fit(t.Context(), &p, nil, &svm.Settings{Tol: 1e-9, MaxIterations: few})
	if err != nil || r.Status != svmkit.IterationLimit || r.Iterations > few+4 {
		t.Errorf("%v: %v after %d passes of at most %d", err, r.Status, r.Iterations, few)
	}
	if !(r.RelativeGap() <= 1) || r.RelativeGap() <= 1e-9 {
		t.Errorf("the gap is %v", r.RelativeGap())
	}
}
