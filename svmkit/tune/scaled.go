package tune

import (
	"context"
	"math"

	"github.com/svmkit/course/svmkit"
	"github.com/svmkit/course/svmkit/dataset"
)

// Scaled returns the fitter that fits s to its training rows, trains on the scaled rows, and
// scales every row that is to be scored in the same way. Used in a cross-validation, means
// and deviations come from the training rows of each fold alone. Scaling the whole set first
// would let test rows speak (note A, 4.2.4, leaves both out).
//
// A row that cannot be scaled has the score NaN, which every metric refuses.
func Scaled(s dataset.Scaler, fit svmkit.Fitter) svmkit.Fitter {
	if fit == nil {
		return nil // refused where it is used
	}
	train := func(ctx context.Context, set *svmkit.Dataset, _ Params, _ svmkit.Scorer) (svmkit.Scorer, error) {
		return fit(ctx, set)
	}
	return Trainer(train).Scaled(s).At(Params{})
}

// Scaled returns the trainer that scales as [Scaled] does. The machine that t gets to start from
// is its own one, without the scaling around it.
func (t Trainer) Scaled(s dataset.Scaler) Trainer {
	if t == nil {
		return nil // refused where it is used
	}
	return func(ctx context.Context, train *svmkit.Dataset, p Params, previous svmkit.Scorer) (svmkit.Scorer, error) {
		scaling, err := s.Fit(train)
		if err != nil {
			return nil, err
		}
		if train, err = scaling.Apply(train); err != nil {
			return nil, err
		}
		if before, ok := previous.(*ScaledMachine); ok {
			previous = before.Machine
		}
		machine, err := t(ctx, train, p, previous)
		if err == nil && machine == nil {
			err = errNoMachine
		}
		if err != nil {
			return nil, err
		}
		return &ScaledMachine{Scaling: scaling, Machine: machine}, nil
	}
}

// ScaledMachine scores rows after scaling them.
type ScaledMachine struct {
	Scaling *dataset.Scaling
	Machine svmkit.Scorer // of scaled rows
}

// Score returns the machine's score of the scaled row, NaN if it cannot be scaled.
func (m *ScaledMachine) Score(x svmkit.Row) float64 {
	scaled, err := m.Scaling.ApplyRow(x)
	if err != nil {
		return math.NaN()
	}
	return m.Machine.Score(scaled)
}
