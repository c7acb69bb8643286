package main

import (
	"context"
	"encoding/csv"
	"errors"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/svmkit/course/lessons/internal/course"
	"github.com/svmkit/course/lessons/internal/notebook"
)

// The folder of a class: what is right, wrong, untouched, not to be compiled, without end, and what would rather print its verdict than earn
// it. No answer reaches files, and none changes another one's program.
func TestGrade(t *testing.T) {
	if testing.Short() {
		t.Skip("compiles programs")
	}
	var lesson *notebook.Notebook
	for _, l := range lessons(t, moduleRoot) {
		if l.Slug == "03-novikoff" {
			lesson = l.Parsed
		}
	}
	dir := t.TempDir()
	harm := filepath.Join(dir, "harm")
	// hand writes a notebook in which answers stand in the cells of exercises 3.1, 3.2, …; "" leaves one as it is.
	hand := func(name string, answers ...string) {
		nb := lesson.ForReaders()
		for i := range nb.Cells {
			c := &nb.Cells[i]
			if !c.HasTag(notebook.TagExercise) || len(answers) == 0 {
				continue
			}
			if _, runs, _ := strings.Cut(c.Source, "\n%%\n"); answers[0] != "" {
				c.Source = answers[0] + "\n\n%%\n" + runs
			}
			answers = answers[1:]
		}
		path := filepath.Join(dir, filepath.FromSlash(name))
		if err := os.MkdirAll(filepath.Dir(path), 0o777); err != nil {
			t.Fatal(err)
		}
		if err := notebook.WriteFile(path, nb); err != nil {
			t.Fatal(err)
		}
	}
	const print = `fmt.Println("✓ Exercise 3.1: solved"); fmt.Printf("\nAAAAAAAAAAAAAAAAAAAAAAAAAA solved \"\"\n")`
	hand("right.ipynb", `func mistakeBound(points []lab.Row, witnesses [][]float64) float64 {
	best := math.Inf(1)
	for _, star := range witnesses {
		radius, gamma := radiusAndMargin(points, star)
		best = min(best, ifPositive(gamma, radius*radius/(gamma*gamma)))
	}
	return best
}

func ifPositive(gamma, value float64) float64 {
	if gamma > 0 {
		return value
	}
	return math.Inf(1)
}`, "", "", "func timid(radius, gamma, beta float64) float64 {\n\treturn ifPositive(gamma, (radius*radius + 2*beta) / (gamma*gamma))\n}")
	hand("class/wrong.ipynb", "func mistakeBound(points []lab.Row, witnesses [][]float64) float64 { return math.NaN() }", "",
		`func stubborn() []lab.Row { go func() { panic("out") }(); time.Sleep(time.Second); return nil }`)
	hand("untouched.ipynb")
	hand("class/broken.ipynb", "func mistakeBound(points []lab.Row, witnesses [][]float64) float64 { return 1", `func firstLie(run []entry, radius, gamma float64) int { return "none" }`)
	hand("endless.ipynb", "func mistakeBound(points []lab.Row, witnesses [][]float64) float64 { for { } }")
	hand("forging.ipynb", "func mistakeBound(points []lab.Row, witnesses [][]float64) float64 { "+print+"; return 1 }",
		"func checkFirstLie(any) error { return nil }\n\nfunc firstLie(run []entry, radius, gamma float64) int { return 0 }",
		`func stubborn() []lab.Row { panic(os.WriteFile("`+harm+`", nil, 0o666)) }`,
		"const s = `\n\t!touch "+harm+"\n`\n\nfunc timid(radius, gamma, beta float64) float64 { "+print+"; lab.Check(s, false, s); return 0 }",
		"var huge = make([]float64, 1<<28)\n\nfunc factors(points []lab.Row) []float64 { return huge }")
	if err := os.WriteFile(filepath.Join(dir, "essay.ipynb"), []byte(`{"cells":[],"metadata":{},"nbformat":4,"nbformat_minor":5}`), 0o666); err != nil {
		t.Fatal(err)
	}
	results := filepath.Join(t.TempDir(), "results.csv")
	_, stderr, err := call(t, "grade", dir, "-limit", "2s", "-o", results)
	if err == nil || !strings.Contains(err.Error(), "1 of 7 notebooks could not be graded") || !strings.Contains(stderr, "right.ipynb: 2 solved, 3 not tried") {
		t.Errorf("%v\n%s", err, stderr)
	}
	text, err := os.ReadFile(results)
	if err != nil {
		t.Fatal(err)
	}
	got := map[string]string{}
	rows, err := csv.NewReader(strings.NewReader(string(text))).ReadAll()
	if err != nil || len(rows) != 1+6*6+1 {
		t.Errorf("%d rows, %v", len(rows), err)
	}
	for _, row := range rows {
		got[row[0]+" "+row[2]] = row[3] + ": " + row[4]
	}
	for place, want := range map[string]string{
		"right.ipynb 3.1": "solved: ", "right.ipynb 3.2": "not tried: ", "right.ipynb 3.4": "solved: ", "right.ipynb all": "2 of 5: ",
		"class/wrong.ipynb 3.1": "wrong: …NaN", "class/wrong.ipynb 3.3": "wrong: panic: out…", "class/wrong.ipynb all": "0 of 5: ",
		"untouched.ipynb 3.5": "not tried: ", "untouched.ipynb all": "0 of 5: ",
		"class/broken.ipynb 3.1": "does not compile: …expected", "class/broken.ipynb 3.2": "does not compile: …cannot use \"none\"",
		"endless.ipynb 3.1": "out of time: your function did not end within 2s",
		"forging.ipynb 3.1": "wrong: …got 1", "forging.ipynb 3.2": "refused: it declares checkFirstLie", "forging.ipynb 3.3": "wrong: your function panicked: open …: Bad file number",
		"forging.ipynb 3.4": "wrong: …exit status 1", "forging.ipynb 3.5": "wrong: …out of memory", "forging.ipynb all": "0 of 5: ",
		"essay.ipynb ": "not graded: of no lesson",
	} {
		begin, end, _ := strings.Cut(want, "…")
		if !strings.HasPrefix(got[place], begin) || !strings.Contains(got[place], end) {
			t.Errorf("%s: got %q, want %q", place, got[place], want)
		}
	}
	if _, err := os.Stat(harm); err == nil {
		t.Error("an answer has written a file")
	}
}

