package svm_test

import (
	"context"
	"go/ast"
	"go/parser"
	"go/token"
	"io/fs"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/svmkit/course/internal/mutate"
)

// A mutation is one mistake put into this package, or one below it, on purpose. One of the tests
// has to fail.
type mutation struct {
	mistake string
	mutate.Mutation
	tests []string
}

var mutations = []mutation{
	{"every α may grow to 2C",
		mutate.Mutation{Func: "Loss.Box", Old: "lo, hi = -l.Over, l.Under", New: "lo, hi = -2*l.Over, 2*l.Under"},
		[]string{"TestKnownProblems", "TestCertificateInFractions"}},
	{"coordinate descent lets α grow to 2C, the certificate does not",
		mutate.Mutation{Func: "Loss.Step", Old: "lo, hi := l.Box()", New: "lo, hi := l.Box(); lo, hi = 2*lo, 2*hi"},
		[]string{"TestDualCoordinateIsCertified", "TestSDCAStepIsTheNotesFormula"}},
	{"b is the mean over all support vectors, not over the free ones",
		mutate.Mutation{Func: "addBias", Old: "proof.Bias = proof.BiasMin + (proof.BiasMax-proof.BiasMin)/2", New: `sum, support := 0.0, 0.0
			for i, v := range proof.Beta {
				if v != 0 {
					sum, support = sum+math.Copysign(1, v)-scores[i], support+1
				}
			}
			proof.Bias = sum / max(1, support)`},
		[]string{"TestBiasComesFromFreeSupportVectors"}},
	{"the tube has its edges on the wrong sides: y + ε below, y − ε above",
		mutate.Mutation{Func: "Task.setLosses", Old: "Low: y - eps, High: y + eps", New: "Low: y + eps, High: y - eps"},
		[]string{"TestLossTimesCost", "TestSMORegressionByHand"}},
	{"C⁺ and C⁻ of the tube's sides change places",
		mutate.Mutation{Func: "Task.setLosses", Old: "Under: cost[1], Over: cost[0]", New: "Under: cost[0], Over: cost[1]"},
		[]string{"TestNewtonProblemsSolvedByHand", "ExampleCost"}},
	{"ρ of a one-class model is the quantile of another ν",
		mutate.Mutation{Func: "Task.steps", Old: "d.before.add(t.Sum)", New: "d.before.add(t.Sum / 2)"},
		[]string{"TestOneClassByHand", "TestOneClassAgainstTheOracle"}},
	{"a coordinate step of regression pulls down to the lower edge",
		mutate.Mutation{Func: "Loss.Step", Old: "(l.High-s-c*beta)", New: "(l.Low-s-c*beta)"},
		[]string{"TestCoordinateStepBeatsGrid", "TestSMORegressionByHand"}},
	{"SMO takes the slope of regression at the wrong edge of the tube",
		mutate.Mutation{Func: "Loss.dualSlope", Old: "if positive", New: "if !positive"},
		[]string{"TestSMORegressionByHand", "TestSMOStateMatchesTheData"}},
	{"coordinate descent never restores a shrunk row",
		mutate.Mutation{Func: "restore", Old: "d.active, d.shrinkAbove = d.t.Len()",
			New: "all := d.t.Len(); if d.visits > 0 { all = d.active }; d.active, d.shrinkAbove = all"},
		[]string{"TestShrinkingIsUndone"}},
	{"SMO never restores a shrunk row",
		mutate.Mutation{Func: "smo.refresh", Old: "s.active, s.fresh, s.dual = t.Len(), true, 0", New: "s.fresh, s.dual = true, 0"},
		[]string{"TestSMORestoresShrunkRows"}},
	{"a fit is called optimal whatever its gap",
		mutate.Mutation{Func: "keep", Old: "r.Incumbent.RelativeGap() <= r.Tol", New: "r.Incumbent.RelativeGap() < 1e300"},
		[]string{"TestIterationLimit", "TestKnownProblems"}},
	{"the result is the last certificate, not the best",
		mutate.Mutation{Func: "keep", Old: "r.Incumbent == nil || proof.Gap < r.Incumbent.Gap", New: "r.Incumbent == nil || proof.Gap < 1e300"},
		[]string{"TestBestIsTheSmallestGapSoFar"}},
}

// Each mutation must make a test fail by an assertion, not by a build that fails, a panic or a
// hang. Without a mistake the same tests must pass.
func TestMutationsAreCaught(t *testing.T) {
	if testing.Short() || mutate.Running() {
		t.Skip("compiles the package once for each mutation")
	}
	none := mutations[0]
	none.New = none.Old
	for _, m := range mutations[1:] {
		none.tests = append(none.tests, m.tests...)
	}
	t.Run("control", func(t *testing.T) {
		t.Parallel()
		if failed := none.test(t); len(failed) > 0 {
			t.Errorf("%q fail without a mistake", failed)
		}
	})
	for _, m := range mutations {
		t.Run(m.mistake, func(t *testing.T) {
			t.Parallel()
			failed := m.test(t)
			if len(failed) == 0 {
				t.Errorf("none of %q sees it", m.tests)
			}
			t.Logf("caught by %q", failed)
		})
	}
}

// test returns which of the tests of m fail with the mistake compiled in.
func (m mutation) test(t *testing.T) (failed []string) {
	t.Helper()
	ctx, cancel := context.WithTimeout(t.Context(), 2*time.Minute)
	defer cancel()
	failed, err := m.Test(ctx, ".", t.TempDir(), m.tests, packagesWith(t, m.tests)...)
	if err != nil {
		t.Fatal(err)
	}
	return failed
}

// packagesWith returns the folders here and below with a test of one of the names. A name that is nowhere fails the test.
func packagesWith(t *testing.T, names []string) (folders []string) {
	t.Helper()
	missing := slices.Clone(names)
	err := filepath.WalkDir(".", func(path string, d fs.DirEntry, err error) error {
		switch {
		case err != nil:
			return err
		case d.IsDir() && d.Name() == "testdata":
			return filepath.SkipDir
		case d.IsDir() || !strings.HasSuffix(path, "_test.go"):
			return nil
		}
		file, err := parser.ParseFile(token.NewFileSet(), path, nil, parser.SkipObjectResolution)
		if err != nil {
			return err
		}
		for _, d := range file.Decls {
			f, ok := d.(*ast.FuncDecl)
			if !ok || f.Recv != nil || !slices.Contains(names, f.Name.Name) {
				continue
			}
			missing = slices.DeleteFunc(missing, func(n string) bool { return n == f.Name.Name })
			if folder := "./" + filepath.ToSlash(filepath.Dir(path)); !slices.Contains(folders, folder) {
				folders = append(folders, folder)
			}
		}
		return nil
	})
	if err != nil || len(missing) > 0 {
		t.Fatalf("no test has the name %s; %v", strings.Join(missing, " or "), err)
	}
	return folders
}
