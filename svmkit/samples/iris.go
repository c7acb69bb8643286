package samples

import (
	"sync"

	"github.com/svmkit/course/svmkit"
)

// Iris returns Fisher's irises: 150 flowers, 50 each of setosa, versicolor and virginica,
// with four lengths in centimetres. Setosa is linearly separable from the others; versicolor
// and virginica are not separable from each other.
//
// The values are Fisher's: flowers 34 and 37 (from 0) differ from the file at UCI, which
// has errors there.
func Iris() *svmkit.Dataset { return fresh(iris()) }

var iris = sync.OnceValue(irisFile.read)

var irisFile = table{
	file: "iris.csv", header: 1,
	features: []string{"sepal length (cm)", "sepal width (cm)",
		"petal length (cm)", "petal width (cm)"},
	classes: []string{"setosa", "versicolor", "virginica"},
}
