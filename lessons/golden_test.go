package main

import (
	"bytes"
	"net"
	"os"
	"path/filepath"
	"runtime"
	"strconv"
	"strings"
	"testing"

	"github.com/svmkit/course/internal/clitest"
	"github.com/svmkit/course/internal/printable"
)

// Each failure of the list has a message of at most two colons in its first line. DIR is a folder with some files, ROOT
// the course, and PORT a port in use.
func TestGoldenErrors(t *testing.T) {
	if runtime.GOOS != "linux" {
		t.Skip("the messages of the system are those of Linux")
	}
	golden, err := filepath.Abs(filepath.Join("testdata", "errors.golden"))
	if err != nil {
		t.Fatal(err)
	}
	dir := t.TempDir()
	const empty = `{"cells": [], "metadata": {"kernelspec": {"name": "gonb", "display_name": "Go", "language": "go"}}, "nbformat": 4, "nbformat_minor": 5}`
	for name, text := range map[string]string{
		"python.ipynb": strings.ReplaceAll(strings.ReplaceAll(empty, "gonb", "python3"), `"go"`, `"python"`), "broken.ipynb": `{"cells":`, "old.ipynb": strings.Replace(empty, `"nbformat": 4`, `"nbformat": 3`, 1),
		"notebook.ipynb": empty, "picture.ipynb": "\x89PNG\r\n", "empty.ipynb": "", "list.ipynb": "[]", "open.md": "text\n\n```go\n%%\nprintln(1)\n", "a.md": "```go\n%%\n1\n```\n", "a.ipynb": empty, "b/a.md": "```go\n%%\n1\n```\n",
		"theirs.csv": "name,points\n", "latin1.md": "gr\xfcn\n", "utf16.md": "\xff\xfeg\x00", "header.md": "---\njupyter: [\n---\n", "notes.txt": "text\n", "handed/notes.txt": "text\n",
	} {
		path := filepath.Join(dir, name)
		if err := os.MkdirAll(filepath.Dir(path), 0o700); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(path, []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	if err := os.Mkdir(filepath.Join(dir, "folder.md"), 0o700); err != nil {
		t.Fatal(err)
	}
	busy, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	defer busy.Close()
	t.Chdir(moduleRoot)
	places := []string{"DIR", dir, "ROOT", moduleRoot, "PORT", strconv.Itoa(busy.Addr().(*net.TCPAddr).Port)}
	messages := clitest.Golden(t, golden, func(args []string, _ string) (int, string) {
		fill := strings.NewReplacer(places...)
		var given []string
		for _, arg := range args[2:] { // behind go run ./lessons
			given = append(given, fill.Replace(arg))
		}
		var out, errs bytes.Buffer
		if err := run(t.Context(), given, &out, &errs); err == nil {
			return 0, errs.String()
		} else if strings.Contains(errs.String(), "Preparing") {
			t.Errorf("%s is refused after work had begun", args)
		} else {
			errs.WriteString("lessons: " + printable.Text(err.Error(), true) + "\n")
		}
		text := errs.String()
		for k := 0; k < len(places); k += 2 {
			text = strings.ReplaceAll(text, places[k+1], places[k])
		}
		return 1, text
	})
	const fewest = 50
	if len(messages) < fewest {
		t.Errorf("%d failures, want %d", len(messages), fewest)
	}
	for _, text := range messages {
		first, _, _ := strings.Cut(strings.TrimPrefix(text, "lessons: "), "\n")
		if n := strings.Count(first, ": "); n > 2 {
			t.Errorf("%d colons: %s", n, first)
		}
	}
}
