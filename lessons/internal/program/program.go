// Package program makes of the lessons the program of the live figures, and builds it as WebAssembly with
// the go command that is on the PATH.
//
// Of each lesson it takes the declarations of all cells and, as functions, what the cells tagged "explorable" run. The
// generated files are never in the checkout: the go command reads them through an overlay.
package program

import (
	"bytes"
	"cmp"
	"compress/gzip"
	"context"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"

	"github.com/svmkit/course/internal/atomicfile"
	"github.com/svmkit/course/lessons/internal/cells"
	"github.com/svmkit/course/lessons/internal/course"
	"github.com/svmkit/course/lessons/internal/kernel"
	"github.com/svmkit/course/lessons/internal/notebook"
)

// folder is where the go command finds the generated files, below the root of the checkout.
const folder = "lessons/internal/live/page"

// Generate returns the program's files, by their path below the root of the checkout.
func Generate(lessons []*course.Lesson) (map[string]string, error) {
	files := map[string]string{}
	var imports, entries strings.Builder
	for _, l := range lessons {
		name := "lesson" + l.Number
		text, err := lessonFile(l, name)
		if err != nil {
			return nil, err
		}
		if text == "" {
			continue
		}
		files[folder+"/"+name+"/lesson.go"] = text
		fmt.Fprintf(&imports, "\t%q\n", course.Module+"/"+folder+"/"+name)
		fmt.Fprintf(&entries, "\t\t%q: %s.Explorables,\n", l.Slug, name)
	}
	files[folder+"/main.go"] = "package main\n\nimport (\n\t\"" + course.Module + "/lessons/internal/live\"\n" + imports.String() + ")\n\n" +
		"func main() {\n\tlive.Lessons(map[string]func(){\n" + entries.String() + "\t}).Main()\n}\n"
	return files, nil
}

// lessonFile returns the package of a lesson, with a function Explorables that runs its explorable
// cells; "" if the lesson has none.
func lessonFile(l *course.Lesson, name string) (string, error) {
	var d cells.Declarations
	var calls strings.Builder
	for _, p := range course.Parts(l.Parsed) {
		source := p.Declarations
		if p.Body != "" && p.Cell.HasTag(notebook.TagExplorable) { // the function begins in the line %%
			source += fmt.Sprintf("func cell%d() {\n%s\n}", p.Index, p.Body)
			fmt.Fprintf(&calls, "\tcell%d()\n", p.Index)
		}
		if err := d.Add(cells.Cell{Name: "lessons/" + l.Slug + ".md", Source: source}, p.Cell.Line); err != nil {
			return "", err
		}
	}
	if calls.Len() == 0 {
		return "", nil
	}
	text, err := d.File(name, nil)
	return text + "\nfunc Explorables() {\n" + calls.String() + "}\n", err
}

// wasm is the environment of a build for browsers; nil is that of a build for the machine itself.
var wasm = []string{"GOOS=js", "GOARCH=wasm"}

// compile builds the program of the lessons into the file out. What else is written goes to dir, nothing to root.
func compile(ctx context.Context, root string, lessons []*course.Lesson, dir, out string, env []string, flags ...string) error {
	files, err := Generate(lessons)
	if err != nil {
		return err
	}
	overlaid, err := Overlay(dir, root, files)
	if err != nil {
		return err
	}
	_, err = run(ctx, root, env, slices.Concat([]string{"build", overlaid, "-o", out}, flags, []string{"./" + folder})...)
	return err
}

// Overlay writes files to dir, and returns the flag by which the go command reads them at their paths below root.
func Overlay(dir, root string, files map[string]string) (flag string, err error) {
	replace := map[string]string{}
	for i, name := range slices.Sorted(maps.Keys(files)) {
		real := filepath.Join(dir, fmt.Sprintf("%d.go", i))
		if err := os.WriteFile(real, []byte(files[name]), 0o666); err != nil {
			return "", err
		}
		replace[filepath.Join(root, filepath.FromSlash(name))] = real
	}
	text, err := json.Marshal(map[string]any{"Replace": replace})
	if err != nil {
		return "", err
	}
	file := filepath.Join(dir, "overlay.json")
	return "-overlay=" + file, os.WriteFile(file, text, 0o666)
}

// The plots hold twelve fonts, 4 MB, of which figures use three. The other packages of fonts become other
// names of the first, by a replaced module: a link cannot know that no figure asks for them.
const fonts = "codeberg.org/go-fonts/liberation"

var usedFonts = []string{"liberationsansregular", "liberationserifregular", "liberationserifitalic"}

