package plots_test

import (
	"fmt"
	"log"

	"github.com/svmkit/course/plots"
	"github.com/svmkit/course/svmkit"
	"github.com/svmkit/course/svmkit/samples"
)

func Example() {
	xor := samples.XOR()
	plane := svmkit.Hyperplane{W: []float64{1, 0}}
	f, err := plots.DecisionRegions(xor, plane, plots.RegionMarks{})
	if err != nil {
		log.Fatal(err)
	}
	fmt.Println(f.Caption)
	// Output: Of 4 points, 2 are in the region of the other class or on the line f = 0, and 0 are in the right one but between the lines f = ±1.
}
