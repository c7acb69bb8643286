package main

import (
	"bytes"
	"context"
	"errors"
	"flag"
	"fmt"
	"net"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/svmkit/course/internal/clitest"
	"github.com/svmkit/course/internal/leaktest"
)

func TestMain(m *testing.M) {
	if len(os.Args) == 2 && os.Args[1] == sleepArgument {
		time.Sleep(1000 * time.Second)
		return
	}
	// The clock of the syntax highlighter's regular expressions runs on for some time after the last match, and ends by itself.
	leaktest.Main(m, "github.com/dlclark/regexp2/v2.runClock")
}

// sleepArgument makes the test binary into a program that sleeps, so that the tests need no program of the system.
const sleepArgument = "sleep-for-long"

// sleeper is Go source: an *exec.Cmd that sleeps.
var sleeper = fmt.Sprintf("exec.Command(%q, %q)", os.Args[0], sleepArgument)

var moduleRoot, _ = filepath.Abs("..")

// call runs the command in the module's root, as a reader does.
func call(t *testing.T, args ...string) (stdout, stderr string, err error) {
	t.Helper()
	t.Chdir(moduleRoot)
	var out, errs bytes.Buffer
	err = run(t.Context(), args, &out, &errs)
	return out.String(), errs.String(), err
}

func TestMistakesOfTheCallerAreNamed(t *testing.T) {
	dir := t.TempDir()
	write := func(name, text string) string {
		path := filepath.Join(dir, name)
		if err := os.WriteFile(path, []byte(text), 0o666); err != nil {
			t.Fatal(err)
		}
		return path
	}
	python := write("python.ipynb", `{"cells":[],"metadata":{"kernelspec":{"name":"python3","display_name":"P","language":"python"}},"nbformat":4,"nbformat_minor":5}`)
	broken := write("broken.ipynb", `{"cells":`)
	open := write("open.md", "```go\n%%\nprintln(1)\n")
	busy, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	defer busy.Close()
	port := strconv.Itoa(busy.Addr().(*net.TCPAddr).Port)

	for _, c := range []struct {
		args []string
		says string
	}{
		{[]string{"rnu"}, `no command "rnu"; say serve, run, test, mutants, grade, build, book, jupyter, kernel or list (go run ./lessons -h explains them)`},
		{[]string{"run", "77"}, `there is no lesson "77"`},
		{[]string{"run", "-frobnicate"}, "-frobnicate"},
		{[]string{"mutants", "77"}, `there is no lesson "77"`},
		{[]string{"mutants", "3", "-only", "no such mistake"}, "-only no such mistake: no mutant"},
		{[]string{"run", "-limit", "-3s"}, "must be positive"},
		{[]string{"run", "-jobs", "0"}, "-jobs 0: must be 1 or more"},
		{[]string{"build", "-solutions=maybe"}, "yes or no"},
		{[]string{"build", "-base", "example.org"}, "-base example.org: must be like https://host/prefix or like /prefix"},
		{[]string{"run", "-solutions=no"}, "run has no flag -solutions; build has it (go run ./lessons run -h shows the flags)"},
		{[]string{"run", "-port", "3"}, "run has no flag -port; serve has it"},
		{[]string{"list", "-jobs", "3"}, "list has no flag -jobs; serve, run, test, mutants or grade has it"},
		{[]string{"grade"}, "missing argument: FOLDER (go run ./lessons grade -h shows the flags)"},
		{[]string{"run", filepath.Join(dir, "none.md")}, "no such file"},
		{[]string{"run", python}, "is a notebook for python"},
		{[]string{"run", broken}, "broken.ipynb"},
		{[]string{"run", open}, "open.md:1"},
		{[]string{"run", open, python, "-o", filepath.Join(dir, "one.ipynb")}, "open.md:1"},
		{[]string{"-port", port}, "port " + port + " is in use"},
		{[]string{"run", "3", write("a.md", "text"), "-o", filepath.Join(dir, "one.ipynb")}, "need a folder"},
		{[]string{"run", "3", "-o", filepath.Join(python, "x.ipynb")}, "cannot write to"},
	} {
		t.Run(strings.Join(c.args, " "), func(t *testing.T) {
			if _, _, err := call(t, c.args...); err == nil || !strings.Contains(err.Error(), c.says) {
				t.Errorf("got %v, want %q", err, c.says)
			}
		})
	}
}

