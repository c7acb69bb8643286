// Bench measures svmkit against LIBLINEAR, LIBSVM and scikit-learn, interleaved in one run,
// on the same data in memory. The unit is the time of training to a relative duality gap, which one
// function measures for all.
//
// Run `go run ./bench -h` for its flags; README.md says how to read the tables.
package main

import (
	"context"
	"errors"
	"flag"
	"fmt"
	"io"
	"os"
	"strings"
	"time"

	"github.com/svmkit/course/internal/atomicfile"
	"github.com/svmkit/course/internal/progress"
	"github.com/svmkit/course/internal/signals"
	"github.com/svmkit/course/svmkit"
)

// bench is one run of the command.
type bench struct {
	flags
	stage    *stage
	progress *progress.Progress
	results  results
	where    string // the set at hand, for progress
}

func main() {
	if len(os.Args) == 3 && os.Args[1] == "-worker" { // a child process of this command
		if err := serve(os.Args[2], os.Stdin, os.Stdout); err != nil {
			fmt.Fprintln(os.Stderr, "bench:", os.Args[2]+":", err)
			os.Exit(1)
		}
		return
	}
	ctx, stop := signals.Context()
	defer stop()
	err := run(ctx, os.Args[1:], os.Stdout, os.Stderr)
	status, ended := signals.Status(ctx)
	switch {
	case err == nil, errors.Is(err, flag.ErrHelp):
	case ended && errors.Is(err, context.Canceled):
		fmt.Fprintln(os.Stderr, "bench: interrupted; what stands above is complete")
		os.Exit(status)
	default:
		fmt.Fprintln(os.Stderr, "bench:", err)
		os.Exit(1)
	}
}

// run is main with its surroundings as arguments.
func run(ctx context.Context, args []string, stdout, stderr io.Writer) (err error) {
	b := &bench{}
	files, err := b.parse(args, stderr)
	if err != nil {
		return err
	}
	if b.fetch != "" {
		return fetchMNIST(ctx, stderr)
	}
	if b.old != "" || b.count != "" {
		return guard(ctx, stdout, b.old+b.count, b.count != "")
	}
	sets, err := b.sources(files)
	if err != nil {
		return err
	}
	for _, advice := range missing() {
		fmt.Fprintln(stderr, "bench: not here:", advice)
	}
	if err := b.openStage(); err != nil {
		return err
	}
	defer b.stage.close()
	jobs := b.plan(sets)
	if b.quick {
		jobs = b.quickPlan(sets)
	}
	start := time.Now()
	b.progress = progress.New("bench", stderr, len(jobs))
	b.progress.Say("what this machine is")
	b.results = results{Date: today(), Command: "bench " + strings.Join(args, " "), Machine: describe(b.threads)}
	for _, j := range jobs {
		if err = j.run(ctx); err != nil && ctx.Err() != nil {
			err = ctx.Err()
			break
		} else if err != nil { // the other sets are still measured
			b.results.Failures = append(b.results.Failures, j.name+": "+err.Error())
		}
		b.progress.Done(j.name)
	}
	b.progress.Finish()
	b.results.Seconds = time.Since(start).Seconds()
	for _, e := range b.stage.engines {
		if e.version != "" {
			b.results.Machine.Versions[e.name] = e.version
		}
	}
	return errors.Join(b.write(stdout), err, failed(b.results.Failures))
}

func failed(failures []string) error {
	if len(failures) == 0 {
		return nil
	}
	return fmt.Errorf("%d jobs failed", len(failures))
}

// openStage makes the folder and the engines that the flags allow, ours first.
func (b *bench) openStage() error {
	dir, err := os.MkdirTemp("", "svmkit-bench-")
	if err != nil {
		return err
	}
	b.stage = &stage{dir: dir, files: map[*svmkit.Dataset]string{}}
	for _, name := range available() {
		if name == "svmkit" || b.takes(name) {
			b.stage.engines = append(b.stage.engines, &engine{name: name, threads: b.threads})
		}
	}
	return nil
}

// write shows the tables and writes the files that were asked for.
func (b *bench) write(stdout io.Writer) error {
	if b.json != "" {
		if err := atomicfile.Write(b.json, b.results.writeJSON); err != nil {
			return err
		}
	}
	if b.report != "" {
		if err := atomicfile.Write(b.report, b.writeReport); err != nil {
			return err
		}
	}
	b.writeTable(stdout)
	if b.plots != "" {
		return b.writeFigures(b.plots)
	}
	return nil
}

func (b *bench) writeReport(w io.Writer) error {
	if _, err := fmt.Fprintf(w, "# svmkit against its peers, %s\n\nHow to read it: [README.md](README.md).\n\n", b.results.Date[:len("2006-01-02")]); err != nil {
		return err
	}
	b.writeTable(w)
	return nil
}
