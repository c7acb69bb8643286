package kernel

import (
	"fmt"
	"os"
	"path/filepath"
	"runtime"

	"github.com/svmkit/course/internal/atomicfile"
)

// goEnvironment is what every go command gets, ours and those of cells, in place of the user's
// settings. A setting that changes a build (-mod, -tags, -race, -trimpath, a workspace) breaks the
// workspace that cells run in, or gives other outputs than on the next machine. What is built runs
// on this machine, even if GOOS and GOARCH name another.
func goEnvironment() []string {
	return []string{
		// Not empty: then the file that "go env -w" writes would count. Symbols for a debugger
		// take time to link, and no cell has one.
		"GOFLAGS=-ldflags=-w",
		"GOWORK=",
		"GO111MODULE=on",
		"GOOS=" + runtime.GOOS,
		"GOARCH=" + runtime.GOARCH,
	}
}

// tempPrefix begins the names of private directories, and of nothing else.
const tempPrefix = "svmkit-lessons-"

// TempDir makes a private directory, and returns its absolute path. It also removes those that killed
// processes have left, and ends what runs on of theirs.
func TempDir() (dir string, remove func() error, err error) {
	parent, err := filepath.Abs(os.TempDir())
	if err != nil {
		return "", nil, err
	}
	if len(parent)+len("/"+tempPrefix+"4294967295") > longestDir {
		parent = "/tmp"
	}
	dir, remove, err = atomicfile.TempDirIn(parent, tempPrefix, func(dead string) { killMarked(dead, 0) })
	if err != nil {
		err = fmt.Errorf("%w; set TMPDIR to a folder that can be written", err)
	}
	return dir, remove, err
}

// longestDir is how long the private directory's path may be: the path of a
// Unix socket has at most 104 bytes on macOS and 108 on Linux.
const longestDir = 80
