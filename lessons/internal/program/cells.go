package program

import (
	"archive/tar"
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"maps"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"

	"github.com/svmkit/course/lessons/internal/course"
	"github.com/svmkit/course/lessons/internal/kernel"
)

// Importable lists the packages that a cell on a page can import in addition to the library: the packages that lessons
// use, and those of the standard library that are useful in a cell.
var Importable = []string{course.Module + "/plots", course.Module + "/plots/geom", course.Module + "/plots/pen", course.Module + "/plots/prose",
	course.Module + "/plots/check", course.Module + "/lessons/figures", course.Module + "/lessons/lab", "gonum.org/v1/gonum/mat", "gonum.org/v1/plot",
	"bufio", "bytes", "cmp", "container/heap", "container/list", "context", "encoding/binary", "encoding/csv", "encoding/json", "errors", "fmt",
	"hash/fnv", "io", "iter", "maps", "math", "math/big", "math/bits", "math/cmplx", "math/rand/v2", "os", "reflect", "runtime", "slices",
	"sort", "strconv", "strings", "sync", "sync/atomic", "testing", "text/tabwriter", "time", "unicode", "unicode/utf8"}

// Archives are the packages that a cell may need, compiled to WebAssembly.
type Archives struct {
	Known    []string          // import paths that a cell can use, sorted
	Files    map[string]string // the archive of each package that these need, by import path
	language string            // version of Go, as "1.26"
	godebug  string            // default of the variable
}

// CompileArchives compiles the packages that cells can import, from the checkout at root.
func CompileArchives(ctx context.Context, root string) (*Archives, error) {
	dir, remove, err := kernel.TempDir()
	if err != nil {
		return nil, err
	}
	defer remove()
	mod, err := withoutFonts(ctx, root, dir)
	if err != nil {
		return nil, err
	}
	return CompileFor(ctx, root, wasm, []string{"-modfile=" + mod, "-tags=minimal"}, nil)
}

// CompileFor compiles the same packages and the ones in more, with an environment and flags of its own.
func CompileFor(ctx context.Context, root string, env, flags, more []string) (*Archives, error) {
	listed, err := run(ctx, root, env, "list", `-f={{if ne .Name "main"}}{{.ImportPath}}{{end}}`, "./svmkit/...")
	if err != nil {
		return nil, err
	}
	a := &Archives{Known: slices.Concat(Importable, more), Files: map[string]string{}}
	for name := range strings.FieldsSeq(listed) {
		if !slices.Contains(strings.Split(name, "/"), "internal") {
			a.Known = append(a.Known, name)
		}
	}
	slices.Sort(a.Known)
	const fields = "-json=ImportPath,Export,DefaultGODEBUG,Module"
	text, err := run(ctx, root, env, slices.Concat([]string{"list"}, flags, []string{"-trimpath", "-export", "-deps", fields}, a.Known)...)
	if err != nil {
		return nil, err
	}
	// The command assemble is a program of this module, as a cell is, and so tells the version of Go.
	program, err := run(ctx, root, env, "list", fields, assembler)
	if err != nil {
		return nil, err
	}
	text += program
	for list := json.NewDecoder(strings.NewReader(text)); ; {
		var p struct {
			ImportPath, Export, DefaultGODEBUG string
			Module                             *struct{ GoVersion string }
		}
		if err := list.Decode(&p); err == io.EOF {
			return a, nil
		} else if err != nil {
			return nil, err
		}
		if p.ImportPath == course.Module+"/"+assembler[2:] {
			version := strings.SplitN(p.Module.GoVersion, ".", 3)
			a.language, a.godebug = strings.Join(version[:2], "."), p.DefaultGODEBUG
		} else if p.Export != "" { // unsafe has none
			a.Files[p.ImportPath] = p.Export
		}
	}
}

const assembler = "./lessons/internal/cells/assemble"

// Config returns the importcfg file of the compiler and the linker. The archives are in dir, named by their numbers, or
// in the build cache if dir is empty.
func (a *Archives) Config(dir string) string {
	var b strings.Builder
	for i, name := range slices.Sorted(maps.Keys(a.Files)) {
		file := a.Files[name]
		if dir != "" {
			file = fmt.Sprintf("%s/%d.a", dir, i)
		}
		fmt.Fprintf(&b, "packagefile %s=%s\n", name, file)
	}
	return b.String()
}

