package kernel

import (
	"context"
	"fmt"
	"os"
	"path/filepath"
	"strings"
)

// Settings says which GoNB to build and how cells see the world.
type Settings struct {
	Root  string // the module whose go.mod pins GoNB; its packages can be imported by cells as they are on disk
	Cache string // where the built programs are kept; "" is svmkit/kernel in the user's cache directory
	Dir   string // working directory of cells; "" is Root
	Gopls string // the module whose go.mod pins gopls, which completes code; "" for a kernel that does not

	// Fetch lets a cell import any module: "go get" runs before each cell, which
	// needs the network and takes longer, and cells may use cgo. Without it a cell
	// imports what Root's go.mod knows, and nothing is fetched.
	Fetch bool
}

// GoNB builds the pinned GoNB, goimports and, where asked for, gopls if the cache lacks them,
// and returns how to start that kernel. Two processes may do so at once. With a warm module
// cache no network is needed. The error is a [*StartError].
func GoNB(ctx context.Context, s Settings) (Spec, error) {
	fail := func(err error) (Spec, error) { return Spec{}, &StartError{Doing: "building GoNB", Err: err} }
	if !supported {
		return fail(ErrUnsupported)
	}
	root, err := filepath.Abs(s.Root)
	if err != nil {
		return fail(err)
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
		return fail(err)
	}
	if strings.Contains(root, ",") {
		return fail(fmt.Errorf("GoNB takes no path with a comma, as %s has one", root))
	}
	// The stand-ins are the go command that makes cells cheap, and the gopls that starts the real one when
	// code is to be completed.
	all := []tools{gonbTools(root), standIn(root, "cellgo", "go")}
	if s.Gopls != "" {
		all = append(all, standIn(root, "lazygopls", "gopls"), goplsTools(s.Gopls))
	}
	var path []string
	for _, t := range all {
		dir, err := buildTools(ctx, t, cache)
		if err != nil {
			return Spec{}, err
		}
		path = append(path, dir)
	}
	gonb := filepath.Join(path[0], "gonb")
	path[0], path[1] = path[1], path[0] // the go command for cells comes first
	path = append(path, os.Getenv("PATH"))
	spec := Spec{
		Command: []string{gonb, "--kernel", ConnectionFile, "-raw_error", "-go_work=" + root},
		Dir:     s.Dir,
		Env:     append(append(os.Environ(), goEnvironment()...), "PATH="+strings.Join(path, string(os.PathListSeparator))),
	}
	if spec.Dir == "" {
		spec.Dir = root
	}
	if !s.Fetch {
		if err := fetchModules(ctx, root); err != nil {
			return Spec{}, err
		}
		// Measured on a cell that draws a plot: with cgo, which gonbui's logger pulls in for the user's
		// name, every cell is linked by the C compiler; without it the cell takes 2/3 of the time. go get
		// asks the network for modules that go.work has already, for half a second a cell or more: the go
		// command for cells does nothing in its place.
		spec.Env = append(spec.Env, "CGO_ENABLED=0", "GOPROXY=off")
	}
	return spec, nil
}

// fetchModules makes sure that the module cache holds all that a cell can import from root. Cells run in a
// workspace of their own module and root, whose module graph needs files that building root alone does not,
// and they run with the network switched off. With a warm module cache nothing is fetched.
func fetchModules(ctx context.Context, root string) error {
	fail := func(err error, stderr string) error {
		if ctx.Err() != nil {
			err = ctx.Err()
		}
		return &StartError{Doing: "fetching the modules that cells import", Err: err, Stderr: stderr}
	}
	module, stderr, err := Go(ctx, root, "off", nil, "list", "-m")
	if err != nil {
		return fail(err, stderr)
	}
	workspace, remove, err := TempDir()
	if err != nil {
		return fail(err, "")
	}
	defer remove()
	for _, args := range [][]string{
		{"mod", "init", "cell"},
		{"work", "init", ".", root},
		{"list", "-e", "-deps", "-f", "", strings.TrimSpace(module) + "/..."},
	} {
		if _, stderr, err := Go(ctx, workspace, filepath.Join(workspace, "go.work"), nil, args...); err != nil {
			return fail(err, stderr)
		}
	}
	return nil
}
