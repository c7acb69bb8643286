//go:build jupyter

package main

import (
	"bufio"
	"io/fs"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"syscall"
	"testing"
	"time"
)

// What the README promises of `lessons jupyter` and `lessons kernel`: for a normal user, in a folder
// with a space in its path, the second time without the network, beside the user's other kernels;
// and a Jupyter that is started elsewhere runs a cell that imports the course.
func TestAnybodysJupyter(t *testing.T) {
	for _, program := range []string{"jupyter-notebook", "jupyter-nbconvert"} {
		if _, err := exec.LookPath(program); err != nil {
			if os.Getenv("CI") == "true" {
				t.Fatal(err)
			}
			t.Skip(err)
		}
	}
	s := newStranger(t)
	other := filepath.Join(s.home, ".local/share/jupyter/kernels/other")
	const theirs = `{"argv": ["true"], "display_name": "Other", "language": "other"}`
	s.write(filepath.Join(other, "kernel.json"), theirs)

	s.opens("the first time")
	offline := []string{"GOPROXY=off", "HTTPS_PROXY=http://127.0.0.1:9", "HTTP_PROXY=http://127.0.0.1:9"}
	s.opens("the second time, offline", offline...)
	if kernels := names(t, filepath.Dir(other)); kernels != "other" {
		t.Errorf("after `lessons jupyter` the user's kernels are %s", kernels)
	}

	if out, err := s.command(s.course, offline, "go", "run", "./lessons", "kernel").CombinedOutput(); err != nil {
		t.Fatalf("lessons kernel: %v\n%s", err, out)
	}
	elsewhere := filepath.Join(s.home, "else where")
	s.write(filepath.Join(elsewhere, "mine.ipynb"), `{"cells": [{"cell_type": "code", "id": "a", "execution_count": null, "metadata": {}, "outputs": [],
"source": "import \"github.com/svmkit/course/svmkit\"\n\n%%\nfmt.Println(svmkit.Hyperplane{W: []float64{3, 4}, B: 1}.Norm())"}],
"metadata": {"kernelspec": {"display_name": "Go (gonb)", "language": "go", "name": "gonb"}}, "nbformat": 4, "nbformat_minor": 5}`)
	if out, err := s.command(elsewhere, offline, "jupyter", "nbconvert", "--execute", "--to", "markdown", "--stdout", "mine.ipynb").CombinedOutput(); err != nil || !strings.Contains(string(out), "\n    5\n") {
		t.Errorf("elsewhere: %v\n%s", err, out)
	}
	if kernels := names(t, filepath.Dir(other)); kernels != "gonb other" {
		t.Errorf("after `lessons kernel` the user's kernels are %s", kernels)
	}
	if text, err := os.ReadFile(filepath.Join(other, "kernel.json")); err != nil || string(text) != theirs {
		t.Errorf("the other kernel is %q (%v)", text, err)
	}
}

func names(t *testing.T, dir string) string {
	t.Helper()
	var all []string
	entries, err := os.ReadDir(dir)
	if err != nil {
		t.Error(err)
	}
	for _, e := range entries {
		all = append(all, e.Name())
	}
	return strings.Join(all, " ")
}

// stranger is a user who has Go, Jupyter and a copy of the course, and nothing else: no root, no caches.
type stranger struct {
	*testing.T
	home, course string
	uid          int
}

func newStranger(t *testing.T) stranger {
	t.Helper()
	copied := copyModule(t, "..")
	base := filepath.Dir(copied)
	s := stranger{t, filepath.Join(base, "home"), filepath.Join(base, "home", "my courses", "svm"), os.Getuid()}
	if s.uid == 0 {
		s.uid = 12345
	}
	s.write(filepath.Join(s.home, "my courses", "note.txt"), "")
	if err := os.Rename(copied, s.course); err != nil {
		t.Fatal(err)
	}
	s.write(filepath.Join(s.course, "notebooks", "README.txt"), "")
	if err := os.Chmod(base, 0o755); err != nil { // for another user to get there
		t.Fatal(err)
	}
	s.own(base)
	return s
}

func (s stranger) write(path, text string) {
	s.Helper()
	if err := os.MkdirAll(filepath.Dir(path), 0o777); err != nil {
		s.Fatal(err)
	}
	if err := os.WriteFile(path, []byte(text), 0o666); err != nil {
		s.Fatal(err)
	}
	s.own(s.home)
}

