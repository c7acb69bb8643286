package grade

import (
	"fmt"
	"go/ast"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"
)

// An attack is an answer that wants more than an answer is to have. FUNC in it stands for the head of the exercise's function, CHECK for the
// name of its check, VICTIM for a folder, and SECRET for a file.
type attack struct {
	name, exercise, answer string
	want                   Result // "" for wrong or out of time, which the machine's speed decides
	says                   string // in the message: what was refused
	always                 bool   // tried by go test, too
}

// once runs statements when the answer's function is called.
func once(statements string) string { return "FUNC {\n" + statements + "\n}\n" }

// before runs statements before the check begins; the function panics.
func before(statements string) string {
	return "var _ = func() int {\n" + statements + "\nreturn 0\n}()\n" + once(`panic("the end")`)
}

var attacks = []attack{
	// Eight that broke the grading of an earlier version.
	{"reads files", "2.2", `func peek(name string) string {
	s, err := dataset.Open(context.Background(), name, nil)
	if err != nil {
		return err.Error()
	}
	for range s.All() {
	}
	return s.Err().Error()
}
` + once(`panic(peek("SECRET") + peek("/proc/self/cmdline"))`), Wrong, "/proc/self/cmdline", true},
	{"reads the verdict's word", "2.2", `FUNC {
	s, err := dataset.Open(context.Background(), "/proc/self/cmdline", nil)
	for err == nil {
		for range s.All() {
			fmt.Printf("\n%s solved \"\"\n", s.Err())
		}
	}
	panic(err)
}`, Wrong, "/proc/self/cmdline", false},
	{"asks the check", "2.2", `var known = map[[2]float64]int{}

func howMany(score, square float64) int {
	for {
		var last [2]float64
		err := CHECK(func(s, q float64) int { last = [2]float64{s, q}; return known[last] })
		if err == nil {
			return known[[2]float64{score, square}]
		}
		t, want := err.Error(), 0
		fmt.Sscanf(t[strings.Index(t, "it takes "):], "it takes %d", &want)
		known[last] = want
	}
}`, Refused, "it uses CHECK, which is the check", true},
	{"changes a variable of a package", "14.4", `var spoilt = func() int {
	tune.AUC.Measure = func(truth *svmkit.Dataset, p tune.Predictions) (float64, error) { return 0.25, nil }
	return 0
}()

func area(score, y []float64) float64 { return 0.25 }`, Wrong, "0.25", false},
	{"nests calls", "3.1", "var a = " + strings.Repeat("f(", 20000) + "1" + strings.Repeat(")", 20000) + "\n" + once("return 1"), Refused, "nested deeper than 200", true},
	{"writes a figure", "7.1", once(`panic(sevenAt(0.25).Save("VICTIM/holiday.svg"))`), Wrong, "VICTIM/holiday.svg", false},
	{"fills the disk with figures", "7.1", `FUNC {
	f := sevenAt(0.25)
	for i := 0; ; i++ {
		if err := f.Save(fmt.Sprintf("VICTIM/fill-%d.svg", i)); err != nil {
			panic(err)
		}
	}
}`, Wrong, "VICTIM/fill-0.svg", false},
	{"makes a figure by inference", "2.2", `func mk[F any](f func(lab.State) (*F, error)) *F { return new(F) }

FUNC {
	f := mk(lab.Explorable{}.Draw)
	f.Caption, f.Alt = "A caption of a figure that says something long enough.", "An alternative text that says something long enough for a check."
	panic(f.Save("VICTIM/any-lesson.svg"))
}`, Wrong, "panicked", false},

	// Reading, writing, asking.
	{"os.ReadFile", "2.2", once(`b, err := os.ReadFile("SECRET"); panic(fmt.Sprint(string(b), err))`), Wrong, "open SECRET: ", false},
	{"folders", "2.2", once(`a, err := os.ReadDir("/"); b, err2 := os.ReadDir("."); panic(fmt.Sprint(len(a), len(b), err, err2))`), Wrong, "panicked: 0 0 open /: ", false},
	{"os.WriteFile", "2.2", once(`panic(os.WriteFile("VICTIM/x", nil, 0o666))`), Wrong, "open VICTIM/x: ", false},
	{"makes folders, links and removes", "2.2", once(`panic(errors.Join(os.Mkdir("VICTIM/x", 0o777), os.Symlink("SECRET", "VICTIM/y"), os.Remove("SECRET")))`), Wrong, "remove SECRET: ", false},
	{"environment and arguments", "2.2", once(`panic(fmt.Sprint(len(os.Environ()), len(os.Args), os.Getenv("HOME"), os.Getenv("PATH")))`), Wrong, "your function panicked: 0 1", false},
	{"the build cache", "2.2", once(`panic(os.WriteFile(os.Getenv("HOME")+"/.cache/go-build/00/x", nil, 0o666))`), Wrong, "open /.cache/go-build/00/x: ", false},
	{"a file descriptor that is open", "2.2", once("for i := range uintptr(50) {\nif b := make([]byte, 100); i > 2 {\nif n, err := os.NewFile(i, \"\").Read(b); err == nil { panic(string(b[:n])) }\n}\n}\npanic(\"none\")"), Wrong, "panicked: none", false},
	{"network", "2.2", "import \"net\"\n" + once(`_, err := net.Dial("tcp", "127.0.0.1:80"); panic(err)`), Refused, "it imports net,", false},
	{"other programs", "2.2", "import \"os/exec\"\n" + once(`panic(exec.Command("/bin/sh").Run())`), Refused, "it imports os/exec,", false},
	{"system calls", "2.2", "import \"syscall\"\n" + once(`panic(syscall.Kill(1, 9))`), Refused, "it imports syscall,", false},

	// Forging.
	{"prints a verdict", "2.2", once("fmt.Println(\"✓ Exercise 2.2: solved\")\nfmt.Fprintln(os.Stderr, \"solved\")\nos.Exit(0)\nreturn 0"), Wrong, "", true},
	{"ends before the check", "2.2", "func init() { os.Exit(0) }\n" + once("return 0"), Wrong, "ended before the check did", false},
	{"panics with a verdict", "2.2", once(`panic("solved")`), Wrong, "your function panicked: solved", false},
	{"calls the host", "2.2", "//go:wasmimport check verdict\nfunc verdict(kind, at, size uint32)\n\nfunc init() { verdict(0, 0, 0) }\n" + once("return 0"), Refused, "//go:wasmimport", true},
	{"calls the host behind a space", "2.2", "func f() {}\n\n\t //go:wasmimport check verdict\nfunc verdict(kind, at, size uint32)\n" + once("return 0"), Refused, "//go:wasmimport", false},
	{"is called by the host", "2.2", "//go:wasmexport _start\nfunc start() {}\n" + once("return 0"), Refused, "//go:wasmexport", false},
	{"the package of the wire", "2.2", "import \"" + wirePackage + "\"\n" + once("return 0"), Refused, "it imports " + wirePackage, false},
	{"a check of its own", "2.2", "func init() { wireOfGrade.Check(func(func() int) error { return nil }, 1<<40) }\n" + once("return 0"), Wrong, "check", true},
	{"the wire without an import", "2.2", "func init() { wire.Check(func(func() int) error { return nil }, 1<<40) }\n" + once("return 0"), Wrong, "check", false},
	{"a check by its name", "2.2", "func CHECK(any) error { return nil }\n" + once("return 0"), Refused, "it declares CHECK", false},
	{"a package by its name", "2.2", "type lab struct{}\n" + once("return 0"), Refused, "it declares lab", false},
	{"another package by the name of one", "2.2", "import lab \"fmt\"\n" + once("return 0"), Refused, "it imports fmt, and lab is", false},
	{"the time limit", "2.2", "func init() { lab.TimeLimit = time.Hour }\n" + once("for {\n}"), OutOfTime, "within 2s", false},
	{"a finaliser and goroutines", "2.2", before("for range 10 { go func() { for { runtime.Gosched() } }() }\nx := new([64]int)\nruntime.SetFinalizer(x, func(*[64]int) { fmt.Println(\"solved\"); os.Exit(0) })\nx = nil\nruntime.GC()"), Wrong, "", false},
	{"Go's own names", "2.2", "const true = false\n\nfunc panic(any) {}\n\nfunc len(any) int { return 0 }\n" + once("return 0"), NotCompiled, "", false},

	// Commands for the compiler.
	{"embed", "2.2", "import _ \"embed\"\n\n//go:embed SECRET\nvar secret string\n" + once("panic(secret)"), Refused, "//go:embed", true},
	{"linkname", "2.2", "//go:linkname now time.now\nfunc now() (int64, int32, int64)\n" + once("return 0"), Refused, "//go:linkname", false},
	{"cgo", "2.2", "// #include <stdlib.h>\nimport \"C\"\n" + once("C.exit(0)"), Refused, "it imports C", false},
	{"unsafe", "2.2", "import \"unsafe\"\n" + once("*(*int)(unsafe.Pointer(uintptr(0))) = 1; return 0"), Refused, "it imports unsafe", false},
	{"assembly", "2.2", "func verdict(kind, at, size uint32)\n" + once("verdict(0, 0, 0); return 0"), Refused, "it declares verdict without a body", false},
	{"lines for a kernel", "2.2", "const s = `\n!touch VICTIM/x\n%cd /\n//gonb:!touch VICTIM/y\n`\n" + once("return len(s)"), NotCompiled, "!touch is a command", false},
	{"line directives", "2.2", "/*line SECRET:1*/ var a = \"x\" + 1\n" + once("return 0"), NotCompiled, "mismatched types", false},

	// Memory, output, time.
	{"memory before the check", "2.2", before("var all [][]byte\nfor { all = append(all, bytes.Repeat([]byte{1}, 1<<20)) }"), Wrong, "out of memory", true},
	{"memory by a constant size", "2.2", "var huge [1 << 31]byte\n" + once("return int(huge[len(huge)-1])"), NotCompiled, "", false},
	{"a stack without end", "2.2", "func f(n int) int { return f(n+1) + 1 }\n" + once("return f(0)"), "", "", false},
	{"a result without end", "3.3", once("return make([]lab.Row, 1<<21)"), "", "", false},
	{"a panic of 20 MB", "2.2", once(`panic(strings.Repeat("x", 2e7))`), Wrong, "xxx", false},
	{"output without end", "2.2", once("for { fmt.Println(strings.Repeat(\"x\", 1000)) }"), OutOfTime, "within 2s", false},
	{"no end before the check", "2.2", before("for {\n}"), OutOfTime, "within 2s", false},
	{"sleep", "2.2", once("time.Sleep(time.Hour); return 0"), OutOfTime, "within 2s", false},
	{"waits for itself", "2.2", once("select {}"), Wrong, "deadlock", false},

	// The compiler.
	{"a program of 512 MB", "2.2", "var huge = [1 << 26]int{1<<26 - 1: 1}\n" + once("return huge[3]"), NotCompiled, "", false},
	{"constants that double", "2.2", "const a = \"0123456789\"" + doubling() + "\n" + once("return 0"), NotCompiled, "", false},
	{"huge numbers", "2.2", "const a = 1e400000000\nconst b = a * a * a\nvar c = b > 0\n" + once("return 0"), NotCompiled, "", false},
	{"generics without end", "2.2", "type t[P any] struct{ next *t[t[P]] }\n\nvar x t[int]\n\nfunc f[P any](n int) { if n > 0 { f[t[P]](n - 1) } }\n" + once("f[int](3); return 0"), NotCompiled, "", false},
	{"generics that double", "2.2", "type p[A, B any] struct { a A; b B }\n\nfunc f0[A any](x A) any { return x }\n" + doublingFunctions() + once("return len(fmt.Sprint(f40(1)))"), NotCompiled, "", false},
	{"a sum of 20,000 terms", "2.2", "var a = 1" + strings.Repeat("+1", 20000) + "\n" + once("return a"), Refused, "nested deeper than 200", false},
	{"a function of 1 MB", "2.2", "var s string\n\nfunc f() {\n" + strings.Repeat("s += s\n", 4000) + "}\n" + once("if score > 0 { f() }; return 0"), Refused, "a function has ", true},
	{"too long", "2.2", once("return 0") + "//" + strings.Repeat("x", longest), Refused, "65536 are enough", false},
}

