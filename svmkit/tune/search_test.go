package tune_test

import (
	"context"
	"errors"
	"math"
	"slices"
	"strings"
	"testing"

	"github.com/svmkit/course/svmkit"
	"github.com/svmkit/course/svmkit/kernel"
	"github.com/svmkit/course/svmkit/tune"
)

// step is a set of n numbers 0 … n−1 with +1 from `at` on: the threshold model with C in
// (at−1, at) makes no mistake, and one more for each step away.
func step(t testing.TB, n int, at float64) *svmkit.Dataset {
	x, y := make([][]float64, n), make([]float64, n)
	for i := range x {
		x[i], y[i] = []float64{float64(i)}, -1
		if float64(i) >= at {
			y[i] = 1
		}
	}
	set, err := svmkit.NewDataset(x, y)
	if err != nil {
		t.Fatal(err)
	}
	return set
}

// tuneC as the notes mean it: the error of each C is kept, and arg min has something to choose
// from, wherever the best C stands in the list.
func TestSearchFindsTheKnownC(t *testing.T) {
	const n, folds = 20, 4
	for _, want := range []float64{0.5, 7.5, 18.5} {
		set := step(t, n, want+0.5)
		v := tune.Validation{Folds: foldsOf(t, set, folds), Metric: tune.Error}
		c := []float64{0.5, 3.5, 7.5, 11.5, 18.5}
		s, err := v.Search(t.Context(), set, threshold, tune.Grid{C: c})
		if err != nil {
			t.Fatal(err)
		}
		for k, p := range s.Points {
			// Each of the |C − want| rows between is wrong in the one fold that tests it;
			// all folds have n/folds rows.
			if exact := math.Abs(c[k]-want) / n; p.C != c[k] || math.Abs(p.Mean-exact) > 1e-15 {
				t.Errorf("C = %g: error %g, want %g", p.C, p.Mean, exact)
			}
		}
		if best, ok := s.Best(); !ok || best.C != want || best.Mean != 0 {
			t.Errorf("best C %g with error %g, want %g", best.C, best.Mean, want)
		}
	}
}

// The model that a C is started from is that of the same fold and γ at the C before.
func TestWarmStartsStayInTheirFold(t *testing.T) {
	set := numbered(t, 20)
	folds := foldsOf(t, set, 4)
	r := &recorder{}
	grid := tune.Grid{C: []float64{1, 3, 2}, Gamma: []float64{0.1, 0.2}}
	if _, err := (tune.Validation{Folds: folds, Threads: 3}).Search(t.Context(), set, r.train, grid); err != nil {
		t.Fatal(err)
	}
	if len(r.calls) != 3*2*4 {
		t.Fatalf("%d models", len(r.calls))
	}
	for _, c := range r.calls {
		k := slices.Index(grid.C, c.params.C)
		if k == 0 {
			if c.previous != nil {
				t.Errorf("%v starts from another model", c.params)
			}
			continue
		}
		before, ok := c.previous.(recordedModel)
		if !ok || before.params != (tune.Params{C: grid.C[k-1], Gamma: c.params.Gamma}) || !slices.Equal(before.call.train, c.train) {
			t.Errorf("%v starts from %+v", c.params, before.call)
		}
	}
}

