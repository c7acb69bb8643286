package main

import (
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"strings"
	"syscall"
	"testing"
	"time"

	"github.com/svmkit/course/internal/leaktest"
)

// As "go" this binary is the program under test.
func TestMain(m *testing.M) {
	if filepath.Base(os.Args[0]) == "go" {
		main()
		return
	}
	leaktest.Main(m)
}

// workspace is a module and a workspace beside it, as GoNB makes one, with the commands that the real go command gets.
type workspace struct {
	*testing.T
	lib, dir, log string
	env           []string
}

func newWorkspace(t *testing.T) *workspace {
	if runtime.GOOS != "linux" {
		t.Skip("elsewhere the go command builds the cells")
	}
	realGo, err := exec.LookPath("go")
	if err != nil {
		t.Fatal(err)
	}
	base := t.TempDir()
	w := &workspace{T: t, lib: filepath.Join(base, "lib"), dir: filepath.Join(base, "gonb_1"), log: filepath.Join(base, "log")}
	w.write("lib/go.mod", "module example.com/lib\n\ngo 1.26\n")
	w.write("lib/lib.go", "package lib\n\nimport _ \"embed\"\n\n//go:embed word\nvar Word string\n\nfunc F() string { return \"one\" }\n")
	w.write("lib/word", "first")
	w.write("lib/internal/secret/secret.go", "package secret\n\nconst X = 1\n")
	w.write("gonb_1/go.mod", "module gonb_1\n\ngo 1.26\n")
	w.write("gonb_1/go.work", "go 1.26\n\nuse (\n\t.\n\t"+w.lib+"\n)\n")
	w.write("spy/go", fmt.Sprintf("#!/bin/sh\necho \"$*\" >> '%s'\nexec '%s' \"$@\"\n", w.log, realGo))
	self, err := os.Executable()
	if err != nil {
		t.Fatal(err)
	}
	if err := os.MkdirAll(filepath.Join(base, "ours"), 0o755); err != nil {
		t.Fatal(err)
	}
	// A hard link, or a copy: the program looks for itself in PATH.
	if err := os.Link(self, filepath.Join(base, "ours", "go")); err != nil {
		text, err := os.ReadFile(self)
		if err != nil {
			t.Fatal(err)
		}
		w.write("ours/go", string(text))
	}
	w.env = append(os.Environ(), "PATH="+filepath.Join(base, "ours")+":"+filepath.Join(base, "spy")+":"+os.Getenv("PATH"),
		"CGO_ENABLED=0", "GOPROXY=off", "GOFLAGS=-ldflags=-w", "GOWORK=", "GONB_TMP_DIR="+w.dir)
	w.age()
	return w
}

// write writes a file below the folder that holds module and workspace.
func (w *workspace) write(name, text string) {
	w.Helper()
	file := filepath.Join(filepath.Dir(w.dir), name)
	if err := os.MkdirAll(filepath.Dir(file), 0o755); err != nil {
		w.Fatal(err)
	}
	if err := os.WriteFile(file, []byte(text), 0o755); err != nil {
		w.Fatal(err)
	}
}

// age makes the module look an hour old: what has just changed is not remembered.
func (w *workspace) age() {
	w.Helper()
	old := time.Now().Add(-time.Hour)
	err := filepath.WalkDir(w.lib, func(path string, _ os.DirEntry, err error) error {
		if err != nil {
			return err
		}
		return os.Chtimes(path, old, old)
	})
	if err != nil {
		w.Fatal(err)
	}
}

func (w *workspace) goCommand(args ...string) (string, error) {
	cmd := exec.Command(filepath.Join(filepath.Dir(w.dir), "ours", "go"), args...)
	cmd.Dir, cmd.Env = w.dir, w.env
	out, err := cmd.CombinedOutput()
	return string(out), err
}

// cell builds a cell as GoNB does and returns what it prints, or the go command's message, and how often the real go
// command was called.
func (w *workspace) cell(code string) (out string, calls int) {
	w.Helper()
	if err := os.Remove(w.log); err != nil && !os.IsNotExist(err) {
		w.Fatal(err)
	}
	w.write("gonb_1/main.go", code)
	program := filepath.Join(w.dir, "gonb_1")
	os.Remove(program)
	out, err := w.goCommand("build", "-o", program)
	text, _ := os.ReadFile(w.log)
	calls = strings.Count(string(text), "\n")
	if err == nil {
		ran, _ := exec.Command(program).CombinedOutput()
		out += string(ran)
	}
	return out, calls
}

