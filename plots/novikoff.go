package plots

import (
	"errors"
	"math"

	"github.com/svmkit/course/svmkit"
	"github.com/svmkit/course/svmkit/perceptron"
)

// Novikoff holds the three numbers of the mistake bound: every example satisfies
// y⟨w*,x⟩/‖w*‖ ≥ Gamma and ‖x‖ ≤ Radius. For a run with bias they are those of the
// augmented set.
type Novikoff struct {
	Gamma         float64 // γ, the margin of w*, > 0
	NormReference float64 // ‖w*‖, > 0
	Radius        float64 // R, > 0
}

// Bound returns R²/γ², the largest number of mistakes, where the two sides of the squeeze meet.
func (n Novikoff) Bound() float64 { return (n.Radius / n.Gamma) * (n.Radius / n.Gamma) }

// Lower returns kγ‖w*‖, which ⟨w,w*⟩ has reached after k mistakes.
func (n Novikoff) Lower(k float64) float64 { return k * n.Gamma * n.NormReference }

// Upper returns √k·R‖w*‖, which ‖w‖‖w*‖ has not passed after k mistakes.
func (n Novikoff) Upper(k float64) float64 { return math.Sqrt(k) * n.Radius * n.NormReference }

// Ceiling returns arccos(√k·γ/R), the largest angle in degrees that w can have with w*
// after k mistakes. It is 0 at k = R²/γ² and NaN beyond.
func (n Novikoff) Ceiling(k float64) float64 {
	return degrees(math.Acos(math.Sqrt(k) * n.Gamma / n.Radius))
}

func degrees(radians float64) float64 { return radians * 180 / math.Pi }

func (n Novikoff) validate() error {
	for _, p := range []struct {
		name  string
		value float64
	}{{"Gamma", n.Gamma}, {"NormReference", n.NormReference}, {"Radius", n.Radius}} {
		if !(p.value > 0 && p.value <= maxDrawn) {
			return &svmkit.ParamError{Name: p.name, Value: p.value, Need: "must be positive and finite"}
		}
	}
	if b := n.Bound(); !(b > 0 && b <= maxDrawn) {
		return &svmkit.ParamError{Name: "Radius/Gamma", Value: n.Radius / n.Gamma, Need: "must have a finite square"}
	}
	return nil
}

// checkTrace refuses a trace without mistakes, or one that no run with a Reference wrote.
func checkTrace(trace []perceptron.Mistake) error {
	if len(trace) == 0 {
		return &svmkit.ParamError{Name: "trace", Value: "no mistakes", Need: "must hold at least one; start the run at w = 0"}
	}
	for i, m := range trace {
		for _, v := range []float64{m.NormW, m.Align} {
			if math.IsNaN(v) || math.Abs(v) > maxDrawn {
				return &svmkit.DataError{Row: i, Col: svmkit.NoPlace, Value: v, Err: errTrace}
			}
		}
	}
	return nil
}

var errTrace = errors.New("a mistake needs finite NormW and Align; was the run given its Reference?")

// roundoff bounds the relative error of the measured sums of a million mistakes.
const roundoff = 1e-9

// broken returns the first mistake, counted from 1, at which a link of the chain
// kγ‖w*‖ ≤ ⟨w,w*⟩ ≤ ‖w‖‖w*‖ ≤ √k·R‖w*‖ does not hold, and which; 0 if all hold. The link in
// the middle is Cauchy's and Schwarz's and fails only for a wrong NormReference.
func (n Novikoff) broken(trace []perceptron.Mistake) (k int, link string) {
	for i, m := range trace {
		k := float64(i + 1)
		top := n.Upper(k) * (1 + roundoff)
		switch {
		case m.Align < n.Lower(k)*(1-roundoff):
			return i + 1, "⟨w,w*⟩ is below k·γ‖w*‖: some example has a margin smaller than γ"
		case m.NormW*n.NormReference > top:
			return i + 1, "‖w‖ is above R√k: some example lies outside the radius R, or was no mistake"
		case m.Align > m.NormW*n.NormReference*(1+roundoff):
			return i + 1, "⟨w,w*⟩ is above ‖w‖‖w*‖: the norm of w* is wrong"
		}
	}
	return 0, ""
}
