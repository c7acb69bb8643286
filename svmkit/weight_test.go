package svmkit_test

import (
	"context"
	"errors"
	"fmt"
	"math"
	"reflect"
	"slices"
	"strings"
	"testing"

	"github.com/svmkit/course/svmkit"
	"github.com/svmkit/course/svmkit/feature"
	"github.com/svmkit/course/svmkit/samples"
	"github.com/svmkit/course/svmkit/svm"
	"github.com/svmkit/course/svmkit/tune"
)

// weighted returns set with weights.
func weighted(set *svmkit.Dataset, weight ...float64) *svmkit.Dataset {
	t := *set
	t.Weight = weight
	return &t
}

func TestValidateWeights(t *testing.T) {
	two, targets := twoClasses(), &svmkit.Dataset{X: svmkit.DenseRows([]float64{1, 2}, 1), Y: []float64{0.5, 1}, Dim: 1}
	for name, c := range map[string]struct {
		err  error
		want error
		row  int
	}{
		"accepted":          {weighted(two, 1, 2, 0).ValidateBinary(), nil, 0},
		"all 0":             {weighted(two, 0, 0, 0).Validate(), nil, 0},
		"all 0 of labels":   {weighted(two, 0, 0, 0).ValidateBinary(), svmkit.ErrNoWeight, svmkit.NoPlace},
		"all 0 of targets":  {weighted(targets, 0, 0).ValidateTargets(), svmkit.ErrNoWeight, svmkit.NoPlace},
		"targets":           {weighted(targets, 0, 1).ValidateTargets(), nil, 0},
		"a class of weight": {weighted(two, 1, 0, 3).ValidateBinary(), svmkit.ErrOneClass, svmkit.NoPlace},
		"too few":           {weighted(two, 1, 1).Validate(), svmkit.ErrMismatch, svmkit.NoPlace},
		"empty, not nil":    {weighted(two, []float64{}...).Validate(), svmkit.ErrMismatch, svmkit.NoPlace},
		"negative":          {weighted(two, 1, -1, 1).Validate(), svmkit.ErrWeight, 1},
		"NaN":               {weighted(two, 1, 1, math.NaN()).Validate(), svmkit.ErrWeight, 2},
		"infinite":          {weighted(two, math.Inf(1), 1, 1).Validate(), svmkit.ErrWeight, 0},
	} {
		var e *svmkit.DataError
		if !errors.Is(c.err, c.want) || c.want != nil && (!errors.As(c.err, &e) || e.Row != c.row) {
			t.Errorf("%s: %v, want %v in row %d", name, c.err, c.want, c.row)
		}
	}
}

// Whatever makes a set of another takes the weights along.
func TestWeightsFollowTheirRows(t *testing.T) {
	set := weighted(threeClasses(), 1, 2, 3, 4)
	numbers := weighted(threeClasses(), 1, 2, 3, 4)
	numbers.Classes = []string{"7", "8", "9"}
	get := func(t *svmkit.Dataset, err error) []float64 {
		if err != nil {
			return nil
		}
		return t.Weight
	}
	moved, err := svmkit.Columns{Dim: 2, Features: []string{"large", "small"}}.Align(set)
	for name, c := range map[string]struct{ got, want []float64 }{
		"Subset":          {set.Subset([]int{3, 0, 3}).Weight, []float64{4, 1, 4}},
		"Subset of none":  {threeClasses().Subset([]int{3, 0}).Weight, nil},
		"Augment":         {set.Augment(1).Weight, set.Weight},
		"OneVsRest":       {get(set.OneVsRest("a")), set.Weight},
		"Pair":            {get(set.Pair("c", "a")), []float64{1, 3, 4}},
		"Targets":         {get(numbers.Targets()), set.Weight},
		"Columns":         {set.Columns(1).Weight, set.Weight},
		"Align":           {get(moved, err), set.Weight},
		"RowWeight":       {[]float64{set.RowWeight(2), threeClasses().RowWeight(2)}, []float64{3, 1}},
		"Counted, all do": {get(first(set.WithoutZeroWeights()), nil), set.Weight},
	} {
		if !reflect.DeepEqual(c.got, c.want) {
			t.Errorf("%s: weights %v, want %v", name, c.got, c.want)
		}
	}
	counted, rows := weighted(set, 0, 2, 0, 4).WithoutZeroWeights()
	if !slices.Equal(rows, []int{1, 3}) || !slices.Equal(counted.Weight, []float64{2, 4}) || !slices.Equal(counted.Y, []float64{1, 2}) {
		t.Errorf("counted %+v, rows %v", counted, rows)
	}
	if counted, rows := weighted(set, 0, 0, 0, 0).WithoutZeroWeights(); counted.Len() != 0 || rows == nil {
		t.Errorf("nothing counts: %+v, rows %v", counted, rows)
	}
}