// Step is a command of a cell's build: a tool and its arguments.
type Step []string

// steps returns the commands that build main.wasm in dir from the files importcfg, known and cells.json.
func (a *Archives) steps(dir string) []Step {
	return append([]Step{{"assemble", dir + "/cells.json", dir + "/known", dir + "/main.go"}}, a.Build(dir, "main.go")...)
}

// Build returns the commands that compile source files in dir to main.wasm, with the archives that dir/importcfg lists.
// The flags are those that go build -x prints, without the build ids.
func (a *Archives) Build(dir string, sources ...string) []Step {
	compile := Step{"compile", "-o", dir + "/main.a", "-trimpath", dir + "=>", "-p", "main", "-lang=go" + a.language, "-complete", "-nolocalimports",
		"-importcfg", dir + "/importcfg", "-pack"}
	for _, name := range sources {
		compile = append(compile, dir+"/"+name)
	}
	link := Step{"link", "-o", dir + "/main.wasm", "-importcfg", dir + "/importcfg", "-buildmode=exe", "-s", "-w"}
	if a.godebug != "" {
		link = append(link, "-X=runtime.godebugDefault="+a.godebug)
	}
	return []Step{compile, append(link, dir+"/main.a")}
}

// tools are the packages of the steps' tools.
var tools = map[string]string{"assemble": assembler, "compile": "cmd/compile", "link": "cmd/link"}

// CellsFolder is the folder of the tools in a site. CellsManifest is the file there that a page reads first.
const (
	CellsFolder   = "run"
	CellsManifest = "run.json"
)

// CellsState is the content of this manifest.
type CellsState struct {
	Go       string            `json:"go"`       // version of the toolchain
	Start    string            `json:"start"`    // its script that starts a program
	Tools    map[string]string `json:"tools"`    // the WebAssembly's file of each step's tool
	Archives string            `json:"archives"` // a compressed tar: the archives with importcfg and known
	Steps    []Step            `json:"steps"`
	Stamp    string            `json:"stamp"` // of all this
	Gzip     int               `json:"gzip"`  // bytes to load, compressed

	Sizes []Size `json:"-"`
}

// Size is the size of a file in bytes.
type Size struct {
	Name      string
	Raw, Gzip int
}

// PublishCells builds the tools that compile and run cells in a page, from the user's own Go toolchain, into the folder
// of a site. The first build takes some minutes. Files are named after their content, and the files of earlier builds are
// removed.
func PublishCells(ctx context.Context, root, site string) (s CellsState, err error) {
	a, err := CompileArchives(ctx, root)
	if err != nil {
		return s, err
	}
	s = CellsState{Tools: map[string]string{}, Steps: a.steps("")}
	if s.Go, err = run(ctx, root, nil, "env", "GOVERSION"); err != nil {
		return s, err
	}
	start, err := startScript(ctx, root)
	if err != nil {
		return s, err
	}
	s.Start = "start-" + contentHash(start) + ".js"
	files := map[string][]byte{s.Start: start}
	count := func(name string, raw, packed []byte) {
		s.Sizes = append(s.Sizes, Size{name, len(raw), len(packed)})
		s.Gzip += len(packed)
	}
	for _, step := range s.Steps {
		name := step[0]
		program, err := compileTool(ctx, root, tools[name])
		if err != nil {
			return s, err
		}
		packed, err := compress(program)
		if err != nil {
			return s, err
		}
		file := name + "-" + contentHash(program) + ".wasm"
		files[file], files[file+".gz"], s.Tools[name] = program, packed, file
		count(name, program, packed)
	}
	pack, err := a.tar()
	if err != nil {
		return s, err
	}
	packed, err := compress(pack)
	if err != nil {
		return s, err
	}
	s.Archives = "archives-" + contentHash(pack) + ".pack" // a name that no host takes for a file to decompress on the way
	files[s.Archives] = packed
	count("archives", pack, packed)
	s.Stamp = contentHash([]byte(fmt.Sprint(s)))
	return s, publish(site, CellsFolder, files, CellsManifest, s)
}

