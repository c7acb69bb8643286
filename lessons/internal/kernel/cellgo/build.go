package main

import (
	"bytes"
	"cmp"
	"encoding/json"
	"errors"
	"fmt"
	"go/parser"
	"go/token"
	"io"
	"io/fs"
	"maps"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"slices"
	"strconv"
	"strings"
	"time"
)

// errRealGo says that a cell is left to the go command.
var errRealGo = errors.New("a cell for the go command")

// cell is a cell that GoNB builds.
type cell struct {
	dir     string // GoNB's workspace
	output  string
	text    []byte
	imports []string
}

// cellBuild recognises the command by which GoNB 0.11.4 builds a cell, and a cell that needs nothing
// but the compiler and the linker.
func cellBuild(args []string) (c cell, ok bool) {
	dir, err := os.Getwd()
	if err != nil || runtime.GOOS != "linux" || !inWorkspace() || os.Getenv("CGO_ENABLED") != "0" ||
		len(args) < 3 || args[0] != "build" || args[1] != "-o" || args[2] != filepath.Join(dir, filepath.Base(dir)) ||
		!plain(args[3:]) {
		return c, false
	}
	entries, err := os.ReadDir(dir)
	if err != nil {
		return c, false
	}
	for _, e := range entries { // no second source file
		if !e.IsDir() && e.Name() != "main.go" && !slices.Contains([]string{"", ".mod", ".sum", ".work"}, filepath.Ext(e.Name())) {
			return c, false
		}
	}
	c = cell{dir: dir, output: args[2]}
	text, err := os.ReadFile(filepath.Join(dir, "main.go"))
	c.text = text
	if err != nil || strings.Contains(string(text), "//go:") || strings.Contains(string(text), "+build") {
		return c, false
	}
	file, err := parser.ParseFile(token.NewFileSet(), "main.go", text, parser.ImportsOnly)
	if err != nil {
		return c, false
	}
	for _, i := range file.Imports {
		path, err := strconv.Unquote(i.Path.Value)
		// runtime/debug shows a program how it was built.
		if err != nil || path == "C" || path == "runtime/debug" {
			return c, false
		}
		c.imports = append(c.imports, path)
	}
	return c, file.Name.Name == "main"
}

// plain reports whether the flags leave the compiler and the linker as they are. No symbols are
// linked in any case: they are for a debugger, and a panic's traceback does without.
func plain(flags []string) bool {
	for _, flag := range flags {
		name, _, _ := strings.Cut(flag, "=")
		if flag != "-ldflags=-w" && !slices.Contains([]string{"-buildvcs", "-mod", "-modcacherw"}, name) {
			return false
		}
	}
	return true
}

// build builds the cell, or returns an error if the go command has to.
func (c cell) build(goCommand string) error {
	dir := filepath.Join(c.dir, ".cells") // the go command does not look into it
	k, err := load(dir, goCommand)
	if err != nil || !k.imports(c.imports) {
		if k, err = learn(c.dir, goCommand, k); err != nil {
			return err
		}
		if err := os.MkdirAll(dir, 0o700); err != nil {
			return err
		}
		if err := k.save(dir); err != nil {
			return err
		}
	}
	// The go command compiles the cell as it is; what it needs of that comes to the same program.
	p, err := prune(c.text, k.Names, k.Compiled)
	if err == nil {
		err = os.WriteFile(filepath.Join(dir, "main.go"), p.text, 0o600)
	}
	if err == nil {
		config := "importcfg"
		if !slices.ContainsFunc(p.imports, func(path string) bool { return slices.Contains(k.Heavy, path) }) {
			config = "importcfg.light"
		}
		err = k.compile(c, filepath.Join(dir, config), filepath.Join(dir, "main.go"))
	}
	if err != nil {
		err = k.compile(c, filepath.Join(dir, "importcfg"), filepath.Join(c.dir, "main.go"))
	}
	if err != nil || !k.add(p.signatures) {
		return err
	}
	return k.save(dir)
}

// compile compiles and links a source of the cell with the packages that config names.
func (k known) compile(c cell, config, source string) error {
	dir := filepath.Dir(config)
	object := filepath.Join(dir, "main.a")
	// The flags are those that go build -x prints, without the ids by which it finds results again and
	// without symbols for a debugger. A panic names the source as the go command does.
	err := k.tool(c.dir, "compile", "-o", object, "-p", "main", "-lang=go"+k.Language, "-complete", "-nolocalimports", "-dwarf=0",
		"-trimpath="+dir+"=>"+c.dir, "-c=2", "-importcfg", config, "-pack", source)
	if err != nil {
		return err
	}
	args := []string{"-o", c.output, "-importcfg", config, "-buildmode=exe", "-s", "-w"}
	if k.GODEBUG != "" {
		args = append(args, "-X=runtime.godebugDefault="+k.GODEBUG)
	}
	return k.tool(c.dir, "link", append(args, object)...)
}

