package main_test

import (
	"bytes"
	"errors"
	"fmt"
	"log"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"strconv"
	"strings"
	"sync"
	"syscall"
	"testing"
	"time"
)

// long reports whether the long form of these tests is asked for.
func long() bool { return os.Getenv("SVMKIT_RELIABILITY") == "full" }

// patience is how long a process may take that does what it should: for machines under load.
const patience = 3 * time.Minute

var (
	builtSVM     = sync.OnceValues(func() (string, error) { return built("../cmd/svm") })
	builtLessons = sync.OnceValues(func() (string, error) { return built("../lessons") })
)

// programs are kept open for as long as this process lives, see built.
var programs []*os.File

// built builds a command and returns how it can be started. Where the system allows it the file
// has no name any more, so that nothing is left of it however the tests end.
func built(dir string) (string, error) {
	folder, err := os.MkdirTemp("", "reliability-")
	if err != nil {
		return "", err
	}
	path := filepath.Join(folder, filepath.Base(dir))
	if out, err := exec.Command("go", "build", "-o", path, dir).CombinedOutput(); err != nil {
		return "", errors.Join(fmt.Errorf("%w: %s", err, out), os.RemoveAll(folder))
	}
	file, err := os.Open(path)
	if err != nil || runtime.GOOS != "linux" {
		return path, err
	}
	programs = append(programs, file)
	return fmt.Sprintf("/proc/%d/fd/%d", os.Getpid(), file.Fd()), os.RemoveAll(folder)
}

// svmCommand is the built command; the process is tied to the test.
func svmCommand(t *testing.T, args ...string) *exec.Cmd {
	t.Helper()
	path, err := builtSVM()
	if err != nil {
		t.Fatal(err)
	}
	cmd := exec.CommandContext(t.Context(), path, args...)
	cmd.WaitDelay = 10 * time.Second
	return cmd
}

// ended is how a process ended.
type ended struct {
	status int // −1: by a signal
	signal syscall.Signal
	out    string
	errs   string
	took   time.Duration
	peak   int64 // resident memory, bytes; of measured only
}

// complete runs a process to its end.
func complete(t *testing.T, cmd *exec.Cmd) ended {
	t.Helper()
	var o, e bytes.Buffer
	if cmd.Stdout == nil {
		cmd.Stdout = &o
	}
	cmd.Stderr = &e
	began := time.Now()
	defer patiently(cmd).Stop()
	if err := cmd.Run(); err != nil && cmd.ProcessState == nil {
		t.Fatal(err)
	}
	end := ended{status: cmd.ProcessState.ExitCode(), out: o.String(), errs: e.String(), took: time.Since(began)}
	if s, ok := cmd.ProcessState.Sys().(syscall.WaitStatus); ok && s.Signaled() {
		end.signal = s.Signal()
	}
	return end
}

// measureVariable says to this test program: run your arguments as a command, and measure its memory.
const measureVariable = "RELIABILITY_MEASURE"

// measured runs a process to its end, as complete does, and measures its memory. A small process between
// this one and it does so: what Linux counts for a process begins with what its parent takes.
func measured(t *testing.T, cmd *exec.Cmd) ended {
	t.Helper()
	self, err := os.Executable()
	if err != nil {
		t.Fatal(err)
	}
	name := filepath.Join(t.TempDir(), "peak")
	cmd.Path, cmd.Args = self, append([]string{self, cmd.Path}, cmd.Args[1:]...)
	cmd.Env = append(cmd.Environ(), measureVariable+"="+name)
	end := complete(t, cmd)
	if end.peak, err = strconv.ParseInt(content(t, name), 10, 64); err != nil {
		t.Fatalf("%v; it said %s", err, end.errs)
	}
	return end
}

// measure is what the process between does.
func measure() {
	name := os.Getenv(measureVariable)
	os.Unsetenv(measureVariable)
	cmd := exec.Command(os.Args[1], os.Args[2:]...)
	cmd.Stdin, cmd.Stdout, cmd.Stderr = os.Stdin, os.Stdout, os.Stderr
	patiently(cmd)
	if err := cmd.Run(); cmd.ProcessState == nil {
		log.Fatal(err)
	}
	if u, ok := cmd.ProcessState.SysUsage().(*syscall.Rusage); ok {
		if err := os.WriteFile(name, fmt.Append(nil, u.Maxrss<<10), 0o600); err != nil { // Linux counts in KiB
			log.Fatal(err)
		}
	}
	os.Exit(cmd.ProcessState.ExitCode())
}

