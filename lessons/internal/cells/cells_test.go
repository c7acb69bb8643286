package cells

import (
	"errors"
	"fmt"
	"go/ast"
	"go/build"
	"go/importer"
	"go/parser"
	"go/scanner"
	"go/token"
	"go/types"
	"os/exec"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/svmkit/course/internal/leaktest"
)

func TestMain(m *testing.M) {
	if build.Default.GOROOT == "" { // with -trimpath a program does not know where Go is
		root, _ := exec.Command("go", "env", "GOROOT").Output()
		build.Default.GOROOT = strings.TrimSpace(string(root))
	}
	leaktest.Main(m)
}

// packages are the type-checked ones that programs import.
var packages = importer.ForCompiler(token.NewFileSet(), "source", nil)

var known = []string{"crypto/rand", "errors", "math", "math/rand/v2", "strings", "unicode/utf8"}

// program assembles sources as cells c1, c2, …, and type-checks the program as the compiler would.
func program(t *testing.T, sources ...string) (text string, imports []string, checked *types.Package, faults []types.Error) {
	t.Helper()
	var all []Cell
	for i, s := range sources {
		all = append(all, Cell{fmt.Sprintf("c%d", i+1), s})
	}
	text, err := Assemble(all, known)
	if err != nil {
		t.Fatalf("%q: %v", sources, err)
	}
	files := token.NewFileSet()
	file, err := parser.ParseFile(files, "main.go", text, 0)
	if err != nil {
		t.Fatalf("%v in\n%s", err, text)
	}
	for _, i := range file.Imports {
		path, _ := strconv.Unquote(i.Path.Value)
		imports = append(imports, path)
	}
	slices.Sort(imports)
	imports = slices.Compact(imports)
	config := types.Config{Importer: packages, Error: func(err error) { faults = append(faults, err.(types.Error)) }}
	checked, _ = config.Check("main", files, []*ast.File{file}, nil) // the faults are collected
	return text, imports, checked, faults
}

// Each case is a row of cells, and what an identifier of the program is then.
func TestDeclarationsStay(t *testing.T) {
	for name, c := range map[string]struct {
		cells []string
		want  map[string]string // name → what go/types says of it; "" for not declared
	}{
		"functions, types, variables, constants": {
			[]string{"func f() int { return c }\n\ntype T struct{ n int }\n\nvar v T\n\nconst c = 3", "%%\n_ = v.n + f()"},
			map[string]string{"f": "func main.f() int", "T": "type main.T struct{n int}", "v": "var main.v main.T", "c": "const main.c untyped int"}},
		"the later replaces the earlier": {
			[]string{"func f() int { return 1 }\n\ntype T int\n\nvar v = 1\n\nconst c = 1", "func f() string { return \"\" }\n\ntype T string\n\nvar v = \"\"\n\nconst c = \"\""},
			map[string]string{"f": "func main.f() string", "T": "type main.T string", "v": "var main.v string", "c": "const main.c untyped string"}},
		"of another kind, too": {
			[]string{"var f = 1", "func f() {}"}, map[string]string{"f": "func main.f()"}},
		"one constant of a group": {
			[]string{"const (\n\ta = iota\n\tb\n\td\n)", "var b = \"\"\n\nvar is2 [d]int\n\nvar is0 = [1]int{a: 1}"},
			map[string]string{"b": "var main.b string", "is2": "var main.is2 [2]int", "a": "const main.a untyped int"}},
		"two constants of a group": {
			[]string{"const first, second, third = 1, 2, 3", "var first = \"\"\n\nvar second = \"\""},
			map[string]string{"first": "var main.first string", "second": "var main.second string", "third": "const main.third untyped int"}},
		"one variable of two": {
			[]string{"func two() (int, string) { return 1, \"\" }\n\nvar a, b = two()", "const a = true"},
			map[string]string{"a": "const main.a untyped bool", "b": "var main.b string"}},
		"a method is found by its type": {
			[]string{"type T int\n\nfunc (t *T) m() int { return 1 }\n\ntype U[E any] []E\n\nfunc (u U[E]) m() E { return u[0] }", "func (T) m() string { return \"\" }\n\nfunc (u *U[E]) m() bool { return true }\n\nvar s = T(1).m()\n\nvar u = new(U[int]).m()"},
			map[string]string{"s": "var main.s string", "u": "var main.u bool"}},
		"main and values do not stay": {
			[]string{"%%\nx := 1\nmissing(x)", "func g() {}"}, map[string]string{"x": "", "main": "func main.main()"}},
		"a cell's own main": {
			[]string{"%%\npanic(1)", "func main() { v = 2 }\n\nvar v int"}, map[string]string{"v": "var main.v int"}},
		"several init functions and _": {
			[]string{"func init_a() {}\n\nvar _ = 1\n\nvar _ = \"\"", "func init_b() {}\n\nfunc init() {}"}, map[string]string{"init_a": "", "init": ""}},
		"a package clause": {
			[]string{"package lesson\n\nvar v int"}, map[string]string{"v": "var main.v int"}},
	} {
		t.Run(name, func(t *testing.T) {
			text, _, checked, faults := program(t, c.cells...)
			for _, f := range faults {
				t.Errorf("%v in\n%s", f, text)
			}
			for name, want := range c.want {
				said := ""
				if o := checked.Scope().Lookup(name); o != nil {
					said, _, _ = strings.Cut(o.String(), " = ") // of a constant without its value
				}
				if said != want && !(strings.HasPrefix(want, "const") && strings.HasPrefix(said, want)) {
					t.Errorf("%s is %q, want %q, in\n%s", name, said, want, text)
				}
			}
		})
	}
}

