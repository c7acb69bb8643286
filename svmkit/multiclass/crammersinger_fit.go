package multiclass

import (
	"context"
	"math"
	"math/rand/v2"

	"github.com/svmkit/course/svmkit"
	"github.com/svmkit/course/svmkit/internal/tick"
)

// Settings say how far a [CrammerSinger] problem is solved. The zero value, like nil, means the
// defaults.
type Settings struct {
	Tol           float64                    // relative duality gap to reach; 0 means 1e-3
	MaxIterations int                        // passes over the data; 0 means 10,000
	Seed          uint64                     // order of the rows: same seed, same bits
	Progress      func(svmkit.Progress) bool // called at every certificate, with the best one so far, and where none is made every svmkit.ProgressEvery; false stops the fit. May be nil
}

// Solution is a model with its certificate.
type Solution struct {
	Linear
	svmkit.Certificate
	Alpha      [][]float64 // n rows of K numbers: the feasible α that Dual belongs to
	Status     svmkit.Status
	Iterations int // passes over the data
	Updates    int // rows whose α was changed
}

// FitStatus returns Status.
func (s *Solution) FitStatus() svmkit.Status { return s.Status }

// Fit returns the best model that it met, judged by certificates recomputed from the data; settings
// may be nil. Reaching MaxIterations is no error but a Status. When ctx ends, the best model so far is
// returned together with ctx's error.
//
// The dual is solved row by row with the sequential dual method of Keerthi, Sundararajan, Chang,
// Hsieh and Lin, "A sequential dual method for large scale multi-class linear SVMs", KDD 2008.
// The small problem of one row is solved exactly by sorting (Crammer and Singer, section 6;
// also in the appendix of the LIBLINEAR paper, Fan et al. 2008).
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
	tell := func(certified bool) bool { // whether to go on
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
	if s.Tol == 0 {
		s.Tol = 1e-3
	}
	if s.MaxIterations == 0 {
		s.MaxIterations = 10_000
	}
	return s, nil
}
