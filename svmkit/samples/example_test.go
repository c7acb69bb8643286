package samples_test

import (
	"fmt"
	"log"

	"github.com/svmkit/course/svmkit/samples"
	"github.com/svmkit/course/svmkit/text"
)

func Example() {
	iris := samples.Iris()
	fmt.Println(iris.Len(), iris.Dim, iris.Classes)
	set, plane, err := samples.Separable{N: 100, Dim: 2, Margin: 0.1}.Generate(1)
	if err != nil {
		log.Fatal(err)
	}
	fmt.Println(set.Len(), len(plane.W))
	// Output:
	// 150 4 [setosa versicolor virginica]
	// 100 2
}

func ExampleIris() {
	iris := samples.Iris()
	fmt.Println(iris.Len(), "rows,", iris.Dim, "columns")
	fmt.Println(iris.Features)
	fmt.Println(iris.X[0].Value, iris.Classes[int(iris.Y[0])])
	// Output:
	// 150 rows, 4 columns
	// [sepal length (cm) sepal width (cm) petal length (cm) petal width (cm)]
	// [5.1 3.5 1.4 0.2] setosa
}

// Two classes of three, and two columns of four: a problem that fits in a plane.
func ExamplePenguins() {
	pair, err := samples.Penguins().Pair("Adelie", "Gentoo")
	if err != nil {
		fmt.Println(err)
		return
	}
	plane := pair.Columns(0, 3)
	fmt.Println(plane.Len(), "birds:", plane.Features)
	fmt.Println("-1 is", plane.Classes[0], "and +1 is", plane.Classes[1])
	// Output:
	// 274 birds: [bill length (mm) body mass (g)]
	// -1 is Adelie and +1 is Gentoo
}

// The terms and their weights come from the training messages alone.
func ExampleMessageSet() {
	messages := samples.Messages()
	train, test := messages[:4000], messages[4000:]
	v, err := text.FitTFIDF(samples.Texts(train), text.Options{MinDocs: 2})
	if err != nil {
		fmt.Println(err)
		return
	}
	a, b := samples.MessageSet(train, v), samples.MessageSet(test, v)
	fmt.Println(a.Len(), b.Len(), a.Dim == b.Dim)
	// Output: 4000 1574 true
}

func ExampleAll() {
	for _, info := range samples.All() {
		fmt.Println(info.Name, info.Rows, info.Licence)
	}
	// Output:
	// Iris 150 CC-BY-4.0
	// Wine 178 CC-BY-4.0
	// BreastCancer 569 CC-BY-4.0
	// Digits 1797 CC-BY-4.0
	// Banknotes 1372 CC-BY-4.0
	// Penguins 342 CC0-1.0
	// SMS 5574 CC-BY-4.0
}

func ExampleSeparable() {
	set, plane, err := samples.Separable{N: 100, Dim: 5, Margin: 0.25, Radius: 2}.Generate(1)
	if err != nil {
		fmt.Println(err)
		return
	}
	gamma, _ := plane.SetMargin(set)
	fmt.Printf("n = %d, R = %.3f, γ = %.3f, R²/γ² = %.1f\n",
		set.Len(), set.Radius(), gamma, set.Radius()*set.Radius()/(gamma*gamma))
	// Output: n = 100, R = 2.000, γ = 0.250, R²/γ² = 64.0
}