func TestImports(t *testing.T) {
	for name, c := range map[string]struct {
		cells, want []string
	}{
		"unused ones are left out":    {[]string{"import (\n\t\"errors\"\n\t\"math\"\n)", "%%\n_ = math.Pi"}, []string{"math"}},
		"a variable hides one":        {[]string{"import \"math\"", "%%\nmath := struct{ Pi int }{3}\n_ = math.Pi"}, nil},
		"by another name":             {[]string{"import m \"math\"", "var tau = 2 * m.Pi"}, []string{"math"}},
		"a name gets another package": {[]string{"import rand \"crypto/rand\"", "import \"math/rand/v2\"", "var r = rand.IntN(3)"}, []string{"math/rand/v2"}},
		"both names of one package":   {[]string{"import (\n\ta \"math\"\n\tb \"math\"\n)", "var tau = a.Pi + b.Pi"}, []string{"math"}},
		"for their effects":           {[]string{"import _ \"math\"", "import _ \"errors\""}, []string{"errors", "math"}},
		"missing ones are added":      {[]string{"%%\n_ = strings.ToUpper(\"a\")\n_ = utf8.RuneError"}, []string{"strings", "unicode/utf8"}},
	} {
		t.Run(name, func(t *testing.T) {
			text, imports, _, faults := program(t, c.cells...)
			if !slices.Equal(imports, c.want) || len(faults) > 0 {
				t.Errorf("imports %q, want %q; %v in\n%s", imports, c.want, faults, text)
			}
		})
	}
}

// What the compiler says is at its line and column of the cell that holds it.
func TestPlaces(t *testing.T) {
	if _, _, _, faults := program(t, "var _ int = \"\"", "var _ = 1"); len(faults) != 1 {
		t.Errorf("of two variables _ the first is wrong: %v", faults)
	}
	first := "import \"math\"\n\nfunc f() int {\n\treturn 1\n}\n\nvar (\n\ta = 1\n\tb = \"α\" + missing\n)"
	text, _, _, faults := program(t, first, "type T struct {\n\tf int\n}\n\n%%\nvar x int = f() + \"\"\n_ = math.Pi")
	var places []string
	for _, f := range faults {
		places = append(places, f.Fset.Position(f.Pos).String())
	}
	slices.Sort(places)
	if want := []string{"c1:9:13", "c2:6:13", "c2:6:5"}; !slices.Equal(places, want) {
		t.Errorf("%q, want %q: %v in\n%s", places, want, faults, text)
	}
}

// A fault of a cell names the cell, the line and the column.
func TestFaults(t *testing.T) {
	for source, want := range map[string]string{
		"func f() {\n\treturn }}": "c2:2:10: expected declaration",
		"x := 1":                  "c2:1:1:",
		"%%\nif true {":           "c2:",
		"%%\n%%":                  "c2:2:1: a second line %%",
		"%args -v":                "c2:1:1: %args is a command to a notebook's kernel",
		"// list\n!ls":            "c2:2:1: !ls is a command",
		"%%bash\nls":              "c2:1:1: %%bash is a command",
		"import (\n\t\"os/exec\"\n)\n\nvar x exec.Cmd": `c2:2:2: package "os/exec" cannot be imported here`,
		"import \"C\"\n\nvar x C.int":                  `c2:1:8: package "C" cannot be imported here`,
		"import . \"os\"":                              `c2:1:8: package "os" cannot`,
	} {
		_, err := Assemble([]Cell{{"c1", "var a = 1"}, {"c2", source}}, known)
		if list := (scanner.ErrorList)(nil); !errors.As(err, &list) || !strings.HasPrefix(list[0].Error(), want) {
			t.Errorf("%q: %v, want %s", source, err, want)
		}
	}
	_, err := Assemble([]Cell{{"c1", "var a = rand.Int()"}}, []string{"math/rand", "math/rand/v2"})
	if err == nil || err.Error() != "c1:1:9: rand is not imported; it may be one of math/rand, math/rand/v2" {
		t.Errorf("a name of two packages: %v", err)
	}
}

func TestEmpty(t *testing.T) {
	for _, sources := range [][]string{{}, {""}, {"%%"}, {"// nothing"}} {
		if text, _, _, faults := program(t, sources...); len(faults) > 0 {
			t.Errorf("%q: %v in\n%s", sources, faults, text)
		}
	}
}

func FuzzAssemble(f *testing.F) {
	f.Add("var a, b = 1, 2", "const a = 1\n\n%%\nprintln(a)")
	f.Add("const (\n\ta = iota\n\ta\n)", "func (a *T[E]) m() {}")
	f.Fuzz(func(t *testing.T, first, second string) {
		text, err := Assemble([]Cell{{"c1", first}, {"c2", second}}, known)
		if err != nil {
			return
		}
		if _, err := parser.ParseFile(token.NewFileSet(), "main.go", text, 0); err != nil {
			t.Errorf("%v in\n%s", err, text)
		}
	})
}
