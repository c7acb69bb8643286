// Class starts a JupyterHub on loopback and lets students work there at the same time: each logs in, opens
// lesson 1, runs its cells at the pace of a reader, and answers an exercise, wrong and then right. Every output
// is compared with the notebook's. Meanwhile a kernel dies, a cell loops for ever, a disk is filled and the hub
// falls: nobody else may notice. From the root of the checkout:
//
//	go run -C binder ./class -students 20 -report class/report.md
//
// With -hub the students work on a hub that is there, whose login takes a name and the password of
// CLASS_PASSWORD, and nothing is done to it; their outputs and times are judged.
//
// It needs Linux, Debian's jupyterhub, node-configurable-http-proxy and jupyter-notebook, and root for the full
// disk, which is a file system in memory. Everything it writes is in a folder below /tmp that goes at the end.
package main

import (
	"context"
	"errors"
	"flag"
	"fmt"
	"maps"
	"os"
	"os/exec"
	"os/signal"
	"path/filepath"
	"regexp"
	"runtime"
	"slices"
	"strings"
	"sync"
	"sync/atomic"
	"syscall"
	"time"

	"github.com/svmkit/course/binder/internal/jupyter"
)

// settings are the flags.
type settings struct {
	students, cells int
	think, limit    time.Duration
	report          string
	hub             string
}

func main() {
	var s settings
	flag.IntVar(&s.students, "students", 4, "`number` of students, besides the three to whom something happens")
	flag.DurationVar(&s.think, "think", 30*time.Second, "time between a student's cells")
	flag.IntVar(&s.cells, "cells", 20, "`number` of cells that a student runs before he goes on to the exercise")
	flag.DurationVar(&s.limit, "limit", time.Hour, "time for everything")
	flag.StringVar(&s.report, "report", "", "`file` for the report; standard output has it, too")
	flag.StringVar(&s.hub, "hub", "", "`address` of a hub that is there, like https://hub.example.org; in place of one of our own")
	flag.Parse()
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt, syscall.SIGTERM)
	defer stop()
	ctx, cancel := context.WithTimeout(ctx, s.limit)
	defer cancel()
	if err := run(ctx, s); err != nil {
		fmt.Fprintln(os.Stderr, "class:", err)
		os.Exit(1)
	}
}

// run starts the hub, lets the students work and reports.
func run(ctx context.Context, s settings) (err error) {
	checkout, err := filepath.Abs("..")
	if err != nil {
		return err
	}
	l, err := readLesson(checkout)
	if err != nil {
		return err
	}
	h := &hub{url: strings.TrimSuffix(s.hub, "/"), password: os.Getenv("CLASS_PASSWORD")}
	if s.hub == "" {
		for _, program := range []string{"go", "jupyterhub", "jupyterhub-singleuser", "configurable-http-proxy"} {
			if _, err := exec.LookPath(program); err != nil {
				return fmt.Errorf("missing: %w (Debian: apt-get install jupyterhub node-configurable-http-proxy jupyter-notebook)", err)
			}
		}
		if h, err = startHub(ctx, checkout); err != nil {
			return err
		}
		defer func() {
			if err != nil {
				err = errors.Join(err, h.log())
			}
			err = errors.Join(err, h.stop())
		}()
	} else if err := h.answers(ctx); err != nil {
		return err
	}
	c := &class{settings: s, hub: h, lesson: l}
	if err := c.work(ctx); err != nil {
		if len(c.waits) > 0 {
			fmt.Printf("Not all went well. Until then:\n%s", c)
		}
		return err
	}
	report := c.String()
	fmt.Print(report)
	if s.report != "" {
		return os.WriteFile(s.report, []byte(report), 0o644)
	}
	return nil
}

// missing reports a part of the test that cannot run here: a failure in CI, else a message.
func missing(format string, args ...any) error {
	err := fmt.Errorf("missing: "+format, args...)
	if os.Getenv("CI") == "true" {
		return err
	}
	fmt.Fprintln(os.Stderr, "class:", err)
	return nil
}

