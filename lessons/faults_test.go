package main

import (
	"bufio"
	"bytes"
	"crypto/rand"
	"fmt"
	"io"
	"net/http"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strings"
	"syscall"
	"testing"
	"time"

	"github.com/svmkit/course/lessons/internal/course"
	"github.com/svmkit/course/lessons/internal/notebook"
)

// argumentsVariable holds the arguments, one a line, with which this test binary, started again, is the command.
const argumentsVariable = "LESSONS_TEST_ARGUMENTS"

// TestTheCommandItself is no test but what the processes of the tests below do.
func TestTheCommandItself(t *testing.T) {
	arguments, set := os.LookupEnv(argumentsVariable)
	if !set {
		t.Skip("only where another test starts it")
	}
	os.Args = append([]string{"lessons"}, strings.Split(arguments, "\n")...)
	if arguments == "" {
		os.Args = os.Args[:1]
	}
	main()
	os.Exit(0) // without the test's own words
}

// commandRun is a process of the command in a place of its own.
type commandRun struct {
	*exec.Cmd
	mark string // in the environment of the process and of all that it starts
	temp string // TMPDIR
	errs bytes.Buffer
}

func command(t *testing.T, dir string, args ...string) *commandRun {
	t.Helper()
	if _, err := os.Stat("/proc/self/environ"); err != nil {
		t.Skip("needs /proc to see other processes")
	}
	// Short: the paths of sockets are below it.
	temp, err := os.MkdirTemp("/tmp", "faults-")
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { os.RemoveAll(temp) })
	c := &commandRun{Cmd: exec.CommandContext(t.Context(), os.Args[0], "-test.run=^TestTheCommandItself$"), mark: "LESSONS_TEST_MARK=" + rand.Text(), temp: temp}
	c.Dir, c.Stderr, c.WaitDelay = dir, &c.errs, 10*time.Second
	c.Env = append(os.Environ(), argumentsVariable+"="+strings.Join(args, "\n"), "TMPDIR="+temp, c.mark)
	return c
}

// clean fails the test if a process or a temporary file of the run is left.
func (c *commandRun) clean(t *testing.T, name string) {
	t.Helper()
	var left []string
	for range 100 { // the dying need a moment
		left = nil
		files, _ := filepath.Glob("/proc/[0-9]*/environ")
		for _, file := range files {
			if env, err := os.ReadFile(file); err == nil && bytes.Contains(env, []byte(c.mark)) {
				line, _ := os.ReadFile(filepath.Join(filepath.Dir(file), "cmdline"))
				left = append(left, strings.ReplaceAll(string(line), "\x00", " "))
			}
		}
		if len(left) == 0 {
			break
		}
		time.Sleep(50 * time.Millisecond)
	}
	if len(left) > 0 {
		t.Errorf("%s: processes are left: %q", name, left)
	}
	if entries, err := os.ReadDir(c.temp); err != nil || len(entries) > 0 {
		t.Errorf("%s: temporary files are left: %v, %v", name, entries, err)
	}
}

// faultyCells are cells after which a kernel is not what it was, and what the reader is told.
var faultyCells = []struct{ name, cell, says string }{
	{"dies", `import ("os"; "syscall"; "time")
%%
syscall.Kill(os.Getppid(), syscall.SIGKILL)
time.Sleep(time.Hour)`, "the kernel died (signal: killed)"},
	{"forks", `import ("os/exec"; "syscall")
%%
for range 20 { // out of the group, so that a signal to it does not reach them
	c := ` + sleeper + `
	c.SysProcAttr = &syscall.SysProcAttr{Setsid: true}
	if err := c.Start(); err != nil { panic(err) }
}
panic("and gone")`, "and gone"},
	{"hangs", "import (\"os\"; \"os/signal\")\n%%\nsignal.Ignore(os.Interrupt)\nfor {}", "not finished after"},
	{"floods", `import ("bytes"; "os"; "time")
%%
line := bytes.Repeat([]byte("x"), 1<<20)
for range 100 { os.Stdout.Write(line) }
time.Sleep(time.Hour)`, "wrote too much"},
}

// A kernel that dies, hangs, floods its output with 100 MB or leaves children behind: the command says
// which cell it was, writes no notebook, and leaves no process and no file.
func TestReliabilityFaultyKernels(t *testing.T) {
	if os.Getenv("SVMKIT_RELIABILITY") != "full" {
		faultyCells = faultyCells[:2]
	}
	dir := t.TempDir()
	args := []string{"run", "-limit", "40s", "-jobs", "2"}
	for _, f := range faultyCells {
		path := filepath.Join(dir, f.name+".md")
		if err := os.WriteFile(path, []byte("Words.\n\n```go\n"+f.cell+"\n```\n"), 0o666); err != nil {
			t.Fatal(err)
		}
		args = append(args, path)
	}
	c := command(t, moduleRoot, args...)
	c.Run()
	said := c.errs.String()
	if status := c.ProcessState.ExitCode(); status != 1 || !strings.Contains(said, fmt.Sprintf("%d of %d notebooks failed", len(faultyCells), len(faultyCells))) {
		t.Errorf("status %d, %s", status, said)
	}
	for _, f := range faultyCells {
		if want := regexp.MustCompile(f.name + `\.md:\d+ \(cell 2\): .*\n?.*` + regexp.QuoteMeta(f.says)); !want.MatchString(said) {
			t.Errorf("%s: no message with a place and %q:\n%s", f.name, f.says, said)
		}
	}
	if written, _ := filepath.Glob(filepath.Join(dir, "*.ipynb")); len(written) > 0 {
		t.Errorf("written all the same: %v", written)
	}
	c.clean(t, "run")
	t.Attr("cases", fmt.Sprint(len(faultyCells)))
}