func (s stranger) own(dir string) {
	s.Helper()
	err := filepath.WalkDir(dir, func(path string, _ os.DirEntry, err error) error {
		if err != nil {
			return err
		}
		return os.Lchown(path, s.uid, s.uid)
	})
	if err != nil && os.Getuid() == 0 {
		s.Fatal(err)
	}
}

// command is a command that the stranger types in dir.
func (s stranger) command(dir string, env []string, name string, args ...string) *exec.Cmd {
	cmd := exec.CommandContext(s.Context(), name, args...)
	cmd.Dir = dir
	cmd.SysProcAttr = &syscall.SysProcAttr{Setpgid: true}
	if os.Getuid() == 0 {
		cmd.SysProcAttr.Credential = &syscall.Credential{Uid: uint32(s.uid), Gid: uint32(s.uid)}
	}
	cmd.Env = append([]string{"HOME=" + s.home, "PATH=" + os.Getenv("PATH"), "GOFLAGS=-modcacherw"}, env...)
	for _, name := range []string{"SSL_CERT_FILE", "SSL_CERT_DIR", "HTTPS_PROXY", "GOPROXY"} { // of the machine's network
		if v, ok := os.LookupEnv(name); ok {
			cmd.Env = append([]string{name + "=" + v}, cmd.Env...)
		}
	}
	return cmd
}

// end interrupts a command and all that it has started, as Ctrl-C in a terminal does, and waits until
// nothing of it is left: our command gives Jupyter ten seconds.
func (s stranger) end(cmd *exec.Cmd) {
	s.Helper()
	syscall.Kill(-cmd.Process.Pid, syscall.SIGINT)
	cmd.Wait()
	for end := time.Now().Add(time.Minute); syscall.Kill(-cmd.Process.Pid, 0) == nil; time.Sleep(100 * time.Millisecond) {
		if time.Now().After(end) {
			syscall.Kill(-cmd.Process.Pid, syscall.SIGKILL)
			s.Error("a minute after Ctrl-C something still runs")
		}
	}
}

// opens starts `lessons jupyter` and waits for the address that it prints.
func (s stranger) opens(when string, env ...string) {
	s.Helper()
	cmd := s.command(s.course, env, "go", "run", "./lessons", "jupyter", "-no-browser")
	log, err := cmd.StderrPipe()
	if err != nil {
		s.Fatal(err)
	}
	began := time.Now()
	if err := cmd.Start(); err != nil {
		s.Fatal(err)
	}
	defer s.end(cmd)
	var said strings.Builder
	for lines := bufio.NewScanner(log); lines.Scan(); said.WriteString(lines.Text() + "\n") {
		if strings.Contains(lines.Text(), "http://127.0.0.1:") && strings.Contains(lines.Text(), "token=") {
			if strings.Contains(said.String(), "Code is not completed") {
				s.Errorf("%s: gopls is missing:\n%s", when, said.String())
			}
			s.Logf("%s: Jupyter answers after %.0f s", when, time.Since(began).Seconds())
			return
		}
	}
	s.Fatalf("%s: no address:\n%s", when, said.String())
}

// copyModule copies what lessons run on to a temporary folder: sources, data and lessons,
// without what is generated.
func copyModule(t *testing.T, root string) string {
	t.Helper()
	to := t.TempDir()
	for _, part := range []string{"go.mod", "go.sum", "internal", "svmkit", "plots", "lessons"} {
		err := filepath.WalkDir(filepath.Join(root, part), func(path string, d fs.DirEntry, err error) error {
			if err != nil {
				return err
			}
			name, err := filepath.Rel(root, path)
			if err != nil {
				return err
			}
			switch {
			case d.IsDir() && d.Name() == "testdata":
				return fs.SkipDir
			case d.IsDir():
				return os.MkdirAll(filepath.Join(to, name), 0o777)
			}
			text, err := os.ReadFile(path)
			if err != nil {
				return err
			}
			return os.WriteFile(filepath.Join(to, name), text, 0o666)
		})
		if err != nil {
			t.Fatal(err)
		}
	}
	return to
}
