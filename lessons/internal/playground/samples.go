package playground

import (
	"math"

	"github.com/svmkit/course/svmkit"
	"github.com/svmkit/course/svmkit/samples"
)

// Sample is data to load.
type Sample struct {
	Name, About string
	Task        string
	set         func() (*svmkit.Dataset, error)
	columns     [2]int
}

// Samples are those of package samples that fit into the plane: two columns, at most MaxPoints rows, shifted and scaled to it.
var Samples = []Sample{
	{Name: "overlap", About: "two overlapping clouds", Task: "two", set: func() (*svmkit.Dataset, error) { return samples.Overlapping{N: 80, Separation: 2.5}.Generate(1) }},
	{Name: "moons", About: "two moons", Task: "two", set: func() (*svmkit.Dataset, error) { return samples.Moons{N: 120, Noise: 0.15}.Generate(1) }},
	{Name: "circles", About: "a circle in a circle", Task: "two", set: func() (*svmkit.Dataset, error) { return samples.Circles{N: 120, Noise: 0.1}.Generate(1) }},
	{Name: "xor", About: "exclusive or, noisy", Task: "two", set: func() (*svmkit.Dataset, error) { return samples.NoisyXOR{N: 300, Noise: 0.35}.Generate(1) }},
	{Name: "iris", About: "irises: petal length and width", Task: "several", set: func() (*svmkit.Dataset, error) { return samples.Iris(), nil }, columns: [2]int{2, 3}},
	{Name: "penguins", About: "penguins: bill length and depth", Task: "several", set: func() (*svmkit.Dataset, error) { return samples.Penguins(), nil }, columns: [2]int{0, 1}},
	{Name: "flippers", About: "penguins: body mass over flipper length", Task: "regression", set: func() (*svmkit.Dataset, error) { return samples.Penguins(), nil }, columns: [2]int{2, 3}},
}

// Load returns s with the points and the task of a sample, solved.
func (s State) Load(name string) (State, error) {
	for _, sample := range Samples {
		if sample.Name != name {
			continue
		}
		set, err := sample.set()
		if err != nil {
			return State{}, err
		}
		x, y := sample.columns[0], sample.columns[1]
		if x == y {
			y = x + 1
		}
		s.Task, s.Train, s.Step, s.Points = sample.Task, "solved", 0, nil
		if s.Loss == "logistic" {
			s.Loss = "hinge"
		}
		n := set.Len()
		for i := range n {
			if n > MaxPoints && i*MaxPoints/n == (i+1)*MaxPoints/n { // too many: evenly spaced ones
				continue
			}
			class := int(set.Y[i])
			if sample.Task == "two" {
				class = (class + 1) / 2
			}
			s.Points = append(s.Points, Point{set.X[i].At(x), set.X[i].At(y), class})
		}
		s.fill()
		return s, s.Validate()
	}
	return State{}, errorOf("sample", "there is none named %.20q", name)
}

// fill shifts and scales the points to nine tenths of the plane, in steps of 0.01.
func (s *State) fill() {
	for _, axis := range []struct {
		of   func(p *Point) *float64
		half float64
	}{{func(p *Point) *float64 { return &p.X }, 0.45 * Width}, {func(p *Point) *float64 { return &p.Y }, 0.45 * Height}} {
		lo, hi := math.Inf(1), math.Inf(-1)
		for i := range s.Points {
			v := *axis.of(&s.Points[i])
			lo, hi = min(lo, v), max(hi, v)
		}
		for i := range s.Points {
			v := axis.of(&s.Points[i])
			*v = math.Round(100*((*v-lo)/(hi-lo)*2-1)*axis.half) / 100
		}
	}
}