// withoutFonts writes a copy of the course's go.mod to dir, with the replaced module, and returns its path.
func withoutFonts(ctx context.Context, root, dir string) (mod string, err error) {
	from, err := run(ctx, root, nil, "list", "-m", "-f", "{{.Dir}}", fonts)
	if err != nil {
		return "", err
	}
	packages, err := filepath.Glob(filepath.Join(from, "*", "data.go"))
	if err != nil || len(packages) == 0 {
		return "", fmt.Errorf("no fonts in %s: %v", from, err)
	}
	to := filepath.Join(dir, "fonts")
	for _, source := range packages {
		name := filepath.Base(filepath.Dir(source))
		if slices.Contains(usedFonts, name) {
			if err := os.CopyFS(filepath.Join(to, name), os.DirFS(filepath.Dir(source))); err != nil {
				return "", err
			}
			continue
		}
		text := fmt.Sprintf("package %s\n\nimport used %q\n\nvar TTF = used.TTF\n", name, fonts+"/"+usedFonts[0])
		if err := errors.Join(os.MkdirAll(filepath.Join(to, name), 0o777), os.WriteFile(filepath.Join(to, name, "data.go"), []byte(text), 0o666)); err != nil {
			return "", err
		}
	}
	course, err := os.ReadFile(filepath.Join(root, "go.mod"))
	if err != nil {
		return "", err
	}
	sums, err := os.ReadFile(filepath.Join(root, "go.sum"))
	if err != nil {
		return "", err
	}
	mod = filepath.Join(dir, "go.mod")
	return mod, errors.Join(os.WriteFile(filepath.Join(to, "go.mod"), []byte("module "+fonts+"\n"), 0o666), os.WriteFile(filepath.Join(dir, "go.sum"), sums, 0o666),
		os.WriteFile(mod, fmt.Appendf(course, "\nreplace %s => %s\n", fonts, strconv.Quote(filepath.ToSlash(to))), 0o666))
}

// run calls the go command, and returns what it printed.
func run(ctx context.Context, root string, env []string, args ...string) (string, error) {
	out, said, err := kernel.Go(ctx, root, "off", env, args...)
	if err != nil {
		return "", cmp.Or(ctx.Err(), fmt.Errorf("go %s: %w\n%s", args[0], err, strings.TrimSpace(said)))
	}
	return strings.TrimSpace(out), nil
}

// Folder is where a site's live program is, and Manifest the file there that a page reads first.
const (
	Folder   = "live"
	Manifest = "live.json"
)

// State is what the manifest says.
type State struct {
	Building bool   `json:"building,omitempty"` // the page asks again
	Program  string `json:"program,omitempty"`  // the WebAssembly's file
	Start    string `json:"start,omitempty"`    // the script of the Go distribution that starts it
	Bytes    int    `json:"bytes,omitempty"`    // of the program
	Gzip     int    `json:"gzip,omitempty"`     // of the program, compressed
}

// Announce writes the manifest of a site: pages without a program keep their stored pictures.
func Announce(site string, s State) error { return announce(filepath.Join(site, Folder), Manifest, s) }

func announce(dir, manifest string, state any) error {
	text, err := json.Marshal(state)
	if err != nil {
		return err
	}
	return put(dir, manifest, text)
}

// Publish builds the program into the folder of a site. The files are named after their content, so that
// no cache gives an old one; those of earlier builds are removed.
func Publish(ctx context.Context, root string, lessons []*course.Lesson, site string) (s State, err error) {
	dir, remove, err := kernel.TempDir()
	if err != nil {
		return s, err
	}
	defer remove()
	mod, err := withoutFonts(ctx, root, dir)
	if err != nil {
		return s, err
	}
	out := filepath.Join(dir, "live.wasm")
	if err := compile(ctx, root, lessons, dir, out, wasm, "-modfile="+mod, "-tags=minimal", "-ldflags=-s -w", "-trimpath"); err != nil {
		return s, err
	}
	program, err := os.ReadFile(out)
	if err != nil {
		return s, err
	}
	start, err := startScript(ctx, root)
	if err != nil {
		return s, err
	}
	packed, err := compress(program)
	if err != nil {
		return s, err
	}
	s = State{Program: "live-" + stamp(program) + ".wasm", Start: "start-" + stamp(start) + ".js", Bytes: len(program), Gzip: len(packed)}
	return s, publish(site, Folder, map[string][]byte{s.Program: program, s.Program + ".gz": packed, s.Start: start}, Manifest, s)
}

// startScript is the script of the Go distribution that starts a program.
func startScript(ctx context.Context, root string) ([]byte, error) {
	goroot, err := run(ctx, root, nil, "env", "GOROOT")
	if err != nil {
		return nil, err
	}
	start, err := os.ReadFile(filepath.Join(goroot, "lib", "wasm", "wasm_exec.js"))
	if err != nil {
		return nil, fmt.Errorf("the Go distribution has no script that starts WebAssembly: %w", err)
	}
	return start, nil
}

func compress(content []byte) ([]byte, error) {
	var packed bytes.Buffer
	w, err := gzip.NewWriterLevel(&packed, gzip.BestCompression)
	if err != nil {
		return nil, err
	}
	_, err = w.Write(content)
	err = errors.Join(err, w.Close())
	return packed.Bytes(), err
}

// publish writes files that are named after their content to a folder of a site, then the manifest that
// names them, and removes those of earlier builds.
func publish(site, folder string, files map[string][]byte, manifest string, state any) error {
	dir := filepath.Join(site, folder)
	old, err := filepath.Glob(filepath.Join(dir, "*-*"))
	if err != nil {
		return err
	}
	for name, content := range files {
		if err := put(dir, name, content); err != nil {
			return err
		}
	}
	if err := announce(dir, manifest, state); err != nil {
		return err
	}
	for _, file := range old {
		if files[filepath.Base(file)] == nil {
			if err := os.Remove(file); err != nil {
				return err
			}
		}
	}
	return nil
}

func stamp(content []byte) string {
	sum := sha256.Sum256(content)
	return hex.EncodeToString(sum[:10])
}

func put(dir, name string, content []byte) error {
	if err := os.MkdirAll(dir, 0o777); err != nil {
		return err
	}
	return atomicfile.Write(filepath.Join(dir, name), func(w io.Writer) error { _, err := w.Write(content); return err })
}
