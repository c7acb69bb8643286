package playground

import (
	"context"
	"fmt"
	"math"
	"slices"
	"strings"

	"github.com/svmkit/course/svmkit"
	"github.com/svmkit/course/svmkit/kernel"
	"github.com/svmkit/course/svmkit/multiclass"
	"github.com/svmkit/course/svmkit/svm"
)

// How far a problem is solved: the relative gap to reach, and the iterations in which it mostly is.
const (
	tolerance     = 1e-6
	maxIterations = 200
)

// Fit is a state with its model.
type Fit struct {
	State   State
	Set     *svmkit.Dataset
	Parts   []Part                     // one; with several classes one for each that has points; none if there is no model yet
	Rest    *multiclass.RestClassifier // of several classes; nil otherwise
	Steps   int                        // that the training has gone: fewer than asked for if it has ended
	Ended   bool                       // there is no further step
	Caption string
	Mark    string // ✓: the words are proved; ✗: they are not; …: not at the end yet
	Verdict string // what is known of the model

	indefinite bool // the formula is no kernel
	moved      []int
}

// Part is a model of two classes, or of a regression.
type Part struct {
	Class  int // number of the class that is told from the others; 1 of two
	Model  *svm.Model
	Proof  *svm.Proof // nil for a perceptron
	Status svmkit.Status
	Alpha  []float64 // αᵢ ≥ 0, one a point
	Scores []float64 // f(xᵢ), one a point
}

func errorOf(field, format string, args ...any) *Error {
	return &Error{field, fmt.Sprintf(format, args...)}
}

// indefinite is a function of two rows that is no kernel.
type indefinite struct{ kernel.Kernel }

func (indefinite) Definite() bool { return false }

// NewFit validates a state and solves or trains it. Points that cannot be told apart yet, as those of one
// class, are no error: there is no model then, and Verdict says why.
func NewFit(ctx context.Context, s State) (*Fit, error) {
	if err := s.Validate(); err != nil {
		return nil, err
	}
	f := &Fit{State: s, Set: s.data()}
	if f.Mark, f.Verdict = "…", f.tooFew(); f.Verdict != "" {
		f.Caption = count(len(s.Points), "point") + "."
		return f, nil
	}
	k, err := s.kernel()
	if err != nil {
		return nil, err
	}
	var lifted [][]float64
	if k != nil {
		if lifted, err = factor(k, f.Set.X); err != nil {
			return nil, err
		}
		if lifted == nil && s.Kernel == "formula" {
			k, f.indefinite = indefinite{k}, true
		}
	}
	p := &svm.Problem{Data: f.Set, Loss: s.loss(), Kernel: k, C: svm.PerSum(s.C), Bias: s.bias()}
	switch {
	case s.Task == "several":
		f.Rest, err = multiclass.OneVsRest{Threads: 1, Binary: func(ctx context.Context, set *svmkit.Dataset) (svmkit.Model, error) {
			p := *p
			p.Data = set
			return solve(ctx, &p, lifted)
		}}.Fit(ctx, f.Set)
		if err != nil {
			return nil, err
		}
		for class, m := range f.Rest.Models {
			if r, ok := m.(*svm.Result); ok {
				f.add(class, &r.Model, &r.Proof, r.Status)
			}
		}
	case s.Train == "solved":
		r, err := solve(ctx, p, lifted)
		if err != nil {
			return nil, err
		}
		f.add(1, &r.Model, &r.Proof, r.Status)
	case f.indefinite && s.Train != "perceptron":
		return nil, &Error{"training", "the formula is not positive semidefinite on these points, and the dual objective has no top to climb to: take another formula, or solve it to a stationary point"}
	default:
		if err := f.train(p); err != nil {
			return nil, err
		}
	}
	f.words()
	return f, nil
}

// solve fits a problem. Where φ(x) has few dimensions, the linear problem of the rows of L is solved first:
// some Newton steps where pairs can take 100,000. Its β starts the fit, which certifies with the kernel.
func solve(ctx context.Context, p *svm.Problem, lifted [][]float64) (*svm.Result, error) {
	settings := &svm.Settings{Tol: tolerance, MaxIterations: maxIterations}
	if lifted != nil && 0 < len(lifted[0]) && len(lifted[0]) <= few {
		linear := *p
		linear.Kernel, linear.Data = nil, &svmkit.Dataset{Y: p.Data.Y, Dim: len(lifted[0])}
		for _, row := range lifted {
			linear.Data.X = append(linear.Data.X, svmkit.Dense(row...))
		}
		r, err := svm.Fit(ctx, &linear, nil, &svm.Settings{Tol: tolerance / 10, MaxIterations: maxIterations})
		if err != nil {
			return nil, err
		}
		settings.Start = r.Beta
	}
	return svm.Fit(ctx, p, nil, settings)
}

// tooFew says which points are missing for a model; "" if none are.
func (f *Fit) tooFew() string {
	if f.State.Task == "regression" {
		if f.Set.Len() < 2 {
			return "Add two points or more."
		}
		return ""
	}
	for _, y := range f.Set.Y {
		if y != f.Set.Y[0] {
			return ""
		}
	}
	return "Add points of two classes."
}

func (f *Fit) add(class int, m *svm.Model, proof *svm.Proof, status svmkit.Status) {
	p := Part{Class: class, Model: m, Proof: proof, Status: status, Alpha: make([]float64, f.Set.Len()), Scores: m.ScoreAll(f.Set.X)}
	for k, i := range m.Rows {
		p.Alpha[i] = math.Abs(m.Coef[k])
	}
	f.Parts = append(f.Parts, p)
}

