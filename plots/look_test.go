package plots_test

import (
	"testing"

	"github.com/svmkit/course/internal/plottest"
	"github.com/svmkit/course/plots"
)

func TestGolden(t *testing.T) { plottest.Golden(t, plots.Examples) }

func TestFiguresAreDescribedAndRenderTheSameTwice(t *testing.T) {
	plottest.Described(t, plots.Examples)
}
