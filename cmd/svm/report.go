package main

import (
	"fmt"
	"iter"
	"math"
	"slices"
	"strings"

	"github.com/svmkit/course/internal/cli"
	"github.com/svmkit/course/svmkit"
	"github.com/svmkit/course/svmkit/multiclass"
	"github.com/svmkit/course/svmkit/svm"
)

// report is what train prints of any kind of model.
type report struct {
	Rows         int      `json:"n"`
	Columns      int      `json:"d"`
	NNZ          int      `json:"nnz"`
	Classes      []string `json:"classes,omitempty"` // of two: −1, +1
	Bias         string   `json:"biasKind"`
	Tolerance    float64  `json:"tolerance"`
	ReadSeconds  float64  `json:"readSeconds"`
	TrainSeconds float64  `json:"trainSeconds"`

	SupportVectors int `json:"supportVectors"` // summed over the models
	*modelFit          // of one model
	*modelFits         // of several
}

// modelFits are the fits of a classifier for more than two classes.
type modelFits struct {
	Strategy string     `json:"strategy"`
	Default  bool       `json:"strategyIsDefault"`
	Missed   int        `json:"modelsAboveTolerance"`
	WorstGap cli.Number `json:"worstRelativeGap"`
	Worst    string     `json:"worstModel"`
	Models   []modelFit `json:"models"`

	worst modelFit
}

// modelFit is one fit.
type modelFit struct {
	Name           string     `json:"name,omitempty"`
	Solver         string     `json:"solver"`
	Status         string     `json:"status"`
	Reason         string     `json:"reason,omitempty"`
	Iterations     int        `json:"iterations"`
	Updates        int        `json:"updates"`
	Primal         cli.Number `json:"primal"`
	Dual           cli.Number `json:"dual"`
	RelativeGap    cli.Number `json:"relativeGap"`
	KKT            cli.Number `json:"kkt"`
	B              cli.Number `json:"b"`
	SupportVectors int        `json:"supportVectors"`
	Free           int        `json:"freeSupportVectors"`
	Bound          int        `json:"boundSupportVectors"`
	Met            bool       `json:"toleranceMet"`
}

// newReport describes a model of numbers and the set to which it was fitted. usual says that the strategy
// is the default.
func newReport(set *svmkit.Dataset, m svmkit.Model, strategy string, usual bool) *report {
	r := &report{Rows: set.Len(), Columns: set.Dim, NNZ: set.NNZ(), Classes: m.ClassNames()}
	fits := fitsOf(m)
	for _, f := range fits {
		r.SupportVectors += f.SupportVectors
	}
	if strategy == "" {
		r.modelFit = &fits[0]
	} else {
		r.modelFits = newFits(strategy, fits)
		r.Default = usual // a field of modelFits
	}
	return r
}

// newFits finds the worst fit: a fit that missed the tolerance is worse than any that met it.
func newFits(strategy string, fits []modelFit) *modelFits {
	many := &modelFits{Strategy: strategy, Models: fits, worst: fits[0]}
	for _, f := range fits {
		if !f.Met {
			many.Missed++
		}
		if many.worst.Met && !f.Met || many.worst.Met == f.Met && worse(f.RelativeGap, many.worst.RelativeGap) {
			many.worst = f
		}
	}
	many.WorstGap, many.Worst = many.worst.RelativeGap, many.worst.Name
	return many
}

// worse orders gaps; NaN is the worst.
func worse(a, b cli.Number) bool { return a > b || math.IsNaN(float64(a)) && !math.IsNaN(float64(b)) }

// scorersOf yields the models of two classes of which a model consists, in its order, each with its name; "" for one model.
func scorersOf(m svmkit.Model) iter.Seq2[string, svmkit.Scorer] {
	return func(yield func(string, svmkit.Scorer) bool) {
		switch m := m.(type) {
		case *multiclass.RestClassifier:
			for k, scorer := range m.Models {
				if !yield(m.Name(k)+" against the rest", scorer) {
					return
				}
			}
		case *multiclass.PairClassifier:
			for _, pair := range m.Models {
				if !yield(m.Name(pair.Negative)+" against "+m.Name(pair.Positive), pair.Scorer) {
					return
				}
			}
		case svmkit.Scorer:
			yield("", m)
		}
	}
}

