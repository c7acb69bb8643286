package grade

import (
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/svmkit/course/internal/leaktest"
	"github.com/svmkit/course/lessons/internal/course"
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
