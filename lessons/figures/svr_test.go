package figures

import (
	"math"
	"strings"
	"testing"

	"github.com/svmkit/course/plots"
)

// The loss at the ends of the axis, by hand: the axis reaches 2.5ε = 1.25, 0.75 beyond the edge.
func TestEpsilonLossWeighsBothSides(t *testing.T) {
	f, err := EpsilonLoss(0.5, 1, 3)
	if err != nil {
		t.Fatal(err)
	}
	if want := "to 2.25 on the left and 0.75 on the right"; !strings.Contains(f.Alt, want) {
		t.Errorf("%q, want %q in it", f.Alt, want)
	}
	if !strings.Contains(f.Caption,
		"1 per unit of a score that is too high and by 3 of one that is too low") {
		t.Errorf("%q", f.Caption)
	}
}

// What the caption and the alternative text say, by hand: the box cuts at −0.5 − 1.25·0.8 and 0.5 +
// 1.25·0.6.
func TestSoftThresholdSaysWhereItBends(t *testing.T) {
	f, err := examples["soft-threshold"]()
	if err != nil {
		t.Fatal(err)
	}
	for _, want := range []string{"From v = −0.5 to 0.5 the best β is 0", "slope 1/κ = 0.8",
		"−C₁ = −0.8 and C₂ = 0.6", "flat at −0.8 up to v = −1.5", "rising to 0.6 at 1.25"} {
		if !strings.Contains(f.Caption+f.Alt, want) {
			t.Errorf("%q, %q: want %q", f.Caption, f.Alt, want)
		}
	}
}

func TestTubeLossesRefuse(t *testing.T) {
	for name, build := range map[string]func() (*plots.Figure, error){
		"loss of NaN": func() (*plots.Figure, error) { return EpsilonLoss(math.NaN(), 1, 1) },
		"κ = 0":       func() (*plots.Figure, error) { return SoftThreshold(1, 0, 1, 1) },
		"C₂ is NaN": func() (*plots.Figure,
			error) {
			return SoftThreshold(1, 1, 1, math.NaN())
		},
		"loss for nothing": func() (*plots.Figure, error) { return EpsilonLoss(1, 0, 1) },
	} {
		if f, err := build(); !isParam(err) || f != nil {
			t.Errorf("%s: %v, %v", name, f, err)
		}
	}
}