// tar returns an archive of the files that the steps read, except the cells. Its file offsets lists the tables that
// [slim] has replaced by differences.
func (a *Archives) tar() ([]byte, error) {
	var b bytes.Buffer
	w := tar.NewWriter(&b)
	add := func(name string, content []byte) error {
		err := w.WriteHeader(&tar.Header{Name: name, Mode: 0o644, Size: int64(len(content)), Format: tar.FormatUSTAR})
		if err == nil {
			_, err = w.Write(content)
		}
		return err
	}
	if err := errors.Join(add("importcfg", []byte(a.Config("/pkg"))), add("known", []byte(strings.Join(a.Known, "\n")))); err != nil {
		return nil, err
	}
	var offsets strings.Builder
	for i, name := range slices.Sorted(maps.Keys(a.Files)) {
		content, err := os.ReadFile(a.Files[name])
		if err != nil {
			return nil, err
		}
		file := fmt.Sprintf("pkg/%d.a", i)
		content, tables := slim(content, slices.Contains(a.Known, name))
		for _, t := range tables {
			fmt.Fprintln(&offsets, file, t.from, t.to)
		}
		if err := add(file, content); err != nil {
			return nil, err
		}
	}
	if err := add("offsets", []byte(offsets.String())); err != nil {
		return nil, err
	}
	if err := w.Close(); err != nil {
		return nil, err
	}
	return b.Bytes(), nil
}

// compileTool builds a tool as WebAssembly.
func compileTool(ctx context.Context, root, pkg string) ([]byte, error) {
	dir, remove, err := kernel.TempDir()
	if err != nil {
		return nil, err
	}
	defer remove()
	out := filepath.Join(dir, "tool.wasm")
	build := func(flags ...string) error {
		_, err := run(ctx, root, wasm, append(append([]string{"build", "-o", out, "-trimpath", "-ldflags=-s -w"}, flags...), pkg)...)
		return err
	}
	if pkg == assembler {
		err = build()
	} else {
		// A tool without other architectures has three quarters of the size. The go command lays nothing over a toolchain that it has fetched itself, and
		// another toolchain may have other files: then the tool stays whole.
		var flag string
		if flag, err = onlyWebAssembly(ctx, root, dir, pkg); err == nil {
			err = build(flag)
		}
		if err != nil && ctx.Err() == nil {
			err = build()
		}
	}
	if err != nil {
		return nil, err
	}
	return os.ReadFile(out)
}

// These match the lines by which the compiler and the linker reach the code for an architecture: the import of its
// package, the call of its Init, and the choice of its rewrite rules.
var (
	archImport  = regexp.MustCompile(`^\t"cmd/(?:compile|link)/internal/(\w+)"\n$`)
	archInit    = regexp.MustCompile(`\b(\w+)\.Init\b`)
	archRewrite = regexp.MustCompile(`^\t+c\.\w+ = rewrite(?:Block|Value)(\w+)\n$`)
)

// onlyWebAssembly writes to dir the files of a tool that choose the architecture, reduced to WebAssembly, and
// returns the flag that makes the go command use them.
func onlyWebAssembly(ctx context.Context, root, dir, pkg string) (flag string, err error) {
	source, err := run(ctx, root, nil, "list", "-f={{.Dir}}", pkg)
	if err != nil {
		return "", err
	}
	names := []string{"main.go"}
	if pkg == "cmd/compile" {
		names = append(names, "internal/ssa/config.go")
	}
	files := map[string]string{}
	for _, name := range names {
		text, err := os.ReadFile(filepath.Join(source, filepath.FromSlash(name)))
		if err != nil {
			return "", err
		}
		var others []string
		for _, m := range archInit.FindAllStringSubmatch(string(text), -1) {
			others = append(others, m[1])
		}
		var b strings.Builder
		for l := range strings.Lines(string(text)) {
			of := "wasm"
			if m := archInit.FindStringSubmatch(l); m != nil {
				of = m[1]
			} else if m := archImport.FindStringSubmatch(l); m != nil && slices.Contains(others, m[1]) {
				of = m[1]
			} else if m := archRewrite.FindStringSubmatch(l); m != nil {
				of = strings.ToLower(m[1])
			}
			if strings.HasPrefix(of, "wasm") {
				b.WriteString(l)
			}
		}
		files[name] = b.String()
	}
	return Overlay(dir, source, files)
}
