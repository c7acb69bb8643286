//go:build unix

package main

import (
	"errors"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"syscall"
	"testing"
	"time"

	"github.com/svmkit/course/internal/evidence"
	"github.com/svmkit/course/lessons/internal/kernel"
	"github.com/svmkit/course/lessons/internal/notebook"
)

// write makes files in a folder.
func write(t *testing.T, dir string, files map[string]string) {
	t.Helper()
	for name, text := range files {
		if err := os.WriteFile(filepath.Join(dir, name), []byte(text), 0o666); err != nil {
			t.Fatal(err)
		}
	}
}

const hello = "```go\nimport \"github.com/svmkit/course/svmkit\"\n%%\nfmt.Println(\"says:\", svmkit.ErrEmpty)\n```\n"

// What users set for Go, and where their temporary files are, changes nothing for the cells.
func TestReliabilityOrdinaryMachines(t *testing.T) {
	cases := [][]string{
		{"GOFLAGS=-mod=mod -race -trimpath -tags=purego", "GOWORK=off", "GO111MODULE=off", "GOTMPDIR=/no/such", "TMPDIR=RELATIVE"},
		{"GOWORK=TMP/go.work", "GOFLAGS=-mod=vendor", "TMPDIR=TMP/with a space", "GOOS=js", "GOARCH=wasm"},
	}
	if os.Getenv("SVMKIT_RELIABILITY") == "full" {
		for _, c := range cases {
			for _, setting := range c {
				if setting != "GOOS=js" && setting != "GOARCH=wasm" { // each needs the other
					cases = append(cases, []string{setting})
				}
			}
		}
	}
	for _, settings := range cases {
		t.Run(strings.Join(settings, " "), func(t *testing.T) {
			dir := t.TempDir()
			write(t, dir, map[string]string{"mine.md": strings.ReplaceAll(hello, "\n", "\r\n")})
			c := command(t, moduleRoot, "run", filepath.Join(dir, "mine.md"))
			write(t, c.temp, map[string]string{"go.work": "go 1.25.0\n"}) // above all temporary folders
			spaced := filepath.Join(c.temp, "with a space")
			if err := os.Mkdir(spaced, 0o777); err != nil {
				t.Fatal(err)
			}
			relative, err := filepath.Rel(moduleRoot, spaced)
			if err != nil {
				t.Fatal(err)
			}
			for _, s := range settings {
				c.Env = append(c.Env, strings.NewReplacer("RELATIVE", relative, "TMP", c.temp).Replace(s))
			}
			err = c.Run()
			text, _ := os.ReadFile(filepath.Join(dir, "mine.ipynb"))
			happened := "the cell runs"
			if err != nil || !strings.Contains(string(text), "says: no rows") {
				t.Errorf("%v, %s\n%s", err, c.errs.String(), text)
				happened = "it does not " + evidence.Wrong
			}
			c.temp = spaced
			c.clean(t, "run")
			t.Attr(evidence.Attack, evidence.Line("8 settings of Go", "lessons run: "+strings.Join(settings, " "), "the cell runs", happened))
		})
	}
}

// Text of the course is hashed, embedded and compared: it has LF in every clone.
func TestEveryCloneHasTheSameLines(t *testing.T) {
	list := exec.Command("git", "ls-files", "--eol")
	list.Dir = moduleRoot
	out, err := list.Output()
	if err != nil {
		t.Skip("no clone: ", err)
	}
	for _, line := range strings.Split(strings.TrimSpace(string(out)), "\n") {
		if facts, name, _ := strings.Cut(line, "\t"); !strings.Contains(facts, "eol=lf") && !strings.Contains(facts, "attr/-text") {
			t.Errorf("%s: git may change the ends of its lines (%s)", name, facts)
		}
	}
}

