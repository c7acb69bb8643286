package house

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"
)

// module is this module's path; the table below leaves it out.
const module = "github.com/svmkit/course/"

// root is the module's folder; tests run in their package's.
const root = "../.."

// An arrow is an import. The house has one direction: the vocabulary (svmkit) at the
// bottom, then the packages of the library, then plots, then the lessons. This table says which
// packages of this module each package may import; a pattern that ends in "..." stands for a
// whole tree. A package that is missing here fails the test: enter a new room first.
var arrows = []struct {
	from    string
	to      []string
	stdOnly bool // outside this module: the standard library only
}{
	{from: "svmkit", to: []string{"svmkit/internal/known"}, stdOnly: true},
	{from: "svmkit/bound", stdOnly: true},
	{from: "svmkit/qp"},
	{from: "svmkit/internal/simd"},
	{from: "internal/atomicfile", stdOnly: true},
	{from: "internal/cli", to: []string{"internal/atomicfile", "internal/printable"}},
	{from: "svmkit/loss", to: []string{"svmkit"}},
	{from: "svmkit/kernel", to: []string{"svmkit", "svmkit/internal/kernelmath"}},
	{from: "svmkit/internal/kernelmath", to: []string{"svmkit"}, stdOnly: true},
	{from: "svmkit/internal/kernelsums", to: []string{"svmkit", "svmkit/kernel", "svmkit/internal/kernelmath", "svmkit/internal/kernelrows",
		"svmkit/internal/gauss", "svmkit/internal/parallel"}},
	{from: "svmkit/internal/kernelrows", to: []string{"svmkit", "svmkit/kernel", "svmkit/internal/kernelmath", "svmkit/internal/simd"}},
	{from: "svmkit/internal/limit", to: []string{"svmkit"}},
	{from: "svmkit/internal/known", to: []string{}, stdOnly: true},
	{from: "svmkit/dataset", to: []string{"svmkit", "svmkit/internal/decimal", "svmkit/internal/known", "svmkit/internal/limit",
		"svmkit/dataset/internal/scan", "svmkit/dataset/internal/rows", "svmkit/dataset/internal/word", "svmkit/dataset/internal/labels"}},
	{from: "svmkit/dataset/internal/labels", to: []string{"svmkit", "svmkit/internal/decimal", "svmkit/internal/known", "svmkit/dataset/internal/rows", "svmkit/dataset/internal/word"}},
	{from: "svmkit/dataset/internal/rows", to: []string{"svmkit", "svmkit/internal/decimal", "svmkit/dataset/internal/scan"}},
	{from: "svmkit/dataset/internal/scan", to: []string{"svmkit/internal/decimal"}, stdOnly: true},
	{from: "svmkit/dataset/internal/word", to: []string{"svmkit/internal/decimal"}, stdOnly: true},
	{from: "svmkit/internal/decimal", to: []string{}, stdOnly: true},
	{from: "svmkit/internal/strictjson", to: []string{}, stdOnly: true},
	{from: "svmkit/feature", to: []string{"svmkit", "svmkit/internal/decimal", "svmkit/internal/limit", "svmkit/internal/strictjson"}},
	{from: "svmkit/text", to: []string{"svmkit", "svmkit/internal/strictjson"}},
	{from: "svmkit/tune", to: []string{"svmkit", "svmkit/feature", "svmkit/kernel", "svmkit/svm", "svmkit/multiclass", "svmkit/internal/parallel"}},
	{from: "svmkit/internal/parallel", to: []string{"svmkit"}},
	{from: "svmkit/internal/tick", to: []string{"svmkit"}, stdOnly: true},
	{from: "svmkit/internal/posdef", to: []string{"svmkit/internal/simd", "svmkit/internal/parallel"}},
	{from: "svmkit/internal/gauss", to: []string{"svmkit", "svmkit/internal/simd", "svmkit/internal/parallel"}},
	{from: "svmkit/samples", to: []string{"svmkit", "svmkit/dataset", "svmkit/internal/limit", "svmkit/text"}},
	{from: "svmkit/perceptron", to: []string{"svmkit", "svmkit/kernel", "svmkit/internal/kernelmath", "svmkit/internal/online", "svmkit/internal/tick"}},
	{from: "svmkit/internal/online", to: []string{"svmkit", "svmkit/internal/kernelmath"}, stdOnly: true},
	{from: "svmkit/separate", to: []string{"svmkit"}},
	{from: "svmkit/modelfile", to: []string{"svmkit", "svmkit/dataset", "svmkit/feature", "svmkit/kernel", "svmkit/loss", "svmkit/svm", "svmkit/multiclass", "svmkit/pipeline", "svmkit/tune",
		"svmkit/internal/strictjson", "svmkit/modelfile/internal/cause", "svmkit/modelfile/internal/scikitlearn", "internal/atomicfile"}},
	{from: "svmkit/modelfile/internal/cause", to: []string{}, stdOnly: true},
	{from: "svmkit/modelfile/internal/scikitlearn", to: []string{"svmkit", "svmkit/feature", "svmkit/kernel", "svmkit/svm", "svmkit/multiclass",
		"svmkit/pipeline", "svmkit/tune", "svmkit/internal/strictjson", "svmkit/modelfile/internal/cause"}},
	{from: "svmkit/pipeline", to: []string{"svmkit", "svmkit/dataset", "svmkit/feature", "svmkit/text", "svmkit/svm", "svmkit/tune",
		"svmkit/internal/known", "svmkit/internal/limit", "svmkit/internal/strictjson"}},
	{from: "svmkit/svm/internal/core", to: []string{"svmkit", "svmkit/loss", "svmkit/kernel",
		"svmkit/internal/simd", "svmkit/internal/gauss", "svmkit/internal/kernelmath", "svmkit/internal/kernelrows", "svmkit/internal/kernelsums", "svmkit/internal/parallel", "svmkit/internal/tick"}},
	{from: "svmkit/svm/internal/core/coretest", to: []string{"svmkit", "svmkit/loss", "svmkit/kernel", "svmkit/svm/internal/core"}},
	{from: "svmkit/svm/internal/coordinate", to: []string{"svmkit", "svmkit/internal/kernelrows", "svmkit/internal/kernelsums", "svmkit/internal/simd", "svmkit/svm/internal/core"}},
	{from: "svmkit/svm/internal/newton", to: []string{"svmkit", "svmkit/internal/kernelsums", "svmkit/internal/simd", "svmkit/internal/posdef", "svmkit/internal/parallel", "svmkit/svm/internal/core"}},
	{from: "svmkit/svm/internal/workingset", to: []string{"svmkit", "svmkit/internal/simd", "svmkit/internal/gauss", "svmkit/internal/kernelrows", "svmkit/internal/kernelsums", "svmkit/internal/parallel", "svmkit/svm/internal/core"}},
	{from: "svmkit/svm/internal/pegasos", to: []string{"svmkit", "svmkit/svm/internal/core"}},
	{from: "svmkit/svm", to: []string{"svmkit", "svmkit/loss", "svmkit/kernel", "svmkit/separate", "svmkit/internal/kernelmath", "svmkit/internal/kernelsums", "svmkit/internal/online", "svmkit/svm/internal/core", "svmkit/svm/internal/coordinate",
		"svmkit/svm/internal/newton", "svmkit/svm/internal/workingset", "svmkit/svm/internal/pegasos"}},
	{from: "svmkit/multiclass", to: []string{"svmkit", "svmkit/svm", "svmkit/internal/parallel", "svmkit/internal/tick"}},
	{from: "svmkit/svmtest", to: []string{"svmkit/..."}},
	{from: "svmkit/stream", to: []string{"svmkit", "svmkit/svm", "svmkit/perceptron"}},
	{from: "cmd/svm", to: []string{"svmkit/...", "plots", "internal/atomicfile", "internal/cli", "internal/printable", "internal/signals"}},
	{from: "docs", to: []string{"svmkit/..."}}, // tests alone
	{from: "examples/...", to: []string{"svmkit/..."}},
	{from: "plots/geom", to: []string{"svmkit"}},
	{from: "plots/prose", to: []string{"svmkit", "svmkit/tune", "plots/geom"}},
	{from: "plots/check", to: []string{"svmkit", "svmkit/tune", "plots/geom", "plots/prose"}},
	{from: "plots/pen", to: []string{"svmkit", "plots/geom", "plots/prose"}},
	{from: "plots", to: []string{"internal/atomicfile", "svmkit", "svmkit/svm", "svmkit/multiclass", "svmkit/tune",
		"plots/geom", "plots/prose", "plots/check", "plots/pen"}},
	{from: "internal/house"}, // tests alone
	// For tests alone; see forTests.
	{from: "internal/badinput", to: []string{"svmkit", "svmkit/kernel"}},
	{from: "internal/exactgap", to: []string{"svmkit/..."}},
	{from: "internal/plottest", to: []string{"plots/...", "svmkit"}},
	{from: "internal/clitest", to: []string{"internal/cli"}, stdOnly: true},
	{from: "internal/leaktest"},
	{from: "internal/proctest", to: []string{"internal/evidence"}, stdOnly: true},
	{from: "internal/mutate", stdOnly: true},
	{from: "internal/progress"},
	{from: "internal/printable", stdOnly: true},
	{from: "internal/evidence", stdOnly: true},
	{from: "internal/signals", stdOnly: true},
	{from: "lessons/figures", to: []string{"plots/...", "svmkit/..."}},
	{from: "lessons/lab", to: []string{"plots", "svmkit"}},
	{from: "lessons", to: []string{"lessons/...", "plots", "svmkit/...", "internal/atomicfile", "internal/cli", "internal/printable", "internal/progress", "internal/signals"}},
	{from: "lessons/...", to: []string{"lessons/...", "plots", "svmkit/...", "internal/atomicfile", "internal/printable", "internal/mutate"}},
}

