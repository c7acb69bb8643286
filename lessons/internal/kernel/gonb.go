package kernel

import (
	"context"
	"crypto/sha256"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"strings"
)

// The programs that a kernel needs; both are tools in go.mod.
const (
	gonbPackage      = "github.com/janpfeifer/gonb"
	goimportsPackage = "golang.org/x/tools/cmd/goimports"
)

// Settings says which GoNB to build and how cells see the world.
type Settings struct {
	Root  string // the module whose go.mod pins GoNB; its packages can be imported by cells as they are on disk
	Cache string // where the built programs are kept; "" is svmkit/kernel in the user's cache directory
	Dir   string // working directory of cells; "" is Root

	// Fetch lets a cell import any module: "go get" runs before each cell, which
	// needs the network and takes longer, and cells may use cgo. Without it a cell
	// imports what Root's go.mod knows, and nothing is fetched.
	Fetch bool
}

// GoNB builds the pinned GoNB and goimports if the cache lacks them, and returns
// how to start that kernel. Two processes may do so at once. With a warm module
// cache no network is needed. The error is a [*StartError].
func GoNB(ctx context.Context, s Settings) (Spec, error) {
	if !supported {
		return Spec{}, &StartError{Doing: "building GoNB", Err: ErrUnsupported}
	}
	root, err := filepath.Abs(s.Root)
	if err != nil {
		return Spec{}, &StartError{Doing: "building GoNB", Err: err}
	}
	cache := s.Cache
	if cache == "" {
		user, err := os.UserCacheDir()
		if err != nil {
			return Spec{}, &StartError{Doing: "finding a directory for the built GoNB", Err: err}
		}
		cache = filepath.Join(user, "svmkit", "kernel")
	}
	if cache, err = filepath.Abs(cache); err != nil {
		return Spec{}, &StartError{Doing: "building GoNB", Err: err}
	}
	tools, err := buildTools(ctx, root, cache)
	if err != nil {
		return Spec{}, err
	}
	spec := Spec{
		Command: []string{filepath.Join(tools, "gonb"), "--kernel", ConnectionFile, "-raw_error", "-go_work=" + root},
		Dir:     s.Dir,
		Env:     append(os.Environ(), "PATH="+tools+string(os.PathListSeparator)+os.Getenv("PATH")),
		// Symbols for a debugger take time to link and no cell has one.
		Setup: []string{"%goflags -ldflags=-w"},
	}
	if spec.Dir == "" {
		spec.Dir = root
	}
	if !s.Fetch {
		if err := fetchModules(ctx, root); err != nil {
			return Spec{}, err
		}
		// Measured on a cell that draws a plot: with cgo, which gonbui's logger
		// pulls in for the user's name, every cell is linked by the C compiler;
		// without it the cell takes 2/3 of the time. go get asks the network for
		// modules that go.work has already, for half a second a cell or more.
		spec.Env = append(spec.Env, "CGO_ENABLED=0", "GOPROXY=off")
		spec.Setup = append(spec.Setup, "%noautoget")
	}
	return spec, nil
}

// buildTools returns the directory that holds the built programs.
func buildTools(ctx context.Context, root, cache string) (string, error) {
	fail := func(doing string, err error, stderr string) (string, error) {
		if ctx.Err() != nil {
			err = ctx.Err()
		}
		return "", &StartError{Doing: doing, Err: err, Stderr: stderr}
	}
	if _, err := exec.LookPath("go"); err != nil {
		return fail("looking for the go command", fmt.Errorf("%w: install Go from https://go.dev/dl and put it on PATH", err), "")
	}
	// What decides the built programs: the modules' versions with their replacements,
	// and the toolchain.
	modules, stderr, err := runGo(ctx, root, "list", "-m", "-f", "{{.}}", gonbPackage, "golang.org/x/tools")
	if err != nil {
		return fail("looking up the pinned GoNB in go.mod of "+root, err, stderr)
	}
	version, stderr, err := runGo(ctx, root, "env", "GOVERSION", "GOOS", "GOARCH")
	if err != nil {
		return fail("asking the go command for its version", err, stderr)
	}
	key := fmt.Sprintf("%x", sha256.Sum256([]byte(modules+version)))[:16]
	dir := filepath.Join(cache, "gonb-"+key)
	if hasTools(dir) {
		return dir, nil
	}
	if err := os.MkdirAll(cache, 0o755); err != nil {
		return fail("making the directory of the built GoNB", err, "")
	}
	// Build aside and rename: no process ever sees half a program.
	fresh, err := os.MkdirTemp(cache, "building-")
	if err != nil {
		return fail("making the directory of the built GoNB", err, "")
	}
	defer os.RemoveAll(fresh)
	if _, stderr, err := runGo(ctx, root, "build", "-buildvcs=false", "-ldflags=-w", "-o", fresh+string(filepath.Separator), gonbPackage, goimportsPackage); err != nil {
		return fail("building GoNB", err, stderr)
	}
	if err := os.Chmod(fresh, 0o755); err != nil {
		return fail("building GoNB", err, "")
	}
	if err := os.Rename(fresh, dir); err != nil && !hasTools(dir) {
		// Neither we nor another process put the programs there: what is there is broken.
		if err = errors.Join(os.RemoveAll(dir), os.Rename(fresh, dir)); err != nil {
			return fail("building GoNB", err, "")
		}
	}
	return dir, nil
}

// fetchModules makes sure that the module cache holds all that a cell can import from root.
// Cells run in a workspace of their own module and root, whose module graph needs files
// that building root alone does not, and they run with the network switched off. With a warm
// module cache nothing is fetched.
func fetchModules(ctx context.Context, root string) error {
	fail := func(err error, stderr string) error {
		if ctx.Err() != nil {
			err = ctx.Err()
		}
		return &StartError{Doing: "fetching the modules that cells import", Err: err, Stderr: stderr}
	}
	module, stderr, err := runGo(ctx, root, "list", "-m")
	if err != nil {
		return fail(err, stderr)
	}
	workspace, err := os.MkdirTemp("", "svmkit-workspace-")
	if err != nil {
		return fail(err, "")
	}
	defer os.RemoveAll(workspace)
	for _, args := range [][]string{
		{"mod", "init", "cell"},
		{"work", "init", ".", root},
		{"list", "-e", "-deps", "-f", "", strings.TrimSpace(module) + "/..."},
	} {
		if _, stderr, err := runGo(ctx, workspace, args...); err != nil {
			return fail(err, stderr)
		}
	}
	return nil
}

func hasTools(dir string) bool {
	for _, name := range []string{"gonb", "goimports"} {
		if runtime.GOOS == "windows" {
			name += ".exe"
		}
		if info, err := os.Stat(filepath.Join(dir, name)); err != nil || !info.Mode().IsRegular() {
			return false
		}
	}
	return true
}

// runGo runs the go command in dir and returns what it wrote.
func runGo(ctx context.Context, dir string, args ...string) (stdout, stderr string, err error) {
	cmd := exec.CommandContext(ctx, "go", args...)
	cmd.Dir = dir
	// Without cgo, as cells are built: what is compiled for the one serves the other,
	// and no C compiler is needed.
	cmd.Env = append(os.Environ(), "CGO_ENABLED=0")
	var out strings.Builder
	var last tail
	cmd.Stdout, cmd.Stderr = &out, &last
	err = cmd.Run()
	return out.String(), last.String(), err
}