func first(set *svmkit.Dataset, _ []int) *svmkit.Dataset { return set }

// By hand: n/(K·nₖ), with the rows' own weights counted.
func TestClassWeights(t *testing.T) {
	signs := &svmkit.Dataset{X: svmkit.DenseRows([]float64{1, 2, 3}, 1), Y: []float64{-1, 1, 1}, Dim: 1}
	byName := func(w map[string]float64) func(*svmkit.Dataset) ([]float64, error) {
		return func(set *svmkit.Dataset) ([]float64, error) { return svmkit.ClassWeights(set, w) }
	}
	for name, c := range map[string]struct {
		of   func(*svmkit.Dataset) ([]float64, error)
		set  *svmkit.Dataset
		want []float64
	}{
		"balanced, three classes": {svmkit.Balanced, threeClasses(), []float64{4. / 6, 4. / 3, 4. / 6, 4. / 3}},
		"balanced, two":           {svmkit.Balanced, twoClasses(), []float64{0.75, 1.5, 0.75}},
		"balanced, no names":      {svmkit.Balanced, signs, []float64{1.5, 0.75, 0.75}},
		// classes a: 1 + 4, b: 3, c: 0 do not count the last; n = 8, K = 2
		"balanced, weights": {svmkit.Balanced, weighted(threeClasses(), 1, 3, 4, 0), []float64{0.8, 4, 3.2, 0}},
		"by name":           {byName(map[string]float64{"b": 5, "c": 0}), weighted(threeClasses(), 1, 3, 4, 2), []float64{1, 15, 4, 0}},
		"by sign":           {byName(map[string]float64{"-1": 2, "1": 3}), signs, []float64{2, 3, 3}},
		"none":              {byName(nil), twoClasses(), []float64{1, 1, 1}},
	} {
		got, err := c.of(c.set)
		if err != nil || len(got) != len(c.want) {
			t.Errorf("%s: %v, %v", name, got, err)
			continue
		}
		for i, w := range c.want {
			if !near(got[i], w, 1) {
				t.Errorf("%s: row %d weighs %g, want %g", name, i, got[i], w)
			}
		}
	}
	for name, c := range map[string]struct {
		set   *svmkit.Dataset
		of    func(*svmkit.Dataset) ([]float64, error)
		names string // in the error
	}{
		"no such class":   {threeClasses(), byName(map[string]float64{"d": 1}), `"d": must be one of "a", "b", "c"`},
		"negative":        {threeClasses(), byName(map[string]float64{"b": -1}), `"b" = -1`},
		"NaN":             {threeClasses(), byName(map[string]float64{"b": math.NaN()}), `"b" = NaN`},
		"infinite":        {threeClasses(), byName(map[string]float64{"b": math.Inf(1)}), `"b" = +Inf`},
		"too large":       {weighted(twoClasses(), 1, 1e300, 1), byName(map[string]float64{"yes": 1e300}), "row 1"},
		"a sum too large": {weighted(twoClasses(), 1, 1e308, 1.7e308), svmkit.Balanced, "row 0"},
		"targets":         {&svmkit.Dataset{X: signs.X, Y: []float64{-1, 0.5, 1}, Dim: 1}, svmkit.Balanced, "row 1"},
		"no class":        {&svmkit.Dataset{X: signs.X, Y: []float64{0, 1, 3}, Dim: 1, Classes: []string{"a", "b", "c"}}, svmkit.Balanced, "row 2"},
		"bad data":        {nil, svmkit.Balanced, "no rows"},
	} {
		if got, err := c.of(c.set); got != nil || err == nil || !strings.Contains(err.Error(), c.names) {
			t.Errorf("%s: %v, %v; want an error with %q", name, got, err, c.names)
		}
	}
}

