package main

import (
	"fmt"
	"math"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/svmkit/course/lessons/internal/course"
	"github.com/svmkit/course/lessons/internal/notebook"
)

// What a lesson holds; lessons/README.md says why.
const (
	mostCellLines = 20 // of a cell that is visible
	mostCodeLines = 300
	leastWords    = 2000
	mostWords     = 3000
	firstScreen   = 6 // cells, in which there is a figure
	leastFigures  = 6
	mostFigures   = 9
	exercises     = 5
	papers        = 2
	leastWrong    = 6

	wordsPerMinute = 200
	linesPerMinute = 8
)

// What a lesson in the third form holds, which has no limit of words.
const (
	mostFoldedLines = 250 // of code, as mostCodeLines in the whole lesson
	mostColumns     = 100 // of a visible line of code
	mostReading     = 45  // minutes on the main path
	mostTheorems    = 3   // on the main path
	leastCalls      = 3   // different ones of svmkit and plots that are visible
	leastAnswers    = 2   // to questions in the text
	mostSummary     = 12  // words of the summary of a folded cell
)

// lessonForm is what a lesson's text measures. What is folded is not counted, except as FoldedLines.
type lessonForm struct {
	Words     int // on the main path, as the next two
	CodeLines int // outside the exercises, blank ones and "%%" included
	Figures   int // calls that show one
	Guesses   int
	Tasks     []lessonTask

	// Of the third form.
	Answers     int             // to questions in the text
	Theorems    map[string]bool // on the main path, by their names
	Calls       map[string]bool // of svmkit and plots that are visible
	AllLines    int             // of visible code, with the optional sections and the one about the notes
	FoldedLines int             // of code
	Deeper      []deeperForm
}

// deeperForm is an optional section.
type deeperForm struct {
	Line, Minutes    int // as its heading says
	Words, CodeLines int
}

// Reading is the time that the text takes, in minutes.
func (f *lessonForm) Reading() float64 { return reading(f.Words, f.CodeLines) }

func reading(words, codeLines int) float64 {
	return float64(words)/wordsPerMinute + float64(codeLines)/linesPerMinute
}

// Practice is the sum of the times in the headings of the tasks, in minutes.
func (f *lessonForm) Practice() (minutes int) {
	for _, t := range f.Tasks {
		minutes += t.Minutes
	}
	return minutes
}

func (f *lessonForm) String() string {
	s := fmt.Sprintf("%d words, %d lines of code, %d figures, %d guesses, %d exercises and tasks; reading %.0f min, exercises %d min",
		f.Words, f.CodeLines, f.Figures, f.Guesses, len(f.Tasks), f.Reading(), f.Practice())
	if f.Theorems != nil {
		s += fmt.Sprintf("; %d theorems on the main path, %d answers, %d visible calls, %d visible and %d folded lines in all; optional:", len(f.Theorems), f.Answers, len(f.Calls), f.AllLines, f.FoldedLines)
		for _, d := range f.Deeper {
			s += fmt.Sprintf(" %.0f (%d) min", reading(d.Words, d.CodeLines), d.Minutes)
		}
	}
	return s
}

// lessonTask is an exercise in code or on paper.
type lessonTask struct {
	Line         int
	Paper        bool
	Number       string // of the exercise: "3.2"
	Minutes      int    // in the heading above it; 0 if it says none
	Hints        int
	Solved       bool
	Wrong, Right int // answers
}