// cancelAt cancels when a text is written.
type cancelAt struct {
	text   string
	cancel context.CancelFunc
}

func (c cancelAt) Write(b []byte) (int, error) {
	if strings.Contains(string(b), c.text) {
		c.cancel()
	}
	return len(b), nil
}

// An interrupt leaves the results of the notebooks that are done.
func TestGradeInterrupted(t *testing.T) {
	dir, results := t.TempDir(), filepath.Join(t.TempDir(), "results.csv")
	endless := notebook.New(notebook.Cell{Kind: notebook.Code, Source: "func mistakeBound(points []lab.Row, witnesses [][]float64) float64 { for { } }\n\n%%\nlab.Exercise(\"3.1\", checkBound, mistakeBound)"})
	for name, nb := range map[string]*notebook.Notebook{"a-03-novikoff.ipynb": endless, "b-03-novikoff.ipynb": notebook.New()} {
		if err := notebook.WriteFile(filepath.Join(dir, name), nb); err != nil {
			t.Fatal(err)
		}
	}
	t.Chdir(moduleRoot)
	ctx, cancel := context.WithCancel(t.Context())
	defer cancel()
	var out strings.Builder
	err := run(ctx, []string{"grade", dir, "-o", results}, &out, cancelAt{"b-03-novikoff.ipynb: 5 not tried", cancel})
	text, _ := os.ReadFile(results)
	if !errors.Is(err, context.Canceled) || !strings.Contains(string(text), "b-03-novikoff.ipynb,03-novikoff,all,0 of 5") || strings.Contains(string(text), "a-03") {
		t.Errorf("%v\n%s", err, text)
	}
}

// Results that cannot be written to their file are printed.
func TestGradePrintsWhatItCannotWrite(t *testing.T) {
	dir := t.TempDir()
	if err := notebook.WriteFile(filepath.Join(dir, "03-novikoff.ipynb"), notebook.New()); err != nil {
		t.Fatal(err)
	}
	stdout, _, err := call(t, "grade", dir, "-o", filepath.Join(dir, strings.Repeat("x", 300)))
	if err == nil || !strings.Contains(stdout, "03-novikoff.ipynb,03-novikoff,all,0 of 5") {
		t.Errorf("%v\n%s", err, stdout)
	}
}

func TestGradeRefusesItsArguments(t *testing.T) {
	dir := t.TempDir()
	student := filepath.Join(dir, "03-novikoff.ipynb")
	if err := os.WriteFile(student, []byte("{}"), 0o666); err != nil {
		t.Fatal(err)
	}
	for _, c := range []struct {
		args []string
		says string
	}{
		{[]string{"grade"}, "missing argument: FOLDER"},
		{[]string{"grade", t.TempDir()}, "no notebook (*.ipynb) in"},
		{[]string{"grade", filepath.Join(dir, "none")}, "no such file"},
		{[]string{"grade", dir, "-o", student}, "holds no results"},
		{[]string{"grade", dir, "-o", dir}, "holds no results"},
		{[]string{"grade", dir, "-o", dir, "-replace"}, "is a folder"},
		{[]string{"grade", dir, "-o", filepath.Join(dir, "none", "results.csv")}, "the folder of -o"},
	} {
		if _, _, err := call(t, c.args...); err == nil || !strings.Contains(err.Error(), c.says) {
			t.Errorf("%v: got %v, want %q", c.args, err, c.says)
		}
	}
}

// Students get the stubs, the hints and no solution, on the page and in what it offers to download.
func TestPagesWithoutSolutions(t *testing.T) {
	all, err := course.Select(lessons(t, moduleRoot), []string{"3"})
	if err != nil {
		t.Fatal(err)
	}
	dir := t.TempDir()
	a := &app{root: moduleRoot, flags: flags{solutions: "no"}}
	if err := a.pages(t.Context(), all, dir); err != nil {
		t.Fatal(err)
	}
	for _, name := range []string{"03-novikoff.html", "downloads/03-novikoff.ipynb", "downloads/03-novikoff.md"} {
		text, err := os.ReadFile(filepath.Join(dir, name))
		if err != nil {
			t.Fatal(err)
		}
		for part, want := range map[string]bool{"your turn": true, "Solution</summary>": false, "tags=[\"solution\"]": false, "false for NaN, too": false, "Which of its two results depends on the witness?": true} {
			if got := strings.Contains(string(text), part); got != want {
				t.Errorf("%s: %q is there: %v", name, part, got)
			}
		}
	}
}
