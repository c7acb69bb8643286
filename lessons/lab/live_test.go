package lab

import (
	"strings"
	"testing"

	"github.com/svmkit/course/plots"
	"github.com/svmkit/course/svmkit"
	"github.com/svmkit/course/svmkit/samples"
)

// A slider has eight steps from one position to the next; the ends and the positions are hit.
func TestLiveSteps(t *testing.T) {
	e := Explorable{Values: []float64{-2, 0, 1.5}}
	for _, c := range []struct {
		step int
		want float64
	}{{0, -2}, {4, -1}, {8, 0}, {12, 0.75}, {16, 1.5}, {-1, -2}, {17, 1.5}} {
		if got := e.at(c.step); got != c.want {
			t.Errorf("step %d is %g, want %g", c.step, got, c.want)
		}
	}
	whole := Explorable{Values: []float64{1, 2, 10}} // a number of steps, a seed
	for step := range 2*liveSteps + 1 {
		if v := whole.at(step); v != float64(int(v)) {
			t.Errorf("step %d of whole numbers is %g", step, v)
		}
	}
}

// Without a browser Live is Explore.
func TestLiveWithoutBrowser(t *testing.T) {
	e := Explorable{
		Label: "b", Values: []float64{-1, 1}, Claim: "the plane can be drawn",
		Check: func(float64) error { return nil },
		Draw: func(b float64) (*plots.Figure, error) {
			return plots.SignedMargins(samples.XOR(), svmkit.Hyperplane{W: []float64{1, 1}, B: b})
		},
	}
	explored, _ := watch(t, func() { Explore(e) })
	lived, ended := watch(t, func() { Live(e) })
	if ended || lived != explored || !strings.Contains(lived, "Slider: b") {
		t.Errorf("Live printed\n%s\nExplore\n%s", lived, explored)
	}
}
