package house

import (
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"
)

// consumer is a program of another module that fits, tunes and saves.
const consumer = `package main

import (
	_ "github.com/svmkit/course/svmkit/pipeline"
	_ "github.com/svmkit/course/svmkit/svm"
	_ "github.com/svmkit/course/svmkit/tune"
)

func main() {}
`

// A program that imports the library is built from our module, gonum and x/sys alone, and its go.sum names these and the
// two modules that the library's tests import: nothing of the course's kernel, figures and pages. Modules of the course
// stand in our go.mod, but the go command prunes them from the module graph of a program that imports none of them.
func TestConsumerNeedsNoModuleOfTheCourse(t *testing.T) {
	checkout, err := filepath.Abs(root)
	if err != nil {
		t.Fatal(err)
	}
	dir := t.TempDir()
	for name, text := range map[string]string{
		"main.go": consumer,
		"go.mod":  fmt.Sprintf("module example.com/consumer\n\ngo 1.25.0\n\nrequire github.com/svmkit/course v0.0.0\n\nreplace github.com/svmkit/course => %q\n", checkout),
	} {
		if err := os.WriteFile(filepath.Join(dir, name), []byte(text), 0o666); err != nil {
			t.Fatal(err)
		}
	}
	command := func(args ...string) string {
		t.Helper()
		cmd := exec.Command("go", args...)
		cmd.Dir = dir
		// Nothing is downloaded where the tests of this module have run, because they need the same modules.
		cmd.Env = append(os.Environ(), "GOFLAGS=-mod=mod", "GOWORK=off", "GOSUMDB=off")
		out, err := cmd.CombinedOutput()
		if err != nil {
			t.Fatalf("go %s: %v\n%s", strings.Join(args, " "), err, out)
		}
		return string(out)
	}
	command("mod", "tidy")

	linked := strings.Fields(command("list", "-deps", "-f", "{{with .Module}}{{.Path}}{{end}}", "."))
	slices.Sort(linked)
	want := []string{"example.com/consumer", "github.com/svmkit/course", "golang.org/x/sys", "gonum.org/v1/gonum"}
	if linked = slices.Compact(linked); !slices.Equal(linked, want) {
		t.Errorf("the program is built from %q, want %q", linked, want)
	}

	text, err := os.ReadFile(filepath.Join(dir, "go.sum"))
	if err != nil {
		t.Fatal(err)
	}
	var sums []string
	for line := range strings.Lines(string(text)) {
		name, _, _ := strings.Cut(line, " ")
		sums = append(sums, name)
	}
	slices.Sort(sums)
	want = []string{"go.uber.org/goleak", "golang.org/x/sys", "gonum.org/v1/gonum", "pgregory.net/rapid"}
	if sums = slices.Compact(sums); !slices.Equal(sums, want) {
		t.Errorf("its go.sum names %q, want %q", sums, want)
	}
}