// lesson is what students do in lesson 1.
type lesson struct {
	cells        []answer // what comes before the exercise, with the notebook's outputs
	wrong, right []answer
}

func readLesson(checkout string) (l lesson, err error) {
	nb, err := jupyter.ReadNotebook(filepath.Join(checkout, "notebooks", filepath.Base(notebookFile)))
	if err != nil {
		return l, err
	}
	stub := regexp.MustCompile(`lab\.Exercise\("1\.1", \w+, (\w+)\)`)
	for _, c := range nb.Cells {
		code := c.Source.String()
		if function := stub.FindStringSubmatch(code); function != nil {
			answers := filepath.Join(checkout, "lessons", "answers", "01-hyperplane.md")
			l.wrong, l.right, err = readAnswers(answers, function[1])
			return l, err
		}
		if c.Type == "code" {
			l.cells = append(l.cells, answer{code, jupyter.Words(c.Outputs)})
		}
	}
	return l, errors.New("lesson 1 has no exercise 1.1")
}

// declarations is what the exercise needs of cells that are not run.
func declarations(cells []answer) string {
	var all strings.Builder
	for _, c := range cells {
		code, _, _ := strings.Cut(c.code, "%%")
		all.WriteString(code + "\n")
	}
	return all.String()
}

// class is the students at work, and what they needed.
type class struct {
	settings
	hub    *hub
	lesson lesson

	mu        sync.Mutex
	waits     []time.Duration // for each cell
	ready     []time.Duration // for each student, from the login to the kernel's first answer
	memory    []int           // of each, idle after ten cells and a completion
	byProgram map[string]int  // the sum of them by program
	processor []time.Duration // of each cell, a student's mean

	done     atomic.Int64 // cells
	unawares int64        // cells while the hub was down
	hubUse   use
}

func (c *class) work(ctx context.Context) error {
	// One failure ends the others' work: its message is not to wait for them.
	ctx, cancel := context.WithCancelCause(ctx)
	defer cancel(nil)
	var all sync.WaitGroup
	start := func(name string, do func(context.Context, *student) error) {
		all.Go(func() {
			s, err := c.hub.arrive(ctx, name)
			if err == nil {
				err = do(ctx, s)
			}
			if err == nil {
				err = s.leave(ctx)
			}
			if err != nil {
				cancel(fmt.Errorf("%s: %w", name, err))
			}
		})
	}
	for i := range c.students {
		start(fmt.Sprintf("student%02d", i+1), func(ctx context.Context, s *student) error { return c.learn(ctx, i, s) })
	}
	if !c.hub.ours() {
		all.Wait()
		return context.Cause(ctx)
	}
	imports := c.lesson.cells[0].code
	for name, do := range map[string]func(*student, context.Context) error{
		"dies": (*student).dies, "loops": (*student).loops, "fills": (*student).fills,
	} {
		if name == "fills" {
			unmount, err := c.hub.smallDisk(name)
			if err != nil {
				if err := missing("a full disk: %v", err); err != nil {
					cancel(err)
				}
				continue
			}
			defer unmount()
		}
		start(name, func(ctx context.Context, s *student) error {
			if _, err := s.run(ctx, imports); err != nil {
				return err
			}
			if err := do(s, ctx); err != nil {
				return err
			}
			fmt.Printf("%s: seen, and over\n", name)
			return nil
		})
	}
	all.Go(func() {
		if err := c.hubFalls(ctx); err != nil {
			cancel(fmt.Errorf("the hub falls: %w", err))
		}
	})
	all.Wait()
	return context.Cause(ctx)
}

