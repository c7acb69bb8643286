package playground

import (
	"math"
	"slices"

	"github.com/svmkit/course/svmkit"
	"github.com/svmkit/course/svmkit/samples"
)

// Sample is data to load.
type Sample struct {
	Name, About string
	Task        string
	set         func(seed uint64) (*svmkit.Dataset, error)
	x, y        int // columns
}

// Samples are those of package samples that fit into the plane, shifted and scaled to it.
var Samples = []Sample{
	{"overlap", "two overlapping clouds", "two", samples.Overlapping{N: 80, Separation: 2.5}.Generate, 0, 1},
	{"moons", "two moons", "two", samples.Moons{N: 120, Noise: 0.15}.Generate, 0, 1},
	{"circles", "a circle in a circle", "two", samples.Circles{N: 120, Noise: 0.1}.Generate, 0, 1},
	{"xor", "exclusive or, noisy", "two", samples.NoisyXOR{N: 300, Noise: 0.35}.Generate, 0, 1},
	{"iris", "irises: petal length and width", "several", collected(samples.Iris), 2, 3},
	{"penguins", "penguins: bill length and depth", "several", collected(samples.Penguins), 0, 1},
	{"flippers", "penguins: body mass over flipper length", "regression", collected(samples.Penguins), 2, 3},
}

// collected is data that no seed changes.
func collected(set func() *svmkit.Dataset) func(uint64) (*svmkit.Dataset, error) {
	return func(uint64) (*svmkit.Dataset, error) { return set(), nil }
}

// Load returns s with the points and the task of a sample, solved.
func (s State) Load(name string) (State, error) {
	k := slices.IndexFunc(Samples, func(sample Sample) bool { return sample.Name == name })
	if k < 0 {
		return State{}, errorOf("sample", "there is none named %.20q", name)
	}
	sample := Samples[k]
	set, err := sample.set(1)
	if err != nil {
		return State{}, err
	}
	s.Task, s.Train, s.Step, s.Points = sample.Task, "solved", 0, nil
	if s.Loss == "logistic" {
		s.Loss = "hinge"
	}
	n := set.Len()
	var xs, ys []float64
	for i, row := range set.X {
		if n > MaxPoints && i*MaxPoints/n == (i+1)*MaxPoints/n { // too many: evenly spaced ones
			continue
		}
		class := int(set.Y[i])
		if sample.Task == "two" {
			class = (class + 1) / 2
		}
		xs, ys, s.Points = append(xs, row.At(sample.x)), append(ys, row.At(sample.y)), append(s.Points, Point{Class: class})
	}
	fill(xs, 0.45*Width)
	fill(ys, 0.45*Height)
	for i := range s.Points {
		s.Points[i].X, s.Points[i].Y = xs[i], ys[i]
	}
	return s, s.Validate()
}

// fill shifts and scales numbers to the whole of ±half, in steps of 0.01.
func fill(v []float64, half float64) {
	lo, hi := slices.Min(v), slices.Max(v)
	for i := range v {
		v[i] = math.Round(100*((v[i]-lo)/(hi-lo)*2-1)*half) / 100
	}
}
