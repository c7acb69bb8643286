package multiclass

import (
	"cmp"
	"context"
	"fmt"
	"math"
	"math/rand/v2"

	"github.com/svmkit/course/svmkit"
	"github.com/svmkit/course/svmkit/internal/tick"
)

// CrammerSinger is the multiclass problem with one slack per row (Crammer and Singer 2001).
//
//	minimise   P(w) = ½ Σₖ‖wₖ‖² + Σᵢ Cᵢ maxₖ (eᵢₖ + ⟨wₖ − w_yᵢ, xᵢ⟩),   eᵢₖ = 1 for k ≠ yᵢ, else 0
//	maximise   D(α) = −½ Σₖ‖wₖ‖² + Σᵢ αᵢ_yᵢ,   wₖ = Σᵢ αᵢₖ xᵢ
//	           over Σₖ αᵢₖ = 0,  αᵢₖ ≤ Cᵢ for k = yᵢ,  αᵢₖ ≤ 0 for k ≠ yᵢ
//
// Cᵢ is C times the weight of row i. A row has a loss if the score of another class comes within 1
// of the score of its own class. For two classes this is the binary hinge problem at 2C, and P is
// half of its objective.
type CrammerSinger struct {
	Data *svmkit.Dataset // training set, with the labels of the package comment
	C    float64         // weight of the losses, > 0; default 1
	// Bias is NoBias (the default) or PenalizedBias, which adds the constant feature 1 with weight
	// bₖ; for another constant see [svmkit.Dataset.Augment]. FreeBias is refused: it couples the
	// rows by Σᵢ αᵢₖ = 0, and the solver changes the α of one row at a time.
	Bias svmkit.Bias
}

// Certify rebuilds the model and both objectives from the data and α alone, n rows of K numbers.
//
// α is first made feasible: a positive αᵢₖ of a class k ≠ yᵢ becomes 0, row sums beyond Cᵢ are
// scaled down to it, and αᵢ_yᵢ is set so that the row adds up to 0. KKT is the largest maxₖ gᵢₖ −
// min{gᵢₖ : αᵢₖ below its bound} with gᵢₖ = ⟨wₖ,xᵢ⟩ + eᵢₖ. Status, Iterations and Updates are zero.
func (p CrammerSinger) Certify(alpha [][]float64) (*Solution, error) {
	s, err := p.prepare()
	if err != nil {
		return nil, err
	}
	if len(alpha) != p.Data.Len() {
		return nil, &svmkit.DataError{Row: svmkit.NoPlace, Col: svmkit.NoPlace,
			Err: fmt.Errorf("%w: α has %d rows, the data %d", svmkit.ErrMismatch, len(alpha), p.Data.Len())}
	}
	for i, row := range alpha {
		if len(row) != s.k {
			return nil, &svmkit.DataError{Row: i, Col: svmkit.NoPlace, Value: float64(len(row)),
				Err: fmt.Errorf("%w: a row of α must have one number for each of %d classes", svmkit.ErrMismatch, s.k)}
		}
		for k, v := range row {
			if math.IsNaN(v) || math.IsInf(v, 0) {
				return nil, &svmkit.DataError{Row: i, Col: k, Value: v, Err: svmkit.ErrNotFinite}
			}
		}
		copy(s.row(i), row)
	}
	return s.certify(), nil
}

// Fitter returns a [svmkit.Fitter] that solves p for other data.
//
// p.Data is ignored. If a fit ends above the tolerance, the fitter returns its model without an
// error.
func (p CrammerSinger) Fitter(settings *Settings) svmkit.Fitter {
	return asFitter(func(ctx context.Context, train *svmkit.Dataset) (*Solution, error) {
		p := p
		p.Data = train
		return p.Fit(ctx, settings)
	})
}

func (p CrammerSinger) validate() error {
	if !(p.C >= 0) || math.IsInf(p.C, 1) {
		return &svmkit.ParamError{Name: "C", Value: p.C, Need: "must be positive and finite (0 means 1)"}
	}
	switch p.Bias.Or(svmkit.NoBias) {
	case svmkit.NoBias, svmkit.PenalizedBias:
		return nil
	case svmkit.FreeBias:
		return &svmkit.ParamError{Name: "Bias", Value: p.Bias, Need: "must be NoBias or PenalizedBias: a free bias couples the rows, and the solver changes one at a time"}
	}
	return &svmkit.ParamError{Name: "Bias", Value: int(p.Bias), Need: "must be NoBias or PenalizedBias (0 means NoBias)"}
}

// Settings holds the settings of a [CrammerSinger] fit. The zero value and nil mean the defaults.
type Settings struct {
	Tol           float64 // relative duality gap to reach; default 1e-3
	MaxIterations int     // passes over the data; default 10,000
	Seed          uint64  // order of the rows; equal seeds give bit-identical results
	// Progress is called at every certificate, with the best one so far, and every
	// svmkit.ProgressEvery in between. The fit stops if it returns false. It may be nil.
	Progress func(svmkit.Progress) bool
}

// Solution is a model with its certificate.
type Solution struct {
	Linear
	svmkit.Certificate
	// Alpha is n rows of K numbers: the feasible α that Dual belongs to.
	Alpha      [][]float64
	Status     svmkit.Status
	Iterations int // passes over the data
	Updates    int // number of changes of a row's α
}

// FitStatus returns Status.
func (s *Solution) FitStatus() svmkit.Status { return s.Status }