// known is what has been learnt from the go command.
type known struct {
	Accepted  []string          // what a cell may import
	Packages  map[string]string // import path → compiled package, with all that Accepted needs
	Names     map[string]string // import path → name of the package
	Light     map[string]string // import path → the package compiled with the tag lightTag, where that is another
	Heavy     []string          // what they import without the tag only
	Compiled  map[string]bool   // signatures of parts of cells that have been compiled with Packages
	Env       map[string]string // of the compiler and the linker
	Language  string            // version of Go, as "1.26"
	GODEBUG   string            // default of the variable
	Watched   watched
	Signature string // of what decides Packages
}

func (k known) imports(paths []string) bool {
	return !slices.ContainsFunc(paths, func(p string) bool { return !slices.Contains(k.Accepted, p) })
}

// add notes what has been compiled, and reports whether something of it is new.
func (k *known) add(signatures []string) (isNew bool) {
	if k.Compiled == nil {
		k.Compiled = map[string]bool{}
	}
	for _, s := range signatures {
		isNew = isNew || !k.Compiled[s]
		k.Compiled[s] = true
	}
	return isNew
}

// tool runs a tool of the Go distribution. What it writes is dropped: the go command will say it again.
func (k known) tool(dir, name string, args ...string) error {
	cmd := exec.Command(filepath.Join(k.Env["GOTOOLDIR"], name), args...)
	cmd.Dir = dir
	// A tool ends before collecting its garbage would pay, if it needs no more than usual.
	cmd.Env = append(os.Environ(), "GOGC=off", "GOMEMLIMIT=400MiB")
	for name, value := range k.Env {
		cmd.Env = append(cmd.Env, name+"="+value)
	}
	return cmd.Run()
}

// load reads what is known and still true.
func load(dir, goCommand string) (known, error) {
	var k known
	text, err := os.ReadFile(filepath.Join(dir, "known.json"))
	if err == nil {
		err = json.Unmarshal(text, &k)
	}
	if err != nil {
		return known{}, err
	}
	signature, _, err := k.Watched.sign(goCommand)
	if err != nil || signature != k.Signature {
		return known{}, errors.Join(err, errRealGo)
	}
	for _, object := range slices.AppendSeq(slices.Collect(maps.Values(k.Light)), maps.Values(k.Packages)) { // the cache is trimmed at times
		if _, err := os.Stat(object); err != nil {
			return known{}, err
		}
	}
	return k, nil
}

// save writes what is known, unless a source file is so young that it may have changed since it was
// compiled, and the compiled packages for the compiler and the linker.
func (k known) save(dir string) error {
	file := filepath.Join(dir, "known.json")
	// The two files must never belong to different times, even if we are stopped between them.
	if err := os.Remove(file); err != nil && !errors.Is(err, fs.ErrNotExist) {
		return err
	}
	var packages, light strings.Builder
	for path, object := range k.Packages {
		fmt.Fprintf(&packages, "packagefile %s=%s\n", path, object)
		fmt.Fprintf(&light, "packagefile %s=%s\n", path, cmp.Or(k.Light[path], object))
	}
	err := errors.Join(os.WriteFile(filepath.Join(dir, "importcfg"), []byte(packages.String()), 0o600),
		os.WriteFile(filepath.Join(dir, "importcfg.light"), []byte(light.String()), 0o600))
	if err != nil || k.Signature == "" {
		return err
	}
	text, err := json.Marshal(k)
	if err != nil {
		return err
	}
	return os.WriteFile(file, text, 0o600)
}