var (
	exerciseCall = regexp.MustCompile(`\blab\.Exercise\("([^"]*)"`)
	answersCall  = regexp.MustCompile(`\blab\.Answers\("([^"]*)"`)
	wrongCall    = regexp.MustCompile(`\blab\.(?:Wrong|Endless)\(`)
	rightCall    = regexp.MustCompile(`\blab\.Right\(`)
	figureCall   = regexp.MustCompile(`(?m)^[^/\n]*\blab\.(?:Show|Play|Explore|Live)\(`)
	sectionLine  = regexp.MustCompile(`(?m)^##?[ \t]`)
	headingTime  = regexp.MustCompile(`(?m)^#{2,4}[ \t].*\(([a-z0-9-]+) minutes?\)`)
	aboutNotes   = regexp.MustCompile(`\b[Nn]otes? (?:[A-E]\b|[A-E](?:, [A-E])* and [A-E]\b)|\bOne of the notes\b`)
	ownLink      = regexp.MustCompile(`\]\(#`)
	fencedBlock  = regexp.MustCompile("(?ms)^```.*?^```")
	formulas     = regexp.MustCompile(`(?s)\$\$.*?\$\$|\$[^$]*\$`)
	linkTarget   = regexp.MustCompile(`\]\([^)]*\)`)
	statements   = regexp.MustCompile(`\*\*((?:Theorem|Proposition|Lemma|Corollary) \d+\.\d+)`)
	libraryCall  = regexp.MustCompile(`\b(?:svmkit|svm|perceptron|separate|bound|feature|samples|dataset|kernel|multiclass|modelfile|pipeline|stream|text|tune|plots)\.[A-Z]\w*`)
	hasLetter    = regexp.MustCompile(`\pL|\pN`)
)

var numberWords = map[string]int{"one": 1, "two": 2, "three": 3, "four": 4, "five": 5, "six": 6, "seven": 7, "eight": 8, "ten": 10,
	"twelve": 12, "fifteen": 15, "twenty": 20, "twenty-five": 25, "thirty": 30, "forty": 40}

