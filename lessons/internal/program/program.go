// Package program builds the WebAssembly programs of the pages with the go command that is on the PATH.
//
// [Publish] compiles the lessons' interactive figures into one program. The program holds the declarations of
// all cells of a lesson, and one function for each cell that is tagged "explorable". The go command reads the generated
// files through an overlay, so they never appear in the checkout.
//
// [PublishCells] compiles the tools that compile and run a reader's cells in a page.
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

// folder is the folder of the generated files in the overlay, relative to the root of the checkout.
const folder = "lessons/internal/live/page"

// Generate returns the source files of the program, by their paths relative to the root of the checkout.
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

// lessonFile returns the source of a lesson's package. Its function Explorables runs the explorable cells. The
// source is empty if the lesson has none.
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

// wasm is the environment of a build for browsers. A build for this machine has none.
var wasm = []string{"GOOS=js", "GOARCH=wasm"}

// compile builds the program of the lessons into the file out. It writes other files to dir, and nothing to root.
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

// Overlay writes files to dir and returns the flag that makes the go command read them at their paths below root.
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

// fonts is the module of twelve fonts that package plot links, 4 MB. Figures use three of them. A replaced module makes
// the other packages aliases of the first font, because the linker cannot know that no figure asks for them.
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

// run calls the go command and returns its standard output.
func run(ctx context.Context, root string, env []string, args ...string) (string, error) {
	out, said, err := kernel.Go(ctx, root, "off", env, args...)
	if err != nil {
		return "", cmp.Or(ctx.Err(), fmt.Errorf("go %s: %w\n%s", args[0], err, strings.TrimSpace(said)))
	}
	return strings.TrimSpace(out), nil
}

// Folder is the folder of the program in a site. Manifest is the file there that a page reads first.
const (
	Folder   = "live"
	Manifest = "live.json"
)

// State is the content of the manifest.
type State struct {
	Building bool   `json:"building,omitempty"` // the program is being built, so the page asks again
	Program  string `json:"program,omitempty"`  // name of the WebAssembly file
	Start    string `json:"start,omitempty"`    // name of Go's script that starts the program
	Bytes    int    `json:"bytes,omitempty"`    // size of the program
	Gzip     int    `json:"gzip,omitempty"`     // size of the program, compressed
}

// WriteManifest writes the manifest of a site. Pages of a site without a program show their stored pictures.
func WriteManifest(site string, s State) error {
	return writeManifest(filepath.Join(site, Folder), Manifest, s)
}

// writeManifest writes a manifest as JSON.
func writeManifest(dir, manifest string, state any) error {
	text, err := json.Marshal(state)
	if err != nil {
		return err
	}
	return writeFile(dir, manifest, text)
}

// Publish builds the program into the folder of a site and removes the files of earlier builds. Files are named
// after their content, so no cache returns an old one.
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
	s = State{Program: "live-" + contentHash(program) + ".wasm", Start: "start-" + contentHash(start) + ".js", Bytes: len(program), Gzip: len(packed)}
	return s, publish(site, Folder, map[string][]byte{s.Program: program, s.Program + ".gz": packed, s.Start: start}, Manifest, s)
}

// startScript returns the script of the Go distribution that starts a program.
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

// publish writes files to a folder of a site, then the manifest that names them, and removes the files of earlier
// builds. The files are named after their content.
func publish(site, folder string, files map[string][]byte, manifest string, state any) error {
	dir := filepath.Join(site, folder)
	old, err := filepath.Glob(filepath.Join(dir, "*-*"))
	if err != nil {
		return err
	}
	for name, content := range files {
		if err := writeFile(dir, name, content); err != nil {
			return err
		}
	}
	if err := writeManifest(dir, manifest, state); err != nil {
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

func contentHash(content []byte) string {
	sum := sha256.Sum256(content)
	return hex.EncodeToString(sum[:10])
}

func writeFile(dir, name string, content []byte) error {
	if err := os.MkdirAll(dir, 0o777); err != nil {
		return err
	}
	return atomicfile.Write(filepath.Join(dir, name), func(w io.Writer) error { _, err := w.Write(content); return err })
}
