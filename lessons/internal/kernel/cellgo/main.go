// Command cellgo stands in for the go command in the kernel's PATH and makes a cell cheap. GoNB builds each
// cell with "go build", which spends more on finding out that nothing but the cell has changed than on the
// cell itself. When the imports of a cell are known, cellgo runs the compiler and the linker alone.
// Everything else it hands to the go command: other commands and flags, cells that need more than the
// compiler, and cells that do not compile, whose messages are then those of go build.
//
// GoNB puts what all cells have declared into each cell. cellgo leaves out what a cell does not
// reach and was compiled before, and links the packages that are left: with the build tag nofigures,
// if the cell imports nothing that they need without it only.
//
// What it knows lives in the workspace of one kernel and is dropped when a source file of a package
// that is no part of Go or of the module cache, a go.mod, the environment or the go command changes.
package main

import (
	"fmt"
	"os"
	"slices"
	"syscall"

	"github.com/svmkit/course/lessons/internal/kernel/original"
)

func main() {
	goCommand, err := original.Find("go")
	if err != nil {
		fail(err)
	}
	args := os.Args[1:]
	if c, ok := cellBuild(args); ok && c.build(goCommand) == nil {
		return
	}
	// With the network switched off, go get could only say what go build says, too.
	if slices.Equal(args, []string{"get"}) && inWorkspace() && os.Getenv("GOPROXY") == "off" {
		return
	}
	fail(syscall.Exec(goCommand, append([]string{"go"}, args...), os.Environ()))
}

func fail(err error) {
	fmt.Fprintln(os.Stderr, "go:", err)
	os.Exit(1)
}

// inWorkspace reports whether GoNB's workspace is the working directory.
func inWorkspace() bool {
	dir, err := os.Getwd()
	return err == nil && dir == os.Getenv("GONB_TMP_DIR")
}