func TestBestAndOneStandardErrorByHand(t *testing.T) {
	// Two folds with the test rows 0 and 1; the values of C = 1, 2, 3, 4 are listed.
	set := numbered(t, 2)
	folds := []tune.Fold{{Train: []int{1}, Test: []int{0}}, {Train: []int{0}, Test: []int{1}}}
	for _, c := range []struct {
		values       map[float64][2]float64
		higher       bool
		best, simple float64
	}{
		// Means 0.5, 0.72, 0.8, 0.75; the best one's error is |0.9−0.7|/2 = 0.1: limit 0.7.
		{map[float64][2]float64{1: {0.5, 0.5}, 2: {0.72, 0.72}, 3: {0.7, 0.9}, 4: {0.7, 0.8}}, true, 3, 2},
		// The same as errors: 0.5, 0.28, 0.2, 0.25; limit 0.3.
		{map[float64][2]float64{1: {0.5, 0.5}, 2: {0.28, 0.28}, 3: {0.3, 0.1}, 4: {0.3, 0.2}}, false, 3, 2},
		// Equal means: the smaller C, though it comes last in the grid.
		{map[float64][2]float64{1: {0.1, 0.1}, 2: {0.5, 0.5}, 3: {0.5, 0.5}, 4: {0.5, 0.5}}, true, 2, 2},
	} {
		var current tune.Params
		metric := byParams(&current, c.values, c.higher)
		train := func(_ context.Context, _ *svmkit.Dataset, p tune.Params, _ svmkit.Model) (svmkit.Model, error) {
			current = p
			return asModel(func(svmkit.Row) float64 { return 1 }), nil
		}
		s, err := tune.Validation{Folds: folds, Metric: metric, Threads: 1}.Search(t.Context(), set, train, tune.Grid{C: []float64{4, 3, 2, 1}})
		if err != nil {
			t.Fatal(err)
		}
		best, _ := s.Best()
		simple, _ := s.OneStandardError()
		if best.C != c.best || simple.C != c.simple {
			t.Errorf("%v: best %g, simplest %g, want %g, %g", c.values, best.C, simple.C, c.best, c.simple)
		}
	}
}

// byParams returns a metric that measures a model by the parameters that were trained last.
func byParams(current *tune.Params, values map[float64][2]float64, higher bool) tune.Metric {
	return tune.Metric{Name: "by parameters", Higher: higher, Measure: func(truth *svmkit.Dataset, _ tune.Predictions) (float64, error) {
		return values[current.C][int(truth.X[0].At(0))], nil
	}}
}

// Nested: in each outer fold everything that is trained, and everything that is predicted on
// the way to the choice, is a training row of that fold; the test rows are predicted once each, by
// the last model, which was trained on all of the training rows.
func TestNestedNeverShowsOuterTestRows(t *testing.T) {
	set := numbered(t, 40)
	grid := tune.Grid{C: []float64{5.5, 15.5}, Gamma: []float64{1, 2}}
	for _, outer := range foldsOf(t, set, 4) {
		r := &recorder{inner: threshold}
		v := tune.Validation{Folds: []tune.Fold{outer}}
		if _, err := v.Nested(t.Context(), set, r.train, tune.Inner{Folds: 3, Grid: grid}); err != nil {
			t.Fatal(err)
		}
		if len(r.calls) != 3*4+1 {
			t.Fatalf("%d models, want 3 folds × 4 points + 1", len(r.calls))
		}
		for i, c := range r.calls {
			if row, both := share(c.train, outer.Test); both {
				t.Fatalf("model %d is trained on outer test row %d", i, row)
			}
			if row, both := share(c.predicted, c.train); both {
				t.Fatalf("model %d is trained on row %d and measured with it", i, row)
			}
			if row, both := share(c.predicted, outer.Test); both && i != len(r.calls)-1 {
				t.Fatalf("model %d, before the choice, predicts outer test row %d", i, row)
			}
		}
		last := r.calls[len(r.calls)-1]
		if !slices.Equal(last.train, outer.Train) || !slices.Equal(last.predicted, outer.Test) {
			t.Fatalf("the last model has %v and predicts %v", last.train, last.predicted)
		}
	}
}

// Whatever stands in the test rows, labels or values, the choice and the model stay the same.
func TestNestedChoiceDoesNotDependOnTestRows(t *testing.T) {
	set := step(t, 40, 21)
	v := tune.Validation{Folds: foldsOf(t, set, 4)}
	inner := tune.Inner{Folds: 3, Grid: tune.Grid{C: []float64{10.5, 20.5, 30.5}}}
	want, err := v.Nested(t.Context(), set, threshold, inner)
	if err != nil {
		t.Fatal(err)
	}
	for f, fold := range v.Folds {
		if want.Chosen[f].C != 20.5 || want.Scores[f] != 1 {
			t.Errorf("fold %d: %+v with accuracy %g", f, want.Chosen[f], want.Scores[f])
		}
		spoiled := set.Subset(allRows(set.Len()))
		for _, i := range fold.Test {
			spoiled.Y[i], spoiled.X[i] = -spoiled.Y[i], svmkit.Dense(1e6*spoiled.Y[i])
		}
		got, err := tune.Validation{Folds: v.Folds[f : f+1]}.Nested(t.Context(), spoiled, threshold, inner)
		if err != nil || got.Chosen[0] != want.Chosen[f] || got.Scores[0] != 0 {
			t.Errorf("fold %d: spoiled test rows give %+v (accuracy %g), %v", f, got.Chosen[0], got.Scores[0], err)
		}
	}
}

