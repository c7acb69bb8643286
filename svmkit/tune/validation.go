package tune

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"math"
	"math/rand/v2"
	"slices"

	"gonum.org/v1/gonum/stat"

	"github.com/svmkit/course/svmkit"
	"github.com/svmkit/course/svmkit/internal/parallel"
)

// ErrLeak means that a row is both a training row and a test row of one fold.
var ErrLeak = errors.New("row is both for training and for testing")

// Validation holds the folds and the metric by which models are trained and measured.
type Validation struct {
	// Folds come from [Folds], [GroupFolds] or [TimeFolds], or are one Fold of [SplitRows].
	Folds  []Fold
	Metric Metric // default Accuracy
	// Threads is the number of models trained at once; default GOMAXPROCS. It changes no result of
	// a run that is not stopped.
	Threads int
	// Progress receives the number of finished models, after each model and every
	// [svmkit.ProgressEvery], one call at a time, without a certificate. If it returns false, the
	// finished results are returned without an error. It may be nil.
	Progress func(svmkit.Progress) bool
}

var errNoModel = errors.New("training returned neither a model nor an error")

// trained returns the results of a fitter, and an error if they are neither a model nor an error.
func trained(model svmkit.Model, err error) (svmkit.Model, error) {
	if err == nil && model == nil {
		err = errNoModel
	}
	if err != nil {
		return nil, err
	}
	return model, nil
}

// CVResult holds a value of the metric for each fold.
type CVResult struct {
	// Scores has the metric on the test rows of each fold; NaN if the fold is not finished.
	Scores []float64
	// Status is the FitStatus of each model; Unfinished if the fold is not finished.
	Status []svmkit.Status
	Mean   float64 // mean over the finished folds; NaN without any
	// StdErr is s/√k for the k finished folds, s² with k − 1; NaN for k < 2. The folds share
	// training rows, so this is a rough measure.
	StdErr float64
}

// Limited returns the number of folds whose fit ended above its tolerance. Their values count in
// the mean, so raise the limit of iterations if it is not 0.
func (r *CVResult) Limited() (folds int) {
	for _, s := range r.Status {
		if s.Limited() {
			folds++
		}
	}
	return folds
}

// FoldError reports the fold in which training or measuring failed.
type FoldError struct {
	Fold   int     // from 0
	Params *Params // nil if none are chosen
	Err    error
}

// Error returns the message.
func (e *FoldError) Error() string {
	if e.Params != nil {
		return fmt.Sprintf("tune: fold %d, %s: %v", e.Fold, e.Params, e.Err)
	}
	return fmt.Sprintf("tune: fold %d: %v", e.Fold, e.Err)
}

// Unwrap returns the cause.
func (e *FoldError) Unwrap() error { return e.Err }

// CrossValidate trains a model on the Train rows of each fold and measures it on the Test rows.
//
// The error is a [*svmkit.DataError] or [*svmkit.ParamError] for the data and the settings, or the
// [*FoldError] of the first fold that failed. When ctx ends, CrossValidate returns the finished
// folds together with the error of ctx.
func (v Validation) CrossValidate(ctx context.Context, set *svmkit.Dataset, fit svmkit.Fitter) (*CVResult, error) {
	if fit == nil {
		return nil, notNil("fit")
	}
	one, err := v.evaluate(ctx, set, make([]Point, 1), nil, func(ctx context.Context, _ int, train *svmkit.Dataset, _ Params, _ svmkit.Model) (svmkit.Model, error) {
		return fit(ctx, train)
	})
	if one == nil {
		return nil, err
	}
	return &one[0].CVResult, err
}

