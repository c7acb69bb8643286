package main

import (
	"testing"

	"github.com/svmkit/course/internal/leaktest"
)

func TestMain(m *testing.M) { leaktest.Main(m) }

func Example() {
	main()
	// Output:
	// accuracy 0.97 ± 0.01; C = 10; the message is spam: true
}