// SIGINT and SIGTERM end a run in the middle of a cell: status 130, no notebook, no process, no file.
func TestReliabilitySignalsEndARun(t *testing.T) {
	signals := []syscall.Signal{syscall.SIGTERM, syscall.SIGINT}
	if os.Getenv("SVMKIT_RELIABILITY") != "full" {
		signals = signals[:1]
	}
	for _, sig := range signals {
		dir := t.TempDir()
		path := filepath.Join(dir, "long.md")
		cell := "import (\"os\"; \"os/exec\"; \"time\")\n%%\n" + sleeper + ".Start()\nos.WriteFile(\"begun\", nil, 0o666)\ntime.Sleep(time.Hour)"
		if err := os.WriteFile(path, []byte("```go\n"+cell+"\n```\n"), 0o666); err != nil {
			t.Fatal(err)
		}
		c := command(t, moduleRoot, "run", "-limit", "30m", path)
		if err := c.Start(); err != nil {
			t.Fatal(err)
		}
		for began := time.Now(); time.Since(began) < 5*time.Minute; time.Sleep(20 * time.Millisecond) {
			if _, err := os.Stat(filepath.Join(dir, "begun")); err == nil {
				break
			}
		}
		c.Process.Signal(sig)
		c.Wait()
		if status := c.ProcessState.ExitCode(); status != 130 || !strings.Contains(c.errs.String(), "lessons: interrupted; nothing is left half-written") {
			t.Errorf("%v: status %d, %s", sig, status, c.errs.String())
		}
		if written, _ := filepath.Glob(filepath.Join(dir, "*.ipynb")); len(written) > 0 {
			t.Errorf("%v: written all the same: %v", sig, written)
		}
		c.clean(t, sig.String())
	}
	t.Attr("cases", fmt.Sprint(len(signals)))
}

// executedCourse is a copy of the course with one lesson that counts as executed: there is a go.mod, a
// lesson and its notebook, and what a fingerprint is made of.
func executedCourse(t *testing.T) string {
	t.Helper()
	root := t.TempDir()
	for _, dir := range []string{"internal", "svmkit", "plots", "lessons/lab", "notebooks"} {
		if err := os.MkdirAll(filepath.Join(root, dir), 0o777); err != nil {
			t.Fatal(err)
		}
	}
	for _, name := range []string{"go.mod", "go.sum", "lessons/01-hyperplane.md", "lessons/course.yaml", "lessons/errata.yaml", "lessons/notes.yaml"} {
		text, err := os.ReadFile(filepath.Join(moduleRoot, name))
		if err == nil {
			err = os.WriteFile(filepath.Join(root, name), text, 0o666)
		}
		if err != nil {
			t.Fatal(err)
		}
	}
	all, err := course.Lessons(root)
	if err != nil {
		t.Fatal(err)
	}
	for _, l := range all {
		fingerprint, err := l.Fingerprint(root)
		if err != nil {
			t.Fatal(err)
		}
		course.MarkExecuted(l.Parsed, fingerprint)
		if err := notebook.WriteFile(l.Notebook, l.Parsed.ForReaders()); err != nil {
			t.Fatal(err)
		}
	}
	return root
}

// The server of the pages ends on SIGINT and SIGTERM and takes its pages along; after kill -9 the next one
// takes those of the dead.
func TestReliabilitySignalsEndTheServer(t *testing.T) {
	root := executedCourse(t)
	serve := func(temp string) *commandRun {
		c := command(t, root, "-port", "0")
		if temp != "" {
			c.Env, c.temp = append(c.Env, "TMPDIR="+temp), temp
		}
		out, err := c.StdoutPipe()
		if err != nil {
			t.Fatal(err)
		}
		if err := c.Start(); err != nil {
			t.Fatal(err)
		}
		line, _ := bufio.NewReader(out).ReadString('\n')
		url := regexp.MustCompile(`http://127\.0\.0\.1:\d+/`).FindString(line)
		if url == "" {
			c.Process.Kill()
			c.Wait()
			t.Fatalf("it said %q, %s", line, c.errs.String())
		}
		page, err := http.Get(url + "01-hyperplane.html")
		if err != nil {
			t.Fatal(err)
		}
		text, _ := io.ReadAll(page.Body)
		page.Body.Close()
		http.DefaultClient.CloseIdleConnections()
		if page.StatusCode != 200 || !bytes.Contains(text, []byte("</html>")) {
			t.Errorf("status %s, %d bytes", page.Status, len(text))
		}
		return c
	}
	end := func(c *commandRun, sig syscall.Signal) {
		c.Process.Signal(sig)
		c.Wait()
		if status := c.ProcessState.ExitCode(); status != 0 {
			t.Errorf("%v: status %d, %s", sig, status, c.errs.String())
		}
		c.clean(t, sig.String())
	}
	dead := serve("")
	dead.Process.Kill()
	dead.Wait()
	if entries, _ := os.ReadDir(dead.temp); len(entries) == 0 {
		t.Fatal("a killed server leaves nothing: this test proves nothing")
	}
	end(serve(dead.temp), syscall.SIGTERM)
	end(serve(""), syscall.SIGINT)
	t.Attr("cases", "3")
}
