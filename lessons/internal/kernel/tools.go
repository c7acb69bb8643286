package kernel

import (
	"context"
	"crypto/sha256"
	"errors"
	"fmt"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"github.com/svmkit/course/internal/atomicfile"
)

// tools are programs that one go.mod pins and that are built together.
type tools struct {
	name     string   // the programs' directory begins with it
	dir      string   // where that go.mod is
	list     []string // arguments of go list: its answer decides, with the toolchain, what is built
	sources  bool     // the answer names files, whose content decides
	packages []string // of the programs
	programs []string // what is in the programs' directory at the end
}

// versions are arguments of go list that print the versions of modules, with their replacements.
func versions(modules ...string) []string { return append([]string{"-m", "-f", "{{.}}"}, modules...) }

func gonbTools(root string) tools {
	return tools{"gonb", root, versions("github.com/janpfeifer/gonb", "golang.org/x/tools"), false,
		[]string{"github.com/janpfeifer/gonb", "golang.org/x/tools/cmd/goimports"}, []string{"gonb", "goimports"}}
}

func goplsTools(dir string) tools {
	return tools{"gopls-server", dir, versions("golang.org/x/tools/gopls", "golang.org/x/tools"), false,
		[]string{"golang.org/x/tools/gopls"}, []string{"gopls"}}
}

// standIn is a program of ours, in the folder of its name, that takes another's place in PATH.
func standIn(root, folder, program string) tools {
	path := "github.com/svmkit/course/lessons/internal/kernel/" + folder
	const files = `{{if not .Standard}}{{range .GoFiles}}{{$.Dir}}/{{.}}{{"\n"}}{{end}}{{end}}`
	return tools{program, root, []string{"-deps", "-f", files, path}, true, []string{path}, []string{program}}
}

// buildTools returns the directory that holds the built programs: one below cache, and built
// only if it is not there.
func buildTools(ctx context.Context, t tools, cache string) (string, error) {
	fail := func(doing string, err error, stderr string) (string, error) {
		if ctx.Err() != nil {
			err = ctx.Err()
		}
		return "", &StartError{Doing: doing, Err: err, Stderr: stderr}
	}
	if _, err := exec.LookPath("go"); err != nil {
		return fail("looking for the go command", fmt.Errorf("%w: install Go from https://go.dev/dl and put it on PATH", err), "")
	}
	listed, stderr, err := Go(ctx, t.dir, "off", nil, append([]string{"list"}, t.list...)...)
	if err != nil {
		return fail("looking up the pinned "+t.name+" in go.mod of "+t.dir, err, stderr)
	}
	hash := sha256.New()
	if t.sources {
		for file := range strings.SplitSeq(strings.TrimSpace(listed), "\n") {
			text, err := os.ReadFile(file)
			if err != nil {
				return fail("reading the source of "+t.name, err, "")
			}
			hash.Write(text)
		}
	} else {
		io.WriteString(hash, listed)
	}
	version, stderr, err := Go(ctx, t.dir, "off", nil, "env", "GOVERSION", "GOOS", "GOARCH")
	if err != nil {
		return fail("asking the go command for its version", err, stderr)
	}
	io.WriteString(hash, version)
	key := fmt.Sprintf("%x", hash.Sum(nil))[:16]
	dir := filepath.Join(cache, t.name+"-"+key)
	if t.in(dir) {
		return dir, nil
	}
	if err := os.MkdirAll(cache, 0o755); err != nil {
		return fail("making the directory of the built "+t.name, err, "")
	}
	// Build aside and rename: no process ever sees half a program.
	fresh, remove, err := atomicfile.TempDirIn(cache, "building-", nil)
	if err != nil {
		return fail("making the directory of the built "+t.name, err, "")
	}
	defer remove()
	out := fresh + string(filepath.Separator)
	if len(t.programs) == 1 {
		out += t.programs[0] // the package may have another name
	}
	if _, stderr, err := Go(ctx, t.dir, "off", nil, append([]string{"build", "-buildvcs=false", "-o", out}, t.packages...)...); err != nil {
		return fail("building "+t.name, err, stderr)
	}
	if err := os.Chmod(fresh, 0o755); err != nil {
		return fail("building "+t.name, err, "")
	}
	if err := os.Rename(fresh, dir); err != nil && !t.in(dir) {
		// Neither we nor another process put the programs there: what is there is broken.
		if err = errors.Join(os.RemoveAll(dir), os.Rename(fresh, dir)); err != nil {
			return fail("building "+t.name, err, "")
		}
	}
	return dir, nil
}

// in reports whether all programs are in dir.
func (t tools) in(dir string) bool {
	for _, name := range t.programs {
		if info, err := os.Stat(filepath.Join(dir, name)); err != nil || !info.Mode().IsRegular() {
			return false
		}
	}
	return true
}

// Go runs the go command in dir and returns what it wrote, of stderr the end. work is the go.work file that
// it uses, or "off"; env is added to its environment, in which the user's settings of builds have no place.
func Go(ctx context.Context, dir, work string, env []string, args ...string) (stdout, stderr string, err error) {
	// A go command that is stopped leaves its files, in a place that is ours alone.
	temp, remove, err := TempDir()
	if err != nil {
		return "", "", err
	}
	cmd := exec.Command("go", args...)
	cmd.Dir = dir
	// Without cgo, as cells are built: what is compiled for the one serves the other,
	// and no C compiler is needed.
	cmd.Env = slices.Concat(os.Environ(), goEnvironment(), []string{"CGO_ENABLED=0", "GOWORK=" + work, "TMPDIR=" + temp, "GOTMPDIR=" + temp}, env)
	var out strings.Builder
	var last tail
	cmd.Stdout, cmd.Stderr = &out, &last
	const grace = 2 * time.Second
	err = Supervise(ctx, cmd, temp, grace)
	return out.String(), last.String(), errors.Join(err, remove())
}
