package modelfile_test

import (
	"math"
	"path/filepath"
	"testing"

	"github.com/svmkit/course/svmkit"
	"github.com/svmkit/course/svmkit/modelfile"
	"github.com/svmkit/course/svmkit/svm"
)

// The files in testdata/v1 are of the first version of the format. Every later version of the library has to read them
// (see CHANGELOG.md), so they are never written anew. The scores are worked out from the numbers in the files.
func TestVersion1IsRead(t *testing.T) {
	const ulps = 4 * 0x1p-52 // math.Exp differs in the last bit between processors
	x := svmkit.Dense(1, 3, -1)
	for name, want := range map[string]struct {
		score, probability float64
		class              string
	}{
		"linear.model": {1.5 - 1 + 0.5, 1 / (1 + math.Exp(-2+0.25)), "spam"},
		// ‖x−z‖² = 9.25, 18.25 and 11 for the three vectors, the last of which is 0.
		"rbf.model": {0.75*math.Exp(-9.25/2) - 0.75*math.Exp(-18.25/2) + 0.25*math.Exp(-11.0/2) - 0.25, math.NaN(), ""},
	} {
		read, err := modelfile.LoadFile(filepath.Join("testdata", "v1", name))
		m, ok := read.(*svm.Model)
		if err != nil || !ok {
			t.Errorf("%s: %T, %v", name, read, err)
			continue
		}
		if got := m.Score(x); math.Abs(got-want.score) > ulps {
			t.Errorf("%s: score %v, want %v", name, got, want.score)
		}
		if got := m.Predict(x).Name; got != want.class {
			t.Errorf("%s: class %q, want %q", name, got, want.class)
		}
		got := m.Probability(x)
		if bothNaN := math.IsNaN(got) && math.IsNaN(want.probability); !bothNaN && !(math.Abs(got-want.probability) <= ulps) {
			t.Errorf("%s: probability %v, want %v", name, got, want.probability)
		}
	}
}