// checkForm measures the lesson and lists where it is not as a lesson has to be, with the lines of its Markdown.
func checkForm(l *course.Lesson) (form lessonForm, faults []string) {
	fault := func(line int, format string, args ...any) {
		faults = append(faults, fmt.Sprintf("lessons/%s.md:%d: ", l.Slug, line)+fmt.Sprintf(format, args...))
	}
	third := l.Form >= 3
	if third {
		form.Theorems, form.Calls = map[string]bool{}, map[string]bool{}
	}
	var deeper *deeperForm // the optional section
	minutes := 0           // in the last heading
	noted := false         // in the section about the notes
	pictured := -1         // the first cell with a figure
	var task *lessonTask   // the last one
	paper := 0
	for i := range l.Parsed.Cells {
		c := &l.Parsed.Cells[i]
		section := sectionLine.FindAllStringIndex(fencedBlock.ReplaceAllString(c.Source, ""), -1)
		if c.Kind == notebook.Markdown && len(section) > 0 {
			if at := section[len(section)-1][0]; noted && at > 0 || c.HasTag(notebook.TagNotes) && len(section) > 1 {
				fault(c.Line, "a section begins inside the one about the notes; two blank lines make it a cell of its own")
			}
			noted = c.HasTag(notebook.TagNotes)
			task, deeper = nil, nil
			if c.Optional() > 0 {
				form.Deeper = append(form.Deeper, deeperForm{Line: c.Line, Minutes: c.Optional()})
				deeper = &form.Deeper[len(form.Deeper)-1]
			}
		}
		if third {
			form.count(c, deeper != nil || noted, fault)
		}
		if c.Kind == notebook.Markdown {
			if m := headingTime.FindAllStringSubmatch(c.Source, -1); m != nil {
				minutes = inMinutes(m[len(m)-1][1])
			}
			if !third && ownLink.MatchString(c.Source) {
				fault(c.Line, "a link inside the lesson leads nowhere in a notebook")
			}
			if !noted && aboutNotes.MatchString(c.Source) {
				fault(c.Line, "%q: only the last section speaks of the notes", aboutNotes.FindString(c.Source))
			}
		}
		if pictured < 0 && (c.HasTag(notebook.TagFigure) || c.HasTag(notebook.TagExplorable)) {
			pictured = i
		}
		if c.HasTag(notebook.TagGuess) {
			form.Guesses++
		}
		switch {
		case c.HasTag(notebook.TagExercise), c.HasTag(notebook.TagPaper):
			form.Tasks = append(form.Tasks, lessonTask{Line: c.Line, Paper: c.HasTag(notebook.TagPaper), Minutes: minutes})
			task = &form.Tasks[len(form.Tasks)-1]
			minutes = 0
			if task.Paper {
				paper++
				form.Words += countWords(c.Source)
			} else if m := exerciseCall.FindStringSubmatch(c.Source); m != nil {
				task.Number = m[1]
			}
		case c.HasTag(notebook.TagHint), c.HasTag(notebook.TagSolution):
			if task == nil {
				fault(c.Line, "a hint or a solution without an exercise above")
				continue
			}
			task.add(c, fault)
		case noted, c.HasTag(notebook.TagAnswer):
		case c.Kind == notebook.Markdown && deeper != nil:
			deeper.Words += countWords(c.Source)
		case c.Kind == notebook.Markdown:
			form.Words += countWords(c.Source)
		case c.Kind == notebook.Code:
			if deeper == nil {
				form.Figures += len(figureCall.FindAllString(c.Source, -1))
			}
			if c.Folded() {
				continue
			}
			lines := countLines(c.Source)
			if deeper != nil {
				deeper.CodeLines += lines
			} else {
				form.CodeLines += lines
			}
			if lines > mostCellLines {
				fault(c.Line, "%d visible lines of code in a cell, at most %d", lines, mostCellLines)
			}
		}
	}
	between := func(what string, got, low, high int) {
		if got < low || got > high {
			fault(1, "%d %s; a lesson has %d to %d", got, what, low, high)
		}
	}
	if third {
		form.checkThird(fault)
	} else {
		between("words", form.Words, leastWords, mostWords)
		between("visible lines of code outside the exercises", form.CodeLines, 0, mostCodeLines)
	}
	between("figures", form.Figures, leastFigures, mostFigures)
	between("exercises in code", len(form.Tasks)-paper, exercises, exercises)
	between("tasks on paper", paper, papers, papers)
	if pictured < 0 || pictured >= firstScreen {
		fault(1, "no figure or explorable among the first %d cells", firstScreen)
	}
	if form.Guesses == 0 {
		fault(1, "no guess: a cell whose output is folded")
	}
	if !slices.ContainsFunc(l.Parsed.Cells, func(c notebook.Cell) bool { return c.HasTag(notebook.TagNotes) }) {
		fault(1, "no section about the notes")
	}
	for _, c := range l.Answers.Cells {
		if c.Kind != notebook.Code {
			continue
		}
		number := ""
		if m := answersCall.FindStringSubmatch(c.Source); m != nil {
			number = m[1]
		}
		if i := slices.IndexFunc(form.Tasks, func(t lessonTask) bool { return !t.Paper && t.Number == number }); i < 0 {
			faults = append(faults, fmt.Sprintf("lessons/answers/%s.md:%d: no exercise %q in the lesson", l.Slug, c.Line, number))
		} else {
			form.Tasks[i].Wrong += len(wrongCall.FindAllString(c.Source, -1))
			form.Tasks[i].Right += len(rightCall.FindAllString(c.Source, -1))
		}
	}
	for _, t := range form.Tasks {
		t.check(fault)
	}
	front := l.Parsed.FrontMatter()
	if measured := form.Reading(); front.Reading%5 != 0 || math.Abs(float64(front.Reading)-measured) > max(0.2*measured, 2.5) {
		fault(1, "the header says %d min of reading, the text takes %.0f (in fives)", front.Reading, measured)
	}
	if sum := form.Practice(); front.Exercises != (sum+2)/5*5 {
		fault(1, "the header says %d min of exercises, their headings %d (in fives)", front.Exercises, sum)
	}
	return form, faults
}

