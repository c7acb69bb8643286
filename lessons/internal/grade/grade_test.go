package grade

import (
	"context"
	"errors"
	"go/parser"
	"go/token"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/svmkit/course/internal/leaktest"
	"github.com/svmkit/course/lessons/internal/cells"
	"github.com/svmkit/course/lessons/internal/course"
	"github.com/svmkit/course/lessons/internal/kernel"
	"github.com/svmkit/course/lessons/internal/notebook"
)

func TestMain(m *testing.M) { leaktest.Main(m) }

var checkout = filepath.Join("..", "..", "..")

func keys(t *testing.T, slugs ...string) (keys []*Key) {
	t.Helper()
	lessons, err := course.Lessons(checkout)
	if err != nil {
		t.Fatal(err)
	}
	if lessons, err = course.Select(lessons, slugs); err != nil {
		t.Fatal(err)
	}
	for _, l := range lessons {
		k, err := NewKey(l)
		if err != nil {
			t.Fatal(err)
		}
		keys = append(keys, k)
	}
	return keys
}

// Every solution of the course is an answer that may be run, and every stub is one that was not tried, also under a remark.
func TestSolutionsMayBeRun(t *testing.T) {
	for _, k := range keys(t) {
		if len(k.exercises) != 5 {
			t.Errorf("%s: %d exercises", k.Lesson.Slug, len(k.exercises))
		}
		for i := range k.exercises {
			e := &k.exercises[i]
			if text, err := k.read(e, e.solution+"\n%%\nwhatever"); err != nil || text == e.stub || text != e.solution {
				t.Errorf("solution of %s: %v", e.number, err)
			}
			if text, err := k.read(e, "// my first try\n"+e.stub); err != nil || text != e.stub {
				t.Errorf("stub of %s: %v", e.number, err)
			}
		}
	}
}