// learn is what an undisturbed student does.
func (c *class) learn(ctx context.Context, number int, s *student) error {
	c.mu.Lock()
	c.ready = append(c.ready, s.ready)
	c.mu.Unlock()
	// Students do not press the key at the same moment.
	if err := sleep(ctx, c.think*time.Duration(number)/time.Duration(c.students)); err != nil {
		return err
	}
	pace := time.NewTicker(c.think)
	defer pace.Stop()
	before, n := s.use().processor, min(c.cells, len(c.lesson.cells))
	for i, cell := range c.lesson.cells[:n] {
		began := time.Now()
		got, err := s.run(ctx, cell.code)
		if err != nil {
			return fmt.Errorf("cell %d: %w", i+1, err)
		}
		took := time.Since(began)
		if got != cell.want {
			return fmt.Errorf("cell %d put out\n%s\nthe notebook has\n%s", i+1, got, cell.want)
		}
		c.mu.Lock()
		c.waits = append(c.waits, took)
		c.mu.Unlock()
		c.done.Add(1)
		if i+1 == min(10, n) && c.hub.ours() {
			if err := c.idle(ctx, s); err != nil {
				return err
			}
		}
		select {
		case <-ctx.Done():
			return ctx.Err()
		case <-pace.C:
		}
	}
	if c.hub.ours() {
		c.mu.Lock()
		c.processor = append(c.processor, (s.use().processor-before)/time.Duration(n))
		c.mu.Unlock()
	}
	if n < len(c.lesson.cells) {
		if _, err := s.run(ctx, declarations(c.lesson.cells[n:])); err != nil {
			return fmt.Errorf("the declarations before the exercise: %w", err)
		}
	}
	for _, answers := range [][]answer{c.lesson.wrong, c.lesson.right} {
		a := answers[number%len(answers)]
		if err := s.expect(ctx, a.code, a.want); err != nil {
			return fmt.Errorf("an answer: %w", err)
		}
	}
	return errors.Join(s.write(ctx, saved), s.holds(ctx, saved))
}

// settled is how long after a completion gopls has given back what it needed for it: it keeps files that it has
// parsed for a minute.
const settled = 90 * time.Second

// idle completes code once and measures the student's memory when he has done nothing for a while.
func (c *class) idle(ctx context.Context, s *student) error {
	limit := time.Now().Add(cellLimit)
	for n := 0; n == 0; { // GoNB gives up on gopls after some seconds, and a student presses the key again
		var err error
		if n, err = s.kernel.Complete(ctx, "%%\nlab.E"); err != nil {
			return fmt.Errorf("completing code: %w", err)
		}
		if n == 0 && time.Now().After(limit) {
			return errors.New("lab.E is not completed")
		}
	}
	if err := sleep(ctx, settled); err != nil {
		return err
	}
	u := s.use()
	c.mu.Lock()
	defer c.mu.Unlock()
	c.memory = append(c.memory, u.bytes())
	if c.byProgram == nil {
		c.byProgram = map[string]int{}
	}
	for program, bytes := range u.memory {
		c.byProgram[program] += bytes
	}
	return nil
}

func sleep(ctx context.Context, d time.Duration) error {
	select {
	case <-ctx.Done():
		return ctx.Err()
	case <-time.After(d):
		return nil
	}
}

// hubFalls kills the hub when half of the cells have run, and starts it again when every student has run about one more.
func (c *class) hubFalls(ctx context.Context) error {
	if err := c.until(ctx, int64(c.students*min(c.cells, len(c.lesson.cells))/2)); err != nil {
		return err
	}
	c.hubUse = measure([]int{c.hub.hub.Process.Pid, c.hub.proxy.Process.Pid})
	if err := c.hub.kill(); err != nil {
		return err
	}
	before := c.done.Load()
	if err := c.until(ctx, before+int64(c.students)); err != nil {
		return err
	}
	c.unawares = c.done.Load() - before
	if err := c.hub.startHub(ctx); err != nil {
		return err
	}
	fmt.Printf("the hub was killed and is there again; meanwhile %d cells\n", c.unawares)
	return nil
}

