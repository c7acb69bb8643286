package main

import (
	"testing"

	"github.com/svmkit/course/internal/leaktest"
)

// No test of this package may leave a goroutine behind.
func TestMain(m *testing.M) { leaktest.Main(m) }
