package main

import (
	"bufio"
	"context"
	"encoding/json"
	"io"
	"os"
	"strings"
	"time"
)

// A testResult is one test and what it says of itself by t.Attr.
type testResult struct {
	Package, Name string
	Outcome       string // pass, fail or skip; "" if it was interrupted
	Seconds       float64
	Figures       []figure
	Output        string // of a failure or a skip
}

// A figure is an attribute of a test: cases, kills, peaks.
type figure struct{ Key, Value string }

// event is a line of `go test -json`; see `go doc test2json`.
type event struct {
	Action, Package, Test, Output, Key, Value string
	Elapsed                                   float64
	ImportPath, FailedBuild                   string // of the building of a package's tests
}

// tests runs all tests of reliability, module by module.
func (w *work) tests(ctx context.Context) error {
	for _, root := range w.roots {
		if err := w.testsOf(ctx, root); err != nil {
			return err
		}
	}
	return nil
}

// testsOf runs the tests of reliability of the module at root.
func (w *work) testsOf(ctx context.Context, root string) error {
	args := []string{"test", "-json", "-run", "Reliability"}
	if w.quick {
		args = append(args, "-short")
	}
	if w.full {
		args = append(args, "-timeout", "3h")
	}
	packages := 0
	for _, p := range w.found {
		if p.Reliability && p.Root == root {
			args = append(args, p.Path)
			packages++
		}
	}
	if packages == 0 {
		return nil
	}
	cmd := child(ctx, root, "go", append(args, "-count=1")...)
	cmd.Env = os.Environ()
	switch {
	case w.full:
		cmd.Env = append(cmd.Env, "SVMKIT_RELIABILITY=full")
	case !w.quick: // the table of signals is whole
		cmd.Env = append(cmd.Env, "SVMKIT_RELIABILITY=signals")
	}
	out, err := cmd.StdoutPipe()
	if err != nil {
		return err
	}
	start := time.Now()
	if err := cmd.Start(); err != nil {
		return err
	}
	w.progress.Say("tests")
	t := testReader{done: func(pack string, outcome string) { w.progress.Done("tests of " + pack + ": " + outcome) }}
	readErr := t.read(out)
	err = wait(cmd)
	w.results.Tests = append(w.results.Tests, t.results...)
	w.results.TestTime.Clock += time.Since(start)
	w.results.TestTime.Processors += cpu(cmd)
	switch {
	case ctx.Err() != nil: // a package that we have stopped is broken by us
		return ctx.Err()
	case readErr != nil:
		return readErr
	}
	w.results.Failures = append(w.results.Failures, t.broken...)
	if len(t.broken) == 0 && len(t.results) == 0 {
		return err // go itself could not run
	}
	return nil
}

// testReader turns events into results.
type testReader struct {
	results []testResult
	broken  []string // packages that failed with no failing test: they do not build, or timed out
	done    func(pack, outcome string)
	open    map[string]*testResult // by package and name
	output  map[string]string      // of packages and of the building of packages
}

func (t *testReader) read(r io.Reader) error {
	t.open, t.output = map[string]*testResult{}, map[string]string{}
	lines := bufio.NewReader(r)
	for {
		line, err := lines.ReadBytes('\n')
		if len(line) > 0 {
			var e event
			if json.Unmarshal(line, &e) == nil { // what is no event is a message of go's, and comes again as output
				t.take(e)
			}
		}
		if err == io.EOF {
			break
		} else if err != nil {
			return err
		}
	}
	for _, open := range t.open { // interrupted
		t.results = append(t.results, *open)
	}
	return nil
}

func (t *testReader) take(e event) {
	if e.Test == "" {
		t.takePackage(e)
		return
	}
	top, _, sub := strings.Cut(e.Test, "/") // the figures and the output of a subtest are its test's
	key := e.Package + " " + top
	open := t.open[key]
	if open == nil {
		open = &testResult{Package: e.Package, Name: top}
		t.open[key] = open
	}
	switch e.Action {
	case "attr":
		open.Figures = append(open.Figures, figure{e.Key, e.Value})
	case "output":
		const most = 4 << 10
		if line := strings.TrimSpace(e.Output); !strings.HasPrefix(line, "=== ") && !strings.HasPrefix(line, "--- ") && len(open.Output) < most {
			open.Output += e.Output
		}
	case "pass", "fail", "skip":
		if sub {
			return
		}
		open.Outcome, open.Seconds = e.Action, e.Elapsed
		if e.Action == "pass" {
			open.Output = ""
		}
		t.results = append(t.results, *open)
		delete(t.open, key)
	}
}

func (t *testReader) takePackage(e event) {
	switch e.Action {
	case "build-output":
		t.output[e.ImportPath] += e.Output
	case "output":
		t.output[e.Package] += e.Output
	case "pass", "fail", "skip":
		failed := false
		for _, r := range t.results {
			failed = failed || r.Package == e.Package && r.Outcome == "fail"
		}
		if e.Action == "fail" && !failed {
			t.broken = append(t.broken, e.Package+": "+strings.TrimSpace(t.output[e.FailedBuild]+t.output[e.Package]))
		}
		t.done(e.Package, e.Action)
	}
}
