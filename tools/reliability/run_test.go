package main

import (
	"bytes"
	"context"
	"errors"
	"flag"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/svmkit/course/internal/progress"
)

// module writes a small module of its own and returns its folder. It needs the standard library only.
func module(t *testing.T, files map[string]string) string {
	t.Helper()
	dir := t.TempDir()
	files["go.mod"] = "module example.com/small\n\ngo 1.25\n"
	for name, text := range files {
		path := filepath.Join(dir, name)
		if err := os.MkdirAll(filepath.Dir(path), 0o777); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(path, []byte(text), 0o666); err != nil {
			t.Fatal(err)
		}
	}
	return dir
}

const goodTests = `package good
import "testing"
func TestReliabilityCounts(t *testing.T) {
	t.Run("one", func(t *testing.T) { t.Attr("cases", "40") })
	t.Attr("cases", "2")
	t.Attr("kills-while-saving", "200")
	t.Attr("slowest", "0.1 s | one")
	t.Attr("signal", "train\treading\tSIGHUP\t129")
	t.Attr("attack-walk", "10 later\ta | \x60b\x60\trefused\tstatus 1")
	t.Attr("attack-walk", "no number\tx\ty\tz")
	t.Attr("attack-walk", "9 earlier\tx\ty\tz (wrong)")
}
func TestReliabilitySkips(t *testing.T) { t.Skip("no such tool here") }
func TestOther(t *testing.T) { t.Error("is not to run") }
func FuzzFine(f *testing.F) {
	f.Add("a")
	f.Fuzz(func(t *testing.T, s string) { if len(s) > 5 && s[0] == 'x' && s[1] == 'y' { t.Log(s) } })
}
`

const badTests = `package bad
import ("os"; "testing")
func TestReliabilityFails(t *testing.T) { t.Attr("cases", "1"); t.Error("seven is not eight") }
func FuzzBad(f *testing.F) {
	f.Add([]byte("0"))
	f.Fuzz(func(t *testing.T, s []byte) { if len(s) > 0 && s[0] > '@' { t.Error("a letter") } })
}
func FuzzSeed(f *testing.F) {
	f.Add("A")
	f.Fuzz(func(t *testing.T, s string) { if s == "A" { t.Error("a seed that fails") } })
}
func FuzzKept(f *testing.F) {
	f.Fuzz(func(t *testing.T, s string) { if s == "ABC" { panic("an old input fails again") } })
}
func TestReliabilityWatches(t *testing.T) { if os.Getenv("SVMKIT_RELIABILITY") == "full" { t.Attr("full", "yes") } }
`

// The whole command on a small module: what it finds, counts and reports, from go's real output.
func TestReportOfASmallModule(t *testing.T) {
	dir := module(t, map[string]string{
		"good/good_test.go":              goodTests,
		"bad/bad_test.go":                badTests,
		"bad/testdata/fuzz/FuzzKept/abc": "go test fuzz v1\nstring(\"ABC\")\n",
		"broken/broken_test.go":          "package broken\nimport \"testing\"\nfunc TestReliabilityNever(t *testing.T) { undefined() }\n",
		"plain/plain_test.go":            "package plain\nimport \"testing\"\nfunc TestPlain(t *testing.T) { t.Error(\"is not to run\") }\n",
	})
	t.Chdir(dir)
	t.Setenv("GOFLAGS", "")
	report := filepath.Join(dir, "report.md")
	var out, lines bytes.Buffer
	err := run(context.Background(), []string{"-only", "tests,fuzz", "-full", "-fuzz", "3s", "-side", "2", "-o", report}, &out, &lines)
	if !errors.Is(err, errFound) {
		t.Errorf("error %v, want that there are failures", err)
	}
	text, err := os.ReadFile(report)
	if err != nil || string(text) != out.String() {
		t.Errorf("the report in the file is not the one that is printed: %v", err)
	}
	for _, want := range []string{
		"| tests of reliability: passed, skipped | 2, 1 | 1 |",
		"| cases of bad input, faults and limits | 43 | |", // 40 of the subtest, 2 and 1
		"How to read it: tools/reliability/README.md.",     // no link: the report can be anywhere
		"| kills survived | 200 | |",
		"| example.com/small/good | Counts | pass |",
		`cases: 40; cases: 2; kills while saving: 200; slowest: 0.1 s \| one |`,
		"| attacks of the walk | 3 | 1 |",
		"| train | reading | – | – | 129 | – |",
		"| 9 earlier | ` x ` | y | ` z (wrong) ` |\n| 10 later | `` a \\| `b` `` | refused | ` status 1 ` |\n| no number | ` x ` |",
		"| example.com/small/good | Skips | skip |", "no such tool here",
		"| example.com/small/bad | Watches | pass |", "full: yes",
		"seven is not eight", "a letter", "Failing input written to testdata/fuzz/FuzzBad/", "undefined: undefined",
		"| example.com/small/good | FuzzFine |", "| example.com/small/bad | FuzzBad |",
		"FuzzSeed: failure while testing seed corpus entry: FuzzSeed/seed#0", "a seed that fails",
		"FuzzKept: failure while testing seed corpus entry: FuzzKept/abc", "an old input fails again",
		"| could not run | | 1 |", // the package that does not build
	} {
		if !strings.Contains(string(text), want) {
			t.Errorf("the report does not say %q", want)
		}
	}
	if strings.Contains(string(text), "is not to run") {
		t.Error("tests of another name were run")
	}
	inputs, _ := filepath.Glob(filepath.Join(dir, "bad/testdata/fuzz/FuzzBad/*"))
	if len(inputs) != 1 {
		t.Errorf("failing inputs %v, want one where `go test` looks for it", inputs)
	}
	for _, want := range []string{"reliability: tests of example.com/small/good: pass\n", "reliability: fuzz example.com/small/bad.FuzzBad: "} {
		if !strings.Contains(lines.String(), want) {
			t.Errorf("the progress does not say %q:\n%s", want, lines.String())
		}
	}
	if t.Failed() {
		t.Logf("%s\n%s", text, lines.String())
	}
}

