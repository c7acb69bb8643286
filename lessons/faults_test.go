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
	"strconv"
	"strings"
	"syscall"
	"testing"
	"time"

	"github.com/svmkit/course/internal/evidence"
	"github.com/svmkit/course/lessons/internal/course"
	"github.com/svmkit/course/lessons/internal/kernel"
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

// again is the same command, to be started once more.
func (c *commandRun) again() *exec.Cmd {
	next := exec.Command(c.Path, c.Args[1:]...)
	next.Dir, next.Env, next.Stderr, next.WaitDelay = c.Dir, c.Env, &c.errs, c.WaitDelay
	return next
}

// clean fails the test if a process or a temporary file of the run is left.
func (c *commandRun) clean(t *testing.T, name string) {
	t.Helper()
	c.gone(t, name)
	if entries, err := os.ReadDir(c.temp); err != nil || len(entries) > 0 {
		t.Errorf("%s: temporary files are left: %v, %v", name, entries, err)
	}
}

// gone fails the test if a process of the run is left.
func (c *commandRun) gone(t *testing.T, name string) {
	t.Helper()
	var left []string
	for range 400 { // the dying need a moment, and a watchdog waits for one second
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

// endless is a lesson whose cell has a child and a grandchild in sessions of their own.
var endless = "```go\n" + `import ("os"; "os/exec"; "syscall"; "time")
%%
child := exec.Command("/bin/sh", "-c", ` + "`'" + os.Args[0] + "' " + sleepArgument + " & wait`" + `)
child.SysProcAttr = &syscall.SysProcAttr{Setsid: true}
if err := child.Start(); err != nil { panic(err) }
os.WriteFile("begun", nil, 0o666)
time.Sleep(time.Hour)` + "\n```\n"

// phases are what the command can be doing when a signal comes: a subcommand, and files that tell that it is there.
// DIR stands for a folder with the lessons, ROOT for the course and TMP for the folder of temporary files.
var phases = []struct {
	name  string
	args  []string
	there string // a pattern of files
	serve bool   // the end by a signal is the usual one: status 0
}{
	{"building the kernel", []string{"run", "DIR/endless.md"}, "ROOT/.gonb/building-*", false},
	{"fetching modules", []string{"run", "DIR/endless.md"}, "TMP/*/go.mod", false},
	{"starting the kernel", []string{"run", "DIR/endless.md"}, "TMP/*/kernel-*.json", false},
	{"running a cell", []string{"run", "-limit", "30m", "DIR/endless.md"}, "DIR/begun", false},
	{"testing", []string{"test", "-limit", "30m", "DIR/endless.md"}, "DIR/begun", false},
	{"serving", []string{"-port", "0"}, "TMP/*/index.html", true},
	{"making pages", []string{"-port", "0"}, "TMP/*/assets", false},
	{"building pages", []string{"build"}, "ROOT/site", false},
	{"jupyter", []string{"jupyter", "DIR"}, "DIR/begun", true},
	{"installing the kernel", []string{"kernel", "-prefix", "DIR/prefix"}, "TMP/*", false},
}

// A signal ends the command in whatever it does: the status says which, and no process, temporary file or half a
// file is left. After SIGKILL nothing runs on, and the next start removes the files.
func TestReliabilitySignalsInEveryPhase(t *testing.T) {
	signals := []struct {
		name string
		syscall.Signal
	}{{"SIGHUP", syscall.SIGHUP}, {"SIGKILL", syscall.SIGKILL}, {"SIGTERM", syscall.SIGTERM}, {"SIGINT", syscall.SIGINT}}
	every := os.Getenv("SVMKIT_RELIABILITY") != ""
	for _, gopls := range []string{"", filepath.Join(moduleRoot, "lessons/internal/gopls")} { // as the phases need them, once for all
		_, err := kernel.GoNB(t.Context(), kernel.Settings{Root: moduleRoot, Cache: filepath.Join(moduleRoot, ".gonb"), Gopls: gopls})
		if err != nil && gopls == "" { // without a network there may be no gopls, and the command does without
			t.Fatal(err)
		}
	}
	root := executedCourse(t)
	cases := 0
	for i, phase := range phases {
		for k, sig := range signals {
			if !every && k != i%len(signals) {
				continue
			}
			cases++
			t.Run(phase.name+"/"+sig.String(), func(t *testing.T) {
				happened := signalIn(t, root, i, sig.Signal)
				if t.Failed() {
					happened += " " + evidence.Wrong
				}
				t.Attr(evidence.Signal, evidence.Line("lessons", phase.name, sig.name, happened))
				if sig.Signal == syscall.SIGHUP {
					t.Attr(evidence.Attack, evidence.Line("11 a closed terminal", "lessons "+phase.args[0]+": SIGHUP while "+phase.name, "status 129, or 0 of a server; nothing is left", happened))
				}
			})
		}
	}
	t.Attr("cases", fmt.Sprint(cases))
}

// signalIn sends a signal in a phase, and returns what happened.
func signalIn(t *testing.T, root string, i int, sig syscall.Signal) string {
	phase, dir := phases[i], t.TempDir()
	files := map[string]string{"endless.md": endless,
		"bin/jupyter-lab": "#!/bin/sh\n'" + os.Args[0] + "' " + sleepArgument + " &\nsetsid '" + os.Args[0] + "' " + sleepArgument + " &\n: > '" + dir + "/begun'\nwait\n"}
	if err := os.Mkdir(filepath.Join(dir, "bin"), 0o777); err != nil {
		t.Fatal(err)
	}
	for name, text := range files {
		if err := os.WriteFile(filepath.Join(dir, name), []byte(text), 0o777); err != nil {
			t.Fatal(err)
		}
	}
	// The kernel that is built already, unless the phase is to build one.
	kept := filepath.Join(root, ".gonb")
	if err := os.RemoveAll(kept); err != nil {
		t.Fatal(err)
	}
	if !strings.HasPrefix(phase.there, "ROOT/.gonb") {
		if err := os.Mkdir(kept, 0o777); err != nil {
			t.Fatal(err)
		}
		programs, _ := filepath.Glob(filepath.Join(moduleRoot, ".gonb", "go*"))
		for _, dir := range programs { // not what another process is building there
			if err := os.Symlink(dir, filepath.Join(kept, filepath.Base(dir))); err != nil {
				t.Fatal(err)
			}
		}
	}
	os.RemoveAll(filepath.Join(root, "site"))

	c := command(t, root)
	names := strings.NewReplacer("DIR", dir, "ROOT", root, "TMP", c.temp)
	began := func(args []string, there string) {
		t.Helper()
		c.Env = append(c.Env, "PATH="+filepath.Join(dir, "bin")+":"+os.Getenv("PATH"), argumentsVariable+"="+names.Replace(strings.Join(args, "\n")))
		if err := c.Start(); err != nil {
			t.Fatal(err)
		}
		for deadline := time.Now().Add(5 * time.Minute); ; time.Sleep(2 * time.Millisecond) {
			if found, _ := filepath.Glob(names.Replace(there)); len(found) > 0 {
				return
			}
			if time.Now().After(deadline) {
				c.Process.Kill()
				c.Wait()
				t.Fatalf("not seen: %s; it said %s", there, c.errs.String())
			}
		}
	}
	began(phase.args, phase.there)
	c.Process.Signal(sig)
	c.Wait()
	status := c.ProcessState.ExitCode()
	switch {
	case sig == syscall.SIGKILL:
		c.gone(t, phase.name)
		os.Remove(filepath.Join(dir, "begun"))
		c.Cmd = c.again()
		began([]string{"run", "DIR/endless.md"}, "DIR/begun")
		c.Process.Signal(syscall.SIGTERM)
		c.Wait()
	case status == 0 && phase.serve: // as after Ctrl-C
	case status != 128+int(sig) || !strings.Contains(c.errs.String(), "lessons: interrupted; nothing is left half-written"):
		t.Errorf("status %d, want %d; %s", status, 128+int(sig), c.errs.String())
	}
	c.clean(t, phase.name)
	for _, pattern := range []string{"DIR/*.ipynb", "DIR/.*", "DIR/prefix/share/jupyter/kernels/gonb/*", "ROOT/.gonb/building-*", "ROOT/notebooks/.*"} {
		if left, _ := filepath.Glob(names.Replace(pattern)); len(left) > 0 {
			t.Errorf("left behind: %v", left)
		}
	}
	if sig == syscall.SIGKILL {
		return "killed"
	}
	return strconv.Itoa(status)
}

// executedCourse is a copy of the course with one lesson that counts as executed: there is a go.mod, a
// lesson and its notebook, and what a fingerprint is made of.
func executedCourse(t *testing.T) string {
	t.Helper()
	root := t.TempDir()
	for _, dir := range []string{"internal", "svmkit", "plots", "lessons/figures", "lessons/lab", "notebooks"} {
		if err := os.MkdirAll(filepath.Join(root, dir), 0o777); err != nil {
			t.Fatal(err)
		}
	}
	for _, name := range []string{"go.mod", "go.sum", "lessons/01-hyperplane.md", "lessons/course.yaml", "lessons/errata.yaml", "lessons/notes.yaml", "lessons/paths.yaml", "lessons/glossary.yaml"} {
		text, err := os.ReadFile(filepath.Join(moduleRoot, name))
		if err == nil {
			err = os.WriteFile(filepath.Join(root, name), text, 0o666)
		}
		if err != nil {
			t.Fatal(err)
		}
	}
	for _, dir := range []string{"lessons/internal/kernel/cellgo", "lessons/internal/kernel/original", "lessons/internal/cells"} { // which the kernel is built with
		if err := os.CopyFS(filepath.Join(root, dir), os.DirFS(filepath.Join(moduleRoot, dir))); err != nil {
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
