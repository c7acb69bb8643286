package main

import (
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"syscall"
	"testing"

	"github.com/svmkit/course/lessons/internal/kernel"
)

// The lines that start the container are the same wherever they are printed; binder/verify runs those
// of the README.
func TestDockerLines(t *testing.T) {
	lines := regexp.MustCompile(`(?m)^docker build.*\nmkdir.*\ndocker run.*$`)
	want := lines.FindString(read(t, "README.md"))
	if got := lines.FindString(read(t, "docs/hosting.md")); want == "" || got != want {
		t.Errorf("docs/hosting.md has\n%s\nREADME.md has\n%s", got, want)
	}
	for _, word := range []string{"docker build -t svm-course https://github.com/svmkit/course.git", "docker run --rm -p 127.0.0.1:8888:8888 svm-course"} {
		if !strings.Contains(noJupyter, word) {
			t.Errorf("without Jupyter, no word of %q", word)
		}
	}
	for _, word := range strings.Fields("docker run --rm -p 127.0.0.1:8888:8888 svm-course") {
		if !strings.Contains(want, word) {
			t.Errorf("README.md has no %q in\n%s", word, want)
		}
	}
	// Who asks for Binder gets the same address, too.
	binder := regexp.MustCompile(`https://mybinder\.org/v2/\S+?\.ipynb`)
	if got, want := binder.FindString(noJupyter), binder.FindString(read(t, "README.md")); got != want || want == "" {
		t.Errorf("Binder is at %q and %q", got, want)
	}
}

// docs/troubleshooting.md quotes our own messages as they are printed.
func TestTroubleshootingQuotes(t *testing.T) {
	dir := t.TempDir()
	if err := os.WriteFile(filepath.Join(dir, "kernel.json"), []byte("{}"), 0o666); err != nil {
		t.Fatal(err)
	}
	other, _, _ := strings.Cut(strings.Replace(ours(dir).Error(), dir, "…", 1), " `go run")
	gopls := "Code is not completed in the notebooks: " + (&kernel.StartError{Doing: "building gopls", Err: errors.New("…")}).Error()
	page := read(t, "docs/troubleshooting.md")
	for _, message := range []string{
		cannotWrite("…/notebooks", &fs.PathError{Err: syscall.EACCES}).Error(),
		strings.TrimSuffix(other, "."),
		gopls,
	} {
		if !strings.Contains(page, message) {
			t.Errorf("docs/troubleshooting.md has no %q", message)
		}
	}
	for _, message := range []string{"cannot be written by the user with the number", "is lost"} {
		if !strings.Contains(page, message) || !strings.Contains(read(t, "binder/open-lessons"), message) {
			t.Errorf("%q is not in both docs/troubleshooting.md and binder/open-lessons", message)
		}
	}
}

func read(t *testing.T, name string) string {
	t.Helper()
	text, err := os.ReadFile(filepath.Join("..", filepath.FromSlash(name)))
	if err != nil {
		t.Fatal(err)
	}
	return string(text)
}
