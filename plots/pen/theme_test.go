package pen

import (
	"image/color"
	"testing"
)

// The classes and series must differ in more than colour.
func TestStylesDifferWithoutColour(t *testing.T) {
	kind := func(m Mark) [2]any { return [2]any{m.Shape, m.Fill == color.Color(color.White)} }
	if kind(Positive) == kind(Negative) {
		t.Error("the classes have one marker")
	}
	for name, all := range map[string][]seriesStyle{"series": Styles, "plane": PlaneStyles} {
		seen := map[[2]any]bool{}
		for i, l := range all {
			k := kind(l.Mark)
			if seen[k] {
				t.Errorf("%s %d repeats a marker", name, i)
			}
			seen[k] = true
		}
	}
	for i, l := range PlaneStyles {
		if c := l.Line.Color; c == Positive.Edge || c == Negative.Edge {
			t.Errorf("plane %d has the colour of a class", i)
		}
	}
}
