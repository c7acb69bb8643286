package main

import (
	"bufio"
	"context"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"regexp"
	"strconv"
	"strings"
	"sync"
	"time"
)

// A fuzzResult is what fuzzing one target came to.
type fuzzResult struct {
	Package, Target string
	Executions      int
	New             int // inputs that reached something new
	Corpus          int // inputs that are kept, in all
	Time            spent
	Failures        []string
	Skipped         string // why the target had nothing to fuzz
}

// spent is time by the clock and of processors.
type spent struct{ Clock, Processors time.Duration }

// fuzz builds the packages with targets and fuzzes all targets, some side by side.
func (w *work) fuzz(ctx context.Context) error {
	cache, err := output(ctx, ".", "go", "env", "GOCACHE")
	if err != nil {
		return err
	}
	var waiting sync.WaitGroup
	var mu sync.Mutex // of results
	defer waiting.Wait()
	places := make(chan struct{}, w.side)
	for _, p := range w.found {
		targets := p.matching(w.match)
		if len(targets) == 0 || ctx.Err() != nil {
			continue
		}
		w.progress.Say("fuzz: building %s", p.Path)
		binary := filepath.Join(w.scratch, strings.ReplaceAll(p.Path, "/", "_")+".test")
		if _, err := output(ctx, p.Root, "go", "test", "-c", "-fuzz=Fuzz", "-o", binary, p.Path); ctx.Err() != nil {
			return ctx.Err()
		} else if err != nil {
			w.fail(&mu, fmt.Sprintf("%s does not build: %v", p.Path, err))
			continue
		}
		for _, target := range targets {
			select {
			case places <- struct{}{}:
			case <-ctx.Done():
				return ctx.Err()
			}
			waiting.Go(func() {
				defer func() { <-places }()
				// The cache is where `go test -fuzz` has it: what one run found, the next begins with.
				f := &fuzzing{target: target, binary: binary, cache: filepath.Join(strings.TrimSpace(string(cache)), "fuzz", p.Path)}
				f.say = func(n int) { w.progress.Say("fuzz: %s, %d executions", target, n) }
				r, err := f.run(ctx, p, w.fuzzTime)
				if err != nil && ctx.Err() == nil {
					w.fail(&mu, p.Path+"."+target+": "+err.Error())
				}
				mu.Lock()
				w.results.Fuzz = append(w.results.Fuzz, r)
				mu.Unlock()
				w.progress.Done(fmt.Sprintf("fuzz %s.%s: %d executions, %d failures", p.Path, target, r.Executions, len(r.Failures)))
			})
		}
	}
	return nil
}

func (w *work) fail(mu *sync.Mutex, message string) {
	mu.Lock()
	defer mu.Unlock()
	w.results.Failures = append(w.results.Failures, message)
}

func (p testPackage) matching(part string) (targets []string) {
	for _, t := range p.Targets {
		if strings.Contains(t, part) {
			targets = append(targets, t)
		}
	}
	return targets
}

// fuzzing is one target at work.
type fuzzing struct {
	target, binary, cache string
	say                   func(executions int)
	seen                  fuzzLines
}

// run fuzzes a target with one worker. What fails is written to testdata/fuzz in the package's folder,
// as `go test -fuzz` does.
func (f *fuzzing) run(ctx context.Context, p testPackage, length time.Duration) (fuzzResult, error) {
	r := fuzzResult{Package: p.Path, Target: f.target}
	// Go's default lets an input be made smaller for a minute; that is a minute without fuzzing.
	cmd := child(ctx, p.Dir, f.binary, "-test.run=^$", "-test.fuzz=^"+f.target+"$", "-test.fuzztime="+length.String(),
		"-test.fuzzminimizetime=50x", "-test.parallel=1", "-test.fuzzcachedir="+f.cache)
	out, err := cmd.StdoutPipe()
	if err != nil {
		return r, err
	}
	cmd.Stderr = cmd.Stdout
	if err := os.MkdirAll(f.cache, 0o777); err != nil {
		return r, err
	}
	start := time.Now()
	if err := cmd.Start(); err != nil {
		return r, err
	}
	f.seen.say = f.say
	f.seen.read(out)
	err = wait(cmd)
	r.Executions, r.New, r.Corpus, r.Skipped = f.seen.executions, f.seen.fresh, f.seen.corpus, f.seen.skipped
	r.Time = spent{time.Since(start), cpu(cmd)}
	switch failure := f.seen.failure(); {
	case failure != "":
		r.Failures = append(r.Failures, failure)
	case err != nil && ctx.Err() == nil && !f.seen.deadline:
		return r, fmt.Errorf("%w: %s", err, f.seen.rest)
	}
	return r, nil
}

var (
	fuzzLine  = regexp.MustCompile(`^fuzz: elapsed: \S+, execs: (\d+) \(\d+/sec\), new interesting: (\d+) \(total: (\d+)\)`)
	fuzzInput = regexp.MustCompile(`^\s*Failing input written to (\S+)`)
	fuzzSeed  = regexp.MustCompile(`^failure while testing seed corpus entry: (\S+)`) // by f.Add, or committed
	fuzzSkip  = regexp.MustCompile(`^--- SKIP: `)
)

// fuzzLines is what a fuzzing test binary has printed.
type fuzzLines struct {
	say                       func(int)
	executions, fresh, corpus int
	input                     string // the failing input: its file, or its name among the seeds
	rest                      string // all lines that are not of progress
	skipped                   string
	deadline                  bool // see read
}

func (l *fuzzLines) read(r io.Reader) {
	lines := bufio.NewReader(r)
	for {
		line, err := lines.ReadString('\n')
		l.take(strings.TrimRight(line, "\r\n"))
		if err != nil { // the end: what went wrong, the exit status tells
			break
		}
	}
	// When the time ends while an input is made smaller, Go calls that a failure of the target with
	// this one line (go.dev/issue/75804, mended in Go 1.27). It is none: there is no failing input.
	l.deadline = l.input == "" && strings.Contains(l.rest, "\n    context deadline exceeded\n")
}

func (l *fuzzLines) take(line string) {
	const most = 8 << 10
	if m := fuzzLine.FindStringSubmatch(line); m != nil {
		l.executions, _ = strconv.Atoi(m[1])
		l.fresh, _ = strconv.Atoi(m[2])
		l.corpus, _ = strconv.Atoi(m[3])
		l.say(l.executions)
		return
	}
	if strings.HasPrefix(line, "fuzz: ") || line == "" || line == "PASS" {
		return
	}
	for _, failing := range []*regexp.Regexp{fuzzInput, fuzzSeed} {
		if m := failing.FindStringSubmatch(line); m != nil {
			l.input = m[1]
		}
	}
	if fuzzSkip.MatchString(line) {
		l.skipped = "skipped"
	}
	if len(l.rest) < most {
		l.rest += line + "\n"
	}
	if l.skipped != "" {
		l.skipped = strings.TrimSpace(l.rest)
	}
}

// failure is what the target failed with, "" if it did not.
func (l *fuzzLines) failure() string {
	if l.input == "" {
		return ""
	}
	return strings.TrimSpace(l.rest)
}
