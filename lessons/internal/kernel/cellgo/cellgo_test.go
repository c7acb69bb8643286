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
	soon := time.Now().Add(time.Hour) // young however long a build takes
	if err := os.Chtimes(filepath.Join(w.lib, "more.go"), soon, soon); err != nil {
		t.Fatal(err)
	}
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

// unreached has declarations that main does not need.
const unreached = `package main

import (
	"bytes"
	"encoding/json"
	"fmt"
	"image/png"

	"example.com/lib"
)

type pair struct{ a, b int }

type named struct{}

func (named) String() string { return "by its method" }

type label = named

func (label) GoString() string { return "by its alias" }

func sum(p pair) int { return p.a + twice(p.b) }

func twice(n int) int { return 2 * n }

func text(v any) []byte { t, _ := json.Marshal(v); return t }

func picture() error { return png.Encode(&bytes.Buffer{}, nil) }

func word() string { return lib.F() }

const verb = "%v\n"

func main() {
	fmt.Printf(verb, named{})
}
`

// compiled returns a workspace in which all of unreached has been compiled.
func compiled(t *testing.T) *workspace {
	w := newWorkspace(t)
	if out, _ := w.cell(unreached); out != "by its method\n" {
		t.Fatalf("printed %q", out)
	}
	return w
}

func TestCellsAreLinkedWithoutWhatTheyDoNotReach(t *testing.T) {
	w := newWorkspace(t)
	w.write("lib/loud/loud.go", "package loud\n\nimport \"fmt\"\n\nfunc init() { fmt.Print(\"loud \") }\n\nfunc F() {}\n")
	w.age()
	const cell = "package main\n\nimport \"example.com/lib/loud\"\n\nfunc uses() { loud.F() }\n\nfunc main() { print(\"main\") }\n"
	for _, want := range []string{"loud main", "main"} { // the first cell compiles all
		if out, _ := w.cell(cell); out != want {
			t.Errorf("printed %q, want %q", out, want)
		}
	}
}

func TestVariablesThatCellsDoNotReach(t *testing.T) {
	w := newWorkspace(t)
	w.write("lib/loud/loud.go", "package loud\n\nimport \"fmt\"\n\nfunc init() { fmt.Print(\"loud \") }\n\ntype T struct{ N []int }\n\nvar X = 1\n\nfunc F() T { return T{} }\n")
	w.age()
	for _, test := range []struct{ variables, prints string }{
		{"v = loud.T{N: []int{-1, loud.X}}", "main"},
		{"v loud.T", "main"},
		{"v []loud.T\n\tu = 2", "main"},
		{"v = loud.F()", "loud main"},
		{"_ = loud.T{}", "loud main"},
		{"v = []int{0}[loud.X-1]", "loud main"},
		{"v = func() int { print(\"set \"); return loud.X }()", "loud set main"},
	} {
		cell := "package main\n\nimport \"example.com/lib/loud\"\n\nvar (\n\t" + test.variables + "\n)\n\nfunc main() { print(\"main\") }\n"
		w.cell(cell)
		if out, _ := w.cell(cell); out != test.prints {
			t.Errorf("%s: printed %q, want %q", test.variables, out, test.prints)
		}
	}
	const used = "package main\n\nimport \"example.com/lib/loud\"\n\nvar (\n\tv = loud.T{N: []int{7}}\n\tu = 2\n)\n\nfunc main() { print(v.N[0]) }\n"
	for range 2 {
		if out, _ := w.cell(used); out != "loud 7" {
			t.Errorf("a variable in use: printed %q", out)
		}
	}
}

