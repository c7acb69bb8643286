package svm_test

import (
	"context"
	"encoding/json"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
	"time"
)

// A mutation is one mistake put into one file of this package on purpose. The tests that run
// names have to notice it: a gate is worth what it stops.
type mutation struct {
	mistake  string
	file     string
	old, new string // old stands in file exactly once
	run      string // pattern of the tests that should see it, as for go test -run
}

var mutations = []mutation{
	{
		mistake: "every α may grow to 2C",
		file:    "task.go",
		old:     "lo, hi = -t.over[i], t.under[i]",
		new:     "lo, hi = -2*t.over[i], 2*t.under[i]",
		run:     "TestKnownProblems|TestCertificateInFractions",
	},
	{
		mistake: "coordinate descent lets α grow to 2C, the certificate does not",
		file:    "dualcoordinate_step.go",
		old:     "c[i].lo, c[i].hi = t.box(i)",
		new:     "c[i].lo, c[i].hi = t.box(i)\n\t\tc[i].lo, c[i].hi = 2*c[i].lo, 2*c[i].hi",
		run:     "TestDualCoordinateIsCertified|TestSDCAStepIsTheNotesFormula",
	},
	{
		mistake: "b is the mean over all support vectors (note D, eq. 5), not over the free ones",
		file:    "certify.go",
		old:     "proof.bias = proof.BiasMin + (proof.BiasMax-proof.BiasMin)/2",
		new: `sum, support := 0.0, 0.0
		for i, v := range proof.Beta {
			if v != 0 {
				sum, support = sum+math.Copysign(1, v)-scores[i], support+1
			}
		}
		proof.bias = sum / max(1, support)`,
		run: "TestBiasComesFromFreeSupportVectors",
	},
	{
		mistake: "the tube has its edges on the wrong sides: y + ε below, y − ε above",
		file:    "task.go",
		old:     "t.low[i], t.high[i] = y-eps, y+eps",
		new:     "t.low[i], t.high[i] = y+eps, y-eps",
		run:     "TestLossIsPriced|TestSMORegressionByHand",
	},
	{
		mistake: "C⁺ and C⁻ of the tube's sides change places",
		file:    "task.go",
		old:     "t.over[i], t.under[i] = price[0], price[1]",
		new:     "t.under[i], t.over[i] = price[0], price[1]",
		run:     "TestNewtonProblemsSolvedByHand|ExampleCost",
	},
	{
		mistake: "a coordinate step of regression pulls down to the lower edge",
		file:    "dualcoordinate_step.go",
		old:     "(c.high-f-c.curveOver*beta)/(c.q+c.curveOver)",
		new:     "(c.low-f-c.curveOver*beta)/(c.q+c.curveOver)",
		run:     "TestCoordinateStepBeatsGrid|TestSMORegressionByHand",
	},
	{
		mistake: "SMO takes the slope of regression at the wrong edge of the tube",
		file:    "smo_step.go",
		old:     "edge := t.high[i]\n\tif positive {",
		new:     "edge := t.high[i]\n\tif !positive {",
		run:     "TestSMORegressionByHand|TestSMOKeepsItsBooks",
	},
	{
		mistake: "coordinate descent never takes back a row that it has set aside",
		file:    "dualcoordinate_shrink.go",
		old:     "d.field, d.active, d.ease = d.all, d.t.len(), math.Inf(1)",
		new:     "if d.visits == 0 {\n\t\td.field, d.active = d.all, d.t.len()\n\t}\n\td.ease = math.Inf(1)",
		run:     "TestShrinkingIsUndone",
	},
	{
		mistake: "SMO never takes back a row that it has shrunk away",
		file:    "smo.go",
		old:     "s.active, s.fresh, s.dual = t.len(), true, 0",
		new:     "s.fresh, s.dual = true, 0",
		run:     "TestSMOLooksAgainAtShrunkRows",
	},
	{
		mistake: "a fit is called optimal whatever its gap",
		file:    "run.go",
		old:     "case r.incumbent.RelativeGap() <= r.Tol:",
		new:     "case r.incumbent.RelativeGap() < 1e300:",
		run:     "TestEpochLimit|TestKnownProblems",
	},
	{
		mistake: "the result is the last certificate, not the best",
		file:    "run.go",
		old:     "if r.incumbent == nil || proof.Gap < r.incumbent.Gap",
		new:     "if r.incumbent == nil || proof.Gap < 1e300",
		run:     "TestBestIsTheSmallestGapSoFar",
	},
}

