package house

import (
	"io/fs"
	"os"
	"path/filepath"
	"regexp"
	"strconv"
	"strings"
	"testing"
)

// TestReliabilityEveryPackageLooksForLeaks: every package of this module that has tests has leaktest.Main in its
// TestMain. Modules of their own are left out.
func TestReliabilityEveryPackageLooksForLeaks(t *testing.T) {
	call := regexp.MustCompile(`(?m)(^|\{ *|\t)leaktest\.Main\(m`) // in a TestMain of one line or of several
	checked := map[string]bool{}                                   // by folder with tests
	err := filepath.WalkDir(root, func(path string, d fs.DirEntry, err error) error {
		switch {
		case err != nil:
			return err
		case d.IsDir() && path != root:
			if _, err := os.Stat(filepath.Join(path, "go.mod")); err == nil || strings.HasPrefix(d.Name(), ".") || d.Name() == "testdata" {
				return filepath.SkipDir
			}
		case strings.HasSuffix(path, "_test.go"):
			text, err := os.ReadFile(path)
			if err != nil {
				return err
			}
			dir := filepath.Dir(path)
			checked[dir] = checked[dir] || call.Match(text)
		}
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
	for dir, does := range checked {
		if !does {
			t.Errorf("%s: write func TestMain(m *testing.M) { leaktest.Main(m) }", filepath.ToSlash(dir))
		}
	}
	t.Attr("packages-that-look-for-leaked-goroutines", strconv.Itoa(len(checked)))
}
