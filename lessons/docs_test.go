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
	// The image listens on all its own addresses. That only this machine reaches it, each line that starts it says.
	runs, seen := regexp.MustCompile("docker run [^\n`]*"), 0
	for _, name := range append(pagesOf(t, "docs"), "README.md", "SECURITY.md", "binder/Dockerfile", "binder/open-lessons") {
		for _, run := range runs.FindAllString(read(t, name), -1) {
			words := append(strings.Fields(run), "")
			for i, word := range words {
				option, value, given := strings.Cut(word, "=")
				if !given && i+1 < len(words) {
					value = words[i+1]
				}
				switch option {
				case "-p", "--publish":
					seen++
					if !strings.HasPrefix(value, "127.0.0.1:") {
						t.Errorf("%s: %s publishes the port to other machines", name, run)
					}
				case "-P", "--publish-all", "--net", "--network":
					t.Errorf("%s: %s opens the container to other machines", name, run)
				}
			}
		}
	}
	if seen < 4 {
		t.Errorf("%d lines start the image; are they still read?", seen)
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

// pagesOf are the Markdown files of a folder.
func pagesOf(t *testing.T, folder string) (names []string) {
	t.Helper()
	files, err := filepath.Glob(filepath.Join("..", folder, "*.md"))
	if err != nil || len(files) == 0 {
		t.Fatal(files, err)
	}
	for _, file := range files {
		names = append(names, folder+"/"+filepath.Base(file))
	}
	return names
}

func read(t *testing.T, name string) string {
	t.Helper()
	text, err := os.ReadFile(filepath.Join("..", filepath.FromSlash(name)))
	if err != nil {
		t.Fatal(err)
	}
	return string(text)
}
