package feature_test

import (
	"math"
	"testing"

	"github.com/svmkit/course/internal/badinput"
	"github.com/svmkit/course/svmkit"
	"github.com/svmkit/course/svmkit/feature"
)

// Every call of this package with bad input ends soon, with the documented error at the documented place.
func TestReliabilityBadInput(t *testing.T) {
	badinput.Run(t, 140, badinput.Join(badSets(), badParameters(), scalings()))
}

// shared is a set that no call may change.
var shared = badinput.Good()

func badSets() []badinput.Case {
	return badinput.Doors(
		badinput.Door{Name: "Scaler.Fit", Call: func(s *svmkit.Dataset) (any, error) { return feature.Scaler{Kind: feature.UnitVariance}.Fit(s) }},
		badinput.Door{Name: "Scaling.Apply", Call: func(s *svmkit.Dataset) (any, error) { return (&feature.Scaling{Dim: 2}).Apply(s) }},
		badinput.Door{Name: "Scaling.Inverse", Call: func(s *svmkit.Dataset) (any, error) { return (&feature.Scaling{Dim: 2}).Inverse(s) }},
		badinput.Door{Name: "Polynomial", Call: func(s *svmkit.Dataset) (any, error) { return feature.Polynomial(s, 2) }},
		badinput.Door{Name: "Densify", Call: func(s *svmkit.Dataset) (any, error) { return feature.Densify(s) }},
	)
}

func badParameters() []badinput.Case {
	return badinput.Knobs(shared,
		badinput.NewKnob("Scaler", "Kind", []float64{-1, 6}, func(v float64) (any, error) { return feature.Scaler{Kind: feature.Kind(v)}.Fit(shared) }),
		badinput.NewKnob("Scaler, Low", "Low, High", []float64{badinput.NaN, badinput.Inf, -badinput.Inf}, func(v float64) (any, error) {
			return feature.Scaler{Kind: feature.MinMax, Low: v, High: 1}.Fit(shared)
		}),
		badinput.NewKnob("Scaler, High", "Low, High", []float64{-1, 0, badinput.NaN, badinput.Inf}, func(v float64) (any, error) {
			return feature.Scaler{Kind: feature.MinMax, Low: 0.5, High: v}.Fit(shared)
		}),
		badinput.NewKnob("Polynomial", "degree", []float64{-1, 0, 3}, func(v float64) (any, error) { return feature.Polynomial(shared, int(v)) }),
	)
}

// Rows that a scaling was not made for.
func scalings() (cases []badinput.Case) {
	scaling, err := feature.Scaler{}.Fit(badinput.Good())
	if err != nil {
		panic(err)
	}
	for _, c := range []struct {
		name string
		x    svmkit.Row
		want badinput.Verdict
	}{
		{"short", svmkit.Dense(1), badinput.Data(svmkit.ErrRagged, 0, badinput.None)},
		{"long", svmkit.Dense(1, 2, 3), badinput.Data(svmkit.ErrRagged, 0, badinput.None)},
		{"NaN", svmkit.Dense(1, badinput.NaN), badinput.Data(svmkit.ErrNotFinite, 0, 1)},
	} {
		cases = append(cases, badinput.New("Scaling.ApplyRow: "+c.name, scaling, func() (any, error) { return scaling.ApplyRow(c.x) }, c.want))
	}
	// no number that is divided by less than 1 need stay one: divide by 1e-3
	small := &feature.Scaling{Kind: feature.UnitVariance, Dim: 2, Scale: []float64{1e-3, 1}}
	huge := svmkit.Dense(math.MaxFloat64, -math.MaxFloat64)
	sparse := svmkit.Row{Index: []int32{1}, Value: []float64{1}}
	unit := &feature.Scaling{Kind: feature.UnitNorm, Dim: 2}
	return append(cases,
		badinput.New("Scaling.ApplyRow: huge", small, func() (any, error) { return small.ApplyRow(huge) }, badinput.Data(svmkit.ErrNotFinite, 0, 0)),
		badinput.New("Scaling.ApplyRow: sparse", scaling, func() (any, error) { return scaling.ApplyRow(sparse) }, badinput.Is(feature.ErrFillsSparse)),
		badinput.New("Scaling.Inverse: UnitNorm", unit, func() (any, error) { return unit.Inverse(shared) }, badinput.Is(feature.ErrNoInverse)),
		badinput.New("Scaling.Apply: other columns", scaling, func() (any, error) { return scaling.Apply(shared.Columns(0)) }, badinput.Is(svmkit.ErrMismatch)))
}
