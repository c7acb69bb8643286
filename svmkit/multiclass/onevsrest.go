package multiclass

import (
	"context"
	"errors"
	"fmt"
	"math"

	"github.com/svmkit/course/svmkit"
	"github.com/svmkit/course/svmkit/internal/parallel"
)

// OneVsRest fits one machine a class: +1 for its rows, −1 for all others (Vapnik 1995).
// The class whose machine gives the largest score wins. Each machine is fitted by itself, so
// their scores share a scale only as far as the Fitter sees to that.
type OneVsRest struct {
	Fitter  svmkit.Fitter // must be safe for concurrent use unless Threads is 1
	Threads int           // machines fitted at once; 0 means GOMAXPROCS. Changes no result
}

// RestClassifier is what OneVsRest.Fit returns.
type RestClassifier struct {
	Classes
	Machines []svmkit.Scorer // one a class; nil for a class without rows
}

// Fit fits the machines. Two classes need only one machine, the binary one: it is class 1's,
// and class 0 gets its negated score.
//
// Errors: a [*svmkit.DataError], a [*svmkit.ParamError], or that of the failing machine with
// the lowest class number. When ctx ends, Fit returns no classifier, as some classes would
// lack their machine, and ctx's error.
func (m OneVsRest) Fit(ctx context.Context, set *svmkit.Dataset) (*RestClassifier, error) {
	if ctx == nil {
		return nil, &svmkit.ParamError{Name: "ctx", Value: nil, Need: "must not be nil"}
	}
	threads, err := fitterAndThreads(m.Fitter, m.Threads)
	if err != nil {
		return nil, err
	}
	classes, class, present, err := readClasses(set)
	if err != nil {
		return nil, err
	}
	r := &RestClassifier{Classes: classes, Machines: make([]svmkit.Scorer, classes.Count)}
	var todo []int
	for k := range r.Machines {
		if present[k] && !(classes.Count == 2 && k == 0) {
			todo = append(todo, k)
		}
	}
	err = parallel.For(ctx, len(todo), threads, func(i int) error {
		k := todo[i]
		machine, err := fitted(ctx, m.Fitter, rest(set, classes, class, k))
		if err != nil {
			return fmt.Errorf("multiclass: class %s against the rest: %w", classes.Name(k), err)
		}
		r.Machines[k] = machine
		return nil
	})
	if err != nil {
		return nil, err
	}
	if classes.Count == 2 {
		r.Machines[0] = negated{r.Machines[1]}
	}
	return r, nil
}

// rest returns the binary set of class k against all others. For two classes that is set.
func rest(set *svmkit.Dataset, classes Classes, class []int, k int) *svmkit.Dataset {
	if classes.Signed {
		return set
	}
	t := &svmkit.Dataset{X: set.X, Y: make([]float64, len(set.Y)), Dim: set.Dim, Features: set.Features,
		Classes: []string{"not " + classes.Name(k), classes.Name(k)}}
	for i, c := range class {
		t.Y[i] = -1
		if c == k {
			t.Y[i] = 1
		}
	}
	return t
}

// Scores returns the score of each class's machine, −Inf for a class without one.
func (r *RestClassifier) Scores(x svmkit.Row) []float64 {
	scores := make([]float64, len(r.Machines))
	for k, machine := range r.Machines {
		if machine == nil {
			scores[k] = math.Inf(-1)
			continue
		}
		scores[k] = machine.Score(x)
	}
	return scores
}

// Predict returns the class with the largest score; of equal ones, that with the lower number.
func (r *RestClassifier) Predict(x svmkit.Row) (class int, name string) {
	class = largest(r.Scores(x))
	return class, r.Name(class)
}

// negated is the machine of class 0 where that of class 1 is known.
type negated struct{ svmkit.Scorer }

func (n negated) Score(x svmkit.Row) float64 { return -n.Scorer.Score(x) }

var errNoMachine = errors.New("training returned neither a machine nor an error")

// fitted returns the fitter's machine; its panic is an error.
func fitted(ctx context.Context, fit svmkit.Fitter, train *svmkit.Dataset) (machine svmkit.Scorer, err error) {
	err = parallel.Call("Fitter", func() (err error) {
		machine, err = fit(ctx, train)
		return err
	})
	if err == nil && machine == nil {
		err = errNoMachine
	}
	return machine, err
}

func fitterAndThreads(f svmkit.Fitter, threads int) (int, error) {
	if f == nil {
		return 0, &svmkit.ParamError{Name: "Fitter", Value: nil, Need: "must not be nil"}
	}
	return parallel.Threads(threads)
}