// floors are the rooms of the house, from the ground up: a room may import rooms of lower floors only, and none of its own
// floor. So no arrow points upward, and the rooms are in no circle.
var floors = [][]string{{"internal"}, {"svmkit"}, {"plots"}, {"cmd", "docs", "examples", "lessons"}}

// forTests are the packages that only tests import, and so may import any floor.
var forTests = []string{"internal/badinput", "internal/clitest", "internal/exactgap", "internal/leaktest", "internal/plottest", "internal/proctest"}

// room is the first name of a path in this module.
func room(path string) string {
	name, _, _ := strings.Cut(path, "/")
	return name
}

// floor is the number of a room's floor, -1 if it has none.
func floor(room string) int {
	return slices.IndexFunc(floors, func(rooms []string) bool { return slices.Contains(rooms, room) })
}

// closed lists what a tree, but for one package, must not reach, directly or through others.
var closed = []struct {
	tree, but, never string
}{
	{tree: "svmkit/...", never: "gonum.org/v1/plot/..."},
	{tree: "svmkit/...", never: "github.com/janpfeifer/gonb/..."},
	{tree: "svmkit/...", never: module + "plots/..."},
	{tree: "svmkit/...", never: module + "cmd/..."},
	{tree: "cmd/...", never: "github.com/janpfeifer/gonb/..."},
	{tree: "cmd/...", never: module + "lessons/..."},
	{tree: "svmkit/...", never: module + "lessons/..."},
	{tree: "plots/...", never: "github.com/janpfeifer/gonb/..."},
	{tree: "plots/...", never: module + "lessons/..."},
}

