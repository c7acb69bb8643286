package samples_test

import (
	"math"
	"testing"

	"github.com/svmkit/course/internal/badinput"
	"github.com/svmkit/course/svmkit"
	"github.com/svmkit/course/svmkit/samples"
)

// Every call of this package with bad input ends soon, with the documented error at the documented place.
func TestReliabilityBadInput(t *testing.T) {
	badinput.Run(t, 90, badinput.Join(badSets(), badParameters(), triangles()))
}

// shared is a set that no call may change.
var shared = badinput.Good()

func badSets() []badinput.Case {
	return badinput.Doors(
		badinput.Door{Name: "Flip", Call: func(s *svmkit.Dataset) (any, error) { return samples.Flip(s, 0.1, 1) }, Binary: true},
	)
}

func badParameters() []badinput.Case {
	return badinput.Knobs(shared,
		badinput.NewKnob("Flip", "rate", []float64{-0.5, 1.5, badinput.NaN, badinput.Inf}, func(v float64) (any, error) { return samples.Flip(shared, v, 1) }),
		badinput.NewKnob("Basis", "n", []float64{-1, 0, 4097, 1 << 40}, func(v float64) (any, error) {
			s, _, err := samples.Basis(int(v))
			return s, err
		}),
		badinput.NewKnob("Shifted", "c", []float64{badinput.NaN, badinput.Inf, -badinput.Inf, 1e17}, func(v float64) (any, error) { return samples.Shifted(v) }),
		badinput.NewKnob("Separable", "N", []float64{-1, 0, 1, 1 << 60}, func(v float64) (any, error) { return separable(samples.Separable{N: int(v), Dim: 2, Margin: 0.1}) }),
		badinput.NewKnob("Separable", "Dim", []float64{-1, 0, 1}, func(v float64) (any, error) { return separable(samples.Separable{N: 9, Dim: int(v), Margin: 0.1}) }),
		badinput.NewKnob("Separable", "Margin", badinput.ZeroTooIsBad, func(v float64) (any, error) { return separable(samples.Separable{N: 9, Dim: 2, Margin: v}) }),
		badinput.NewKnob("Separable", "Radius", []float64{-1, 0.05, badinput.NaN, badinput.Inf}, func(v float64) (any, error) {
			return separable(samples.Separable{N: 9, Dim: 2, Margin: 0.1, Radius: v})
		}),
		badinput.NewKnob("Separable", "Bias", badinput.NotFinite, func(v float64) (any, error) {
			return separable(samples.Separable{N: 9, Dim: 2, Margin: 0.1, Bias: v})
		}),
		badinput.NewKnob("Overlapping", "N", []float64{-1, 1, 1 << 60}, func(v float64) (any, error) { return samples.Overlapping{N: int(v)}.Generate(1) }),
		badinput.NewKnob("Overlapping", "Dim", []float64{-1, math.MinInt64}, func(v float64) (any, error) { return samples.Overlapping{N: 9, Dim: int(v)}.Generate(1) }),
		badinput.NewKnob("Overlapping", "Separation", badinput.NotPositive, func(v float64) (any, error) { return samples.Overlapping{N: 9, Separation: v}.Generate(1) }),
		badinput.NewKnob("Moons", "Noise", badinput.NotPositive, func(v float64) (any, error) { return samples.Moons{N: 9, Noise: v}.Generate(1) }),
		badinput.NewKnob("NoisyXOR", "Noise", badinput.NotPositive, func(v float64) (any, error) { return samples.NoisyXOR{N: 9, Noise: v}.Generate(1) }),
		badinput.NewKnob("Circles", "Noise", badinput.NotPositive, func(v float64) (any, error) { return samples.Circles{N: 9, Noise: v}.Generate(1) }),
		badinput.NewKnob("Circles", "Inner", []float64{-0.5, 1, 2, badinput.NaN, badinput.Inf}, func(v float64) (any, error) { return samples.Circles{N: 9, Inner: v}.Generate(1) }),
	)
}

func separable(g samples.Separable) (any, error) {
	s, _, err := g.Generate(1)
	return s, err
}

func triangles() []badinput.Case {
	return []badinput.Case{
		badinput.New("Triangle: label 0", nil, func() (any, error) { return samples.Triangle(1, 0, -1) }, badinput.Data(svmkit.ErrLabel, 1, badinput.None)),
		badinput.New("Triangle: NaN", nil, func() (any, error) { return samples.Triangle(1, 1, badinput.NaN) }, badinput.Data(svmkit.ErrLabel, 2, badinput.None)),
	}
}
