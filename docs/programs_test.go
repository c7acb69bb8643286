package docs_test

import (
	"testing"

	"github.com/svmkit/course/docs"
	"github.com/svmkit/course/internal/leaktest"
)

func TestMain(m *testing.M) { leaktest.Main(m) }

// Every program of ours on the page prints the text that stands below it.
func TestPrograms(t *testing.T) {
	if testing.Short() {
		t.Skip("builds a dozen programs")
	}
	docs.RunPrograms(t, "..", false)
}
