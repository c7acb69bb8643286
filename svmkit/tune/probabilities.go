package tune

import (
	"cmp"
	"context"
	"fmt"
	"slices"

	"github.com/svmkit/course/svmkit"
	"github.com/svmkit/course/svmkit/internal/parallel"
	"github.com/svmkit/course/svmkit/multiclass"
	"github.com/svmkit/course/svmkit/svm"
)

// Probabilities fits probabilities to scores of rows that a model has not seen.
//
//	pairs := multiclass.OneVsOne{Binary: svm.Fitter(svm.Problem{}, nil, nil)}
//	fit := tune.Probabilities{}.Fitter(tune.Scaled(feature.Scaler{}, pairs.Fitter()))
type Probabilities struct {
	Folds int    // number of folds, ≥ 2; default 5, as in LIBSVM
	Seed  uint64 // seed of their shuffling, see [Folds]
	// Threads is the number of folds fitted at once, which changes no result; default GOMAXPROCS.
	Threads int

	// Progress receives the number of fitted folds, after each fold and every
	// [svmkit.ProgressEvery], one call at a time, without a certificate. If it returns false, the
	// error is [context.Canceled]. It may be nil.
	Progress func(svmkit.Progress) bool
}

// OnlyRowError reports that a class has a single row. One fold then has no row of the class to
// train with.
type OnlyRowError struct {
	Class string // name of the class, or its label without names
	Row   int    // number of the row, from 0
}

// Error returns the message.
func (e *OnlyRowError) Error() string {
	return fmt.Sprintf("tune: probabilities need two or more rows of each class: class %q has only row %d: add rows of it, or leave it out", e.Class, e.Row)
}

// Fitter returns a fitter whose models have probabilities.
//
// It fits one model to all training rows. It also fits one model to the training rows of each fold,
// and an [svm.Platt] to the scores of the rows that these models have not seen. The option -b 1 of
// LIBSVM does the same, except that each pair of classes has its own folds there.
//
// The models of fit must be of package svm for two classes, or one-vs-one or one-vs-rest of such
// models, which then get a Platt each. They may be inside a [svmkit.Wrapper], such as a
// [ScaledModel].
//
// Errors are the errors of fit and of [Folds], a [*svmkit.ParamError] for other models and for a
// fold that leaves too few rows of some class, and an [*OnlyRowError].
func (p Probabilities) Fitter(fit svmkit.Fitter) svmkit.Fitter {
	return func(ctx context.Context, set *svmkit.Dataset) (svmkit.Model, error) {
		if fit == nil {
			return nil, notNil("fit")
		}
		model, err := trained(fit(ctx, set))
		if err != nil {
			return nil, err
		}
		if err := p.Calibrate(ctx, set, fit, model); err != nil {
			return nil, err
		}
		return model, nil
	}
}

// Calibrate fits the probabilities of a model that fit has returned for set, as
// [Probabilities.Fitter] does.
//
// It has the same errors. After an error the probabilities of the model are unchanged.
func (p Probabilities) Calibrate(ctx context.Context, set *svmkit.Dataset, fit svmkit.Fitter, model svmkit.Model) error {
	if fit == nil || model == nil {
		return notNil("fit, model")
	}
	whole, err := binaries(svmkit.Unwrap(model))
	if err != nil {
		return err
	}
	counted, kept := set.WithoutZeroWeights()
	if err := onlyRow(counted, kept); err != nil {
		return err
	}
	folds, err := Folds(counted, cmp.Or(p.Folds, 5), p.Seed)
	if err != nil {
		return err
	}
	threads, err := parallel.Threads(p.Threads)
	if err != nil {
		return err
	}
	parts := make([]*unseen, len(folds))
	err = parallel.Report(ctx, p.Progress, len(folds), func(ctx context.Context, done func() error) error {
		return parallel.For(ctx, len(folds), threads, func(k int) error {
			train, test := folds[k].Of(counted)
			err := parallel.Call("Fitter", func() error {
				part, err := trained(fit(ctx, train))
				if err != nil {
					return err
				}
				one, err := newUnseen(part, folds[k].Test, test.X)
				parts[k] = &one
				return err
			})
			if err != nil {
				return &FoldError{Fold: k, Err: err}
			}
			return done()
		})
	})
	if err == nil && slices.Contains(parts, nil) {
		err = context.Canceled
	}
	if err != nil {
		return err
	}
	return calibrate(counted, whole, parts)
}

