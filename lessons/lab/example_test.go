package lab_test

import (
	"math"

	"github.com/svmkit/course/lessons/figures"
	"github.com/svmkit/course/lessons/lab"
	"github.com/svmkit/course/plots"
	"github.com/svmkit/course/svmkit"
)

func Example() {
	lab.Check("the angles add up to 180°", 60+70+50 == 180, "60 + 70 + 50 = %d", 60+70+50)
	lab.Holds("√2 is about 1.414", lab.Near("√2", math.Sqrt2, 1.414, 1e-3))
}

// A line that is turned, between two points of which one can be dragged. The axes stay where they are.
func ExampleExplore() {
	plane := func(s lab.State) svmkit.Hyperplane {
		sin, cos := math.Sincos(s.Sliders[0] * math.Pi / 180)
		return svmkit.Hyperplane{W: []float64{cos, sin}}
	}
	lab.Explore(lab.Explorable{
		Sliders: []lab.Slider{{Label: "turn of the line, in degrees", Values: []float64{0, 30, 60}}},
		Points: []lab.Point{{Label: "point of class +1", At: [2]float64{2, 1},
			Min: [2]float64{-3, -3}, Max: [2]float64{3, 3}, Step: 0.5}},
		Claim: "the length of the normal is 1",
		Check: func(s lab.State) error { return lab.Near("‖w‖", plane(s).Norm(), 1, 1e-12) },
		Draw: func(s lab.State) (*plots.Figure, error) {
			set, err := svmkit.NewDataset([][]float64{s.Points[0], {-2, 0}}, []float64{1, -1})
			if err != nil {
				return nil, err
			}
			f, err := figures.SignedMargins(set, plane(s))
			if err != nil {
				return nil, err
			}
			f.Plot.X.Min, f.Plot.X.Max, f.Plot.Y.Min, f.Plot.Y.Max = -3.5, 3.5, -3.5, 3.5
			return f, nil
		},
		States: []lab.Named{{Name: "the point on the line", State: lab.State{Sliders: []float64{0}, Points: [][]float64{{0, 1}}}}},
	})
}
