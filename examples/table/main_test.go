package main

import (
	"os"
	"testing"

	"github.com/svmkit/course/internal/leaktest"
)

func TestMain(m *testing.M) { leaktest.Main(m) }

func Example() {
	os.Args = []string{"table", "../../svmkit/pipeline/testdata/passengers.csv"}
	main()
	// Output:
	// survived: yes, P(yes) = 0.91
}