// Fit solves the problem and returns the best model found, judged by certificates recomputed from
// the data.
//
// settings may be nil. If MaxIterations is reached, err is nil and Status is not Optimal. When ctx
// ends, Fit returns the best model so far together with the error of ctx.
//
// The dual problem is solved row by row (Keerthi, Sundararajan, Chang, Hsieh and Lin, "A sequential
// dual method for large scale multi-class linear SVMs", KDD 2008). The small problem of one row is
// solved exactly by sorting (Crammer and Singer, section 6).
func (p CrammerSinger) Fit(ctx context.Context, settings *Settings) (*Solution, error) {
	if ctx == nil {
		return nil, &svmkit.ParamError{Name: "ctx", Value: nil, Need: "must not be nil"}
	}
	o, err := settings.withDefaults()
	if err != nil {
		return nil, err
	}
	s, err := p.prepare()
	if err != nil {
		return nil, err
	}
	best, status := s.certify(), svmkit.Unfinished
	due := tick.Start(o.Progress)
	defer due.Stop()
	tell := func(certified bool) bool { // whether to continue
		goOn := o.Progress == nil || o.Progress(svmkit.Progress{Iteration: s.passes(), Updates: s.updates, Certified: certified, Certificate: best.Certificate})
		due.Reset()
		return goOn
	}
	s.interrupted = func() bool {
		if due.Due() && status == svmkit.Unfinished && !tell(false) {
			status = svmkit.Stopped
		}
		return status == svmkit.Stopped || ctx.Err() != nil
	}
	rng := rand.New(rand.NewPCG(o.Seed, 0))
	for nextCheck := 1.0; status == svmkit.Unfinished && !(best.RelativeGap() <= o.Tol) && ctx.Err() == nil; {
		moved := s.round(rng, min(nextCheck, float64(o.MaxIterations)))
		stalled, over := moved == 0, s.passes() >= o.MaxIterations
		if status == svmkit.Stopped {
			break
		}
		if float64(s.passes()) < nextCheck && !stalled && !over && ctx.Err() == nil {
			continue
		}
		nextCheck = float64(s.passes()) * checkGrowth
		if now := s.certify(); now.Gap < best.Gap {
			best = now
		}
		switch {
		case !tell(true):
			status = svmkit.Stopped
		case stalled:
			status = svmkit.Stalled
		case over:
			status = svmkit.IterationLimit
		}
	}
	switch {
	case best.RelativeGap() <= o.Tol:
		status = svmkit.Optimal
	case ctx.Err() != nil:
		status = svmkit.Cancelled
	}
	best.Status, best.Iterations, best.Updates = status, s.passes(), s.updates
	return best, ctx.Err()
}

// checkGrowth spaces the certificates, each of which costs a pass: their number is
// logarithmic, and at most a fifth of the passes comes after the tolerance was met.
const checkGrowth = 1.2

func (o *Settings) withDefaults() (Settings, error) {
	s := Settings{}
	if o != nil {
		s = *o
	}
	switch {
	case !(s.Tol >= 0) || math.IsInf(s.Tol, 1):
		return s, &svmkit.ParamError{Name: "Tol", Value: s.Tol, Need: "must be positive and finite (0 means 1e-3)"}
	case s.MaxIterations < 0:
		return s, &svmkit.ParamError{Name: "MaxIterations", Value: s.MaxIterations, Need: "must be positive (0 means 10,000)"}
	}
	s.Tol, s.MaxIterations = cmp.Or(s.Tol, 1e-3), cmp.Or(s.MaxIterations, 10_000)
	return s, nil
}

// Linear is a model with one hyperplane per class: fₖ(x) = ⟨W[k],x⟩ + B[k].
type Linear struct {
	Classes
	W [][]float64 // K normals, each of length d
	B []float64   // K biases

	// Trained holds the names of the columns; W determines their number.
	Trained svmkit.Columns
}

// Columns returns the columns of the training rows; [svmkit.Columns.Align] brings rows into their
// order.
func (l *Linear) Columns() svmkit.Columns {
	c := l.Trained
	if len(l.W) > 0 {
		c.Dim = len(l.W[0])
	}
	return c
}

// ClassScores returns fₖ(x) for each class. Only their differences matter.
func (l *Linear) ClassScores(x svmkit.Row) []float64 {
	scores := make([]float64, l.Count)
	for k, w := range l.W {
		scores[k] = svmkit.Hyperplane{W: w, B: l.B[k]}.Score(x)
	}
	return scores
}

// ClassScoresAll returns [Linear.ClassScores] of each row.
func (l *Linear) ClassScoresAll(rows []svmkit.Row) [][]float64 {
	scores := make([][]float64, len(rows))
	for i, x := range rows {
		scores[i] = l.ClassScores(x)
	}
	return scores
}

// Predict returns the class with the largest score. If several are equal, the first in Order wins.
func (l *Linear) Predict(x svmkit.Row) svmkit.Prediction {
	return l.prediction(l.largest(l.ClassScores(x)))
}

// PredictAll returns [Linear.Predict] of each row.
func (l *Linear) PredictAll(rows []svmkit.Row) []svmkit.Prediction {
	all := make([]svmkit.Prediction, len(rows))
	for i, x := range rows {
		all[i] = l.Predict(x)
	}
	return all
}

// ProbabilitiesAll returns nil: a Linear has no probabilities.
func (l *Linear) ProbabilitiesAll([]svmkit.Row) [][]float64 { return nil }

// FitStatus returns Unfinished, because a Linear does not store how its fit ended. Use
// [Solution.FitStatus].
func (l *Linear) FitStatus() svmkit.Status { return svmkit.Unfinished }
