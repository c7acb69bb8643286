package docs_test

import (
	"errors"
	"flag"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"github.com/svmkit/course/docs"
)

var update = flag.Bool("update", false, "write the output of the commands and programs into the pages")

// pagesThatRun returns the pages whose blocks of code are run, by their names below this folder.
func pagesThatRun(t *testing.T) (names []string) {
	t.Helper()
	for _, pattern := range []string{"troubleshooting.md", "reference/*.md", "explanation/*.md"} {
		found, err := filepath.Glob(pattern)
		if err != nil || len(found) == 0 {
			t.Fatalf("%s: %v, %v", pattern, found, err)
		}
		names = append(names, found...)
	}
	return names
}

// Every command and every program of the pages prints the text below it. After a wanted change:
//
//	go test ./docs -run PagesRun -update
func TestPagesRun(t *testing.T) {
	if testing.Short() {
		t.Skip("builds a dozen programs")
	}
	bin := t.TempDir()
	goBuild(t, filepath.Join(bin, "svm"), "./cmd/svm")
	t.Setenv("PATH", bin+string(filepath.ListSeparator)+os.Getenv("PATH"))
	blocks := 0
	for _, name := range pagesThatRun(t) {
		page := readPage(t, name)
		blocks += len(docs.Fence.FindAllString(page, -1))
		t.Run(name, func(t *testing.T) {
			now := runBlocks(t, docs.Folder(t, ".."), page)
			if *update && now != page {
				if err := os.WriteFile(name, []byte(now), 0o666); err != nil {
					t.Fatal(err)
				}
			}
		})
	}
	if blocks < 40 {
		t.Errorf("the pages have only %d blocks of code", blocks)
	}
}

var prompt = regexp.MustCompile(`(?m)^\$ `)

// runBlocks runs the blocks of a page in a folder, compares their output with the page, and returns the page with the new
// output. A block in the language "text" is the output of the program directly before it, or is not run.
func runBlocks(t *testing.T, folder, page string) (now string) {
	t.Helper()
	var b strings.Builder
	end, program := 0, ""
	for k, at := range docs.Fence.FindAllStringSubmatchIndex(page, -1) {
		language, code := page[at[2]:at[3]], page[at[4]:at[5]]
		b.WriteString(page[end:at[4]])
		end = at[5]
		before := program
		program = ""
		switch {
		case language == "console":
			for _, part := range prompt.Split(code, -1)[1:] {
				command, want, _ := strings.Cut(part, "\n")
				got := output(t, folder, "sh", "-c", command)
				compare(t, command, got, want)
				fmt.Fprintf(&b, "$ %s\n%s", command, got)
			}
		case language == "go":
			source := filepath.Join(folder, fmt.Sprintf("program%d.go", k))
			if err := os.WriteFile(source, []byte(code), 0o600); err != nil {
				t.Fatal(err)
			}
			program = strings.TrimSuffix(source, ".go")
			goBuild(t, program, source)
			b.WriteString(code)
		case language == "text" && before != "":
			got := output(t, folder, before)
			compare(t, before, got, code)
			b.WriteString(got)
		case language == "text":
			b.WriteString(code)
		default:
			t.Errorf("a block in the language %q is not run", language)
			b.WriteString(code)
		}
	}
	b.WriteString(page[end:])
	return b.String()
}

// way begins the lines whose numbers tell of the way of a solver, which is another one on another processor.
var way = regexp.MustCompile(`(?m)^ *"?(?:iterations|updates|relative ?[gG]ap|KKT|kkt|seconds|worst ?[gG]ap|bias|b"|support|freeS|boundS).*$`)

var number = regexp.MustCompile(`[-−]?\d[\d.,]*(?:e[-+]\d+)?`)

// compare compares output with the page: a help text byte by byte, everything else as docs.Compare does. Numbers that tell
// of the way of a solver may be others.
func compare(t *testing.T, command, got, want string) {
	t.Helper()
	switch {
	case *update:
	case strings.HasSuffix(command, " -h") && got != want:
		t.Errorf("the help of %q is another one", command)
	default:
		free := func(line string) string { return number.ReplaceAllString(line, "#") }
		docs.Compare(t, command, way.ReplaceAllStringFunc(got, free), way.ReplaceAllStringFunc(want, free))
	}
}

// output runs a program, which may fail, and returns what it prints.
func output(t *testing.T, folder, name string, args ...string) string {
	t.Helper()
	c := exec.Command(name, args...)
	c.Dir = folder
	out, err := c.CombinedOutput()
	if exit := (*exec.ExitError)(nil); err != nil && !errors.As(err, &exit) {
		t.Fatal(err)
	}
	return string(out)
}

func goBuild(t *testing.T, output, source string) {
	t.Helper()
	c := exec.Command("go", "build", "-o", output, source)
	c.Dir = ".."
	if out, err := c.CombinedOutput(); err != nil {
		t.Fatalf("%v\n%s", err, out)
	}
}

func readPage(t *testing.T, name string) string {
	t.Helper()
	text, err := os.ReadFile(name)
	if err != nil {
		t.Fatal(err)
	}
	return string(text)
}