// doubling declares constants of 10, 20, …, 10·2⁶⁰ bytes, and asks for the length of the last.
func doubling() string {
	s := ""
	for i := range 60 {
		s += "\nconst a" + strings.Repeat("a", i+1) + " = a" + strings.Repeat("a", i) + " + a" + strings.Repeat("a", i)
	}
	return s + "\nvar n [len(a" + strings.Repeat("a", 60) + ")]int"
}

// doublingFunctions declares f1 to f40, of which each calls the one before with two types of twice the size.
func doublingFunctions() (s string) {
	for i := range 40 {
		s += fmt.Sprintf("\nfunc f%d[A any](x A) any { return []any{f%d(p[A, int]{a: x}), f%d(p[int, A]{b: x})} }\n", i+1, i, i)
	}
	return s
}

// No attack is solved, none reaches a file, the row of each says what was refused, and the rows of the notebook's other exercises are right.
func TestAttacks(t *testing.T) {
	full := os.Getenv("SVMKIT_RELIABILITY") == "full"
	if testing.Short() {
		t.Skip("compiles programs")
	}
	g := grader(t, 0)
	all := keys(t)
	victim := t.TempDir()
	secret := filepath.Join(t.TempDir(), "secret.txt")
	if err := os.WriteFile(secret, []byte("TOPSECRET"), 0o666); err != nil {
		t.Fatal(err)
	}
	for _, a := range attacks {
		if !full && !a.always {
			continue
		}
		t.Run(a.name, func(t *testing.T) {
			k, e := exerciseOf(t, all, a.exercise)
			fill := strings.NewReplacer("FUNC", headOf(t, e), "CHECK", e.check, "VICTIM", victim, "SECRET", secret)
			nb := k.Lesson.Parsed.ForReaders()
			for i := range nb.Cells {
				if c := &nb.Cells[i]; c.ID == e.id {
					_, runs, _ := strings.Cut(c.Source, "\n%%\n")
					c.Source = fill.Replace(a.answer) + "\n\n%%\n" + runs
				}
			}
			if g.limit = ownLimit; a.want == OutOfTime || a.want == "" {
				g.limit = 2 * time.Second
			}
			began := time.Now()
			rows, err := g.Grade(t.Context(), k, "x", nb)
			t.Logf("%.1f s: %v %v", time.Since(began).Seconds(), rows[slices.IndexFunc(rows, func(r Row) bool { return r.Exercise == a.exercise })], err)
			if err != nil || len(rows) != len(k.exercises) {
				t.Fatal(rows, err)
			}
			for _, r := range rows {
				switch {
				case r.Exercise != a.exercise:
					if r.Result != NotTried || r.Message != "" {
						t.Errorf("%s: %s: %s", r.Exercise, r.Result, r.Message)
					}
				case r.Result != a.want && (a.want != "" || r.Result != Wrong && r.Result != OutOfTime) || !strings.Contains(r.Message, fill.Replace(a.says)) || strings.Contains(r.Message, "TOPSECRET") || r.Message == "":
					t.Errorf("%s: %s, want %s: %s", r.Result, r.Message, a.want, a.says)
				}
			}
		})
	}
	for path, want := range map[string]int{victim: 0, filepath.Dir(secret): 1, g.sandbox.scratch: 0} {
		if files, err := os.ReadDir(path); err != nil || len(files) != want {
			t.Errorf("%s: %v, %v", path, files, err)
		}
	}
}

// exerciseOf finds an exercise by its number.
func exerciseOf(t *testing.T, all []*Key, number string) (*Key, *exercise) {
	t.Helper()
	for _, k := range all {
		for i := range k.exercises {
			if k.exercises[i].number == number {
				return k, &k.exercises[i]
			}
		}
	}
	t.Fatal("no exercise ", number)
	return nil, nil
}

// headOf is the head of an exercise's function.
func headOf(t *testing.T, e *exercise) string {
	t.Helper()
	file, err := parse(e.stub)
	if err != nil {
		t.Fatal(err)
	}
	f := file.Decls[0].(*ast.FuncDecl)
	f.Body = nil
	text, err := standard(&ast.File{Decls: []ast.Decl{f}})
	if err != nil {
		t.Fatal(err)
	}
	return strings.TrimSpace(text)
}
