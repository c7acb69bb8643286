package docs_test

import (
	"testing"

	"github.com/svmkit/course/docs"
	"github.com/svmkit/course/internal/leaktest"
)

func TestMain(m *testing.M) { leaktest.Main(m) }

// Every block of ours in the tutorials and how-to guides prints the text below it.
func TestPrograms(t *testing.T) {
	if testing.Short() {
		t.Skip("builds a dozen programs")
	}
	docs.RunPrograms(t, "..", false)
}
