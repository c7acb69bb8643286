package svm

import (
	"math"
	"slices"

	"github.com/svmkit/course/svmkit"
	"github.com/svmkit/course/svmkit/kernel"
)

// Model is a trained model: f(x) = Σ Coefₖ·K(SVₖ, x) + Bias, or ⟨Weights,x⟩ + Bias if it is
// linear. It is what a fit leaves for use, so it holds support vectors only; after a fit they
// share the memory of the data. Models are safe for concurrent use.
//
// A loaded model has what its file has: no support vectors of a linear model, no Rows and no Bound
// where they are not known.
type Model struct {
	Kernel     kernel.Kernel // nil: linear
	Weights    []float64     // w of a linear model, length Dim; nil otherwise
	Bias       float64
	SV         []svmkit.Row // rows with β ≠ 0, in the order of the data
	Coef       []float64    // their β, so that w = Σ Coefₖφ(SVₖ)
	Rows       []int        // their numbers in the data
	Bound      []bool       // whether their α is at its upper bound C; the others are free
	Dim        int
	Open       bool     // Dim is only the least number of columns, see [svmkit.Columns]
	Features   []string // names of the columns as in the data; nil if there are none
	Label      string   // the name of the label's column; "" if it has none
	Classes    []string // as in the data; nil for regression or without names
	Regression bool
	OneClass   bool   // +1 are rows like the training rows, −1 outliers, see [OneClass]
	Platt      *Platt // turns scores into probabilities; nil without probabilities
}

// ModelOf returns the model that p is, or that a [*Result] has; nil if it is neither.
func ModelOf(p any) *Model {
	switch m := p.(type) {
	case *Model:
		return m
	case *Result:
		if m != nil {
			return &m.Model
		}
	}
	return nil
}

// Columns says which columns the model was trained on; [svmkit.Columns.Align] brings rows into their order.
func (m *Model) Columns() svmkit.Columns {
	return svmkit.Columns{Dim: m.Dim, Open: m.Open, Features: m.Features, Label: m.Label}
}

// FreeSV returns the number of free support vectors, 0 < α < C: with the hinge and ε-insensitive
// losses those whose score is on the margin exactly and that determine the bias. The other
// len(Bound) − FreeSV() are at their bound. It is a count of what β is, not of what the solution's
// would be: until the gap is tiny some β are still on their way to 0 or C.
func (m *Model) FreeSV() int {
	free := 0
	for _, bound := range m.Bound {
		if !bound {
			free++
		}
	}
	return free
}

// Score returns f(x). Columns of a sparse x from Dim on are ignored by a linear model.
func (m *Model) Score(x svmkit.Row) float64 {
	if m.Weights != nil {
		if x.Index == nil {
			return x.Dot(m.Weights) + m.Bias
		}
		s := m.Bias
		for k, j := range x.Index {
			if int(j) < len(m.Weights) {
				s += x.Value[k] * m.Weights[j]
			}
		}
		return s
	}
	if len(m.SV) == 0 { // no kernel value meets a NaN, or another number of columns
		if x.Index == nil && len(x.Value) != m.Dim {
			x.Dot(make([]float64, m.Dim)) // panics
		}
		if slices.ContainsFunc(x.Value, math.IsNaN) {
			return math.NaN()
		}
		return m.Bias
	}
	s := m.Bias
	for k, v := range m.SV {
		s += m.Coef[k] * m.Kernel.Eval(v, x)
	}
	return s
}

// Predict returns the label −1 or +1 of x, 0 if its score is exactly zero, or the predicted
// target of a regression. A row with a NaN has none: NaN.
func (m *Model) Predict(x svmkit.Row) float64 { return m.label(m.Score(x)) }

// label returns the prediction of a score.
func (m *Model) label(score float64) float64 {
	if m.Regression {
		return score
	}
	return svmkit.Sign(score)
}

// Class returns the name of the predicted class, "" for a score of exactly zero or NaN, or a model
// without class names.
func (m *Model) Class(x svmkit.Row) string { return m.name(m.Predict(x)) }

// name returns the class of a label.
func (m *Model) name(y float64) string {
	switch {
	case len(m.Classes) != 2:
	case y > 0:
		return m.Classes[1]
	case y < 0:
		return m.Classes[0]
	}
	return ""
}

// ClassNames returns Classes.
func (m *Model) ClassNames() []string { return m.Classes }

// Norm returns ‖w‖ in feature space.
func (m *Model) Norm() float64 {
	if m.Weights != nil {
		return svmkit.Dense(m.Weights...).Norm()
	}
	square := 0.0
	for i, u := range m.SV {
		square += m.Coef[i] * m.Coef[i] * m.Kernel.Eval(u, u)
		for k, v := range m.SV[:i] {
			square += 2 * m.Coef[i] * m.Coef[k] * m.Kernel.Eval(u, v)
		}
	}
	return math.Sqrt(max(0, square))
}

// Margin returns the geometric margin y·f(x)/‖w‖ of an example.
func (m *Model) Margin(x svmkit.Row, y float64) float64 { return y * m.Score(x) / m.Norm() }

// Plane returns the hyperplane of a linear model, sharing its weights.
func (m *Model) Plane() (plane svmkit.Hyperplane, linear bool) {
	return svmkit.Hyperplane{W: m.Weights, B: m.Bias}, m.Weights != nil
}

// Probability returns P(y = +1 | x), or NaN if the model has no Platt.
func (m *Model) Probability(x svmkit.Row) float64 {
	if m.Platt == nil {
		return math.NaN()
	}
	return m.Platt.Probability(m.Score(x))
}

// ProbabilitiesAll returns P(y = −1 | x) and P(y = +1 | x) for every row ([Platt.Probabilities]); nil if the model has no
// Platt. Package tune measures them.
func (m *Model) ProbabilitiesAll(rows []svmkit.Row) [][]float64 {
	if m.Platt == nil {
		return nil
	}
	all := make([][]float64, len(rows))
	for i, s := range m.ScoreAll(rows) {
		all[i] = m.Platt.Probabilities(s)
	}
	return all
}