func allRows(n int) []int {
	rows := make([]int, n)
	for i := range rows {
		rows[i] = i
	}
	return rows
}

func TestNestedFollowsItsSettings(t *testing.T) {
	set := step(t, 80, 41)
	for _, i := range []int{3, 11, 60, 70} { // noise, so that a standard error is not 0
		set.Y[i] = -set.Y[i]
	}
	v := tune.Validation{Folds: foldsOf(t, set, 4), Metric: tune.Error}
	// The metric of the outer validation chooses, not one that Inner names. C = 40.5 is best;
	// 39.5 adds one mistake, which is within a standard error: the simpler one of the two.
	wantsMistakes := tune.Error
	wantsMistakes.Higher = true
	inner := tune.Inner{Grid: tune.Grid{C: []float64{5.5, 39.5, 40.5}}, Metric: wantsMistakes}
	for _, c := range []struct {
		oneStandardError bool
		want             float64
	}{{false, 40.5}, {true, 39.5}} {
		inner.OneStandardError = c.oneStandardError
		r, err := v.Nested(t.Context(), set, threshold, inner)
		if err != nil {
			t.Fatal(err)
		}
		count := 0
		for _, p := range r.Chosen {
			if p.C == c.want {
				count++
			}
		}
		if count < 3 { // in a fold, chance may put the rows between on the test side
			t.Errorf("one standard error: %t: chosen %v, want %g", c.oneStandardError, r.Chosen, c.want)
		}
	}
}

// A kernel without γ or degree is not repeated for each of them, and C runs fastest.
func TestGridOfKernels(t *testing.T) {
	set, r := numbered(t, 6), &recorder{}
	grid := tune.Grid{C: []float64{1, 2}, Gamma: []float64{0.5, 3}, Epsilon: []float64{0.1}, Degree: []int{2}, Kernel: []string{"linear", "rbf", "poly"}}
	s, err := tune.Validation{Folds: foldsOf(t, set, 2), Threads: 2}.Search(t.Context(), set, r.train, grid)
	if err != nil {
		t.Fatal(err)
	}
	want := []string{
		"linear kernel, C = 1, ε = 0.1", "linear kernel, C = 2, ε = 0.1",
		"rbf kernel, C = 1, γ = 0.5, ε = 0.1", "rbf kernel, C = 2, γ = 0.5, ε = 0.1",
		"rbf kernel, C = 1, γ = 3, ε = 0.1", "rbf kernel, C = 2, γ = 3, ε = 0.1",
		"poly kernel, C = 1, γ = 0.5, degree 2, ε = 0.1", "poly kernel, C = 2, γ = 0.5, degree 2, ε = 0.1",
		"poly kernel, C = 1, γ = 3, degree 2, ε = 0.1", "poly kernel, C = 2, γ = 3, degree 2, ε = 0.1",
	}
	var got []string
	for _, p := range s.Points {
		got = append(got, p.Params.String())
	}
	if !slices.Equal(got, want) {
		t.Errorf("%q, want %q", got, want)
	}
	for _, c := range r.calls {
		if before, ok := c.previous.(recordedModel); (c.params.C == 2) != ok || ok && before.params.Kernel != c.params.Kernel {
			t.Errorf("%v starts from %v", c.params, before.params)
		}
	}
	for _, name := range grid.Kernel {
		if k, err := kernel.Named(name, 1, 2, 0); err != nil || (k == nil) != (name == "linear") {
			t.Errorf("package kernel does not know %s: %v, %v", name, k, err)
		}
	}
}