// evaluate trains and measures a model for each of the points in each fold, and returns the points
// with their results; nil after an error that is not the end of ctx. The points of a path, one for
// each C, are tried in order, and each model is passed to the next as its start. Without C there is
// a single point, which an error does not name.
func (v Validation) evaluate(ctx context.Context, set *svmkit.Dataset, points []Point, c []float64,
	train func(ctx context.Context, fold int, set *svmkit.Dataset, p Params, previous svmkit.Model) (svmkit.Model, error)) ([]Point, error) {
	threads, err := v.prepare(ctx, set)
	if err != nil {
		return nil, err
	}
	folds, length := len(v.Folds), max(1, len(c))
	for k := range points {
		points[k].CVResult = CVResult{Scores: unfinished(folds), Status: make([]svmkit.Status, folds)}
	}
	err = v.runAll(ctx, len(points)/length*folds, len(points)*folds, threads, func(ctx context.Context, i int, report func() error) error {
		f := i % folds
		trainRows, testRows := v.Folds[f].Of(set)
		var model svmkit.Model
		path := points[i/folds*length:][:length]
		for k := range path {
			if err := ctx.Err(); err != nil {
				return err
			}
			err := parallel.Call("training or its model", func() (err error) {
				if model, err = train(ctx, f, trainRows, path[k].Params, model); err == nil {
					path[k].Scores[f], err = v.measure(ctx, model, testRows)
				}
				if err == nil {
					path[k].Status[f] = model.FitStatus()
				}
				return err
			})
			if err != nil {
				failed := &FoldError{Fold: f, Err: err}
				if c != nil {
					p := path[k].Params
					failed.Params = &p
				}
				return failed
			}
			if err := report(); err != nil {
				return err
			}
		}
		return nil
	})
	if err != nil && ctx.Err() == nil {
		return nil, err
	}
	for k := range points {
		points[k].summarise()
	}
	return points, err
}

// runAll is [parallel.For] whose tasks call report after each model of total. It returns nil if
// Progress has stopped it.
func (v Validation) runAll(ctx context.Context, n, total, threads int, task func(ctx context.Context, i int, report func() error) error) error {
	return parallel.Report(ctx, v.Progress, total, func(ctx context.Context, done func() error) error {
		return parallel.For(ctx, n, threads, func(i int) error { return task(ctx, i, done) })
	})
}

// measure returns the metric of the model's predictions for test.
func (v Validation) measure(ctx context.Context, model svmkit.Model, test *svmkit.Dataset) (float64, error) {
	if model == nil {
		return math.NaN(), errNoModel
	}
	var all []svmkit.Prediction
	var probabilities [][]float64
	for rows := range slices.Chunk(test.X, predictedAtOnce) {
		if ctx.Err() != nil {
			return math.NaN(), ctx.Err()
		}
		predictions, p := svmkit.PredictWithProbabilities(model, rows)
		all, probabilities = append(all, predictions...), append(probabilities, p...)
	}
	p := newPredictions(all, probabilities, model.ClassNames())
	// a model without class names was trained on a part of the same set
	if p.Classes == nil {
		p.Classes = test.Classes
	}
	value, metric := math.NaN(), v.metric()
	err := parallel.Call("Metric", func() (err error) { // a panic here is not the training's
		value, err = metric.Measure(test, p)
		return err
	})
	if c, ok := model.(svmkit.RowChecker); ok && errors.Is(err, ErrScore) {
		if why := c.CheckRows(test.X); why != nil {
			err = fmt.Errorf("%w: %w", ErrScore, why)
		}
	}
	if err == nil && math.IsNaN(value) {
		err = svmkit.ErrNotFinite // NaN marks what was not finished
	}
	if err != nil {
		err = fmt.Errorf("%s of a %T on %d rows: %w", cmp.Or(metric.Name, "metric"), model, test.Len(), err)
	}
	return value, err
}

// predictedAtOnce is the number of rows that are predicted between two checks of the context.
const predictedAtOnce = 512

// Predict returns the predictions of a model for rows, with its probabilities and the names of its
// classes.
//
// A model that is only a [svmkit.Predictor] has neither: set [Predictions].Classes to the Classes
// of its training set.
func Predict(model svmkit.Predictor, rows []svmkit.Row) Predictions {
	m := svmkit.AsModel(model, nil)
	all, probabilities := svmkit.PredictWithProbabilities(m, rows)
	return newPredictions(all, probabilities, m.ClassNames())
}