// A result replaces nothing that was read, no other result, and no notebook of the user's, through links neither.
func TestNothingOfTheUsersIsReplaced(t *testing.T) {
	dir := t.TempDir()
	const theirs = `{"cells": [], "metadata": {}, "nbformat": 4, "nbformat_minor": 5}`
	for _, name := range []string{"one", "two"} {
		if err := os.Mkdir(filepath.Join(dir, name), 0o777); err != nil {
			t.Fatal(err)
		}
		write(t, filepath.Join(dir, name), map[string]string{"a.md": hello})
	}
	write(t, dir, map[string]string{"a.md": hello, "a.ipynb": theirs, "b.md": hello, "c.ipynb": theirs})
	for name, target := range map[string]string{"link.ipynb": "b.md", "three": "one"} {
		if err := os.Symlink(target, filepath.Join(dir, name)); err != nil {
			t.Fatal(err)
		}
	}
	if err := os.Link(filepath.Join(dir, "b.md"), filepath.Join(dir, "hard.ipynb")); err != nil {
		t.Fatal(err)
	}
	if err := syscall.Mkfifo(filepath.Join(dir, "pipe.ipynb"), 0o600); err != nil {
		t.Fatal(err)
	}
	before := contents(t, dir)
	for _, test := range []struct{ args, says string }{
		{"run DIR/a.md", "a.ipynb is there, and this command has not made it"},
		{"run DIR/b.md -o DIR/c.ipynb", "-replace replaces it"},
		{"run 1 -o DIR/c.ipynb", "-replace replaces it"},
		{"run 1 -o " + filepath.Join(moduleRoot, "lessons", "01-hyperplane.md"), "would replace lessons/01-hyperplane.md, which is read"},
		{"run -replace DIR/b.md -o DIR/b.md", "which is read"},
		{"run -replace DIR/b.md -o DIR/link.ipynb", "which is read"},
		{"run -replace DIR/b.md -o DIR/hard.ipynb", "which is read"},
		{"run -replace DIR/a.md DIR/a.ipynb", "a.ipynb, which is read"},
		{"run DIR/one/a.md DIR/two/a.md -o DIR/out/", "would both be written to"},
		{"run DIR/one/a.md DIR/three/a.md", "would both be written to"},
		{"run DIR/b.md -o DIR/pipe.ipynb", "name a file"},
		{"test -run-in-browser", "test has no flag -run-in-browser; build has it"},
		{"test DIR/b.md -o DIR/c.ipynb", "test has no flag -o; run, mutants, grade, build or book has it"},
	} {
		t.Run(test.args, func(t *testing.T) {
			_, stderr, err := call(t, strings.Fields(strings.ReplaceAll(test.args, "DIR", dir))...)
			if err == nil || !strings.Contains(err.Error(), test.says) {
				t.Errorf("got %v, want %q", err, test.says)
			}
			if strings.Contains(stderr, "Preparing") {
				t.Error("it was refused after work had begun")
			}
		})
	}
	if after := contents(t, dir); after != before {
		t.Errorf("before:\n%s\nafter:\n%s", before, after)
	}

	// What was made by the command may be made again, until it is edited.
	again := func(says string, flags ...string) {
		t.Helper()
		_, _, err := call(t, append([]string{"run", filepath.Join(dir, "b.md")}, flags...)...)
		if says == "" && err != nil || says != "" && (err == nil || !strings.Contains(err.Error(), says)) {
			t.Errorf("got %v, want %q", err, says)
		}
	}
	again("")
	again("")
	made := filepath.Join(dir, "b.ipynb")
	nb, err := notebook.ReadFile(made)
	if err != nil {
		t.Fatal(err)
	}
	nb.Cells[0].Source += "\n// mine"
	if err := notebook.WriteFile(made, nb); err != nil {
		t.Fatal(err)
	}
	again("it was changed since")
	again("", "-replace")
}