// patiently kills a process that runs for too long.
func patiently(cmd *exec.Cmd) *time.Timer {
	wait := patience
	if long() {
		wait *= 10
	}
	return time.AfterFunc(wait, func() { cmd.Process.Kill() })
}

// well runs svm and fails the test unless all goes well.
func well(t *testing.T, args ...string) ended {
	t.Helper()
	end := complete(t, svmCommand(t, args...))
	if end.status != 0 {
		t.Fatalf("svm %s: status %d, %v\n%s%s", strings.Join(args, " "), end.status, end.signal, end.out, end.errs)
	}
	return end
}

// killed starts a process and kills it (-9) after the given time. It reports false if the
// process had ended before.
func killed(t *testing.T, cmd *exec.Cmd, after time.Duration) bool {
	t.Helper()
	var e bytes.Buffer
	cmd.Stderr = &e
	if err := cmd.Start(); err != nil {
		t.Fatal(err)
	}
	time.Sleep(after)
	cmd.Process.Kill()
	cmd.Wait()
	s, _ := cmd.ProcessState.Sys().(syscall.WaitStatus)
	if !s.Signaled() && cmd.ProcessState.ExitCode() != 0 {
		t.Fatalf("%s: status %d: %s", cmd, cmd.ProcessState.ExitCode(), e.String())
	}
	return s.Signaled()
}

// content is a file's content, "" if there is none.
func content(t *testing.T, name string) string {
	t.Helper()
	b, err := os.ReadFile(name)
	if err != nil && !errors.Is(err, os.ErrNotExist) {
		t.Fatal(err)
	}
	return string(b)
}

// namesIn lists a folder, hidden files too.
func namesIn(t *testing.T, folder string) (list []string) {
	t.Helper()
	entries, err := os.ReadDir(folder)
	if err != nil {
		t.Fatal(err)
	}
	for _, e := range entries {
		list = append(list, e.Name())
	}
	return list
}

// hiddenIn counts the files that a killed writer has left in a folder.
func hiddenIn(t *testing.T, folder string) (n int) {
	t.Helper()
	for _, name := range namesIn(t, folder) {
		if strings.HasPrefix(name, ".") {
			n++
		}
	}
	return n
}

// put writes a file in a folder and returns its path.
func put(t *testing.T, folder, name, content string) string {
	t.Helper()
	path := filepath.Join(folder, name)
	if err := os.WriteFile(path, []byte(content), 0o666); err != nil {
		t.Fatal(err)
	}
	return path
}

// missing skips the test because this machine cannot run it; in CI that is a failure.
func missing(t *testing.T, what string) {
	t.Helper()
	if os.Getenv("CI") == "true" {
		t.Fatal(what)
	}
	t.Skip(what)
}

// tmpfs mounts a small file system of its own. Options are those of mount -o.
func tmpfs(t *testing.T, options string) string {
	t.Helper()
	if os.Geteuid() != 0 {
		missing(t, "only root can mount a small file system")
	}
	dir := t.TempDir()
	if out, err := exec.Command("mount", "-t", "tmpfs", "-o", options, "tmpfs", dir).CombinedOutput(); err != nil {
		missing(t, fmt.Sprintf("mount: %v: %s", err, out))
	}
	t.Cleanup(func() {
		if out, err := exec.Command("umount", dir).CombinedOutput(); err != nil {
			t.Errorf("umount: %v: %s", err, out)
		}
	})
	return dir
}

// remounted makes a mounted file system read-only until the test ends.
func remounted(t *testing.T, dir string) {
	t.Helper()
	if out, err := exec.Command("mount", "-o", "remount,ro", dir).CombinedOutput(); err != nil {
		missing(t, fmt.Sprintf("remount: %v: %s", err, out))
	}
}