const libCell = "package main\n\nimport (\n\t\"fmt\"\n\t\"example.com/lib\"\n)\n\nfunc main() { fmt.Println(lib.F(), lib.Word) }\n"

func TestCellsAreCheapAndNeverStale(t *testing.T) {
	w := newWorkspace(t)
	want := func(code, output string, cheap bool) {
		t.Helper()
		if out, calls := w.cell(code); out != output || (calls == 0) != cheap {
			t.Errorf("printed %q after %d calls of the go command; want %q, none: %v", out, calls, output, cheap)
		}
	}
	want(libCell, "one first\n", false)
	want(libCell, "one first\n", true)
	want(strings.Replace(libCell, "lib.F()", "lib.F()+lib.F()", 1), "oneone first\n", true)
	want("package main\n\nfunc main() { println(2) }\n", "2\n", true)
	// Each change is as long as what it replaces, and as old.
	w.write("lib/lib.go", "package lib\n\nimport _ \"embed\"\n\n//go:embed word\nvar Word string\n\nfunc F() string { return \"two\" }\n")
	w.age()
	want(libCell, "two first\n", false)
	want(libCell, "two first\n", true)
	w.write("lib/word", "fifth")
	w.age()
	want(libCell, "two fifth\n", false)
	want(libCell, "two fifth\n", true)
	w.write("lib/more.go", "package lib\n\nfunc init() { Word = \"more\" }\n")
	w.age()
	want(libCell, "two more\n", false)
	want(libCell, "two more\n", true)
	// What is so young that it may change unseen is not remembered.
	w.write("lib/more.go", "package lib\n\nfunc init() { Word = \"last\" }\n")
	want(libCell, "two last\n", false)
	want(libCell, "two last\n", false)
	w.age()
	want(libCell, "two last\n", false)
	want(libCell, "two last\n", true)
	w.env = append(w.env, "GOFLAGS=-tags=other")
	want(libCell, "two last\n", false)
}

func TestMessagesAreTheGoCommands(t *testing.T) {
	w := newWorkspace(t)
	w.cell(libCell)
	for _, test := range []struct{ code, message string }{
		{strings.Replace(libCell, "lib.F()", "lib.F(1)", 1), "# gonb_1\n./main.go:8:33: too many arguments in call to lib.F"},
		{strings.Replace(libCell, "fmt\"", "os\"", 1), "\"os\" imported and not used"},
		{"package main\n\nimport _ \"example.com/lib/internal/secret\"\n\nfunc main() {}\n", "use of internal package example.com/lib/internal/secret not allowed"},
		{"package main\n\nimport _ \"internal/abi\"\n\nfunc main() {}\n", "use of internal package internal/abi not allowed"},
		{"package main\n\nimport _ \"example.com/nothing\"\n\nfunc main() {}\n", "no required module provides package example.com/nothing"},
		{"package main\n\nfunc main() { panic(\"fell\") }\n", "main.go:3"},
		{"package main\n\nimport \"runtime/debug\"\n\nfunc main() { info, _ := debug.ReadBuildInfo(); println(info.Path) }\n", "gonb_1\n"},
	} {
		if out, _ := w.cell(test.code); !strings.Contains(out, test.message) {
			t.Errorf("%s\nprinted %q, want %q", test.code, out, test.message)
		}
	}
	w.write("gonb_1/other.go", "package main\n\nfunc other() { println(3) }\n")
	if out, _ := w.cell("package main\n\nfunc main() { other() }\n"); out != "3\n" {
		t.Errorf("a cell with a second file printed %q", out)
	}
}

func TestOtherCommandsPass(t *testing.T) {
	w := newWorkspace(t)
	if out, err := w.goCommand("env", "GOPROXY"); err != nil || out != "off\n" {
		t.Errorf("go env: %q, %v", out, err)
	}
	out, err := w.goCommand("no-such-command")
	if e, ok := err.(*exec.ExitError); !ok || e.Sys().(syscall.WaitStatus).ExitStatus() != 2 || !strings.Contains(out, "unknown command") {
		t.Errorf("%v, %q", err, out)
	}
	w.write("gonb_1/main.go", "package main\n\nimport _ \"example.com/nothing\"\n\nfunc main() {}\n")
	if out, err := w.goCommand("get"); err != nil || out != "" {
		t.Errorf("go get offline: %v, %q; want nothing", err, out)
	}
}
