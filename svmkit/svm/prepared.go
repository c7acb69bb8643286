package svm

import (
	"math"
	"sync"

	"github.com/svmkit/course/svmkit"
	"github.com/svmkit/course/svmkit/svm/internal/core"
)

// Prepared is a [Model] made ready to predict one row at a time, as a server does: the kernel is prepared for the
// support vectors once, and a prediction allocates nothing. It is safe for concurrent use. Scores are those of the
// Model up to rounding. Many rows at once are faster still by [Model.ScoreAll].
type Prepared struct {
	*Model
	spare sync.Pool // of *core.OneRow
}

// Prepare returns the model ready for predictions one row at a time. The model must not be changed afterwards.
func (m *Model) Prepare() *Prepared {
	p := &Prepared{Model: m}
	if m.Weights == nil && m.Kernel != nil && len(m.SV) > 0 {
		rows := core.PrepareRows(m.Kernel, m.SV, m.Dim, nil)
		p.spare.New = func() any { return rows.OneRow() }
	}
	return p
}

// Score is [Model.Score].
func (p *Prepared) Score(x svmkit.Row) float64 {
	if p.spare.New == nil || x.Index == nil && len(x.Value) != p.Dim {
		return p.Model.Score(x)
	}
	one := p.spare.Get().(*core.OneRow)
	sum, err := one.WeightedSum(x, p.Coef)
	if err != nil { // the kernel has no value: Score says it in its own way, with NaN or the kernel's panic
		return p.Model.Score(x)
	}
	p.spare.Put(one)
	return sum + p.Bias
}

// Predict is [Model.Predict].
func (p *Prepared) Predict(x svmkit.Row) float64 { return p.label(p.Score(x)) }

// Class is [Model.Class].
func (p *Prepared) Class(x svmkit.Row) string { return p.name(p.Predict(x)) }

// Probability is [Model.Probability].
func (p *Prepared) Probability(x svmkit.Row) float64 {
	if p.Platt == nil {
		return math.NaN()
	}
	return p.Platt.Probability(p.Score(x))
}
