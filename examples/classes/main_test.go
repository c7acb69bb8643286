package main

import (
	"testing"

	"github.com/svmkit/course/internal/leaktest"
)

func TestMain(m *testing.M) { leaktest.Main(m) }

func Example() {
	main()
	// Output:
	// accuracy 0.956 on 45 rows
	// setosa [15 0 0]
	// versicolor [0 13 2]
	// virginica [0 0 15]
}
