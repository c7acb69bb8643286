//go:build unix

package proctest

import (
	"bytes"
	"errors"
	"fmt"
	"io/fs"
	"log"
	"math/rand/v2"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"strings"
	"syscall"
	"testing"
	"time"
)

// Long reports whether the long form of these tests is asked for.
func Long() bool { return os.Getenv("SVMKIT_RELIABILITY") == "full" }

// patience is how long a process may take that does what it should: for machines under load.
const patience = 3 * time.Minute

// Ended is how a process ended.
type Ended struct {
	Status int // −1: by a signal
	Signal syscall.Signal
	Out    string
	Errs   string
	Took   time.Duration
	Peak   int64 // resident memory, bytes; of Measured only
}

// Complete runs a process to its end.
func Complete(t *testing.T, cmd *exec.Cmd) Ended {
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
	end := Ended{Status: cmd.ProcessState.ExitCode(), Out: o.String(), Errs: e.String(), Took: time.Since(began)}
	if s, ok := cmd.ProcessState.Sys().(syscall.WaitStatus); ok && s.Signaled() {
		end.Signal = s.Signal()
	}
	return end
}

// measureVariable says to a test program: run your arguments as a command, and measure its memory.
const measureVariable = "PROCTEST_MEASURE"

// Measured runs a process to its end, as Complete does, and measures its memory. A small process between
// this one and it does so: what Linux counts for a process begins with what its parent takes.
func Measured(t *testing.T, cmd *exec.Cmd) Ended {
	t.Helper()
	self, err := os.Executable()
	if err != nil {
		t.Fatal(err)
	}
	name := filepath.Join(t.TempDir(), "peak")
	cmd.Env = append(cmd.Environ(), measureVariable+"="+name)
	cmd.Path, cmd.Args = self, append([]string{self, cmd.Path}, cmd.Args[1:]...)
	end := Complete(t, cmd)
	if end.Peak, err = strconv.ParseInt(Content(t, name), 10, 64); err != nil {
		t.Fatalf("%v; it said %s", err, end.Errs)
	}
	return end
}

// Measure is what the process between does. A TestMain whose tests call Measured calls Measure before all else; it
// returns at once in every other process.
func Measure() {
	name, set := os.LookupEnv(measureVariable)
	if !set {
		return
	}
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
	if Long() {
		wait *= 10
	}
	return time.AfterFunc(wait, func() { cmd.Process.Kill() })
}

// Killed starts a process and kills it (-9) after the given time. It reports false if the
// process had ended before.
func Killed(t *testing.T, cmd *exec.Cmd, after time.Duration) bool {
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

// Kills returns how many kills a test makes.
func Kills(few, many int) int {
	if Long() {
		return many
	}
	return few
}

// Moment is a random time within the run of a process that takes about as long as whole. Early
// and late moments are as likely as those between.
func Moment(rng *rand.Rand, whole time.Duration) time.Duration {
	return time.Duration(rng.Float64() * float64(whole))
}

// Content is a file's content, "" if there is none.
func Content(t *testing.T, name string) string {
	t.Helper()
	b, err := os.ReadFile(name)
	if err != nil && !errors.Is(err, os.ErrNotExist) {
		t.Fatal(err)
	}
	return string(b)
}

// Put writes a file in a folder and returns its path.
func Put(t *testing.T, folder, name, content string) string {
	t.Helper()
	path := filepath.Join(folder, name)
	if err := os.MkdirAll(filepath.Dir(path), 0o777); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(path, []byte(content), 0o666); err != nil {
		t.Fatal(err)
	}
	return path
}

// Names lists a folder, hidden files too.
func Names(t *testing.T, folder string) (list []string) {
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

// Hidden counts the files that a killed writer has left in a folder.
func Hidden(t *testing.T, folder string) (n int) {
	t.Helper()
	for _, name := range Names(t, folder) {
		if strings.HasPrefix(name, ".") {
			n++
		}
	}
	return n
}

// Tree is what the files in a folder and below it hold.
func Tree(t *testing.T, dir string) map[string]string {
	t.Helper()
	files := map[string]string{}
	err := filepath.WalkDir(dir, func(path string, d fs.DirEntry, err error) error {
		if err == nil && d.Type().IsRegular() {
			name, _ := filepath.Rel(dir, path)
			files[filepath.ToSlash(name)] = Content(t, path)
		}
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
	return files
}

// missing skips the test because this machine cannot run it; in CI that is a failure.
func missing(t *testing.T, what string) {
	t.Helper()
	if os.Getenv("CI") == "true" {
		t.Fatal(what)
	}
	t.Skip(what)
}

// Tmpfs mounts a small file system of its own. Options are those of mount -o.
func Tmpfs(t *testing.T, options string) string {
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

// Remount makes a mounted file system read-only until the test ends.
func Remount(t *testing.T, dir string) {
	t.Helper()
	if out, err := exec.Command("mount", "-o", "remount,ro", dir).CombinedOutput(); err != nil {
		missing(t, fmt.Sprintf("remount: %v: %s", err, out))
	}
}