// beta are the β of the first part, one a point.
func (f *Fit) beta() []float64 {
	beta := make([]float64, f.Set.Len())
	for k, i := range f.Parts[0].Model.Rows {
		beta[i] = f.Parts[0].Model.Coef[k]
	}
	return beta
}

func (f *Fit) train(p *svm.Problem) error {
	s := f.State
	t := newTraining(s, f.Set, p.Kernel)
	for f.Steps < s.Step && t.step() {
		f.Steps++
	}
	f.moved = t.moved
	last := *t // tries one step more
	last.beta, last.f = slices.Clone(t.beta), slices.Clone(t.f)
	f.Ended = !last.step()
	f.Caption = ""
	for k, i := range t.moved {
		f.Caption += fmt.Sprintf("; point %d: α %s → %s", i+1, num(math.Abs(t.before[k])), num(math.Abs(t.beta[i])))
	}
	if s.Train != "perceptron" {
		proof, err := p.Certify(t.beta)
		if err != nil {
			return err
		}
		f.add(1, p.Model(proof), proof, svmkit.Unfinished)
		return nil
	}
	m := &svm.Model{Kernel: p.Kernel, Dim: f.Set.Dim}
	if p.Kernel == nil {
		m.Weights = make([]float64, f.Set.Dim)
	}
	for i, b := range t.beta {
		if b == 0 {
			continue
		}
		m.SV, m.Coef, m.Rows, m.Bound = append(m.SV, f.Set.X[i]), append(m.Coef, b), append(m.Rows, i), append(m.Bound, false)
		if s.Bias == "penalized" {
			m.Bias += b
		}
		if m.Weights != nil {
			f.Set.X[i].AddTo(m.Weights, b)
		}
	}
	f.add(1, m, nil, svmkit.Unfinished)
	return nil
}

// words states what the model is, and what is known of it.
func (f *Fit) words() {
	n, support, bound, wrong := f.Set.Len(), map[int]bool{}, 0, 0
	primal, dual, gap, optimal := 0.0, 0.0, 0.0, true
	for _, p := range f.Parts {
		for k, i := range p.Model.Rows {
			support[i] = true
			if p.Model.Bound[k] {
				bound++
			}
		}
		if p.Proof != nil {
			primal, dual, gap = primal+p.Proof.Primal, dual+p.Proof.Dual, gap+p.Proof.Gap
			optimal = optimal && (p.Status == svmkit.Optimal || p.Proof.RelativeGap() <= tolerance)
		}
	}
	steps := f.Caption
	f.Caption = fmt.Sprintf("%s, %s", count(n, "point"), count(len(support), "support vector"))
	if len(f.Parts) == 1 && bound > 0 {
		f.Caption += fmt.Sprintf(", %d of them with α = C", bound)
	}
	switch f.State.Task {
	case "several":
		for i, x := range f.Set.X {
			if f.Rest.Predict(x).Y != f.Set.Y[i] {
				wrong++
			}
		}
		f.Caption += fmt.Sprintf("; %d in the region of another class.", wrong)
	case "two":
		for i, y := range f.Set.Y {
			if y*f.Parts[0].Scores[i] <= 0 {
				wrong++
			}
		}
		f.Caption += fmt.Sprintf("; %d on the wrong side.", wrong)
		if norm := f.Parts[0].Model.Norm(); norm > 0 && f.State.Train != "perceptron" && !f.indefinite {
			f.Caption += fmt.Sprintf(" Half-margin γ = 1/‖w‖ = %s", num(1/norm))
			if f.State.Kernel != "linear" {
				f.Caption += " in the space of the kernel"
			}
			f.Caption += "."
		}
	case "regression":
		for i, y := range f.Set.Y {
			if math.Abs(y-f.Parts[0].Scores[i]) > f.State.Epsilon+onLine {
				wrong++
			}
		}
		f.Caption += fmt.Sprintf("; %d outside of the tube f(x) ± %s.", wrong, num(f.State.Epsilon))
	}
	if f.State.Train != "solved" {
		f.Caption = fmt.Sprintf("After %s%s. %s", count(f.Steps, "step"), steps, f.Caption)
	}
	bounds := fmt.Sprintf("D = %.8g and P = %.8g", dual, primal)
	switch {
	case f.State.Train == "perceptron" && wrong == 0:
		f.Mark, f.Verdict = "✓", fmt.Sprintf("The perceptron has ended after %s: no point is on the wrong side. Another order of the points can end at another line.", count(f.Steps, "mistake"))
	case f.State.Train == "perceptron":
		f.Verdict = fmt.Sprintf("The perceptron has made %s, and more will follow.", count(f.Steps, "mistake"))
	case f.indefinite:
		f.Mark, f.Verdict = "✗", "The formula is not positive semidefinite on these points, so it is no kernel: this is a stationary point, and there is no certificate."
	case optimal:
		f.Mark, f.Verdict = "✓", fmt.Sprintf("Optimal: the best objective is between %s, and this model has P: the gap is %s.", bounds, tiny(gap))
	case f.State.Train != "solved" && !f.Ended:
		f.Verdict = fmt.Sprintf("Not optimal yet: the best objective is between %s, a gap of %s.", bounds, tiny(gap))
	default:
		f.Mark, f.Verdict = "✗", fmt.Sprintf("Not proved to %g: the best objective is between %s, a gap of %s.", tolerance, bounds, tiny(gap))
	}
}

// num writes a number for people.
func num(v float64) string { return strings.ReplaceAll(fmt.Sprintf("%.4g", v), "-", "−") }

// tiny writes a number that may be rounding.
func tiny(v float64) string { return strings.ReplaceAll(fmt.Sprintf("%.1g", max(v, 0)), "-", "−") }

func count(n int, thing string) string {
	if n == 1 {
		return "1 " + thing
	}
	return fmt.Sprintf("%d %ss", n, thing)
}