// The weights are made of the rows that the fitter is given, and of nothing else; the caller's set
// stays as it is.
func TestWeighted(t *testing.T) {
	var seen []float64
	fit := svmkit.Weighted(svmkit.Balanced, func(_ context.Context, train *svmkit.Dataset) (svmkit.Model, error) {
		seen = train.Weight
		return nil, nil
	})
	set := twoClasses()
	if _, err := fit(t.Context(), set); err != nil || !slices.Equal(seen, []float64{0.75, 1.5, 0.75}) || set.Weight != nil {
		t.Errorf("%v: the fitter saw weights %v, the set has %v", err, seen, set.Weight)
	}
	if _, err := fit(t.Context(), set.Subset([]int{0, 1})); err != nil || !slices.Equal(seen, []float64{1, 1}) {
		t.Errorf("%v: the fitter saw weights %v of two rows", err, seen)
	}
	var param *svmkit.ParamError
	for name, bad := range map[string]svmkit.Fitter{"weigh": svmkit.Weighted(nil, fit), "fit": svmkit.Weighted(svmkit.Balanced, nil)} {
		if _, err := bad(t.Context(), set); !errors.As(err, &param) {
			t.Errorf("without %s: %v", name, err)
		}
	}
	if _, err := fit(t.Context(), nil); !errors.Is(err, svmkit.ErrEmpty) {
		t.Errorf("no set: %v", err)
	}
}

func TestTakeWeight(t *testing.T) {
	set := threeClasses()
	got, err := set.TakeWeight("small")
	if err != nil || !slices.Equal(got.Weight, []float64{1, 2, 3, 0}) || got.Dim != 1 || !slices.Equal(got.Features, []string{"large"}) {
		t.Fatalf("%v: %+v", err, got)
	}
	for i, want := range []float64{10, 20, 30, 40} {
		if got.X[i].At(0) != want || set.X[i].At(1) != want {
			t.Errorf("row %d: %v, want %g; in the set %v", i, got.X[i], want, set.X[i])
		}
	}
	if got, err = set.TakeWeight("large"); err != nil || !slices.Equal(got.Weight, []float64{10, 20, 30, 40}) || len(got.X[3].Value) != 0 || len(got.X[0].Value) != 1 {
		t.Errorf("%v: %+v", err, got)
	}
	twice, negative := threeClasses(), threeClasses()
	twice.Features = []string{"small", "small"}
	negative.X[1].Value[0] = -2
	plain := threeClasses()
	plain.Features = nil
	narrow := twoClasses()
	narrow.Features = []string{"small"}
	for name, c := range map[string]struct {
		set    *svmkit.Dataset
		column string
		says   string
	}{
		"no such column": {set, "tall", `"tall": must be one of "small", "large"`},
		"two such":       {twice, "small", "two have it"},
		"no names":       {plain, "small", "must name the columns"},
		"weights twice":  {weighted(set, 1, 1, 1, 1), "small", "second weight"},
		"a negative one": {negative, "small", "in row 1"},
		"nothing else":   {narrow, "small", "no columns"},
		"no set":         {nil, "small", "no rows"},
	} {
		if got, err := c.set.TakeWeight(c.column); got != nil || err == nil || !strings.Contains(err.Error(), c.says) {
			t.Errorf("%s: %v, %v; want an error with %q", name, got, err, c.says)
		}
	}
}