func TestWhatAnAnswerMayBe(t *testing.T) {
	k := keys(t, "3")[0]
	e := &k.exercises[0]
	if e.number != "3.1" || e.names[0] != "mistakeBound" {
		t.Fatalf("%+v", e)
	}
	const right = "func mistakeBound(points []lab.Row, star []float64) float64 { return 1 }\n"
	for _, c := range []struct{ name, source, says string }{ // says: in the error; "" for none
		{"plain", right, ""},
		{"helpers of its own", "import \"sort\"\n\ntype own []float64\n\nfunc (o own) Len() int { return len(o) }\n\nvar _ = sort.Float64s\n" + right, ""},
		{"a package that the kernel finds", "func f(x []int) { heap.Init(nil) }\n" + right, ""},
		{"a variable of its own", "var own = 1\n\nfunc f() { own++; three := []int{1}; three[0] = 2 }\n" + right, ""},
		{"a variable as a value", "var mistakeBound = func(points []lab.Row, star []float64) float64 { return 1 }", ""},
		{"main in the place of %%", right + "func main() { println() }", ""},

		{"no Go", right + "!touch here", "expected declaration"},
		{"another name", "func bound2() {}", "mistakeBound is not declared"},
		{"the check", right + "func checkBound(any) error { return nil }", "declares checkBound, which is the lesson's"},
		{"a constant of the check", right + "const rounding = 1e9", "declares rounding"},
		{"a type", right + "type entry struct{}", "declares entry"},
		{"Go's own", right + "func len(any) int { return 0 }", "declares len, which is Go's own"},
		{"true", right + "const false = true", "declares false"},
		{"a method", right + "func (p point) String() string { return \"\" }", "declares the method point.String"},
		{"a method by another name", right + "type q = point\nfunc (p *q) String() string { return \"\" }", "declares the method q.String"},
		{"another lab", right + "type word struct{}\nvar lab word\nfunc (word) Grade(w string, x ...any) { println(w) }", "declares lab, which is a package"},
		{"a type called math", right + "type math = int", "declares math"},
		{"init", right + "func init() {}", "declares init"},
		{"init of the kernel", right + "func init_1() {}", "declares init_1"},
		{"a variable of the lesson", "func mistakeBound(points []lab.Row, star []float64) float64 { (three)[0].x[1]++; return 1 }", "refused: it uses three, a variable of the lesson"},
		{"its address", right + "func f() { p := &three; _ = p }", "uses three"},
		{"its memory by a range", right + "func f() { for _, p := range three { p.x[1] = 0 } }", "uses three"},
		{"its memory by another name", right + "var own = func() []lab.Row { e := three; e[0].x[1] = 0; return e }()", "uses three"},
		{"its memory by its own name", right + "func f() { three := three; three[0].x[1] = 0 }", "uses three"},
		{"the value of a range", right + "func f() { for _, three[0].x[1] = range []float64{0} { } }", "uses three"},
		{"what it points to", right + "func f() { *three[0].p = 0 }", "uses three"},
		{"a part of it", right + "func f() { three[:1][0].x[1] = 0 }", "uses three"},
		{"reading it", right + "var n = len(three)", "uses three"},
		{"a variable of the same name", right + "func f() { three := []int{1}; three[0] = 2 }", ""},
		{"a field of the same name", right + "type own struct{ three int }\n\nfunc f(o *own) { o.three = 1; *o = own{three: 2} }", ""},
		{"import os", "import \"os\"\n" + right, "imports os"},
		{"import unsafe", "import \"unsafe\"\n" + right, "imports unsafe"},
		{"C", "import \"C\"\n" + right, "imports C"},
		{"lab by another import", "import lab \"fmt\"\n" + right, "under the name lab"},
		{"dot", "import . \"fmt\"\n" + right, "under the name ."},
		{"another rand", "import \"math/rand\"\n" + right, "rand is math/rand/v2 in this lesson"},
		{"os without an import", "func f() { os.Exit(0) }\n" + right, "uses os"},
		{"os beside a local one", "func f() { { os := 1; _ = os }; os.Exit(0) }\n" + right, "uses os"},
		{"os while it is declared", "func f() { for _, os := range os.Args { _ = os } }\n" + right, "uses os"},
		{"os as its own type", "func f(os os.Signal) {}\n" + right, "uses os"},
		{"os before it is declared", "func f() { os.Exit(0); os := 1; _ = os }\n" + right, "uses os"},
		{"os in its own declaration", "func f() { os := os.Args; _ = os }\n" + right, "uses os"},
		{"os embedded", "type t struct { os.Signal }\n" + right, "uses os"},
		{"a file of the library", "import \"github.com/svmkit/course/svmkit/dataset\"\n\nvar read = dataset.ReadFile\n" + right, "uses ReadFile"},
		{"data without a file", "import \"github.com/svmkit/course/svmkit/dataset\"\n\nvar read = dataset.Read\n" + right, ""},
		{"plots writes files", "func f() { var p *plots.Figure; _ = p }\n" + right, "uses plots"},
		{"too long", right + "//" + strings.Repeat("x", longest), "65536 are enough"},
		{"constants that double", right + "const a = \"0123456789\"" + doubling(), ""},
	} {
		_, err := k.read(e, c.source)
		if c.says == "" && err != nil || c.says != "" && (err == nil || !strings.Contains(err.Error(), c.says)) {
			t.Errorf("%s: got %v, want %q", c.name, err, c.says)
		}
	}
}

// Of the course's packages for answers those that open files are known: their functions for it end in "File". lab writes to the cell's
// output.
func TestPackagesForAnswersOpenNoFiles(t *testing.T) {
	var open []string
	for _, path := range packages {
		dir, ours := strings.CutPrefix(path, course.Module+"/")
		if !ours {
			continue
		}
		files, err := filepath.Glob(filepath.Join(checkout, dir, "*.go"))
		if err != nil || len(files) == 0 {
			t.Fatal(path, err)
		}
		for _, name := range files {
			file, err := parser.ParseFile(token.NewFileSet(), name, nil, parser.ImportsOnly)
			if err != nil {
				t.Fatal(err)
			}
			for _, i := range file.Imports {
				_, used := cells.Import(i)
				if !strings.HasSuffix(name, "_test.go") && !slices.Contains(open, dir) && slices.Contains([]string{"os", "os/exec", "net", "net/http", "syscall", course.Module + "/internal/atomicfile"}, used) {
					open = append(open, dir)
				}
			}
		}
	}
	if want := []string{"lessons/lab", "svmkit/dataset"}; !slices.Equal(open, want) {
		t.Errorf("these packages open files: %v; known are %v", open, want)
	}
}

