package plots

import (
	"fmt"

	"gonum.org/v1/plot"

	"github.com/svmkit/course/svmkit"
	"github.com/svmkit/course/svmkit/multiclass"
	"github.com/svmkit/course/svmkit/tune"
)

func ExampleNew() {
	p := plot.New()
	p.X.Min, p.X.Max, p.Y.Min, p.Y.Max = 0, 1, 0, 1
	_, err := New(p, "A claim.", "")
	fmt.Println(err)
	// Output: svmkit: alt = "": must say what is to be seen, for readers who do not see it
}

// The four corners of a square, opposite ones of one class: XOR.
func ExampleHulls() {
	set, _ := svmkit.NewDataset([][]float64{{1, 1}, {-1, -1}, {1, -1}, {-1, 1}}, []float64{1, 1, -1, -1})
	caption(Hulls(set, nil, nil))
	// Output: The ringed point (0, 0) lies in the convex hulls of both classes: no plane can separate them.
}

// xor is two classes at opposite corners of a square.
func xor() *svmkit.Dataset {
	return mustSet([][]float64{{1, 1}, {-1, -1}, {1, -1}, {-1, 1}}, []float64{1, 1, -1, -1})
}

// product is a model of one's own: all that it needs is a method Score.
type product struct{}

func (product) Score(x svmkit.Row) float64 { return x.At(0) * x.At(1) }

func ExampleDecisionRegions() {
	caption(DecisionRegions(xor(), product{}, RegionMarks{}))
	caption(DecisionRegions(xor(), product{}, RegionMarks{Support: []int{0, 2}}))
	// Output:
	// All of 4 points lie in the region of their class, 0 of them between the lines f = ±1.
	// All of 4 points lie in the region of their class, 0 of them between the lines f = ±1. 2 support vectors are ringed.
}

func ExampleClassRegions() {
	set := mustSet([][]float64{{-1, 0}, {1, 0}, {0, 1}, {-1, -1}}, []float64{0, 1, 2, 2})
	set.Classes = []string{"left", "right", "top"}
	model := &multiclass.Linear{
		Classes: multiclass.Classes{Count: 3, Names: set.Classes},
		W:       [][]float64{{-1, 0}, {1, 0}, {0, 1}}, B: make([]float64, 3),
	}
	caption(ClassRegions(set, model))
	// Output: Of 4 points, 1 is in the region of another class (crosses).
}

func ExampleCVMap() {
	selection := &tune.Selection{} // as tune.Validation.Search returns it for an error to be made small
	for k, mean := range []float64{0.3, 0.12, 0.1, 0.15} {
		selection.Points = append(selection.Points, tune.Point{
			Params:   tune.Params{C: []float64{1, 10}[k/2], Gamma: []float64{0.1, 1}[k%2]},
			CVResult: tune.CVResult{Scores: []float64{mean - 0.03, mean + 0.03}, Mean: mean, StdErr: 0.03},
		})
	}
	caption(CVMap(selection, "error"))
	// Output: The best mean error over 2 folds, 0.1 ± 0.03, is that of C = 10, γ = 0.1; within one standard error of it, the simplest is C = 1, γ = 1, with 0.12 ± 0.03.
}

func ExampleSeparators() {
	caption(Separators(nine(), threePlanes()))
	// Output: 2 of 3 planes separate the classes, with half-margins from 0.4315 to 0.4919.
}