// One row in four is a fraud; weighed so, both classes count alike in a fit.
func ExampleBalanced() {
	set := &svmkit.Dataset{X: svmkit.DenseRows([]float64{1, 2, 3, 9}, 1), Y: []float64{-1, -1, -1, 1}, Dim: 1, Classes: []string{"fair", "fraud"}}
	var err error
	if set.Weight, err = svmkit.Balanced(set); err != nil {
		fmt.Println(err)
		return
	}
	fmt.Printf("%.3g\n", set.Weight)
	// Output: [0.667 0.667 0.667 2]
}

// A missed fraud costs ten times as much as a false alarm.
func ExampleClassWeights() {
	set := &svmkit.Dataset{X: svmkit.DenseRows([]float64{1, 2, 9}, 1), Y: []float64{-1, -1, 1}, Dim: 1, Classes: []string{"fair", "fraud"}}
	weight, err := svmkit.ClassWeights(set, map[string]float64{"fraud": 10})
	fmt.Println(weight, err)
	_, err = svmkit.ClassWeights(set, map[string]float64{"Fraud": 10})
	fmt.Println(err)
	// Output:
	// [1 1 10] <nil>
	// svmkit: class = "Fraud": must be one of "fair", "fraud"
}

// Weights that make both classes count alike, from the training rows of each fold alone. The
// scaling around them does not know of them.
func ExampleWeighted() {
	set := samples.BreastCancer()
	folds, err := tune.Folds(set, 5, 1)
	if err != nil {
		fmt.Println(err)
		return
	}
	fit := tune.Scaled(feature.Scaler{}, svmkit.Weighted(svmkit.Balanced, svm.Fitter(svm.Problem{}, nil, nil)))
	cv, err := tune.Validation{Folds: folds, Metric: tune.BalancedAccuracy}.CrossValidate(context.Background(), set, fit)
	if err != nil {
		fmt.Println(err)
		return
	}
	fmt.Printf("balanced accuracy %.2f\n", cv.Mean)
	// Output: balanced accuracy 0.97
}

// The last row weighs as much as two, and the one before nothing.
func ExampleDataset_RowWeight() {
	set := &svmkit.Dataset{X: svmkit.DenseRows([]float64{-1, 0, 5, 1}, 1), Y: []float64{-1, -1, -1, 1}, Weight: []float64{1, 1, 0, 2}, Dim: 1}
	twice := &svmkit.Dataset{X: svmkit.DenseRows([]float64{-1, 0, 1, 1}, 1), Y: []float64{-1, -1, 1, 1}, Dim: 1}
	for _, data := range []*svmkit.Dataset{set, twice} {
		r, err := svm.Fit(context.Background(), &svm.Problem{Data: data, C: svm.PerSum(0.3)}, nil, &svm.Settings{Tol: 1e-9})
		if err != nil {
			fmt.Println(err)
			return
		}
		fmt.Printf("w = %.3f, objective %.3f\n", r.Weights[0], r.Primal)
	}
	counted, rows := set.WithoutZeroWeights()
	fmt.Println(counted.Weight, rows)
	// Output:
	// w = 0.900, objective 0.795
	// w = 0.900, objective 0.795
	// [1 1 2] [0 1 3]
}

// A survey whose table says how many people a row stands for.
func ExampleDataset_TakeWeight() {
	set := &svmkit.Dataset{X: svmkit.DenseRows([]float64{30, 200, 40, 50}, 2), Y: []float64{-1, 1}, Dim: 2, Features: []string{"age", "people"}}
	set, err := set.TakeWeight("people")
	fmt.Println(set.Weight, set.Features, err)
	// Output: [200 50] [age] <nil>
}