// count adds what only the third form counts. A cell is aside if it is not on the main path.
func (f *lessonForm) count(c *notebook.Cell, aside bool, fault func(int, string, ...any)) {
	if c.Kind == notebook.Markdown {
		if c.HasTag(notebook.TagAnswer) {
			f.Answers++
		}
		for _, m := range statements.FindAllStringSubmatch(c.Source, -1) {
			if !aside {
				f.Theorems[m[1]] = true
			}
		}
		return
	}
	if c.Kind != notebook.Code || c.HasTag(notebook.TagHint) || c.HasTag(notebook.TagSolution) {
		return
	}
	if words := len(strings.Fields(c.Summary())); words > mostSummary {
		fault(c.Line, "the summary has %d words, at most %d", words, mostSummary)
	}
	if c.HasTag(notebook.TagCheck) {
		return
	}
	lines := countLines(c.Source)
	if c.HasTag(notebook.TagFold) {
		f.FoldedLines += lines
		return
	}
	for i, line := range strings.Split(c.Source, "\n") {
		if n := len([]rune(strings.ReplaceAll(line, "\t", "    "))); n > mostColumns {
			fault(c.Line+i, "a visible line of %d columns, at most %d", n, mostColumns)
		}
	}
	if c.HasTag(notebook.TagExercise) {
		return
	}
	f.AllLines += lines
	for _, call := range libraryCall.FindAllString(c.Source, -1) {
		f.Calls[call] = true
	}
}

// checkThird lists where a lesson is not as the third form asks.
func (f *lessonForm) checkThird(fault func(int, string, ...any)) {
	most := func(what string, got, limit int) {
		if got > limit {
			fault(1, "%d %s, at most %d", got, what, limit)
		}
	}
	most("visible lines of code", f.AllLines, mostCodeLines)
	most("folded lines of code", f.FoldedLines, mostFoldedLines)
	most("theorems on the main path", len(f.Theorems), mostTheorems)
	most("minutes of reading on the main path", int(f.Reading()), mostReading)
	if len(f.Calls) < leastCalls {
		fault(1, "%d calls of svmkit or plots are visible, at least %d", len(f.Calls), leastCalls)
	}
	if f.Answers < leastAnswers {
		fault(1, "%d questions in the text have a folded answer, at least %d", f.Answers, leastAnswers)
	}
	for _, d := range f.Deeper {
		if measured := reading(d.Words, d.CodeLines); math.Abs(float64(d.Minutes)-measured) > max(0.2*measured, 5) {
			fault(d.Line, "the heading says %d minutes, the section takes %.0f", d.Minutes, measured)
		}
	}
}

// add counts a hint or a solution.
func (t *lessonTask) add(c *notebook.Cell, fault func(int, string, ...any)) {
	switch {
	case c.HasTag(notebook.TagHint):
		t.Hints++
		return
	case c.HasTag(notebook.TagSolution) && t.Paper:
		t.Solved = t.Solved || c.Kind == notebook.Markdown
		return
	}
	t.Solved = t.Solved || c.Kind == notebook.Code
	if m := exerciseCall.FindStringSubmatch(c.Source); m == nil || m[1] != t.Number {
		fault(c.Line, "no call for exercise %s, which stands above", t.Number)
	}
}

func (t *lessonTask) check(fault func(int, string, ...any)) {
	if !t.Paper && t.Number == "" {
		fault(t.Line, "the exercise does not call lab.Exercise")
	}
	if t.Minutes == 0 {
		fault(t.Line, `no heading above says how long this takes, like "(ten minutes)"`)
	}
	if !t.Solved {
		fault(t.Line, "no solution")
	}
	if !t.Paper && (t.Hints == 0 || t.Wrong < leastWrong || t.Right == 0) {
		fault(t.Line, "%d hints, %d wrong answers, %d right ones; at least 1, %d and 1", t.Hints, t.Wrong, t.Right, leastWrong)
	}
}

func inMinutes(word string) int {
	if n, err := strconv.Atoi(word); err == nil {
		return n
	}
	return numberWords[word]
}

// countWords counts a formula as one word, and no code.
func countWords(markdown string) (words int) {
	s := fencedBlock.ReplaceAllString(markdown, "")
	s = formulas.ReplaceAllString(s, "x")
	for _, w := range strings.Fields(linkTarget.ReplaceAllString(s, "")) {
		if hasLetter.MatchString(w) {
			words++
		}
	}
	return words
}

func countLines(source string) int { return strings.Count(strings.Trim(source, "\n"), "\n") + 1 }

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

func formOf(t *testing.T, form int, text string) (lessonForm, []string) {
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
	return checkForm(&course.Lesson{Slug: "01-one", Form: form, Parsed: n, Answers: answers})
}

