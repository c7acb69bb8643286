package svm_test

import (
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
)

// The files and types below internal that the package's page names exist.
func TestPageNamesWhatExists(t *testing.T) {
	page, err := os.ReadFile("doc.go")
	if err != nil {
		t.Fatal(err)
	}
	_, table, found := strings.Cut(string(page), "# Where to find the code")
	table, _, ended := strings.Cut(table, "\n// # ")
	if !found || !ended {
		t.Fatal("doc.go has no table of files")
	}
	files := regexp.MustCompile(`\b[a-z]+/\w+\.go\b`).FindAllString(table, -1)
	for _, name := range files {
		if _, err := os.Stat(filepath.Join("internal", name)); err != nil {
			t.Error(err)
		}
	}
	types := regexp.MustCompile(`\b([a-z]+)\.([A-Z]\w+)\b`).FindAllStringSubmatch(table, -1)
	for _, name := range types {
		if declared := regexp.MustCompile(`(?m)^type ` + name[2] + ` struct`); !declared.MatchString(sourceOf(t, name[1])) {
			t.Errorf("doc.go names %s, which is no type", name[0])
		}
	}
	if len(files) < 12 || len(types) != 7 {
		t.Errorf("doc.go names %d files and %d types", len(files), len(types))
	}
}

// sourceOf returns the source of a package below internal.
func sourceOf(t *testing.T, name string) string {
	t.Helper()
	files, err := filepath.Glob(filepath.Join("internal", name, "*.go"))
	if err != nil {
		t.Fatal(err)
	}
	var source strings.Builder
	for _, file := range files {
		text, err := os.ReadFile(file)
		if err != nil {
			t.Fatal(err)
		}
		source.Write(text)
	}
	return source.String()
}