// fitsOf returns the fits of which a model consists, in its order.
func fitsOf(m svmkit.Model) (fits []modelFit) {
	for name, scorer := range scorersOf(m) {
		if r, fitted := scorer.(*svm.Result); fitted { // a class without rows has no model
			free := r.FreeSV()
			fits = append(fits, newFit(r.Certificate, r.Status, modelFit{Name: name, Solver: r.Trace.String(), Reason: r.Reason,
				Iterations: r.Iterations, Updates: r.Updates, B: cli.Number(r.Model.Bias), SupportVectors: len(r.SV), Free: free,
				Bound: len(r.SV) - free}))
		}
	}
	if m, joint := m.(*multiclass.Solution); joint {
		f := modelFit{Name: "all classes", Solver: "sequential dual method", Iterations: m.Iterations}
		for _, row := range m.Alpha { // a support vector has some αᵢₖ ≠ 0
			if slices.ContainsFunc(row, func(v float64) bool { return v != 0 }) {
				f.SupportVectors++
			}
		}
		fits = append(fits, newFit(m.Certificate, m.Status, f))
	}
	return fits
}

// newFit adds the certificate to a fit.
func newFit(c svmkit.Certificate, status svmkit.Status, f modelFit) modelFit {
	f.Primal, f.Dual, f.RelativeGap, f.KKT = cli.Number(c.Primal), cli.Number(c.Dual), cli.Number(c.RelativeGap()), cli.Number(c.KKT)
	f.Status, f.Met = status.String(), status == svmkit.Optimal
	return f
}

// tolerance returns nil, or says by how much which fit missed the tolerance.
func (r *report) tolerance() error {
	f, who := r.modelFit, ""
	if many := r.modelFits; many != nil {
		if many.Missed == 0 {
			return nil
		}
		f = &many.worst
		who = fmt.Sprintf(" by %d of %d models, worst by %s", many.Missed, len(many.Models), many.Worst)
	}
	switch {
	case f.Met:
		return nil
	case f.Status == svmkit.Stationary.String() && who == "":
		return fmt.Errorf("%w: the kernel is indefinite, so this is a stationary point and no gap bounds its distance to "+
			"the optimum", errTolerance)
	}
	return fmt.Errorf("%w%s: relative gap %.3g, asked for %g (%s)", errTolerance, who, float64(f.RelativeGap), r.Tolerance, f.status())
}

// status returns the status with its reason.
func (f *modelFit) status() string { return strings.TrimSuffix(f.Status+": "+f.Reason, ": ") }

func (r *report) table(t *cli.Table) {
	t.Line("rows n", "%d", r.Rows)
	t.Line("columns d", "%d", r.Columns)
	t.Line("nnz", "%d", r.NNZ)
	if r.modelFit != nil {
		r.oneFit(t)
	} else {
		r.manyFits(t)
	}
	t.Line("seconds", "%.3f training, %.3f reading", r.TrainSeconds, r.ReadSeconds)
}

func (r *report) oneFit(t *cli.Table) {
	if len(r.Classes) == 2 {
		t.Line("classes", "−1 is %s, +1 is %s", r.Classes[0], r.Classes[1])
	}
	t.Line("solver", "%s, %s", r.Solver, r.Bias)
	t.Line("status", "%s", r.status())
	t.Line("iterations", "%d", r.Iterations)
	t.Line("updates", "%d", r.Updates)
	t.Line("primal", "%.12g", float64(r.Primal))
	if math.IsInf(float64(r.RelativeGap), 1) && !math.IsInf(float64(r.Primal), 1) {
		t.Line("dual", "no lower bound: the kernel is indefinite")
	} else {
		t.Line("dual", "%.12g", float64(r.Dual))
	}
	t.Line("relative gap", "%.3g (asked for %g)", float64(r.RelativeGap), r.Tolerance)
	t.Line("KKT violation", "%.3g", float64(r.KKT))
	t.Line("bias b", "%.9g", float64(r.B))
	t.Line("support vectors", "%d = %d free + %d bound at this tolerance", r.Free+r.Bound, r.Free, r.Bound)
}

func (r *report) manyFits(t *cli.Table) {
	t.Line("classes", "%d: %s", len(r.Classes), first(r.Classes, 30))
	chosen, models := "", fmt.Sprint(len(r.Models))
	if r.Default {
		chosen = " (the default; -multi ovo and cs are others)"
	}
	if r.Strategy == crammerSinger {
		models = "1 problem for all classes"
	}
	t.Line("strategy", "%s%s", strategyTitles[r.Strategy], chosen)
	t.Line("models", "%s", models)
	t.Line("solver", "%s, %s", r.Models[0].Solver, r.Bias)
	t.Line("status", "%d of %d reached the tolerance", len(r.Models)-r.Missed, len(r.Models))
	t.Line("worst gap", "%.3g relative, %s (asked for %g)", float64(r.WorstGap), r.Worst, r.Tolerance)
	t.Line("support vectors", "%d in all models", r.SupportVectors)
}
