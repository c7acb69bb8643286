// Package calibrate gives models probabilities that were fitted to scores of rows that they have not seen.
package calibrate

import (
	"fmt"
	"slices"
	"strconv"

	"github.com/svmkit/course/svmkit"
	"github.com/svmkit/course/svmkit/feature"
	"github.com/svmkit/course/svmkit/multiclass"
	"github.com/svmkit/course/svmkit/svm"
)

// Folds is how many folds the scores come from, as in LIBSVM.
const Folds = 5

// Check refuses a model that [Fit] does not take, and a set with a single row of some class: the fold that has it
// leaves none to train with. place names a row of the set by its number. The error is a [*svmkit.ParamError].
func Check(set *svmkit.Dataset, model svmkit.Predictor, place func(row int) string) error {
	if _, err := binaries(model); err != nil {
		return err
	}
	rows := map[float64]int{}
	for _, y := range set.Y {
		rows[y]++
	}
	for i, y := range set.Y {
		if rows[y] == 1 {
			name, k := fmt.Sprint(y), int(y)
			if len(set.Classes) == 2 {
				k = (k + 1) / 2
			}
			if set.Classes != nil {
				name = set.Classes[k]
			}
			return &svmkit.ParamError{Name: "Probabilities", Value: true,
				Need: fmt.Sprintf("needs two or more rows of each class: class %q has only %s", name, place(i)),
				Hint: "add rows of it, or leave it out"}
		}
	}
	return nil
}

// Row names rows by their numbers: rows[i] is that of row i, nil if it is i, and the first is counted as this number.
func Row(rows []int, first int) func(i int) string {
	return func(i int) string {
		if rows != nil {
			i = rows[i]
		}
		return "row " + strconv.Itoa(i+first)
	}
}

// Probabilities returns those of the two classes by the scores of rows, where the model is of package svm and has them; else nil.
// It evaluates no kernel.
func Probabilities(model svmkit.Predictor, scores []float64) [][]float64 {
	m := svm.ModelOf(model)
	if m == nil || m.Platt == nil {
		return nil
	}
	all := make([][]float64, len(scores))
	for i, s := range scores {
		all[i] = m.Platt.Probabilities(s)
	}
	return all
}

// Fold is a model that was fitted to some rows of a set, and the others.
type Fold struct {
	model svmkit.Predictor
	test  []int        // numbers of the rows in the set
	x     []svmkit.Row // these rows as the model takes them
}

// NewFold returns the fold of a model with the rows of these numbers. scaling is applied to the rows first; it may be nil.
func NewFold(model svmkit.Predictor, scaling *feature.Scaling, test []int, rows []svmkit.Row) (Fold, error) {
	if scaling != nil {
		scaled := make([]svmkit.Row, len(rows))
		for i, x := range rows {
			var err error
			if scaled[i], err = scaling.ApplyRow(x); err != nil {
				return Fold{}, err
			}
		}
		rows = scaled
	}
	return Fold{model, test, rows}, nil
}

// Fit sets the [svm.Platt] of each model of package svm in model, fitted to the scores of all folds for the rows of its
// own classes, in the order of the set. model is a model of package svm for two classes, a [*multiclass.PairClassifier] or
// a [*multiclass.RestClassifier], without a scaling around it, and so are those of the folds. Any other is a
// [*svmkit.ParamError].
func Fit(set *svmkit.Dataset, model svmkit.Predictor, folds []Fold) error {
	whole, err := binaries(model)
	if err != nil {
		return err
	}
	parts := make([][]binary, len(folds))
	for k, fold := range folds {
		if parts[k], err = binaries(fold.model); err != nil {
			return err
		}
	}
	fitted := make([]svm.Platt, len(whole))
	at := make([]float64, set.Len()) // scores by the numbers of the rows
	for n, w := range whole {
		for k, fold := range folds {
			var seen []int
			var rows []svmkit.Row
			for j, i := range fold.test {
				if w.label(set.Y[i]) != 0 {
					seen, rows = append(seen, i), append(rows, fold.x[j])
				}
			}
			same := slices.IndexFunc(parts[k], func(p binary) bool { return p.negative == w.negative && p.positive == w.positive })
			if same < 0 {
				return &svmkit.ParamError{Name: "Probabilities", Value: w.name,
					Need: fmt.Sprintf("needs more rows of each class: one of the %d folds leaves none to train the model of %s", len(folds), w.name)}
			}
			for j, s := range parts[k][same].model.ScoreAll(rows) {
				at[seen[j]] = s
			}
		}
		var scores, labels []float64
		for i, s := range at {
			if y := w.label(set.Y[i]); y != 0 {
				scores, labels = append(scores, s), append(labels, y)
			}
		}
		if fitted[n], err = svm.FitPlatt(scores, labels); err != nil {
			return fmt.Errorf("probabilities for the model of %s: %w", w.name, err)
		}
	}
	for n, w := range whole {
		w.model.Platt = &fitted[n]
	}
	return nil
}

// binary is a model of two classes inside another, or that one itself.
type binary struct {
	model              *svm.Model
	negative, positive float64 // their labels; negative is allOthers for one class against the rest
	name               string
}

const allOthers = -2

// label returns what the model has learnt for a label of the set: ±1, or 0 if it has not seen such rows.
func (b binary) label(y float64) float64 {
	switch {
	case y == b.positive:
		return 1
	case y == b.negative || b.negative == allOthers:
		return -1
	}
	return 0
}

// binaries takes a model apart.
func binaries(model svmkit.Predictor) (all []binary, err error) {
	add := func(s svmkit.Scorer, negative, positive float64, name string) {
		m := svm.ModelOf(s)
		if m == nil || m.Regression || m.OneClass {
			err = unfit(s)
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
				add(m, -1, 1, c.Name(0)+" against "+c.Name(1))
			case m != nil:
				add(m, allOthers, float64(k), c.Name(k)+" against the rest")
			}
		}
	case svmkit.Scorer:
		add(c, -1, 1, "−1 against +1")
	default:
		err = unfit(model)
	}
	return all, err
}

func unfit(model any) error {
	return &svmkit.ParamError{Name: "Probabilities", Value: fmt.Sprintf("%T", model),
		Need: "needs a model of package svm for two classes, or one-vs-one or one-vs-rest of such models"}
}
