package dataset_test

import (
	"context"
	"errors"
	"fmt"
	"log"
	"os"
	"strings"

	"github.com/svmkit/course/svmkit/dataset"
	"github.com/svmkit/course/svmkit/samples"
)

func Example() {
	text := strings.NewReader("length,width,species\n5.1,3.5,setosa\n7.0,3.2,versicolor\n")
	set, err := dataset.Read(context.Background(), text, nil)
	if err != nil {
		log.Fatal(err)
	}
	fmt.Println(set.Features, set.Classes, set.X[0].Value, set.Y)
	// Output: [length width] [setosa versicolor] [5.1 3.5] [-1 1]
}

func ExampleRead() {
	const text = "length, width, species\n5.1, 3.5, setosa\n7.0, 3.2, versicolor\n"
	set, err := dataset.Read(context.Background(), strings.NewReader(text), nil)
	if err != nil {
		fmt.Println(err)
		return
	}
	fmt.Println(set.Features, set.Classes)
	for x, y := range set.All() {
		fmt.Println(x.Value, y)
	}
	// Output:
	// [length width] [setosa versicolor]
	// [5.1 3.5] -1
	// [7 3.2] 1
}

func ExampleRows() {
	const text = "spam 1:0.5 7:2 # bought\nham 3:1\nspam 2:x\n"
	rows := dataset.Rows(context.Background(), strings.NewReader(text), &dataset.Options{Labels: dataset.Labels{Positive: "spam"}})
	for x, y := range rows.All() {
		fmt.Println(y, x.Index, x.Value)
	}
	var bad *dataset.ParseError
	if errors.As(rows.Err(), &bad) {
		fmt.Println(bad.Line, bad.Column, bad)
	}
	// Output:
	// 1 [0 6] [0.5 2]
	// -1 [2] [1]
	// 3 8 svmkit: line 3, column "2": not a number: "x"
}

func ExampleWriteLIBSVM() {
	if err := dataset.WriteLIBSVM(os.Stdout, samples.ThreePoints()); err != nil {
		fmt.Println(err)
	}
	// Output:
	// 1 1:1 2:1
	// -1 1:-5 2:-1
	// -1 1:-1 2:5
}