// mutant is set in the environment of the runs that this test starts.
const mutant = "SVMKIT_MUTANT"

// The mutation gate: each mistake must turn a test red, by an assertion and not by a build that
// fails, a panic or a hang. The mistake goes to the compiler as an overlay; no file of this
// folder is written. A control with no mistake in it must stay green.
func TestMutationsAreCaught(t *testing.T) {
	if testing.Short() || os.Getenv(mutant) != "" {
		t.Skip("compiles the package anew for each mutation")
	}
	var all []string
	for _, m := range mutations {
		all = append(all, m.run)
	}
	t.Run("control", func(t *testing.T) {
		t.Parallel()
		out, err := m0.test(t, strings.Join(all, "|"))
		if err != nil {
			t.Errorf("red without a mistake: %v\n%s", err, out)
		}
	})
	for _, m := range mutations {
		t.Run(m.mistake, func(t *testing.T) {
			t.Parallel()
			out, err := m.test(t, m.run)
			caught := failedTest.FindAllStringSubmatch(out, -1)
			switch {
			case err == nil:
				t.Errorf("no test of %s sees it", m.run)
			case len(caught) == 0 || strings.Contains(out, "panic: "):
				t.Errorf("no test failed by an assertion: %v\n%s", err, out)
			}
			for _, name := range caught {
				t.Log("caught by", name[1])
			}
		})
	}
}

// m0 changes nothing but the wording of a comment.
var m0 = mutation{file: "task.go", old: "// box returns the range of βᵢ.", new: "// box returns βᵢ's range."}

var failedTest = regexp.MustCompile(`(?m)^--- FAIL: (\w+)`)

// test runs the tests of this package that run names, with the mistake compiled in.
func (m mutation) test(t *testing.T, run string) (output string, err error) {
	overlay := m.overlay(t)
	ctx, cancel := context.WithTimeout(t.Context(), 2*time.Minute)
	defer cancel()
	cmd := exec.CommandContext(ctx, "go", "test", "-overlay="+overlay, "-vet=off", "-count=1", "-timeout=60s", "-run=^("+run+")$", ".")
	cmd.Env = append(os.Environ(), mutant+"=1")
	out, err := cmd.CombinedOutput()
	return string(out), err
}

// overlay writes the mutated file and go's description of the exchange to a folder of t.
func (m mutation) overlay(t *testing.T) (file string) {
	source, err := os.ReadFile(m.file)
	if err != nil {
		t.Fatal(err)
	}
	mutated, err := m.mutate(string(source))
	if err != nil {
		t.Fatal(err)
	}
	original, err := filepath.Abs(m.file)
	if err != nil {
		t.Fatal(err)
	}
	dir := t.TempDir()
	changed := filepath.Join(dir, m.file)
	description, err := json.Marshal(map[string]map[string]string{"Replace": {original: changed}})
	if err != nil {
		t.Fatal(err)
	}
	file = filepath.Join(dir, "overlay.json")
	for path, text := range map[string]string{changed: mutated, file: string(description)} {
		if err := os.WriteFile(path, []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	return file
}

// mutate puts the mistake into source. It insists that the place to change is there, once: code
// that is written anew must not leave a gate behind that guards nothing.
func (m mutation) mutate(source string) (string, error) {
	if n := strings.Count(source, m.old); n != 1 {
		return "", fmt.Errorf("%s has %q %d times, not once: write this mutation anew", m.file, m.old, n)
	}
	return strings.Replace(source, m.old, m.new, 1), nil
}

func TestMutateInsistsOnOnePlace(t *testing.T) {
	m := mutation{file: "x.go", old: "a < b", new: "a <= b"}
	if got, err := m.mutate("if a < b {"); err != nil || got != "if a <= b {" {
		t.Errorf("%q, %v", got, err)
	}
	for _, source := range []string{"if b > a {", "a < b || a < b"} {
		if got, err := m.mutate(source); err == nil {
			t.Errorf("%q became %q", source, got)
		}
	}
}