// doubling declares constants of 10, 20, …, 10·2⁶⁰ bytes, and asks for the length of the last.
func doubling() string {
	s := ""
	for i := range 60 {
		s += "\nconst a" + strings.Repeat("a", i+1) + " = a" + strings.Repeat("a", i) + " + a" + strings.Repeat("a", i)
	}
	return s + "\nvar n [len(a" + strings.Repeat("a", 60) + ")]int"
}

// Nothing in an answer is a line for the kernel, which takes what begins with % or ! where Go sees text.
func TestStandardFormHasNoCommands(t *testing.T) {
	k := keys(t, "3")[0]
	text, err := k.read(&k.exercises[0], "const s = `\n!touch here\n%cd /\n//gonb:!touch here\n`\n\n/*\n!touch here\n*/\n//gonb:!touch here\n//go:linkname f runtime.f\n"+
		"func mistakeBound(points []lab.Row, star []float64) float64 {\n\tif s == \"\" ||\n!true {\n\t}\n\treturn 1\n}")
	if err != nil {
		t.Fatal(err)
	}
	for l := range strings.Lines(text) {
		if strings.HasPrefix(l, "!") || strings.HasPrefix(l, "%") || strings.HasPrefix(l, "//") {
			t.Errorf("line %q in\n%s", l, text)
		}
	}
}

func TestWhichCellIsTheAnswer(t *testing.T) {
	k := keys(t, "3")[0]
	e := &k.exercises[0]
	call := "\n%%\nlab.Exercise(\"3.1\", checkBound, mistakeBound)\n"
	answer := func(cells ...notebook.Cell) string { return k.answer(e, notebook.New(cells...)) }
	stub := notebook.Cell{Kind: notebook.Code, Source: e.stub + call, Tags: []string{notebook.TagExercise}}
	mine := notebook.Cell{Kind: notebook.Code, Source: "func mistakeBound() {}" + call}
	solution := notebook.Cell{Kind: notebook.Code, Source: e.solution + call}
	folded := solution
	folded.Tags = []string{notebook.TagSolution}
	again := notebook.Cell{Kind: notebook.Code, Source: "func mistakeBound() float64 {}" + call}
	byID := notebook.Cell{ID: e.id, Kind: notebook.Code, Source: "func mistakeBound() int {}"}
	for _, c := range []struct {
		name  string
		cells []notebook.Cell
		want  string
	}{
		{"none", []notebook.Cell{{Kind: notebook.Code, Source: "println()"}, {Kind: notebook.Markdown, Source: mine.Source}}, ""},
		{"the stub", []notebook.Cell{stub, folded}, stub.Source},
		{"tags and ids lost", []notebook.Cell{stub, solution}, stub.Source},
		{"beside the stub", []notebook.Cell{mine, stub, solution}, mine.Source},
		{"the later of two", []notebook.Cell{mine, again}, again.Source},
		{"by its id", []notebook.Cell{byID}, byID.Source},
	} {
		if got := answer(c.cells...); got != c.want {
			t.Errorf("%s: got %q", c.name, got)
		}
	}
}

