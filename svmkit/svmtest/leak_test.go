package svmtest_test

import (
	"testing"

	"github.com/svmkit/course/internal/leaktest"
)

func TestMain(m *testing.M) { leaktest.Main(m) }
