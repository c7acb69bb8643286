package course

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/svmkit/course/lessons/internal/notebook"
)

// goodForm is the text of a lesson in which nothing is missing.
func goodForm() string {
	var b strings.Builder
	b.WriteString("---\ntime: {reading: 15 min, exercises: 45 min}\n---\n\n# 1\n\n")
	b.WriteString("```go tags=[\"explorable\", \"fold\"] summary=\"a slider\"\nlab.Explore(e)\n```\n\n")
	b.WriteString("```go tags=[\"guess\"]\n%%\nfmt.Println(1)\n```\n\n")
	for range 5 {
		b.WriteString("```go tags=[\"figure\"]\nlab.Show(f)\n```\n\n" + strings.Repeat("word ", 500) + "$a = b$, and so on.\n\n")
	}
	for i := range 5 {
		fmt.Fprintf(&b, "### 1.%d (five minutes)\n\n```go tags=[\"exercise\"]\n%s\n\n%%%%\nlab.Exercise(\"1.%d\", check, f)\n```\n\n", i, strings.Repeat("x\n", 30), i)
		b.WriteString("```go tags=[\"hint\"]\nx\n```\n\n")
		fmt.Fprintf(&b, "```go tags=[\"solution\"]\nlab.Exercise(\"1.%d\", check, f)\n```\n\n", i)
		fmt.Fprintf(&b, "```go tags=[\"answers\"]\nlab.Answers(\"1.%d\", check, %s lab.Endless(), lab.Right())\n```\n\n", i, strings.Repeat("lab.Wrong(), ", 5))
	}
	for range 2 {
		b.WriteString("<!-- #region tags=[\"paper\"] -->\n### On paper (ten minutes)\n\nProve it.\n<!-- #endregion -->\n\n")
		b.WriteString("<!-- #region tags=[\"solution\"] -->\nSo it is.\n<!-- #endregion -->\n\n")
	}
	b.WriteString("<!-- #region tags=[\"notes\"] -->\n## What the notes print\n\nNote A is wrong.\n<!-- #endregion -->\n\n```go\n" + strings.Repeat("x\n", 30) + "```\n\n")
	b.WriteString("## Where next\n\nOn.\n")
	return b.String()
}

func formOf(t *testing.T, text string) (Form, []string) {
	t.Helper()
	n, err := notebook.ParseMarkdown("01-one.md", []byte(text))
	if err != nil {
		t.Fatal(err)
	}
	answers := notebook.New()
	n.Cells = slices.DeleteFunc(n.Cells, func(c notebook.Cell) bool {
		if c.HasTag("answers") { // in a file of their own
			answers.Cells = append(answers.Cells, c)
		}
		return c.HasTag("answers")
	})
	return (&Lesson{Slug: "01-one", Parsed: n, Answers: answers}).Check()
}

func TestCheckOfAGoodForm(t *testing.T) {
	form, faults := formOf(t, goodForm())
	if faults != nil {
		t.Error(strings.Join(faults, "\n"))
	}
	if form.Figures != 6 || form.Guesses != 1 || form.CodeLines != 7 || form.Words < 2520 || form.Words > 2560 || form.Practice() != 45 {
		t.Errorf("%v", &form)
	}
}

// Whatever is taken from a good lesson is missed, at its line.
func TestCheckFaults(t *testing.T) {
	for _, c := range []struct{ old, new, want string }{
		{"reading: 15 min", "reading: 20 min", "the header says 20 min of reading, the text takes 14"},
		{"reading: 15 min", "reading: 14 min", "14 min of reading"},
		{"exercises: 45 min", "exercises: 60 min", "60 min of exercises, their headings 45"},
		{"\"guess\"", "\"break\"", "no guess"},
		{"lab.Explore(e)", "// lab.Explore(e)", "5 figures"},
		{"lab.Show(f)", strings.Repeat("lab.Show(f)\n", 5), "10 figures"},
		{"lab.Show(f)", strings.Repeat("y\n", 21), "21 visible lines of code in a cell"},
		{"lab.Show(f)", "lab.Show(f)\n```\n" + strings.Repeat("\n```go\n"+strings.Repeat("y\n", 20)+"```\n", 15) + "\n```go\nz", "308 visible lines"},
		{"$a = b$", strings.Repeat("word ", 600), "a lesson has 2000 to 3000"},
		{"lab.Exercise(\"1.3\", check, f)", "check()", "the exercise does not call lab.Exercise"},
		{"### 1.2 (five minutes)", "### 1.2", "no heading above says how long"},
		{"```go tags=[\"hint\"]\nx\n```", "", "0 hints"},
		{"lab.Wrong(),  lab.Endless()", "lab.Endless()", "5 wrong answers"},
		{"lab.Right()", "", "0 right ones"},
		{"lab.Answers(\"1.1\"", "lab.Answers(\"1.9\"", "0 wrong answers"},
		{"tags=[\"solution\"]\nlab.Exercise(\"1.4\", check, f)", "tags=[\"break\"]\nx", "no solution"},
		{"<!-- #region tags=[\"solution\"] -->", "<!-- #region -->", "no solution"},
		{"<!-- #region tags=[\"paper\"] -->", "<!-- #region -->", "1 tasks on paper"},
		{"tags=[\"notes\"]", "", "no section about the notes"},
		{"Note A is wrong.", "Wrong.\n\n## Another section", "a section begins inside"},
		{"On.", "On with note B.", `"note B": only the last section`},
		{"On.", "[above](#1).", "a link inside the lesson"},
		{"## Where next", "```go tags=[\"hint\"]\nx\n```\n\n## Where next", "without an exercise above"},
	} {
		text := strings.Replace(goodForm(), c.old, c.new, 1)
		_, faults := formOf(t, text)
		if all := strings.Join(faults, "\n"); !strings.Contains(all, c.want) {
			t.Errorf("%q for %q: %s; want %q", c.new, c.old, all, c.want)
		}
	}
	late := strings.Replace(goodForm(), "\"explorable\", \"fold\"", "\"fold\"", 1)
	late = strings.Replace(late, "\"figure\"", "\"break\"", 3)
	if _, faults := formOf(t, late); !strings.Contains(strings.Join(faults, "\n"), "no figure or explorable among the first 6 cells") {
		t.Error(faults)
	}
	few := strings.Replace(goodForm(), strings.Repeat("word ", 500), "", 2)
	if _, faults := formOf(t, few); !strings.Contains(strings.Join(faults, "\n"), "words; a lesson has 2000") {
		t.Error(faults)
	}
}
