// Reliability is the one command that shows whether the project keeps its word under bad input, faults
// and load: it runs the tests that are named Reliability, fuzzes every target and solves random problems,
// and writes one report with the figures of each.
//
// Run `go run ./reliability -h` for its flags; README.md says how to read the report.
package main

import (
	"context"
	"errors"
	"flag"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"github.com/svmkit/course/internal/atomicfile"
	"github.com/svmkit/course/internal/progress"
	"github.com/svmkit/course/internal/signals"
	"github.com/svmkit/course/tools/internal/machine"
)

func main() {
	ctx, stop := signals.Context()
	defer stop()
	err := run(ctx, os.Args[1:], os.Stdout, os.Stderr)
	status, ended := signals.Status(ctx)
	switch {
	case err == nil, errors.Is(err, flag.ErrHelp):
	case ended && errors.Is(err, context.Canceled):
		fmt.Fprintln(os.Stderr, "reliability: interrupted; what stands above is complete as far as it goes")
		os.Exit(status)
	default:
		fmt.Fprintln(os.Stderr, "reliability:", err)
		os.Exit(1)
	}
}

// errFound says that the report holds failures.
var errFound = errors.New("there are failures")

// run is main with its surroundings as arguments.
func run(ctx context.Context, args []string, stdout, stderr io.Writer) error {
	f := flags{}
	if err := f.parse(args, stderr); err != nil {
		return err
	}
	if f.output != "" { // not after hours
		if err := atomicfile.Check(f.output); err != nil {
			return err
		}
	}
	roots, err := moduleRoots(ctx)
	if err != nil {
		return err
	}
	scratch, err := os.MkdirTemp("", "svmkit-reliability-")
	if err != nil {
		return err
	}
	defer os.RemoveAll(scratch)
	found, err := testPackages(ctx, roots)
	if err != nil {
		return err
	}
	if f.match != "" && f.wants("fuzz") && !slices.ContainsFunc(found, func(p testPackage) bool { return len(p.matching(f.match)) > 0 }) {
		return fmt.Errorf("-target %s: no fuzz target has that in its name", f.match)
	}
	w := &work{flags: f, roots: roots, scratch: scratch, found: found}
	w.progress = progress.New("reliability", stderr, w.jobs())
	w.results = results{Date: time.Now().Format("2006-01-02 15:04"), Command: strings.TrimSpace("reliability " + strings.Join(args, " ")), Machine: machine.Read()}
	start := time.Now()
	for _, part := range []struct {
		name string
		run  func(context.Context) error
	}{{"tests", w.tests}, {"fuzz", w.fuzz}, {"soak", w.soak}} {
		if !f.wants(part.name) || ctx.Err() != nil {
			continue
		}
		if err := part.run(ctx); err != nil && ctx.Err() == nil { // one part that cannot run is no reason to lose the others
			w.results.Failures = append(w.results.Failures, part.name+": "+err.Error())
		}
	}
	w.progress.Finish()
	w.results.Seconds = time.Since(start).Seconds()
	w.results.Interrupted = ctx.Err() != nil
	err = w.results.write(stdout)
	if f.output != "" {
		err = errors.Join(err, atomicfile.Write(f.output, w.results.write))
	}
	switch {
	case err != nil:
		return err
	case ctx.Err() != nil:
		return ctx.Err()
	case len(w.results.failures()) > 0:
		return fmt.Errorf("%w: %d", errFound, len(w.results.failures()))
	}
	return nil
}

// work is one run of the command.
type work struct {
	flags
	roots    []string // of the modules; the first is the one of the working directory
	scratch  string   // a folder for what is built
	found    []testPackage
	progress *progress.Progress
	results  results
}

// jobs is how many jobs the progress counts: packages, targets and the soak.
func (w *work) jobs() (n int) {
	for _, p := range w.found {
		if w.wants("tests") && p.Reliability {
			n++
		}
		if w.wants("fuzz") {
			n += len(p.matching(w.match))
		}
	}
	if w.wants("soak") {
		n++
	}
	return n
}

// moduleRoots returns the folder of the module that the working directory is in, and the folder around it if that
// is a module too: the course, around its tools.
func moduleRoots(ctx context.Context) ([]string, error) {
	out, err := output(ctx, ".", "go", "env", "GOMOD")
	if err != nil {
		return nil, err
	}
	file := strings.TrimSpace(string(out))
	if file == "" || file == os.DevNull {
		return nil, errors.New("not in the folder of a module")
	}
	roots := []string{filepath.Dir(file)}
	around := filepath.Dir(roots[0])
	if _, err := os.Stat(filepath.Join(around, "go.mod")); err == nil {
		roots = append(roots, around)
	}
	return roots, nil
}
