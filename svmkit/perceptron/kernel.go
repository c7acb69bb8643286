package perceptron

import (
	"context"
	"fmt"
	"iter"
	"math"
	"slices"

	"github.com/svmkit/course/svmkit"
	"github.com/svmkit/course/svmkit/internal/kernelmath"
	"github.com/svmkit/course/svmkit/kernel"
)

// Kernelized is the perceptron in the feature space of a kernel.
//
// Its normal, which is never computed, is w = Σ αᵢyᵢφ(xᵢ) over the rows on which a mistake was
// made, so that
//
//	f(x) = Σ αᵢyᵢκ(xᵢ, x)
//
// needs the kernel alone, and an update is αᵢ ← αᵢ + 1. Score takes one kernel value for each
// support. The zero value is ready to use, with the linear kernel and no bias.
type Kernelized struct {
	Kernel kernel.Kernel // default kernel.Linear
	// Bias is NoBias (the default) or PenalizedBias, which adds a feature that is always 1, and so
	// uses κ + 1 instead of κ.
	Bias     svmkit.Bias
	Supports []Support // rows with a mistake, in the order of their first one
}

// Support is a row on which at least one mistake was made.
type Support struct {
	X svmkit.Row // a copy
	Y float64    // −1 or +1
	// Alpha is the number of mistakes, ≥ 1. In a stream every row is new, so it is 1.
	Alpha int
}

// Score returns f(x) = Σ αᵢyᵢκ(xᵢ, x). Like the kernel, it panics on rows that cannot belong to one
// space.
func (k *Kernelized) Score(x svmkit.Row) float64 {
	score := 0.0
	for _, s := range k.Supports {
		score += float64(s.Alpha) * s.Y * k.eval(s.X, x)
	}
	return score
}

// Predict returns the class of x by the sign of its score.
func (k *Kernelized) Predict(x svmkit.Row) svmkit.Prediction {
	return svmkit.SignPrediction(k.Score(x), nil)
}

// Update learns from one example, as [Perceptron.Update] does. After a mistake it copies x.
//
// Unlike Learn and Fit it does not check Kernel. A score of NaN, as of kernel.RBF{}, does not count
// as a mistake.
func (k *Kernelized) Update(x svmkit.Row, y float64) (mistake bool) {
	mistake = isMistake(k.Score(x), y)
	if mistake {
		k.support(x, y)
	}
	return mistake
}

// Learn learns from a stream, as [Perceptron.Learn] does, in the feature space.
//
// The rows of a stream must be all dense or all sparse. NormX = √κ(x,x) and NormW are lengths in
// the feature space, and Align is NaN. NormW comes from ‖w + yφ(x)‖² = ‖w‖² + 2y·f(x) + κ(x,x). Its
// error is the error of the scores: it grows with the number of mistakes, by a few units in the
// last place of Σ αᵢ|κ(xᵢ,x)| each.
func (k *Kernelized) Learn(ctx context.Context, examples iter.Seq2[svmkit.Row, float64], each func(Mistake) bool) error {
	return stream(ctx, examples, each, k.start)
}

// Fit learns from a data set, as [Perceptron.Fit] does, in the feature space.
//
// See Learn for the contents of its mistakes. The supports of an earlier run keep their place; this
// run adds its own.
func (k *Kernelized) Fit(ctx context.Context, s *svmkit.Dataset, stop Stop) (*Trace, error) {
	return fit(ctx, s, stop, k.start)
}

// eval returns κ(x,z), plus 1 with PenalizedBias.
func (k *Kernelized) eval(x, z svmkit.Row) float64 {
	v := 0.0
	if k.Kernel == nil {
		v = x.DotRow(z)
	} else {
		v = k.Kernel.Eval(x, z)
	}
	if k.Bias == svmkit.PenalizedBias {
		v++
	}
	return v
}

// support appends x with α = 1. It copies the row, because a reader may use its memory again.
func (k *Kernelized) support(x svmkit.Row, y float64) {
	x = svmkit.Row{Index: slices.Clone(x.Index), Value: slices.Clone(x.Value)}
	k.Supports = append(k.Supports, Support{X: x, Y: y, Alpha: 1})
}

// kernelRun is a learner: one run of a kernel perceptron. Between two calls of learn, norm is ‖w‖²
// in the feature space.
type kernelRun struct {
	k    *Kernelized
	norm twofold

	columns int // of every row; 0 until a dense row or a data set sets it
	// slot[i] is 1 + the support of row i of the data set, or 0 if it has none. It is nil in a
	// stream.
	slot []int
}

// start is a [starter].
func (k *Kernelized) start(dim, n int) (learner, error) {
	if err := validateBias(k.Bias); err != nil {
		return nil, err
	}
	if k.Kernel != nil {
		if err := kernel.Validate(k.Kernel); err != nil {
			return nil, err
		}
	}
	r := &kernelRun{k: k, columns: dim, slot: make([]int, n)}
	for _, s := range k.Supports {
		if r.columns == 0 && s.X.Index == nil {
			r.columns = len(s.X.Value)
		}
		if c := kernelmath.Columns(s.X); c > r.columns && r.columns > 0 || s.X.Index == nil && c != r.columns {
			return nil, &svmkit.ParamError{Name: "Supports", Value: c,
				Need: fmt.Sprintf("must have %d columns", r.columns)}
		}
	}
	for _, s := range k.Supports {
		r.norm.add(float64(float64(s.Alpha) * s.Y * k.Score(s.X))) // ‖w‖² = Σ αᵢyᵢf(xᵢ)
	}
	return r, nil
}

// width requires all dense rows of a stream to have one length. For a dense row that follows sparse
// rows, it returns a width that the row does not have, because the number of columns of the sparse
// rows is not known.
func (r *kernelRun) width(x svmkit.Row) int {
	switch {
	case r.columns > 0:
		return r.columns
	case x.Index != nil:
		return math.MaxInt32
	case len(r.k.Supports) > 0:
		return len(x.Value) + 1
	default:
		return len(x.Value)
	}
}

func (r *kernelRun) learn(e example) (m Mistake, mistake bool, err error) {
	k := r.k
	m = Mistake{Round: e.round, Index: e.index, Label: e.y, Score: k.Score(e.x), Align: math.NaN()}
	if !isFinite(m.Score) {
		return m, false, tooLarge(e, m.Score)
	}
	if mistake = isMistake(m.Score, e.y); !mistake {
		return m, false, nil
	}
	square := k.eval(e.x, e.x)
	if grown := r.norm.value() + square; !(grown <= maxSquare) {
		return m, false, tooLarge(e, grown)
	}
	r.norm.add(float64(2 * e.y * m.Score))
	r.norm.add(square)
	m.NormX, m.NormW = math.Sqrt(square), r.norm.root()

	if len(r.slot) > 0 && r.slot[e.index] > 0 {
		k.Supports[r.slot[e.index]-1].Alpha++
		return m, true, nil
	}
	k.support(e.x, e.y)
	if len(r.slot) > 0 {
		r.slot[e.index] = len(k.Supports)
	} else if e.x.Index == nil {
		r.columns = len(e.x.Value)
	}
	return m, true, nil
}