// until waits until the students have run so many cells.
func (c *class) until(ctx context.Context, cells int64) error {
	for c.done.Load() < cells {
		if err := sleep(ctx, 100*time.Millisecond); err != nil {
			return err
		}
	}
	return nil
}

// smallDisk mounts a disk of its own on a student's folder, as a hub's volume of a fixed size.
func (h *hub) smallDisk(name string) (unmount func(), err error) {
	folder := filepath.Join(h.folder, "home", name, "work")
	if err := os.MkdirAll(folder, 0o755); err != nil {
		return nil, err
	}
	if err := syscall.Mount("tmpfs", folder, "tmpfs", 0, "size=32m"); err != nil {
		return nil, err
	}
	return func() { syscall.Unmount(folder, syscall.MNT_DETACH) }, nil
}

const mb = 1 << 20

func (c *class) String() string {
	var b strings.Builder
	line := func(what string, value any) { fmt.Fprintf(&b, "| %s | %v |\n", what, value) }
	seconds := func(d time.Duration) string { return fmt.Sprintf("%.2f s", d.Seconds()) }
	where, flags := "on "+c.settings.hub, " -hub "+c.settings.hub
	if c.hub.ours() {
		where, flags = fmt.Sprintf("on %d cores", runtime.NumCPU()), ""
	}
	fmt.Fprintf(&b, "# A class of %d %s, %s\n\n", c.students, where, time.Now().Format(time.DateOnly))
	fmt.Fprintf(&b, "`go run -C binder ./class -students %d -think %v -cells %d%s`: every output as in the notebook, every exercise answered wrong and then right.\n\n", c.students, c.think, c.cells, flags)
	b.WriteString("| | |\n|---|---|\n")
	line("cells", len(c.waits))
	line("a cell, median", seconds(quantile(c.waits, 0.5)))
	line("a cell, 95th percentile", seconds(quantile(c.waits, 0.95)))
	line("from the login to a kernel, median", seconds(quantile(c.ready, 0.5)))
	line("from the login to a kernel, 95th percentile", seconds(quantile(c.ready, 0.95)))
	line("connections to kernels that were lost and made again", c.hub.lost.Load())
	if !c.hub.ours() {
		return b.String()
	}
	if len(c.processor) > 0 {
		cpu := quantile(c.processor, 0.5)
		line("processor a cell, a student's median", seconds(cpu))
		line(fmt.Sprintf("students a core, if it did nothing else, at a cell every %v", c.think), fmt.Sprintf("%.0f", c.think.Seconds()/cpu.Seconds()))
	}
	if len(c.memory) > 0 {
		// A mean, as it is the sum of the programs' means, and as a machine holds the sum of its students.
		memory := 0
		for _, bytes := range c.memory {
			memory += bytes
		}
		memory /= len(c.memory)
		line("memory a student, idle after ten cells and a completion (PSS), mean", fmt.Sprintf("%d MB", memory/mb))
		for _, program := range slices.Sorted(maps.Keys(c.byProgram)) {
			line("— of it "+program+", mean", fmt.Sprintf("%d MB", c.byProgram[program]/len(c.memory)/mb))
		}
		line("students a GB", fmt.Sprintf("%.1f", 1024*float64(mb)/float64(memory)))
	}
	line("hub and proxy", fmt.Sprintf("%d MB", c.hubUse.bytes()/mb))
	line("load of the machine at the end", load())
	b.WriteString("\nMeanwhile, without a wrong output of anybody else: a kernel was killed and came back; a cell looped until its limit; a student filled his disk, freed it and went on; " +
		fmt.Sprintf("the hub was killed and started again, and %d cells ran while it was down. Nobody's saved notebook was lost.\n", c.unawares))
	return b.String()
}

func load() string {
	text, _ := os.ReadFile("/proc/loadavg")
	return strings.Join(strings.Fields(string(text))[:3], ", ")
}
