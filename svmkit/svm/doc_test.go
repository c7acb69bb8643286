package svm_test

import (
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
)

// The files and functions that the package's page names exist.
func TestPageNamesWhatExists(t *testing.T) {
	page, err := os.ReadFile("doc.go")
	if err != nil {
		t.Fatal(err)
	}
	_, table, found := strings.Cut(string(page), "# Where the steps stand")
	table, _, ended := strings.Cut(table, "\n// # ")
	if !found || !ended {
		t.Fatal("doc.go has no table of files")
	}
	files, err := filepath.Glob("internal/*/*.go")
	if err != nil {
		t.Fatal(err)
	}
	var code strings.Builder
	for _, name := range files {
		text, err := os.ReadFile(name)
		if err != nil {
			t.Fatal(err)
		}
		code.Write(text)
	}
	named := regexp.MustCompile(`\b[a-z]+/\w+\.go\b`).FindAllString(table, -1)
	for _, name := range named {
		if _, err := os.Stat(filepath.Join("internal", name)); err != nil {
			t.Error(err)
		}
	}
	methods := 0
	for _, m := range regexp.MustCompile(`\b([A-Za-z]+)\.([A-Za-z]+)\b`).FindAllStringSubmatch(table, -1) {
		if m[2] == "go" {
			continue
		}
		methods++
		if !regexp.MustCompile(`\nfunc \(\w+ \*?` + m[1] + `\) ` + m[2] + `\(`).MatchString(code.String()) {
			t.Errorf("doc.go names %s, which is no method of a solver", m[0])
		}
	}
	if len(named) < 12 || methods < 12 {
		t.Errorf("doc.go names %d files and %d methods", len(named), methods)
	}
}