// Stopped in the middle, a run reports what there is, and nothing of it stays behind.
func TestInterruptedRunReports(t *testing.T) {
	dir := module(t, map[string]string{"good/good_test.go": goodTests})
	t.Chdir(dir)
	t.Setenv("GOFLAGS", "")
	p := testPackage{Path: "example.com/small/good", Dir: filepath.Join(dir, "good"), Targets: []string{"FuzzFine"}}
	binary := filepath.Join(dir, "good.test")
	if out, err := exec.Command("go", "test", "-c", "-fuzz=Fuzz", "-o", binary, "./good").CombinedOutput(); err != nil {
		t.Fatalf("%v: %s", err, out)
	}
	ctx, cancel := context.WithCancel(context.Background())
	defer cancel()
	f := &fuzzing{target: "FuzzFine", binary: binary, cache: filepath.Join(dir, "cache"), say: func(n int) {
		if n > 0 {
			cancel()
		}
	}}
	r, err := f.run(ctx, p, time.Hour)
	if err != nil || r.Executions == 0 || r.Corpus == 0 || len(r.Failures) > 0 || r.Time.Clock <= 0 || r.Time.Processors <= 0 {
		t.Errorf("%+v, %v", r, err)
	}
	if r.Time.Clock > time.Minute {
		t.Errorf("it took %v to stop", r.Time.Clock)
	}
}

