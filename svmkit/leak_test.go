package svmkit_test

import (
	"bytes"
	"io/fs"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"testing"

	"go.uber.org/goleak"
)

// No test of this package may leave a goroutine behind.
func TestMain(m *testing.M) { goleak.VerifyTestMain(m) }

// TestReliabilityEveryPackageLooksForLeaks: whoever adds tests to a new package adds the look for
// goroutines that are left behind. Modules of their own, which need not know goleak, are left out.
func TestReliabilityEveryPackageLooksForLeaks(t *testing.T) {
	looks := map[string]bool{} // by folder with tests
	err := filepath.WalkDir("..", func(path string, d fs.DirEntry, err error) error {
		switch {
		case err != nil:
			return err
		case d.IsDir() && path != "..":
			if _, err := os.Stat(filepath.Join(path, "go.mod")); err == nil || strings.HasPrefix(d.Name(), ".") || d.Name() == "testdata" {
				return filepath.SkipDir
			}
		case strings.HasSuffix(path, "_test.go"):
			text, err := os.ReadFile(path)
			if err != nil {
				return err
			}
			dir := filepath.Dir(path)
			looks[dir] = looks[dir] || bytes.Contains(text, []byte("{ goleak.VerifyTestMain(m")) || bytes.Contains(text, []byte("\n\tgoleak.VerifyTestMain(m"))
		}
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
	packages := 0
	for dir, does := range looks {
		if packages++; !does {
			t.Errorf("%s: no test looks for goroutines that are left behind; see leak_test.go of another package", filepath.ToSlash(dir))
		}
	}
	t.Attr("packages-that-look-for-leaked-goroutines", strconv.Itoa(packages))
}
