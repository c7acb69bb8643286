package samples

import (
	"sync"

	"github.com/svmkit/course/svmkit"
)

// BreastCancer returns the Wisconsin diagnostic set: 569 tumours, 212 malignant (y = −1) and
// 357 benign (y = +1). From the image of a needle aspirate, ten properties of the cell
// nuclei are measured; the 30 columns are their means over the nuclei, the standard errors
// of these means, and the means of the three largest values ("worst").
//
// +1 is the healthy class, in the order of the source.
func BreastCancer() *svmkit.Dataset { return fresh(breastCancer()) }

var breastCancer = sync.OnceValue(breastCancerFile.read)

var breastCancerFile = table{
	file: "breast_cancer.csv", header: 1,
	features: nucleusFeatures(),
	classes:  []string{"malignant", "benign"},
}

func nucleusFeatures() []string {
	properties := []string{"radius", "texture", "perimeter", "area", "smoothness",
		"compactness", "concavity", "concave points", "symmetry", "fractal dimension"}
	var names []string
	for _, p := range properties {
		names = append(names, "mean "+p)
	}
	for _, p := range properties {
		names = append(names, p+" error")
	}
	for _, p := range properties {
		names = append(names, "worst "+p)
	}
	return names
}
