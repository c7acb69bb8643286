package multiclass

import (
	"context"
	"math"
	"math/rand/v2"

	"github.com/svmkit/course/svmkit"
)

// CrammerSinger is the multiclass machine with one slack a row (Crammer and Singer 2001):
//
//	minimise   P(w) = ½ Σₖ‖wₖ‖² + C Σᵢ maxₖ (eᵢₖ + ⟨wₖ − w_yᵢ, xᵢ⟩),   eᵢₖ = 1 for k ≠ yᵢ, else 0
//	maximise   D(α) = −½ Σₖ‖wₖ‖² + Σᵢ αᵢ_yᵢ,   wₖ = Σᵢ αᵢₖ xᵢ
//	           over Σₖ αᵢₖ = 0,  αᵢₖ ≤ C for k = yᵢ,  αᵢₖ ≤ 0 for k ≠ yᵢ
//
// A row pays when another class comes within 1 of its own. The term of k = yᵢ is 0, so the
// loss is never negative. For two classes this is the binary hinge problem at 2C, and P is
// half of its objective.
//
// The dual is solved row by row with the sequential dual method of Keerthi, Sundararajan, Chang,
// Hsieh and Lin, "A sequential dual method for large scale multi-class linear SVMs", KDD 2008.
// The small problem of one row is solved exactly by sorting (Crammer and Singer, section 6;
// also in the appendix of the LIBLINEAR paper, Fan et al. 2008).
type CrammerSinger struct {
	C         float64 // > 0; 0 means 1
	Constant  float64 // value of one more feature, the same in every row: bₖ/Constant is its weight and is penalised. 0 means no bias
	Tol       float64 // relative duality gap to reach; 0 means 1e-3
	MaxEpochs int     // passes over the data; 0 means 10,000
	Seed      uint64  // order of the rows: same seed, same bits

	Progress func(svmkit.Progress) bool // called at every certificate; false stops the fit. May be nil
}

// Solution is a Crammer–Singer machine with its proof.
type Solution struct {
	Linear
	svmkit.Certificate
	Alpha   [][]float64 // n rows of K numbers: the feasible α that Dual belongs to
	Optimal bool        // whether the relative gap is at most Tol
	Epochs  int
	Updates int // rows whose α was changed
}

// Fit returns the best machine that it met, judged by certificates recomputed from the data.
// Reaching MaxEpochs is no error, but Optimal is then false. When ctx ends, the best machine
// so far is returned together with ctx's error.
func (m CrammerSinger) Fit(ctx context.Context, set *svmkit.Dataset) (*Solution, error) {
	if ctx == nil {
		return nil, &svmkit.ParamError{Name: "ctx", Value: nil, Need: "must not be nil"}
	}
	s, err := m.prepare(set)
	if err != nil {
		return nil, err
	}
	best := s.certify()
	best.Optimal = best.RelativeGap() <= m.tol()
	rng := rand.New(rand.NewPCG(m.Seed, 0))
	limit := m.MaxEpochs
	if limit == 0 {
		limit = 10_000
	}
	for nextCheck := 1.0; !best.Optimal && ctx.Err() == nil; {
		moved := s.round(ctx, rng, min(nextCheck, float64(limit)))
		stuck, over := moved == 0, s.epochs() >= limit
		if float64(s.epochs()) < nextCheck && !stuck && !over && ctx.Err() == nil {
			continue
		}
		nextCheck = float64(s.epochs()) * checkGrowth
		if now := s.certify(); now.Gap < best.Gap {
			best = now
			best.Optimal = best.RelativeGap() <= m.tol()
		}
		progress := svmkit.Progress{Epoch: s.epochs(), Updates: s.updates, Certificate: best.Certificate}
		if m.Progress != nil && !m.Progress(progress) || stuck || over {
			break
		}
	}
	best.Epochs, best.Updates = s.epochs(), s.updates
	return best, ctx.Err()
}

// checkGrowth spaces the certificates, each of which costs an epoch: their number is
// logarithmic, and at most a fifth of the epochs comes after the tolerance was met.
const checkGrowth = 1.2

// Certify rebuilds the machine and both objectives from the data and α alone, whoever
// computed it: n rows of K numbers. α is first made feasible: a positive αᵢₖ of a class k ≠ yᵢ
// becomes 0, row sums beyond C are scaled down to C, and αᵢ_yᵢ is set so that the row adds up
// to 0. KKT is the largest maxₖ gᵢₖ − min{gᵢₖ : αᵢₖ below its bound} with gᵢₖ = ⟨wₖ,xᵢ⟩ + eᵢₖ.
func (m CrammerSinger) Certify(set *svmkit.Dataset, alpha [][]float64) (*Solution, error) {
	s, err := m.prepare(set)
	if err != nil {
		return nil, err
	}
	if len(alpha) != set.Len() {
		return nil, &svmkit.DataError{Row: svmkit.NoPlace, Col: svmkit.NoPlace, Err: svmkit.ErrMismatch}
	}
	for i, row := range alpha {
		if len(row) != s.k {
			return nil, &svmkit.DataError{Row: i, Col: svmkit.NoPlace, Value: float64(len(row)), Err: svmkit.ErrMismatch}
		}
		for k, v := range row {
			if math.IsNaN(v) || math.IsInf(v, 0) {
				return nil, &svmkit.DataError{Row: i, Col: k, Value: v, Err: svmkit.ErrNotFinite}
			}
		}
		copy(s.row(i), row)
	}
	solution := s.certify()
	solution.Optimal = solution.RelativeGap() <= m.tol()
	return solution, nil
}

// Fitter returns Fit as a [svmkit.Fitter] whose score is the predicted label, see [Labels].
// A fit that ends above the tolerance is no error.
func (m CrammerSinger) Fitter() svmkit.Fitter {
	return func(ctx context.Context, train *svmkit.Dataset) (svmkit.Scorer, error) {
		solution, err := m.Fit(ctx, train)
		if solution == nil {
			return nil, err
		}
		return Labels(solution), err
	}
}

func (m CrammerSinger) tol() float64 {
	if m.Tol == 0 {
		return 1e-3
	}
	return m.Tol
}

func (m CrammerSinger) validate() error {
	for _, p := range []struct {
		name  string
		value float64
		ok    bool
		need  string
	}{
		{"C", m.C, m.C >= 0 && !math.IsInf(m.C, 1), "must be positive and finite (0 means 1)"},
		{"Constant", m.Constant, m.Constant >= 0 && !math.IsInf(m.Constant, 1), "must be positive and finite (0 means no bias)"},
		{"Tol", m.Tol, m.Tol >= 0 && !math.IsInf(m.Tol, 1), "must be positive and finite (0 means 1e-3)"},
		{"MaxEpochs", float64(m.MaxEpochs), m.MaxEpochs >= 0, "must be positive (0 means 10,000)"},
	} {
		if !p.ok {
			return &svmkit.ParamError{Name: p.name, Value: p.value, Need: p.need}
		}
	}
	return nil
}
