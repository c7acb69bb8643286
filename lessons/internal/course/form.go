package course

import (
	"fmt"
	"math"
	"regexp"
	"slices"
	"strconv"
	"strings"

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

// Form is what a lesson's text measures. What is folded is not counted.
type Form struct {
	Words     int
	CodeLines int // outside the exercises, blank ones and "%%" included
	Figures   int // calls that show one
	Guesses   int
	Tasks     []Task
}

// Reading is the time that the text takes, in minutes.
func (f *Form) Reading() float64 {
	return float64(f.Words)/wordsPerMinute + float64(f.CodeLines)/linesPerMinute
}

// Practice is the sum of the times in the headings of the tasks, in minutes.
func (f *Form) Practice() (minutes int) {
	for _, t := range f.Tasks {
		minutes += t.Minutes
	}
	return minutes
}

func (f *Form) String() string {
	return fmt.Sprintf("%d words, %d lines of code, %d figures, %d guesses, %d exercises and tasks; reading %.0f min, exercises %d min",
		f.Words, f.CodeLines, f.Figures, f.Guesses, len(f.Tasks), f.Reading(), f.Practice())
}

// Task is an exercise in code or on paper.
type Task struct {
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
	hasLetter    = regexp.MustCompile(`\pL|\pN`)
)

var numberWords = map[string]int{"one": 1, "two": 2, "three": 3, "four": 4, "five": 5, "six": 6, "seven": 7, "eight": 8, "ten": 10,
	"twelve": 12, "fifteen": 15, "twenty": 20, "twenty-five": 25, "thirty": 30, "forty": 40}

// Check measures the lesson and lists where it is not as a lesson has to be, with the lines of its Markdown.
func (l *Lesson) Check() (form Form, faults []string) {
	fault := func(line int, format string, args ...any) {
		faults = append(faults, fmt.Sprintf("lessons/%s.md:%d: ", l.Slug, line)+fmt.Sprintf(format, args...))
	}
	minutes := 0   // in the last heading
	noted := false // in the section about the notes
	pictured := -1 // the first cell with a figure
	var task *Task // the last one
	paper := 0
	for i := range l.Parsed.Cells {
		c := &l.Parsed.Cells[i]
		section := sectionLine.FindAllStringIndex(fencedBlock.ReplaceAllString(c.Source, ""), -1)
		if c.Kind == notebook.Markdown && len(section) > 0 {
			if at := section[len(section)-1][0]; noted && at > 0 || c.HasTag(notebook.TagNotes) && len(section) > 1 {
				fault(c.Line, "a section begins inside the one about the notes; two blank lines make it a cell of its own")
			}
			noted = c.HasTag(notebook.TagNotes)
			task = nil
		}
		if c.Kind == notebook.Markdown {
			if m := headingTime.FindAllStringSubmatch(c.Source, -1); m != nil {
				minutes = inMinutes(m[len(m)-1][1])
			}
			if ownLink.MatchString(c.Source) {
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
			form.Tasks = append(form.Tasks, Task{Line: c.Line, Paper: c.HasTag(notebook.TagPaper), Minutes: minutes})
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
		case noted:
		case c.Kind == notebook.Markdown:
			form.Words += countWords(c.Source)
		case c.Kind == notebook.Code:
			form.Figures += len(figureCall.FindAllString(c.Source, -1))
			if c.HasTag(notebook.TagFold) {
				continue
			}
			lines := countLines(c.Source)
			form.CodeLines += lines
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
	between("words", form.Words, leastWords, mostWords)
	between("visible lines of code outside the exercises", form.CodeLines, 0, mostCodeLines)
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
		if i := slices.IndexFunc(form.Tasks, func(t Task) bool { return !t.Paper && t.Number == number }); i < 0 {
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

// add counts a hint or a solution.
func (t *Task) add(c *notebook.Cell, fault func(int, string, ...any)) {
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

func (t *Task) check(fault func(int, string, ...any)) {
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
