package main

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"math"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"runtime"
	"strconv"

	"golang.org/x/sys/cpu"

	"github.com/svmkit/course/internal/atomicfile"
)

// Instructions of svm.Fit, counted by callgrind with one thread and no garbage collection, are the same on a busy
// machine as on an idle one; so a few fits guard against a loss of speed that no clock would show.

// A countedFit is a row of the guard.
type countedFit struct {
	set  string
	rows int // its first, in the order of part; 0 means all
	task task
}

var countedFits = []countedFit{
	{"wordnet_nv_eighth", 0, task{Loss: "hinge", C: 1}},
	{"wordnet_nv_eighth", 0, task{Loss: "squared hinge", C: 1}},
	{"a9a", 0, task{Loss: "hinge", C: 1, Free: true}},
	{"magic", 0, task{Loss: "squared hinge", C: 1}},
	{"cadata", 0, task{Loss: "tube", C: 1, Epsilon: tubeWidth}},
	{"spambase", 700, task{Loss: "hinge", C: 1, Free: true, Gamma: 1. / 57}},
	{"kin8nm", 1500, task{Loss: "tube", C: 1, Epsilon: tubeWidth, Free: true, Gamma: 1. / 8}},
}

func (f countedFit) String() string { return f.set + ", " + f.task.String() }

const (
	countedTol   = 1e-3
	countedLimit = 600  // seconds, for a fit under callgrind
	mostGrowth   = 1.10 // of a count, beyond which a fit has become slower
)

// counts is what a file of counts holds: bench/instructions.json is that of the last change that was worth it.
type counts struct {
	Go       string             `json:"go"`
	Millions map[string]float64 `json:"millions"`
}

// guard counts the instructions of all countedFits, shows them on out, and writes them to the file, or fails if one is
// more than mostGrowth times the one in the file. For another version of Go, or a processor without AVX2, there is
// nothing to compare with, which it tells.
func guard(ctx context.Context, out io.Writer, file string, write bool) error {
	data, err := benchData()
	if err != nil {
		return err
	}
	stored, err := readCounts(file)
	if err != nil && !write {
		return fmt.Errorf("-compare: %w", err)
	}
	switch _, err := exec.LookPath("valgrind"); {
	case err != nil:
		return errors.New("valgrind is needed to count instructions: apt-get install valgrind")
	case !cpu.X86.HasAVX2:
		_, err := fmt.Fprintln(out, "instructions: not compared, for this processor has no AVX2")
		return err
	case stored.Go != runtime.Version() && !write:
		_, err := fmt.Fprintf(out, "instructions: not compared, for the counts of %s are of %s, and this is %s; -count %[1]s makes new ones\n", file, stored.Go, runtime.Version())
		return err
	}
	dir, err := os.MkdirTemp("", "svmkit-bench-")
	if err != nil {
		return err
	}
	defer os.RemoveAll(dir)
	binary := filepath.Join(dir, "bench") // one with symbols, which those of go run and go test lack
	build := exec.CommandContext(ctx, "go", "build", "-o", binary, ".")
	build.Dir = filepath.Dir(data)
	if message, err := build.CombinedOutput(); err != nil {
		return fmt.Errorf("go build: %w\n%s", err, message)
	}
	now := counts{Go: runtime.Version(), Millions: map[string]float64{}}
	for _, f := range countedFits {
		count, err := f.count(ctx, binary, filepath.Join(dir, "set"))
		if err != nil {
			return fmt.Errorf("%s: %w", f, err)
		}
		now.Millions[f.String()] = count
		fmt.Fprintf(out, "%-50s %8.1f million instructions, before %8.1f\n", f, count, stored.Millions[f.String()])
	}
	if write {
		return atomicfile.Write(file, func(w io.Writer) error {
			e := json.NewEncoder(w)
			e.SetIndent("", "\t")
			return e.Encode(now)
		})
	}
	return stored.compare(now)
}

func readCounts(file string) (c counts, err error) {
	content, err := os.ReadFile(file)
	if err != nil {
		return c, err
	}
	if err = json.Unmarshal(content, &c); err == nil && len(c.Millions) == 0 {
		err = errors.New("no counts of instructions in it: -count writes them, -json other measurements")
	}
	if err != nil {
		err = fmt.Errorf("%s: %w", file, err)
	}
	return c, err
}

// compare returns an error that names each fit of now that takes too many instructions, or has no stored count.
func (c counts) compare(now counts) (err error) {
	for _, f := range countedFits {
		was, is := c.Millions[f.String()], now.Millions[f.String()]
		if !(is <= mostGrowth*was) {
			err = errors.Join(err, fmt.Errorf("%s: %.1f million instructions, before %.1f: find what costs them; if they are worth it, go run ./bench -count bench/instructions.json", f, is, was))
		}
	}
	return err
}

var collected = regexp.MustCompile(`Collected : (\d+)`)

// count returns the million instructions of the fit in a worker under callgrind.
func (f countedFit) count(ctx context.Context, binary, file string) (float64, error) {
	sets, err := standardSets()
	if err != nil {
		return 0, err
	}
	chosen, err := named(sets, []string{f.set})
	if err != nil {
		return 0, err
	}
	set, err := chosen[0].read()
	if err != nil {
		return 0, err
	}
	if f.rows > 0 {
		set = part(set, f.rows)
	}
	if err := writeSet(file, set); err != nil {
		return 0, err
	}
	var requests, log bytes.Buffer
	for _, q := range []request{{Op: "load", File: file}, {Op: "train", Task: f.task, Knob: countedTol, Limit: countedLimit}} {
		if err := json.NewEncoder(&requests).Encode(q); err != nil {
			return 0, err
		}
	}
	cmd := exec.CommandContext(ctx, "valgrind", "--tool=callgrind", "--callgrind-out-file=/dev/null",
		"--toggle-collect=github.com/svmkit/course/svmkit/svm.Fit", binary, "-worker", "svmkit")
	// Callgrind takes no signal within a signal, and valgrind does not know RDTSCP, by which a thread of
	// Go's runtime that has to wait for a lock reads the clock.
	cmd.Env = append(os.Environ(), "GOMAXPROCS=1", "GOGC=off", "GODEBUG=asyncpreemptoff=1,cpu.rdtscp=off")
	cmd.Stdin, cmd.Stderr = &requests, &log
	if err := cmd.Run(); err != nil {
		return 0, fmt.Errorf("valgrind: %w\n%s", err, log.Bytes())
	}
	found := collected.FindSubmatch(log.Bytes())
	if found == nil {
		return 0, fmt.Errorf("valgrind tells no count:\n%s", log.Bytes())
	}
	n, err := strconv.ParseFloat(string(found[1]), 64)
	if n == 0 {
		return 0, errors.New("valgrind saw no fit: is svm.Fit called otherwise?")
	}
	return math.Round(n/1e5) / 10, err
}
