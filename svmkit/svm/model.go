package svm

import (
	"math"
	"slices"

	"github.com/svmkit/course/svmkit"
	"github.com/svmkit/course/svmkit/kernel"
)

// Model is a trained model: f(x) = Σ Coefₖ·K(SVₖ, x) + Bias, or ⟨Weights,x⟩ + Bias if it is linear.
//
// It holds only support vectors, which share the memory of the training data. Models are safe for
// concurrent use. A loaded model has the contents of its file: a linear one has no support vectors,
// and Rows and Bound may be missing.
type Model struct {
	Kernel  kernel.Kernel // nil for linear
	Weights []float64     // w of a linear model, length Dim; nil otherwise
	Bias    float64
	SV      []svmkit.Row // rows with β ≠ 0, in the order of the data
	Coef    []float64    // their β, so that w = Σ Coefₖφ(SVₖ)
	Rows    []int        // their numbers in the data
	Bound   []bool       // whether their α is at its upper bound C; the others are free
	Dim     int
	// whether Dim is only the least number of columns, see [svmkit.Columns]
	Open       bool
	Features   []string // names of the columns as in the data; nil without names
	Label      string   // name of the label's column; "" without a name
	Classes    []string // as in the data; nil for a regression or without names
	Regression bool
	// whether +1 means a row like the training rows and −1 an outlier, see [OneClass]
	OneClass bool
	// label that a score of exactly 0 predicts, −1 or +1; 0 for none. Models that were read from
	// files of LIBSVM, LIBLINEAR and scikit-learn have one.
	Zero  float64
	Platt *Platt // sigmoid that turns scores into probabilities; nil without
}

// ModelOf returns p if it is a *Model, or the Model of a [*Result], and nil otherwise.
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

// Columns returns the columns of the training rows; [svmkit.Columns.Align] brings rows into their
// order.
func (m *Model) Columns() svmkit.Columns {
	return svmkit.Columns{Dim: m.Dim, Open: m.Open, Features: m.Features, Label: m.Label}
}

// FreeSV returns the number of free support vectors, 0 < α < C.
//
// With the hinge and ε-insensitive losses, their scores lie exactly on the margin and determine the
// bias. The other len(Bound) − FreeSV() support vectors are at their bound. The number describes
// the computed β. It can differ from the number at the exact solution until the gap is tiny.
func (m *Model) FreeSV() int {
	free := 0
	for _, bound := range m.Bound {
		if !bound {
			free++
		}
	}
	return free
}

// Score returns f(x).
//
// A linear model ignores columns of a sparse x from Dim on. Score panics if a dense x does not have
// Dim columns; [svmkit.Columns.Align] reports this as an error.
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
		s += float64(m.Coef[k] * m.Kernel.Eval(v, x))
	}
	return s
}

// Predict returns the class of x by the sign of its score, or the target of a regression. Zero
// decides about a score of exactly 0.
func (m *Model) Predict(x svmkit.Row) svmkit.Prediction { return m.prediction(m.Score(x)) }

// prediction returns the prediction of a score.
func (m *Model) prediction(score float64) svmkit.Prediction {
	if m.Regression {
		return svmkit.TargetPrediction(score)
	}
	if score == 0 && m.Zero != 0 {
		p := svmkit.SignPrediction(m.Zero, m.Classes)
		p.Score = score
		return p
	}
	return svmkit.SignPrediction(score, m.Classes)
}

// ClassNames returns Classes.
func (m *Model) ClassNames() []string { return m.Classes }

// FitStatus returns Unfinished, because a Model does not store how its fit ended. Use
// [Result.FitStatus].
func (m *Model) FitStatus() svmkit.Status { return svmkit.Unfinished }

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

// Plane returns the hyperplane of a linear model, which shares its weights.
func (m *Model) Plane() (plane svmkit.Hyperplane, linear bool) {
	return svmkit.Hyperplane{W: m.Weights, B: m.Bias}, m.Weights != nil
}

// Probability returns P(y = +1 | x), or NaN if the model has no Platt.
//
// It can be below ½ for a row whose class is +1, because the class is the sign of the score and the
// sigmoid was fitted to other rows. [svmkit.PredictByProbability] predicts the more probable class.
func (m *Model) Probability(x svmkit.Row) float64 {
	if m.Platt == nil {
		return math.NaN()
	}
	return m.Platt.Probability(m.Score(x))
}

// The types of this package that are models.
var (
	_ svmkit.Model                = (*Model)(nil)
	_ svmkit.RoundingScorer       = (*Model)(nil)
	_ svmkit.ProbabilityPredictor = (*Model)(nil)
	_ svmkit.Preparer             = (*Model)(nil)
	_ svmkit.Model                = (*Result)(nil)
	_ svmkit.Model                = (*Prepared)(nil)
)