func TestCheckOfAGoodForm(t *testing.T) {
	form, faults := formOf(t, 0, goodForm())
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
		_, faults := formOf(t, 0, text)
		if all := strings.Join(faults, "\n"); !strings.Contains(all, c.want) {
			t.Errorf("%q for %q: %s; want %q", c.new, c.old, all, c.want)
		}
	}
	late := strings.Replace(goodForm(), "\"explorable\", \"fold\"", "\"fold\"", 1)
	late = strings.Replace(late, "\"figure\"", "\"break\"", 3)
	if _, faults := formOf(t, 0, late); !strings.Contains(strings.Join(faults, "\n"), "no figure or explorable among the first 6 cells") {
		t.Error(faults)
	}
	few := strings.Replace(goodForm(), strings.Repeat("word ", 500), "", 2)
	if _, faults := formOf(t, 0, few); !strings.Contains(strings.Join(faults, "\n"), "words; a lesson has 2000") {
		t.Error(faults)
	}
}

// thirdForm is the text of a lesson in the third form in which nothing is missing.
func thirdForm() string {
	s := strings.Replace(goodForm(), "$a = b$", "**Theorem 1.1.** See [below](#going-deeper-more-10-minutes).", 1)
	const notes = "<!-- #region tags=[\"notes\"]"
	s = strings.Replace(s, notes, "## Going deeper: more (10 minutes)\n\n**Theorem 1.2.** "+strings.Repeat("word ", 2000)+"\n\n"+notes, 1)
	answers := strings.Repeat("<!-- #region tags=[\"answer\"] -->\nNo.\n<!-- #endregion -->\n\n", 2)
	fit := "```go\n%%\nsvm.Fit(samples.Iris(), plots.New)\n```\n\n"
	check := "```go tags=[\"check\"] summary=\"the check\"\n" + strings.Repeat("x\n", 400) + "```\n\n"
	return strings.Replace(s, "### 1.0", answers+fit+check+"### 1.0", 1)
}

func TestCheckOfTheThirdForm(t *testing.T) {
	form, faults := formOf(t, 3, thirdForm())
	if faults != nil {
		t.Error(strings.Join(faults, "\n"))
	}
	if len(form.Theorems) != 1 || len(form.Calls) != 3 || form.Answers != 2 || form.AllLines != 39 || form.FoldedLines != 1 || form.Words > 2560 || len(form.Deeper) != 1 {
		t.Errorf("%v", &form)
	}
	for _, c := range []struct{ old, new, want string }{
		{"**Theorem 1.1.**", "**Theorem 1.1.** **Lemma 1.1.** **Corollary 1.1.** **Proposition 1.1.**", "4 theorems on the main path, at most 3"},
		{"samples.Iris()", "nil", "2 calls of svmkit"},
		{"tags=[\"answer\"]", "", "1 questions in the text"},
		{"**Theorem 1.2.**", strings.Repeat("word ", 2000), "the heading says 10 minutes, the section takes 20"},
		{"word ", strings.Repeat("word ", 8000), "minutes of reading on the main path"},
		{"lab.Explore(e)", "lab.Explore(e)" + strings.Repeat("\nx", 250), "251 folded lines of code, at most 250"},
		{"svm.Fit(", strings.Repeat("y", 100) + "svm.Fit(", "a visible line of 134 columns, at most 100"},
		{"fmt.Println(1)\n", "fmt.Println(1)\n```\n" + strings.Repeat("\n```go\n"+strings.Repeat("y\n", 20)+"```\n", 15) + "\n```go\nz\n", "visible lines of code, at most 300"},
		{"\"a slider\"", "\"" + strings.Repeat("long ", 13) + "\"", "the summary has 13 words"},
	} {
		_, faults := formOf(t, 3, strings.Replace(thirdForm(), c.old, c.new, 1))
		if all := strings.Join(faults, "\n"); !strings.Contains(all, c.want) {
			t.Errorf("%.40q for %q: %s; want %q", c.new, c.old, all, c.want)
		}
	}
}
