package geom

import (
	"math"
	"testing"
)

func TestLevelLinesAreJoinedAndOnTheirLevel(t *testing.T) {
	circle := Grid{F: func(x, y float64) float64 { return x*x + y*y }, Over: Box{-2, 2, -2, 2}}
	lines := circle.Level(1)
	if len(lines) != 1 || lines[0][0] != lines[0][len(lines[0])-1] {
		t.Fatalf("%d lines, want one that is closed", len(lines))
	}
	// a straight piece of one cell leaves the circle by less
	const chord = 4.0 / GridSteps * 4.0 / GridSteps
	for _, p := range lines[0] {
		if r := math.Hypot(p.X, p.Y); math.Abs(r-1) > chord {
			t.Errorf("(%g, %g) has the radius %g", p.X, p.Y, r)
		}
	}
	if lines := circle.Level(9); lines != nil {
		t.Errorf("no point has the value 9: %v", lines)
	}
}