// listed is the part of `go list -json` that the rules need.
type listed struct {
	ImportPath                string
	Imports, Deps             []string
	TestImports, XTestImports []string
	Error                     *struct{ Err string }
}

// matches reports whether a package is named by a pattern: itself, or "tree/..." for the
// package tree and all below it.
func matches(pattern, path string) bool {
	tree, all := strings.CutSuffix(pattern, "/...")
	return path == tree || all && strings.HasPrefix(path, tree+"/")
}

func matchesAny(patterns []string, path string) bool {
	return slices.ContainsFunc(patterns, func(p string) bool { return matches(p, path) })
}

// violations returns one sentence for each forbidden arrow among the packages.
func violations(packages []listed) []string {
	var bad []string
	report := func(format string, args ...any) { bad = append(bad, fmt.Sprintf(format, args...)) }
	for _, p := range packages {
		from := strings.TrimPrefix(p.ImportPath, module)
		if p.Error != nil {
			report("%s cannot be listed: %s", from, p.Error.Err)
			continue
		}
		k := slices.IndexFunc(arrows, func(a struct {
			from    string
			to      []string
			stdOnly bool
		}) bool {
			return matches(a.from, from)
		})
		if k < 0 {
			report("%s is not in the table of arrows; enter it with what it may import", from)
			continue
		}
		for _, path := range p.Imports {
			to, inside := strings.CutPrefix(path, module)
			switch {
			case inside && slices.Contains(forTests, to):
				report("%s imports %s, which only tests may", from, to)
			case inside && room(from) != room(to) && floor(room(from)) <= floor(room(to)) && !slices.Contains(forTests, from):
				report("%s imports %s, which is not on a lower floor", from, to)
			case inside && !matchesAny(arrows[k].to, to):
				report("%s imports %s; of this module it may import %q", from, to, arrows[k].to)
			case !inside && arrows[k].stdOnly && strings.Contains(strings.Split(path, "/")[0], "."):
				report("%s imports %s; it may import the standard library only", from, path)
			case matches("github.com/janpfeifer/gonb/...", path) && from != "lessons/lab":
				report("%s imports %s; only lessons/lab may", from, path)
			}
		}
		for _, c := range closed {
			if !matches(c.tree, from) || from == c.but {
				continue
			}
			for _, path := range slices.Concat(p.Deps, p.TestImports, p.XTestImports) {
				if matches(c.never, path) {
					report("%s reaches %s, which nothing in %s may", from, path, c.tree)
					break // what that package brings along is no news
				}
			}
		}
	}
	return bad
}

