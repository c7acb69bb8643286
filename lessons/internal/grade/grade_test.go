package grade

import (
	"context"
	"errors"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/svmkit/course/internal/leaktest"
	"github.com/svmkit/course/lessons/internal/course"
	"github.com/svmkit/course/lessons/internal/notebook"
	"github.com/svmkit/course/lessons/internal/program"
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
			if a, err := k.read(e, e.solution+"\n%%\nwhatever"); err != nil || a.standard == e.stub || a.standard != e.solution {
				t.Errorf("solution of %s: %v", e.number, err)
			}
			if a, err := k.read(e, "// my first try\n"+e.stub); err != nil || a.standard != e.stub {
				t.Errorf("stub of %s: %v", e.number, err)
			}
		}
	}
}

func TestWhichCellIsTheAnswer(t *testing.T) {
	k := keys(t, "3")[0]
	e := &k.exercises[0]
	call := "\n%%\nlab.Exercise(\"3.1\", checkBound, mistakeBound)\n"
	answer := func(cells ...notebook.Cell) string { return k.answer(t.Context(), e, notebook.New(cells...)) }
	stub := notebook.Cell{Kind: notebook.Code, Source: e.stub + call, Tags: []string{notebook.TagExercise}}
	mine := notebook.Cell{Kind: notebook.Code, Source: "func mistakeBound() {}" + call}
	solution := notebook.Cell{Kind: notebook.Code, Source: e.solution + call}
	folded := solution
	folded.Tags = []string{notebook.TagSolution}
	again := notebook.Cell{Kind: notebook.Code, Source: "func mistakeBound() float64 {}" + call}
	other := notebook.Cell{Kind: notebook.Code, Source: "func mine() {}\n%%\nlab.Exercise(\"3.1\", checkBound, mine)"}
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
		{"the check called again below", []notebook.Cell{mine, {Kind: notebook.Code, Source: call}}, mine.Source},
		{"the check called for another function", []notebook.Cell{stub, other}, other.Source},
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

// A folder that cannot be read, here because its path is too long, has a row, and hides no other notebook.
func TestFindInAFolderThatCannotBeRead(t *testing.T) {
	dir := t.TempDir()
	if err := os.WriteFile(filepath.Join(dir, "zoe.ipynb"), []byte("{}"), 0o666); err != nil {
		t.Fatal(err)
	}
	t.Chdir(dir)
	long := strings.Repeat("d", 250)
	for range 20 {
		if err := errors.Join(os.Mkdir(long, 0o777), os.Chdir(long)); err != nil {
			t.Fatal(err)
		}
	}
	if err := os.Chdir(dir); err != nil {
		t.Fatal(err)
	}
	files, err := Find(dir)
	if err != nil || len(files) != 2 || files[1].Name != "zoe.ipynb" {
		t.Fatalf("%d files, %v", len(files), err)
	}
	if _, _, err := Read(files[0], nil); err == nil || !strings.Contains(err.Error(), "file name too long") || strings.Contains(err.Error(), dir) {
		t.Errorf("got %v", err)
	}
}

func TestWrite(t *testing.T) {
	rows := []Row{
		{"a, b.ipynb", "03-novikoff", "3.1", Solved, ""},
		{"a, b.ipynb", "03-novikoff", "3.2", Wrong, "=HYPERLINK(\"x\")"},
		{"a, b.ipynb", "03-novikoff", "3.3", Wrong, "@x"},
		{"a, b.ipynb", "03-novikoff", "3.4", Wrong, "x;=cmd|' /C calc'!A0; -1;+"},
		{"a, b.ipynb", "03-novikoff", "3.5", Wrong, "＝1"},
		{"-c.ipynb", "", "", NotGraded, "\x1b[31m"},
	}
	var b strings.Builder
	if err := Write(&b, rows); err != nil {
		t.Fatal(err)
	}
	want := Header + "\n" + `"a, b.ipynb",03-novikoff,3.1,solved,
"a, b.ipynb",03-novikoff,3.2,wrong,"'=HYPERLINK(""x"")"
"a, b.ipynb",03-novikoff,3.3,wrong,'@x
"a, b.ipynb",03-novikoff,3.4,wrong,x;'=cmd|' /C calc'!A0; -1;'+
"a, b.ipynb",03-novikoff,3.5,wrong,'＝1
"a, b.ipynb",03-novikoff,all,1 of 5,
'-c.ipynb,,,not graded,\x1b[31m
`
	if b.String() != want {
		t.Errorf("got\n%s\nwant\n%s", b.String(), want)
	}
}

func TestWhatAnAnswerMayBe(t *testing.T) {
	k := keys(t, "3")[0]
	e := &k.exercises[0]
	if e.number != "3.1" || e.names[0] != "mistakeBound" {
		t.Fatalf("%+v", e)
	}
	const right = "func mistakeBound(points []lab.Row, witnesses [][]float64) float64 { return 1 }\n"
	for _, c := range []struct{ name, source, says string }{ // says: in the error; "" for none
		{"plain", right, ""},
		{"helpers of its own", "import \"sort\"\n\ntype own []float64\n\nfunc (o own) Len() int { return len(o) }\n\nvar _ = sort.Float64s\n" + right, ""},
		{"a package without an import", "func f(x []int) { heap.Init(nil) }\n" + right, ""},
		{"a variable of its own", "var own = 1\n\nfunc f() { own++; three := []int{1}; three[0] = 2 }\n" + right, ""},
		{"a variable as a value", "var mistakeBound = func(points []lab.Row, witnesses [][]float64) float64 { return 1 }", ""},
		{"main in the place of %%", right + "func main() { println() }", ""},
		{"a variable of the lesson", right + "var n = len(three)", ""},
		{"a package by another name", "import m \"math\"\n\nvar pi = m.Pi\n" + right, ""},
		{"a comment", "// go:embed is a command.\n" + right + "/* //go:embed */", ""},

		{"no Go", right + "!touch here", "expected declaration"},
		{"another name", "func bound2() {}", "mistakeBound is not declared"},
		{"the check", right + "func checkBound(any) error { return nil }", "declares checkBound, which is the lesson's"},
		{"the check's name", right + "var own = checkBound", "uses checkBound, which is the check"},
		{"another exercise's check", right + "var own = checkFirstLie", "uses checkFirstLie, which is the check"},
		{"a constant of the check", right + "const rounding = 1e9", "declares rounding"},
		{"a type", right + "type entry struct{}", "declares entry"},
		{"another lab", right + "type word struct{}\nvar lab word\nfunc (word) Grade(w string, x ...any) { println(w) }", "declares lab, which is a package"},
		{"a type called math", right + "type math = int", "declares math"},
		{"import unsafe", "import \"unsafe\"\n" + right, "imports unsafe"},
		{"C", "import \"C\"\n" + right, "imports C"},
		{"a package inside of the library", "import \"github.com/svmkit/course/svmkit/internal/gauss\"\n" + right, "imports github.com/svmkit/course/svmkit/internal/gauss"},
		{"a package of a stranger", "import \"example.com/x\"\n" + right, "imports example.com/x"},
		{"lab by another import", "import lab \"fmt\"\n" + right, "lab is github.com/svmkit/course/lessons/lab in this lesson"},
		{"another rand", "import \"math/rand\"\n" + right, "rand is math/rand/v2 in this lesson"},
		{"too long", right + "//" + strings.Repeat("x", longest), "65536 are enough"},
		{"a command", right + "\n\t//go:noinline\nfunc f() {}", "//go:noinline, which is a command"},
		{"nesting at the limit", right + "var a = " + strings.Repeat("(", 150) + "1" + strings.Repeat(")", 150), ""},
		{"nesting", right + "var a = " + strings.Repeat("(", 250) + "1" + strings.Repeat(")", 250), "deeper than 200"},
		{"constants that double", right + "const a = \"0123456789\"" + doubling(), ""},
	} {
		_, err := k.read(e, c.source)
		if c.says == "" && err != nil || c.says != "" && (err == nil || !strings.Contains(err.Error(), c.says)) {
			t.Errorf("%s: got %v, want %q", c.name, err, c.says)
		}
	}
}

// A program of an answer holds no check, and of the lesson only what it asks for; that of a check holds no answer.
func TestProgramsAreApart(t *testing.T) {
	for _, k := range keys(t) {
		for i := range k.exercises {
			e := &k.exercises[i]
			a, err := k.read(e, e.solution)
			if err != nil {
				t.Fatal(err)
			}
			known := slices.Concat(program.Importable, more, []string{wirePackage})
			for _, p := range []string{"", "/bound", "/dataset", "/feature", "/kernel", "/loss", "/multiclass", "/perceptron", "/pipeline", "/qp", "/samples", "/separate", "/svm", "/text", "/tune"} {
				known = append(known, course.Module+"/svmkit"+p)
			}
			answer, err := k.answerProgram(e, a, nil, known)
			if err != nil {
				t.Fatal(e.number, err)
			}
			check, err := k.checkProgram(e, known)
			if err != nil {
				t.Fatal(e.number, err)
			}
			for name := range k.checks {
				if strings.Contains(answer, "func "+name+"(") && (name != e.check || !strings.Contains(answer, "{\n\tpanic(nil)\n}")) {
					t.Errorf("%s: the answer's program has %s", e.number, name)
				}
			}
			if !strings.Contains(check, "func */") && !strings.Contains(check, "func "+e.check+"(") || strings.Contains(check, "exercise "+e.number) {
				t.Errorf("%s: the check's program:\n%s", e.number, check)
			}
		}
	}
}

// A notebook that has another text of a check says so at its exercise, and there alone.
func TestOlderText(t *testing.T) {
	k := keys(t, "3")[0]
	other := func(change func(c *notebook.Cell)) (older []string) {
		nb := k.Lesson.Parsed.ForReaders()
		for i := range nb.Cells {
			change(&nb.Cells[i])
		}
		for i := range k.exercises {
			if e := &k.exercises[i]; k.older(t.Context(), e, nb) {
				older = append(older, e.number)
			}
		}
		return older
	}
	replace := func(old, new string) func(c *notebook.Cell) {
		return func(c *notebook.Cell) { c.Source = strings.Replace(c.Source, old, new, 1) }
	}
	for _, c := range []struct {
		name   string
		change func(c *notebook.Cell)
		want   []string
	}{
		{"none", func(*notebook.Cell) {}, nil},
		{"a comment in it", replace("func checkBound(mistakeBound func(points []lab.Row, witnesses [][]float64) float64) error {", "func checkBound(mistakeBound func(points []lab.Row, witnesses [][]float64) float64) error { // mine"), nil},
		{"another statement", replace("func checkBound(mistakeBound func(points []lab.Row, witnesses [][]float64) float64) error {", "func checkBound(mistakeBound func(points []lab.Row, witnesses [][]float64) float64) error { println();"), []string{"3.1"}},
		{"another type", replace("func checkBound(mistakeBound func(points []lab.Row,", "func checkBound(mistakeBound func(points []point,"), []string{"3.1"}},
		{"another name", replace(`lab.Exercise("3.2", checkFirstLie,`, `lab.Exercise("3.2", checkLie,`), []string{"3.2"}},
	} {
		if got := other(c.change); !slices.Equal(got, c.want) {
			t.Errorf("%s: %v, want %v", c.name, got, c.want)
		}
	}
}

// Settings of Go in the environment change nothing, an answer that two students hand in is compiled once, and a context that has ended
// ends the grading.
func TestGraderInOddEnvironments(t *testing.T) {
	if testing.Short() {
		t.Skip("compiles programs")
	}
	for name, value := range map[string]string{"GOOS": "windows", "GOARCH": "arm64", "GOFLAGS": "-mod=vendor -race -tags=nothing", "GOWASM": "nothing", "GOEXPERIMENT": "nothing", "GOWORK": "/nothing", "CGO_ENABLED": "1", "GODEBUG": "gctrace=1"} {
		t.Setenv(name, value)
	}
	g, k := grader(t, ownLimit), keys(t, "3")[0]
	e := &k.exercises[3]
	cell := func(source string) *notebook.Notebook {
		return notebook.New(notebook.Cell{Kind: notebook.Code, Tags: []string{notebook.TagExercise}, Source: source + "\n%%\nlab.Exercise(\"" + e.number + "\", " + e.check + ", " + e.answer + ")"})
	}
	for range 2 {
		rows, err := g.Grade(t.Context(), k, "x", cell(e.solution))
		if err != nil || rows[3].Result != Solved {
			t.Fatal(rows, err)
		}
	}
	if len(g.answers) != 1 || len(g.checks) != 1 {
		t.Errorf("%d answers and %d checks", len(g.answers), len(g.checks))
	}
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	if rows, err := g.Grade(ctx, k, "x", k.Lesson.Parsed.ForReaders()); !errors.Is(err, context.Canceled) || rows != nil {
		t.Errorf("%v, %v", rows, err)
	}
	// Also in the middle of a run.
	ctx, cancel = context.WithTimeout(t.Context(), 3*time.Second)
	defer cancel()
	began := time.Now()
	if _, err := g.Grade(ctx, k, "x", cell(strings.Replace(e.solution, "{", "{\nfor {\n}\n", 1))); !errors.Is(err, context.DeadlineExceeded) || time.Since(began) > 20*time.Second {
		t.Errorf("%v after %v", err, time.Since(began))
	}
}