// The help has its form, and each example of it is a line that the commands take.
func TestHelp(t *testing.T) {
	a := &app{}
	for _, line := range clitest.Help(t, a.program(), "go run ./lessons") {
		line, _, _ := strings.Cut(strings.TrimPrefix(line, "go run ./lessons"), " > ") // for the shell
		line, _, _ = strings.Cut(line, " | ")
		if _, _, err := (&app{}).parse(strings.Fields(line)); err != nil {
			t.Errorf("go run ./lessons%s: %v", line, err)
		}
	}
	for line, want := range map[string]string{"-h": "[COMMAND] [flags]", "help": "[COMMAND] [flags]", "run -h": "run [flags] [LESSON…]", "-port 0 -h": "[serve] [flags]"} {
		out, errs, err := call(t, strings.Fields(line)...)
		if !errors.Is(err, flag.ErrHelp) || !strings.HasPrefix(out, "usage: go run ./lessons "+want+"\n") && !strings.HasPrefix(out, "usage: go run ./lessons "+want+" ") || errs != "" {
			t.Errorf("%s: %v, %q%q", line, err, out, errs)
		}
	}
}

func TestListNamesEveryLesson(t *testing.T) {
	stdout, _, err := call(t, "list")
	if err != nil {
		t.Fatal(err)
	}
	for _, l := range lessons(t, moduleRoot) {
		if !strings.Contains(stdout, l.Slug) || !strings.Contains(stdout, l.Parsed.FrontMatter().Title) {
			t.Errorf("lesson %s is not listed in %q", l.Slug, stdout)
		}
	}
}

// A notebook of a stranger: executed, written beside the input and not over it; a failing one
// writes nothing and names the line.
func TestRunOfAStrangersNotebook(t *testing.T) {
	dir := t.TempDir()
	good, bad := filepath.Join(dir, "good.md"), filepath.Join(dir, "bad.md")
	text := "# Mine\n\n```go\n%%\nfmt.Println(6 * 7)\n_, err := os.Stat(\"bad.md\")\nfmt.Println(\"beside it:\", err == nil)\n```\n"
	for path, s := range map[string]string{good: text, bad: strings.Replace(text, "fmt.Println(6 * 7)", `panic("no")`, 1)} {
		if err := os.WriteFile(path, []byte(s), 0o666); err != nil {
			t.Fatal(err)
		}
	}
	_, stderr, err := call(t, "run", good, bad)
	if err == nil || !strings.Contains(err.Error(), "1 of 2 notebooks failed") || !strings.Contains(stderr, "bad.md:4") {
		t.Errorf("%v\n%s", err, stderr)
	}
	if _, err := os.Stat(filepath.Join(dir, "bad.ipynb")); err == nil {
		t.Error("a failing notebook was written")
	}
	executed, err := os.ReadFile(filepath.Join(dir, "good.ipynb"))
	if err != nil || !strings.Contains(string(executed), "42") || !strings.Contains(string(executed), "beside it: true") {
		t.Errorf("good.ipynb: %v, %s", err, executed)
	}
	if left, _ := filepath.Glob(filepath.Join(dir, ".*")); len(left) > 0 {
		t.Errorf("left behind: %v", left)
	}
}

func TestInterruptLeavesNothing(t *testing.T) {
	dir := t.TempDir()
	path := filepath.Join(dir, "long.md")
	if err := os.WriteFile(path, []byte("```go\nimport \"time\"\n\n%%\ntime.Sleep(time.Hour)\n```\n"), 0o666); err != nil {
		t.Fatal(err)
	}
	t.Chdir(moduleRoot)
	ctx, cancel := context.WithTimeout(t.Context(), 5*time.Second)
	defer cancel()
	var out, errs bytes.Buffer
	if err := run(ctx, []string{"run", path}, &out, &errs); !errors.Is(err, context.DeadlineExceeded) {
		t.Errorf("got %v", err)
	}
	if files, _ := filepath.Glob(filepath.Join(dir, "*")); len(files) != 1 {
		t.Errorf("files: %v", files)
	}
}