// onlyRow refuses a set with a single row of some class. kept are the numbers of its rows, nil if they
// are 0, 1, ….
func onlyRow(set *svmkit.Dataset, kept []int) error {
	rows := map[float64]int{}
	for _, y := range set.Y {
		rows[y]++
	}
	for i, y := range set.Y {
		if rows[y] == 1 {
			name := fmt.Sprint(y)
			if k, ok := svmkit.ClassOf(y, len(set.Classes)); ok {
				name = set.Classes[k]
			}
			if kept != nil {
				i = kept[i]
			}
			return &OnlyRowError{Class: name, Row: i}
		}
	}
	return nil
}

// unseen holds the models for two classes inside a model of some rows, and the other rows.
type unseen struct {
	models []binary
	test   []int        // numbers of the other rows
	x      []svmkit.Row // these rows as the models take them
}

func newUnseen(m svmkit.Model, test []int, rows []svmkit.Row) (unseen, error) {
	for {
		w, ok := m.(svmkit.Wrapper)
		if !ok {
			break
		}
		var err error
		if rows, err = w.Transform(rows); err != nil {
			return unseen{}, err
		}
		m = w.Unwrap()
	}
	models, err := binaries(m)
	return unseen{models, test, rows}, err
}

// calibrate sets the Platt of each model of whole, fitted to the scores of all folds for the rows of
// its own classes, in the order of the set.
func calibrate(set *svmkit.Dataset, whole []binary, folds []*unseen) error {
	fitted := make([]svm.Platt, len(whole))
	at := make([]float64, set.Len()) // scores by the numbers of the rows
	for n, w := range whole {
		for _, fold := range folds {
			var seen []int
			var rows []svmkit.Row
			for j, i := range fold.test {
				if w.label(set.Y[i]) != 0 {
					seen, rows = append(seen, i), append(rows, fold.x[j])
				}
			}
			same := slices.IndexFunc(fold.models, w.sameClasses)
			if same < 0 {
				return wrong("Probabilities", w.name, fmt.Sprintf("needs more rows of each class: one of the %d folds leaves none to train the model of %s", len(folds), w.name))
			}
			for j, s := range fold.models[same].model.ScoreAll(rows) {
				at[seen[j]] = s
			}
		}
		var scores, labels []float64
		for i, s := range at {
			if y := w.label(set.Y[i]); y != 0 {
				scores, labels = append(scores, s), append(labels, y)
			}
		}
		var err error
		if fitted[n], err = svm.FitPlatt(scores, labels); err != nil {
			return fmt.Errorf("tune: probabilities for the model of %s: %w", w.name, err)
		}
	}
	for n, w := range whole {
		w.model.Platt = &fitted[n]
	}
	return nil
}

// binary is a model for two classes, alone or inside another model.
type binary struct {
	model              *svm.Model
	negative, positive float64 // their labels; negative is allOthers for one class against the rest
	name               string
}

const allOthers = -2

// label returns the label that the model has learned for a label of the set: ±1, or 0 if it has not
// seen such rows.
func (b binary) label(y float64) float64 {
	switch {
	case y == b.positive:
		return 1
	case y == b.negative || b.negative == allOthers:
		return -1
	}
	return 0
}

func (b binary) sameClasses(c binary) bool {
	return b.negative == c.negative && b.positive == c.positive
}

// binaries takes a model apart.
func binaries(model svmkit.Model) (all []binary, err error) {
	add := func(s any, negative, positive float64, name string) {
		m := svm.ModelOf(s)
		if m == nil || m.Regression || m.OneClass {
			err = &svmkit.ParamError{Name: "Probabilities", Value: fmt.Sprintf("%T", s),
				Need: "needs a model of package svm for two classes, or one-vs-one or one-vs-rest of such models"}
		}
		all = append(all, binary{m, negative, positive, name})
	}
	switch c := model.(type) {
	case *multiclass.PairClassifier:
		for _, m := range c.Models {
			add(m.Scorer, c.Label(m.Negative), c.Label(m.Positive), c.Name(m.Negative)+" against "+c.Name(m.Positive))
		}
	case *multiclass.RestClassifier:
		for k, m := range c.Models {
			switch {
			case c.Count == 2 && k == 0: // the negation of the other
			case c.Count == 2:
				add(m, c.Label(0), c.Label(1), c.Name(0)+" against "+c.Name(1))
			case m != nil:
				add(m, allOthers, c.Label(k), c.Name(k)+" against the rest")
			}
		}
	default:
		add(model, -1, 1, "−1 against +1")
	}
	return all, err
}
