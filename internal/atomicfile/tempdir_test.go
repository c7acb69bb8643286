package atomicfile_test

import (
	"os"
	"sync"
	"testing"

	"github.com/svmkit/course/internal/atomicfile"
)

// Folders that are made at the same time do not take each other for folders of killed processes.
func TestTempDirsAtOnce(t *testing.T) {
	parent := t.TempDir()
	var all sync.WaitGroup
	for range 8 {
		all.Go(func() {
			for range 200 {
				dir, remove, err := atomicfile.TempDirIn(parent, "at-once-", nil)
				if err != nil {
					t.Error(err)
					return
				}
				if _, err := os.Stat(dir); err != nil {
					t.Error(err)
				}
				if err := remove(); err != nil {
					t.Error(err)
				}
			}
		})
	}
	all.Wait()
}
