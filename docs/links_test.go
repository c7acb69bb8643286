package docs_test

import (
	"io/fs"
	"os"
	"path"
	"regexp"
	"strings"
	"testing"
)

var (
	link    = regexp.MustCompile(`\]\(([^)\s]+)\)`)
	heading = regexp.MustCompile(`(?m)^#+ (.*)$`)
	code    = regexp.MustCompile("(?ms)^````?[^`].*?^````?$")
	dropped = regexp.MustCompile(`[^\p{L}\p{N} _-]`)
)

// Every link from a page of this folder to a file of the repository leads to a file that is there, and every link to a
// section to a heading.
func TestLinks(t *testing.T) {
	links := 0
	root := os.DirFS("..")
	err := fs.WalkDir(root, "docs", func(name string, _ fs.DirEntry, err error) error {
		if err != nil || path.Ext(name) != ".md" {
			return err
		}
		page, err := fs.ReadFile(root, name)
		if err != nil {
			return err
		}
		for _, found := range link.FindAllStringSubmatch(code.ReplaceAllString(string(page), ""), -1) {
			file, section, _ := strings.Cut(found[1], "#")
			if strings.Contains(file, "://") {
				continue
			}
			links++
			target := name
			if file != "" {
				target = path.Join(path.Dir(name), file)
			}
			if _, err := fs.Stat(root, target); err != nil {
				t.Errorf("%s: there is no %s", name, target)
			} else if section != "" && !hasSection(t, root, target, section) {
				t.Errorf("%s: %s has no section %s", name, target, section)
			}
		}
		return nil
	})
	if err != nil || links < 80 {
		t.Errorf("%d links, %v", links, err)
	}
}

// hasSection reports whether a heading of the page has the name in the way of code hosts: lower case, with hyphens for
// blanks and without punctuation.
func hasSection(t *testing.T, root fs.FS, name, section string) bool {
	page, err := fs.ReadFile(root, name)
	if err != nil {
		t.Fatal(err)
	}
	for _, found := range heading.FindAllStringSubmatch(code.ReplaceAllString(string(page), ""), -1) {
		if strings.ReplaceAll(dropped.ReplaceAllString(strings.ToLower(found[1]), ""), " ", "-") == section {
			return true
		}
	}
	return false
}
