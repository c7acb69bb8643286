package lab

import (
	"slices"
	"strings"
	"testing"

	"github.com/svmkit/course/lessons/figures"
	"github.com/svmkit/course/plots"
	"github.com/svmkit/course/svmkit"
	"github.com/svmkit/course/svmkit/samples"
)

// A slider that draws anew has eight steps from one value to the next, and stops at the values.
func TestPositions(t *testing.T) {
	fine := Slider{Values: []float64{-2, 0, 1.5}}
	got := fine.Positions()
	if len(got) != 17 {
		t.Fatalf("%d positions: %v", len(got), got)
	}
	for step, want := range map[int]float64{0: -2, 4: -1, 8: 0, 12: 0.75, 16: 1.5} {
		if got[step] != want {
			t.Errorf("step %d is %g, want %g", step, got[step], want)
		}
	}
	for _, c := range []struct{ values, want []float64 }{
		{[]float64{1, 2, 3}, []float64{1, 2, 3}},
		{[]float64{0, 10, 12}, []float64{0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12}},
		{[]float64{10, 100}, []float64{10, 21, 33, 44, 55, 66, 78, 89, 100}},
	} {
		if whole := (Slider{Values: c.values}); !slices.Equal(whole.Positions(), c.want) {
			t.Errorf("positions %v", whole.Positions())
		}
	}
}

// Without a browser Live is Explore.
func TestLiveWithoutBrowser(t *testing.T) {
	e := Explorable{
		Sliders: []Slider{{Label: "b", Values: []float64{-1, 1}}}, Claim: "the plane can be drawn",
		Check: func(State) error { return nil },
		Draw: func(s State) (*plots.Figure, error) {
			return figures.SignedMargins(samples.XOR(), svmkit.Hyperplane{W: []float64{1, 1}, B: s.Sliders[0]})
		},
	}
	explored, _ := watch(t, func() { Explore(e) })
	lived, ended := watch(t, func() { Live(e) })
	if ended || lived != explored || !strings.Contains(lived, "Slider: b") {
		t.Errorf("Live printed\n%s\nExplore\n%s", lived, explored)
	}
}
