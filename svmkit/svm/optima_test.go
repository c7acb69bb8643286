package svm_test

import (
	"context"
	"crypto/sha256"
	"fmt"
	"math"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/svmkit/course/svmkit"
	"github.com/svmkit/course/svmkit/dataset"
	"github.com/svmkit/course/svmkit/kernel"
	"github.com/svmkit/course/svmkit/loss"
	"github.com/svmkit/course/svmkit/svm"
)

// knownOptima are optimal values for C = 1 that others have computed: LIBLINEAR's solvers run to
// their end with a bias feature of 1, and LIBSVM's dual objective for the RBF kernel with γ = 1/d.
// The last printed digit is theirs.
var knownOptima = []struct {
	set     string
	loss    loss.Trainable
	bias    svmkit.Bias
	rbf     bool
	optimum float64
	digits  int // printed behind the decimal point
}{
	{"a9a", loss.Hinge{}, svmkit.PenalizedBias, false, 11433.700, 3},
	{"magic", loss.Hinge{}, svmkit.PenalizedBias, false, 9118.99, 2},
	{"a9a", loss.SquaredHinge{}, svmkit.PenalizedBias, false, 13742.373, 3},
	{"magic", loss.SquaredHinge{}, svmkit.PenalizedBias, false, 11317.757, 3},
	{"shuttle_b", loss.SquaredHinge{}, svmkit.PenalizedBias, false, 7767.18, 2},
	{"spambase", loss.Hinge{}, svmkit.FreeBias, true, 851.664, 3},
	{"shuttle_b", loss.Hinge{}, svmkit.FreeBias, true, 749.387, 3},
	{"magic", loss.Hinge{}, svmkit.FreeBias, true, 6091.555, 3},
	{"kin8nm", loss.EpsInsensitive{Epsilon: 0.1}, svmkit.FreeBias, true, 1341.763, 3},
}

func benchSet(t *testing.T, name string) *svmkit.Dataset {
	t.Helper()
	set, err := dataset.ReadFile(context.Background(), filepath.Join("..", "..", "tools", "bench", "data", name+".gz"), nil)
	if err != nil {
		t.Fatal(err)
	}
	return set
}

// The certified interval [dual, primal] holds the known optimum, and is narrow. It holds it too
// where LIBLINEAR's dual solver gives up at its limit of iterations (hinge on a9a and magic).
func TestKnownOptima(t *testing.T) {
	const narrow = 1e-6
	for _, c := range knownOptima {
		t.Run(fmt.Sprintf("%s/%T/rbf=%v", c.set, c.loss, c.rbf), func(t *testing.T) {
			t.Parallel()
			set := benchSet(t, c.set)
			p := &svm.Problem{Data: set, Loss: c.loss, Bias: c.bias}
			if c.rbf {
				if testing.Short() {
					t.Skip("seconds of kernel values")
				}
				p.Kernel = kernel.RBF{Gamma: 1 / float64(set.Dim)}
			}
			r, err := svm.Fit(t.Context(), p, nil, &svm.Settings{Tol: narrow})
			if err != nil || r.Status != svmkit.Optimal {
				t.Fatalf("%v, %v", r.Status, err)
			}
			lastDigit := math.Pow(10, -float64(c.digits)) * 1.01 // printed, so rounded or cut
			if r.Dual > c.optimum+lastDigit || r.Primal < c.optimum-lastDigit {
				t.Errorf("%s: between %.6f and %.6f; the known optimum is %v", r.Trace, r.Dual, r.Primal, c.optimum)
			}
		})
	}
}

// Where LIBLINEAR stops at 300 iterations far from the optimum, we reach 1e-6.
func TestReachesTheGapWhereLIBLINEARStops(t *testing.T) {
	for _, name := range []string{"magic", "shuttle_b", "a9a"} {
		for _, bias := range []svmkit.Bias{svmkit.PenalizedBias, svmkit.FreeBias} {
			t.Run(fmt.Sprintf("%s/%v", name, bias), func(t *testing.T) {
				t.Parallel()
				r, err := svm.Fit(t.Context(), &svm.Problem{Data: benchSet(t, name), Bias: bias}, nil, &svm.Settings{Tol: 1e-6})
				if err != nil || r.Status != svmkit.Optimal || r.RelativeGap() > 1e-6 {
					t.Errorf("%v: %v, relative gap %.1e, %v", r.Trace, r.Status, r.RelativeGap(), err)
				}
			})
		}
	}
}

// The benchmark sets are the files that their checksums were made of.
func TestBenchDataChecksums(t *testing.T) {
	dir := filepath.Join("..", "..", "tools", "bench", "data")
	sums, err := os.ReadFile(filepath.Join(dir, "SHA256SUMS"))
	if err != nil {
		t.Fatal(err)
	}
	files, err := filepath.Glob(filepath.Join(dir, "*.gz"))
	if lines := strings.Fields(string(sums)); err != nil || len(lines) != 2*len(files) {
		t.Fatalf("%d files, %d entries, %v", len(files), len(lines)/2, err)
	}
	for _, line := range strings.Split(strings.TrimSpace(string(sums)), "\n") {
		want, name, _ := strings.Cut(line, "  ")
		text, err := os.ReadFile(filepath.Join(dir, name))
		if err != nil || fmt.Sprintf("%x", sha256.Sum256(text)) != want {
			t.Errorf("%s: not the file of SHA256SUMS (%v)", name, err)
		}
	}
}