// learn has the go command compile what the cell imports, and adds the answer to what is known.
func learn(dir, goCommand string, old known) (known, error) {
	began := time.Now()
	k := known{Packages: map[string]string{}, Names: map[string]string{}, Compiled: old.Compiled, Light: old.Light, Heavy: old.Heavy, Env: map[string]string{}}
	text, err := run(dir, goCommand, "env", "-json")
	var env map[string]string
	if err == nil {
		err = json.Unmarshal(text, &env)
	}
	if err != nil {
		return known{}, err
	}
	if !plain(strings.Fields(env["GOFLAGS"])) || env["GOOS"] != runtime.GOOS || env["GOFIPS140"] != "off" {
		return known{}, errRealGo
	}
	for name, value := range env {
		if strings.HasPrefix(name, "GO") {
			k.Env[name] = value
		}
	}
	packages, err := list(dir, goCommand, "-deps", ".")
	if err != nil {
		return known{}, err
	}
	k.Watched = old.Watched
	k.Watched.settings(env["GOENV"], env["GOMOD"], env["GOWORK"], env["GOWORK"]+".sum")
	var tagged []listed
	for _, p := range packages {
		if !p.DepOnly { // the cell
			k.Accepted, k.GODEBUG = append(k.Accepted, p.Imports...), p.DefaultGODEBUG
			if p.Module == nil || p.Module.GoVersion == "" {
				return known{}, errRealGo
			}
			k.Watched.settings(filepath.Join(p.Module.Dir, "go.sum"))
			version := strings.SplitN(p.Module.GoVersion, ".", 3)
			k.Language = strings.Join(version[:min(2, len(version))], ".")
			continue
		}
		k.Names[p.ImportPath] = p.Name
		if p.Export != "" { // unsafe has none
			k.Packages[p.ImportPath] = p.Export
		}
		fetched := within(env["GOMODCACHE"], p.Dir)
		if !p.Standard && !fetched {
			k.Watched.watch(p)
			if len(p.IgnoredGoFiles) > 0 && p.Export != old.Packages[p.ImportPath] {
				tagged = append(tagged, p)
			}
		}
		if importable(p) && !fetched {
			k.Accepted = append(k.Accepted, p.ImportPath)
		}
	}
	k.Accepted = append(k.Accepted, old.Accepted...)
	slices.Sort(k.Accepted)
	k.Accepted = slices.Compact(k.Accepted)
	for path, object := range old.Packages {
		if k.Packages[path] == "" {
			k.Packages[path], k.Names[path] = object, old.Names[path]
		}
	}
	if len(tagged) > 0 {
		k.lighten(dir, goCommand, tagged)
	}
	// What imports a heavy package is heavy too, unless it has a light form. The list has dependencies first.
	for _, p := range packages {
		heavy := func(path string) bool { return slices.Contains(k.Heavy, path) }
		if p.DepOnly && !p.Standard && k.Light[p.ImportPath] == "" && !heavy(p.ImportPath) && slices.ContainsFunc(p.Imports, heavy) {
			k.Heavy = append(k.Heavy, p.ImportPath)
		}
	}
	signature, youngest, err := k.Watched.sign(goCommand)
	if err != nil {
		return known{}, err
	}
	const coarsest = 2 * time.Second // file systems tell the time of a change no better
	if youngest.Before(began.Add(-coarsest)) {
		k.Signature = signature
	}
	return k, nil
}

// lightTag is the build tag that packages leave out what few cells use with. A cell that imports
// nothing of that gets by with the rest, which is linked in less time.
const lightTag = "nofigures"

// lighten has the go command compile packages with lightTag.
func (k *known) lighten(dir, goCommand string, packages []listed) {
	args := []string{"-tags=" + lightTag}
	for _, p := range packages {
		args = append(args, p.ImportPath)
	}
	light, err := list(dir, goCommand, args...)
	if err != nil { // then there are none
		return
	}
	k.Light, k.Heavy = map[string]string{}, nil
	for _, p := range light {
		i := slices.IndexFunc(packages, func(full listed) bool { return full.ImportPath == p.ImportPath })
		if i < 0 || p.Export == packages[i].Export {
			continue
		}
		k.Light[p.ImportPath] = p.Export
		for _, path := range packages[i].Imports {
			if domain, _, _ := strings.Cut(path, "/"); strings.Contains(domain, ".") && !slices.Contains(p.Imports, path) { // not Go's own
				k.Heavy = append(k.Heavy, path)
			}
		}
	}
}

// listed is a package in the answer of go list.
type listed struct {
	ImportPath, Name, Dir  string
	Export, DefaultGODEBUG string
	Standard, DepOnly      bool
	Imports, EmbedFiles    []string
	IgnoredGoFiles         []string
	Module                 *struct{ Dir, GoMod, GoVersion string }
}

// list has the go command compile packages and describe them.
func list(dir, goCommand string, args ...string) (packages []listed, err error) {
	const fields = "-json=ImportPath,Name,Dir,DepOnly,Export,Standard,Imports,EmbedFiles,IgnoredGoFiles,Module,DefaultGODEBUG"
	text, err := run(dir, goCommand, append([]string{"list", "-export", fields}, args...)...)
	if err != nil {
		return nil, err
	}
	for list := json.NewDecoder(bytes.NewReader(text)); ; {
		var p listed
		if err := list.Decode(&p); err == io.EOF {
			return packages, nil
		} else if err != nil {
			return nil, err
		}
		packages = append(packages, p)
	}
}

// importable reports whether a cell may import a package of Go or of the workspace that another one
// imports already.
func importable(p listed) bool {
	return p.Name != "main" && !slices.ContainsFunc(strings.Split(p.ImportPath, "/"), func(part string) bool {
		return part == "internal" || part == "vendor"
	})
}

func run(dir, command string, args ...string) ([]byte, error) {
	cmd := exec.Command(command, args...)
	cmd.Dir = dir
	return cmd.Output()
}

func within(dir, path string) bool {
	return dir != "" && strings.HasPrefix(path, filepath.Clean(dir)+string(filepath.Separator))
}