// The real soak, in short.
func TestSoakIsRead(t *testing.T) {
	roots, err := moduleRoots(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	w := &work{flags: flags{only: "soak", soakTime: time.Second, seed: 7}, roots: roots, scratch: t.TempDir()}
	var out bytes.Buffer
	w.progress = progress.New("reliability", &out, 1)
	if err := w.soak(t.Context()); err != nil {
		t.Fatal(err)
	}
	s := w.results.Soak
	_, seconds, fits := s.worst()
	if s.Problems == 0 || s.Seed != 7 || s.PerMinute <= 0 || fits < s.Problems || seconds <= 0 || s.HeapEnd == 0 || len(s.Scores) < 5 {
		t.Errorf("%+v", s)
	}
	var report bytes.Buffer
	if err := w.results.write(&report); err != nil || !strings.Contains(report.String(), "| soak: problems a minute | ") || !strings.Contains(report.String(), "| SMO | ") {
		t.Errorf("%v\n%s", err, report.String())
	}
}

// What was not solved is shown with what it takes to see it again, but not all of it.
func TestReportShowsTheFirstUnsolved(t *testing.T) {
	var s soakResult
	for k := range uint64(7) {
		s.Unsolved = append(s.Unsolved, soakFault{Seed: 3, Number: 100 + k, Solver: "SMO", What: "stalled: 2e-6 after 9 iterations", Problem: "hostile"})
	}
	var report bytes.Buffer
	if err := (&results{Soak: &s}).write(&report); err != nil {
		t.Fatal(err)
	}
	text := report.String()
	if !strings.Contains(text, "Not solved, which is no failure: 7, the first of them:\n\n- soak -seed 3 -problem 100 -big=false: SMO: stalled: 2e-6") ||
		strings.Count(text, "stalled: 2e-6") != 5 || strings.Contains(text, "## Failures") {
		t.Errorf("the report:\n%s", text)
	}
}

func TestFlags(t *testing.T) {
	for want, args := range map[string][]string{
		"no part":          {"-only", "tests,bench"},
		"only flags":       {"more"},
		"exclude":          {"-quick", "-full"},
		"must be positive": {"-fuzz", "0"},
		"invalid value":    {"-side", "x"},
		"-h":               {"-unknown"},
	} {
		var f flags
		if err := f.parse(args, new(bytes.Buffer)); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%v: error %v, want one with %q", args, err, want)
		}
	}
	var help bytes.Buffer
	if err := (&flags{}).parse([]string{"-h"}, &help); !errors.Is(err, flag.ErrHelp) || !strings.Contains(help.String(), "Parts: tests, fuzz, soak.") {
		t.Errorf("%v: %s", err, help.String())
	}
	f := flags{}
	if err := f.parse([]string{"-quick", "-soak", "1m"}, &help); err != nil || f.fuzzTime != time.Second || f.soakTime != time.Minute {
		t.Errorf("-quick gives %+v, %v", f, err)
	}
}

// The targets that the issue of reliability names are there, and are found.
func TestTargetsOfTheCourse(t *testing.T) {
	roots, err := moduleRoots(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	found, err := testPackages(t.Context(), roots)
	if err != nil {
		t.Fatal(err)
	}
	var all []string
	for _, p := range found {
		for _, target := range p.Targets {
			all = append(all, short(p.Path)+"."+target)
		}
	}
	for _, want := range []string{"svmkit/dataset.FuzzReadLIBSVM", "svmkit/dataset.FuzzReadCSV", "tools/internal/peers/reading.FuzzPeersRead",
		"svmkit/modelfile.FuzzLoad", "svmkit/modelfile.FuzzLoadLIBSVM", "svmkit/modelfile.FuzzLoadLIBLINEAR", "lessons/internal/notebook.FuzzParseMarkdown",
		"lessons/internal/notebook.FuzzReadJSON", "lessons/internal/kernel.FuzzParseMessage"} {
		if !slices.Contains(all, want) {
			t.Errorf("%s is not among %v", want, all)
		}
	}
}

// What would make a run of hours worthless is said before it: a report that cannot be written, a target that there is not.
func TestWorthlessRunsDoNotBegin(t *testing.T) {
	t.Chdir(module(t, map[string]string{"good/good_test.go": goodTests}))
	for want, args := range map[string][]string{
		"no such file": {"-only", "soak", "-soak", "1h", "-o", filepath.Join(t.TempDir(), "nowhere", "report.md")},
		"-target Fin3": {"-only", "fuzz", "-fuzz", "1h", "-target", "Fin3"},
	} {
		var out bytes.Buffer
		if err := run(t.Context(), args, &out, new(bytes.Buffer)); err == nil || !strings.Contains(err.Error(), want) || out.Len() > 0 {
			t.Errorf("%v: error %v, want one with %q; report %q", args, err, want, out.String())
		}
	}
}

// Where the report's file is gone when it is to be written, the report is on the standard output all the same.
func TestReportIsNotLostWithItsFile(t *testing.T) {
	t.Chdir(module(t, map[string]string{"good/good_test.go": goodTests}))
	folder := filepath.Join(t.TempDir(), "folder")
	if err := os.Mkdir(folder, 0o777); err != nil {
		t.Fatal(err)
	}
	removes := writerFunc(func(p []byte) (int, error) { os.RemoveAll(folder); return len(p), nil }) // the first progress
	var out bytes.Buffer
	err := run(t.Context(), []string{"-only", "tests", "-o", filepath.Join(folder, "report.md")}, &out, removes)
	if err == nil || !strings.Contains(err.Error(), folder) || !strings.Contains(out.String(), "Counts") {
		t.Errorf("error %v, report %q", err, out.String())
	}
}

type writerFunc func(p []byte) (int, error)

func (f writerFunc) Write(p []byte) (int, error) { return f(p) }
