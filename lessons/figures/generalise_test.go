package figures

import (
	"math"
	"strings"
	"testing"

	"github.com/svmkit/course/svmkit"
)

// cornersOfSquare is three labellings of the corners of a square: one class, a side against a side,
// and XOR.
func cornersOfSquare() []Labelling {
	corners := [][]float64{{1, 1}, {-1, 1}, {-1, -1}, {1, -1}}
	return []Labelling{
		{Set: planarSet(corners, []float64{1, 1, 1, 1}),
			Plane: svmkit.Hyperplane{W: []float64{0, 1}, B: 1.5}},
		{Set: planarSet(corners, []float64{1, -1, -1, 1}),
			Plane: svmkit.Hyperplane{W: []float64{1, 0}}},
		{Set: planarSet(corners, []float64{1, -1, 1, -1})},
	}
}

func TestLabellingsSay(t *testing.T) {
	all := cornersOfSquare()
	f, err := Labellings(all, 2)
	if err != nil || !strings.Contains(f.Caption, "Of 3 labellings 2 have") {
		t.Fatalf("%+v, %v", f, err)
	}
	for _, words := range []string{"Panel 1: (1, 1), (−1, 1), (−1, −1), (1, −1) against no " +
		"point, and the line 0·x1 + 1·x2 + 1.5 = 0 beside them",
		"Panel 2: (1, 1), (1, −1) against (−1, 1), (−1, −1), and the line 1·x1 + 0·x2 + 0 = " +
			"0 between them", "Panel 3", "the ringed point (0, 0)"} {
		if !strings.Contains(f.Alt, words) {
			t.Errorf("%q is not in %q", words, f.Alt)
		}
	}
	turned := Labelling{Set: all[1].Set, Plane: svmkit.Hyperplane{W: []float64{5, -1e-16}, B: 0.5}}
	if f, err := Labellings([]Labelling{turned}, 2); err != nil ||
		!strings.Contains(f.Alt, "1·x1 + 0·x2 + 0.1 = 0") {
		t.Errorf("%+v, %v, want the line with ‖w‖ = 1 and without rounding errors", f, err)
	}
	for k, words := range map[int]string{1: "a line has each class", 2: "no such line"} {
		if f, err := Labellings(all[k:k+1], 2); err != nil || !strings.Contains(f.Caption, words) {
			t.Errorf("labelling %d: %+v, %v, want %q", k, f, err, words)
		}
	}
}

// The legend explains what is drawn; names stand beside the points and in the alternative text.
func TestLabellingsExplainWhatIsDrawn(t *testing.T) {
	for k, want := range map[int]string{1: "separating line", 2: "point of both hulls"} {
		one := cornersOfSquare()[k]
		one.Names = []string{"A", "B", "C", "D"}
		f, err := Labellings([]Labelling{one}, 2)
		if err != nil {
			t.Fatal(err)
		}
		if len(f.Legend) != 3 || f.Legend[2].Name != want {
			t.Errorf("labelling %d: legend %v, want the classes and %q", k, f.Legend, want)
		}
		svg, err := f.SVG()
		if err != nil {
			t.Fatal(err)
		}
		for _, name := range one.Names {
			if !strings.Contains(string(svg), ">"+name+"</text>") ||
				!strings.Contains(f.Alt, name+" (") {
				t.Errorf("labelling %d: %s is not beside its point, or not in %q", k, name, f.Alt)
			}
		}
	}
}

func TestLabellingsRefuse(t *testing.T) {
	all := cornersOfSquare()
	for name, c := range map[string]struct {
		all  []Labelling
		side float64
	}{
		"none":                 {nil, 1},
		"17":                   {make([]Labelling, 17), 1},
		"a side of 0":          {all, 0},
		"a side that is NaN":   {all, math.NaN()},
		"an infinite side":     {all, math.Inf(1)},
		"no set":               {make([]Labelling, 1), 1},
		"a line that is wrong": {[]Labelling{{Set: all[2].Set, Plane: all[1].Plane}}, 1},
		"w = 0": {[]Labelling{{Set: all[0].Set,
			Plane: svmkit.Hyperplane{W: []float64{0, 0}, B: 1}}}, 1},
		"two names for four":      {[]Labelling{{Set: all[2].Set, Names: []string{"A", "B"}}}, 1},
		"no line for one class":   {[]Labelling{{Set: all[0].Set}}, 1},
		"no line where one could": {[]Labelling{{Set: all[1].Set}}, 1},
	} {
		if f, err := Labellings(c.all, c.side); err == nil {
			t.Errorf("%s: %+v", name, f)
		}
	}
}