// listModule asks the go command for all packages of the module this test stands in.
func listModule(t *testing.T) []listed {
	cmd := exec.Command("go", "list", "-e", "-json=ImportPath,Imports,Deps,TestImports,XTestImports,Error", "./...")
	cmd.Dir = root
	out, err := cmd.Output()
	if err != nil {
		var exit *exec.ExitError
		if errors.As(err, &exit) {
			t.Fatalf("go list: %v\n%s", err, exit.Stderr)
		}
		t.Fatal(err)
	}
	var packages []listed
	for d := json.NewDecoder(bytes.NewReader(out)); ; {
		var p listed
		if err := d.Decode(&p); errors.Is(err, io.EOF) {
			return packages
		} else if err != nil {
			t.Fatal(err)
		}
		packages = append(packages, p)
	}
}

// seeEveryFolder reads the folders of the module in this process. The go command caches a
// test's result by what the test itself opens, and go list is another process: without this,
// "ok (cached)" would hide an arrow that was added in another package.
func seeEveryFolder(t *testing.T) {
	err := filepath.WalkDir(root, func(path string, d fs.DirEntry, err error) error {
		if d != nil && d.IsDir() && path != root && strings.HasPrefix(d.Name(), ".") {
			return fs.SkipDir
		}
		if errors.Is(err, fs.ErrNotExist) {
			return nil // removed while we looked
		}
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
}

func TestHouseArrows(t *testing.T) {
	seeEveryFolder(t)
	packages := listModule(t)
	if !slices.ContainsFunc(packages, func(p listed) bool { return p.ImportPath == module+"svmkit" }) {
		t.Fatalf("go list does not name %ssvmkit among %d packages", module, len(packages))
	}
	for _, v := range violations(packages) {
		t.Error(v)
	}
}

// The rules themselves: each forbidden arrow is reported with both ends, each good one passes.
func TestArrowRules(t *testing.T) {
	for _, c := range []struct {
		p    listed
		want string // "" if allowed
	}{
		{listed{ImportPath: "svmkit", Imports: []string{"math", "encoding/json"}}, ""},
		{listed{ImportPath: "svmkit", Imports: []string{module + "svmkit/loss"}}, "svmkit imports svmkit/loss"},
		{listed{ImportPath: "svmkit", Imports: []string{"gonum.org/v1/gonum/floats"}}, "svmkit imports gonum.org/v1/gonum/floats"},
		{listed{ImportPath: "svmkit/bound", Imports: []string{module + "svmkit"}}, "svmkit/bound imports svmkit"},
		{listed{ImportPath: "svmkit/qp", Imports: []string{"gonum.org/v1/gonum/mat"}}, ""},
		{listed{ImportPath: "svmkit/loss", Imports: []string{module + "svmkit"}}, ""},
		{listed{ImportPath: "svmkit/loss", Imports: []string{module + "svmkit/kernel"}}, "svmkit/loss imports svmkit/kernel"},
		{listed{ImportPath: "svmkit/tune", Imports: []string{module + "svmkit/pipeline"}}, "svmkit/tune imports svmkit/pipeline"},
		{listed{ImportPath: "svmkit/samples", Imports: []string{module + "svmkit/text", module + "svmkit/dataset"}}, ""},
		{listed{ImportPath: "svmkit/perceptron", Imports: []string{module + "svmkit/kernel"}}, ""},
		{listed{ImportPath: "svmkit/multiclass", Imports: []string{module + "svmkit/tune"}}, "svmkit/multiclass imports svmkit/tune"},
		{listed{ImportPath: "svmkit/svmtest", Imports: []string{module + "svmkit/svm"}}, ""},
		{listed{ImportPath: "svmkit/svmtest", Imports: []string{module + "plots"}}, "svmkit/svmtest imports plots"},
		{listed{ImportPath: "svmkit/dataset", Deps: []string{"gonum.org/v1/plot/vg"}}, "svmkit/dataset reaches gonum.org/v1/plot/vg"},
		{listed{ImportPath: "cmd/svm", Imports: []string{module + "svmkit/svm", module + "svmkit/dataset", module + "svmkit/tune",
			module + "svmkit/multiclass", module + "internal/atomicfile", "golang.org/x/term"}}, ""},
		{listed{ImportPath: "cmd/svm", Imports: []string{module + "plots"}, Deps: []string{module + "plots", "gonum.org/v1/plot"}}, ""},
		{listed{ImportPath: "cmd/other", Deps: []string{"gonum.org/v1/plot"}}, "cmd/other is not in the table"},
		{listed{ImportPath: "svmkit/tune", Deps: []string{module + "plots"}}, "svmkit/tune reaches " + module + "plots"},
		{listed{ImportPath: "cmd/svm", Deps: []string{"github.com/janpfeifer/gonb/gonbui"}}, "cmd/svm reaches github.com/janpfeifer/gonb/gonbui"},
		{listed{ImportPath: "svmkit/svm", XTestImports: []string{module + "plots"}}, "svmkit/svm reaches " + module + "plots"},
		{listed{ImportPath: "svmkit/svm", TestImports: []string{module + "lessons/lab"}}, "svmkit/svm reaches " + module + "lessons/lab"},
		{listed{ImportPath: "plots", Imports: []string{module + "svmkit/tune", "gonum.org/v1/plot"}, Deps: []string{"gonum.org/v1/plot"}}, ""},
		{listed{ImportPath: "plots", Imports: []string{module + "lessons/lab"}}, "plots imports lessons/lab"},
		{listed{ImportPath: "plots", Imports: []string{module + "lessons/figures"}}, "plots imports lessons/figures"},
		{listed{ImportPath: "plots/geom", Imports: []string{module + "plots/pen"}}, "plots/geom imports plots/pen"},
		{listed{ImportPath: "lessons/figures", Imports: []string{module + "plots", module + "plots/pen", module + "svmkit/svm"}}, ""},
		{listed{ImportPath: "lessons/figures", Imports: []string{module + "lessons/lab"}}, "lessons/figures imports lessons/lab"},
		{listed{ImportPath: "plots", Deps: []string{"github.com/janpfeifer/gonb/gonbui"}}, "plots reaches github.com/janpfeifer/gonb/gonbui"},
		{listed{ImportPath: "lessons/lab", Imports: []string{module + "plots", "github.com/janpfeifer/gonb/gonbui"}}, ""},
		{listed{ImportPath: "lessons/lab", Imports: []string{module + "svmkit/svm"}}, "lessons/lab imports svmkit/svm"},
		{listed{ImportPath: "lessons/internal/kernel", Imports: []string{"github.com/janpfeifer/gonb/gonbui"}}, "lessons/internal/kernel imports github.com/janpfeifer/gonb/gonbui"},
		{listed{ImportPath: "lessons", Imports: []string{module + "lessons/internal/site", module + "plots"}}, ""},
		{listed{ImportPath: "svmkit/svm", Imports: []string{module + "internal/badinput"}}, "svmkit/svm imports internal/badinput, which only tests may"},
		{listed{ImportPath: "internal/progress", Imports: []string{module + "svmkit"}}, "internal/progress imports svmkit, which is not on a lower floor"},
		{listed{ImportPath: "cmd/svm", Imports: []string{module + "lessons/lab"}}, "cmd/svm imports lessons/lab, which is not on a lower floor"},
		{listed{ImportPath: "svmkit/attic"}, "svmkit/attic is not in the table"},
		{listed{ImportPath: "plotting"}, "plotting is not in the table"},
		{listed{ImportPath: "svmkit/loss", Error: &struct{ Err string }{"no Go files"}}, "svmkit/loss cannot be listed: no Go files"},
	} {
		c.p.ImportPath = module + c.p.ImportPath
		got := violations([]listed{c.p})
		if c.want == "" && len(got) > 0 || c.want != "" && (len(got) == 0 || !strings.HasPrefix(got[0], c.want)) {
			t.Errorf("%s: %q, want %q", c.p.ImportPath, got, c.want)
		}
	}
}