// contents is what the files below dir hold.
func contents(t *testing.T, dir string) string {
	t.Helper()
	var all strings.Builder
	err := filepath.WalkDir(dir, func(path string, d os.DirEntry, err error) error {
		if err == nil && d.Type().IsRegular() {
			text, _ := os.ReadFile(path)
			all.WriteString(path + ": " + string(text) + "\n")
		}
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
	return all.String()
}

// A folder, a pipe or a device in a lesson's place is refused at once, with what to do.
func TestOnlyFilesAreLessons(t *testing.T) {
	dir := t.TempDir()
	if err := syscall.Mkfifo(filepath.Join(dir, "pipe.md"), 0o600); err != nil {
		t.Fatal(err)
	}
	if err := os.Mkdir(filepath.Join(dir, "folder.ipynb"), 0o777); err != nil {
		t.Fatal(err)
	}
	if err := os.Symlink("/dev/zero", filepath.Join(dir, "zero.md")); err != nil {
		t.Fatal(err)
	}
	for _, name := range []string{"pipe.md", "folder.ipynb", "zero.md"} {
		_, _, err := call(t, "run", filepath.Join(dir, name))
		if err == nil || !strings.Contains(err.Error(), name+": not a regular file: name one that ends in .md or .ipynb") {
			t.Errorf("%s: got %v", name, err)
		}
	}
	// No more is read than the limits allow: 8 GiB without a block on the disk is refused at once.
	for _, name := range []string{"huge.md", "huge.ipynb"} {
		write(t, dir, map[string]string{name: ""})
		if err := os.Truncate(filepath.Join(dir, name), 8<<30); err != nil {
			t.Fatal(err)
		}
		_, _, err := call(t, "run", filepath.Join(dir, name))
		if !errors.Is(err, notebook.ErrSize) || !strings.Contains(err.Error(), filepath.Join(dir, name)+": too large") {
			t.Errorf("%s: got %v", name, err)
		}
	}
	root := executedCourse(t)
	if err := syscall.Mkfifo(filepath.Join(root, "lessons", "02-pipe.md"), 0o600); err != nil {
		t.Fatal(err)
	}
	c := command(t, root, "list")
	err := c.Run()
	if said := c.errs.String(); err == nil || !strings.Contains(said, "02-pipe.md: not a regular file") {
		t.Errorf("a pipe among the lessons: %v, %s", err, said)
	}
}

// Jupyter's kernels find a go.work above the folder for temporary files: refused, since it would decide what cells are.
func TestJupyterNeedsItsOwnWorkspace(t *testing.T) {
	dir := t.TempDir()
	write(t, dir, map[string]string{"go.work": "go 1.25.0\n"})
	temp := filepath.Join(dir, "tmp")
	if err := os.Mkdir(temp, 0o777); err != nil {
		t.Fatal(err)
	}
	t.Setenv("TMPDIR", temp)
	_, _, err := call(t, "kernel", "-prefix", filepath.Join(dir, "prefix"))
	if err == nil || !strings.Contains(err.Error(), filepath.Join(dir, "go.work")+" would take the place") {
		t.Errorf("got %v", err)
	}
	t.Setenv("TMPDIR", filepath.Join(dir, "missing"))
	if _, _, err := call(t, "list"); err == nil || !strings.Contains(err.Error(), "make it, or set TMPDIR to another") {
		t.Errorf("got %v", err)
	}
}

// A cell over its time is stopped, and so are its child and grandchild.
func TestReliabilityTimeLimit(t *testing.T) {
	dir := t.TempDir()
	write(t, dir, map[string]string{"endless.md": endless})
	c := command(t, moduleRoot, "run", "-limit", "5s", filepath.Join(dir, "endless.md"))
	began := time.Now()
	c.Run()
	const most = 2 * time.Minute // on a slow machine
	if took := time.Since(began); c.ProcessState.ExitCode() != 1 || !strings.Contains(c.errs.String(), "endless.md:2 (cell 1): not finished after 5s, its limit") || took > most {
		t.Errorf("status %d after %v, %s", c.ProcessState.ExitCode(), took, c.errs.String())
	}
	if _, err := os.Stat(filepath.Join(dir, "begun")); err != nil {
		t.Errorf("the cell never had a child: %v", err)
	}
	c.clean(t, "run")
}

// Commands at once leave each other alone: the directory of a living one stays, whoever makes the next.
func TestPrivateFoldersOfTheLivingStay(t *testing.T) {
	t.Setenv("TMPDIR", t.TempDir())
	first, remove, err := kernel.TempDir()
	if err != nil {
		t.Fatal(err)
	}
	_, removeNext, err := kernel.TempDir()
	if err != nil {
		t.Fatal(err)
	}
	if _, err := os.Stat(first); err != nil {
		t.Error(err)
	}
	if err := removeNext(); err != nil {
		t.Error(err)
	}
	if err := remove(); err != nil {
		t.Error(err)
	}
}