// Of equally good points the first kernel's is the simplest, whatever its C; then the smallest C, γ and degree, and the largest ε.
func TestSimplestOfEqualPoints(t *testing.T) {
	order := []tune.Params{
		{C: 9, Kernel: "poly", Degree: 2}, {C: 9, Kernel: "poly", Degree: 3}, {C: 1, Gamma: 1, Epsilon: 0.2}, {C: 1, Gamma: 1, Epsilon: 0.1},
		{C: 1, Gamma: 2, Epsilon: 0.2}, {C: 2, Gamma: 1},
	}
	for from := range order {
		s := &tune.Selection{}
		for _, p := range order[from:] {
			s.Points = append(s.Points, tune.Point{Params: p, CVResult: tune.CVResult{Scores: []float64{1}, Mean: 1, StdErr: 0.5}})
		}
		if order[from].Kernel == "" { // the order of the points has no part in it
			slices.Reverse(s.Points)
		}
		best, ok := s.Best()
		simplest, _ := s.OneStandardError()
		if !ok || best.Params != order[from] || simplest.Params != order[from] {
			t.Errorf("best %v, simplest %v, want %v", best.Params, simplest.Params, order[from])
		}
	}
}

func TestGridRefuses(t *testing.T) {
	set, c := numbered(t, 6), []float64{1}
	for _, bad := range []struct {
		grid tune.Grid
		name string
	}{
		{tune.Grid{}, "Grid.C"},
		{tune.Grid{C: []float64{1, 0}}, "Grid.C"},
		{tune.Grid{C: c, Gamma: []float64{}}, "Grid.Gamma"},
		{tune.Grid{C: c, Epsilon: []float64{math.NaN()}}, "Grid.Epsilon"},
		{tune.Grid{C: c, Epsilon: []float64{-1}}, "Grid.Epsilon"},
		{tune.Grid{C: c, Degree: []int{}}, "Grid.Degree"},
		{tune.Grid{C: c, Degree: []int{2, 0}}, "Grid.Degree"},
		{tune.Grid{C: c, Degree: []int{2}, Kernel: []string{"rbf"}}, "Grid.Degree"},
		{tune.Grid{C: c, Gamma: []float64{1}, Kernel: []string{"linear"}}, "Grid.Gamma"},
		{tune.Grid{C: c, Kernel: []string{}}, "Grid.Kernel"},
		{tune.Grid{C: c, Kernel: []string{"gauss"}}, "Grid.Kernel"},
		{tune.Grid{C: c, Kernel: []string{"rbf", "rbf"}}, "Grid.Kernel"},
	} {
		r, param := &recorder{}, (*svmkit.ParamError)(nil)
		_, err := tune.Validation{Folds: foldsOf(t, set, 2)}.Search(t.Context(), set, r.train, bad.grid)
		if !errors.As(err, &param) || param.Name != bad.name || len(r.calls) > 0 {
			t.Errorf("%+v: %v after %d models, want an error about %s", bad.grid, err, len(r.calls), bad.name)
		}
	}
}

// What a fitter refuses names the point of the grid: a kernel of distances without γ.
func TestAFailedPointIsNamed(t *testing.T) {
	set := numbered(t, 6)
	train := tune.FromParams(func(p tune.Params) svmkit.Fitter {
		return func(context.Context, *svmkit.Dataset) (svmkit.Model, error) {
			k, err := kernel.Named(p.Kernel, p.Gamma, p.Degree, 0)
			if k != nil {
				err = kernel.Validate(k)
			}
			return asModel(func(svmkit.Row) float64 { return 1 }), err
		}
	})
	_, err := tune.Validation{Folds: foldsOf(t, set, 2)}.Search(t.Context(), set, train, tune.Grid{C: []float64{1, 2}, Kernel: []string{"linear", "rbf"}})
	var fold *tune.FoldError
	if !errors.As(err, &fold) || fold.Params == nil || *fold.Params != (tune.Params{C: 1, Kernel: "rbf"}) || !strings.Contains(err.Error(), "fold 0, rbf kernel, C = 1: ") {
		t.Errorf("%v", err)
	}
}