func newPredictions(all []svmkit.Prediction, probabilities [][]float64, classes []string) Predictions {
	p := Predictions{Probability: probabilities, Classes: classes}
	scored := false
	for _, q := range all {
		p.Label, p.Score = append(p.Label, q.Y), append(p.Score, q.Score)
		scored = scored || !math.IsNaN(q.Score)
	}
	if !scored {
		p.Score = nil
	}
	return p
}

func (v Validation) metric() Metric {
	if v.Metric.Measure == nil {
		return Accuracy
	}
	return v.Metric
}

// prepare checks context, data and folds and returns the number of threads.
func (v Validation) prepare(ctx context.Context, set *svmkit.Dataset) (threads int, err error) {
	if ctx == nil {
		return 0, notNil("ctx")
	}
	if err := set.Validate(); err != nil {
		return 0, err
	}
	if len(v.Folds) == 0 {
		return 0, wrong("Folds", v.Folds, "must not be empty")
	}
	use := make([]int, set.Len()) // 1 + the fold in which a row was last seen for training
	for f, fold := range v.Folds {
		if len(fold.Train) == 0 || len(fold.Test) == 0 {
			return 0, &FoldError{Fold: f, Err: noPlace(svmkit.ErrEmpty)}
		}
		for part, rows := range [2][]int{fold.Train, fold.Test} {
			for _, i := range rows {
				switch {
				case i < 0 || i >= set.Len():
					return 0, &FoldError{Fold: f, Err: &svmkit.ParamError{Name: "Folds", Value: i, Need: "must be numbers of rows"}}
				case part == 0:
					use[i] = f + 1
				case use[i] == f+1:
					return 0, &FoldError{Fold: f, Err: &svmkit.DataError{Row: i, Col: svmkit.NoPlace, Value: set.Y[i], Err: ErrLeak}}
				}
			}
		}
	}
	return parallel.Threads(v.Threads)
}

func unfinished(n int) []float64 { return slices.Repeat([]float64{math.NaN()}, n) }

// summarise computes mean and standard error of the finished folds.
func (r *CVResult) summarise() {
	done := slices.DeleteFunc(slices.Clone(r.Scores), math.IsNaN)
	r.Mean, r.StdErr = math.NaN(), math.NaN()
	switch k := float64(len(done)); {
	case k == 1:
		r.Mean = done[0]
	case k > 1:
		var deviation float64
		r.Mean, deviation = stat.MeanStdDev(done, nil)
		r.StdErr = stat.StdErr(deviation, k)
	}
}

// complete reports whether every fold is finished.
func (r *CVResult) complete() bool { return !slices.ContainsFunc(r.Scores, math.IsNaN) }

// Permutation selects how often labels are shuffled.
type Permutation struct {
	Rounds int    // number of rounds; default 100
	Seed   uint64 // round r uses the stream (Seed, r)
}

// Baseline compares a value of the metric with the values for meaningless labels.
type Baseline struct {
	CVResult // with the true labels
	// Null has the mean value of each round with shuffled labels; NaN if not finished.
	Null []float64
	// P is (1 + number of rounds at least as good)/(1 + number of rounds). It is the chance of such
	// a value or a better one if rows and labels are independent and the folds were drawn without
	// the labels (stratified folds make it smaller on some data).
	P float64
}

// Permuted cross-validates with the true labels, and then in each round with shuffled labels.
//
// The shuffled rounds reach the values that class sizes, chance and leaks give. A value within
// their range shows no learning.
//
// It has the errors of [Validation.CrossValidate]; an iteration of Progress is a round. When ctx
// ends, Permuted returns the finished rounds together with the error of ctx.
func (v Validation) Permuted(ctx context.Context, set *svmkit.Dataset, fit svmkit.Fitter, p Permutation) (*Baseline, error) {
	if p.Rounds < 0 {
		return nil, wrong("Rounds", p.Rounds, "must be positive (0 means 100)")
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
		one.Threads = 1 // the rounds run in parallel
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

// meanRounding is the distance within which two means over folds count as equal: the same values in
// another order may add up to a number that differs in its last digits.
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
