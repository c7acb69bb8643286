package tune

import (
	"cmp"
	"context"
	"fmt"
	"math"
	"math/rand/v2"
	"slices"

	"github.com/svmkit/course/svmkit"
)

// Permutation says how often labels are shuffled.
type Permutation struct {
	Rounds int    // 0 means 100
	Seed   uint64 // round r uses the stream (Seed, r)
}

// Baseline compares a value of the metric with those of meaningless labels.
type Baseline struct {
	CVResult           // with the true labels
	Null     []float64 // mean value of each round with shuffled labels; NaN where not finished
	// P is (1 + number of rounds at least as good)/(1 + number of rounds), the chance of such
	// a value or more if rows and labels are independent and the folds were cut without the labels (stratified
	// folds make it smaller on some data); it cannot be below 1/(1 + Rounds).
	P float64
}

// Permuted cross-validates with the true labels and then again and again with the labels of all
// rows shuffled. What the shuffled rounds reach is what class sizes, chance and leaks of the
// procedure give; a value within their range shows no learning.
//
// Errors as for [Validation.CrossValidate]; an iteration of Progress is a round. When ctx ends, the
// finished rounds are returned together with ctx's error.
func (v Validation) Permuted(ctx context.Context, set *svmkit.Dataset, fit svmkit.Fitter, p Permutation) (*Baseline, error) {
	if p.Rounds < 0 {
		return nil, &svmkit.ParamError{Name: "Rounds", Value: p.Rounds, Need: "must be positive (0 means 100)"}
	}
	p.Rounds = cmp.Or(p.Rounds, 100)
	threads, err := v.prepare(ctx, set)
	if err != nil {
		return nil, err
	}
	one := Validation{Folds: v.Folds, Metric: v.Metric, Threads: v.Threads}
	truth, err := one.CrossValidate(ctx, set, fit)
	if truth == nil {
		return nil, err
	}
	b := &Baseline{CVResult: *truth, Null: unfinished(p.Rounds)}
	if err == nil {
		one.Threads = 1 // the rounds are what runs in parallel
		err = v.runAll(ctx, p.Rounds, p.Rounds, threads, func(ctx context.Context, r int, report func() error) error {
			shuffled := *set
			shuffled.Y = slices.Clone(set.Y)
			rand.New(rand.NewPCG(p.Seed, uint64(r))).Shuffle(len(shuffled.Y), func(i, j int) {
				shuffled.Y[i], shuffled.Y[j] = shuffled.Y[j], shuffled.Y[i]
			})
			cv, err := one.CrossValidate(ctx, &shuffled, fit)
			if err != nil {
				return fmt.Errorf("tune: round %d of shuffled labels: %w", r, err)
			}
			b.Null[r] = cv.Mean
			return report()
		})
		if err != nil && ctx.Err() == nil {
			return nil, err
		}
	}
	b.count(v.metric().Higher)
	return b, err
}

// meanRounding is within which two means over folds count as equal: the same values in another
// order may add up to a number that differs in its last digits.
const meanRounding = 1e-12

// count sets P from the finished rounds.
func (b *Baseline) count(higher bool) {
	good, rounds := 1, 1
	for _, s := range b.Null {
		if math.IsNaN(s) {
			continue
		}
		rounds++
		if math.Abs(s-b.Mean) <= meanRounding*math.Abs(b.Mean) || (s > b.Mean) == higher {
			good++
		}
	}
	b.P = float64(good) / float64(rounds)
}