func TestCellsDoTheSameWithoutWhatTheyDoNotReach(t *testing.T) {
	w := compiled(t)
	for _, test := range []struct{ what, old, new, prints string }{
		{"a method for an interface", "(verb", "(\"%+v\\n\"", "by its method\n"},
		{"a method of an alias", "(verb", "(\"%#v\\n\"", "by its alias\n"},
		{"a line", "named{})", "named{}); panic(1)", fmt.Sprintf("%s:%d ", filepath.Join(w.dir, "main.go"), strings.Count(unreached, "\n")-1)},
		{"a call that was left out", "named{})", "sum(pair{1, 2}))", "5\n"},
		{"an import that was left out", "named{})", "string(text(1)))", "1\n"},
		{"a local variable with an import's name", "fmt.Printf(", "json := pair{a: 3}; fmt.Println(json.a); fmt.Printf(", "3\n"},
	} {
		if out, _ := w.cell(strings.Replace(unreached, test.old, test.new, 1)); !strings.Contains(out, test.prints) {
			t.Errorf("%s: printed %q, want %q", test.what, out, test.prints)
		}
	}
	decode := strings.NewReplacer("\t\"fmt\"\n", "\t\"fmt\"\n\t\"image\"\n", "named{})", "decoded())", "const verb", `func decoded() error {
	_, _, err := image.Decode(bytes.NewReader([]byte("\x89PNG\r\n\x1a\n")))
	return err
}

const verb`).Replace(unreached)
	for range 2 {
		if out, _ := w.cell(decode); out != "unexpected EOF\n" {
			t.Errorf("image.Decode beside a function with image/png: %q", out)
		}
	}
}

func TestErrorsInWhatCellsDoNotReach(t *testing.T) {
	w := compiled(t)
	for _, test := range []struct{ what, old, new, message string }{
		{"a changed type", "a, b int", "a, c int", "p.b undefined"},
		{"a changed type again", "a, b int", "a, c int", "p.b undefined"},
		{"a changed function", "n int) int", "n int64) int64", "cannot use p.b"},
		{"a removed function", "func twice(n int) int { return 2 * n }", "", "undefined: twice"},
		{"a removed type", "type pair struct{ a, b int }", "", "undefined: pair"},
		{"a removed method of the same cell", "func word() string {", "func word() string { named{}.more();", "named{}.more undefined"},
		{"a name twice", "func twice(", "func text() {}\n\nfunc twice(", "text redeclared"},
		{"a method twice", "func twice(", "func (named) String() string { return \"\" }\n\nfunc twice(", "method named.String already declared"},
		{"an import's name", "func twice(", "func png() {}\n\nfunc twice(", "png already declared"},
		{"an import that lost its use", "func word() string { return lib.F() }", "", "\"example.com/lib\" imported and not used"},
		{"another import of the name", "\"encoding/json\"", "json \"strings\"", "undefined: json.Marshal"},
		{"a new name that hides an old one", "const verb", "type int string\n\nconst verb", "mismatched types"},
	} {
		if out, _ := w.cell(strings.Replace(unreached, test.old, test.new, 1)); !strings.Contains(out, test.message) {
			t.Errorf("%s: printed %q, want %q", test.what, out, test.message)
		}
	}
	w.write("lib/lib.go", "package lib\n\nvar Word string\n")
	w.age()
	if out, _ := w.cell(unreached); !strings.Contains(out, "undefined: lib.F") {
		t.Errorf("a package that lost a function: printed %q", out)
	}
}

func TestCellsGetTheLightPackage(t *testing.T) {
	w := newWorkspace(t)
	w.write("lib/figures/figures.go", "package figures\n\nconst Is = \"full\"\n")
	w.write("lib/full.go", "//go:build !nofigures\n\npackage lib\n\nimport \"example.com/lib/figures\"\n\nconst Is = figures.Is\n\nfunc Show() {}\n")
	w.write("lib/light.go", "//go:build nofigures\n\npackage lib\n\nconst Is = \"light\"\n")
	w.write("lib/lessons/lessons.go", "package lessons\n\nimport \"example.com/lib/figures\"\n\nconst Is = figures.Is\n")
	w.age()
	cell := strings.Replace(libCell, "lib.F()", "lib.Is", 1)
	figures := strings.NewReplacer("import (", "import (\n\t\"example.com/lib/figures\"", "lib.F()", "lib.Is, figures.Is").Replace(libCell)
	drawn := strings.NewReplacer("example.com/lib/figures", "example.com/lib/lessons", "figures.Is", "lessons.Is").Replace(figures)
	for _, test := range []struct{ code, prints string }{
		{cell, "light first\n"},
		{strings.Replace(cell, "fmt.P", "lib.Show(); fmt.P", 1), "full first\n"},
		{figures, "full full first\n"},
		{drawn, "full full first\n"}, // what imports the figures brings them along
		{cell, "light first\n"},
	} {
		if out, _ := w.cell(test.code); out != test.prints {
			t.Errorf("%s\nprinted %q, want %q", test.code, out, test.prints)
		}
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
