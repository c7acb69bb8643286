package figures

import (
	"testing"

	"github.com/svmkit/course/internal/leaktest"
	"github.com/svmkit/course/internal/plottest"
)

func TestMain(m *testing.M) { leaktest.Main(m) }

func TestGolden(t *testing.T) { plottest.Golden(t, examples) }

func TestFiguresAreDescribedAndRenderTheSameTwice(t *testing.T) { plottest.Described(t, examples) }
