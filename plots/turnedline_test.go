package plots

import (
	"math"
	"strings"
	"testing"

	"github.com/svmkit/course/svmkit"
)

func TestTurnedLineCountsTheMistakesOfBothEnds(t *testing.T) {
	set := &svmkit.Dataset{Dim: 2, X: []svmkit.Row{svmkit.Dense(1, 0), svmkit.Dense(0, 1), svmkit.Dense(-1, 0)}, Y: []float64{1, 1, -1}}
	for name, c := range map[string]struct {
		first, last  [2]float64
		caption, alt string
	}{
		"turned":    {[2]float64{-1, 1}, [2]float64{1, 1}, "The first line is wrong about 2 of 3 points, the last about 0.", "First line (dashed): −1·x1 + 1·x2 + 0 = 0."},
		"on a line": {[2]float64{1, 1}, [2]float64{1, 0}, "about 0 of 3 points, the last about 1.", "the last line is wrong about them: (0, 1)."},
		"no line":   {[2]float64{}, [2]float64{1, 1}, "wrong about 3 of 3 points, the last about 0.", "There is no first line: the weights are (0, 0)."},
		"at zero":   {[2]float64{1, 1}, [2]float64{}, "the last about 3.", "There is no last line"},
	} {
		f, err := TurnedLine(set, c.first, c.last)
		if err != nil || !strings.Contains(f.Caption, c.caption) || !strings.Contains(f.Alt, c.alt) {
			t.Errorf("%s: %v, %v; want %q and %q", name, f, err, c.caption, c.alt)
		}
	}
	if f, err := TurnedLine(set, [2]float64{math.NaN(), 1}, [2]float64{1, 1}); err == nil {
		t.Errorf("NaN: %v", f)
	}
	if f, err := TurnedLine(basisVectors(3), [2]float64{1, 1}, [2]float64{1, 1}); !isParam(err) {
		t.Errorf("3-D: %v, %v", f, err)
	}
}