func TestWhoseLesson(t *testing.T) {
	ks, dir := keys(t), t.TempDir()
	write := func(name, title string) File {
		nb := notebook.New()
		nb.Metadata["jupytext"] = map[string]any{"root_level_metadata": map[string]any{"title": title}}
		path := filepath.Join(dir, name)
		if err := notebook.WriteFile(path, nb); err != nil {
			t.Fatal(err)
		}
		return File{path, name}
	}
	broken := func(name, text string) File {
		path := filepath.Join(dir, name)
		if err := os.WriteFile(path, []byte(text), 0o666); err != nil {
			t.Fatal(err)
		}
		return File{path, name}
	}
	link := File{filepath.Join(dir, "03-novikoff-link.ipynb"), ""}
	if err := os.Symlink(write("03-novikoff.ipynb", "").Path, link.Path); err != nil {
		t.Fatal(err)
	}
	for _, c := range []struct {
		file File
		want string // slug, or words of the error
	}{
		{write("homework.ipynb", ks[4].title), ks[4].Lesson.Slug},
		{write("03-novikoff (2).ipynb", ks[4].title), ks[4].Lesson.Slug},
		{write("Jane_03-Novikoff.ipynb", "my answers"), "03-novikoff"},
		{write("homework3.ipynb", "my answers"), "put a lesson's name into that of the file, like 01-hyperplane"},
		{link, "a link"},
		{File{filepath.Join(dir, "none.ipynb"), ""}, "no such file"},
		{broken("broken.ipynb", "{\"cells\": ["), "1:"},
		{broken("deep.ipynb", strings.Repeat("[", 1e5)), "1:"},
	} {
		k, nb, err := Read(c.file, ks)
		if err == nil && (k.Lesson.Slug != c.want || nb == nil) || err != nil && (!strings.Contains(err.Error(), c.want) || strings.Contains(err.Error(), dir)) {
			t.Errorf("%s: %v, %v", c.file.Path, k, err)
		}
	}
}

func TestFind(t *testing.T) {
	dir := t.TempDir()
	for _, name := range []string{"class/a.ipynb", "class/jane/UP.IPYNB", "class/.ipynb_checkpoints/a.ipynb", "class/.b.ipynb", "class/notes.md"} {
		path := filepath.Join(dir, filepath.FromSlash(name))
		if err := os.MkdirAll(filepath.Dir(path), 0o777); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(path, nil, 0o666); err != nil {
			t.Fatal(err)
		}
	}
	if err := os.Symlink("class", filepath.Join(dir, "link")); err != nil {
		t.Fatal(err)
	}
	for _, folder := range []string{"class", "link"} {
		files, err := Find(filepath.Join(dir, folder))
		var names []string
		for _, f := range files {
			names = append(names, f.Name)
		}
		if err != nil || !slices.Equal(names, []string{"a.ipynb", "jane/UP.IPYNB"}) {
			t.Errorf("%s: %v, %v", folder, names, err)
		}
	}
}

func TestWrite(t *testing.T) {
	rows := []Row{
		{"a, b.ipynb", "03-novikoff", "3.1", Solved, ""},
		{"a, b.ipynb", "03-novikoff", "3.2", Wrong, "=HYPERLINK(\"x\")"},
		{"a, b.ipynb", "03-novikoff", "3.3", Wrong, "@x"},
		{"-c.ipynb", "", "", NotGraded, "\x1b[31m"},
	}
	var b strings.Builder
	if err := Write(&b, rows); err != nil {
		t.Fatal(err)
	}
	want := Header + "\n" + `"a, b.ipynb",03-novikoff,3.1,solved,
"a, b.ipynb",03-novikoff,3.2,wrong,"'=HYPERLINK(""x"")"
"a, b.ipynb",03-novikoff,3.3,wrong,'@x
"a, b.ipynb",03-novikoff,all,1 of 3,
'-c.ipynb,,,not graded,\x1b[31m
`
	if b.String() != want {
		t.Errorf("got\n%s\nwant\n%s", b.String(), want)
	}
}

func TestGradeEndsWithItsContext(t *testing.T) {
	k := keys(t, "3")[0]
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	rows, err := k.Grade(ctx, kernel.Spec{}, "x", k.Lesson.Parsed.ForReaders(), 0)
	if !errors.Is(err, context.Canceled) || rows != nil {
		t.Errorf("%v, %v", rows, err)
	}
}
