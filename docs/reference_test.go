package docs_test

import (
	"maps"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"testing"
)

// The page of the command explains each line of its reports and each field of its JSON.
func TestReportsAreExplained(t *testing.T) {
	page := readPage(t, "reference/cli.md")
	explained := func(word string) bool {
		return regexp.MustCompile("(?m)^\\| [^|]*`" + regexp.QuoteMeta(word) + "`").MatchString(page)
	}
	words := map[string]bool{}
	line, field := regexp.MustCompile(`t\.Line\("([^"]+)"`), regexp.MustCompile("`json:\"(\\w+)")
	sources, err := filepath.Glob("../cmd/svm/*report.go")
	if err != nil {
		t.Fatal(err)
	}
	for _, name := range sources {
		source, err := os.ReadFile(name)
		if err != nil {
			t.Fatal(err)
		}
		for _, pattern := range []*regexp.Regexp{line, field} {
			for _, match := range pattern.FindAllStringSubmatch(string(source), -1) {
				words[match[1]] = true
			}
		}
	}
	for _, word := range slices.Sorted(maps.Keys(words)) {
		if !explained(word) {
			t.Errorf("reference/cli.md does not explain %q", word)
		}
	}
	if len(words) < 40 {
		t.Errorf("only %d lines and fields were found: %q", len(words), slices.Sorted(maps.Keys(words)))
	}
}
